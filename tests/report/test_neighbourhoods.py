"""The section of the page that shows a large graph one variable at a time."""

from __future__ import annotations

import re
import time

import numpy as np
import pytest

from lurking import ADMG, Moments
from lurking.discovery import Analysis, analyse
from lurking.graphs.drawing import admg_strokes
from lurking.report import report_html
from lurking.report.neighbourhoods import MANY, MOST_NEIGHBOURS, neighbourhoods
from lurking.report.view import MOST_DRAWN


def given(text: str, d: int) -> Analysis:
    graph = ADMG.parse(text, names=[f"V{k}" for k in range(d)])
    return analyse((Moments(np.eye(d) + 0.1, 300, graph.names), graph), title="Many")


def strokes_of(analysis: Analysis) -> list[dict[str, object]]:
    graph = analysis.admg
    return neighbourhoods(analysis, "admg", admg_strokes(graph.names, graph.directed, graph.bidirected))


def test_each_variable_has_its_neighbours_and_the_edges_among_them() -> None:
    found = strokes_of(given("V0 -> V1 -> V2; V1 <-> V3; V2 -> V3; V3 -> V4; V5", 6))
    assert [one["name"] for one in found][:2] == ["V1", "V3"]  # three neighbours each
    assert {one["name"]: one["neighbours"] for one in found} == {
        "V0": ["V1"], "V1": ["V0", "V2", "V3"], "V2": ["V1", "V3"], "V3": ["V1", "V2", "V4"], "V4": ["V3"], "V5": [],
    }  # fmt: skip
    pictures = {one["name"]: str(one["svg"]) for one in found}
    assert set(re.findall(r'data-name="(V\d)"', pictures["V1"])) == {"V0", "V1", "V2", "V3"}
    assert pictures["V1"].count("data-edge=") == 4  # V2 -> V3 is one of them, V3 -> V4 is not
    assert pictures["V5"] == ""


def test_a_variable_with_very_many_neighbours_has_no_picture() -> None:
    hub = "; ".join(f"V0 -> V{k}" for k in range(1, MOST_NEIGHBOURS + 2))
    found = strokes_of(given(hub, MOST_NEIGHBOURS + 2))
    assert found[0]["name"] == "V0"
    assert found[0]["svg"] == ""
    assert found[1]["svg"] != ""


def test_after_the_deadline_neighbours_are_listed_without_a_picture() -> None:
    analysis = given("V0 -> V1 <-> V2", MANY + 1)
    assert '<g class="lurking-edge' in report_html(analysis)
    page = report_html(analysis, deadline=time.monotonic() - 1.0).split('id="around"')[1].split("</section>")[0]
    assert "<svg" not in page
    assert 'neighbours are <bdi class="name">V0</bdi>, <bdi class="name">V2</bdi>.' in page


@pytest.mark.parametrize("d", [MANY, MANY + 1, MOST_DRAWN + 1])
def test_only_pages_of_many_variables_have_the_section(d: int) -> None:
    page = report_html(given("V0 -> V1 <-> V2", d))
    assert page.count('<article class="neighbourhood"') == (d if d > MANY else 0)
    assert ('id="neighbour"' in page) == (d > MANY)
    assert ('id="graph"' in page) == (d <= MOST_DRAWN)
    assert ("is not drawn" in page) == (d > MOST_DRAWN)
    shown = re.findall(r'<article class="neighbourhood" data-name="V\d+">', page)
    assert len(shown) == (1 if d > MANY else 0)  # the others are hidden until they are asked for
