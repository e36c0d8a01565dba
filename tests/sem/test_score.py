"""The score by districts: sums, changes of one edge, warm starts, the bounded table, similar noise."""

from __future__ import annotations

import logging
import pickle
import subprocess
import sys
from collections.abc import Callable
from itertools import combinations
from types import FunctionType

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from lurking import ADMG
from lurking._compile import _ANNOUNCER, compiled
from lurking._errors import GraphClassError, GraphError, ParameterError
from lurking._typing import FloatArray
from lurking.data import Moments
from lurking.graphs.edge_kinds import edge_of, set_edge
from lurking.sem import Criterion
from lurking.sem.kernels.score_state import ScoredGraph, clear_cache
from lurking.sem.kernels.scores import district_score, score_graph, total_score
from lurking.sem.ricf import ricf
from lurking.sem.score import DistrictScore
from oracles.callable_kernels import change_delta, change_pair, take_last
from oracles.likelihood_scipy import DirectLikelihood
from oracles.ricf_numpy import minus_two_loglik
from sem.random_data import random_graph, random_moments
from strategies import bow_free_admgs

N = 500


def legal_changes(admg: ADMG) -> list[tuple[int, int, int]]:
    """All changes of one pair that leave the graph acyclic."""
    directed, bidirected = admg.directed.view(np.uint8), admg.bidirected.view(np.uint8)
    return [
        (i, j, edge)
        for i, j in combinations(range(len(admg)), 2)
        for edge in range(4)
        if edge != edge_of(directed, bidirected, i, j) and changed(admg, i, j, edge) is not None
    ]


def changed(admg: ADMG, i: int, j: int, edge: int) -> ADMG | None:
    directed, bidirected = admg.directed.astype(np.uint8), admg.bidirected.astype(np.uint8)
    set_edge(directed, bidirected, i, j, edge)
    paths = np.linalg.matrix_power(np.eye(len(directed)) + directed, len(directed))
    if (np.triu(paths * paths.T, 1) > 0).any():
        return None
    return ADMG(admg.names, directed, bidirected)


def scored(score: DistrictScore, admg: ADMG) -> ScoredGraph:
    graph = score.scored_graph(admg)
    score_graph(score.state, graph, 0)
    return graph


# ------------------------------------------------------------------------------------------------ sums and BIC


@given(bow_free_admgs(min_size=1, max_size=7), st.integers(0, 10**6))
@settings(max_examples=80)
def test_the_sum_over_districts_is_the_bic_of_the_whole_graph(admg: ADMG, seed: int) -> None:
    moments = Moments(random_moments(np.random.default_rng(seed), len(admg)).cov, N, admg.names)
    score = DistrictScore(moments, tolerance=1e-9, cache_size=16)
    fit = ricf(moments, admg)
    parts = score.local_scores(admg)
    assert set(parts) == set(admg.districts())
    assert score.score(admg) == pytest.approx(sum(parts.values()), rel=1e-12)
    whole = minus_two_loglik(moments.cov, N, fit.coef, fit.error_cov) + np.log(N) * fit.n_parameters
    assert fit.bic == pytest.approx(whole, abs=1e-8)
    if fit.converged:
        assert score.score(admg) == pytest.approx(whole, abs=1e-8)


def test_raw_units_count_in_the_score() -> None:
    moments = random_moments(np.random.default_rng(0), 4)
    admg = random_graph(np.random.default_rng(1), 4, 0.5, 0.5)
    scales = np.array([1.0, 10.0, 0.1, 3.0])
    raw = Moments(moments.cov * np.outer(scales, scales), N, moments.names)
    assert DistrictScore(raw).score(admg) == pytest.approx(ricf(raw, admg).bic, abs=1e-4)
    expected = DistrictScore(moments).score(admg) + 2 * N * np.log(scales).sum()
    assert DistrictScore(raw).score(admg) == pytest.approx(expected, abs=1e-4)


def price(d: int, parameter: float, edge: float) -> Criterion:
    return Criterion.linear("priced", d, parameter=parameter, edge=edge)


