"""A package of somebody else's, laid out as an installer would, for a program that is started afterwards."""

import os


def lay_out(folder, name, sources, entry_points, monkeypatch):
    """Put modules and entry points of a package into a folder in which a program looks for packages."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    for path, source in sources.items():
        (folder / path).write_text(source)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entry_points)
    found(folder, monkeypatch)


def found(folder, monkeypatch):
    """Have programs that are started from now on look for packages in the folder, too."""
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
