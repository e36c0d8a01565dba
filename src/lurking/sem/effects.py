r"""Causal effects: what changes when a variable is set from outside.

The *direct effect* of x on y is the coefficient of the edge x -> y. The *total effect* is the sum, over all directed
paths from x to y, of the products of their coefficients: the change of y per unit when x is set from outside and
everything else follows. Both are parameters of the graph, and come with standard errors
(:mod:`lurking.sem.information`).

Three questions have to be kept apart.

**Is the effect determined by the covariances, given the graph?** In an arid graph always; in a bow-free graph for
almost all parameter values (Brito and Pearl 2002; Drton, Foygel and Sullivant 2011). Where it is not, the standard
error is infinite. No adjustment set is needed for this: bidirected edges are part of the model. If there is one
(:mod:`lurking.graphs.adjustment`), the same effect can be had from a plain regression, without assuming the rest
of the graph.

**How exact is it, given the graph?** The standard error, and the interval: estimate ± 1.96 standard errors.

**What if the graph is another one?** Other graphs can fit exactly as well; see :mod:`lurking.sem.equivalent_effects`.

::

    A -> B -> C -> D,  B <-> D        B on D cannot be had by adjustment, but the model determines it

>>> from lurking.sem import LinearSEM
>>> graph = ADMG.parse("A -> B -> C -> D; B <-> D")
>>> coef = [[0, 1, 0, 0], [0, 0, 0.5, 0], [0, 0, 0, 2], [0, 0, 0, 0]]
>>> model = LinearSEM(graph, coef, [[1, 0, 0, 0], [0, 1, 0, 0.5], [0, 0, 1, 0], [0, 0.5, 0, 1]])
>>> moments = Moments(model.implied_cov(), 1000, graph.names)
>>> print(causal_effects(moments, graph).of("B", "D"))
B on D: 1.000 (standard error 0.046, 95 % interval 0.909 to 1.091)
>>> causal_effects(moments, graph).of("B", "D").adjustment_set is None
True
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lurking._errors import ParameterError
from lurking._status import Status
from lurking._wording import mention
from lurking.data import Moments
from lurking.graphs import ADMG, adjustment_set
from lurking.sem.information import standard_errors
from lurking.sem.model import LinearSEM
from lurking.sem.ricf import RICFResult, ricf

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CausalEffect", "CausalEffects", "Identification", "causal_effects"]


class Identification(Status):
    """Whether the covariances determine an effect, given the graph."""

    EVERYWHERE = "The graph is arid: the covariances determine every effect, whatever the parameters."
    ALMOST_EVERYWHERE = (
        "The graph is bow-free but not arid: the covariances determine the effect for almost all parameters; it can "
        "be unstable near the exceptions; look at the standard error."
    )
    NOT_HERE = (
        "At these estimates the covariances do not determine the effect; use an arid graph ("
        + mention("arid_projection", "admg.arid_projection()")
        + "), "
        "or do not interpret it."
    )


@dataclass(frozen=True)
class CausalEffect:
    """The effect of one variable on another in one graph.

    Attributes
    ----------
    cause, effect : str
        The two variables.
    total, total_error : float
        The total effect and its standard error.
    direct, direct_error : float
        The coefficient of the edge and its standard error; 0 and nan if there is no edge, 0 and 0 if there is not even
        a directed path.
    identified : Identification
        Whether the covariances determine the total effect.
    adjustment_set : frozenset of str or None
        Variables whose regression gives the same total effect, or None if there is no such set.
    """

    cause: str
    effect: str
    total: float
    total_error: float
    direct: float
    direct_error: float
    identified: Identification
    adjustment_set: frozenset[str] | None

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the confidence interval of the total effect.

        Parameters
        ----------
        level : float, default 0.95
            The coverage, between 0 and 1.
        """
        from scipy.special import ndtri

        if not 0 < level < 1:
            raise ParameterError(f"The 'level' parameter must be a float in the range (0, 1). Got {level!r} instead.")
        half = float(ndtri((1 + level) / 2)) * self.total_error
        return self.total - half, self.total + half

    def __str__(self) -> str:
        low, high = self.interval()
        return (
            f"{self.cause} on {self.effect}: {self.total:.3f} (standard error {self.total_error:.3f}, "
            f"95 % interval {low:.3f} to {high:.3f})"
        )


