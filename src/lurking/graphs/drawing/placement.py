"""Placement: where every vertex stands in the picture.

Vertices are first sorted by name, so the picture of a graph does not depend on the order of its columns. Each connected
part is laid out by itself: rows (:mod:`~lurking.graphs.drawing.layering`), order
(:mod:`~lurking.graphs.drawing.ordering`), distances (:mod:`~lurking.graphs.drawing.coordinates`). The parts are then
set like words on lines, the largest first, isolated vertices last.

Several graphs on the same variables can be drawn on one placement: place the strokes of all of them, draw them one by
one. So the reader who switches between an ADMG and its PAG sees the edges change and the vertices stay.

>>> from lurking.graphs.drawing.strokes import admg_strokes
>>> names = ["Y", "X"]
>>> placement = place(names, admg_strokes(names, [[0, 0], [1, 0]], [[0, 0], [0, 0]]))
>>> placement.names
('X', 'Y')
>>> bool(placement.box("X").bottom < placement.box("Y").top)
True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

from lurking._errors import UnknownVertexError
from lurking.graphs.drawing.coordinates import VERTEX_GAP, horizontal_positions
from lurking.graphs.drawing.labels import Label
from lurking.graphs.drawing.layering import layers
from lurking.graphs.drawing.ordering import LayeredGraph, arrange
from lurking.graphs.drawing.strokes import Stroke, natural_key

__all__ = ["Box", "Corridor", "Placement", "place"]

ROW_GAP = 58.0
"""Least free height between two rows; it grows with the slant of the strokes in it."""
SHELF_GAP = 50.0


@dataclass(frozen=True, slots=True)
class Box:
    """The rectangle of one vertex, and the free height around its row.

    Attributes
    ----------
    x, y : float
        The centre.
    width, height : float
        The size.
    row_top, row_bottom : float
        The band of the row: all its vertices are inside.
    room : float
        The free height above and below the band.
    """

    x: float
    y: float
    width: float
    height: float
    row_top: float
    row_bottom: float
    room: float

    @property
    def top(self) -> float:
        """The upper border."""
        return self.y - self.height / 2

    @property
    def bottom(self) -> float:
        """The lower border."""
        return self.y + self.height / 2


@dataclass(frozen=True, slots=True)
class Corridor:
    """The free way for a long stroke: at ``x`` it can cross the band of a row from ``top`` to ``bottom``."""

    x: float
    top: float
    bottom: float


@dataclass(frozen=True)
class Placement:
    """Where everything stands.

    Attributes
    ----------
    names : tuple of str
        In the order of the picture, which depends on the names alone.
    labels : mapping of str to Label
        What is written in each box.
    boxes : mapping of str to Box
        Where.
    corridors : mapping of (str, str) to tuple of Corridor
        For pairs that are rows apart, upper name first.
    """

    names: tuple[str, ...]
    labels: Mapping[str, Label]
    boxes: Mapping[str, Box]
    corridors: Mapping[tuple[str, str], tuple[Corridor, ...]]

    def box(self, name: str) -> Box:
        """Return the box of a vertex."""
        return self.boxes[name]


@dataclass(frozen=True)
class _Part:
    """A connected part, with its upper left corner at the origin."""

    boxes: dict[str, Box]
    corridors: dict[tuple[str, str], tuple[Corridor, ...]]
    width: float
    height: float


def place(names: Iterable[str], strokes: Sequence[Stroke], tiers: Mapping[str, int] | None = None) -> Placement:
    """Choose the place of every vertex.

    Parameters
    ----------
    names : iterable of str
        All vertices, in any order.
    strokes : sequence of Stroke
        The edges, of one graph or of several that will be drawn on the same placement.
    tiers : mapping of str to int, optional
        Vertices of smaller tiers stand higher; those that are not named may stand anywhere.

    Notes
    -----
    Fast for the sizes people look at: some tens of milliseconds for a dozen vertices, about a second for forty with a
    hundred strokes.
    """
    listed = sorted(names, key=natural_key)
    for name in tiers or ():
        if name not in listed:
            raise UnknownVertexError(name, listed)
    labels = {name: Label.of(name) for name in listed}
    parts = [_place_part(part, strokes, labels, tiers) for part in _connected_parts(listed, strokes, tiers)]
    boxes: dict[str, Box] = {}
    corridors: dict[tuple[str, str], tuple[Corridor, ...]] = {}
    for part, left, top in _shelves(parts):
        for name, box in part.boxes.items():
            boxes[name] = Box(
                box.x + left, box.y + top, box.width, box.height, box.row_top + top, box.row_bottom + top, box.room
            )
        for pair, way in part.corridors.items():
            corridors[pair] = tuple(Corridor(c.x + left, c.top + top, c.bottom + top) for c in way)
    return Placement(tuple(listed), labels, {name: boxes[name] for name in listed}, corridors)


def _connected_parts(
    listed: Sequence[str], strokes: Iterable[Stroke], tiers: Mapping[str, int] | None
) -> list[list[str]]:
    """Return the connected parts, largest first; with tiers all vertices are one part, so that the rows line up."""
    if tiers is not None:
        return [list(listed)] if listed else []
    leader = {name: name for name in listed}

    def find(name: str) -> str:
        while leader[name] != name:
            name = leader[name]
        return name

    rank = {name: k for k, name in enumerate(listed)}
    for stroke in strokes:
        first, second = sorted((find(stroke.one), find(stroke.other)), key=rank.__getitem__)
        leader[second] = first
    parts: dict[str, list[str]] = {}
    for name in listed:
        parts.setdefault(find(name), []).append(name)
    return sorted(parts.values(), key=lambda part: (-len(part), rank[part[0]]))


def _place_part(
    part: Sequence[str], strokes: Iterable[Stroke], labels: Mapping[str, Label], tiers: Mapping[str, int] | None
) -> _Part:
    number = {name: k for k, name in enumerate(part)}
    mine = sorted({s for s in strokes if s.one in number}, key=lambda s: (number[s.one], number[s.other], s.arrow))
    down = [(number[s.one], number[s.other]) for s in mine if s.points_down]
    beside = [(number[s.one], number[s.other]) for s in mine if not s.points_down]
    tier = None if tiers is None else {number[name]: tiers[name] for name in part if name in tiers}
    rows = layers(len(part), down, beside, tier, widest=max(5, ceil(1.4 * sqrt(len(part)))))
    graph = LayeredGraph.of(rows, down + beside)
    arrange(graph)
    x = horizontal_positions(graph, [labels[name].width for name in part])
    tops, bottoms, room = _rows(graph, x, [labels[name].height for name in part])

    boxes: dict[str, Box] = {}
    home: dict[int, int] = {}
    for r, row in enumerate(graph.rows):
        home.update(dict.fromkeys(row, r))
        for v in row:
            if v < len(part):
                label = labels[part[v]]
                middle = (tops[r] + bottoms[r]) / 2
                boxes[part[v]] = Box(x[v], middle, label.width, label.height, tops[r], bottoms[r], room[r])
    corridors = {
        (part[u], part[v]): tuple(Corridor(x[bend], tops[home[bend]], bottoms[home[bend]]) for bend in bends)
        for (u, v), bends in graph.bends.items()
        if bends
    }
    right = max(*(box.x + box.width / 2 for box in boxes.values()), *x)
    return _Part(boxes, corridors, right, bottoms[-1])


def _rows(
    graph: LayeredGraph, x: Sequence[float], heights: Sequence[float]
) -> tuple[list[float], list[float], list[float]]:
    """Return upper and lower border of each row, and the free height that each has above and below."""
    tops, bottoms, gaps = [], [], []
    top = 0.0
    for r, row in enumerate(graph.rows):
        tops.append(top)
        bottoms.append(top + max(heights[v] for v in row if v < graph.n_vertices))
        slants = [abs(x[u] - x[v]) for u, v in graph.links[r]]
        gaps.append(ROW_GAP + min(0.13 * max(slants, default=0.0) + 0.8 * len(slants), 62.0))
        top = bottoms[-1] + gaps[-1]
    room = [min(above, below) for above, below in zip([SHELF_GAP, *gaps], [*gaps[:-1], SHELF_GAP], strict=False)]
    return tops, bottoms, room


def _shelves(parts: Sequence[_Part]) -> list[tuple[_Part, float, float]]:
    """Set the parts like words on lines; return each with its left and upper border."""
    area = sum((part.width + VERTEX_GAP) * (part.height + SHELF_GAP) for part in parts)
    line = max([sqrt(1.8 * area), *(part.width for part in parts)], default=0.0)
    placed: list[tuple[_Part, float, float]] = []
    left = top = tallest = 0.0
    for part in parts:
        first_isolated = len(part.boxes) == 1 and bool(placed) and len(placed[-1][0].boxes) > 1
        if left and (left + part.width > line or first_isolated):
            left, top, tallest = 0.0, top + tallest + SHELF_GAP, 0.0
        placed.append((part, left, top))
        left += part.width + VERTEX_GAP
        tallest = max(tallest, part.height)
    return placed
