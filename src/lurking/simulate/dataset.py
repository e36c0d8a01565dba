"""A whole simulated data set: graph, parameters, rows, and how easily the scale gives the order away.

::

    graph        the paper's random graph, a graph of yours, or a DAG with hidden variables
      -> model   coefficients and error covariance, in the paper's ranges
      -> rows    with errors that are Gaussian or not, as they are or standardised

Graph, parameters and rows have random numbers of their own, three children of the one seed: asking for more rows or
for another distribution of the errors changes neither the graph nor the parameters.

**Standardised** data have columns with mean 0 and variance 1 in the sample. The model that comes with them is the same
model in units in which every variable has variance 1 in the population, so it is on the scale of the data up to
sampling error. Results on raw data can depend on the scale (:mod:`lurking.simulate.sortability`); always look at both.

>>> simulation = simulate_admg(10, n_samples=500, graph_class="arid", random_state=0)
>>> simulation.data.shape, simulation.admg.is_arid()
((500, 10), True)
>>> 0.5 < simulation.varsortability <= 1.0
True
>>> simulate_admg(10, n_samples=500, graph_class="arid", standardize=True, random_state=0).varsortability
0.5
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from lurking._errors import ParameterError
from lurking._parameters import check_count
from lurking._random import children
from lurking._typing import FloatArray, GraphClass, RandomState
from lurking._wording import counted, mention
from lurking.graphs import ADMG
from lurking.sem.model import ErrorShape, LinearSEM
from lurking.simulate.common_causes import explicit_common_causes
from lurking.simulate.hidden import HiddenVariableDAG, margin
from lurking.simulate.parameters import PAPER_RANGES, ParameterRanges, draw_parameters
from lurking.simulate.random_graphs import random_admg
from lurking.simulate.sortability import r2_sortability, varsortability

__all__ = ["Simulation", "draw_rows", "simulate_admg"]


@dataclass(frozen=True, eq=False)
class Simulation:
    """A simulated data set with everything that is true of it.

    Parameters
    ----------
    data : pandas.DataFrame, shape (n_samples, d)
        The rows.
    admg : ADMG
        The true graph of the columns.
    sem : LinearSEM
        The true parameters, on the scale of the data.
    errors : str
        The distribution of the errors.
    standardized : bool
        Whether the columns were brought to mean 0 and variance 1.
    complete_sem : LinearSEM or None
        The model with the hidden variables, if the data came from a DAG with hidden variables.
    """

    data: pd.DataFrame
    admg: ADMG
    sem: LinearSEM
    errors: ErrorShape
    standardized: bool
    complete_sem: LinearSEM | None = None

    @cached_property
    def varsortability(self) -> float:
        """How well sorting the variances of the columns finds the causal order; 0.5 is chance, 1 is always."""
        return varsortability(self._sample_cov(), self.admg)

    @cached_property
    def r2_sortability(self) -> float:
        """The same for R², which does not depend on units; needs more rows than columns."""
        return r2_sortability(self._sample_cov(), self.admg)

    def _sample_cov(self) -> FloatArray:
        rows = self.data.to_numpy()
        centred = rows - rows.mean(axis=0)
        cov: FloatArray = centred.T @ centred / len(rows)
        return cov

    def __repr__(self) -> str:
        scale = "standardised" if self.standardized else "raw"
        return (
            f"Simulation of {counted(len(self.data), 'row')} of {counted(len(self.admg), 'variable')} "
            f"({self.errors} errors, {scale} scale): {self.admg}"
        )


def simulate_admg(
    graph: ADMG | HiddenVariableDAG | int = 10,
    n_samples: int = 1000,
    *,
    graph_class: GraphClass | None = None,
    directed_probability: float | None = None,
    bidirected_probability: float | None = None,
    errors: ErrorShape = "gaussian",
    standardize: bool = False,
    ranges: ParameterRanges = PAPER_RANGES,
    names: Sequence[str] | None = None,
    random_state: RandomState = None,
) -> Simulation:
    """Simulate a data set from a linear model with unmeasured common causes.

    The defaults are the simulation of Bhattacharya et al. (2021, section 6).

    Parameters
    ----------
    graph : ADMG, HiddenVariableDAG or int, default 10
        The true graph; a DAG with hidden variables, whose columns are thrown away; or a number of variables, for a
        random graph made by :func:`~lurking.simulate.random_admg`.
    n_samples : int, default 1000
        The number of rows.

    Other Parameters
    ----------------
    graph_class : {"bow-free", "arid", "ancestral"}, default "bow-free"
        Of a random graph.
    directed_probability, bidirected_probability : float, default 0.4 and 0.3
        Of a random graph, before its projection into the class; see :func:`~lurking.simulate.random_admg`.
    errors : {"gaussian", "uniform", "laplace", "student", "exponential"}, default "gaussian"
        The distribution of the errors; see :func:`draw_rows`.
    standardize : bool, default False
        Bring every column to mean 0 and variance 1, and the model to unit variances.
    ranges : ParameterRanges, default the paper's
        Where the parameters are drawn from.
    names : sequence of str, optional
        The names of the variables of a random graph, by default V1, V2, ...
    random_state : int, Generator or None
        The seed. The same seed gives the same graph and parameters for any ``n_samples``, ``errors`` and
        ``standardize``.

    Returns
    -------
    simulation : Simulation
        With ``data``, ``admg``, ``sem``, ``varsortability`` and ``r2_sortability``.

    Raises
    ------
    ParameterError
        If an argument is outside its range, or describes a random graph although a graph was given.

    Examples
    --------
    >>> simulation = simulate_admg(ADMG.parse("A -> B -> C -> D; B <-> D"), 200, random_state=1)
    >>> list(simulation.data.columns), len(simulation.data)
    (['A', 'B', 'C', 'D'], 200)
    """
    n = check_count("n_samples", n_samples, at_least=2 if standardize else 1)
    graph_rng, parameter_rng, row_rng = children(random_state, 3)
    if isinstance(graph, ADMG | HiddenVariableDAG):
        _refuse_two_graphs(
            graph_class=graph_class,
            directed_probability=directed_probability,
            bidirected_probability=bidirected_probability,
            names=names,
        )
    elif isinstance(graph, str):  # type: ignore[unreachable]
        raise ParameterError(f"The graph must be an ADMG or a number. Got the text {graph!r}; use ADMG.parse on it.")
    else:
        graph = random_admg(
            graph,
            graph_class="bow-free" if graph_class is None else graph_class,
            directed_probability=0.4 if directed_probability is None else directed_probability,
            bidirected_probability=0.3 if bidirected_probability is None else bidirected_probability,
            names=names,
            random_state=graph_rng,
        )
    hidden_dag = graph if isinstance(graph, HiddenVariableDAG) else None
    complete_graph = graph.dag if isinstance(graph, HiddenVariableDAG) else graph
    complete = draw_parameters(complete_graph, ranges=ranges, random_state=parameter_rng)
    rows = draw_rows(complete, n, errors, random_state=row_rng)
    if standardize:
        complete = complete.standardized()
        rows = (rows - rows.mean()) / rows.std(ddof=0)
    sem = margin(complete, hidden_dag.hidden) if hidden_dag else complete
    return Simulation(
        data=rows.loc[:, list(sem.names)].copy(),
        admg=sem.admg,
        sem=sem,
        errors=errors,
        standardized=standardize,
        complete_sem=complete if hidden_dag else None,
    )


def _refuse_two_graphs(**of_random_graphs: object) -> None:
    for name, value in of_random_graphs.items():
        if value is not None:
            raise ParameterError(
                mention("random graph", f"The {name!r} parameter is", name)
                + " for random graphs, but a graph was given; drop one of them."
            )


def draw_rows(
    sem: LinearSEM, n_samples: int, errors: ErrorShape = "gaussian", *, random_state: RandomState = None
) -> pd.DataFrame:
    """Draw rows from a linear model, with one unmeasured cause for each bidirected edge if the errors are not Gaussian.

    Parameters
    ----------
    sem : LinearSEM
        The model.
    n_samples : int
        The number of rows.
    errors : {"gaussian", "uniform", "laplace", "student", "exponential"}, default "gaussian"
        The distribution of the unmeasured causes and of the variables' own errors. All have mean 0, and give the
        covariance of the model; "student" has 5 degrees of freedom, "exponential" is skewed. See
        :mod:`lurking.simulate.common_causes`.
    random_state : int, Generator or None
        The seed.

    Returns
    -------
    rows : pandas.DataFrame, shape (n_samples, d)

    Raises
    ------
    ParameterError
        If the errors are not Gaussian and too strongly correlated to come from one cause for each bidirected edge.
    """
    if errors == "gaussian":
        return sem.sample(n_samples, random_state=random_state)
    rows = explicit_common_causes(sem).sample(n_samples, errors=errors, random_state=random_state)
    return rows.loc[:, list(sem.names)].copy()
