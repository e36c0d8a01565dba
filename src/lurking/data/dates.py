"""Dates written as text: which way of writing them fits, and how many days lie between them.

>>> date_format(["2021-03-01", "2021-04-17", "2021-12-31"] * 3)
'%Y-%m-%d'
>>> days(np.array(["1970-01-02", None], dtype=object), "%Y-%m-%d").tolist()
[1.0, nan]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from lurking._typing import FloatArray

__all__ = ["date_format", "days", "days_of_times"]

_LOOKS_LIKE = re.compile(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}[- ][A-Za-z]{3,9}\.?[- ,]+\d{2,4}|[A-Za-z]{3,9}\.? \d{1,2},? \d{4}"
)
_DAYS = (
    *("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y"),
    *("%d.%m.%y", "%d/%m/%y", "%m/%d/%y", "%d-%b-%Y", "%d-%b-%y", "%d %b %Y", "%d %B %Y", "%B %d, %Y", "%b %d, %Y"),
)
_TIMES = ("", " %H:%M", " %H:%M:%S", "T%H:%M:%S", "T%H:%M:%SZ", " %H:%M:%S.%f", "T%H:%M:%S.%f", "T%H:%M:%S.%fZ")
_LOOKED_AT = 300
_FITTING = 0.95


def date_format(texts: Sequence[str]) -> str | None:
    """Return how dates are written if nearly all of the texts are dates, else None."""
    step = -(-len(texts) // _LOOKED_AT) or 1
    looked_at = pd.Series([text.strip() for text in texts[::step]], dtype=object)
    if not len(looked_at) or sum(_LOOKS_LIKE.match(text) is not None for text in looked_at) < _FITTING * len(looked_at):
        return None
    for day in _DAYS:
        for time in _TIMES:
            fitting = pd.to_datetime(looked_at, format=day + time, errors="coerce").notna().mean()
            if fitting >= _FITTING:
                return day + time
    return None


def days(texts: NDArray[Any], format: str) -> FloatArray:
    """Return the days since 1970 of dates written in a format; NaN for what is no date."""
    times = pd.to_datetime(pd.Series(texts, dtype=object).str.strip(), format=format, errors="coerce")
    return days_of_times(times)


def days_of_times(times: pd.Series[Any]) -> FloatArray:
    """Return the days since 1970 of points in time, or the days of durations; NaN where one is missing."""
    values = times
    if isinstance(values.dtype, pd.DatetimeTZDtype):
        values = values.dt.tz_convert("UTC").dt.tz_localize(None)
    if values.dtype.kind == "m":
        return np.asarray(values.dt.total_seconds(), dtype=float) / 86_400
    return np.asarray((values - pd.Timestamp(0)).dt.total_seconds(), dtype=float) / 86_400
