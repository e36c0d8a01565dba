"""Mixed graphs as Python integers: the representation under every graph algorithm.

A set of vertices is an integer whose bit *i* says whether vertex *i* is in the set, so union is ``|``,
intersection ``&``, difference ``& ~``, and a set of a hundred vertices is still one machine-friendly object.
A :class:`BitGraph` holds, for each vertex, the set of its parents, children and siblings. All algorithms of
this package are written on these sets; names belong to :class:`~lurking.graphs.ADMG` alone.

The one workhorse is :func:`reach`. Following ``parents`` it gives ancestors, following ``children`` it gives
descendants, following ``siblings`` it gives a district; the ``within`` argument restricts any of them to an
induced subgraph without building one.

>>> chain = BitGraph.from_edges(3, directed=[(0, 1), (1, 2)], bidirected=[(0, 2)])
>>> list(members(reach(chain.parents, singleton(2))))
[0, 1, 2]
>>> list(members(reach(chain.siblings, singleton(0))))
[0, 2]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from lurking._typing import BoolMatrix

__all__ = ["EVERYTHING", "BitGraph", "mask_of", "members", "reach", "singleton"]

EVERYTHING = -1  # in two's complement all bits are set: the universe, whatever the number of vertices


def members(mask: int) -> Iterator[int]:
    """Yield the vertices of a set in increasing order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def singleton(vertex: int) -> int:
    """Return the set that holds one vertex."""
    return 1 << vertex


def mask_of(vertices: Iterable[int]) -> int:
    """Return the set of the given vertices."""
    mask = 0
    for vertex in vertices:
        mask |= 1 << vertex
    return mask


def reach(neighbours: Sequence[int], start: int, within: int = EVERYTHING) -> int:
    """Return every vertex that can be reached from ``start`` by following ``neighbours`` inside ``within``.

    The vertices of ``start`` that lie in ``within`` are included. The cost is one step per vertex found.
    """
    found = frontier = start & within
    while frontier:
        lowest = frontier & -frontier
        new = neighbours[lowest.bit_length() - 1] & within & ~found
        found |= new
        frontier = (frontier ^ lowest) | new
    return found


@dataclass(frozen=True, slots=True)
class BitGraph:
    """A mixed graph on vertices ``0 .. d-1``; nothing is checked here.

    Parameters
    ----------
    parents : tuple of int
        ``parents[j]`` is the set of all i with i -> j.
    siblings : tuple of int
        ``siblings[j]`` is the set of all i with i <-> j.

    Attributes
    ----------
    children : tuple of int
        ``children[i]`` is the set of all j with i -> j.
    """

    parents: tuple[int, ...]
    siblings: tuple[int, ...]
    children: tuple[int, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        children = [0] * len(self.parents)
        for child, parents in enumerate(self.parents):
            for parent in members(parents):
                children[parent] |= 1 << child
        object.__setattr__(self, "children", tuple(children))

    @classmethod
    def from_matrices(cls, directed: BoolMatrix, bidirected: BoolMatrix) -> BitGraph:
        """Build from two boolean matrices, row is cause."""
        parents, siblings = [0] * len(directed), [0] * len(bidirected)
        for masks, matrix in ((parents, directed), (siblings, bidirected)):
            for i, j in np.argwhere(matrix).tolist():
                masks[j] |= 1 << i
        return cls(tuple(parents), tuple(siblings))

    @classmethod
    def from_edges(
        cls,
        n_vertices: int,
        directed: Iterable[tuple[int, int]] = (),
        bidirected: Iterable[tuple[int, int]] = (),
    ) -> BitGraph:
        """Build from pairs of vertices."""
        parents, siblings = [0] * n_vertices, [0] * n_vertices
        for parent, child in directed:
            parents[child] |= 1 << parent
        for one, other in bidirected:
            siblings[one] |= 1 << other
            siblings[other] |= 1 << one
        return cls(tuple(parents), tuple(siblings))

    def to_matrices(self) -> tuple[BoolMatrix, BoolMatrix]:
        """Return the directed (row is cause) and the bidirected boolean matrix."""
        d = len(self.parents)
        directed, bidirected = np.zeros((d, d), dtype=bool), np.zeros((d, d), dtype=bool)
        for child, parents in enumerate(self.parents):
            directed[list(members(parents)), child] = True
        for vertex, siblings in enumerate(self.siblings):
            bidirected[vertex, list(members(siblings))] = True
        return directed, bidirected

    @property
    def n_vertices(self) -> int:
        """The number of vertices."""
        return len(self.parents)

    @property
    def everything(self) -> int:
        """The set of all vertices."""
        return (1 << len(self.parents)) - 1
