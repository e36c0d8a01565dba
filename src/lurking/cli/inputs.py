"""What the commands read: tables, covariance matrices, graphs."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lurking._errors import FormatError, GraphError, ParameterError
from lurking.cli.options import together
from lurking.cli.settings import DataRequest

if TYPE_CHECKING:
    from lurking.data.data_file import DataFile
    from lurking.data.prepare import Collinearity, Kinds, Margins, Missing, PreparedData
    from lurking.graphs import ADMG, CPDAG, PAG, SelectedADMG

__all__ = [
    "DataSource",
    "data_options",
    "factors_in",
    "freed_in",
    "freed_words",
    "is_result",
    "latent_in",
    "names_in",
    "read_admg",
    "read_any_graph",
    "roles_in",
]


@dataclass(frozen=True)
class DataSource:
    """A file of data, and what was said about how to read and prepare it."""

    path: Path
    columns: tuple[str, ...] | None
    drop: tuple[str, ...]
    kinds: dict[str, str]
    separator: str | None
    decimal: str | None
    encoding: str | None
    header: bool | None
    na: tuple[str, ...]
    n_samples: int | None
    missing: Missing
    collinear: Collinearity
    margins: Margins | None
    clusters: str | None = None
    weights: str | None = None

    def load(self) -> DataFile:
        """Return what the library takes."""
        from lurking.data import DataFile

        return DataFile(
            self.path,
            self.columns,
            self.drop,
            self.separator,
            self.decimal,
            None,
            self.encoding,
            self.header,
            self.na,
            self.n_samples,
        )

    def prepared(self) -> PreparedData:
        """Return the data, read and prepared."""
        from lurking.data.prepare import prepare

        kinds: Kinds = self.kinds if self.kinds else "auto"
        return prepare(
            self.load(),
            self.missing,
            self.margins,
            kinds=kinds,
            collinear=self.collinear,
            nominal="leave out" if self.margins == "latent" else "indicators",
            clusters=self.clusters,
            weights=self.weights,
        )

    def with_columns(self, names: tuple[str, ...]) -> DataSource:
        """Return the same with these columns, unless others were chosen."""
        return self if self.columns is not None else replace(self, columns=names)

    def question(self, title: str) -> DataRequest:
        """Return what is to be answered about the data."""
        return DataRequest(
            self.load,
            title,
            self.path.name,
            missing=self.missing,
            margins=self.margins,
            kinds=self.kinds,
            collinear=self.collinear,
            clusters=self.clusters,
            weights=self.weights,
        )


def _gathered(command: Callable[..., Any]) -> Callable[..., Any]:
    """Hand the options on the data to a command as one ``source``."""

    @wraps(command)
    def with_source(
        data: Path,
        columns: str | None,
        drop: str | None,
        kinds: tuple[str, ...],
        separator: str | None,
        decimal: str | None,
        encoding: str | None,
        header: bool | None,
        na: tuple[str, ...],
        n_samples: int | None,
        missing: Missing,
        collinear: Collinearity,
        margins: Margins | None,
        clusters: str | None,
        weights: str | None,
        **others: Any,
    ) -> Any:
        if separator is not None:
            separator = {"\\t": "\t", "tab": "\t", "space": " "}.get(separator, separator)
            if len(separator) != 1:
                raise ParameterError(
                    f"--separator takes one character, or the word tab or space. Got {separator!r} instead."
                )
        if decimal is not None and len(decimal) != 1:
            raise ParameterError(f"--decimal takes one character. Got {decimal!r} instead.")
        if n_samples is not None and (separator is not None or decimal is not None):
            raise ParameterError(
                f"--separator and --decimal are for tables, and {data.name!r} is a covariance matrix; drop them."
            )
        source = DataSource(
            data,
            None if columns is None else names_in(columns),
            () if drop is None else names_in(drop),
            dict(map(_kind, kinds)),
            separator,
            decimal,
            encoding,
            header,
            na,
            n_samples,
            missing,
            collinear,
            margins,
            clusters,
            weights,
        )
        return command(source=source, **others)

    return with_source


def names_in(text: str) -> tuple[str, ...]:
    """Return the names of a list with commas; quotes are for names that hold one."""
    return tuple(name.strip() for name in next(csv.reader([text], skipinitialspace=True), []))


def _kind(text: str) -> tuple[str, str]:
    """Split COLUMN=KIND at the last equals sign, because a name may hold one."""
    name, equals, kind = text.rpartition("=")
    if not equals or not name.strip() or not kind.strip():
        raise ParameterError(f"--kind takes a column and its kind, as in --kind size=ordinal. Got {text!r} instead.")
    return name.strip(), kind.strip()


data_options = together(
    click.argument("data", type=click.Path(path_type=Path)),
    click.option("--columns", metavar="A,B,...", help="Use these columns only; quote names that hold a comma."),
    click.option("--drop", metavar="A,B,...", help="Leave these columns out."),
    click.option(
        "--kind",
        "kinds",
        metavar="COLUMN=KIND",
        multiple=True,
        help="What a column is: continuous, count, binary, ordinal, nominal, identifier, date, constant, free text, or "
        "its levels from low to high, as in size='small<medium<large'. Repeatable.",
    ),
    click.option(
        "--separator", metavar="CHAR", help="What separates the values of a text file; else found by looking."
    ),
    click.option("--decimal", metavar="CHAR", help="The decimal mark of a text file; else found by looking."),
    click.option("--encoding", metavar="NAME", help="The encoding of a text file; else found by looking."),
    click.option(
        "--header/--no-header", default=None, help="Whether the first line holds names; else found by looking."
    ),
    click.option("--na", metavar="TEXT", multiple=True, help="Another text for a missing value, as -999. Repeatable."),
    click.option(
        "--n-samples",
        metavar="N",
        type=click.IntRange(min=2),
        help="DATA is a covariance matrix that was computed from N rows.",
    ),
    click.option(
        "--missing",
        type=click.Choice(["auto", "em", "drop", "refuse"]),
        default="auto",
        show_default=True,
        help="What to do with missing values: use all rows (em), and leave hardly observed columns out (auto); leave "
        "incomplete rows out; or stop.",
    ),
    click.option(
        "--collinear",
        type=click.Choice(["drop", "refuse"]),
        default="drop",
        show_default=True,
        help="What to do with columns that are weighted sums of others: leave some out, or stop.",
    ),
    click.option(
        "--margins",
        type=click.Choice(["rank", "latent"]),
        help="For columns that are not Gaussian: normal scores, or variables behind ordinal columns.",
    ),
    click.option("--clusters", metavar="COLUMN", help="Rows with the same value of this column belong together."),
    click.option("--weights", metavar="COLUMN", help="How much each row counts."),
    _gathered,
)
"""Adds the argument DATA and the options on how to read it; the command gets them as one ``source``."""


def read_any_graph(path: Path, format: str | None = None) -> ADMG | CPDAG | PAG | SelectedADMG:
    """Read a graph from a file of any format, a result that ``lurking discover`` wrote among them.

    What a DAGitty, GML, lavaan or Tetrad file calls latent was not measured: it becomes the ``<->`` and ``->`` that it
    stands for.
    """
    from lurking.graphs import ADMG, SelectedADMG
    from lurking.io import read_graph

    if format is None and is_result(path):
        from lurking.discovery import graph_in_result

        return graph_in_result(path)
    try:
        graph = read_graph(path, format)
    except GraphError as error:
        raise FormatError(f"{path}: {error}") from None
    if not isinstance(graph, ADMG | SelectedADMG):
        return graph
    latent = [name for name in latent_in(path, format) if name in graph]  # who is selected need not be measured
    return graph.latent_projection(latent) if latent else graph


def read_admg(path: Path, format: str | None = None) -> ADMG:
    """Read a graph that must be an ADMG."""
    from lurking.graphs import ADMG, SelectedADMG

    graph = read_any_graph(path, format)
    if isinstance(graph, SelectedADMG):
        raise FormatError(
            f"{str(path)!r} says that the sample was selected by {', '.join(graph.selected)}, and no model of the "
            f"population can be fitted to such a sample; lurking graph {path.name} lists what it implies."
        )
    if not isinstance(graph, ADMG):
        kind = type(graph).__name__
        raise FormatError(f"{str(path)!r} holds a {kind}, which is a whole class of graphs; give one graph, an ADMG.")
    return graph


def factors_in(path: Path, format: str | None = None) -> tuple[ADMG, tuple[str, ...]] | None:
    """Return the graph of a file with its vertices that were not measured, and these; None if there are none."""
    from lurking.graphs import ADMG
    from lurking.io import read_graph

    latent = latent_in(path, format)
    whole = read_graph(path, format) if latent else None
    return (whole, latent) if isinstance(whole, ADMG) else None


def latent_in(path: Path, format: str | None = None) -> tuple[str, ...]:
    """Return the vertices that a graph file says were not measured."""
    from lurking.io import dagitty, format_of, gml, lavaan, tetrad

    if format is None and path.suffix.lower() == ".json":
        return ()
    text = path.read_text(encoding="utf-8-sig")
    modules = {"dagitty": dagitty, "gml": gml, "lavaan": lavaan, "tetrad": tetrad}
    name = format or format_of(path, text).name
    return modules[name].latent_names(text) if name in modules else ()


def freed_in(path: Path, format: str | None = None) -> list[str]:
    """Return the covariances that a lavaan text frees without saying so, each as ``X <-> Y``."""
    from lurking.io import format_of, lavaan

    if path.suffix.lower() == ".json" or (format or format_of(path).name) != "lavaan":
        return []
    return [f"{one} <-> {other}" for one, other in lavaan.freed_covariances(path.read_text(encoding="utf-8-sig"))]


def freed_words(freed: list[str]) -> str:
    """Say which covariances a lavaan text frees, and how to have it read without them."""
    return (
        f"Read as a model for sem() or cfa(), which free what is not written: {', '.join(freed)}. A comment that names "
        "lavaan( keeps to what is written."
    )


def roles_in(path: Path, format: str | None = None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the exposures and the outcomes that a DAGitty file names."""
    from lurking.io import dagitty, format_of

    if (format or format_of(path).name) != "dagitty":
        return (), ()
    roles = dagitty.roles(path.read_text(encoding="utf-8-sig"))
    return (roles["exposure"], roles["outcome"]) if roles["exposure"] and roles["outcome"] else ((), ())


def is_result(path: Path) -> bool:
    """Tell whether a file is a result that ``lurking discover`` wrote."""
    if path.suffix.lower() != ".json":
        return False
    try:
        document = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return False  # read_graph says what is wrong with it
    return isinstance(document, dict) and str(document.get("schema", "")).startswith("lurking/result@")
