"""The states of a search over orders: a vertex with a set of parents, worked out once.

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

from lurking._compile import inlined, part
from lurking._typing import Edges, FloatArray, IntArray
from lurking.search.ties import SMALLEST_GAIN

__all__ = ["MOST_THOROUGH", "OrderWork", "find_state", "new_order_work"]

Numbers = NDArray[np.int32]
Integer = int | np.int64  # what is read from int32 arrays is widened, so that kernels are compiled for one type

MOST_THOROUGH = 20
"""Variables up to which parents are also looked for from all candidates downwards."""

ROWS, PENALTY, _LEAST = range(3)  # entries of OrderWork.settings
_STATES, _ADDITIONS, _MEMBERS, FORGOTTEN, THOROUGH = range(5)  # entries of OrderWork.counts
# The columns of OrderWork.states: where the parents and the possible additions are, and links to other states.
PARENTS, N_PARENTS, FIRST, LAST, DROP, DROPPED, _N_COLUMNS = range(7)
_MOST_STATES = 1 << 19
UNKNOWN = -1


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
    counts[THOROUGH] = d <= MOST_THOROUGH
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
        roots=np.full(d, UNKNOWN, dtype=np.int32),
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
    work.counts[FORGOTTEN] += 1
    for slot in range(work.slots.shape[0]):
        work.slots[slot] = 0
    for slot in range(work.asked.shape[0]):
        work.asked[slot] = 0
    for vertex in range(work.roots.shape[0]):
        work.roots[vertex] = UNKNOWN


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
    rows, penalty, least = work.settings[ROWS], work.settings[PENALTY], work.settings[_LEAST]
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
        work.additions[first + i, 1] = UNKNOWN
    work.counts[_ADDITIONS] = first + count


@inlined
def _best_drop(work: OrderWork, vertex: int, size: Integer, variance: float) -> int:
    """Return the parent whose removal improves the score most, or -1."""
    rows, penalty = work.settings[ROWS], work.settings[PENALTY]
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
def find_state(work: OrderWork, vertex: int, size: Integer, key: np.uint64) -> int:
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
    state[PARENTS], state[N_PARENTS] = first, size
    variance = _regress(work, vertex, size)
    work.scores[new] = work.settings[ROWS] * math.log(variance) + work.settings[PENALTY] * size
    state[DROP] = _best_drop(work, vertex, size, variance)
    state[DROPPED] = UNKNOWN
    state[FIRST] = work.counts[_ADDITIONS]
    _list_additions(work, vertex, size, variance)
    state[LAST] = work.counts[_ADDITIONS]
    return new
