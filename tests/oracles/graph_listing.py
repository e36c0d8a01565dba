"""Many small mixed graphs at once: every ADMG with a few vertices, and random samples of larger ones.

A :class:`Graphs` holds n graphs as two stacks of matrices, so that an oracle can try one path, one subgraph or one
order on all of them together. That is what makes definitions that are exponential to check quick enough to be
checked on all 34,752 ADMGs with 4 vertices.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, permutations
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from lurking.graphs.bits import BitGraph

Bools = NDArray[np.bool_]
Item = TypeVar("Item")


@dataclass(frozen=True, eq=False)
class Graphs:
    """``directed[g, i, j]``: graph g has i -> j; ``bidirected[g, i, j]``: it has i <-> j."""

    directed: Bools
    bidirected: Bools

    def __len__(self) -> int:
        return len(self.directed)

    @property
    def n_vertices(self) -> int:
        return int(self.directed.shape[1])

    @cached_property
    def bits(self) -> list[BitGraph]:
        """The same graphs in the library's form."""
        powers = 1 << np.arange(self.n_vertices)
        parents = (self.directed * powers[:, np.newaxis]).sum(axis=1).tolist()
        siblings = (self.bidirected * powers[:, np.newaxis]).sum(axis=1).tolist()
        return [BitGraph(tuple(p), tuple(s)) for p, s in zip(parents, siblings, strict=True)]

    @cached_property
    def place(self) -> dict[BitGraph, int]:
        """Where each graph stands in the stack."""
        return {graph: i for i, graph in enumerate(self.bits)}

    @classmethod
    def from_bits(cls, graphs: list[BitGraph]) -> Graphs:
        row = np.arange(graphs[0].n_vertices)[:, np.newaxis]
        parents, siblings = (np.array([getattr(g, kin) for g in graphs]) for kin in ("parents", "siblings"))
        return cls((parents[:, np.newaxis] >> row & 1).astype(bool), (siblings[:, np.newaxis] >> row & 1).astype(bool))

    def __getitem__(self, rows: slice) -> Graphs:
        return Graphs(self.directed[rows], self.bidirected[rows])


def each(graphs: list[Item], step: int) -> list[Item]:
    """Return each graph whose number divides by ``step``, or all of them if LURKING_EXHAUSTIVE is set to 1."""
    return graphs[:: 1 if os.environ.get("LURKING_EXHAUSTIVE") == "1" else step]


def subsets(vertices: range | tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return all subsets, smaller ones first."""
    return [s for size in range(len(vertices) + 1) for s in combinations(vertices, size)]


def mask(vertices: tuple[int, ...]) -> int:
    return sum(1 << v for v in vertices)


@cache
def all_dags(n_vertices: int) -> Bools:
    """Return every acyclic directed matrix: of all 2^(d(d-1)), those that contain none of the possible cycles."""
    slots = [(i, j) for i in range(n_vertices) for j in range(n_vertices) if i != j]
    codes = np.arange(1 << len(slots))
    matrices = np.zeros((len(codes), n_vertices, n_vertices), dtype=bool)
    for bit, (i, j) in enumerate(slots):
        matrices[:, i, j] = codes >> bit & 1
    acyclic = np.ones(len(codes), dtype=bool)
    for size in range(2, n_vertices + 1):
        for cycle in permutations(range(n_vertices), size):
            acyclic &= ~np.all([matrices[:, cycle[k - 1], cycle[k]] for k in range(size)], axis=0)
    return matrices[acyclic]


@cache
def all_admgs(n_vertices: int) -> Graphs:
    """Return every ADMG with labelled vertices, bows included."""
    pairs = list(combinations(range(n_vertices), 2))
    codes = np.arange(1 << len(pairs))
    bidirected = np.zeros((len(codes), n_vertices, n_vertices), dtype=bool)
    for bit, (i, j) in enumerate(pairs):
        bidirected[:, i, j] = bidirected[:, j, i] = codes >> bit & 1
    dags = all_dags(n_vertices)
    return Graphs(np.repeat(dags, len(codes), axis=0), np.tile(bidirected, (len(dags), 1, 1)))


@cache
def sampled_admgs(n_vertices: int, n_graphs: int, seed: int) -> Graphs:
    """Return random ADMGs of all densities, with bows; the same ones for the same arguments."""
    generator = np.random.default_rng(seed)
    shape = (n_graphs, n_vertices, n_vertices)
    upper = np.triu(np.ones((n_vertices, n_vertices), dtype=bool), 1)
    causes = upper & (generator.random(shape) < generator.uniform(0.1, 0.8, (n_graphs, 1, 1)))
    confounded = upper & (generator.random(shape) < generator.uniform(0.1, 0.8, (n_graphs, 1, 1)))
    order = generator.permuted(np.tile(np.arange(n_vertices), (n_graphs, 1)), axis=1)
    graph, row, column = np.arange(n_graphs)[:, None, None], order[:, :, None], order[:, None, :]
    return Graphs(causes[graph, row, column], (confounded | confounded.transpose(0, 2, 1))[graph, row, column])
