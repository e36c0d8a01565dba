"""Predicted gains of moves, the slow way: finite differences, and the whole quadratic model solved at once."""

from __future__ import annotations

import numpy as np

from lurking._typing import FloatArray
from lurking.sem._edges import ARROW_BACK, ARROW_ON, BIDIRECTED, NO_EDGE

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


def predicted_change(
    correlation: FloatArray, coef: FloatArray, error_cov: FloatArray, now: Parameter | None, then: Parameter | None
) -> tuple[float, float]:
    """Return the change of the loss when one parameter is set to zero and another one is set free.

    All parameters of the graph are those that differ from zero. The quadratic expansion at the fitted values, where
    the graph's own parameters have no slope, is minimised over all that are free afterwards. The second number is its
    curvature in the new parameter after all others have adjusted: if that is not positive, there is no minimum.
    """
    d = len(coef)
    listed: list[Parameter] = [("coefficient", i, j) for i in range(d) for j in range(d) if coef[i, j] != 0]
    listed += [("covariance", i, j) for i in range(d) for j in range(i, d) if error_cov[i, j] != 0]
    if then is not None:
        listed.append(then)
    start = np.array([(coef if kind == "coefficient" else error_cov)[i, j] for kind, i, j in listed])

    def at(values: FloatArray) -> float:
        moved = coef.copy(), error_cov.copy()
        for (kind, i, j), value in zip(listed, values, strict=True):
            if kind == "coefficient":
                moved[0][i, j] = value
            else:
                moved[1][i, j] = moved[1][j, i] = value
        return loss(correlation, *moved)

    step, units = 1e-4, np.eye(len(listed))

    def second(a: FloatArray, b: FloatArray) -> float:
        there, back = step * (a + b), step * (a - b)
        return (at(start + there) - at(start + back) - at(start - back) + at(start - there)) / (4 * step * step)

    hessian = np.array([[second(a, b) for b in units] for a in units])
    slope = np.zeros(len(listed))
    if then is not None:
        slope[-1] = (at(start + step * units[-1]) - at(start - step * units[-1])) / (2 * step)
    gone = [] if now is None else [listed.index(now)]
    free = [k for k in range(len(listed)) if k not in gone]
    shift = np.zeros(len(listed))
    shift[gone] = -start[gone]
    shift[free] = -np.linalg.solve(hessian[np.ix_(free, free)], slope[free] + hessian[np.ix_(free, gone)] @ shift[gone])
    curvature = 1.0 / float(np.linalg.inv(hessian[np.ix_(free, free)])[-1, -1])
    return float(slope @ shift + 0.5 * shift @ hessian @ shift), curvature
