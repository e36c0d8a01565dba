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

The Hessian falls apart by districts, and with :math:`H_{PP} = LL^\top` and :math:`T = L^{-1}`, :math:`H_{yP} V H_{Py}`
is the squared length of :math:`T H_{Py}`: a triangle of products for each y. The prediction is used only to decide in
which order moves are fitted, and when to stop.

With :math:`K = \Omega^{-1}`, W the covariances of errors with variables, U = K W and G = K E K, the derivatives are
those of :mod:`lurking.sem._newton`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lurking._compile import compiled, part
from lurking._typing import FloatArray, IntArray
from lurking.sem._edges import ARROW_BACK, ARROW_ON, BIDIRECTED, NO_EDGE, edge_of
from lurking.sem._fit_call import N_SAMPLES, PENALTY
from lurking.sem._linear_algebra import factor, invert_factor, invert_factored
from lurking.sem._score_state import ScoredGraph, ScoreState

__all__ = ["ScreenWork", "new_screen_work", "predict_moves"]

# planes of ScreenWork.matrix; SPREAD and VALUE of the edge that a pair i < j has are its V_xx and its theta_x
_K, _W, _U, _G, _SCRATCH, _SPREAD, _VALUE = range(7)
# kinds of parameters
_COEFFICIENT, _COVARIANCE = 0, 1
# planes of ScreenWork.absent[kind]: g_y, c_y and z of the parameters that the graph lacks
_SLOPE, _CURVATURE, _COUPLING = range(3)
# rows of ScreenWork.vector: H_yP of one parameter y, and T H_Py
_CROSS, _WHITENED = range(2)
_SMALLEST_CURVATURE = 0.05


class ScreenWork(NamedTuple):
    """Arrays for the prediction, allocated once."""

    matrix: FloatArray
    absent: FloatArray
    """What is needed of each absent parameter, by kind; a covariance i <-> j is at i < j."""
    hessian: FloatArray
    """That of a district, then the inverse T of its factor."""
    vector: FloatArray
    """Two vectors over the parameters of a district."""
    parameter: IntArray
    """The parameters (first, second) of a district, coefficients first; (i, j) is that of i in the equation of j."""
    position: IntArray
    """``position[kind, i, j]``: the number of a parameter in its district, or -1."""


def new_screen_work(d: int) -> ScreenWork:
    """Allocate the arrays for graphs with d variables."""
    most = d * (d + 1) // 2
    return ScreenWork(
        matrix=np.zeros((7, d, d)),
        absent=np.zeros((2, 3, d, d)),
        hessian=np.zeros((most, most)),
        vector=np.zeros((2, most)),
        parameter=np.zeros((2, most), dtype=np.int64),
        position=np.full((2, d, d), -1, dtype=np.int64),
    )


@part
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
            for j in range(d):
                G[i, j] += scratch[i, l] * K[l, j]
    return True


@part
def _list_parameters(work: ScreenWork, graph: ScoredGraph, district: int) -> tuple[int, int]:
    """List the parameters of a district; return the number of coefficients and that of all."""
    d = graph.district.shape[0]
    parameter, position = work.parameter, work.position
    count = 0
    for j in range(d):
        if graph.district[j] == district:
            for i in range(d):
                position[_COEFFICIENT, i, j] = -1
                if graph.directed[i, j]:
                    parameter[0, count], parameter[1, count] = i, j
                    position[_COEFFICIENT, i, j] = count
                    count += 1
    coefficients = count
    for j in range(d):
        if graph.district[j] == district:
            for i in range(j + 1):
                position[_COVARIANCE, i, j] = -1
                if i == j or graph.bidirected[i, j]:
                    parameter[0, count], parameter[1, count] = i, j
                    position[_COVARIANCE, i, j] = count
                    count += 1
    return coefficients, count


@part
def _fill_cross(
    work: ScreenWork, correlation: FloatArray, coefficients: int, count: int, kind: int, i: int, j: int
) -> None:
    """Write the second derivatives of F in the parameter (i, j) and each parameter of a district."""
    matrix, cross = work.matrix, work.vector
    first, second = work.parameter[0], work.parameter[1]
    if kind == _COEFFICIENT:
        for k in range(coefficients):
            cross[_CROSS, k] = 2.0 * matrix[_K, j, second[k]] * correlation[i, first[k]]
        for k in range(coefficients, count):
            a, b = first[k], second[k]
            scale = 1.0 if a == b else 2.0
            cross[_CROSS, k] = scale * (matrix[_U, a, i] * matrix[_K, b, j] + matrix[_U, b, i] * matrix[_K, a, j])
    else:
        scale = 1.0 if i == j else 2.0
        for k in range(coefficients):
            a, b = first[k], second[k]
            cross[_CROSS, k] = scale * (matrix[_U, i, a] * matrix[_K, j, b] + matrix[_U, j, a] * matrix[_K, i, b])
        for k in range(coefficients, count):
            a, b = first[k], second[k]
            cross[_CROSS, k] = (0.25 if a == b else 0.5) * scale * _curvature_of_covariances(matrix, i, j, a, b)


