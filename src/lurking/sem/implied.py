r"""Tests of what a graph implies: one for each missing edge.

Every missing edge of a bow-free graph is one equation that the covariances satisfy if the graph is right. It is tested
in two ways.

**By likelihood ratio.** Fit the graph, fit it again with the edge added, and compare:

.. math:: \chi^2 = 2\,(\ell_{\text{with the edge}} - \ell_{\text{without}}),

which follows a chi-square distribution if the graph is right, with one degree of freedom; between variables of a and b
columns (:mod:`lurking.data.nominal`) it has ab. This works for ordinary
independences and for Verma constraints alike, and uses everything else that the graph says. Which edge is added: an
edge in the direction of the ancestors if one variable is an ancestor of the other, else a bidirected one, provided
that the larger graph stays in the class (ancestral, arid, bow-free) of the smaller one; if not, the first kind of edge
that does. Models of arid graphs are smooth, so the distribution is the right one for them; a larger graph that is not
arid is used only if the graph itself is not arid or no kind of edge keeps it so, and ``added_arid`` says so
(:mod:`lurking.sem.added_edge`). Only the districts that the edge touches are fitted again
(:mod:`lurking.sem.edge_changes`).

**By the constraint itself.** The partial correlation that the constraint says is zero
(:mod:`lurking.graphs.constraint`) is computed from the data: for an ordinary independence tested by Fisher's z, for a
Verma constraint by the delta method: if f(S) is the partial correlation in the kernel and G its derivative by S,

.. math:: \operatorname{Var} f(S) \approx \tfrac 2n \operatorname{tr}(G \Sigma G \Sigma).

This needs no fit, and knows of the rest of the graph only the variables that are fixed and given. It can have less
power; but if the two disagree, something else in the graph is wrong.

A graph that is not maximal can lack an edge that no independence in a kernel excludes (kind ``"linear"``): the equation
then rests on linearity alone, and only the likelihood ratio tests it.

With many missing edges some p-values are small by chance. The adjusted ones (Benjamini and Hochberg 1995) bound the
expected share of false alarms among the rejected. And a graph that was *learnt* from the same data was chosen so that
these tests look good: to test it, use other data.

References
----------
Y. Benjamini and Y. Hochberg (1995). Controlling the false discovery rate. Journal of the Royal Statistical Society B.
R. A. Fisher (1924). The distribution of the partial correlation coefficient. Metron 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from lurking._errors import ParameterError
from lurking._typing import FloatArray
from lurking.data import AnyMoments, GroupedMoments, Moments
from lurking.graphs import ADMG, ImpliedConstraint
from lurking.graphs.bits import BitGraph
from lurking.sem.added_edge import AddedEdges
from lurking.sem.edge_changes import EdgeChanges
from lurking.sem.ricf import bow_free_graph_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ImpliedTest", "ImpliedTests", "adjusted_p_values", "constraint_test", "implied_tests"]

_SLACK = 1e-6  # the log-likelihood of the larger model may be lower by this for rounding, not more

ConstraintKind = Literal["independence", "verma", "linear"]


@dataclass(frozen=True)
class ImpliedTest:
    """The test of one missing edge.

    Attributes
    ----------
    one, other : str
        The two variables.
    kind : {"independence", "verma", "linear"}
        What the missing edge is.
    statement : str
        The constraint in words, such as ``B ⊥ C | D in p(A,B,C,D)/p(C|A)``.
    constraint : ImpliedConstraint or None
        The same as an object; None for kind ``"linear"``.
    added : str
        The edge that the larger model has.
    added_arid : bool
        Whether the larger model is arid, so that the chi-square distribution is sure to be the right one.
    chi_square, p_value, adjusted_p_value : float
        The likelihood ratio, its p-value, and the same adjusted for the number of tests.
    value, value_p_value : float
        The partial correlation that should be zero, computed from the data, and its own p-value; nan for ``"linear"``,
        and if a variable has several columns.
    converged : bool
        Whether both fits reached a maximum, that of the larger model the higher one.
    df : int
        The degrees of freedom of the likelihood ratio: 1, more between variables of several columns.
    """

    one: str
    other: str
    kind: ConstraintKind
    statement: str
    constraint: ImpliedConstraint | None
    added: str
    added_arid: bool
    chi_square: float
    p_value: float
    adjusted_p_value: float
    value: float
    value_p_value: float
    converged: bool
    df: int = 1


@dataclass(frozen=True)
class ImpliedTests:
    """The tests of all missing edges of a graph, in the order of the pairs.

    Attributes
    ----------
    tests : tuple of ImpliedTest
        One for each missing edge.
    """

    tests: tuple[ImpliedTest, ...]

    def __len__(self) -> int:
        return len(self.tests)

    def __iter__(self) -> Iterator[ImpliedTest]:
        return iter(self.tests)

    def __getitem__(self, position: int) -> ImpliedTest:
        return self.tests[position]

    def of(self, one: str, other: str) -> ImpliedTest:
        """Return the test of one pair, named in either order."""
        for test in self.tests:
            if {test.one, test.other} == {one, other}:
                return test
        raise ParameterError(f"The edge between {one!r} and {other!r} is not missing; name two variables without one.")

    def rejected(self, level: float = 0.05) -> tuple[ImpliedTest, ...]:
        """Return the constraints that the data refute at a false-discovery rate, smallest p-values first."""
        if not 0 < level < 1:
            raise ParameterError(f"The 'level' parameter must be a float in the range (0, 1). Got {level!r} instead.")
        refuted = [test for test in self.tests if test.adjusted_p_value <= level]
        return tuple(sorted(refuted, key=lambda test: test.p_value))

    def to_frame(self) -> pd.DataFrame:
        """Return a table with one row for each missing edge."""
        import pandas as pd

        rows = [[getattr(test, name) for name in _COLUMNS] for test in self.tests]
        return pd.DataFrame(rows, columns=list(_COLUMNS))


_COLUMNS = (
    *("one", "other", "kind", "statement", "added", "chi_square", "p_value", "adjusted_p_value", "value"),
    *("value_p_value", "added_arid", "converged"),
)


def implied_tests(moments: AnyMoments, admg: ADMG) -> ImpliedTests:
    """Test every constraint that a bow-free graph implies, one for each missing edge.

    Parameters
    ----------
    moments : Moments or GroupedMoments
        The data.
    admg : ADMG
        A bow-free graph on the same variables, in any order.

    Returns
    -------
    tests : ImpliedTests
        One test for each missing edge, in the order of the graph's pairs.

    Raises
    ------
    GraphClassError
        If the graph has a bow.
    GraphError
        If graph and data are not on the same variables.

    Examples
    --------
    >>> from lurking.sem import LinearSEM
    >>> graph = ADMG.parse("A -> B -> C -> D; B <-> D")
    >>> coef = [[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0]]
    >>> model = LinearSEM(graph, coef, [[1, 0, 0, 0], [0, 1, 0, 0.5], [0, 0, 1, 0], [0, 0.5, 0, 1]])
    >>> exact = implied_tests(Moments(model.implied_cov(), 500, graph.names), graph)
    >>> [(test.statement, test.added, round(test.p_value, 3)) for test in exact]
    [('A ⊥ C | B', 'A -> C', 1.0), ('A ⊥ D in p(A,B,C,D)/p(C|B)', 'A -> D', 1.0)]
    """
    bow_free_graph_of(moments, admg)
    constraints = {(c.one, c.other): c for c in admg.implied_constraints()}
    if isinstance(moments, GroupedMoments):
        grouping = moments.grouping
        changes = EdgeChanges(moments.columns, grouping.widened(admg))
        all_columns = range(moments.columns.n_variables)
        columns_of = {name: all_columns[grouping.places(k)] for k, name in enumerate(moments.names)}
    else:
        changes = EdgeChanges(moments, admg)
        columns_of = {name: range(k, k + 1) for k, name in enumerate(moments.names)}
    added = AddedEdges(BitGraph.from_matrices(admg.directed, admg.bidirected))
    tests = []
    for i, j in np.argwhere(np.triu(~admg.skeleton, 1)).tolist():
        one, other = admg.names[i], admg.names[j]
        constraint = constraints.get((one, other))
        edge = added.between(i, j)
        cause, effect = admg.names[edge.cause], admg.names[edge.effect]
        in_words = f"{cause} {edge.kind} {effect}"
        change = changes.with_edge(columns_of[cause], columns_of[effect], edge.kind)
        chi_square = max(2.0 * change.loglik, 0.0)
        value = value_p_value = np.nan
        if constraint is not None and isinstance(moments, Moments):
            value, value_p_value = constraint_test(moments, constraint)
        df = len(columns_of[one]) * len(columns_of[other])
        kind: ConstraintKind = "linear" if not constraint else "verma" if constraint.is_verma else "independence"
        tests.append(
            ImpliedTest(
                one=one,
                other=other,
                kind=kind,
                statement=str(constraint) if constraint else f"no edge {in_words} in the linear model",
                constraint=constraint,
                added=in_words,
                added_arid=edge.arid,
                chi_square=chi_square,
                p_value=_chi_square_p_value(chi_square, df),
                adjusted_p_value=np.nan,
                value=value,
                value_p_value=value_p_value,
                converged=change.converged and change.loglik > -_SLACK,
                df=df,
            )
        )
    adjusted = adjusted_p_values([test.p_value for test in tests])
    return ImpliedTests(tuple(replace(t, adjusted_p_value=float(p)) for t, p in zip(tests, adjusted, strict=True)))


def _chi_square_p_value(chi_square: float, df: int) -> float:
    from scipy.special import chdtrc

    return float(chdtrc(df, chi_square))


def adjusted_p_values(p_values: Sequence[float]) -> FloatArray:
    """Return the Benjamini-Hochberg adjusted p-values: reject those below a level to hold the false-discovery rate.

    Examples
    --------
    >>> adjusted_p_values([0.01, 0.04, 0.03, 0.5]).round(4).tolist()
    [0.04, 0.0533, 0.0533, 0.5]
    """
    raw = np.asarray(p_values, dtype=np.float64)
    adjusted = np.empty_like(raw)
    smallest_last = np.argsort(-raw, kind="stable")
    ranks = np.arange(len(raw), 0, -1)
    adjusted[smallest_last] = np.minimum(np.minimum.accumulate(raw[smallest_last] * len(raw) / ranks), 1.0)
    return adjusted


def constraint_test(moments: Moments, constraint: ImpliedConstraint) -> tuple[float, float]:
    """Return the partial correlation that a constraint says is zero, and its two-sided p-value.

    Parameters
    ----------
    moments : Moments
        The data; variables that the constraint does not mention are ignored.
    constraint : ImpliedConstraint
        From :meth:`~lurking.ADMG.implied_constraints`.

    Returns
    -------
    value, p_value : float
        By Fisher's z for an ordinary independence, by the delta method for a Verma constraint.
    """
    from scipy.special import ndtr

    value = constraint.value(moments.cov, moments.names)
    if constraint.is_verma:
        z = np.arctanh(value) / (_standard_error(moments, constraint) / (1.0 - value**2))
    else:
        z = np.arctanh(value) * np.sqrt(max(moments.n_samples - len(constraint.given) - 3, 1))
    return value, float(2.0 * ndtr(-abs(z)))


def _standard_error(moments: Moments, constraint: ImpliedConstraint, step: float = 1e-5) -> float:
    """Return the standard error of a constraint's value by the delta method, derivatives by central differences."""
    sigma = moments.subset(constraint.variables).correlation
    d = len(sigma)
    gradient = np.zeros((d, d))
    for i in range(d):
        for j in range(i + 1):
            shift = np.zeros((d, d))
            shift[i, j] = shift[j, i] = step
            high, low = (constraint.value(sigma + s * shift, constraint.variables) for s in (1.0, -1.0))
            slope = (high - low) / (2.0 * step)
            gradient[i, j] = gradient[j, i] = slope if i == j else slope / 2.0
    product = gradient @ sigma
    return float(np.sqrt(2.0 * np.trace(product @ product) / moments.n_samples))
