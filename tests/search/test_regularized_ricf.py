"""The inner problem, its minimiser and Algorithm 2: against rows, finite differences, SciPy and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lurking._typing import FloatArray
from lurking.constraints import CONSTRAINTS, Form, constraint_for
from lurking.constraints.walk_sums import FORMS
from lurking.search.hyperparameters import DCDHyperparameters
from lurking.search.kernels.inner_problem import InnerProblem, inner_problem, pack, prepare, smooth_part, unpack
from lurking.search.kernels.orthant_lbfgs import minimise, projected_gradient
from lurking.search.kernels.scipy_split import minimise_with_scipy
from lurking.search.regularized_ricf import regularized_ricf
from oracles.constraints_objective import least_squares

FEW = settings(max_examples=20, deadline=None)


def rows(d: int, seed: int, n: int = 60) -> FloatArray:
    """Return centred rows of correlated variables with different scales."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) @ (np.eye(d) + rng.normal(size=(d, d)) / d) * rng.uniform(0.5, 3, d)
    return np.asarray(X - X.mean(axis=0), dtype=np.float64)


def parameters(d: int, seed: int) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    coef = rng.uniform(-0.5, 0.5, (d, d)) * (rng.random((d, d)) < 0.7)
    np.fill_diagonal(coef, 0.0)
    upper = np.triu(rng.uniform(-0.3, 0.3, (d, d)) * (rng.random((d, d)) < 0.7), 1)
    return coef, upper + upper.T + np.diag(rng.uniform(1, 2, d))


def problem_for(
    S: FloatArray,
    graph_class: str = "bow-free",
    form: Form = "power",
    *,
    rho: float = 0.0,
    alpha: float = 0.0,
    penalty: float = 0.05,
    sharpness: float = 3.0,
) -> InnerProblem:
    d = len(S)
    everything = np.ones((d, d), dtype=bool)
    constraint = constraint_for(graph_class, form, 1 / d)
    problem = inner_problem(S, everything, everything, constraint.settings(only_nonzero=True), penalty, sharpness)
    return problem._replace(rho=rho, alpha=alpha)


def smooth(problem: InnerProblem, theta: FloatArray) -> tuple[float, FloatArray, FloatArray]:
    gradient, curvature = np.empty_like(theta), np.empty_like(theta)
    return smooth_part(problem, theta, gradient, curvature), gradient, curvature


@FEW
@given(d=st.integers(2, 12), seed=st.integers(0, 10**6))
def test_least_squares_on_the_covariance_is_that_on_the_rows(d: int, seed: int) -> None:
    X = rows(d, seed)
    problem = problem_for(X.T @ X / len(X))
    old_coef, old_error_cov = parameters(d, seed)
    coef, beta = parameters(d, seed + 1)
    np.fill_diagonal(beta, 0.0)
    assert prepare(problem, old_coef, old_error_cov)
    theta = np.empty(len(problem.rows))
    pack(problem, coef, beta, theta)
    value, _, _ = smooth(problem, theta)
    assert value == pytest.approx(least_squares(X, coef, beta, old_coef, old_error_cov), rel=1e-9)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("graph_class", CONSTRAINTS)
@settings(max_examples=10, deadline=None)
@given(d=st.integers(2, 12), seed=st.integers(0, 10**6))
def test_gradient_of_the_whole_objective_by_finite_differences(graph_class: str, form: Form, d: int, seed: int) -> None:
    X = rows(d, seed)
    weight = 1e-3 if graph_class == "arid" else 1.0  # Greenery is steep: keep it from drowning the rest
    problem = problem_for(X.T @ X / len(X), graph_class, form, rho=weight, alpha=weight)
    coef, error_cov = parameters(d, seed)
    coef, error_cov = coef / d**0.5, error_cov / d**0.5
    assert prepare(problem, coef, error_cov)
    theta = np.empty(len(problem.rows))
    pack(problem, coef, error_cov, theta)
    rng = np.random.default_rng(seed)
    step = rng.normal(size=len(theta)) * (theta != 0)  # at zero the penalty has a kink
    side, projected = np.empty_like(theta), np.empty_like(theta)
    _, gradient, _ = smooth(problem, theta)
    projected_gradient(theta, gradient, problem.penalty, problem.sharpness, side, projected)

    def objective(e: float) -> float:
        moved = theta + e * step
        return smooth(problem, moved)[0] + problem.penalty * float(np.tanh(problem.sharpness * np.abs(moved)).sum())

    smallest = np.abs(theta[theta != 0]).min(initial=1.0)
    e = 1e-5 * min(1.0, smallest / np.abs(step).max(initial=1e-9))
    expected = (8 * (objective(e) - objective(-e)) - (objective(2 * e) - objective(-2 * e))) / (12 * e)
    size = float(np.abs(projected * step).sum()) + 1e-9 * objective(0.0) / e
    assert float((projected * step).sum()) == pytest.approx(expected, rel=1e-4, abs=1e-5 * size + 1e-7)


