"""How long the graphs layer takes on sparse graphs of 50 and 100 vertices (average degree 4, half of it bidirected).

Run ``python benchmarks/graphs.py``. Each line is one step: the median and the slowest time over a few random graphs of
each size, and how the median grows when the number of vertices doubles. The exit code is 1 if any time is above
``--limit``, so the script also serves as a check.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np

from lurking import ADMG

SIZES = (50, 100)
Step = Callable[[ADMG], object]


def sparse_admg(n_vertices: int, seed: int, degree: float = 4.0) -> ADMG:
    """Return a random bow-free ADMG with ``degree * n_vertices / 2`` edges, half of them bidirected."""
    generator = np.random.default_rng(seed)
    rows, columns = np.triu_indices(n_vertices, 1)
    chosen = generator.choice(rows.size, size=round(degree * n_vertices / 2), replace=False)
    order = generator.permutation(n_vertices)
    one, other = order[rows[chosen]], order[columns[chosen]]
    confounded = generator.random(chosen.size) < 0.5
    matrices = np.zeros((2, n_vertices, n_vertices), dtype=bool)
    matrices[0, one[~confounded], other[~confounded]] = True
    matrices[1, one[confounded], other[confounded]] = True
    return ADMG([f"X{i}" for i in range(n_vertices)], matrices[0], matrices[1] | matrices[1].T)


def thousand_separations(graph: ADMG) -> int:
    """Ask for 1000 random pairs whether 5 random vertices separate them."""
    generator = np.random.default_rng(0)
    queries = (generator.choice(graph.names, size=7, replace=False).tolist() for _ in range(1000))
    return sum(graph.m_separated(one, other, given) for one, other, *given in queries)


def all_inducing_paths(graph: ADMG) -> int:
    names = graph.names
    return sum(graph.inducing_path(a, b) is not None for i, a in enumerate(names) for b in names[:i])


STEPS: dict[str, Step] = {
    "build from matrices": lambda g: ADMG(g.names, g.directed, g.bidirected),
    "write and read text": lambda g: ADMG.parse(str(g)),
    "is it bow-free": lambda g: g.witness("bow-free"),
    "is it ancestral": lambda g: g.witness("ancestral"),
    "is it arid": lambda g: g.witness("arid"),
    "m-separation, 1000 queries": thousand_separations,
    "inducing paths of all pairs": all_inducing_paths,
    "to MAG": lambda g: g.to_mag(),
    "to PAG": lambda g: g.to_pag(),
    "maximal arid projection": lambda g: g.arid_projection(),
    "latent projection, half hidden": lambda g: g.latent_projection(g.names[::2]),
}


def seconds(step: Step, graph: ADMG) -> float:
    start = time.perf_counter()
    step(graph)
    return time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--graphs", type=int, default=7, help="random graphs of each size")
    parser.add_argument("--limit", type=float, default=5.0, help="slowest time allowed for one step, in seconds")
    options = parser.parse_args()
    samples = {d: [sparse_admg(d, seed) for seed in range(options.graphs)] for d in SIZES}
    small, large = SIZES
    print(f"{'seconds: median (slowest)':32}{small:>14} vertices{large:>14} vertices{'ratio':>9}")
    slowest = 0.0
    for name, step in STEPS.items():
        times = {d: [seconds(step, graph) for graph in graphs] for d, graphs in samples.items()}
        slowest = max(slowest, *times[small], *times[large])
        middle = {d: statistics.median(times[d]) for d in SIZES}
        shown = "".join(f"{middle[d]:13.5f} ({max(times[d]):7.4f})" for d in SIZES)
        print(f"{name:32}{shown}{middle[large] / middle[small]:9.1f}")
    print(f"slowest step: {slowest:.3f} s (limit {options.limit:g} s)")
    return int(slowest > options.limit)


if __name__ == "__main__":
    sys.exit(main())
