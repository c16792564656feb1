"""Help texts of commands: examples and lists below the options, which the manual page shows too."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click

Section = tuple[str, Callable[[], Mapping[str, str]]]
"""A heading, and a function that gives its rows: terms with their meanings."""


class _WithEpilog(click.Command):
    """Writes sections of terms, and then examples, below everything else of a help text.

    Attributes:
        sections: the lists of terms, each under its heading.
        examples: command lines without the program's name.
    """

    sections: Sequence[Section] = ()
    examples: Sequence[str] = ()

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read options and arguments; an error about an option's value names the command, too."""
        try:
            return super().parse_args(ctx, args)
        except click.BadOptionUsage as error:
            error.ctx = error.ctx or ctx
            raise

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write them."""
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
        """Read options and arguments; an extra argument is refused with a message of ours."""
        ctx.allow_extra_args = True
        left = super().parse_args(ctx, args)
        if left and not ctx.resilient_parsing:
            raise click.UsageError(f"unexpected argument {' '.join(left)}", ctx)
        return left


class DocumentedGroup(_WithEpilog, click.Group):
    """A group with sections of terms and examples after its commands."""

    command_class = Documented
