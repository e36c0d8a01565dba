"""What the screen remembers of a graph between its predictions, and how it is kept in step with a changing graph.

A prediction for the pair (i, j) depends on the districts of i and j alone: on their members, on the parents and the
estimates of these, on their error covariances (:mod:`lurking.search.kernels.screen`). A move changes one or two
districts, so most of what was worked out for the graph before still holds. :func:`find_changes` compares a graph,
column by column, with the one that was prepared last and marks the districts that differ; only these are worked out
anew. Nobody has to report a change, so no change can be missed: a round that is undone, a walk that starts elsewhere
and a graph that was fitted anew are found in the same way.

Each preparation has a number. A prediction is stamped with the number of the latest preparation, and a district with
that of the preparation that changed it last: a prediction holds while neither of its two districts changed after it.

The Hessians of the districts lie one behind the other in one array of bounded size. A district that changed gets new
room at the end; when there is none left, all districts are laid out again from the beginning. A district whose Hessian
does not fit even then, one of about two thousand parameters, is not predicted: :func:`~.screen.prepare_screen` says so.

The work arrays belong to one :class:`~lurking.sem.kernels.score_state.ScoreState`: the data are not compared.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lurking._compile import inlined, part
from lurking._typing import Edges, FloatArray, IntArray
from lurking.sem.kernels.fit_call import NOISE_CENTRE, NOISE_STRENGTH
from lurking.sem.kernels.linear_algebra import factor, invert_factored
from lurking.sem.kernels.score_state import ScoredGraph, ScoreState

__all__ = [
    "Derivatives",
    "ScreenWork",
    "count_parameters",
    "find_changes",
    "forget",
    "has_room",
    "list_members",
    "list_parameters",
    "make_room",
    "new_screen_work",
    "note_changes",
    "update_moments_of_errors",
]

# planes of Derivatives.matrix; the last two are scratch
K, W, U, KE, G, OWN_SLOPE, _FACTOR, _INVERSE = range(8)
# kinds of parameters
COEFFICIENT, COVARIANCE = 0, 1
# rows of Derivatives.block: where the parameters of a district begin, how many are coefficients and how many there are,
# and where its T begins
FIRST, COEFFICIENTS, COUNT, BEGIN = range(4)
# rows of Derivatives.vector: H_yP of one parameter y, T H_Py, and what the term of similar noise adds to H_yP
CROSS, WHITENED, NOISE_CROSS = range(3)
# rows of Derivatives.noise: second derivative of the term by the own variance of each variable, and minus the first
BEND, PULL = range(2)
# entries of ScreenWork.adjacency
ADD, REMOVE = range(2)
# entries of ScreenWork.counts: preparations, parameters listed, and numbers of the array of Hessians in use
PREPARATIONS, LISTED, USED = range(3)
# rows of ScreenWork.lists: the next member of the district and the number of parents, of each variable, and scratch
NEXT, N_PARENTS, _MEMBERS = range(3)

# places of ScreenWork.known behind the four edges
LEAST_OF_PAIR = 4

_NONE = -1
_MOST_NUMBERS = 1 << 22  # of the array of Hessians: 32 MB, of which only what is used is ever touched


class Derivatives(NamedTuple):
    """What the predictions read; few arrays, because each costs time in every call that they are handed to."""

    matrix: FloatArray
    hessian: FloatArray
    """The Hessian of each district, then the inverse T of its factor, one after the other."""
    vector: FloatArray
    """Vectors over the parameters of a district."""
    noise: FloatArray
    """Vectors over the variables; only with similar noise."""
    parameter: IntArray
    """The parameters (first, second) of all districts, coefficients first; (i, j) is that of i in the equation of j."""
    position: NDArray[np.int32]
    """``position[kind, i, j]``: the number of a parameter in its district, or -1."""
    block: IntArray
    """What belongs to each district, in the column of its smallest member."""


class ScreenWork(NamedTuple):
    """Arrays for the prediction, allocated once."""

    derivatives: Derivatives
    adjacency: FloatArray
    """What one adjacency more, and one less, changes the cost of their number by."""
    edges: Edges
    """The directed and the bidirected matrix of the graph that was prepared last."""
    estimates: FloatArray
    """Its coefficients and error covariances."""
    assumed: FloatArray
    """Centre and strength of the similar noise that it was prepared with; nan if no graph was."""
    parents: NDArray[np.int32]
    """``parents[j]``: its parents."""
    lists: IntArray
    counts: IntArray
    changed: Edges
    """Which variables are in a district that differs from what was prepared."""
    changed_at: IntArray
    """For each variable the preparation that changed its district last."""
    known: FloatArray
    """``known[i, j, edge]``: predictions, without the cost of the number of adjacencies; in place LEAST_OF_PAIR the
    smallest of a pair that has no edge."""
    known_at: NDArray[np.int32]
    """The preparations that they belong to."""


def new_screen_work(d: int) -> ScreenWork:
    """Allocate the arrays for graphs with d variables."""
    most = d * (d + 1) // 2
    return ScreenWork(
        derivatives=Derivatives(
            matrix=np.zeros((8, d, d)),
            hessian=np.zeros(min(2 * most * most, _MOST_NUMBERS)),
            vector=np.zeros((3, most)),
            noise=np.zeros((2, d)),
            parameter=np.zeros((2, 2 * most), dtype=np.int64),
            position=np.full((2, d, d), _NONE, dtype=np.int32),
            block=np.zeros((4, d), dtype=np.int64),
        ),
        adjacency=np.zeros(2),
        edges=np.zeros((2, d, d), dtype=np.uint8),
        estimates=np.zeros((2, d, d)),
        assumed=np.full(2, np.nan),
        parents=np.zeros((d, d), dtype=np.int32),
        lists=np.zeros((3, d), dtype=np.int64),
        counts=np.zeros(3, dtype=np.int64),
        changed=np.zeros(d, dtype=np.uint8),
        changed_at=np.zeros(d, dtype=np.int64),
        known=np.zeros((d, d, 5)),
        known_at=np.zeros((d, d, 5), dtype=np.int32),
    )


@inlined
def find_changes(work: ScreenWork, state: ScoreState, graph: ScoredGraph) -> bool:
    """Mark the variables whose districts differ from those of the graph prepared last; tell if there are any."""
    d = graph.district.shape[0]
    changed, lists = work.changed, work.lists
    if (
        work.assumed[0] != state.settings[NOISE_CENTRE] or work.assumed[1] != state.settings[NOISE_STRENGTH]
    ):  # nan differs from everything
        changed[:] = 1
        return True
    changed[:] = 0
    for i in range(d):
        for j in range(d):
            changed[j] |= (graph.directed[i, j] != work.edges[0, i, j]) | (
                graph.bidirected[i, j] != work.edges[1, i, j]
            )
        for j in range(d):
            changed[j] |= (graph.coef[i, j] != work.estimates[0, i, j]) | (
                graph.error_cov[i, j] != work.estimates[1, i, j]
            )
    found = False
    marked = lists[_MEMBERS]
    for vertex in range(d):
        marked[vertex] = 0
    for vertex in range(d):
        if changed[vertex]:
            marked[graph.district[vertex]] = 1
            found = True
    for vertex in range(d):
        changed[vertex] = marked[graph.district[vertex]]
    return found


@inlined
def note_changes(work: ScreenWork, state: ScoreState, graph: ScoredGraph) -> None:
    """Take over the variables that are marked as changed, and give the preparation a number."""
    d = graph.district.shape[0]
    work.counts[PREPARATIONS] += 1
    work.assumed[0], work.assumed[1] = state.settings[NOISE_CENTRE], state.settings[NOISE_STRENGTH]
    for j in range(d):
        if not work.changed[j]:
            continue
        work.changed_at[j] = work.counts[PREPARATIONS]
        count = 0
        for i in range(d):
            work.edges[0, i, j], work.edges[1, i, j] = graph.directed[i, j], graph.bidirected[i, j]
            work.estimates[0, i, j], work.estimates[1, i, j] = graph.coef[i, j], graph.error_cov[i, j]
            if graph.directed[i, j]:
                work.parents[j, count] = i
                count += 1
        work.lists[N_PARENTS, j] = count


@inlined
def forget(work: ScreenWork) -> None:
    """Make the next graph one of which nothing is prepared."""
    work.assumed[0] = np.nan


@inlined
def list_members(work: ScreenWork, graph: ScoredGraph) -> None:
    """Write for each variable the next member of its district, or -1; the first one is the district's name."""
    following, latest = work.lists[NEXT], work.lists[_MEMBERS]
    for vertex in range(graph.district.shape[0]):
        district = graph.district[vertex]
        following[vertex] = _NONE
        if district != vertex:
            following[latest[district]] = vertex
        latest[district] = vertex


