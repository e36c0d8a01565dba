"""Predicted gains of moves, the slow way: finite differences, and the whole quadratic model solved at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from lurking._typing import FloatArray
from lurking.graphs.edge_kinds import ARROW_BACK, ARROW_ON, BIDIRECTED, NO_EDGE

Parameter = tuple[str, int, int]
"""("coefficient", cause, effect) or ("covariance", i, j) with i <= j."""


def parameter_of(edge: int, i: int, j: int) -> Parameter | None:
    """Return the parameter that an edge of the pair i < j brings."""
    return {
        NO_EDGE: None,
        ARROW_ON: ("coefficient", i, j),
        ARROW_BACK: ("coefficient", j, i),
        BIDIRECTED: ("covariance", i, j),
    }[edge]


def loss(correlation: FloatArray, coef: FloatArray, error_cov: FloatArray) -> float:
    """Return minus twice the log-likelihood per row, up to a constant."""
    residual = np.eye(len(coef)) - coef
    errors = residual.T @ correlation @ residual
    return float(np.log(np.linalg.det(error_cov)) + np.trace(np.linalg.solve(error_cov, errors)))


def noise_term(deviation: FloatArray, least: FloatArray, centre: float, spread: float) -> Callable[..., float]:
    """Return the term of similar noise as a function of the error covariance of standardised variables.

    The covariance of the pair ``kink`` is counted with the given sign instead of its absolute value.
    """

    def term(error_cov: FloatArray, kink: tuple[int, int] | None, sign: float) -> float:
        raw = np.outer(deviation, deviation) * error_cov
        soft = 0.05 * np.outer(least, least)
        shared = np.sqrt(raw**2 + soft**2) - soft
        np.fill_diagonal(shared, 0.0)
        if kink is not None:
            shared[kink] = shared[kink[::-1]] = sign * raw[kink]
        own, floor = np.diag(raw) - shared.sum(axis=1), 0.1 * least**2
        logarithm = np.where(own > floor, np.log(np.maximum(own, floor)), np.log(floor) + own / floor - 1.0)
        return float((((logarithm - centre) / spread) ** 2).sum())

    return term


def predicted_change(
    correlation: FloatArray,
    coef: FloatArray,
    error_cov: FloatArray,
    now: Parameter | None,
    then: Parameter | None,
    extra: Callable[[FloatArray], float] = lambda error_cov: 0.0,
) -> tuple[float, float, float]:
    """Return the change of the loss, and of what is added to it, when a parameter is set to zero and another set free.

    The second number is the curvature in the new parameter after all others have adjusted: if that is not positive,
    there is no minimum. The third is the new parameter, if there is one.
    """
    gone, new = ([] if one is None else [one] for one in (now, then))
    change, information, values = predicted_change_of_sets(correlation, coef, error_cov, gone, new, extra)
    # without a new parameter what is looked at is the last one that stays
    return change, float(information[-1, -1]), float(values[-1])


def predicted_change_of_sets(
    correlation: FloatArray,
    coef: FloatArray,
    error_cov: FloatArray,
    now: Sequence[Parameter],
    then: Sequence[Parameter],
    extra: Callable[[FloatArray], float] = lambda error_cov: 0.0,
) -> tuple[float, FloatArray, FloatArray]:
    """Return the same for sets of parameters.

    All parameters of the graph are those that differ from zero. The quadratic expansion at the fitted values, where
    the graph's own parameters have no slope, is minimised over all that are free afterwards. The second result is the
    curvature in the new parameters (without any, in the last one) after all others have adjusted.
    """
    listed = [*own_parameters(coef, error_cov), *then]
    at, start = _as_function(correlation, coef, error_cov, listed, extra)
    step, units = 1e-4, np.eye(len(listed))
    hessian = _hessian(at, start, step)
    slope = np.zeros(len(listed))
    for k in range(len(listed) - len(then), len(listed)):
        slope[k] = (at(start + step * units[k]) - at(start - step * units[k])) / (2 * step)
    gone = [listed.index(one) for one in now]
    free = [k for k in range(len(listed)) if k not in gone]
    shift = np.zeros(len(listed))
    shift[gone] = -start[gone]
    shift[free] = -np.linalg.solve(hessian[np.ix_(free, free)], slope[free] + hessian[np.ix_(free, gone)] @ shift[gone])
    last = max(1, len(then))
    information = np.linalg.inv(np.linalg.inv(hessian[np.ix_(free, free)])[-last:, -last:])
    return float(slope @ shift + 0.5 * shift @ hessian @ shift), information, shift[-last:]


def information_of_set(
    correlation: FloatArray, coef: FloatArray, error_cov: FloatArray, parameters: Sequence[Parameter]
) -> FloatArray:
    """Return the curvature of the loss in parameters that the graph has, after all others have adjusted."""
    listed = [one for one in own_parameters(coef, error_cov) if one not in parameters] + list(parameters)
    hessian = _hessian(*_as_function(correlation, coef, error_cov, listed, lambda _: 0.0), 1e-4)
    information: FloatArray = np.linalg.inv(np.linalg.inv(hessian)[-len(parameters) :, -len(parameters) :])
    return information


def own_parameters(coef: FloatArray, error_cov: FloatArray) -> list[Parameter]:
    """Return the parameters that differ from zero."""
    d = len(coef)
    listed: list[Parameter] = [("coefficient", i, j) for i in range(d) for j in range(d) if coef[i, j] != 0]
    return listed + [("covariance", i, j) for i in range(d) for j in range(i, d) if error_cov[i, j] != 0]


def _as_function(
    correlation: FloatArray,
    coef: FloatArray,
    error_cov: FloatArray,
    listed: Sequence[Parameter],
    extra: Callable[[FloatArray], float],
) -> tuple[Callable[[FloatArray], float], FloatArray]:
    """Return the loss as a function of some parameters, all others as they are, and the values of these."""

    def at(values: FloatArray) -> float:
        moved = coef.copy(), error_cov.copy()
        for (kind, i, j), value in zip(listed, values, strict=True):
            if kind == "coefficient":
                moved[0][i, j] = value
            else:
                moved[1][i, j] = moved[1][j, i] = value
        return loss(correlation, *moved) + extra(moved[1])

    return at, np.array([(coef if kind == "coefficient" else error_cov)[i, j] for kind, i, j in listed])


def _hessian(at: Callable[[FloatArray], float], start: FloatArray, step: float) -> FloatArray:
    """Return second derivatives by central differences."""

    def second(a: FloatArray, b: FloatArray) -> float:
        there, back = step * (a + b), step * (a - b)
        return (at(start + there) - at(start + back) - at(start - back) + at(start - there)) / (4 * step * step)

    units = np.eye(len(start))
    return np.array([[second(a, b) for b in units] for a in units])
