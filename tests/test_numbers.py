"""Numbers as people read them."""

from __future__ import annotations

import pytest

from lurking._numbers import cost_text, p_text, percent, short


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.5, "0.500"),
        (-0.5, "−0.500"),
        (99.94, "99.9"),
        (12345.6, "12,346"),
        (-3.09e23, "−3.09e23"),
        (1e-5, "1e−05"),
        (None, "–"),
    ],
)
def test_short_numbers(value: float | None, text: str) -> None:
    assert short(value) == text


def test_other_numbers() -> None:
    assert short(float("nan")) == short(float("inf")) == cost_text(None) == cost_text(float("nan")) == "–"
    assert p_text(None) == p_text(float("nan")) == percent(None) == "–"
    assert (cost_text(-1234.56), p_text(0.0009), p_text(0.5), percent(1.0)) == ("−1,234.6", "< 0.001", "0.500", "100 %")
