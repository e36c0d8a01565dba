"""Quasi-Newton minimisation of a smooth function plus λ Σ tanh(c·|θ|), compiled.

The penalty has a kink wherever a parameter is zero, and zero is where most parameters end. Writing θ = θ⁺ - θ⁻ with
both parts >= 0 turns the kink into two bounds: inside them everything is smooth. At a minimum one part of each pair is
zero, so the iterates here keep it so and store the signed θ alone; the sign says which part is in use, and a step that
would cross zero stops there, exactly at the bound.

One iteration (a projected quasi-Newton method; Bertsekas 1982, Andrew and Gao 2007):

1. The *projected gradient* q: the gradient by the part in use; for a parameter at zero the gradient by θ⁺ or θ⁻ if it
   is negative there, otherwise 0, and the parameter stays at zero for this iteration.
2. A limited-memory BFGS direction on the parameters that are free to move, from differences of gradients of the whole
   function, penalty included, with the pairs that show negative curvature on them left out, and started from the
   diagonal curvature of :mod:`lurking.search.kernels.inner_problem`.
3. A backtracking line search along the path bent at zero, with the Armijo rule and quadratic interpolation.

It ends when no component of q exceeds ``gradient_tolerance``, or two steps in a row gain less than ``value_tolerance``
relative to max(|F|, 1), or no step along the scaled gradient gains anything: a local minimum to working precision.
"""

from __future__ import annotations

import math

import numpy as np

from lurking._compile import compiled, compiled_arithmetic
from lurking._typing import FloatArray
from lurking.search.kernels.inner_problem import InnerProblem, smooth_part

__all__ = ["minimise", "projected_gradient"]

_HISTORY = 10
_MAX_SHORTENINGS = 30


@compiled
def _penalty_value(theta: FloatArray, penalty: float, sharpness: float) -> float:
    total = 0.0
    for p in range(theta.shape[0]):
        if theta[p] != 0.0:
            total += math.tanh(sharpness * abs(theta[p]))
    return penalty * total


@compiled
def _penalty_slope(theta: float, penalty: float, sharpness: float) -> float:
    """Return the derivative by |θ|."""
    if theta == 0.0:
        return penalty * sharpness
    level = math.tanh(sharpness * abs(theta))
    return penalty * sharpness * (1.0 - level * level)


@compiled
def projected_gradient(
    theta: FloatArray,
    gradient: FloatArray,
    penalty: float,
    sharpness: float,
    side: FloatArray,
    projected: FloatArray,
) -> float:
    """Write the projected gradient and each parameter's side (+1, -1, or 0 if fixed); return the largest entry."""
    largest = 0.0
    for p in range(theta.shape[0]):
        slope = _penalty_slope(theta[p], penalty, sharpness)
        if theta[p] > 0.0 or (theta[p] == 0.0 and gradient[p] + slope < 0.0):
            side[p] = 1.0
        elif theta[p] < 0.0 or gradient[p] - slope > 0.0:
            side[p] = -1.0
        else:
            side[p] = 0.0
        projected[p] = gradient[p] + side[p] * slope if side[p] != 0.0 else 0.0
        largest = max(largest, abs(projected[p]))
    return largest


@compiled_arithmetic
def _quasi_newton_direction(
    projected: FloatArray,
    side: FloatArray,
    diagonal: FloatArray,
    steps: FloatArray,
    changes: FloatArray,
    newest: int,
    n_pairs: int,
    direction: FloatArray,
) -> None:
    """Write minus the inverse Hessian approximation times the projected gradient, on the free parameters."""
    size = projected.shape[0]
    curvature, factors = np.empty(_HISTORY), np.empty(_HISTORY)
    scale = 0.0
    for p in range(size):
        direction[p] = -projected[p]
    for age in range(n_pairs):
        s, y = steps[(newest - age) % _HISTORY], changes[(newest - age) % _HISTORY]
        sy = 0.0
        yy = 0.0
        sd = 0.0
        for p in range(size):
            if side[p] != 0.0:
                sy += s[p] * y[p]
                yy += y[p] * y[p]
                sd += s[p] * direction[p]
        curvature[age] = sy if sy > 1e-10 * yy else 0.0
        if curvature[age] == 0.0:
            continue
        if scale == 0.0:
            scaled = 0.0
            for p in range(size):
                if side[p] != 0.0:
                    scaled += y[p] * y[p] / diagonal[p]
            scale = sy / scaled
        factors[age] = sd / sy
        for p in range(size):
            if side[p] != 0.0:
                direction[p] -= factors[age] * y[p]
    if scale == 0.0:
        scale = 1.0
    for p in range(size):
        direction[p] *= scale / diagonal[p]
    for back in range(n_pairs):
        age = n_pairs - 1 - back
        if curvature[age] == 0.0:
            continue
        s, y = steps[(newest - age) % _HISTORY], changes[(newest - age) % _HISTORY]
        yd = 0.0
        for p in range(size):
            if side[p] != 0.0:
                yd += y[p] * direction[p]
        for p in range(size):
            if side[p] != 0.0:
                direction[p] += s[p] * (factors[age] - yd / curvature[age])


