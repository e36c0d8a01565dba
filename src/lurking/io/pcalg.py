r"""The matrices of the R package pcalg, as arrays and as the text that R's ``write.table`` makes of them.

``amat.pag`` has one number for each end of an edge; they are the numbers of :class:`~lurking.graphs.Mark`, and
``amat[i, j]`` is the mark **at j**:

===========  ================  ================
edge         ``amat[i, j]``    ``amat[j, i]``
===========  ================  ================
``i -> j``   2                 3
``i <-> j``  2                 2
``i o-> j``  2                 1
``i o-o j``  1                 1
===========  ================  ================

``amat.cpdag``, for CPDAGs and DAGs, is the other way round: ``amat[j, i] = 1`` says i -> j, **the column is the
cause**, and 1 both ways is an edge whose direction is open.

One matrix has room for one edge a pair. An ADMG may have two (a bow), so it is not written as a matrix here; convert
it by :meth:`~lurking.graphs.ADMG.to_pag` for ``amat.pag``, or, if it has no bidirected edge, write ``amat.cpdag``.

As text, a matrix with a 2 or 3 is an ``amat.pag`` and one of 0 and 1 in which some edge has a 1 at one end only is an
``amat.cpdag``. A matrix in which every edge has 1 at both ends may be either: it is refused unless a comment above it
(``# amat.cpdag``, which R skips) or ``kind`` says which. A matrix without names is read if ``names`` are given.

In R: ``write.table(fit@amat, "graph.amat")``, and ``as.matrix(read.table("graph.amat", check.names = FALSE))``.

>>> from lurking.graphs import ADMG, PAG
>>> pag = PAG(["A", "B"], [[0, 2], [1, 0]])
>>> to_amat_pag(pag)
array([[0, 2],
       [1, 0]])
>>> print(dumps(pag), end="")
# amat.pag
"A" "B"
"A" 0 2
"B" 1 0
>>> to_amat_cpdag(ADMG.parse("A -> B"))
array([[0, 0],
       [1, 0]])
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from lurking._errors import FormatError
from lurking._typing import IntArray
from lurking._wording import mention
from lurking.graphs import ADMG, CPDAG, PAG, Mark, SelectedADMG
from lurking.io.marked_edges import (
    KINDS_OF_MARKS,
    Graph,
    Kind,
    MarkedEdge,
    graph_of,
    kind_of,
    selection_lost,
    unreadable,
)

__all__ = ["dumps", "from_amat_cpdag", "from_amat_pag", "loads", "to_amat_cpdag", "to_amat_pag"]

_TITLE = "The pcalg text"
_FIELD = re.compile(r'[\s,]*(?:"((?:\\"|[^"])*+)"|([^\s,"]+))[\s,]*')
_UNWRITABLE = re.compile(r"[\x00-\x1f\x7f]|\\\Z")


def to_amat_pag(graph: PAG) -> IntArray:
    """Return the matrix of marks of a PAG; its rows and columns follow ``graph.names``."""
    if kind_of(graph) != "pag":
        raise FormatError("pcalg's amat.pag has one edge a pair and cannot hold an ADMG; convert it by to_pag().")
    return graph.marks.astype(np.int64)


def from_amat_pag(amat: ArrayLike, names: Sequence[str]) -> PAG:
    """Return the PAG of a matrix of marks.

    Parameters
    ----------
    amat : array-like of int, shape (d, d)
        ``amat[i, j]`` is the mark at j: 0 no edge, 1 circle, 2 arrowhead, 3 tail.
    names : sequence of str
        The variables.
    """
    return PAG(names, amat)


def to_amat_cpdag(graph: ADMG | CPDAG) -> IntArray:
    """Return the matrix of a CPDAG or DAG in which ``amat[j, i] = 1`` says i -> j.

    Raises
    ------
    FormatError
        If the graph has a bidirected edge or circles, which this matrix cannot hold.

    Examples
    --------
    >>> to_amat_cpdag(CPDAG.parse("A -> B -- C")).tolist()
    [[0, 0, 0], [1, 0, 1], [0, 1, 0]]
    """
    if kind_of(graph) == "pag":
        raise FormatError("pcalg's amat.cpdag cannot hold the circles of a PAG; use amat.pag.")
    if isinstance(graph, CPDAG):
        return (graph.directed | graph.undirected).T.astype(np.int64)
    if graph.bidirected.any():
        one, other = graph.bidirected_edges()[0]
        raise FormatError(f"pcalg's amat.cpdag cannot hold {one} <-> {other}; convert the graph by to_pag().")
    return graph.directed.T.astype(np.int64)


def from_amat_cpdag(amat: ArrayLike, names: Sequence[str]) -> CPDAG:
    """Return the graph of a matrix in which ``amat[j, i] = 1`` says i -> j, and 1 both ways that the direction is open.

    The matrix of a DAG gives a CPDAG object with that DAG's edges, of which :meth:`~lurking.graphs.CPDAG.to_dag` is the
    DAG itself.

    Examples
    --------
    >>> from_amat_cpdag([[0, 0, 0], [1, 0, 1], [0, 1, 0]], ["A", "B", "C"])
    CPDAG.parse('A -> B; B -- C')
    """
    matrix = np.asarray(amat)
    if matrix.shape != (len(names), len(names)):
        raise FormatError(
            f"An amat.cpdag must have shape ({len(names)}, {len(names)}), one row per name. Got {matrix.shape} instead."
        )
    if not np.isin(matrix, (0, 1)).all():
        raise FormatError("An amat.cpdag holds 0 and 1 only; a matrix with 2 or 3 is an amat.pag.")
    cause_in_row = matrix.T.astype(bool)
    return CPDAG(names, cause_in_row & ~cause_in_row.T, cause_in_row & cause_in_row.T)


def dumps(graph: Graph) -> str:
    """Write a PAG as R's ``write.table`` writes its amat.pag, and a CPDAG as its amat.cpdag."""
    if isinstance(graph, SelectedADMG):
        raise selection_lost(graph, "pcalg")
    if isinstance(graph, ADMG):
        raise FormatError("pcalg's amat.pag has one edge a pair and cannot hold an ADMG; convert it by to_pag().")
    if not graph.names:
        raise FormatError("A pcalg matrix cannot hold a graph without variables; use JSON.")
    quoted = [_quote(name) for name in graph.names]
    matrix = to_amat_cpdag(graph) if isinstance(graph, CPDAG) else to_amat_pag(graph)
    rows = [f"{name} {' '.join(map(str, row))}" for name, row in zip(quoted, matrix.tolist(), strict=True)]
    return "\n".join([f"# amat.{kind_of(graph)}", " ".join(quoted), *rows]) + "\n"


