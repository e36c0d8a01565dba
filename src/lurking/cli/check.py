"""``lurking check``: whether a given graph agrees with the data, and where it does not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import RenderableType
from rich.text import Text

from lurking._clock import written_at
from lurking._numbers import p_text, short
from lurking.cli.help_text import COMMANDS
from lurking.cli.inputs import DataSource, data_options, factors_in, freed_in, freed_words, latent_in, read_admg
from lurking.cli.reading import say_what_was_read
from lurking.cli.spelling import in_options_all
from lurking.graphs.drawing import printable

if TYPE_CHECKING:
    from lurking.data.prepare import PreparedData
    from lurking.discovery import ConstraintTest
    from lurking.graphs import ADMG

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
    source: DataSource,
    graph: Path,
    format_: str | None,
    folder: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Fit GRAPH to DATA and test everything that it implies.

    GRAPH is a file: arrows (A -> B; B <-> C), JSON, DOT, DAGitty, Tetrad, lavaan, or a result.json. Each missing edge
    implies an independence or a Verma constraint; all are tested by likelihood ratio, with p-values adjusted for
    their number. A graph with variables that were not measured may imply tetrads, which are tested too. Columns of
    DATA that the graph does not name are left out.
    """
    from lurking.cli.console import answer_console, progress_bar

    with progress_bar(quiet) as bar:
        bar.step("reading")
        from lurking._files import write_together
        from lurking.cli.answer import files_of
        from lurking.discovery import analyse, dumps_result
        from lurking.report import terminal_report

        admg = read_admg(graph, format_)
        source = source.with_columns(admg.names)
        data = source.prepared()
        check_that_none_left(admg, data)
        say_what_was_read(bar, data)
        bar.step("fitting and testing")
        analysis = analyse(
            (data.moments, admg),
            title=f"{graph.name} on {source.path.name}",
            data_name=source.path.name,
            reading=data.reading,
            created=written_at(),
            factors=factors_in(graph, format_),
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
            console.print(Text(said), style="dim")
        freed = freed_in(graph, format_)
        if freed:
            console.print(Text(printable(freed_words(freed))), style="dim")
        console.print()
        console.print(terminal_report(in_options_all(analysis)))
        console.print()
        console.print(_constraint_table(analysis.tests))
        if files:
            console.print()
            console.print(f"Written: {', '.join(str(path) for path in files)}", style="dim", soft_wrap=True)


def check_that_none_left(admg: ADMG, data: PreparedData) -> None:
    """Refuse to test a graph on data in which one of its variables is left out."""
    from lurking._errors import DataError

    lost = [name for name in admg.names if name in data.left_out]
    for note in data.notes:
        if set(note.columns) & set(lost):
            raise DataError(
                f"The graph has {lost[0]!r}, but {note.message[:1].lower()}{note.message[1:]} {note.advice}"
            )


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

    table = plain_table(("Implied by the graph", "Kind"), ("Chi-square", "p", "p, adjusted"))
    table.title_justify, table.title, table.title_style = "left", "Every implication, tested", "bold"
    for test in tests:
        numbers = (short(test.statistic), p_text(test.p_value), p_text(test.adjusted_p_value))
        table.add_row(Text(printable(test.text)), test.kind, *numbers, style="red" if test.refuted else "")
    return table
