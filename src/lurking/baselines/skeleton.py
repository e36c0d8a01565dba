"""Which pairs are adjacent: the two searches for separating sets of FCI, in a form that ignores the order of columns.

**Adjacency search** (Spirtes, Glymour and Scheines 2000; "stable" form of Colombo and Maathuis 2014). Start with all
pairs, or with a given skeleton. For sets of size 0, 1, 2, ...: an edge goes if a set of that size among the neighbours
of one of its ends separates them. The neighbours are those at the beginning of the round, so that it does not matter in
which order the pairs are looked at.

**Possible-D-SEP** (Spirtes et al. 2000). With hidden causes a pair can be separable although no set of neighbours does
it. After orienting the colliders, v is in pds(x, y) if a path that avoids y leads from x to v on which every inner
vertex is a collider or lies in a triangle with its two neighbours on the path, and every vertex may be an ancestor of x
or y. If any set separates x and y, one within pds(x, y) or pds(y, x) does. (D-SEP(x, y) holds the ancestors of x or y
that a path of such ancestors reaches from x on which every inner vertex is a collider; were y an inner vertex, the path
up to y would be inducing and x and y adjacent, so paths through y are never needed. Here the path may come back to a
vertex; that can only make the set larger, and is found in one walk over the edges.)

Both remember what separated a pair; the orientation rules ask for it.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from lurking._typing import BoolMatrix
from lurking.baselines.block_independence import BlockIndependence
from lurking.baselines.independence import FisherZ, Separation
from lurking.graphs import Mark
from lurking.graphs.bits import members, singleton
from lurking.graphs.marks import MarkMatrix, MarkSets
from lurking.graphs.partial_ancestral import possible_ancestors

__all__ = ["SeparatingSets", "adjacency_search", "possible_d_sep", "possible_d_sep_search"]

SeparatingSets = dict[tuple[int, int], Separation]
"""For each pair (i, j), i < j, that is not adjacent: what separates it."""


def adjacency_search(
    test: FisherZ | BlockIndependence,
    start: BoolMatrix,
    max_conditioning: int | None = None,
    removable: BoolMatrix | None = None,
) -> tuple[BoolMatrix, SeparatingSets]:
    """Remove the edges whose ends are separated by a set of neighbours.

    Parameters
    ----------
    test : FisherZ or BlockIndependence
        The data and the level.
    start : ndarray of bool, shape (d, d)
        The pairs to begin with, symmetric.
    max_conditioning : int, optional
        The largest size of a separating set.
    removable : ndarray of bool, shape (d, d), optional
        The pairs that may be removed, symmetric; by default all.

    Returns
    -------
    skeleton : ndarray of bool, shape (d, d)
        The pairs that are left.
    separated : dict
        What separated the pairs that were removed here.
    """
    skeleton = start.copy()
    separated: SeparatingSets = {}
    for size in range(len(start) - 1 if max_conditioning is None else max_conditioning + 1):
        neighbours = [frozenset(np.flatnonzero(row).tolist()) for row in skeleton]
        if all(len(around) <= size for around in neighbours):
            break
        for i, j in np.argwhere(np.triu(skeleton if removable is None else skeleton & removable)).tolist():
            around = [neighbours[i] - {j}, neighbours[j] - {i}]
            found = _best(test.separating_set(i, j, candidates, size) for candidates in around)
            if found is not None:
                separated[i, j] = found
        for i, j in separated:
            skeleton[i, j] = skeleton[j, i] = False
    return skeleton, separated


def possible_d_sep_search(
    test: FisherZ | BlockIndependence, marks: MarkMatrix, max_conditioning: int | None = None
) -> tuple[BoolMatrix, SeparatingSets]:
    """Remove the edges whose ends are separated by a set within Possible-D-SEP of one of them.

    Parameters
    ----------
    test : FisherZ or BlockIndependence
        The data and the level.
    marks : ndarray of int8, shape (d, d)
        The skeleton with its unshielded colliders oriented.
    max_conditioning : int, optional
        The largest size of a separating set.

    Returns
    -------
    skeleton, separated
        As for :func:`adjacency_search`.
    """
    skeleton: BoolMatrix = marks != Mark.NONE
    separated: SeparatingSets = {}
    sets = MarkSets(marks)
    for i, j in np.argwhere(np.triu(skeleton)).tolist():
        around = [frozenset(members(possible_d_sep(sets, *ends))) for ends in ((i, j), (j, i))]
        largest = max(map(len, around))
        for size in range(1, 1 + (largest if max_conditioning is None else min(largest, max_conditioning))):
            found = _best(test.separating_set(i, j, candidates, size) for candidates in around)
            if found is not None:
                separated[i, j] = found
                break
    for i, j in separated:
        skeleton[i, j] = skeleton[j, i] = False
    return skeleton, separated


def possible_d_sep(sets: MarkSets, x: int, y: int) -> int:
    """Return Possible-D-SEP of x for the pair x and y as a set of bits, x and y left out.

    >>> from lurking.graphs import PAG
    >>> sets = MarkSets(PAG.parse("A o-> B <-> C <-o D; B o-o D; C o-o A").marks)
    >>> list(members(possible_d_sep(sets, 0, 3))), list(members(possible_d_sep(sets, 1, 2)))
    ([1, 2], [0, 3])
    """
    into = sets.near[Mark.ARROW]
    apart = possible_ancestors(sets, singleton(x) | singleton(y)) & ~(singleton(x) | singleton(y))
    found = sets.adjacent[x] & apart
    steps = [(x, first) for first in members(found)]
    seen = set(steps)
    while steps:
        a, b = steps.pop()
        onwards = sets.adjacent[a] & sets.adjacent[b]  # triangles
        if into[b] & singleton(a):
            onwards |= into[b]  # colliders
        for c in members(onwards & ~singleton(a) & apart):
            if (b, c) not in seen:
                seen.add((b, c))
                steps.append((b, c))
                found |= singleton(c)
    return found


def _best(found: Iterable[Separation | None]) -> Separation | None:
    """Return the separation that leaves the weakest dependence, with the union of all."""
    separations = [separation for separation in found if separation is not None]
    if not separations:
        return None
    # the same strength from both sides means the same set, up to rounding; then the smaller one in order is taken
    best = min(separations, key=lambda s: (round(s.strength, 12), sorted(s.given)))
    return best._replace(union=frozenset().union(*(separation.union for separation in separations)))
