"""How long the graphs layer takes on sparse graphs of 50 and 100 vertices (average degree 4, half of it bidirected).

Run ``python benchmarks/graphs.py``. Each line is one step: the median and the slowest time over a few random graphs of
each size, and how the median grows when the number of vertices doubles. The exit code is 1 if any time is above
``--limit``, or a single question (those that begin with "one question") takes a second, so the script also serves as a
check. Each question is asked about the pair of cause and effect with the longest way between them.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from functools import cache

import numpy as np

from lurking import ADMG, PAG
from lurking._errors import GraphError
from lurking.graphs import SelectedADMG, adjustment_set, adjustment_sets, instruments

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


def far_pair(graph: ADMG) -> tuple[str, str]:
    """Return a cause and its effect, of those with the most variables between them the first, that have no edge."""
    above = {name: graph.ancestors(name) for name in graph.names}
    pairs = [
        (len(graph.descendants(cause) & above[effect]), cause, effect)
        for effect in graph.names
        for cause in sorted(above[effect] - graph.parents(effect) - graph.siblings(effect) - {effect})
    ]
    _, cause, effect = max(pairs, key=lambda pair: pair[0])
    return cause, effect


def minimal_separators(graph: ADMG) -> int:
    """List the minimal separators of the pair; more than 1000 of them are not all listed."""
    try:
        return len(graph.separators(*far_pair(graph)))
    except GraphError:
        return 1001


def all_adjustment_sets(graph: ADMG) -> int:
    try:
        return len(adjustment_sets(graph, *far_pair(graph)))
    except GraphError:
        return 1001


@cache
def pag_of(graph: ADMG) -> PAG:
    """Return the PAG, whose own time is the step "to PAG"."""
    return graph.to_pag()


def in_pag(question: Callable[[PAG, str, str], object]) -> Step:
    return lambda graph: question(pag_of(graph), *far_pair(graph))


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
    "one question: minimum separator": lambda g: g.minimum_separator(*far_pair(g)),
    "one question: separators, all minimal": minimal_separators,
    "one question: adjustment set": lambda g: adjustment_set(g, *far_pair(g)),
    "one question: adjustment sets, all": all_adjustment_sets,
    "one question: instruments": lambda g: instruments(g, *far_pair(g)),
    "one question: formula or hedge": lambda g: g.identify(*far_pair(g)),
    "one question: possible ancestors, PAG": in_pag(lambda pag, cause, effect: pag.possible_ancestors(effect)),
    "one question: separator, PAG": in_pag(lambda pag, cause, effect: pag.minimum_separator(cause, effect)),
    "one question: adjustment set, PAG": in_pag(adjustment_set),
    "one question: MAG of a selected sample": lambda g: SelectedADMG(g, far_pair(g)[1]).to_mag(),
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
    print(f"{'seconds: median (slowest)':40}{small:>14} vertices{large:>14} vertices{'ratio':>9}")
    slowest = slowest_question = 0.0
    for graph in samples[small] + samples[large]:
        pag_of(graph)
    for name, step in STEPS.items():
        times = {d: [seconds(step, graph) for graph in graphs] for d, graphs in samples.items()}
        slowest = max(slowest, *times[small], *times[large])
        if name.startswith("one question"):
            slowest_question = max(slowest_question, *times[small], *times[large])
        middle = {d: statistics.median(times[d]) for d in SIZES}
        shown = "".join(f"{middle[d]:13.5f} ({max(times[d]):7.4f})" for d in SIZES)
        print(f"{name:40}{shown}{middle[large] / middle[small]:9.1f}")
    print(
        f"slowest step: {slowest:.3f} s (limit {options.limit:g} s); slowest question: {slowest_question:.3f} s (1 s)"
    )
    return int(slowest > options.limit or slowest_question > 1.0)


if __name__ == "__main__":
    sys.exit(main())
