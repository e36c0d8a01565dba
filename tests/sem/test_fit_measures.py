"""Measures of fit against their definitions, computed another way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from lurking._errors import DataError, GraphClassError, ParameterError
from lurking.data import Moments
from lurking.graphs import ADMG
from lurking.sem.fit_measures import fit_measures
from lurking.sem.model import LinearSEM
from lurking.sem.ricf import ricf
from sem.random_models import random_model
from strategies import bow_free_admgs

CHAIN = ADMG.parse("A -> B -> C -> D")
VERMA = ADMG.parse("A -> B -> C -> D; B <-> D")


def fitted_dag(moments: Moments, dag: ADMG) -> LinearSEM:
    """Return the maximum-likelihood fit of a DAG: one regression per variable."""
    d = len(dag)
    coef, variances = np.zeros((d, d)), np.zeros(d)
    for j in range(d):
        parents = np.flatnonzero(dag.directed[:, j])
        coef[parents, j] = np.linalg.solve(moments.cov[np.ix_(parents, parents)], moments.cov[parents, j])
        variances[j] = moments.cov[j, j] - coef[parents, j] @ moments.cov[parents, j]
    return LinearSEM(dag, coef, np.diag(variances))


def misfitting_data(n_samples: int = 300, seed: int = 0) -> Moments:
    """Return data in which A and D stay dependent given B and C, which the chain forbids."""
    model = random_model(ADMG.parse("A -> B -> C -> D; A -> D; B <-> D"), 4)
    return Moments.from_table(model.sample(n_samples, random_state=seed))


def partial_correlation(moments: Moments, one: str, other: str, given: list[str]) -> float:
    precision = np.linalg.inv(moments.subset([one, other, *given]).cov)
    return float(-precision[0, 1] / np.sqrt(precision[0, 0] * precision[1, 1]))


class TestAgainstDefinitions:
    @pytest.fixture
    def moments(self) -> Moments:
        return misfitting_data()

    def test_chi_square_of_a_chain_is_a_sum_over_its_independences(self, moments: Moments) -> None:
        """For a chain, it is -n ln(1 - r²) with r the partial correlations that the chain sets to zero."""
        chi_square = 0.0
        for child, parents, added in (("C", ["B"], "A"), ("D", ["C"], "B"), ("D", ["B", "C"], "A")):
            chi_square -= moments.n_samples * np.log(1 - partial_correlation(moments, child, added, parents) ** 2)
        measures = fit_measures(moments, fitted_dag(moments, CHAIN))
        assert measures.df == 3
        assert measures.chi_square == pytest.approx(chi_square, rel=1e-9)
        assert measures.p_value == pytest.approx(float(stats.chi2.sf(chi_square, 3)), rel=1e-8)

    def test_rmsea_and_its_interval(self, moments: Moments) -> None:
        measures = fit_measures(moments, fitted_dag(moments, CHAIN))
        n, x = moments.n_samples, measures.chi_square
        assert measures.rmsea == pytest.approx(np.sqrt((x - 3) / (3 * n)))
        for p, bound in zip((0.95, 0.05), measures.rmsea_interval, strict=True):
            found = optimize.brentq(lambda nc, p=p: stats.ncx2.cdf(x, 3, nc) - p, 1e-6, 10 * x)
            assert bound == pytest.approx(np.sqrt(found / (3 * n)), rel=1e-6)
        assert measures.rmsea_interval[0] < measures.rmsea < measures.rmsea_interval[1]

    def test_cfi_against_a_fitted_independence_model(self, moments: Moments) -> None:
        measures = fit_measures(moments, fitted_dag(moments, CHAIN))
        baseline = fit_measures(
            moments, LinearSEM(ADMG.empty(CHAIN.names), np.zeros((4, 4)), np.diag(np.diag(moments.cov)))
        )
        assert baseline.df == 6
        assert baseline.cfi == pytest.approx(0)
        expected = 1 - (measures.chi_square - 3) / (baseline.chi_square - 6)
        assert measures.cfi == pytest.approx(expected, rel=1e-9)
        assert 0.3 < measures.cfi < 0.999

    def test_srmr_and_residuals(self, moments: Moments) -> None:
        model = fitted_dag(moments, CHAIN)
        measures = fit_measures(moments, model)
        implied, scales = model.implied_cov(), moments.scales
        squares, residuals = [], {}
        for i in range(4):
            for j in range(i + 1):
                residual = (moments.cov[i, j] - implied[i, j]) / (scales[i] * scales[j])
                squares.append(residual**2)
                residuals[CHAIN.names[j], CHAIN.names[i]] = residual
                assert measures.residual_correlations[i, j] == pytest.approx(residual)
        assert measures.srmr == pytest.approx(np.sqrt(np.mean(squares)))
        worst = max(((a, b) for a, b in residuals if a != b), key=lambda pair: abs(residuals[pair]))
        listed = measures.largest_residuals(3)
        assert listed[0][:2] == worst
        assert listed[0][2] == pytest.approx(residuals[worst])
        sizes = [abs(value) for _, _, value in listed]
        assert sizes == sorted(sizes, reverse=True)
        assert len(listed) == 3

    def test_information_criteria(self, moments: Moments) -> None:
        model = fitted_dag(moments, CHAIN)
        measures = fit_measures(moments, model)
        assert measures.loglik == pytest.approx(model.loglik(moments))
        assert measures.bic == pytest.approx(-2 * model.loglik(moments) + 7 * np.log(300))
        assert measures.ebic == pytest.approx(measures.bic + 4 * 0.5 * 3 * np.log(4))
        assert fit_measures(moments, model, gamma=0).ebic == measures.bic
        assert fit_measures(moments, model, gamma=1).ebic == pytest.approx(measures.bic + 4 * 3 * np.log(4))

    def test_columns_in_any_order_and_any_units(self, moments: Moments) -> None:
        measures = fit_measures(moments, fitted_dag(moments, CHAIN))
        scales = np.array([1e-4, 1e3, 7.0, 1e5])
        scaled = Moments(moments.cov * np.outer(scales, scales), 300, CHAIN.names).reorder(["D", "A", "C", "B"])
        other = fit_measures(scaled, fitted_dag(scaled.reorder(CHAIN.names), CHAIN))
        for name in ("chi_square", "p_value", "rmsea", "cfi", "srmr"):
            assert getattr(other, name) == pytest.approx(getattr(measures, name), rel=1e-6)


class TestEdges:
    def test_saturated(self) -> None:
        moments = misfitting_data()
        full = ADMG.parse("A -> B; A -> C; A -> D; B -> C; B -> D; C -> D")
        measures = fit_measures(moments, fitted_dag(moments, full))
        assert (measures.df, measures.p_value, measures.rmsea, measures.rmsea_interval) == (0, 1.0, 0.0, (0.0, 0.0))
        assert measures.chi_square == pytest.approx(0, abs=1e-9)
        assert measures.cfi == pytest.approx(1)
        assert measures.srmr == pytest.approx(0, abs=1e-12)

    def test_one_variable(self) -> None:
        measures = fit_measures(Moments([[2.0]], 10, ["A"]), LinearSEM(ADMG.parse("A"), [[0]], [[2]]))
        assert (measures.df, measures.cfi, measures.largest_residuals()) == (0, 1.0, [])

    def test_perfect_fit_with_restrictions(self) -> None:
        model = random_model(CHAIN)
        measures = fit_measures(Moments(model.implied_cov(), 100, CHAIN.names), model)
        assert measures.chi_square == pytest.approx(0, abs=1e-9)
        assert (measures.rmsea, measures.cfi) == (0, 1)
        assert measures.p_value == pytest.approx(1)
        assert measures.rmsea_interval == (0, 0)

    def test_dreadful_fit(self) -> None:
        """A million rows and a graph without edges: the interval of the RMSEA must still be found."""
        moments = Moments(random_model(CHAIN).implied_cov(), 10**6, CHAIN.names)
        measures = fit_measures(moments, fitted_dag(moments, ADMG.empty(CHAIN.names)))
        assert measures.p_value == 0
        assert measures.cfi == 0
        assert measures.rmsea_interval[0] < measures.rmsea < measures.rmsea_interval[1]
        assert measures.rmsea_interval[1] < 1.01 * measures.rmsea

    def test_more_parameters_than_covariances(self) -> None:
        model = random_model(ADMG.parse("A -> B; A <-> B"))
        with pytest.raises(GraphClassError, match=r"has 4 parameters for 3 variances and covariances.*remove the bow"):
            fit_measures(Moments(model.implied_cov(), 50, model.names), model)

    def test_bad_arguments(self) -> None:
        model = random_model(CHAIN)
        with pytest.raises(ParameterError, match="The 'gamma' of EBIC must be a number from 0 to 1"):
            fit_measures(Moments(model.implied_cov(), 50, model.names), model, gamma=2)
        with pytest.raises(DataError, match="the graph has no such vertex"):
            fit_measures(Moments(np.eye(4), 50), model)

    def test_text(self) -> None:
        moments = misfitting_data()
        measures = fit_measures(moments, fitted_dag(moments, CHAIN))
        assert (
            str(measures).splitlines()[0].startswith(f"chi-square  {measures.chi_square:.3f} on 3 degrees of freedom")
        )
        with pytest.raises(AttributeError):
            measures.bic = 3  # type: ignore[misc]
        assert not measures.residual_correlations.flags.writeable


class TestWithFits:
    @settings(max_examples=25)
    @given(bow_free_admgs(2, 5), st.integers(0, 99))
    def test_a_fit_is_never_better_than_the_saturated_model(self, admg: ADMG, seed: int) -> None:
        moments = Moments.from_table(np.random.default_rng(seed).standard_normal((60, len(admg))), names=admg.names)
        fit = ricf(moments, admg)
        measures = fit_measures(moments, fit)
        d = len(admg)
        assert measures.df == d * (d - 1) // 2 - admg.n_edges
        assert measures.loglik == pytest.approx(fit.loglik)
        assert measures.bic == pytest.approx(fit.bic)
        saturated = -30 * (d * np.log(2 * np.pi) + np.linalg.slogdet(moments.cov)[1] + d)
        assert measures.chi_square == pytest.approx(2 * (saturated - fit.loglik), abs=1e-6)

    def test_chi_square_is_calibrated_under_the_truth(self) -> None:
        """The Verma graph forbids two things; over many datasets the p-values must be uniform."""
        model = random_model(VERMA, 2)
        rng = np.random.default_rng(8)
        p_values = []
        for _ in range(300):
            moments = Moments.from_table(model.sample(1000, random_state=rng))
            measures = fit_measures(moments, ricf(moments, VERMA))
            assert measures.df == 2
            p_values.append(measures.p_value)
        assert stats.kstest(p_values, "uniform").pvalue > 0.01

    def test_chi_square_finds_a_violated_verma_constraint(self) -> None:
        truth = random_model(ADMG.parse("A -> B -> C -> D; B <-> D; A -> D"), 2)
        moments = Moments.from_table(truth.sample(2000, random_state=0))
        assert fit_measures(moments, ricf(moments, VERMA)).p_value < 1e-6
        assert fit_measures(moments, ricf(moments, truth.admg)).p_value > 0.01
