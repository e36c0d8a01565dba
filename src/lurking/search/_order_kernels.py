"""Compiled search over orders of the variables; the theory is in :mod:`lurking.search.order_based`.

:func:`search_orders` climbs from several orders and writes the best graph; it is what other compiled loops call.

The parents are chosen on a working copy of the correlations of the vertex and its candidates. *Sweeping* the copy on
candidate j (Dempster 1969) puts j into the regression of every other variable, and sweeping it a second time in
reverse takes it out:

    A_jj <- -1/A_jj,   A_ij <- ± A_ij/A_jj,   A_il <- A_il - A_ij A_lj/A_jj        (old values on the right)

So at any time A_vv is the residual variance of v given what is in, and the residual variance without j (if it is in) or
with j (if it is out) is A_vv - A_vj²/A_jj in both cases: one division says what each step would gain.

No pivot vanishes, because :class:`~lurking.data.Moments` refuses variables that others determine.

Scores are kept in a table under a key of 64 random bits for each vertex, combined by exclusive or.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lurking._compile import compiled, inlined
from lurking._typing import FloatArray, IntArray

__all__ = ["OrderWork", "new_order_work", "search_orders"]

Edges = NDArray[np.uint8]

_ROWS, _PENALTY = range(2)  # entries of OrderWork.settings
_PROBES = 4  # neighbouring slots of the table that are tried
_MOST_TO_SHRINK = 20  # candidates up to which shrinking all of them is tried too; it costs the cube of their number
_IMPROVEMENT = 1e-12  # relative to the number of rows: smaller gains are rounding


class OrderWork(NamedTuple):
    """Data, settings, table of scores and scratch of a search over orders; not to be shared between threads."""

    correlation: FloatArray
    settings: FloatArray
    permitted: Edges
    """``permitted[i, j]``: may i be a parent of j?"""
    numbers: NDArray[np.uint64]
    """Two random numbers for each vertex: one for being the vertex, one for being before it."""
    keys: NDArray[np.uint64]
    values: FloatArray
    swept: FloatArray
    candidates: IntArray
    chosen: Edges
    """Which of the candidates are in the regression now."""
    parents: Edges
    """Which of the candidates were chosen at last."""
    local: FloatArray
    """The local scores of the vertices in the present order."""


def new_order_work(correlation: FloatArray, n_samples: int, permitted: Edges, penalty: float) -> OrderWork:
    """Allocate the memory of a search.

    Parameters
    ----------
    correlation : ndarray of float, shape (d, d)
        The correlation matrix.
    n_samples : int
        The number of rows.
    permitted : ndarray of uint8, shape (d, d)
        ``permitted[i, j]`` is 1 if i may be a parent of j.
    penalty : float
        For each edge: ln(n) for BIC.
    """
    d = len(correlation)
    slots = 1 << min(20, max(12, 2 * d))
    numbers = np.random.default_rng(20210413).integers(1, 2**64, size=(2, d), dtype=np.uint64)
    return OrderWork(
        correlation=np.ascontiguousarray(correlation, dtype=np.float64).copy(),
        settings=np.array([float(n_samples), float(penalty)]),
        permitted=np.ascontiguousarray(permitted, dtype=np.uint8).copy(),
        numbers=numbers,
        keys=np.zeros(slots, dtype=np.uint64),
        values=np.zeros(slots),
        swept=np.zeros((d + 1, d + 1)),
        candidates=np.zeros(d, dtype=np.int64),
        chosen=np.zeros(d, dtype=np.uint8),
        parents=np.zeros(d, dtype=np.uint8),
        local=np.zeros(d),
    )


@inlined
def _sweep(matrix: FloatArray, pivot: int, size: int, inside: int) -> None:
    """Put the pivot into the regressions, or take it out if it is inside."""
    inverse = 1.0 / matrix[pivot, pivot]
    for i in range(size):
        if i != pivot:
            factor = matrix[i, pivot] * inverse
            for j in range(size):
                if j != pivot:
                    matrix[i, j] -= factor * matrix[pivot, j]
    sign = -1.0 if inside else 1.0
    for i in range(size):
        matrix[i, pivot] *= sign * inverse
        matrix[pivot, i] = matrix[i, pivot]
    matrix[pivot, pivot] = -inverse


@compiled
def _step_until_stuck(work: OrderWork, vertex: int, n_candidates: int, full: bool) -> float:
    """Add and drop parents by steepest descent, starting with none or with all; mark them and return the score."""
    matrix, chosen, candidates = work.swept, work.chosen, work.candidates
    rows, penalty = work.settings[_ROWS], work.settings[_PENALTY]
    size = n_candidates + 1
    for i in range(n_candidates):
        chosen[i] = 0
        for j in range(n_candidates):
            matrix[i, j] = work.correlation[candidates[i], candidates[j]]
        matrix[i, n_candidates] = matrix[n_candidates, i] = work.correlation[candidates[i], vertex]
    matrix[n_candidates, n_candidates] = 1.0
    n_parents = 0
    growing, stuck = not full, 0
    still_to_put_in = n_candidates if full else 0
    while stuck < 2:  # growing and shrinking in turn have both nothing to offer
        best = -1
        if still_to_put_in > 0:
            still_to_put_in -= 1
            best = still_to_put_in
        else:
            present = matrix[n_candidates, n_candidates]
            best_variance = np.inf
            for i in range(n_candidates):
                if chosen[i] == growing:
                    continue
                variance = present - matrix[i, n_candidates] ** 2 / matrix[i, i]
                if variance < best_variance:
                    best, best_variance = i, variance
            if best >= 0:
                gain = rows * math.log(present / best_variance) + (-penalty if growing else penalty)
                if gain < _IMPROVEMENT * rows:
                    best = -1
            if best < 0:
                growing = not growing
                stuck += 1
        if best >= 0:
            _sweep(matrix, best, size, chosen[best])
            n_parents += -1 if chosen[best] else 1
            chosen[best] = not chosen[best]
            stuck = 0
    score: float = rows * math.log(matrix[n_candidates, n_candidates]) + penalty * n_parents
    return score


@inlined
def _choose_parents(work: OrderWork, vertex: int, n_candidates: int) -> float:
    """Choose parents of a vertex among ``work.candidates``; mark them in ``work.chosen`` and return the local score."""
    score = np.inf
    for full in range(1 if n_candidates < 3 or n_candidates > _MOST_TO_SHRINK else 2):
        found = _step_until_stuck(work, vertex, n_candidates, full == 1)
        if found < score - _IMPROVEMENT * work.settings[_ROWS]:
            score = found
            for i in range(n_candidates):
                work.parents[i] = work.chosen[i]
    return score


@compiled
def _local_score(work: OrderWork, vertex: int, order: IntArray, place: int, moving: int, before: bool) -> float:
    """Return the score of a vertex after the first ``place`` of an order.

    The vertex ``moving`` is left out wherever it stands in the order, and counts as a predecessor if ``before``.
    """
    key = work.numbers[0, vertex]
    n_candidates = 0
    for i in range(place + 1):
        other = order[i] if i < place else moving
        if (before if i == place else other != moving) and work.permitted[other, vertex]:
            key ^= work.numbers[1, other]
            work.candidates[n_candidates] = other
            n_candidates += 1
    last = work.keys.shape[0] - 1
    slot = np.int64(key & np.uint64(last))
    for probe in range(_PROBES):
        here = (slot + probe) & last
        if work.keys[here] == key:
            known: float = work.values[here]
            return known
        if work.keys[here] == 0:
            slot = here
            break
    score = _choose_parents(work, vertex, n_candidates)
    work.keys[slot] = key
    work.values[slot] = score
    return score


@inlined
def _best_place(work: OrderWork, order: IntArray, place: int) -> tuple[int, float]:
    """Return where the vertex at ``place`` is best moved to, and the change of the total score."""
    vertex = order[place]
    best, best_change = place, 0.0
    for direction in (-1, 1):
        passed = 0.0  # the change of the scores of those that are jumped over: going back they get a predecessor
        target = place + direction
        while 0 <= target < order.shape[0]:
            other = order[target]
            passed += _local_score(work, other, order, target, vertex, direction < 0) - work.local[other]
            own = _local_score(work, vertex, order, target + (direction > 0), vertex, False)
            change = passed + own - work.local[vertex]
            if change < best_change:
                best, best_change = target, change
            target += direction
    return best, best_change


@inlined
def _climb(work: OrderWork, order: IntArray) -> float:
    """Move vertices to their best places, in place, until no move of a single vertex helps; return the total score."""
    d = order.shape[0]
    first, last = 0, d - 1  # the places whose scores are not known
    unmoved, vertex = 0, 0
    while unmoved < d:
        for place in range(first, last + 1):
            work.local[order[place]] = _local_score(work, order[place], order, place, order[place], False)
        place = 0
        while order[place] != vertex:
            place += 1
        target, change = _best_place(work, order, place)
        first, last = 0, -1
        unmoved += 1
        if change < -_IMPROVEMENT * work.settings[_ROWS]:
            step = 1 if target > place else -1
            for i in range(place, target, step):
                order[i] = order[i + step]
            order[target] = vertex
            first, last = min(place, target), max(place, target)
            unmoved = 0
        vertex = (vertex + 1) % d
    total: float = work.local.sum()
    return total


@inlined
def _fill_graph(work: OrderWork, order: IntArray, directed: Edges) -> None:
    """Write the graph that belongs to an order, row is cause."""
    directed[:, :] = 0
    for place in range(order.shape[0]):
        n_candidates = 0
        for i in range(place):
            if work.permitted[order[i], order[place]]:
                work.candidates[n_candidates] = order[i]
                n_candidates += 1
        _choose_parents(work, order[place], n_candidates)
        for i in range(n_candidates):
            directed[work.candidates[i], order[place]] = work.parents[i]


@compiled
def search_orders(work: OrderWork, orders: IntArray, scores: FloatArray, directed: Edges) -> int:
    """Climb from every row of ``orders``, in place, and write the best graph.

    Parameters
    ----------
    work : OrderWork
        From :func:`new_order_work`.
    orders : ndarray of int64, shape (n_starts, d)
        The starts, each a permutation of the vertices; afterwards the local optima.
    scores : ndarray of float, shape (n_starts,)
        Afterwards the total local scores n ln(residual variance) + penalty · parents, on the correlation scale.
    directed : ndarray of uint8, shape (d, d)
        Afterwards the best graph.

    Returns
    -------
    best : int
        The row of the best order.
    """
    best = 0
    for start in range(orders.shape[0]):
        scores[start] = _climb(work, orders[start])
        if scores[start] < scores[best]:
            best = start
    _fill_graph(work, orders[best], directed)
    return best
