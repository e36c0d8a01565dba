r"""Expressions in the probabilities of the measured variables: products, sums and ratios of conditionals.

Identification (:mod:`lurking.graphs.identification`) answers with one of them. It is written as text or LaTeX, and has
a value on every joint distribution of discrete variables, or on those of the experiments that it mentions.

A variable that is summed over and also occurs outside of the sum gets a prime inside:

>>> inner = Sum(("X",), Product((Probability(("Y",), ("M", "X")), Probability(("X",)))))
>>> expression = Sum(("M",), Product((Probability(("M",), ("X",)), inner)))
>>> print(expression.text(fixed=("X", "Y")))
Σ_M [p(M | X) Σ_X' [p(Y | M, X') p(X')]]
>>> print(expression.latex(fixed=("X", "Y")))
\sum_{M} p(M \mid X) \left( \sum_{X'} p(Y \mid M, X')\, p(X') \right)
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lurking._typing import FloatArray

__all__ = [
    "Distributions",
    "Expression",
    "Probability",
    "Product",
    "Ratio",
    "Sum",
    "latex_name",
    "product_of",
    "sum_over",
]


@dataclass(frozen=True, eq=False)
class Distributions:
    """What is known of discrete variables: their joint distribution, and those after setting some of them.

    Attributes
    ----------
    names : tuple of str
        The variables, an axis each.
    tables : mapping of frozenset of str to ndarray
        For each set of variables that were set (none, for the joint distribution) the probabilities; the entry at a
        value of what was set is that of the others after setting it.
    """

    names: tuple[str, ...]
    tables: Mapping[frozenset[str], FloatArray]

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of values of each variable."""
        shape: tuple[int, ...] = next(iter(self.tables.values())).shape
        return shape

    def margin(self, kept: frozenset[str], do: frozenset[str]) -> FloatArray:
        """Return p(kept | do): the axes of other variables have length 1."""
        axes = tuple(i for i, name in enumerate(self.names) if name not in kept | do)
        margin: FloatArray = self.tables[do].sum(axis=axes, keepdims=True)
        return margin


class Expression(ABC):
    """A function of some variables, made from a joint distribution."""

    __slots__ = ()

    @abstractmethod
    def free(self) -> frozenset[str]:
        """Return the variables that it is a function of."""

    @abstractmethod
    def _written(self, shown: Mapping[str, str], latex: bool) -> str:
        """Write the expression with the names that are ``shown``."""

    @abstractmethod
    def value(self, known: Distributions) -> FloatArray:
        """Return the values on known distributions: one axis for each name, of length 1 where it does not matter."""

    @abstractmethod
    def experiments(self) -> frozenset[frozenset[str]]:
        """Return what was set in each of the distributions that it is made from; nothing, for the joint one."""

    def text(self, fixed: Iterable[str] = ()) -> str:
        """Write it as text; the variables ``fixed`` have a meaning outside, so that bound ones get a prime."""
        return self._written({name: name for name in {*fixed, *self.free()}}, latex=False)

    def latex(self, fixed: Iterable[str] = ()) -> str:
        """Write it in LaTeX."""
        return self._written({name: latex_name(name) for name in {*fixed, *self.free()}}, latex=True)


@dataclass(frozen=True, slots=True)
class Probability(Expression):
    """A conditional of a distribution: p(variables | given), or p(variables | do(...), given) of an experiment."""

    variables: tuple[str, ...]
    given: tuple[str, ...] = ()
    do: tuple[str, ...] = ()

    def free(self) -> frozenset[str]:
        """Return the variables, what is given, and what was set."""
        return frozenset(self.variables) | frozenset(self.given) | frozenset(self.do)

    def _written(self, shown: Mapping[str, str], latex: bool) -> str:
        ahead, given, do = (", ".join(shown[n] for n in names) for names in (self.variables, self.given, self.do))
        setting = (rf"\mathrm{{do}}({do})" if latex else f"do({do})") if do else ""
        behind = ", ".join(filter(None, (setting, given)))
        bar = r" \mid " if latex else " | "
        return f"p({ahead}{bar if behind else ''}{behind})"

    def value(self, known: Distributions) -> FloatArray:
        """Return the conditional probabilities; 0 where the condition has probability 0."""
        given, do = frozenset(self.given), frozenset(self.do)
        return _divide(known.margin(given | frozenset(self.variables), do), known.margin(given, do))

    def experiments(self) -> frozenset[frozenset[str]]:
        """Return the one set of variables that was set."""
        return frozenset((frozenset(self.do),))


