"""From a MAG to every equivalent MAG, one mark at a time.

Two maximal ancestral graphs without undirected edges are Markov equivalent if and only if a sequence of *legitimate
mark changes* leads from one to the other, all graphs on the way being equivalent MAGs (Zhang and Spirtes 2005). A
change turns i -> j into i <-> j, or i <-> j into i -> j. It is legitimate if, apart from the edge itself,

- no directed path leads from i to j;
- every parent of i is a parent of j, and every sibling of i is a parent or a sibling of j;
- no discriminating path for i ends in j.

So a whole class is listed by walking from one member, without ever meeting a graph outside it.

>>> mag = BitGraph.from_edges(3, directed=[(0, 1)], bidirected=[(1, 2)])
>>> list(legitimate_mark_changes(mag))
[MarkChange(cause=0, effect=1, to_directed=False), MarkChange(cause=2, effect=1, to_directed=True)]
>>> len(list(equivalent_mags(mag)))
4

References
----------
J. Zhang and P. Spirtes (2005), A transformational characterization of Markov equivalence for directed acyclic graphs
with latent variables, UAI.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lurking.graphs.bits import BitGraph, members, reach, singleton
from lurking.graphs.relations import ancestors

__all__ = ["MarkChange", "changed", "equivalent_mags", "legitimate_mark_changes"]


class MarkChange(NamedTuple):
    """Turn ``cause -> effect`` into ``cause <-> effect``, or back."""

    cause: int
    effect: int
    to_directed: bool


def legitimate_mark_changes(graph: BitGraph) -> Iterator[MarkChange]:
    """Yield the changes of one mark that lead from a MAG to an equivalent MAG."""
    for effect in range(graph.n_vertices):
        for cause in members(graph.parents[effect]):
            if _stays_equivalent(graph, cause, effect):
                yield MarkChange(cause, effect, to_directed=False)
        for cause in members(graph.siblings[effect]):
            if _stays_equivalent(graph, cause, effect):
                yield MarkChange(cause, effect, to_directed=True)


def _stays_equivalent(graph: BitGraph, i: int, j: int) -> bool:
    parents, siblings = graph.parents[j], graph.siblings[j]
    above = ancestors(graph, parents & ~singleton(i))
    if above & singleton(i):  # another directed path
        return False
    if graph.parents[i] & ~parents or graph.siblings[i] & ~(parents | siblings | singleton(j)):
        return False
    # A discriminating path (x, q, ..., q, i, j): every q is a collider and a parent of j; x is not adjacent to j.
    adjacent = parents | siblings | graph.children[j] | singleton(j) | singleton(i)
    inner = reach(graph.siblings, graph.siblings[i] & parents, within=parents)
    return not any((graph.parents[q] | graph.siblings[q]) & ~adjacent for q in members(inner))


def changed(graph: BitGraph, change: MarkChange) -> BitGraph:
    """Return the graph after a change."""
    parents, siblings = list(graph.parents), list(graph.siblings)
    i, j = change.cause, change.effect
    parents[j] ^= singleton(i)
    siblings[i] ^= singleton(j)
    siblings[j] ^= singleton(i)
    return BitGraph(tuple(parents), tuple(siblings))


def equivalent_mags(mag: BitGraph) -> Iterator[BitGraph]:
    """Yield every MAG that is Markov equivalent to a MAG without undirected edges, itself first."""
    seen = {mag}
    waiting = [mag]
    for graph in waiting:
        yield graph
        for change in legitimate_mark_changes(graph):
            following = changed(graph, change)
            if following not in seen:
                seen.add(following)
                waiting.append(following)
