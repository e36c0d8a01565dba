r"""Search over orders for variables of several columns: grow-shrink on regressions of a block on blocks.

With V made of several columns, the local score of V with parents P is

.. math:: n \ln\det \hat\Sigma_{V \cdot P} + \sum_{p \in P} \text{price}(p, V),

where the first term is the determinant of the residual covariances. Moves and restarts are those of
:mod:`lurking.search.order_based`. What is best added to a set of parents, or dropped from it, is worked out once for
each set that is met: the residual covariances of all columns given the parents (Dempster's sweep) say what every
addition would bring.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from lurking._typing import BoolMatrix, Edges, FloatArray, IntArray
from lurking.data import GroupedMoments
from lurking.search.ties import SMALLEST_GAIN

__all__ = ["BlockOrderSearch"]


@dataclass(slots=True)
class _State:
    """A vertex with a set of parents: its score, what to add (best first), and what to drop, with the gains."""

    score: float
    additions: tuple[int, ...]
    drop: int | None


@dataclass(slots=True)
class _Found:
    """The best order so far with its score and its parents."""

    score: float = math.inf
    order: list[int] = field(default_factory=list)
    parents: list[frozenset[int]] = field(default_factory=list)


class BlockOrderSearch:
    """The best order of variables of several columns that a number of climbs find.

    Parameters
    ----------
    moments : GroupedMoments
        The data.
    allowed_edges : ndarray of shape (d, d)
        ``allowed_edges[i, j]`` says if i may be a parent of j.
    prices : ndarray of shape (d, d)
        ``prices[i, j]`` is what the edge i -> j costs on the scale of -2 loglik.
    stop : ndarray of uint8, shape (1,)
        Looked at before every move.
    """

    def __init__(self, moments: GroupedMoments, allowed_edges: Edges, prices: FloatArray, stop: Edges) -> None:
        self._correlation, _ = moments.whitened()
        self._n = moments.n_samples
        self._places = [moments.grouping.places(v) for v in range(moments.n_variables)]
        self._allowed: BoolMatrix = allowed_edges.astype(bool)
        self._prices = prices
        self._stop = stop
        self._states: dict[tuple[int, frozenset[int]], _State] = {}
        self.best = _Found()

    @property
    def directed(self) -> BoolMatrix:
        """The graph of the best order."""
        d = len(self._places)
        matrix = np.zeros((d, d), dtype=bool)
        for vertex, parents in enumerate(self.best.parents):
            matrix[list(parents), vertex] = True
        return matrix

    def climb(self, order: IntArray) -> float:
        """Climb from an order until no variable has a better place; keep what is found if it is better."""
        now = order.tolist()
        local, parents = self._along(now)
        awake = True
        while awake and not self._stop[0]:
            awake = False
            for vertex in order.tolist():
                if self._stop[0]:
                    break
                better = self._best_place(now, vertex, sum(local))
                if better is not None:
                    now = better
                    local, parents = self._along(now)
                    awake = True
        score = sum(local)
        if score < self.best.score - SMALLEST_GAIN:
            ordered = [parents[now.index(vertex)] for vertex in range(len(now))]
            self.best = _Found(score, now, ordered)
        return score

    def _along(self, order: list[int]) -> tuple[list[float], list[frozenset[int]]]:
        """Return the local scores and parents of the variables along an order."""
        found = [self._walk(vertex, frozenset(order[:place])) for place, vertex in enumerate(order)]
        return [score for score, _ in found], [parents for _, parents in found]

    def _best_place(self, order: list[int], vertex: int, score: float) -> list[int] | None:
        """Return the order with the vertex at its best place if that is better."""
        rest = [other for other in order if other != vertex]
        best, place = score - SMALLEST_GAIN, None
        # Behind the first k others: they do not see the vertex, the later ones do.
        without = np.cumsum([0.0, *(self._walk(v, frozenset(rest[:k]))[0] for k, v in enumerate(rest))])
        seen = [self._walk(v, frozenset([*rest[:k], vertex]))[0] for k, v in enumerate(rest)]
        after = np.cumsum([0.0, *seen[::-1]])[::-1]
        for k in range(len(rest) + 1):
            total = float(without[k] + self._walk(vertex, frozenset(rest[:k]))[0] + after[k])
            if total < best - SMALLEST_GAIN:
                best, place = total, k
        return None if place is None else [*rest[:place], vertex, *rest[place:]]

    def _walk(self, vertex: int, before: frozenset[int]) -> tuple[float, frozenset[int]]:
        """Return the local score and the parents that grow-shrink chooses among the vertices before."""
        parents: frozenset[int] = frozenset()
        state = self._state(vertex, parents)
        while True:
            grown = next((other for other in state.additions if other in before), None)
            while grown is not None:
                parents |= {grown}
                state = self._state(vertex, parents)
                grown = next((other for other in state.additions if other in before), None)
            if state.drop is None:
                return state.score, parents
            while state.drop is not None:
                parents -= {state.drop}
                state = self._state(vertex, parents)

    def _state(self, vertex: int, parents: frozenset[int]) -> _State:
        key = (vertex, parents)
        if key not in self._states:
            self._states[key] = self._worked_out(vertex, parents)
        return self._states[key]

    def _worked_out(self, vertex: int, parents: frozenset[int]) -> _State:
        listed = sorted(parents)
        rest = self._residual(listed)
        own = self._places[vertex]
        inverse = np.linalg.inv(rest[own, own])
        volume = float(np.linalg.slogdet(rest[own, own])[1])
        gains = []
        for other, places in enumerate(self._places):
            if other == vertex or other in parents or not self._allowed[other, vertex]:
                continue
            # the share of the other's residual variance that the vertex explains: the same determinant, seen from there
            shared = rest[places, own]
            explained = np.linalg.solve(rest[places, places], shared @ inverse @ shared.T)
            sign, log_left = np.linalg.slogdet(np.eye(len(explained)) - explained)
            if sign > 0:
                gain = -self._n * float(log_left) - float(self._prices[other, vertex])
                if gain > SMALLEST_GAIN:
                    gains.append((-round(gain / SMALLEST_GAIN), other))
        drop, least = None, -SMALLEST_GAIN
        for other in listed:
            without = self._residual([parent for parent in listed if parent != other])[own, own]
            rise = self._n * (float(np.linalg.slogdet(without)[1]) - volume) - float(self._prices[other, vertex])
            if rise < least - SMALLEST_GAIN:
                drop, least = other, rise
        price = float(sum(self._prices[other, vertex] for other in listed))
        return _State(self._n * volume + price, tuple(other for _, other in sorted(gains)), drop)

    def _residual(self, parents: list[int]) -> FloatArray:
        """Return the covariances of all columns given the columns of some vertices."""
        if not parents:
            return self._correlation
        given = np.concatenate([np.arange(p.start, p.stop) for p in (self._places[v] for v in parents)])
        across = self._correlation[given]
        residual: FloatArray = self._correlation - across.T @ np.linalg.solve(across[:, given], across)
        return residual
