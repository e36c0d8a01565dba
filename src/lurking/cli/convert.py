"""``lurking convert``: a graph file in another format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lurking.cli.help_text import COMMANDS
from lurking.cli.inputs import freed_in, freed_words, is_result, latent_in, read_any_graph

if TYPE_CHECKING:
    from lurking.io.marked_edges import Graph

__all__ = ["command"]

_FORMATS = ("json", "text", "dot", "dagitty", "gml", "tetrad", "lavaan", "pcalg")
_OTHER_PICTURES = (".png", ".pdf", ".jpg", ".jpeg", ".gif", ".eps")


@click.command("convert", short_help=COMMANDS["convert"])
@click.argument("source", metavar="IN", type=click.Path(path_type=Path))
@click.argument("target", metavar="OUT", type=click.Path(path_type=Path))
@click.option("--from", "from_", type=click.Choice(_FORMATS), help="The format of IN; by default what its ending says.")
@click.option("--to", type=click.Choice(_FORMATS), help="The format of OUT; by default what its ending says.")
@click.option(
    "--project",
    type=click.Choice(["pag", "mag", "arid"]),
    help="First turn the graph into its PAG, its MAG, or its maximal arid projection.",
)
def command(source: Path, target: Path, from_: str | None, to: str | None, project: str | None) -> None:
    """Read the graph in IN and write it to OUT.

    Formats by ending: .json, .txt (arrows), .dot, .dagitty, .gml, .tetrad, .lavaan, .svg for a picture, and .amat
    (pcalg) for CPDAGs and PAGs. IN may be a result.json of lurking discover. With - as OUT the text goes to the
    terminal (give --to). What OUT cannot say, or no longer says, is told on stderr.
    """
    from lurking._errors import FormatError
    from lurking._files import write_together
    from lurking.graphs import ADMG, CPDAG, SelectedADMG
    from lurking.io import dumps, format_of, write_graph

    graph = read_any_graph(source, from_)
    if project is not None:
        if isinstance(graph, CPDAG | SelectedADMG) and project == "pag":
            graph = graph.to_pag()
        elif isinstance(graph, SelectedADMG) and project == "mag":
            graph = graph.to_mag()
        elif not isinstance(graph, ADMG):
            kind = type(graph).__name__
            raise FormatError(f"{str(source)!r} holds a {kind}, which has no such projection; give an ADMG.")
        elif project == "pag":
            graph = graph.to_pag()
        else:
            graph = graph.to_mag() if project == "mag" else graph.arid_projection()
    if not is_result(source):
        for said in _losses_in_reading(source, from_):
            click.echo(said, err=True)
    if str(target) == "-":
        if to is None:
            raise click.UsageError("With - as OUT the format is not clear; give --to.")
        click.echo(dumps(graph, to), nl=False)
        _say_what_is_not_stated(graph, to)
    elif to is None and target.suffix.lower() == ".svg":
        write_together({target: graph.to_svg()})
    elif to is None and target.suffix.lower() in _OTHER_PICTURES:
        raise FormatError(f"Pictures are written as .svg, not as {target.suffix}; a browser opens and prints them.")
    else:
        write_graph(graph, target, to)
        _say_what_is_not_stated(graph, to or format_of(target).name)


def _losses_in_reading(source: Path, format: str | None) -> Iterator[str]:
    """Yield what was added to a graph, and what its latent projection loses."""
    freed, latent = freed_in(source, format), latent_in(source, format)
    if freed:
        yield freed_words(freed)
    if latent:
        yield (
            f"Not measured, and turned into what it means for the others: {', '.join(latent)}. That keeps "
            "independences and Verma constraints, but not the vanishing tetrads that common causes imply."
        )


def _say_what_is_not_stated(graph: Graph, format: str) -> None:
    """Say on stderr if a text reads back as another kind of graph, because the format has no word for the kind."""
    from lurking.io import FORMATS, dumps, loads

    again = graph if FORMATS[format].states_kind else loads(dumps(graph, format), format)
    if again != graph:
        kinds = [type(one).__name__ for one in (graph, again)]
        click.echo(
            f"The format {format} does not say that this is a {kinds[0]}; it reads back as {kinds[1]} unless "
            f"kind={kinds[0].lower()!r} is given.",
            err=True,
        )
