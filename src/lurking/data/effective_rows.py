r"""How many rows a table is worth: rows that are independent, Gaussian and linear, as the score takes them to be.

A score takes each of n rows as one more independent draw from a linear Gaussian model. Real rows are worth less, and a
posterior that counts them in full is sure of what the data do not support. Three things are measured on a sample of
the rows, with :math:`z` the residual of each variable on all others, scaled to variance 1:

**Rows that depend on each other.** Covariances of n neighbouring rows vary as much as those of :math:`n / \tau`
independent ones, :math:`\tau = 1 + 2 \sum_k \rho_i(k) \rho_j(k)` on average over the pairs of variables, where
:math:`\rho(k)` are the autocorrelations of the residuals in the order of the table (Bartlett 1946). Rows that repeat
earlier ones exactly are counted once, if the values of some column are so varied that chance does not explain it.

**Joint extremes.** The variance of the sample covariance of two uncorrelated residuals is
:math:`\kappa / n`, :math:`\kappa = E[z_i^2 z_j^2]`, which is 1 for a Gaussian table, and for independent errors of any
shape. A few rows that are extreme in several variables, and noise whose size depends on another variable, make it
larger.

**Curved relations.** If squares of the other variables explain a share :math:`\delta^2` of a variable's variance beyond
straight lines, no linear model is right, and with enough rows the search explains the rest by edges that are not there:
a share :math:`\delta^2` is worth :math:`n \delta^2` points of minus twice the log-likelihood. More rows do not help, so
their number is limited to what keeps such a gain to ``GAIN`` points for each variable, somewhat more than the price
of an edge: :math:`1 / n_\text{eff} = \kappa \tau / n + \delta^2 / 12`. This is the coarsened likelihood of Miller and
Dunson (2019), the likelihood to the power :math:`\alpha / (\alpha + n)`, with :math:`\alpha = 12 / \delta^2` taken from
the table. A smaller gain makes statements of absence too sure: so few rows are left that the posterior is the prior,
which prefers few edges (``benchmarks/violations``).

**Values and ranks that disagree.** Correlations of Gaussian columns are those of the normal scores of their ranks, up
to chance of the order 1/n. Rows of another kind (contamination), a few wild values and relations that level off make
the two differ, and then the scores explain what no linear relation made. The mean over the variables of the squared
differences of their correlations, half of each pair's for each of the two, is a share of variance that limits the rows
as :math:`\delta^2` does; the larger of the two counts.

Each figure is a lower limit: an estimate minus two standard errors, or minus what chance makes of the differences,
never better than the ideal. So a clean table keeps all its rows but for chance.

>>> rng = np.random.default_rng(1)
>>> x = rng.normal(size=2000)
>>> straight = np.column_stack([x, 0.5 * x + rng.normal(size=2000), rng.normal(size=2000)])
>>> effective_rows(straight, 2000).effective
2000
>>> curved = np.column_stack([x, 0.5 * x**2 + rng.normal(size=2000), rng.normal(size=2000)])
>>> worth = effective_rows(curved, 2000)
>>> worth.effective < 250, round(worth.curvature, 1)
(True, 0.1)

References
----------
M. Bartlett (1946), On the theoretical specification and sampling properties of autocorrelated time-series. J. Miller
and D. Dunson (2019), Robust Bayesian inference via coarsening, JASA 114.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from lurking._typing import FloatArray
from lurking.data.transforms import rank_quantiles

__all__ = ["EffectiveRows", "Reason", "effective_rows"]

Reason = Literal["curved", "disagreement", "dependent", "joint extremes", "copies"]

GAIN = 12.0
"""Points of minus twice the log-likelihood that curved relations may gain for each variable."""

_MOST_PARTNERS = 12  # whose squares are looked at: those with the strongest partial correlations
_MOST_LAGS = 200
_ERRORS = 2.0  # standard errors below an estimate
_CHANCE = 5.0  # squared difference of two correlations, values and ranks, times squared rows: 2 on average
_SIGNIFICANT = 3.0  # standard errors from which on an autocorrelation counts
_LARGEST_RESIDUAL = 1e-6  # share of variance below which the other variables determine one


@dataclass(frozen=True)
class EffectiveRows:
    """How many rows a table is worth, and why.

    Attributes
    ----------
    n_rows : int
        The rows of the table.
    effective : int
        The rows that it is worth, at most ``n_rows``.
    repeated : float
        How many times each row stands in the table on average, 1 if none is repeated.
    dependence : float
        By what factor rows that depend on their neighbours raise the variance of covariances, at least 1.
    extremes : float
        By what factor joint extremes raise it, at least 1.
    curvature : float
        The mean share of a variable's unexplained variance that squares of other variables explain, at least 0.
    disagreement : float
        The mean over the variables of the squared differences between correlations of values and of ranks.
    """

    n_rows: int
    effective: int
    repeated: float = 1.0
    dependence: float = 1.0
    extremes: float = 1.0
    curvature: float = 0.0
    disagreement: float = 0.0

    @property
    def share(self) -> float:
        """The effective rows as a share of all."""
        return self.effective / self.n_rows

    def by_reason(self) -> dict[Reason, int]:
        """Return how many rows each reason alone would leave, the strongest reason first."""
        lines: dict[Reason, float] = {"curved": self.curvature, "disagreement": self.disagreement}
        times: dict[Reason, float] = {
            "dependent": self.dependence,
            "joint extremes": self.extremes,
            "copies": self.repeated,
        }
        left: dict[Reason, float] = {
            **{reason: 1.0 / (1.0 / self.n_rows + share / GAIN) for reason, share in lines.items()},
            **{reason: self.n_rows / factor for reason, factor in times.items()},
        }
        return {reason: max(1, round(rows)) for reason, rows in sorted(left.items(), key=lambda item: item[1])}


def effective_rows(rows: FloatArray, n_rows: int) -> EffectiveRows:
    """Return how many rows a table is worth.

    Parameters
    ----------
    rows : ndarray of shape (m, d)
        The rows, or a sample at equal distances, in the order of the table; NaN where a value is missing. Rows with
        missing values are left out.
    n_rows : int
        The rows of the whole table.

    Returns
    -------
    worth : EffectiveRows
        All rows if there are too few, or too many columns, to tell: fewer than 4 rows for each column.
    """
    complete = rows[~np.isnan(rows).any(axis=1)]
    d = complete.shape[1]
    repeated = _repeated(complete)
    distinct = np.unique(complete, axis=0, return_index=True)[1]
    used = complete if repeated == 1.0 else complete[np.sort(distinct)]
    if d < 2 or len(used) < 4 * d:
        return EffectiveRows(n_rows, n_rows)
    residuals = _residuals(used)
    dependence, extremes = _dependence(residuals), _extremes(residuals)
    curvature, disagreement = _curvature(used, len(used) / dependence), _disagreement(used)
    independent = len(used) / len(complete) * n_rows / extremes
    if dependence > 1.0:  # what is sampled at a distance depends less than neighbours do
        independent = min(independent, len(used) / (extremes * dependence))
    effective = 1.0 / (1.0 / independent + max(curvature, disagreement) / GAIN)
    least = min(n_rows, d + 2)
    return EffectiveRows(
        n_rows,
        int(min(n_rows, max(least, round(effective)))),
        repeated,
        dependence,
        extremes,
        curvature,
        disagreement,
    )


def _repeated(rows: FloatArray) -> float:
    """Return how often each row stands in the table on average, 1 unless its values are too varied for chance."""
    n_distinct = len(np.unique(rows, axis=0))
    most_varied = max((len(np.unique(column)) for column in rows.T), default=0)
    if n_distinct == len(rows) or 2 * most_varied < n_distinct:
        return 1.0
    return len(rows) / n_distinct


def _residuals(rows: FloatArray) -> FloatArray:
    """Return the residuals of each variable on all others, scaled to variance 1."""
    centred = rows - rows.mean(axis=0)
    scaled = centred / centred.std(axis=0)
    # the residual on all others is a column of X inv(S), up to its scale
    residuals: FloatArray = scaled @ np.linalg.pinv(scaled.T @ scaled / len(rows), rcond=_LARGEST_RESIDUAL)
    deviations = residuals.std(axis=0)
    return residuals / np.where(deviations > 0.0, deviations, 1.0)


def _dependence(residuals: FloatArray) -> float:
    """Return by what factor autocorrelation raises the variance of covariances."""
    m, d = residuals.shape
    n_lags = min(_MOST_LAGS, m // 4)
    spectrum = np.abs(np.fft.rfft(residuals, n=2 * m, axis=0)) ** 2
    correlations = np.fft.irfft(spectrum, axis=0)[1 : n_lags + 1] / m
    correlations[np.abs(correlations) < _SIGNIFICANT / np.sqrt(m)] = 0.0
    both = correlations.sum(axis=1) ** 2 - (correlations**2).sum(axis=1)  # over ordered pairs of two variables
    return float(max(1.0, 1.0 + 2.0 * both.sum() / (d * (d - 1))))


def _extremes(residuals: FloatArray) -> float:
    """Return by what factor joint extremes raise the variance of covariances."""
    m, d = residuals.shape
    squares = residuals**2
    correlation = residuals.T @ residuals / m
    expected = 1.0 + 2.0 * correlation**2  # of Gaussian residuals
    of_rows = ((squares @ (1.0 / expected)) * squares).sum(axis=1) - squares**2 @ (1.0 / np.diag(expected))
    of_rows /= d * (d - 1)
    return float(max(1.0, of_rows.mean() - _ERRORS * of_rows.std() / np.sqrt(m)))


def _curvature(rows: FloatArray, n_independent: float) -> float:
    """Return the mean share of unexplained variance that squares of other variables explain, 0 if it may be chance."""
    m, d = rows.shape
    n_partners = min(d - 1, _MOST_PARTNERS)
    n_free = n_independent - d - n_partners
    if n_free <= n_partners:
        return 0.0
    scaled = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    precision = np.linalg.pinv(scaled.T @ scaled / m, rcond=_LARGEST_RESIDUAL)
    partial = np.abs(precision) / np.sqrt(np.outer(np.diag(precision), np.diag(precision)))
    np.fill_diagonal(partial, -1.0)
    squares = rank_quantiles(rows) ** 2  # extreme values must not decide
    squares -= squares.mean(axis=0)
    beyond = squares - scaled @ (precision @ (scaled.T @ squares / m))
    residuals = scaled @ precision
    shares = []
    for j in range(d):
        partners = np.sort(np.argsort(-partial[j], kind="stable")[:n_partners])
        # what all columns leave of the squares, and what the residual of column j explains of them
        left = residuals[:, j]
        bent = beyond[:, partners] + np.outer(left, left @ squares[:, partners]) / max(float(left @ left), 1e-300)
        explained = np.linalg.lstsq(bent, left, rcond=None)[0]
        total = float(left @ left)
        share = 1.0 - float(((left - bent @ explained) ** 2).sum()) / total if total > 0.0 else 0.0
        shares.append(1.0 - (1.0 - share) * (n_independent - d) / n_free)  # adjusted for the number of squares
    error = np.sqrt(2.0 * n_partners / d) / n_independent
    return float(max(0.0, np.mean(shares) - _ERRORS * error))


def _disagreement(rows: FloatArray) -> float:
    """Return how far the correlations of values are from those of ranks, as a share of variance for each variable."""
    m, d = rows.shape
    difference = np.corrcoef(rows, rowvar=False) - np.corrcoef(rank_quantiles(rows), rowvar=False)
    by_chance = _CHANCE * (d - 1) / m**2
    return float(max(0.0, (difference**2).sum() / (2.0 * d) - by_chance))
