"""The section on trust: what it lists, the plot, and the same page from the file."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from lurking.data.effective_rows import EffectiveRows
from lurking.data.residual_curves import ResidualCurve
from lurking.discovery import dumps_result, loads_result
from lurking.report import report_html
from lurking.report.trust import residual_plot, trust_section
from report_examples import FIVE, full

CURVE = ResidualCurve(
    "<dose> & more", "pressure", 0.3, (1.0, 2.0, 3.0), (0.5, -0.25, 0.5), (0.1, -0.5, 0.1), (0.9, 0.0, 0.75)
)
WORTH = EffectiveRows(7466, 90, dependence=2.0, curvature=0.055)
CURVED = replace(full(FIVE), effective_rows=WORTH, residual_curve=CURVE, n_counted=90)


def test_the_reasons_are_listed_with_the_rows_that_they_leave() -> None:
    section = trust_section(CURVED)
    assert section is not None
    assert [label for label, _, _ in section["bars"]] == ["Curved relations", "Neighbouring rows alike"]
    assert section["bars"][1][1:] == ("50.0", "3,733")
    assert "worth 90 rows" in section["words"]


def test_a_search_told_to_count_more_rows_is_said_to_be_too_sure() -> None:
    section = trust_section(replace(CURVED, n_counted=7466))
    assert section is not None
    assert "told to count 7,466: its probabilities are too extreme" in section["words"]


def test_a_clean_table_counts_in_full_and_has_no_plot() -> None:
    clean = replace(CURVED, effective_rows=EffectiveRows(500, 500), n_counted=500)
    section = trust_section(replace(clean, residual_curve=replace(CURVE, share=0.01)))
    assert section is not None
    assert section["words"].startswith("The 500 rows count in full")
    assert section["bars"] == []
    assert section["plot"] is None


def test_without_a_table_there_is_no_section() -> None:
    assert trust_section(replace(CURVED, effective_rows=None)) is None
    assert 'id="trust"' not in report_html(replace(CURVED, effective_rows=None))


@pytest.mark.parametrize("values", [CURVE.x, (2.0, 2.0, 2.0)])
def test_the_plot_has_a_dot_for_each_bin_inside_its_frame(values: tuple[float, ...]) -> None:
    picture = ET.fromstring(residual_plot(replace(CURVE, x=values)))
    dots = [element for element in picture if element.get("class") == "dot"]
    assert len(dots) == 3
    _, _, width, height = map(float, str(picture.get("viewBox")).split())
    assert all(0 < float(str(dot.get("cx"))) < width and 0 < float(str(dot.get("cy"))) < height for dot in dots)
    assert "<dose> & more" in str(picture.get("aria-label"))


def test_the_page_from_the_file_is_the_same() -> None:
    read = loads_result(dumps_result(CURVED))
    assert read.residual_curve == CURVE
    page = report_html(CURVED)
    assert report_html(read) == page
    assert "Can this model be trusted here?" in page
    assert "<dose>" not in page
