"""What the commands read: tables, covariance matrices, graphs."""

from __future__ import annotations

import csv
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lurking._errors import FormatError, GraphError, ParameterError
from lurking.cli.options import together
from lurking.cli.settings import DataRequest

if TYPE_CHECKING:
    from lurking.data import Moments
    from lurking.data.prepare import Margins, Missing
    from lurking.graphs import ADMG, PAG

__all__ = ["DataSource", "data_options", "question_about", "read_admg", "read_any_graph", "source_of"]

_PARQUET = (".parquet", ".pq")
_TABLES = (".csv", ".tsv", ".tab", *_PARQUET)
_COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".zip")


@dataclass(frozen=True)
class DataSource:
    """A file of data and how to read it."""

    path: Path
    columns: tuple[str, ...] | None = None
    separator: str | None = None
    decimal: str = "."
    n_samples: int | None = None

    @property
    def holds_covariances(self) -> bool:
        """Whether the file is a covariance matrix: the number of rows is given, or its name is not that of a table."""
        suffixes = [suffix.lower() for suffix in self.path.suffixes if suffix.lower() not in _COMPRESSED]
        is_table = self.separator is not None or bool(suffixes and suffixes[-1] in _TABLES)
        return self.n_samples is not None or (not is_table and bool(suffixes and suffixes[-1] in (".cov", ".txt")))

    def load(self) -> Any:
        """Return what the library takes: a path, a table or moments."""
        if self.holds_covariances:
            from lurking.data.covariance_files import read_covariance

            moments = read_covariance(self.path, self.n_samples)
            return moments if self.columns is None else moments.subset(self.columns)
        if self.columns is None and self.separator is None and self.decimal == ".":
            return self.path
        from lurking.data import read_table

        return read_table(self.path, columns=self.columns, separator=self.separator, decimal=self.decimal)

    def moments(self, missing: Missing = "refuse", margins: Margins | None = None) -> Moments:
        """Return the moments of the data."""
        from lurking.data.prepare import prepare

        moments: Moments = prepare(self.load(), missing, margins).moments
        return moments

    def hash(self) -> str:
        """Return a hash of the file."""
        with self.path.open("rb") as file:
            return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"


data_options = together(
    click.argument("data", type=click.Path(path_type=Path)),
    click.option("--columns", metavar="A,B,...", help="Use these columns only; quote names that hold a comma."),
    click.option("--separator", metavar="CHAR", help="What separates the values of a text file."),
    click.option("--decimal", metavar="CHAR", default=".", help="The decimal point of a text file."),
    click.option(
        "--n-samples",
        metavar="N",
        type=click.IntRange(min=2),
        help="DATA is a covariance matrix that was computed from N rows.",
    ),
    click.option(
        "--missing",
        type=click.Choice(["refuse", "drop", "em"]),
        default="refuse",
        show_default=True,
        help="What to do with rows that have missing values.",
    ),
    click.option(
        "--margins",
        type=click.Choice(["rank", "latent"]),
        help="For columns that are not Gaussian: normal scores, or variables behind ordinal columns.",
    ),
)
"""Adds the argument DATA and the options on how to read it."""


def source_of(
    data: Path, columns: str | None, separator: str | None, decimal: str, n_samples: int | None
) -> DataSource:
    """Gather the options of :func:`data_options`."""
    if separator is not None:
        separator = {"\\t": "\t", "tab": "\t", "space": " "}.get(separator, separator)
        if len(separator) != 1:
            raise ParameterError(
                f"--separator takes one character, or the word tab or space. Got {separator!r} instead."
            )
    if (separator is not None or decimal != ".") and (n_samples is not None or data.suffix.lower() in _PARQUET):
        kind = "a covariance matrix" if n_samples is not None else "a Parquet file"
        raise ParameterError(
            f"--separator and --decimal are for tables of text, and {data.name!r} is {kind}; drop them."
        )
    if len(decimal) != 1:
        raise ParameterError(f"--decimal takes one character. Got {decimal!r} instead.")
    chosen = None
    if columns is not None:
        chosen = tuple(name.strip() for name in next(csv.reader([columns], skipinitialspace=True), []))
    return DataSource(data, chosen, separator, decimal, n_samples)


def question_about(source: DataSource, title: str, missing: Missing, margins: Margins | None) -> DataRequest:
    """Return what is to be answered about the data in a file."""
    return DataRequest(source.load, title, source.path.name, source.hash, missing=missing, margins=margins)


def read_any_graph(path: Path, format: str | None = None) -> ADMG | PAG:
    """Read a graph from a file of any format, a result that ``lurking discover`` wrote among them.

    What a DAGitty or lavaan file calls latent was not measured: it becomes the ``<->`` and ``->`` that it stands for.
    """
    from lurking.graphs import ADMG
    from lurking.io import read_graph

    if format is None and path.suffix.lower() == ".json" and _is_result(path):
        from lurking.discovery import graph_in_result

        return graph_in_result(path)
    try:
        graph = read_graph(path, format)
    except GraphError as error:
        raise FormatError(f"{path}: {error}") from None
    return _with_latents_left_out(graph, path, format) if isinstance(graph, ADMG) else graph


def read_admg(path: Path, format: str | None = None) -> ADMG:
    """Read a graph that must be an ADMG."""
    from lurking.graphs import ADMG

    graph = read_any_graph(path, format)
    if not isinstance(graph, ADMG):
        raise FormatError(f"{str(path)!r} holds a PAG, which is a whole class of graphs; give one graph, an ADMG.")
    return graph


def _with_latents_left_out(graph: ADMG, path: Path, format: str | None) -> ADMG:
    """Turn the vertices that DAGitty or lavaan call latent into what they mean for the others."""
    from lurking.io import dagitty, format_of, lavaan

    text = path.read_text(encoding="utf-8-sig")
    name = format or format_of(path, text).name
    latent = dagitty.latent_names(text) if name == "dagitty" else lavaan.latent_names(text) if name == "lavaan" else ()
    return graph.latent_projection(latent) if latent else graph


def _is_result(path: Path) -> bool:
    try:
        document = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return False  # read_graph says what is wrong with it
    return isinstance(document, dict) and str(document.get("schema", "")).startswith("lurking/result@")
