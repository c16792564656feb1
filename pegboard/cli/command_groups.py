"""Command groups for click: lazy loading, help sections, one-sentence errors, and the exit statuses 0, 1, 2 and 130.

Each error is reported as one sentence on standard error.
"""

import contextlib
import errno
import os
import sys
from collections import UserDict
from collections.abc import Callable, Mapping, Sequence
from pkgutil import resolve_name
from typing import Any

import click

from pegboard.core.names import likely, suggestion
from pegboard.errors import NotNow, PegboardError
from pegboard.streams import INTERRUPTED, discard_output, echo_line, finish_output, interruptible, write_any_letter

# --- help texts: examples and lists below the options, also shown in the manual page ---


Section = tuple[str, Callable[[], Mapping[str, str]]]
"""A heading, and a function that returns its rows: terms with their meanings."""


class _WithEpilog(click.Command):
    """Adds sections of terms, then examples, at the end of a help text.

    Attributes:
        sections: the lists of terms, each under its heading.
        examples: command lines without the program's name.
    """

    sections: Sequence[Section] = ()
    examples: Sequence[str] = ()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse options and arguments; an error about an option's value also names the command."""
        try:
            return super().parse_args(ctx, args)
        except click.BadOptionUsage as error:
            error.ctx = error.ctx or ctx
            raise

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections and examples."""
        for heading, rows in self.sections:
            with formatter.section(heading):
                formatter.write_dl(list(rows().items()))
        if self.examples:
            with formatter.section("Examples"):
                for line in self.examples:
                    formatter.write(f"{'':{formatter.current_indent}}pegboard {line}\n")


class Documented(_WithEpilog, click.Command):
    """A command with sections of terms and examples after its options."""

    def __init__(
        self, *arguments: Any, sections: Sequence[Section] = (), examples: Sequence[str] = (), **more: Any
    ) -> None:
        """`examples` are command lines without the program's name."""
        super().__init__(*arguments, **more)
        self.sections, self.examples = sections, examples

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse options and arguments; refuse an extra argument with our own message."""
        ctx.allow_extra_args = True
        left = super().parse_args(ctx, args)
        if left and not ctx.resilient_parsing:
            raise click.UsageError(f"unexpected argument {' '.join(left)}", ctx)
        return left


class DocumentedGroup(_WithEpilog, click.Group):
    """A group with sections of terms and examples after its commands."""

    command_class = Documented


DONE, FAILED, REFUSED = 0, 1, 2
"""Exit statuses: success; the command cannot run now; an argument or setting is not accepted."""

OUTPUT_ERRNOS = frozenset({errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT, errno.EBADF})
"""Error numbers of a failed write to the output, which has no file name to report."""

NO_SUCH_COMMAND = getattr(click.exceptions, "NoSuchCommand", ())
"""The exception for an unknown command in nested groups, in click 8.4 and newer; else nothing."""

USUAL = "run"
"""The command to suggest first if several commands have an option."""

MEANT = {"start": "run", "serve": "run", "play": "run", "score": "count", "settings": "config", "test": "selftest"}
"""Names of similar commands in other programs -> our command; suggested, but not accepted."""


class LazyCommands(UserDict[str, Any]):
    """The commands of a group by name, loaded lazily: until then the value is the location, "module:variable".

    A command is looked up before it runs, so all its modules are loaded when it drops root's privileges.
    """

    def __getitem__(self, name: str) -> click.Command:
        """Load and return the command of that name.

        Raises:
            KeyError: no command has that name.
        """
        if isinstance(self.data[name], str):
            self.data[name] = resolve_name(self.data[name])
        command: click.Command = self.data[name]
        return command


class CommandGroup(DocumentedGroup):
    """A group of commands that report any error as one sentence instead of a traceback."""

    def main(self, *arguments: Any, **more: Any) -> Any:
        """Run the typed command, and exit."""
        status = DONE
        try:
            with interruptible():
                write_any_letter()
                more.setdefault("prog_name", "pegboard")
                found = super().main(*arguments, **more | {"standalone_mode": False})
                status = found if isinstance(found, int) else DONE
                finish_output()
        except (click.ClickException, PegboardError) as error:
            _say(sentence_of(error))
            status = FAILED if isinstance(error, NotNow) else REFUSED
        except (click.Abort, KeyboardInterrupt):
            status = INTERRUPTED
        except OSError as error:
            if not isinstance(error, BrokenPipeError):  # the reader has closed the pipe, as `head` does
                _say(_sentence_of_system(error))
            status = FAILED
            discard_output()
        sys.exit(status)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of that name; an unknown name is refused with a suggestion."""
        if self.get_command(ctx, args[0]) is None and not ctx.resilient_parsing:
            raise click.UsageError(_no_command(args[0], ctx))
        return super().resolve_command(ctx, args)


