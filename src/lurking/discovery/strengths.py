"""How strong what a statement says is, to put equally probable statements of many variables in an order that helps.

With a hundred variables, hundreds of statements are practically certain, and a page shows a dozen of them first. These
should be the strongest and not the first of the alphabet. The strength of "X is a cause of Y" is the size of the total
effect, in standard deviations of Y per standard deviation of X. That of a connection, or of an unmeasured cause, is the
size of the standardised estimate of the edge that the graph has there, and 0 without one.

>>> from lurking.discovery.analysis_parts import EdgeEstimate
>>> edges = [EdgeEstimate("A", "B", "directed", standardized=-0.4)]
>>> found = Strengths.of(edges, [], {})
>>> found.of_statement(Statement("causes", "A", "B", 0.99, "data"))
0.4
>>> found.of_statement(Statement("shares a cause", "A", "B", 0.99, "data"))
0.0
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite

from lurking.discovery.analysis_parts import EdgeEstimate
from lurking.discovery.effect_parts import EffectEstimate
from lurking.discovery.statements import Statement

__all__ = ["Strengths"]

_DIGITS = 6  # rounding must not decide about an order


@dataclass(frozen=True)
class Strengths:
    """The strengths of effects by cause and effect, and of edges by their two ends."""

    effects: Mapping[tuple[str, str], float]
    directed: Mapping[frozenset[str], float]
    bidirected: Mapping[frozenset[str], float]

    @classmethod
    def of(
        cls, edges: Iterable[EdgeEstimate], effects: Iterable[EffectEstimate], scales: Mapping[str, float]
    ) -> Strengths:
        """Return the strengths that the parts of an analysis give; ``scales`` are the standard deviations."""
        kinds: dict[str, dict[frozenset[str], float]] = {"directed": {}, "bidirected": {}}
        of_effects = {}
        for edge in edges:
            size = _size(edge.standardized)
            kinds[edge.kind][frozenset((edge.one, edge.other))] = size
            if edge.kind == "directed":
                of_effects[edge.one, edge.other] = size
        for one in effects:
            of_effects[one.cause, one.effect] = _size(one.mean * scales[one.cause] / scales[one.effect])
        return cls(of_effects, kinds["directed"], kinds["bidirected"])

    def of_statement(self, statement: Statement) -> float:
        """Return the strength of what a statement says."""
        pair = frozenset((statement.first, statement.second))
        if statement.kind == "causes":
            return self.effects.get((statement.first, statement.second), 0.0)
        shared = self.bidirected.get(pair, 0.0)
        return shared if statement.kind == "shares a cause" else max(shared, self.directed.get(pair, 0.0))


def _size(value: float | None) -> float:
    return round(abs(value), _DIGITS) if value is not None and isfinite(value) else 0.0
