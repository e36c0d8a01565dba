"""Layering: in which row each vertex stands.

Causes stand above their effects. Among all ways to do so, one with short edges is wanted, because a long edge has to
find its way between the vertices of the rows that it passes. Four steps:

1. Strokes that point one way (``->``, ``o->``) ask for their first end to be higher. In an ADMG they never contradict
   each other; in a graph with arbitrary marks they may form a cycle, and then the stroke that closes it asks nothing.
   With *tiers*, every vertex of a tier must be higher than every vertex of the next one.
2. *Longest path*: the row of a vertex is the number of strokes on the longest way down to it.
3. *Shortening*: vertices move, one at a time, within the rows that step 1 leaves them, to where the total length of
   their strokes (bidirected ones count half) is least.
4. *Splitting*: a row with too many vertices becomes two or more, with the vertices whose strokes lead down below.

>>> layers(4, [(0, 1), (1, 2), (3, 2)], [])
[[0], [1, 3], [2]]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

__all__ = ["layers"]

Pair = tuple[int, int]

_BESIDE_WEIGHT = 0.5
"""What the length of a stroke without a direction counts, next to 1 for one that points down."""
_SWEEPS = 30


def layers(
    n_vertices: int,
    down: Sequence[Pair],
    beside: Sequence[Pair],
    tiers: Mapping[int, int] | None = None,
    widest: int = 8,
) -> list[list[int]]:
    """Assign the vertices of a graph to rows.

    Parameters
    ----------
    n_vertices : int
        The vertices are 0, 1, ... in an order that does not depend on the user's.
    down : sequence of (int, int)
        Strokes whose first end should be higher.
    beside : sequence of (int, int)
        Strokes without a preference.
    tiers : mapping of int to int, optional
        Vertices of smaller tiers are higher; those that are not named may stand anywhere.
    widest : int
        Rows with more vertices are split.

    Returns
    -------
    rows : list of list of int
        From top to bottom; no row is empty.
    """
    before = list(down)
    if tiers is not None:
        ranks = sorted(set(tiers.values()))
        members = {tier: [v for v in range(n_vertices) if tiers.get(v) == tier] for tier in ranks}
        # Tiers first: a stroke that contradicts them closes a cycle, and then asks nothing.
        before = [(u, v) for upper, lower in pairwise(ranks) for u in members[upper] for v in members[lower]] + before
    above, below = _acyclic(n_vertices, before)
    row = _longest_path(n_vertices, above, below)
    weights = _weights(n_vertices, down, beside)
    _shorten(row, above, below, weights)
    return _split(row, weights, widest)


def _acyclic(n_vertices: int, pairs: Iterable[Pair]) -> tuple[list[set[int]], list[set[int]]]:
    """Return the sets above and below each vertex, leaving out every pair that would close a cycle."""
    above: list[set[int]] = [set() for _ in range(n_vertices)]
    below: list[set[int]] = [set() for _ in range(n_vertices)]
    reach = [1 << v for v in range(n_vertices)]  # everything below each vertex, as bits
    for u, v in pairs:
        if reach[v] >> u & 1:
            continue
        above[v].add(u)
        below[u].add(v)
        if not reach[u] >> v & 1:
            for w in range(n_vertices):
                if reach[w] >> u & 1:
                    reach[w] |= reach[v]
    return above, below


def _longest_path(n_vertices: int, above: list[set[int]], below: list[set[int]]) -> list[int]:
    row = [0] * n_vertices
    missing = [len(parents) for parents in above]
    ready = [v for v in range(n_vertices) if not missing[v]]
    for v in ready:  # grows while it is read
        for w in sorted(below[v]):
            row[w] = max(row[w], row[v] + 1)
            missing[w] -= 1
            if not missing[w]:
                ready.append(w)
    return row


def _weights(n_vertices: int, down: Sequence[Pair], beside: Sequence[Pair]) -> list[dict[int, float]]:
    weights: list[dict[int, float]] = [{} for _ in range(n_vertices)]
    for pairs, weight in ((down, 1.0), (beside, _BESIDE_WEIGHT)):
        for u, v in pairs:
            weights[u][v] = weights[u].get(v, 0.0) + weight
            weights[v][u] = weights[v].get(u, 0.0) + weight
    return weights


def _shorten(row: list[int], above: list[set[int]], below: list[set[int]], weights: list[dict[int, float]]) -> None:
    """Move each vertex to the best of its possible rows until none moves; ``row`` is changed."""
    n_vertices, last = len(row), max(row, default=0)

    def length(v: int, place: int) -> float:
        return sum(weight * abs(row[u] - place) for u, weight in weights[v].items())

    for sweep in range(_SWEEPS):
        moved = False
        for v in range(n_vertices) if sweep % 2 else range(n_vertices - 1, -1, -1):
            low = max((row[u] + 1 for u in above[v]), default=0)
            high = min((row[u] - 1 for u in below[v]), default=last)
            best = min(range(low, high + 1), key=lambda place: (length(v, place), abs(place - row[v]), place))
            if length(v, best) < length(v, row[v]) - 1e-9:
                row[v] = best
                moved = True
        if not moved:
            return


def _split(row: list[int], weights: list[dict[int, float]], widest: int) -> list[list[int]]:
    def downward(v: int) -> float:
        return sum(weight * ((row[u] > row[v]) - (row[u] < row[v])) for u, weight in weights[v].items())

    rows = []
    for place in sorted(set(row)):
        crowd = [v for v in range(len(row)) if row[v] == place]
        parts = -(-len(crowd) // widest)
        crowd.sort(key=lambda v: (downward(v), v))
        share = -(-len(crowd) // parts)
        rows += [sorted(crowd[start : start + share]) for start in range(0, len(crowd), share)]
    return rows
