"""The time that results and pages carry."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from lurking._errors import ParameterError


def written_at() -> str:
    """Return the minute in which a result is written, as text.

    With ``SOURCE_DATE_EPOCH`` in the environment (seconds since 1970, the convention of reproducible builds) it is that
    minute in UTC, so that two runs write the same bytes.
    """
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    if seconds is None:
        return f"{datetime.now().astimezone():%Y-%m-%d %H:%M %Z}"
    if not seconds.isdecimal():
        raise ParameterError(
            f"The environment variable SOURCE_DATE_EPOCH is {seconds!r}; give whole seconds since 1970, or unset it."
        )
    return f"{datetime.fromtimestamp(int(seconds), UTC):%Y-%m-%d %H:%M %Z}"
