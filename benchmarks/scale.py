"""How time, memory and accuracy of a whole ``lurking discover`` grow with the number of variables.

    python -m benchmarks.scale                                    # 20, 50, 100 and 200 variables, two data sets each
    python -m benchmarks.scale --variables 500 --datasets 1 --time-budget 900
    python -m benchmarks.scale --variables 20 50 --what-more-brings    # twice the rounds, and a polish with every move

The data are those of the world ``hidden`` of the accuracy benchmark: a random sparse DAG with two, three or four
neighbours for each variable, one hidden variable for five measured ones, 1000 standardised rows.

Each run is a process of its own, ``lurking discover`` from a CSV file to the report. Its elapsed and processor seconds
include the start of Python and reading the compiled kernels, which must have been compiled before; its memory is the
largest one resident. Beside it are the processor seconds of the order-based DAG search on the same data, with the same
price of an edge and the default number of climbs, and the ratio of the two. PAG SHD counts the pairs on which the PAG
of the answer differs from that of the truth.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from benchmarks.accuracy.worlds import Cell, simulated

from lurking import Moments, compare
from lurking.discovery import read_result
from lurking.search import reinsertion
from lurking.search.hybrid import hybrid_search
from lurking.search.order_based import best_dag
from lurking.search.search_plan import default_rounds
from lurking.sem.criterion import criterion_for

N_ROWS = 1000


class Outcome(NamedTuple):
    """One run of the command, and the DAG search beside it."""

    elapsed: float
    processor: float
    megabytes: float
    dag: float
    pag_shd: int


def whole_discover(d: int, seed: int, jobs: int, time_budget: float | None) -> Outcome:
    """Run ``lurking discover`` on a data set in a process of its own."""
    simulation = simulated(Cell("hidden", d, N_ROWS), seed)
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "data.csv"
        simulation.data.to_csv(table, index=False)
        command = [sys.executable, "-m", "lurking.cli", "discover", str(table), "--out", folder, "--quiet"]
        command += ["--seed", "0", "--jobs", str(jobs)]
        command += [] if time_budget is None else ["--time-budget", str(time_budget)]
        began = time.monotonic()
        process = subprocess.Popen(command)
        _, status, used = os.wait4(process.pid, 0)
        elapsed = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise RuntimeError(f"lurking discover ended with status {process.returncode} at {d} variables")
        found = read_result(Path(folder) / "result.json").admg
    moments = Moments.from_table(simulation.data)
    began = time.process_time()
    best_dag(moments, price=criterion_for("marginal", N_ROWS, d).price_of_arrow(N_ROWS, d), random_state=0)
    dag = time.process_time() - began
    shd = compare(simulation.admg, found).pag_shd
    return Outcome(elapsed, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024.0, dag, shd)


def table(options: argparse.Namespace) -> None:
    """Print a line for each number of variables, and the power with which the time grows."""
    print(f"{'d':>4} {'elapsed s':>10} {'processor s':>12} {'MB':>6} {'DAG s':>8} {'ratio':>6}  PAG SHD", flush=True)
    times = []
    for d in options.variables:
        runs = [whole_discover(d, seed, options.jobs, options.time_budget) for seed in range(options.datasets)]
        elapsed, processor, _, dag, _ = np.mean(runs, axis=0)
        memory = max(run.megabytes for run in runs)
        shds = " ".join(str(run.pag_shd) for run in runs)
        print(
            f"{d:4} {elapsed:10.1f} {processor:12.1f} {memory:6.0f} {dag:8.2f} {processor / dag:6.1f}  {shds}",
            flush=True,
        )
        times.append((d, processor))
    middle = np.array([(d, seconds) for d, seconds in times if 20 <= d <= 200])
    if len(middle) > 1:
        exponent = np.polyfit(np.log(middle[:, 0]), np.log(middle[:, 1]), 1)[0]
        print(f"Processor time grows with d to the power {exponent:.2f} between 20 and 200.")


def what_more_brings(options: argparse.Namespace) -> None:
    """Print the best score and the time of the search as it is, with twice the rounds, and with a full polish."""
    print(f"{'d':>4} {'data':>4} {'search':14} {'processor s':>12} {'score above':>12} {'PAG SHD':>8}", flush=True)
    for d in options.variables:
        for seed in range(options.datasets):
            simulation = simulated(Cell("hidden", d, N_ROWS), seed)
            moments = Moments.from_table(simulation.data)
            found = {}
            for name, rounds, most_tried in (("as it is", 1, None), ("2 x rounds", 2, None), ("full polish", 1, d)):
                before = reinsertion.MOST_TRIED_WHOLLY
                reinsertion.MOST_TRIED_WHOLLY = before if most_tried is None else most_tried
                began = time.process_time()
                result = hybrid_search(moments, n_rounds=rounds * default_rounds(d, "bow-free"), random_state=0)
                found[name] = (time.process_time() - began, result)
                reinsertion.MOST_TRIED_WHOLLY = before
            least = min(result.score for _, result in found.values())
            for name, (seconds, result) in found.items():
                shd = compare(simulation.admg, result.central).pag_shd
                print(f"{d:4} {seed:4} {name:14} {seconds:12.1f} {result.score - least:12.2f} {shd:8}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variables", type=int, nargs="*", default=[20, 50, 100, 200])
    parser.add_argument("--datasets", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=2, help="chains that run at the same time")
    parser.add_argument("--time-budget", type=float, help="seconds for each search")
    parser.add_argument("--what-more-brings", action="store_true")
    options = parser.parse_args()
    (what_more_brings if options.what_more_brings else table)(options)


if __name__ == "__main__":
    main()
