r"""Predict what every move would gain, from derivatives at the current graph alone.

A fit for every possible move is what a search spends its life on. Most moves are hopeless, and the second-order
expansion of the likelihood around the fitted parameters says so at once. Write F for minus twice the log-likelihood
per row, P for the parameters of the graph, H for the Hessian, :math:`V = H_{PP}^{-1}`, and y for a parameter that the
graph lacks. At the optimum the gradient vanishes on P, and

- adding y gains :math:`g_y^2 / 2c_y` with :math:`c_y = H_{yy} - H_{yP} V H_{Py}` (the score test, or "modification
  index");
- removing x costs :math:`\theta_x^2 / 2V_{xx}` (the Wald test);
- putting y in the place of x changes F by :math:`\theta_x^2/2V_{xx} - (g_y - z\theta_x/V_{xx})^2 / 2(c_y +
  z^2/V_{xx})` with :math:`z = (V H_{Py})_x`.

The Hessian falls apart by districts, so the cost for a whole graph is about that of three fits. The prediction is
used only to decide in which order moves are fitted, and when to stop.

With :math:`K = \Omega^{-1}`, W the covariances of errors with variables, U = K W and G = K E K, the derivatives are
those of :mod:`lurking.sem._district_fit`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lurking._compile import compiled
from lurking._typing import FloatArray, IntArray
from lurking.sem._edges import ARROW_BACK, ARROW_ON, BIDIRECTED, NO_EDGE, edge_of
from lurking.sem._fit_call import N_SAMPLES, PENALTY
from lurking.sem._linear_algebra import factor, invert_factored
from lurking.sem._score_state import ScoredGraph, ScoreState

__all__ = ["ScreenWork", "new_screen_work", "predict_moves"]

# planes of ScreenWork.matrix
_K, _W, _U, _G, _SCRATCH, _LOSS, _SLOPE, _CURVATURE, _COUPLING, _SPREAD, _VALUE = range(11)
_COEFFICIENT, _COVARIANCE = 0, 1


class ScreenWork(NamedTuple):
    """Arrays for the prediction, allocated once."""

    matrix: FloatArray
    hessian: FloatArray
    inverse: FloatArray
    cross: FloatArray
    """Two vectors over the parameters of a district: second derivatives with one absent parameter, and V times that."""
    parameter: IntArray
    """Rows (kind, first, second) of the parameters of a district."""
    position: IntArray
    """``position[kind, i, j]``: the number of a parameter in its district, or -1."""


def new_screen_work(d: int) -> ScreenWork:
    """Allocate the arrays for graphs with d variables."""
    most = d * (d + 1) // 2
    return ScreenWork(
        matrix=np.zeros((11, d, d)),
        hessian=np.zeros((most, most)),
        inverse=np.zeros((most, most)),
        cross=np.zeros((2, most)),
        parameter=np.zeros((most, 3), dtype=np.int64),
        position=np.full((2, d, d), -1, dtype=np.int64),
    )


@compiled
def _second(work: ScreenWork, correlation: FloatArray, kind: int, i: int, j: int, other: int, k: int, l: int) -> float:
    """Return the second derivative of F in two parameters.

    A coefficient (i, j) is that of variable i in the equation of j; a covariance (i, j) is that of the errors.
    """
    K, U, G = work.matrix[_K], work.matrix[_U], work.matrix[_G]
    if kind == _COEFFICIENT and other == _COEFFICIENT:
        return 2.0 * K[j, l] * correlation[i, k]
    if kind == _COVARIANCE and other == _COVARIANCE:
        scale = (0.5 if i == j else 1.0) * (0.5 if k == l else 1.0)
        return scale * (
            K[j, k] * (2.0 * G[i, l] - K[i, l])
            + K[j, l] * (2.0 * G[i, k] - K[i, k])
            + K[i, k] * (2.0 * G[j, l] - K[j, l])
            + K[i, l] * (2.0 * G[j, k] - K[j, k])
        )
    if kind == _COVARIANCE:
        i, j, k, l = k, l, i, j
    return (1.0 if k == l else 2.0) * (U[k, i] * K[l, j] + U[l, i] * K[k, j])


@compiled
def _moments_of_errors(work: ScreenWork, state: ScoreState, graph: ScoredGraph) -> bool:
    """Fill K, W, U and G for the whole graph; tell if the error covariance is positive definite."""
    K, W, U, G, scratch = work.matrix[_K], work.matrix[_W], work.matrix[_U], work.matrix[_G], work.matrix[_SCRATCH]
    d = K.shape[0]
    scratch[:] = graph.error_cov
    if not factor(scratch, d):
        return False
    invert_factored(scratch, d, K)
    for i in range(d):
        for p in range(d):
            W[i, p] = state.correlation[i, p]
        for q in range(d):
            if graph.directed[q, i]:
                for p in range(d):
                    W[i, p] -= graph.coef[q, i] * state.correlation[q, p]
    for i in range(d):
        for p in range(d):
            U[i, p] = 0.0
        for j in range(d):
            if graph.district[i] == graph.district[j]:
                for p in range(d):
                    U[i, p] += K[i, j] * W[j, p]
        for j in range(d):
            scratch[i, j] = U[i, j]  # K E
            for q in range(d):
                if graph.directed[q, j]:
                    scratch[i, j] -= graph.coef[q, j] * U[i, q]
    for i in range(d):
        for j in range(d):
            G[i, j] = 0.0
            for l in range(d):
                G[i, j] += scratch[i, l] * K[l, j]
    return True


@compiled
def _list_parameters(work: ScreenWork, graph: ScoredGraph, district: int) -> int:
    """List the parameters of a district and return their number."""
    d = graph.district.shape[0]
    parameter, position = work.parameter, work.position
    count = 0
    for j in range(d):
        if graph.district[j] != district:
            continue
        for i in range(d):
            position[_COEFFICIENT, i, j] = -1
            if graph.directed[i, j]:
                parameter[count, 0], parameter[count, 1], parameter[count, 2] = _COEFFICIENT, i, j
                position[_COEFFICIENT, i, j] = count
                count += 1
            if i <= j:
                position[_COVARIANCE, i, j] = -1
                if i == j or graph.bidirected[i, j]:
                    parameter[count, 0], parameter[count, 1], parameter[count, 2] = _COVARIANCE, i, j
                    position[_COVARIANCE, i, j] = count
                    count += 1
    return count


@compiled
def _invert_hessian(work: ScreenWork, correlation: FloatArray, count: int) -> bool:
    """Write V; a Hessian that is not definite is made so by a heavier diagonal."""
    parameter, H = work.parameter, work.hessian
    heavier = 0.0
    for _ in range(8):
        for a in range(count):
            for b in range(a, count):
                H[b, a] = _second(
                    work, correlation, parameter[a, 0], parameter[a, 1], parameter[a, 2],
                    parameter[b, 0], parameter[b, 1], parameter[b, 2],
                )  # fmt: skip
            H[a, a] += heavier * abs(H[a, a])
        if factor(H, count):
            invert_factored(H, count, work.inverse)
            return True
        heavier = 0.1 if heavier == 0.0 else 4.0 * heavier
    return False


@compiled
def _account_for_district(
    work: ScreenWork, correlation: FloatArray, count: int, kind: int, i: int, j: int, x: int, entry: int, pair: int
) -> None:
    """Take the adjustment of a district's parameters off the curvature of an absent parameter; note its coupling to x."""
    parameter, cross = work.parameter, work.cross
    for k in range(count):
        cross[0, k] = _second(work, correlation, kind, i, j, parameter[k, 0], parameter[k, 1], parameter[k, 2])
    reduction = 0.0
    for k in range(count):
        total = 0.0
        for l in range(count):
            total += work.inverse[k, l] * cross[0, l]
        cross[1, k] = total
        reduction += total * cross[0, k]
    work.matrix[_CURVATURE, entry, pair] -= reduction
    if x >= 0:
        work.matrix[_COUPLING, entry, pair] = cross[1, x]


