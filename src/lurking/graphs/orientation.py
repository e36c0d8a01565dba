"""From a maximal ancestral graph to its PAG: what independence can tell about the direction of causes.

Many maximal ancestral graphs (MAGs) have the same m-separations, so data that show nothing but independences cannot
choose among them. They have the same adjacent pairs, and they share some marks: an arrowhead at b on the edge
``a *-> b`` in all of them says that b is no cause of a, a tail at a on ``a -> b`` says that a is a cause of b. The
*partial ancestral graph* (PAG) keeps the shared marks and puts a circle wherever two equivalent MAGs differ.

The PAG is reached from the skeleton with circles everywhere by eleven rules (``*`` is any mark; in R1 to R10 a circle
is replaced, so every rule can be read as "or else something impossible would follow")::

    ====  ===================================================================  =======================================
    rule  pattern                                                              becomes
    ====  ===================================================================  =======================================
    R0    a *-* b *-* c, a and c not adjacent, b a collider                    a *-> b <-* c
    R1    a *-> b o-* c, a and c not adjacent                                  b -> c
    R2    a -> b *-> c or a *-> b -> c, with a *-o c                           a *-> c
    R3    a *-> b <-* c, a *-o d o-* c, a and c not adjacent, d *-o b          d *-> b
    R4    (x, ..., a, b, c) discriminating for b, b o-* c                      a <-> b <-> c if collider, else b -> c
    R5    an uncovered cycle of edges o-o, four vertices or more               all of its edges become --
    R6    a -- b o-* c                                                         b -* c
    R7    a -o b o-* c, a and c not adjacent                                   b -* c
    R8    a -> b -> c or a -o b -> c, with a o-> c                             a -> c
    R9    a o-> c, an uncovered possible causal path (a, b, ..., c), b and c   a -> c
          not adjacent
    R10   a o-> c, b -> c <- d, uncovered possible causal paths from a to b    a -> c
          and to d whose second vertices differ and are not adjacent
    ====  ===================================================================  =======================================

R0 to R4 find every shared arrowhead (Ali, Richardson, Spirtes and Zhang 2005), R5 to R10 every other shared tail (Zhang
2008). R5 to R7 make undirected edges, which stand for selection: units got into the sample because of what is measured
or of its effects. An ADMG has none; a PAG that comes from one never has a cycle for R5, hence no undirected edge for R6
and no edge -o for R7, so **these three never apply to it**.

Only two questions are ever asked about the source of the knowledge: whether an unshielded triple is a collider (R0) and
whether a discriminating path ends in one (R4). ``pag_of_mag`` answers from the graph. A constraint-based search
answers from the separating sets that it found and uses ``orient`` with the same rules:

>>> separated_by = {(0, 1): set(), (0, 3): {2}, (1, 3): {2}}        # the skeleton 0 - 2 - 1, 2 - 3
>>> skeleton = np.array([[0, 0, 1, 0], [0, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0]], dtype=bool)
>>> orient(
...     skeleton,
...     is_collider=lambda a, b, c: b not in separated_by[min(a, c), max(a, c)],
...     ends_in_collider=lambda path: path[-2] not in separated_by[min(path[0], path[-1]), max(path[0], path[-1])],
... ).tolist()                                                       # 0 o-> 2 <-o 1, 2 -> 3
[[0, 0, 2, 0], [0, 0, 2, 0], [1, 1, 0, 2], [0, 0, 3, 0]]

When the answers come from data they can contradict each other. A rule then never overwrites a tail or an arrowhead: it
applies as a whole or not at all, and the result can depend on the order of the variables.

References
----------
J. Zhang (2008), On the completeness of orientation rules for causal discovery in the presence of latent confounders and
selection bias, Artificial Intelligence 172. R. A. Ali, T. Richardson, P. Spirtes and J. Zhang (2005), Towards
characterizing Markov equivalence classes for directed acyclic graphs with latent variables, UAI.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from itertools import combinations

import numpy as np

from lurking._typing import BoolMatrix
from lurking.graphs import orientation_rules as rule_book
from lurking.graphs.bits import BitGraph, members, singleton
from lurking.graphs.marks import Mark, MarkMatrix, MarkSets
from lurking.graphs.orientation_rules import EndsInCollider

__all__ = ["ALL_RULES", "apply_rules", "orient", "pag_of_mag", "pag_of_marks"]

ALL_RULES = frozenset(range(1, 11))
"""The numbers of the rules R1 to R10."""

WITHOUT_SELECTION = ALL_RULES - {5, 6, 7}
"""The numbers of the rules that can apply if no MAG of the class has an undirected edge."""

# Zhang's order. Within a stage the cheap rules come first, and the costly ones wait until those have nothing to do.
_STAGES = ((1, 2, 3, 4), (5,), (6, 7), (8, 9, 10))


def pag_of_mag(mag: BitGraph) -> MarkMatrix:
    """Return the marks of the PAG of a maximal ancestral graph without undirected edges.

    It is what :func:`pag_of_marks` returns, without matrices on the way and without R5 to R7, which never apply.

    Parameters
    ----------
    mag : BitGraph
        Must be maximal and ancestral, as :func:`~lurking.graphs.projection.mag_projection` makes it; not checked.

    Returns
    -------
    marks : ndarray of int8, shape (d, d)
        ``marks[i, j]`` is the mark at j.

    Examples
    --------
    >>> pag_of_mag(BitGraph.from_edges(3, directed=[(0, 1)], bidirected=[(1, 2)])).tolist()   # 0 o-> 1 <-o 2
    [[0, 2, 0], [1, 0, 1], [0, 2, 0]]
    """
    state = MarkSets.with_circles([p | c | s for p, c, s in zip(mag.parents, mag.children, mag.siblings, strict=True)])
    into = [parents | siblings for parents, siblings in zip(mag.parents, mag.siblings, strict=True)]
    for b, arrows in enumerate(into):  # R0, all unshielded colliders at b at once
        for a in members(arrows):
            if arrows & ~state.adjacent[a] & ~singleton(a):
                state.place((a, b, Mark.ARROW))
    _close(state, lambda path: bool(into[path[-2]] >> path[-1] & 1), WITHOUT_SELECTION)
    return state.to_matrix()


def pag_of_marks(mag: MarkMatrix, rules: Collection[int] = ALL_RULES) -> MarkMatrix:
    """Return the marks of the PAG of a maximal ancestral graph, undirected edges allowed.

    Parameters
    ----------
    mag : ndarray of int8, shape (d, d)
        Tails and arrowheads of a maximal ancestral graph; not checked here, but by
        :meth:`PAG.of_mag <lurking.graphs.PAG.of_mag>`.
    rules : collection of int, default all of 1 to 10
        The rules to use after R0.

    Examples
    --------
    >>> square = np.array([[0, 3, 0, 3], [3, 0, 3, 0], [0, 3, 0, 3], [3, 0, 3, 0]], dtype=np.int8)
    >>> bool((pag_of_marks(square) == square).all())                  # 0 -- 1 -- 2 -- 3 -- 0, by R5
    True
    """
    skeleton: BoolMatrix = mag != Mark.NONE
    arrow: list[list[bool]] = (mag == Mark.ARROW).tolist()
    return orient(
        skeleton,
        is_collider=lambda a, b, c: arrow[a][b] and arrow[c][b],
        ends_in_collider=lambda path: arrow[path[-1]][path[-2]],
        rules=rules,
    )


def orient(
    skeleton: BoolMatrix,
    is_collider: Callable[[int, int, int], bool],
    ends_in_collider: EndsInCollider,
    rules: Collection[int] = ALL_RULES,
) -> MarkMatrix:
    """Orient a skeleton by R0 and then by the other rules.

    Parameters
    ----------
    skeleton : ndarray of bool, shape (d, d)
        Symmetric: the pairs that no set separates.
    is_collider : callable (a, b, c) -> bool
        Is b a collider between its neighbours a and c, which are not adjacent? Asked once per such triple, a < c.
    ends_in_collider : callable (path) -> bool
        The path (x, ..., a, b, c) discriminates for b: is b a collider on it? With separating sets: is b outside the
        set that separates x and c?
    rules : collection of int, default all of 1 to 10
        The rules to use after R0.

    Returns
    -------
    marks : ndarray of int8, shape (d, d)
        ``marks[i, j]`` is the mark at j.
    """
    state = MarkSets(np.where(skeleton, Mark.CIRCLE, Mark.NONE).astype(np.int8))
    for b, neighbours in enumerate(state.adjacent):
        for a, c in combinations(members(neighbours), 2):
            if not state.adjacent[a] >> c & 1 and is_collider(a, b, c):
                state.place((a, b, Mark.ARROW))
                state.place((c, b, Mark.ARROW))
    _close(state, ends_in_collider, rules)
    return state.to_matrix()


def apply_rules(
    marks: MarkMatrix,
    ends_in_collider: EndsInCollider,
    rules: Collection[int] = ALL_RULES,
) -> MarkMatrix:
    """Apply R1 to R10 until none of them changes anything.

    Parameters
    ----------
    marks : ndarray of int8, shape (d, d)
        A graph whose unshielded colliders are oriented (R0); tails and arrowheads from elsewhere, such as background
        knowledge, may be there already. It is left as it is.
    ends_in_collider : callable (path) -> bool
        As for ``orient``.
    rules : collection of int, default all of 1 to 10
        The rules to use.

    Returns
    -------
    marks : ndarray of int8, shape (d, d)
        The same graph with fewer circles.

    Examples
    --------
    >>> known = np.array([[0, 2, 0], [3, 0, 1], [0, 1, 0]], dtype=np.int8)       # 0 -> 1 o-o 2: by R1 also 1 -> 2
    >>> apply_rules(known, ends_in_collider=lambda path: False).tolist()
    [[0, 2, 0], [3, 0, 2], [0, 3, 0]]
    """
    state = MarkSets(marks)
    _close(state, ends_in_collider, rules)
    return state.to_matrix()


def _close(state: MarkSets, ends_in_collider: EndsInCollider, rules: Collection[int]) -> None:
    """Apply the rules, stage by stage, until none changes anything; each change removes a circle, so this ends."""
    functions: dict[int, Callable[[MarkSets], bool]] = {
        1: rule_book.rule_1,
        2: rule_book.rule_2,
        3: rule_book.rule_3,
        4: partial(rule_book.rule_4, ends_in_collider=ends_in_collider),
        5: rule_book.rule_5,
        6: rule_book.rule_6,
        7: rule_book.rule_7,
        8: rule_book.rule_8,
        9: rule_book.rule_9,
        10: rule_book.rule_10,
    }
    stages = [[functions[number] for number in stage if number in rules] for stage in _STAGES]
    changed = True
    while changed:
        changed = False
        for stage in stages:
            while any(rule(state) for rule in stage):
                changed = True
