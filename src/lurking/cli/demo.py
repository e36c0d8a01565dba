"""``lurking demo``: the same as ``discover``, on bundled data."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from pathlib import Path
from typing import Any

import click

from lurking.cli.answer import show_answer
from lurking.cli.help_text import COMMANDS
from lurking.cli.settings import (
    DataRequest,
    Output,
    Resampling,
    SearchSettings,
    bootstrap_option,
    full_option,
    output_options,
    search_options,
)

__all__ = ["command"]


@click.command("demo", short_help=COMMANDS["demo"])
@search_options
@bootstrap_option
@full_option
@output_options
def command(
    replicates: int | None, full: bool, folder: Path, svg: bool, as_json: bool, quiet: bool, **search: Any
) -> None:
    """Find the graph behind 11 phosphorylated proteins and lipids in 7466 human immune cells.

    The data (Sachs et al. 2005) are bundled: log(x + 10), centred within each of the nine experimental conditions,
    because conditions with different means would connect everything. The state of the cells was not measured; it
    drives many of the molecules at once. Writes report.html, result.json and knowledge.toml to the current folder.
    """
    question = DataRequest(
        _load,
        title="Signalling proteins in human immune cells",
        data_name="Sachs et al. (2005), log(x + 10), centred within conditions",
        data_hash=_hash,
        dataset="sachs",
        missing="refuse",
        kinds=None,
        collinear="refuse",
    )
    show_answer(
        question,
        SearchSettings(**search),
        Output(folder, svg, as_json, quiet, full),
        None if replicates is None else Resampling(replicates),
    )


def _load() -> Any:
    from lurking.data import load_sachs

    return load_sachs(centre_conditions=True)


def _hash() -> str:
    content = files("lurking.data").joinpath("sachs.csv.gz").read_bytes()
    return f"sha256:{hashlib.sha256(content).hexdigest()}"
