"""Maximum likelihood against scipy, against plain RICF, against closed forms, and in every way it can go wrong."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import FrozenInstanceError
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lurking import ADMG
from lurking._errors import GraphClassError, GraphError, ParameterError
from lurking._typing import FloatArray
from lurking.data import Moments
from lurking.sem.kernels.complexity import N_PRICES
from lurking.sem.kernels.district_fit import NEAR_SINGULAR
from lurking.sem.kernels.fit_call import COLD_SWEEPS, MAX_ITERATIONS, STATUS, WARM_SWEEPS
from lurking.sem.kernels.linear_algebra import back_substitute, factor, forward_substitute, invert_factored
from lurking.sem.kernels.score_state import new_score_state, new_scored_graph
from lurking.sem.kernels.scores import score_graph
from lurking.sem.ricf import FitStatus, ricf
from lurking.simulate import simulate_admg
from oracles.likelihood_scipy import DirectLikelihood
from oracles.ricf_numpy import minus_two_loglik, ricf_numpy, ricf_sweep
from sem.random_data import random_graph, random_moments
from strategies import bow_free_admgs

N = 500  # rows of random_moments

# A covariance matrix and a graph with a c-tree (root V0) for which coefficients grow without bound.
RUNAWAY_GRAPH = ADMG.parse(
    "V0 -> V1; V2 -> V3; V2 -> V4; V3 -> V5; V4 -> V5; V5 -> V0; "
    "V0 <-> V2; V0 <-> V3; V0 <-> V4; V1 <-> V4; V1 <-> V5; V2 <-> V5; V3 <-> V4",
    names=[f"V{i}" for i in range(6)],
)


def direct(moments: Moments, admg: ADMG) -> DirectLikelihood:
    return DirectLikelihood(moments.cov, admg.directed, admg.bidirected)


# ------------------------------------------------------------------------------------------ the maximum itself


@pytest.mark.parametrize("block", range(8))
def test_equals_a_direct_maximisation_by_scipy(block: int) -> None:
    """240 graphs with 3 to 8 vertices, scipy from two starts each: none finds a higher likelihood, and most agree."""
    agreements = []
    for case in range(30):
        rng = np.random.default_rng(1000 * block + case)
        d = 3 + case % 6
        moments = random_moments(rng, d)
        admg = random_graph(rng, d, rng.uniform(0.1, 0.6), rng.uniform(0.1, 0.6))
        fit = ricf(moments, admg)
        assert fit.converged or not admg.is_arid()
        problem = direct(moments, admg)
        slopes = np.where(admg.directed, rng.normal(0, 0.3, (d, d)), 0.0)
        found = [
            problem.minimum_from(np.zeros((d, d)), np.eye(d)),
            problem.minimum_from(slopes, np.diag(rng.uniform(0.5, 2.0, d))),
        ]
        best = -0.5 * N * min(found)
        if fit.converged:
            assert fit.loglik >= best - 1e-6
            agreements.append(abs(fit.loglik - best) < 1e-6)
    assert np.mean(agreements) >= 0.9


@pytest.mark.parametrize("seed", range(40))
def test_is_a_stationary_point_and_at_least_as_good_as_plain_ricf(seed: int) -> None:
    rng = np.random.default_rng(seed)
    d = 3 + seed % 8
    moments = random_moments(rng, d)
    admg = random_graph(rng, d, 0.4, 0.3)
    fit = ricf(moments, admg)
    value, gradient = direct(moments, admg).value_and_grad(direct(moments, admg).pack(fit.coef, fit.error_cov))
    assert -2 * fit.loglik == pytest.approx(N * value, rel=1e-12)
    if fit.converged:
        assert np.abs(gradient).max() < 1e-6
    plain = ricf_numpy(moments.cov, N, admg.directed, admg.bidirected, max_sweeps=300)[2]
    assert -2 * fit.loglik <= plain + 1e-6


@pytest.mark.parametrize("sweeps", [1, 2, 5])
@pytest.mark.parametrize("seed", range(6))
def test_compiled_sweeps_equal_their_numpy_twin(seed: int, sweeps: int) -> None:
    rng = np.random.default_rng(seed)
    moments = random_moments(rng, 7)
    admg = random_graph(rng, 7, 0.4, 0.5)
    coef, error_cov = regressions(moments.cov, admg)
    state = new_score_state(moments.correlation, np.ones(7), N, np.zeros(N_PRICES), np.zeros(22), 1, 1e-12)
    state.settings[[COLD_SWEEPS, WARM_SWEEPS, MAX_ITERATIONS]] = sweeps
    graph = new_scored_graph(7)
    graph.directed[:], graph.bidirected[:] = admg.directed, admg.bidirected
    graph.coef[:], graph.error_cov[:] = coef, error_cov
    value = score_graph(state, graph, 1)
    for _ in range(sweeps):
        ricf_sweep(moments.cov, admg.directed, admg.bidirected, coef, error_cov)
    np.testing.assert_allclose(graph.coef, coef, atol=1e-10)
    np.testing.assert_allclose(graph.error_cov, error_cov, atol=1e-10)
    assert value == pytest.approx(minus_two_loglik(moments.cov, N, coef, error_cov), abs=1e-7)


def regressions(cov: FloatArray, admg: ADMG) -> tuple[FloatArray, FloatArray]:
    d = len(cov)
    coef, error_cov = np.zeros((d, d)), np.zeros((d, d))
    for i in range(d):
        parents = np.flatnonzero(admg.directed[:, i])
        coef[parents, i] = np.linalg.solve(cov[np.ix_(parents, parents)], cov[parents, i])
        error_cov[i, i] = cov[i, i] - coef[parents, i] @ cov[parents, i]
    return coef, error_cov


def test_a_dag_is_one_regression_per_variable() -> None:
    rng = np.random.default_rng(5)
    moments = random_moments(rng, 6)
    admg = random_graph(rng, 6, 0.6, 0.0)
    coef, error_cov = regressions(moments.cov, admg)
    fit = ricf(moments, admg)
    np.testing.assert_allclose(fit.coef, coef, atol=1e-12)
    np.testing.assert_allclose(fit.error_cov, error_cov, atol=1e-12)


@pytest.mark.parametrize("text", ["A -> B <-> C; A -> C", "A <-> B <-> C <-> A", "A -> B -> C <-> A"])
def test_a_complete_graph_fits_the_covariance_exactly(text: str) -> None:
    moments = Moments([[2.0, 0.9, -0.5], [0.9, 1.0, 0.1], [-0.5, 0.1, 3.0]], 100, list("ABC"))
    fit = ricf(moments, ADMG.parse(text))
    np.testing.assert_allclose(fit.implied_cov(), moments.cov, atol=1e-7)
    loglik = -0.5 * 100 * (3 * np.log(2 * np.pi) + np.linalg.slogdet(moments.cov)[1] + 3)
    assert fit.loglik == pytest.approx(loglik, abs=1e-9)
    assert fit.bic == pytest.approx(-2 * loglik + 6 * np.log(100), abs=1e-9)


def test_seemingly_unrelated_regressions_by_iterated_least_squares() -> None:
    """Two equations with different regressors and correlated errors: alternate generalised least squares by hand."""
    rng = np.random.default_rng(3)
    moments = random_moments(rng, 4)
    fit = ricf(moments, ADMG.parse("V0 -> V2 <-> V3 <- V1; V0 -> V1", names=moments.names))
    cov, slopes = moments.cov, np.zeros(2)
    for _ in range(500):
        residual = np.array([[-slopes[0], 0.0, 1.0, 0.0], [0.0, -slopes[1], 0.0, 1.0]])
        omega = residual @ cov @ residual.T
        k = np.linalg.inv(omega)
        left = np.array([[k[0, 0] * cov[0, 0], k[0, 1] * cov[0, 1]], [k[0, 1] * cov[0, 1], k[1, 1] * cov[1, 1]]])
        right = np.array(
            [k[0, 0] * cov[0, 2] + k[0, 1] * cov[0, 3], k[0, 1] * cov[1, 2] + k[1, 1] * cov[1, 3]],
        )
        slopes = np.linalg.solve(left, right)
    np.testing.assert_allclose([fit.coef[0, 2], fit.coef[1, 3]], slopes, atol=1e-7)
    np.testing.assert_allclose(fit.error_cov[2:, 2:], omega, atol=1e-7)


# ------------------------------------------------------------------------------------------------- invariance


@given(bow_free_admgs(min_size=2, max_size=6), st.integers(0, 10**6))
@settings(max_examples=60)
def test_units_signs_and_order_of_columns_change_nothing_else(admg: ADMG, seed: int) -> None:
    rng = np.random.default_rng(seed)
    d = len(admg)
    base = random_moments(rng, d)
    moments = Moments(base.cov, N, admg.names)
    scales = 10.0 ** rng.uniform(-6, 6, d) * rng.choice([-1.0, 1.0], d)
    order = rng.permutation(d)
    names = [admg.names[i] for i in order]
    changed = Moments((moments.cov * np.outer(scales, scales))[np.ix_(order, order)], N, names)
    fit, other = ricf(moments, admg), ricf(changed, admg)
    assert other.names == tuple(names)
    assert other.status == fit.status
    shift = -N * np.log(np.abs(scales)).sum()
    assert other.loglik == pytest.approx(fit.loglik + shift, abs=1e-6)
    if fit.converged and admg.is_arid():
        back = np.argsort(order)
        coef = other.coef[np.ix_(back, back)] * scales[:, None] / scales[None, :]
        error_cov = other.error_cov[np.ix_(back, back)] / np.outer(scales, scales)
        np.testing.assert_allclose(coef, fit.coef, atol=1e-5)
        np.testing.assert_allclose(error_cov, fit.error_cov, atol=1e-5)


def mags_by_class() -> list[list[ADMG]]:
    """All maximal ancestral graphs on 3 vertices, and on 4 those of the larger classes, by Markov equivalence."""
    names = list("ABCD")
    pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    classes: dict[object, list[ADMG]] = defaultdict(list)
    rng = np.random.default_rng(0)
    states = [s for s in product(range(4), repeat=6) if rng.random() < 0.15]
    for state in states:
        matrices = np.zeros((2, 4, 4), dtype=bool)
        for (i, j), kind in zip(pairs, state, strict=True):
            matrices[0, i, j], matrices[0, j, i] = kind == 1, kind == 2
            matrices[1, i, j] = matrices[1, j, i] = kind == 3
        reached = np.linalg.matrix_power(np.eye(4) + matrices[0], 4)
        if (np.triu(reached * reached.T, 1) > 0).any():
            continue  # a cycle
        graph = ADMG(names, matrices[0], matrices[1])
        if graph.is_mag():
            classes[graph.to_pag()].append(graph)
    return [graphs for graphs in classes.values() if len(graphs) > 1]


def test_markov_equivalent_mags_have_the_same_bic() -> None:
    classes = mags_by_class()
    assert sum(map(len, classes)) > 100
    rng = np.random.default_rng(7)
    for graphs in classes:
        moments = Moments(random_moments(rng, 4).cov, N, list("ABCD"))
        values = [ricf(moments, graph).bic for graph in graphs]
        np.testing.assert_allclose(values, values[0], atol=1e-6)


# ------------------------------------------------------------------------------------- the result and its status


def test_result_follows_the_order_of_the_moments_and_cannot_be_changed() -> None:
    moments = random_moments(np.random.default_rng(0), 3)
    cov = moments.cov.copy()
    fit = ricf(moments, ADMG.parse("V2 -> V0; V1 <-> V0"))
    assert fit.names == moments.names == fit.admg.names
    assert fit.coef[2, 0] != 0
    assert fit.coef[0, 2] == 0
    assert fit.error_cov[0, 1] == fit.error_cov[1, 0] != 0
    assert fit.n_parameters == 5
    assert fit.bic == pytest.approx(-2 * fit.loglik + 5 * np.log(N))
    with pytest.raises(FrozenInstanceError):
        fit.loglik = 0.0  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        fit.coef[0, 0] = 1.0
    np.testing.assert_array_equal(moments.cov, cov)


def test_every_status_says_what_to_do() -> None:
    for status in FitStatus:
        assert status.message.endswith(".")
    assert "max_iterations" in FitStatus.MAX_ITERATIONS.message
    assert "arid" in FitStatus.DIVERGED.message
    assert "leave out" in FitStatus.NEAR_SINGULAR.message


def test_out_of_iterations_is_said_and_more_iterations_help() -> None:
    moments = random_moments(np.random.default_rng(1), 5)
    admg = ADMG.parse("V0 -> V1 <-> V2 <-> V3 <- V4; V0 -> V4", names=moments.names)
    short, full = ricf(moments, admg, max_iterations=1), ricf(moments, admg)
    assert short.status is FitStatus.MAX_ITERATIONS
    assert not short.converged
    assert full.converged
    assert full.n_iterations > short.n_iterations / 4
    assert full.loglik > short.loglik


def test_a_smaller_tolerance_gives_more_digits() -> None:
    moments = random_moments(np.random.default_rng(2), 6)
    admg = random_graph(np.random.default_rng(3), 6, 0.3, 0.6)
    loose, tight = ricf(moments, admg, tol=10.0), ricf(moments, admg, tol=1e-12)
    assert loose.n_iterations < tight.n_iterations
    assert 0 <= tight.loglik - loose.loglik < 10.0


def test_a_maximum_at_infinity_is_a_status() -> None:
    rng = np.random.default_rng(0)
    statuses = set()
    for _ in range(60):
        rows = rng.normal(size=(12, 6)) @ rng.normal(size=(6, 6))
        fit = ricf(Moments(np.cov(rows.T), 300, RUNAWAY_GRAPH.names), RUNAWAY_GRAPH)
        statuses.add(fit.status)
        assert np.isfinite(fit.coef).all()
        assert np.isfinite(fit.error_cov).all()
        assert np.isfinite(fit.loglik)
    assert FitStatus.DIVERGED in statuses
    assert statuses <= {FitStatus.CONVERGED, FitStatus.DIVERGED}


@pytest.mark.parametrize("exponent", [1.0, 2.0, 3.0, 4.0, 4.5])
def test_nearly_collinear_variables_end_in_a_status_never_in_nan(exponent: float) -> None:
    rng = np.random.default_rng(int(2 * exponent))
    rows = rng.normal(size=(200, 5))
    rows[:, 3] = rows[:, 0] + rows[:, 1] + 10.0**-exponent * rows[:, 3]
    moments = Moments(np.cov(rows.T, bias=True), 200, list("ABCDE"))
    for text in (
        "A -> C; B -> C; D -> C; C <-> E; D -> E",
        "A <-> B <-> C <-> D <-> E; A <-> D; B <-> D",
        "A -> B -> C -> D -> E; A <-> D; B <-> D",
        "A -> D; B -> D; D <-> E; C -> E",
    ):
        fit = ricf(moments, ADMG.parse(text, names=moments.names))
        assert isinstance(fit.status, FitStatus)
        assert np.isfinite([fit.loglik, fit.bic]).all()
        assert np.isfinite(fit.coef).all()
        assert np.isfinite(fit.error_cov).all()
        assert (np.diag(fit.error_cov) > 0).all()
        upper = -0.5 * 200 * (5 * np.log(2 * np.pi) + np.linalg.slogdet(moments.cov)[1] + 5)
        assert fit.loglik <= upper + 1e-6


@pytest.mark.parametrize("text", ["A -> D; B -> D; C -> D", "A -> D; B -> D; C -> D; D <-> E", "A <-> B <-> C <-> A"])
def test_singular_correlations_are_a_status_even_if_moments_let_them_through(text: str) -> None:
    """C = A + B exactly, which only the kernels can be shown."""
    root = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0], [0.5, 0.2, 1, 0], [0.1, 0.3, 0.4, 1]])
    cov = root @ root.T
    correlation = cov / np.sqrt(np.outer(np.diag(cov), np.diag(cov)))
    admg = ADMG.parse(text, names=list("ABCDE"))
    state = new_score_state(correlation, np.ones(5), 100, np.zeros(N_PRICES), np.zeros(11), 1, 1e-9)
    graph = new_scored_graph(5)
    graph.directed[:], graph.bidirected[:] = admg.directed, admg.bidirected
    assert np.isfinite(score_graph(state, graph, 0))
    assert NEAR_SINGULAR in graph.local[np.unique(graph.district), STATUS]
    assert np.isfinite(graph.coef).all()
    assert np.isfinite(graph.error_cov).all()


# -------------------------------------------------------------------------------------------------- bad input


def test_a_bow_is_named() -> None:
    moments = random_moments(np.random.default_rng(0), 3)
    with pytest.raises(GraphClassError, match="the bow V0 -> V1 with V0 <-> V1"):
        ricf(moments, ADMG.parse("V0 -> V1; V0 <-> V1; V2"))


def test_other_variables_are_named() -> None:
    moments = random_moments(np.random.default_rng(0), 3)
    with pytest.raises(GraphError, match=r"'W'.*only in the graph"):
        ricf(moments, ADMG.parse("V0 -> V1; V2; W"))
    with pytest.raises(GraphError, match="'V2' is only in the data"):
        ricf(moments, ADMG.parse("V0 -> V1"))


@pytest.mark.parametrize("tol", [0, -1.0, np.nan, np.inf, "small"])
def test_tol_out_of_range(tol: float) -> None:
    with pytest.raises(ParameterError, match="'tol' parameter of ricf"):
        ricf(random_moments(np.random.default_rng(0), 2), ADMG.parse("V0 -> V1"), tol=tol)


@pytest.mark.parametrize("most", [0, -3, 2.5, True])
def test_max_iterations_out_of_range(most: int) -> None:
    with pytest.raises(ParameterError, match="'max_iterations' parameter of ricf"):
        ricf(random_moments(np.random.default_rng(0), 2), ADMG.parse("V0 -> V1"), max_iterations=most)


# --------------------------------------------------------------------------------------------- linear algebra


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7, 10, 31])
def test_cholesky_factors_solve_and_invert(size: int) -> None:
    rng = np.random.default_rng(size)
    root = rng.normal(size=(size, size + 3))
    matrix, right = root @ root.T, rng.normal(size=size)
    system = np.vstack([matrix, right])
    system[:size] = np.tril(matrix)  # nothing above the diagonal is read
    assert factor(system, size)
    forward_substitute(system, size, size)
    solution = np.empty(size)
    back_substitute(system, size, size, solution)
    np.testing.assert_allclose(solution, np.linalg.solve(matrix, right), rtol=1e-8)
    assert system[size] @ system[size] == pytest.approx(right @ solution, rel=1e-9)
    lower = np.tril(system[:size])
    lower[np.diag_indices(size)] **= -1.0
    np.testing.assert_allclose(lower, np.linalg.cholesky(matrix), rtol=1e-9)
    inverse = np.empty((size, size))
    invert_factored(system, size, inverse)
    np.testing.assert_allclose(inverse, np.linalg.inv(matrix), rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("size", [1, 2, 5, 8])
def test_a_matrix_that_is_not_definite_is_refused(size: int) -> None:
    for place in range(size):
        matrix = np.eye(size)
        matrix[place, place] = -1e-3
        assert not factor(matrix, size)
        matrix = np.eye(size)
        matrix[place, place] = np.nan
        assert not factor(matrix, size)
    assert not factor(np.ones((2, 2)), 2)


def test_a_fit_that_was_cut_short_is_not_called_divergent() -> None:
    graph = ADMG.parse("A -> B -> C -> D; A <-> D; B <-> D; A <-> C")
    assert not graph.is_arid()
    moments = Moments.from_table(simulate_admg(graph, 500, random_state=0).data)
    assert ricf(moments, graph).status is FitStatus.CONVERGED
    assert ricf(moments, graph, max_iterations=1).status is FitStatus.MAX_ITERATIONS
