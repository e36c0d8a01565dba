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

``amat.cpdag``, for graphs without circles and bidirected edges, is the other way round: ``amat[j, i] = 1`` says
i -> j, **the column is the cause**.

One matrix has room for one edge a pair. An ADMG may have two (a bow), so it is not written as a matrix here; convert
it by :meth:`~lurking.graphs.ADMG.to_pag` for ``amat.pag``, or, if it has no bidirected edge, write ``amat.cpdag``.

In R: ``write.table(fit@amat, "graph.amat")``, and ``as.matrix(read.table("graph.amat", check.names = FALSE))``.

>>> from lurking.graphs import ADMG, PAG
>>> pag = PAG(["A", "B"], [[0, 2], [1, 0]])
>>> to_amat_pag(pag)
array([[0, 2],
       [1, 0]])
>>> print(dumps(pag), end="")
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

import numpy as np
from numpy.typing import ArrayLike

from lurking._errors import FormatError
from lurking._typing import IntArray
from lurking.graphs import ADMG, PAG, Mark
from lurking.io.marked_edges import Graph, Kind, MarkedEdge, graph_of, kind_of, unreadable

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


def to_amat_cpdag(graph: ADMG) -> IntArray:
    """Return the matrix of a DAG in which ``amat[j, i] = 1`` says i -> j.

    Raises
    ------
    FormatError
        If the graph has a bidirected edge, which this matrix cannot hold.
    """
    if kind_of(graph) != "admg":
        raise FormatError("pcalg's amat.cpdag cannot hold the circles of a PAG; use amat.pag.")
    if graph.bidirected.any():
        one, other = graph.bidirected_edges()[0]
        raise FormatError(f"pcalg's amat.cpdag cannot hold {one} <-> {other}; convert the graph by to_pag().")
    return graph.directed.T.astype(np.int64)


def from_amat_cpdag(amat: ArrayLike, names: Sequence[str]) -> ADMG:
    """Return the DAG of a matrix in which ``amat[j, i] = 1`` says i -> j.

    Raises
    ------
    FormatError
        If a pair has 1 both ways: pcalg means an edge whose direction is open, which an ADMG cannot say.
    """
    matrix = np.asarray(amat)
    if matrix.ndim == 2 and matrix.shape == matrix.T.shape:
        both_ways = np.argwhere(np.triu((matrix != 0) & (matrix.T != 0), 1))
        if both_ways.size and max(both_ways[0]) < len(names):
            one, other = (names[i] for i in both_ways[0])
            raise FormatError(f"The direction between {one} and {other} is open, which an ADMG cannot say; choose one.")
    return ADMG(names, matrix.T, np.zeros(matrix.shape, dtype=bool))


def dumps(graph: Graph) -> str:
    """Write a PAG as R's ``write.table`` writes its amat.pag."""
    if not isinstance(graph, PAG):
        raise FormatError("pcalg's amat.pag has one edge a pair and cannot hold an ADMG; convert it by to_pag().")
    if not graph.names:
        raise FormatError("A pcalg matrix cannot hold a graph without variables; use JSON.")
    quoted = [_quote(name) for name in graph.names]
    rows = [f"{name} {' '.join(map(str, row))}" for name, row in zip(quoted, graph.marks.tolist(), strict=True)]
    return "\n".join([" ".join(quoted), *rows]) + "\n"


def loads(text: str, kind: Kind | None = None) -> Graph:
    """Read an amat.pag that R's ``write.table`` or ``write.csv`` wrote.

    Parameters
    ----------
    text : str
        A line of names, then a line for each row, with or without its name first.
    kind : {"admg", "pag"}, optional
        What graph to make of the edges; by default a PAG.
    """
    lines = [(number, _fields(line, number)) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if not lines:
        raise unreadable(_TITLE, "it is empty; it must start with a line of names.")
    names = [name for name in lines[0][1] if name]  # write.csv puts an empty name above the names of the rows
    d = len(names)
    if len(lines) != d + 1:
        raise unreadable(
            _TITLE, f"the first line has {d} names, so {d} rows must follow, but there are {len(lines) - 1}."
        )
    marks = [_row(fields, number, name, d) for (number, fields), name in zip(lines[1:], names, strict=True)]
    edges = []
    for i in range(d):
        if marks[i][i]:
            raise unreadable(_TITLE, f"{names[i]!r} has an edge to itself; set it to 0.", lines[i + 1][0])
        for j in range(i + 1, d):
            if (marks[i][j] == 0) != (marks[j][i] == 0):
                reason = f"the edge between {names[i]!r} and {names[j]!r} has a mark at one end only."
                raise unreadable(_TITLE, reason, lines[i + 1][0])
            if marks[i][j]:
                edges.append(MarkedEdge(names[i], marks[j][i], marks[i][j], names[j], lines[i + 1][0]))
    return graph_of(names, edges, kind or "pag", title=_TITLE)


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


def _row(fields: list[str], number: int, name: str, d: int) -> list[Mark]:
    if len(fields) == d + 1 and fields[0] == name:
        fields = fields[1:]
    if len(fields) != d or not set(fields) <= {"0", "1", "2", "3"}:
        raise unreadable(_TITLE, f"expected {name!r} and {d} numbers from 0 to 3, but found {fields[:9]}.", number)
    return [Mark(int(field)) for field in fields]
