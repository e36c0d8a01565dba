"""An answer on one screen: what is certain, what is probable, how much is open, what speaks against it, what to do.

A summary selects from the statements of an analysis. Of each pair it takes at most what says most: that one is a cause
of the other, that both share an unmeasured cause, that one of two connected variables is not a cause of the other, that
they are connected. What follows from statements already taken is left out: if A is a cause of B and B of C, then
"A is a cause of C" is not repeated.

>>> import numpy as np
>>> from lurking.discovery.beliefs import Beliefs
>>> from lurking.discovery.statements import statements_of
>>> adjacent = np.array([[0, 1, 0], [1, 0, 0.9], [0, 0.9, 0]])
>>> causes = np.array([[0, 0.99, 0.5], [0, 0, 0.5], [0, 0.1, 0]])
>>> beliefs = Beliefs(("A", "B", "C"), adjacent, causes, np.zeros((3, 3)), "sampled", 9)
>>> certain, probable, pairs = summary_of(statements_of(beliefs))
>>> [statement.words for statement in (*certain, *probable)]
['A is a cause of B.', 'Probably C is not a cause of B.']
>>> pairs
{'how open': 0, 'whether open': 0, 'apart': 1, 'all': 3}
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from lurking.discovery.statements import CERTAIN, PROBABLE, Statement, StatementKind
from lurking.discovery.strengths import Strengths

__all__ = ["MOST_CERTAIN", "MOST_PROBABLE", "PairCounts", "PairSummary", "summary_of"]

MOST_CERTAIN, MOST_PROBABLE = 12, 8
"""So many statements of each are listed; the others are counted."""

_ORDER: tuple[StatementKind, ...] = ("causes", "shares a cause", "not causes", "adjacent")


PairCounts: TypeAlias = dict[str, int]
"""Numbers of pairs: ``how open`` (connected, with nothing more said of them), ``whether open`` (it is undecided whether
they are connected), ``apart`` (not directly connected, with probability .95 or more) and ``all``."""


PairSummary: TypeAlias = tuple[tuple[Statement, ...], tuple[Statement, ...], PairCounts]
"""What is certain, what is probable, and how many pairs are open or apart."""


def summary_of(statements: Iterable[Statement], strengths: Strengths | None = None) -> PairSummary:
    """Select what to say first from the statements of an analysis.

    Parameters
    ----------
    statements : iterable of Statement
        All of them, the most probable first.
    strengths : Strengths, optional
        To list the strongest of equally probable statements first; otherwise they are in the order of the names.

    Returns
    -------
    certain, probable : tuple of Statement
        What is said without reservation, and with "probably"; statements of cause and effect first.
    pairs : dict of str to int
        How many pairs are open and how many apart: ``PairCounts``.
    """
    listed = [statement for statement in statements if statement.probability >= PROBABLE]
    adjacent = {_pair(s): s.probability for s in listed if s.kind == "adjacent"}
    apart = {_pair(s): s.probability for s in listed if s.kind == "apart"}
    names = sorted({name for s in statements for name in (s.first, s.second)})
    n_pairs = len(names) * (len(names) - 1) // 2
    causes = [s for s in listed if s.kind == "causes"]
    follow = _following(causes)
    taken = [s for s in causes if _pair(s) in adjacent or (s.first, s.second) not in follow]
    taken += [s for s in listed if s.kind == "shares a cause"]
    spoken_of = {_pair(s) for s in (*taken, *causes)}
    for kind in ("not causes", "adjacent"):
        more = [s for s in listed if s.kind == kind and _pair(s) in adjacent and _pair(s) not in spoken_of]
        taken += more
        spoken_of |= {_pair(s) for s in more}
    how_open = sum(s.kind == "adjacent" for s in taken)

    def place(s: Statement) -> tuple[bool, float, int, float, str, str]:
        strength = 0.0 if strengths is None else strengths.of_statement(s)
        kind = _ORDER.index(s.kind)
        return kind > 1, -round(s.probability, 2), kind, -strength, s.first, s.second

    taken.sort(key=place)
    certain = tuple(s for s in taken if s.probability >= CERTAIN)
    probable = tuple(s for s in taken if s.probability < CERTAIN)
    return (
        certain,
        probable,
        {
            "how open": how_open,
            "whether open": n_pairs - len(adjacent) - len(apart),
            "apart": sum(probability >= CERTAIN for probability in apart.values()),
            "all": n_pairs,
        },
    )


def _pair(statement: Statement) -> frozenset[str]:
    return frozenset((statement.first, statement.second))


def _following(causes: Sequence[Statement]) -> set[tuple[str, str]]:
    """Return the pairs (A, C) such that "A is a cause of B" and "B is a cause of C" are in the list for some B."""
    effects: dict[str, set[str]] = defaultdict(set)
    for statement in causes:
        effects[statement.first].add(statement.second)
    return {(one, far) for one, near in effects.items() for between in near for far in effects.get(between, ())}
