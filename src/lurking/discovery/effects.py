r"""How much one variable changes another, when the graph was searched on the same data.

The standard error of an effect in the best graph says how exact the effect is *if that graph is true*. It rarely is:
other graphs explain the data nearly as well, and in them the effect is another one, or none. So the effect has a
posterior of its own. In each graph G of the posterior sample that was kept, with its share :math:`w_G`, the total
effect has a maximum-likelihood estimate :math:`m_G` and a standard error :math:`s_G`
(:mod:`lurking.sem.effects_in_graphs`), and

.. math:: p(\text{effect} \mid \text{data}) \approx \sum_{G:\, x \to \dots \to y} w_G\, N(m_G, s_G^2) +
          w_0\, \delta_0 ,

where :math:`w_0` is the probability of the graphs without a directed path from x to y, in which the effect is 0.
Equivalent graphs are in the sum, each with its own effect: where independences leave a direction open, the distribution
has a part at 0 and a part elsewhere, for any number of rows. Mean, median and intervals are those of the whole mixture
(:mod:`lurking.sem.mixtures`). The probability that x is a cause of y is the one of the statements
(:class:`~lurking.discovery.Beliefs`), which counts all graphs of the search and not the sample alone.

In a graph that does not determine an effect its standard error is infinite. Such graphs are left out of that effect,
and their share is ``undetermined``. If no graph that has the effect determines it, its numbers are nan.

*Nominal variables.* A level is a column of the wide graph that each graph stands for, and has effects of its own:
:mod:`lurking.discovery.effect_columns` says which, and what they mean.

*What to adjust for.* An adjustment set is valid in some graphs and not in others. The candidates are the smallest sets
of the most probable graphs in which x is a cause of y, the share of each is the probability of all graphs in which it
is valid, and beside it stands what a regression on that set returns.

>>> from lurking.data import Moments
>>> from lurking.graphs import ADMG
>>> from lurking.search.posterior import weigh
>>> moments = Moments([[1, 0.6, 0.3], [0.6, 1, 0.5], [0.3, 0.5, 1]], 1000, ["A", "B", "C"])
>>> posterior = weigh([(ADMG.parse("A -> B -> C"), 0.0), (ADMG.parse("A <-> B; B -> C"), 0.0)], 0.0)
>>> effects = EffectPosterior.of(moments, posterior)
>>> found = effects.effect("A", "B")
>>> found.probability, round(found.mean, 3), round(found.low, 3), round(found.high, 3)
(0.5, 0.3, 0.0, 0.642)
>>> [(one.variables, one.share, round(one.estimate, 2)) for one in effects.effect("B", "C").adjustment]
[((), 1.0, 0.5)]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import nan

import numpy as np

from lurking._typing import BoolMatrix, FloatArray, IntArray
from lurking.data import AnyMoments, Moments
from lurking.discovery.effect_columns import EffectColumns
from lurking.discovery.effect_parts import AdjustmentChoice, Effect, EffectDistribution, EffectEstimate
from lurking.graphs import adjustment_set, is_adjustment_set
from lurking.search.posterior import Posterior
from lurking.sem.effects_in_graphs import GraphEffects, effects_in_graphs
from lurking.sem.mixtures import quantiles
from lurking.sem.regression import regression

__all__ = ["LEAST_LISTED", "MOST_LISTED", "EffectPosterior"]

MOST_LISTED = 4000
"""The effects of all ordered pairs are listed if there are at most so many pairs, those of up to 63 variables."""

LEAST_LISTED = 0.05
"""Of more variables, the effects with at least this probability are listed."""

_MOST_SETS = 8
"""So many different adjustment sets are compared."""

_GRAPHS_ASKED = 40
"""So many of the most probable graphs are asked for a set."""

_LEVELS = (0.025, 0.25, 0.5, 0.75, 0.975)


@dataclass(frozen=True, eq=False)
class EffectPosterior:
    """The effects in all graphs of a posterior.

    Attributes
    ----------
    moments : Moments or GroupedMoments
        The data.
    posterior : Posterior
        The graphs, with the variables in the order of the moments.
    in_graphs : GraphEffects
        The effects in each of them, between the ``columns``.
    causes : ndarray of shape (d, d)
        The probability that i is a cause of j.
    """

    moments: AnyMoments
    posterior: Posterior
    in_graphs: GraphEffects
    causes: FloatArray

    @cached_property
    def columns(self) -> EffectColumns:
        """What can be a cause and what can be an effect."""
        return EffectColumns.of(self.moments)

    @classmethod
    def of(cls, moments: AnyMoments, posterior: Posterior, causes: FloatArray | None = None) -> EffectPosterior:
        """Fit all graphs of a posterior.

        Parameters
        ----------
        moments : Moments or GroupedMoments
            The data.
        posterior : Posterior
            The graphs and their shares, on the same variables.
        causes : ndarray of shape (d, d), optional
            The probabilities that i is a cause of j, in the order of the moments, if they are known better than from
            these graphs, of which they then are a sample.
        """
        posterior = posterior if posterior.names == moments.names else posterior.reorder(moments.names)
        columns = EffectColumns.of(moments)
        in_graphs = effects_in_graphs(
            columns.moments, *columns.graphs(posterior), columns.combination, blocks=columns.grouping is not None
        )
        return cls(moments, posterior, in_graphs, posterior.ancestry if causes is None else causes)

    # ------------------------------------------------------------------------------------------------- all pairs

    def estimates(self) -> tuple[EffectEstimate, ...]:
        """Return the effects of all ordered pairs, the most probable first and of equally probable ones the strongest.

        Of more than 63 variables, those with a probability of at least .05.
        """
        columns = self.columns
        above, below = columns.variable_of_effect[: len(columns.causes)], columns.variable_of_effect
        two: BoolMatrix = above[:, None] != below[None, :]
        probability = self.causes[above[:, None], below[None, :]]
        listed: BoolMatrix = two & (probability >= (LEAST_LISTED if int(two.sum()) > MOST_LISTED else 0.0))
        at = np.nonzero(listed)
        strength = np.abs(self._means(*at) * columns.moments.scales[at[0]] / columns.scales_of_effects[at[1]])
        order = np.lexsort((at[1], at[0], -np.round(strength, 9), -np.round(probability[at], 2)))
        return tuple(self._estimates(at[0][order], at[1][order]))

    def _means(self, i: IntArray, j: IntArray) -> FloatArray:
        mixed = _Mixture.of(self, self.in_graphs.total, self.in_graphs.total_error, i, j)
        means: FloatArray = (mixed.weights * mixed.means).sum(axis=0)
        return means

    def _estimates(self, i: IntArray, j: IntArray) -> Iterator[EffectEstimate]:
        """Yield the effects of some pairs."""
        columns = self.columns
        total = _Mixture.of(self, self.in_graphs.total, self.in_graphs.total_error, i, j)
        direct = _Mixture.of(self, self.in_graphs.direct, self.in_graphs.direct_error, i, j)
        all_low, all_low_50, all_median, all_high_50, all_high = total.quantiles(_LEVELS)
        direct_low, direct_high = direct.quantiles((_LEVELS[0], _LEVELS[-1]))
        mean, direct_mean = total.mean(), direct.mean()
        if_cause = total.without_zero()
        mean_if, (low_if, high_if) = if_cause.mean(), if_cause.quantiles((_LEVELS[0], _LEVELS[-1]))
        direct_probability = direct.weights.sum(axis=0)  # may exceed 1 by rounding
        for k, (cause, effect) in enumerate(zip(i.tolist(), j.tolist(), strict=True)):
            known = total.weights[:, k].any()
            unknown, unknown_direct = total.unknown[k], direct.unknown[k]
            yield EffectEstimate(
                cause=columns.causes[cause],
                effect=columns.effects[effect],
                probability=float(self._probability(cause, effect)),
                mean=nan if unknown else float(mean[k]),
                low=nan if unknown else float(all_low[k]),
                high=nan if unknown else float(all_high[k]),
                median=nan if unknown else float(all_median[k]),
                low_50=nan if unknown else float(all_low_50[k]),
                high_50=nan if unknown else float(all_high_50[k]),
                mean_if_cause=float(mean_if[k]) if known else None,
                low_if_cause=float(low_if[k]) if known else None,
                high_if_cause=float(high_if[k]) if known else None,
                direct_probability=nan if unknown_direct else min(float(direct_probability[k]), 1.0),
                direct_mean=nan if unknown_direct else float(direct_mean[k]),
                direct_low=nan if unknown_direct else float(direct_low[k]),
                direct_high=nan if unknown_direct else float(direct_high[k]),
                undetermined=float(total.undetermined[k]),
                against=columns.against(columns.causes[cause]),
                is_share=columns.is_level(columns.effects[effect]),
            )

    def _probability(self, i: IntArray | int, j: IntArray | int) -> FloatArray:
        """Return the probabilities that the variables of some columns are causes of those of others."""
        variable = self.columns.variable_of_effect
        found: FloatArray = self.causes[variable[i], variable[j]]
        return found

    # -------------------------------------------------------------------------------------------------- one pair

    def effect(self, cause: str, effect: str) -> Effect:
        """Return one effect with its distribution and with what to adjust for.

        Raises
        ------
        UnknownVertexError
            If one of the variables is not there.
        ParameterError
            If they are the same, or a nominal variable is named without one of its levels.
        """
        i, j = self.columns.checked(cause, effect)
        at = np.array([i]), np.array([j])
        (row,) = self._estimates(*at)
        mixed = _Mixture.of(self, self.in_graphs.total, self.in_graphs.total_error, *at)
        there = mixed.weights[:, 0] > 0.0
        return Effect(
            **{name: getattr(row, name) for name in row.__dataclass_fields__},
            distribution=EffectDistribution(
                weights=mixed.weights[there, 0],
                means=mixed.means[there, 0],
                errors=mixed.errors[there, 0],
                at_zero=1.0 - row.probability if mixed.unknown[0] else float(mixed.at_zero[0]),
            ),
            adjustment=self._adjustment(i, j),
            deviations=self.columns.deviations(cause, effect),
            standardized=False,
            n_graphs=len(self.posterior.shares),
            source="sampled" if self.posterior.sampled else "weighed",
        )

    def _adjustment(self, i: int, j: int) -> tuple[AdjustmentChoice, ...]:
        """Return what to adjust for; sets are of variables, regressions on all their columns."""
        columns, names = self.columns, self.columns.variables
        of_cause, of_effect = columns.variable_of_effect[[i, j]].tolist()
        cause, effect = names[of_cause], names[of_effect]
        moments, outcome = _with_effect(columns, j)
        graphs, shares = self.posterior.graphs, self.posterior.shares.tolist()
        saying_so = np.flatnonzero(self.in_graphs.total_error[:, i, j] > 0.0)
        candidates: dict[frozenset[str], None] = {}
        for k in saying_so[np.argsort(-self.posterior.shares[saying_so], kind="stable")][:_GRAPHS_ASKED].tolist():
            found = adjustment_set(graphs[k], cause, effect)
            if found is not None and len(candidates) < _MOST_SETS:
                candidates.setdefault(found)
        choices = []
        for given in candidates:
            valid = [
                share
                for graph, share in zip(graphs, shares, strict=True)
                if is_adjustment_set(graph, cause, effect, given)
            ]
            beside = [columns.causes[k] for k in columns.of_variable(of_cause) if k != i]
            beside += [columns.causes[k] for name in given for k in columns.of_variable(names.index(name))]
            fitted = regression(moments, columns.causes[i], outcome, beside)
            low, high = fitted.interval()
            variables = tuple(name for name in names if name in given)
            choices.append(
                AdjustmentChoice(
                    variables=variables,
                    share=min(sum(valid), 1.0),
                    estimate=fitted.estimate,
                    standard_error=fitted.standard_error,
                    low=low,
                    high=high,
                    robustness=fitted.robustness(),
                    robustness_of_interval=fitted.robustness(level=0.95),
                )
            )
        return tuple(sorted(choices, key=lambda one: (-round(one.share, 9), len(one.variables), one.variables)))


def _with_effect(columns: EffectColumns, j: int) -> tuple[Moments, str]:
    """Return moments in which an effect is a column, and its name there: a reference level replaces another one."""
    if j < len(columns.causes) or columns.combination is None:
        return columns.moments, columns.effects[j]
    cov, change = columns.moments.cov, np.eye(len(columns.causes))
    replaced = columns.of_variable(int(columns.variable_of_effect[j]))[0]
    change[:, replaced] = columns.combination[:, j]
    names = [columns.effects[j] if k == replaced else name for k, name in enumerate(columns.causes)]
    return Moments(change.T @ cov @ change, columns.moments.n_samples, names), columns.effects[j]


@dataclass(frozen=True)
class _Mixture:
    """Distributions of the effects of k pairs over g graphs: arrays of shape (g, k), and (k,) for what is left."""

    weights: FloatArray
    """Zero for graphs that have no effect or do not determine it."""
    means: FloatArray
    errors: FloatArray
    at_zero: FloatArray
    undetermined: FloatArray
    unknown: BoolMatrix
    """Whether no graph that has the effect determines it."""

    @classmethod
    def of(
        cls, all_of_it: EffectPosterior, values: FloatArray, errors: FloatArray, i: IntArray, j: IntArray
    ) -> _Mixture:
        shares, total_error = all_of_it.posterior.shares, all_of_it.in_graphs.total_error[:, i, j]
        means, errors = values[:, i, j], errors[:, i, j]
        causes = all_of_it._probability(i, j)
        caused, there = total_error > 0.0, errors > 0.0
        determined = np.isfinite(errors)
        # graphs in which i is no cause of j have together the probability that it is none, whatever the sample says
        among = (shares[:, None] * (caused & determined)).sum(axis=0)
        scale = np.divide(causes, among, out=np.zeros(len(i)), where=among > 0.0)
        weights = shares[:, None] * (there & determined) * scale
        return cls(
            weights=weights,
            means=np.where(determined, means, 0.0),
            errors=np.where(there & determined, errors, 1.0),
            at_zero=np.maximum(1.0 - weights.sum(axis=0), 0.0),
            undetermined=(shares[:, None] * ~determined).sum(axis=0),
            unknown=np.any(there, axis=0) & ~np.any(there & determined, axis=0),
        )

    def mean(self) -> FloatArray:
        mean: FloatArray = (self.weights * self.means).sum(axis=0)
        return mean

    def without_zero(self) -> _Mixture:
        """Return the distributions given that the effects are not 0; those of effects that are 0 stay as they are."""
        total = self.weights.sum(axis=0)
        weights = np.divide(self.weights, total, out=np.zeros_like(self.weights), where=total > 0.0)
        return replace(self, weights=weights, at_zero=1.0 * (total == 0.0))

    def quantiles(self, levels: tuple[float, ...]) -> FloatArray:
        zero = np.zeros((1, self.means.shape[1]))
        return quantiles(
            np.vstack([self.weights, self.at_zero]),
            np.vstack([self.means, zero]),
            np.vstack([self.errors, zero]),
            levels,
        )
