"""Zhang's rules R0-R10 word for word, with every path written out: far too slow, and easy to check by reading.

``m[i, j]`` is the mark at j on the edge between i and j: 0 none, 1 circle, 2 arrowhead, 3 tail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise, permutations

import numpy as np
from numpy.typing import NDArray

NONE, CIRCLE, ARROW, TAIL = 0, 1, 2, 3
Marks = NDArray[np.int8]
Step = Callable[[int, int], bool]


def pag_by_the_book(mag: Marks) -> Marks:
    """Run R0, then R1-R4, R5, R6-R7, R8-R10, each group until nothing changes."""
    m: Marks = np.where(mag != NONE, CIRCLE, NONE).astype(np.int8)
    for a, b, c in permutations(range(len(m)), 3):
        if m[a, b] and m[b, c] and not m[a, c] and mag[a, b] == mag[c, b] == ARROW:
            m[a, b] = m[c, b] = ARROW
    for group in ([_r1, _r2, _r3, _r4], [_r5], [_r6, _r7], [_r8, _r9, _r10]):
        before = None
        while before is None or (before != m).any():
            before = m.copy()
            for rule in group:
                rule(m, mag)
    return m


def paths(m: Marks, start: int, end: int, step: Step) -> Iterator[tuple[int, ...]]:
    """Every path from start to end whose steps are all allowed."""

    def extend(path: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if path[-1] == end:
            yield path
            return
        for v in range(len(m)):
            if v not in path and m[path[-1], v] and step(path[-1], v):
                yield from extend((*path, v))

    return extend((start,))


def uncovered(m: Marks, path: tuple[int, ...]) -> bool:
    return all(not m[a, c] for a, c in zip(path, path[2:], strict=False))


def _r1(m: Marks, _: Marks) -> None:
    for a, b, c in permutations(range(len(m)), 3):
        if m[a, b] == ARROW and m[c, b] == CIRCLE and not m[a, c]:
            m[c, b], m[b, c] = TAIL, ARROW


def _r2(m: Marks, _: Marks) -> None:
    for a, b, c in permutations(range(len(m)), 3):
        heads = m[a, b] == ARROW and m[b, c] == ARROW
        if heads and (m[b, a] == TAIL or m[c, b] == TAIL) and m[a, c] == CIRCLE:
            m[a, c] = ARROW


def _r3(m: Marks, _: Marks) -> None:
    for a, b, c, d in permutations(range(len(m)), 4):
        collider = m[a, b] == ARROW == m[c, b] and not m[a, c]
        if collider and m[a, d] == CIRCLE == m[c, d] and m[d, b] == CIRCLE:
            m[d, b] = ARROW


def _r4(m: Marks, mag: Marks) -> None:
    for x, b, c in permutations(range(len(m)), 3):
        if m[x, c] or m[c, b] != CIRCLE:
            continue
        for path in _discriminating(m, x, b, c):
            a = path[-2]
            if m[c, b] == CIRCLE:
                if mag[c, b] == ARROW:
                    m[a, b] = m[b, a] = m[c, b] = m[b, c] = ARROW
                else:
                    m[c, b], m[b, c] = TAIL, ARROW


def _discriminating(m: Marks, x: int, b: int, c: int) -> list[tuple[int, ...]]:
    """Paths (x, ..., a, b) whose inner vertices are colliders and parents of c."""

    def allowed(_: int, v: int) -> bool:
        return v == b or bool(m[v, c] == ARROW and m[c, v] == TAIL)

    def colliders(path: tuple[int, ...]) -> bool:
        return all(m[u, v] == ARROW == m[w, v] for u, v, w in zip(path, path[1:], path[2:], strict=False))

    return [path for path in paths(m, x, b, allowed) if len(path) > 2 and colliders(path)]


def _r5(m: Marks, _: Marks) -> None:
    found: set[tuple[int, int]] = set()
    for a, b in permutations(range(len(m)), 2):
        if m[a, b] == CIRCLE == m[b, a]:
            for path in paths(m, a, b, lambda u, v: bool(m[u, v] == CIRCLE == m[v, u])):
                if len(path) > 3 and uncovered(m, path) and not m[a, path[-2]] and not m[b, path[1]]:
                    found.update([(a, b), *pairwise(path)])
    for u, v in found:
        m[u, v] = m[v, u] = TAIL


def _r6(m: Marks, _: Marks) -> None:
    for a, b, c in permutations(range(len(m)), 3):
        if m[a, b] == TAIL == m[b, a] and m[c, b] == CIRCLE:
            m[c, b] = TAIL


def _r7(m: Marks, _: Marks) -> None:
    for a, b, c in permutations(range(len(m)), 3):
        if m[b, a] == TAIL and m[a, b] == CIRCLE == m[c, b] and not m[a, c]:
            m[c, b] = TAIL


def _r8(m: Marks, _: Marks) -> None:
    for a, b, c in permutations(range(len(m)), 3):
        first = m[b, a] == TAIL and m[a, b] in (ARROW, CIRCLE)
        if first and m[c, b] == TAIL and m[b, c] == ARROW and m[c, a] == CIRCLE and m[a, c] == ARROW:
            m[c, a] = TAIL


def _potentially_directed(m: Marks, start: int, end: int) -> list[tuple[int, ...]]:
    possible = paths(m, start, end, lambda u, v: bool(m[v, u] != ARROW and m[u, v] != TAIL))
    return [path for path in possible if uncovered(m, path)]


def _r9(m: Marks, _: Marks) -> None:
    for a, c in permutations(range(len(m)), 2):
        if m[c, a] == CIRCLE and m[a, c] == ARROW:
            for path in _potentially_directed(m, a, c):
                if len(path) > 3 and not m[path[1], c]:
                    m[c, a] = TAIL


def _r10(m: Marks, _: Marks) -> None:
    for a, b, c, d in permutations(range(len(m)), 4):
        into_c = m[b, c] == ARROW == m[d, c] and m[c, b] == TAIL == m[c, d]
        if into_c and m[c, a] == CIRCLE and m[a, c] == ARROW:
            firsts = {path[1] for path in _potentially_directed(m, a, b)}
            seconds = {path[1] for path in _potentially_directed(m, a, d)}
            if any(u != v and not m[u, v] for u in firsts for v in seconds):
                m[c, a] = TAIL