def test_the_diagonal_of_the_hessian_is_exact_for_least_squares() -> None:
    X = rows(5, 0)
    problem = problem_for(X.T @ X / len(X))
    coef, error_cov = parameters(5, 1)
    assert prepare(problem, coef, error_cov)
    theta = np.zeros(len(problem.rows))
    _, gradient, curvature = smooth(problem, theta)
    for p in range(len(theta)):
        moved = theta.copy()
        moved[p] = 1.0
        assert smooth(problem, moved)[1][p] - gradient[p] == pytest.approx(curvature[p])


@FEW
@given(d=st.integers(2, 8), seed=st.integers(0, 10**6), graph_class=st.sampled_from(sorted(CONSTRAINTS)))
def test_the_minimum_is_stationary_and_parameters_at_zero_are_held_there_by_the_penalty(
    d: int, seed: int, graph_class: str
) -> None:
    X = rows(d, seed)
    problem = problem_for(X.T @ X / len(X), graph_class, rho=1.0, alpha=0.1)
    coef, error_cov = parameters(d, seed)
    assert prepare(problem, coef, error_cov)
    theta = np.empty(len(problem.rows))
    pack(problem, coef, error_cov, theta)
    before = smooth(problem, theta)[0] + 0.05 * float(np.tanh(3.0 * np.abs(theta)).sum())
    value, iterations, evaluations = minimise(problem, theta, 5000, 1e-7, 1e-15)
    assert value <= before
    assert 0 < iterations < 5000
    assert evaluations >= iterations
    smooth_value, gradient, _ = smooth(problem, theta)
    assert value == pytest.approx(smooth_value + 0.05 * float(np.tanh(3.0 * np.abs(theta)).sum()))
    slope = 0.05 * 3.0 * (1 - np.tanh(3.0 * np.abs(theta)) ** 2)
    free = theta != 0
    np.testing.assert_allclose(gradient[free] + np.sign(theta[free]) * slope[free], 0.0, atol=2e-4)
    assert (np.abs(gradient[~free]) <= slope[~free] + 2e-4).all()


def test_without_penalty_and_constraint_the_minimum_is_that_of_scipy_and_of_the_normal_equations() -> None:
    X = rows(6, 3)
    S = X.T @ X / len(X)
    chain = np.eye(6, k=1, dtype=bool)
    lines = np.eye(6, k=2, dtype=bool) | np.eye(6, k=-2, dtype=bool)
    problem = inner_problem(S, chain, lines, constraint_for("bow-free").settings(), 0.0, 3.0)
    coef, error_cov = parameters(6, 4)
    assert prepare(problem, coef, error_cov)
    ours, theirs = np.zeros(len(problem.rows)), np.zeros(len(problem.rows))
    value, *_ = minimise(problem, ours, 5000, 1e-10, 1e-16)
    scipy_value, *_ = minimise_with_scipy(problem, constraint_for("bow-free"), theirs, 5000, 1e-16)
    assert value == pytest.approx(scipy_value, rel=1e-6)
    # The function is quadratic: its exact minimum from the Hessian, column by column.
    zero = np.zeros_like(ours)
    _, gradient, _ = smooth(problem, zero)
    hessian = np.column_stack([smooth(problem, unit)[1] - gradient for unit in np.eye(len(zero))])
    exact = np.asarray(np.linalg.solve(hessian, -gradient), dtype=np.float64)
    assert value == pytest.approx(smooth(problem, exact)[0], rel=1e-8)


@pytest.mark.parametrize("graph_class", ["ancestral", "arid", "bow-free"])
def test_scipy_on_the_split_parameters_minimises_the_same_function(graph_class: str) -> None:
    X = rows(4, 5)
    problem = problem_for(X.T @ X / len(X), graph_class, rho=1.0, alpha=0.1)
    coef, error_cov = parameters(4, 6)
    assert prepare(problem, coef, error_cov)
    theta = np.empty(len(problem.rows))
    pack(problem, coef, error_cov, theta)
    value, *_ = minimise_with_scipy(problem, constraint_for(graph_class, "power", 1 / 4), theta, 5000, 1e-14)
    assert value == pytest.approx(smooth(problem, theta)[0] + 0.05 * float(np.tanh(3.0 * np.abs(theta)).sum()))
    # From where SciPy stopped, ours finds next to nothing.
    further, *_ = minimise(problem, theta, 5000, 1e-7, 1e-15)
    assert value - 1e-3 < further <= value + 1e-12


