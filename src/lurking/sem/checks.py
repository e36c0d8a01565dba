"""What can be wrong with the numbers of a model, and how to say so."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lurking._errors import DataError, ParameterError
from lurking._typing import BoolMatrix, FloatArray
from lurking.data import Moments
from lurking.data.checks import listed
from lurking.graphs import ADMG

__all__ = ["checked_coef", "checked_error_cov", "moments_in_order"]

_ASYMMETRY = 1e-8
"""Two mirrored covariances may differ by this share of the product of the standard deviations."""


def moments_in_order(moments: Moments, admg: ADMG) -> Moments:
    """Return the moments with their columns in the order of the graph, or say which names do not match."""
    if moments.names == admg.names:
        return moments
    unknown = [name for name in moments.names if name not in admg]
    if unknown:
        raise DataError(
            f"The table has {listed(unknown)}, but the graph has no such vertex; use moments.subset(admg.names)."
        )
    absent = [name for name in admg.names if name not in moments]
    if absent:
        raise DataError(f"The graph has {listed(absent)}, but the table has no such column; check the names.")
    return moments.reorder(admg.names)


def checked_coef(coef: ArrayLike, admg: ADMG) -> FloatArray:
    """Return a read-only copy of the coefficients, or say which one has no edge."""
    array = _finite_matrix(coef, "coef", admg)
    _refuse_numbers_without_edge(array, admg.directed, "coef", "->", admg)
    array.flags.writeable = False
    return array


def checked_error_cov(error_cov: ArrayLike, admg: ADMG) -> FloatArray:
    """Return a read-only, exactly symmetric copy of the error covariances, or say what is wrong with them."""
    array = _finite_matrix(error_cov, "error_cov", admg)
    _refuse_numbers_without_edge(array, admg.bidirected | np.eye(len(admg), dtype=bool), "error_cov", "<->", admg)
    variances = np.diag(array)
    if (variances <= 0).any():
        first = int(np.argmin(variances))
        raise ParameterError(
            f"The error variance of {admg.names[first]!r} must be positive. Got {variances[first]:.6g} instead."
        )
    scales = np.sqrt(variances)
    correlation = array / scales[:, None] / scales
    asymmetric = np.argwhere(np.abs(correlation - correlation.T) > _ASYMMETRY).tolist()
    if asymmetric:
        one, other = (admg.names[i] for i in asymmetric[0])
        raise ParameterError(
            f"error_cov must be symmetric, but its two entries for {one!r} and {other!r} differ; make them the same."
        )
    smallest = float(np.linalg.eigvalsh((correlation + correlation.T) / 2)[0])
    if smallest <= len(admg) * np.finfo(float).eps:
        raise ParameterError(
            "error_cov must be positive definite, but the smallest eigenvalue of its correlation matrix is "
            f"{smallest:.3g}; make its off-diagonal entries smaller."
        )
    symmetric: FloatArray = (array + array.T) / 2
    symmetric.flags.writeable = False
    return symmetric


def _finite_matrix(values: ArrayLike, kind: str, admg: ADMG) -> FloatArray:
    array = np.array(values, dtype=float)
    d = len(admg)
    if array.shape != (d, d):
        raise ParameterError(f"{kind} must have shape ({d}, {d}), one row per vertex. Got {array.shape} instead.")
    bad = np.argwhere(~np.isfinite(array)).tolist()
    if bad:
        one, other = (admg.names[i] for i in bad[0])
        raise ParameterError(f"{kind}[{one!r}, {other!r}] must be a finite number. Got {array[tuple(bad[0])]} instead.")
    return array + 0.0  # adding zero turns -0.0 into 0.0, so that equal models have equal bytes


def _refuse_numbers_without_edge(values: FloatArray, allowed: BoolMatrix, kind: str, arrow: str, admg: ADMG) -> None:
    wrong = np.argwhere((values != 0) & ~allowed).tolist()
    if wrong:
        one, other = (admg.names[i] for i in wrong[0])
        raise ParameterError(
            f"{kind}[{one!r}, {other!r}] is {values[tuple(wrong[0])]:.6g}, but the graph has no edge "
            f"{one} {arrow} {other}; add the edge or set the number to 0."
        )
