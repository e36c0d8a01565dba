"""The search over orders, slowly: every parent set is scored anew by solving its normal equations."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from lurking._typing import FloatArray
from lurking.search.ties import SMALLEST_GAIN

Parents = frozenset[int]


def local_score(corr: FloatArray, n: int, price: float, vertex: int, parents: Parents) -> float:
    """Return n ln(residual variance) + price · parents."""
    p = sorted(parents)
    explained = corr[vertex, p] @ np.linalg.solve(corr[np.ix_(p, p)], corr[p, vertex]) if p else 0.0
    return float(n * math.log(corr[vertex, vertex] - explained) + price * len(p))


def grow_shrink(score: Callable[[Parents], float], start: Parents, candidates: Sequence[int], growing: bool) -> Parents:
    """Add the best of the candidates until none helps, drop until none helps, and so on, until neither helps."""
    parents, stuck = start, 0
    while stuck < 2:
        best = None
        gains = {c: score(parents) - score(parents ^ {c}) for c in sorted(candidates) if (c in parents) != growing}
        for c, gain in gains.items():
            if gain > SMALLEST_GAIN and (best is None or gain > gains[best] + SMALLEST_GAIN):
                best = c
        stuck += 1
        if best is None:
            growing = not growing
        else:
            parents, stuck = parents ^ {best}, 0
    return parents


class SlowOrders:
    """Local scores after the vertices before, and climbs, for one data set."""

    def __init__(
        self, corr: FloatArray, n: int, price: float, allowed_edges: NDArray[np.uint8], thorough: bool
    ) -> None:
        self.corr, self.n, self.price, self.allowed_edges, self.thorough = corr, n, price, allowed_edges, thorough
        self._chosen: dict[tuple[int, Parents], Parents] = {}
        self._scores: dict[tuple[int, Parents], float] = {}

    def score(self, vertex: int, parents: Parents) -> float:
        if (vertex, parents) not in self._scores:
            self._scores[vertex, parents] = local_score(self.corr, self.n, self.price, vertex, parents)
        return self._scores[vertex, parents]

    def parents(self, vertex: int, before: Sequence[int]) -> Parents:
        candidates = [c for c in before if self.allowed_edges[c, vertex]]
        question = vertex, frozenset(candidates)
        if question not in self._chosen:

            def score(parents: Parents) -> float:
                return self.score(vertex, parents)

            found = grow_shrink(score, frozenset(), candidates, growing=True)
            if self.thorough:
                shrunk = grow_shrink(score, frozenset(candidates), candidates, growing=False)
                if score(shrunk) < score(found) - SMALLEST_GAIN:
                    found = shrunk
            self._chosen[question] = found
        return self._chosen[question]

    def total(self, order: Sequence[int]) -> float:
        return sum(self.score(v, self.parents(v, order[:place])) for place, v in enumerate(order))

    def climb(self, order: Sequence[int]) -> list[int]:
        """Move the vertices in turn to their best places until none moves."""
        now, unmoved, vertex = list(order), 0, 0
        while unmoved < len(now):
            place = now.index(vertex)
            rest = [v for v in now if v != vertex]
            best, best_total = place, self.total(now)
            here = best_total
            for target in [*range(place - 1, -1, -1), *range(place + 1, len(now))]:
                total = self.total([*rest[:target], vertex, *rest[target:]])
                if total - here < best_total - here - SMALLEST_GAIN:
                    best, best_total = target, total
            now = [*rest[:best], vertex, *rest[best:]]
            unmoved = unmoved + 1 if best == place else 0
            vertex = (vertex + 1) % len(now)
        return now
