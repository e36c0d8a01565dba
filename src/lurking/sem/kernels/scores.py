"""Score a graph, or the change of one edge, without leaving compiled code.

The functions for a search loop, on a ``ScoreState`` (the data and the table of districts) and a ``ScoredGraph`` (where
the search stands), both from :mod:`lurking.sem.kernels.score_state`:

- :func:`score_graph` scores and fits the graph whose edges are in place, :func:`refit_graph` only what differs from
  another graph;
- :func:`change_delta` says what another edge between a pair would change, from the table or by a fit that starts at
  the current parameters; the graph is as before afterwards;
- :func:`change_pair` makes the change and refits the districts that it touches;
- :func:`take_last` makes the change that was looked at last with the fit that it had then, if it had one.

The edge of a pair (i, j) is a number (:mod:`lurking.graphs.edge_kinds`). A directed edge touches the district of
its head, a bidirected edge those of both ends, which it joins, or which split without it. It is not checked here
that the graph stays acyclic: the caller does. No pair can get two edges.
"""

from __future__ import annotations

import numpy as np

from lurking._compile import compiled, exact_part, inlined, part
from lurking._typing import Edges, FloatArray, IntArray
from lurking.graphs.edge_kinds import ARROW_BACK, ARROW_ON, BIDIRECTED, NO_EDGE, set_edge
from lurking.sem.kernels.district import MEMBERS as COLUMNS
from lurking.sem.kernels.district import OMEGA, VARIABLE, VARIABLES, B
from lurking.sem.kernels.fit_call import (
    COMPLEXITY,
    ERROR,
    HOPELESS_ABOVE,
    LOG_SQUARES,
    LOG_SUM,
    LOSS,
    NOISE_CENTRE,
    NOISE_STRENGTH,
    SCORE,
    STATUS,
    call_fit,
)
from lurking.sem.kernels.score_state import ScoredGraph, ScoreState, district_key, look_up, remember

__all__ = [
    "MARKED",
    "MEMBERS",
    "change_delta",
    "change_pair",
    "count_adjacencies",
    "district_score",
    "find_district",
    "refit_graph",
    "score_graph",
    "take_last",
    "total_score",
]

MEMBERS, _STACK, MARKED, _TOUCHED = range(4)  # rows of ScoreState.lists
_NOT_FITTED = -1.0


@part
def find_district(state: ScoreState, bidirected: Edges, start: int) -> int:
    """Write the members of the district of ``start`` in increasing order to ``state.lists[0]``; return their number."""
    d = bidirected.shape[0]
    members, stack, marked = state.lists[MEMBERS], state.lists[_STACK], state.lists[MARKED]
    for vertex in range(d):
        marked[vertex] = 0
    marked[start] = 1
    stack[0] = start
    size = 1
    while size > 0:
        size -= 1
        vertex = stack[size]
        for other in range(d):
            if bidirected[vertex, other] and not marked[other]:
                marked[other] = 1
                stack[size] = other
                size += 1
    m = 0
    for vertex in range(d):
        if marked[vertex]:
            members[m] = vertex
            m += 1
    return m


@inlined
def _fit_found_district(
    state: ScoreState, directed: Edges, bidirected: Edges, m: int, warm: int, coef: FloatArray, error_cov: FloatArray
) -> None:
    """Fit the district in ``state.lists[0]``; its values go to ``state.found``, its parameters to ``state.work``."""
    work = state.work
    call_fit(
        state.address[0], state.address, state.first_column,
        state.correlation, state.units, state.settings, state.prices,
        state.lists[MEMBERS], state.found, directed, bidirected, coef, error_cov,
        work.size, work.lists, work.matrix, work.hessian, work.step, work.prior,
        directed.shape[0], work.hessian.shape[1], m, warm,
    )  # fmt: skip


@part
def count_adjacencies(directed: Edges, bidirected: Edges) -> int:
    """Return the number of adjacent pairs of a bow-free graph."""
    count = 0
    for i in range(directed.shape[0]):
        for j in range(i):
            count += directed[i, j] + directed[j, i] + bidirected[i, j]
    return count


