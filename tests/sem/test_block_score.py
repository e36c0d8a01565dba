"""The score of vertices of several columns: by hand, by finite differences, and what it must not depend on."""

from __future__ import annotations

import pickle
from itertools import combinations
from math import comb, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lurking import ADMG, Moments
from lurking._errors import ParameterError
from lurking._typing import FloatArray
from lurking.data import GroupedMoments
from lurking.graphs import Grouping
from lurking.sem import CRITERIA, DistrictScore, ricf
from lurking.sem.criterion import Criterion, ebic, marginal
from lurking.sem.kernels.scores import score_graph
from oracles.callable_kernels import change_delta
from sem.grouped_data import all_graphs, mixed_moments
from sem.random_data import random_graph, random_moments

N = 400


def grouped(rng: np.random.Generator, sizes: tuple[int, ...], n: int = N) -> GroupedMoments:
    """Return moments of dependent columns, grouped into vertices V0, V1, ..."""
    columns = random_moments(rng, sum(sizes), n)
    ends = np.cumsum(sizes)
    groups = tuple(columns.names[end - size : end] for size, end in zip(sizes, ends, strict=True))
    return GroupedMoments(columns, Grouping(tuple(f"W{i}" for i in range(len(sizes))), groups))


def bic_by_hand(moments: GroupedMoments, admg: ADMG) -> float:
    """Return -2 loglik of the wide graph and ln(n) for each of its parameters, counted from sizes."""
    sizes = dict(zip(moments.names, moments.sizes, strict=True))
    count = sum(k * (k + 1) // 2 for k in sizes.values())
    count += sum(sizes[a] * sizes[b] for a, b in (*admg.directed_edges(), *admg.bidirected_edges()))
    return -2.0 * ricf(moments.columns, moments.grouping.widened(admg)).loglik + log(moments.n_samples) * count


def test_bic_of_all_graphs_on_three_vertices_is_that_of_the_wide_graph() -> None:
    moments = mixed_moments("A -> B -> C; A <-> C", {"B": 4})
    score = DistrictScore(moments, tolerance=1e-9)
    graphs = all_graphs(moments.names)
    assert len(graphs) == 62
    for admg in graphs:
        assert score.score(admg) == pytest.approx(bic_by_hand(moments, admg), abs=1e-5), admg


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**31), st.lists(st.integers(1, 3), min_size=2, max_size=5))
def test_bic_of_random_graphs_is_that_of_the_wide_graph(seed: int, sizes: list[int]) -> None:
    rng = np.random.default_rng(seed)
    moments = grouped(rng, tuple(sizes))
    admg = random_graph(rng, len(sizes), 0.4, 0.4)
    admg = ADMG(moments.names, admg.directed, admg.bidirected)
    fit = ricf(moments.columns, moments.grouping.widened(admg))
    if fit.converged and admg.is_arid():  # elsewhere there can be several maxima
        assert DistrictScore(moments, tolerance=1e-9).score(admg) == pytest.approx(bic_by_hand(moments, admg), abs=0.01)


def test_one_column_each_is_the_plain_score_to_the_last_bit() -> None:
    moments = random_moments(np.random.default_rng(3), 5)
    single = GroupedMoments(moments, Grouping(moments.names, tuple((name,) for name in moments.names)))
    admg = random_graph(np.random.default_rng(4), 5, 0.4, 0.3)
    for name in CRITERIA:
        assert DistrictScore(single, criterion=name).score(admg) == pytest.approx(
            DistrictScore(moments, criterion=name).score(admg), abs=1e-9
        )


def test_ebic_charges_the_number_of_variables_once_for_an_edge() -> None:
    moments = mixed_moments("A -> B -> C", {"B": 4})
    extended, plain = (DistrictScore(moments, criterion=name, tolerance=1e-9) for name in ("ebic", "bic"))
    for text, edges in (("A -> B; B -> C", 2), ("A <-> B; C", 1), ("A; B; C", 0)):
        admg = ADMG.parse(text)
        assert extended.score(admg) - plain.score(admg) == pytest.approx(edges * 2.0 * log(3.0), abs=1e-6)


# --------------------------------------------------------------------------------------------- marginal likelihood


