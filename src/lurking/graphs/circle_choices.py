"""Every MAG of a PAG, with undirected edges too: all ways to replace the circles, as far as they can lead to one.

:mod:`lurking.graphs.mark_changes` walks from MAG to MAG without ever leaving a class, but knows graphs without
undirected edges only. Here circles are replaced one after the other, by a tail or by an arrowhead, and a choice is
given up as soon as

- an undirected edge meets an arrowhead, which no ancestral graph allows;
- two arrowheads meet at a vertex whose neighbours are not adjacent: all MAGs of a class have the same such colliders,
  so the PAG would show it.

What is left is a MAG of the class if it is a maximal ancestral graph and has the same PAG. The work grows exponentially
with the number of circles that stand together.

>>> circles = np.array([[0, 1], [1, 0]], dtype=np.int8)                                                       # 0 o-o 1
>>> [mag.tolist() for mag in mags_with_selection(circles)]
[[[0, 3], [3, 0]], [[0, 3], [2, 0]], [[0, 2], [3, 0]], [[0, 2], [2, 0]]]
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lurking._errors import GraphError
from lurking.graphs.marks import Mark, MarkMatrix
from lurking.graphs.mixed_ancestral import check_maximal_ancestral
from lurking.graphs.orientation import pag_of_marks

__all__ = ["mags_with_selection"]


def mags_with_selection(pag: MarkMatrix) -> Iterator[MarkMatrix]:
    """Yield the marks of every MAG of a PAG, those with undirected edges first."""
    circles = [(i, j) for i, j in np.argwhere(pag == Mark.CIRCLE).tolist()]
    marks = pag.copy()

    def replaced(done: int) -> Iterator[MarkMatrix]:
        if done == len(circles):
            if _is_member(marks, pag):
                yield marks.copy()
            return
        other, at = circles[done]
        for mark in (Mark.TAIL, Mark.ARROW):
            marks[other, at] = mark
            if _may_be_ancestral(marks, other, at):
                yield from replaced(done + 1)
        marks[other, at] = Mark.CIRCLE

    return replaced(0)


def _may_be_ancestral(marks: MarkMatrix, other: int, at: int) -> bool:
    """Tell whether the new mark at ``at`` contradicts nothing that is decided near it."""
    arrows, tails = marks == Mark.ARROW, marks == Mark.TAIL
    if marks[other, at] == Mark.ARROW:
        meets_undirected = bool((tails[:, at] & tails[at]).any())
        apart = (marks[other] == Mark.NONE) & (np.arange(len(marks)) != other)
        new_collider = bool((arrows[:, at] & apart).any())
        return not meets_undirected and not new_collider
    if marks[at, other] == Mark.TAIL:  # the edge is undirected now
        return not arrows[:, at].any() and not arrows[:, other].any()
    return True


def _is_member(marks: MarkMatrix, pag: MarkMatrix) -> bool:
    try:
        check_maximal_ancestral([str(v) for v in range(len(marks))], marks)
    except GraphError:
        return False
    return bool(np.array_equal(pag_of_marks(marks), pag))