@inlined
def _score_found(state: ScoreState, m: int) -> float:
    """Return the score that belongs to the loss in ``state.found`` and put it there too."""
    settings, found = state.settings, state.found
    centre = settings[NOISE_CENTRE]
    spread = found[LOG_SQUARES] - 2.0 * centre * found[LOG_SUM] + m * centre * centre
    found[SCORE] = found[LOSS] + found[COMPLEXITY] + settings[NOISE_STRENGTH] * spread
    score: float = found[SCORE]
    return score


@compiled
def district_score(
    state: ScoreState,
    directed: Edges,
    bidirected: Edges,
    start: int,
    warm: int,
    coef: FloatArray,
    error_cov: FloatArray,
    threshold: float,
) -> float:
    """Return the local score of the district of ``start``, from the table or by a fit.

    A fit starts at the given parameters if ``warm``. A score above ``threshold`` may be inexact, because a fit that
    cannot come below it is given up. The members are in ``state.lists[0]`` afterwards, marked in ``state.lists[2]``,
    the values in ``state.found``.
    """
    found, settings = state.found, state.settings
    m = find_district(state, bidirected, start)
    key = district_key(state, directed, bidirected, state.lists[MEMBERS], m)
    if not look_up(state, key) or (
        found[ERROR] < 0.0 and not found[LOSS] + found[ERROR] + found[COMPLEXITY] > threshold
    ):
        settings[HOPELESS_ABOVE] = threshold
        _fit_found_district(state, directed, bidirected, m, warm, coef, error_cov)
        settings[HOPELESS_ABOVE] = np.inf
        remember(state, key)
    return _score_found(state, m)


@compiled
def total_score(state: ScoreState, graph: ScoredGraph) -> float:
    """Return the sum of the local scores and what the number of adjacencies costs."""
    total = float(state.adjacency_costs[count_adjacencies(graph.directed, graph.bidirected)])
    for vertex in range(graph.district.shape[0]):
        if graph.district[vertex] == vertex:
            total += graph.local[vertex, SCORE]
    return total


@part
def _adopt(state: ScoreState, graph: ScoredGraph, m: int) -> None:
    """Give the graph the values and parameters of the district that was fitted last, that in ``state.lists[0]``."""
    work, members = state.work, state.lists[MEMBERS]
    variable = work.lists[VARIABLE]
    for k in range(graph.local.shape[1]):
        graph.local[members[0], k] = state.found[k]
    for i in range(m):
        graph.district[members[i]] = members[0]
    columns = work.size[COLUMNS]
    for i in range(columns):
        member = variable[i]
        for other in range(graph.coef.shape[0]):
            graph.coef[other, member] = 0.0
            graph.error_cov[other, member] = 0.0
            graph.error_cov[member, other] = 0.0
    for i in range(columns):
        for p in range(work.size[VARIABLES]):
            graph.coef[variable[p], variable[i]] = work.matrix[B, i, p]
        for j in range(columns):
            graph.error_cov[variable[j], variable[i]] = work.matrix[OMEGA, i, j]


@part
def _refit_touched(state: ScoreState, graph: ScoredGraph, warm: int) -> None:
    """Find and fit anew the districts of the vertices that are marked as touched."""
    members, touched = state.lists[MEMBERS], state.lists[_TOUCHED]
    for vertex in range(touched.shape[0]):
        if not touched[vertex]:
            continue
        m = find_district(state, graph.bidirected, vertex)
        _fit_found_district(state, graph.directed, graph.bidirected, m, warm, graph.coef, graph.error_cov)
        remember(state, district_key(state, graph.directed, graph.bidirected, members, m))
        _score_found(state, m)
        _adopt(state, graph, m)
        for i in range(m):
            touched[members[i]] = 0


@compiled
def score_graph(state: ScoreState, graph: ScoredGraph, warm: int) -> float:
    """Score and fit the whole graph, starting at its own parameters if ``warm``; return its score."""
    state.lists[_TOUCHED, :] = 1
    _refit_touched(state, graph, warm)
    return total_score(state, graph)


