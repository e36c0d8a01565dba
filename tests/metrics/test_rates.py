"""True positive and false discovery rates."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurking._errors import ParameterError
from lurking.metrics import Rates


def test_rates_of_counts() -> None:
    rates = Rates(n_true=8, n_estimated=10, n_shared=6)
    assert rates.tpr == 0.75
    assert rates.fdr == 0.4


def test_nothing_claimed_is_nothing_false() -> None:
    rates = Rates(n_true=3, n_estimated=0, n_shared=0)
    assert rates.tpr == 0.0
    assert rates.fdr == 0.0


def test_nothing_to_find_has_no_true_positive_rate() -> None:
    rates = Rates(n_true=0, n_estimated=3, n_shared=0)
    assert math.isnan(rates.tpr)
    assert rates.fdr == 1.0


@pytest.mark.parametrize("counts", [(1, 2, 2), (2, 1, 2), (2, 2, -1)])
def test_impossible_counts_are_refused(counts: tuple[int, int, int]) -> None:
    with pytest.raises(ParameterError, match="shared findings must be among"):
        Rates(*counts)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1))
def test_rates_of_matrices_are_those_of_sets(entries: list[tuple[bool, bool]]) -> None:
    truth = {i for i, (in_truth, _) in enumerate(entries) if in_truth}
    estimate = {i for i, (_, in_estimate) in enumerate(entries) if in_estimate}
    rates = Rates.of_matrices(np.array([t for t, _ in entries]), np.array([e for _, e in entries]))
    assert (rates.n_true, rates.n_estimated, rates.n_shared) == (len(truth), len(estimate), len(truth & estimate))
    if truth:
        assert rates.tpr == len(truth & estimate) / len(truth)
    if estimate:
        assert rates.fdr == len(estimate - truth) / len(estimate)
