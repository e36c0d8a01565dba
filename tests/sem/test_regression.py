from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from lurking import Moments
from lurking._errors import ParameterError, UnknownVertexError
from lurking.sem import regression


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
