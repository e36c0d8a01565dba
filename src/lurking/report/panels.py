"""Plots that stand alone: panels of lines and points with error bars and one legend, as SVG text.

Where :mod:`lurking.report.plots` draws inside a page that has its own colours, a picture made here carries everything.

>>> rising = Curve("rising", (500, 1000, 2000), (0.5, 0.7, 0.8), y_error=(0.05, 0.04, 0.04))
>>> svg = draw_panels([Panel("Recovery", "rows", "share", (rising,), y_range=(0, 1))])
>>> svg.startswith("<svg"), svg.count("<polyline"), svg.count("<circle")  # one more of each in the legend
(True, 2, 4)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite, log10

from lurking.report.plots import axis_scale, log_ticks, svg_text, tick_text, ticks

__all__ = ["COLOURS", "Curve", "Panel", "draw_panels"]

COLOURS = (
    "#1b6ca8", "#c8553d", "#3a7d44", "#7b4b94", "#b8860b", "#2a9d8f", "#6b6b6b", "#d14d8b", "#4a4e9e", "#8a5a2b",
    "#111111", "#8fb339",
)  # fmt: skip
"""The colours of the curves, in order; a curve can choose one by its number."""

PANEL_WIDTH, PANEL_HEIGHT = 300.0, 240.0
LEFT, TOP, BELOW = 62.0, 40.0, 52.0
LEGEND_LINE, LEGEND_COLUMN = 18.0, 250.0


@dataclass(frozen=True)
class Curve:
    """Points, joined by a line if there are several.

    Attributes
    ----------
    label : str
        In the legend; curves of the same label share an entry.
    x, y : tuple of float
        The points; those that are not finite are left out.
    x_error, y_error : tuple of float, optional
        Half lengths of the error bars.
    colour : int, optional
        A number in :data:`COLOURS`; by default the place of the label in the legend.
    dashed : bool, default False
        Whether the line is dashed.
    hollow : bool, default False
        Whether the points are rings.
    dots : bool, default True
        Whether points are drawn at all.
    """

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    x_error: tuple[float, ...] | None = None
    y_error: tuple[float, ...] | None = None
    colour: int | None = None
    dashed: bool = False
    hollow: bool = False
    dots: bool = True


@dataclass(frozen=True)
class Panel:
    """One pair of axes.

    Attributes
    ----------
    title, x_label, y_label : str
        What is shown.
    curves : tuple of Curve
        What is in it.
    x_range, y_range : tuple of float, optional
        The ends of the axes; by default those of the points.
    log_x : bool, default False
        Whether the x axis is logarithmic.
    x_ticks : tuple of float, optional
        The numbers below the x axis; by default round ones.
    """

    title: str
    x_label: str
    y_label: str
    curves: tuple[Curve, ...]
    x_range: tuple[float, float] | None = None
    y_range: tuple[float, float] | None = None
    log_x: bool = False
    x_ticks: tuple[float, ...] | None = None


def draw_panels(panels: Sequence[Panel], *, note: str = "", columns: int = 3) -> str:
    """Return a picture of panels, row by row, with a legend below.

    Parameters
    ----------
    panels : sequence of Panel
        What to draw.
    note : str, optional
        A line below the legend.
    columns : int, default 3
        Panels side by side.
    """
    styles: dict[str, Curve] = {}
    for panel in panels:
        for curve in panel.curves:
            styles.setdefault(curve.label, curve)
    colours = {
        label: COLOURS[(number if curve.colour is None else curve.colour) % len(COLOURS)]
        for number, (label, curve) in enumerate(styles.items())
    }
    across = min(columns, max(len(panels), 1))
    down = -(-len(panels) // across)
    width = across * (LEFT + PANEL_WIDTH) + 20.0
    per_line = max(int((width - LEFT) // LEGEND_COLUMN), 1)
    legend_top = down * (TOP + PANEL_HEIGHT + BELOW) + 14.0
    height = legend_top + LEGEND_LINE * (-(-len(styles) // per_line) + (1 if note else 0)) + 8.0
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" '
        f'font-size="12" role="img" aria-label="{svg_text("; ".join(panel.title for panel in panels))}">',
        f'<rect width="{width:g}" height="{height:g}" fill="white"/>',
    ]
    for number, panel in enumerate(panels):
        left = LEFT + number % across * (LEFT + PANEL_WIDTH)
        top = TOP + number // across * (TOP + PANEL_HEIGHT + BELOW)
        lines += _panel(panel, left, top, colours)
    for number, (label, curve) in enumerate(styles.items()):
        x = LEFT + number % per_line * LEGEND_COLUMN
        y = legend_top + LEGEND_LINE * (number // per_line)
        if len(curve.x) > 1:
            lines.append(_polyline([(x - 13, y), (x + 13, y)], colours[label], curve.dashed))
        lines += [_dot(x, y, colours[label], curve.hollow)] if curve.dots else []
        lines.append(f'<text x="{x + 19:g}" y="{y + 4:g}">{svg_text(label)}</text>')
    if note:
        lines.append(f'<text x="{LEFT - 8:g}" y="{height - 8:g}" fill="#555">{svg_text(note)}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def _panel(panel: Panel, left: float, top: float, colours: dict[str, str]) -> Iterator[str]:
    transform: Callable[[float], float] = log10 if panel.log_x else float
    bottom, right = top + PANEL_HEIGHT, left + PANEL_WIDTH
    x_low, x_high = panel.x_range or _limits([x for curve in panel.curves for x in curve.x], positive=panel.log_x)
    y_low, y_high = panel.y_range or _limits([y for curve in panel.curves for y in curve.y])
    across = axis_scale(transform(x_low), transform(x_high), left + 12, right - 12)
    upright = axis_scale(y_low, y_high, bottom, top)
    yield f'<text x="{(left + right) / 2:g}" y="{top - 14:g}" text-anchor="middle" font-weight="bold">'
    yield f"{svg_text(panel.title)}</text>"
    for value in ticks(y_low, y_high):
        y = upright(value)
        yield f'<line x1="{left:g}" x2="{right:g}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e6e6e6"/>'
        yield f'<text x="{left - 6:g}" y="{y + 4:.1f}" text-anchor="end">{tick_text(value)}</text>'
    for value in panel.x_ticks or (log_ticks if panel.log_x else ticks)(x_low, x_high):
        x = across(transform(value))
        yield f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{bottom:g}" y2="{bottom + 4:g}" stroke="#888"/>'
        yield f'<text x="{x:.1f}" y="{bottom + 18:g}" text-anchor="middle">{tick_text(value)}</text>'
    size = f'width="{PANEL_WIDTH:g}" height="{PANEL_HEIGHT:g}"'
    yield f'<rect x="{left:g}" y="{top:g}" {size} fill="none" stroke="#888"/>'
    middle = (left + right) / 2
    yield f'<text x="{middle:g}" y="{bottom + 36:g}" text-anchor="middle">{svg_text(panel.x_label)}</text>'
    turned = f"translate({left - 44:g} {(top + bottom) / 2:g}) rotate(-90)"
    yield f'<text transform="{turned}" text-anchor="middle">{svg_text(panel.y_label)}</text>'
    for curve in panel.curves:
        yield from _curve(curve, colours[curve.label], lambda x: across(transform(x)), upright, panel.log_x)


def _curve(
    curve: Curve, colour: str, across: Callable[[float], float], upright: Callable[[float], float], positive: bool
) -> Iterator[str]:
    none = (0.0,) * len(curve.x)
    every = zip(curve.x, curve.y, curve.x_error or none, curve.y_error or none, strict=True)
    shown = [point for point in every if isfinite(point[0]) and isfinite(point[1]) and (point[0] > 0 or not positive)]
    yield f"<g><title>{svg_text(curve.label)}</title>"
    places = [(across(x), upright(y)) for x, y, _, _ in shown]
    if len(places) > 1:
        yield _polyline(places, colour, curve.dashed)
    for (x, y, x_error, y_error), (place_x, place_y) in zip(shown, places, strict=True):
        if isfinite(y_error) and y_error:
            yield _bar(place_x, upright(y - y_error), place_x, upright(y + y_error), colour)
        if isfinite(x_error) and x_error:
            yield _bar(across(x - x_error), place_y, across(x + x_error), place_y, colour)
        if curve.dots:
            yield _dot(place_x, place_y, colour, curve.hollow)
    yield "</g>"


def _polyline(places: Sequence[tuple[float, float]], colour: str, dashed: bool) -> str:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dashes = ' stroke-dasharray="5 3"' if dashed else ""
    return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.8"{dashes}/>'


def _bar(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def _dot(x: float, y: float, colour: str, hollow: bool) -> str:
    fill = f'fill="white" stroke="{colour}" stroke-width="1.8"' if hollow else f'fill="{colour}"'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" {fill}/>'


def _limits(values: Sequence[float], *, positive: bool = False) -> tuple[float, float]:
    shown = [value for value in values if isfinite(value) and (value > 0 or not positive)]
    low, high = min(shown, default=1.0), max(shown, default=1.0)
    if low == high:
        return (low / 2, high * 2) if positive else (low - 1.0, high + 1.0)
    return low, high
