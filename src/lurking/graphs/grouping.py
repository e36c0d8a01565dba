"""Vertices made of several columns, and the graph on columns that a graph on such vertices stands for.

A nominal variable with k levels is one vertex, but a linear model sees k - 1 indicator columns. An edge of the vertex
is an edge of each of its columns, and the errors of the columns of one vertex are free among themselves. So the graph
on vertices is short for a *wide graph* on columns:

============  ==========================================================================
on vertices   on columns
============  ==========================================================================
V -> W        every column of V -> every column of W
V <-> W       every column of V <-> every column of W
V             all columns of V <-> each other
============  ==========================================================================

The wide graph has no directed edges among the columns of a vertex, so it has a bow, an almost directed cycle or a
c-tree exactly if the graph on vertices has one.

>>> colours = Grouping(("dose", "colour"), (("dose",), ("colour=red", "colour=blue")))
>>> wide = colours.widened(ADMG.parse("dose -> colour"))
>>> wide
ADMG.parse('dose -> colour=red; dose -> colour=blue; colour=red <-> colour=blue')
>>> colours.narrowed(wide)
ADMG.parse('dose -> colour')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lurking._errors import GraphError
from lurking._typing import BoolMatrix
from lurking.graphs.admg import ADMG
from lurking.graphs.vertices import check_names

__all__ = ["Grouping"]


@dataclass(frozen=True)
class Grouping:
    """Which columns each vertex is made of.

    Parameters
    ----------
    vertices : tuple of str
        The names of the vertices.
    columns : tuple of tuple of str
        For each vertex the names of its columns, at least one.
    references : tuple of (str or None), optional
        For each vertex the level that has no column, None where there is none; empty if nothing is known of them.

    Raises
    ------
    GraphError
        If a name is empty or occurs twice, a vertex has no column, or there are not as many references as vertices.
    """

    vertices: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    references: tuple[str | None, ...] = ()

    def __post_init__(self) -> None:
        check_names(self.vertices)
        check_names(self.all_columns)
        if len(self.vertices) != len(self.columns):
            raise GraphError(
                f"A grouping needs one tuple of columns for each vertex. Got {len(self.columns)} tuples for "
                f"{len(self.vertices)} vertices instead."
            )
        if self.references and len(self.references) != len(self.vertices):
            raise GraphError(
                f"A grouping needs one reference level, or None, for each vertex. Got {len(self.references)} for "
                f"{len(self.vertices)} vertices instead."
            )
        for vertex, columns in zip(self.vertices, self.columns, strict=True):
            if not columns:
                raise GraphError(f"The vertex {vertex!r} has no columns; give it one or leave it out.")

    @property
    def all_columns(self) -> tuple[str, ...]:
        """The columns of all vertices, in their order."""
        return tuple(column for columns in self.columns for column in columns)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of columns of each vertex."""
        return tuple(len(columns) for columns in self.columns)

    @cached_property
    def _first(self) -> list[int]:
        return [0, *np.cumsum(self.sizes).tolist()]

    def places(self, vertex: int) -> slice:
        """Return where the columns of a vertex, given by its number, are among all columns."""
        return slice(self._first[vertex], self._first[vertex + 1])

    def subset(self, vertices: Sequence[str]) -> Grouping:
        """Return the grouping of some of the vertices, in the order given."""
        columns = dict(zip(self.vertices, self.columns, strict=True))
        references = dict(zip(self.vertices, self.references, strict=True)) if self.references else {}
        return Grouping(
            tuple(vertices),
            tuple(columns[vertex] for vertex in vertices),
            tuple(references[vertex] for vertex in vertices) if references else (),
        )

    def widened(self, admg: ADMG) -> ADMG:
        """Return the graph on columns that a graph on the vertices stands for.

        Raises
        ------
        GraphError
            If the graph is not on these vertices.
        """
        if set(admg.names) != set(self.vertices):
            raise GraphError(
                f"The graph must be on the vertices {', '.join(self.vertices)}. Got {', '.join(admg.names)} instead."
            )
        graph = admg if admg.names == self.vertices else admg.subgraph(self.vertices)
        own: BoolMatrix = np.eye(len(self.vertices), dtype=bool)
        bidirected = self._repeated(graph.bidirected | own)
        np.fill_diagonal(bidirected, False)
        return ADMG(self.all_columns, self._repeated(graph.directed), bidirected)

    def narrowed(self, wide: ADMG) -> ADMG:
        """Return the graph on vertices that a wide graph stands for."""
        firsts = [columns[0] for columns in self.columns]
        rows = [wide.index(column) for column in firsts]
        picked = np.ix_(rows, rows)
        return ADMG(self.vertices, wide.directed[picked], wide.bidirected[picked])

    def _repeated(self, matrix: BoolMatrix) -> BoolMatrix:
        return np.repeat(np.repeat(matrix, self.sizes, axis=0), self.sizes, axis=1)