@compiled
def predict_moves(state: ScoreState, graph: ScoredGraph, work: ScreenWork, predicted: FloatArray) -> bool:
    """Write the predicted change of the score for every pair i < j and edge; tell if that was possible.

    ``predicted[i, j, edge]`` is 0 for the edge that the pair has.
    """
    d = graph.district.shape[0]
    correlation, matrix, position = state.correlation, work.matrix, work.position
    n, penalty = state.settings[N_SAMPLES], state.settings[PENALTY]
    if not _moments_of_errors(work, state, graph):
        return False
    # The entry (i, j) of the planes below belongs to the coefficient of i -> j; for a covariance i <-> j with i < j
    # the same three numbers are needed, so predictions are made for one kind after the other.
    for district in range(d):
        if graph.district[district] != district:
            continue
        count = _list_parameters(work, graph, district)
        if not _invert_hessian(work, correlation, count):
            return False
        for k in range(count):
            kind, i, j = work.parameter[k, 0], work.parameter[k, 1], work.parameter[k, 2]
            if kind == _COEFFICIENT or i != j:
                matrix[_SPREAD, min(i, j), max(i, j)] = work.inverse[k, k]
                matrix[_VALUE, min(i, j), max(i, j)] = (
                    graph.coef[i, j] if kind == _COEFFICIENT else graph.error_cov[i, j]
                )
        # absent coefficients into the members of this district
        for j in range(d):
            if graph.district[j] != district:
                continue
            for i in range(d):
                if i == j or graph.directed[i, j]:
                    continue
                matrix[_CURVATURE, i, j] = 2.0 * matrix[_K, j, j] * correlation[i, i]
                matrix[_COUPLING, i, j] = 0.0
                x = position[_COVARIANCE, min(i, j), max(i, j)] if graph.bidirected[i, j] else -1
                if graph.directed[j, i] and graph.district[i] == district:
                    x = position[_COEFFICIENT, j, i]
                _account_for_district(work, correlation, count, _COEFFICIENT, i, j, x, i, j)
                matrix[_SLOPE, i, j] = -2.0 * matrix[_U, j, i]
    for i in range(d):
        for j in range(i + 1, d):
            now = edge_of(graph.directed, graph.bidirected, i, j)
            cost = 0.0
            if now != NO_EDGE:
                cost = 0.5 * matrix[_VALUE, i, j] ** 2 / matrix[_SPREAD, i, j]
            predicted[i, j, NO_EDGE] = n * cost - (penalty if now != NO_EDGE else 0.0)
            for edge in (ARROW_ON, ARROW_BACK):
                a, b = (i, j) if edge == ARROW_ON else (j, i)
                predicted[i, j, edge] = _exchange(work, now, edge, i, j, a, b, cost, n, penalty)
            predicted[i, j, now] = 0.0
    # absent covariances, which can touch two districts
    for i in range(d):
        for j in range(i + 1, d):
            if not graph.bidirected[i, j]:
                matrix[_CURVATURE, i, j] = _second(work, correlation, _COVARIANCE, i, j, _COVARIANCE, i, j)
                matrix[_COUPLING, i, j] = 0.0
                matrix[_SLOPE, i, j] = 2.0 * (matrix[_K, i, j] - matrix[_G, i, j])
    for district in range(d):
        if graph.district[district] != district:
            continue
        count = _list_parameters(work, graph, district)
        if not _invert_hessian(work, correlation, count):
            return False
        for i in range(d):
            for j in range(i + 1, d):
                if graph.bidirected[i, j] or (graph.district[i] != district and graph.district[j] != district):
                    continue
                x = -1
                if graph.directed[i, j] and graph.district[j] == district:
                    x = position[_COEFFICIENT, i, j]
                elif graph.directed[j, i] and graph.district[i] == district:
                    x = position[_COEFFICIENT, j, i]
                _account_for_district(work, correlation, count, _COVARIANCE, i, j, x, i, j)
    for i in range(d):
        for j in range(i + 1, d):
            now = edge_of(graph.directed, graph.bidirected, i, j)
            if now != BIDIRECTED:
                cost = (predicted[i, j, NO_EDGE] + penalty) / n if now != NO_EDGE else 0.0
                predicted[i, j, BIDIRECTED] = _exchange(work, now, BIDIRECTED, i, j, i, j, cost, n, penalty)
    return True


@compiled
def _exchange(
    work: ScreenWork, now: int, edge: int, i: int, j: int, a: int, b: int, cost: float, n: float, penalty: float
) -> float:
    """Return the predicted change of the score when the absent parameter (a, b) replaces what the pair i < j has."""
    if now == edge:
        return 0.0
    slope, curvature = work.matrix[_SLOPE, a, b], work.matrix[_CURVATURE, a, b]
    if now != NO_EDGE:
        stiffness = work.matrix[_COUPLING, a, b] / work.matrix[_SPREAD, i, j]
        slope -= stiffness * work.matrix[_VALUE, i, j]
        curvature += stiffness * work.matrix[_COUPLING, a, b]
    # an expansion that bends the wrong way says only that there is much to gain: it is cut to a small curvature
    floor = 0.05
    gain = 0.5 * slope * slope / max(curvature, floor)
    return n * (cost - gain) + (penalty if now == NO_EDGE else 0.0)
