"""``lurking bootstrap``: how stable is each edge? The search repeated on resampled rows, here or on a cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from lurking.cli.answer import show_consensus
from lurking.cli.cluster import dask_option
from lurking.cli.help_text import COMMANDS
from lurking.cli.inputs import DataSource, data_options
from lurking.cli.settings import Output, Resampling, SearchSettings, output_options, search_options

__all__ = ["command"]


@click.command("bootstrap", short_help=COMMANDS["bootstrap"])
@data_options
@click.option(
    "--replicates",
    metavar="N",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="How many tables are drawn and searched.",
)
@dask_option
@search_options
@output_options
def command(
    source: DataSource,
    replicates: int,
    dask: str | None,
    folder: Path,
    svg: bool,
    as_json: bool,
    quiet: bool,
    **search: Any,
) -> None:
    """Search tables drawn from DATA and count how often each edge is found.

    DATA is what lurking discover takes. Rows are drawn with replacement; from a covariance matrix, covariance matrices
    are drawn. The same seed gives the same answer with any number of jobs and on any cluster, unless there is a time
    budget.

    Prints for each pair how often it has which edge, in the graphs and in their PAGs, the consensus graph, and a plain
    sentence for each edge that most replicates have. Writes report.html and result.json of the consensus graph. Ctrl-C
    stops at the replicates so far.
    """
    show_consensus(
        source.question(f"Consensus of the bootstrap of {source.path.name}"),
        SearchSettings(**search),
        Output(folder, svg, as_json, quiet),
        Resampling(replicates, dask),
    )
