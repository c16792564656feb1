"""The files of a real process as `disk.c` records them, and what of them a power cut leaves on a disk."""

import ctypes
import functools
import hashlib
import os
import re
import shutil
import struct
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

SOURCE = Path(__file__).with_name("disk.c")

OPEN, WRITE, TRUNCATE, SYNC, RENAME, UNLINK, SEND, SYNC_FOLDER, FAULT = range(1, 10)
"""What a record tells."""

ON_WRITE, ON_SYNC, ON_TRUNCATE, ON_OPEN, ON_RENAME, ON_UNLINK, ON_READ = (1 << n for n in range(7))
"""Classes of calls that can fail."""

ONCE, LASTING, SHORT, KILL = range(4)
"""How one fails: alone, with all that follow, as a write of half of what was given, or by the end of the process."""

HEAD = struct.Struct("<IIQQQ")
WITH_DATA = {OPEN, WRITE, RENAME, UNLINK, SEND}
REVISION = re.compile(rb'"revision": ?(\d+)')

BLOCKS = {"torn at 512": 512, "torn at 4096": 4096}
MODES = ("all written", "none written", "some written", "reordered", *BLOCKS)
"""What has become of the writes that no sync had waited for."""


@functools.cache
def library():
    """The path of the compiled library, made once for each version of its source.

    Raises:
        RuntimeError: there is no C compiler.
    """
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise RuntimeError("cc is missing, which compiles tests/proofs/disk.c: tests/debian-packages installs gcc")
    name = f"pegboard-disk-{os.getuid()}-{hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:12]}.so"
    made = Path(tempfile.gettempdir()) / name
    if not made.exists():
        unfinished = made.with_suffix(f".{os.getpid()}")
        subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", unfinished, SOURCE, "-ldl", "-lpthread"], check=True)
        unfinished.replace(made)
    return made


def environment(folder, log=None, fault=None):
    """What a process is started with to be recorded, or to fail: `fault` is classes, number, errno and how."""
    made = {"LD_PRELOAD": str(library()), "DISK_FOLDER": str(folder)}
    made |= {"DISK_LOG": str(log)} if log else {}
    return made | ({"DISK_FAULT": ",".join(map(str, fault))} if fault else {})


def loaded():
    """The library within a process that was started with it."""
    functions = ctypes.CDLL(None)
    functions.disk_calls.restype = ctypes.c_long
    functions.disk_fault.argtypes = [ctypes.c_int, ctypes.c_long, ctypes.c_int, ctypes.c_int]
    functions.disk_watch.argtypes = [ctypes.c_char_p]
    return functions


@dataclass(frozen=True, slots=True)
class Record:
    """One call that has been done, or an answer that was about to be sent."""

    what: int
    flags: int
    file: int
    offset: int
    data: bytes

    @property
    def revision(self):
        """The number of the newest event that an answer told."""
        return max(map(int, REVISION.findall(self.data)), default=0)


def read_log(path):
    """All records; a torn last one, of a killed process, is left out."""
    data, place, records = path.read_bytes(), 0, []
    while place + HEAD.size <= len(data):
        what, flags, file, offset, length = HEAD.unpack_from(data, place)
        end = place + HEAD.size + (length if what in WITH_DATA else 0)
        if end > len(data):
            break
        records.append(Record(what, flags, file, offset, data[place + HEAD.size : end]))
        place = end
    return records


@dataclass(slots=True)
class File:
    """What is on the disk of a file for certain, and what was asked since its last sync."""

    stored: bytearray = field(default_factory=bytearray)
    pending: list = field(default_factory=list)


class Disk:
    """A folder between two calls: names and contents that are safe, and those that a power cut may take.

    Names change in the order in which they were asked to, as on a journalling file system: a cut leaves a part from
    the beginning. Of the contents any part may be on the disk.
    """

    def __init__(self, folder):
        self.folder = os.fsencode(folder)
        self.files, self.names, self.changes, self.acknowledged = {}, {}, [], 0

    def note(self, record):
        """Go on by one record."""
        match record.what:
            case 1 if record.flags:  # a new file
                self.files[record.file] = File()
                self._change(self._name(record.data), record.file)
            case 2:
                self._file(record).pending.append((record.offset, record.data))
            case 3:
                self._file(record).pending.append((record.offset, None))
            case 4:
                file = self._file(record)
                file.stored = written(file, "all written", None)
                file.pending.clear()
                self._settle(record.file)
            case 5:
                old, new = map(self._name, record.data.split(b"\0"))
                self._change(new, self._now().get(old), old)
            case 6:
                self._change(self._name(record.data), None)
            case 7:
                self.acknowledged = max(self.acknowledged, record.revision)
            case 8:
                self.names, self.changes = self._now(), []

    def _file(self, record):
        return self.files.setdefault(record.file, File())

    def _name(self, path):
        return os.fsdecode(path[len(self.folder) + 1 :])

    def _change(self, name, file, old=None):
        self.changes.append((name, file, old))

    def _now(self, changes=None):
        names = dict(self.names)
        for name, file, old in self.changes if changes is None else self.changes[:changes]:
            names.pop(name, None)
            names.pop(old, None)
            if file is not None:
                names[name] = file
        return names

    def _settle(self, file):
        """A sync of a new file brings its name to the disk, and with it every change of names before that."""
        made = [n for n, (_, each, old) in enumerate(self.changes) if each == file and old is None]
        if made:
            self.names, self.changes = self._now(made[-1] + 1), self.changes[made[-1] + 1 :]

    def after_power_cut(self, mode, dice):
        """Names and bytes of what a cut just now leaves."""
        kept = {"all written": len(self.changes), "none written": 0}.get(mode, dice.randint(0, len(self.changes)))
        found = {name: bytes(written(self.files[file], mode, dice)) for name, file in self._now(kept).items()}
        return {name: content for name, content in found.items() if not name.endswith("-shm")} | self._shared(dice)

    def _shared(self, dice):
        """SQLite's index of the log is mapped memory: after a cut it is gone, or holds anything."""
        names = [name for name in self._now() if name.endswith("-shm")]
        content = dice.choice([None, bytes(32768), dice.randbytes(32768)]) if names else None
        return {} if content is None else {names[0]: content}


def written(file, mode, dice):
    """The bytes of a file when what was asked since its last sync has become `mode`."""
    content, asked = bytearray(file.stored), list(file.pending)
    if mode == "none written":
        return content
    if mode == "reordered":
        dice.shuffle(asked)
    for offset, data in asked:
        for start, part in parts(offset, data, BLOCKS.get(mode)):
            if mode == "all written" or dice.random() < 0.5:
                lay(content, start, part)
    return content


def parts(offset, data, block):
    """A write in the blocks that reach the disk each by itself."""
    if data is None or block is None:
        yield offset, data
        return
    start = 0
    while start < len(data):
        end = min(len(data), start + block - (offset + start) % block)
        yield offset + start, data[start:end]
        start = end


def lay(content, offset, data):
    """Write into the bytes of a file, or make it so long where there is no data."""
    if data is None:
        del content[offset:]
    content.extend(bytes(max(0, offset - len(content))))
    if data is not None:
        content[offset : offset + len(data)] = data


def lay_out(image, folder):
    """Put an image into a folder of its own, in place of what was there."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    for name, content in image.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
