"""Missing values: EM against a direct maximisation of the observed likelihood, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from lurking import ADMGDiscovery
from lurking._errors import DataError
from lurking._typing import FloatArray
from lurking.data.missing import check_not_infinite, complete_rows, gaussian_em, observed_loglik, pairs_observed
from lurking.data.prepare import prepare

NAMES = ("A", "B", "C")


def table_with_gaps(seed: int, n: int = 80, share: float = 0.25) -> FloatArray:
    rng = np.random.default_rng(seed)
    mixing = np.array([[1.0, 0.8, -0.4], [0.0, 1.0, 0.6], [0.0, 0.0, 1.0]])
    values: FloatArray = rng.normal(size=(n, 3)) @ mixing * [1.0, 20.0, 0.1] + [3.0, -500.0, 0.0]
    values[rng.random(values.shape) < share] = np.nan
    return values


def loglik_row_by_row(values: FloatArray, mean: FloatArray, cov: FloatArray) -> float:
    total = 0.0
    for row in values:
        seen = ~np.isnan(row)
        away, part = (row - mean)[seen], cov[np.ix_(seen, seen)]
        total -= 0.5 * (
            seen.sum() * np.log(2 * np.pi) + np.log(np.linalg.det(part)) + away @ np.linalg.solve(part, away)
        )
    return total


def maximised_directly(values: FloatArray) -> tuple[float, FloatArray, FloatArray]:
    """Maximise the same likelihood over means and a Cholesky factor, by a general-purpose optimiser."""
    centre, scale = np.nanmean(values, axis=0), np.nanstd(values, axis=0)
    standard = (values - centre) / scale
    lower = np.tril_indices(3)

    def unpacked(parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
        factor = np.zeros((3, 3))
        factor[lower] = parameters[3:]
        return parameters[:3], factor @ factor.T + 1e-12 * np.eye(3)

    def minus_loglik(parameters: FloatArray) -> float:
        return -loglik_row_by_row(standard, *unpacked(parameters))

    start = np.concatenate([np.zeros(3), np.eye(3)[lower]])
    found = minimize(minus_loglik, start, method="BFGS", options={"gtol": 1e-5})
    mean, cov = unpacked(found.x)
    observed = (~np.isnan(values)).sum(axis=0)
    loglik = -float(found.fun) - float(observed @ np.log(scale))
    return loglik, centre + mean * scale, cov * np.outer(scale, scale)


def test_em_is_the_maximum_of_the_observed_likelihood() -> None:
    values = table_with_gaps(1, n=50)
    estimate = gaussian_em(NAMES, values)
    loglik, mean, cov = maximised_directly(values)
    assert estimate.loglik == pytest.approx(loglik, abs=1e-5)
    scales = np.sqrt(np.diag(cov))
    assert np.allclose((estimate.mean - mean) / scales, 0, atol=1e-4)
    assert np.allclose((estimate.cov - cov) / np.outer(scales, scales), 0, atol=1e-3)


def test_observed_likelihood_row_by_row() -> None:
    values = table_with_gaps(2)
    estimate = gaussian_em(NAMES, values)
    assert observed_loglik(values, estimate.mean, estimate.cov) == pytest.approx(estimate.loglik, abs=1e-6)
    by_rows = loglik_row_by_row(values, estimate.mean, estimate.cov)
    assert observed_loglik(values, estimate.mean, estimate.cov) == pytest.approx(by_rows, abs=1e-6)


def test_complete_rows_give_mean_and_covariance() -> None:
    values = table_with_gaps(3, share=0.0)
    estimate = gaussian_em(NAMES, values)
    assert np.allclose(estimate.mean, values.mean(axis=0))
    assert np.allclose(estimate.cov, np.cov(values, rowvar=False, bias=True))
    assert estimate.n_samples == len(values)


def test_em_repairs_what_dropping_cannot() -> None:
    # the larger A, the more often B is missing: the complete rows alone have far too small a mean of A and of B
    rng = np.random.default_rng(4)
    a = rng.normal(size=20_000)
    b = a + rng.normal(size=20_000)
    table = np.column_stack([a, np.where(a > rng.normal(size=20_000), np.nan, b)])
    assert abs(float(gaussian_em(("A", "B"), table).mean[1])) < 0.05
    assert float(complete_rows(("A", "B"), table).mean(axis=0)[1]) < -0.4


def test_rows_without_any_value_do_not_count_and_the_input_is_left_alone() -> None:
    values = table_with_gaps(5)
    with_empty = np.vstack([values, np.full((7, 3), np.nan)])
    before = with_empty.copy()
    estimate, plain = gaussian_em(NAMES, with_empty), gaussian_em(NAMES, values)
    assert estimate.n_samples == plain.n_samples
    assert np.allclose(estimate.cov, plain.cov, rtol=1e-5)
    assert np.array_equal(before, with_empty, equal_nan=True)


def test_what_cannot_be_estimated_is_refused_by_name() -> None:
    values = table_with_gaps(6, share=0.0)
    apart = values.copy()
    apart[:40, 0], apart[40:, 2] = np.nan, np.nan
    with pytest.raises(DataError, match="'A' and 'C' are hardly ever observed in the same row"):
        gaussian_em(NAMES, apart)
    constant = values.copy()
    constant[:, 1] = 2.0
    with pytest.raises(DataError, match="'B' never changes"):
        gaussian_em(NAMES, constant)
    with pytest.raises(DataError, match="did not settle in 2 steps"):
        gaussian_em(NAMES, table_with_gaps(6), max_iterations=2)
    values[3, 2] = np.inf
    with pytest.raises(DataError, match="'C' is infinite in 1 row;"):
        check_not_infinite(NAMES, values)


def test_dropping_names_the_columns_when_nothing_is_left() -> None:
    values = table_with_gaps(7, n=10, share=0.0)
    assert len(complete_rows(NAMES, values)) == 10
    values[2:, 1] = np.nan
    with pytest.raises(DataError, match=r"2 of 10 rows are left for 3 columns .*'B' in 8 rows"):
        complete_rows(NAMES, values)


def test_the_scores_count_the_rows_in_which_pairs_are_observed() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(1000, 4))
    rows[:, :2][rng.random((1000, 2)) < 0.3] = np.nan
    worth = prepare(rows, "em").effective_rows()
    by_hand = np.mean([(~np.isnan(rows[:, [i, j]]).any(axis=1)).mean() for i in range(4) for j in range(4) if i != j])
    assert pairs_observed(rows) == pytest.approx(by_hand)
    assert worth is not None
    assert worth.effective == pytest.approx(1000 * by_hand, rel=0.02)
    assert ADMGDiscovery(solver="exact", missing="em").fit(rows).n_counted_ == worth.effective
    complete = prepare(rows, "drop")
    assert complete.effective_rows().effective == complete.moments.n_samples  # type: ignore[union-attr]
