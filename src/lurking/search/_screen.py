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
those of :mod:`lurking.sem._newton`.
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

# planes of ScreenWork.matrix; SPREAD and VALUE of the edge that a pair i < j has are its V_xx and its theta_x
_K, _W, _U, _G, _SCRATCH, _SPREAD, _VALUE = range(7)
# kinds of parameters
_COEFFICIENT, _COVARIANCE = 0, 1
# planes of ScreenWork.absent[kind]: g_y, c_y and z of the parameters that the graph lacks
_SLOPE, _CURVATURE, _COUPLING = range(3)
_SMALLEST_CURVATURE = 0.05


class ScreenWork(NamedTuple):
    """Arrays for the prediction, allocated once."""

    matrix: FloatArray
    absent: FloatArray
    """What is needed of each absent parameter, by kind; a covariance i <-> j is at i < j."""
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
        matrix=np.zeros((7, d, d)),
        absent=np.zeros((2, 3, d, d)),
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
        return float(2.0 * K[j, l] * correlation[i, k])
    if kind == _COVARIANCE and other == _COVARIANCE:
        scale = (0.5 if i == j else 1.0) * (0.5 if k == l else 1.0)
        total = (
            K[j, k] * (2.0 * G[i, l] - K[i, l])
            + K[j, l] * (2.0 * G[i, k] - K[i, k])
            + K[i, k] * (2.0 * G[j, l] - K[j, l])
            + K[i, l] * (2.0 * G[j, k] - K[j, k])
        )
        return float(scale * total)
    if kind == _COVARIANCE:
        i, j, k, l = k, l, i, j
    return float((1.0 if k == l else 2.0) * (U[k, i] * K[l, j] + U[l, i] * K[k, j]))


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
def _start_absent(work: ScreenWork, correlation: FloatArray) -> None:
    """Write the gradient and the bare second derivative of every parameter, as if each were absent."""
    matrix, absent = work.matrix, work.absent
    d = correlation.shape[0]
    absent[:, _COUPLING] = 0.0
    for i in range(d):
        for j in range(d):
            absent[_COEFFICIENT, _SLOPE, i, j] = -2.0 * matrix[_U, j, i]
            absent[_COEFFICIENT, _CURVATURE, i, j] = 2.0 * matrix[_K, j, j] * correlation[i, i]
            if i < j:
                absent[_COVARIANCE, _SLOPE, i, j] = 2.0 * (matrix[_K, i, j] - matrix[_G, i, j])
                absent[_COVARIANCE, _CURVATURE, i, j] = _second(work, correlation, _COVARIANCE, i, j, _COVARIANCE, i, j)


@compiled
def _adjust(work: ScreenWork, correlation: FloatArray, count: int, kind: int, i: int, j: int, x: int) -> None:
    """Take off an absent parameter's curvature what a district's parameters give way; note its coupling to x."""
    parameter, cross = work.parameter, work.cross
    for k in range(count):
        cross[0, k] = _second(work, correlation, kind, i, j, parameter[k, 0], parameter[k, 1], parameter[k, 2])
    for k in range(count):
        total = 0.0
        for l in range(count):
            total += work.inverse[k, l] * cross[0, l]
        cross[1, k] = total
        work.absent[kind, _CURVATURE, i, j] -= total * cross[0, k]
    if x >= 0:
        work.absent[kind, _COUPLING, i, j] = cross[1, x]


@compiled
def _account_for_district(
    work: ScreenWork, correlation: FloatArray, graph: ScoredGraph, district: int, count: int
) -> None:
    """Note the present parameters of a district, and adjust all absent ones that touch it."""
    position, label = work.position, graph.district
    d = label.shape[0]
    for k in range(count):
        kind, i, j = work.parameter[k, 0], work.parameter[k, 1], work.parameter[k, 2]
        if i != j:
            first, last = min(i, j), max(i, j)
            work.matrix[_SPREAD, first, last] = work.inverse[k, k]
            work.matrix[_VALUE, first, last] = graph.coef[i, j] if kind == _COEFFICIENT else graph.error_cov[i, j]
    for i in range(d):
        for j in range(d):
            if i == j:
                continue
            # the number of the parameter of the edge that the pair has, if it belongs to this district
            x = -1
            if graph.bidirected[i, j] and label[j] == district:
                x = position[_COVARIANCE, min(i, j), max(i, j)]
            elif graph.directed[i, j] and label[j] == district:
                x = position[_COEFFICIENT, i, j]
            elif graph.directed[j, i] and label[i] == district:
                x = position[_COEFFICIENT, j, i]
            if label[j] == district and not graph.directed[i, j]:
                _adjust(work, correlation, count, _COEFFICIENT, i, j, x)
            if i < j and not graph.bidirected[i, j] and (label[i] == district or label[j] == district):
                _adjust(work, correlation, count, _COVARIANCE, i, j, x)


@compiled
def _change(work: ScreenWork, i: int, j: int, now: int, kind: int, a: int, b: int) -> float:
    """Return the predicted change of F when the absent parameter (a, b) replaces what the pair i < j has."""
    slope, curvature = work.absent[kind, _SLOPE, a, b], work.absent[kind, _CURVATURE, a, b]
    cost = 0.0
    if now != NO_EDGE:
        spread, value, coupling = (
            work.matrix[_SPREAD, i, j],
            work.matrix[_VALUE, i, j],
            work.absent[kind, _COUPLING, a, b],
        )
        cost = 0.5 * value * value / spread
        slope -= coupling * value / spread
        curvature += coupling * coupling / spread
    # An expansion that bends the wrong way says only that there is much to gain.
    return float(cost - 0.5 * slope * slope / max(curvature, _SMALLEST_CURVATURE))


@compiled
def predict_moves(state: ScoreState, graph: ScoredGraph, work: ScreenWork, predicted: FloatArray) -> bool:
    """Write the predicted change of the score for every pair i < j and edge; tell if that was possible.

    ``predicted[i, j, edge]`` is 0 for the edge that the pair has.
    """
    d = graph.district.shape[0]
    n, penalty = state.settings[N_SAMPLES], state.settings[PENALTY]
    if not _moments_of_errors(work, state, graph):
        return False
    _start_absent(work, state.correlation)
    for district in range(d):
        if graph.district[district] == district:
            count = _list_parameters(work, graph, district)
            if not _invert_hessian(work, state.correlation, count):
                return False
            _account_for_district(work, state.correlation, graph, district, count)
    for i in range(d):
        for j in range(i + 1, d):
            now = edge_of(graph.directed, graph.bidirected, i, j)
            more = penalty if now == NO_EDGE else 0.0
            predicted[i, j, ARROW_ON] = n * _change(work, i, j, now, _COEFFICIENT, i, j) + more
            predicted[i, j, ARROW_BACK] = n * _change(work, i, j, now, _COEFFICIENT, j, i) + more
            predicted[i, j, BIDIRECTED] = n * _change(work, i, j, now, _COVARIANCE, i, j) + more
            if now != NO_EDGE:
                cost = 0.5 * work.matrix[_VALUE, i, j] ** 2 / work.matrix[_SPREAD, i, j]
                predicted[i, j, NO_EDGE] = n * cost - penalty
            predicted[i, j, now] = 0.0
    return True
