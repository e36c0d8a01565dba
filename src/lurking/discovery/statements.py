"""Statements: what can be said of two variables, each with its probability and with words that follow it.

================== ===================================================================== =================
kind               says of ``first`` and ``second``                                      number of pairs
================== ===================================================================== =================
``causes``         the first is a cause of the second, directly or through other         ordered
                   variables
``not causes``     it is not                                                             ordered
``shares a cause`` something unmeasured causes both, not only through measured variables unordered
``adjacent``       no set of measured variables makes the two independent                unordered
``apart``          some set of measured variables does                                   unordered
================== ===================================================================== =================

The words of a statement follow its probability: from 0.95 on it is said without reservation, from 0.8 on with
"probably", below that the question is called undecided. Statements below ``LEAST`` (.05) are not listed.

*What decided it.* ``data``: the posterior. ``knowledge``: it follows from what the user said beforehand, whatever the
data. ``assumption``: similar noise was assumed, and independences leave the direction open.

>>> import numpy as np
>>> adjacent, causes, shares = np.array([[0, 1], [1, 0]]), np.array([[0, 0.97], [0, 0]]), np.zeros((2, 2))
>>> beliefs = Beliefs(("A", "B"), adjacent, causes, shares, "sampled", 9)
>>> for statement in statements_of(beliefs)[:3]:
...     print(statement.kind, statement.probability, statement.words)
not causes 1.0 B is not a cause of A.
adjacent 1.0 A and B are directly connected.
causes 0.97 A is a cause of B.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from lurking._typing import BoolMatrix, FloatArray, IntArray
from lurking.discovery.beliefs import Beliefs
from lurking.discovery.knowledge import Knowledge
from lurking.graphs import PAG
from lurking.graphs.edge_kinds import ARROW_BACK, ARROW_ON, BIDIRECTED, NO_EDGE
from lurking.graphs.marks import Mark

__all__ = [
    "CERTAIN",
    "KINDS",
    "LEAST",
    "PROBABLE",
    "WORDS",
    "DecidedBy",
    "Statement",
    "StatementKind",
    "in_words",
    "statements_of",
]

StatementKind = Literal["causes", "not causes", "shares a cause", "adjacent", "apart"]
DecidedBy = Literal["data", "knowledge", "assumption"]

KINDS: tuple[StatementKind, ...] = ("causes", "shares a cause", "not causes", "adjacent", "apart")
"""The kinds; equally probable statements are listed in this order."""
CERTAIN, PROBABLE = 0.95, 0.8
"""The probabilities from which on a statement is said without reservation, and with "probably"."""
LEAST = 0.05
"""Statements that are less probable are left out."""

WORDS: dict[StatementKind, str] = {
    "causes": "{first} is a cause of {second}",
    "not causes": "{first} is not a cause of {second}",
    "shares a cause": "{first} and {second} share an unmeasured cause",
    "adjacent": "{first} and {second} are directly connected",
    "apart": "{first} and {second} are not directly connected",
}
_QUESTIONS: dict[StatementKind, str] = {
    "causes": "whether {first} is a cause of {second}",
    "not causes": "whether {first} is a cause of {second}",
    "shares a cause": "whether {first} and {second} share an unmeasured cause",
    "adjacent": "whether {first} and {second} are directly connected",
    "apart": "whether {first} and {second} are directly connected",
}


@dataclass(frozen=True, slots=True)
class Statement:
    """Something that may hold between two variables, and how probable it is.

    Attributes
    ----------
    kind : {"causes", "not causes", "shares a cause", "adjacent", "apart"}
        What is said.
    first, second : str
        Of whom.
    probability : float
        The posterior probability.
    decided_by : {"data", "knowledge", "assumption"}
        Where the probability comes from.
    """

    kind: StatementKind
    first: str
    second: str
    probability: float
    decided_by: DecidedBy

    @property
    def words(self) -> str:
        """The statement as a sentence whose firmness follows the probability."""
        return in_words(self.kind, self.probability).format(first=self.first, second=self.second)


def in_words(kind: StatementKind, probability: float) -> str:
    """Return the sentence of a statement, with ``{first}`` and ``{second}`` in place of the names."""
    if probability >= CERTAIN:
        return f"{WORDS[kind]}."
    if probability >= PROBABLE:
        return f"Probably {WORDS[kind]}."
    return f"It is undecided {_QUESTIONS[kind]}."


def statements_of(
    beliefs: Beliefs,
    knowledge: Knowledge | None = None,
    assumed: PAG | None = None,
) -> tuple[Statement, ...]:
    """Return all statements that are not improbable, the most probable first.

    Parameters
    ----------
    beliefs : Beliefs
        The probabilities.
    knowledge : Knowledge, optional
        What was known beforehand; the search obeyed it.
    assumed : PAG, optional
        If similar noise was assumed, the equivalence class of the answer: directions that it leaves open rest on the
        assumption.

    Returns
    -------
    statements : tuple of Statement
        Equally probable ones are ordered by kind and by name.
    """
    known = None if knowledge is None else _Known.of(knowledge, beliefs.names)
    listed = _Listed(beliefs.names)
    ordered = ~np.eye(len(beliefs.names), dtype=bool)
    pairs = np.triu(ordered)
    by_data = np.where(np.zeros_like(ordered) if assumed is None else _open_directions(assumed, beliefs.names), 2, 0)
    of_cause = by_data if known is None else np.where(known.causes, 1, by_data)
    of_no_cause = by_data if known is None else np.where(known.may_cause, by_data, 1)
    nothing = np.zeros_like(by_data)
    listed.add("causes", beliefs.causes, ordered, of_cause)
    listed.add("not causes", 1.0 - beliefs.causes, ordered, of_no_cause)
    listed.add("adjacent", beliefs.adjacent, pairs, nothing if known is None else np.where(known.joined, 1, 0))
    listed.add("apart", 1.0 - beliefs.adjacent, pairs, nothing)
    listed.add("shares a cause", beliefs.shares, pairs, nothing if known is None else np.where(known.shared, 1, 0))
    return listed.in_order()


_DECIDED_BY: tuple[DecidedBy, ...] = ("data", "knowledge", "assumption")  # 0, 1 and 2 in the arrays below


class _Listed:
    """The statements that are not improbable, as columns of numbers until they are put in order.

    There are about 7 d² / 2 candidates for d variables, so they are compared as arrays and only those that are listed
    become objects.
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        self._by_name = sorted(names)
        places = {name: k for k, name in enumerate(self._by_name)}
        self._place = np.array([places[name] for name in names], dtype=np.intp)
        self._columns: list[tuple[IntArray, IntArray, IntArray, FloatArray, IntArray]] = []

    def add(self, kind: StatementKind, probability: FloatArray, which: BoolMatrix, decided_by: IntArray) -> None:
        """Add the statements of a kind about some pairs; those of a symmetric kind name the variables in order."""
        at = np.nonzero(which & (probability >= LEAST))
        first, second = self._place[at[0]], self._place[at[1]]
        if kind not in ("causes", "not causes"):
            first, second = np.minimum(first, second), np.maximum(first, second)
        kinds = np.full(len(first), KINDS.index(kind), dtype=np.intp)
        self._columns.append((kinds, first, second, probability[at], decided_by[at]))

    def in_order(self) -> tuple[Statement, ...]:
        """Return all of them, the most probable first; of equally probable ones by kind and by name."""
        kinds, first, second, probability, decided_by = (
            np.concatenate(column) for column in zip(*self._columns, strict=True)
        )
        order = np.lexsort((second, first, kinds, -np.round(probability, 9)))
        columns = (column[order].tolist() for column in (kinds, first, second, probability, decided_by))
        names = self._by_name
        return tuple(
            Statement(KINDS[kind], names[one], names[other], p, _DECIDED_BY[by])
            for kind, one, other, p, by in zip(*columns, strict=True)
        )


