"""What the kinds of graph have in common as values: equality, text, pictures in notebooks, ancestors by ``->``."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

import numpy as np

from lurking._typing import BoolMatrix
from lurking.graphs import relations
from lurking.graphs.bits import BitGraph
from lurking.graphs.pag_text import parse_marked_edges, quote
from lurking.graphs.separation_questions import SeparatedVertices
from lurking.graphs.text import Edge
from lurking.graphs.vertices import Vertices

__all__ = ["CausalEdges", "MarkedEdges", "MixedGraph"]

MOST_DRAWN = 150
"""Notebooks show the text of graphs with more edges, of which nobody could see a picture."""


class MixedGraph(SeparatedVertices):
    """A graph as a value: two are equal if they are of the same kind and have the same names and edges."""

    __slots__ = ()

    @abstractmethod
    def _identity(self) -> tuple[object, ...]:
        """Return what makes two graphs equal, whatever the order of the names."""

    @abstractmethod
    def to_svg(self, *, title: str | None = None, tiers: Mapping[str, int] | None = None) -> str:
        """Draw the graph."""

    @property
    @abstractmethod
    def n_edges(self) -> int:
        """The number of edges."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _repr_html_(self) -> str | None:
        return self.to_svg() if self.n_edges <= MOST_DRAWN else None


class CausalEdges(MixedGraph):
    """A graph with a matrix of directed edges: an ADMG, a CPDAG."""

    __slots__ = ()

    directed: BoolMatrix

    @property
    @abstractmethod
    def _bits(self) -> BitGraph:
        """The directed edges, and bidirected ones if there are any."""

    def directed_edges(self) -> list[Edge]:
        """Return the pairs (cause, effect), in the order of the names."""
        return [(self.names[i], self.names[j]) for i, j in np.argwhere(self.directed).tolist()]

    def _pairs(self, symmetric: BoolMatrix) -> list[Edge]:
        return [(self.names[i], self.names[j]) for i, j in np.argwhere(np.triu(symmetric)).tolist()]

    def ancestors(self, vertices: Vertices) -> frozenset[str]:
        """Return everything from which directed paths lead to the vertices, the vertices included."""
        return self._named(relations.ancestors(self._bits, self._mask(vertices)))

    def descendants(self, vertices: Vertices) -> frozenset[str]:
        """Return everything to which directed paths lead from the vertices, the vertices included."""
        return self._named(relations.descendants(self._bits, self._mask(vertices)))


class MarkedEdges(MixedGraph):
    """A graph that is written as edges with marks: a CPDAG, a PAG."""

    __slots__ = ()

    @abstractmethod
    def edges(self) -> list[tuple[str, str, str]]:
        """Return the edges as (name, arrow, name)."""

    @property
    @abstractmethod
    def skeleton(self) -> BoolMatrix:
        """Symmetric matrix of the pairs that have an edge."""

    def __str__(self) -> str:
        """Return the edges as text, isolated vertices last; ``parse`` reads it."""
        statements = [f"{quote(one)} {arrow} {quote(other)}" for one, arrow, other in self.edges()]
        statements += [quote(n) for n, row in zip(self.names, self.skeleton, strict=True) if not row.any()]
        return "; ".join(statements)

    def __repr__(self) -> str:
        text, kind = str(self), type(self).__name__
        in_order = parse_marked_edges(text)[0] == list(self.names)
        return f"{kind}.parse({text!r})" if in_order else f"{kind}.parse({text!r}, names={list(self.names)!r})"
