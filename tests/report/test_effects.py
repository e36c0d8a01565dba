"""Effects on the page and in the terminal."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

import lurking
from lurking import ADMG, simulate_admg
from lurking._numbers import short
from lurking.discovery import Analysis, EffectPosterior
from lurking.report import effect_text, forest_plot, report_html, report_text
from lurking.report.effect_rows import effects_by_pair, effects_of_pair
from lurking.report.effect_terminal import histogram
from lurking.report.effect_words import interval_text, probability_text, strongest
from lurking.search.posterior import weigh
from report_examples import HOSTILE, hostile, minimal, moments_of

TRUTH = ADMG.parse("dose -> pressure -> stroke; dose <-> stroke")


@pytest.fixture(scope="module")
def answer() -> Analysis:
    data = simulate_admg(TRUTH, 1000, random_state=0).data
    return lurking.discover(data, solver="exact", random_state=0)


def test_the_screen_says_the_numbers_of_the_value(answer: Analysis) -> None:
    found = answer.effect("pressure", "stroke")
    text = effect_text(answer, found)
    assert "pressure on stroke" in text
    assert "is raised by 1, stroke changes by" in " ".join(text.split())
    assert f"{found.n_graphs} graphs" in text
    assert len(text.splitlines()) < 30
    doubted = replace(answer, messages=("Only 2 of the 5 runs found the best graph.",))
    assert "Beware    Only 2 of the 5 runs" in effect_text(doubted, found)
    scaled = effect_text(answer, answer.effect("pressure", "stroke", standardized=True))
    assert "raised by one standard deviation" in " ".join(scaled.split())


def test_the_histogram_has_the_mass_at_zero_and_the_mode_where_the_density_is_highest(answer: Analysis) -> None:
    moments, graphs = answer.moments, [(TRUTH, 0.0), (ADMG.parse("dose <-> pressure; pressure <-> stroke"), 0.0)]
    found = EffectPosterior.of(moments, weigh(graphs, 0.0)).effect("pressure", "stroke")
    first, *rows, line, axis = histogram(found, width=40)
    assert first == f"exactly 0  {'█' * 20} 50 %"
    assert line == " " * 11 + "─" * 40
    top = rows[0].index("█") - 11
    low, high = sorted((0.0, found.distribution.given_that_it_is_not_zero().quantiles([0.995])[0]))
    assert low + (top + 0.5) / 40 * (high - low) == pytest.approx(found.mean_if_cause, rel=0.1)
    assert "0" in axis


def test_an_effect_that_no_graph_has_is_said_to_be_none(answer: Analysis) -> None:
    found = EffectPosterior.of(answer.moments, weigh([(TRUTH, 0.0)], 0.0)).effect("stroke", "dose")
    text = effect_text(answer, found)
    assert "stroke is not a cause of dose." in text
    assert "Raising stroke does not change dose." in text
    assert "100 %" in text


def test_probabilities_are_never_rounded_to_certainty() -> None:
    assert [probability_text(p) for p in (1.0, 0.999, 0.9, 0.004, 0.0)] == ["> .99", "> .99", ".90", "< .01", ".00"]


def test_the_strongest_come_first_and_improbable_ones_are_left_out(answer: Analysis) -> None:
    shown = strongest(answer)
    assert all(one.probability >= 0.5 for one in shown)
    numbers = [abs(answer.effect(one.cause, one.effect, standardized=True).mean) for one in shown]
    assert numbers == sorted(numbers, reverse=True)
    text = report_text(answer, full=True)
    for one in shown:
        assert f"{one.cause} on {one.effect}" in text
    assert "strongest effects" not in report_text(answer)  # the first screen stays as it is


def test_the_page_has_a_plot_with_an_interval_for_each_effect(answer: Analysis) -> None:
    page = report_html(answer)
    assert '<section class="column" id="effects">' in page
    plot = ET.fromstring(forest_plot(answer, strongest(answer)))
    groups = [group for group in plot.iter("{http://www.w3.org/2000/svg}g") if group.get("class") == "trace-0"]
    assert len(groups) == len(strongest(answer))
    for group, one in zip(groups, strongest(answer), strict=True):
        wide, narrow = (next(line for line in group if line.get("class") == kind) for kind in ("wide", "narrow"))
        dot = next(part for part in group if part.get("class") == "dot")
        assert float(wide.get("x1", "")) <= float(narrow.get("x1", "")) <= float(narrow.get("x2", ""))
        assert float(narrow.get("x2", "")) <= float(wide.get("x2", ""))
        assert float(wide.get("x1", "")) <= float(dot.get("cx", "")) <= float(wide.get("x2", ""))
        assert one.cause in "".join(group.itertext())


def test_a_graph_that_was_given_has_no_section_on_effects() -> None:
    assert 'id="effects"' not in report_html(minimal(TRUTH))


def test_names_are_data() -> None:
    graph = hostile()
    moments = moments_of(graph)
    effects = EffectPosterior.of(moments, weigh([(graph, 0.0)], 0.0)).estimates()
    analysis = replace(minimal(graph), effect_list=effects)
    page = report_html(analysis)
    assert 'id="effects"' in page
    assert not re.search(r"<script>alert|<img src=x", page)
    ET.fromstring(forest_plot(analysis, strongest(analysis)))
    found = EffectPosterior.of(moments, weigh([(graph, 0.0)], 0.0)).effect(HOSTILE[1], HOSTILE[7])
    assert "\x1b" not in effect_text(analysis, found)


def test_the_panel_of_an_edge_has_the_effects_of_its_pair(answer: Analysis) -> None:
    found = dict(effects_of_pair(effects_by_pair(answer), "stroke", "pressure"))
    one = answer.effect("pressure", "stroke")
    assert found["Effect of pressure on stroke"] == f"{short(one.mean)} ({interval_text(one.low, one.high)})"
    assert "Effect of pressure on stroke" in report_html(answer)
