r"""Curves: chains of cubic Bézier segments, and where they meet the border of a box.

A curve is an array of shape (k, 4, 2): k segments with four control points each, the last point of one being the first
of the next. Its parameter runs from 0 to k. A segment with control points :math:`p_0 \dots p_3` is

.. math:: (1-t)^3 p_0 + 3(1-t)^2 t\,p_1 + 3(1-t)t^2\,p_2 + t^3 p_3 ,

and is cut in two by de Casteljau's construction, which only takes midpoints.

>>> curve = arc((0, 0), (30, 0), bulge=10)
>>> points_on(curve, [0.0, 0.5, 1.0]).tolist()
[[0.0, 0.0], [15.0, 10.0], [30.0, 0.0]]
>>> piece_of(curve, 0.0, 0.5)[-1, -1].tolist()
[15.0, 10.0]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from lurking._typing import FloatArray
from lurking.graphs.drawing.placement import Box

__all__ = [
    "CORNER",
    "arc",
    "chain",
    "dense_points",
    "depth_outside",
    "first_beyond",
    "leaves_box",
    "piece_of",
    "points_on",
    "smooth",
    "straight",
]

CORNER = 11.0
"""Radius of the corners of a box."""

Point = Sequence[float]

_STEPS = np.arange(40) / 40
_BERNSTEIN: FloatArray = np.stack(
    [(1 - _STEPS) ** 3, 3 * (1 - _STEPS) ** 2 * _STEPS, 3 * (1 - _STEPS) * _STEPS**2, _STEPS**3], axis=1
)


def straight(start: Point, end: Point) -> FloatArray:
    """Return the straight line as a curve."""
    return arc(start, end, 0.0)


def arc(start: Point, end: Point, bulge: float) -> FloatArray:
    """Return a symmetric curve whose middle is ``bulge`` away from the line, to the right of it on the page."""
    p, q = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
    length = max(float(np.hypot(*(q - p))), 1e-9)
    aside = np.array([-(q - p)[1], (q - p)[0]]) / length * bulge * 4 / 3
    return np.array([[p, p + (q - p) / 3 + aside, q - (q - p) / 3 + aside, q]])


def smooth(points: Sequence[Point]) -> FloatArray:
    """Return a curve through the points whose direction at each is that from the point before to the point after."""
    p = np.asarray(points, dtype=np.float64)
    steps = np.hypot(*np.diff(p, axis=0).T)
    tangents = np.empty_like(p)
    tangents[1:-1] = p[2:] - p[:-2]
    tangents[0], tangents[-1] = p[1] - p[0], p[-1] - p[-2]
    tangents /= np.maximum(np.hypot(*tangents.T), 1e-9)[:, None]
    reach = steps[:, None] / 3
    return np.stack([p[:-1], p[:-1] + tangents[:-1] * reach, p[1:] - tangents[1:] * reach, p[1:]], axis=1)


def chain(points: Sequence[Point], upright: Sequence[bool]) -> FloatArray:
    """Return a curve through the points that is vertical at each: a line where ``upright``, else an S.

    An S between two heights never leaves the strip between them.
    """
    segments = []
    for (p, q), line in zip(pairwise(points), upright, strict=True):
        if line:
            segments.append(straight(p, q)[0])
        else:
            reach = (q[1] - p[1]) * 0.5
            segments.append(np.array([p, (p[0], p[1] + reach), (q[0], q[1] - reach), q], dtype=np.float64))
    return np.array(segments)


def points_on(curve: FloatArray, parameters: ArrayLike) -> FloatArray:
    """Return the points at the given parameters, shape (n, 2)."""
    t = np.asarray(parameters, dtype=np.float64)
    segment = np.clip(np.floor(t).astype(np.int64), 0, len(curve) - 1)
    u = (t - segment)[:, None]
    p0, p1, p2, p3 = np.moveaxis(curve[segment], 1, 0)
    points: FloatArray = (1 - u) ** 3 * p0 + 3 * (1 - u) ** 2 * u * p1 + 3 * (1 - u) * u**2 * p2 + u**3 * p3
    return points


def dense_points(curve: FloatArray) -> FloatArray:
    """Return points along a curve at equal steps of its parameter, 40 to a segment, both ends included."""
    points: FloatArray = (_BERNSTEIN @ curve).reshape(-1, 2)
    return np.concatenate([points, curve[-1:, -1]])


def piece_of(curve: FloatArray, start: float, end: float) -> FloatArray:
    """Return the part of a curve between two parameters, as a curve."""
    first, last = min(int(start), len(curve) - 1), min(int(end), len(curve) - 1)
    if last > first and end == last:  # it ends where a segment begins
        last -= 1
        end = last + 1.0
    pieces = curve[first : last + 1].copy()
    pieces[-1] = _halves(pieces[-1], end - last)[0]
    here = start - first
    if first == last and end > last:  # what is left of the segment has its own parameter
        here /= end - last
    pieces[0] = _halves(pieces[0], here)[1]
    return pieces


def _halves(segment: FloatArray, at: float) -> tuple[FloatArray, FloatArray]:
    """Cut one segment in two by de Casteljau's construction."""
    p = segment
    a = p[:-1] + at * np.diff(p, axis=0)
    b = a[:-1] + at * np.diff(a, axis=0)
    c = b[0] + at * (b[1] - b[0])
    return np.array([p[0], a[0], b[0], c]), np.array([c, b[1], a[2], p[3]])


def depth_outside(points: FloatArray, box: Box, corner: float = CORNER) -> FloatArray:
    """Return the distance of points, shape (..., 2), from the border of a box; negative inside."""
    corner = min(corner, box.width / 2, box.height / 2)
    x = np.abs(points[..., 0] - box.x) - (box.width / 2 - corner)
    y = np.abs(points[..., 1] - box.y) - (box.height / 2 - corner)
    outside = np.hypot(np.maximum(x, 0.0), np.maximum(y, 0.0))
    distance: FloatArray = outside + np.minimum(np.maximum(x, y), 0.0) - corner
    return distance


def leaves_box(curve: FloatArray, box: Box, distance: float = 0.0, *, backwards: bool = False) -> float:
    """Return the parameter at which a curve that begins (or, backwards, ends) in a box is ``distance`` away from it."""
    ends = (float(len(curve)), 0.0) if backwards else (0.0, float(len(curve)))
    return first_beyond(curve, *ends, distance, lambda points: depth_outside(points, box))


def first_beyond(
    curve: FloatArray, start: float, stop: float, distance: float, measure: Callable[[FloatArray], FloatArray]
) -> float:
    """Return the first parameter on the way from start to stop at which a measure reaches a distance; else stop."""
    steps = 64 * len(curve)
    for _ in range(3):  # each round looks more closely where the one before found the place
        grid = np.linspace(start, stop, steps + 1)
        beyond = np.flatnonzero(measure(points_on(curve, grid)) >= distance)
        if not beyond.size:
            return stop
        start, stop = float(grid[max(beyond[0] - 1, 0)]), float(grid[beyond[0]])
    return stop