@exact_part
def refit_graph(state: ScoreState, graph: ScoredGraph, before: ScoredGraph) -> float:
    """Fit the districts that a change of edges touched, starting at the graph's own parameters; return its score.

    ``before`` has the edges that the graph had when it was scored last.
    """
    touched, marked = state.lists[_TOUCHED], state.lists[MARKED]
    d = touched.shape[0]
    touched[:] = 0
    for i in range(d):
        for j in range(d):
            touched[j] |= (graph.directed[i, j] != before.directed[i, j]) | (
                graph.bidirected[i, j] != before.bidirected[i, j]
            )
    marked[:] = 0
    for vertex in range(d):
        if touched[vertex]:
            marked[graph.district[vertex]] = 1
    for vertex in range(d):
        touched[vertex] = marked[graph.district[vertex]]
    _refit_touched(state, graph, int(d > 0))  # warm, but not as a constant; see change_delta
    return total_score(state, graph)


@inlined
def _touch(state: ScoreState, district: IntArray, i: int, j: int, before: int, after: int) -> None:
    """Mark the members of the districts that a change of the edge between i and j touches."""
    touched = state.lists[_TOUCHED]
    heads = before in (ARROW_ON, BIDIRECTED) or after in (ARROW_ON, BIDIRECTED)
    tails = before in (ARROW_BACK, BIDIRECTED) or after in (ARROW_BACK, BIDIRECTED)
    for vertex in range(district.shape[0]):
        label = district[vertex]
        touched[vertex] = (heads and label == district[j]) or (tails and label == district[i])


@exact_part
def change_delta(state: ScoreState, graph: ScoredGraph, i: int, j: int, edge: int, threshold: float) -> float:
    """Return what the score changes by if the pair (i, j) gets the given edge; the graph stays as it is.

    Changes above ``threshold`` may be inexact but stay above it: moves that cannot be accepted are not fitted to the
    end.
    """
    directed, bidirected = graph.directed, graph.bidirected
    before = set_edge(directed, bidirected, i, j, edge)
    if before == edge:
        return 0.0
    warm = int(before != edge)  # 1, but not as a constant, for which everything below would be compiled once more
    touched, marked = state.lists[_TOUCHED], state.lists[MARKED]
    _touch(state, graph.district, i, j, before, edge)
    state.found[STATUS] = _NOT_FITTED  # the table has no status
    delta = 0.0
    if NO_EDGE in (before, edge):
        after = count_adjacencies(directed, bidirected)
        delta = state.adjacency_costs[after] - state.adjacency_costs[after + (1 if edge == NO_EDGE else -1)]
    left = 0
    for vertex in range(directed.shape[0]):
        left += touched[vertex]
        if touched[vertex] and graph.district[vertex] == vertex:
            delta -= graph.local[vertex, SCORE]
    for vertex in range(directed.shape[0]):
        if not touched[vertex]:
            continue
        # Only what the last of the districts may cost at most is known.
        is_last = find_district(state, bidirected, vertex) == left
        limit = threshold - delta if is_last else np.inf
        delta += district_score(state, directed, bidirected, vertex, warm, graph.coef, graph.error_cov, limit)
        for other in range(vertex, directed.shape[0]):
            if marked[other]:
                touched[other] = 0
                left -= 1
    set_edge(directed, bidirected, i, j, before)
    return delta


@exact_part
def change_pair(state: ScoreState, graph: ScoredGraph, i: int, j: int, edge: int) -> float:
    """Give the pair (i, j) another edge and refit what it touches; return the new total score."""
    before = set_edge(graph.directed, graph.bidirected, i, j, edge)
    warm = int(before != edge)
    if warm:
        _touch(state, graph.district, i, j, before, edge)
        _refit_touched(state, graph, warm)
    return total_score(state, graph)


@exact_part
def take_last(state: ScoreState, graph: ScoredGraph, i: int, j: int, edge: int) -> bool:
    """Give the pair (i, j) the edge that :func:`change_delta` has just looked at, and take its fit over.

    That is possible if the change touches one district only, and if it was fitted. Tells if it was done.
    """
    touched, marked = state.lists[_TOUCHED], state.lists[MARKED]
    before = set_edge(graph.directed, graph.bidirected, i, j, edge)
    _touch(state, graph.district, i, j, before, edge)
    m = 0
    was_all = state.found[STATUS] != _NOT_FITTED
    for vertex in range(touched.shape[0]):
        m += marked[vertex]
        was_all &= touched[vertex] == marked[vertex]
    if was_all:
        _adopt(state, graph, m)
    else:
        set_edge(graph.directed, graph.bidirected, i, j, before)
    return bool(was_all)
