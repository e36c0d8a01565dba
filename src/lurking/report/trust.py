"""The section "Can this model be trusted here?": how many rows the table is worth, why, and the most curved relation.

Nothing is computed here; the figures are :class:`~lurking.data.effective_rows.EffectiveRows` and
:class:`~lurking.data.residual_curves.ResidualCurve` of the analysis.
"""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from lurking._wording import counted
from lurking.data.effective_rows import EffectiveRows, Reason
from lurking.data.residual_curves import ResidualCurve
from lurking.discovery import Analysis
from lurking.graphs.drawing import printable
from lurking.report.plots import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, axis_scale, svg_text, tick_text, ticks
from lurking.report.sentences import fill

__all__ = ["residual_plot", "trust_section"]

_SHOWN = 0.9
"""A reason is listed if it alone would leave at most this share of the rows."""
_CURVED = 0.05
"""A relation is drawn if a parabola explains at least this share of the residual."""

_LABELS: dict[Reason, str] = {
    "curved": "Curved relations",
    "disagreement": "Values and ranks disagree",
    "dependent": "Neighbouring rows alike",
    "joint extremes": "Rows extreme in several columns",
    "copies": "Repeated rows",
}


def trust_section(analysis: Analysis) -> dict[str, Any] | None:
    """Return what the section shows; None if there was no table to look at."""
    worth = analysis.effective_rows
    if worth is None:
        return None
    curve = analysis.residual_curve
    section: dict[str, Any] = {"n_rows": f"{worth.n_rows:,}", "words": _words(analysis, worth), "plot": None}
    section["bars"] = [
        (_LABELS[reason], f"{max(0.5, 100.0 * rows / worth.n_rows):.1f}", f"{rows:,}")
        for reason, rows in worth.by_reason().items()
        if rows <= _SHOWN * worth.n_rows
    ]
    if curve is not None and curve.share >= _CURVED:
        section["heading"] = fill("{one} along {other}", one=curve.of, other=curve.along)
        section["plot"] = Markup(residual_plot(curve))  # the plot escapes its labels itself
        section["reading"] = (
            "The most curved relation: what straight lines in all other columns leave of it, with the means (dots) and "
            f"quartiles (lines) of {len(curve.x)} groups of rows. If the model held, the dots would lie about 0; a "
            f"parabola explains {curve.share:.0%} of it."
        )
    return section


def _words(analysis: Analysis, worth: EffectiveRows) -> str:
    rows = f"{counted(worth.n_rows, 'row')}"
    if worth.effective == worth.n_rows:
        return (
            f"The {rows} count in full: squares of columns explain nothing that straight lines do not, values and "
            "ranks agree, and no row depends on its neighbours. Whether the graph fits is below."
        )
    worth_words = f"The {rows} are worth {worth.effective:,} rows of independent, Gaussian, linear data"
    if analysis.n_counted == worth.effective:
        return (
            f"{worth_words}, and the search counted so many. The probabilities are therefore less extreme than "
            "all rows would make them."
        )
    n_counted = worth.n_rows if analysis.n_counted is None else analysis.n_counted
    return f"{worth_words}, but the search was told to count {n_counted:,}: its probabilities are too extreme."


def residual_plot(curve: ResidualCurve) -> str:
    """Return the residual along a column as an SVG element."""
    x_low, x_high = min(curve.x), max(curve.x)
    y_low, y_high = min(*curve.low, *curve.mean, 0.0), max(*curve.high, *curve.mean, 0.0)
    if x_high <= x_low:
        x_low, x_high = x_low - 1.0, x_high + 1.0
    across = axis_scale(x_low, x_high, LEFT + 8.0, WIDTH - RIGHT - 8.0)
    upright = axis_scale(y_low, y_high, HEIGHT - BOTTOM - 4.0, TOP)
    base, end = HEIGHT - BOTTOM, WIDTH - RIGHT
    label = f"Residual of {printable(curve.of)} along {printable(curve.along)}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot residuals trace-0" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" '
        f'role="img" aria-label="{svg_text(label)}">'
    ]
    for value in ticks(y_low, y_high):
        y, kind = upright(value), "zero" if value == 0.0 else "grid"
        lines.append(f'<line class="{kind}" x1="{LEFT:g}" x2="{end:g}" y1="{y:.1f}" y2="{y:.1f}"/>')
        lines.append(f'<text class="tick" x="{LEFT - 8:g}" y="{y + 4:.1f}" text-anchor="end">{tick_text(value)}</text>')
    lines += [
        f'<text class="tick" x="{across(value):.1f}" y="{base + 18:g}" text-anchor="middle">{tick_text(value)}</text>'
        for value in ticks(x_low, x_high, about=6)
    ]
    lines.append(f'<line class="axis" x1="{LEFT:g}" x2="{end:g}" y1="{base:g}" y2="{base:g}"/>')
    for x_value, mean, low, high in zip(curve.x, curve.mean, curve.low, curve.high, strict=True):
        x = across(x_value)
        lines.append(
            f'<line class="spread" x1="{x:.1f}" x2="{x:.1f}" y1="{upright(low):.1f}" y2="{upright(high):.1f}"/>'
            f'<circle class="dot" cx="{x:.1f}" cy="{upright(mean):.1f}" r="3"/>'
        )
    below = f'x="{(LEFT + end) / 2:g}" y="{HEIGHT - 6:g}" text-anchor="middle"'
    lines.append(f'<text class="axis-label" {below}>{svg_text(curve.along)}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"
