"""Plots of the search, read back from their SVG."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurking.discovery.traces import trace_of
from lurking.report.plots import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, draw_trace, log_ticks, ticks
from svg_pictures import SVG

Line = tuple[str, tuple[float, ...], tuple[float, ...]]


def plot(*series: Line, log_scale: bool = False) -> ElementTree.Element:
    return ElementTree.fromstring(draw_trace(trace_of("Title", "step", "value", series, log_scale=log_scale)))


def curves(root: ElementTree.Element) -> list[np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    runs = [run for path in root.iter(f"{SVG}path") for run in path.attrib["d"].removeprefix("M").split("M")]
    return [np.array([[float(n) for n in point.split()] for point in run.split("L")]) for run in runs]


def test_a_line_runs_from_corner_to_corner() -> None:
    (line,) = curves(plot(("a", (0, 1, 2), (10, 5, 0))))
    middle = (LEFT + WIDTH - RIGHT) / 2, (TOP + HEIGHT - BOTTOM) / 2
    np.testing.assert_allclose(line, [(LEFT, TOP), middle, (WIDTH - RIGHT, HEIGHT - BOTTOM)], atol=0.1)


def test_a_logarithmic_scale_makes_powers_equidistant() -> None:
    (line,) = curves(plot(("a", (0, 1, 2), (1, 1e-3, 1e-6)), log_scale=True))
    steps = np.diff(line[:, 1])
    assert steps[0] == pytest.approx(steps[1], abs=0.11)


def test_what_cannot_be_shown_leaves_a_gap() -> None:
    values = (1.0, 2.0, float("nan"), 3.0, 4.0, float("inf"), 5.0)
    root = plot(("a", tuple(map(float, range(7))), values))
    assert [len(line) for line in curves(root)] == [2, 2]
    assert len(list(root.iter(f"{SVG}circle"))) == 1
    assert [len(line) for line in curves(plot(("a", (0, 1, 2), (1, 0.1, 0)), log_scale=True))] == [2]


def test_a_plot_without_values_has_axes() -> None:
    for log_scale in (False, True):
        root = plot(("a", (), ()), ("b", (0.0,), (-1.0,)), log_scale=log_scale)
        assert root.attrib["aria-label"] == "Title: value against step"
    plot(("flat", (0, 1), (3, 3)))
    plot(("one", (2,), (0,)))


def test_labels_are_escaped() -> None:
    hostile = "</svg><script>alert(1)</script>\x00"
    root = ElementTree.fromstring(draw_trace(trace_of(hostile, hostile, hostile, ((hostile, (0, 1), (0, 1)),))))
    assert "script" not in {element.tag.removeprefix(SVG) for element in root.iter()}


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_ticks_are_round_and_few(low: float, size: float) -> None:
    marks = ticks(low, low + size)
    assert 1 <= len(marks) <= 11
    assert low - 1e-6 * size - 1e-9 <= marks[0]
    assert marks[-1] <= low + size + 1e-6 * size + 1e-9
    assert len(set(np.diff(marks).round(9))) <= 2


@given(st.floats(1e-12, 1e3), st.floats(1.5, 1e12))
def test_log_ticks_are_powers_of_ten(low: float, factor: float) -> None:
    marks = log_ticks(low, low * factor)
    assert 1 <= len(marks) <= 7
    assert min(marks) >= low * (1 - 1e-6)
    assert max(marks) <= low * factor * (1 + 1e-6)


def test_numbers_on_the_axes() -> None:
    texts = [text.text for text in plot(("a", (0, 10), (1e-9, 1)), log_scale=True).iter(f"{SVG}text")]
    assert {"10⁻⁹", "10⁻⁵", "0.1"} <= set(texts)
    texts = [text.text for text in plot(("a", (0, 10), (-20000, 30000))).iter(f"{SVG}text")]
    assert {"−10,000", "0", "30,000"} <= set(texts)
