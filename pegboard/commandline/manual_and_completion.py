"""The commands `manual` and `completion`: the manual page, and the completion script of a shell."""

import os
import time
from datetime import UTC, date, datetime

import click

from pegboard.commandline.help_layout import Documented, DocumentedGroup
from pegboard.errors import SettingError


@click.command("manual", cls=Documented, examples=("manual | man -l -", "manual > pegboard.1"))
@click.pass_context
def print_manual(context: click.Context) -> None:
    """Print the manual page in the format that `man -l` reads."""
    from pegboard.commandline.manual import manual
    from pegboard.install.program_version import program_version

    group = context.find_root().command
    assert isinstance(group, DocumentedGroup)
    click.echo(manual(group, program_version(), _today()).encode(), nl=False)


def _today() -> date:
    """The day of today, or of SOURCE_DATE_EPOCH in a reproducible build.

    Raises:
        SettingError: it tells no time.
    """
    try:
        return datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH") or time.time()), UTC).date()
    except (ValueError, OverflowError, OSError):
        raise SettingError("no_source_date") from None


@click.command(
    cls=Documented,
    examples=(
        "completion bash > ~/.local/share/bash-completion/completions/pegboard",
        "completion zsh > ~/.zfunc/_pegboard",
        "completion fish > ~/.config/fish/completions/pegboard.fish",
    ),
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"], case_sensitive=False))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print a shell's completion script.

    It completes commands, options, variants, house rules, formats and roles.
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(context.find_root().command, {}, "pegboard", "_PEGBOARD_COMPLETE").source())