def test_prices_are_what_variances_and_edges_cost() -> None:
    moments = random_moments(np.random.default_rng(0), 5)
    admg = ADMG.parse("V0 -> V1 <-> V2; V3 -> V4", names=moments.names)
    free, dear = (DistrictScore(moments, criterion=price(5, *prices)) for prices in ((0.0, 0.0), (7.0, 11.0)))
    assert dear.score(admg) - free.score(admg) == pytest.approx(7.0 * 5 + 11.0 * 3)
    assert free.score(admg) == pytest.approx(-2 * ricf(moments, admg).loglik, abs=1e-4)


def test_delta_is_the_difference() -> None:
    rng = np.random.default_rng(0)
    moments = random_moments(rng, 6)
    before, after = random_graph(rng, 6, 0.3, 0.3), random_graph(rng, 6, 0.3, 0.3)
    score = DistrictScore(moments)
    assert score.delta(before, after) == pytest.approx(score.score(after) - score.score(before), abs=1e-9)
    assert score.delta(before, before) == 0.0


# ------------------------------------------------------------------------------------------- one edge changes


@pytest.mark.parametrize("seed", range(6))
def test_change_of_one_edge_equals_two_fits_from_scratch(seed: int) -> None:
    """Every legal change of a graph: the warm-started delta is that of two cold exact fits."""
    rng = np.random.default_rng(seed)
    moments = random_moments(rng, 6)
    admg = random_graph(rng, 6, 0.3, 0.25)
    score = DistrictScore(moments)
    graph = scored(score, admg)
    kept = [array.copy() for array in graph]
    base = ricf(moments, admg).bic
    changes = legal_changes(admg)
    assert len(changes) > 30
    worse = 0
    for i, j, edge in changes:
        other = changed(admg, i, j, edge)
        assert other is not None
        delta = change_delta(score.state, graph, i, j, edge, np.inf)
        exact = ricf(moments, other).bic - base
        # a warm start can end at another maximum than the best one, never above it
        assert delta >= exact - 1e-4
        worse += delta > exact + 1e-4
        for array, before in zip(graph, kept, strict=True):
            np.testing.assert_array_equal(array, before)
    assert worse <= 0.02 * len(changes)


@pytest.mark.parametrize("seed", range(4))
def test_scores_along_a_walk_equal_cold_scores(seed: int) -> None:
    rng = np.random.default_rng(seed)
    moments = random_moments(rng, 6)
    admg = random_graph(rng, 6, 0.2, 0.2)
    score = DistrictScore(moments)
    graph = scored(score, admg)
    for _ in range(25):
        changes = legal_changes(admg)
        i, j, edge = changes[rng.integers(len(changes))]
        predicted = total_score(score.state, graph) + change_delta(score.state, graph, i, j, edge, np.inf)
        total = change_pair(score.state, graph, i, j, edge)
        admg = changed(admg, i, j, edge) or admg
        assert total == total_score(score.state, graph)
        assert total == pytest.approx(predicted, abs=1e-4)
        np.testing.assert_array_equal(graph.directed, admg.directed)
        np.testing.assert_array_equal(graph.bidirected, admg.bidirected)
        cold = ricf(moments, admg)
        assert total >= cold.bic - 1e-4
        if admg.is_arid():
            assert total == pytest.approx(cold.bic, abs=1e-3)
            np.testing.assert_allclose(graph.coef * (1 - admg.directed), 0.0)
            np.testing.assert_allclose(graph.error_cov[~(admg.bidirected | np.eye(6, dtype=bool))], 0.0)
        districts = [np.flatnonzero(graph.district == label) for label in np.unique(graph.district)]
        assert {frozenset(admg.names[v] for v in members) for members in districts} == set(admg.districts())


