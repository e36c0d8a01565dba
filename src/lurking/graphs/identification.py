r"""Identification: whether the graph and the joint distribution of the measured variables determine an effect.

With A the causes, Y the outcomes and Y* the ancestors of Y in the graph without A (Tian and Pearl 2002; Shpitser and
Pearl 2006; in one line, Richardson, Evans, Robins and Shpitser 2023),

.. math:: p(Y \mid \mathrm{do}(A)) = \sum_{Y^* \setminus Y} \prod_{D} q_D(D \mid \mathrm{pa}(D)),

where D runs over the districts of Y*, and :math:`q_D` is the kernel in which everything outside D has been fixed
(:mod:`lurking.graphs.nested`). The effect is identified if and only if every D is *intrinsic*, that is, everything
outside of it can be fixed; no distribution needs to be looked at.

**How a kernel is computed.** The joint distribution of an ancestral set is a product of one factor for each district,
p(v | what precedes v in the district, and the parents of those). From the factor of a district T that holds D, sum out
what is no ancestor of D inside T; what is left falls into districts again; and so on until D is reached, or all of T
are ancestors of D inside T, in one district larger than D. Then D cannot be reached, and T and D are a *hedge*: two
models with the same distribution of the measured variables have different effects.

Conditional effects p(Y | do(A), C) are ratios of these; before, what is independent of Y once it is set instead of seen
moves from C to A (Shpitser and Pearl 2006).

**From several experiments.** If distributions after setting Z, Z', ... are known (observation is the one in which
nothing was set), each :math:`q_D` may come from another of them: from that of Z if D has no variable of Z, and if D is
intrinsic in the graph without edges into Z. The effect is identified if and only if each D is, from one of them (Lee,
Correa and Bareinboim 2019).

>>> from lurking.graphs import ADMG
>>> print(ADMG.parse("X -> M -> Y; X <-> Y").identify("X", "Y"))
p(Y | do(X)) = Σ_M [p(M | X) Σ_X' [p(X') p(Y | X', M)]]
>>> print(ADMG.parse("X -> Y; X <-> Y").identify("X", "Y"))
p(Y | do(X)) is not identified: {X, Y} and {Y} form a hedge.
>>> graph = ADMG.parse("Z -> X -> Y; Z <-> X; Z <-> Y")
>>> print(graph.identify("X", "Y"))
p(Y | do(X)) is not identified: {X, Y, Z} and {Y} form a hedge.
>>> print(graph.identify("X", "Y", experiments=["Z"]))
p(Y | do(X)) = p(Y | do(Z), X), whatever Z

References
----------
J. Tian and J. Pearl (2002). A general identification condition for causal effects. AAAI.
I. Shpitser and J. Pearl (2006). Identification of conditional interventional distributions. UAI.
S. Lee, J. Correa and E. Bareinboim (2019). General identifiability with arbitrary surrogate experiments. UAI.
T. Richardson, R. Evans, J. Robins and I. Shpitser (2023). Nested Markov properties for acyclic directed mixed graphs.
Annals of Statistics 51.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lurking._errors import DataError
from lurking._typing import FloatArray
from lurking.graphs.bits import BitGraph, members, singleton
from lurking.graphs.functional import (
    Distributions,
    Expression,
    Probability,
    Product,
    Ratio,
    Sum,
    latex_name,
    product_of,
    sum_over,
)
from lurking.graphs.relations import ancestors, collider_connected, district, districts, topological_order
from lurking.graphs.separation import m_separated

__all__ = ["Hedge", "IdentifiedEffect", "identify"]


def _effect(treatment: Sequence[str], outcome: Sequence[str], given: Sequence[str], latex: bool = False) -> str:
    do, bar = (r"\mathrm{do}", r"\mid") if latex else ("do", "|")
    behind = [f"{do}({', '.join(treatment)})", *given]
    return f"p({', '.join(outcome)} {bar} {', '.join(behind)})"


@dataclass(frozen=True, slots=True)
class IdentifiedEffect:
    r"""A formula for the distribution of outcomes after setting causes.

    Attributes
    ----------
    treatment, outcome, given : tuple of str
        The question: p(outcome | do(treatment), given).
    expression : Expression
        The answer, in probabilities of the measured variables.
    names : tuple of str
        All variables of the graph, in order.

    Examples
    --------
    >>> from lurking.graphs import ADMG
    >>> found = ADMG.parse("Z -> X -> Y <- Z").identify("X", "Y")
    >>> print(found)
    p(Y | do(X)) = Σ_Z [p(Z) p(Y | Z, X)]
    >>> print(found.latex())
    p(Y \mid \mathrm{do}(X)) = \sum_{Z} p(Z)\, p(Y \mid Z, X)
    """

    treatment: tuple[str, ...]
    outcome: tuple[str, ...]
    given: tuple[str, ...]
    expression: Expression
    names: tuple[str, ...]

    @property
    def identified(self) -> bool:
        """True."""
        return True

    @property
    def whatever(self) -> tuple[str, ...]:
        """Variables outside of the question that the formula mentions, and whose value does not matter to it."""
        mentioned = self.expression.free() - {*self.treatment, *self.outcome, *self.given}
        return tuple(name for name in self.names if name in mentioned)

    def __str__(self) -> str:
        fixed = (*self.treatment, *self.outcome, *self.given)
        ending = f", whatever {' and '.join(self.whatever)}" if self.whatever else ""
        return f"{_effect(self.treatment, self.outcome, self.given)} = {self.expression.text(fixed)}{ending}"

    def latex(self) -> str:
        """Return the formula in LaTeX."""
        fixed = (*self.treatment, *self.outcome, *self.given)
        treatment, outcome, given = (
            [latex_name(name) for name in side] for side in (self.treatment, self.outcome, self.given)
        )
        return f"{_effect(treatment, outcome, given, latex=True)} = {self.expression.latex(fixed)}"

    def evaluate(
        self, joint: ArrayLike | None = None, experiments: Mapping[str | tuple[str, ...], ArrayLike] | None = None
    ) -> FloatArray:
        """Return the distribution that the formula gives for discrete variables.

        Parameters
        ----------
        joint : array-like of float, optional
            The joint probabilities, one axis for each of ``names``, in that order; not needed if the formula uses
            experiments only.
        experiments : mapping of str or tuple of str to array-like, optional
            For each experiment, by what was set in it, the probabilities with the same axes: the entry at a value of
            what was set is that of the others after setting it.

        Returns
        -------
        probabilities : ndarray of float
            One axis for each of ``treatment``, then ``given``, then ``outcome``. Where the formula holds for every
            value of another variable (:attr:`whatever`), the average over its distribution.

        Examples
        --------
        >>> from lurking.graphs import ADMG
        >>> effect = ADMG.parse("X -> Y").identify("X", "Y")
        >>> effect.evaluate([[0.1, 0.3], [0.3, 0.3]]).round(2).tolist()
        [[0.25, 0.75], [0.5, 0.5]]
        """
        known = self._known(joint, experiments or {})
        table = next(iter(known.tables.values()))
        values = self.expression.value(known)
        wanted = [self.names.index(name) for name in (*self.treatment, *self.given, *self.outcome)]
        if self.whatever:
            axes = tuple(i for i, name in enumerate(self.names) if name not in self.whatever)
            weights = table.sum(axis=axes, keepdims=True)
            weights = weights / weights.sum()
            summed = tuple(i for i in range(table.ndim) if i not in axes)
            values = (values * weights).sum(axis=summed, keepdims=True)
        full = np.broadcast_to(values, [table.shape[i] if i in wanted else n for i, n in enumerate(values.shape)])
        others = tuple(i for i in range(table.ndim) if i not in wanted)
        result: FloatArray = np.transpose(full, (*wanted, *others)).reshape([table.shape[i] for i in wanted]).copy()
        return result

    def _known(self, joint: ArrayLike | None, experiments: Mapping[str | tuple[str, ...], ArrayLike]) -> Distributions:
        given: dict[frozenset[str], ArrayLike] = {} if joint is None else {frozenset(): joint}
        given |= {frozenset((s,) if isinstance(s, str) else s): table for s, table in experiments.items()}
        tables = {setting: np.asarray(table, dtype=np.float64) for setting, table in given.items()}
        for table in tables.values():
            if table.ndim != len(self.names):
                raise DataError(
                    f"The joint distribution must have {len(self.names)} axes, one for each of "
                    f"{', '.join(self.names)}. Got {table.ndim}."
                )
        for setting in self.expression.experiments() - set(tables):
            what = (
                f"the distribution after setting {', '.join(sorted(setting))}" if setting else "the joint distribution"
            )
            raise DataError(f"The formula needs {what}; give it to evaluate.")
        return Distributions(self.names, tables)


@dataclass(frozen=True, slots=True)
class Hedge:
    """Why an effect is not identified: two sets of vertices.

    In ``larger`` bidirected edges connect everything, everything leads to ``smaller`` by directed paths inside it, and
    it holds a cause; ``smaller`` is one district of what leads to the outcome without the causes. From several
    experiments: this is so in the graph of each experiment that sets nothing of ``smaller``; ``larger`` is that of the
    first of them, and ``smaller`` itself if there is none.

    Attributes
    ----------
    treatment, outcome, given : tuple of str
        The question: p(outcome | do(treatment), given).
    larger, smaller : frozenset of str
        The two sets.
    experiments : tuple of tuple of str
        What was set in each distribution that was to be used; by default nothing was set.
    """

    treatment: tuple[str, ...]
    outcome: tuple[str, ...]
    given: tuple[str, ...]
    larger: frozenset[str]
    smaller: frozenset[str]
    experiments: tuple[tuple[str, ...], ...] = ((),)

    @property
    def identified(self) -> bool:
        """False."""
        return False

    def __str__(self) -> str:
        larger, smaller = (", ".join(sorted(names)) for names in (self.larger, self.smaller))
        effect = _effect(self.treatment, self.outcome, self.given)
        if self.experiments == ((),):
            return f"{effect} is not identified: {{{larger}}} and {{{smaller}}} form a hedge."
        known = ", ".join(f"do({', '.join(setting)})" if setting else "observation" for setting in self.experiments)
        if self.larger == self.smaller:
            return f"{effect} is not identified from {known}: each of them sets a variable of {{{smaller}}}."
        return f"{effect} is not identified from {known}: {{{larger}}} and {{{smaller}}} form a hedge."


def identify(
    graph: BitGraph,
    names: tuple[str, ...],
    treatment: int,
    outcome: int,
    given: int = 0,
    experiments: Sequence[int] = (0,),
) -> IdentifiedEffect | Hedge:
    """Return a formula for p(outcome | do(treatment), given), or the hedge that shows that there is none.

    The three sets are disjoint; ``experiments`` are the sets of vertices that were set, each in one known distribution.
    See :meth:`ADMG.identify <lurking.graphs.ADMG.identify>`.
    """

    def spell(mask: int) -> tuple[str, ...]:
        return tuple(names[v] for v in members(mask))

    question = spell(treatment), spell(outcome), spell(given)
    setting, seeing = _set_what_can_be_set(graph, treatment, outcome, given)
    kernels = [_Kernels(graph, names, chosen) for chosen in experiments]
    answer = _effect_from(kernels, graph, setting, outcome | seeing)
    if not isinstance(answer, tuple):
        if seeing:
            below = Sum(spell(outcome), answer)
            answer = Ratio(answer, below)
        return IdentifiedEffect(*question, answer, names)
    larger, smaller = (frozenset(spell(mask)) for mask in answer)
    return Hedge(*question, larger, smaller, tuple(spell(chosen) for chosen in experiments))


def _set_what_can_be_set(graph: BitGraph, treatment: int, outcome: int, given: int) -> tuple[int, int]:
    """Move from ``given`` to ``treatment`` what may as well be set (rule 2 of do-calculus), one after the other."""
    for c in members(given):
        rest = given & ~singleton(c)
        parents = tuple(0 if treatment >> v & 1 else above & ~singleton(c) for v, above in enumerate(graph.parents))
        siblings = tuple(0 if treatment >> v & 1 else beside & ~treatment for v, beside in enumerate(graph.siblings))
        if m_separated(BitGraph(parents, siblings), outcome, singleton(c), treatment | rest):
            return _set_what_can_be_set(graph, treatment | singleton(c), outcome, rest)
    return treatment, given


Factors = list[tuple[int, Expression]]
"""The kernel of a set as conditionals, each of one vertex given earlier ones, in topological order."""


def _effect_from(
    kernels: Sequence[_Kernels], graph: BitGraph, treatment: int, outcome: int
) -> Expression | tuple[int, int]:
    """Return p(outcome | do(treatment)) from the first experiments that give its parts, or the two sets of a hedge."""
    needed = ancestors(graph, outcome, ~treatment)
    factors: list[tuple[str, Expression]] = []
    for part in districts(graph, needed):
        hedge = part, part
        for known in kernels:
            found = None if known.setting & part else known.of_part(part, outcome)
            if isinstance(found, list):
                factors += found
                break
            hedge = found if found is not None and hedge[0] == part else hedge
        else:
            return hedge
    names, order = kernels[0].names, kernels[0].order
    return sum_over([names[v] for v in order if (needed & ~outcome) >> v & 1], factors)


class _Kernels:
    """Computes the kernels of a graph from the distribution after setting some vertices, or none."""

    def __init__(self, graph: BitGraph, names: tuple[str, ...], setting: int = 0) -> None:
        parents = tuple(0 if setting >> v & 1 else above for v, above in enumerate(graph.parents))
        siblings = tuple(0 if setting >> v & 1 else beside & ~setting for v, beside in enumerate(graph.siblings))
        self.graph = BitGraph(parents, siblings)
        self.setting = setting
        self.names = names
        self.order = topological_order(graph) or []

    def of_part(self, part: int, outcome: int) -> list[tuple[str, Expression]] | tuple[int, int]:
        """Return the kernel of a district, its factors by their vertices, or the two sets of a hedge."""
        relevant = ancestors(self.graph, outcome | part) & ~self.setting
        start = district(self.graph, part, relevant)
        kernel = self._reach(part, start, self._of_joint(start, relevant))
        # The kernel of a part is known as a whole; it stands under the last of its vertices.
        return kernel if isinstance(kernel, tuple) else self._conditionals(part, kernel)

    def _of_joint(self, part: int, within: int) -> Factors:
        """Return the factor of a district of an ancestral set."""
        factors: Factors = []
        before = 0
        for v in self.order:
            if not within >> v & 1:
                continue
            before |= singleton(v)
            if part >> v & 1:
                given = collider_connected(self.graph, v, before)
                factors.append((v, Probability((self.names[v],), self._spell(given), self._spell(self.setting))))
        return factors

    def _reach(self, part: int, start: int, factors: Factors) -> Factors | Expression | tuple[int, int]:
        """Return the kernel of a district inside that of a larger one, or the two sets of a hedge."""
        if start == part:
            return factors
        above = ancestors(self.graph, part, start)
        if above == start:
            return start, part
        summed = self._spell(start & ~above)
        if above == part:
            return sum_over(summed, self._named(factors))
        following = district(self.graph, part, above)
        return self._reach(part, following, self._of_margin(following, above, summed, factors))

    def _of_margin(self, part: int, within: int, summed: Sequence[str], factors: Factors) -> Factors:
        """Return the factor of a district of what is left of a kernel after summing out."""
        found: Factors = []
        order = [v for v in self.order if within >> v & 1]
        for place, v in enumerate(order):
            if not part >> v & 1:
                continue
            later = [self.names[w] for w in order[place + 1 :]]
            above = sum_over([*summed, *later], self._named(factors))
            below = sum_over([*summed, *later, self.names[v]], self._named(factors))
            found.append((v, _ratio(above, below)))
        return found

    def _conditionals(self, part: int, kernel: Factors | Expression) -> list[tuple[str, Expression]]:
        if isinstance(kernel, Expression):
            last = [v for v in self.order if part >> v & 1][-1]
            # Only a kernel of a single vertex sums to 1 over that vertex alone; a larger one may not be left out.
            label = self.names[last] if part == singleton(last) else ""
            return [(label, kernel)]
        return self._named(kernel)

    def _named(self, factors: Factors) -> list[tuple[str, Expression]]:
        return [(self.names[v], factor) for v, factor in factors]

    def _spell(self, mask: int) -> tuple[str, ...]:
        return tuple(self.names[v] for v in self.order if mask >> v & 1)


def _ratio(above: Expression, below: Expression) -> Expression:
    """Return a ratio of two products without the factors that both have."""
    parts = [list(e.factors) if isinstance(e, Product) else [e] for e in (above, below)]
    for factor in list(parts[0]):
        if factor in parts[1]:
            parts[0].remove(factor)
            parts[1].remove(factor)
    if not parts[1]:
        return product_of(parts[0])
    return Ratio(product_of(parts[0]), product_of(parts[1]))
