"""The legend: a small sample of each kind of edge in a picture, and what it means in words."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from lurking.graphs import Mark
from lurking.graphs.drawing import Stroke
from lurking.graphs.drawing.curves import straight
from lurking.graphs.drawing.marks_at_ends import draw_stroke
from lurking.graphs.drawing.placement import Box
from lurking.graphs.drawing.svg import stroke_elements

__all__ = ["legend"]

_WORDS = {
    ("admg", "->"): "The first is a direct cause of the second, not by way of another variable in the picture.",
    ("admg", "<->"): "Something that was not measured causes both.",
    ("pag", "->"): "In every equivalent graph the first is a cause of the second.",
    ("pag", "<->"): "In every equivalent graph something unmeasured causes both, and neither causes the other.",
    ("pag", "o->"): "The second does not cause the first. The first causes it, or something unmeasured causes both.",
    ("pag", "o-o"): "Connected, but the data leave open how.",
    ("pag", "--"): "Connected because units were selected into the data by what both cause.",
    ("pag", "o--"): "The second causes the first, or what units were selected by.",
}
_BELIEF_WORDS = {
    "->": "The first is a cause of the second, directly or not (probability .8 or more).",
    "<->": "Something unmeasured causes both.",
    "o->": "The second does not cause the first. Whether the first causes it is undecided.",
    "o-o": "Connected; how is undecided.",
}
_WORDS |= {("beliefs", arrow): words for arrow, words in _BELIEF_WORDS.items()}
_LENGTH, _HEIGHT = 52.0, 14.0


def legend(kind: str, strokes: Sequence[Stroke]) -> tuple[tuple[Markup, str], ...]:
    """Return a sample and the meaning of each kind of edge in a picture; an ADMG's two kinds are always explained.

    Parameters
    ----------
    kind : {"admg", "pag", "beliefs"}
        What the picture shows.
    strokes : sequence of Stroke
        Its edges.
    """
    samples = {stroke.arrow: (stroke.at_one, stroke.at_other) for stroke in strokes}
    if kind == "admg":
        samples = {"->": (Mark.TAIL, Mark.ARROW), "<->": (Mark.ARROW, Mark.ARROW)}
    return tuple(
        (_sample(*samples[arrow]), words) for (of, arrow), words in _WORDS.items() if of == kind and arrow in samples
    )


def _sample(at_one: Mark, at_other: Mark) -> Markup:
    left, right = (Box(x, _HEIGHT / 2, 0.0, 0.0, 0.0, 0.0, 0.0) for x in (1.0, _LENGTH - 1))
    stroke = Stroke("", "", at_one, at_other)
    drawn = draw_stroke(straight((left.x, left.y), (right.x, right.y)), left, right, at_one, at_other)
    inside = "".join(stroke_elements(stroke, drawn))
    return Markup(  # made of numbers alone
        f'<svg class="lurking-graph sample" viewBox="0 0 {_LENGTH:g} {_HEIGHT:g}" aria-hidden="true">'
        f'<g class="lurking-edge lurking-{stroke.kind}" fill="none">{inside}</g></svg>'
    )