def test_a_change_taken_with_the_fit_it_had_is_the_change_made_anew() -> None:
    rng = np.random.default_rng(5)
    moments = random_moments(rng, 6)
    admg = random_graph(rng, 6, 0.2, 0.2)
    score = DistrictScore(moments)
    graph, other = scored(score, admg), scored(score, admg)
    taken = 0
    for _ in range(60):
        changes = legal_changes(admg)
        i, j, edge = changes[rng.integers(len(changes))]
        delta = change_delta(score.state, graph, i, j, edge, np.inf)
        before = [array.copy() for array in graph]
        if take_last(score.state, graph, i, j, edge):
            taken += 1
            assert total_score(score.state, graph) == pytest.approx(total_score(score.state, other) + delta, abs=1e-6)
        else:  # then nothing has happened: it came from the table, or touches two districts
            for array, kept in zip(graph, before, strict=True):
                np.testing.assert_array_equal(array, kept)
            change_pair(score.state, graph, i, j, edge)
        change_pair(score.state, other, i, j, edge)
        for array, anew in zip(graph[:3], other[:3], strict=True):
            np.testing.assert_array_equal(array, anew)
        np.testing.assert_allclose(graph.coef, other.coef, atol=1e-9)
        np.testing.assert_allclose(graph.error_cov, other.error_cov, atol=1e-9)
        admg = changed(admg, i, j, edge) or admg
    assert 15 < taken < 60


def test_setting_the_edge_that_is_there_changes_nothing() -> None:
    moments = random_moments(np.random.default_rng(0), 3)
    score = DistrictScore(moments)
    graph = scored(score, ADMG.parse("V0 -> V1 <-> V2", names=moments.names))
    before = total_score(score.state, graph)
    assert change_delta(score.state, graph, 0, 1, 1, np.inf) == 0.0
    assert change_pair(score.state, graph, 1, 2, 3) == before


@pytest.mark.parametrize("seed", range(3))
def test_moves_that_are_not_worth_while_may_be_inexact_but_stay_so(seed: int) -> None:
    rng = np.random.default_rng(seed)
    moments = random_moments(rng, 7)
    admg = random_graph(rng, 7, 0.3, 0.3)
    exact_score, hasty_score = DistrictScore(moments), DistrictScore(moments)
    exact_graph, hasty_graph = scored(exact_score, admg), scored(hasty_score, admg)
    given_up = 0
    for i, j, edge in legal_changes(admg):
        exact = change_delta(exact_score.state, exact_graph, i, j, edge, np.inf)
        hasty = change_delta(hasty_score.state, hasty_graph, i, j, edge, 5.0)
        if exact < 5.0:
            assert hasty == pytest.approx(exact, abs=1e-4)
        else:
            assert hasty > 5.0
        given_up += abs(hasty - exact) > 1e-3
        # the next one who asks for the exact value gets it
        assert change_delta(hasty_score.state, hasty_graph, i, j, edge, np.inf) == pytest.approx(exact, abs=1e-4)
    assert given_up > 0


# -------------------------------------------------------------------------------------------------- the table


def test_eviction_does_not_change_answers_and_memory_does_not_grow() -> None:
    rng = np.random.default_rng(0)
    moments = random_moments(rng, 6)
    roomy, cramped = DistrictScore(moments), DistrictScore(moments, cache_size=4)
    memory = cramped.cache_bytes
    assert memory == 4 * 6 * 8
    assert roomy.cache_bytes == 2**18 * 6 * 8
    for _ in range(60):
        admg = random_graph(rng, 6, 0.2, 0.2)
        assert cramped.score(admg) == pytest.approx(roomy.score(admg), abs=1e-9)
    assert cramped.cache_bytes == memory
    assert cramped.cache_counts["evictions"] > 50
    assert roomy.cache_counts["evictions"] == 0


def test_a_district_is_fitted_once() -> None:
    moments = random_moments(np.random.default_rng(0), 5)
    score = DistrictScore(moments)
    score.score(ADMG.parse("V0 -> V1; V1 <-> V2; V3; V4", names=moments.names))
    assert score.cache_counts == {"hits": 0, "misses": 4, "evictions": 0}
    score.score(ADMG.parse("V0 -> V1; V1 <-> V2; V3 -> V4", names=moments.names))
    assert score.cache_counts == {"hits": 3, "misses": 5, "evictions": 0}
    clear_cache(score.state)
    score.score(ADMG.parse("V0 -> V1; V1 <-> V2; V3 -> V4", names=moments.names))
    assert score.cache_counts["misses"] == 9


