"""GreedyBAP and M3HC: random starts, max-min neighbours, and descents that end where no single change helps."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from lurking import ADMG, Moments, simulate_admg
from lurking._errors import CycleError
from lurking._typing import GraphClass
from lurking.baselines import M3HC, GreedyBAP
from lurking.baselines.edge_descent import EdgeDescent
from lurking.baselines.greedy_bap import uniform_bow_free_graph
from lurking.baselines.independence import FisherZ
from lurking.baselines.m3hc import max_min_neighbours, max_min_skeleton
from lurking.sem import ricf
from lurking.simulate import draw_parameters, random_admg

CLASSES: list[GraphClass] = ["ancestral", "bow-free"]


def neighbours(graph: ADMG, graph_class: GraphClass) -> list[ADMG]:
    """Every graph of the class that differs in the edge of one pair."""
    found = []
    for i, j in combinations(range(len(graph)), 2):
        for edge in range(4):
            directed, bidirected = graph.directed.copy(), graph.bidirected.copy()
            directed[i, j], directed[j, i] = edge == 1, edge == 2
            bidirected[i, j] = bidirected[j, i] = edge == 3
            try:
                changed = ADMG(graph.names, directed, bidirected)
            except CycleError:
                continue
            if changed != graph and changed.witness(graph_class) is None:
                found.append(changed)
    return found


@pytest.mark.parametrize("graph_class", CLASSES)
def test_descent_ends_where_no_single_change_helps(graph_class: GraphClass) -> None:
    for seed in range(3):
        m = Moments.from_table(simulate_admg(5, 300, random_state=seed).data)
        start = ADMG.empty(m.names)
        end, score = EdgeDescent(m, graph_class).run(start)
        assert end.witness(graph_class) is None
        assert score == pytest.approx(ricf(m, end).bic, abs=1e-2)
        assert score < ricf(m, start).bic
        assert all(ricf(m, changed).bic > score - 1e-2 for changed in neighbours(end, graph_class))


def test_descent_keeps_to_the_pairs_it_is_given_and_tabu_is_never_worse() -> None:
    better = 0
    for seed in range(6):
        m = Moments.from_table(simulate_admg(7, 500, random_state=seed).data)
        pairs = np.triu(np.random.default_rng(seed).random((7, 7)) < 0.5, 1)
        descent = EdgeDescent(m, "ancestral", pairs | pairs.T)
        plain, plain_score = descent.run(ADMG.empty(m.names))
        tabu, tabu_score = descent.run(ADMG.empty(m.names), tabu_steps=20)
        assert not (np.triu(plain.skeleton) & ~pairs).any()
        assert not (np.triu(tabu.skeleton) & ~pairs).any()
        assert tabu.is_ancestral()
        assert tabu_score <= plain_score + 1e-6
        better += tabu_score < plain_score - 1.0
    assert better >= 1


def test_starts_are_uniform_over_all_bow_free_graphs() -> None:
    rng = np.random.default_rng(0)
    drawn = Counter(uniform_bow_free_graph(["A", "B", "C"], rng) for _ in range(3100))
    # three pairs with four states each, without the two cycles
    assert len(drawn) == 4**3 - 2
    expected = 3100 / 62
    chi_square = sum((count - expected) ** 2 / expected for count in drawn.values())
    assert chi_square < 100  # 61 degrees of freedom: mean 61, 99.9 % quantile 100.9


def test_greedy_bap_keeps_the_best_of_its_descents() -> None:
    m = Moments.from_table(simulate_admg(8, 1000, random_state=0).data)
    learner = GreedyBAP(n_restarts=4, random_state=0).fit(m)
    assert learner.bics_.shape == (4,)
    assert np.ptp(learner.bics_) > 1.0
    assert learner.bic_ == pytest.approx(learner.bics_.min(), abs=1e-2)
    assert learner.admg_.is_bow_free()
    assert GreedyBAP(n_restarts=4, random_state=1).fit(m).admg_ != learner.admg_
    sparser = GreedyBAP(n_restarts=4, penalty_discount=10.0, random_state=0).fit(m)
    assert sparser.admg_.n_edges < learner.admg_.n_edges
    assert sparser.bic_ == pytest.approx(ricf(m, sparser.admg_).bic)


def test_max_min_neighbours_are_the_adjacent_vertices_when_covariances_are_exact() -> None:
    for seed in range(15):
        truth = random_admg(6, directed_probability=0.4, bidirected_probability=0.0, random_state=seed)
        m = Moments(draw_parameters(truth, random_state=seed).implied_cov(), 10**12, truth.names)
        test = FisherZ(m, 0.01)
        assert np.array_equal(max_min_skeleton(test, 6), truth.skeleton)
        for target in range(6):  # before the check that the choice is mutual there can be more
            adjacent = set(np.flatnonzero(truth.skeleton[target]).tolist())
            assert adjacent <= max_min_neighbours(test, target, 6)


def test_smallest_statistic_looks_at_all_sets() -> None:
    m = Moments.from_table(simulate_admg(5, 100, random_state=1).data)
    test = FisherZ(m, 0.1)
    by_size = []
    for size in range(4):
        at_this_size = []
        for given in combinations([2, 3, 4], size):
            chosen = [0, 1, *given]
            precision = np.linalg.inv(m.correlation[np.ix_(chosen, chosen)])
            r = precision[0, 1] / np.sqrt(precision[0, 0] * precision[1, 1])
            at_this_size.append(np.sqrt(100 - size - 3) * np.arctanh(abs(r)))
        by_size.append(min(at_this_size))
    for largest in range(4):
        expected = min(by_size[: largest + 1])
        assert test.smallest_statistic(0, 1, [2, 3, 4], largest) == pytest.approx(expected)
    assert test.smallest_statistic(0, 1, [2, 3, 4]) == pytest.approx(min(by_size))


def test_m3hc_stays_inside_its_skeleton_and_its_parameters_do_something() -> None:
    m = Moments.from_table(simulate_admg(9, 1000, graph_class="ancestral", random_state=2).data)
    learner = M3HC().fit(m)
    assert learner.admg_.is_ancestral()
    assert np.array_equal(learner.skeleton_, learner.skeleton_.T)
    assert not (learner.admg_.skeleton & ~learner.skeleton_).any()
    shuffled = M3HC().fit(m.reorder(m.names[::-1]))
    assert np.array_equal(shuffled.skeleton_, learner.skeleton_[::-1, ::-1])
    assert M3HC(alpha=0.001).fit(m).skeleton_.sum() < learner.skeleton_.sum()
    loose = M3HC(max_conditioning=1).fit(m)
    assert loose.skeleton_.sum() > learner.skeleton_.sum()
    assert loose.bic_ < learner.bic_
    assert learner.bic_ <= M3HC(tabu_steps=0).fit(m).bic_ + 1e-6