@compiled
def minimise(
    problem: InnerProblem,
    theta: FloatArray,
    max_iterations: int,
    gradient_tolerance: float,
    value_tolerance: float,
) -> tuple[float, int, int]:
    """Move ``theta`` to a local minimum; return the function there, the iterations and the evaluations it took."""
    size = theta.shape[0]
    penalty, sharpness = problem.penalty, problem.sharpness
    gradient, new_gradient = np.empty(size), np.empty(size)
    curvature, new_curvature = np.empty(size), np.empty(size)
    projected, side, direction, trial = np.empty(size), np.empty(size), np.empty(size), np.empty(size)
    steps, changes = np.empty((_HISTORY, size)), np.empty((_HISTORY, size))
    n_small = 0
    newest = n_pairs = size - size  # a literal zero would have two versions compiled
    value: float = smooth_part(problem, theta, gradient, curvature) + _penalty_value(theta, penalty, sharpness)
    evaluations = 1
    for iteration in range(max_iterations):
        largest = projected_gradient(theta, gradient, penalty, sharpness, side, projected)
        if not largest > gradient_tolerance:
            return value, iteration, evaluations
        found = False
        new_value = value
        while not found:
            _quasi_newton_direction(projected, side, curvature, steps, changes, newest, n_pairs, direction)
            slope = 0.0
            for p in range(size):
                if theta[p] == 0.0 and direction[p] * projected[p] >= 0.0:
                    direction[p] = 0.0
                slope += direction[p] * projected[p]
            length = 1.0 if slope < 0.0 else 0.0
            for _ in range(_MAX_SHORTENINGS if slope < 0.0 else 0):
                gain = 0.0
                for p in range(size):
                    trial[p] = theta[p] + length * direction[p]
                    if trial[p] * side[p] < 0.0 or side[p] == 0.0:
                        trial[p] = 0.0
                    gain += projected[p] * (trial[p] - theta[p])
                new_value = smooth_part(problem, trial, new_gradient, new_curvature)
                new_value += _penalty_value(trial, penalty, sharpness)
                evaluations += 1
                if new_value <= value + 1e-4 * gain:
                    found = True
                    break
                shorter = -0.5 * gain / (new_value - value - gain) if math.isfinite(new_value) else 0.1
                length *= min(0.5, max(0.1, shorter))
            if not found:
                if n_pairs == 0:
                    return value, iteration, evaluations
                n_pairs = 0  # the history misleads: start again from the diagonal
        newest = (newest + 1) % _HISTORY
        n_pairs = min(n_pairs + 1, _HISTORY)
        for p in range(size):
            steps[newest, p] = trial[p] - theta[p]
            bend = _penalty_slope(trial[p], penalty, sharpness) - _penalty_slope(theta[p], penalty, sharpness)
            changes[newest, p] = new_gradient[p] - gradient[p] + side[p] * bend
        small = value - new_value <= value_tolerance * max(abs(value), abs(new_value), 1.0)
        n_small = n_small + 1 if small else 0
        value = new_value
        for p in range(size):
            theta[p] = trial[p]
            gradient[p] = new_gradient[p]
            curvature[p] = new_curvature[p]
        if n_small == 2:
            return value, iteration + 1, evaluations
    return value, max_iterations, evaluations