@inlined
def update_moments_of_errors(work: ScreenWork, state: ScoreState, graph: ScoredGraph) -> bool:
    """Bring K, W, U, K E and G up to date; tell if the error covariances are positive definite.

    K, W and U have rows of a district that depend on it alone; K E and G, rows and columns.
    """
    matrix, following = work.derivatives.matrix, work.lists[NEXT]
    d = graph.district.shape[0]
    for i in range(d):
        if work.changed[i] and not _update_rows(work, state, graph, i):
            return False
    for i in range(d):
        for j in range(d):
            if work.changed[i] or work.changed[j]:
                total = matrix[U, i, j]
                for k in range(work.lists[N_PARENTS, j]):
                    parent = work.parents[j, k]
                    total -= graph.coef[parent, j] * matrix[U, i, parent]
                matrix[KE, i, j] = total
    for i in range(d):
        for j in range(d):
            if work.changed[i] or work.changed[j]:
                total = 0.0
                member = graph.district[j]
                while member >= 0:
                    total += matrix[KE, i, member] * matrix[K, member, j]
                    member = following[member]
                matrix[G, i, j] = total
    return True


@inlined
def _update_rows(work: ScreenWork, state: ScoreState, graph: ScoredGraph, i: int) -> bool:
    """Bring rows of K, W and U up to date: W of every variable, K and U of a district with its last member."""
    matrix, following, members = work.derivatives.matrix, work.lists[NEXT], work.lists[_MEMBERS]
    d = graph.district.shape[0]
    for p in range(d):
        matrix[W, i, p] = state.correlation[i, p]
        matrix[K, i, p] = matrix[K, p, i] = 0.0
    for k in range(work.lists[N_PARENTS, i]):
        parent = work.parents[i, k]
        for p in range(d):
            matrix[W, i, p] -= graph.coef[parent, i] * state.correlation[parent, p]
    regular = True
    if following[i] < 0:
        m = 0
        member = graph.district[i]
        while member >= 0:
            members[m] = member
            m += 1
            member = following[member]
        for a in range(m):
            for b in range(m):
                matrix[_FACTOR, a, b] = graph.error_cov[members[a], members[b]]
        regular = factor(matrix[_FACTOR], m)
        if regular:
            invert_factored(matrix[_FACTOR], m, matrix[_INVERSE])
            for a in range(m):
                for p in range(d):
                    matrix[U, members[a], p] = 0.0
                for b in range(m):
                    weight = matrix[_INVERSE, a, b]
                    matrix[K, members[a], members[b]] = weight
                    for p in range(d):
                        matrix[U, members[a], p] += weight * matrix[W, members[b], p]
    return regular


