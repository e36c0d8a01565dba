"""Edge marks: tails, arrowheads and circles, as a matrix and as sets of bits.

An edge between i and j has a mark at each end. ``marks[i, j]`` is the mark **at j** and ``marks[j, i]`` the mark at
i, so that the row says whose edge it is and the column where the mark sits:

===========================  ===============  ===============
edge                         ``marks[i, j]``  ``marks[j, i]``
===========================  ===============  ===============
i -> j                       ``ARROW``        ``TAIL``
i <-> j                      ``ARROW``        ``ARROW``
i -- j                       ``TAIL``         ``TAIL``
i o-> j                      ``ARROW``        ``CIRCLE``
===========================  ===============  ===============

:class:`MarkSets` holds the same marks as sets of vertices (see :mod:`lurking.graphs.bits`), seen from both ends: the
others with a given mark *near* a vertex, at its own end, and those with a given mark on their *far* end. Every rule
about a few edges is then an intersection of a few integers.

>>> state = MarkSets(np.array([[0, 2, 0], [3, 0, 1], [0, 2, 0]], dtype=np.int8))      # 0 -> 1 <-o 2
>>> list(members(state.near[Mark.ARROW][1])), list(members(state.far[Mark.TAIL][1]))
([0, 2], [0])
>>> state.place((1, 2, Mark.ARROW)), state.mark(1, 2)
(True, <Mark.ARROW: 2>)
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from lurking.graphs.bits import BitGraph, members

__all__ = ["Mark", "MarkMatrix", "MarkSets", "marks_of_graph"]

MarkMatrix = NDArray[np.int8]
"""``marks[i, j]`` is the mark at j on the edge between i and j."""


class Mark(IntEnum):
    """The mark at one end of an edge, with pcalg's code."""

    NONE = 0
    CIRCLE = 1
    ARROW = 2
    TAIL = 3


class MarkSets:
    """The marks of a graph as sets of vertices, on which circles can be replaced; nothing is checked here.

    Parameters
    ----------
    marks : ndarray of int8, shape (d, d)
        The matrix of marks; it is copied.

    Attributes
    ----------
    adjacent : list of int
        ``adjacent[v]`` is the set of all vertices with an edge to v.
    near : list of list of int
        ``near[mark][v]`` is the set of all u whose edge with v has ``mark`` at v.
    far : list of list of int
        ``far[mark][v]`` is the set of all u whose edge with v has ``mark`` at u.
    """

    __slots__ = ("adjacent", "far", "near")

    def __init__(self, marks: MarkMatrix) -> None:
        d = len(marks)
        self.adjacent: list[int] = [0] * d
        self.near: list[list[int]] = [[0] * d for _ in Mark]
        self.far: list[list[int]] = [[0] * d for _ in Mark]
        for i, j in np.argwhere(marks).tolist():
            mark = int(marks[i, j])
            self.adjacent[j] |= 1 << i
            self.near[mark][j] |= 1 << i
            self.far[mark][i] |= 1 << j

    @classmethod
    def with_circles(cls, adjacent: Sequence[int]) -> MarkSets:
        """Return the graph that has a circle at both ends of every edge.

        >>> MarkSets.with_circles([0b10, 0b01]).to_matrix().tolist()                                # 0 o-o 1
        [[0, 1], [1, 0]]
        """
        found = cls(np.zeros((len(adjacent), len(adjacent)), dtype=np.int8))
        found.adjacent = list(adjacent)
        found.near[Mark.CIRCLE], found.far[Mark.CIRCLE] = list(adjacent), list(adjacent)
        return found

    @property
    def n_vertices(self) -> int:
        """The number of vertices."""
        return len(self.adjacent)

    def mark(self, other: int, at: int) -> Mark:
        """Return the mark at ``at`` on its edge with ``other``."""
        return next((mark for mark in Mark if self.near[mark][at] >> other & 1), Mark.NONE)

    def place(self, *ends: tuple[int, int, Mark]) -> bool:
        """Put marks in the place of circles: all of them, or none if one contradicts a tail or an arrowhead.

        Parameters
        ----------
        *ends : (int, int, Mark)
            ``(i, j, mark)`` asks for ``mark`` at j on the edge between i and j.

        Returns
        -------
        changed : bool
            True if a circle was replaced.
        """
        circle_at, circle_from = self.near[Mark.CIRCLE], self.far[Mark.CIRCLE]
        new = [(i, j, mark) for i, j, mark in ends if not self.near[mark][j] >> i & 1]
        if not new or not all(circle_at[j] >> i & 1 for i, j, _ in new):
            return False
        for i, j, mark in new:
            circle_at[j] &= ~(1 << i)
            circle_from[i] &= ~(1 << j)
            self.near[mark][j] |= 1 << i
            self.far[mark][i] |= 1 << j
        return True

    def parents(self, vertex: int) -> int:
        """Return the set of all u with u -> vertex."""
        return self.near[Mark.ARROW][vertex] & self.far[Mark.TAIL][vertex]

    def siblings(self, vertex: int) -> int:
        """Return the set of all u with u <-> vertex."""
        return self.near[Mark.ARROW][vertex] & self.far[Mark.ARROW][vertex]

    def undirected(self, vertex: int) -> int:
        """Return the set of all u with u -- vertex."""
        return self.near[Mark.TAIL][vertex] & self.far[Mark.TAIL][vertex]

    def to_bit_graph(self) -> BitGraph:
        """Return the directed and bidirected edges alone."""
        vertices = range(self.n_vertices)
        return BitGraph(tuple(map(self.parents, vertices)), tuple(map(self.siblings, vertices)))

    def to_matrix(self) -> MarkMatrix:
        """Return the matrix of marks."""
        marks = np.zeros((self.n_vertices, self.n_vertices), dtype=np.int8)
        for mark in (Mark.CIRCLE, Mark.ARROW, Mark.TAIL):
            for vertex, others in enumerate(self.near[mark]):
                marks[list(members(others)), vertex] = mark
        return marks


def marks_of_graph(graph: BitGraph) -> MarkMatrix:
    """Return the marks of a graph that has at most one edge between each pair.

    >>> marks_of_graph(BitGraph.from_edges(3, directed=[(0, 1)], bidirected=[(1, 2)])).tolist()
    [[0, 2, 0], [3, 0, 2], [0, 2, 0]]
    """
    directed, bidirected = graph.to_matrices()
    marks = np.zeros(directed.shape, dtype=np.int8)
    marks[directed | bidirected] = Mark.ARROW
    marks[directed.T] = Mark.TAIL
    return marks
