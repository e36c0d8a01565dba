"""Compiled search over orders of the variables; the theory is in :mod:`lurking.search.order_based`.

:func:`climb` improves one order until no move of a single variable helps, and writes the graph that belongs to it.

What it walks on are the states of :mod:`lurking.search.kernels.order_states`.
"""

from __future__ import annotations

import math

import numpy as np

from lurking._compile import compiled, inlined, part
from lurking._typing import Edges, IntArray
from lurking.search.kernels.order_states import (
    DROP,
    DROPPED,
    FIRST,
    FORGOTTEN,
    LAST,
    N_PARENTS,
    PARENTS,
    PENALTY,
    ROWS,
    THOROUGH,
    UNKNOWN,
    Integer,
    OrderWork,
    find_state,
)
from lurking.search.ties import SMALLEST_GAIN

__all__ = ["climb"]


@inlined
def _with_or_without(work: OrderWork, state: Integer, other: Integer) -> int:
    """Write the parents of a state to ``work.now``, with one more, or without it if it is there; return how many."""
    count = 0
    placed = False
    for j in range(work.states[state, PARENTS], work.states[state, PARENTS] + work.states[state, N_PARENTS]):
        member = work.members[j]
        if not placed and member >= other:
            placed = True
            work.now[count] = other
            count += member != other
        if member != other:
            work.now[count] = member
            count += 1
    if not placed:
        work.now[count] = other
        count += 1
    return count


@part
def _walk(work: OrderWork, vertex: int, start: Integer, limit: int) -> int:
    """Add and drop parents by steepest descent among the vertices at positions below ``limit``."""
    states, additions, position = work.states, work.additions, work.position
    state, stuck, growing = np.int64(start), 0, True
    while stuck < 2:  # growing and shrinking in turn have both nothing to offer
        step = np.int64(UNKNOWN)
        following = np.int64(UNKNOWN)
        k = np.int64(states[state, FIRST])
        if growing:
            last = states[state, LAST]
            while k < last and position[additions[k, 0]] >= limit:
                k += 1
            if k < last:
                step, following = np.int64(additions[k, 0]), np.int64(additions[k, 1])
        else:
            step, following = np.int64(states[state, DROP]), np.int64(states[state, DROPPED])
        stuck += 1
        if step == UNKNOWN:
            growing = not growing
            continue
        if following == UNKNOWN:
            forgotten = work.counts[FORGOTTEN]
            size = _with_or_without(work, state, step)
            following = np.int64(find_state(work, vertex, size, work.keys[state] ^ work.numbers[1, step]))
            if work.counts[FORGOTTEN] == forgotten:  # otherwise the old state is gone
                if growing:
                    additions[k, 1] = following
                else:
                    states[state, DROPPED] = following
        state, stuck = following, 0
    return int(state)


@inlined
def _shrink(work: OrderWork, vertex: int, size: Integer) -> Integer:
    """Drop parents from the first ``size`` of ``work.now`` until none helps; return how many are left.

    It works with the inverse of the correlations of the vertex and its parents: the reciprocals of its diagonal are
    the residual variances, and a sweep takes a parent out.
    """
    matrix, now = work.inverse, work.now
    rows, penalty = work.settings[ROWS], work.settings[PENALTY]
    now[size] = vertex
    for i in range(size + 1):
        for j in range(size + 1):
            matrix[i, j] = work.correlation[now[i], now[j]]
    for pivot in range(size + 1):
        scale = 1.0 / matrix[pivot, pivot]
        matrix[pivot, pivot] = 1.0
        for j in range(size + 1):
            matrix[pivot, j] *= scale
        for i in range(size + 1):
            if i != pivot:
                factor = matrix[i, pivot]
                matrix[i, pivot] = 0.0
                for j in range(size + 1):
                    matrix[i, j] -= factor * matrix[pivot, j]
    most = math.expm1((penalty - SMALLEST_GAIN) / rows)
    while True:
        best, least_rise = -1, most
        for i in range(size):
            share = matrix[size, i] * matrix[size, i]
            rise = share / (matrix[i, i] * matrix[size, size] - share)
            if rise < least_rise - SMALLEST_GAIN / rows * (best >= 0):
                best, least_rise = i, rise
        if best < 0:
            return size
        scale = 1.0 / matrix[best, best]
        for i in range(size + 1):
            factor = matrix[i, best] * scale
            for j in range(size + 1):
                if i != best:
                    matrix[i, j] -= factor * matrix[best, j]
        for i in range(best, size):
            now[i] = now[i + 1]
            for j in range(size + 1):
                matrix[i, j] = matrix[i + 1, j]
        for i in range(size):
            for j in range(best, size):
                matrix[i, j] = matrix[i, j + 1]
        size -= 1


