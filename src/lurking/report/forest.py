"""Effects side by side as SVG: a dot, a thick line for the 50 % interval and a thin one for the 95 % interval.

All effects are per standard deviation, so that they share one axis. The dot is the paler, the less probable the effect.
"""

from __future__ import annotations

from lurking._numbers import percent, short
from lurking.discovery import Analysis, EffectEstimate
from lurking.graphs.drawing import printable
from lurking.report.effect_words import interval_text, per_deviation
from lurking.report.plots import axis_scale, svg_text, tick_text, ticks

__all__ = ["forest_plot"]

_WIDTH, _ROW, _TOP, _BOTTOM, _RIGHT = 640.0, 22.0, 8.0, 44.0, 14.0
_LETTER, _LEAST_LEFT, _MOST_LEFT = 6.4, 90.0, 260.0
_MOST_LETTERS = 38


def forest_plot(analysis: Analysis, effects: tuple[EffectEstimate, ...]) -> str:
    """Return effects as an SVG element, one below the other; empty if there are none."""
    if not effects:
        return ""
    labels = [_shortened(f"{printable(one.cause)} on {printable(one.effect)}") for one in effects]
    left = min(max(_LETTER * max(map(len, labels)) + 16.0, _LEAST_LEFT), _MOST_LEFT)
    scaled = [_scaled(analysis, one) for one in effects]
    ends = [value for values in scaled for value in values] + [0.0]
    room = 0.03 * (max(ends) - min(ends)) or 1.0
    low, high = min(ends) - room, max(ends) + room
    across = axis_scale(low, high, left, _WIDTH - _RIGHT)
    base = _TOP + _ROW * len(effects)
    height = base + _BOTTOM
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot forest" viewBox="0 0 {_WIDTH:g} {height:g}" role="img" '
        f'aria-label="Effects with their intervals, per standard deviation">'
    ]
    for value in ticks(low, high, about=6):
        x = across(value)
        kind = "zero" if value == 0.0 else "grid"
        lines.append(f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP:g}" y2="{base:g}"/>')
        lines.append(f'<text class="tick" x="{x:.1f}" y="{base + 18:g}" text-anchor="middle">{tick_text(value)}</text>')
    for number, (one, label, values) in enumerate(zip(effects, labels, scaled, strict=True)):
        y = _TOP + _ROW * (number + 0.5)
        mean, *intervals = (across(value) for value in values)
        words = (
            f"{printable(one.cause)} on {printable(one.effect)}: {short(values[0])} "
            f"({interval_text(values[1], values[4])}), probability {percent(one.probability)}"
        )
        lines.append(f'<g class="trace-0"><title>{svg_text(words)}</title>')
        lines.append(f'<text x="{left - 10:g}" y="{y + 4:.1f}" text-anchor="end">{svg_text(label)}</text>')
        for kind, start, end in (("wide", intervals[0], intervals[3]), ("narrow", intervals[1], intervals[2])):
            lines.append(f'<line class="{kind}" x1="{start:.1f}" x2="{end:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>')
        lines.append(f'<circle class="dot" cx="{mean:.1f}" cy="{y:.1f}" r="4" opacity="{one.probability:.2f}"/></g>')
    middle = (left + _WIDTH - _RIGHT) / 2
    lines.append(
        f'<text class="axis-label" x="{middle:g}" y="{height - 6:g}" text-anchor="middle">'
        "standard deviations of the effect per standard deviation of the cause</text>"
    )
    return "\n".join([*lines, "</svg>"]) + "\n"


def _scaled(analysis: Analysis, one: EffectEstimate) -> tuple[float, float, float, float, float]:
    """Return the mean, and the ends of the intervals from left to right."""
    factor = per_deviation(analysis, one)
    return one.mean * factor, one.low * factor, one.low_50 * factor, one.high_50 * factor, one.high * factor


def _shortened(label: str) -> str:
    return label if len(label) <= _MOST_LETTERS else f"{label[: _MOST_LETTERS - 1]}…"
