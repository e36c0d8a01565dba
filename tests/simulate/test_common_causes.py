"""Explicit common causes: the same covariance, the right shape, independence where there is no cause."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kurtosis, skew

from lurking._errors import ParameterError
from lurking.graphs import ADMG
from lurking.sem.model import ErrorShape, LinearSEM
from lurking.simulate import draw_parameters, draw_rows, explicit_common_causes, margin, random_admg

EXCESS_KURTOSIS = {"uniform": -1.2, "laplace": 3.0, "exponential": 6.0}
OMEGA = np.array([[1.6, 0.5, 0.0], [0.5, 1.7, -0.6], [0.0, -0.6, 1.4]])
ERRORS_ONLY = LinearSEM(ADMG.parse("A <-> B <-> C"), np.zeros((3, 3)), OMEGA)


def in_odd_units(sem: LinearSEM, seed: int) -> LinearSEM:
    """Change the units so that the error covariance is no longer diagonally dominant."""
    units = 10.0 ** np.random.default_rng(seed).uniform(-2, 2, len(sem.admg))
    return LinearSEM(sem.admg, sem.coef * units / units[:, None], sem.error_cov * np.outer(units, units))


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 10**9))
def test_hiding_the_causes_gives_the_model_back(seed: int) -> None:
    drawn = draw_parameters(random_admg(7, random_state=seed), random_state=seed)
    for sem in (drawn, in_odd_units(drawn, seed)):
        explicit = explicit_common_causes(sem)
        causes = explicit.names[7:]
        assert explicit.names[:7] == sem.names
        assert len(causes) == len(sem.admg.bidirected_edges())
        assert not explicit.admg.bidirected.any()
        assert all(len(explicit.admg.children(cause)) == 2 for cause in causes)
        assert np.diag(explicit.error_cov)[7:] == pytest.approx(1.0)
        back = margin(explicit, causes)
        assert back.admg == sem.admg
        scale = np.sqrt(np.diag(sem.error_cov))
        np.testing.assert_allclose(back.coef, sem.coef, rtol=1e-12)
        np.testing.assert_allclose(
            back.error_cov / np.outer(scale, scale), sem.error_cov / np.outer(scale, scale), rtol=1e-9, atol=1e-12
        )


def test_equal_loadings_if_dominant() -> None:
    explicit = explicit_common_causes(ERRORS_ONLY)
    assert np.diag(explicit.error_cov) == pytest.approx([1.1, 0.6, 0.8, 1.0, 1.0])
    assert explicit.coef[3:, :3] == pytest.approx(np.sqrt([[0.5, 0.5, 0.0], [0.0, 0.6, 0.6]]) * [[1, 1, 1], [1, 1, -1]])


def test_weights_are_needed_and_found() -> None:
    omega = np.array([[100.0, 5.0], [5.0, 1.0]])
    assert (2 * np.diag(omega) < np.abs(omega).sum(axis=1)).any()
    explicit = explicit_common_causes(LinearSEM(ADMG.parse("A <-> B"), np.zeros((2, 2)), omega))
    assert explicit.implied_cov()[:2, :2] == pytest.approx(omega)
    assert (np.diag(explicit.error_cov) > 0).all()


def test_covariance_that_pairs_cannot_make_is_refused_unless_gaussian() -> None:
    omega = np.full((3, 3), 0.6) + 0.4 * np.eye(3)
    sem = LinearSEM(ADMG.parse("A <-> B <-> C; A <-> C"), np.zeros((3, 3)), omega)
    with pytest.raises(ParameterError, match="too strong"):
        draw_rows(sem, 10, "laplace", random_state=0)
    assert np.cov(draw_rows(sem, 50_000, random_state=0).T) == pytest.approx(omega, abs=0.03)
    just_weak_enough = LinearSEM(sem.admg, sem.coef, np.full((3, 3), 0.49) + 0.51 * np.eye(3))
    assert explicit_common_causes(just_weak_enough).implied_cov()[:3, :3] == pytest.approx(just_weak_enough.error_cov)


@pytest.mark.parametrize("errors", ["uniform", "laplace", "exponential"])
def test_kurtosis_follows_from_the_loadings(errors: ErrorShape) -> None:
    drawn = draw_rows(ERRORS_ONLY, 400_000, errors, random_state=3).to_numpy()
    explicit = explicit_common_causes(ERRORS_ONLY)
    # Fourth cumulants of independent causes add up.
    contributions = np.vstack([np.diag(np.diag(explicit.error_cov)[:3]), explicit.coef[3:, :3] ** 2])
    expected = EXCESS_KURTOSIS[errors] * ((contributions / np.diag(OMEGA)) ** 2).sum(axis=0)
    assert kurtosis(drawn, axis=0) == pytest.approx(expected, abs=0.15)
    assert np.cov(drawn.T) == pytest.approx(OMEGA, abs=0.03)
    assert (np.abs(skew(drawn, axis=0)) > 0.3).all() == (errors == "exponential")


def test_no_common_cause_is_independence_and_a_common_cause_is_not() -> None:
    squares = draw_rows(ERRORS_ONLY, 200_000, "laplace", random_state=4).to_numpy() ** 2
    correlation = np.asarray(np.corrcoef(squares.T))
    assert correlation[0, 2] == pytest.approx(0.0, abs=0.02)
    assert correlation[0, 1] > 0.1
    assert correlation[1, 2] > 0.1


def test_names_of_the_causes_do_not_clash() -> None:
    sem = draw_parameters(ADMG.parse("A <-> B; U_A_B <-> A; A_B <-> U; U_A <-> B"), random_state=0)
    explicit = explicit_common_causes(sem)
    assert len(set(explicit.names)) == 6 + 4
    assert {"U_A_B_", "U_A_B_U"} <= set(explicit.names)


def test_a_bidirected_edge_without_covariance_needs_no_cause() -> None:
    sem = LinearSEM(ADMG.parse("A <-> B"), np.zeros((2, 2)), np.eye(2))
    assert explicit_common_causes(sem).admg.n_edges == 0