@part
def count_parameters(lists: IntArray, bidirected: Edges, district: int) -> int:
    """Return the number of parameters of a district; ``lists`` are those of the work arrays."""
    count = 0
    member = district
    while member >= 0:
        count += lists[N_PARENTS, member] + 1
        other = lists[NEXT, member]
        while other >= 0:
            count += bidirected[member, other]
            other = lists[NEXT, other]
        member = lists[NEXT, member]
    return count


@inlined
def has_room(work: ScreenWork, parameters: int, numbers: int) -> bool:
    """Tell if so many parameters more, and so many numbers of Hessians, have room."""
    return bool(
        work.counts[LISTED] + parameters <= work.derivatives.parameter.shape[1]
        and work.counts[USED] + numbers <= work.derivatives.hessian.shape[0]
    )


@inlined
def make_room(work: ScreenWork) -> None:
    """Give back the room of all districts, which count as changed."""
    work.counts[LISTED] = work.counts[USED] = 0
    work.changed[:] = 1


@inlined
def list_parameters(work: ScreenWork, graph: ScoredGraph, district: int) -> None:
    """List the parameters of a district, where there is room for them, and note where they are and its T will be."""
    parameter, position, block = work.derivatives.parameter, work.derivatives.position, work.derivatives.block
    following = work.lists[NEXT]
    first = count = work.counts[LISTED]
    block[FIRST, district], block[BEGIN, district] = first, work.counts[USED]
    j = district
    while j >= 0:
        for i in range(graph.district.shape[0]):
            position[COEFFICIENT, i, j] = _NONE
        for k in range(work.lists[N_PARENTS, j]):
            i = work.parents[j, k]
            parameter[0, count], parameter[1, count] = i, j
            position[COEFFICIENT, i, j] = count - first
            count += 1
        j = following[j]
    block[COEFFICIENTS, district] = count - first
    j = district
    while j >= 0:
        for i in range(j + 1):
            position[COVARIANCE, i, j] = _NONE
            if i == j or graph.bidirected[i, j]:
                parameter[0, count], parameter[1, count] = i, j
                position[COVARIANCE, i, j] = count - first
                count += 1
        j = following[j]
    block[COUNT, district] = count - first
    work.counts[LISTED] = count
    work.counts[USED] += (count - first) ** 2
