"""Compiled descent, pool and re-insertion rounds, against plain Python on the same scores."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from lurking import ADMG, Moments, simulate_admg
from lurking._typing import GRAPH_CLASSES, GraphClass
from lurking.graphs.edge_kinds import ARROW_BACK, ARROW_ON, BIDIRECTED, NO_EDGE, edge_of, set_edge
from lurking.search.allowed_edges import all_edges_allowed
from lurking.search.edge_codes import graph_of
from lurking.search.kernels.climb import EVERY_MOVE, ClimbSteps, copy_graph, new_climb_work
from lurking.search.kernels.moves import CLASS_CODE, may_set
from lurking.search.kernels.pool import add_to_pool, new_pool
from lurking.search.reinsertion import ReinsertionChain
from lurking.sem import DistrictScore
from lurking.sem.kernels.score_state import ScoredGraph, new_scored_graph
from lurking.sem.kernels.scores import score_graph, total_score
from oracles.callable_kernels import climb

EVERY = np.ones(5, dtype=np.uint8)


def data(seed: int, d: int = 5, n: int = 300) -> Moments:
    return Moments.from_table(simulate_admg(d, n, random_state=seed).data)


def admg_of(graph: ScoredGraph, names: tuple[str, ...]) -> ADMG:
    return ADMG(names, graph.directed.astype(bool), graph.bidirected.astype(bool))


def in_class(graph: ADMG, graph_class: GraphClass) -> bool:
    return graph.witness(graph_class) is None


def start(score: DistrictScore) -> ScoredGraph:
    graph = new_scored_graph(score.moments.n_variables)
    score_graph(score.state, graph, 0)
    return graph


@pytest.mark.parametrize("graph_class", GRAPH_CLASSES)
def test_a_descent_that_fits_every_move_ends_in_a_local_optimum(graph_class: GraphClass) -> None:
    score = DistrictScore(data(1), tolerance=1e-8)
    names, code = score.moments.names, CLASS_CODE[graph_class]
    graph = start(score)
    empty = total_score(score.state, graph)
    found = climb(
        score.state,
        graph,
        new_scored_graph(5),
        new_climb_work(5),
        all_edges_allowed(5),
        EVERY,
        code,
        ClimbSteps(EVERY_MOVE),
    )
    assert in_class(admg_of(graph, names), graph_class)
    assert found < empty - 10
    assert found == pytest.approx(score.score(admg_of(graph, names)), abs=1e-3)
    for i, j in combinations(range(5), 2):
        for edge in range(4):
            if may_set(graph.directed, graph.bidirected, i, j, edge, code):
                neighbour = new_scored_graph(5)
                copy_graph(graph, neighbour)
                set_edge(neighbour.directed, neighbour.bidirected, i, j, edge)
                assert score.score(admg_of(neighbour, names)) > found - 2e-3


def test_descent_moves_only_what_it_may() -> None:
    score = DistrictScore(data(2))
    allowed_edges = all_edges_allowed(5)
    allowed_edges[:, :, BIDIRECTED] = 0
    focus = np.array([0, 1, 0, 0, 0], dtype=np.uint8)
    graph = start(score)
    climb(
        score.state,
        graph,
        new_scored_graph(5),
        new_climb_work(5),
        allowed_edges,
        focus,
        CLASS_CODE["bow-free"],
        ClimbSteps(EVERY_MOVE),
    )
    assert not graph.bidirected.any()
    assert graph.directed.any()
    others = [0, 2, 3, 4]
    assert not graph.directed[np.ix_(others, others)].any()


def test_tabu_goes_on_behind_a_local_optimum_and_keeps_the_best() -> None:
    every, mask, gains = np.ones(7, dtype=np.uint8), all_edges_allowed(7), []
    for seed in range(8):
        score = DistrictScore(data(seed, d=7))
        graph, best, work = start(score), new_scored_graph(7), new_climb_work(7)
        once = climb(score.state, graph, best, work, mask, every, CLASS_CODE["bow-free"], ClimbSteps(EVERY_MOVE))
        further = climb(
            score.state, graph, best, work, mask, every, CLASS_CODE["bow-free"], ClimbSteps(EVERY_MOVE, 25, 8)
        )
        assert further <= once + 1e-3
        assert total_score(score.state, best) == pytest.approx(further, abs=1e-9)
        assert total_score(score.state, graph) >= further - 1e-6
        assert not np.array_equal(graph.directed, best.directed) or not np.array_equal(
            graph.bidirected, best.bidirected
        )
        gains.append(once - further)
    assert max(gains) > 1  # tabu search found what a descent alone did not


@pytest.mark.parametrize("edge", [ARROW_ON, ARROW_BACK, BIDIRECTED])
def test_the_lot_decides_between_equally_good_moves(edge: int) -> None:
    score = DistrictScore(Moments([[1.0, 0.5], [0.5, 1.0]], 100, ("A", "B")))
    graph, work = start(score), new_climb_work(2)
    work.tie_break[:] = 0.9
    work.tie_break[0, 1, edge] = 0.1
    every = np.ones(2, dtype=np.uint8)
    climb(score.state, graph, new_scored_graph(2), work, all_edges_allowed(2), every, 2, ClimbSteps(EVERY_MOVE))
    assert edge_of(graph.directed, graph.bidirected, 0, 1) == edge


def test_the_rounding_of_the_machine_decides_nothing() -> None:
    every, mask = np.ones(7, dtype=np.uint8), all_edges_allowed(7)
    for seed in range(8):
        moments = data(seed, d=7)
        noise = np.triu(np.random.default_rng(seed).normal(size=(7, 7)), 1) * 1e-13
        ends = []
        for shift in (0.0, noise + noise.T):
            score = DistrictScore(Moments(moments.correlation + shift, moments.n_samples, moments.names))
            graph = start(score)
            work, best = new_climb_work(7), new_scored_graph(7)
            climb(score.state, graph, best, work, mask, every, CLASS_CODE["bow-free"], ClimbSteps(EVERY_MOVE, 25, 8))
            ends.append(admg_of(graph, moments.names))
        assert ends[0] == ends[1]


# --------------------------------------------------------------------------------------------------------- pool


def test_pool_keeps_the_best_graphs_each_once_and_counts() -> None:
    score = DistrictScore(data(3, d=4))
    names = score.moments.names
    pool, rng = new_pool(4, 8), np.random.default_rng(0)
    seen: dict[str, tuple[float, int]] = {}
    for _ in range(300):
        graph = new_scored_graph(4)
        for i, j in [(0, 1), (1, 2)]:
            set_edge(graph.directed, graph.bidirected, i, j, int(rng.integers(4)))
        value = float(np.round(score.score(admg_of(graph, names)), 6))
        add_to_pool(pool, score.state, graph, value)
        text = str(admg_of(graph, names))
        seen[text] = (value, seen.get(text, (0.0, 0))[1] + 1)
    kept = {str(graph_of(pool.edges[k], names)): float(pool.score[k]) for k in range(8)}
    lowest = sorted(value for value, _ in seen.values())[:8]
    assert sorted(kept.values()) == pytest.approx(lowest)
    assert all(seen[text][0] == value for text, value in kept.items())
    winner = min(seen, key=lambda text: seen[text][0])
    ties = [text for text in seen if seen[text][0] <= seen[winner][0] + 1e-6]
    met = {str(graph_of(pool.edges[k], names)): int(pool.visits[k]) for k in range(8)}
    assert all(met[text] <= seen[text][1] for text in met)
    assert all(met[text] == seen[text][1] for text in ties)  # what was never pushed out was counted every time


# --------------------------------------------------------------------------------------------------- re-insertion


@pytest.mark.parametrize("graph_class", GRAPH_CLASSES)
def test_rounds_stay_in_class_and_never_get_worse(graph_class: GraphClass) -> None:
    moments = data(4)
    chain = ReinsertionChain(moments, graph_class, np.random.default_rng(0), all_edges_allowed(5))
    first = chain.score
    chain.run(30)
    assert len(chain.best_scores) == 30
    assert all(later <= earlier for earlier, later in zip([first, *chain.best_scores], chain.best_scores, strict=False))
    assert chain.score == chain.best_scores[-1]
    exact = DistrictScore(moments, tolerance=1e-8)
    for graph, score, times in chain.graphs():
        assert in_class(graph, graph_class)
        assert times >= 1
        assert score == pytest.approx(exact.score(graph), abs=0.05)


def test_rounds_keep_what_is_demanded_and_avoid_what_is_forbidden() -> None:
    moments = data(5)
    allowed_edges = all_edges_allowed(5)
    allowed_edges[0, 4] = [0, 0, 0, 1]  # X1 <-> X5 it must be
    allowed_edges[1, 2, 1:] = 0  # and nothing between X2 and X3
    chain = ReinsertionChain(moments, "bow-free", np.random.default_rng(1), allowed_edges)
    chain.run(20)
    graphs = [graph for graph, _, _ in chain.graphs()]
    assert len(graphs) > 3
    for graph in graphs:
        assert graph.bidirected[0, 4]
        assert not graph.skeleton[1, 2]
    assert allowed_edges[1, 2, NO_EDGE] == 1
