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

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from lurking._typing import BoolMatrix
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
    found = [statement for statement in _all(beliefs, known, assumed) if statement.probability >= LEAST]
    found.sort(key=lambda s: (-round(s.probability, 9), KINDS.index(s.kind), s.first, s.second))
    return tuple(found)


def _all(beliefs: Beliefs, known: _Known | None, assumed: PAG | None) -> Iterator[Statement]:
    names = beliefs.names
    for i, one in enumerate(names):
        for j, other in enumerate(names):
            if i == j:
                continue
            p = float(beliefs.causes[i, j])
            rests_on_noise = assumed is not None and _direction_is_open(assumed, one, other)
            by: DecidedBy = "assumption" if rests_on_noise else "data"
            cause = "knowledge" if known is not None and known.causes[i, j] else by
            no_cause = "knowledge" if known is not None and not known.may_cause[i, j] else by
            yield Statement("causes", one, other, p, cause)
            yield Statement("not causes", one, other, 1.0 - p, no_cause)
            if i < j:
                first, second = sorted((one, other))
                joined, shared = float(beliefs.adjacent[i, j]), float(beliefs.shares[i, j])
                of_pair: DecidedBy = "knowledge" if known is not None and known.joined[i, j] else "data"
                of_shared: DecidedBy = "knowledge" if known is not None and known.shared[i, j] else "data"
                yield Statement("adjacent", first, second, joined, of_pair)
                yield Statement("apart", first, second, 1.0 - joined, "data")
                yield Statement("shares a cause", first, second, shared, of_shared)


def _direction_is_open(pag: PAG, one: str, other: str) -> bool:
    return Mark.CIRCLE in (pag.mark(one, other), pag.mark(other, one))


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