@part
def _curvature_of_covariances(matrix: FloatArray, i: int, j: int, a: int, b: int) -> float:
    """Return the second derivative of F in the covariances (i, j) and (a, b) of different variables."""
    total: float = (
        matrix[_K, j, a] * (2.0 * matrix[_G, i, b] - matrix[_K, i, b])
        + matrix[_K, j, b] * (2.0 * matrix[_G, i, a] - matrix[_K, i, a])
        + matrix[_K, i, a] * (2.0 * matrix[_G, j, b] - matrix[_K, j, b])
        + matrix[_K, i, b] * (2.0 * matrix[_G, j, a] - matrix[_K, j, a])
    )
    return total


@part
def _factor_hessian(work: ScreenWork, correlation: FloatArray, coefficients: int, count: int) -> bool:
    """Write T; a Hessian that is not definite is made so by a heavier diagonal."""
    H = work.hessian
    heavier = 0.0
    for _ in range(8):
        for k in range(count):
            kind = _COEFFICIENT if k < coefficients else _COVARIANCE
            _fill_cross(work, correlation, coefficients, k + 1, kind, work.parameter[0, k], work.parameter[1, k])
            for l in range(k + 1):
                H[k, l] = work.vector[_CROSS, l]
            H[k, k] += heavier * abs(H[k, k])
        if factor(H, count):
            invert_factor(H, count, work.vector[_WHITENED])
            return True
        heavier = 0.1 if heavier == 0.0 else 4.0 * heavier
    return False


@part
def _start_absent(work: ScreenWork, correlation: FloatArray) -> None:
    """Write the gradient and the bare second derivative of every parameter, as if each were absent."""
    matrix, absent = work.matrix, work.absent
    d = correlation.shape[0]
    for i in range(d):
        for j in range(d):
            absent[_COEFFICIENT, _SLOPE, i, j] = -2.0 * matrix[_U, j, i]
            absent[_COEFFICIENT, _CURVATURE, i, j] = 2.0 * matrix[_K, j, j] * correlation[i, i]
            absent[_COEFFICIENT, _COUPLING, i, j] = 0.0
            absent[_COVARIANCE, _SLOPE, i, j] = 2.0 * (matrix[_K, i, j] - matrix[_G, i, j])
            absent[_COVARIANCE, _CURVATURE, i, j] = _curvature_of_covariances(matrix, i, j, i, j)
            absent[_COVARIANCE, _COUPLING, i, j] = 0.0


@part
def _adjust(
    work: ScreenWork, correlation: FloatArray, coefficients: int, count: int, kind: int, i: int, j: int, x: int
) -> None:
    """Take off an absent parameter's curvature what a district's parameters give way; note its coupling to x."""
    _fill_cross(work, correlation, coefficients, count, kind, i, j)
    T, vector = work.hessian, work.vector
    given = 0.0
    for k in range(count):
        total = 0.0
        for l in range(k + 1):
            total += T[k, l] * vector[_CROSS, l]
        vector[_WHITENED, k] = total
        given += total * total
    work.absent[kind, _CURVATURE, i, j] -= given
    if x >= 0:
        coupling = 0.0
        for k in range(x, count):
            coupling += T[k, x] * vector[_WHITENED, k]
        work.absent[kind, _COUPLING, i, j] = coupling


@part
def _note_present(work: ScreenWork, graph: ScoredGraph, coefficients: int, count: int) -> None:
    """Write the value and the spread of the parameter of each edge of a district."""
    for k in range(count):
        i, j = work.parameter[0, k], work.parameter[1, k]
        if i != j:
            spread = 0.0
            for l in range(k, count):
                spread += work.hessian[l, k] * work.hessian[l, k]
            first, last = min(i, j), max(i, j)
            work.matrix[_SPREAD, first, last] = spread
            work.matrix[_VALUE, first, last] = graph.coef[i, j] if k < coefficients else graph.error_cov[i, j]


@part
def _account_for_district(
    work: ScreenWork,
    correlation: FloatArray,
    graph: ScoredGraph,
    focus: NDArray[np.uint8],
    district: int,
    coefficients: int,
    count: int,
) -> None:
    """Adjust all absent parameters that touch a district, of pairs with an end in ``focus``."""
    position, label = work.position, graph.district
    d = label.shape[0]
    for i in range(d):
        for j in range(d):
            if i == j or not (focus[i] or focus[j]):
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
                _adjust(work, correlation, coefficients, count, _COEFFICIENT, i, j, x)
            if i < j and not graph.bidirected[i, j] and (label[i] == district or label[j] == district):
                _adjust(work, correlation, coefficients, count, _COVARIANCE, i, j, x)


@part
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
def predict_moves(
    state: ScoreState, graph: ScoredGraph, work: ScreenWork, focus: NDArray[np.uint8], predicted: FloatArray
) -> bool:
    """Write the predicted change of the score for every edge of each pair i < j with an end in ``focus``.

    ``predicted[i, j, edge]`` is 0 for the edge that the pair has, and not touched for other pairs. Tell if that was
    possible.
    """
    d = graph.district.shape[0]
    n, penalty = state.settings[N_SAMPLES], state.settings[PENALTY]
    if not _moments_of_errors(work, state, graph):
        return False
    _start_absent(work, state.correlation)
    for district in range(d):
        if graph.district[district] == district:
            coefficients, count = _list_parameters(work, graph, district)
            if not _factor_hessian(work, state.correlation, coefficients, count):
                return False
            _note_present(work, graph, coefficients, count)
            _account_for_district(work, state.correlation, graph, focus, district, coefficients, count)
    for i in range(d):
        for j in range(i + 1, d):
            if not (focus[i] or focus[j]):
                continue
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
