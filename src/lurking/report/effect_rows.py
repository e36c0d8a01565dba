"""The effects of the page: a forest plot and a table of the strongest.

>>> [heading for heading, _ in MEANINGS]
['Probability', 'Mean', '95 % interval', 'If it is a cause', 'Per deviation']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from markupsafe import Markup

from lurking._numbers import short
from lurking.discovery import Analysis, EffectEstimate
from lurking.graphs.drawing import printable
from lurking.report.effect_words import MOST_SHOWN, interval_text, per_deviation, probability_text, strongest
from lurking.report.forest import forest_plot
from lurking.report.sentences import fill

__all__ = ["MEANINGS", "effects_by_pair", "effects_of_pair", "effects_section"]

MEANINGS = (
    ("Probability", "That the first is a cause of the second at all."),
    ("Mean", "The mean over all graphs, those without the effect included, in the units of the data."),
    ("95 % interval", "Of the effect, over all graphs."),
    ("If it is a cause", "The mean over the graphs that have the effect, and the 95 % interval."),
    ("Per deviation", "The mean in standard deviations of the effect per standard deviation of the cause."),
)
"""The columns and what they mean."""

_LEAST_IN_PANEL = 0.05


def effects_section(analysis: Analysis) -> dict[str, Any]:
    """Return what the section on effects places; its rows are empty if there is nothing to show."""
    found = strongest(analysis)
    shown = found[:MOST_SHOWN]
    return {
        "plot": Markup(forest_plot(analysis, shown)),  # the plot escapes its labels itself
        "headings": [heading for heading, _ in MEANINGS],
        "meanings": MEANINGS,
        "rows": [_row(analysis, one) for one in shown],
        "more": len(found) - len(shown),
    }


def effects_by_pair(analysis: Analysis) -> dict[tuple[str, str], list[EffectEstimate]]:
    """Return the effects of each ordered pair of variables: several, if one of them is nominal."""
    columns = analysis.effect_columns
    found: dict[tuple[str, str], list[EffectEstimate]] = {}
    for one in analysis.effect_list:
        found.setdefault((columns.variable(one.cause), columns.variable(one.effect)), []).append(one)
    return found


def effects_of_pair(
    effects: Mapping[tuple[str, str], Sequence[EffectEstimate]], one: str, other: str
) -> list[tuple[str, str]]:
    """Return the effects that two variables may have on each other, with 95 % intervals, for the panel of an edge."""
    found = []
    for pair in ((one, other), (other, one)):
        for row in effects.get(pair, ()):
            if row.probability >= _LEAST_IN_PANEL and isfinite(row.mean):
                words = f"{short(row.mean)} ({interval_text(row.low, row.high)})"
                found.append((f"Effect of {printable(row.cause)} on {printable(row.effect)}", words))
    return found


def _row(analysis: Analysis, one: EffectEstimate) -> dict[str, Any]:
    per = one.mean * per_deviation(analysis, one)
    if_cause = (
        short(None)
        if one.mean_if_cause is None or one.low_if_cause is None or one.high_if_cause is None
        else f"{short(one.mean_if_cause)} ({interval_text(one.low_if_cause, one.high_if_cause)})"
    )
    return {
        "heading": fill("{cause} on {effect}", cause=one.cause, effect=one.effect),
        "cells": [
            (one.probability, probability_text(one.probability)),
            (one.mean, short(one.mean)),
            (one.high - one.low, interval_text(one.low, one.high)),
            ("" if one.mean_if_cause is None else one.mean_if_cause, if_cause),
            (per, short(per)),
        ],
    }
