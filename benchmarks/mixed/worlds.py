"""Mixed data with hidden causes: half of the columns continuous, a quarter binary, a quarter with 3 to 5 levels.

Random DAGs with hidden common causes (2 measured neighbours on average, a hidden variable for every third measured one)
in two worlds, or three:

- ``conditional``: a continuous variable is a linear function of its causes with Gaussian noise, in which every level of
  a discrete cause has an effect of its own; a discrete one has a level drawn from a softmax of such functions.
- ``thresholded``: all variables are linear in their causes with Gaussian noise, and the discrete ones are then cut at
  random quantiles; the names of the levels have no order.
- ``ordered``: the same, with the levels in their order.

:func:`with_gaps` takes values away from half of the columns, completely at random or in rows that a column without
gaps decides.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
import pandas as pd

from lurking._errors import LurkingError
from lurking._random import children
from lurking._typing import FloatArray, IntArray
from lurking.graphs import PAG
from lurking.simulate import HiddenVariableDAG, random_hidden_dag

WORLDS = ("conditional", "thresholded", "ordered")


class Mixed(NamedTuple):
    """A table of numbers (codes of levels where discrete), the nominal columns and the true PAG."""

    table: pd.DataFrame
    nominal: list[str]
    truth: PAG

    def in_words(self) -> pd.DataFrame:
        """Return the table with words for the levels of nominal columns, as people have it."""
        table = self.table.copy()
        for name in self.nominal:
            codes = table[name]
            table[name] = ("level " + codes.astype("Int64").astype(str)).where(codes.notna(), None)
        return table


def numbers_of_levels(d: int, rng: np.random.Generator) -> IntArray:
    """Return the number of levels of each column, 0 for a continuous one."""
    nominal = d // 4
    levels = np.concatenate([np.zeros(d - d // 4 - nominal), np.full(d // 4, 2), rng.integers(3, 6, nominal)])
    return rng.permutation(levels.astype(np.int64))


def strengths(size: int | tuple[int, ...], rng: np.random.Generator) -> FloatArray:
    """Draw effects well away from zero."""
    drawn: FloatArray = rng.uniform(0.5, 1.2, size) * rng.choice([-1.0, 1.0], size)
    return drawn


def effect_of(values: FloatArray, k: int, width: int, rng: np.random.Generator) -> FloatArray:
    """Return what a cause with k levels (0: continuous) adds to some linear functions, one column for each."""
    if k == 0:
        return np.outer(values, strengths(width, rng))
    by_level: FloatArray = strengths((k, width), rng)[values.astype(int)]
    return by_level


def conditional(dag: HiddenVariableDAG, levels: dict[str, int], n: int, rng: np.random.Generator) -> pd.DataFrame:
    """Draw rows of the world ``conditional``."""
    graph = dag.dag
    drawn: dict[str, FloatArray] = {}
    for name in graph.topological_order():
        k = levels.get(name, 0)
        total = np.zeros((n, max(k, 1)))
        for cause in sorted(graph.parents(name)):
            total += effect_of(drawn[cause], levels.get(cause, 0), max(k, 1), rng)
        if k == 0:
            drawn[name] = total[:, 0] + rng.normal(size=n)
            drawn[name] /= drawn[name].std()
        else:
            drawn[name] = (1.5 * total + rng.gumbel(size=(n, k))).argmax(axis=1).astype(float)
    return pd.DataFrame({name: drawn[name] for name in dag.observed})


def thresholded(dag: HiddenVariableDAG, levels: dict[str, int], n: int, rng: np.random.Generator) -> pd.DataFrame:
    """Draw rows of the world ``ordered``."""
    table = conditional(dag, {}, n, rng)
    for name, k in levels.items():
        if k:
            shares = rng.dirichlet(np.full(k, 8.0))
            cuts = np.quantile(table[name], shares.cumsum()[:-1])
            table[name] = np.searchsorted(cuts, table[name]).astype(float)
    return table


def simulated(world: str, d: int, n: int, seed: int) -> Mixed:
    """Draw a data set in which every level has at least five rows."""
    for rng in children(seed, 50):
        dag = random_hidden_dag(d, d // 3, average_degree=2.0, random_state=rng)
        levels = dict(zip(dag.observed, numbers_of_levels(d, rng).tolist(), strict=True))
        table = (conditional if world == "conditional" else thresholded)(dag, levels, n, rng)
        if world == "thresholded":
            for name, k in levels.items():
                if k > 2:
                    table[name] = rng.permutation(k)[table[name].astype(int)].astype(float)
        counts = [np.bincount(table[name].astype(int), minlength=k).min() for name, k in levels.items() if k]
        if min(counts, default=n) >= 5:
            nominal = [name for name, k in levels.items() if k > 2]
            return Mixed(table, nominal, dag.latent_projection().to_pag())
    raise LurkingError("No table in which every level has five rows was drawn; take more rows.")


Gaps = Literal["none", "MCAR", "MAR"]


def with_gaps(data: Mixed, gaps: Gaps, share: float, seed: int) -> Mixed:
    """Return the data with a share of the values of every second column missing.

    ``MAR``: the probability that a value is missing grows with the rank of the row in a column that has no gaps, drawn
    anew for each column, from nothing to twice the share.
    """
    if gaps == "none":
        return data
    rng = np.random.default_rng((seed, 29))
    table = data.table.copy()
    names = rng.permutation(np.array(table.columns, dtype=str))
    whole, holey = names[: len(names) // 2], names[len(names) // 2 :]
    n = len(table)
    for name in holey:
        ranks = table[rng.choice(whole)].rank(method="average").to_numpy() / n
        probability = np.full(n, share) if gaps == "MCAR" else 2.0 * share * ranks
        table[name] = table[name].where(rng.random(n) >= probability)
    return data._replace(table=table)
