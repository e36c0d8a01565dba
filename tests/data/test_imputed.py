"""Latent correlations and ranks of incomplete rows: against complete tables, and against complete rows only."""

from __future__ import annotations

import numpy as np
import pytest

import lurking
from lurking import ADMG, ADMGDiscovery, simulate_admg
from lurking._typing import FloatArray
from lurking.data.imputed import imputed_latent_covariance
from lurking.data.latent import latent_covariance
from lurking.data.prepare import prepare

GRAPH = ADMG.parse("A -> B -> C -> D; A -> D; C -> E")
NAMES = GRAPH.names


def table(seed: int, n: int = 1000) -> FloatArray:
    values = simulate_admg(GRAPH, n, random_state=seed).data[list(NAMES)].to_numpy(copy=True)
    for j, cuts in ((1, [-0.5, 0.4]), (3, [0.3]), (4, [-1.0, 0.0, 1.0])):
        values[:, j] = np.searchsorted(cuts, (values[:, j] - values[:, j].mean()) / values[:, j].std())
    return values


def with_holes(values: FloatArray, seed: int, share: float = 0.3) -> FloatArray:
    """Take values away from all columns but the first, where that is large."""
    rng = np.random.default_rng(seed)
    ranks = np.argsort(np.argsort(values[:, 0])) / len(values)
    holes = values.copy()
    for j in range(1, values.shape[1]):
        holes[rng.random(len(values)) < 2 * share * ranks, j] = np.nan
    return holes


def test_correlations_are_nearer_than_those_of_complete_rows() -> None:
    errors = np.zeros((8, 2))
    for seed in range(8):
        values = table(seed)
        wanted = _correlation(latent_covariance(values, NAMES).cov)
        holes = with_holes(values, seed)
        complete = holes[~np.isnan(holes).any(axis=1)]
        for k, cov in enumerate((imputed_latent_covariance(NAMES, holes).cov, latent_covariance(complete, NAMES).cov)):
            errors[seed, k] = np.abs(_correlation(cov) - wanted).mean()
    assert errors[:, 0].mean() < 0.75 * errors[:, 1].mean()
    assert errors[:, 0].mean() < 0.035


def _correlation(cov: FloatArray) -> FloatArray:
    scales = np.sqrt(np.diag(cov))
    correlation: FloatArray = cov / np.outer(scales, scales)
    return correlation


def test_a_complete_table_is_not_changed() -> None:
    values = table(0)
    found, wanted = imputed_latent_covariance(NAMES, values), latent_covariance(values, NAMES)
    np.testing.assert_allclose(found.cov, wanted.cov)
    assert found.inflation == pytest.approx(wanted.inflation)


@pytest.mark.parametrize("margins", ["latent", "rank"])
@pytest.mark.parametrize("missing", ["em", "auto", "drop"])
def test_margins_and_missing_values_go_together(margins: str, missing: str) -> None:
    holes = with_holes(table(1), 1, 0.1)
    found = prepare(holes, missing, margins)  # type: ignore[arg-type]
    assert found.moments.n_samples == (1000 if missing != "drop" else (~np.isnan(holes).any(axis=1)).sum())
    assert prepare(holes, missing, margins).moments == found.moments  # type: ignore[arg-type]
    said = [note.message for note in found.notes if note.kind == "missing"]
    if missing == "auto":
        how = "multiple imputation" if margins == "latent" else "maximum likelihood (EM)"
        assert said == [
            f"Values are missing in {found.n_incomplete} of 1,000 rows; all rows were used by {how}, which assumes "
            "that values are missing at random."
        ]
    model = ADMGDiscovery(solver="exact", margins=margins, missing=missing).fit(holes)  # type: ignore[arg-type]
    assert np.isfinite(model.score(holes))


def test_the_easy_way_takes_both() -> None:
    answer = lurking.discover(with_holes(table(2), 2, 0.1), solver="exact", margins="latent")
    assert any("multiple imputation" in finding.message for finding in answer.findings)
