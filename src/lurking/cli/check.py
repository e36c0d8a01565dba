"""``lurking check``: whether a given graph agrees with the data, and where it does not."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
from rich.console import RenderableType
from rich.text import Text

from lurking._numbers import p_text, short
from lurking.cli.help_text import COMMANDS
from lurking.cli.inputs import data_options, latent_in, read_admg, source_of
from lurking.graphs.drawing import printable

if TYPE_CHECKING:
    from lurking.discovery import ConstraintTest

__all__ = ["command"]


@click.command("check", short_help=COMMANDS["check"])
@data_options
@click.argument("graph", type=click.Path(path_type=Path))
@click.option("--format", "format_", metavar="NAME", help="The format of GRAPH; by default what its ending says.")
@click.option(
    "--out",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write report.html and result.json to this folder; without it nothing is written.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON instead of words.")
@click.option("--quiet", "-q", is_flag=True, help="No progress and no words, only files and errors.")
def command(
    data: Path,
    graph: Path,
    format_: str | None,
    columns: str | None,
    separator: str | None,
    decimal: str,
    n_samples: int | None,
    missing: Literal["refuse", "drop", "em"],
    margins: Literal["rank", "latent"] | None,
    folder: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Fit GRAPH to DATA and test everything that it implies.

    GRAPH is a file: arrows (A -> B; B <-> C), JSON, DOT, DAGitty, Tetrad, lavaan, or a result.json. Each missing edge
    implies an independence or a Verma constraint; all are tested by likelihood ratio, with p-values adjusted for
    their number. Columns of DATA that the graph does not name are left out.
    """
    from lurking.cli.console import answer_console, progress_bar

    with progress_bar(quiet) as bar:
        bar.step("reading")
        from lurking._files import write_together
        from lurking.cli.answer import files_of
        from lurking.discovery import analyse, dumps_result
        from lurking.report import terminal_report

        admg = read_admg(graph, format_)
        source = source_of(data, columns, separator, decimal, n_samples)
        if columns is None:
            source = replace(source, columns=admg.names)
        moments = source.moments(missing, margins)
        bar.step("fitting and testing")
        analysis = analyse(
            (moments, admg),
            title=f"{graph.name} on {data.name}",
            data_name=data.name,
            data_hash=source.hash(),
            created=f"{datetime.now().astimezone():%Y-%m-%d %H:%M %Z}",
        )
        files = {}
        if folder is not None:
            files = files_of(analysis, folder)
            write_together(files)
    if as_json:
        click.echo(dumps_result(analysis), nl=False)
    elif not quiet:
        console = answer_console()
        console.print(_verdict(analysis.tests))
        latent = latent_in(graph, format_)
        if latent:
            said = f"Not measured, and turned into what it means for the others: {', '.join(map(printable, latent))}."
            console.print(Text(f"{said} The tetrads that it may imply are not tested; see lurking graph."), style="dim")
        console.print()
        console.print(terminal_report(analysis))
        console.print()
        console.print(_constraint_table(analysis.tests))
        if files:
            console.print()
            console.print(f"Written: {', '.join(str(path) for path in files)}", style="dim", soft_wrap=True)


def _verdict(tests: tuple[ConstraintTest, ...]) -> Text:
    """Return the answer in one line: how many of the implied constraints the data refute."""
    if not tests:
        return Text("The graph has no missing edge, so the data cannot refute it.", style="bold")
    refuted = sum(test.refuted for test in tests)
    words = f"{refuted} of {len(tests)} implied constraints refuted by the data (adjusted p < 0.05)."
    return Text(words, style="bold red" if refuted else "bold green")


def _constraint_table(tests: tuple[ConstraintTest, ...]) -> RenderableType:
    """Return all tests, the smallest p-values first."""
    from lurking.report.terminal import plain_table

    table = plain_table(("Implied by the missing edge", "Kind"), ("Chi-square", "p", "p, adjusted"))
    table.title_justify, table.title, table.title_style = "left", "Every implication, tested", "bold"
    for test in tests:
        numbers = (short(test.statistic), p_text(test.p_value), p_text(test.adjusted_p_value))
        table.add_row(Text(printable(test.text)), test.kind, *numbers, style="red" if test.refuted else "")
    return table
