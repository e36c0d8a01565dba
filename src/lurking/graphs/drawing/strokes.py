"""Strokes: the edges of a picture, whatever kind of graph they come from.

An ADMG and a PAG are drawn by the same hand. Each edge becomes a :class:`Stroke`: two names and the mark at each end.
A pair of an ADMG that has both a directed and a bidirected edge (a bow) gives two strokes.

Strokes do not depend on the order in which the vertices are listed: an arrowhead or a bare end points to ``other``,
symmetric strokes begin with the name that comes first, and :func:`ordered` sorts them by name, numbers by size.

>>> ordered(admg_strokes(["X10", "X9"], [[0, 1], [0, 0]], [[0, 1], [1, 0]]))
[Stroke('X9' <-> 'X10'), Stroke('X10' -> 'X9')]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from lurking.graphs.marks import Mark
from lurking.graphs.pag_text import arrow

__all__ = ["Stroke", "StrokeKind", "admg_strokes", "natural_key", "ordered", "pag_strokes"]

StrokeKind: TypeAlias = Literal["directed", "bidirected", "open", "undirected"]


@dataclass(frozen=True, slots=True, repr=False)
class Stroke:
    """One edge to be drawn.

    Attributes
    ----------
    one, other : str
        The names at its ends.
    at_one, at_other : Mark
        The marks at its ends.
    """

    one: str
    other: str
    at_one: Mark
    at_other: Mark

    @property
    def kind(self) -> StrokeKind:
        """``directed``, ``bidirected``, ``undirected``, or ``open`` if one of the marks is a circle."""
        match self.at_one, self.at_other:
            case (Mark.CIRCLE, _) | (_, Mark.CIRCLE):
                return "open"
            case Mark.ARROW, Mark.ARROW:
                return "bidirected"
            case Mark.TAIL, Mark.TAIL:
                return "undirected"
        return "directed"

    @property
    def arrow(self) -> str:
        """The stroke in text: ``->``, ``<->``, ``o->`` and so on."""
        return arrow(self.at_one, self.at_other)

    @property
    def points_down(self) -> bool:
        """Whether ``one`` is drawn above ``other``: only ``other`` has an arrowhead."""
        return self.at_other == Mark.ARROW != self.at_one

    def __repr__(self) -> str:
        return f"Stroke({self.one!r} {self.arrow} {self.other!r})"


def natural_key(name: str) -> tuple[tuple[tuple[int, int, str], ...], str]:
    """Return a key that sorts names as a person does: ``X9`` before ``X10``, capitals beside small letters."""
    pieces = []
    for piece in re.findall(r"[0-9]+|[^0-9]+", name):
        digits = piece.lstrip("0") if piece[0] in "0123456789" else None
        pieces.append((1, 0, piece.casefold()) if digits is None else (0, len(digits), digits))
    return tuple(pieces), name


def _stroke(one: str, other: str, at_one: Mark, at_other: Mark) -> Stroke:
    if at_one == at_other:
        first, second = sorted((one, other), key=natural_key)
        return Stroke(first, second, at_one, at_other)
    # An arrowhead stands at the second name; between a circle and a bare end, the bare end does, as in PAG.edges.
    backwards = at_one == Mark.ARROW or (at_one, at_other) == (Mark.TAIL, Mark.CIRCLE)
    return Stroke(other, one, at_other, at_one) if backwards else Stroke(one, other, at_one, at_other)


def admg_strokes(names: Sequence[str], directed: ArrayLike, bidirected: ArrayLike) -> list[Stroke]:
    """Return the edges of an ADMG: ``directed[i, j]`` is i -> j, ``bidirected`` is symmetric."""
    causes, confounded = np.asarray(directed, dtype=bool), np.asarray(bidirected, dtype=bool)
    strokes = [_stroke(names[i], names[j], Mark.TAIL, Mark.ARROW) for i, j in np.argwhere(causes).tolist()]
    pairs = np.argwhere(np.triu(confounded)).tolist()
    return strokes + [_stroke(names[i], names[j], Mark.ARROW, Mark.ARROW) for i, j in pairs]


def pag_strokes(names: Sequence[str], marks: ArrayLike) -> list[Stroke]:
    """Return the edges of a PAG: ``marks[i, j]`` is the mark at j on the edge between i and j.

    >>> pag_strokes(["A", "B"], [[0, 1], [2, 0]])
    [Stroke('B' o-> 'A')]
    """
    matrix = np.asarray(marks)
    pairs = np.argwhere(np.triu(matrix)).tolist()
    return [_stroke(names[i], names[j], Mark(matrix[j, i]), Mark(matrix[i, j])) for i, j in pairs]


def ordered(strokes: Iterable[Stroke]) -> list[Stroke]:
    """Return the strokes in the order in which they are numbered in a picture; it depends on the names alone."""
    return sorted(strokes, key=lambda s: (natural_key(s.one), natural_key(s.other), s.arrow))
