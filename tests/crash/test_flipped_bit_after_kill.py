"""kill -9, then one flipped bit in the log: the real program shows every score, or says how many are missing."""

import shutil

import pytest

from pegboard.storage.schema import FILE
from tests.support.damage import flip_bit
from tests.support.program import Service


@pytest.fixture(scope="module")
def killed(tmp_path_factory):
    """The folder of a table killed at 25 to 25, and its epoch."""
    folder = tmp_path_factory.mktemp("killed") / "state"
    with Service(folder) as service:
        client = service.client()
        for score in range(10):
            assert client.score(score % 2, 5)[0] == 201
        epoch = client.state()["epoch"]
        service.kill()
    return folder, epoch


@pytest.mark.sampled
@pytest.mark.parametrize("share", [1 / 3, 2 / 3, 0.95])
def test_no_score_is_missing_without_a_word(tmp_path, killed, share):
    whole, epoch = killed
    folder = shutil.copytree(whole, tmp_path / "state")
    log = folder / f"{FILE}-wal"
    flip_bit(log, int(log.stat().st_size * share))
    with Service(folder) as service:
        state = service.client().state()
        fronts = [lane["front"] for lane in state["lanes"]]
        is_said = any("WARNING" in line for line in service.said)
        assert fronts == [25, 25] or (state["epoch"] != epoch and is_said)
        assert service.client().score(0, 5)[0] == 201
