"""The most curved relation: found where it was put, in bins that hold every row once."""

from __future__ import annotations

import numpy as np
import pytest

from lurking._typing import FloatArray
from lurking.data.residual_curves import ResidualCurve, strongest_curve

NAMES = ("a", "b", "c", "d")


def table(seed: int = 0, bend: float = 0.6, n: int = 800) -> FloatArray:
    a, *noise = np.random.default_rng(seed).normal(size=(4, n))
    b = 0.5 * a + noise[0]
    c = 0.8 * b + bend * (b**2 - 1.0) + noise[1]
    return np.column_stack([a, b, c, noise[2]])


def found(rows: FloatArray) -> ResidualCurve:
    curve = strongest_curve(rows, NAMES)
    assert curve is not None
    return curve


def share_by_regression(rows: FloatArray, along: int, of: int) -> float:
    """The share of the residual that a parabola explains, by two least-squares fits."""
    from scipy.special import ndtri
    from scipy.stats import rankdata

    lines = np.column_stack([np.ones(len(rows)), np.delete(rows, of, axis=1)])
    square = ndtri(rankdata(rows[:, along]) / (len(rows) + 1.0)) ** 2
    left = [float(np.sum((rows[:, of] - m @ np.linalg.lstsq(m, rows[:, of], rcond=None)[0]) ** 2))
            for m in (lines, np.column_stack([lines, square]))]  # fmt: skip
    return 1.0 - left[1] / left[0]


def test_the_pair_is_the_one_that_is_curved() -> None:
    curve = found(table())
    assert (curve.along, curve.of) == ("b", "c")
    assert curve.mean[0] > 0.5 < curve.mean[-1]
    assert min(curve.mean) < -0.2


@pytest.mark.parametrize("seed", range(4))
def test_the_share_is_that_of_two_regressions_and_the_largest(seed: int) -> None:
    rows = table(seed)
    shares = {(i, j): share_by_regression(rows, i, j) for i in range(4) for j in range(4) if i != j}
    (i, j), share = max(shares.items(), key=lambda item: item[1])
    curve = found(rows)
    assert (curve.along, curve.of) == (NAMES[i], NAMES[j])
    assert curve.share == pytest.approx(share, abs=1e-4)


def test_straight_relations_have_a_small_share() -> None:
    assert found(table(bend=0.0, n=2000)).share < 0.02


def test_bins_are_few_in_order_and_keep_equal_values_together() -> None:
    rows = table(n=4000)
    rows[:, 1] = np.round(rows[:, 1])
    curve = found(rows)
    assert len(curve.x) == len(set(curve.x)) <= 40
    assert list(curve.x) == sorted(curve.x)
    assert all(low <= high for low, high in zip(curve.low, curve.high, strict=True))


def test_units_and_gaps_change_nothing_else() -> None:
    rows = table()
    moved = found(rows * [1.0, 1000.0, 0.01, 1.0] + 5.0)
    assert moved.share == pytest.approx(found(rows).share, abs=1e-4)
    gaps = rows.copy()
    gaps[::5, 3] = np.nan
    assert (found(gaps).along, found(gaps).of) == ("b", "c")


def test_two_values_have_no_squares_and_few_rows_say_nothing() -> None:
    rng = np.random.default_rng(1)
    assert strongest_curve(rng.integers(0, 2, size=(500, 4)).astype(float), NAMES) is None
    assert strongest_curve(table(n=10), NAMES) is None