def laplace(moments: GroupedMoments, admg: ADMG, criterion: Criterion) -> float:
    """Return what parameters cost, by a Hessian of finite differences over whitened columns."""
    correlation, _ = moments.whitened()
    grouping, n = moments.grouping, moments.n_samples
    wide = grouping.widened(admg)
    fit = ricf(Moments(correlation, n, wide.names), wide, tol=1e-11)
    own = grouping.widened(ADMG(admg.names, np.zeros_like(admg.directed), np.zeros_like(admg.bidirected))).bidirected
    size = np.repeat(moments.sizes, moments.sizes)
    arrows = np.argwhere(wide.directed)
    lines = np.argwhere(np.triu(wide.bidirected | np.eye(len(wide), dtype=bool)))

    def value(theta: FloatArray) -> float:
        coef, omega = np.zeros((2, len(wide), len(wide)))
        for (i, j), entry in zip(arrows, theta, strict=False):
            coef[i, j] = entry
        for (i, j), entry in zip(lines, theta[len(arrows) :], strict=True):
            omega[i, j] = omega[j, i] = entry
        errors = np.eye(len(coef)) - coef
        trace = np.trace(errors @ np.linalg.inv(omega) @ errors.T @ correlation)
        return float(0.5 * n * (np.linalg.slogdet(omega)[1] + trace))

    theta = np.array([fit.coef[i, j] for i, j in arrows] + [fit.error_cov[i, j] for i, j in lines])
    prior = [criterion.prices[3] * max(size[i], size[j]) for i, j in arrows]
    prior += [0.0 if i == j or own[i, j] else criterion.prices[4] * max(size[i], size[j]) for i, j in lines]
    precision = np.array(prior)
    step = 1e-4 * np.eye(len(theta))
    hessian = np.array(
        [
            [value(theta + a + b) - value(theta + a - b) - value(theta - a + b) + value(theta - a - b) for b in step]
            for a in step
        ]
    ) / (4e-8)
    cost = np.linalg.slogdet(hessian + np.diag(precision))[1] - np.log(precision[precision > 0]).sum()
    cost += precision @ theta**2
    for vertex, k in enumerate(moments.sizes):
        block = grouping.places(vertex)
        cost += (k + 1) * np.linalg.slogdet(fit.error_cov[block, block])[1]
    n_arrows, n_lines = admg.directed.sum(), np.triu(admg.bidirected).sum()
    return float(cost + n_arrows * criterion.prices[1] + n_lines * criterion.prices[2])


@pytest.mark.parametrize(
    "text", ["A; B; C", "A -> B; C -> B", "B -> A; B -> C", "A -> B; B <-> C", "A <-> B; B <-> C; A -> C"]
)
def test_marginal_is_laplace_with_an_invariant_prior(text: str) -> None:
    moments = mixed_moments("A -> B -> C; A <-> C", {"B": 3, "C": 4})
    admg = ADMG.parse(text).subgraph(moments.names)
    criterion = marginal(N, 3)
    wide = moments.grouping.widened(admg)
    expected = -2 * ricf(moments.columns, wide).loglik + laplace(moments, admg, criterion)
    expected += 2 * log(comb(3, admg.n_edges))
    score = DistrictScore(moments, criterion=criterion, tolerance=1e-9).score(admg)
    assert score == pytest.approx(expected, abs=0.01)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**31), st.sampled_from(["marginal", "bic"]))
def test_the_coding_of_a_nominal_variable_does_not_matter(seed: int, criterion: str) -> None:
    """Another reference level, other contrasts, other units: any invertible transform of the columns of a vertex."""
    rng = np.random.default_rng(seed)
    sizes = (1, 3, 2, 1)
    moments = grouped(rng, sizes)
    transform = np.zeros((7, 7))
    for vertex, size in enumerate(sizes):
        block = moments.grouping.places(vertex)
        transform[block, block] = rng.normal(size=(size, size)) + 2.0 * np.eye(size)
    cov = transform @ moments.columns.cov @ transform.T
    recoded = GroupedMoments(Moments((cov + cov.T) / 2, N, moments.columns.names), moments.grouping)
    admgs = [random_graph(rng, 4, 0.4, 0.2) for _ in range(2)]
    admgs = [ADMG(moments.names, admg.directed, admg.bidirected) for admg in admgs]
    if all(admg.is_arid() for admg in admgs):
        one, other = (DistrictScore(data, criterion=criterion, tolerance=1e-9) for data in (moments, recoded))
        assert one.delta(*admgs) == pytest.approx(other.delta(*admgs), abs=1e-3)


def test_equivalent_dags_have_equal_likelihoods() -> None:
    moments = mixed_moments("A -> B -> C; A -> D", {"B": 3, "D": 5})
    score = DistrictScore(moments, tolerance=1e-10)
    chains = ["A -> B; B -> C; A -> D", "B -> A; B -> C; A -> D", "C -> B; B -> A; A -> D", "D -> A; A -> B; B -> C"]
    scores = [score.score(ADMG.parse(text)) for text in chains]
    assert np.ptp(scores) < 1e-6
    complete = ["A -> B; A -> C; B -> C; D", "C -> B; C -> A; B -> A; D", "A <-> B; A <-> C; B <-> C; D"]
    assert np.ptp([score.score(ADMG.parse(text)) for text in complete]) < 1e-4


