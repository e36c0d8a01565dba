"""Ordering: who stands beside whom in a row, so that few strokes cross.

A stroke that passes rows gets a *bend* in each of them: a point that takes a place in the row, so that room is kept
for it. Strokes then only join neighbouring rows, or two vertices of one row (*flat* strokes). The cost of an order is
the number of crossings, plus what stands between the ends of flat strokes (a vertex counts 1.5, a bend 0.6).

The least cost is hard to find; a good one is not. From several starting orders, rows are swept down and up: each is
sorted by the average place of its neighbours in the row before, and after that its members are taken out one by one and
put back where the cost is least. The number of crossings that u and v make with two rows in fixed order, if u stands
to the left of v, is an entry of one matrix product: with ``A[u, p]`` telling whether u is joined to place p of the
other row, it is the sum of ``A[u, p] A[v, q]`` over p > q.

>>> graph = LayeredGraph.of([[0, 1], [2, 3]], [(0, 3), (1, 2)])
>>> graph.cost()
1.0
>>> arrange(graph)
>>> graph.cost()
0.0
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from lurking._typing import FloatArray

__all__ = ["LayeredGraph", "arrange"]

_SWEEPS = 8
_VERTEX_BETWEEN, _BEND_BETWEEN = 1.5, 0.6


@dataclass
class LayeredGraph:
    """Rows of vertices and bends, and the links between them. Elements below ``n_vertices`` are vertices.

    Attributes
    ----------
    rows : list of list of int
        From top to bottom, each from left to right.
    links : list of list of (int, int)
        ``links[r]`` joins elements of row r to elements of row r + 1.
    flat : list of list of (int, int)
        Strokes inside each row.
    bends : dict
        For each pair of vertices, ordered from top to bottom, the bends of the stroke between them.
    n_vertices : int
        The number of vertices.
    """

    rows: list[list[int]]
    links: list[list[tuple[int, int]]]
    flat: list[list[tuple[int, int]]]
    bends: dict[tuple[int, int], list[int]]
    n_vertices: int

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]], pairs: Sequence[tuple[int, int]]) -> LayeredGraph:
        """Put bends into long strokes; several strokes between the same two vertices share them."""
        home = {v: r for r, row in enumerate(rows) for v in row}
        filled = [list(row) for row in rows]
        links: list[list[tuple[int, int]]] = [[] for _ in rows]
        flat: list[list[tuple[int, int]]] = [[] for _ in rows]
        bends: dict[tuple[int, int], list[int]] = {}
        number = len(home)
        for upper, lower in sorted({tuple(sorted(pair, key=lambda v: (home[v], v))) for pair in pairs}):
            if home[upper] == home[lower]:
                flat[home[upper]].append((upper, lower))
                continue
            between = range(home[upper] + 1, home[lower])
            bends[upper, lower] = list(range(number, number + len(between)))
            number += len(between)
            chain = [upper, *bends[upper, lower], lower]
            for r, bend in zip(between, chain[1:-1], strict=True):
                filled[r].append(bend)
            for r, link in enumerate(pairwise(chain), start=home[upper]):
                links[r].append(link)
        return cls(filled, links, [sorted(set(row)) for row in flat], bends, len(home))

    def cost(self) -> float:
        """Return the crossings plus what stands between the ends of flat strokes."""
        total = 0.0
        for r, row in enumerate(self.rows):
            if r + 1 < len(self.rows) and self.links[r]:
                total += _order_cost(self._crossings(r, r + 1))
            total += self._flat_cost(r, row)
        return total

    def _crossings(self, r: int, other: int) -> FloatArray:
        """Return the crossings of each two members of row r, in its present order, with the links to a row beside."""
        place = {v: p for p, v in enumerate(self.rows[other])}
        mine = {v: p for p, v in enumerate(self.rows[r])}
        joined = np.zeros((len(mine), len(place)))
        for upper, lower in self.links[min(r, other)]:
            u, v = (upper, lower) if r < other else (lower, upper)
            joined[mine[u], place[v]] += 1
        left_of = np.cumsum(joined, axis=1) - joined  # links of v to places left of p
        crossings: FloatArray = joined @ left_of.T
        return crossings

    def _flat_cost(self, r: int, row: Sequence[int]) -> float:
        if not self.flat[r]:
            return 0.0
        place = {v: p for p, v in enumerate(row)}
        heavy = np.cumsum([_VERTEX_BETWEEN if v < self.n_vertices else _BEND_BETWEEN for v in row])
        ends = np.array([sorted((place[u], place[v])) for u, v in self.flat[r]])
        return float((heavy[ends[:, 1] - 1] - heavy[ends[:, 0]]).sum())


def arrange(graph: LayeredGraph) -> None:
    """Order every row so that few strokes cross; ``graph.rows`` is changed."""
    best_rows, best = [list(row) for row in graph.rows], graph.cost()
    for start in _starts(graph):
        graph.rows = start
        own_best, idle = np.inf, 0
        for sweep in range(_SWEEPS):
            downwards = sweep % 2 == 0
            sequence = range(len(graph.rows)) if downwards else range(len(graph.rows) - 1, -1, -1)
            for r in sequence:
                if sweep < 4:
                    _sort_by_average(graph, r, r - 1 if downwards else r + 1)
                _reinsert(graph, r)
            cost = graph.cost()
            if cost < best - 1e-9:
                best_rows, best = [list(row) for row in graph.rows], cost
            idle = 0 if cost < own_best - 1e-9 else idle + 1
            own_best = min(cost, own_best)
            if sweep >= 4 and idle >= 2:
                break
        if best == 0:
            break
    graph.rows = best_rows


def _starts(graph: LayeredGraph) -> list[list[list[int]]]:
    """Return starting orders: as listed, mirrored, and in the order in which a walk along the strokes meets them."""
    listed = [list(row) for row in graph.rows]
    neighbours: dict[int, list[int]] = {v: [] for row in listed for v in row}
    for pairs in (*graph.links, *graph.flat):
        for u, v in pairs:
            neighbours[u].append(v)
            neighbours[v].append(u)
    walks = []
    for deep in (True, False):
        met: dict[int, None] = {}
        waiting = deque(v for row in listed for v in row)
        while waiting:
            v = waiting.popleft()
            if v not in met:
                met[v] = None
                fresh = [w for w in neighbours[v] if w not in met]
                waiting.extendleft(fresh[::-1] if deep else ())
                waiting.extend(() if deep else fresh)
        rank = {v: k for k, v in enumerate(met)}
        walks.append([sorted(row, key=rank.__getitem__) for row in listed])
    return [*walks, listed, [row[::-1] for row in listed]]


def _sort_by_average(graph: LayeredGraph, r: int, other: int) -> None:
    if not 0 <= other < len(graph.rows):
        return
    scale = max(len(graph.rows[other]) - 1, 1)
    place = {v: p / scale for p, v in enumerate(graph.rows[other])}
    seen: dict[int, list[float]] = {v: [] for v in graph.rows[r]}
    for upper, lower in graph.links[min(r, other)]:
        u, v = (upper, lower) if r < other else (lower, upper)
        seen[u].append(place[v])
    own = {v: p / max(len(graph.rows[r]) - 1, 1) for p, v in enumerate(graph.rows[r])}
    average = {v: sum(places) / len(places) if places else own[v] for v, places in seen.items()}
    graph.rows[r].sort(key=lambda v: (average[v], own[v]))


def _reinsert(graph: LayeredGraph, r: int) -> None:
    """Take the members of a row out one by one and put each back where the cost is least, until nothing improves."""
    row = graph.rows[r]
    count = np.zeros((len(row), len(row)))
    for other in (r - 1, r + 1):
        if 0 <= other < len(graph.rows):
            count += graph._crossings(r, other)
    weight = np.array([_VERTEX_BETWEEN if v < graph.n_vertices else _BEND_BETWEEN for v in row])
    number = {v: k for k, v in enumerate(row)}
    flat = [(number[u], number[v]) for u, v in graph.flat[r]]
    order = list(range(len(row)))
    for _ in range(4):
        improved = False
        for v in range(len(row)):
            place = order.index(v)
            rest = order[:place] + order[place + 1 :]
            # With v at position k, the first k of the rest stand to its left.
            left, right = count[rest, v], count[v, rest]
            costs = np.concatenate([[0.0], np.cumsum(left - right)]) + right.sum()
            if flat:
                costs += _flat_costs(v, rest, flat, weight)
            target = int(np.argmin(costs))
            if costs[target] < costs[place] - 1e-9:
                order = [*rest[:target], v, *rest[target:]]
                improved = True
        if not improved:
            break
    graph.rows[r] = [row[v] for v in order]


def _flat_costs(v: int, rest: list[int], flat: list[tuple[int, int]], weight: FloatArray) -> FloatArray:
    """Return what stands between the ends of flat strokes if v is put at each position among the rest.

    What the rest contributes alone is the same for all positions, and left out.
    """
    place = {u: p for p, u in enumerate(rest)}
    heavy = np.concatenate([[0.0], np.cumsum(weight[rest])])
    jumps = np.zeros(len(rest) + 2)
    costs = np.zeros(len(rest) + 1)
    for u, w in flat:
        if v in (u, w):
            partner = place[w if u == v else u]
            costs += np.maximum(heavy[partner] - heavy, heavy - heavy[partner + 1])
        else:
            first, last = sorted((place[u], place[w]))
            jumps[first + 1] += weight[v]
            jumps[last + 1] -= weight[v]
    return costs + np.cumsum(jumps)[:-1]


def _order_cost(count: FloatArray) -> float:
    return float(np.triu(count, 1).sum())
