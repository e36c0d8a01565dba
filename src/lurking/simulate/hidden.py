r"""DAGs with hidden variables, and what is left of them in the data.

A bidirected edge says that something unmeasured causes both ends. Here that something is explicit: a DAG over measured
and hidden variables, from which data are drawn and the hidden columns thrown away. What is left obeys the *latent
projection* of the DAG (:mod:`lurking.graphs.projection`), an ADMG that may well have bows and c-trees. This is a test
that owes nothing to the ADMG model itself.

**The margin of a linear model.** Let the variables be split into measured ones O and hidden ones H, with coefficients
B (row is cause) and errors E. Solving the equations of H and putting them into those of O gives

.. math::
    X_O = X_O \bigl(B_{OO} + B_{OH} K\bigr) + E_O + E_H K , \qquad K = (I - B_{HH})^{-1} B_{HO} ,

again a linear model: its coefficients are the bracket, its error covariance is
:math:`(I \;\; K^\top) \, \Omega \, (I \;\; K^\top)^\top`, and both are zero exactly where the latent projection has no
edge (unless paths happen to cancel). So :func:`margin` gives the true parameters, not only the true graph.

The random DAGs drawn here have hidden variables without parents. Nothing is lost by that: letting the parents of a
hidden variable point at its children instead leaves the set of possible margins as it was (Evans 2016).

>>> confounded = HiddenVariableDAG(ADMG.parse("U -> A -> B; U -> B"), hidden=("U",))
>>> confounded.latent_projection()
ADMG.parse('A -> B; A <-> B')
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from lurking._errors import GraphClassError, GraphError, ParameterError
from lurking._parameters import check_count
from lurking._random import generator
from lurking._typing import RandomState
from lurking.graphs import ADMG
from lurking.sem.model import LinearSEM
from lurking.simulate.random_graphs import sparse_admg, variable_names

__all__ = ["HiddenVariableDAG", "margin", "random_hidden_dag"]


@dataclass(frozen=True, slots=True)
class HiddenVariableDAG:
    """A DAG some of whose variables are never measured.

    Parameters
    ----------
    dag : ADMG
        A graph without bidirected edges.
    hidden : tuple of str
        The variables that are not measured; at least one other is left.

    Raises
    ------
    GraphClassError
        If the graph has a bidirected edge.
    GraphError
        If a hidden name is unknown or repeated, or nothing would be left.
    """

    dag: ADMG
    hidden: tuple[str, ...]

    def __post_init__(self) -> None:
        confounded = self.dag.bidirected_edges()
        if confounded:
            raise GraphClassError(
                f"A DAG has directed edges only, but there is {confounded[0][0]} <-> {confounded[0][1]}; replace it by "
                "a hidden variable with two children."
            )
        if isinstance(self.hidden, str):  # type: ignore[unreachable]
            raise GraphError(
                f"The hidden variables must be a sequence of names, not {self.hidden!r}; put it in a list."
            )
        object.__setattr__(self, "hidden", tuple(self.hidden))
        for name in self.hidden:
            self.dag.index(name)
        if len(set(self.hidden)) < len(self.hidden):
            raise GraphError(f"Each hidden variable may be named once, but they are {', '.join(self.hidden)}.")
        if len(self.hidden) == len(self.dag):
            raise GraphError("All variables are hidden; leave at least one to be measured.")

    @property
    def observed(self) -> tuple[str, ...]:
        """The measured variables, in the order of the DAG."""
        return tuple(name for name in self.dag.names if name not in self.hidden)

    def latent_projection(self) -> ADMG:
        """Return the ADMG of the measured variables."""
        return self.dag.latent_projection(self.hidden)


def random_hidden_dag(
    n_variables: int = 10,
    n_hidden: int = 5,
    *,
    average_degree: float = 2.0,
    max_children: int = 2,
    names: Sequence[str] | None = None,
    random_state: RandomState = None,
) -> HiddenVariableDAG:
    """Draw a random DAG with hidden common causes.

    The measured variables get a random DAG; each hidden variable gets from 2 to ``max_children`` of them as children,
    every number equally likely, then every set of that size.

    Parameters
    ----------
    n_variables : int, default 10
        The number of measured variables, at least 2.
    n_hidden : int, default 5
        The number of hidden variables, which are named U1, U2, ...
    average_degree : float, default 2.0
        The expected number of measured neighbours of a measured variable.
    max_children : int, default 2
        The largest number of children of a hidden variable, from 2 to ``n_variables``. With 2, each hidden variable
        is one bidirected edge of the latent projection (two may fall on the same pair).
    names : sequence of str, optional
        The names of the measured variables, by default V1, V2, ...
    random_state : int, Generator or None
        The seed.

    Returns
    -------
    hidden_dag : HiddenVariableDAG

    Examples
    --------
    >>> hidden_dag = random_hidden_dag(6, 2, random_state=0)
    >>> hidden_dag.hidden, len(hidden_dag.observed)
    (('U1', 'U2'), 6)
    """
    d = check_count("n_variables", n_variables, at_least=2)
    h = check_count("n_hidden", n_hidden, at_least=0)
    most = check_count("max_children", max_children, at_least=2)
    if most > d:
        raise ParameterError(f"The 'max_children' parameter must be at most n_variables = {d}. Got {most} instead.")
    rng = generator(random_state)
    measured = sparse_admg(d, average_degree, bidirected_fraction=0.0, names=names, random_state=rng)
    directed = np.zeros((d + h, d + h), dtype=bool)
    directed[:d, :d] = measured.directed
    for cause in range(d, d + h):
        directed[cause, rng.choice(d, size=rng.integers(2, most + 1), replace=False)] = True
    hidden = variable_names(h, prefix="U")
    return HiddenVariableDAG(ADMG(measured.names + hidden, directed, np.zeros_like(directed)), hidden)


def margin(sem: LinearSEM, hidden: Iterable[str]) -> LinearSEM:
    """Return the model of the other variables when some are not measured.

    Parameters
    ----------
    sem : LinearSEM
        A model of all variables.
    hidden : iterable of str
        The variables to be removed.

    Returns
    -------
    margin : LinearSEM
        On the latent projection of the graph, with the same covariance among the variables that are left.

    Examples
    --------
    >>> dag = ADMG.parse("U -> A -> B; U -> B")
    >>> coef = [[0, 0.5, 2.0], [0, 0, 1.5], [0, 0, 0]]
    >>> kept = margin(LinearSEM(dag, np.array(coef), np.eye(3)), ["U"])
    >>> kept.error_cov
    array([[1.25, 1.  ],
           [1.  , 5.  ]])
    """
    hidden_names = tuple(hidden)
    projected = sem.admg.latent_projection(hidden_names)
    out = [sem.admg.index(name) for name in hidden_names]
    left = [sem.admg.index(name) for name in projected.names]
    reaches = np.linalg.solve(np.eye(len(out)) - sem.coef[np.ix_(out, out)], sem.coef[np.ix_(out, left)])
    coef = sem.coef[np.ix_(left, left)] + sem.coef[np.ix_(left, out)] @ reaches
    passed_on = np.vstack([np.eye(len(left)), reaches])
    order = left + out
    error_cov = passed_on.T @ sem.error_cov[np.ix_(order, order)] @ passed_on
    # The masks remove rounding errors of the linear solve where the graph has no edge; a product of three matrices
    # is symmetric up to rounding only.
    allowed = projected.bidirected | np.eye(len(left), dtype=bool)
    return LinearSEM(
        projected, np.where(projected.directed, coef, 0.0), np.where(allowed, (error_cov + error_cov.T) / 2, 0.0)
    )
