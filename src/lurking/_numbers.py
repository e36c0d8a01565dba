"""Numbers as people read them: few digits, a real minus sign, and a dash for what is not known.

>>> short(-0.04567), short(12345.6), short(None), percent(0.934), p_text(0.00002), p_text(0.0421)
('−0.0457', '12,346', '–', '93 %', '< 0.001', '0.042')
"""

from __future__ import annotations

from math import isfinite

__all__ = ["UNKNOWN", "cost_text", "p_text", "percent", "short"]

UNKNOWN = "–"


def short(value: float | None) -> str:
    """Write a number with three significant digits, or all digits before the point up to a million."""
    if value is None or not isfinite(value):
        return UNKNOWN
    if value == 0:
        return "0"
    size = abs(value)
    if size >= 1e6:
        text = f"{value:.2e}".replace("e+", "e")
    elif size >= 100:
        text = f"{value:,.0f}"
    elif size >= 0.001:
        text = f"{value:#.3g}".rstrip(".")
    else:
        text = f"{value:.2g}"
    return text.replace("-", "−")


def cost_text(value: float | None) -> str:
    """Write a difference of BIC: one decimal is all that matters."""
    if value is None or not isfinite(value):
        return UNKNOWN
    return f"{round(value, 1) + 0.0:,.1f}".replace("-", "−")  # -0.0 + 0.0 is 0.0


def percent(share: float | None) -> str:
    """Write a share as a whole percentage."""
    return UNKNOWN if share is None else f"{100 * share:.0f} %"


def p_text(value: float | None) -> str:
    """Write a p-value."""
    if value is None or not isfinite(value):
        return UNKNOWN
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