@part
def _choose(work: OrderWork, vertex: int, limit: int) -> int:
    """Return the state with the parents that a vertex gets among the vertices at positions below ``limit``."""
    thorough = work.counts[THOROUGH] > 0
    while True:
        size, everything = np.int64(0), work.numbers[0, vertex]
        if thorough:
            for c in range(work.position.shape[0]):
                if work.position[c] < limit and c != vertex and work.allowed_edges[vertex, c]:
                    work.now[size] = c
                    size += 1
                    everything ^= work.numbers[1, c]
        slot = np.int64(everything & np.uint64(work.asked.shape[0] - 1))
        if thorough and work.asked[slot] == everything:
            known: int = work.answers[slot]
            return known
        answer = np.int64(UNKNOWN)
        forgotten = work.counts[FORGOTTEN]
        for upwards in range(0 if size > 1 else 1, 2):
            start = np.int64(work.roots[vertex])
            if not upwards or start == UNKNOWN:
                key = work.numbers[0, vertex]
                size = np.int64(0 if upwards else _shrink(work, vertex, size))
                for j in range(size):
                    key ^= work.numbers[1, work.now[j]]
                start = np.int64(find_state(work, vertex, size, key))
                if upwards:
                    work.roots[vertex] = start
            found = np.int64(_walk(work, vertex, start, limit))
            if answer == UNKNOWN or work.scores[found] < work.scores[answer] + SMALLEST_GAIN:
                answer = found
        if not thorough:
            return int(answer)
        if work.counts[FORGOTTEN] == forgotten:  # otherwise one of the states may be gone
            work.asked[slot] = everything
            work.answers[slot] = answer
            return int(answer)


@inlined
def _best_place(work: OrderWork, order: IntArray, place: int) -> int:
    """Return where the vertex at ``place`` is best moved to."""
    vertex, d = order[place], order.shape[0]
    best, best_change = place, 0.0
    for direction in (-1, 1):
        # Those that are jumped over lose a predecessor, or get one: the vertex counts as behind all or before all.
        work.position[vertex] = d if direction > 0 else -1
        passed, own = 0.0, 0.0
        target = place + direction
        while 0 <= target < d:
            for which in range(2):  # one call in a loop: the compiler copies what is called
                who = vertex if which else order[target]
                limit = target + 1 if which and direction > 0 else target
                change = work.scores[_choose(work, who, limit)] - work.local[who]
                if which:
                    own = change
                else:
                    passed += change
            if passed + own < best_change - SMALLEST_GAIN:
                best, best_change = target, passed + own
            target += direction
    work.position[vertex] = place
    return best


@compiled
def climb(work: OrderWork, order: IntArray, awake: Edges, directed: Edges, stop: Edges) -> float:
    """Move vertices to their best places, in place, until no move of a vertex that is awake helps.

    Parameters
    ----------
    work : OrderWork
        From :func:`new_order_work`.
    order : ndarray of int64, shape (d,)
        A permutation of the vertices; afterwards a local optimum, unless stopped.
    awake : ndarray of uint8, shape (d,)
        Which vertices to try. If all are awake, each move wakes all again, and no move of any vertex helps in the
        end. Otherwise a move wakes the vertex itself and those whose local scores it changes. Afterwards all are 0,
        unless stopped.
    directed : ndarray of uint8, shape (d, d)
        Afterwards the graph that belongs to the order, row is cause.
    stop : ndarray of uint8, shape (1,)
        As soon as it is not 0, the order as it is then is taken.

    Returns
    -------
    score : float
        The sum of the local scores n ln(residual variance) + penalty · parents, on the correlation scale.
    """
    d = order.shape[0]
    first, last = 0, d - 1  # the places whose scores are not known
    waiting = 0
    for vertex in range(d):
        waiting += awake[vertex]
    everywhere, started = waiting == d, False
    vertex = d - 1
    while True:
        for place in range(first, last + 1):
            work.position[order[place]] = place
        for place in range(first, last + 1):
            other = order[place]
            score = work.scores[_choose(work, other, place)]
            if started and score != work.local[other]:
                waiting += 1 - awake[other]
                awake[other] = 1
            work.local[other] = score
        started = True
        if waiting == 0 or stop[0]:
            break
        vertex = (vertex + 1) % d
        while not awake[vertex]:
            vertex = (vertex + 1) % d
        place = work.position[vertex]
        target = _best_place(work, order, place)
        first, last = 0, -1
        if target != place:
            step = 1 if target > place else -1
            for i in range(place, target, step):
                order[i] = order[i + step]
            order[target] = vertex
            first, last = min(place, target), max(place, target)
            if everywhere:
                for other in range(d):
                    awake[other] = 1
                waiting = d
        else:
            awake[vertex] = 0
            waiting -= 1
    for cause in range(d):
        for effect in range(d):
            directed[cause, effect] = 0
    total = 0.0
    for place in range(d):
        state = _choose(work, order[place], place)
        parents = work.states[state, PARENTS]
        for j in range(parents, parents + work.states[state, N_PARENTS]):
            directed[work.members[j], order[place]] = 1
        total += work.local[place]
    return total
