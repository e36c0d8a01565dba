"""Aims: at which point of a box a stroke is directed.

Strokes that meet a box from the same side keep a distance, so that their marks do not overlap, in the order of the
directions from which they arrive, so that they do not cross before they get there. Where each wants to stand is a
little off the centre, towards where it comes from; the places that keep distance and order and are nearest to that are
an isotonic regression (:func:`~lurking.graphs.drawing.coordinates.in_order`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lurking._typing import FloatArray
from lurking.graphs.drawing.coordinates import in_order
from lurking.graphs.drawing.curves import CORNER
from lurking.graphs.drawing.placement import Placement
from lurking.graphs.drawing.strokes import Stroke

__all__ = ["TIP_DISTANCE", "Point", "aim"]

Point = tuple[float, float]

TIP_DISTANCE = 12.0
"""Ends of strokes at the same box keep this distance if they can."""


def aim(
    placement: Placement, strokes: Sequence[Stroke], courses: FloatArray | None = None
) -> list[tuple[Point, Point]]:
    """Return the points, inside the two boxes, between which each stroke runs.

    Parameters
    ----------
    placement : Placement
        Where the boxes are.
    strokes : sequence of Stroke
        All strokes of the picture.
    courses : ndarray, shape (strokes, samples, 2), optional
        Points along the strokes, if their courses are known already; else they are taken for straight.
    """
    aims = [[(placement.box(name).x, placement.box(name).y) for name in (s.one, s.other)] for s in strokes]
    arriving: dict[tuple[str, bool], list[tuple[float, int, int]]] = {}
    for k, stroke in enumerate(strokes):
        for end, (name, partner) in enumerate(((stroke.one, stroke.other), (stroke.other, stroke.one))):
            here, there = placement.box(name), placement.box(partner)
            if here.row_top == there.row_top:
                continue
            way = np.array([there.x - here.x, there.y - here.y])
            if courses is not None:
                way = courses[k, 3] - courses[k, 0] if end == 0 else courses[k, -4] - courses[k, -1]
            slant = round(float(way[0] / max(abs(way[1]), 1.0)), 6)
            arriving.setdefault((name, there.y > here.y), []).append((slant, k, end))
    for (name, _), ends in arriving.items():
        box = placement.box(name)
        free = max(box.width / 2 - CORNER + 2, 0.0)
        distance = min(TIP_DISTANCE, 2 * free / max(len(ends) - 1, 1))
        ends.sort()
        wanted = [float(np.clip(18 * slant, -0.8 * free, 0.8 * free)) for slant, _, _ in ends]
        spread = in_order([x - m * distance for m, x in enumerate(wanted)], [1.0] * len(ends))
        places = [x + m * distance for m, x in enumerate(spread)]
        shift = max(-free - places[0], 0.0) + min(free - places[-1], 0.0)
        for place, (_, k, end) in zip(places, ends, strict=True):
            aims[k][end] = (box.x + place + shift, box.y)
    return [(start, end) for start, end in aims]
