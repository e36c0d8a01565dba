"""One plain sentence for each edge, and what independences leave open.

How firmly an edge is stated follows its probability (:mod:`lurking.discovery.statements`). For a graph that was given
there is none, and the sentence says what the graph says.

Sentences are made of pieces, names among them, so that a page can set each name apart and no name can be read as text:

>>> print(plain(fill("{one} is a cause of {other}.", one="dose", other="stroke")))
dose is a cause of stroke.
>>> print(plain(pag_phrase("Y", "<-", "X")))
X is a cause of Y.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from lurking.discovery import Analysis, EdgeEstimate, Statement
from lurking.discovery.statements import in_words
from lurking.graphs import PAG
from lurking.graphs.drawing import printable, sentence
from lurking.graphs.pag_text import reversed_arrow

__all__ = [
    "ARROWS",
    "Phrase",
    "edge_phrase",
    "edge_sentence",
    "fill",
    "open_questions",
    "pag_phrase",
    "plain",
    "statement_phrase",
]

Questions = tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...]
"""Questions in words, each with the pairs (name, arrow, name) that it is about."""


Phrase: TypeAlias = tuple[tuple[str, bool], ...]
"""A sentence in pieces: text, and whether it is the name of a variable. Names are made printable."""


def fill(template: str, **names: str) -> Phrase:
    """Put names into the places marked ``{...}`` of a template."""
    pieces = re.split(r"\{(\w+)\}", template)
    return tuple((printable(names[p]), True) if k % 2 else (p, False) for k, p in enumerate(pieces) if p)


def plain(phrase: Phrase) -> str:
    """Return a sentence as text."""
    return "".join(text for text, _ in phrase)


ARROWS = {"->": "→", "<-": "←", "<->": "↔", "o->": "o→", "<-o": "←o", "o-o": "o–o", "--": "–", "o--": "o–", "--o": "–o"}
"""How arrows are written for people."""

_QUESTIONS = {
    "o->": "The second does not cause the first; whether the first causes it, or something unmeasured causes both, "
    "is open:",
    "o-o": "Connected, but which of the two causes the other, or whether something unmeasured causes both, is open:",
    "o--": "The second causes the first, or what units were selected by; the rest is open:",
}


def edge_phrase(one: str, arrow: str, other: str) -> Phrase:
    """Write an edge for people, as ``A → B``."""
    return ((printable(one), True), (f" {ARROWS.get(arrow, arrow)} ", False), (printable(other), True))


def statement_phrase(statement: Statement) -> Phrase:
    """Write a statement, its names set apart."""
    return fill(in_words(statement.kind, statement.probability), first=statement.first, second=statement.second)


def edge_sentence(edge: EdgeEstimate) -> Phrase:
    """Say what an edge says, as firmly as it is probable.

    Examples
    --------
    >>> print(plain(edge_sentence(EdgeEstimate("dose", "stroke", "directed", probability=0.85))))
    Probably dose is a cause of stroke.
    >>> print(plain(edge_sentence(EdgeEstimate("dose", "stroke", "bidirected"))))  # of a graph that was given
    dose and stroke share an unmeasured cause.
    """
    if edge.probability is None:
        return fill(sentence("admg", edge.arrow), one=edge.one, other=edge.other)
    kind = "causes" if edge.kind == "directed" else "shares a cause"
    words = in_words("causes" if kind == "causes" else "shares a cause", edge.probability)
    return fill(words, first=edge.one, second=edge.other)


def pag_phrase(one: str, arrow: str, other: str) -> Phrase:
    """Say in words what an edge of a PAG means, written from either of its ends."""
    if arrow in ("<-", "<-o", "--o"):
        one, arrow, other = other, reversed_arrow(arrow), one
    return fill(sentence("pag", arrow), one=one, other=other)


def open_questions(analysis: Analysis) -> Questions:
    """Return what the independences of the graph leave open, whatever the number of rows.

    The first questions are the circles of the PAG. Then come pairs without an edge that an inducing path joins, and
    pairs of a cause and its effect that also share an unmeasured cause.

    Examples
    --------
    >>> from lurking import ADMG, Moments
    >>> from lurking.discovery import analyse
    >>> moments = Moments([[1, 0.5, 0.5], [0.5, 1, 0.25], [0.5, 0.25, 1]], 100, ["A", "B", "C"])
    >>> for words, pairs in open_questions(analyse((moments, ADMG.parse("A -> B; A -> C")))):
    ...     print(words)
    ...     print(pairs)
    Connected, but which of the two causes the other, or whether something unmeasured causes both, is open:
    (('A', 'o-o', 'B'), ('A', 'o-o', 'C'))
    """
    admg, pag = analysis.admg, analysis.informed_pag or analysis.pag
    questions = [(words, _with_arrow(pag, arrow)) for arrow, words in _QUESTIONS.items()]
    skeleton = admg.skeleton
    joined = tuple((a, "and", b) for a, _, b in pag.edges() if not skeleton[admg.index(a), admg.index(b)])
    questions.append(("No edge, yet no set of measured variables makes the two independent:", joined))
    shared = admg.bidirected_edges()
    hidden = tuple((a, "<->", b) for a, b in shared if a in admg.ancestors(b) or b in admg.ancestors(a))
    words = "A cause and its effect; that they also share an unmeasured cause is no matter of independences:"
    questions.append((words, hidden))
    return tuple((words, pairs) for words, pairs in questions if pairs)


def _with_arrow(pag: PAG, arrow: str) -> tuple[tuple[str, str, str], ...]:
    return tuple(edge for edge in pag.edges() if edge[1] == arrow)
