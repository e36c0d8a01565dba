"""The group of commands: loads a command when it is asked for, and turns every error into one sentence.

``lurking --help`` must answer at once, so nothing of the library is imported until a command runs: the names of the
commands and what they are for stand here, in a table.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from lurking import __version__
from lurking.cli.encoding import write_what_can_be_written
from lurking.cli.help_text import COMMANDS, HelpFormatter, write_overview
from lurking.cli.spelling import in_options

__all__ = ["main"]

FAILED, BAD_USAGE = 1, 2


class LazyGroup(click.Group):
    """A group whose commands are imported one at a time."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order of the overview."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"lurking.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or name those that are near."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]!r}?" if near else f"the commands are {', '.join(COMMANDS)}."
            raise click.UsageError(f"There is no command {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the overview of all commands."""
        write_overview(formatter, __version__)

    def main(self, args: Sequence[str] | None = None, *positional: Any, **options: Any) -> NoReturn:
        """Run a command and exit with 0, 1 or 2; errors are one sentence on stderr."""
        options |= {"standalone_mode": False, "prog_name": "lurking"}
        code: Any = 0
        write_what_can_be_written()
        try:
            code = super().main(args, *positional, **options)
        except click.exceptions.Exit as error:
            code = error.exit_code
        except click.UsageError as error:
            code = _say(error.format_message(), BAD_USAGE)
        except click.ClickException as error:
            code = _say(error.format_message(), FAILED)
        except (KeyboardInterrupt, click.Abort):
            code = _say("Stopped before there was an answer; nothing was written.", FAILED)
        except OSError as error:
            code = _say(_about_the_system(error), FAILED)
        except Exception as error:
            # The tree of errors is imported here because only now is it certain that it is needed.
            from lurking._errors import LurkingError, ParameterError

            if not isinstance(error, LurkingError):
                raise
            code = _say(in_options(error.words), BAD_USAGE if isinstance(error, ParameterError) else FAILED)
        sys.exit(code if isinstance(code, int) else 0)


def _about_the_system(error: OSError) -> str:
    """Return what the operating system refused, such as a full disk or a name that is too long."""
    reason = error.strerror or str(error) or type(error).__name__
    if error.filename is None:
        return f"The system says {reason!r}; check the disk and where the output goes."
    name = str(error.filename)
    return f"The system says {reason!r} of {name if len(name) <= 200 else name[:200] + '...'!r}; check that path."


def _say(message: str, code: int) -> int:
    """Write one sentence to stderr and hand the exit code on."""
    sentence = " ".join(message.split())
    if not sentence.endswith((".", "?", "!")):
        sentence += "."
    click.echo(f"{click.style('lurking:', fg='red', bold=True)} {printable_line(sentence)}", err=True)
    return code


def printable_line(text: str) -> str:
    """Return text without control characters: a file may be named by anyone."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


main = LazyGroup(
    name="lurking",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=False,
    invoke_without_command=True,
)
main.context_class.formatter_class = HelpFormatter


@main.result_callback()
def _done(*_: object, **__: object) -> int:
    return 0


def _overview(ctx: click.Context) -> None:
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def _version(ctx: click.Context, parameter: click.Parameter, asked: bool) -> None:
    if asked:
        click.echo(f"lurking {__version__}")
        ctx.exit()


main.callback = click.pass_context(_overview)
main.params.append(
    click.Option(
        ["--version"],
        is_flag=True,
        expose_value=False,
        is_eager=True,
        help="Show the version and exit.",
        callback=_version,
    )
)
