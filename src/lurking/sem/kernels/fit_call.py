"""How compiled loops call the fit of a district without containing it.

When one compiled function calls another, the compiler copies the callee, and everything that it calls, into the
caller and optimises all of it again. The fit is large, so every search function above it would take seconds longer to
compile. Here the fit becomes one C function, compiled once, and callers get its address at run time in their
``ScoreState``. An address is valid in one process only; the state renews it when it is unpickled.

A vertex of several columns is fitted by another function of the same form (:mod:`lurking.sem.kernels.block_fit`), which
calls this one; so the callers need not know which of the two it is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, cast

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic
from numba.np.numpy_support import carray

from lurking._compile import compiled_pointer
from lurking.sem.kernels.complexity import N_PRICES, complexity, least_complexity
from lurking.sem.kernels.district import (
    ACCEPTED,
    KEPT,
    LOG_VARIANCE,
    N_LISTS,
    N_PLANES,
    N_UNITS,
    N_VECTORS,
    OMEGA,
    TRIAL,
    VECTORS,
    DistrictWork,
    copy_parameters,
    load_district,
)
from lurking.sem.kernels.district_fit import CONVERGED, HOPELESS, NEAR_SINGULAR, OUT_OF_ITERATIONS, fit_district
from lurking.sem.kernels.own_noise import log_own_variance
from lurking.sem.kernels.ricf_sweep import ALL_MEMBERS, CHANGED_MEMBERS, PARENTS_ONLY, sweep
from lurking.sem.kernels.starts import (
    CORRELATIONS,
    REGRESSIONS,
    RESIDUALS,
    WARM,
    correlate_errors,
    independence_start,
    warm_start,
)

__all__ = ["SIGNATURE", "call_fit", "fit_address"]

# entries of the settings
N_SAMPLES, TOLERANCE, MAX_ITERATIONS, COLD_SWEEPS, WARM_SWEEPS, NOISE_CENTRE, NOISE_STRENGTH = range(7)
HOPELESS_ABOVE = 7  # a fit whose score cannot come below this is given up
# what is found out about a district: minus twice its log-likelihood, the sums of the logarithms of its members' own
# error variances (_own_noise) and of their squares, the error that the loss may have, what its parameters cost
# (_complexity), its score. A negative error belongs to a fit that was given up: the loss might have fallen by as much.
LOSS, LOG_SUM, LOG_SQUARES, ERROR, COMPLEXITY, SCORE, STATUS, N_ITERATIONS = range(8)
# sizes of the arrays
N_SETTINGS, N_FOUND = 8, 8

# by start; looked up rather than written out, since a constant argument would have the sweep compiled once more
_FIRST_UPDATE = (PARENTS_ONLY, PARENTS_ONLY, ALL_MEMBERS, ALL_MEMBERS, ALL_MEMBERS)
_UPDATE = (ALL_MEMBERS, ALL_MEMBERS, ALL_MEMBERS, ALL_MEMBERS, CHANGED_MEMBERS)
_EASY = 6  # iterations to come near the optimum; a cold start that takes more is followed by other starts
_LOG_2_PI = float(np.log(2.0 * np.pi))


def _fit_members(
    _addresses_at: Any, _first_column_at: Any,
    correlation_at: Any, units_at: Any, settings_at: Any, prices_at: Any, members_at: Any, found_at: Any,
    directed_at: Any, bidirected_at: Any, coef_at: Any, error_cov_at: Any,
    size: Any, index: Any, matrix: Any, hessian: Any, step: Any, prior: Any,
    d: int, newton: int, m: int, warm: int,
) -> None:  # fmt: skip
    """Fit the district of the first m members; leave its values in ``found`` and its parameters in the work arrays.

    The first two arguments are for vertices of several columns.

    The fit starts at the given parameters if ``warm``; if that does not converge it is made once more from regressions.
    Otherwise it starts cold, from several points if the first one converges slowly. The best of these fits counts.
    """
    work = DistrictWork(
        carray(size, 4),
        carray(index, (N_LISTS, d * d + 1)),
        carray(matrix, (N_PLANES, d + N_VECTORS, d)),
        carray(hessian, (newton + 1, newton)),
        carray(step, d * (d + 1) // 2),
        carray(prior, 2),
    )
    square = (d, d)
    correlation, units = carray(correlation_at, square), carray(units_at, (N_UNITS, d))
    members = carray(members_at, d)
    directed, bidirected = carray(directed_at, square), carray(bidirected_at, square)
    coef, error_cov = carray(coef_at, square), carray(error_cov_at, square)
    settings, found = carray(settings_at, N_SETTINGS), carray(found_at, N_FOUND)
    prices = carray(prices_at, N_PRICES)
    n = settings[N_SAMPLES]
    load_district(work, correlation, units, directed, bidirected, members, m)
    work.prior[0] = settings[NOISE_STRENGTH] / n
    work.prior[1] = settings[NOISE_CENTRE]
    tolerance, most = settings[TOLERANCE] / n, int(settings[MAX_ITERATIONS])
    constant = m * _LOG_2_PI
    for i in range(m):
        constant += work.matrix[VECTORS, LOG_VARIANCE, i]
    least = least_complexity(work, prices, n)
    hopeless_above = (settings[HOPELESS_ABOVE] - least) / n - constant
    value = error = best = np.inf
    status, spent = OUT_OF_ITERATIONS, 0
    start = WARM if warm and m > 1 else REGRESSIONS
    while True:
        sweeps = int(settings[COLD_SWEEPS])
        regular = True
        if start == WARM:
            warm_start(work, coef, error_cov)
            sweeps = int(settings[WARM_SWEEPS])
        else:
            independence_start(work)
            if start in (REGRESSIONS, RESIDUALS):
                regular = sweep(work, _FIRST_UPDATE[start])
            if start in (RESIDUALS, CORRELATIONS):
                correlate_errors(work)
            if start == RESIDUALS:
                sweeps = 0
        if m == 1 and work.prior[0] <= 0.0:
            copy_parameters(work, work.matrix[TRIAL], work.matrix[ACCEPTED])
            best = np.log(work.matrix[OMEGA, 0, 0]) + 1.0
            found[ERROR], found[STATUS] = 0.0, (CONVERGED if regular else NEAR_SINGULAR)
            break
        value, error, status, iterations, labour = fit_district(
            work, _UPDATE[start], sweeps, tolerance, most, hopeless_above
        )
        spent += iterations
        if value < best or best == np.inf:
            best = value
            found[ERROR], found[STATUS] = (-n if status == HOPELESS else n) * error, status
            copy_parameters(work, work.matrix[ACCEPTED], work.matrix[KEPT])
        if start == WARM and status not in (CONVERGED, HOPELESS):
            start = REGRESSIONS
        elif warm or (status == CONVERGED and labour <= _EASY and start == REGRESSIONS) or start == CORRELATIONS:
            copy_parameters(work, work.matrix[KEPT], work.matrix[ACCEPTED])
            break
        else:
            start += 1
    found[N_ITERATIONS] = spent
    logs = squares = 0.0
    for i in range(m):
        log_own = log_own_variance(work, work.matrix[OMEGA], i)
        best -= work.prior[0] * (log_own - work.prior[1]) ** 2
        logs += log_own
        squares += log_own * log_own
    found[LOSS] = n * (best + constant)
    found[COMPLEXITY] = least if found[ERROR] < 0.0 else complexity(work, prices, n)
    found[LOG_SUM] = logs
    found[LOG_SQUARES] = squares


_INTEGERS: Any
_FLOATS: Any
_BYTES: Any
_INTEGERS, _FLOATS, _BYTES = (types.CPointer(kind) for kind in (types.int64, types.float64, types.uint8))  # type: ignore[no-untyped-call]
SIGNATURE = types.void(
    _INTEGERS, _INTEGERS, _FLOATS, _FLOATS, _FLOATS, _FLOATS, _INTEGERS, _FLOATS, _BYTES, _BYTES, _FLOATS, _FLOATS,
    _INTEGERS, _INTEGERS, _FLOATS, _FLOATS, _FLOATS, _FLOATS, types.int64, types.int64, types.int64, types.int64,
)  # fmt: skip


@cache
def fit_address() -> int:
    """Return the address of the compiled fit in this process; the first call loads it from disk or compiles it."""
    function = compiled_pointer(SIGNATURE, _fit_members)
    _keep_alive.append(function)
    return cast(int, function.address)


_keep_alive: list[object] = []


def _call_fit(
    typing_context: Any, address: Any, addresses: Any, first_column: Any,
    correlation: Any, units: Any, settings: Any, prices: Any, members: Any,
    found: Any, directed: Any, bidirected: Any, coef: Any, error_cov: Any, size: Any, index: Any, matrix: Any,
    hessian: Any, step: Any, prior: Any, d: Any, newton: Any, m: Any, warm: Any,
) -> Any:  # fmt: skip
    """Call the compiled fit at an address; for compiled functions only."""
    arrays = (
        addresses, first_column, correlation, units, settings, prices, members, found, directed, bidirected,
        coef, error_cov, size, index, matrix, hessian, step, prior,
    )  # fmt: skip
    signature = types.void(types.int64, *arrays, types.int64, types.int64, types.int64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointers = [
            context.make_array(kind)(context, builder, value).data
            for kind, value in zip(signature.args[1:-4], values[1:-4], strict=True)
        ]
        arguments = [*pointers, *values[-4:]]
        function_type = ir.FunctionType(ir.VoidType(), [argument.type for argument in arguments])
        function = builder.inttoptr(values[0], function_type.as_pointer())
        builder.call(function, arguments)
        return context.get_dummy_value()

    return signature, generate


call_fit: Callable[..., None] = intrinsic(_call_fit)
