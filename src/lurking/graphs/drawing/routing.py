"""Routing: the curve of every stroke, past all boxes, clear of the other strokes.

Every stroke has a handful of candidate curves: the straight line, arcs of several heights to either side, the smooth
curve through the corridor that the placement kept free for it, and, as the last resort, a curve that provably meets no
box: vertical through the bands of the rows, where the corridor is free, and S-shaped in the free strips between them.
(Two vertices of one row are joined by an arch in the strip above or below.)

Candidates are weighed by a cost. Running through a box costs more than anything else; then come coming close to a box,
running along another stroke, crossing one, length, and bending. Strokes without arrowheads on one side only, the
bidirected ones above all, prefer a light arc, as they are drawn by hand. Strokes choose one after the other, and again
with all others known, so the result is a good one but not the best of all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from lurking._typing import BoolMatrix, FloatArray, IntArray
from lurking.graphs.drawing.aims import TIP_DISTANCE, Point, aim
from lurking.graphs.drawing.curves import arc, chain, dense_points, depth_outside, smooth, straight
from lurking.graphs.drawing.marks_at_ends import HEAD_LENGTH
from lurking.graphs.drawing.placement import Box, Placement
from lurking.graphs.drawing.strokes import Stroke

__all__ = ["route"]

_SAMPLES = 17
_BULGES = (0.07, 0.14, 0.22, 0.32, 0.45)
"""Heights of arcs, as shares of the length."""
_CLEARANCE = 8.0
"""Strokes keep this distance from boxes and from each other if they can."""
_NEAR_END = 30.0
"""Strokes that share a vertex may come close within this distance of it."""

_COST_THROUGH_BOX = 1e5
_COST_CLOSE_TO_BOX = 3.0
_COST_ALONG = 1.5
_COST_TIPS = 90.0
_COST_GRAZING = 600.0
_COST_CROSSING = 20.0
_COST_LENGTH = 130.0
_COST_BEYOND = 0.04


@dataclass(frozen=True)
class _Candidates:
    """The possible curves of one stroke, cheapest first, and what each costs alone."""

    stroke: Stroke
    curves: list[FloatArray]
    cost: FloatArray
    samples: FloatArray
    """Points of each curve between the end boxes, shape (c, s, 2)."""
    away: dict[str, BoolMatrix]
    """For each end, which samples are farther than ``_NEAR_END`` from its box."""


def route(placement: Placement, strokes: Sequence[Stroke]) -> list[FloatArray]:
    """Return one curve for each stroke, from inside the box of ``one`` to inside that of ``other``."""
    pairs = Counter(frozenset((s.one, s.other)) for s in strokes)
    # Short directed strokes first: they are straight, and the others find their way around them.
    turn = sorted(range(len(strokes)), key=lambda k: (strokes[k].kind != "directed", _span(placement, strokes[k]), k))
    taken = np.full((len(strokes), _SAMPLES, 2), np.nan)
    curves: list[FloatArray] = []
    for courses in (None, taken):
        # The second time it is known from which side each stroke really arrives.
        aims = aim(placement, strokes, courses)
        options = [
            _candidates(placement, s, start, end, bow=pairs[frozenset((s.one, s.other))] > 1)
            for s, (start, end) in zip(strokes, aims, strict=True)
        ]
        chosen = np.full(len(strokes), -1)
        for _ in range(2):
            before = chosen.copy()
            for k in turn:
                taken[k] = np.nan
                chosen[k] = _choose(options, k, taken)
                taken[k] = options[k].samples[chosen[k]]
            if (before == chosen).all():
                break
        curves = [option.curves[choice] for option, choice in zip(options, chosen, strict=True)]
    return curves


def _span(placement: Placement, stroke: Stroke) -> float:
    a, b = placement.box(stroke.one), placement.box(stroke.other)
    return round(float(np.hypot(a.x - b.x, a.y - b.y)), 3)


def _candidates(placement: Placement, stroke: Stroke, start: Point, end: Point, *, bow: bool) -> _Candidates:
    a, b = placement.box(stroke.one), placement.box(stroke.other)
    length = float(np.hypot(end[0] - start[0], end[1] - start[1]))
    arched = stroke.kind == "bidirected"
    curves, tastes = [straight(start, end)], [14.0 if arched else 0.0]
    for share in _BULGES:
        height = max(share * length, 12.0)
        curves += [arc(start, end, height), arc(start, end, -height)]
        tastes += [abs(share - 0.14) * 60 if arched else 4 + share * 60 + 20 * bow] * 2
    if a.row_top != b.row_top:  # leaves, arrives, or does both, upright
        fall = np.array([0.0, 0.45 * (end[1] - start[1])])
        third = (np.array(end) - start) / 3
        for leave, arrive in ((fall, fall), (fall, third), (third, fall)):
            curves.append(np.array([[start, start + leave, end - arrive, end]]))
            tastes.append(16.0)
    resorts = _last_resorts(placement, stroke, start, end)
    curves += resorts
    tastes += [30.0 + 5 * k for k in range(len(resorts))]

    # Points so close together that what two of them cut off a box is only its round corner; few for the rest.
    stride = max(2, ceil(1.6 * length / (8 * (_SAMPLES - 1))))
    points = np.array([_between(curve, a, b, stride * (_SAMPLES - 1) + 1) for curve in curves])
    samples = points[:, ::stride]
    steps = np.hypot(*np.moveaxis(np.diff(samples, axis=1), -1, 0))
    lengths = steps.sum(axis=1)
    cost = np.array(tastes) + _COST_LENGTH * lengths / max(length, 1.0)
    others = [box for name, box in placement.boxes.items() if name not in (stroke.one, stroke.other)]
    if others:
        depth = _nearest(points, others)
        cost += _COST_THROUGH_BOX * (depth < 1.0).sum(axis=1)
        cost += _COST_CLOSE_TO_BOX * np.clip(1 - depth / _CLEARANCE, 0, 1).mean(axis=1) * lengths
    cost += _COST_GRAZING * (_grazing(points, lengths, a) + _grazing(points[:, ::-1], lengths, b))
    cost += _COST_BEYOND * (_beyond_all_boxes(samples[:, 1:], placement) * steps).sum(axis=1) ** 0.8
    rank = np.argsort(np.round(cost, 6), kind="stable")
    samples = samples[rank]
    away = {name: depth_outside(samples, box) > _NEAR_END for name, box in ((stroke.one, a), (stroke.other, b))}
    return _Candidates(stroke, [curves[k] for k in rank], cost[rank], samples, away)


def _nearest(points: FloatArray, boxes: Sequence[Box]) -> FloatArray:
    """Return the distance of points, shape (c, s, 2), from the nearest of several boxes (corners not rounded)."""
    low, high = points.min(axis=(0, 1)) - _CLEARANCE, points.max(axis=(0, 1)) + _CLEARANCE
    nearest = np.full(points.shape[:2], np.inf)
    for box in boxes:
        half = box.width / 2
        if box.x + half < low[0] or box.x - half > high[0] or box.bottom < low[1] or box.top > high[1]:
            continue
        x, y = np.abs(points[..., 0] - box.x) - half, np.abs(points[..., 1] - box.y) - box.height / 2
        np.minimum(nearest, np.hypot(np.maximum(x, 0), np.maximum(y, 0)) + np.minimum(np.maximum(x, y), 0), out=nearest)
    return nearest


def _grazing(points: FloatArray, lengths: FloatArray, box: Box) -> FloatArray:
    """Return, from 0 to 1, how flat each curve leaves its first box: a mark there would overlap the border."""
    index = np.clip(np.rint(HEAD_LENGTH * (points.shape[1] - 1) / np.maximum(lengths, 1.0)), 1, points.shape[1] - 1)
    behind_mark = points[np.arange(len(points)), index.astype(np.int64)]
    return np.clip(1 - depth_outside(behind_mark, box) / (0.55 * HEAD_LENGTH), 0.0, 1.0)


def _beyond_all_boxes(points: FloatArray, placement: Placement) -> FloatArray:
    """Return how far points are outside the rectangle that holds all boxes."""
    boxes = placement.boxes.values()
    left, right = min(box.x - box.width / 2 for box in boxes), max(box.x + box.width / 2 for box in boxes)
    top, bottom = min(box.top for box in boxes), max(box.bottom for box in boxes)
    low, high = np.array([left, top]), np.array([right, bottom])
    beyond: FloatArray = np.maximum(np.maximum(low - points, points - high), 0.0).sum(axis=-1)
    return beyond


def _last_resorts(placement: Placement, stroke: Stroke, start: Point, end: Point) -> list[FloatArray]:
    """Return curves that keep to the corridors and the free strips between rows."""
    a, b = placement.box(stroke.one), placement.box(stroke.other)
    if a.row_top == b.row_top:
        arches = []
        for share in (0.3, 0.5, 0.7):
            rise = share * a.room * 4 / 3  # a cubic reaches three quarters of the height of its control points
            for border, way in ((a.row_top, -rise), (a.row_bottom, rise)):
                up, down = straight((a.x, a.y), (a.x, border)), straight((b.x, border), (b.x, b.y))
                arch = np.array([[(a.x, border), (a.x, border + way), (b.x, border + way), (b.x, border)]])
                arches.append(np.concatenate([up, arch, down]))
        return arches
    upper, lower = (a, b) if a.y < b.y else (b, a)
    key = (stroke.one, stroke.other) if upper is a else (stroke.other, stroke.one)
    corridors = placement.corridors.get(key, ())
    if upper is b:
        start, end = end, start
    points = [start, (start[0], upper.row_bottom)]
    for corridor in corridors:
        points += [(corridor.x, corridor.top), (corridor.x, corridor.bottom)]
    points += [(end[0], lower.row_top), end]
    ways = [chain(points, [k % 2 == 0 for k in range(len(points) - 1)])]
    if corridors:
        ways.insert(0, smooth([start, *((c.x, (c.top + c.bottom) / 2) for c in corridors), end]))
    return ways if upper is a else [way[::-1, ::-1].copy() for way in ways]


def _between(curve: FloatArray, a: Box, b: Box, n_points: int) -> FloatArray:
    """Return points at equal distances on the part of a curve between the borders of the two boxes."""
    points = dense_points(curve)
    first = int(np.argmax(depth_outside(points, a) > 0))
    last = max(len(points) - 1 - int(np.argmax(depth_outside(points[::-1], b) > 0)), first)
    steps = np.hypot(*np.diff(points, axis=0).T)
    travelled = np.concatenate([[0.0], np.cumsum(steps)])
    places = np.linspace(travelled[first], travelled[last], n_points)
    return np.stack([np.interp(places, travelled, coordinate) for coordinate in points.T], axis=1)


def _choose(options: Sequence[_Candidates], k: int, taken: FloatArray) -> int:
    """Return the number of the cheapest candidate of stroke k, given the samples that the other strokes have taken."""
    mine = options[k]
    low, high = mine.samples.min(axis=(0, 1)) - _CLEARANCE, mine.samples.max(axis=(0, 1)) + _CLEARANCE
    with np.errstate(invalid="ignore"):
        near = (taken.max(axis=1) >= low).all(axis=1) & (taken.min(axis=1) <= high).all(axis=1)
    rivals = np.flatnonzero(near)
    theirs = taken[rivals]
    shares: dict[str, BoolMatrix] = {
        name: np.array([name in options[r].away for r in rivals.tolist()], dtype=np.bool_) for name in mine.away
    }
    tips = {name: _tips(options, rivals, taken, name) for name in mine.away}
    best, least = 0, np.inf
    for c, alone in enumerate(mine.cost):  # in order of cost: stop as soon as nothing can be cheaper
        if alone >= least:
            break
        cost = float(alone)
        if len(rivals):
            free = np.ones((_SAMPLES, len(rivals)), dtype=bool)
            for name, shared in shares.items():
                free &= mine.away[name][c][:, None] | ~shared
            cost += _conflict(mine.samples[c], theirs, free)
            for name, end in ((mine.stroke.one, 0), (mine.stroke.other, -1)):
                gaps = np.hypot(*(tips[name] - mine.samples[c, end]).T)
                cost += _COST_TIPS * float(np.clip(1 - gaps / TIP_DISTANCE, 0, 1).sum())
        if cost < least - 1e-6:
            best, least = c, cost
    return best


def _tips(options: Sequence[_Candidates], rivals: IntArray, taken: FloatArray, name: str) -> FloatArray:
    """Return where other strokes touch the box of a vertex."""
    ends = [taken[r, 0] for r in rivals.tolist() if options[r].stroke.one == name]
    ends += [taken[r, -1] for r in rivals.tolist() if options[r].stroke.other == name]
    return np.array(ends).reshape(-1, 2)


def _conflict(mine: FloatArray, others: FloatArray, free: BoolMatrix) -> float:
    """Return what it costs to cross and to accompany other strokes.

    Parameters
    ----------
    mine : ndarray, shape (s, 2)
        Points along a curve.
    others : ndarray, shape (m, s, 2)
        Points along the other curves.
    free : ndarray of bool, shape (s, m)
        Which points count against which curve; near a vertex that two strokes share, they may meet.
    """
    start, way = mine[:-1, None, None], np.diff(mine, axis=0)[:, None, None]  # (s, 1, 1, 2)
    origin, step = others[None, :, :-1], np.diff(others, axis=1)[None]  # (1, m, s, 2)
    offset = origin - start
    turn = way[..., 0] * step[..., 1] - way[..., 1] * step[..., 0]
    turn = np.where(np.abs(turn) < 1e-9, np.inf, turn)  # parallel steps do not cross
    here = (offset[..., 0] * step[..., 1] - offset[..., 1] * step[..., 0]) / turn
    there = (offset[..., 0] * way[..., 1] - offset[..., 1] * way[..., 0]) / turn
    meets = ((here > 0) & (here <= 1) & (there > 0) & (there <= 1)).any(axis=2)
    crossings = int((meets & free[1:]).sum())

    squares = np.maximum((step**2).sum(axis=-1), 1e-12)
    share = np.clip(-(offset * step).sum(axis=-1) / squares, 0, 1)
    gap = np.hypot(offset[..., 0] + share * step[..., 0], offset[..., 1] + share * step[..., 1]).min(axis=2)
    steps = np.hypot(way[:, 0, 0, 0], way[:, 0, 0, 1])
    along = float((np.clip(1 - gap / _CLEARANCE, 0, 1) * steps[:, None] * free[:-1]).sum())
    return _COST_CROSSING * crossings + _COST_ALONG * along
