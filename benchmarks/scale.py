"""How time, memory and accuracy of a whole ``lurking discover`` grow with the number of variables.

    python -m benchmarks.scale                                    # 20, 50, 100 and 200 variables, three data sets each
    python -m benchmarks.scale --variables 500 --datasets 1 --time-budget 900
    python -m benchmarks.scale --tetrad-python /path/to/python    # with the rivals of tetrad-port beside it
    python -m benchmarks.scale --variables 20 50 --what-more-brings    # twice the rounds, and a polish with every move

The data are those of the world ``hidden`` of the accuracy benchmark: a random sparse DAG with two, three or four
neighbours for each variable, one hidden variable for five measured ones, 1000 standardised rows.

Each run is a process of its own, ``lurking discover`` from a CSV file to the report. Its elapsed and processor seconds
include the start of Python and reading the compiled kernels, which must have been compiled before; its memory is the
largest one resident. Beside it are the processor seconds of the order-based DAG search on the same data, with the same
price of an edge and the default number of climbs, and the ratio of the two. The rivals are the strongest of the
accuracy benchmark on such data: BOSS at price 2 and its PAG, and BOSS-FCI at price 2, both of tetrad-port. PAG SHD
counts the pairs on which the PAG of the answer differs from that of the truth.

Every run is a row of ``results.csv``, and what is there is not run again; ``tables.md`` is made from all rows.
"""

from __future__ import annotations

import argparse
import csv
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
from lurking.baselines.tetrad_port import TetradPort, run_together
from lurking.discovery import read_result
from lurking.errors import LurkingError
from lurking.search import reinsertion
from lurking.search.hybrid import hybrid_search
from lurking.search.order_based import best_dag
from lurking.search.search_plan import default_rounds
from lurking.sem.criterion import criterion_for
from lurking.simulate import Simulation

N_ROWS = 1000
OURS, DAG = "lurking discover", "order-based DAG search"
RIVALS = {
    "BOSS, price 2, then its PAG": TetradPort("boss", penalty_discount=2.0, n_starts=10),
    "BOSS-FCI .01, price 2": TetradPort("boss_fci", penalty_discount=2.0, n_starts=10),
}
LIMIT = 900.0  # seconds for the rivals on one data set


class Outcome(NamedTuple):
    """One method on one data set; a row of the results."""

    d: int
    seed: int
    budget: str
    method: str
    elapsed: str
    processor: str
    megabytes: str
    pag_shd: str
    load: str
    """The load of the machine when it began, over one minute."""


def whole_discover(simulation: Simulation, d: int, seed: int, jobs: int, budget: float | None) -> Outcome:
    """Run ``lurking discover`` on a data set in a process of its own."""
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "data.csv"
        simulation.data.to_csv(table, index=False)
        command = [sys.executable, "-m", "lurking.cli", "discover", str(table), "--out", folder, "--quiet"]
        command += ["--seed", "0", "--jobs", str(jobs)]
        command += [] if budget is None else ["--time-budget", str(budget)]
        began = time.monotonic()
        process = subprocess.Popen(command)
        _, status, used = os.wait4(process.pid, 0)
        elapsed = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise RuntimeError(f"lurking discover ended with status {process.returncode} at {d} variables")
        found = read_result(Path(folder) / "result.json").admg
    if not found.is_bow_free():
        raise RuntimeError(f"the answer for {d} variables is not bow-free")
    return Outcome(
        d=d,
        seed=seed,
        budget="" if budget is None else f"{budget:g}",
        method=OURS,
        elapsed=f"{elapsed:.1f}",
        processor=f"{used.ru_utime + used.ru_stime:.1f}",
        megabytes=f"{used.ru_maxrss / 1024.0:.0f}",
        pag_shd=str(compare(simulation.admg, found).pag_shd),
        load=f"{load:.1f}",
    )


def dag_search(simulation: Simulation, d: int, seed: int) -> Outcome:
    """Run the order-based search alone."""
    load, moments = os.getloadavg()[0], Moments.from_table(simulation.data)
    price = criterion_for("marginal", N_ROWS, d).price_of_arrow(N_ROWS, d)
    best_dag(Moments.from_table(simulation.data.iloc[:, :5]), price=price, random_state=0)  # reads the compiled kernels
    began, at = time.process_time(), time.monotonic()
    dag = best_dag(moments, price=price, random_state=0).admg
    elapsed, processor = time.monotonic() - at, time.process_time() - began
    shd = str(compare(simulation.admg, dag).pag_shd)
    return Outcome(d, seed, "", DAG, f"{elapsed:.2f}", f"{processor:.2f}", "", shd, f"{load:.1f}")


def rivals(simulation: Simulation, d: int, seed: int, python: str) -> list[Outcome]:
    """Run the rivals, one after the other; one that does not end in time has no numbers."""
    outcomes = []
    for name, learner in RIVALS.items():
        load = os.getloadavg()[0]
        try:
            (answer,) = run_together(simulation.data, [learner], python=python, time_limit=LIMIT)
        except LurkingError as error:
            print(f"{name}: {error}", flush=True)
            outcomes.append(Outcome(d, seed, "", name, "", "", "", "", f"{load:.1f}"))
            continue
        truth = simulation.admg.to_pag()
        shd = str(compare(truth, answer.pag if answer.dag is None else answer.dag).pag_shd)
        outcomes.append(Outcome(d, seed, "", name, "", f"{answer.seconds:.2f}", "", shd, f"{load:.1f}"))
    return outcomes


