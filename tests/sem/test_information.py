"""Standard errors against numerical Hessians, textbook formulas and the spread over simulated data."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lurking._errors import DataError
from lurking._typing import FloatArray
from lurking.data import Moments
from lurking.graphs import ADMG
from lurking.sem.information import InformationStatus, fisher_information, free_parameters, standard_errors
from lurking.sem.model import LinearSEM
from lurking.sem.ricf import ricf
from sem.random_models import random_model
from strategies import bow_free_admgs

VERMA = ADMG.parse("A -> B -> C -> D; B <-> D")
N = 2000


def vector(model: LinearSEM) -> FloatArray:
    """Return the parameters as one vector: coefficients, error covariances, error variances."""
    upper = np.triu(model.admg.bidirected)
    values: FloatArray = np.concatenate(
        [model.coef[model.admg.directed], model.error_cov[upper], np.diag(model.error_cov)]
    )
    return values


def with_vector(admg: ADMG, theta: FloatArray) -> LinearSEM:
    """Return the model with these parameters; the inverse of :func:`vector`."""
    d = len(admg)
    upper = np.triu(admg.bidirected)
    n_directed, n_bidirected = int(admg.directed.sum()), int(upper.sum())
    coef, error_cov = np.zeros((d, d)), np.zeros((d, d))
    coef[admg.directed] = theta[:n_directed]
    error_cov[upper] = theta[n_directed : n_directed + n_bidirected]
    error_cov += error_cov.T + np.diag(theta[n_directed + n_bidirected :])
    return LinearSEM(admg, coef, error_cov)


def numerical_hessian(model: LinearSEM, moments: Moments, step: float = 1e-4) -> FloatArray:
    """Return minus the second derivatives of the log-likelihood by central differences."""
    theta = vector(model)
    size = len(theta)
    hessian = np.empty((size, size))
    for a in range(size):
        for b in range(size):
            total = 0.0
            for sign_a in (1, -1):
                for sign_b in (1, -1):
                    moved = theta.copy()
                    moved[a] += sign_a * step
                    moved[b] += sign_b * step
                    total += sign_a * sign_b * with_vector(model.admg, moved).loglik(moments)
            hessian[a, b] = -total / (4 * step**2)
    return hessian


def exact_moments(model: LinearSEM, n_samples: int = N) -> Moments:
    """Return moments that the model fits exactly, so that observed and expected information agree."""
    return Moments(model.implied_cov(), n_samples, model.names)


class TestParameters:
    def test_order(self) -> None:
        labels = [parameter.label for parameter in free_parameters(VERMA)]
        assert labels == ["A -> B", "B -> C", "C -> D", "B <-> D", "A <-> A", "B <-> B", "C <-> C", "D <-> D"]

    @settings(max_examples=30)
    @given(bow_free_admgs(1, 5), st.integers(0, 999))
    def test_estimates_follow_the_order(self, admg: ADMG, seed: int) -> None:
        model = random_model(admg, seed)
        errors = standard_errors(exact_moments(model), model)
        assert errors.parameters == free_parameters(admg)
        np.testing.assert_array_equal(errors.estimates, vector(model))


class TestInformation:
    @settings(max_examples=12)
    @given(bow_free_admgs(1, 4), st.integers(0, 999))
    def test_equals_the_numerical_hessian(self, admg: ADMG, seed: int) -> None:
        model = random_model(admg, seed)
        moments = exact_moments(model, 50)
        information = fisher_information(model, 50)
        scale = np.sqrt(np.outer(np.diag(information), np.diag(information)))
        np.testing.assert_allclose(information / scale, numerical_hessian(model, moments) / scale, atol=1e-5)

    def test_standard_errors_equal_those_of_the_observed_information_at_a_fit(self) -> None:
        """Away from the exact model the two informations differ, but only by the misfit."""
        model = random_model(VERMA)
        moments = Moments.from_table(model.sample(N, random_state=0))
        fit = LinearSEM.from_fit(ricf(moments, VERMA))
        expected = np.sqrt(np.diag(standard_errors(moments, fit).covariance))
        observed = np.sqrt(np.diag(np.linalg.inv(numerical_hessian(fit, moments))))
        np.testing.assert_allclose(expected, observed, rtol=0.03)

    def test_regression_by_the_textbook(self) -> None:
        """Var(b) = omega / n times the inverse covariance of the parents, and sd(omega) = omega sqrt(2 / n)."""
        model = random_model(ADMG.parse("A -> B; A -> C; B -> C; A -> D; C -> D"), 3)
        errors = standard_errors(exact_moments(model), model)
        cov = model.implied_cov()
        for child in range(4):
            parents = np.flatnonzero(model.admg.directed[:, child])
            variance = model.error_cov[child, child]
            inverse = np.linalg.inv(cov[np.ix_(parents, parents)])
            np.testing.assert_allclose(errors.coef[parents, child], np.sqrt(variance / N * np.diag(inverse)))
            assert errors.error_cov[child, child] == pytest.approx(variance * np.sqrt(2 / N))
        assert errors.status is InformationStatus.REGULAR
        assert errors.undetermined == ()

    def test_covariance_of_two_variables_by_the_textbook(self) -> None:
        model = random_model(ADMG.parse("A <-> B"), 3)
        (a, c), (_, b) = model.error_cov
        errors = standard_errors(exact_moments(model), model)
        assert errors.error_cov[0, 1] == pytest.approx(np.sqrt((a * b + c * c) / N))
        assert errors.error_cov[1, 0] == errors.error_cov[0, 1]

    def test_nan_means_no_parameter_and_nothing_else(self) -> None:
        model = random_model(VERMA)
        errors = standard_errors(exact_moments(model), model)
        np.testing.assert_array_equal(np.isnan(errors.coef), ~VERMA.directed)
        np.testing.assert_array_equal(np.isnan(errors.error_cov), ~(VERMA.bidirected | np.eye(4, dtype=bool)))
        np.testing.assert_array_equal(np.isnan(errors.total_effects), ~np.triu(np.ones((4, 4), dtype=bool), 1))
        for array in (errors.coef, errors.error_cov, errors.total_effects, errors.covariance, errors.estimates):
            assert not array.flags.writeable

    def test_units_carry_over(self) -> None:
        """Standard errors scale with the units of their parameters, even when these differ by twelve orders."""
        model = random_model(VERMA)
        scales = np.array([1e6, 1.0, 1e-6, 10.0])
        scaled = LinearSEM(VERMA, model.coef / scales[:, None] * scales, model.error_cov * np.outer(scales, scales))
        plain, other = (standard_errors(exact_moments(m), m) for m in (model, scaled))
        assert other.status is InformationStatus.REGULAR
        np.testing.assert_allclose(other.coef, plain.coef / scales[:, None] * scales, rtol=1e-8)
        np.testing.assert_allclose(other.error_cov, plain.error_cov * np.outer(scales, scales), rtol=1e-8)

    def test_names_are_compared(self) -> None:
        with pytest.raises(DataError, match="the graph has no such vertex"):
            standard_errors(Moments(np.eye(4), 50), random_model(VERMA))


class TestTotalEffects:
    @settings(max_examples=15)
    @given(bow_free_admgs(2, 5), st.integers(0, 999))
    def test_equal_the_delta_method_with_a_numerical_gradient(self, admg: ADMG, seed: int) -> None:
        model = random_model(admg, seed)
        errors = standard_errors(exact_moments(model), model)
        theta, step = vector(model), 1e-6
        gradient = np.empty((len(admg), len(admg), len(theta)))
        for a in range(len(theta)):
            moved = [theta + sign * step * (np.arange(len(theta)) == a) for sign in (1, -1)]
            up, down = (with_vector(admg, t).total_effects() for t in moved)
            gradient[:, :, a] = (up - down) / (2 * step)
        variance = np.einsum("ija,ab,ijb->ij", gradient, errors.covariance, gradient)
        paths = ~np.isnan(errors.total_effects)
        np.testing.assert_allclose(errors.total_effects[paths], np.sqrt(variance[paths]), rtol=1e-5, atol=1e-9)
        for i, cause in enumerate(admg.names):
            for j, effect in enumerate(admg.names):
                assert paths[i, j] == (i != j and cause in admg.ancestors(effect))


class TestSpreadOverDatasets:
    @pytest.mark.parametrize(
        "graph",
        [
            "A -> B -> C -> D; B <-> D",
            "A -> B; A -> D; B <-> C; C <-> D; C -> E; A <-> E",
            "A <-> B <-> C <-> D; A -> D",
        ],
    )
    def test_within_15_percent_at_2000_rows(self, graph: str) -> None:
        admg = ADMG.parse(graph)
        model = random_model(admg, 11)
        errors = standard_errors(exact_moments(model), model)
        rng = np.random.default_rng(5)
        thetas, effects = [], []
        for _ in range(400):
            fit = LinearSEM.from_fit(ricf(Moments.from_table(model.sample(N, random_state=rng)), admg))
            thetas.append(vector(fit))
            effects.append(fit.total_effects())
        np.testing.assert_allclose(np.std(thetas, axis=0), np.sqrt(np.diag(errors.covariance)), rtol=0.15)
        paths = ~np.isnan(errors.total_effects)
        np.testing.assert_allclose(np.std(effects, axis=0)[paths], errors.total_effects[paths], rtol=0.15)


class TestSingular:
    def test_a_bow_is_not_determined(self) -> None:
        model = random_model(ADMG.parse("A -> B; A <-> B"))
        errors = standard_errors(exact_moments(model), model)
        assert errors.status is InformationStatus.SINGULAR
        assert "arid_projection" in errors.status.message
        assert errors.undetermined == ("A -> B", "A <-> B", "B <-> B")
        assert errors.coef[0, 1] == np.inf
        assert errors.total_effects[0, 1] == np.inf
        assert errors.error_cov[0, 0] == pytest.approx(model.error_cov[0, 0] * np.sqrt(2 / N))
        assert np.isinf(errors.covariance[0]).all()
        assert np.isfinite(errors.covariance[2, 2])

    def test_what_a_bow_leaves_determined(self) -> None:
        """The covariance of the two ends is a function of undetermined parameters, but is itself determined."""
        model = random_model(ADMG.parse("A -> B; A <-> B"))
        errors = standard_errors(exact_moments(model), model)
        gradient = np.array([model.error_cov[0, 0], 1.0, model.coef[0, 1], 0.0])
        (a, c), (_, b) = model.implied_cov()
        assert float(errors.of(gradient)) == pytest.approx(np.sqrt((a * b + c * c) / N))

    def test_an_instrument_determines_a_bow(self) -> None:
        """The classical variance of the instrumental-variable estimate."""
        model = random_model(ADMG.parse("Z -> A -> B; A <-> B"))
        errors = standard_errors(exact_moments(model), model)
        assert errors.status is InformationStatus.REGULAR
        cov = model.implied_cov()
        expected = np.sqrt(model.error_cov[2, 2] * cov[0, 0] / (N * cov[0, 1] ** 2))
        assert errors.coef[1, 2] == pytest.approx(expected)

    def test_a_useless_instrument_does_not(self) -> None:
        model = random_model(ADMG.parse("Z -> A -> B; A <-> B"))
        coef = model.coef.copy()
        coef[0, 1] = 0
        errors = standard_errors(exact_moments(model), LinearSEM(model.admg, coef, model.error_cov))
        assert errors.status is InformationStatus.SINGULAR
        assert errors.undetermined == ("A -> B", "A <-> B", "B <-> B")
        assert np.isfinite(errors.coef[0, 1])
