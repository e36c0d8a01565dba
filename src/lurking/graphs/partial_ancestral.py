r"""What a PAG says about its MAGs: possible and certain causes, visible edges, one MAG of the class.

A PAG stands for all maximal ancestral graphs (MAGs) with the same m-separations (:mod:`lurking.graphs.orientation`).
From its marks alone it can be read

- who *may* cause whom: a is an ancestor of b in some MAG if and only if a path leads from a to b on which no edge has
  an arrowhead at its start or a tail at its end (a *possibly directed* path);
- who *does*: a is an ancestor of b in all MAGs if a directed path leads from a to b, or if two possibly directed paths
  do, both *uncovered* (neighbours of an inner vertex are not adjacent), whose second vertices differ and are not
  adjacent (Roumpelaki et al. 2016): a is no collider between those two, so one of the paths is directed;
- which edge is *visible*: a -> b such that no unmeasured cause can join a and b. It is if a vertex c that is not
  adjacent to b has an edge into a, or is joined to a by a collider path into a on which every inner vertex is a parent
  of b (Zhang 2008);
- what a vertex is on a path: a *definite* collider, a *definite* non-collider (a tail at it, or circles on both sides
  and neighbours that are not adjacent), or undecided.

One MAG of the class is reached by turning ``o->`` into ``->`` and directing the circle edges ``o-o`` without new
unshielded colliders (Zhang 2008); the circle edges form a chordal graph, so that Dor and Tarsi's algorithm does it
(:mod:`lurking.graphs.patterns`).

>>> sets = MarkSets(np.array([[0, 2, 0, 0], [1, 0, 2, 0], [0, 3, 0, 0], [0, 0, 0, 0]], dtype=np.int8))  # 0 o-> 1 -> 2
>>> list(members(possible_descendants(sets, 0b0001))), is_visible(sets, 1, 2), is_visible(sets, 0, 1)
([0, 1, 2], True, False)

References
----------
J. Zhang (2008), Causal reasoning with ancestral graphs, Journal of Machine Learning Research 9.
A. Roumpelaki, G. Borboudakis, S. Triantafillou and I. Tsamardinos (2016), Marginal causal consistency in
constraint-based causal learning, UAI workshop on causation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from lurking.graphs.bits import EVERYTHING, members, reach, singleton
from lurking.graphs.marks import Mark, MarkMatrix, MarkSets
from lurking.graphs.patterns import Pattern, extension

__all__ = [
    "PathStatus",
    "certain_ancestors",
    "is_visible",
    "mag_of_pag",
    "path_status",
    "possible_ancestors",
    "possible_descendants",
    "possible_district",
    "possible_onward",
    "separation_status",
]

PathStatus = Literal["collider", "non-collider", "undecided"]

CIRCLE, ARROW, TAIL = Mark.CIRCLE, Mark.ARROW, Mark.TAIL


def possible_onward(sets: MarkSets, vertex: int) -> int:
    """Return the vertices that ``vertex`` may point to: no arrowhead at it, no tail at them."""
    return sets.adjacent[vertex] & ~sets.near[ARROW][vertex] & ~sets.far[TAIL][vertex]


def possible_descendants(sets: MarkSets, vertices: int, within: int = EVERYTHING) -> int:
    """Return what possibly directed paths inside ``within`` lead to from a set of vertices, the set included."""
    return reach([possible_onward(sets, v) for v in range(sets.n_vertices)], vertices, within)


def possible_ancestors(sets: MarkSets, vertices: int, within: int = EVERYTHING) -> int:
    """Return what possibly directed paths inside ``within`` lead from to a set of vertices, the set included."""
    backward = [
        sets.adjacent[v] & ~sets.near[TAIL][v] & ~sets.far[ARROW][v]  # no tail at v, no arrowhead at the other end
        for v in range(sets.n_vertices)
    ]
    return reach(backward, vertices, within)


def possible_district(sets: MarkSets, vertices: int) -> int:
    """Return what is joined to a set of vertices by edges that may be bidirected, the set included."""
    return reach(
        [sets.adjacent[v] & ~sets.near[TAIL][v] & ~sets.far[TAIL][v] for v in range(sets.n_vertices)], vertices
    )


def certain_ancestors(sets: MarkSets, vertex: int) -> int:
    """Return what is an ancestor of a vertex in every MAG of a PAG, the vertex included."""
    directed = sets.to_bit_graph()
    certain = reach(directed.parents, singleton(vertex))
    for start in members(possible_ancestors(sets, singleton(vertex)) & ~certain):
        firsts = [v for v in members(possible_onward(sets, start)) if _uncovered_path(sets, start, v, vertex)]
        if any(not sets.adjacent[a] >> b & 1 for a in firsts for b in firsts if a < b):
            certain |= singleton(start)
    return reach(directed.parents, certain)


def _uncovered_path(sets: MarkSets, start: int, first: int, end: int) -> bool:
    """Tell whether an uncovered possibly directed walk (start, first, ..., end) exists; see the rules R9 and R10."""
    waiting, seen = [(start, first)], {(start, first)}
    for previous, current in waiting:
        if current == end:
            return True
        for following in members(possible_onward(sets, current) & ~sets.adjacent[previous] & ~singleton(previous)):
            if (current, following) not in seen:
                seen.add((current, following))
                waiting.append((current, following))
    return False


def is_visible(sets: MarkSets, cause: int, effect: int) -> bool:
    """Tell whether cause -> effect is an edge that no unmeasured cause can lie behind."""
    if not sets.parents(effect) >> cause & 1:
        return False
    inner = sets.parents(effect) & ~singleton(cause)
    colliders = reach([sets.siblings(v) for v in range(sets.n_vertices)], singleton(cause), inner | singleton(cause))
    apart = ~(sets.adjacent[effect] | singleton(effect))
    return any(sets.near[ARROW][v] & apart for v in members(colliders))


def path_status(sets: MarkSets, a: int, b: int, c: int) -> PathStatus:
    """Return what b is between its neighbours a and c, whatever the circles are."""
    marks = sets.mark(a, b), sets.mark(c, b)
    if marks == (ARROW, ARROW):
        return "collider"
    if TAIL in marks or (marks == (CIRCLE, CIRCLE) and not sets.adjacent[a] >> c & 1):
        return "non-collider"
    return "undecided"


def mag_of_pag(sets: MarkSets) -> MarkMatrix | None:
    """Return the marks of one MAG of a PAG, or None if the circle edges cannot be directed."""
    circles = tuple(near & far for near, far in zip(sets.near[CIRCLE], sets.far[CIRCLE], strict=True))
    dag = extension(Pattern((0,) * sets.n_vertices, circles))
    if dag is None:
        return None
    marks = sets.to_matrix()
    other_end = marks.T
    # o-> and o-- : the circle becomes a tail; --o : the circle becomes an arrowhead.
    decided = np.where((marks == CIRCLE) & (other_end == TAIL), ARROW, marks)
    decided = np.where((marks == CIRCLE) & (other_end == ARROW), TAIL, decided).astype(np.int8)
    for effect, parents in enumerate(dag.parents):
        for cause in members(parents):
            decided[cause, effect], decided[effect, cause] = ARROW, TAIL
    return decided


def separation_status(
    sets: MarkSets, one: int, other: int, given: int
) -> Literal["separated", "connected", "undecided"]:
    """Return what the marks alone say about a separation, for any way to replace the circles.

    Two walks over pairs (previous, current) are searched. If no walk can be open, however the circles are replaced, the
    sets are separated; if one is open however they are, they are connected.
    """
    certain_openers = reach(sets.to_bit_graph().parents, given)
    possible_openers = possible_ancestors(sets, given) | reach(sets.far[TAIL], given)

    def may_be_open(a: int, b: int, c: int) -> bool:
        status = path_status(sets, a, b, c)
        as_collider = status != "non-collider" and bool(possible_openers >> b & 1)
        return as_collider or (status != "collider" and not given >> b & 1)

    def is_open(a: int, b: int, c: int) -> bool:
        match path_status(sets, a, b, c):
            case "collider":
                return bool(certain_openers >> b & 1)
            case "non-collider":
                return not given >> b & 1
        return False

    def joined(is_step: Callable[[int, int, int], bool]) -> bool:
        waiting = [(a, b) for a in members(one) for b in members(sets.adjacent[a])]
        seen = set(waiting)
        for a, b in waiting:
            if other >> b & 1:
                return True
            for c in members(sets.adjacent[b] & ~singleton(a)):
                if (b, c) not in seen and is_step(a, b, c):
                    seen.add((b, c))
                    waiting.append((b, c))
        return False

    if joined(is_open):
        return "connected"
    return "undecided" if joined(may_be_open) else "separated"
