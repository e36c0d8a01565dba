"""``lurking discover``: from a table to a graph, a report and a result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from lurking.cli.answer import show_answer
from lurking.cli.cluster import dask_option
from lurking.cli.help_text import COMMANDS
from lurking.cli.inputs import DataSource, data_options
from lurking.cli.settings import (
    Output,
    Resampling,
    SearchSettings,
    bootstrap_option,
    full_option,
    output_options,
    search_options,
)

__all__ = ["command"]


@click.command("discover", short_help=COMMANDS["discover"])
@data_options
@search_options
@bootstrap_option
@dask_option
@full_option
@output_options
def command(
    source: DataSource,
    replicates: int | None,
    dask: str | None,
    full: bool,
    folder: Path,
    svg: bool,
    as_json: bool,
    quiet: bool,
    **search: Any,
) -> None:
    """Find the causal graph behind DATA.

    DATA is a CSV, TSV or Parquet file with one row per sample and a header line of names; or a covariance matrix, in
    Tetrad's text (.cov, .txt) or as a CSV together with --n-samples.

    Prints what is certain and what is probable, with probabilities, how much is open, what speaks against the answer,
    and what to do next. Writes report.html, result.json and, unless there is one, knowledge.toml to edit. Ctrl-C stops
    the hybrid search at the best graph so far.
    """
    show_answer(
        source.question(f"Causal graph of {source.path.name}"),
        SearchSettings(**search),
        Output(folder, svg, as_json, quiet, full),
        None if replicates is None else Resampling(replicates, dask),
        dask=dask,
    )
