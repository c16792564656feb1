"""A missing library is installed by the command of whatever installed this program."""

import subprocess
import sys
from pathlib import Path

import pytest

from pegboard.install import host
from pegboard.install.host import install_command


def command(environment):
    return install_command("sqlalchemy>=2", "python3-sqlalchemy", environment)


def made(folder, settings):
    folder.mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text(settings)
    return folder


def test_in_a_checkout_pip_of_its_own_environment_installs_it(tmp_path, monkeypatch):
    own = made(tmp_path / ".venv", "home = /usr/bin\nversion = 3.11.2\n")
    monkeypatch.chdir(tmp_path)
    assert command(own) == ".venv/bin/python -m pip install 'sqlalchemy>=2'"
    monkeypatch.chdir("/")
    assert command(own) == f"{own}/bin/python -m pip install 'sqlalchemy>=2'"


def test_pipx_puts_it_beside_the_program():
    assert command(Path("/home/ann/.local/share/pipx/venvs/pegboard")) == "pipx inject pegboard 'sqlalchemy>=2'"


@pytest.mark.parametrize("folder", [".venv", "uv/tools/pegboard"])
def test_uv_installs_it_where_it_made_the_environment(tmp_path, folder):
    """uv leaves pip out of the environments that it makes."""
    own = made(tmp_path / folder, "home = /usr/bin\nimplementation = CPython\nuv = 0.9.2\nversion_info = 3.13.5\n")
    assert command(own) == f"uv pip install --python {own}/bin/python 'sqlalchemy>=2'"


def test_a_debian_package_is_named_where_pegboard_is_one(monkeypatch):
    monkeypatch.setattr(host, "is_installed", lambda: True)
    assert command(Path("/usr")) == "sudo apt install python3-sqlalchemy"


def test_the_command_for_this_environment_is_one_that_runs():
    line = f"printf '%s\\n' {command(Path(sys.prefix))}"
    program, *_, verb, library = subprocess.check_output(["bash", "-c", line], text=True).splitlines()
    assert Path(program).exists()
    assert (verb, library) == ("install", "sqlalchemy>=2")
