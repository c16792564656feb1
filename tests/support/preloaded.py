"""The mark of tests that preload a library into the program, which a compiler makes on the spot."""

import sys

import pytest

needs_compiler = [
    pytest.mark.debian,
    pytest.mark.skipif(sys.maxsize < 2**32, reason="tests/proofs/disk.c makes system calls of 64-bit machines"),
]