def loads(text: str, kind: Kind | None = None, names: Sequence[str] | None = None) -> Graph:
    """Read an amat.pag or amat.cpdag that R's ``write.table`` or ``write.csv`` wrote.

    Parameters
    ----------
    text : str
        A line of names, then a line for each row, with or without its name first.
    kind : {"admg", "cpdag", "pag"}, optional
        What the matrix is; by default what a comment or its numbers say.
    names : sequence of str, optional
        The variables, for a matrix that has no names.
    """
    numbered = list(enumerate(text.split("\n"), start=1))
    comments = {line.strip() for _, line in numbered if line.lstrip().startswith("#")}
    said = next((known for known in KINDS_OF_MARKS if f"# amat.{known}" in comments), None)
    written = [(number, line) for number, line in numbered if line.strip() and not line.lstrip().startswith("#")]
    lines = [(number, _fields(line, number)) for number, line in written]
    if not lines:
        raise unreadable(_TITLE, "it is empty; it must start with a line of names.")
    has_quotes = any('"' in line for _, line in written)
    if (
        names is None
        and not has_quotes
        and all(field in {"0", "1", "2", "3"} for _, fields in lines for field in fields)
    ):
        raise unreadable(
            _TITLE,
            "the matrix has no names; " + mention("names", "give them as names=[...], or write them above it") + ".",
        )
    if names is None:
        listed = [name for name in lines[0][1] if name]  # write.csv puts an empty name above the names of the rows
        lines = lines[1:]
    else:
        listed = list(names)
    d = len(listed)
    if len(lines) != d:
        counted = f"the first line has {d} names" if names is None else f"there are {d} names"
        raise unreadable(_TITLE, f"{counted}, so {d} rows must follow, but there are {len(lines)}.")
    codes = [_row(fields, number, name, d) for (number, fields), name in zip(lines, listed, strict=True)]
    for i in range(d):
        if codes[i][i]:
            raise unreadable(_TITLE, f"{listed[i]!r} has an edge to itself; set it to 0.", lines[i][0])
    chosen = kind or said or _kind_of_numbers(codes, listed)
    places = [number for number, _ in lines]
    edges = _cpdag_edges(codes, listed, places) if chosen == "cpdag" else _pag_edges(codes, listed, places)
    return graph_of(listed, edges, kind or chosen, title=_TITLE)


