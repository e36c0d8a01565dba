"""The effects in many graphs against the effects in one, and the information against finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lurking import ADMG, Moments
from lurking.sem import LinearSEM, causal_effects, effects_in_graphs, ricf
from lurking.sem.district_estimates import _information
from lurking.sem.effects_in_graphs import GraphEffects
from lurking.simulate.parameters import draw_parameters
from lurking.simulate.random_graphs import random_admg


def all_of(moments: Moments, *graphs: ADMG) -> GraphEffects:
    return effects_in_graphs(moments, [g.directed for g in graphs], [g.bidirected for g in graphs])


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_where_a_graph_fits_exactly_they_are_those_of_causal_effects(seed: int) -> None:
    # expected and observed information agree at the covariances that the model implies
    graph = random_admg(6, graph_class="arid", random_state=seed)
    model = draw_parameters(graph, random_state=seed)
    other = random_admg(6, graph_class="arid", random_state=seed + 1)
    moments = Moments(model.implied_cov(), 500, graph.names)
    found = all_of(moments, other, graph)
    wanted = causal_effects(moments, graph)
    total, total_error, direct, direct_error = (np.zeros((6, 6)) for _ in range(4))
    for one in wanted:
        at = graph.index(one.cause), graph.index(one.effect)
        total[at], total_error[at], direct[at], direct_error[at] = (
            *(one.total, one.total_error, one.direct),
            np.nan_to_num(one.direct_error),
        )
    np.testing.assert_allclose(found.total[1], total, atol=1e-7)
    np.testing.assert_allclose(found.direct[1], direct, atol=1e-7)
    np.testing.assert_allclose(found.total_error[1], total_error, rtol=1e-4, atol=1e-9)
    np.testing.assert_allclose(found.direct_error[1], direct_error, rtol=1e-4, atol=1e-9)


def test_estimates_are_those_of_a_fit_in_the_units_of_the_data() -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(80, 5)) @ rng.normal(size=(5, 5)) * [1, 10, 0.1, 3, 1]
    moments = Moments(np.cov(rows.T, bias=True), 80, list("ABCDE"))
    graphs = [ADMG.parse("A -> B -> C -> D; B <-> D; E"), ADMG.parse("A -> B; A <-> C; B <-> C; C -> D -> E; B <-> D")]
    found = all_of(moments, *graphs)
    for k, graph in enumerate(graphs):
        fit = ricf(moments, graph)
        np.testing.assert_allclose(found.direct[k], fit.coef, rtol=1e-5, atol=1e-9)
        np.testing.assert_allclose(found.total[k], LinearSEM.from_fit(fit).total_effects(), rtol=1e-5, atol=1e-9)


def test_the_information_is_the_second_derivative_of_the_loss() -> None:
    rng = np.random.default_rng(2)
    graph = ADMG.parse("A -> B; A -> C; B <-> C; C <-> D; B -> D; D <-> E", names=list("ABCDE"))
    correlation = np.asarray(np.corrcoef(rng.normal(size=(50, 5)).T))
    members = np.array([1, 2, 3, 4])
    children, parents = np.nonzero(graph.directed[:, members].T)
    first, second = np.nonzero(np.triu(graph.bidirected[np.ix_(members, members)]))

    def parts(theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        coef, omega = np.zeros((5, 4)), np.zeros((4, 4))
        coef[parents, children] = theta[: len(parents)]
        omega[first, second] = omega[second, first] = theta[len(parents) : -4]
        return coef, omega + np.diag(theta[-4:])

    def loss(theta: np.ndarray) -> float:
        coef, omega = parts(theta)
        residual = np.eye(5)[:, members] - coef
        errors = residual.T @ correlation @ residual
        return 0.5 * float(np.linalg.slogdet(omega)[1] + np.trace(np.linalg.solve(omega, errors)))

    theta = np.concatenate([rng.normal(0, 0.4, len(parents)), [0.2, -0.1, 0.15], [1.1, 0.9, 1.2, 0.8]])
    found = _information(correlation, *parts(theta), members, (parents, children), (first, second))
    step, size = 1e-4, len(theta)
    wanted = np.empty((size, size))
    for a in range(size):
        for b in range(size):
            one, other = np.eye(size)[[a, b]] * step
            wanted[a, b] = (
                loss(theta + one + other)
                - loss(theta + one - other)
                - loss(theta - one + other)
                + loss(theta - one - other)
            ) / (4 * step**2)
    np.testing.assert_allclose(found, wanted, atol=1e-5)


def test_effects_that_the_covariances_do_not_determine_have_no_finite_error() -> None:
    # a graph that is not arid at a point where C is independent of its parent's instrument
    graph = ADMG.parse("A -> B -> C; A <-> C")
    coef, error_cov = np.zeros((3, 3)), np.array([[1, 0, 0.4], [0, 1, 0], [0.4, 0, 1]])
    coef[1, 2] = 0.5
    weak = LinearSEM(graph, coef, error_cov)
    found = all_of(Moments(weak.implied_cov(), 200, graph.names), graph)
    assert np.isfinite(found.total_error[0, 1, 2])
    bowlike = ADMG.parse("A -> B -> C -> D; A <-> C; A <-> D; B <-> D")
    moments = Moments(np.eye(4), 200, bowlike.names)
    errors = all_of(moments, bowlike).total_error[0]
    separate = causal_effects(moments, bowlike)
    for one in separate:
        at = bowlike.index(one.cause), bowlike.index(one.effect)
        assert np.isfinite(errors[at]) == np.isfinite(one.total_error), one


def test_no_directed_path_means_exactly_zero() -> None:
    moments = Moments(np.eye(3) + 0.3, 100, list("ABC"))
    found = all_of(moments, ADMG.parse("A -> B; A -> C"), ADMG.parse("A <-> B; B <-> C; A"))
    assert set(map(tuple, np.argwhere(found.total_error).tolist())) == {(0, 0, 1), (0, 0, 2)}
    assert not found.total[1].any()
    with pytest.raises(ValueError, match="read-only"):
        found.total[0, 0, 0] = 1.0