def test_pack_and_unpack_are_inverse_and_masked_parameters_do_not_exist() -> None:
    allowed = np.ones((4, 4), dtype=bool)
    allowed[0] = False
    lines = np.ones((4, 4), dtype=bool)
    lines[1, 2] = lines[2, 1] = False
    problem = inner_problem(np.eye(4), allowed, lines, constraint_for("arid").settings(), 0.05, 3.0)
    assert len(problem.rows) == 9 + 5
    coef, error_cov = parameters(4, 0)
    theta = np.empty(14)
    pack(problem, coef, error_cov, theta)
    back_coef, back_error_cov = np.zeros((4, 4)), np.zeros((4, 4))
    unpack(problem, theta, back_coef, back_error_cov)
    assert np.array_equal(back_coef, coef * allowed)
    np.fill_diagonal(error_cov, 0.0)
    assert np.array_equal(back_error_cov, error_cov * lines)


# -------------------------------------------------------------------------------------------------- Algorithm 2


def test_on_a_known_dag_it_is_regression() -> None:
    X = rows(4, 7)
    S = X.T @ X / len(X)
    order = np.triu(np.ones((4, 4), dtype=bool), 1)
    constraint = constraint_for("bow-free")
    problem = inner_problem(S, order, np.zeros((4, 4), dtype=bool), constraint.settings(), 0.0, 3.0)
    fit = regularized_ricf(
        problem, constraint, np.zeros((4, 4)), np.diag(np.diag(S)), 5, DCDHyperparameters(inner_tol=1e-14)
    )
    for j in range(1, 4):
        expected = np.linalg.solve(S[:j, :j], S[:j, j])
        np.testing.assert_allclose(fit.coef[:j, j], expected, atol=1e-5)
        assert fit.error_cov[j, j] == pytest.approx(S[j, j] - S[j, :j] @ expected, rel=1e-6)
    assert fit.n_iterations == 2  # the second finds nothing to change
    assert not fit.singular


def test_the_truth_is_a_fixed_point_if_the_covariance_is_exact() -> None:
    """A -> B -> C -> D, B <-> D: with S = Sigma(truth) and no penalty, one step does not move."""
    coef = np.diag([1.2, -0.8, 0.7], k=1)
    error_cov = np.diag([1.0, 1.5, 0.9, 1.4])
    error_cov[1, 3] = error_cov[3, 1] = 0.6
    total = np.linalg.inv(np.eye(4) - coef)
    S = total.T @ error_cov @ total
    constraint = constraint_for("arid")
    problem = inner_problem(S, coef != 0, error_cov != 0, constraint.settings(), 0.0, 3.0)
    fit = regularized_ricf(problem, constraint, coef, error_cov, 10, DCDHyperparameters())
    assert fit.n_iterations == 1
    np.testing.assert_allclose(fit.coef, coef, atol=1e-6)
    np.testing.assert_allclose(fit.error_cov, error_cov, atol=1e-6)
    moved = regularized_ricf(problem, constraint, 0.9 * coef, np.diag(np.diag(S)), 200, DCDHyperparameters())
    np.testing.assert_allclose(moved.coef, coef, atol=1e-3)
    np.testing.assert_allclose(moved.error_cov, error_cov, atol=1e-3)


def test_a_singular_error_covariance_is_reported_and_the_inputs_are_left_alone() -> None:
    S = np.eye(3)
    constraint = constraint_for("arid")
    everything = np.ones((3, 3), dtype=bool)
    problem = inner_problem(S, everything, everything, constraint.settings(), 0.05, 3.0)
    coef, error_cov = np.zeros((3, 3)), np.ones((3, 3))
    fit = regularized_ricf(problem, constraint, coef, error_cov, 3, DCDHyperparameters())
    assert fit.singular
    assert fit.n_iterations == 0
    assert np.array_equal(error_cov, np.ones((3, 3)))


def test_the_limits_of_the_iterations_hold() -> None:
    X = rows(5, 8)
    S = X.T @ X / len(X)
    constraint = constraint_for("bow-free")
    problem = problem_for(S, rho=1.0)
    coef, error_cov = parameters(5, 9)
    one = regularized_ricf(problem, constraint, coef, error_cov, 1, DCDHyperparameters())
    few = regularized_ricf(problem, constraint, coef, error_cov, 1, DCDHyperparameters(inner_max_iterations=2))
    loose = regularized_ricf(problem, constraint, coef, error_cov, 50, DCDHyperparameters(ricf_tol=1e6))
    assert one.n_iterations == loose.n_iterations == 1
    assert few.n_evaluations < one.n_evaluations
    assert few.objective > one.objective