def test_different_districts_have_different_keys() -> None:
    """The same members with other parents, or with other edges among them, are not confused."""
    moments = random_moments(np.random.default_rng(0), 4)
    score = DistrictScore(moments)
    texts = ["V0 <-> V1 <-> V2; V3", "V0 <-> V1; V0 <-> V2; V3", "V0 <-> V1 <-> V2 <-> V0; V3", "V0; V1; V2; V3"]
    texts += ["V3 -> V0 <-> V1 <-> V2", "V0 <-> V1 <-> V2 <- V3", "V0 -> V3", "V3 -> V0"]
    graphs = [ADMG.parse(text, names=moments.names) for text in texts]
    for graph in graphs:
        assert score.score(graph) == pytest.approx(ricf(moments, graph).bic, abs=1e-4)


def test_the_state_survives_pickling() -> None:
    moments = random_moments(np.random.default_rng(0), 5)
    admg = random_graph(np.random.default_rng(1), 5, 0.3, 0.5)
    score = DistrictScore(moments)
    expected = score.score(admg)
    clear_cache(score.state)
    sent = pickle.dumps((score, admg))
    copy, _ = pickle.loads(sent)
    assert copy.score(admg) == expected
    # in another process the compiled fit is at another address
    command = "import pickle, sys; score, admg = pickle.load(sys.stdin.buffer); print(repr(score.score(admg)))"
    answer = subprocess.run([sys.executable, "-c", command], input=sent, capture_output=True, check=True)
    assert float(answer.stdout) == expected


# ---------------------------------------------------------------------------------------------- similar noise


def log_own_variances(moments: Moments, error_cov: FloatArray) -> FloatArray:
    """Return the logarithms of the error variances without the shares of common causes, term by term."""
    least = 1.0 / np.diag(np.linalg.inv(moments.cov))
    logs = []
    for i in range(len(error_cov)):
        own = error_cov[i, i]
        for j in range(len(error_cov)):
            soft = 0.05 * np.sqrt(least[i] * least[j])
            own -= 0.0 if i == j else np.hypot(error_cov[i, j], soft) - soft
        floor = 0.1 * least[i]
        logs.append(np.log(own) if own > floor else np.log(floor) + own / floor - 1.0)
    return np.array(logs)


def test_own_variances_at_the_estimates() -> None:
    scales = np.array([1.0, 5.0, 0.2, 2.0, 1.0])
    base = random_moments(np.random.default_rng(0), 5)
    moments = Moments(base.cov * np.outer(scales, scales), N, base.names)
    admg = ADMG.parse("V0 -> V1 <-> V2; V1 -> V3; V4", names=base.names)
    score = DistrictScore(moments, tolerance=1e-9)
    plain = score.score(admg)
    logs = log_own_variances(moments, ricf(moments, admg).error_cov)
    assert score.log_own_variances(admg) == pytest.approx((logs.sum(), (logs**2).sum()), abs=1e-6)
    score.assume_similar_noise(0.3, 0.5)
    assert score.noise_centre == 0.3
    assert plain < score.score(admg) < plain + (((logs - 0.3) / 0.5) ** 2).sum()
    score.assume_similar_noise(0.0, np.inf)
    assert score.score(admg) == pytest.approx(plain, abs=1e-9)


def test_without_common_causes_the_whole_error_is_a_variables_own() -> None:
    moments = random_moments(np.random.default_rng(1), 3)
    admg = ADMG.parse("V0 -> V1 -> V2", names=moments.names)
    logs = np.log(np.diag(ricf(moments, admg).error_cov))
    assert DistrictScore(moments).log_own_variances(admg)[0] == pytest.approx(logs.sum(), abs=1e-9)


