r"""Patterns: graphs of directed and undirected edges, each of which stands for a set of DAGs.

DAGs with the same skeleton and the same unshielded colliders (a -> b <- c, a and c not adjacent) have the same
d-separations (Verma and Pearl 1990). Their *CPDAG* (completed partially directed acyclic graph) has ``->`` where all of
them agree, which are the *compelled* edges, and ``--`` where two of them differ.

From a DAG it is reached by keeping the unshielded colliders and directing what then must be directed, by the rules of
Meek (1995)::

    R1  a -> b -- c, a and c not adjacent                                    b -> c
    R2  a -> b -> c, a -- c                                                  a -> c
    R3  a -- b, a -- c -> b, a -- d -> b, c and d not adjacent               a -> b
    R4  a -- b, a -- c, c -> d -> b, c and b not adjacent, a and d adjacent  a -> b

R4 applies only where something else than the colliders directed an edge, such as background knowledge. A pattern that
has an extension (a DAG with the same skeleton, the same directed edges and no other unshielded collider) and is closed
under the four rules can be extended whichever way one of its ``--`` is turned (Meek 1995). So all its DAGs are listed
without a dead end: turn an edge, apply the rules, turn the next.

>>> chain = BitGraph.from_edges(3, directed=[(0, 1), (1, 2)])
>>> pattern_of_dag(chain)
Pattern(parents=(0, 0, 0), undirected=(2, 5, 2))
>>> len(list(extensions(pattern_of_dag(chain))))
3

References
----------
C. Meek (1995). Causal inference and causal explanation with background knowledge. UAI.
T. Verma and J. Pearl (1990). Equivalence and synthesis of causal models. UAI.
D. Dor and M. Tarsi (1992). A simple algorithm to construct a consistent extension of a partially oriented graph.
Technical report R-185, UCLA.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lurking.graphs.bits import BitGraph, mask_of, members, singleton

__all__ = ["Pattern", "extension", "extensions", "meek_closure", "pattern_of_dag"]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A graph of directed and undirected edges on vertices ``0 .. d-1``; nothing is checked here.

    Parameters
    ----------
    parents : tuple of int
        ``parents[j]`` is the set of all i with i -> j.
    undirected : tuple of int
        ``undirected[j]`` is the set of all i with i -- j.
    """

    parents: tuple[int, ...]
    undirected: tuple[int, ...]

    @property
    def children(self) -> tuple[int, ...]:
        """``children[i]`` is the set of all j with i -> j."""
        return BitGraph(self.parents, self.undirected).children

    @property
    def adjacent(self) -> tuple[int, ...]:
        """``adjacent[i]`` is the set of all j with an edge to i."""
        return tuple(a | b | c for a, b, c in zip(self.parents, self.children, self.undirected, strict=True))


def pattern_of_dag(dag: BitGraph) -> Pattern:
    """Return the CPDAG of a DAG.

    Parameters
    ----------
    dag : BitGraph
        Acyclic, without bidirected edges; not checked.
    """
    adjacent = [a | b for a, b in zip(dag.parents, dag.children, strict=True)]
    colliding = [0] * dag.n_vertices
    for vertex, parents in enumerate(dag.parents):
        for parent in members(parents):
            if parents & ~adjacent[parent] & ~singleton(parent):
                colliding[vertex] |= singleton(parent)
    compelled = [0] * dag.n_vertices
    for vertex, parents in enumerate(colliding):
        for parent in members(parents):
            compelled[parent] |= singleton(vertex)
    undirected = [adjacent[v] & ~colliding[v] & ~compelled[v] for v in range(dag.n_vertices)]
    return meek_closure(Pattern(tuple(colliding), tuple(undirected)))


def meek_closure(pattern: Pattern) -> Pattern:
    """Direct edges by R1 to R4 until none of them applies."""
    state = _Turning(pattern)
    waiting = {(a, b) for b, around in enumerate(pattern.undirected) for a in members(around)}
    while waiting:
        turned = [(a, b) for a, b in sorted(waiting) if state.undirected[b] >> a & 1 and state.must_turn(a, b)]
        if not turned:
            break
        for a, b in turned:
            if state.undirected[b] >> a & 1:
                state.turn(a, b)
        waiting = {(a, b) for a, b in waiting if state.undirected[b] >> a & 1}
    return state.pattern()


class _Turning:
    """A pattern whose undirected edges are being directed."""

    def __init__(self, pattern: Pattern) -> None:
        self.parents = list(pattern.parents)
        self.children = list(pattern.children)
        self.undirected = list(pattern.undirected)
        self.adjacent = pattern.adjacent

    def turn(self, a: int, b: int) -> None:
        """Make a -- b into a -> b."""
        self.undirected[a] &= ~singleton(b)
        self.undirected[b] &= ~singleton(a)
        self.parents[b] |= singleton(a)
        self.children[a] |= singleton(b)

    def must_turn(self, a: int, b: int) -> bool:
        """Tell whether one of the rules makes a -- b into a -> b."""
        if self.parents[a] & ~self.adjacent[b] & ~singleton(b):  # R1
            return True
        if self.children[a] & self.parents[b]:  # R2
            return True
        between = self.undirected[a] & self.parents[b]
        if any(between & ~self.adjacent[c] & ~singleton(c) for c in members(between)):  # R3
            return True
        far = self.undirected[a] & ~self.adjacent[b]
        return any(self.children[c] & self.parents[b] & self.adjacent[a] for c in members(far))  # R4

    def pattern(self) -> Pattern:
        return Pattern(tuple(self.parents), tuple(self.undirected))


def extension(pattern: Pattern) -> BitGraph | None:
    """Return a DAG with the same skeleton, the directed edges, and no other unshielded collider, or None.

    A vertex without children is found whose undirected neighbours are adjacent to all its other neighbours; its edges
    are directed towards it, and the rest is done in the same way without it (Dor and Tarsi 1992).
    """
    parents = list(pattern.parents)
    children, adjacent = pattern.children, pattern.adjacent
    left = (1 << len(parents)) - 1
    while left:
        for vertex in members(left):
            near, loose = adjacent[vertex] & left, pattern.undirected[vertex] & left
            if children[vertex] & left:
                continue
            if not any(near & ~adjacent[other] & ~singleton(other) for other in members(loose)):
                parents[vertex] |= loose
                left &= ~singleton(vertex)
                break
        else:
            return None
    return BitGraph(tuple(parents), (0,) * len(parents))


def extensions(pattern: Pattern) -> Iterator[BitGraph]:
    """Yield every DAG with the same skeleton, the directed edges, and no other unshielded collider."""
    if extension(pattern) is None:
        return
    waiting = [meek_closure(pattern)]
    while waiting:
        current = waiting.pop()
        loose = mask_of(v for v, around in enumerate(current.undirected) if around)
        if not loose:
            yield BitGraph(current.parents, (0,) * len(current.parents))
            continue
        one = next(members(loose))
        other = next(members(current.undirected[one]))
        for a, b in ((other, one), (one, other)):
            state = _Turning(current)
            state.turn(a, b)
            waiting.append(meek_closure(state.pattern()))
