r"""Missing values: complete rows only, or the maximum-likelihood mean and covariance of all rows.

Dropping every incomplete row is simple, and right if values are missing for no reason at all; it throws away what the
incomplete rows do say. The alternative is the likelihood of what was observed. A row r in which the columns
:math:`o_r` were observed has the density of a Gaussian on those columns alone, so

.. math:: \ell(\mu, \Sigma) = \sum_r \ln \varphi\bigl(x_{r,o_r};\; \mu_{o_r},\; \Sigma_{o_r o_r}\bigr),

and its maximum is right whenever the values that are missing can be explained by values that are there ("missing at
random", Rubin 1976). It is found by the EM algorithm (Dempster, Laird and Rubin 1977; Little and Rubin 2019, section
11.2): replace every missing value by its regression on the observed values of its row, add the covariance that this
regression leaves open, recompute mean and covariance, repeat. No step lowers the likelihood.

Rows are grouped by *pattern*, the set of columns observed, and each pattern needs only its number of rows, its mean and
its scatter. So an iteration costs :math:`O(\text{patterns} \cdot d^3)`, whatever the number of rows.

The estimate knows less than complete rows would: the covariance of two columns comes from the rows in which both were
observed, and a little from the others. ``pairs_observed`` is the mean share of such rows over the pairs of columns,
and the scores of a search count this share of the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lurking._errors import DataError
from lurking._typing import BoolMatrix, FloatArray
from lurking._wording import counted, setting
from lurking.data.checks import SMALLEST_EIGENVALUE, at_most_five, checked_n_samples

__all__ = [
    "GaussianEstimate",
    "check_not_infinite",
    "complete_rows",
    "gaussian_em",
    "observed_loglik",
    "pairs_observed",
]

_CHECK_EVERY = 50
"""After so many steps EM looks whether it runs towards a singular covariance matrix, which it would never reach."""

_LARGEST = 1e150

_LOG_TWO_PI = float(np.log(2 * np.pi))


def check_not_infinite(names: Sequence[str], values: FloatArray) -> None:
    """Refuse infinite values, which are not missing and which no Gaussian has, and those that cannot be squared."""
    infinite = np.isinf(values).sum(axis=0)
    found = [
        f"{name!r} is infinite in {counted(count, 'row')}"
        for name, count in zip(names, infinite.tolist(), strict=True)
        if count
    ]
    if found:
        raise DataError(f"{at_most_five(found)}; replace these values, or make them missing.")
    with np.errstate(invalid="ignore"):
        large = [repr(name) for name, column in zip(names, values.T, strict=True) if (np.abs(column) > _LARGEST).any()]
    if large:
        raise DataError(f"The values of {at_most_five(large)} are too large to be squared; use larger units.")


def complete_rows(names: Sequence[str], values: FloatArray) -> FloatArray:
    """Return the rows in which nothing is missing.

    Parameters
    ----------
    names : sequence of str
        The columns.
    values : ndarray of shape (n, d)
        The table, NaN where a value is missing.

    Raises
    ------
    DataError
        If too few rows are left; the columns that are missing most often are named.
    """
    missing = np.isnan(values)
    kept: FloatArray = values[~missing.any(axis=1)]
    if len(kept) <= len(names):
        worst = sorted(zip(missing.sum(axis=0).tolist(), names, strict=True), reverse=True)[:3]
        described = ", ".join(f"{name!r} in {counted(count, 'row')}" for count, name in worst if count)
        if described:
            raise DataError(
                f"Without the incomplete rows {len(kept)} of {len(values)} rows are left for {len(names)} columns "
                f"(missing most often: {described}); use " + setting("missing", "em") + " or leave such columns out."
            )
    return kept


@dataclass(frozen=True)
class GaussianEstimate:
    """Maximum-likelihood estimate from incomplete rows.

    Attributes
    ----------
    mean : ndarray of shape (d,)
        The means.
    cov : ndarray of shape (d, d)
        The covariance matrix, with divisor n.
    n_samples : int
        The number of rows with at least one value.
    loglik : float
        The log-likelihood of the observed values.
    n_iterations : int
        How many steps EM took.
    """

    mean: FloatArray
    cov: FloatArray
    n_samples: int
    loglik: float
    n_iterations: int


@dataclass(frozen=True)
class _Pattern:
    """The rows in which the same columns were observed."""

    observed: BoolMatrix
    n_rows: float
    """Their number, or the sum of their weights."""
    mean: FloatArray
    scatter: FloatArray
    """Sum over the rows of the outer products around ``mean``."""


def gaussian_em(
    names: Sequence[str],
    values: FloatArray,
    *,
    tol: float = 1e-8,
    max_iterations: int = 10_000,
    weights: FloatArray | None = None,
) -> GaussianEstimate:
    """Estimate mean and covariance by maximum likelihood from rows with missing values.

    Parameters
    ----------
    names : sequence of str
        The columns, for the error messages.
    values : ndarray of shape (n, d)
        The table, NaN where a value is missing. It is not changed.
    tol : float, default 1e-8
        Stop when no mean and no covariance changes by more than this in a step, in units of the standard deviations.
    max_iterations : int, default 10000
        The most steps.
    weights : ndarray of shape (n,), optional
        How much each row counts; only their ratios matter.

    Raises
    ------
    DataError
        If two columns are never observed together, a column has too few values, or EM does not converge.

    Examples
    --------
    >>> table = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, np.nan], [1.0, 3.0]])
    >>> gaussian_em(["A", "B"], table).mean.round(3)
    array([1.75 , 3.083])
    """
    _check_observed_together(names, values)
    anything = ~np.isnan(values).all(axis=1)
    kept = values[anything]
    n: float = checked_n_samples(len(kept), len(names))
    shares = None if weights is None else weights[anything] * (n / weights[anything].sum())
    # in units in which every column has mean 0 and standard deviation 1 among its observed values
    centre, scale = np.nanmean(kept, axis=0), np.nanstd(kept, axis=0)
    constant = [name for name, spread in zip(names, scale, strict=True) if not spread > 0]
    if constant:
        raise DataError(f"{constant[0]!r} never changes, so nothing can be learnt from it; leave it out.")
    patterns = _patterns((kept - centre) / scale, shares)
    d = len(names)
    mean, cov = np.zeros(d), np.eye(d)
    n_iterations, change = 0, np.inf
    while change >= tol:
        if n_iterations == max_iterations:
            raise DataError(
                f"The estimate from incomplete rows did not settle in {max_iterations} steps, because too many values "
                "are missing; leave out the columns with most missing values, or use "
                + setting("missing", "drop")
                + "."
            )
        try:
            new_mean, new_cov = _em_step(patterns, mean, cov, n)
            singular = n_iterations % _CHECK_EVERY == 0 and np.linalg.eigvalsh(new_cov)[0] <= SMALLEST_EIGENVALUE
        except np.linalg.LinAlgError:
            singular = True
        if singular:
            raise _no_estimate()
        change = max(float(np.abs(new_mean - mean).max()), float(np.abs(new_cov - cov).max()))
        mean, cov = new_mean, new_cov
        n_iterations += 1
    if np.linalg.eigvalsh(cov)[0] <= SMALLEST_EIGENVALUE:
        raise _no_estimate()
    loglik = 0.0
    for pattern in patterns:
        log_scale = float(np.log(scale[pattern.observed]).sum())
        loglik += _pattern_loglik(pattern, mean, cov) - pattern.n_rows * log_scale
    return GaussianEstimate(centre + mean * scale, cov * np.outer(scale, scale), len(kept), loglik, n_iterations)


def _no_estimate() -> DataError:
    return DataError(
        "The estimate from incomplete rows does not exist, because some columns determine others in the rows that have "
        "them; leave out the columns with most missing values, or use " + setting("missing", "drop") + "."
    )


def pairs_observed(values: FloatArray) -> float:
    """Return the share of the rows in which both of two columns are observed, on average over the pairs.

    Parameters
    ----------
    values : ndarray of shape (n, d)
        The rows, NaN where a value is missing.

    Examples
    --------
    >>> pairs_observed(np.array([[1.0, 2.0], [3.0, np.nan], [2.0, 1.0], [np.nan, 0.0]]))
    0.5
    """
    there = (~np.isnan(values)).astype(float)
    d = there.shape[1]
    if d < 2 or not len(there):
        return 1.0
    counts = there.T @ there
    return float((counts.sum() - np.trace(counts)) / (d * (d - 1) * len(there)))


def observed_loglik(values: FloatArray, mean: FloatArray, cov: FloatArray) -> float:
    """Return the Gaussian log-likelihood of the values that were observed.

    Parameters
    ----------
    values : ndarray of shape (n, d)
        The table, NaN where a value is missing.
    mean, cov : ndarray of shape (d,) and (d, d)
        The Gaussian.

    Examples
    --------
    >>> round(observed_loglik(np.array([[0.0, np.nan]]), np.zeros(2), np.eye(2)), 4)
    -0.9189
    """
    return sum(_pattern_loglik(pattern, mean, cov) for pattern in _patterns(values))


def _check_observed_together(names: Sequence[str], values: FloatArray) -> None:
    there = (~np.isnan(values)).astype(float)
    together = there.T @ there
    for name, count in zip(names, np.diag(together).tolist(), strict=True):
        if count < 2:
            has = "no value at all" if count == 0 else "one value only"
            raise DataError(f"{name!r} has {has}, so nothing can be learnt from it; leave it out.")
    never = np.argwhere(together < 2)
    if never.size:
        one, other = (names[i] for i in never[0])
        raise DataError(
            f"{one!r} and {other!r} are hardly ever observed in the same row, so nothing is known of their relation; "
            "leave one of them out."
        )


def _patterns(values: FloatArray, weights: FloatArray | None = None) -> list[_Pattern]:
    there = ~np.isnan(values)
    kinds, which = np.unique(there, axis=0, return_inverse=True)
    order = np.argsort(which.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(which.ravel(), minlength=len(kinds)))
    patterns = []
    for observed, rows in zip(kinds, np.split(order, ends[:-1]), strict=True):
        if observed.any():
            part = values[rows][:, observed]
            if weights is None:
                mean = part.mean(axis=0)
                centred = part - mean
                patterns.append(_Pattern(observed, len(rows), mean, centred.T @ centred))
                continue
            own = weights[rows]
            mean = own @ part / own.sum()
            centred = part - mean
            patterns.append(_Pattern(observed, float(own.sum()), mean, (own[:, None] * centred).T @ centred))
    return patterns


def _em_step(patterns: list[_Pattern], mean: FloatArray, cov: FloatArray, n: float) -> tuple[FloatArray, FloatArray]:
    """Return the next mean and covariance: expected sums over all rows, given what was observed."""
    d = len(mean)
    total, squares = np.zeros(d), np.zeros((d, d))
    for pattern in patterns:
        seen, hidden = pattern.observed, ~pattern.observed
        # x = offset + (observed part) @ lift, with the covariance `open_part` left among the hidden columns
        lift = np.zeros((int(seen.sum()), d))
        lift[:, seen] = np.eye(len(lift))
        lift[:, hidden] = np.linalg.solve(cov[np.ix_(seen, seen)], cov[np.ix_(seen, hidden)])
        expected = mean + (pattern.mean - mean[seen]) @ lift
        total += pattern.n_rows * expected
        squares += lift.T @ pattern.scatter @ lift + pattern.n_rows * np.outer(expected, expected)
        open_part = cov[np.ix_(hidden, hidden)] - cov[np.ix_(hidden, seen)] @ lift[:, hidden]
        squares[np.ix_(hidden, hidden)] += pattern.n_rows * open_part
    new_mean = total / n
    new_cov = squares / n - np.outer(new_mean, new_mean)
    return new_mean, (new_cov + new_cov.T) / 2


def _pattern_loglik(pattern: _Pattern, mean: FloatArray, cov: FloatArray) -> float:
    seen = pattern.observed
    part = cov[np.ix_(seen, seen)]
    away = pattern.mean - mean[seen]
    scatter = pattern.scatter + pattern.n_rows * np.outer(away, away)
    log_det = float(np.linalg.slogdet(part)[1])
    fit = float(np.trace(np.linalg.solve(part, scatter)))
    return -0.5 * (pattern.n_rows * (int(seen.sum()) * _LOG_TWO_PI + log_det) + fit)
