"""Check that 95 % intervals of total effects contain the truth in 95 % of the data sets.

Run ``python benchmarks/effects_coverage.py``. For each graph, 1000 data sets of 1000 rows are drawn, with new
parameters in the paper's ranges each time; the graph that generated the data is fitted, and it is counted how often the
interval of each total and direct effect contains the true value. The exit code is 1 if the coverage over all effects of
a graph is outside 93 % to 97 %.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict

import numpy as np

from lurking import ADMG, Moments
from lurking.sem import causal_effects
from lurking.simulate.parameters import draw_parameters
from lurking.simulate.random_graphs import random_admg

GRAPHS = {
    "figure 1(c)": ADMG.parse("A -> C -> D -> B; A <-> B; A <-> D"),
    "Verma and Pearl": ADMG.parse("A -> B -> C -> D; B <-> D"),
    "front door": ADMG.parse("X -> M -> Y; X <-> Y"),
    "proteins (appendix B)": ADMG.parse("Akt -> Erk -> Jnk -> PKC; PKA -> Jnk; Erk <-> PKA; PKA <-> PKC"),
    "random arid, 8 variables": random_admg(8, graph_class="arid", random_state=1),
}
LIMITS = (0.93, 0.97)


def coverage(graph: ADMG, datasets: int, n: int) -> tuple[dict[tuple[str, str], float], float, int]:
    """Return the coverage of each total effect, that of all direct effects, and the number of fits that failed."""
    hits: dict[tuple[str, str], list[bool]] = defaultdict(list)
    direct: list[bool] = []
    failed = 0
    for seed in range(datasets):
        model = draw_parameters(graph, random_state=seed)
        moments = Moments.from_table(model.sample(n, random_state=seed + 1_000_000))
        truth = model.total_effects()
        effects = causal_effects(moments, graph)
        failed += not effects.fit.converged
        for found in effects:
            place = graph.index(found.cause), graph.index(found.effect)
            low, high = found.interval()
            hits[found.cause, found.effect].append(bool(low <= truth[place] <= high))
            if graph.directed[place]:
                direct.append(bool(abs(found.direct - model.coef[place]) <= 1.959964 * found.direct_error))
    return {pair: float(np.mean(inside)) for pair, inside in hits.items()}, float(np.mean(direct)), failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", type=int, default=1000, help="data sets for each graph (default 1000)")
    parser.add_argument("--rows", type=int, default=1000, help="rows of each data set (default 1000)")
    arguments = parser.parse_args()
    print(f"{arguments.datasets} data sets of {arguments.rows} rows for each graph")
    print(f"{'graph':<26}{'effects':>8}{'total':>8}{'lowest':>8}{'highest':>9}{'direct':>8}{'failed':>8}{'seconds':>9}")
    ok = True
    for name, graph in GRAPHS.items():
        start = time.perf_counter()
        totals, direct, failed = coverage(graph, arguments.datasets, arguments.rows)
        values = list(totals.values())
        mean = float(np.mean(values))
        ok &= LIMITS[0] <= mean <= LIMITS[1]
        print(
            f"{name:<26}{len(values):>8}{mean:>8.3f}{min(values):>8.3f}{max(values):>9.3f}{direct:>8.3f}{failed:>8}"
            f"{time.perf_counter() - start:>9.1f}"
        )
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
