"""The levels of a column of words: which of two is 1, and whether several have an order that everyone knows.

>>> binary_levels(["not-fire", "fire"]), natural_order(["High", "low", "medium"])
(('not-fire', 'fire'), ('low', 'medium', 'High'))
>>> natural_order(["65+", "18-24", "25-64"]), natural_order(["red", "green", "blue"])
(('18-24', '25-64', '65+'), None)
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

__all__ = ["binary_levels", "levels_in", "natural_order"]

_YES = {
    "yes",
    "y",
    "true",
    "t",
    "1",
    "+",
    "positive",
    "pos",
    "present",
    "case",
    "treated",
    "treatment",
    "ja",
    "oui",
    "si",
}
_YES |= {
    "on",
    "dead",
    "died",
    "ill",
    "sick",
    "malignant",
    "pass",
    "success",
    "success.",
    "high",
    "abnormal",
    "female",
    "f",
}
_NEGATION = re.compile(r"^(without|never|not|non|no|un|in)[ _-]*(?=.)", re.IGNORECASE)

_SCALES = (
    "very low|lowest, low|lo, medium|med|mid|middle|moderate|normal|average, high|hi, very high|highest",
    "tiny|very small|xs, small|s|sm, medium|med|mid|m|average, large|big|l|lg, very large|huge|xl, xxl",
    "very short, short, medium|med|middle|average, long|tall, very long|very tall",
    "none|no|absent, minimal|slight|trace, mild|light|low, moderate|medium, severe|strong|heavy|high, "
    "very severe|extreme",
    "never, rarely|seldom, sometimes|occasionally, often|frequently|usually, always",
    "strongly disagree, disagree, neutral|undecided|neither, agree, strongly agree",
    "very poor|very bad, poor|bad, fair|average|ok|medium, good, very good, excellent|great",
    "very slow, slow, medium|moderate|normal, fast, very fast",
    "few, some, many, most, all",
    "child, young|adolescent, middle|adult, old|elderly|senior",
    "primary|elementary, secondary|high school, tertiary|college|university",
    "no, maybe|partly|unsure|unknown, yes",
    "first|1st, second|2nd, third|3rd, fourth|4th, fifth|5th",
    "i, ii, iii, iv, v, vi, vii, viii, ix, x",
    "jan|january, feb|february, mar|march, apr|april, may, jun|june, jul|july, aug|august, sep|sept|september, "
    "oct|october, nov|november, dec|december",
    "mon|monday, tue|tues|tuesday, wed|wednesday, thu|thur|thurs|thursday, fri|friday, sat|saturday, sun|sunday",
    "spring, summer, autumn|fall, winter",
)
_PLACES = [
    {word: place for place, words in enumerate(scale.split(", ")) for word in words.split("|")} for scale in _SCALES
]
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def binary_levels(levels: Collection[str]) -> tuple[str, str]:
    """Return two levels, first the one that becomes 0, then the one that becomes 1.

    What says yes becomes 1 and its negation 0; otherwise the later one in the order of a scale or of the alphabet.
    """
    one, other = sorted(levels, key=lambda level: (level.casefold(), level))
    for first, second in ((one, other), (other, one)):
        plain = first.strip().casefold()
        if _NEGATION.sub("", plain, count=1) == second.strip().casefold() != plain:
            return first, second
    sure = [level for level in (one, other) if level.strip().casefold() in _YES]
    if len(sure) == 1:
        return (other, one) if sure[0] == one else (one, other)
    order = natural_order([one, other])
    return (order[0], order[1]) if order else (one, other)


def natural_order(levels: Sequence[str]) -> tuple[str, ...] | None:
    """Return the levels from low to high if they are those of a well-known scale or begin with numbers; None if not."""
    plain = {level: re.sub(r"[\s_-]+", " ", level).strip().casefold() for level in levels}
    for places in _PLACES:
        found = [places.get(word) for word in plain.values()]
        if None not in found and len(set(found)) == len(levels) > 1:
            return tuple(sorted(levels, key=lambda level: places[plain[level]]))
    keys = {level: _number_key(level) for level in levels}
    if all(key is not None for key in keys.values()) and len(set(keys.values())) == len(levels) > 1:
        return tuple(sorted(levels, key=lambda level: keys[level] or (0.0, 0)))
    return None


def _number_key(level: str) -> tuple[float, int] | None:
    """Return where a level such as "<18", "18-24", "65+" or "grade 3" stands: its first number, below or above it."""
    number = _NUMBER.search(level)
    if number is None:
        return None
    before = level[: number.start()]
    side = -1 if re.search(r"<|under|below|less|up to", before, re.IGNORECASE) else 0
    return float(number[0]), 1 if re.search(r">|over|above|more", before, re.IGNORECASE) else side


def levels_in(text: str) -> tuple[str, ...] | None:
    """Return the levels of an order written as ``low<medium<high``, or None if it is none.

    Examples
    --------
    >>> levels_in("low < medium<high"), levels_in("ordinal")
    (('low', 'medium', 'high'), None)
    """
    parts = tuple(part.strip() for part in text.split("<"))
    return parts if len(parts) > 1 and all(parts) else None
