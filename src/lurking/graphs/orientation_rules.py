"""The ten orientation rules of Zhang (2008), one function each.

Every rule looks for a pattern, replaces circles by tails or arrowheads, and says whether it changed anything. In the
drawings ``*`` stands for any mark. What the rules mean and why they are enough is told in
:mod:`lurking.graphs.orientation`; here is only how each one is found.

A path is *uncovered* if the neighbours of each inner vertex on it are not adjacent to each other. It is *potentially
directed* if no edge has an arrowhead at its first or a tail at its last vertex, so that it could still turn out to
lead from its start to its end. R5, R9 and R10 ask for such paths. The search below walks over pairs (previous vertex,
current vertex), each pair at most once, and so finds uncovered **walks**, which may come back to a vertex. This is as
good as a path. The rules follow from one thought: no inner vertex of the walk is a collider, because colliders between
vertices that are not adjacent are known; hence, if its first edge points away from the start, then so does the second,
and so on to the end. The thought never uses that the vertices are different. So a walk proves what a path proves, and,
as the rules with paths already find everything that can be proved, both give the same marks. (A search for uncovered
paths proper is a search for paths that avoid forbidden turns, for which no efficient way is known.)

>>> import numpy as np
>>> state = MarkSets(np.array([[0, 2, 0], [3, 0, 1], [0, 1, 0]], dtype=np.int8))      # 0 -> 1 o-o 2
>>> rule_1(state), state.mark(1, 2).name, state.mark(2, 1).name
(True, 'ARROW', 'TAIL')
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_

from lurking.graphs.bits import mask_of, members, reach, singleton
from lurking.graphs.marks import Mark, MarkSets

__all__ = [
    "EndsInCollider",
    "rule_1",
    "rule_2",
    "rule_3",
    "rule_4",
    "rule_5",
    "rule_6",
    "rule_7",
    "rule_8",
    "rule_9",
    "rule_10",
]

EndsInCollider = Callable[[Sequence[int]], bool]
"""Given a discriminating path (x, ..., a, b, c) for b, tells whether b is a collider on it."""

CIRCLE, ARROW, TAIL = Mark.CIRCLE, Mark.ARROW, Mark.TAIL


# ------------------------------------------------------------------------------- arrowheads, and tails beside them


def rule_1(state: MarkSets) -> bool:
    """Make a *-> b o-* c into b -> c if a and c are not adjacent; b would otherwise be an unshielded collider."""
    changed = False
    for b, into in enumerate(state.near[ARROW]):
        for c in members(state.near[CIRCLE][b] if into else 0):
            if into & ~state.adjacent[c]:
                changed |= state.place((c, b, TAIL), (b, c, ARROW))
    return changed


def rule_2(state: MarkSets) -> bool:
    """Make a *-o c into a *-> c if a -> b *-> c or a *-> b -> c; a tail would close an (almost) directed cycle."""
    changed = False
    for c, into in enumerate(state.near[ARROW]):
        for a in members(state.near[CIRCLE][c] if into else 0):
            if into & state.far[ARROW][a] & (state.near[TAIL][a] | state.far[TAIL][c]):
                changed |= state.place((a, c, ARROW))
    return changed


def rule_3(state: MarkSets) -> bool:
    """Make d *-o b into d *-> b if a *-> b <-* c and a *-o d o-* c, with a and c not adjacent."""
    changed = False
    for b, into in enumerate(state.near[ARROW]):
        for d in members(state.near[CIRCLE][b] if into else 0):
            if _unlinked_pair(state, into & state.near[CIRCLE][d]):
                changed |= state.place((d, b, ARROW))
    return changed


def rule_4(state: MarkSets, ends_in_collider: EndsInCollider) -> bool:
    """Make b o-* c into b -> c or a <-> b <-> c if (x, ..., a, b, c) is a discriminating path for b.

    Such a path has at least three edges; x and c are not adjacent; every vertex between x and b is a collider on it and
    a parent of c. Walking back from b, the inner vertices are therefore joined by bidirected edges among the parents of
    c, so one search per edge finds a shortest one.
    """
    changed = False
    for b in range(state.n_vertices):
        for c in members(state.near[CIRCLE][b]):
            path = _discriminating_path(state, b, c)
            if path is None:
                continue
            if ends_in_collider(path):
                a = path[-3]
                changed |= state.place((a, b, ARROW), (c, b, ARROW), (b, c, ARROW))
            else:
                changed |= state.place((c, b, TAIL), (b, c, ARROW))
    return changed


def _discriminating_path(state: MarkSets, b: int, c: int) -> list[int] | None:
    inner = state.parents(c) & ~singleton(b)
    layer = inner & state.far[ARROW][b]
    next_on_path = dict.fromkeys(members(layer), b)
    unseen = inner & ~layer
    while layer:
        following = 0
        for vertex in members(layer):
            ends = state.near[ARROW][vertex] & ~state.adjacent[c] & ~singleton(c)
            if ends:
                path = [next(members(ends)), vertex]
                while path[-1] != b:
                    path.append(next_on_path[path[-1]])
                return [*path, c]
            new = state.siblings(vertex) & unseen
            unseen &= ~new
            next_on_path.update(dict.fromkeys(members(new), vertex))
            following |= new
        layer = following
    return None


# ------------------------------------------------------------- undirected edges: these need selection to ever apply


def rule_5(state: MarkSets) -> bool:
    """Make a o-o b undirected, with the whole cycle, if it lies on an uncovered cycle of circle edges."""
    circles = [near & far for near, far in zip(state.near[CIRCLE], state.far[CIRCLE], strict=True)]
    changed = False
    for b in range(state.n_vertices):
        for a in members(circles[b] & (singleton(b) - 1)):
            cycle = _uncovered_cycle(circles, state.adjacent, a, b)
            if cycle is not None:
                edges = zip(cycle, cycle[1:] + cycle[:1], strict=True)
                # A cycle that shares edges with an earlier one finds some of its circles gone already.
                for one, other in edges:
                    changed |= state.place((one, other, TAIL), (other, one, TAIL))
    return changed


def _uncovered_cycle(circles: Sequence[int], adjacent: Sequence[int], a: int, b: int) -> list[int] | None:
    """Return a, c, ..., d, b, an uncovered walk with a, d and b, c not adjacent, or None."""
    ends = singleton(a) | singleton(b)
    layer = [(a, c) for c in members(circles[a] & ~adjacent[b] & ~ends)]
    came_from: dict[tuple[int, int], tuple[int, int]] = {}
    untaken = [steps & ~ends for steps in circles]
    while layer:
        following = []
        for pair in layer:
            previous, current = pair
            onward = ~adjacent[previous] & ~singleton(previous)
            if circles[current] & onward & singleton(b) and not adjacent[a] & singleton(current):
                cycle = [b, current]
                step = came_from.get(pair)
                while step is not None:
                    cycle.append(step[1])
                    step = came_from.get(step)
                return [a, *reversed(cycle)]
            new = untaken[current] & onward
            untaken[current] &= ~new
            for vertex in members(new):
                came_from[current, vertex] = pair
                following.append((current, vertex))
        layer = following
    return None


def rule_6(state: MarkSets) -> bool:
    """Make a -- b o-* c into b -* c, as a vertex with an undirected edge has no arrowhead at it."""
    changed = False
    for b in range(state.n_vertices):
        if state.undirected(b):
            for c in members(state.near[CIRCLE][b]):
                changed |= state.place((c, b, TAIL))
    return changed


def rule_7(state: MarkSets) -> bool:
    """Make a -o b o-* c into b -* c if a and c are not adjacent."""
    changed = False
    for b, circles in enumerate(state.near[CIRCLE]):
        for c in members(circles if circles & state.far[TAIL][b] else 0):
            if state.near[CIRCLE][b] & state.far[TAIL][b] & ~state.adjacent[c] & ~singleton(c):
                changed |= state.place((c, b, TAIL))
    return changed


# --------------------------------------------------------------------------------------- tails of directed edges


def rule_8(state: MarkSets) -> bool:
    """Make a o-> c into a -> c if a -> b -> c or a -o b -> c."""
    changed = False
    for a, circles in enumerate(state.near[CIRCLE]):
        out = state.near[TAIL][a] & ~state.far[TAIL][a]
        for c in members(circles & state.far[ARROW][a] if out else 0):
            if out & state.parents(c):
                changed |= state.place((c, a, TAIL))
    return changed


def rule_9(state: MarkSets) -> bool:
    """Make a o-> c into a -> c if an uncovered potentially directed path (a, b, ..., c) has b not adjacent to c."""
    changed = False
    steps, back = _potentially_directed_steps(state), _steps_back(state)
    for a, circles in enumerate(state.near[CIRCLE]):
        goals = circles & state.far[ARROW][a]
        leading = reach(back, goals, ~singleton(a))
        for b in members(steps[a] & leading):
            far_goals = goals & ~state.adjacent[b] & ~singleton(b)
            for c in members(far_goals & _uncovered_ends(steps, state.adjacent, a, b, leading) if far_goals else 0):
                changed |= state.place((c, a, TAIL))
                goals &= ~singleton(c)
    return changed


def rule_10(state: MarkSets) -> bool:
    """Make a o-> c into a -> c if b -> c <- d and uncovered potentially directed paths lead from a to b and to d.

    The paths are (a, m, ..., b) and (a, n, ..., d), m and n different and not adjacent; m may be b and n may be d.
    """
    changed = False
    steps, back = _potentially_directed_steps(state), _steps_back(state)
    for a, circles in enumerate(state.near[CIRCLE]):
        parents = {c: state.parents(c) for c in members(circles & state.far[ARROW][a])}
        leading = reach(back, reduce(or_, parents.values(), 0), ~singleton(a))
        firsts = steps[a] & leading
        partnered = [m for m in members(firsts) if firsts & ~state.adjacent[m] & ~singleton(m)]
        ends = {m: _uncovered_ends(steps, state.adjacent, a, m, leading) for m in partnered}
        for c, of_c in parents.items():
            if ends and _unlinked_pair(state, mask_of(m for m, found in ends.items() if found & of_c)):
                changed |= state.place((c, a, TAIL))
    return changed


def _potentially_directed_steps(state: MarkSets) -> list[int]:
    """Return, for each vertex, where an edge can lead that has no arrowhead here and no tail there."""
    sets = zip(state.adjacent, state.near[ARROW], state.far[TAIL], strict=True)
    return [adjacent & ~into & ~tails for adjacent, into, tails in sets]


def _steps_back(state: MarkSets) -> list[int]:
    """Return, for each vertex, from where such an edge can lead to it."""
    sets = zip(state.adjacent, state.near[TAIL], state.far[ARROW], strict=True)
    return [adjacent & ~tails & ~into for adjacent, tails, into in sets]


def _uncovered_ends(steps: Sequence[int], adjacent: Sequence[int], start: int, first: int, within: int) -> int:
    """Return every vertex at which an uncovered walk (start, first, ...) along ``steps`` can end, also ``first``.

    All vertices but the start are in ``within``: where no goal can be reached from, no walk has to be followed.
    """
    untaken = list(steps)
    found = singleton(first)
    open_pairs = [(start, first)]
    within &= ~singleton(start)
    while open_pairs:
        previous, current = open_pairs.pop()
        new = untaken[current] & within & ~adjacent[previous] & ~singleton(previous)
        untaken[current] &= ~new
        found |= new
        open_pairs.extend((current, vertex) for vertex in members(new))
    return found


def _unlinked_pair(state: MarkSets, vertices: int) -> bool:
    """Tell whether two different vertices of a set are not adjacent."""
    return any(vertices & ~state.adjacent[v] & ~singleton(v) for v in members(vertices))
