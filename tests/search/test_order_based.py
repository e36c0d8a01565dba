"""The search over orders: against all DAGs, under new names, units and signs, and with edges forbidden."""

from __future__ import annotations

import math
import threading

import numpy as np
import pytest

from lurking import Moments, simulate_admg
from lurking._errors import KnowledgeError, ParameterError
from lurking.search.kernels import order_states
from lurking.search.kernels.order_states import new_order_work
from lurking.search.kernels.orders import climb
from lurking.search.order_based import best_dag
from lurking.simulate.hidden import random_hidden_dag
from oracles.best_dag import all_dags, best_bic_by_subsets, dag_bic
from oracles.orders_numpy import SlowOrders


def random_moments(d: int, seed: int) -> Moments:
    """Correlations of all strengths, from samples so small that the best graph is far from the true one, to large."""
    rng = np.random.default_rng([d, seed])
    mixing = rng.normal(size=(d, d)) * (rng.random((d, d)) < 0.7) + np.diag(rng.uniform(0.2, 2.0, d))
    rows = rng.normal(size=(int(rng.integers(20, 1500)), d)) @ mixing
    return Moments.from_table(rows)


def hidden_moments(d: int, seed: int) -> Moments:
    """Standardised data of a sparse DAG, d/5 of whose variables are not measured."""
    rng = np.random.default_rng([d, seed])
    dag = random_hidden_dag(d, d // 5, average_degree=3.0, max_children=3, random_state=rng).dag.directed
    coef = dag * rng.uniform(0.3, 1.0, dag.shape) * rng.choice([-1.0, 1.0], dag.shape)
    rows = np.linalg.solve(np.eye(len(coef)) - coef.T, rng.normal(size=(len(coef), 1000))).T[:, :d]
    return Moments.from_table((rows - rows.mean(axis=0)) / rows.std(axis=0))


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


def test_best_of_all_dags_among_allowed_edges() -> None:
    rng = np.random.default_rng(0)
    for seed in range(40):
        m = random_moments(4, seed)
        allowed_edges = rng.random((4, 4)) < 0.6
        before = allowed_edges.copy()
        found = best_dag(m, allowed_edges=allowed_edges, random_state=0)
        assert not (found.admg.directed & ~allowed_edges).any()
        assert found.bic == pytest.approx(best_bic_by_subsets(m.cov, m.n_samples, allowed_edges), abs=1e-6)
        assert np.array_equal(allowed_edges, before)


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


@pytest.mark.parametrize("thorough", [True, False])
def test_climb_is_that_of_the_slow_twin(monkeypatch: pytest.MonkeyPatch, thorough: bool) -> None:
    rng = np.random.default_rng(0)
    for d in (1, 2, 5, 8):
        for seed in range(4):
            m = random_moments(d, seed)
            allowed_edges = (rng.random((d, d)) < 0.9).astype(np.uint8)
            price = math.log(m.n_samples) * rng.uniform(0.5, 2.0)
            monkeypatch.setattr(order_states, "MOST_THOROUGH", d if thorough else 0)
            work = new_order_work(m.correlation, m.n_samples, allowed_edges, price)
            slow = SlowOrders(m.correlation, m.n_samples, price, allowed_edges, thorough)
            for _ in range(2):  # the second time with the states of the first
                order = rng.permutation(d)
                expected = slow.climb(order.tolist())
                directed, awake = np.ones((d, d), dtype=np.uint8), np.ones(d, dtype=np.uint8)
                score = climb(work, order, awake, directed, np.zeros(1, dtype=np.uint8))
                assert order.tolist() == expected
                assert score == pytest.approx(slow.total(expected), abs=1e-6)
                for place, vertex in enumerate(expected):
                    parents = slow.parents(vertex, expected[:place])
                    assert set(np.flatnonzero(directed[:, vertex]).tolist()) == parents
                assert not awake.any()


def test_full_memory_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    m = random_moments(9, 3)
    everything = np.ones((9, 9), dtype=np.uint8)
    for most_thorough in (9, 0):
        monkeypatch.setattr(order_states, "MOST_THOROUGH", most_thorough)
        ends = []
        for most_states in (1 << 16, 32):
            work = new_order_work(m.correlation, m.n_samples, everything, 5.0, most_states)
            order, directed = np.arange(9), np.zeros((9, 9), dtype=np.uint8)
            score = climb(work, order, np.ones(9, dtype=np.uint8), directed, np.zeros(1, dtype=np.uint8))
            ends.append((score, order.tolist(), directed.tolist()))
            assert (work.counts[order_states.FORGOTTEN] > 0) == (most_states == 32)
        assert ends[0] == ends[1]


def test_only_vertices_that_are_awake_or_touched_move() -> None:
    m = hidden_moments(30, 0)
    found = best_dag(m, random_state=0, n_restarts=1)
    order = np.array([m.names.index(name) for name in found.order])
    work = new_order_work(m.correlation, m.n_samples, np.ones((30, 30), dtype=np.uint8), math.log(1000))
    directed, stop = np.zeros((30, 30), dtype=np.uint8), np.zeros(1, dtype=np.uint8)
    asleep, before = np.zeros(30, dtype=np.uint8), order.copy()
    climb(work, order, asleep, directed, stop)
    assert np.array_equal(order, before)
    assert np.array_equal(directed, found.admg.directed)
    effect = int(np.flatnonzero(directed.any(axis=0))[-1])
    order = np.array([effect, *(v for v in before if v != effect)])  # before its causes
    worse = climb(work, order.copy(), asleep, directed, stop)
    asleep[effect] = 1
    repaired = climb(work, order, asleep, directed, stop)
    assert repaired < worse - 1.0
    assert not asleep.any()


def test_many_variables_later_climbs_improve_the_first_and_the_best_is_near_the_truth() -> None:
    m = hidden_moments(40, 1)
    bics = [best_dag(m, n_restarts=k, random_state=3).bic for k in (1, 5, 20)]
    assert bics == sorted(bics, reverse=True)
    assert bics[0] > bics[-1] + 1.0
    found = best_dag(m, n_restarts=20, random_state=3)
    assert found == best_dag(m, n_restarts=20, random_state=3)
    assert 1 <= found.n_reached <= 20
    assert found.bic == pytest.approx(dag_bic(m.cov, m.n_samples, found.admg.directed), abs=1e-5)
    assert abs(found.bic - best_dag(m, n_restarts=20, random_state=4).bic) < 15.0


def test_many_variables_obey_knowledge() -> None:
    m = hidden_moments(30, 2)
    allowed_edges = np.random.default_rng(0).random((30, 30)) < 0.7
    found = best_dag(m, n_restarts=3, allowed_edges=allowed_edges, random_state=0)
    assert found.admg.n_edges > 10
    assert not (found.admg.directed & ~allowed_edges).any()


@pytest.mark.parametrize("d", [12, 40])
def test_last_digits_decide_nothing(d: int) -> None:
    m = hidden_moments(d, 5)
    found = best_dag(m, n_restarts=5, random_state=1)
    rng = np.random.default_rng(0)
    for _ in range(3):
        noise = rng.normal(size=(d, d)) * 1e-13
        other = Moments(m.cov + noise + noise.T, m.n_samples, m.names)
        assert best_dag(other, n_restarts=5, random_state=1).order == found.order


def test_price_of_an_edge() -> None:
    m = Moments.from_table(simulate_admg(10, 1000, random_state=0).data)
    by_discount = best_dag(m, penalty_discount=3.0, random_state=0)
    by_price = best_dag(m, price=3.0 * math.log(1000), random_state=0)
    assert by_price == by_discount
    assert best_dag(m, price=60.0, random_state=0).admg.n_edges < by_price.admg.n_edges
    for price in (1.0, 60.0):
        found = best_dag(m, price=price, random_state=0)
        assert found.bic == pytest.approx(dag_bic(m.cov, m.n_samples, found.admg.directed), abs=1e-6)


def test_stop_ends_the_search_with_the_best_so_far() -> None:
    m = hidden_moments(60, 0)
    at_once = best_dag(m, stop=np.ones(1, dtype=np.uint8), random_state=0)
    assert at_once.bic == pytest.approx(dag_bic(m.cov, m.n_samples, at_once.admg.directed), abs=1e-5)
    stop = np.zeros(1, dtype=np.uint8)
    timer = threading.Timer(0.5, lambda: stop.__setitem__(0, 1))
    timer.start()
    found = best_dag(m, n_restarts=10_000_000, stop=stop, random_state=0)  # hours without it
    assert found.bic < at_once.bic
    assert found.bic == pytest.approx(dag_bic(m.cov, m.n_samples, found.admg.directed), abs=1e-5)


def test_refuses_what_it_cannot_use() -> None:
    m = random_moments(3, 0)
    with pytest.raises(ParameterError, match="n_restarts"):
        best_dag(m, n_restarts=0)
    with pytest.raises(ParameterError, match="penalty_discount"):
        best_dag(m, penalty_discount=0.0)
    with pytest.raises(ParameterError, match="'price' parameter"):
        best_dag(m, price=-1.0)
    with pytest.raises(ParameterError, match="give one of them only"):
        best_dag(m, price=5.0, penalty_discount=1.0)
    for stop in (np.zeros(2, dtype=np.uint8), np.zeros(1), [0]):
        with pytest.raises(ParameterError, match="'stop' parameter"):
            best_dag(m, stop=stop)  # type: ignore[arg-type]
    with pytest.raises(KnowledgeError, match=r"shape \(3, 3\)"):
        best_dag(m, allowed_edges=np.ones((2, 2)))
    with pytest.raises(KnowledgeError, match="only 0 and 1"):
        best_dag(m, allowed_edges=np.full((3, 3), 2))
