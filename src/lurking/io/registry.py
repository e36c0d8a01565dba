"""The formats that graphs can be read from and written to.

To add one: write a file here with ``loads(text, kind=None)`` and ``dumps(graph)``, and add its line to ``FORMATS``.
The round-trip test in ``tests/io`` then runs over it.

>>> loads("dag { A -> B <-> C }", "dagitty")
ADMG.parse('A -> B; B <-> C')
>>> print(dumps(loads("A o-> B", "text"), "dagitty"), end="")
pag {
A
B
A @-> B
}
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from lurking._errors import FormatError, ParameterError
from lurking._wording import mention
from lurking.io import dagitty, dot, gml, json, lavaan, pcalg, tetrad, text
from lurking.io.marked_edges import KINDS, KINDS_OF_MARKS, Graph, Kind, kind_of

__all__ = ["FORMATS", "Format", "dumps", "format_of", "loads"]


class FormatModule(Protocol):
    """What a format's file has."""

    def loads(self, text: str, kind: Kind | None = None) -> Graph:
        """Read a graph, as the kind that is given or else as the text and its marks say."""

    def dumps(self, graph: Graph) -> str:
        """Write a graph."""


@dataclass(frozen=True)
class Format:
    """A format and what it can do.

    Parameters
    ----------
    name : str
        What users call it.
    suffixes : tuple of str
        The endings of its files, the usual one first.
    holds : tuple of {"admg", "cpdag", "pag", "selected"}
        The kinds of graph that it can write.
    module : module
        Its file.
    states_kind : bool, default True
        Whether a text that we write says what kind of graph it holds.
    opening : str, optional
        A line that every text has; it tells the formats apart that share a suffix.
    """

    name: str
    suffixes: tuple[str, ...]
    holds: tuple[Kind, ...]
    module: FormatModule
    states_kind: bool = True
    opening: str | None = None


FORMATS: dict[str, Format] = {
    entry.name: entry
    for entry in (
        Format("json", (".json",), KINDS, json),
        Format("text", (".txt", ".graph"), KINDS_OF_MARKS, text, states_kind=False),
        Format("dot", (".dot", ".gv"), KINDS_OF_MARKS, dot),
        Format("dagitty", (".dagitty",), KINDS, dagitty),
        Format("gml", (".gml",), KINDS_OF_MARKS, gml),
        Format("tetrad", (".tetrad", ".txt"), KINDS, tetrad, opening="Graph Nodes:"),
        Format("lavaan", (".lavaan", ".lav"), ("admg",), lavaan),
        Format("pcalg", (".amat",), ("cpdag", "pag"), pcalg),
    )
}
"""All formats by name. Where two share a suffix, the one without an opening is written."""


def loads(text: str, format: str, kind: Kind | None = None, names: Sequence[str] | None = None) -> Graph:
    """Read a graph from text.

    Parameters
    ----------
    text : str
        The graph.
    format : str
        One of :data:`FORMATS`.
    kind : {"admg", "cpdag", "pag", "selected"}, optional
        What the text holds. By default what it says itself, or else what its marks say: an ADMG if there are only
        ``->`` and ``<->``, a PAG if there is a circle, a CPDAG if there is ``--`` and neither circle nor ``<->``. With
        selected variables an ADMG is a :class:`~lurking.graphs.SelectedADMG`.
    names : sequence of str, optional
        The variables of a bare matrix (format ``pcalg``); every other text has names of its own.

    Returns
    -------
    graph : ADMG, SelectedADMG, CPDAG or PAG

    Raises
    ------
    FormatError
        If the text is not in the format, or does not describe a graph.
    """
    module = _named(format).module
    if names is None:
        return module.loads(text, kind)
    if module is not pcalg:
        raise FormatError(f"A text in the format {format} has names of its own; leave names=... out.")
    return pcalg.loads(text, kind, names)


def dumps(graph: Graph, format: str) -> str:
    """Write a graph as text.

    Parameters
    ----------
    graph : ADMG, SelectedADMG, CPDAG or PAG
        The graph.
    format : str
        One of :data:`FORMATS`.

    Raises
    ------
    FormatError
        If the format cannot hold this kind of graph, or one of its names.
    """
    entry, kind = _named(format), kind_of(graph)
    if kind not in entry.holds:
        able = ", ".join(other.name for other in FORMATS.values() if kind in other.holds)
        or_pag = (
            ", or " + mention("to_pag", "write its PAG, graph.to_pag()")
            if kind != "pag" and "pag" in entry.holds
            else ""
        )
        raise FormatError(f"The format {format} cannot hold a graph of kind {kind}; use one of {able}" + or_pag + ".")
    return entry.module.dumps(graph)


def format_of(path: str | Path, text: str | None = None) -> Format:
    """Return the format that a file's name, and where needed its text, points to.

    Examples
    --------
    >>> format_of("model.dot").name, format_of("model.txt").name, format_of("model.txt", "Graph Nodes:").name
    ('dot', 'text', 'tetrad')
    """
    suffix = Path(path).suffix.lower()
    candidates = [entry for entry in FORMATS.values() if suffix in entry.suffixes]
    opened = [entry for entry in candidates if entry.opening is not None and text and _has_line(text, entry.opening)]
    unmarked = [entry for entry in candidates if entry.opening is None]
    if not candidates:
        known = ", ".join(suffix for entry in FORMATS.values() for suffix in entry.suffixes[:1])
        found = f"the suffix {suffix!r}" if suffix else "no suffix"
        raise FormatError(
            f"The file name {Path(path).name!r} has {found}, which tells no format; use one of {known}, "
            + mention("format", "or give the format")
            + "."
        )
    return (opened or unmarked or candidates)[0]


def _named(format: str) -> Format:
    if format not in FORMATS:
        raise ParameterError(f"The format must be one of {', '.join(FORMATS)}. Got {format!r} instead.")
    return FORMATS[format]


def _has_line(text: str, line: str) -> bool:
    return any(candidate.strip() == line for candidate in text.split("\n"))
