"""What can happen to the files of a table while it is off: each damage changes one file, and tells what it did."""

import os
import shutil

SECTOR, PAGE = 512, 4096


def flip_bits(path, older, dice):
    """One bit, mostly, or a few."""
    data = bytearray(path.read_bytes())
    for _ in range(dice.choice((1, 1, 1, 2, 8))):
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    path.write_bytes(data)


def zero_a_sector(path, older, dice):
    fill(path, dice, SECTOR, bytes(SECTOR))


def zero_a_page(path, older, dice):
    fill(path, dice, PAGE, bytes(PAGE))


def fill_a_sector(path, older, dice):
    fill(path, dice, SECTOR, dice.randbytes(SECTOR))


def fill(path, dice, size, content):
    """Put it in the place of a block of the file, which stays as long as it was."""
    data = bytearray(path.read_bytes())
    start = dice.randrange(-(-len(data) // size)) * size
    end = min(start + size, len(data))
    data[start:end] = content[: end - start]
    path.write_bytes(data)


def write_elsewhere(path, older, dice):
    """A page that was meant for one place has gone to another."""
    data = bytearray(path.read_bytes())
    pages = max(1, len(data) // PAGE)
    source, target = (dice.randrange(pages) * PAGE for _ in range(2))
    piece = data[source : source + PAGE]
    data[target : target + len(piece)] = piece
    path.write_bytes(data)


def cut_off(path, older, dice):
    os.truncate(path, dice.randrange(path.stat().st_size))


def empty(path, older, dice):
    os.truncate(path, 0)


def remove(path, older, dice):
    path.unlink()


def append_garbage(path, older, dice):
    with path.open("ab") as file:
        file.write(dice.randbytes(dice.choice((1, 100, PAGE, 3 * PAGE))))


def put_older(path, older, dice):
    """A copy from earlier the same evening, as a card that lost its newest writes gives it; gone if there was none."""
    if older.exists():
        shutil.copyfile(older, path)
    else:
        path.unlink()


def change_rights(path, older, dice):
    path.chmod(dice.choice((0o000, 0o400, 0o644, 0o777)))


def put_folder(path, older, dice):
    """A folder is where the file was."""
    path.unlink()
    path.mkdir(mode=0o700)


def put_link(path, older, dice):
    """A link is where the file was, which leads to its content elsewhere."""
    elsewhere = path.parent.parent / "elsewhere"
    shutil.copyfile(path, elsewhere)
    path.unlink()
    path.symlink_to(elsewhere)


DAMAGES = {
    flip_bits: 30,
    zero_a_sector: 10,
    zero_a_page: 6,
    fill_a_sector: 10,
    write_elsewhere: 6,
    cut_off: 10,
    empty: 4,
    remove: 6,
    append_garbage: 5,
    put_older: 8,
    change_rights: 3,
    put_folder: 1,
    put_link: 1,
}
"""Each with how often it is drawn."""

NEEDS_CONTENT = {flip_bits, zero_a_sector, zero_a_page, fill_a_sector, write_elsewhere, cut_off}

WEIGHTS = {"journal.db": 8, "journal.db-wal": 10, "journal.db-shm": 2}
"""How often a file is drawn; 1 for any other."""


def damage(folder, older, dice):
    """Damage one file of a folder, of which `older` is an earlier copy; its name, and that of the damage."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    path = dice.choices(files, [WEIGHTS.get(each.name, 1) for each in files])[0]
    possible = {each: often for each, often in DAMAGES.items() if path.stat().st_size or each not in NEEDS_CONTENT}
    how = dice.choices(list(possible), list(possible.values()))[0]
    how(path, older / path.relative_to(folder), dice)
    return str(path.relative_to(folder)), how.__name__.replace("_", " ")