@pytest.mark.parametrize(
    "text", ["V0 -> V1 <-> V2; V1 -> V3", "V0 -> V1 -> V2; V3", "V0 <-> V1 <-> V2 <-> V3; V0 -> V3"]
)
@pytest.mark.parametrize("spread", [0.1, 0.5])
def test_similar_noise_minimises_both_terms(text: str, spread: float) -> None:
    scales = np.array([1.0, 4.0, 0.3, 2.0])
    base = random_moments(np.random.default_rng(4), 4)
    moments = Moments(base.cov * np.outer(scales, scales), N, base.names)
    admg = ADMG.parse(text, names=base.names)
    centre = 0.2
    problem = DirectLikelihood(moments.cov, admg.directed, admg.bidirected)

    def both(theta: FloatArray) -> float:
        value, _ = problem.value_and_grad(theta)
        if (theta[-4:] <= 0).any():
            return 1e9
        logs = log_own_variances(moments, problem.unpack(theta)[1])
        return float(N * value + (((logs - centre) / spread) ** 2).sum())

    fit = ricf(moments, admg)
    theta = problem.pack(fit.coef, fit.error_cov)
    plugged_in = both(theta)
    for _ in range(6):
        found = minimize(both, theta, method="Powell", options={"maxiter": 2000, "xtol": 1e-10, "ftol": 1e-14})
        theta = found.x
    score = DistrictScore(moments, criterion=price(moments.n_variables, 0.0, 0.0), tolerance=1e-9)
    score.assume_similar_noise(centre, spread)
    assert score.score(admg) < plugged_in
    assert score.score(admg) == pytest.approx(found.fun, abs=1e-3)
    assert score.score(admg) <= found.fun + 1e-6


# -------------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        ("criterion", "aic"),
        ("criterion", 3.0),
        ("cache_size", 0),
        ("cache_size", 2.5),
        ("tolerance", 0.0),
        ("tolerance", np.nan),
    ],
)
def test_parameters_out_of_range(parameter: str, value: float) -> None:
    with pytest.raises(ParameterError, match=f"'{parameter}' parameter of DistrictScore"):
        DistrictScore(random_moments(np.random.default_rng(0), 2), **{parameter: value})  # type: ignore[arg-type]


def test_similar_noise_out_of_range() -> None:
    score = DistrictScore(random_moments(np.random.default_rng(0), 2))
    with pytest.raises(ParameterError, match="'spread'"):
        score.assume_similar_noise(0.0, 0.0)
    with pytest.raises(ParameterError, match="'centre'"):
        score.assume_similar_noise(np.nan, 1.0)


def test_graphs_that_cannot_be_scored() -> None:
    score = DistrictScore(random_moments(np.random.default_rng(0), 2))
    with pytest.raises(GraphClassError, match="the bow"):
        score.score(ADMG.parse("V0 -> V1; V0 <-> V1"))
    with pytest.raises(GraphError, match="'V9'"):
        score.score(ADMG.parse("V0 -> V1; V9"))


def test_score_does_not_depend_on_the_vertex_it_starts_from() -> None:
    moments = random_moments(np.random.default_rng(0), 4)
    score = DistrictScore(moments)
    graph = score.scored_graph(ADMG.parse("V0 <-> V2 <-> V3; V1", names=moments.names))
    values = [
        district_score(score.state, graph.directed, graph.bidirected, v, 0, graph.coef, graph.error_cov, np.inf)
        for v in (0, 2, 3)
    ]
    assert values[0] == values[1] == values[2]
    assert score.cache_counts["misses"] == 1


# ------------------------------------------------------------------------------------- what compilation says


def test_compilation_is_announced_once_and_only_for_our_own_kernels(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def double(x: float) -> float:
        return 2.0 * x

    def from_module(module: str) -> FunctionType:
        function = FunctionType(double.__code__, {"__name__": module}, "double")
        assert function.__module__ == module
        return function

    monkeypatch.setattr(_ANNOUNCER, "_done", 0)
    with caplog.at_level(logging.WARNING, logger="lurking"):
        foreign: Callable[[float], float] = numba.njit()(from_module("elsewhere"))
        foreign(1.0)
        assert not caplog.records
        kernel: Callable[[float], float] = numba.njit()(from_module("lurking.somewhere"))
        kernel(1.0)
        kernel(2.0)
        kernel(1)  # another type, compiled again
        assert [record.name for record in caplog.records] == ["lurking"]
        assert "once per installation" in caplog.text


def test_compiled_kernels_treat_division_as_numpy_does() -> None:
    @compiled
    def reciprocal(x: float) -> float:
        return 1.0 / x

    assert reciprocal(0.0) == np.inf
