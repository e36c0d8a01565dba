"""Mixed data with hidden causes: nominal columns as blocks of indicators against integer codes.

    python benchmarks/mixed.py --variables 10 --rows 1000 --datasets 10

Half of the columns are continuous, a quarter binary, a quarter nominal with 3 to 5 levels. The data come from random
DAGs with hidden common causes (2 measured neighbours on average, a hidden variable for every third measured one) in two
worlds:

- ``conditional``: a continuous variable is a linear function of its causes with Gaussian noise, in which every level of
  a discrete cause has an effect of its own; a discrete one has a level drawn from a softmax of such functions.
- ``thresholded``: all variables are linear in their causes with Gaussian noise, and the discrete ones are then cut at
  random quantiles. ``ordered`` keeps the order of the levels as codes; otherwise the names of the levels have none.

For each world the mean distance from the true PAG (pairs whose edge is wrong), with its standard error, of the same
search on blocks and on integer codes, and the mean of what the two differ by.
"""

from __future__ import annotations

import argparse
import time
from typing import NamedTuple

import numpy as np
import pandas as pd

from lurking import ADMGDiscovery, compare
from lurking._random import children
from lurking._typing import FloatArray, IntArray
from lurking.data import grouped_moments
from lurking.graphs import PAG
from lurking.simulate import HiddenVariableDAG, random_hidden_dag

WORLDS = ("conditional", "thresholded", "ordered")


class Mixed(NamedTuple):
    """A table of numbers (codes of levels where discrete), the nominal columns and the true PAG."""

    table: pd.DataFrame
    nominal: list[str]
    truth: PAG


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
    raise SystemExit("No table in which every level has five rows was drawn; take more rows.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variables", type=int, default=10)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--datasets", type=int, default=10)
    parser.add_argument("--worlds", nargs="+", default=WORLDS, choices=WORLDS)
    options = parser.parse_args()
    print("| world | blocks | codes | difference | seconds, blocks / codes |\n|---|---|---|---|---|")
    for world in options.worlds:
        distances, seconds = np.zeros((2, options.datasets)), np.zeros(2)
        for seed in range(options.datasets):
            data = simulated(world, options.variables, options.rows, seed)
            for k, given in enumerate((grouped_moments(data.table, data.nominal), data.table)):
                started = time.process_time()
                model = ADMGDiscovery(random_state=0).fit(given)
                seconds[k] += time.process_time() - started
                distances[k, seed] = compare(data.truth, model.pag_).pag_shd
        means = [f"{row.mean():.2f} ± {row.std() / options.datasets**0.5:.2f}" for row in distances]
        change = distances[0] - distances[1]
        means.append(f"{change.mean():+.2f} ± {change.std() / options.datasets**0.5:.2f}")
        each = " / ".join(f"{total / options.datasets:.1f}" for total in seconds)
        print(f"| {world} | {' | '.join(means)} | {each} |", flush=True)


if __name__ == "__main__":
    main()