def test_a_district_of_too_many_parameters_costs_about_as_much_as_its_parameters_would_alone() -> None:
    """Not the least: the search would be drawn to such districts."""
    rng = np.random.default_rng(5)
    sizes = (20, 20, 20)
    rows = rng.normal(size=(2000, 60))
    columns = Moments.from_table(rows)
    ends = np.cumsum(sizes)
    groups = tuple(columns.names[end - size : end] for size, end in zip(sizes, ends, strict=True))
    moments = GroupedMoments(columns, Grouping(("A", "B", "C"), groups))
    score = DistrictScore(moments, criterion="marginal", tolerance=1e-4)
    joined, apart, between = (score.score(ADMG.parse(text)) for text in ("A <-> B; B <-> C", "A; B; C", "A <-> B; C"))
    # two blocks have 820 parameters, whose information is computed; three have 1430, for which there is no room
    assert apart < between < joined
    assert joined - between == pytest.approx(between - apart, abs=60)


# ------------------------------------------------------------------------------------------------ inside a search


def test_a_change_of_one_edge_costs_what_the_scores_differ_by() -> None:
    moments = mixed_moments("A -> B -> C; A <-> C; C -> D", {"B": 4, "D": 3})
    score = DistrictScore(moments, criterion="marginal", tolerance=1e-9)
    start = ADMG.parse("A -> B; C <-> D")
    graph = score.scored_graph(start)
    before = score_graph(score.state, graph, 0)
    assert before == pytest.approx(score.score(start), abs=1e-6)
    exact = DistrictScore(moments, criterion="marginal", tolerance=1e-9)
    for after in ("A -> B; A <-> C; C <-> D", "A -> B; C -> D", "A -> B; C; D", "A <-> B; C <-> D"):
        there = ADMG.parse(after).subgraph(moments.names)
        kinds = np.zeros((4, 4), dtype=int)
        kinds[there.directed], kinds[there.directed.T], kinds[there.bidirected] = 1, 2, 3
        for i, j in combinations(range(4), 2):
            now = 3 * graph.bidirected[i, j] + graph.directed[i, j] + 2 * graph.directed[j, i]
            if kinds[i, j] != now:
                delta = change_delta(score.state, graph, i, j, int(kinds[i, j]), np.inf)
                assert delta == pytest.approx(exact.score(there) - before, abs=0.01), after


def test_a_state_works_in_another_process() -> None:
    moments = mixed_moments("A -> B -> C", {"B": 4})
    score, admg = DistrictScore(moments), ADMG.parse("A <-> B; B -> C")
    copy = pickle.loads(pickle.dumps(score))
    assert copy.score(admg) == score.score(admg)


def test_similar_noise_is_refused() -> None:
    score = DistrictScore(mixed_moments("A -> B", {"B": 3}))
    with pytest.raises(ParameterError, match="several columns"):
        score.assume_similar_noise(0.0, 0.5)


@pytest.mark.parametrize("n", [300, 1000])
def test_independent_nominal_columns_are_joined_at_most_as_often_as_continuous_ones(n: int) -> None:
    """Of 300 independent pairs, as a table of 10 variables would price them."""
    rng = np.random.default_rng(n)
    joined = {1: 0, 4: 0}
    criterion = marginal(n, 2)
    step = marginal(n, 10).adjacency_costs[1]
    for _ in range(300):
        for k in joined:
            if k == 1:
                rows = rng.normal(size=(n, 2))
            else:
                codes = [rng.choice(5, p=[0.4, 0.3, 0.15, 0.1, 0.05], size=n) for _ in range(2)]
                rows = np.hstack([(code[:, None] == np.arange(1, 5)).astype(float) for code in codes])
            columns = Moments.from_table(rows)
            names = columns.names
            moments = GroupedMoments(columns, Grouping(("A", "B"), (names[:k], names[k:])))
            score = DistrictScore(moments, criterion=criterion, cache_size=1)
            empty = score.score(ADMG.parse("A; B"))
            best = min(score.score(ADMG.parse(text)) for text in ("A -> B", "B -> A", "A <-> B"))
            joined[k] += best + step < empty
    assert joined[4] <= joined[1] <= 9


def test_prices_of_an_arrow() -> None:
    assert ebic(100, 3).price_of_arrow(100, 0, (2, 3)) == pytest.approx(6 * log(100) + 2 * log(3))
    single = marginal(100, 3).price_of_arrow(100, 0)
    assert marginal(100, 3).price_of_arrow(100, 0, (1, 1)) == single
    assert single < marginal(100, 3).price_of_arrow(100, 0, (1, 4)) < marginal(100, 3).price_of_arrow(100, 0, (4, 4))
