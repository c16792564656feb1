"""A short form of a proof of `make test-power`, which has every case of it."""

import shutil

import pytest

from tests.proofs.progress import Proof, number


@pytest.fixture
def proof(request):
    """A proof that fails the test with its first sentence; SEED chooses other cases."""
    proof = Proof(request.node.name, number("SEED", 18))
    yield proof
    shutil.rmtree(proof.folder, ignore_errors=True)
    assert not proof.failures, proof.failures[0]
