"""``lurking report``: the page and the words again, from a result.json alone."""

from __future__ import annotations

from pathlib import Path

import click

from lurking.cli.help_text import COMMANDS

__all__ = ["command"]


@click.command("report", short_help=COMMANDS["report"])
@click.argument("result", type=click.Path(path_type=Path))
@click.option(
    "--out",
    "page",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the page to this file; without it the words are printed and nothing is written.",
)
@click.option("--full", is_flag=True, help="Print the graph in numbers, the fit and what is left open as well.")
@click.option("--quiet", "-q", is_flag=True, help="No words, only the file and errors.")
def command(result: Path, page: Path | None, full: bool, quiet: bool) -> None:
    """Show RESULT, a result.json that discover, demo, check or bootstrap wrote, without the data."""
    from lurking.cli.console import answer_console
    from lurking.discovery import read_result
    from lurking.report import terminal_report

    analysis = read_result(result)
    if page is not None:
        analysis.report(page)
    if not quiet:
        console = answer_console()
        console.print(terminal_report(analysis, full=full))
        if page is not None:
            console.print(f"\nWritten: {page}", style="dim", soft_wrap=True)
