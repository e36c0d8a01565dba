"""How long the search over orders takes, and how good its graphs are, from 10 to 500 variables.

    python benchmarks/orders.py                            # 10, 20, 50, 100 and 200 variables
    python benchmarks/orders.py --large --datasets 1       # 500 as well
    python benchmarks/orders.py --climbs 1 5 20 50         # what more climbs are worth
    python benchmarks/orders.py --tetrad PYTHON            # BOSS beside it, by an interpreter that has tetrad-port

The data: a random DAG in which a measured variable has three measured neighbours on average, one hidden variable with
two or three children for every five measured ones, coefficients of either sign from 0.3 to 1, 1000 standardised rows.
Times are processor seconds of the one thread that works; beside them is what they are as a multiple of inverting the
correlation matrix. "Above" is the BIC, with the penalty that was searched with, above the best of the lines on the same
data; PAG SHD is the number of pairs on which the PAG of the DAG differs from that of the truth, up to ``--pag``
variables, because PAGs of large graphs take longer than the search. The equivalence class that BOSS returns is
completed to a DAG.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from lurking import ADMG, Moments, compare
from lurking._typing import BoolMatrix, FloatArray
from lurking.search.order_based import best_dag
from lurking.simulate.hidden import random_hidden_dag

N_ROWS = 1000
RIVAL = """
import json, sys, time
import numpy as np, pandas as pd
from tetrad_port import TetradPort
rows = np.load(sys.argv[1])
frame = pd.DataFrame(rows, columns=[f"V{i + 1}" for i in range(rows.shape[1])])
began = time.process_time()
found = TetradPort().run_boss(frame, penalty_discount=float(sys.argv[2]))[0]
print(json.dumps([time.process_time() - began, [str(edge) for edge in found["edges"]]]))
"""


class MethodOutcome(NamedTuple):
    """A DAG with the processor seconds that it took."""

    seconds: float
    dag: ADMG


def hidden_data(d: int, seed: int) -> tuple[ADMG, FloatArray]:
    """Return the latent projection of a random DAG and standardised rows."""
    rng = np.random.default_rng([d, seed])
    hidden = random_hidden_dag(d, d // 5, average_degree=3.0, max_children=3, random_state=rng)
    directed = hidden.dag.directed
    coef = directed * rng.uniform(0.3, 1.0, directed.shape) * rng.choice([-1.0, 1.0], directed.shape)
    errors = rng.normal(size=(N_ROWS, len(coef)))
    rows = np.linalg.solve((np.eye(len(coef)) - coef).T, errors.T).T[:, :d]
    return hidden.latent_projection(), (rows - rows.mean(axis=0)) / rows.std(axis=0)


def bic(moments: Moments, dag: ADMG) -> float:
    """Return the BIC of a DAG, by one regression for each variable."""
    n, total = moments.n_samples, 0.0
    for vertex in range(moments.n_variables):
        p = np.flatnonzero(dag.directed[:, vertex])
        explained = moments.cov[vertex, p] @ np.linalg.solve(moments.cov[np.ix_(p, p)], moments.cov[p, vertex])
        variance = moments.cov[vertex, vertex] - explained
        total += n * (math.log(2.0 * math.pi * variance) + 1.0) + math.log(n) * (len(p) + 1)
    return total


def ours(moments: Moments, n_restarts: int, discount: float) -> MethodOutcome:
    began = time.process_time()
    dag = best_dag(moments, n_restarts=n_restarts, penalty_discount=discount, random_state=0).admg
    return MethodOutcome(time.process_time() - began, dag)


def boss(python: str, rows: FloatArray, discount: float, names: Sequence[str]) -> MethodOutcome:
    """Run the other program in its own interpreter."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.npy"
        np.save(path, rows)
        command = [python, "-c", RIVAL, str(path), str(discount)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    seconds, edges = json.loads(said.strip().splitlines()[-1])
    d = rows.shape[1]
    directed, undirected = np.zeros((d, d), dtype=bool), np.zeros((d, d), dtype=bool)
    for edge in edges:
        parts = re.search(r"V(\d+) (<--|-->|---) V(\d+)", edge)
        if parts is None:
            raise ValueError(f"BOSS returned an edge that is neither directed nor undirected: {edge}")
        i, j = int(parts[1]) - 1, int(parts[3]) - 1
        if parts[2] == "---":
            undirected[i, j] = undirected[j, i] = True
        else:
            directed[(i, j) if parts[2] == "-->" else (j, i)] = True
    return MethodOutcome(seconds, ADMG(names, extended(directed, undirected), np.zeros((d, d), dtype=bool)))


def extended(directed: BoolMatrix, undirected: BoolMatrix) -> BoolMatrix:
    """Complete an equivalence class to one of its DAGs (Dor and Tarsi 1992).

    Again and again a vertex is taken away that is no cause, and whose undirected neighbours are adjacent to all its
    other neighbours; its undirected edges point at it.
    """
    found, left = directed.copy(), np.ones(len(directed), dtype=bool)
    while left.any():
        for v in np.flatnonzero(left):
            if (directed[v] & left).any():
                continue
            near = undirected[v] & left
            around = near | (directed[:, v] & left)
            adjacent = directed | directed.T | undirected | np.eye(len(directed), dtype=bool)
            if adjacent[np.ix_(near, around)].all():
                found[near, v], left[v] = True, False
                break
        else:
            raise ValueError("BOSS returned a graph that is no equivalence class of DAGs.")
    return found


def inversion(correlation: FloatArray) -> float:
    """Return the processor seconds of inverting a matrix."""
    times = []
    for _ in range(5):
        began = time.process_time()
        for _ in range(3):
            np.linalg.inv(correlation)
        times.append((time.process_time() - began) / 3)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--variables", type=int, nargs="*", default=[10, 20, 50, 100, 200])
    parser.add_argument("--large", action="store_true", help="500 variables as well")
    parser.add_argument("--datasets", type=int, default=2)
    parser.add_argument("--climbs", type=int, nargs="*", default=[50])
    parser.add_argument("--penalty-discount", type=float, default=2.0)
    parser.add_argument("--pag", type=int, default=100, help="variables up to which PAGs are compared")
    parser.add_argument("--tetrad", metavar="PYTHON")
    options = parser.parse_args()
    discount = options.penalty_discount
    began = time.process_time()
    best_dag(Moments(np.eye(3), 10, ["A", "B", "C"]), n_restarts=1, random_state=0)
    print(f"first call: {time.process_time() - began:.1f} s (compilation, if it was not kept from before)")
    print(f"{'d':>4} {'search':12} {'seconds':>9} {'x inverse':>9} {'above':>10} {'edges':>6} {'PAG SHD':>8}")
    times: dict[str, list[tuple[int, float]]] = {}
    for d in [*options.variables, *([500] if options.large else [])]:
        lines: dict[str, list[tuple[float, ...]]] = {}
        for seed in range(options.datasets):
            truth, rows = hidden_data(d, seed)
            moments = Moments.from_table(rows, names=list(truth.names))
            found = {f"{k} climbs": ours(moments, k, discount) for k in options.climbs}
            if options.tetrad:
                found["BOSS"] = boss(options.tetrad, rows, discount, truth.names)
            scores = {name: bic(moments, one.dag) + (discount - 1.0) * math.log(N_ROWS) * one.dag.n_edges
                      for name, one in found.items()}  # fmt: skip
            inverse = inversion(moments.correlation)
            for name, one in found.items():
                shd = compare(truth, one.dag).pag_shd if d <= options.pag else math.nan
                above = scores[name] - min(scores.values())
                lines.setdefault(name, []).append((one.seconds, one.seconds / inverse, above, one.dag.n_edges, shd))
        for name, values in lines.items():
            seconds, ratio, above, edges, shd = np.mean(values, axis=0)
            times.setdefault(name, []).append((d, float(seconds)))
            print(f"{d:4} {name:12} {seconds:9.3f} {ratio:9.0f} {above:10.1f} {edges:6.1f} {shd:8.1f}", flush=True)
    for name, pairs in times.items():
        middle = np.array([(d, seconds) for d, seconds in pairs if 20 <= d <= 200 and seconds > 0])
        if len(middle) > 1:
            exponent = np.polyfit(np.log(middle[:, 0]), np.log(middle[:, 1]), 1)[0]
            print(f"{name}: the time grows with d to the power {exponent:.2f} between 20 and 200")


if __name__ == "__main__":
    main()
