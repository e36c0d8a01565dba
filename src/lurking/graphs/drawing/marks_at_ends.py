"""Marks at the ends of a stroke: where the line stops, and the arrowhead, circle or nothing in front of it.

The tip of an arrowhead, the rim of a circle and the end of a bare line touch the border of the box; the line itself
stops behind its mark, so that nothing shines through a hollow circle.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lurking._typing import FloatArray
from lurking.graphs.drawing.curves import first_beyond, leaves_box, piece_of, points_on
from lurking.graphs.drawing.placement import Box
from lurking.graphs.marks import Mark

__all__ = ["CIRCLE_RADIUS", "DrawnStroke", "EndMark", "draw_stroke"]

HEAD_LENGTH, HEAD_WIDTH, HEAD_NOTCH = 10.5, 8.4, 2.2
CIRCLE_RADIUS = 4.3
LINE_WIDTH = 1.6
CLEAR_OF_END = 14.0
"""Strokes hide those below them, but not so close to a box, where they would hide the marks of others."""


@dataclass(frozen=True)
class EndMark:
    """A mark: an arrowhead is a polygon (its first point the tip), a circle its centre, a tail the point of contact."""

    mark: Mark
    points: FloatArray


@dataclass(frozen=True)
class DrawnStroke:
    """What is drawn for one stroke.

    Attributes
    ----------
    line : ndarray
        The curve between the marks.
    middle : ndarray or None
        The part of it that is far from both ends, where it may hide the strokes below.
    at_one, at_other : EndMark
        The marks.
    """

    line: FloatArray
    middle: FloatArray | None
    at_one: EndMark
    at_other: EndMark


def draw_stroke(curve: FloatArray, one: Box, other: Box, at_one: Mark, at_other: Mark) -> DrawnStroke:
    """Cut a curve that runs from box to box at the borders, and put the marks there."""
    start, first = _end(curve, one, at_one, backwards=False)
    stop, last = _end(curve, other, at_other, backwards=True)
    inner = _farther(curve, start, CLEAR_OF_END, backwards=False), _farther(curve, stop, CLEAR_OF_END, backwards=True)
    middle = piece_of(curve, *inner) if inner[0] < inner[1] else None
    return DrawnStroke(piece_of(curve, start, max(stop, start)), middle, first, last)


def _end(curve: FloatArray, box: Box, mark: Mark, *, backwards: bool) -> tuple[float, EndMark]:
    """Return the parameter at which the line stops, and the mark."""
    border = leaves_box(curve, box, backwards=backwards)
    tip = points_on(curve, [border])[0]
    match mark:
        case Mark.ARROW:
            base = _farther(curve, border, HEAD_LENGTH, backwards=backwards)
            back = points_on(curve, [base])[0] - tip
            back /= max(float(np.hypot(*back)), 1e-9)
            aside = np.array([-back[1], back[0]]) * HEAD_WIDTH / 2
            middle = tip + back * (HEAD_LENGTH - HEAD_NOTCH)
            head = np.array([tip, tip + back * HEAD_LENGTH + aside, middle, tip + back * HEAD_LENGTH - aside])
            inside = _farther(curve, border, HEAD_LENGTH - HEAD_NOTCH - 0.5, backwards=backwards)
            return inside, EndMark(mark, head)
        case Mark.CIRCLE:
            middle_of_circle = leaves_box(curve, box, CIRCLE_RADIUS, backwards=backwards)
            centre = points_on(curve, [middle_of_circle])[0]
            rim = _farther(curve, middle_of_circle, CIRCLE_RADIUS, backwards=backwards)
            return rim, EndMark(mark, centre[None])
    return border, EndMark(mark, tip[None])


def _farther(curve: FloatArray, start: float, distance: float, *, backwards: bool) -> float:
    """Return the first parameter, going away from ``start``, at which the curve is ``distance`` away from there."""
    point = points_on(curve, [start])[0]
    stop = 0.0 if backwards else float(len(curve))
    return first_beyond(curve, start, stop, distance, lambda points: np.hypot(*(points - point).T))