def _kind_of_numbers(codes: list[list[int]], names: Sequence[str]) -> Kind:
    """Return what a matrix is that does not say it, or say that nobody can know."""
    if any(code > 1 for row in codes for code in row):
        return "pag"
    pairs = [(i, j) for i in range(len(codes)) for j in range(i) if codes[i][j] or codes[j][i]]
    if any(codes[i][j] != codes[j][i] for i, j in pairs):
        return "cpdag"
    if pairs:
        one, other = (names[i] for i in sorted(pairs[0]))
        reason = (
            f"all edges have 1 at both ends, so that {one} and {other} may be {one} -- {other} (amat.cpdag) or "
            f"{one} o-o {other} (amat.pag); write the line # amat.cpdag or # amat.pag above the matrix."
        )
        raise unreadable(_TITLE, reason)
    return "pag"


def _pag_edges(codes: list[list[int]], names: Sequence[str], places: Sequence[int]) -> list[MarkedEdge]:
    edges = []
    for i, j in combinations(range(len(codes)), 2):
        if (codes[i][j] == 0) != (codes[j][i] == 0):
            reason = f"the edge between {names[i]!r} and {names[j]!r} has a mark at one end only."
            raise unreadable(_TITLE, reason, places[i])
        if codes[i][j]:
            edges.append(MarkedEdge(names[i], Mark(codes[j][i]), Mark(codes[i][j]), names[j], places[i]))
    return edges


def _cpdag_edges(codes: list[list[int]], names: Sequence[str], places: Sequence[int]) -> list[MarkedEdge]:
    edges = []
    for i, j in combinations(range(len(codes)), 2):
        if max(codes[i][j], codes[j][i]) > 1:
            reason = f"the edge between {names[i]!r} and {names[j]!r} has a 2 or 3, but an amat.cpdag holds 0 and 1."
            raise unreadable(_TITLE, reason, places[i])
        match codes[i][j], codes[j][i]:
            case 1, 1:
                edges.append(MarkedEdge(names[i], Mark.TAIL, Mark.TAIL, names[j], places[i]))
            case 0, 1:
                edges.append(MarkedEdge(names[i], Mark.TAIL, Mark.ARROW, names[j], places[i]))
            case 1, 0:
                edges.append(MarkedEdge(names[j], Mark.TAIL, Mark.ARROW, names[i], places[i]))
    return edges


def _quote(name: str) -> str:
    if _UNWRITABLE.search(name):
        raise FormatError(
            f"R's tables cannot hold the name {name!r}, which ends in a backslash or holds a control character; "
            "rename the variable."
        )
    return '"' + name.replace('"', '\\"') + '"'


def _fields(line: str, number: int) -> list[str]:
    fields = []
    position = 0
    while position < len(line):
        found = _FIELD.match(line, position)
        if found is None:
            reason = f"expected a name or a number at {line[position : position + 20]!r}; is a quote not closed?"
            raise unreadable(_TITLE, reason, number)
        fields.append(found[2] if found[2] is not None else found[1].replace('\\"', '"'))
        position = found.end()
    return fields


def _row(fields: list[str], number: int, name: str, d: int) -> list[int]:
    if len(fields) == d + 1 and fields[0] == name:
        fields = fields[1:]
    if len(fields) != d or not set(fields) <= {"0", "1", "2", "3"}:
        raise unreadable(_TITLE, f"expected {name!r} and {d} numbers from 0 to 3, but found {fields[:9]}.", number)
    return [int(field) for field in fields]
