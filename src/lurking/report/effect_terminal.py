"""One effect on one screen of a terminal: the sentence, the numbers, a picture of the distribution, what it rests on.

The picture has a bar for the probability that the effect is exactly 0, and a histogram of the rest:

::

    exactly 0  ██████ 23 %
                          ▂▅█▇▃
                         ▃█████▇▂
               0        0.40      0.60
"""

from __future__ import annotations

from io import StringIO

import numpy as np
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from lurking._numbers import percent, short
from lurking._wording import counted
from lurking.discovery import Analysis, Effect
from lurking.graphs.drawing import printable
from lurking.report.effect_words import (
    about_cause,
    about_change,
    adjustment_lines,
    interval_text,
    probability_text,
    rests_on,
    robustness_line,
)
from lurking.report.objections import objections
from lurking.report.plots import tick_text, ticks
from lurking.report.terminal import MOST_OBJECTIONS, styled

__all__ = ["effect_report", "effect_text", "histogram"]

_WIDTH, _HEIGHT = 60, 4
_EIGHTHS = " ▁▂▃▄▅▆▇█"
_OUTER = 0.005
"""The picture leaves out this probability on each side."""


def effect_report(analysis: Analysis, found: Effect) -> RenderableType:
    """Return one effect as something that a rich console prints."""
    facts = [counted(analysis.moments.n_samples, "row"), counted(len(analysis.names), "variable")]
    title = f"{printable(found.cause)} on {printable(found.effect)}"
    whether, probability = about_cause(found)
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(min_width=8)
    grid.add_column()

    def row(heading: str, text: Text) -> None:
        grid.add_row(Text(heading, style="bold"), text)

    row("Total", styled(about_change(found, standardized=found.standardized)))
    direct = "No graph has a direct edge."
    if found.direct_probability > 0.0:
        direct = (
            f"{short(found.direct_mean)} ({interval_text(found.direct_low, found.direct_high)}), with probability "
            f"{probability_text(found.direct_probability)} that there is a direct effect."
        )
    row("Direct", Text(direct))
    for number, line in enumerate(adjustment_lines(found)):
        row("Adjust" if number == 0 else "", styled(line))
    if found.adjustment:
        row("Hidden", Text(robustness_line(found)))
    row("Rests on", Text(rests_on(found)))
    against = objections(analysis)[:MOST_OBJECTIONS]
    if against:
        row("Beware", Text(printable(" ".join(against))))
    return Group(
        Text.assemble((title, "bold"), "\n", (", ".join(facts), "dim")),
        Text(),
        styled(whether, "bold").append(f"  {probability_text(probability)}", style="dim"),
        Text(),
        *(Text(line, no_wrap=True, overflow="crop") for line in histogram(found)),
        Text(),
        grid,
    )


def effect_text(analysis: Analysis, found: Effect, width: int = 100) -> str:
    """Return one effect as plain text without colours."""
    console = Console(file=StringIO(), width=width, color_system=None, force_terminal=False, legacy_windows=False)
    with console.capture() as capture:
        console.print(effect_report(analysis, found))
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())


def histogram(found: Effect, width: int = _WIDTH, height: int = _HEIGHT) -> list[str]:
    """Return the distribution of an effect as lines of text."""
    at_zero = found.distribution.at_zero
    indent = " " * 11
    bar = "█" * round(at_zero * width)
    lines = [f"exactly 0  {bar}{' ' if bar else ''}{percent(at_zero)}"]
    if not found.distribution.weights.size:
        return lines
    there = found.distribution.given_that_it_is_not_zero()
    low, high = (float(end) for end in there.quantiles([_OUTER, 1.0 - _OUTER]))
    edges = np.linspace(min(low, 0.0), max(high, 0.0), width + 1)
    shares = np.diff(there.cumulated(edges))
    eighths = np.ceil(shares / shares.max() * 8 * height - 1e-9).astype(int)
    for level in reversed(range(height)):
        row = "".join(_EIGHTHS[k] for k in np.clip(eighths - 8 * level, 0, 8))
        lines += [f"{indent}{row}".rstrip()]
    return [*lines, indent + "─" * width, indent + _axis(float(edges[0]), float(edges[-1]), width)]


def _axis(low: float, high: float, width: int) -> str:
    """Return round numbers below the places where they are."""
    line = [" "] * (width + 12)
    for value in ticks(low, high, about=5):
        text = tick_text(value)
        place = round((value - low) / (high - low) * (width - 1)) - len(text) // 2
        start = max(place, 0)
        if all(letter == " " for letter in line[max(start - 1, 0) : start + len(text) + 1]):
            line[start : start + len(text)] = text
    return "".join(line).rstrip()
