"""Columns that others determine nearly: the sets, against a search through all subsets."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from lurking._typing import FloatArray
from lurking.data.near_relations import COPY, UNEXPLAINED, near_copies, nearly_determined

NAMES = ("a", "b", "c", "d", "total")


def correlations(table: FloatArray) -> FloatArray:
    matrix: FloatArray = np.asarray(np.corrcoef(table, rowvar=False))
    return matrix


def unexplained(table: FloatArray, j: int, others: tuple[int, ...]) -> float:
    centred = table - table.mean(axis=0)
    fitted = centred[:, others] @ np.linalg.lstsq(centred[:, others], centred[:, j], rcond=None)[0]
    return float(np.var(centred[:, j] - fitted) / np.var(centred[:, j]))


@pytest.mark.parametrize("seed", range(5))
def test_the_columns_are_needed_and_enough(seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts = rng.normal(size=(300, 4))
    table = np.column_stack([parts, parts[:, 0] - 2.0 * parts[:, 2] + 0.05 * rng.normal(size=300)])
    (found,) = nearly_determined(correlations(table), NAMES)
    assert {found.column, *found.others} == {"a", "c", "total"}
    j = NAMES.index(found.column)
    assert found.unexplained == pytest.approx(unexplained(table, j, tuple(NAMES.index(k) for k in found.others)))
    for size in range(1, len(found.others)):
        for fewer in combinations([k for k in range(5) if k != j], size):
            assert unexplained(table, j, fewer) > UNEXPLAINED


def test_nothing_is_found_among_independent_columns() -> None:
    correlation = correlations(np.random.default_rng(0).normal(size=(300, 5)))
    assert nearly_determined(correlation, NAMES) == []
    assert near_copies(correlation, NAMES) == []


def test_near_copies_form_groups() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, 1000))
    table = np.column_stack([x, y, x + 0.1 * y, 3.0 - x, rng.normal(size=1000)])
    correlation = correlations(table)
    assert abs(correlation[0, 3]) > COPY
    assert [set(group) for group in near_copies(correlation, NAMES)] == [{"a", "c", "d"}]


def test_the_order_of_columns_changes_no_group() -> None:
    rng = np.random.default_rng(2)
    x, y, z, u = rng.normal(size=(4, 500))
    table = np.column_stack([x, y, x + y + 0.05 * z, z, u])
    turned = [3, 1, 4, 0, 2]
    names = tuple(NAMES[k] for k in turned)
    one = [{found.column, *found.others} for found in nearly_determined(correlations(table), NAMES)]
    other = [{found.column, *found.others} for found in nearly_determined(correlations(table[:, turned]), names)]
    assert one == other
