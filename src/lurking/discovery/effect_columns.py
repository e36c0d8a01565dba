"""What can be a cause and what can be an effect: numeric columns, and the levels of nominal ones.

A nominal variable has no unit, so its effects are those of its levels (:mod:`lurking.data.nominal`):

- *of* a nominal variable: ``colour=green`` on another one is the change if ``colour`` is set to ``green`` and not to
  the reference level;
- *on* a nominal variable: the change of the share of the rows that have the level ``green``. The shares of all levels
  add up to 1, so the change of the reference is minus the sum of the others.

In the wide graph (:mod:`lurking.graphs.grouping`) a level is a column, and its effects are those of the column in the
linear model. For the effect of a level on a number this is exact if the number is linear in the indicators. A share is
bounded, so its effects are those of the best straight line: the mean change over the rows, not that of every row.

>>> columns = Moments([[1.0, 0.2, 0.1], [0.2, 0.3, -0.1], [0.1, -0.1, 0.2]], 100, ["dose", "colour=red", "colour=blue"])
>>> colours = Grouping(("dose", "colour"), (("dose",), ("colour=red", "colour=blue")), (None, "green"))
>>> both = EffectColumns.of(GroupedMoments(columns, colours))
>>> both.causes
('dose', 'colour=red', 'colour=blue')
>>> both.effects
('dose', 'colour=red', 'colour=blue', 'colour=green')
>>> both.against("colour=red"), both.against("dose")
('green', None)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from lurking._errors import DataError, ParameterError, UnknownVertexError
from lurking._typing import BoolMatrix, FloatArray, IntArray
from lurking.data import AnyMoments, GroupedMoments, Moments
from lurking.data.checks import listed
from lurking.graphs import Grouping
from lurking.search.edge_codes import matrices_of
from lurking.search.posterior import Posterior

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["EffectColumns"]

_UNNAMED = "the reference level"


@dataclass(frozen=True, eq=False)
class EffectColumns:
    """The columns between which there are effects.

    Attributes
    ----------
    moments : Moments
        The moments of the columns of numbers.
    grouping : Grouping or None
        The variables, if any has several columns.
    """

    moments: Moments
    grouping: Grouping | None = None

    @classmethod
    def of(cls, moments: AnyMoments) -> EffectColumns:
        """Return the columns of some data."""
        return cls(moments.columns, moments.grouping) if isinstance(moments, GroupedMoments) else cls(moments)

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables of the graph."""
        return self.moments.names if self.grouping is None else self.grouping.vertices

    @property
    def causes(self) -> tuple[str, ...]:
        """What can be a cause: the columns of numbers."""
        return self.moments.names

    @cached_property
    def effects(self) -> tuple[str, ...]:
        """What can be an effect: the causes, and the reference levels that have a name."""
        return (*self.moments.names, *(f"{self.variables[v]}={level}" for v, level in self._references))

    @cached_property
    def variable_of_effect(self) -> IntArray:
        """The number of the variable that each effect belongs to; the first ones are those of the causes."""
        sizes = [1] * len(self.variables) if self.grouping is None else list(self.grouping.sizes)
        numbers = [v for v, size in enumerate(sizes) for _ in range(size)]
        return np.array([*numbers, *(v for v, _ in self._references)], dtype=np.int64)

    @cached_property
    def combination(self) -> FloatArray | None:
        """Each effect as a sum of columns, shape (columns, effects); None if every effect is a column."""
        if self.grouping is None or not self._references:
            return None
        sums = [np.zeros(len(self.causes)) for _ in self._references]
        for row, (vertex, _) in zip(sums, self._references, strict=True):
            row[self.grouping.places(vertex)] = -1.0
        return np.hstack([np.eye(len(self.causes)), np.array(sums).T])

    @cached_property
    def scales_of_effects(self) -> FloatArray:
        """The standard deviations of the effects."""
        if self.combination is None:
            return self.moments.scales
        variances = np.einsum("iq,ij,jq->q", self.combination, self.moments.cov, self.combination)
        scales: FloatArray = np.sqrt(variances)
        return scales

    @property
    def _references(self) -> tuple[tuple[int, str], ...]:
        if self.grouping is None:
            return ()
        return tuple((v, level) for v, level in enumerate(self.grouping.references) if level is not None)

    def _levels(self, vertex: int) -> tuple[str, ...] | None:
        """Return the columns of a nominal variable, None of another one."""
        if self.grouping is None or self.grouping.columns[vertex] == (self.grouping.vertices[vertex],):
            return None
        return self.grouping.columns[vertex]

    def against(self, cause: str) -> str | None:
        """Return the level that a level is compared with, None for a column that is a number."""
        return self._reference_of(self.variable_number(cause))

    def is_level(self, name: str) -> bool:
        """Tell whether an effect is on the share of a level."""
        return self._levels(self.variable_number(name)) is not None

    def variable_number(self, name: str) -> int:
        """Return the number of the variable that a cause or an effect belongs to."""
        return int(self.variable_of_effect[self.effects.index(name)])

    def variable(self, name: str) -> str:
        """Return the variable that a cause or an effect belongs to."""
        return self.variables[self.variable_number(name)]

    def _reference_of(self, vertex: int) -> str | None:
        if self._levels(vertex) is None or self.grouping is None:
            return None
        return (self.grouping.references[vertex] if self.grouping.references else None) or _UNNAMED

    def deviations(self, cause: str, effect: str) -> float:
        """Return the standard deviation of the cause divided by that of the effect."""
        one, other = self.causes.index(cause), self.effects.index(effect)
        return float(self.moments.scales[one] / self.scales_of_effects[other])

    def checked(self, cause: str, effect: str) -> tuple[int, int]:
        """Return the numbers of a cause and of an effect.

        Raises
        ------
        UnknownVertexError
            If one of them is not there.
        ParameterError
            If they are levels of one variable, or a variable with levels is named without one.
        """
        for name, role, known in ((cause, "cause", self.causes), (effect, "effect", self.effects)):
            if name in known:
                continue
            vertex = self.variables.index(name) if name in self.variables else None
            levels = None if vertex is None else self._levels(vertex)
            if vertex is not None and levels is not None:
                raise ParameterError(f"{name!r} has levels; name one of them as the {role}: {listed(levels)}.")
            if name in self.effects:
                raise ParameterError(
                    f"{name!r} is the level that the others of {self.variable(name)!r} are compared with; name another "
                    "one as the cause."
                )
            raise UnknownVertexError(name, known)
        i, j = self.causes.index(cause), self.effects.index(effect)
        if self.variable_of_effect[i] == self.variable_of_effect[j]:
            what = f"The effect of {cause!r} on itself" if cause == effect else f"An effect of {cause!r} on {effect!r}"
            raise ParameterError(f"{what} was asked for; name two variables.")
        return i, j

    def of_variable(self, vertex: int) -> list[int]:
        """Return the columns of a variable by their numbers."""
        return np.flatnonzero(self.variable_of_effect[: len(self.causes)] == vertex).tolist()

    def graphs(self, posterior: Posterior) -> tuple[BoolMatrix, BoolMatrix]:
        """Return the directed and bidirected edges of all graphs, on columns: arrays of shape (g, columns, columns)."""
        directed, bidirected = matrices_of(posterior.codes)
        if self.grouping is None:
            return directed, bidirected
        sizes = self.grouping.sizes
        own: BoolMatrix = np.eye(len(sizes), dtype=bool)
        wide = [np.repeat(np.repeat(each, sizes, axis=1), sizes, axis=2) for each in (directed, bidirected | own)]
        places = np.arange(len(self.causes))
        wide[1][:, places, places] = False
        return wide[0], wide[1]

    def setting(self, parameter: str, values: Mapping[str, object]) -> dict[str, float]:
        """Return a setting of variables as one of columns: a level becomes its indicators.

        Raises
        ------
        ParameterError
            If a variable cannot have its value, or nothing or everything is set.
        UnknownVertexError
            If a variable is not there.
        """
        if not values:
            raise ParameterError(f"The {parameter!r} parameter must name at least one variable, such as {{'X': 1.0}}.")
        found: dict[str, float] = {}
        for name, value in values.items():
            if name not in self.variables:
                raise UnknownVertexError(name, self.variables)
            vertex = self.variables.index(name)
            levels = self._levels(vertex)
            if levels is not None:
                found |= self._indicators(vertex, levels, value)
                continue
            if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not isfinite(value):
                raise ParameterError(f"{name!r} must be set to a finite number. Got {value!r} instead.")
            found[name] = float(value)
        if len(values) == len(self.variables):
            raise ParameterError(f"The {parameter!r} parameter sets all variables, so nothing is left that may change.")
        return found

    def values_of(self, name: str, column: pd.Series[Any]) -> FloatArray:
        """Return a variable of a table as its columns, shape (rows, columns); NaN where a value is missing.

        Raises
        ------
        DataError
            If it has levels that the variable does not have.
        """
        vertex = self.variables.index(name)
        levels = self._levels(vertex)
        if levels is None:
            numbers: FloatArray = column.to_numpy(dtype=float)[:, None]
            return numbers
        known = {level.removeprefix(f"{name}=") for level in levels} | {str(self._reference_of(vertex))}
        texts = column.astype(str)
        unknown = sorted(set(texts[column.notna()]) - known)
        if unknown:
            raise DataError(f"{name!r} has no level {listed(unknown)}; leave these rows out.")
        found = np.array([(texts == level.removeprefix(f"{name}=")).to_numpy(dtype=float) for level in levels]).T
        found[column.isna().to_numpy()] = np.nan
        return found

    def _indicators(self, vertex: int, levels: tuple[str, ...], value: object) -> dict[str, float]:
        name = self.variables[vertex]
        known = [level.removeprefix(f"{name}=") for level in levels]
        reference = self._reference_of(vertex)
        if not isinstance(value, str) or value not in (*known, reference):
            raise ParameterError(
                f"{name!r} must be set to one of its levels, {listed([*known, str(reference)])}. Got {value!r} instead."
            )
        return {column: float(level == value) for column, level in zip(levels, known, strict=True)}