@dataclass(frozen=True, slots=True)
class Product(Expression):
    """A product."""

    factors: tuple[Expression, ...]

    def free(self) -> frozenset[str]:
        """Return the variables of all factors."""
        return frozenset().union(*(factor.free() for factor in self.factors))

    def _written(self, shown: Mapping[str, str], latex: bool) -> str:
        written = []
        for place, factor in enumerate(self.factors):
            text = factor._written(shown, latex)
            if isinstance(factor, Sum) and latex:
                text = rf"\left( {text} \right)"
            elif isinstance(factor, Ratio) and not latex and len(self.factors) > 1:
                text = f"[{text}]"
            elif isinstance(factor, Sum) and place < len(self.factors) - 1:
                text = f"({text})"
            written.append(text)
        joined = written[0] if written else "1"
        for factor, text in zip(self.factors[1:], written[1:], strict=True):
            joined += (r"\, " if latex and not isinstance(factor, Sum) else " ") + text
        return joined

    def value(self, known: Distributions) -> FloatArray:
        """Return the product of the values."""
        result = np.ones((1,) * len(known.names))
        for factor in self.factors:
            result = result * factor.value(known)
        return result

    def experiments(self) -> frozenset[frozenset[str]]:
        """Return those of all factors."""
        return frozenset().union(*(factor.experiments() for factor in self.factors))


@dataclass(frozen=True, slots=True)
class Sum(Expression):
    """A sum over all values of some variables."""

    over: tuple[str, ...]
    of: Expression

    def free(self) -> frozenset[str]:
        """Return the variables that are not summed over."""
        return self.of.free() - frozenset(self.over)

    def _written(self, shown: Mapping[str, str], latex: bool) -> str:
        inside = dict(shown)
        for name in self.over:
            plain = latex_name(name) if latex else name
            while plain in shown.values():
                plain += "'"
            inside[name] = plain
        bound = ", ".join(inside[name] for name in self.over)
        of = self.of._written(inside, latex)
        if latex:
            return rf"\sum_{{{bound}}} {of}"
        return f"Σ_{bound if len(self.over) == 1 else '{' + bound + '}'} [{of}]"

    def value(self, known: Distributions) -> FloatArray:
        """Return the sum of the values."""
        axes = tuple(i for i, name in enumerate(known.names) if name in self.over)
        inner = self.of.value(known)
        full = np.broadcast_to(inner, [known.shape[i] if i in axes else n for i, n in enumerate(inner.shape)])
        result: FloatArray = full.sum(axis=axes, keepdims=True)
        return result

    def experiments(self) -> frozenset[frozenset[str]]:
        """Return those of the summand."""
        return self.of.experiments()


@dataclass(frozen=True, slots=True)
class Ratio(Expression):
    """A ratio."""

    above: Expression
    below: Expression

    def free(self) -> frozenset[str]:
        """Return the variables of both parts."""
        return self.above.free() | self.below.free()

    def _written(self, shown: Mapping[str, str], latex: bool) -> str:
        above, below = self.above._written(shown, latex), self.below._written(shown, latex)
        return rf"\frac{{{above}}}{{{below}}}" if latex else f"{above} / {below}"

    def value(self, known: Distributions) -> FloatArray:
        """Return the ratio of the values; 0 where the denominator is 0."""
        return _divide(self.above.value(known), self.below.value(known))

    def experiments(self) -> frozenset[frozenset[str]]:
        """Return those of both parts."""
        return self.above.experiments() | self.below.experiments()


def product_of(factors: Sequence[Expression]) -> Expression:
    """Return the product of some expressions; of one, that one."""
    flat: list[Expression] = []
    for factor in factors:
        flat += factor.factors if isinstance(factor, Product) else [factor]
    flat.sort(key=lambda factor: isinstance(factor, Sum))  # sums last, where their end is clear
    return flat[0] if len(flat) == 1 else Product(tuple(flat))


def sum_over(variables: Sequence[str], factors: Sequence[tuple[str, Expression]]) -> Expression:
    """Sum a product of conditionals, each the conditional of one variable given earlier ones, over some variables.

    A conditional whose variable is summed over and that no other factor depends on sums to 1, and is left out.
    """
    left, bound = list(factors), list(variables)
    dropped = True
    while dropped:
        dropped = False
        for variable, factor in reversed(left):
            others = [other for name, other in left if name != variable]
            if variable in bound and not any(variable in other.free() for other in others):
                left.remove((variable, factor))
                bound.remove(variable)
                dropped = True
                break
    # What does not depend on the bound variables stands before the sum.
    outside = [factor for _, factor in left if not factor.free() & set(bound)]
    inside = [factor for _, factor in left if factor.free() & set(bound)]
    if not bound:
        return product_of(outside)
    return product_of([*outside, Sum(tuple(bound), product_of(inside))])


def _divide(above: FloatArray, below: FloatArray) -> FloatArray:
    above, below = np.broadcast_arrays(above, below)
    result: FloatArray = np.divide(above, below, out=np.zeros_like(above), where=below != 0)
    return result


def latex_name(name: str) -> str:
    """Return a name as LaTeX writes it: upright if it has more than one letter, with its special signs escaped."""
    special = {"\\": r"\backslash ", "~": r"\sim ", "^": r"\hat{}", " ": "~"}
    escaped = re.sub(r"[\\{}$&#%_^~ ]", lambda found: special.get(found[0], "\\" + found[0]), name)
    return escaped if len(name) == 1 else rf"\mathrm{{{escaped}}}"
