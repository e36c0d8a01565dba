"""Markov equivalence by definition: list all graphs on a skeleton, list all paths, group by the separations.

Everything is done for all orientations of one skeleton at once, as arrays whose first axis runs over the graphs.
``marks[g, i, j]`` is the mark at j on the edge between i and j in graph g: 0 none, 1 circle, 2 arrowhead, 3 tail.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations, product

import numpy as np
from numpy.typing import NDArray

CIRCLE, ARROW, TAIL = 1, 2, 3
DIRECTED_AND_BIDIRECTED = ((ARROW, TAIL), (TAIL, ARROW), (ARROW, ARROW))
WITH_UNDIRECTED = (*DIRECTED_AND_BIDIRECTED, (TAIL, TAIL))

Edges = tuple[tuple[int, int], ...]
Marks = NDArray[np.int8]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class MagsOnSkeleton:
    """All maximal ancestral graphs on one skeleton, with the separations that tell their classes apart."""

    marks: Marks
    """shape (graphs, d, d)"""
    separations: Flags
    """shape (graphs, questions)"""
    classes: NDArray[np.intp]
    """shape (graphs,): the number of the equivalence class"""
    shared: Marks
    """shape (classes, d, d): the marks that all members share, circles elsewhere"""


def skeletons(d: int) -> Iterator[Edges]:
    """Every undirected graph on 0 .. d-1."""
    pairs = list(combinations(range(d), 2))
    for chosen in product((False, True), repeat=len(pairs)):
        yield tuple(pair for pair, taken in zip(pairs, chosen, strict=True) if taken)


def unlabelled_skeletons(d: int) -> list[Edges]:
    """One undirected graph on 0 .. d-1 per isomorphism class."""
    seen: set[frozenset[tuple[int, int]]] = set()
    kept = []
    for edges in skeletons(d):
        if frozenset(edges) in seen:
            continue
        kept.append(edges)
        for order in permutations(range(d)):
            seen.add(frozenset((min(order[i], order[j]), max(order[i], order[j])) for i, j in edges))
    return kept


def mags_on(d: int, edges: Edges, kinds: tuple[tuple[int, int], ...]) -> MagsOnSkeleton:
    """Group all maximal ancestral graphs with these adjacent pairs by their m-separations."""
    marks = orientations(d, edges, kinds)
    marks = marks[ancestral(marks)]
    separations = all_separations(marks, edges)
    # Maximal: each pair that is not adjacent has a separating set.
    apart = [pair for pair in combinations(range(d), 2) if pair not in edges]
    separable: Flags = np.any(separations.reshape(len(marks), len(apart), 2 ** (d - 2)), axis=2)
    maximal: Flags = np.all(separable, axis=1)
    marks, separations = marks[maximal], separations[maximal]
    _, classes = np.unique(separations, axis=0, return_inverse=True)
    classes = classes.reshape(-1)
    shared = []
    for number in range(classes.max() + 1):
        group = marks[classes == number]
        shared.append(np.where((group == group[0]).all(axis=0), group[0], CIRCLE))
    return MagsOnSkeleton(marks, separations, classes, np.array(shared, dtype=np.int8))


def orientations(d: int, edges: Edges, kinds: tuple[tuple[int, int], ...]) -> Marks:
    """Every way to give each edge one of the kinds (mark at the second end, mark at the first end)."""
    n_graphs = len(kinds) ** len(edges)
    marks = np.zeros((n_graphs, d, d), dtype=np.int8)
    number = np.arange(n_graphs)
    for i, j in edges:
        number, digit = np.divmod(number, len(kinds))
        marks[:, i, j] = np.array([kind[0] for kind in kinds])[digit]
        marks[:, j, i] = np.array([kind[1] for kind in kinds])[digit]
    return marks


def ancestors_or_self(marks: Marks) -> Flags:
    """``above[g, i, j]`` is true if a directed path of any length, zero included, leads from i to j."""
    back = marks.transpose(0, 2, 1)
    above: Flags = ((marks == ARROW) & (back == TAIL)) | np.eye(marks.shape[1], dtype=bool)
    for middle in range(marks.shape[1]):
        above = above | (above[:, :, middle, None] & above[:, middle, None, :])
    return above


def ancestral(marks: Marks) -> Flags:
    """No directed cycle, no almost directed cycle, no arrowhead at a vertex with an undirected edge."""
    back = marks.transpose(0, 2, 1)
    above = ancestors_or_self(marks)
    # An arrowhead at i on an edge with j, where i is an ancestor of j, closes a directed or almost directed cycle.
    cyclic = (above & (back == ARROW)).any(axis=(1, 2))
    undirected = ((marks == TAIL) & (back == TAIL)).any(axis=1)
    pointed_at = (marks == ARROW).any(axis=1)
    result: Flags = ~cyclic & ~(undirected & pointed_at).any(axis=1)
    return result


def all_separations(marks: Marks, edges: Edges) -> Flags:
    """Tell, for each pair that is not adjacent and each set of other vertices, whether the set m-separates the pair."""
    n_graphs, d = marks.shape[:2]
    above = ancestors_or_self(marks)
    answers: list[Flags] = []
    for pair in combinations(range(d), 2):
        if pair in edges:
            continue
        paths = list(_paths(d, edges, *pair))
        others = [v for v in range(d) if v not in pair]
        sets = [set(z) for k in range(len(others) + 1) for z in combinations(others, k)]
        answers += [_separates(marks, above, paths, given) for given in sets]
    if not answers:
        return np.zeros((n_graphs, 0), dtype=bool)
    return np.array(answers).T


def separated(graph: Marks, one: int, other: int, given: set[int]) -> bool:
    """Tell whether a set m-separates two vertices of one graph, shape (d, d)."""
    edges = tuple((i, j) for i, j in combinations(range(len(graph)), 2) if graph[i, j])
    stack = graph[np.newaxis]
    return bool(_separates(stack, ancestors_or_self(stack), list(_paths(len(graph), edges, one, other)), given)[0])


def _separates(marks: Marks, above: Flags, paths: list[tuple[int, ...]], given: set[int]) -> Flags:
    opened = np.zeros(len(marks), dtype=bool)
    for path in paths:
        opened |= _is_open(marks, above, path, given)
    return ~opened


def _paths(d: int, edges: Edges, start: int, end: int) -> Iterator[tuple[int, ...]]:
    adjacent = {frozenset(edge) for edge in edges}
    others = [v for v in range(d) if v not in (start, end)]
    for k in range(len(others) + 1):
        for inner in permutations(others, k):
            path = (start, *inner, end)
            if all(frozenset(step) in adjacent for step in pairwise(path)):
                yield path


def _is_open(marks: Marks, above: Flags, path: tuple[int, ...], given: set[int]) -> Flags:
    result = np.ones(len(marks), dtype=bool)
    for before, vertex, after in zip(path, path[1:], path[2:], strict=False):
        collider = (marks[:, before, vertex] == ARROW) & (marks[:, after, vertex] == ARROW)
        has_descendant_given = above[:, vertex, sorted(given)].any(axis=1)
        result &= np.where(collider, has_descendant_given, vertex not in given)
    return result
