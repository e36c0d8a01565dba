r"""What can be wrong with a covariance matrix, and how to say so.

A Gaussian likelihood needs a positive definite covariance matrix. If it is not, the reason is almost always one of
four, and each has its own remedy: a column that never changes, two columns that carry the same information, a column
that is a sum of others (a total beside its parts), or fewer rows than columns.

The *smallest eigenvalue of the correlation matrix* measures how near the columns are to such a relation, in any
units: it is the variance of the least variable combination :math:`\sum_j a_j x_j / s_j` with :math:`\sum_j a_j^2 = 1`.
Zero means an exact relation, and the columns with :math:`a_j \ne 0` are those that take part in it. To name one
relation when there are several, columns are added one at a time until the smallest eigenvalue drops to zero: at that
point there is exactly one relation, and its eigenvector names its members.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike

from lurking._errors import DataError, GraphError
from lurking._typing import FloatArray
from lurking._wording import counted, joined, mention, setting
from lurking.graphs.vertices import check_names

__all__ = [
    "SMALLEST_EIGENVALUE",
    "at_most_five",
    "checked_column_names",
    "checked_covariance",
    "checked_mean",
    "checked_n_samples",
    "listed",
]

SMALLEST_EIGENVALUE = 1e-10
"""Columns whose correlation matrix has an eigenvalue at or below this are called collinear."""

_ASYMMETRY = 1e-8
"""Two mirrored covariances may differ by this share of the product of the standard deviations."""

_LARGEST_VARIANCE = 1e150
"""Products of variances beyond this, or below one over this, leave the range of floating-point numbers."""

_MOST_ROWS = 10**15

_PART_OF_RELATION = 1e-5
"""Share of the largest entry of the null vector from which a column counts as part of the relation."""


def listed(names: Iterable[object], at_most: int = 8) -> str:
    """Return names in quotes, separated by commas, the last by 'and'; a long list is cut short."""
    quoted = [repr(name) for name in names]
    if len(quoted) > at_most:
        quoted = [*quoted[: at_most - 1], f"{len(quoted) - at_most + 1} more"]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def at_most_five(descriptions: Sequence[str]) -> str:
    """Return descriptions of columns separated by commas; of more than five, four and how many there are more."""
    if len(descriptions) <= 5:
        return joined(descriptions, ", ")
    return joined(descriptions[:4], ", ") + f", and {len(descriptions) - 4} more columns as well"


def checked_column_names(names: Iterable[object]) -> tuple[str, ...]:
    """Return the names as strings (other labels, such as numbers, go through ``str``), or say which is repeated."""
    if isinstance(names, str):
        raise DataError(f"The names must be a sequence of strings, not the one string {names!r}; put it in a list.")
    names = list(names)
    if not names:
        raise DataError("There are no columns; a table needs at least one variable.")
    try:
        return check_names([str(name) for name in names])
    except GraphError as error:
        raise DataError(str(error)) from None


_IF_A_MATRIX = (
    ", or if this is a covariance matrix, "
    + mention("n_samples", "give n_samples")
    + ", the number of rows behind it (in Python, as Moments(matrix, "
    "n_samples))."
)


def checked_n_samples(n_samples: object, n_variables: int) -> int:
    """Return the number of rows as an int, or say why it cannot be one."""
    if isinstance(n_samples, bool | np.bool_) or not isinstance(n_samples, SupportsIndex):
        raise DataError(f"n_samples must be a whole number, the number of rows. Got {n_samples!r} instead.")
    rows = operator.index(n_samples)
    if rows > _MOST_ROWS:
        raise DataError("n_samples is the number of rows, and no table has more than 10^15; correct it.")
    if rows <= n_variables:
        size = f"{counted(rows, 'row')} and {counted(n_variables, 'column')}"
        raise DataError(
            f"There must be more rows than columns, but there are {size}; "
            + mention("left out", "add rows or leave columns out")
            + (_IF_A_MATRIX if rows == n_variables else ".")
        )
    return rows


def checked_mean(mean: ArrayLike, n_variables: int) -> FloatArray:
    """Return a read-only copy of the means, or say what is wrong with them."""
    array = np.array(mean, dtype=float)
    if array.shape != (n_variables,):
        raise DataError(
            f"The mean must hold {n_variables} numbers, one per variable. Got an array of shape {array.shape} instead."
        )
    if not np.isfinite(array).all():
        raise DataError("The mean must be finite, but holds NaN or infinity; leave it out if it is not known.")
    array.flags.writeable = False
    return array


def checked_covariance(cov: ArrayLike, names: Sequence[str]) -> FloatArray:
    """Return a read-only, exactly symmetric, positive definite copy of a covariance matrix, or say what is wrong."""
    try:
        array = np.array(cov, dtype=float)
    except (TypeError, ValueError):
        raise DataError("The covariance matrix must be a square table of numbers; check how it was read.") from None
    d = len(names)
    if array.shape != (d, d):
        raise DataError(
            f"The covariance matrix must have shape ({d}, {d}), one row per name. Got {array.shape} instead."
        )
    _check_finite(array, names)
    _check_variances(np.diag(array), names)
    scales = np.sqrt(np.diag(array))
    correlation = array / scales[:, None] / scales
    _check_symmetric(array, correlation, names)
    symmetric: FloatArray = (array + array.T) / 2 + 0.0  # adding zero turns -0.0 into 0.0, so equal means equal bytes
    _check_positive_definite((correlation + correlation.T) / 2, names)
    symmetric.flags.writeable = False
    return symmetric


def _check_finite(array: FloatArray, names: Sequence[str]) -> None:
    bad = np.argwhere(~np.isfinite(array))
    if bad.size:
        one, other = (names[i] for i in bad[0])
        raise DataError(
            f"The covariance of {one!r} and {other!r} is {array[tuple(bad[0])]}; every entry must be a finite number: "
            "recompute the matrix from complete rows."
        )


def _check_variances(variances: FloatArray, names: Sequence[str]) -> None:
    constant = [name for name, variance in zip(names, variances, strict=True) if variance == 0]
    if constant:
        verb = "never changes" if len(constant) == 1 else "never change"
        raise DataError(f"{listed(constant)} {verb} (variance 0), so nothing can be learnt from it; leave it out.")
    negative = np.flatnonzero(variances < 0)
    if negative.size:
        first = negative[0]
        raise DataError(
            f"The variance of {names[first]!r} is {variances[first]:.6g}, but a variance is positive; "
            "check that the matrix is a covariance matrix."
        )
    extreme = np.flatnonzero((variances > _LARGEST_VARIANCE) | (variances < 1 / _LARGEST_VARIANCE))
    if extreme.size:
        first = extreme[0]
        raise DataError(
            f"The variance of {names[first]!r} is {variances[first]:.0e}, which is too "
            f"{'large' if variances[first] > 1 else 'small'} to compute with; give the column in other units."
        )


def _check_symmetric(array: FloatArray, correlation: FloatArray, names: Sequence[str]) -> None:
    asymmetry = np.abs(correlation - correlation.T)
    if asymmetry.max() > _ASYMMETRY:
        i, j = divmod(int(asymmetry.argmax()), len(names))
        raise DataError(
            f"The covariance matrix must be symmetric, but cov[{names[i]!r}, {names[j]!r}] = {array[i, j]:.6g} and "
            f"cov[{names[j]!r}, {names[i]!r}] = {array[j, i]:.6g}; if only one triangle is filled, mirror it."
        )


def _check_positive_definite(correlation: FloatArray, names: Sequence[str]) -> None:
    smallest = float(np.linalg.eigvalsh(correlation)[0])
    if smallest > SMALLEST_EIGENVALUE:
        return
    first_bad = next(
        size
        for size in range(1, len(names) + 1)
        if np.linalg.eigvalsh(correlation[:size, :size])[0] <= SMALLEST_EIGENVALUE
    )
    values, vectors = np.linalg.eigh(correlation[:first_bad, :first_bad])
    weight = np.abs(vectors[:, 0])
    members = [names[i] for i in np.flatnonzero(weight > _PART_OF_RELATION * weight.max()).tolist()]
    measured = f"the smallest eigenvalue of the correlation matrix is {smallest:.3g}"
    if values[0] < -SMALLEST_EIGENVALUE:
        raise DataError(
            f"The covariance matrix is not positive definite: no data can have these covariances among "
            f"{listed(members)} ({measured}); recompute it from complete rows, without rounding."
        )
    if len(members) == 2:
        i, j = (names.index(name) for name in members)
        raise DataError(
            f"{listed(members)} carry the same information (correlation {correlation[i, j]:+.0f}; {measured}); "
            "leave one of them out, or say " + setting("collinear", "drop") + "."
        )
    raise DataError(
        f"{listed(members)} are collinear: one of them is a weighted sum of the others ({measured}); "
        "leave one of them out, or say " + setting("collinear", "drop") + "."
    )