@dataclass(frozen=True)
class CausalEffects:
    """The effects of all pairs with a directed path between them; those of all other pairs are zero.

    Attributes
    ----------
    effects : tuple of CausalEffect
        In the order of the causes, then of the effects.
    fit : RICFResult
        The fit that they come from; ``fit.status`` says whether it can be relied on.
    """

    effects: tuple[CausalEffect, ...]
    fit: RICFResult

    def __len__(self) -> int:
        return len(self.effects)

    def __iter__(self) -> Iterator[CausalEffect]:
        return iter(self.effects)

    def of(self, cause: str, effect: str) -> CausalEffect:
        """Return the effect of one variable on another.

        Without a directed path from the first to the second the effect is exactly 0 in this graph, with the standard
        error 0.

        Parameters
        ----------
        cause, effect : str
            Two variables.

        Raises
        ------
        UnknownVertexError
            If one of them is not in the graph.
        ParameterError
            If they are the same.
        """
        for found in self.effects:
            if (found.cause, found.effect) == (cause, effect):
                return found
        graph = self.fit.admg
        for name in (cause, effect):
            graph.index(name)  # an unknown name has an error of its own
        if cause == effect:
            raise ParameterError(f"The effect of {cause!r} on itself was asked for; name two variables.")
        return CausalEffect(
            cause=cause,
            effect=effect,
            total=0.0,
            total_error=0.0,
            direct=0.0,
            direct_error=0.0,
            identified=Identification.EVERYWHERE if graph.is_arid() else Identification.ALMOST_EVERYWHERE,
            adjustment_set=adjustment_set(graph, cause, effect),
        )

    def to_frame(self) -> pd.DataFrame:
        """Return a table with one row for each effect."""
        import pandas as pd

        columns = ("cause", "effect", "total", "total_error", "direct", "direct_error")
        rows = []
        for found in self.effects:
            adjust_for = "none exists" if found.adjustment_set is None else ", ".join(sorted(found.adjustment_set))
            rows.append([*(getattr(found, name) for name in columns), found.identified.name, adjust_for])
        return pd.DataFrame(rows, columns=[*columns, "identified", "adjust_for"])


def causal_effects(moments: Moments, admg: ADMG) -> CausalEffects:
    """Return the total and direct effects in a graph, with standard errors and adjustment sets.

    Parameters
    ----------
    moments : Moments
        The data.
    admg : ADMG
        A bow-free graph on the same variables.

    Returns
    -------
    effects : CausalEffects
        One effect for each pair with a directed path from cause to effect; all other effects are zero in this graph.

    Raises
    ------
    GraphClassError
        If the graph has a bow: the covariances then do not determine the effects.
    """
    fit = ricf(moments, admg)
    graph = fit.admg
    errors = standard_errors(moments, fit)
    total = LinearSEM.from_fit(fit).total_effects()
    in_general = Identification.EVERYWHERE if graph.is_arid() else Identification.ALMOST_EVERYWHERE
    found = []
    for i, cause in enumerate(graph.names):
        below = graph.descendants(cause)
        for j, effect in enumerate(graph.names):
            if i == j or effect not in below:
                continue
            error = float(errors.total_effects[i, j])
            found.append(
                CausalEffect(
                    cause=cause,
                    effect=effect,
                    total=float(total[i, j]),
                    total_error=error,
                    direct=float(fit.coef[i, j]),
                    direct_error=float(errors.coef[i, j]),
                    identified=in_general if np.isfinite(error) else Identification.NOT_HERE,
                    adjustment_set=adjustment_set(graph, cause, effect),
                )
            )
    return CausalEffects(tuple(found), fit)
