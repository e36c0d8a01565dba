"""Tests of tetrads: uniform p-values under the model, power against another, no dependence on units."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kstest

from lurking import ADMG, Moments
from lurking._errors import GraphError
from lurking._typing import FloatArray
from lurking.sem import tetrad_tests

FACTOR = ADMG.parse("f -> a; f -> b; f -> c; f -> d")


def sample(generator: np.random.Generator, n: int, extra: float = 0.0) -> FloatArray:
    factor = generator.normal(size=n)
    errors = generator.normal(size=(n, 4))
    errors[:, 1] += extra * errors[:, 0]
    return np.asarray(factor[:, None] * [0.8, 1.0, -1.2, 0.9] + errors, dtype=np.float64)


def test_p_values_are_uniform_under_the_model() -> None:
    generator = np.random.default_rng(0)
    p_values = []
    for _ in range(400):
        rows = sample(generator, 400)
        moments = Moments(np.cov(rows.T, bias=True), 400, list("abcd"))
        p_values.append([test.p_value for test in tetrad_tests(moments, FACTOR, "f")])
    for column in np.array(p_values).T:
        assert kstest(column, "uniform").pvalue > 0.001


def test_what_the_factor_does_not_explain_is_found() -> None:
    rows = sample(np.random.default_rng(1), 2000, extra=0.5)
    moments = Moments(np.cov(rows.T, bias=True), 2000, list("abcd"))
    found = {str(test.tetrad): test.adjusted_p_value for test in tetrad_tests(moments, FACTOR, "f")}
    assert found["σ(a,c) σ(b,d) = σ(a,d) σ(b,c)"] > 0.01  # the covariance of a and b is not in it
    assert sorted(found.values())[1] < 1e-6


def test_units_and_order_do_not_matter_and_the_error_is_that_of_the_simulation() -> None:
    generator = np.random.default_rng(2)
    rows = sample(generator, 300)
    one = tetrad_tests(Moments(np.cov(rows.T, bias=True), 300, list("abcd")), FACTOR, "f")
    scaled = rows[:, ::-1] * [3.0, 0.1, 7.0, 20.0]
    other = tetrad_tests(Moments(np.cov(scaled.T, bias=True), 300, list("dcba")), FACTOR, ["f"])
    assert [t.value for t in one] == pytest.approx([t.value for t in other])
    assert [t.p_value for t in one] == pytest.approx([t.p_value for t in other])
    assert "standard error" in str(one[0])


def test_columns_that_are_missing_are_named() -> None:
    with pytest.raises(GraphError, match="The data have no column 'f', which the graph names"):
        tetrad_tests(Moments(np.eye(4), 100, list("abcd")), FACTOR, [])
