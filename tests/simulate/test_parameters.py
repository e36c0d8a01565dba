"""Random parameters: ranges, signs, positive definiteness, seeds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lurking._errors import ParameterError
from lurking._typing import FloatArray
from lurking.graphs import ADMG
from lurking.simulate import ParameterRanges, draw_parameters, random_admg


def own_variances(error_cov: FloatArray) -> FloatArray:
    """What is left of the diagonal beyond the sum of the absolute covariances."""
    left: FloatArray = 2 * np.diag(error_cov) - np.abs(error_cov).sum(axis=1)
    return left


@settings(deadline=None, max_examples=50)
@given(seed=st.integers(0, 10**9), d=st.integers(1, 15))
def test_zero_pattern_ranges_and_positive_definiteness(seed: int, d: int) -> None:
    graph = random_admg(d, random_state=seed)
    sem = draw_parameters(graph, random_state=seed)
    assert sem.admg == graph
    np.testing.assert_array_equal(sem.coef != 0, graph.directed)
    np.testing.assert_array_equal((sem.error_cov != 0) & ~np.eye(d, dtype=bool), graph.bidirected)
    np.testing.assert_array_equal(sem.error_cov, sem.error_cov.T)
    coef, covariances = np.abs(sem.coef[graph.directed]), np.abs(sem.error_cov[graph.bidirected])
    assert ((coef >= 0.5) & (coef <= 2.0)).all()
    assert ((covariances >= 0.4) & (covariances <= 0.7)).all()
    left = own_variances(sem.error_cov)
    assert ((left >= 0.7 - 1e-12) & (left <= 1.2 + 1e-12)).all()
    assert np.linalg.eigvalsh(sem.error_cov)[0] >= 0.7 - 1e-9


def test_draws_are_uniform_with_fair_signs() -> None:
    graph = ADMG.parse("A -> B; B <-> C")
    models = [draw_parameters(graph, random_state=seed) for seed in range(2000)]
    for values, low, high in (
        (np.array([m.coef[0, 1] for m in models]), 0.5, 2.0),
        (np.array([m.error_cov[1, 2] for m in models]), 0.4, 0.7),
    ):
        assert np.mean(values > 0) == pytest.approx(0.5, abs=0.05)
        assert np.quantile(np.abs(values), [0.0, 0.25, 0.5, 0.75, 1.0]) == pytest.approx(
            low + (high - low) * np.array([0.0, 0.25, 0.5, 0.75, 1.0]), abs=0.05 * (high - low)
        )
    left = np.array([own_variances(m.error_cov) for m in models])
    assert left.mean(axis=0) == pytest.approx(0.95, abs=0.02)
    assert left.min() == pytest.approx(0.7, abs=0.01)
    assert left.max() == pytest.approx(1.2, abs=0.01)


def test_other_ranges() -> None:
    ranges = ParameterRanges(coef=(0.1, 0.1), bidirected=(0.2, 0.2), own_variance=(3.0, 3.0))
    sem = draw_parameters(ADMG.parse("A -> B; B <-> C"), ranges=ranges, random_state=0)
    assert abs(sem.coef[0, 1]) == pytest.approx(0.1)
    assert abs(sem.error_cov[1, 2]) == pytest.approx(0.2)
    assert np.diag(sem.error_cov) == pytest.approx([3.0, 3.2, 3.2])


@pytest.mark.parametrize(
    "ranges",
    [
        {"coef": (2.0, 0.5)},
        {"coef": (-0.5, 0.5)},
        {"bidirected": (0.4, float("inf"))},
        {"bidirected": (float("nan"), 1.0)},
        {"own_variance": (0.0, 1.0)},
    ],
)
def test_bad_ranges(ranges: dict[str, tuple[float, float]]) -> None:
    with pytest.raises(ParameterError, match=f"range of '{next(iter(ranges))}'"):
        ParameterRanges(**ranges)


def test_seeds() -> None:
    graph = random_admg(6, random_state=0)
    first, again = draw_parameters(graph, random_state=1), draw_parameters(graph, random_state=np.random.default_rng(1))
    np.testing.assert_array_equal(first.coef, again.coef)
    np.testing.assert_array_equal(first.error_cov, again.error_cov)
    assert not np.array_equal(first.coef, draw_parameters(graph, random_state=2).coef)