def run_all(options: argparse.Namespace) -> None:
    """Run what is not there yet, and write the tables."""
    path: Path = options.out / "results.csv"
    rows = read_rows(path)
    have = {(row.d, row.seed, row.budget, row.method) for row in rows}
    budget = "" if options.time_budget is None else f"{options.time_budget:g}"
    for d in options.variables:
        for seed in range(options.datasets):
            simulation = simulated(Cell("hidden", d, N_ROWS), seed)
            new: list[Outcome] = []
            if (d, seed, budget, OURS) not in have:
                new.append(whole_discover(simulation, d, seed, options.jobs, options.time_budget))
            if (d, seed, "", DAG) not in have:
                new.append(dag_search(simulation, d, seed))
            if options.tetrad_python and any((d, seed, "", name) not in have for name in RIVALS):
                new += rivals(simulation, d, seed, options.tetrad_python)
            for row in new:
                print(*row, sep=", ", flush=True)
            rows += new
            write_rows(path, rows)
    text = tables(rows)
    (options.out / "tables.md").write_text(text, encoding="utf-8")
    print(text)


def read_rows(path: Path) -> list[Outcome]:
    """Return the rows that are there."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return [Outcome(int(d), int(seed), *rest) for d, seed, *rest in list(csv.reader(file))[1:]]


def write_rows(path: Path, rows: list[Outcome]) -> None:
    """Write all rows, ordered."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Outcome._fields)
        rows = sorted(rows, key=lambda row: (row.d, row.seed, row.budget, row.method))
        writer.writerows(rows)


def tables(rows: list[Outcome]) -> str:
    """Return the tables as Markdown: the cost of the whole command, and the accuracy beside that of the rivals."""
    cells = sorted({(row.d, row.budget) for row in rows if row.method == OURS})
    cost = [
        "**Time and memory of the whole command, from file to report** (means over the data sets; memory: the largest)",
        "",
        "| variables | data sets | elapsed s | processor s | MB | DAG search s | ratio of processor times |",
        "|---|---|---|---|---|---|---|",
    ]
    accuracy = [
        "**PAG SHD, one number for each data set**",
        "",
        f"| variables | {OURS} | {DAG} | {' | '.join(RIVALS)} | processor s of the rivals |",
        f"|---|---|---|{'---|' * len(RIVALS)}---|",
    ]
    times = []
    for d, budget in cells:
        ours = [row for row in rows if (row.d, row.budget, row.method) == (d, budget, OURS)]
        seeds = {row.seed for row in ours}
        beside = {
            name: [row for row in rows if row.d == d and row.method == name and row.seed in seeds]
            for name in (DAG, *RIVALS)
        }
        elapsed, processor = (np.mean([float(getattr(row, key)) for row in ours]) for key in ("elapsed", "processor"))
        dag = np.mean([float(row.processor) for row in beside[DAG]])
        memory = max(int(row.megabytes) for row in ours)
        words = f"{d}, `--time-budget {budget}`" if budget else str(d)
        numbers = (f"{elapsed:.0f}", f"{processor:.1f}", str(memory), f"{dag:.2f}", f"{processor / dag:.1f}")
        cost.append(f"| {words} | {len(ours)} | {' | '.join(numbers)} |")
        shds = [_shds(found) for found in (ours, *beside.values())]
        seconds = [_seconds(beside[name]) for name in RIVALS]
        accuracy.append(f"| {words} | {' | '.join(shds)} | {'; '.join(filter(None, seconds))} |")
        if 20 <= d <= 200 and not budget:
            times.append((d, processor))
    text = [*cost, ""]
    loads = [float(row.load) for row in rows if row.method == OURS]
    text += [f"Load of the machine of two cores when a run began: {min(loads):.1f} to {max(loads):.1f}.", ""]
    if len(times) > 1:
        middle = np.log(np.array(times, dtype=float))
        exponent = np.polyfit(middle[:, 0], middle[:, 1], 1)[0]
        text += [f"Processor time grows with d to the power {exponent:.2f} between 20 and 200.", ""]
    return "\n".join([*text, *accuracy]) + "\n"


def _shds(found: list[Outcome]) -> str:
    """Return the mean over the data sets, and all numbers."""
    numbers = [int(row.pag_shd) for row in sorted(found, key=lambda row: row.seed) if row.pag_shd]
    if not numbers:
        return "not in time" if found else ""
    return f"**{np.mean(numbers):.1f}** ({', '.join(map(str, numbers))})"


def _seconds(found: list[Outcome]) -> str:
    seconds = [float(row.processor) for row in found if row.processor]
    return f"{np.mean(seconds):.1f}" if seconds else f"more than {LIMIT:.0f}" if found else ""


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
    parser.add_argument("--datasets", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=2, help="chains that run at the same time")
    parser.add_argument("--time-budget", type=float, help="seconds for each run")
    parser.add_argument(
        "--tetrad-python",
        default=os.environ.get("LURKING_TETRAD_PYTHON"),
        help="the interpreter of an environment with tetrad-port; without it there are no rivals",
    )
    parser.add_argument("--out", type=Path, default=Path("results/scale"))
    parser.add_argument("--what-more-brings", action="store_true")
    options = parser.parse_args()
    (what_more_brings if options.what_more_brings else run_all)(options)


if __name__ == "__main__":
    main()
