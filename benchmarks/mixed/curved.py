"""Curved effects of numeric columns by three Legendre polynomials of their mid-ranks, a block for each column.

Run ``python -m benchmarks.mixed.curved --datasets 5``. Each numeric column becomes a variable of three columns
(:mod:`lurking.data.curved`). The worlds are random DAGs with hidden causes
in which every effect is ``straight``, or ``curved`` (the square of the cause beside the cause itself, equally strong).
The figure is the distance from the true PAG, of the search on these blocks and of the usual one.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import pandas as pd

from lurking import ADMGDiscovery, compare
from lurking._typing import FloatArray
from lurking.data import curved_moments
from lurking.graphs import PAG
from lurking.simulate import random_hidden_dag


def simulated(world: str, d: int, n: int, seed: int) -> tuple[pd.DataFrame, PAG]:
    """Draw a table and its true PAG."""
    rng = np.random.default_rng(seed)
    dag = random_hidden_dag(d, d // 3, average_degree=2.0, random_state=rng)
    graph = dag.dag
    drawn: dict[str, FloatArray] = {}
    for name in graph.topological_order():
        total = rng.normal(size=n)
        for cause in sorted(graph.parents(name)):
            strength = rng.uniform(0.5, 1.2) * rng.choice([-1.0, 1.0])
            shape = drawn[cause]
            if world == "curved":
                shape = (shape + (shape**2 - 1.0) / np.sqrt(2.0)) / np.sqrt(2.0)
            total = total + strength * shape
        drawn[name] = (total - total.mean()) / total.std()
    return pd.DataFrame({name: drawn[name] for name in dag.observed}), dag.latent_projection().to_pag()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--variables", type=int, default=6)
    parser.add_argument("--rows", type=int, nargs="+", default=[300, 1000])
    parser.add_argument("--datasets", type=int, default=6)
    options = parser.parse_args()
    print("| world | rows | blocks | usual | blocks - usual | seconds, blocks / usual |\n|---|---|---|---|---|---|")
    for world in ("straight", "curved"):
        for n in options.rows:
            distances, seconds = np.zeros((2, options.datasets)), np.zeros(2)
            for seed in range(options.datasets):
                table, truth = simulated(world, options.variables, n, seed)
                for k, given in enumerate((curved_moments(table), table)):
                    start = time.process_time()
                    found = ADMGDiscovery(random_state=0, n_restarts=1).fit(given).pag_
                    seconds[k] += time.process_time() - start
                    distances[k, seed] = compare(truth, found).pag_shd
            change = distances[0] - distances[1]
            error = change.std() / max(options.datasets - 1, 1) ** 0.5
            print(
                f"| {world} | {n} | {distances[0].mean():.2f} | {distances[1].mean():.2f} | {change.mean():+.2f} ± "
                f"{error:.2f} | {seconds[0] / options.datasets:.1f} / {seconds[1] / options.datasets:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
