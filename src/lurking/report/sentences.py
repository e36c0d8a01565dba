"""One plain sentence per edge, and what the equivalence class leaves open.

An ADMG is one graph; its PAG says what *every* graph with the same independences says. So each edge is read twice: what
the graph says ("X is a cause of Y"), and whether the PAG agrees (*settled*) or leaves another reading open.

- ``A -> B``: settled if the PAG has a bare end at A and an arrowhead at B.
- ``A <-> B``, neither an ancestor of the other: settled if the PAG has two arrowheads.
- ``A <-> B`` with a directed path from A to B: the PAG shows only that A causes B. That something unmeasured causes
  both is known from Verma constraints or from the fit, not from independences; it is never called settled.

Sentences are made of pieces, names among them, so that a page can set each name apart and no name can be read as text:

>>> from lurking.graphs import ADMG
>>> graph = ADMG.parse("A -> C <- B; C -> D; E <-> F; E <- G; F <- H")
>>> for reading in read_edges(graph, graph.to_pag()):
...     print(reading.sentence, "Settled." if reading.settled else f"Open: {reading.left_open}")
A is a cause of C. Open: C does not cause A; that something unmeasured causes both would give the same independences.
C is a cause of D. Settled.
B is a cause of C. Open: C does not cause B; that something unmeasured causes both would give the same independences.
G is a cause of E. Open: E does not cause G; that something unmeasured causes both would give the same independences.
H is a cause of F. Open: F does not cause H; that something unmeasured causes both would give the same independences.
E and F share an unmeasured cause; neither causes the other. Settled.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from lurking._errors import GraphError
from lurking.graphs import ADMG, PAG, Mark
from lurking.graphs.drawing import printable, sentence

__all__ = [
    "ARROWS",
    "OpenQuestion",
    "Phrase",
    "Reading",
    "edge_phrase",
    "open_questions",
    "read_edge",
    "read_edges",
    "read_pag_edge",
]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence in pieces.

    Attributes
    ----------
    pieces : tuple of (str, bool)
        Text, and whether it is the name of a variable. Names are made printable.
    """

    pieces: tuple[tuple[str, bool], ...]

    @classmethod
    def fill(cls, template: str, **names: str) -> Phrase:
        """Put names into the places marked ``{...}`` of a template."""
        pieces = re.split(r"\{(\w+)\}", template)
        return cls(tuple((printable(names[p]), True) if k % 2 else (p, False) for k, p in enumerate(pieces) if p))

    def __str__(self) -> str:
        return "".join(text for text, _ in self.pieces)


ARROWS = {"->": "→", "<-": "←", "<->": "↔", "o->": "o→", "<-o": "←o", "o-o": "o–o", "--": "–", "o--": "o–", "--o": "–o"}
"""How arrows are written for people."""

