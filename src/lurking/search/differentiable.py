"""Differentiable discovery, Algorithm 3 of Bhattacharya et al. (2021): a graph by continuous optimisation.

The search is over real numbers, the coefficients and error covariances of a linear model on all pairs at once:

    minimise   approximate BIC(θ)   subject to   h(θ) = 0,

where h is the constraint of a class of graphs (:mod:`lurking.constraints`). The *augmented Lagrangian* method solves it
by a sequence of problems without constraint: minimise

    ``least squares + ½ρh² + αh + λ Σ tanh(c·|θ|)``

by regularized RICF (:mod:`lurking.search.regularized_ricf`), then set α to α + ρh (the *dual step*), and again, until h
is at most 1e-8. If a step does not bring h below a quarter of its last value, ρ is multiplied by ten and the step is
repeated. The number of RICF iterations that a step may use grows by one from step to step, because RICF does not
converge while the graph is far from its class. In the end parameters above a threshold become edges
(:mod:`lurking.search.thresholding`).

The problem has many local minima. So it is solved from several random starts, and the graph with the best *exact* BIC,
fitted by :func:`lurking.sem.ricf`, is kept.

The method depends on the units of the data: the least squares, the penalty and the threshold all count in them. Data
whose errors have variances near one suit it.

>>> from lurking.data import Moments
>>> from lurking.graphs import ADMG
>>> chain = np.array([[1.0, 0.0, 0.0], [0.8, 1.0, 0.0], [0.0, 0.9, 1.0]])  # C -> B -> A, seen from the other side
>>> moments = Moments(np.linalg.inv(chain) @ np.linalg.inv(chain).T, n_samples=1000, names=["A", "B", "C"])
>>> result = differentiable_discovery(moments, "ancestral", random_state=0)
>>> result.status.name, result.h <= 1e-8, result.admg.is_ancestral()
('CONVERGED', True, True)
>>> sorted(map(sorted, np.argwhere(np.triu(result.admg.skeleton)).tolist()))
[[0, 1], [1, 2]]
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lurking._errors import ParameterError
from lurking._random import generator
from lurking._typing import BoolMatrix, FloatArray, GraphClass, RandomState
from lurking.constraints import ClassPenalty, constraint_for
from lurking.data import Moments
from lurking.graphs import ADMG
from lurking.graphs.classes import CLASSES
from lurking.search.hyperparameters import DCDHyperparameters
from lurking.search.kernels.inner_problem import inner_problem
from lurking.search.regularized_ricf import regularized_ricf
from lurking.search.status import DCDStatus
from lurking.search.thresholding import threshold_to_admg

__all__ = ["DifferentiableResult", "DualStep", "differentiable_discovery"]


@dataclass(frozen=True, slots=True)
class DualStep:
    """One step of the augmented Lagrangian.

    Attributes
    ----------
    h : float
        The constraint after the step.
    rho, alpha : float
        Penalty weight and Lagrange multiplier used in the step.
    objective : float
        Least squares, constraint terms and sparsity penalty after the step.
    ricf_iterations : int
        RICF iterations of the step, those with smaller values of ρ that were not accepted included.
    evaluations : int
        Evaluations of the objective and its gradient, counted likewise.
    """

    h: float
    rho: float
    alpha: float
    objective: float
    ricf_iterations: int
    evaluations: int


@dataclass(frozen=True, slots=True, eq=False)
class DifferentiableResult:
    """What one run of the differentiable search found.

    Attributes
    ----------
    admg : ADMG
        The graph, always in the class.
    graph_class : {"ancestral", "arid", "bow-free"}
        The class.
    coef, error_cov : ndarray of shape (d, d)
        The parameters at the end of the search, before any threshold: shrunken by the penalty, and not the estimates
        for ``admg``, which :func:`lurking.sem.ricf` gives.
    h : float
        The constraint there.
    status : DCDStatus
        How it ended, and what to do.
    dropped : tuple of str
        Edges above the threshold that the repair took out.
    trace : tuple of DualStep
        One record for each dual step.
    """

    admg: ADMG
    graph_class: GraphClass
    coef: FloatArray
    error_cov: FloatArray
    h: float
    status: DCDStatus
    dropped: tuple[str, ...]
    trace: tuple[DualStep, ...]


def differentiable_discovery(
    moments: Moments,
    graph_class: GraphClass = "bow-free",
    hyperparameters: DCDHyperparameters | None = None,
    *,
    random_state: RandomState = None,
    start: tuple[ArrayLike, ArrayLike] | None = None,
    directed_allowed: ArrayLike | None = None,
    bidirected_allowed: ArrayLike | None = None,
    constraint: ClassPenalty | None = None,
    callback: Callable[[DualStep], None] | None = None,
) -> DifferentiableResult:
    """Search for a graph by the paper's procedure, from one start.

    Parameters
    ----------
    moments : Moments
        Covariance matrix, number of rows, names.
    graph_class : {"ancestral", "arid", "bow-free"}, default="bow-free"
        Where to search.
    hyperparameters : DCDHyperparameters, optional
        By default the paper's.
    random_state : int, Generator or None
        Seed of the random start.

    Other Parameters
    ----------------
    start : tuple of two array-like of shape (d, d), optional
        Coefficients and error covariance to start from instead of random ones.
    directed_allowed, bidirected_allowed : array-like of bool, shape (d, d), optional
        False where background knowledge forbids the edge (``directed_allowed[i, j]`` for i -> j); its parameter is then
        fixed at zero. By default everything is allowed.
    constraint : ClassPenalty, optional
        Another h than the one of the class; the final graph is still repaired into ``graph_class``. Constraints
        without compiled code are minimised through SciPy, which is slower.
    callback : callable, optional
        Called with each :class:`DualStep` when it is done.

    Returns
    -------
    result : DifferentiableResult
        Also if the search did not converge, and then says so.

    Notes
    -----
    The cost does not depend on the number of rows. At d = 10 a run takes a few tenths of a second for bow-free and
    ancestral graphs and some seconds for arid graphs; docs/solver-dcd.md has the measurements.
    """
    if graph_class not in CLASSES:
        raise ParameterError(f"The graph_class must be one of {', '.join(CLASSES)}. Got {graph_class!r} instead.")
    chosen = hyperparameters if hyperparameters is not None else DCDHyperparameters()
    d = moments.n_variables
    if constraint is None:
        factor = 1.0 / d if chosen.directed_factor is None else chosen.directed_factor
        constraint = constraint_for(graph_class, chosen.form, factor)
    directed = _allowed(directed_allowed, "directed_allowed", moments.names)
    bidirected = _allowed(bidirected_allowed, "bidirected_allowed", moments.names)
    if start is None:
        coef, error_cov = _random_start(moments.cov, chosen, generator(random_state))
    else:
        coef, error_cov = _given_start(start, d)
    coef, error_cov = coef * directed, error_cov * (bidirected | np.eye(d, dtype=bool))
    problem = inner_problem(
        moments.cov,
        directed,
        bidirected,
        constraint.settings(only_nonzero=True),
        chosen.penalty,
        math.log(moments.n_samples) / 2 if chosen.sharpness is None else chosen.sharpness,
    )
    rho, alpha, h, status = chosen.rho_start, chosen.alpha_start, math.inf, DCDStatus.OUT_OF_STEPS
    ricf_iterations = 1
    trace: list[DualStep] = []
    while len(trace) < chosen.max_dual_steps:
        used = evaluations = 0
        while True:
            fit = regularized_ricf(
                problem._replace(rho=rho, alpha=alpha), constraint, coef, error_cov, ricf_iterations, chosen
            )
            used += fit.n_iterations
            evaluations += fit.n_evaluations
            new_h, *_ = constraint.value_and_grad(fit.coef, fit.error_cov)
            if new_h < chosen.progress_rate * h or new_h <= chosen.tol or fit.singular or rho >= chosen.rho_max:
                break
            rho = min(rho * chosen.rho_factor, chosen.rho_max)
        coef, error_cov, h = fit.coef, fit.error_cov, new_h
        trace.append(DualStep(h, rho, alpha, fit.objective, used, evaluations))
        if callback is not None:
            callback(trace[-1])
        if fit.singular:
            status = DCDStatus.SINGULAR
            break
        if h <= chosen.tol:
            status = DCDStatus.CONVERGED
            break
        if rho >= chosen.rho_max:
            status = DCDStatus.PENALTY_LIMIT
            break
        alpha += rho * h
        ricf_iterations += chosen.ricf_increment
    final = threshold_to_admg(coef, error_cov, graph_class, threshold=chosen.threshold, names=moments.names)
    if final.dropped and status is DCDStatus.CONVERGED:
        status = DCDStatus.REPAIRED
    coef.flags.writeable = error_cov.flags.writeable = False
    return DifferentiableResult(final.admg, graph_class, coef, error_cov, h, status, final.dropped, tuple(trace))


def _random_start(S: FloatArray, chosen: DCDHyperparameters, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Draw uniform coefficients and covariances; the error variances start at the variances of the data."""
    d = len(S)
    coef = rng.uniform(-chosen.start_coef, chosen.start_coef, (d, d))
    np.fill_diagonal(coef, 0.0)
    upper = np.triu(rng.uniform(-chosen.start_error_cov, chosen.start_error_cov, (d, d)), 1)
    return coef, upper + upper.T + np.diag(np.diag(S))


