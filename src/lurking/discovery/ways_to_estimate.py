"""How each effect of a graph could be estimated: what to adjust for, an instrument, a formula.

The estimates of an analysis use the graph as a whole. Who wants to repeat one by a regression, by two-stage least
squares or in another program needs to know which of these is right in the graph; :func:`ways_to_estimate` says it for
each pair of a cause and its effect, from :mod:`lurking.graphs.adjustment`, :mod:`lurking.graphs.instrumental` and
:mod:`lurking.graphs.identification`.

>>> for way in ways_to_estimate(ADMG.parse("tax -> smoking -> tar -> cancer; smoking <-> cancer")):
...     print(f"{way.cause} on {way.effect}: {way.words}")
tax on smoking: adjust for nothing
smoking on tar: adjust for nothing
tar on cancer: adjust for smoking
tax on tar: adjust for nothing
tax on cancer: adjust for nothing
smoking on cancer: no set is right; the instrument tax
"""

from __future__ import annotations

from dataclasses import dataclass

from lurking.graphs import ADMG, adjustment_set, instruments

__all__ = ["MOST_WAYS", "WayToEstimate", "ways_to_estimate"]

MOST_WAYS = 200
"""So many effects are listed; those of direct causes come first."""

_SETS_TRIED = 20  # for each possible instrument; lurking.graphs.instruments tries more


@dataclass(frozen=True, slots=True)
class WayToEstimate:
    """How the total effect of one variable on another could be estimated if the graph is right.

    Attributes
    ----------
    cause, effect : str
        The two variables.
    adjust_for : tuple of str or None
        A smallest adjustment set, in the order of the graph; None if no set is right.
    instrument : str or None
        Where no set is right, an instrument.
    given : tuple of str
        What the instrument must be conditioned on.
    formula : str or None
        Where no set is right, the formula of the effect in any model, linear or not.
    """

    cause: str
    effect: str
    adjust_for: tuple[str, ...] | None
    instrument: str | None = None
    given: tuple[str, ...] = ()
    formula: str | None = None

    @property
    def words(self) -> str:
        """The way in words, without the formula itself."""
        if self.adjust_for is not None:
            return f"adjust for {', '.join(self.adjust_for) or 'nothing'}"
        if self.instrument is not None:
            return f"no set is right; the instrument {self.instrument}" + (
                f" given {', '.join(self.given)}" if self.given else ""
            )
        if self.formula is not None:
            return "no set is right; a formula of several steps"
        return "no set, instrument or formula; only the linear model as a whole"


def ways_to_estimate(graph: ADMG) -> tuple[WayToEstimate, ...]:
    """Return how each effect of a graph could be estimated, those of direct causes first.

    Parameters
    ----------
    graph : ADMG
        The graph; of more than 200 effects the first 200 are returned.
    """
    direct = graph.directed_edges()
    above = {name: graph.ancestors(name) for name in graph.names}
    indirect = [
        (cause, effect)
        for cause in graph.names
        for effect in graph.names
        if cause != effect and cause in above[effect] and (cause, effect) not in direct
    ]
    return tuple(_way(graph, *pair) for pair in [*direct, *indirect][:MOST_WAYS])


def _way(graph: ADMG, cause: str, effect: str) -> WayToEstimate:
    smallest = adjustment_set(graph, cause, effect)
    if smallest is not None:
        return WayToEstimate(cause, effect, _ordered(graph, smallest))
    found = instruments(graph, cause, effect, limit=_SETS_TRIED)
    answer = graph.identify(cause, effect)
    return WayToEstimate(
        cause,
        effect,
        None,
        instrument=found[0].variable if found else None,
        given=_ordered(graph, found[0].given) if found else (),
        formula=str(answer) if answer.identified else None,
    )


def _ordered(graph: ADMG, names: frozenset[str]) -> tuple[str, ...]:
    return tuple(name for name in graph.names if name in names)
