"""The calibration of the probabilities: reliability tables, the expected calibration error and a plot."""

from __future__ import annotations

import math
from collections.abc import Iterable

import pandas as pd
from benchmarks.accuracy.statements import KINDS, N_BINS, Counts
from benchmarks.accuracy.worlds import WORLDS

from lurking.experiments.tables import NOTHING, TextTable
from lurking.report.panels import Curve, Panel, draw_panels

__all__ = ["calibration_tables", "picture", "pooled"]

POOLED = ("hidden", "ancestral", "arid")
FEWEST = 20
"""Bins with fewer statements are not drawn: the share right would say little."""


def pooled(table: pd.DataFrame) -> Counts:
    """Return the sum of the counts in the rows."""
    total = Counts.none()
    for number, probability, right in zip(table["number"], table["probability"], table["right"], strict=True):
        total += Counts.of_texts(number, probability, right)
    return total


def calibration_tables(table: pd.DataFrame, method: str) -> list[TextTable]:
    """Return the summary by world and size and the reliability table of one search."""
    mine = table[table["method"] == method]
    source = ", ".join(sorted(set(mine["source"])))
    summary = []
    for title, rows in _parts(mine):
        for kind in KINDS:
            counts = pooled(rows[rows["kind"] == kind])
            share, number = counts.share_right(0.95)
            summary.append(
                (
                    f"{title}: {kind}",
                    f"{int(counts.number.sum())}",
                    f"{counts.error:.3f}",
                    _number(counts.error_above_first(), 3),
                    _number(share, 3),
                    str(number),
                )
            )
    columns = ("world and statement", "statements", "ECE", "ECE, p >= .05", "right if p >= .95", "of")
    reliability = []
    worlds = mine[mine["world"].isin(POOLED)]
    by_kind = {kind: pooled(worlds[worlds["kind"] == kind]) for kind in KINDS}
    for place in range(N_BINS):
        cells = []
        for counts in by_kind.values():
            number = counts.number[place]
            cells.append(
                f"{counts.probability[place] / number:.3f}: {counts.right[place] / number:.3f} ({number:.0f})"
                if number
                else NOTHING
            )
        reliability.append((f"{place / N_BINS:.2f} to {(place + 1) / N_BINS:.2f}", *cells))
    return [
        TextTable(
            f"Calibration of {method}",
            columns,
            tuple(summary),
            f"ECE: expected calibration error over {N_BINS} bins; the second one without the first bin, where the "
            f"statements about distant pairs are. Probabilities from: {source}.",
        ),
        TextTable(
            f"Reliability of {method}: worlds {', '.join(POOLED)} together",
            ("probability", *KINDS),
            tuple(reliability),
            "In each cell: mean probability: share right (number of statements).",
        ),
    ]


def _parts(table: pd.DataFrame) -> Iterable[tuple[str, pd.DataFrame]]:
    for world in WORLDS:
        rows = table[table["world"] == world]
        if len(rows):
            yield world, rows
            sizes = rows.groupby(["d", "n"])
            if len(sizes) > 1:
                yield from ((f"{world} {d}, n = {n}", part) for (d, n), part in sizes)


def picture(table: pd.DataFrame, method: str) -> str:
    """Return a plot as SVG: the share right against the probability, a panel for each kind of statement."""
    mine = table[table["method"] == method]
    panels = []
    for kind in KINDS:
        curves = [Curve("calibrated", (0.0, 1.0), (0.0, 1.0), colour=6, dashed=True, dots=False)]
        for number, world in enumerate(WORLDS):
            rows = mine[(mine["world"] == world) & (mine["kind"] == kind)]
            counts = pooled(rows)
            drawn = [place for place in range(N_BINS) if counts.number[place] >= FEWEST]
            if drawn:
                x = tuple(float(counts.probability[k] / counts.number[k]) for k in drawn)
                y = tuple(float(counts.right[k] / counts.number[k]) for k in drawn)
                curves.append(Curve(world, x, y, colour=number))
        panels.append(Panel(kind, "probability", "share right", tuple(curves), x_range=(0, 1), y_range=(0, 1)))
    return draw_panels(panels, note=f"{method}; bins with at least {FEWEST} statements")


def _number(value: float, digits: int) -> str:
    return NOTHING if math.isnan(value) else f"{value:.{digits}f}"
