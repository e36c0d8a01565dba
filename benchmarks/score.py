"""How many graphs a second the district score fits, next to RICF in plain NumPy, and what compilation costs.

    python benchmarks/score.py                    # 10, 15 and 30 variables, about five minutes
    python benchmarks/score.py --variables 10     # one size
    python benchmarks/score.py --no-compilation   # leave out the start of fresh processes

Data and graphs follow the paper's simulation: edge probabilities 0.4 and 0.3, 1000 rows. Four kinds of work:

- *cold*: the true graph of each data set, from scratch;
- *far*: a random graph of the same density on the data of another one, from scratch. Such graphs fit badly, and their
  likelihood has several maxima and flat regions: the hardest case;
- *walk*: a random walk of single edge changes that begins at the true graph, every graph fitted from the last one;
- *moves*: all single edge changes of the true graph, which is what a search asks for at each step.

Plain NumPy is RICF with one matrix inversion per vertex, as in the textbook (tests/oracles/ricf_numpy.py), stopped when
a sweep gains less than 1e-6 in minus twice the log-likelihood or after 2000 sweeps, on some of the same graphs. Times
are processor seconds of one thread, so that other work on the machine matters little. The last column says how far the
scores of plain RICF are above ours, at most: where it is large, it ran out of sweeps or ended at a lower maximum.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from lurking import ADMG, Moments
from lurking._compile import compiled
from lurking.graphs.edge_kinds import edge_of
from lurking.search.kernels.moves import CLASS_CODE, may_set
from lurking.sem import Criterion
from lurking.sem.kernels.score_state import ScoredGraph, ScoreState, clear_cache
from lurking.sem.kernels.scores import change_delta, change_pair, score_graph
from lurking.sem.score import DistrictScore
from lurking.simulate import random_admg, simulate_admg

ROWS = 1000
REPEATS = 5
BOW_FREE = CLASS_CODE["bow-free"]


@compiled
def score_repeatedly(state: ScoreState, graph: ScoredGraph, warm: int, times: int) -> float:
    """Fit the whole graph several times; return its score."""
    score = 0.0
    for _ in range(times):
        score = score_graph(state, graph, warm)
    return score


@compiled
def random_walk(state: ScoreState, graph: ScoredGraph, changes: np.ndarray) -> int:
    """Make the changes that keep the graph acyclic; return how many graphs were fitted."""
    fitted = 0
    for k in range(changes.shape[0]):
        i, j, edge = changes[k, 0], changes[k, 1], changes[k, 2]
        now = edge_of(graph.directed, graph.bidirected, i, j)
        if edge != now and may_set(graph.directed, graph.bidirected, i, j, edge, BOW_FREE):
            change_pair(state, graph, i, j, edge)
            fitted += 1
    return fitted


@compiled
def all_moves(state: ScoreState, graph: ScoredGraph) -> int:
    """Score every single edge change; return their number."""
    scored = 0
    for i in range(graph.directed.shape[0]):
        for j in range(i + 1, graph.directed.shape[0]):
            now = edge_of(graph.directed, graph.bidirected, i, j)
            for edge in range(4):
                if edge != now and may_set(graph.directed, graph.bidirected, i, j, edge, BOW_FREE):
                    change_delta(state, graph, i, j, edge, np.inf)
                    scored += 1
    return scored


def random_changes(rng: np.random.Generator, d: int, length: int) -> np.ndarray:
    changes = np.array([(*sorted(rng.choice(d, 2, replace=False)), rng.integers(4)) for _ in range(length)])
    return np.ascontiguousarray(changes, dtype=np.int64)


def timed(function: object, *arguments: object) -> tuple[float, float]:
    start = time.process_time()
    result = function(*arguments)  # type: ignore[operator]
    return float(result), time.process_time() - start


def plain(moments: Moments, admg: ADMG) -> float:
    """Return minus twice the log-likelihood by RICF in plain NumPy."""
    from oracles.ricf_numpy import ricf_numpy

    return ricf_numpy(moments.cov, ROWS, admg.directed, admg.bidirected, tolerance=1e-6, max_sweeps=2000)[2]


def compare(d: int, n_datasets: int, n_plain: int, n_steps: int) -> None:
    rng = np.random.default_rng(d)
    simulations = [simulate_admg(d, ROWS, random_state=seed) for seed in range(n_datasets)]
    tables = [Moments.from_table(simulation.data) for simulation in simulations]
    truths = [simulation.sem.admg for simulation in simulations]
    strangers = [random_admg(d, random_state=1000 + seed) for seed in range(n_datasets)]
    scores = [
        DistrictScore(table, criterion=Criterion.linear("likelihood", d, parameter=0.0, edge=0.0)) for table in tables
    ]
    spent = dict.fromkeys(("cold", "far", "walk", "moves"), 0.0)
    counts = dict.fromkeys(spent, 0.0)
    slow, n_slow, excess = dict.fromkeys(spent, 0.0), dict.fromkeys(spent, 0), dict.fromkeys(spent, 0.0)

    def against_plain(kind: str, table: Moments, admg: ADMG, ours: float) -> None:
        if n_slow[kind] < n_plain:
            value, seconds = timed(plain, table, admg)
            slow[kind] += seconds
            n_slow[kind] += 1
            excess[kind] = max(excess[kind], value - ours)

    for score, table, truth, stranger in zip(scores, tables, truths, strangers, strict=True):
        far, at_truth = score.scored_graph(stranger), score.scored_graph(truth)
        for kind, graph, admg in (("far", far, stranger), ("cold", at_truth, truth)):
            score_graph(score.state, graph, 0)  # the first use of new memory is slow
            value, seconds = timed(score_repeatedly, score.state, graph, 0, REPEATS)
            spent[kind] += seconds
            counts[kind] += REPEATS
            against_plain(kind, table, admg, value)
        clear_cache(score.state)
        scored, seconds = timed(all_moves, score.state, at_truth)
        spent["moves"] += seconds
        counts["moves"] += scored
        clear_cache(score.state)
        for changes in np.array_split(random_changes(rng, d, n_steps), 4):
            steps, seconds = timed(random_walk, score.state, at_truth, changes)
            spent["walk"] += seconds
            counts["walk"] += steps
            here = ADMG(table.names, at_truth.directed, at_truth.bidirected)
            against_plain("walk", table, here, float(at_truth.local[np.unique(at_truth.district), 0].sum()))
    slow["moves"], n_slow["moves"] = slow["cold"], n_slow["cold"]  # a neighbour costs plain RICF what the graph does
    for kind in spent:
        rate, plain_rate = counts[kind] / spent[kind], n_slow[kind] / slow[kind]
        print(
            f"{d:>3} {kind:<6} {counts[kind]:>7.0f} {rate:>12,.0f} {1e6 / rate:>10,.0f} {plain_rate:>12,.2f}"
            f" {rate / plain_rate:>9,.0f} {excess[kind]:>10.2g}"
        )


def fresh_process(cache: str) -> tuple[float, float]:
    """Return wall-clock and processor seconds of a process that imports lurking and scores a graph."""
    command = (
        "import time; import numpy as np; "
        "from lurking import ADMG, Moments; from lurking.sem import DistrictScore, ricf; "
        "m = Moments(np.eye(4) + 0.3, 100, list('ABCD')); g = ADMG.parse('A -> B <-> C <- D'); ricf(m, g); "
        "DistrictScore(m).score(g); print(time.process_time())"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache, "PYTHONWARNINGS": "ignore"}
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", command], env=environment, capture_output=True, check=True, text=True)
    wall = time.perf_counter() - start
    said = "says so" if "Compiling" in done.stderr else "is silent"
    print(f"    {wall:.2f} s wall clock, {float(done.stdout):.2f} s of processor time; {said} on stderr")
    return wall, float(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variables", type=int, nargs="*", default=[10, 15, 30])
    parser.add_argument("--no-compilation", action="store_true")
    options = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    if not options.no_compilation:
        with tempfile.TemporaryDirectory() as cache:
            print("first call after installation (import, compilation, one ricf, one score):")
            fresh_process(cache)
            print("start of a later process, the same work:")
            fresh_process(cache)
    warm_up = DistrictScore(Moments(np.eye(3) + 0.2, 100))
    graph = warm_up.scored_graph(ADMG.parse("X1 <-> X2; X3", names=warm_up.moments.names))
    score_repeatedly(warm_up.state, graph, 0, 1)
    all_moves(warm_up.state, graph)
    random_walk(warm_up.state, graph, random_changes(np.random.default_rng(0), 3, 2))
    print(f"cache of DistrictScore: {warm_up.cache_bytes / 2**20:.0f} MB for {2**18:,} districts; it does not grow")
    print("  d work    graphs     graphs/s   us/graph      NumPy/s     ratio     excess")
    sizes = {10: (20, 20, 200), 15: (8, 8, 120), 30: (2, 2, 40)}
    with threadpool_limits(1):
        for d in options.variables:
            compare(d, *sizes.get(d, (5, 5, 100)))


if __name__ == "__main__":
    main()
