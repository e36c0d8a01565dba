"""Predicted gains of moves between vertices of several columns, against the whole quadratic model of the wide graph."""

from __future__ import annotations

from itertools import combinations, pairwise

import numba
import numpy as np
import pytest

from lurking import ADMG
from lurking.graphs.edge_kinds import BIDIRECTED, NO_EDGE, edge_of
from lurking.search.kernels.block_screen import new_block_buffers, predict_block_move, prepare_block_screen
from lurking.search.kernels.screen import new_screen_work
from lurking.sem import DistrictScore
from lurking.sem.kernels.complexity import COEFFICIENT_PRECISION, COVARIANCE_PRECISION
from lurking.sem.kernels.scores import score_graph
from oracles.screen_numpy import Parameter, information_of_set, parameter_of, predicted_change_of_sets
from sem.grouped_data import mixed_moments

GRAPHS = ("A -> B -> C -> D; B <-> D", "A <-> B <-> C; D -> A", "A -> B; C <-> D", "D -> B; A; C")


@numba.njit
def _predict(state, graph, screen, work, predicted):  # type: ignore[no-untyped-def]
    usable = prepare_block_screen(state, graph, screen, work)
    for i in range(graph.directed.shape[0]):
        for j in range(i + 1, graph.directed.shape[0]):
            for edge in range(4):
                if edge != edge_of(graph.directed, graph.bidirected, i, j):
                    predicted[i, j, edge] = predict_block_move(state, graph, screen, work, i, j, edge)
    return usable


def parameters_of(edge: int, i: int, j: int, first: list[int]) -> list[Parameter]:
    """Return the parameters that an edge of the pair i < j brings."""
    one = parameter_of(edge, i, j)
    if one is None:
        return []
    kind, a, b = one
    return [(kind, p, q) for p in range(first[a], first[a + 1]) for q in range(first[b], first[b + 1])]


@pytest.mark.parametrize("criterion", ["bic", "marginal"])
@pytest.mark.parametrize("text", GRAPHS)
def test_predictions_are_those_of_the_quadratic_model(text: str, criterion: str) -> None:
    moments = mixed_moments(GRAPHS[0], {"B": 3, "D": 4}, n=500)
    score = DistrictScore(moments, criterion=criterion, tolerance=1e-10)
    graph = score.scored_graph(ADMG.parse(text))
    score_graph(score.state, graph, 0)
    first, n, prices = score.state.first_column.tolist(), moments.n_samples, score.criterion.prices
    predicted = np.zeros((4, 4, 4))
    work = new_block_buffers(moments.sizes)
    assert _predict(score.state, graph, new_screen_work(4), work, predicted)
    correlation, costs = score.state.correlation, score.criterion.adjacency_costs
    count = ADMG.parse(text).n_edges
    error_cov = graph.error_cov.copy()  # zeros would not be parameters to the oracle
    for begin, end in pairwise(first):
        error_cov[begin:end, begin:end] += 1e-12
    compared = 0
    for i, j in combinations(range(4), 2):
        now = edge_of(graph.directed, graph.bidirected, i, j)
        assert predicted[i, j, now] == 0
        larger = max(moments.sizes[i], moments.sizes[j])
        old = parameters_of(now, i, j, first)

        def price(edge: int, information: np.ndarray, values: np.ndarray, larger: int = larger) -> float:
            precision = prices[COVARIANCE_PRECISION if edge == BIDIRECTED else COEFFICIENT_PRECISION] * larger
            total = prices[2 if edge == BIDIRECTED else 1] + (len(values) - 1) * prices[5]
            if precision > 0:
                total += np.linalg.slogdet(np.eye(len(values)) + 0.5 * n * information / precision)[1]
                total += precision * values @ values
            return float(total)

        paid = 0.0
        if old:
            matrix = graph.error_cov if now == BIDIRECTED else graph.coef
            values = np.array([matrix[p, q] for _, p, q in old])
            information = information_of_set(correlation, graph.coef, error_cov, old)
            paid = price(now, information, values)
        for edge in {0, 1, 2, 3} - {now}:
            new = parameters_of(edge, i, j, first)
            change, information, values = predicted_change_of_sets(correlation, graph.coef, error_cov, old, new)
            expected = n * change - paid
            after = count - (edge == NO_EDGE) + (now == NO_EDGE)
            expected += costs[after] - costs[count]
            if new:
                smallest = np.linalg.eigvalsh(information)[0]
                if smallest < 0.05 or values @ values > min(moments.sizes[i], moments.sizes[j]):
                    continue
                expected += price(edge, information, values)
            assert predicted[i, j, edge] == pytest.approx(expected, rel=2e-3, abs=0.1), (i, j, now, edge)
            compared += 1
    assert compared >= 11
