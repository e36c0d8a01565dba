"""Maximum likelihood of one district: RICF sweeps to come near a minimum, Newton's method to reach it.

Several optima are possible when the graph fits badly or is not arid; see :mod:`lurking.sem.kernels.starts`.
"""

from __future__ import annotations

import numpy as np

from lurking._compile import inlined
from lurking.sem.kernels.district import ACCEPTED, COEFFICIENTS, ENTRIES, TRIAL, DistrictWork, copy_parameters
from lurking.sem.kernels.newton import CONVERGED, DIVERGED, HOPELESS, NEAR_SINGULAR, OUT_OF_ITERATIONS, newton_step
from lurking.sem.kernels.objective import evaluate
from lurking.sem.kernels.ricf_sweep import sweep
from lurking.sem.kernels.starts import shrink_covariances

__all__ = ["CONVERGED", "DIVERGED", "HOPELESS", "NEAR_SINGULAR", "OUT_OF_ITERATIONS", "fit_district"]

_NEAR = 1e-6  # an error of F that no longer changes where the fit ends


@inlined
def fit_district(
    work: DistrictWork, which: int, sweeps: int, tolerance: float, max_iterations: int, hopeless_above: float
) -> tuple[float, float, int, int, int]:
    """Minimise F over the parameters of the loaded district, from those on trial (:mod:`lurking.sem.kernels.starts`).

    ``sweeps`` RICF sweeps come first, over the members that ``which`` says. ``tolerance`` is the error of F that
    is allowed, as estimated by the Newton decrement before a last step that makes it far smaller. The fit is given up,
    with status HOPELESS, as soon as F seems bound to stay above ``hopeless_above``; the error is then how far it might
    still have fallen.

    Returns F, the estimate of its error, the status, the number of sweeps and steps, and how many of them were needed
    to come near the optimum. The parameters are in the planes B and OMEGA; TRIAL_B, TRIAL_OMEGA, K, W, U and KE agree
    with them.
    """
    newton = work.size[COEFFICIENTS] + work.size[ENTRIES] <= work.hessian.shape[1]
    if not newton:
        sweeps = max_iterations
    value = error = np.inf
    status = OUT_OF_ITERATIONS
    iterations = labour = reuse = shrunk = 0
    while True:
        trial = evaluate(work)
        if value == np.inf and trial == np.inf and shrunk < 60:  # by then the covariances are practically zero
            shrink_covariances(work)
            shrunk += 1
            continue
        if trial > value:  # rounding, or the regressions, which know nothing of similar noise: back
            copy_parameters(work, work.matrix[ACCEPTED], work.matrix[TRIAL])
            sweeps = iterations
            continue
        error = value - trial
        value = trial
        copy_parameters(work, work.matrix[TRIAL], work.matrix[ACCEPTED])
        if not newton and error < 0.01 * tolerance:
            status = CONVERGED
            break
        if iterations >= min(sweeps, max_iterations):
            break
        labour += error > _NEAR
        iterations += 1
        sweep(work, which)
    while newton and iterations < max_iterations and status == OUT_OF_ITERATIONS:
        labour += error > _NEAR
        iterations += 1
        value, error, status, reuse = newton_step(work, value, tolerance, hopeless_above, reuse, error)
    return value, error, status, iterations, labour
