"""What benchmarks/effects.py counts."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.effects import by_regression, in_graph, with_errors

from lurking import ADMG, Moments
from lurking.sem import LinearSEM


def test_counts_of_a_small_case() -> None:
    truth = np.array([[0.0, 1.0], [0.0, 0.0]])
    estimate, error = np.array([[9.0, 1.5], [0.5, 9.0]]), np.array([[9.0, 0.5], [0.1, 9.0]])
    said = with_errors(estimate, error, np.array([[1.0, 0.6], [0.95, 1.0]]))
    deviations = np.array([[1.0, 2.0], [0.5, 1.0]])
    found = said.counts(truth, deviations)
    assert (found["listed"], found["listed_in_95"], found["listed_in_50"]) == (2, 1, 0)
    assert (found["all"], found["all_in_95"], found["sure"], found["sure_zero"]) == (2, 1, 1, 1)
    assert found["square"] == pytest.approx((0.5 * 2.0) ** 2 + (0.5 * 0.5) ** 2)
    assert found["width"] == pytest.approx(2 * 1.959964 * (0.5 * 2.0 + 0.1 * 0.5), rel=1e-6)


def test_an_effect_of_zero_without_an_error_is_right_where_the_truth_is_zero() -> None:
    zero = np.zeros((2, 2))
    found = with_errors(zero, zero, zero).counts(np.array([[0.0, 1.0], [0.0, 0.0]]), np.ones((2, 2)))
    assert (found["listed"], found["all"], found["all_in_95"], found["all_in_50"]) == (0, 2, 1, 1)


def test_a_graph_and_a_regression_say_what_they_should() -> None:
    graph = ADMG.parse("A -> B -> C", names=["C", "B", "A"])
    coef = np.zeros((3, 3))
    coef[2, 1], coef[1, 0] = 2.0, 3.0
    moments = Moments(LinearSEM(graph, coef, np.eye(3)).implied_cov(), 500, graph.names)
    in_it, regressed = in_graph(moments, graph), by_regression(moments)
    np.testing.assert_allclose(in_it.estimate, [[0, 0, 0], [3, 0, 0], [6, 2, 0]], atol=1e-6)
    assert in_it.probability.tolist() == [[0, 0, 0], [1, 0, 0], [1, 1, 0]]
    assert regressed.estimate[2, 0] == pytest.approx(0.0, abs=1e-9)  # B is adjusted for
    assert regressed.estimate[1, 0] == pytest.approx(3.0)