def _given_start(start: tuple[ArrayLike, ArrayLike], d: int) -> tuple[FloatArray, FloatArray]:
    coef, error_cov = (np.array(part, dtype=np.float64) for part in start)
    if coef.shape != (d, d) or error_cov.shape != (d, d):
        raise ParameterError(
            f"The start must be two matrices of shape ({d}, {d}), coefficients and error covariance. "
            f"Got {coef.shape} and {error_cov.shape} instead."
        )
    if not (np.isfinite(coef).all() and np.isfinite(error_cov).all()):
        raise ParameterError("The start must hold finite numbers; replace the missing and infinite ones.")
    if not np.array_equal(error_cov, error_cov.T) or not (np.diag(error_cov) > 0).all() or np.diag(coef).any():
        raise ParameterError(
            "The start must have a symmetric error covariance with a positive diagonal and coefficients with a zero "
            "diagonal."
        )
    return coef, error_cov


def _allowed(mask: ArrayLike | None, name: str, names: tuple[str, ...]) -> BoolMatrix:
    d = len(names)
    if mask is None:
        return np.ones((d, d), dtype=bool)
    allowed = np.asarray(mask)
    if allowed.shape != (d, d) or allowed.dtype != bool:
        raise ParameterError(
            f"The {name} must be a boolean matrix of shape ({d}, {d}). Got {allowed.dtype} of shape {allowed.shape}."
        )
    if name == "bidirected_allowed" and not np.array_equal(allowed, allowed.T):
        one, other = (names[i] for i in np.argwhere(allowed != allowed.T)[0])
        raise ParameterError(f"The {name} must be symmetric, but differs for {one} <-> {other}; set both entries.")
    checked: BoolMatrix = allowed
    return checked
