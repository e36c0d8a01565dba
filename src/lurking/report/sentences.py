"""One plain sentence per edge: what is settled is said plainly, what is open is said to be open.

An ADMG is one graph; its PAG says what *every* graph with the same independences says. An edge of the ADMG is *settled*
if they all agree with it, and only then is it put as a fact:

- ``A -> B``: settled if the PAG has a bare end at A and an arrowhead at B.
- ``A <-> B``, neither an ancestor of the other: settled if the PAG has two arrowheads.
- ``A <-> B`` with a directed path from A to B: the PAG shows only that A causes B. That something unmeasured causes
  both is known from Verma constraints or from the fit, not from independences; it is never called settled.

Of any other edge the sentence says what the marks of the PAG say, and names what they leave open. If something was
known beforehand, the marks that it adds (:mod:`lurking.discovery.knowledge_marks`) count as well: an edge that they
complete is *settled by knowledge*.

Sentences are made of pieces, names among them, so that a page can set each name apart and no name can be read as text:

>>> from lurking.graphs import ADMG
>>> graph = ADMG.parse("A -> C <- B; C -> D; E <-> F; E <- G; F <- H")
>>> for reading in read_edges(graph, graph.to_pag())[:2]:
...     print(reading)
A and C are connected, and C does not cause A; the independences do not decide whether A causes C, something unmeasured
causes both, or both. (open)
C is a cause of D. (settled)
>>> print(read_edge(graph, graph.to_pag(), "E", "<->", "F"))
E and F share an unmeasured cause; neither causes the other. (settled)
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
    "Standing",
    "edge_phrase",
    "marks_between",
    "open_questions",
    "pag_phrase",
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


Standing = Literal["settled", "settled by knowledge", "open"]
"""How firmly the sentence of an edge stands."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one edge of an ADMG says.

    Attributes
    ----------
    one, arrow, other : str
        The edge.
    sentence : Phrase
        What can be said of the two variables.
    standing : {"settled", "settled by knowledge", "open"}
        Whether every graph with the same independences agrees with the edge, or every one that obeys the knowledge, or
        neither.
    left_open : Phrase or None
        If it is open, the question, beginning with "whether".
    """

    one: str
    arrow: Literal["->", "<->"]
    other: str
    sentence: Phrase
    standing: Standing
    left_open: Phrase | None

    @property
    def settled(self) -> bool:
        """Whether it is settled, by the independences alone or together with the knowledge."""
        return self.standing != "open"

    def __str__(self) -> str:
        return f"{self.sentence} ({self.standing})"


def read_edges(admg: ADMG, pag: PAG, informed: PAG | None = None) -> tuple[Reading, ...]:
    """Read every edge of an ADMG, the directed ones first.

    Parameters
    ----------
    admg, pag, informed
        As in :func:`read_edge`.
    """
    readings = [read_edge(admg, pag, one, "->", other, informed) for one, other in admg.directed_edges()]
    return tuple(
        readings + [read_edge(admg, pag, one, "<->", other, informed) for one, other in admg.bidirected_edges()]
    )


def read_edge(
    admg: ADMG, pag: PAG, one: str, arrow: Literal["->", "<->"], other: str, informed: PAG | None = None
) -> Reading:
    """Say in words what one edge means, as far as it is settled, and what is left open.

    Parameters
    ----------
    admg : ADMG
        The graph.
    pag : PAG
        Its equivalence class.
    one, arrow, other : str
        An edge of ``admg``.
    informed : PAG, optional
        The class with the marks that background knowledge adds, as
        :func:`~lurking.discovery.knowledge_marks.informed_pag` returns it.

    Raises
    ------
    GraphError
        If the graph has no such edge.

    Examples
    --------
    >>> graph = ADMG.parse("PKC -> Jnk")
    >>> print(read_edge(graph, graph.to_pag(), "PKC", "->", "Jnk").left_open)
    whether PKC causes Jnk, Jnk causes PKC, or something unmeasured causes both
    >>> print(read_edge(graph, graph.to_pag(), "PKC", "->", "Jnk", informed=PAG.parse("PKC -> Jnk")))
    PKC is a cause of Jnk. (settled by knowledge)
    """
    i, j = admg.index(one), admg.index(other)
    edges = admg.directed if arrow == "->" else admg.bidirected
    if not edges[i, j]:
        raise GraphError(f"There is no edge {one} {arrow} {other} in the graph.")
    cause, effect = (other, one) if arrow == "<->" and other in admg.ancestors(one) else (one, other)
    confounded = arrow == "<->" and cause in admg.ancestors(effect)
    if not confounded:
        wanted = (Mark.TAIL if arrow == "->" else Mark.ARROW, Mark.ARROW)
        words = sentence("pag", arrow)
        if marks_between(pag, one, other) == wanted:
            return Reading(one, arrow, other, Phrase.fill(words, one=one, other=other), "settled", None)
        if informed is not None and marks_between(informed, one, other) == wanted:
            return Reading(one, arrow, other, Phrase.fill(words, one=one, other=other), "settled by knowledge", None)
    known, undecided = _in_doubt(informed or pag, one, other)
    names = {"one": one, "other": other}
    if confounded and marks_between(informed or pag, cause, effect) == (Mark.TAIL, Mark.ARROW):
        known, undecided = "{cause} is a cause of {effect}", "whether something unmeasured causes both as well"
        names |= {"cause": cause, "effect": effect}
        way = _shortest_way(admg, cause, effect)
        if len(way) > 2:
            known += ", by way of " + ", ".join(f"{{step{k}}}" for k in range(len(way) - 2))
            names |= {f"step{k}": name for k, name in enumerate(way[1:-1])}
    who = (
        "the independences do not decide" if informed is None else "neither the independences nor the knowledge decide"
    )
    return Reading(
        one,
        arrow,
        other,
        Phrase.fill(f"{known}; {who} {undecided}.", **names),
        "open",
        Phrase.fill(undecided, **names),
    )


def marks_between(pag: PAG, one: str, other: str) -> tuple[Mark, Mark]:
    """Return the marks at the two ends of an edge."""
    return pag.mark(other, at=one), pag.mark(one, at=other)


def _in_doubt(pag: PAG, one: str, other: str) -> tuple[str, str]:
    """Return what the marks of a PAG say of a pair, and the question that they leave open."""
    match marks_between(pag, one, other):
        case Mark.CIRCLE, Mark.ARROW:
            return (
                "{one} and {other} are connected, and {other} does not cause {one}",
                "whether {one} causes {other}, something unmeasured causes both, or both",
            )
        case Mark.ARROW, Mark.CIRCLE:
            return (
                "{one} and {other} are connected, and {one} does not cause {other}",
                "whether {other} causes {one}, something unmeasured causes both, or both",
            )
        case Mark.NONE, _:
            return (
                "{one} and {other} are connected in this graph, but not in its equivalence class",
                "whether they are connected at all",
            )
    return (
        "{one} and {other} are connected",
        "whether {one} causes {other}, {other} causes {one}, or something unmeasured causes both",
    )


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
    return pag_phrase(first, arrow, second)


def pag_phrase(one: str, arrow: str, other: str) -> Phrase:
    """Say in words what an edge of a PAG means, written from either of its ends.

    Examples
    --------
    >>> print(pag_phrase("Y", "<-", "X"))
    X is a cause of Y.
    """
    if arrow in ("<-", "<-o", "--o"):
        one, arrow, other = other, {"<-": "->", "<-o": "o->", "--o": "o--"}[arrow], one
    return Phrase.fill(sentence("pag", arrow), one=one, other=other)


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
