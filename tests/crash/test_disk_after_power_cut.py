"""What the rebuilt disk of a power cut may hold, and must: the model behind `make test-power`."""

import random

import pytest

from tests.proofs import disk
from tests.proofs.disk import Disk, Record
from tests.proofs.soak import Sample, slope_mb_an_hour

FOLDER = "/state"
LOG = 7


def opened(name, file=LOG):
    return Record(disk.OPEN, 1, file, 0, f"{FOLDER}/{name}".encode())


def written(offset, data, file=LOG):
    return Record(disk.WRITE, 0, file, offset, data)


def synced(file=LOG):
    return Record(disk.SYNC, 0, file, 0, b"")


def after(*records):
    model = Disk(FOLDER)
    for each in records:
        model.note(each)
    return model


def images(model, mode):
    return [model.after_power_cut(mode, random.Random(seed)) for seed in range(40)]


@pytest.mark.parametrize("mode", disk.MODES)
def test_what_was_synced_is_there_whatever_becomes_of_the_rest(mode):
    model = after(opened("log"), written(0, b"stored"), synced(), written(6, b" or not"))
    assert all(image["log"].startswith(b"stored") for image in images(model, mode))


def test_a_write_that_was_not_synced_may_be_gone_or_torn():
    model = after(opened("log"), written(0, bytes(4096)), synced(), written(0, b"x" * 1024))
    assert {image["log"][0] for image in images(model, "none written")} == {0}
    assert {image["log"][0] for image in images(model, "all written")} == {ord("x")}
    torn = {(image["log"][0], image["log"][512]) for image in images(model, "torn at 512")}
    assert torn == {(a, b) for a in (0, ord("x")) for b in (0, ord("x"))}
    assert {image["log"][0] == image["log"][512] for image in images(model, "torn at 4096")} == {True}


def test_a_later_write_can_be_there_without_an_earlier_one():
    model = after(opened("log"), written(0, b"aa"), synced(), written(0, b"b"), written(1, b"b"))
    assert any(image["log"] == b"ab" for image in images(model, "some written"))


def test_a_name_is_safe_when_its_folder_or_its_new_file_was_synced():
    renamed = Record(disk.RENAME, 0, 0, 0, b"/state/log\0/state/other")
    model = after(opened("log"), synced(), renamed)
    assert {tuple(image) for image in images(model, "some written")} == {("log",), ("other",)}
    model.note(Record(disk.SYNC_FOLDER, 0, 0, 0, b""))
    assert {tuple(image) for image in images(model, "none written")} == {("other",)}
    assert images(after(opened("log")), "none written")[0] == {}


def test_a_file_that_was_removed_can_come_back():
    model = after(opened("log"), synced(), Record(disk.UNLINK, 0, 0, 0, b"/state/log"))
    assert {tuple(image) for image in images(model, "some written")} == {("log",), ()}


def test_an_answer_acknowledges_the_newest_revision_that_it_tells():
    told = Record(disk.SEND, 0, 0, 0, b'{"revision":41,"lanes":[{"revision": 39}]}')
    assert after(told, Record(disk.SEND, 0, 0, 0, b'{"revision":40}')).acknowledged == 41


def test_growth_of_memory_is_that_of_its_lowest_values():
    samples = [Sample(at, 60 + at / 3600 * 6 + (at % 30 > 0), 9, 9) for at in range(0, 600, 10)]
    assert slope_mb_an_hour(samples) == pytest.approx(6)
