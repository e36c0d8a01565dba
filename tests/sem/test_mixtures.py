from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import norm

from lurking.sem.mixtures import cumulated, density, quantiles

LEVELS = (0.025, 0.25, 0.5, 0.75, 0.975)


def one_quantile(weights: np.ndarray, means: np.ndarray, errors: np.ndarray, level: float) -> float:
    """Find a quantile by a library's root finder, one mixture at a time."""

    def smooth(x: float) -> float:
        there = errors > 0
        return float((weights[there] * norm.cdf(x, means[there], errors[there])).sum())

    at_zero = float(weights[errors == 0].sum())
    if smooth(0.0) < level <= smooth(0.0) + at_zero:
        return 0.0
    target = level if level <= smooth(0.0) else level - at_zero
    reach = float(np.abs(means).max() + 40 * errors.max())
    return float(brentq(lambda x: smooth(x) - target, -reach, reach, xtol=1e-13))


@st.composite
def mixtures(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return weights, and means and errors of three mixtures, some parts of which are exactly 0."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    size = draw(st.integers(1, 12))
    weights = rng.dirichlet(np.full(size, draw(st.sampled_from([0.1, 1.0, 10.0]))))
    errors = 10.0 ** rng.uniform(-4, 1, (size, 3)) * (rng.random((size, 3)) < draw(st.sampled_from([0.3, 0.8, 1.0])))
    means = np.where(errors > 0, rng.normal(0, 2, (size, 3)), 0.0)
    return weights, means, errors


@given(mixtures())
def test_quantiles_are_those_of_a_root_finder(mixture: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    weights, means, errors = mixture
    found = quantiles(weights, means, errors, LEVELS)
    for k in range(3):
        for row, level in zip(found, LEVELS, strict=True):
            wanted = one_quantile(weights, means[:, k], errors[:, k], level)
            # where the distribution function is flat the root is not sharp, but the level is
            reached = cumulated(weights, means, errors, np.full((1, 3), row[k]))[0, k]
            assert row[k] == pytest.approx(wanted, abs=1e-7) or reached == pytest.approx(level, abs=1e-12)


@given(mixtures())
def test_quantiles_grow_with_the_level_and_turn_with_the_sign(
    mixture: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> None:
    weights, means, errors = mixture
    found = quantiles(weights, means, errors, LEVELS)
    assert (np.diff(found, axis=0) >= -1e-9).all()
    turned = quantiles(weights, -means, errors, LEVELS)
    steep = density(weights, means, errors, found) > 1e-6
    np.testing.assert_allclose(-turned[::-1][steep], found[steep], atol=1e-6)


def test_each_mixture_may_have_weights_of_its_own() -> None:
    weights = np.array([[0.2, 1.0], [0.8, 0.0]])
    means, errors = np.array([[1.0, 1.0], [0.0, 0.0]]), np.array([[0.1, 0.1], [0.0, 0.0]])
    np.testing.assert_allclose(
        quantiles(weights, means, errors, [0.5, 0.9]), [[0.0, 1.0], [1.0, 1.0 + 0.128155]], atol=1e-6
    )


def test_the_density_is_the_slope_of_the_distribution() -> None:
    weights, means, errors = (
        np.array([0.3, 0.5, 0.2]),
        np.array([[1.0], [-1.0], [0.0]]),
        np.array([[0.4], [1.0], [0.0]]),
    )
    at = np.array([[-2.0], [-0.5], [0.3], [1.1]])
    slope = (cumulated(weights, means, errors, at + 1e-6) - cumulated(weights, means, errors, at - 1e-6)) / 2e-6
    np.testing.assert_allclose(density(weights, means, errors, at), slope, rtol=1e-6)
