"""The search over orders: against all DAGs, under new names, units and signs, and with edges forbidden."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lurking import Moments, simulate_admg
from lurking._errors import KnowledgeError, ParameterError
from lurking.search._order_kernels import new_order_work, search_orders
from lurking.search.order_based import best_dag
from oracles.best_dag import all_dags, best_bic_by_subsets, dag_bic


def random_moments(d: int, seed: int) -> Moments:
    """Correlations of all strengths, from samples so small that the best graph is far from the true one, to large."""
    rng = np.random.default_rng([d, seed])
    mixing = rng.normal(size=(d, d)) * (rng.random((d, d)) < 0.7) + np.diag(rng.uniform(0.2, 2.0, d))
    rows = rng.normal(size=(int(rng.integers(20, 1500)), d)) @ mixing
    return Moments.from_table(rows)


def test_dynamic_programming_sees_all_543_dags() -> None:
    dags = list(all_dags(4))
    assert len(dags) == 543
    for seed in range(3):
        m = random_moments(4, seed)
        by_listing = min(dag_bic(m.cov, m.n_samples, dag) for dag in dags)
        assert best_bic_by_subsets(m.cov, m.n_samples) == pytest.approx(by_listing, abs=1e-8)


@pytest.mark.parametrize(("d", "n_datasets"), [(1, 1), (2, 10), (3, 30), (4, 120), (5, 60)])
def test_finds_the_best_of_all_dags(d: int, n_datasets: int) -> None:
    for seed in range(n_datasets):
        m = random_moments(d, seed)
        found = best_dag(m, random_state=seed)
        assert found.bic == pytest.approx(best_bic_by_subsets(m.cov, m.n_samples), abs=1e-6)
        assert found.bic == pytest.approx(dag_bic(m.cov, m.n_samples, found.admg.directed), abs=1e-6)
        assert not found.admg.bidirected.any()


def test_best_of_all_dags_among_permitted_edges() -> None:
    rng = np.random.default_rng(0)
    for seed in range(40):
        m = random_moments(4, seed)
        permitted = rng.random((4, 4)) < 0.6
        before = permitted.copy()
        found = best_dag(m, permitted=permitted, random_state=0)
        assert not (found.admg.directed & ~permitted).any()
        assert found.bic == pytest.approx(best_bic_by_subsets(m.cov, m.n_samples, permitted), abs=1e-6)
        assert np.array_equal(permitted, before)


def test_edges_follow_the_order() -> None:
    m = Moments.from_table(simulate_admg(10, 500, random_state=3).data)
    found = best_dag(m, n_restarts=3, random_state=0)
    place = {name: i for i, name in enumerate(found.order)}
    assert sorted(place) == sorted(m.names)
    assert all(place[cause] < place[effect] for cause, effect in found.admg.directed_edges())


def test_more_restarts_are_never_worse_and_the_seed_decides() -> None:
    m = Moments.from_table(simulate_admg(12, 1000, random_state=6).data)
    by_restarts = [best_dag(m, n_restarts=k, random_state=1).bic for k in (1, 4, 16, 64)]
    assert by_restarts == sorted(by_restarts, reverse=True)
    assert by_restarts[0] > by_restarts[-1] + 1.0
    assert best_dag(m, n_restarts=4, random_state=1) == best_dag(m, n_restarts=4, random_state=1)
    assert len({best_dag(m, n_restarts=1, random_state=seed).bic for seed in range(5)}) > 1


def test_new_order_units_and_signs_change_nothing() -> None:
    simulated = simulate_admg(8, 800, random_state=2).data
    found = best_dag(Moments.from_table(simulated), random_state=0)
    flipped = simulated * np.array([-3.0, 1.0, 0.01, -1.0, 7.0, 1.0, 50.0, -1.0])
    other = best_dag(Moments.from_table(flipped[flipped.columns[::-1]]), random_state=7)
    assert other.admg.markov_equivalent(found.admg)
    units = 2 * 800 * np.log(np.abs(flipped.iloc[0] / simulated.iloc[0])).sum()
    assert other.bic == pytest.approx(found.bic + units, abs=1e-5)


def test_penalty_discount_gives_sparser_graphs_scored_by_the_same_bic() -> None:
    m = Moments.from_table(simulate_admg(10, 1000, random_state=0).data)
    plain, sparse = best_dag(m, random_state=0), best_dag(m, penalty_discount=10.0, random_state=0)
    assert sparse.admg.n_edges < plain.admg.n_edges
    for found in (plain, sparse):
        assert found.bic == pytest.approx(dag_bic(m.cov, m.n_samples, found.admg.directed), abs=1e-6)
    assert plain.bic < sparse.bic


def test_collinear_candidates_do_not_break_the_regressions() -> None:
    rng = np.random.default_rng(0)
    cause = rng.normal(size=200)
    table = np.column_stack([cause, cause + 3e-5 * rng.normal(size=200), cause + rng.normal(size=200)])
    m = Moments.from_table(table)
    found = best_dag(m, random_state=0)
    assert found.bic == pytest.approx(best_bic_by_subsets(m.cov, m.n_samples), abs=1e-4)


def test_compiled_entry_climbs_every_row_and_fills_the_best_graph() -> None:
    m = random_moments(5, 1)
    penalty = math.log(m.n_samples)
    work = new_order_work(m.correlation, m.n_samples, np.ones((5, 5), dtype=np.uint8), penalty)
    orders = np.array([[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3]])
    scores, directed = np.zeros(3), np.ones((5, 5), dtype=np.uint8)
    best = search_orders(work, orders, scores, directed)
    assert best == int(scores.argmin())
    assert all(sorted(order) == [0, 1, 2, 3, 4] for order in orders.tolist())
    constant = m.n_samples * 5 * (1 + math.log(2 * math.pi)) + penalty * 5
    assert scores[best] + constant == pytest.approx(
        dag_bic(m.correlation, m.n_samples, directed.astype(bool)), abs=1e-6
    )


def test_refuses_what_it_cannot_use() -> None:
    m = random_moments(3, 0)
    with pytest.raises(ParameterError, match="number of restarts"):
        best_dag(m, n_restarts=0)
    with pytest.raises(ParameterError, match="penalty_discount"):
        best_dag(m, penalty_discount=0.0)
    with pytest.raises(KnowledgeError, match=r"shape \(3, 3\)"):
        best_dag(m, permitted=np.ones((2, 2)))
    with pytest.raises(KnowledgeError, match="only 0 and 1"):
        best_dag(m, permitted=np.full((3, 3), 2))
