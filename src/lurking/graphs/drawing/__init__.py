"""Pictures of graphs, drawn by us: no Graphviz, no browser library, nothing but text.

Directed strokes are solid, bidirected ones dashed arcs; hollow circles are marks left open. Causes stand above effects.
The same graph always gives the same picture, whatever the order of its columns. The steps are modules of their own:

========================================  ======================================================
:mod:`~lurking.graphs.drawing.strokes`    the edges of any kind of graph, as strokes
:mod:`~lurking.graphs.drawing.labels`     names made fit to be drawn, broken and measured
:mod:`~lurking.graphs.drawing.placement`  rows, order in the rows, distances: where vertices stand
:mod:`~lurking.graphs.drawing.aims`       where on a box each stroke ends
:mod:`~lurking.graphs.drawing.routing`    curves past all boxes and clear of each other
:mod:`~lurking.graphs.drawing.svg`        the picture as text
========================================  ======================================================

>>> svg = draw_admg(["A", "B"], [[0, 1], [0, 0]], [[0, 0], [0, 0]])
>>> svg.startswith("<svg") and "A is a direct cause of B." in svg
True
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from numpy.typing import ArrayLike

from lurking.graphs.drawing.labels import printable
from lurking.graphs.drawing.placement import Placement, place
from lurking.graphs.drawing.strokes import Stroke, admg_strokes, ordered, pag_strokes
from lurking.graphs.drawing.style import STYLE_SHEET
from lurking.graphs.drawing.svg import Frame, Picture
from lurking.graphs.drawing.words import sentence

__all__ = [
    "STYLE_SHEET",
    "Frame",
    "Picture",
    "Placement",
    "Stroke",
    "admg_strokes",
    "draw_admg",
    "draw_cpdag",
    "draw_pag",
    "ordered",
    "pag_strokes",
    "place",
    "printable",
    "sentence",
]


def draw_admg(
    names: Sequence[str],
    directed: ArrayLike,
    bidirected: ArrayLike,
    *,
    title: str | None = None,
    tiers: Mapping[str, int] | None = None,
) -> str:
    """Draw an ADMG.

    Parameters
    ----------
    names : sequence of str
        The variables.
    directed, bidirected : array-like of bool, shape (d, d)
        The edges; ``directed[i, j]`` is i -> j.
    title : str, optional
        What the picture shows, for people who do not see it.
    tiers : mapping of str to int, optional
        Variables of smaller tiers stand higher.

    Returns
    -------
    svg : str
        A complete SVG element, which is also a complete SVG file.
    """
    strokes = admg_strokes(names, directed, bidirected)
    return Picture.of("admg", place(names, strokes, tiers), strokes).svg(title=title)


def draw_pag(
    names: Sequence[str], marks: ArrayLike, *, title: str | None = None, tiers: Mapping[str, int] | None = None
) -> str:
    """Draw a PAG, or any graph with tails, arrowheads and circles.

    Parameters
    ----------
    names : sequence of str
        The variables.
    marks : array-like of int, shape (d, d)
        ``marks[i, j]`` is the mark at j on the edge between i and j.
    title, tiers
        As for :func:`draw_admg`.
    """
    strokes = pag_strokes(names, marks)
    return Picture.of("pag", place(names, strokes, tiers), strokes).svg(title=title)


def draw_cpdag(
    names: Sequence[str], marks: ArrayLike, *, title: str | None = None, tiers: Mapping[str, int] | None = None
) -> str:
    """Draw a CPDAG; as for :func:`draw_pag`, but two tails are an edge whose direction is open."""
    strokes = pag_strokes(names, marks)
    return Picture.of("cpdag", place(names, strokes, tiers), strokes).svg(title=title)
