r"""Effects as values: how much one variable changes another, after the search.

An :class:`EffectEstimate` is a row of ``answer.effects``. An :class:`Effect` is the same with the whole distribution
and with what to adjust for, as ``answer.effect(cause, effect)`` returns it. How the numbers come about is explained in
:mod:`lurking.discovery.effects`.

>>> import numpy as np
>>> found = EffectDistribution(np.array([0.5, 0.3]), np.array([1.0, 2.0]), np.array([0.1, 0.1]), at_zero=0.2)
>>> found.quantiles([0.1, 0.5, 0.9]).round(2), found.cumulated([0.0, 1.0]).round(2)
(array([0.  , 1.03, 2.04]), array([0.2 , 0.45]))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from lurking._errors import ParameterError
from lurking._typing import FloatArray
from lurking.discovery.beliefs import BeliefSource
from lurking.sem.mixtures import cumulated, density, quantiles

__all__ = ["EFFECT_COLUMNS", "AdjustmentChoice", "Effect", "EffectDistribution", "EffectEstimate"]

_IN_UNITS = (
    *("mean", "low", "high", "median", "low_50", "high_50"),
    *("mean_if_cause", "low_if_cause", "high_if_cause"),
    *("direct_mean", "direct_low", "direct_high"),
)


@dataclass(frozen=True, kw_only=True)
class EffectEstimate:
    """The effect of one variable on another: the change of ``effect`` per unit of ``cause``, after the search.

    Attributes
    ----------
    cause, effect : str
        The two variables; of a nominal variable one of its levels, as in "colour=green".
    probability : float
        That the first is a cause of the second at all, directly or through other variables.
    mean, low, high : float
        Mean and 95 % interval of the total effect; with the probability left over the effect is exactly 0, and mean
        and interval count that.
    median, low_50, high_50 : float
        Median and 50 % interval.
    mean_if_cause, low_if_cause, high_if_cause : float or None
        Mean and 95 % interval if the first is a cause of the second; None if no graph says so.
    direct_probability : float
        That the first is a direct cause of the second.
    direct_mean, direct_low, direct_high : float
        Mean and 95 % interval of the direct effect, 0 counted.
    undetermined : float
        The share of the posterior in whose graphs the covariances do not determine the total effect. All numbers are
        over the rest, and nan if nothing is left.
    against : str or None
        The level that a level of a nominal cause is compared with; None if the cause is a number.
    is_share : bool
        Whether the effect is on a level of a nominal variable: then the numbers are changes of its share of the rows.
    """

    cause: str
    effect: str
    probability: float
    mean: float
    low: float
    high: float
    median: float
    low_50: float
    high_50: float
    mean_if_cause: float | None
    low_if_cause: float | None
    high_if_cause: float | None
    direct_probability: float
    direct_mean: float
    direct_low: float
    direct_high: float
    undetermined: float = 0.0
    against: str | None = None
    is_share: bool = False

    def __str__(self) -> str:
        probability = "> 0.99" if self.probability > 0.995 else f"{self.probability:.2f}"
        cause = self.cause if self.against is None else f"{self.cause} against {self.against}"
        return (
            f"{cause} on {self.effect}: {self.mean:.3f} (95 % interval {self.low:.3f} to {self.high:.3f}), "
            f"a cause with probability {probability}"
        )


EFFECT_COLUMNS = tuple(one.name for one in fields(EffectEstimate))
"""The columns of ``answer.effects``."""


@dataclass(frozen=True, eq=False)
class EffectDistribution:
    """The posterior of an effect: normal distributions, one for each graph that has it, and a point mass at 0.

    Attributes
    ----------
    weights, means, errors : ndarray of shape (k,)
        The normal distributions; the weights sum to ``1 - at_zero``.
    at_zero : float
        The probability that the effect is exactly 0.
    """

    weights: FloatArray
    means: FloatArray
    errors: FloatArray
    at_zero: float

    def quantiles(self, levels: Sequence[float]) -> FloatArray:
        """Return quantiles; nan if no graph that has the effect determines it."""
        if not all(0.0 < level < 1.0 for level in levels):
            raise ParameterError(f"The levels of quantiles must be between 0 and 1. Got {list(levels)!r} instead.")
        if not self.weights.size and self.at_zero < 1.0:
            return np.full(len(levels), np.nan)
        found: FloatArray = quantiles(*self._whole(), levels)[:, 0]
        return found

    def cumulated(self, at: Sequence[float] | FloatArray) -> FloatArray:
        """Return the probabilities that the effect is at most the given values."""
        found: FloatArray = cumulated(*self._whole(), np.asarray(at, dtype=float)[:, None])[:, 0]
        return found

    def density(self, at: Sequence[float] | FloatArray) -> FloatArray:
        """Return the density of the part that is not exactly 0; its integral is ``1 - at_zero``."""
        found: FloatArray = density(*self._whole(), np.asarray(at, dtype=float)[:, None])[:, 0]
        return found

    def scaled(self, factor: float) -> EffectDistribution:
        """Return the distribution of the effect times a factor."""
        return replace(self, means=self.means * factor, errors=self.errors * abs(factor))

    def given_that_it_is_not_zero(self) -> EffectDistribution:
        """Return the distribution of the effect if there is one; needs ``at_zero`` below 1."""
        return replace(self, weights=self.weights / self.weights.sum(), at_zero=0.0)

    def _whole(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        return (
            np.append(self.weights, self.at_zero),
            np.append(self.means, 0.0)[:, None],
            np.append(self.errors, 0.0)[:, None],
        )


@dataclass(frozen=True)
class AdjustmentChoice:
    """Variables to put into a regression so that it returns the total effect.

    Attributes
    ----------
    variables : tuple of str
        The adjustment set.
    share : float
        The posterior probability that it is valid.
    estimate, standard_error, low, high : float
        What the regression of the effect on the cause and these variables returns, with its 95 % interval.
    robustness, robustness_of_interval : float
        If the set is not valid after all: the partial R² that an unmeasured cause must have with both the cause and the
        effect to bring the estimate, or the nearer end of the interval, to 0 (:mod:`lurking.sem.regression`).
    """

    variables: tuple[str, ...]
    share: float
    estimate: float
    standard_error: float
    low: float
    high: float
    robustness: float
    robustness_of_interval: float


@dataclass(frozen=True, kw_only=True)
class Effect(EffectEstimate):
    """One effect with everything that is known about it.

    Attributes
    ----------
    distribution : EffectDistribution
        The posterior of the total effect.
    adjustment : tuple of AdjustmentChoice
        Adjustment sets, the most probably valid first.
    deviations : float
        The standard deviation of ``cause`` divided by that of ``effect``.
    standardized : bool
        Whether the numbers are per standard deviation.
    n_graphs : int
        The number of graphs that were mixed.
    source : {"sampled", "weighed"}
        Where the graphs come from, as in :class:`~lurking.discovery.Beliefs`.
    """

    distribution: EffectDistribution = field(repr=False)
    adjustment: tuple[AdjustmentChoice, ...]
    deviations: float
    standardized: bool
    n_graphs: int
    source: BeliefSource

    def per_deviation(self) -> Effect:
        """Return the same in standard deviations of the effect per standard deviation of the cause."""
        if self.standardized:
            return self
        factor = self.deviations
        adjustment = tuple(
            replace(
                one,
                estimate=one.estimate * factor,
                standard_error=one.standard_error * factor,
                low=one.low * factor,
                high=one.high * factor,
            )
            for one in self.adjustment
        )
        values = {name: getattr(self, name) for name in _IN_UNITS}
        scaled: dict[str, Any] = {name: None if value is None else value * factor for name, value in values.items()}
        return replace(
            self, **scaled, distribution=self.distribution.scaled(factor), adjustment=adjustment, standardized=True
        )
