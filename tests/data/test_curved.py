"""Curved effects: the polynomials, the columns they are made of, and what a search finds with them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from lurking import ADMGDiscovery
from lurking._errors import DataError
from lurking.data import curved_moments


def curved(seed: int, n: int = 500) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = x**2 + rng.normal(size=n)
    group = np.where(y > 1.0, rng.choice(["p", "q"], n), rng.choice(["q", "r"], n))
    return pd.DataFrame({"x": x, "y": y, "z": rng.exponential(size=n), "group": group, "few": rng.integers(0, 4, n)})


def test_columns_are_uncorrelated_and_keep_the_others() -> None:
    table = curved(0)
    moments = curved_moments(table, ["group"])
    assert moments.sizes == (3, 3, 3, 2, 1)
    np.testing.assert_allclose(moments.columns.correlation[:3, :3], np.eye(3), atol=0.02)
    few = moments.columns.subset(["few"])
    assert few.cov[0, 0] == pytest.approx(table["few"].var(ddof=0))
    monotone = table.assign(x=np.exp(table["x"]))
    np.testing.assert_allclose(curved_moments(monotone, ["group"]).columns.cov, moments.columns.cov)


def test_a_square_is_an_edge_and_independence_is_none() -> None:
    found, usual = 0, 0
    for seed in range(8):
        table = curved(seed)[["x", "y", "z"]]
        found += ADMGDiscovery(solver="exact").fit(curved_moments(table)).admg_.skeleton[0, 1]
        usual += ADMGDiscovery(solver="exact").fit(table).admg_.skeleton[0, 1]
        assert not ADMGDiscovery(solver="exact").fit(curved_moments(table)).admg_.skeleton[2].any()
    assert found == 8
    assert usual <= 4


def test_what_cannot_be_is_a_sentence() -> None:
    table = curved(0)
    with pytest.raises(DataError, match=r"'x\^2' already"):
        curved_moments(table.assign(**{"x^2": table["x"] ** 2}), ["group"])
    with pytest.raises(DataError, match="missing"):
        curved_moments(table.assign(x=table["x"].where(table["x"] > 0.0)), ["group"])
    with pytest.raises(DataError, match="'group' holds text"):
        curved_moments(table)
