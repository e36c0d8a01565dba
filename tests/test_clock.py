"""The time in results: now, or what the environment says."""

from __future__ import annotations

import re

import pytest

from lurking._clock import written_at
from lurking.errors import ParameterError


def test_the_time_can_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86460")
    assert written_at() == "1970-01-02 00:01 UTC"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(ParameterError, match="SOURCE_DATE_EPOCH is 'yesterday'; give whole seconds"):
        written_at()
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert re.fullmatch(r"20\d\d-\d\d-\d\d \d\d:\d\d \S+", written_at())
