"""The equivalence classes of all bow-free graphs on four variables, found in two ways that must agree.

Run ``python benchmarks/equivalence_classes.py``. There are 3608 labelled graphs. They are grouped

1. by :func:`lurking.graphs.equivalence_class`: exact arithmetic at random points, no fitting, no data;
2. as Shpitser et al. (2014) did, by score: every graph is fitted to a generic covariance matrix, and graphs with the
   same BIC form an *empirical equivalence class*. This is repeated for several covariances.

The tables show how large the classes are, and how many marks each way of reporting a class leaves open. The exit code
is 1 if the two groupings differ.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from itertools import combinations, product

import numpy as np

from lurking import ADMG, Moments
from lurking._errors import CycleError
from lurking.graphs import EquivalenceClass, Mark, equivalence_class
from lurking.sem import ricf

NAMES = ["A", "B", "C", "D"]
VERMA_GRAPHS = {
    "figure 1(c)": "A -> C -> D -> B; A <-> B; A <-> D",
    "Verma and Pearl": "A -> B -> C -> D; B <-> D",
    "the same with A <-> B": "A <-> B -> C -> D; B <-> D",
}
TOLERANCE = 1e-8
"""Scores of equivalent graphs differ by rounding alone, about 1e-11; those of others seldom by less than 1e-4."""


def all_bow_free_graphs() -> list[ADMG]:
    """Return every acyclic graph in which each pair has no edge, one of two directed ones, or a bidirected one."""
    pairs = list(combinations(range(4), 2))
    graphs = []
    for kinds in product(("", "->", "<-", "<->"), repeat=len(pairs)):
        matrices = np.zeros((2, 4, 4), dtype=bool)
        for (i, j), kind in zip(pairs, kinds, strict=True):
            matrices[0, i, j], matrices[0, j, i] = kind == "->", kind == "<-"
            matrices[1, i, j] = matrices[1, j, i] = kind == "<->"
        try:
            graphs.append(ADMG(NAMES, *matrices))
        except CycleError:
            continue
    return graphs


def classes_by_arithmetic(graphs: list[ADMG]) -> list[EquivalenceClass]:
    done: set[ADMG] = set()
    classes = []
    for graph in graphs:
        if graph not in done:
            classes.append(equivalence_class(graph))
            done.update(classes[-1])
    return classes


def classes_by_score(graphs: list[ADMG], seed: int) -> tuple[list[set[ADMG]], int]:
    """Group by BIC on the covariance of a few random rows, and count the fits that did not converge."""
    rows = np.random.default_rng(seed).normal(size=(12, 4))
    moments = Moments(np.cov(rows.T, bias=True), 1000, NAMES)
    fits = [(fit.bic, fit.converged, graph) for graph in graphs for fit in [ricf(moments, graph)]]
    groups: list[set[ADMG]] = []
    last = -np.inf
    for bic, _, graph in sorted(fits, key=lambda entry: entry[0]):
        if bic - last > TOLERANCE:
            groups.append(set())
        groups[-1].add(graph)
        last = bic
    return groups, sum(not converged for _, converged, _ in fits)


def circles(marks: np.ndarray[tuple[int, ...], np.dtype[np.int8]]) -> int:
    return int(np.count_nonzero(marks == Mark.CIRCLE))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--covariances", type=int, default=3, help="generic covariances to score on (default 3)")
    arguments = parser.parse_args()
    graphs = all_bow_free_graphs()
    start = time.perf_counter()
    classes = classes_by_arithmetic(graphs)
    print(f"{len(graphs)} graphs, {len(classes)} classes by arithmetic ({time.perf_counter() - start:.1f} s)")
    expected = {frozenset(found) for found in classes}
    agree = True
    for seed in range(arguments.covariances):
        start = time.perf_counter()
        groups, failed = classes_by_score(graphs, seed)
        same = {frozenset(group) for group in groups} == expected
        agree &= same
        verdict = "the same" if same else "NOT the same"
        print(
            f"covariance {seed}: {len(groups)} classes by BIC, {verdict}; {failed} fits did not converge "
            f"({time.perf_counter() - start:.1f} s)"
        )

    print("\nedges  graphs  classes  with Verma constraints  class sizes (size x number of classes)")
    by_edges: dict[int, list[EquivalenceClass]] = defaultdict(list)
    for found in classes:
        by_edges[found.members[0].n_edges].append(found)
    for n_edges, group in sorted(by_edges.items()):
        sizes = Counter(map(len, group))
        verma = sum(any(c.is_verma for c in found.members[0].implied_constraints()) for found in group)
        listed = ", ".join(f"{size} x {count}" for size, count in sorted(sizes.items()))
        print(f"{n_edges:>5}  {sum(map(len, group)):>6}  {len(group):>7}  {verma:>22}  {listed}")

    markov: dict[object, set[int]] = defaultdict(set)
    for number, found in enumerate(classes):
        markov[found.members[0].to_pag()].add(number)
    split = sum(len(numbers) > 1 for numbers in markov.values())
    print(
        f"\nOrdinary independences alone tell {len(markov)} classes apart; {split} of these hold several of the above."
    )
    ends = sum(2 * found.members[0].n_edges * len(found) for found in classes)
    open_class = sum(circles(found.shared_marks().marks) * len(found) for found in classes)
    open_pag = sum(circles(graph.to_pag().marks * graph.skeleton) for graph in graphs)
    print(f"Of the {ends} ends of edges of all graphs, the PAG leaves {open_pag} open, the class {open_class}.")

    print("\nVerma graphs:")
    for name, text in VERMA_GRAPHS.items():
        found = equivalence_class(ADMG.parse(text, names=NAMES))
        print(f"  {name}: {len(found)} member{'s' if len(found) > 1 else ''}; all share {found.shared_marks()}")
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
