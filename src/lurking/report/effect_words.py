"""Effects in words: the sentence of an effect, its intervals as text, and which effects are shown first.

>>> from lurking.report.effect_words import interval_text
>>> interval_text(-0.25, 0.5)
'−0.250 to 0.500'
"""

from __future__ import annotations

from math import isfinite

from lurking._numbers import percent, short
from lurking.discovery import Analysis, Effect, EffectEstimate
from lurking.discovery.statements import in_words
from lurking.report.sentences import Phrase, fill

__all__ = [
    "LEAST_SHOWN",
    "MOST_SHOWN",
    "about_cause",
    "about_change",
    "adjustment_lines",
    "interval_text",
    "per_deviation",
    "probability_text",
    "rests_on",
    "robustness_line",
    "strongest",
]

LEAST_SHOWN = 0.5
"""Effects that are less probable are not among those shown."""

MOST_SHOWN = 20
"""So many effects are shown; ``result.json`` has all."""

_MOST_ADJUSTMENTS = 3


def strongest(analysis: Analysis) -> tuple[EffectEstimate, ...]:
    """Return the effects with probability .5 or more, the strongest first in units of standard deviations."""
    probable = [one for one in analysis.effect_list if one.probability >= LEAST_SHOWN and isfinite(one.mean)]
    return tuple(sorted(probable, key=lambda one: -round(abs(one.mean * per_deviation(analysis, one)), 9)))


def per_deviation(analysis: Analysis, one: EffectEstimate) -> float:
    """Return the factor that turns an effect into standard deviations per standard deviation."""
    return analysis.effect_columns.deviations(one.cause, one.effect)


def probability_text(probability: float) -> str:
    """Write a probability; nothing that was sampled is certain."""
    if probability > 0.995:
        return "> .99"
    return "< .01" if 0.0 < probability < 0.005 else f"{probability:.2f}".removeprefix("0")


def interval_text(low: float, high: float) -> str:
    """Write an interval."""
    return f"{short(low)} to {short(high)}"


def about_cause(one: EffectEstimate) -> tuple[Phrase, float]:
    """Say whether the first is a cause of the second, as firmly as it is probable, and how probable that is."""
    is_cause = one.probability >= 0.5
    probability = one.probability if is_cause else 1.0 - one.probability
    words = in_words("causes" if is_cause else "not causes", probability)
    return fill(words, first=one.cause, second=one.effect), probability


def about_change(one: EffectEstimate, *, standardized: bool = False) -> Phrase:
    """Say what happens to the second if the first is raised from outside."""
    amount, unit = ("one standard deviation", " standard deviations") if standardized else ("1", "")
    raised = f"{{cause}} is raised by {amount}"
    if one.against is not None and not standardized:
        raised = "{cause} holds and not {against}"
    what = "the share of {effect}" if one.is_share else "{effect}"
    names = {"cause": one.cause, "effect": one.effect, "against": one.against or ""}
    if not isfinite(one.mean):
        words = "No graph in which {cause} is a cause of {effect} determines the effect from the covariances."
        return fill(words, cause=one.cause, effect=one.effect)
    if one.probability == 0.0:
        return fill("Raising {cause} does not change {effect}.", cause=one.cause, effect=one.effect)
    words = (
        f"If {raised}, {what} changes by {short(one.mean)}{unit} "
        f"(95 % interval {interval_text(one.low, one.high)}, 50 % {interval_text(one.low_50, one.high_50)})."
    )
    pieces = fill(words, **names)
    if one.probability < 0.995 and one.mean_if_cause is not None:
        pieces += (
            (
                f" With probability {probability_text(1.0 - one.probability)} the effect is exactly 0, and these "
                f"numbers count that; otherwise it is {short(one.mean_if_cause)} "
                f"({interval_text(one.low_if_cause or 0.0, one.high_if_cause or 0.0)}).",
                False,
            ),
        )
    return pieces


def rests_on(one: Effect) -> str:
    """Say what the numbers rest on."""
    where = "drawn from the posterior of the search" if one.source == "sampled" else "that the search kept"
    said = (
        f"{one.n_graphs} graphs {where}, each with its own estimate and standard error; linear effects and no cycles "
        "are assumed."
    )
    if one.undetermined > 0.0:
        said += f" Graphs with {percent(one.undetermined)} of the weight do not determine the effect and are left out."
    return said


def robustness_line(one: Effect) -> str:
    """Say how strong an unmeasured cause must be to overturn the best regression; empty if there is none."""
    if not one.adjustment:
        return ""
    best = one.adjustment[0]
    words = (
        "If the first regression still misses a common cause, that must explain "
        f"{percent(best.robustness)} of what is left of both variables to bring the estimate to 0"
    )
    if best.robustness_of_interval == 0.0:
        return f"{words}; the interval holds 0 already."
    return f"{words}, and {percent(best.robustness_of_interval)} to bring the interval there."


def adjustment_lines(one: Effect) -> tuple[Phrase, ...]:
    """Say what to adjust for, and what the regression returns."""
    if not one.adjustment:
        why = "as no graph has the effect" if one.probability == 0.0 else "as no graph that has the effect has one"
        return (((f"No adjustment set, {why}.", False),),)
    lines = []
    for choice in one.adjustment[:_MOST_ADJUSTMENTS]:
        names = {f"v{k}": name for k, name in enumerate(choice.variables)}
        given = ", ".join(f"{{{key}}}" for key in names) or "no other variable"
        words = (
            f"{given}: valid with probability {probability_text(choice.share)}; the regression returns "
            f"{short(choice.estimate)} ({interval_text(choice.low, choice.high)})."
        )
        lines.append(fill(words, **names))
    return tuple(lines)