_QUESTIONS = {
    "o->": "The second does not cause the first; whether the first causes it, or something unmeasured causes both, "
    "is open:",
    "o-o": "Connected, but which of the two causes the other, or whether something unmeasured causes both, is open:",
    "o--": "The second causes the first, or what units were selected by; the rest is open:",
}


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that the independences leave open, and the pairs (name, arrow, name) that it is about.

    The arrow is ``"and"`` for a pair without an edge.
    """

    words: str
    pairs: tuple[tuple[str, str, str], ...]

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        """The pairs as people write them."""
        return tuple(edge_phrase(*pair) for pair in self.pairs)


def edge_phrase(one: str, arrow: str, other: str) -> Phrase:
    """Write an edge for people, as ``A → B``."""
    return Phrase(((printable(one), True), (f" {ARROWS.get(arrow, arrow)} ", False), (printable(other), True)))


@dataclass(frozen=True, slots=True)
class Reading:
    """What one edge of an ADMG says.

    Attributes
    ----------
    one, arrow, other : str
        The edge.
    sentence : Phrase
        What it says in this graph.
    settled : bool
        Whether every graph with the same independences says so.
    left_open : Phrase or None
        If not, what else is possible.
    """

    one: str
    arrow: Literal["->", "<->"]
    other: str
    sentence: Phrase
    settled: bool
    left_open: Phrase | None


def read_edges(admg: ADMG, pag: PAG) -> tuple[Reading, ...]:
    """Read every edge of an ADMG, the directed ones first."""
    readings = [read_edge(admg, pag, one, "->", other) for one, other in admg.directed_edges()]
    return tuple(readings + [read_edge(admg, pag, one, "<->", other) for one, other in admg.bidirected_edges()])


def read_edge(admg: ADMG, pag: PAG, one: str, arrow: Literal["->", "<->"], other: str) -> Reading:
    """Say in words what one edge means and whether the PAG agrees.

    Parameters
    ----------
    admg : ADMG
        The graph.
    pag : PAG
        Its equivalence class.
    one, arrow, other : str
        An edge of ``admg``.

    Raises
    ------
    GraphError
        If the graph has no such edge.

    Examples
    --------
    >>> graph = ADMG.parse("PKC -> Jnk")
    >>> reading = read_edge(graph, graph.to_pag(), "PKC", "->", "Jnk")
    >>> print(reading.sentence, reading.settled)
    PKC is a cause of Jnk. False
    """
    i, j = admg.index(one), admg.index(other)
    edges = admg.directed if arrow == "->" else admg.bidirected
    if not edges[i, j]:
        raise GraphError(f"There is no edge {one} {arrow} {other} in the graph.")
    if arrow == "->":
        return _read_directed(pag, one, other)
    if one in admg.ancestors(other):
        return _read_confounded_effect(admg, one, other, one, other)
    if other in admg.ancestors(one):
        return _read_confounded_effect(admg, one, other, other, one)
    return _read_bidirected(pag, one, other)


def _read_directed(pag: PAG, one: str, other: str) -> Reading:
    said = Phrase.fill("{one} is a cause of {other}.", one=one, other=other)
    match pag.mark(other, at=one), pag.mark(one, at=other):
        case Mark.TAIL, Mark.ARROW:
            return Reading(one, "->", other, said, settled=True, left_open=None)
        case Mark.CIRCLE, Mark.ARROW:
            also = (
                "{other} does not cause {one}; that something unmeasured causes both would give the same independences."
            )
        case Mark.CIRCLE, Mark.CIRCLE:
            also = (
                "The direction is open: that {other} causes {one}, or that something unmeasured causes both, would "
                "give the same independences."
            )
        case Mark.NONE, _:
            also = "The equivalence class has no edge between {one} and {other}."
        case _:
            return Reading(one, "->", other, said, settled=False, left_open=read_pag_edge(pag, one, other))
    return Reading(one, "->", other, said, settled=False, left_open=Phrase.fill(also, one=one, other=other))


def _read_bidirected(pag: PAG, one: str, other: str) -> Reading:
    said = Phrase.fill("{one} and {other} share an unmeasured cause; neither causes the other.", one=one, other=other)
    match pag.mark(other, at=one), pag.mark(one, at=other):
        case Mark.ARROW, Mark.ARROW:
            return Reading(one, "<->", other, said, settled=True, left_open=None)
        case Mark.CIRCLE, Mark.ARROW:
            also = "{other} does not cause {one}; that {one} causes {other} would give the same independences."
        case Mark.ARROW, Mark.CIRCLE:
            also = "{one} does not cause {other}; that {other} causes {one} would give the same independences."
        case Mark.CIRCLE, Mark.CIRCLE:
            also = "That one of {one} and {other} causes the other would give the same independences."
        case Mark.NONE, _:
            also = "The equivalence class has no edge between {one} and {other}."
        case _:
            return Reading(one, "<->", other, said, settled=False, left_open=read_pag_edge(pag, one, other))
    return Reading(one, "<->", other, said, settled=False, left_open=Phrase.fill(also, one=one, other=other))


def _read_confounded_effect(admg: ADMG, one: str, other: str, cause: str, effect: str) -> Reading:
    """Read a bidirected edge between a cause and its effect, direct (a bow) or not."""
    words = "{one} and {other} share an unmeasured cause; {cause} also causes {effect}"
    names = {"one": one, "other": other, "cause": cause, "effect": effect}
    way = _shortest_way(admg, cause, effect)
    if len(way) > 2:
        words += ", by way of " + ", ".join(f"{{step{k}}}" for k in range(len(way) - 2))
        names |= {f"step{k}": name for k, name in enumerate(way[1:-1])}
    also = Phrase.fill(
        "Independences alone do not show the unmeasured cause of {one} and {other}; it rests on Verma constraints and "
        "on the fit.",
        one=one,
        other=other,
    )
    return Reading(one, "<->", other, Phrase.fill(words + ".", **names), settled=False, left_open=also)


def _shortest_way(admg: ADMG, cause: str, effect: str) -> list[str]:
    """Return a shortest directed path; among several, the one that the order of the names puts first."""
    ways = [[cause]]
    seen = {cause}
    for way in ways:  # grows while it is read
        for child in (name for name in admg.names if name in admg.children(way[-1])):
            if child == effect:
                return [*way, effect]
            if child not in seen:
                seen.add(child)
                ways.append([*way, child])
    return [cause, effect]


def read_pag_edge(pag: PAG, one: str, other: str) -> Phrase:
    """Say in words what the edge between two variables means in every equivalent graph.

    Examples
    --------
    >>> print(read_pag_edge(PAG.parse("X o-> Y"), "Y", "X"))
    Y does not cause X; X causes Y, or something unmeasured causes both, or both are true.
    """
    (first, arrow, second), *_ = pag.subgraph([one, other]).edges() or [(one, "", other)]
    if not arrow:
        raise GraphError(f"There is no edge between {one} and {other} in the PAG.")
    return Phrase.fill(sentence("pag", arrow), one=first, other=second)


def open_questions(admg: ADMG, pag: PAG) -> tuple[OpenQuestion, ...]:
    """Return what the independences leave open: a few questions, each with the pairs that it is about.

    The first ones are the circles of the PAG. Then come pairs without an edge that an inducing path joins, and pairs of
    a cause and its effect that also share an unmeasured cause.

    Examples
    --------
    >>> graph = ADMG.parse("A -> B; A -> C")
    >>> for question in open_questions(graph, graph.to_pag()):
    ...     print(question.words)
    ...     print(", ".join(map(str, question.phrases)))
    Connected, but which of the two causes the other, or whether something unmeasured causes both, is open:
    A o–o B, A o–o C
    """
    questions = []
    for arrow, words in _QUESTIONS.items():
        pairs = tuple(edge for edge in pag.edges() if edge[1] == arrow)
        if pairs:
            questions.append(OpenQuestion(words, pairs))
    skeleton = admg.skeleton
    joined = tuple((a, "and", b) for a, _, b in pag.edges() if not skeleton[admg.index(a), admg.index(b)])
    if joined:
        words = "No edge, yet no set of measured variables makes the two independent:"
        questions.append(OpenQuestion(words, joined))
    shared = admg.bidirected_edges()
    hidden = tuple((a, "<->", b) for a, b in shared if a in admg.ancestors(b) or b in admg.ancestors(a))
    if hidden:
        words = "A cause and its effect; that they also share an unmeasured cause is no matter of independences:"
        questions.append(OpenQuestion(words, hidden))
    return tuple(questions)
