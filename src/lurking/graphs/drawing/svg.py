"""SVG: a picture as text.

The text is written by hand, one element per vertex, stroke and mark, so that tests and scripts find everything through
the document::

    <g class="lurking-edge lurking-bidirected" id="…-edge-3" data-edge="3" data-arrow="&lt;-&gt;"
       data-one="B" data-other="D" data-one-node="1" data-other-node="3" data-mark-one="arrow" data-mark-other="arrow">
      <title>B and D share an unmeasured cause.</title>
      <path class="lurking-line" …/>  <polygon class="lurking-arrow" …/>  …
    </g>
    <g class="lurking-node" id="…-node-0" data-node="0" data-name="B"><title>B</title><rect …/><text>…</text></g>

Names are data. They are escaped wherever they appear, and characters that XML does not allow are replaced
(:func:`~lurking.graphs.drawing.labels.printable`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from lurking._typing import FloatArray
from lurking.graphs.drawing.curves import CORNER, points_on
from lurking.graphs.drawing.labels import FONT_SIZE, LINE_HEIGHT, printable
from lurking.graphs.drawing.marks_at_ends import CIRCLE_RADIUS, LINE_WIDTH, DrawnStroke, EndMark, draw_stroke
from lurking.graphs.drawing.placement import Placement
from lurking.graphs.drawing.routing import route
from lurking.graphs.drawing.strokes import Stroke, ordered
from lurking.graphs.drawing.style import LIGHT, STYLE_SHEET
from lurking.graphs.drawing.words import GraphKind, sentence
from lurking.graphs.marks import Mark

__all__ = ["Frame", "Picture", "stroke_elements"]

MARGIN = 14.0
FONT = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif"
DASHES = "6 4"

Frame = tuple[float, float, float, float]
"""Left, top, right and bottom of a picture."""


@dataclass(frozen=True)
class Picture:
    """A graph, drawn: every stroke with its line and marks.

    Attributes
    ----------
    kind : {"admg", "cpdag", "pag"}
        What the arrows mean.
    placement : Placement
        Where the vertices stand.
    strokes : tuple of Stroke
        The edges, in the order in which they are numbered.
    drawn : tuple of DrawnStroke
        Their lines and marks.
    """

    kind: GraphKind
    placement: Placement
    strokes: tuple[Stroke, ...]
    drawn: tuple[DrawnStroke, ...]

    @classmethod
    def of(cls, kind: GraphKind, placement: Placement, strokes: Sequence[Stroke]) -> Picture:
        """Find the way of every stroke on a given placement."""
        listed = ordered(strokes)
        drawn = []
        for stroke, curve in zip(listed, route(placement, listed), strict=True):
            one, other = placement.box(stroke.one), placement.box(stroke.other)
            drawn.append(draw_stroke(curve, one, other, stroke.at_one, stroke.at_other))
        return cls(kind, placement, tuple(listed), tuple(drawn))

    @property
    def frame(self) -> Frame:
        """The rectangle that holds everything, with a margin."""
        corners = [np.zeros((1, 2))]
        for box in self.placement.boxes.values():
            half = box.width / 2
            corners.append(np.array([[box.x - half, box.top], [box.x + half, box.bottom]]))
        corners += [points_on(d.line, np.linspace(0, len(d.line), 32 * len(d.line) + 1)) for d in self.drawn]
        points = np.concatenate(corners)
        left, top = points.min(axis=0) - MARGIN
        right, bottom = points.max(axis=0) + MARGIN
        return float(left), float(top), float(right), float(bottom)

    def svg(
        self,
        *,
        title: str | None = None,
        prefix: str | None = None,
        frame: Frame | None = None,
        with_style: bool = True,
        classes: Mapping[int, str] | None = None,
    ) -> str:
        """Return the picture as an SVG element.

        Parameters
        ----------
        title : str, optional
            What the picture shows, for people who do not see it; its edges are described below it.
        prefix : str, optional
            With what the ids of all elements begin; by default a hash of the graph, so that two graphs on one page do
            not share ids.
        frame : tuple of float, optional
            The rectangle to show; by default :attr:`frame`.
        with_style : bool, default True
            Whether to include the style sheet; a page with several pictures includes it once.
        classes : mapping of int to str, optional
            One more class for strokes of these numbers: ``is-certain``, ``is-probable`` or ``is-unsure`` make their
            lines thick, normal or thin.
        """
        left, top, right, bottom = self.frame if frame is None else frame
        width, height = right - left, bottom - top
        prefix = self._hash() if prefix is None else prefix
        if title is None:
            title = "Causal graph (ADMG)" if self.kind == "admg" else "Equivalence class of causal graphs (PAG)"
        size = f'viewBox="{_n(left)} {_n(top)} {_n(width)} {_n(height)}" width="{_n(width)}" height="{_n(height)}"'
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="lurking-graph lurking-{self.kind}" id={_q(prefix)} {size} '
            f'role="img" aria-labelledby={_q(f"{prefix}-title {prefix}-desc")} font-family={_q(FONT)}>',
            f"<title id={_q(prefix + '-title')}>{_t(title)}</title>",
            f"<desc id={_q(prefix + '-desc')}>{_t(self._description())}</desc>",
        ]
        if with_style:
            lines.append(f"<style>{STYLE_SHEET}</style>")
        area = f'x="{_n(left)}" y="{_n(top)}" width="{_n(width)}" height="{_n(height)}"'
        lines.append(f'<rect class="lurking-paper" {area} fill="{LIGHT["paper"]}"/>')
        lines.append('<g class="lurking-edges" fill="none" stroke-linecap="butt" stroke-linejoin="round">')
        for k, (stroke, drawn) in enumerate(zip(self.strokes, self.drawn, strict=True)):
            lines += self._edge(prefix, k, stroke, drawn, (classes or {}).get(k))
        lines += ["</g>", f'<g class="lurking-nodes" font-size="{_n(FONT_SIZE)}" text-anchor="middle">']
        for k, name in enumerate(self.placement.names):
            lines += self._node(prefix, k, name)
        return "\n".join([*lines, "</g>", "</svg>"]) + "\n"

    def _hash(self) -> str:
        text = "\0".join([self.kind, *self.placement.names, *(f"{s.one}\0{s.arrow}\0{s.other}" for s in self.strokes)])
        return "lurking-" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]

    def _description(self) -> str:
        if not self.strokes:
            return f"{len(self.placement.names)} variables and no edge between them."
        return " ".join(map(self._words, self.strokes))

    def _words(self, stroke: Stroke) -> str:
        return sentence(self.kind, stroke.arrow).format(one=printable(stroke.one), other=printable(stroke.other))

    def _edge(self, prefix: str, number: int, stroke: Stroke, drawn: DrawnStroke, look: str | None) -> list[str]:
        path = _path(drawn.line)
        halo = []
        if drawn.middle is not None:
            paint = f'stroke="{LIGHT["paper"]}" stroke-width="5"'
            halo.append(f'<path class="lurking-halo" d="{_path(drawn.middle)}" {paint}/>')
        data = {
            "edge": str(number),
            "arrow": stroke.arrow,
            "one": printable(stroke.one),
            "other": printable(stroke.other),
            "one-node": str(self.placement.names.index(stroke.one)),
            "other-node": str(self.placement.names.index(stroke.other)),
            "mark-one": stroke.at_one.name.lower(),
            "mark-other": stroke.at_other.name.lower(),
        }
        attributes = " ".join(f"data-{key}={_q(value)}" for key, value in data.items())
        more = f" {look}" if look else ""
        return [
            f'<g class="lurking-edge lurking-{stroke.kind}{more}" id={_q(f"{prefix}-edge-{number}")} {attributes}>',
            f"<title>{_t(self._words(stroke))}</title>",
            *halo,
            f'<path class="lurking-touch" d="{path}" stroke="none" stroke-width="16" pointer-events="stroke"/>',
            *stroke_elements(stroke, drawn),
            "</g>",
        ]

    def _node(self, prefix: str, number: int, name: str) -> list[str]:
        box, label = self.placement.box(name), self.placement.labels[name]
        size = f'width="{_n(box.width)}" height="{_n(box.height)}" rx="{_n(CORNER)}"'
        first = box.y - (len(label.lines) - 1) * LINE_HEIGHT / 2 + 0.35 * FONT_SIZE
        texts = [
            f'<text x="{_n(box.x)}" y="{_n(first + k * LINE_HEIGHT)}" fill="{LIGHT["ink"]}">{_t(line)}</text>'
            for k, line in enumerate(label.lines)
        ]
        shown = printable(name)
        return [
            f'<g class="lurking-node" id={_q(f"{prefix}-node-{number}")} data-node="{number}" data-name={_q(shown)}>',
            f"<title>{_t(shown)}</title>",
            f'<rect class="lurking-box" x="{_n(box.x - box.width / 2)}" y="{_n(box.top)}" {size} '
            f'fill="{LIGHT["box"]}" stroke="{LIGHT["border"]}" stroke-width="1.2"/>',
            *texts,
            "</g>",
        ]


def stroke_elements(stroke: Stroke, drawn: DrawnStroke) -> list[str]:
    """Return the line of a stroke and the marks at its ends as SVG elements."""
    colour = LIGHT[stroke.kind]
    dashes = f' stroke-dasharray="{DASHES}"' if stroke.kind == "bidirected" else ""
    paint = f'stroke="{colour}" stroke-width="{_n(LINE_WIDTH)}"{dashes}'
    line = f'<path class="lurking-line" d="{_path(drawn.line)}" {paint}/>'
    return [line, *(_mark(end, colour) for end in (drawn.at_one, drawn.at_other) if end.mark != Mark.TAIL)]


def _mark(end: EndMark, colour: str) -> str:
    if end.mark == Mark.CIRCLE:
        x, y = end.points[0]
        place = f'cx="{_n(x)}" cy="{_n(y)}" r="{_n(CIRCLE_RADIUS)}"'
        paint = f'fill="{LIGHT["paper"]}" stroke="{colour}" stroke-width="{_n(LINE_WIDTH)}"'
        return f'<circle class="lurking-circle" {place} {paint}/>'
    points = " ".join(f"{_n(x)},{_n(y)}" for x, y in end.points)
    return f'<polygon class="lurking-arrow" points="{points}" fill="{colour}"/>'


def _path(curve: FloatArray) -> str:
    start = f"M{_n(curve[0, 0, 0])} {_n(curve[0, 0, 1])}"
    segments = (" ".join(f"{_n(x)} {_n(y)}" for x, y in segment[1:]) for segment in curve)
    return start + "".join(f"C{segment}" for segment in segments)


def _n(value: float) -> str:
    """Write a number with at most two decimals; never minus zero."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _t(text: str) -> str:
    return escape(text, quote=False)


def _q(text: str) -> str:
    return f'"{escape(text, quote=True)}"'
