"""Reads a picture back from its SVG text: boxes, strokes and marks as a reader of the page would find them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.etree import ElementTree

import numpy as np

from lurking._typing import FloatArray
from lurking.graphs.drawing.curves import depth_outside, points_on
from lurking.graphs.drawing.placement import Box

SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class SeenEdge:
    """One edge of the page."""

    one: str
    arrow: str
    other: str
    marks: tuple[str, str]
    classes: frozenset[str]
    dashed: bool
    title: str
    points: FloatArray
    """Points along its line."""
    arrowheads: list[FloatArray]
    circles: list[tuple[FloatArray, float]]
    """Centre and radius of each."""


@dataclass(frozen=True)
class SeenPicture:
    """One picture of the page."""

    root: ElementTree.Element
    boxes: dict[str, Box]
    labels: dict[str, list[str]]
    edges: list[SeenEdge]


def read_picture(svg: str) -> SeenPicture:
    """Parse an SVG; fails if it is not well-formed XML."""
    root = ElementTree.fromstring(svg)
    boxes, labels = {}, {}
    for node in _with_class(root, "lurking-node"):
        name = node.attrib["data-name"]
        rect = _only(node, "rect").attrib
        x, y, width, height = (float(rect[key]) for key in ("x", "y", "width", "height"))
        boxes[name] = Box(x + width / 2, y + height / 2, width, height, y, y + height, 0.0)
        labels[name] = [text.text or "" for text in node.findall(f"{SVG}text")]
    return SeenPicture(root, boxes, labels, [_edge(group) for group in _with_class(root, "lurking-edge")])


def _edge(group: ElementTree.Element) -> SeenEdge:
    data = group.attrib
    line = next(path for path in group.findall(f"{SVG}path") if path.attrib["class"] == "lurking-line")
    heads = [
        np.array([[float(c) for c in point.split(",")] for point in polygon.attrib["points"].split()])
        for polygon in group.findall(f"{SVG}polygon")
    ]
    circles = [
        (np.array([float(c.attrib["cx"]), float(c.attrib["cy"])]), float(c.attrib["r"]))
        for c in group.findall(f"{SVG}circle")
    ]
    curve = read_path(line.attrib["d"])
    return SeenEdge(
        data["data-one"],
        data["data-arrow"],
        data["data-other"],
        (data["data-mark-one"], data["data-mark-other"]),
        frozenset(data["class"].split()),
        "stroke-dasharray" in line.attrib,
        _only(group, "title").text or "",
        points_on(curve, np.linspace(0, len(curve), 60 * len(curve) + 1)),
        heads,
        circles,
    )


def read_path(text: str) -> FloatArray:
    """Return the segments of a path made of one M and several C."""
    numbers = np.array([float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", text)]).reshape(-1, 2)
    assert re.fullmatch(r"M[^MC]+(C[^MC]+)+", text)
    return np.array([numbers[k : k + 4] for k in range(0, len(numbers) - 1, 3)])


def _with_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if name in element.attrib.get("class", "").split()]


def _only(parent: ElementTree.Element, tag: str) -> ElementTree.Element:
    (child,) = parent.findall(f"{SVG}{tag}")
    return child


def check_geometry(picture: SeenPicture) -> None:
    """Assert what every picture promises: boxes apart, strokes outside them, marks at their borders."""
    listed = list(picture.boxes.items())
    for k, (name, box) in enumerate(listed):
        for other, its in listed[:k]:
            apart = max(
                abs(box.x - its.x) - (box.width + its.width) / 2, abs(box.y - its.y) - (box.height + its.height) / 2
            )
            assert apart > 8, f"{name} and {other} overlap"
    left, top, width, height = map(float, picture.root.attrib["viewBox"].split())
    for edge in picture.edges:
        for name, box in listed:
            through = depth_outside(edge.points, box).min()
            assert through > (-0.1 if name in (edge.one, edge.other) else 0.5), f"{edge.one} - {edge.other} and {name}"
        assert (edge.points > [left, top]).all()
        assert (edge.points < [left + width, top + height]).all()
        _check_marks(edge, picture)


def _check_marks(edge: SeenEdge, picture: SeenPicture) -> None:
    """Assert that each mark touches the box that it belongs to, and that the line reaches the mark."""
    heads, circles = list(edge.arrowheads), list(edge.circles)
    for name, mark, end in ((edge.one, edge.marks[0], edge.points[0]), (edge.other, edge.marks[1], edge.points[-1])):
        box = picture.boxes[name]
        if mark == "arrow":
            head = heads.pop(0)
            assert abs(depth_outside(head[:1], box)[0]) < 0.1
            assert depth_outside(head[1:], box).min() > -1
            assert np.hypot(*(end - head[0])) < 12
        elif mark == "circle":
            centre, radius = circles.pop(0)
            assert abs(depth_outside(centre[None], box)[0] - radius) < 0.1
            assert abs(np.hypot(*(end - centre)) - radius) < 0.1
        else:
            assert abs(depth_outside(end[None], box)[0]) < 0.1
    assert not heads
    assert not circles
