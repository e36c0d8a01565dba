from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from lurking import Moments
from lurking._errors import ParameterError, UnknownVertexError
from lurking.sem import RegressionEstimate, regression


def test_it_is_least_squares_with_an_intercept() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(3.0, 2.0, (40, 4)) @ rng.normal(size=(4, 4))
    table = pd.DataFrame(rows, columns=list("ABCD"))
    design = np.column_stack([table[["C", "A", "D"]].to_numpy(), np.ones(40)])
    coefficients, squares, _, _ = np.linalg.lstsq(design, table["B"].to_numpy(), rcond=None)
    error = np.sqrt(squares[0] / 36 * np.linalg.inv(design.T @ design)[0, 0])
    found = regression(Moments.from_table(table), "C", "B", ["D", "A"])
    assert (found.estimate, found.standard_error) == pytest.approx((coefficients[0], error))
    # scipy.stats.t.ppf(.975, 36) = 2.028094
    assert found.interval() == pytest.approx((coefficients[0] - 2.028094 * error, coefficients[0] + 2.028094 * error))


def test_variables_must_be_there_and_be_different() -> None:
    moments = Moments(np.eye(3), 9, ["A", "B", "C"])
    with pytest.raises(UnknownVertexError, match="D"):
        regression(moments, "A", "B", ["D"])
    with pytest.raises(ParameterError, match="'B' on 'A', 'B' names a variable twice"):
        regression(moments, "A", "B", ["B"])


def test_the_robustness_value_is_that_of_sensemakr() -> None:
    # R: sensemakr::robustness_value(t_statistic = 4.18445, dof = 783, q = 1, alpha = c(1, .05)) -> 0.13878, 0.07626
    found = RegressionEstimate(4.18445, 1.0, 783)
    assert found.robustness() == pytest.approx(0.13878, abs=5e-6)
    assert found.robustness(level=0.95) == pytest.approx(0.07626, abs=5e-6)
    assert RegressionEstimate(1.0, 1.0, 783).robustness(level=0.95) == 0.0
    assert RegressionEstimate(-4.18445, 1.0, 783).robustness() == found.robustness()


def test_an_omitted_cause_of_that_strength_brings_the_estimate_to_zero() -> None:
    found = regression(Moments([[1.0, 0.4], [0.4, 1.0]], 500, ["A", "B"]), "A", "B")
    r = np.sqrt(found.robustness())
    # U has this partial correlation with A, and with B given A, and both act in the same direction
    with_u = r
    u_and_b = 0.4 * with_u + r * np.sqrt((1 - 0.4**2) * (1 - with_u**2))
    moments = Moments([[1, 0.4, with_u], [0.4, 1, u_and_b], [with_u, u_and_b, 1]], 500, ["A", "B", "U"])
    assert regression(moments, "A", "B", ["U"]).estimate == pytest.approx(0.0, abs=1e-9)
