"""How the baselines do on the paper's simulation, beside the paper's Table 1 (10 variables) or Table E (15).

Run ``python benchmarks/baselines.py``. Truths are random arid (left half of the tables) or ancestral (right half)
graphs, 1000 rows each, data set k from seed k. Skeleton of the true ADMG, arrowheads and tails of the true PAG, as true
positive and false discovery rate, mean over the data sets with the standard error; and seconds per data set. All
methods see correlations only, so standardising the data changes nothing.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from lurking import compare, simulate_admg
from lurking._typing import FloatArray, GraphClass
from lurking.baselines import FCI, GFCI, M3HC, Baseline, DAGThenPAG, GreedyBAP, GreedySPo
from lurking.simulate import Simulation

MEASURES = ("skeleton", "arrowhead", "tail")
METHODS: dict[str, Baseline] = {
    "FCI": FCI(),
    "FCI without Possible-D-SEP": FCI(possible_d_sep=False),
    "GFCI": GFCI(random_state=0),
    "GFCI without Possible-D-SEP": GFCI(possible_d_sep=False, random_state=0),
    "GreedySPo, one run": GreedySPo(n_runs=1, random_state=0),
    "GreedySPo": GreedySPo(random_state=0),
    "M3HC": M3HC(),
    "DAG, then PAG": DAGThenPAG(random_state=0),
    "GreedyBAP": GreedyBAP(random_state=0),
}
PAPER: dict[tuple[str, int], dict[str, tuple[float, ...]]] = {
    ("arid", 10): {
        "paper: greedyBAP": (0.80, 0.30, 0.41, 0.58, 0.11, 0.65),
        "paper: its method, bow-free": (0.89, 0.17, 0.72, 0.29, 0.30, 0.45),
    },
    ("ancestral", 10): {
        "paper: FCI": (0.51, 0.12, 0.41, 0.53, 0.10, 0.73),
        "paper: greedySPo": (0.88, 0.27, 0.46, 0.59, 0.32, 0.81),
        "paper: its method, ancestral": (0.85, 0.11, 0.72, 0.23, 0.66, 0.47),
    },
    ("arid", 15): {
        "paper: greedyBAP": (0.80, 0.27, 0.28, 0.53, 0.02, 0.42),
        "paper: its method, bow-free": (0.83, 0.15, 0.69, 0.23, 0.26, 0.41),
    },
    ("ancestral", 15): {
        "paper: FCI": (0.29, 0.11, 0.24, 0.56, 0.05, 0.74),
        "paper: greedySPo": (0.87, 0.23, 0.41, 0.62, 0.31, 0.88),
        "paper: its method, ancestral": (0.77, 0.09, 0.66, 0.24, 0.62, 0.68),
    },
}


def rates(learner: Baseline, simulation: Simulation) -> list[float]:
    found = learner.fit(simulation.data)
    row = compare(simulation.admg, getattr(found, "admg_", found.pag_)).to_dict()
    return [row[f"{measure}_{rate}"] for measure in MEASURES for rate in ("tpr", "fdr")]


def line(name: str, mean: FloatArray, error: FloatArray | None, seconds: float | None) -> str:
    cells = [f"{m:.2f}" + ("" if error is None else f" ±{error[k]:.2f}") for k, m in enumerate(mean)]
    return f"{name:30}" + "".join(f"{cell:15}" for cell in cells) + ("" if seconds is None else f"{seconds:6.2f}")


def table(graph_class: GraphClass, d: int, n_datasets: int, methods: dict[str, Baseline]) -> None:
    print(f"\n{graph_class} truths, {d} variables, 1000 rows, {n_datasets} data sets")
    print(f"{'':30}" + "".join(f"{f'{m} {r}':15}" for m in MEASURES for r in ("tpr", "fdr")) + " seconds")
    simulations = [simulate_admg(d, 1000, graph_class=graph_class, random_state=seed) for seed in range(n_datasets)]
    for name, learner in methods.items():
        learner.fit(simulations[0].data)  # compile
        start = time.perf_counter()
        rows = np.array([rates(learner, simulation) for simulation in simulations])
        seconds = (time.perf_counter() - start) / n_datasets
        error = np.nanstd(rows, axis=0, ddof=1) / np.sqrt(n_datasets)
        print(line(name, np.nanmean(rows, axis=0), error, seconds), flush=True)
    for name, values in PAPER.get((graph_class, d), {}).items():
        print(line(name, np.array(values), None, None))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--datasets", type=int, default=20)
    parser.add_argument("--variables", type=int, default=10)
    parser.add_argument("--methods", nargs="*", default=list(METHODS), choices=list(METHODS), metavar="NAME")
    options = parser.parse_args()
    chosen = {name: METHODS[name] for name in options.methods}
    for graph_class in ("ancestral", "arid"):
        table(graph_class, options.variables, options.datasets, chosen)


if __name__ == "__main__":
    main()
