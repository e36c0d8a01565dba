r"""Tables from a model with hidden causes in which one assumption fails.

All worlds start from the world ``hidden`` of :mod:`benchmarks.accuracy.worlds`: a random DAG over 10 measured variables
and 2 hidden roots with coefficients ±U(0.3, 1) and error variances U(0.5, 1.5). The truth is its latent projection.

=========  =======================================================================================================
world      what is different
=========  =======================================================================================================
clean      nothing
curved     a cause x, standardised, acts as :math:`x + .7 (x^2 - 1)`, brought to variance 1
bent       a cause acts as :math:`e^{.8 x}`, brought to variance 1
hetero     the standard deviation of an error is proportional to :math:`e^{x / 2}`, x the first cause
heavy      errors have a t-distribution with 3 degrees of freedom
rounded    values are rounded to whole standard deviations
outlier    to a tenth of the rows, a random multiple (standard deviation 5) of one random direction is added
repeated   every row stands three times in the table
ratio      the first variable is measured as the ratio of :math:`e^{.4 x}` of the next two: what it was is hidden, and
           the truth has edges from these two
ar         errors of consecutive rows have the correlation .9
=========  =======================================================================================================

>>> rows, truth = violated("rounded", 300, 0)
>>> rows.shape, bool((rows == rows.round()).all(axis=None)), len(truth)
((300, 10), True, 10)
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from benchmarks.accuracy.worlds import DEGREES, RANGES
from scipy.signal import lfilter

from lurking import ADMG
from lurking._typing import FloatArray
from lurking.sem.model import LinearSEM
from lurking.simulate import random_hidden_dag, simulate_admg

__all__ = ["WORLDS", "violated"]

WORLDS = ("clean", "curved", "bent", "hetero", "heavy", "rounded", "outlier", "repeated", "ratio", "ar")

_D = 10
_MEMORY = 0.9
_BURN_IN = 200
_OUTLYING, _DISTANCE = 0.1, 5.0


def violated(world: str, n_rows: int, seed: int) -> tuple[pd.DataFrame, ADMG]:
    """Return a table and the true graph of its columns; the seed is that of graph and parameters too."""
    dag = random_hidden_dag(_D, _D // 5, average_degree=DEGREES[seed % 3], max_children=3, random_state=seed)
    simulation = simulate_admg(dag, n_rows, ranges=RANGES, standardize=True, random_state=seed)
    sem = simulation.complete_sem
    if sem is None:
        raise RuntimeError("A graph with hidden variables must come with its complete model.")
    rng = np.random.default_rng([seed, 7])
    copies = 3 if world == "repeated" else 1
    rows = _draw(world, sem, n_rows // copies, rng)
    names = simulation.admg.names
    table = rows[list(names)].to_numpy()
    table = (table - table.mean(axis=0)) / table.std(axis=0)
    truth = simulation.admg
    if world == "rounded":
        table = np.round(table)
    elif world == "outlier":
        wild = rng.random(len(table)) < _OUTLYING
        table[wild] += _DISTANCE * np.outer(rng.normal(size=int(wild.sum())), rng.normal(size=_D))
    elif world == "ratio":
        table[:, 0] = np.exp(0.4 * (table[:, 1] - table[:, 2]))
        truth = _with_a_ratio(sem.admg, names, dag.hidden)
    return pd.DataFrame(np.repeat(table, copies, axis=0), columns=list(names)), truth


def _draw(world: str, sem: LinearSEM, n_rows: int, rng: np.random.Generator) -> pd.DataFrame:
    """Return rows of all variables, the hidden ones included, drawn in the causal order."""
    names, variances = sem.names, np.diag(sem.error_cov)
    values = np.zeros((n_rows, len(names)))
    for vertex in _causal_order(sem):
        causes = np.flatnonzero(sem.coef[:, vertex])
        scales = np.sqrt(variances[vertex]) * np.ones(n_rows)
        for number, cause in enumerate(causes.tolist()):
            x, size = values[:, cause], values[:, cause].std()
            standard = (x - x.mean()) / size
            values[:, vertex] += sem.coef[cause, vertex] * size * _act(world, standard)
            if world == "hetero" and number == 0:
                scales = scales * np.exp(0.5 * standard - 0.25)
        values[:, vertex] += scales * _errors(world, n_rows, rng)
    return pd.DataFrame(values, columns=list(names))


def _causal_order(sem: LinearSEM) -> list[int]:
    """Return the variables, causes first."""
    left, order = set(range(len(sem.names))), []
    while left:
        free = next(v for v in sorted(left) if not any(sem.coef[u, v] for u in left))
        order.append(free)
        left.remove(free)
    return order


def _act(world: str, standard: FloatArray) -> FloatArray:
    """Return what a standardised cause contributes, with variance 1."""
    if world == "curved":
        return np.asarray((standard + 0.7 * (standard**2 - 1.0)) / np.sqrt(1.0 + 2.0 * 0.49))
    if world == "bent":
        grown = np.exp(0.8 * standard)
        return np.asarray((grown - grown.mean()) / grown.std())
    return standard


def _errors(world: str, n_rows: int, rng: np.random.Generator) -> FloatArray:
    """Return errors of variance 1."""
    if world == "heavy":
        return np.asarray(rng.standard_t(3, size=n_rows) / np.sqrt(3.0))
    if world == "ar":
        innovations = np.sqrt(1.0 - _MEMORY**2) * rng.normal(size=n_rows + _BURN_IN)
        return np.asarray(lfilter([1.0], [1.0, -_MEMORY], innovations))[_BURN_IN:]
    return rng.normal(size=n_rows)


def _with_a_ratio(dag: ADMG, names: tuple[str, ...], hidden: tuple[str, ...]) -> ADMG:
    """Return the truth when the first variable is hidden and a ratio of the next two stands in its place."""
    was = f"{names[0]} as it was"
    everything = (*(was if name == names[0] else name for name in dag.names), names[0])
    d = len(dag)
    directed = np.zeros((d + 1, d + 1), dtype=bool)
    directed[:d, :d] = dag.directed
    for parent in names[1:3]:
        directed[dag.index(parent), d] = True
    complete = ADMG(everything, directed, np.zeros_like(directed))
    return complete.latent_projection((*hidden, was)).subgraph(names)
