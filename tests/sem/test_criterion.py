"""The criteria: prices by hand, Laplace's method against a numerical Hessian, the prior over graphs by counting."""

from __future__ import annotations

from itertools import combinations
from math import comb, log

import numpy as np
import pytest

from lurking import ADMG, Moments
from lurking._errors import ParameterError
from lurking._typing import FloatArray
from lurking.sem import CRITERIA, Criterion, DistrictScore, ricf
from lurking.sem.criterion import bic, ebic, marginal
from lurking.sem.kernels.scores import score_graph
from oracles.callable_kernels import change_delta
from sem.random_models import random_model

GRAPHS = (
    "A; B; C",
    "A -> B -> C; A -> C",
    "A <-> B; C",
    "A -> B -> C -> D; B <-> D",
    "A <-> B <-> C <-> D; A -> C; E -> B; E -> D",
)


def moments_of(text: str, n: int = 400) -> Moments:
    return Moments.from_table(random_model(ADMG.parse(text), seed=1).sample(n, random_state=2))


def minus_loglik(correlation: FloatArray, n: int, coef: FloatArray, omega: FloatArray) -> float:
    errors = np.eye(len(coef)) - coef
    sigma_inverse = errors @ np.linalg.inv(omega) @ errors.T
    return float(0.5 * n * (np.linalg.slogdet(omega)[1] + np.trace(sigma_inverse @ correlation)))


def laplace(moments: Moments, admg: ADMG, criterion: Criterion) -> float:
    """Return what parameters cost by a Hessian of finite differences, over coefficients, covariances, log variances."""
    standardised = Moments(moments.correlation, moments.n_samples, moments.names)
    fit = ricf(standardised, admg, tol=1e-11)
    arrows, lines = np.argwhere(admg.directed), np.argwhere(np.triu(admg.bidirected))
    d, n = len(admg), moments.n_samples

    def value(theta: FloatArray) -> float:
        coef, omega = np.zeros((d, d)), np.diag(np.exp(theta[len(theta) - d :]))
        for (i, j), entry in zip(arrows, theta, strict=False):
            coef[i, j] = entry
        for (i, j), entry in zip(lines, theta[len(arrows) :], strict=False):
            omega[i, j] = omega[j, i] = entry
        return minus_loglik(moments.correlation, n, coef, omega)

    theta = np.concatenate(
        [
            [fit.coef[i, j] for i, j in arrows],
            [fit.error_cov[i, j] for i, j in lines],
            np.log(np.diag(fit.error_cov)),
        ]
    )
    step, size = 1e-4, len(theta)
    unit = step * np.eye(size)
    hessian = np.zeros((size, size))
    for k in range(size):
        for m in range(size):
            hessian[k, m] = (
                value(theta + unit[k] + unit[m])
                - value(theta + unit[k] - unit[m])
                - value(theta - unit[k] + unit[m])
                + value(theta - unit[k] - unit[m])
            ) / (4 * step**2)
    precision = np.concatenate(
        [np.full(len(arrows), criterion.prices[3]), np.full(len(lines), criterion.prices[4]), np.zeros(d)]
    )
    edges = len(arrows) + len(lines)
    cost = np.linalg.slogdet(hessian + np.diag(precision))[1] - np.log(precision[:edges]).sum()
    cost += float(precision @ theta**2)
    return float(cost + len(arrows) * criterion.prices[1] + len(lines) * criterion.prices[2])


@pytest.mark.parametrize("text", GRAPHS)
def test_marginal_is_laplace_and_the_prior_over_graphs(text: str) -> None:
    admg, moments = ADMG.parse(text), moments_of(text)
    criterion = marginal(moments.n_samples, len(admg))
    expected = -2 * ricf(moments, admg).loglik + laplace(moments, admg, criterion)
    pairs = len(admg) * (len(admg) - 1) // 2
    expected += 2 * log(comb(pairs, admg.n_edges))
    assert DistrictScore(moments, criterion=criterion, tolerance=1e-9).score(admg) == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("name", CRITERIA)
def test_units_do_not_change_differences(name: str) -> None:
    moments = moments_of(GRAPHS[3])
    scale = np.array([1.0, 100.0, 0.01, 7.0])
    raw = Moments(moments.cov * np.outer(scale, scale), moments.n_samples, moments.names)
    graphs = [ADMG.parse(text) for text in (GRAPHS[3], "A -> B; C <-> D")]
    one, other = (DistrictScore(data, criterion=name) for data in (moments, raw))
    assert one.delta(*graphs) == pytest.approx(other.delta(*graphs), abs=1e-4)


def test_prices_by_hand() -> None:
    moments, admg = moments_of(GRAPHS[3]), ADMG.parse(GRAPHS[3])
    plain = ricf(moments, admg)
    n, d = moments.n_samples, len(admg)
    assert DistrictScore(moments).score(admg) == pytest.approx(plain.bic, abs=1e-4)
    extended = DistrictScore(moments, criterion="ebic").score(admg)
    assert extended - plain.bic == pytest.approx(2 * log(d) * admg.n_edges, abs=1e-4)
    assert ebic(n, d, gamma=0.0).prices.tolist() == bic(n, d).prices.tolist()


def test_wider_priors_charge_more_for_what_is_not_there() -> None:
    moments, admg = moments_of("A; B; C"), ADMG.parse("A -> B; C")
    narrow, wide = (
        DistrictScore(moments, criterion=marginal(400, 3, coefficient_sd=sd)).score(admg) for sd in (0.2, 2.0)
    )
    assert wide - narrow == pytest.approx(2 * log(10), abs=0.2)


@pytest.mark.parametrize("text", GRAPHS[2:])
def test_changes_are_differences_of_scores(text: str) -> None:
    """The number of adjacencies is no sum over districts; every change of one edge must know it all the same."""
    admg, moments = ADMG.parse(text), moments_of(text)
    score = DistrictScore(moments, criterion="marginal", tolerance=1e-9)
    graph = score.scored_graph(admg)
    before = score_graph(score.state, graph, 0)
    assert before == pytest.approx(score.score(admg), abs=1e-6)
    for i, j in combinations(range(len(admg)), 2):
        for edge in (0, 3):
            bidirected, directed = admg.bidirected.copy(), admg.directed.copy()
            directed[i, j] = directed[j, i] = False
            bidirected[i, j] = bidirected[j, i] = edge == 3
            after = DistrictScore(moments, criterion="marginal", tolerance=1e-9).score(
                ADMG(admg.names, directed, bidirected)
            )
            delta = change_delta(score.state, graph, i, j, edge, np.inf)
            assert delta == pytest.approx(after - before, abs=0.02), (i, j, edge)


def test_a_criterion_for_another_size_is_refused() -> None:
    with pytest.raises(ParameterError, match="made for 3 pairs of variables, but the table has 6; make it for 4"):
        DistrictScore(moments_of(GRAPHS[3]), criterion=marginal(400, 3))


def test_what_is_no_criterion_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"'criterion' parameter .* 'marginal', 'bic', 'ebic' or a Criterion"):
        DistrictScore(moments_of(GRAPHS[0]), criterion="aic")
