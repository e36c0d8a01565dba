"""Plots of the search, as SVG text: a few lines over a common axis.

Round numbers on the axes: the step between two marks is 1, 2 or 5 times a power of ten, or a power of ten itself on a
logarithmic scale. Values that cannot be shown (not finite, or not positive on a logarithmic scale) leave a gap.

>>> ticks(0.0, 9.3, about=5)
[0.0, 2.0, 4.0, 6.0, 8.0]
>>> log_ticks(0.002, 300.0)
[0.01, 0.1, 1.0, 10.0, 100.0]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from itertools import count
from math import ceil, floor, isfinite, log10

from lurking.discovery.analysis_parts import Trace
from lurking.graphs.drawing import printable

__all__ = ["axis_scale", "draw_trace", "log_ticks", "svg_text", "tick_text", "ticks"]

WIDTH, HEIGHT = 520.0, 250.0
LEFT, RIGHT, TOP, BOTTOM = 66.0, 14.0, 14.0, 44.0
N_COLOURS = 6


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Return round numbers between two others, about as many as asked for."""
    if high <= low:
        return [low]
    raw = (high - low) / about
    power = 10.0 ** floor(log10(raw))
    step = min((factor * power for factor in (1, 2, 5, 10)), key=lambda s: abs(s - raw))
    first = ceil(low / step - 1e-9)
    return [round(k * step, 12) for k in range(first, floor(high / step + 1e-9) + 1)]


def log_ticks(low: float, high: float, at_most: int = 7) -> list[float]:
    """Return powers of ten between two positive numbers, thinned out evenly."""
    first, last = ceil(log10(low) - 1e-9), floor(log10(high) + 1e-9)
    if last < first:
        return [low, high]
    stride = next(k for k in count(1) if (last - first) // k + 1 <= at_most)
    return [10.0**power for power in range(first, last + 1, stride)]


def draw_trace(trace: Trace) -> str:
    """Return a plot as an SVG element; its colours are those of the page, ``trace-0`` to ``trace-5``.

    Parameters
    ----------
    trace : mapping
        The plot, one of ``analysis.traces``; without a value that can be shown, only its axes are drawn.
    """
    transform: Callable[[float], float] = log10 if trace["log_scale"] else float
    shown = [point for _, x, y in trace["series"] for point in _points(x, y, trace["log_scale"]) if point]
    x_low, x_high = _limits([x for x, _ in shown])
    y_low, y_high = _limits([transform(y) for _, y in shown])
    across = axis_scale(x_low, x_high, LEFT, WIDTH - RIGHT)
    upright = axis_scale(y_low, y_high, HEIGHT - BOTTOM, TOP)
    marks = log_ticks(10.0**y_low, 10.0**y_high) if trace["log_scale"] else ticks(y_low, y_high)

    label = f"{trace['title']}: {trace['y_label']} against {trace['x_label']}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" '
        f'aria-label="{svg_text(label)}">'
    ]
    for value in marks:
        y = upright(transform(value))
        lines.append(f'<line class="grid" x1="{LEFT:g}" x2="{WIDTH - RIGHT:g}" y1="{y:.1f}" y2="{y:.1f}"/>')
        lines.append(f'<text class="tick" x="{LEFT - 8:g}" y="{y + 4:.1f}" text-anchor="end">{tick_text(value)}</text>')
    for value in ticks(x_low, x_high, about=6):
        place_x, place_y = across(value), HEIGHT - BOTTOM + 18
        lines.append(
            f'<text class="tick" x="{place_x:.1f}" y="{place_y:g}" text-anchor="middle">{tick_text(value)}</text>'
        )
    base = HEIGHT - BOTTOM
    lines.append(f'<line class="axis" x1="{LEFT:g}" x2="{WIDTH - RIGHT:g}" y1="{base:g}" y2="{base:g}"/>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    below = f'x="{middle:g}" y="{HEIGHT - 6:g}" text-anchor="middle"'
    lines.append(f'<text class="axis-label" {below}>{svg_text(trace["x_label"])}</text>')
    for number, (label, x_values, y_values) in enumerate(trace["series"]):
        points = _points(x_values, y_values, trace["log_scale"])
        places = [(across(p[0]), upright(transform(p[1]))) if p else None for p in points]
        lines += _line(f"trace-{number % N_COLOURS}", label, places)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _points(x_values: Sequence[float], y_values: Sequence[float], log_scale: bool) -> list[tuple[float, float] | None]:
    """Return the points of a line, None in the place of those that cannot be shown."""
    pairs = zip(x_values, y_values, strict=True)
    return [
        (float(x), float(y)) if isfinite(x) and isfinite(y) and (y > 0 or not log_scale) else None for x, y in pairs
    ]


def _line(colour: str, label: str, places: list[tuple[float, float] | None]) -> Iterator[str]:
    """Yield a series as a line with gaps, and a dot for every point that stands alone."""
    runs: list[list[tuple[float, float]]] = [[]]
    for place in places:
        if place is None:
            runs.append([])
        else:
            runs[-1].append(place)
    path = "".join("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in run) for run in runs if len(run) > 1)
    yield f'<g class="series {colour}"><title>{svg_text(label)}</title>'
    if path:
        yield f'<path class="curve" d="{path}"/>'
    for run in runs:
        if len(run) == 1:
            yield f'<circle class="dot" cx="{run[0][0]:.1f}" cy="{run[0][1]:.1f}" r="3"/>'
    yield "</g>"


def _limits(values: list[float]) -> tuple[float, float]:
    """Return the limits of an axis; one value alone gets some room around it."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    room = 0.0 if high > low else abs(low) * 0.1 or 1.0
    return low - room, high + room


def axis_scale(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    """Return the map from values on an axis to places on the page."""
    return lambda value: start + (value - low) / (high - low) * (end - start)


def tick_text(value: float) -> str:
    """Write a number beside an axis: with separated thousands, or as a power of ten."""
    if value and (abs(value) < 1e-3 or abs(value) >= 1e7):
        power = floor(log10(abs(value)) + 1e-9)
        factor = value / 10.0**power
        lead = "" if abs(factor - 1) < 1e-9 else f"{factor:g}·"
        raised = str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        return f"{lead}10{raised}"
    return f"{value:,.10g}".replace("-", "−")


def svg_text(text: str) -> str:
    """Return text that can stand in SVG."""
    return escape(printable(text), quote=True)
