"""Normal scores and latent correlations, and the table's way through them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import multivariate_normal, norm, rankdata

from lurking import Moments
from lurking._errors import DataError, LurkingError, ParameterError
from lurking._typing import FloatArray
from lurking.data.latent import bivariate_cdf, latent_covariance, polychoric, polyserial
from lurking.data.prepare import prepare
from lurking.data.sources import numbers_of
from lurking.data.transforms import RankTransform, normal_scores


def gaussian(n: int, rho: float, seed: int = 0) -> FloatArray:
    return np.random.default_rng(seed).multivariate_normal([0, 0], [[1, rho], [rho, 1]], size=n)


# ------------------------------------------------------------------------------------------------ normal scores


def test_normal_scores_by_definition() -> None:
    column = np.array([3.0, -1.0, 10.0, 3.0, 0.5])
    scores = np.asarray(norm.ppf(rankdata(column) / 6))
    expected: FloatArray = column.mean() + (scores - scores.mean()) / scores.std() * column.std()
    assert np.allclose(normal_scores(column[:, None])[:, 0], expected)


def test_normal_scores_depend_on_ranks_only() -> None:
    values = gaussian(3000, 0.7)
    bent = np.column_stack([np.exp(3 * values[:, 0]), values[:, 1] ** 3])
    plain, transformed = (np.asarray(np.corrcoef(normal_scores(table).T)) for table in (values, bent))
    assert np.allclose(plain, transformed)
    assert transformed[0, 1] == pytest.approx(0.7, abs=0.04)
    assert abs(np.asarray(np.corrcoef(bent.T))[0, 1]) < 0.5
    assert np.allclose(normal_scores(bent).std(axis=0), bent.std(axis=0))


def test_rank_transform_on_other_rows_is_increasing_and_keeps_gaps() -> None:
    transform = RankTransform.fitted_to(gaussian(20_000, 0.3))
    new = np.array([[-9.0, 0.0], [-1.0, np.nan], [0.0, 1.0], [9.0, 2.0]])
    there = transform.apply(new)
    assert np.isnan(there[1, 1])
    assert np.isnan(there).sum() == 1
    assert (np.diff(there[:, 0]) > 0).all()
    assert there[1:3, 0] == pytest.approx([-1.0, 0.0], abs=0.05)


# ------------------------------------------------------------------------------------------ latent correlations


def test_bivariate_probabilities_against_scipy() -> None:
    limits = np.array([-2.5, -0.3, 0.0, 1.0, 3.0, np.inf])
    for rho in (-0.99, -0.6, 0.0, 0.3, 0.95, 0.995):
        ours = bivariate_cdf(limits[:, None], limits[None, :], rho)
        for i, h in enumerate(limits):
            for j, k in enumerate(limits):
                if np.isfinite(h) and np.isfinite(k):
                    theirs = multivariate_normal([0, 0], [[1, rho], [rho, 1]]).cdf([h, k])
                else:
                    theirs = norm.cdf(min(h, k))
                assert ours[i, j] == pytest.approx(theirs, abs=1e-6)


@pytest.mark.parametrize("rho", [-0.8, 0.0, 0.5])
def test_latent_correlations_come_back(rho: float) -> None:
    values = gaussian(20_000, rho, seed=1)
    three = np.digitize(values[:, 0], [-0.5, 1.0])
    two = np.digitize(values[:, 1], [0.8])
    assert polychoric(three, two) == pytest.approx(rho, abs=0.04)
    assert polyserial(5 + 3 * values[:, 0], two) == pytest.approx(rho, abs=0.04)
    if rho:
        assert abs(np.corrcoef(three, two)[0, 1]) < abs(rho) - 0.1


def test_covariance_of_a_mixed_table() -> None:
    values = np.random.default_rng(2).multivariate_normal(np.zeros(3), np.eye(3) * 0.4 + 0.6, size=8000)
    table = np.column_stack([values[:, 0] * 7, values[:, 1] > 0.3, np.digitize(values[:, 2], [-1, 0, 1])])
    cov, ordinal, _ = latent_covariance(table)
    assert tuple(ordinal) == (1, 2)
    expected = (np.eye(3) * 0.4 + 0.6) * np.outer([7, 1, 1], [7, 1, 1])
    assert np.allclose(cov / expected, 1, atol=0.06)


def test_pairs_that_do_not_fit_together_are_made_to() -> None:
    # B and C repeat A, except that B and C disagree more often than two copies of A can
    rng = np.random.default_rng(3)
    a = rng.integers(2, size=60)
    b, c = a.copy(), a.copy()
    b[:15], c[15:30] = 1 - b[:15], 1 - c[15:30]
    cov, *_ = latent_covariance(np.column_stack([a, b, c]).astype(float))
    assert np.linalg.eigvalsh(cov)[0] > 0
    assert np.allclose(np.diag(cov), 1)


@pytest.mark.parametrize("rows", [20, 200])
def test_uncertainty_of_latent_correlations(rows: int) -> None:
    rng = np.random.default_rng(8)
    category = (np.arange(400) < rows).astype(float)
    estimates = [latent_covariance(np.column_stack([rng.normal(size=400), category])) for _ in range(400)]
    correlations = [estimate.cov[0, 1] / np.sqrt(estimate.cov[0, 0]) for estimate in estimates]
    # the formula is exact for many rows; the standard error of this variance is 7 %
    assert 400 * np.var(correlations) == pytest.approx(estimates[0].inflation[1], rel=0.25)


def test_categories_with_few_rows_join_their_neighbours() -> None:
    values = gaussian(1000, 0.6, seed=6)
    fine = np.digitize(values[:, 1], [-3.2, -1.0, 0.0, 1.0, 3.2])  # the outer two have a row or two
    coarse = np.digitize(values[:, 1], [-1.0, 0.0, 1.0])
    joined, alone = (latent_covariance(np.column_stack([values[:, 0], column]))[0] for column in (fine, coarse))
    assert len(np.unique(fine)) > len(np.unique(coarse))
    np.testing.assert_allclose(joined, alone, rtol=1e-12)


def test_a_column_that_hardly_changes_is_refused() -> None:
    table = pd.DataFrame({"one": gaussian(200, 0.0)[:, 0], "rare": np.arange(200) < 4})
    with pytest.raises(DataError, match="Fewer than 5 rows of 'rare' have another value than the rest"):
        prepare(table, margins="latent")
    assert prepare(table.assign(rare=np.arange(200) < 5), margins="latent").ordinal["rare"] > 5


# ------------------------------------------------------------------------------------------------------ prepare


def test_one_pass_keeps_a_sample_of_the_rows_in_order() -> None:
    table = np.random.default_rng(4).normal(size=(90_001, 2))
    data = prepare(table)
    assert data.moments == Moments.from_table(table)
    assert data.rows is not None
    every = 8
    assert np.array_equal(data.rows, table[::every])


def test_missing_values_by_name_and_by_choice() -> None:
    table = pd.DataFrame(gaussian(50, 0.5), columns=["one", "two"])
    table.loc[3, "two"] = np.nan
    with pytest.raises(DataError, match="'two' is missing in row 3"):
        prepare(table)
    with pytest.raises(DataError, match="Values of 'two' are missing in 1 of 50 rows"):
        prepare(table, margins="rank")
    assert prepare(table, "drop").moments == Moments.from_table(table.dropna())
    by_em = prepare(table, "em")
    assert (by_em.moments.n_samples, by_em.n_incomplete) == (50, 1)
    assert by_em.moments.mean is not None
    assert by_em.moments.mean[0] == pytest.approx(table["one"].mean())
    assert prepare(table, "em", "rank").moments.n_samples == 50
    with pytest.raises(ParameterError, match="needs the table itself"):
        prepare(Moments(np.eye(2), 10), "drop", "rank")


def test_ordered_categories_are_numbers_for_latent_margins_only() -> None:
    rng = np.random.default_rng(5)
    sizes = ["small", "medium", "large"]
    drawn = pd.Series([sizes[k] for k in rng.integers(3, size=200)])
    table = pd.DataFrame({"size": drawn, "weight": rng.normal(size=200)})
    table["size"] = table["size"].astype(pd.CategoricalDtype(sizes, ordered=True))
    data = prepare(table, margins="latent")
    assert tuple(data.ordinal) == ("size",)
    with pytest.raises(DataError, match="'size' holds categories"):
        prepare(table, margins="rank")
    with pytest.raises(DataError, match="'size' holds categories"):
        prepare(table.assign(size=drawn.astype("category")), margins="latent")
    with pytest.raises(DataError, match="'size' holds text"):
        prepare(table.assign(size=drawn), margins="latent")
    assert str(table["size"].dtype) == "category"


def test_files_and_frames_give_the_same(tmp_path: Path) -> None:
    table = pd.DataFrame(gaussian(60, 0.2), columns=["a b", "ü"])
    table.to_csv(tmp_path / "table.csv", index=False)
    from_file = prepare(tmp_path / "table.csv").moments
    assert np.allclose(from_file.cov, prepare(table).moments.cov)
    assert prepare(str(tmp_path / "table.csv"), "drop").moments.names == ("a b", "ü")
    names, values = numbers_of(pl.DataFrame({"x": [1, 2, None], "y": [0.5, 1.5, 2.5]}))
    assert names == ("x", "y")
    assert np.array_equal(values, [[1, 0.5], [2, 1.5], [np.nan, 2.5]], equal_nan=True)
    with pytest.raises(LurkingError, match="no file"):
        prepare(tmp_path / "none.csv")
