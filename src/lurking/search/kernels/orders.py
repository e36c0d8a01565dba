"""Compiled search over orders of the variables; the theory is in :mod:`lurking.search.order_based`.

:func:`climb` improves one order until no move of a single variable helps, and writes the graph that belongs to it.

**States.** A state is a vertex together with a set of parents. It is worked out once, from the correlations alone, and
knows its local score, which further parents would improve it (best first), and which of its parents is best dropped.
From a state the best step that a given order allows leads to the next state: the first entry of its list that stands
before the vertex in the order. So the greedy choice of parents is a walk along links between states, without any
arithmetic once the states are there. These are the grow-shrink trees of Andrews et al. (2023), except that sets that
are reached in different ways share one state.

With L the Cholesky factor of the correlations among the parents P and W = L^-1 R(P, all), the residual variance of c is
1 - sum_j W_jc², and the residual covariance of c with the vertex v is R_vc - sum_j W_jv W_jc: that is what adding c
needs. With b the coefficients of v on P, dropping i raises the residual variance by b_i² / (R_PP^-1)_ii.

Parents are always sorted before this is worked out, so a state does not depend on the way it was reached. When the
memory for states is full, all are forgotten, and the search goes on; it would find the same states again.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lurking._compile import compiled, inlined, part
from lurking._typing import Edges, FloatArray, IntArray
from lurking.search.ties import SMALLEST_GAIN

__all__ = ["MOST_THOROUGH", "Edges", "OrderWork", "climb", "new_order_work"]

Numbers = NDArray[np.int32]
Integer = int | np.int64  # what is read from int32 arrays is widened, so that kernels are compiled for one type

MOST_THOROUGH = 20
"""Variables up to which parents are also looked for from all candidates downwards."""

_ROWS, _PENALTY, _LEAST = range(3)  # entries of OrderWork.settings
_STATES, _ADDITIONS, _MEMBERS, _FORGOTTEN, _THOROUGH = range(5)  # entries of OrderWork.counts
# The columns of OrderWork.states: where the parents and the possible additions are, and links to other states.
_PARENTS, _N_PARENTS, _FIRST, _LAST, _DROP, _DROPPED, _N_COLUMNS = range(7)
_MOST_STATES = 1 << 19
_UNKNOWN = -1


class OrderWork(NamedTuple):
    """Data, settings, states and scratch of a search over orders; not to be shared between threads."""

    correlation: FloatArray
    settings: FloatArray
    allowed_edges: Edges
    """``allowed_edges[j, i]``: may i be a parent of j?"""
    numbers: NDArray[np.uint64]
    """Two random numbers for each vertex: one for being the vertex, one for being a parent."""
    counts: IntArray
    slots: Numbers
    """A hash table of states, by the numbers of their members."""
    keys: NDArray[np.uint64]
    scores: FloatArray
    states: Numbers
    additions: Numbers
    """For each state the vertices that would improve it, best first, and the states that they lead to."""
    members: Numbers
    """The parents of all states, one after the other."""
    roots: Numbers
    """For each vertex its state without parents."""
    asked: NDArray[np.uint64]
    """A direct-mapped table of questions to the thorough choice of parents, and their answers."""
    answers: Numbers
    position: IntArray
    local: FloatArray
    """The local scores of the vertices in the present order."""
    now: Numbers
    columns: FloatArray
    inverse: FloatArray
    sums: FloatArray
    ranks: IntArray


def new_order_work(
    correlation: FloatArray, n_samples: int, allowed_edges: Edges, penalty: float, most_states: int = _MOST_STATES
) -> OrderWork:
    """Allocate the memory of a search.

    Parameters
    ----------
    correlation : ndarray of float, shape (d, d)
        The correlation matrix.
    n_samples : int
        The number of rows.
    allowed_edges : ndarray of uint8, shape (d, d)
        ``allowed_edges[i, j]`` is 1 if i may be a parent of j.
    penalty : float
        For each edge: ln(n) for BIC.
    most_states : int
        How many states are kept, a power of two. Memory is for 16 additions and 16 parents of each on average,
        which makes 250 bytes; memory that no state needs is not touched.
    """
    d = len(correlation)
    questions = 1 << min(18, d + 3) if d <= MOST_THOROUGH else 1
    numbers = np.random.default_rng(20210413).integers(1, 2**64, size=(2, d), dtype=np.uint64)
    counts = np.zeros(5, dtype=np.int64)
    counts[_THOROUGH] = d <= MOST_THOROUGH
    return OrderWork(
        correlation=np.ascontiguousarray(correlation, dtype=np.float64).copy(),
        settings=np.array([float(n_samples), penalty, -math.expm1(-(penalty + SMALLEST_GAIN) / n_samples)]),
        allowed_edges=np.ascontiguousarray(allowed_edges.T, dtype=np.uint8).copy(),
        numbers=numbers,
        counts=counts,
        slots=np.zeros(2 * most_states, dtype=np.int32),
        keys=np.empty(most_states, dtype=np.uint64),
        scores=np.empty(most_states),
        states=np.empty((most_states, _N_COLUMNS), dtype=np.int32),
        additions=np.empty((max(d, 16 * most_states), 2), dtype=np.int32),
        members=np.empty(max(d, 16 * most_states), dtype=np.int32),
        roots=np.full(d, _UNKNOWN, dtype=np.int32),
        asked=np.zeros(questions, dtype=np.uint64),
        answers=np.zeros(questions, dtype=np.int32),
        position=np.zeros(d, dtype=np.int64),
        local=np.zeros(d),
        now=np.zeros(d, dtype=np.int32),
        columns=np.zeros((d, d)),
        inverse=np.zeros((d, d)),
        sums=np.zeros((2, d)),
        ranks=np.zeros(d, dtype=np.int64),
    )


@inlined
def _forget(work: OrderWork) -> None:
    """Forget all states, so that new ones can be stored."""
    work.counts[_STATES] = work.counts[_ADDITIONS] = work.counts[_MEMBERS] = 0
    work.counts[_FORGOTTEN] += 1
    for slot in range(work.slots.shape[0]):
        work.slots[slot] = 0
    for slot in range(work.asked.shape[0]):
        work.asked[slot] = 0
    for vertex in range(work.roots.shape[0]):
        work.roots[vertex] = _UNKNOWN


@inlined
def _slot(work: OrderWork, key: np.uint64) -> int:
    """Return the slot of a key, or the free one where it belongs."""
    last = work.slots.shape[0] - 1
    slot = np.int64(key & np.uint64(last))
    while work.slots[slot] > 0 and work.keys[work.slots[slot] - 1] != key:
        slot = (slot + 1) & last
    return int(slot)


@inlined
def _regress(work: OrderWork, vertex: int, size: Integer) -> float:
    """Regress on the first ``size`` of ``work.now``; leave residual variances and covariances in ``work.sums``."""
    columns, correlation = work.columns, work.correlation
    variances, covariances = work.sums[0], work.sums[1]
    d = correlation.shape[0]
    for c in range(d):
        variances[c] = 1.0
        covariances[c] = correlation[vertex, c]
    for j in range(size):
        member = work.now[j]
        column = columns[j]
        for c in range(d):
            column[c] = correlation[member, c]
        for i in range(j):
            earlier = columns[i]
            factor = earlier[member]
            for c in range(d):
                column[c] -= factor * earlier[c]
        scale = 1.0 / math.sqrt(column[member])
        own = column[vertex] * scale
        for c in range(d):
            column[c] *= scale
            variances[c] -= column[c] * column[c]
            covariances[c] -= column[c] * own
    residual: float = variances[vertex]
    return residual


@inlined
def _list_additions(work: OrderWork, vertex: int, size: Integer, variance: float) -> None:
    """List the vertices whose addition improves the score, best first, equals by their number."""
    rows, penalty, least = work.settings[_ROWS], work.settings[_PENALTY], work.settings[_LEAST]
    variances, covariances, ranks = work.sums[0], work.sums[1], work.ranks
    d = variances.shape[0]
    for j in range(size):
        covariances[work.now[j]] = 0.0
    covariances[vertex] = 0.0
    count = 0
    for c in range(d):
        share = covariances[c] * covariances[c]
        whole = variances[c] * variance
        if share > least * whole and share < whole and work.allowed_edges[vertex, c]:
            gain = -rows * math.log1p(-share / whole) - penalty
            # Rounded, so that equals are equal; one number holds the gain and the vertex.
            ranks[count] = c - d * np.int64(gain / SMALLEST_GAIN + 0.5)
            count += 1
    step = 1
    while 3 * step + 1 < count:
        step = 3 * step + 1
    while step > 0:  # Shell's sort
        for i in range(step, count):
            rank = ranks[i]
            j = i
            while j >= step and ranks[j - step] > rank:
                ranks[j] = ranks[j - step]
                j -= step
            ranks[j] = rank
        step //= 3
    first = work.counts[_ADDITIONS]
    for i in range(count):
        work.additions[first + i, 0] = ranks[i] % d
        work.additions[first + i, 1] = _UNKNOWN
    work.counts[_ADDITIONS] = first + count


@inlined
def _best_drop(work: OrderWork, vertex: int, size: Integer, variance: float) -> int:
    """Return the parent whose removal improves the score most, or -1."""
    rows, penalty = work.settings[_ROWS], work.settings[_PENALTY]
    inverse, columns, now = work.inverse, work.columns, work.now
    for j in range(size):
        diagonal = 1.0 / columns[j, now[j]]
        inverse[j, j] = diagonal
        for i in range(j):
            total = 0.0
            for k in range(i, j):
                total += columns[k, now[j]] * inverse[k, i]
            inverse[j, i] = -total * diagonal
    # Dropping costs rows · ln(1 + rise).
    best, least_rise = -1, math.expm1((penalty - SMALLEST_GAIN) / rows)
    for i in range(size):
        coefficient, precision = 0.0, 0.0
        for j in range(i, size):
            coefficient += inverse[j, i] * columns[j, vertex]
            precision += inverse[j, i] * inverse[j, i]
        rise = coefficient * coefficient / (precision * variance)
        if rise < least_rise - SMALLEST_GAIN / rows * (best >= 0):
            best, least_rise = now[i], rise
    return best


@part
def _state(work: OrderWork, vertex: int, size: Integer, key: np.uint64) -> int:
    """Return the state of a vertex with the first ``size`` of ``work.now`` as parents, which are sorted."""
    slot = _slot(work, key)
    if work.slots[slot] > 0:
        known: int = work.slots[slot] - 1
        return known
    if (
        work.counts[_STATES] == work.keys.shape[0]
        or work.counts[_ADDITIONS] + work.correlation.shape[0] > work.additions.shape[0]
        or work.counts[_MEMBERS] + size > work.members.shape[0]
    ):
        _forget(work)
        slot = int(np.int64(key & np.uint64(work.slots.shape[0] - 1)))
    new: int = work.counts[_STATES]
    work.counts[_STATES] = new + 1
    work.slots[slot] = new + 1
    work.keys[new] = key
    state = work.states[new]
    first = work.counts[_MEMBERS]
    for j in range(size):
        work.members[first + j] = work.now[j]
    work.counts[_MEMBERS] = first + size
    state[_PARENTS], state[_N_PARENTS] = first, size
    variance = _regress(work, vertex, size)
    work.scores[new] = work.settings[_ROWS] * math.log(variance) + work.settings[_PENALTY] * size
    state[_DROP] = _best_drop(work, vertex, size, variance)
    state[_DROPPED] = _UNKNOWN
    state[_FIRST] = work.counts[_ADDITIONS]
    _list_additions(work, vertex, size, variance)
    state[_LAST] = work.counts[_ADDITIONS]
    return new


@inlined
def _with_or_without(work: OrderWork, state: Integer, other: Integer) -> int:
    """Write the parents of a state to ``work.now``, with one more, or without it if it is there; return how many."""
    count = 0
    placed = False
    for j in range(work.states[state, _PARENTS], work.states[state, _PARENTS] + work.states[state, _N_PARENTS]):
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
        step = np.int64(_UNKNOWN)
        following = np.int64(_UNKNOWN)
        k = np.int64(states[state, _FIRST])
        if growing:
            last = states[state, _LAST]
            while k < last and position[additions[k, 0]] >= limit:
                k += 1
            if k < last:
                step, following = np.int64(additions[k, 0]), np.int64(additions[k, 1])
        else:
            step, following = np.int64(states[state, _DROP]), np.int64(states[state, _DROPPED])
        stuck += 1
        if step == _UNKNOWN:
            growing = not growing
            continue
        if following == _UNKNOWN:
            forgotten = work.counts[_FORGOTTEN]
            size = _with_or_without(work, state, step)
            following = np.int64(_state(work, vertex, size, work.keys[state] ^ work.numbers[1, step]))
            if work.counts[_FORGOTTEN] == forgotten:  # otherwise the old state is gone
                if growing:
                    additions[k, 1] = following
                else:
                    states[state, _DROPPED] = following
        state, stuck = following, 0
    return int(state)


@inlined
def _shrink(work: OrderWork, vertex: int, size: Integer) -> Integer:
    """Drop parents from the first ``size`` of ``work.now`` until none helps; return how many are left.

    It works with the inverse of the correlations of the vertex and its parents: the reciprocals of its diagonal are
    the residual variances, and a sweep takes a parent out.
    """
    matrix, now = work.inverse, work.now
    rows, penalty = work.settings[_ROWS], work.settings[_PENALTY]
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
    thorough = work.counts[_THOROUGH] > 0
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
        answer = np.int64(_UNKNOWN)
        forgotten = work.counts[_FORGOTTEN]
        for upwards in range(0 if size > 1 else 1, 2):
            start = np.int64(work.roots[vertex])
            if not upwards or start == _UNKNOWN:
                key = work.numbers[0, vertex]
                size = np.int64(0 if upwards else _shrink(work, vertex, size))
                for j in range(size):
                    key ^= work.numbers[1, work.now[j]]
                start = np.int64(_state(work, vertex, size, key))
                if upwards:
                    work.roots[vertex] = start
            found = np.int64(_walk(work, vertex, start, limit))
            if answer == _UNKNOWN or work.scores[found] < work.scores[answer] + SMALLEST_GAIN:
                answer = found
        if not thorough:
            return int(answer)
        if work.counts[_FORGOTTEN] == forgotten:  # otherwise one of the states may be gone
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
        parents = work.states[state, _PARENTS]
        for j in range(parents, parents + work.states[state, _N_PARENTS]):
            directed[work.members[j], order[place]] = 1
        total += work.local[place]
    return total
