"""What the paper's solver costs: per restart, by the number of variables, by the number of rows, per constraint.

    python benchmarks/dcd.py                  # all of the below, some minutes
    python benchmarks/dcd.py restarts         # one restart at 4 and 10 variables, beside the published program
    python benchmarks/dcd.py growth           # up to 30 variables
    python benchmarks/dcd.py rows             # 1,000 and 1,000,000 rows
    python benchmarks/dcd.py constraints      # one evaluation of each constraint with its gradient
    python benchmarks/dcd.py weak             # how weak a c-tree must be for Greenery to miss it
    python benchmarks/dcd.py --abic-lingam    # beside lingam.ABICLiNGAM, which is installed into a cache folder first

The published program of the paper took 225 to 1632 seconds for one restart at 10 variables and 1000 rows, and 50 to 109
seconds for five restarts at 4 variables, on a machine of the same kind (DESIGN 4.3). Times are seconds of processor
time of one process, compilation not counted.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from pathlib import Path

import numpy as np

from lurking import Moments, simulate_admg
from lurking._errors import LurkingError
from lurking._typing import GRAPH_CLASSES, FloatArray, GraphClass
from lurking.baselines import ABICLiNGAM
from lurking.constraints import CONSTRAINTS, Arid, constraint_for
from lurking.constraints._dispatch import constraint_kernel
from lurking.search.differentiable import differentiable_discovery
from lurking.simulate import sparse_admg

PUBLISHED = {4: (10.0, 22.0), 10: (225.0, 1632.0)}  # seconds per restart


def warm_up() -> None:
    """Compile, or load what was compiled before."""
    differentiable_discovery(Moments(np.eye(3) + 0.3, 100), random_state=0)


def seconds_per_restart(moments: Moments, graph_class: GraphClass, seed: int) -> tuple[float, int]:
    start = time.process_time()
    result = differentiable_discovery(moments, graph_class, random_state=seed)
    return time.process_time() - start, sum(step.evaluations for step in result.trace)


def restarts(n_datasets: int) -> None:
    print(f"{'d':>3} {'class':<10} {'median s':>9} {'longest s':>10} {'evaluations':>12}   times faster than published")
    for d in (4, 10):
        for graph_class in GRAPH_CLASSES:
            times, evaluations = [], []
            for seed in range(n_datasets):
                truth_class: GraphClass = "ancestral" if graph_class == "ancestral" else "arid"
                simulation = simulate_admg(d, 1000, graph_class=truth_class, random_state=seed)
                taken, count = seconds_per_restart(Moments.from_table(simulation.data), graph_class, seed)
                times.append(taken)
                evaluations.append(count)
            low, high = (published / float(np.median(times)) for published in PUBLISHED[d])
            print(
                f"{d:>3} {graph_class:<10} {np.median(times):>9.3f} {max(times):>10.3f} {np.median(evaluations):>12.0f}"
                f"   {low:.0f} to {high:.0f}",
                flush=True,
            )


def growth() -> None:
    """Sparse graphs (average degree 3), so that the data stay well scaled at 30 variables."""
    print(f"{'d':>3} {'bow-free s':>11} {'ancestral s':>12} {'arid s':>9}     one restart, 1000 rows, average degree 3")
    for d in (5, 10, 15, 20, 25, 30):
        truth = sparse_admg(d, 3.0, graph_class="ancestral", random_state=d)
        moments = Moments.from_table(simulate_admg(truth, 1000, random_state=d).data)
        limits: dict[GraphClass, int] = {"bow-free": 30, "ancestral": 30, "arid": 20}
        cells = [
            f"{seconds_per_restart(moments, graph_class, d)[0]:.2f}" if d <= limit else "-"
            for graph_class, limit in limits.items()
        ]
        print(f"{d:>3} {cells[0]:>11} {cells[1]:>12} {cells[2]:>9}", flush=True)


def rows() -> None:
    print(f"{'n':>9} {'moments s':>10} {'bow-free s':>11} {'ancestral s':>12}")
    for n in (1_000, 1_000_000):
        simulation = simulate_admg(10, n, graph_class="ancestral", random_state=0)
        start = time.process_time()
        moments = Moments.from_table(simulation.data)
        reading = time.process_time() - start
        taken = [seconds_per_restart(moments, graph_class, 0)[0] for graph_class in ("bow-free", "ancestral")]
        print(f"{n:>9} {reading:>10.3f} {taken[0]:>11.3f} {taken[1]:>12.3f}", flush=True)


def constraints() -> None:
    print(
        f"{'constraint':<10} {'form':<12}" + "".join(f"{f'd = {d}':>12}" for d in (4, 10, 20, 30)) + "   microseconds"
    )
    for name in CONSTRAINTS:
        for form in ("power", "exponential"):
            cells = []
            for d in (4, 10, 20, 30):
                rng = np.random.default_rng(d)
                D = np.triu(rng.uniform(0, 0.3, (d, d)), 1)
                B = np.triu(rng.uniform(0, 0.1, (d, d)), 1)
                B = B + B.T
                out = np.empty((2, d, d))
                settings = constraint_for(name, form, 1 / d).settings()
                best = np.inf
                for _ in range(5):
                    start = time.perf_counter()
                    count = 0
                    while time.perf_counter() - start < 0.02:
                        constraint_kernel(settings, D, B, out[0], out[1])
                        count += 1
                    best = min(best, (time.perf_counter() - start) / count)
                cells.append(f"{1e6 * best:>12.1f}")
            print(f"{name:<10} {form:<12}" + "".join(cells), flush=True)


def weak() -> None:
    """Find the common size of all parameters of a c-tree below which Greenery is at most 1e-8."""
    print("size of the parameters below which h <= 1e-8")
    print(f"{'c-tree':<34} {'form':<12}" + "".join(f"{f'd = {d}':>9}" for d in (4, 6, 10, 15)))
    for name, tree in (
        ("bow (2 vertices of d)", c_tree_bow),
        ("Figure 1(e) (4 vertices of d)", c_tree_of_the_paper),
        ("spanning (all d vertices)", c_tree_spanning),
    ):
        for form in ("power", "exponential"):
            cells = []
            for d in (4, 6, 10, 15):
                arid = Arid(form)
                D, B = tree(d)
                low, high = 0.0, 4.0
                while high - low > 1e-3:
                    middle = (low + high) / 2
                    hidden = arid.value(middle**2 * D, middle**2 * B) <= 1e-8
                    low, high = (middle, high) if hidden else (low, middle)
                cells.append(f"{high:>9.2f}")
            print(f"{name:<34} {form:<12}" + "".join(cells), flush=True)


def c_tree_bow(d: int) -> tuple[FloatArray, FloatArray]:
    D, B = np.zeros((d, d)), np.zeros((d, d))
    D[0, 1] = B[0, 1] = B[1, 0] = 1.0
    return D, B


def c_tree_of_the_paper(d: int) -> tuple[FloatArray, FloatArray]:
    D, B = np.zeros((d, d)), np.zeros((d, d))
    D[0, 1] = D[1, 2] = D[2, 3] = 1.0
    for i, j in ((0, 2), (0, 3), (1, 3)):
        B[i, j] = B[j, i] = 1.0
    return D, B


def c_tree_spanning(d: int) -> tuple[FloatArray, FloatArray]:
    """Return a chain to the last vertex, a sibling of all but its parent, which is a sibling of the first."""
    D, B = np.diag(np.ones(d - 1), k=1), np.zeros((d, d))
    B[-1, : d - 2] = B[: d - 2, -1] = 1.0
    B[0, d - 2] = B[d - 2, 0] = 1.0
    return D, B


def lingam_interpreter() -> str:
    """Return an interpreter that has lingam, made once in the folder for temporary files."""
    home = Path(tempfile.gettempdir()) / "lurking-abic-lingam"
    python = home / "bin" / "python"
    if not python.exists():
        print(f"installing lingam into {home}", flush=True)
        venv.create(home, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "lingam>=1.13"], check=True)
    return str(python)


def abic_lingam(time_limit: float) -> None:
    """Run both on the same rows; lingam's time includes its start, about two seconds."""
    python = lingam_interpreter()
    print(f"{'d':>3} {'ours, 1 restart, s':>19} {'ABICLiNGAM(beta=1), s':>22} {'ratio':>9}")
    for d in (4, 6, 10):
        simulation = simulate_admg(d, 1000, graph_class="arid", random_state=d)
        moments = Moments.from_table(simulation.data)
        ours = float(np.median([seconds_per_restart(moments, "bow-free", seed)[0] for seed in range(5)]))
        start = time.perf_counter()
        try:
            ABICLiNGAM(python=python, time_limit=time_limit, beta=1.0).fit(simulation.data)
            bound = ""
        except LurkingError as error:
            if "did not finish" not in str(error):
                raise
            bound = "> "
        theirs = time.perf_counter() - start
        print(
            f"{d:>3} {ours:>19.3f} {bound + format(theirs, '.0f'):>22} {bound + format(theirs / ours, '.0f'):>9}",
            flush=True,
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=["restarts", "growth", "rows", "constraints", "weak"])
    parser.add_argument("--datasets", type=int, default=10)
    parser.add_argument("--abic-lingam", action="store_true", help="compare with lingam instead; installs it")
    parser.add_argument("--time-limit", type=float, default=300.0, help="seconds for each run of lingam")
    options = parser.parse_args()
    warm_up()
    if options.abic_lingam:
        abic_lingam(options.time_limit)
        return 0
    parts: dict[str, Callable[[], None]] = {
        "restarts": lambda: restarts(options.datasets),
        "growth": growth,
        "rows": rows,
        "constraints": constraints,
        "weak": weak,
    }
    for name, part in parts.items():
        if options.what in {None, name}:
            part()
            print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
