"""Conditional ADMGs: a graph in which some vertices have been fixed."""

from __future__ import annotations

import numpy as np

from lurking._errors import GraphError
from lurking._typing import BoolMatrix
from lurking.graphs import nested, relations, separation
from lurking.graphs.admg import ADMG
from lurking.graphs.bits import BitGraph, members, singleton
from lurking.graphs.vertices import NamedVertices, Vertices

__all__ = ["CADMG"]


class CADMG(NamedVertices):
    """An ADMG in which some vertices are fixed, as if set by an intervention.

    Fixed vertices have lost their incoming edges. The definitions are in :mod:`lurking.graphs.nested`.

    Parameters
    ----------
    graph : ADMG
        The graph before anything was fixed.
    fixed : str or iterable of str, default none
        Vertices that are fixed from the outset, whether or not :meth:`fix` would allow it.

    Examples
    --------
    Fixing C turns the missing edge A .. D of the first Verma graph into an independence:

    >>> kernel = CADMG(ADMG.parse("A -> B -> C -> D; B <-> D")).fix("C")
    >>> sorted(kernel.random), sorted(kernel.fixed)
    (['A', 'B', 'D'], ['C'])
    >>> kernel.m_separated("A", "D", given="C")
    True
    """

    __slots__ = ("_bits", "_random", "graph")

    graph: ADMG
    """The graph before anything was fixed."""
    _bits: BitGraph
    _random: int

    def __init__(self, graph: ADMG, fixed: Vertices = ()) -> None:
        super().__init__(graph.names)
        bits = BitGraph.from_matrices(graph.directed, graph.bidirected)
        random = bits.everything & ~self._mask(fixed)
        for attribute, value in (("graph", graph), ("_bits", bits), ("_random", random)):
            object.__setattr__(self, attribute, value)

    def _with_random(self, random: int) -> CADMG:
        return CADMG(self.graph, self._named(self._bits.everything & ~random))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CADMG):
            return NotImplemented
        return self.graph == other.graph and self.random == other.random

    def __hash__(self) -> int:
        return hash((self.graph, self.random))

    def __reduce__(self) -> tuple[type[CADMG], tuple[ADMG, frozenset[str]]]:
        return CADMG, (self.graph, self.fixed)

    def __repr__(self) -> str:
        return f"CADMG({self.graph!r}, fixed={sorted(self.fixed)!r})"

    @property
    def random(self) -> frozenset[str]:
        """The vertices that are still random."""
        return self._named(self._random)

    @property
    def fixed(self) -> frozenset[str]:
        """The vertices that have been fixed."""
        return self._named(self._bits.everything & ~self._random)

    @property
    def directed(self) -> BoolMatrix:
        """The directed edges that are left, those into random vertices."""
        return self.graph.directed & self._is_random()

    @property
    def bidirected(self) -> BoolMatrix:
        """The bidirected edges that are left, those between random vertices."""
        kept = self._is_random()
        return self.graph.bidirected & kept & kept[:, np.newaxis]

    def _is_random(self) -> BoolMatrix:
        return np.array([self._random >> i & 1 for i in range(len(self))], dtype=bool)

    def districts(self) -> tuple[frozenset[str], ...]:
        """Return the districts of the random vertices."""
        return tuple(self._named(mask) for mask in relations.districts(self._bits, self._random))

    def fixable(self, *, primal: bool = False) -> frozenset[str]:
        """Return the random vertices that can be fixed now.

        Parameters
        ----------
        primal : bool
            Use primal fixing, which asks only about children in the vertex's district, not descendants.
        """
        may_fix = nested.primal_fixable if primal else nested.fixable
        return frozenset(self.names[v] for v in members(self._random) if may_fix(self._bits, v, self._random))

    def fix(self, *vertices: str, primal: bool = False) -> CADMG:
        """Fix vertices one after the other, in the order given.

        Raises
        ------
        GraphError
            If one of them is fixed already or cannot be fixed at its turn.
        """
        kernel = self
        for name in vertices:
            self.index(name)
            if name in kernel.fixed:
                raise GraphError(f"{name} is fixed already; fix each vertex once.")
            if name not in kernel.fixable(primal=primal):
                allowed = ", ".join(sorted(kernel.fixable(primal=primal))) or "none"
                kin = "a child" if primal else "a descendant"
                raise GraphError(f"{name} cannot be fixed: its district holds {kin} of it; fixable are: {allowed}.")
            kernel = kernel._with_random(kernel._random & ~singleton(self.index(name)))
        return kernel

    def reachable_closure(self, vertices: Vertices) -> CADMG:
        """Fix everything outside ``vertices`` that can be fixed."""
        mask = self._mask(vertices)
        lost = self._named(mask & ~self._random)
        if lost:
            raise GraphError(f"{', '.join(sorted(lost))} is fixed already; a closure is of random vertices.")
        return self._with_random(nested.reachable_closure(self._bits, mask, self._random))

    def m_separated(self, one: Vertices, other: Vertices, given: Vertices = ()) -> bool:
        """Tell whether ``given`` m-separates ``one`` from ``other`` in the kernel.

        A kernel says nothing about the joint distribution of its fixed vertices, so these count as joined to each
        other by bidirected edges (Richardson et al. 2023).
        """
        masks = self._disjoint_masks(one, other, given)
        fixed = ~self._is_random()
        joined = np.outer(fixed, fixed) & ~np.eye(len(self), dtype=bool)
        kernel = BitGraph.from_matrices(self.directed, self.bidirected | joined)
        return separation.m_separated(kernel, *masks)