def _open_directions(pag: PAG, names: tuple[str, ...]) -> BoolMatrix:
    """Return the pairs, in the order of the names, whose edge in the PAG has a circle."""
    order = [pag.names.index(name) for name in names]
    circle = pag.marks[np.ix_(order, order)] == Mark.CIRCLE
    is_open: BoolMatrix = circle | circle.T
    return is_open


@dataclass(frozen=True)
class _Known:
    """What follows from the knowledge alone: symmetric matrices for pairs, ``[i, j]`` of i on j for causes."""

    causes: BoolMatrix
    may_cause: BoolMatrix
    joined: BoolMatrix
    shared: BoolMatrix

    @classmethod
    def of(cls, knowledge: Knowledge, names: tuple[str, ...]) -> _Known:
        allowed = knowledge.allowed_edges(names).astype(bool)
        above = np.triu(np.ones(allowed.shape[:2], dtype=bool), 1)
        only = allowed & (allowed.sum(axis=2, keepdims=True) == 1)

        def directed(mask: BoolMatrix) -> BoolMatrix:
            matrix: BoolMatrix = (above & mask[:, :, ARROW_ON]) | (above & mask[:, :, ARROW_BACK]).T
            return matrix

        def symmetric(mask: BoolMatrix) -> BoolMatrix:
            matrix: BoolMatrix = (above & mask) | (above & mask).T
            return matrix

        return cls(
            causes=_closure(directed(only)),
            may_cause=_closure(directed(allowed)),
            joined=symmetric(~allowed[:, :, NO_EDGE]),
            shared=symmetric(only[:, :, BIDIRECTED]),
        )


def _closure(directed: BoolMatrix) -> BoolMatrix:
    """Return the transitive closure."""
    reached = directed.copy()
    for k in range(len(reached)):
        reached |= reached[:, k, None] & reached[None, k, :]
    return reached
