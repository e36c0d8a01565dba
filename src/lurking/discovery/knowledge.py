"""Background knowledge: what is known about the edges before the data are looked at.

- *Tiers*: a later variable does not cause an earlier one; common causes across tiers stay possible.
- *Forbidden* and *required* edges, directed (``A -> B``) and bidirected (``A <-> B``) separately.
- *Unconfounded* variables: no bidirected edge touches them.

Knowledge becomes a mask over the edges of every pair (:meth:`Knowledge.permitted`), which every solver obeys at every
step.

>>> knowledge = Knowledge(tiers=[["age"], ["smoking", "tar"]], forbidden=["tar -> smoking"], unconfounded=["age"])
>>> knowledge.permitted(["age", "smoking", "tar"])[0, 1].tolist()  # none, age -> smoking, the reverse, <->
[1, 1, 0, 0]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lurking._errors import KnowledgeError, UnknownVertexError
from lurking.graphs import ADMG
from lurking.graphs.text import parse_edges
from lurking.graphs.vertices import NamedVertices
from lurking.sem._edges import ARROW_BACK, ARROW_ON, BIDIRECTED, NO_EDGE

__all__ = ["Knowledge"]


@dataclass(frozen=True)
class Knowledge:
    """What is known about the edges.

    Parameters
    ----------
    tiers : sequence of sequences of str
        Groups of variables, earliest first. No directed edge leads from a later to an earlier group. Variables in no
        group are free.
    forbidden : sequence of str
        Edges that must not be there, such as ``"A -> B"`` or ``"A <-> B"``.
    required : sequence of str
        Edges that must be there.
    unconfounded : sequence of str
        Variables that share no unmeasured cause with any other.

    Raises
    ------
    KnowledgeError
        If the statements contradict each other.
    """

    tiers: tuple[tuple[str, ...], ...] = ()
    forbidden: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    unconfounded: tuple[str, ...] = ()
    _tier_of: dict[str, int] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        tiers = tuple(_as_names(tier, "tier") for tier in self.tiers)
        for attribute, value in (
            ("tiers", tiers),
            ("forbidden", _as_names(self.forbidden, "forbidden")),
            ("required", _as_names(self.required, "required")),
            ("unconfounded", _as_names(self.unconfounded, "unconfounded")),
        ):
            object.__setattr__(self, attribute, value)
        tier_of: dict[str, int] = {}
        for number, tier in enumerate(tiers):
            for name in tier:
                if name in tier_of:
                    raise KnowledgeError(f"{name} is in two tiers; name each variable in one tier only.")
                tier_of[name] = number
        object.__setattr__(self, "_tier_of", tier_of)
        self.permitted(sorted(self._all_names()))

    def _all_names(self) -> set[str]:
        named = set(self._tier_of) | set(self.unconfounded)
        for text in (*self.forbidden, *self.required):
            named |= set(_one_edge(text)[:2])
        return named

    def permitted(self, names: Sequence[str]) -> NDArray[np.uint8]:
        """Return which edges each pair of variables may have.

        Parameters
        ----------
        names : sequence of str
            The variables; all that the knowledge names must be among them.

        Returns
        -------
        permitted : ndarray of shape (d, d, 4)
            For i < j, whether the pair may have: no edge, i -> j, j -> i, i <-> j.
        """
        vertices = NamedVertices(names)
        for name in sorted(self._all_names()):
            if name not in vertices:
                raise KnowledgeError(
                    f"The knowledge names a variable that is not in the data: {_unknown(name, vertices)}"
                )
        d = len(vertices)
        mask = np.ones((d, d, 4), dtype=np.uint8)
        for i, one in enumerate(vertices.names):
            for j in range(i + 1, d):
                other = vertices.names[j]
                first, second = self._tier_of.get(one), self._tier_of.get(other)
                if first is not None and second is not None and first != second:
                    mask[i, j, ARROW_BACK if first < second else ARROW_ON] = 0
                if one in self.unconfounded or other in self.unconfounded:
                    mask[i, j, BIDIRECTED] = 0
        for text in self.forbidden:
            i, j, edge = _place(text, vertices)
            mask[i, j, edge] = 0
        for text in self.required:
            i, j, edge = _place(text, vertices)
            if not mask[i, j, edge] or not mask[i, j, NO_EDGE]:
                raise KnowledgeError(
                    f"The edge {text} is required, but other knowledge excludes it; drop one of the two."
                )
            mask[i, j] = 0
            mask[i, j, edge] = 1
        return mask

    def violations(self, admg: ADMG) -> tuple[str, ...]:
        """Return what a graph has or lacks against the knowledge, in words; empty if it obeys."""
        mask = self.permitted(admg.names)
        found = []
        for i, one in enumerate(admg.names):
            for j in range(i + 1, len(admg)):
                other = admg.names[j]
                present = {
                    ARROW_ON: (admg.directed[i, j], f"{one} -> {other}"),
                    ARROW_BACK: (admg.directed[j, i], f"{other} -> {one}"),
                    BIDIRECTED: (admg.bidirected[i, j], f"{one} <-> {other}"),
                }
                found += [f"has {text}" for edge, (there, text) in present.items() if there and not mask[i, j, edge]]
                if not mask[i, j, NO_EDGE] and not any(there for there, _ in present.values()):
                    found.append(f"has no edge between {one} and {other}")
        return tuple(found)


def _as_names(names: Iterable[str], what: str) -> tuple[str, ...]:
    if isinstance(names, str):
        raise KnowledgeError(f"The {what} must be a list of strings, not the one string {names!r}; put it in a list.")
    return tuple(names)


def _one_edge(text: str) -> tuple[str, str, bool]:
    """Return the two names of an edge and whether it is bidirected."""
    _, directed, bidirected = parse_edges(text)
    if len(directed) + len(bidirected) != 1:
        raise KnowledgeError(f"An edge is written like 'A -> B' or 'A <-> B'. Got {text!r} instead.")
    one, other = (directed or bidirected)[0]
    return one, other, bool(bidirected)


def _place(text: str, vertices: NamedVertices) -> tuple[int, int, int]:
    one, other, bidirected = _one_edge(text)
    i, j = vertices.index(one), vertices.index(other)
    if i == j:
        raise KnowledgeError(f"The edge {text} leads from a variable to itself; name two variables.")
    edge = BIDIRECTED if bidirected else ARROW_ON if i < j else ARROW_BACK
    return min(i, j), max(i, j), edge


def _unknown(name: str, vertices: NamedVertices) -> str:
    message = str(UnknownVertexError(name, vertices.names))
    return message[0].lower() + message[1:]