def sentence_of(error: click.ClickException | PegboardError) -> str:
    """The message for an error: what is wrong, and what to use instead."""
    if isinstance(error, click.NoSuchOption):
        return _no_option(error)
    if isinstance(error, NO_SUCH_COMMAND) and error.ctx is not None:
        return _no_command(error.command_name, error.ctx)
    if isinstance(error, click.UsageError) and error.ctx is not None:
        return f"{_what_is_wrong(error).rstrip('.')}; {error.ctx.command_path} --help shows the usage"
    return error.format_message() if isinstance(error, click.ClickException) else str(error)


def _what_is_wrong(error: click.UsageError) -> str:
    """The error that click found, in our own words."""
    if isinstance(error, click.BadOptionUsage) and error.ctx is not None:
        return _option_and_value(error.option_name, error.ctx.command)
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return _no_command_typed(error.ctx)
    if isinstance(error, click.BadParameter) and error.param is not None:
        return _wrong_value(error, error.param)
    return error.format_message()


def _wrong_value(error: click.BadParameter, parameter: click.Parameter) -> str:
    name = parameter.get_error_hint(error.ctx).replace("'", "")
    if isinstance(error, click.MissingParameter):
        return f"{name} is missing"
    if isinstance(bounds := parameter.type, click.IntRange | click.FloatRange):
        typed = error.message.partition(" is not ")[0]  # "0 is not in the range 1<=x<=60", "'x' is not a valid ..."
        return f"{name}: use a number from {bounds.min} to {bounds.max}, not {typed}"
    if isinstance(words := parameter.type, click.Choice):
        typed = error.message.partition(" is not ")[0]  # "'x' is not one of 'five', 'four'."
        place = "" if isinstance(parameter, click.Argument) else f"{name}: "
        return f"{place}use {_alternatives(words.choices)}, not {typed}"
    says_itself = error.message[:1].isupper()  # "File 'x' does not exist"
    return f"{error.message[0].lower()}{error.message[1:]}" if says_itself else f"{name}: {error.message}"


def _option_and_value(typed: str, command: click.Command) -> str:
    """The message for an option without a value, or a flag with one."""
    is_flag = any(typed in option.opts and getattr(option, "is_flag", False) for option in command.params)
    return f"{typed} cannot have a value" if is_flag else f"{typed} needs a value"


def _no_command_typed(context: click.Context) -> str:
    group = context.command
    assert isinstance(group, click.Group)
    return f"a command is missing; use {_alternatives(group.list_commands(context))}"


def _alternatives(words: Sequence[str]) -> str:
    """Words in a sentence: "five or four", "bash, zsh or fish"."""
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _no_command(typed: str, context: click.Context) -> str:
    group = context.command
    assert isinstance(group, click.Group)
    path, meant = context.command_path, likely(typed, group.list_commands(context), MEANT)
    hint = suggestion(f"{path} {meant}") if meant in group.commands else f"; {path} --help lists them"
    return f"there is no command {click.format_filename(typed)!r}{hint}"


def _no_option(error: click.NoSuchOption) -> str:
    assert error.ctx is not None
    path, typed = error.ctx.command_path, error.option_name
    if not typed.startswith("--"):
        return f"there is no option {typed}; all options except -h start with two dashes; {path} --help lists them"
    meant = likely(typed, _options(error.ctx.command))
    if meant is None:
        others = dict(sorted(getattr(error.ctx.command, "commands", {}).items(), key=lambda one: one[0] != USUAL))
        meant = next((f"{path} {name} {typed}" for name, one in others.items() if typed in _options(one)), None)
    return f"there is no option {typed}{suggestion(meant) or f'; {path} --help lists them'}"


def _options(command: click.Command) -> list[str]:
    return [option for parameter in command.params for option in parameter.opts if option.startswith("--")]


def _sentence_of_system(error: OSError) -> str:
    """The message for an operating system error; without a file name it may be about the output."""
    reason = error.strerror or str(error)
    if error.filename is not None:
        return f"{os.fsdecode(error.filename)} cannot be used: {reason}"
    return f"cannot write the output: {reason}" if error.errno in OUTPUT_ERRNOS else reason


def _say(sentence: str) -> None:
    """Write to standard error, if there is one."""
    with contextlib.suppress(OSError):
        echo_line(f"pegboard: {' '.join(sentence.split())}", err=True)
