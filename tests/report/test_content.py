"""What a report refuses to say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lurking import ADMG
from lurking._errors import ParameterError, UnknownVertexError
from lurking._numbers import cost_text, p_text, percent, short
from lurking.report import EdgeEstimate, NearOptimalGraph, PairShares, fit_rows
from lurking.sem.fit_measures import FitMeasures
from report_examples import FIVE, full, minimal

CONTENT = minimal(ADMG.parse("A -> B; B <-> C"))


def test_every_edge_once() -> None:
    with pytest.raises(ParameterError, match="A -> B is listed twice"):
        replace(CONTENT, edges=(*CONTENT.edges, EdgeEstimate("A", "B", "directed")))
    with pytest.raises(ParameterError, match="C <-> B is listed twice"):
        replace(CONTENT, edges=(*CONTENT.edges, EdgeEstimate("C", "B", "bidirected")))
    with pytest.raises(ParameterError, match="B -> A is not in the graph"):
        replace(CONTENT, edges=(*CONTENT.edges, EdgeEstimate("B", "A", "directed")))
    with pytest.raises(ParameterError, match="A -> B of the graph has no row"):
        replace(CONTENT, edges=CONTENT.edges[1:])


def test_all_graphs_have_the_same_variables() -> None:
    for names in ("A -> B; B <-> X", "A -> B"):
        other = ADMG.parse(names)
        with pytest.raises(UnknownVertexError):
            replace(CONTENT, pag=other.to_pag())
        with pytest.raises(UnknownVertexError):
            replace(CONTENT, near_optimal=(NearOptimalGraph(other, 1.0, 1),))


def test_shares_are_shares() -> None:
    for bad in (-0.1, 1.1, float("nan")):
        with pytest.raises(ParameterError, match="from 0 to 1"):
            replace(CONTENT, edges=(replace(CONTENT.edges[0], share=bad), *CONTENT.edges[1:]))
        with pytest.raises(ParameterError, match="from 0 to 1"):
            replace(CONTENT, bootstrap=(PairShares("A", "B", {"->": bad}),))
    with pytest.raises(UnknownVertexError):
        replace(CONTENT, bootstrap=(PairShares("A", "X", {"->": 1.0}),))


def test_shares_can_be_seen_from_either_end() -> None:
    content = replace(CONTENT, bootstrap=(PairShares("A", "B", {"->": 0.7, "<->": 0.3}, {"o->": 0.6, "o-o": 0.4}),))
    assert content.shares_of("A", "B") == content.bootstrap[0]
    assert content.shares_of("B", "A") == PairShares("B", "A", {"<-": 0.7, "<->": 0.3}, {"<-o": 0.6, "o-o": 0.4})
    assert content.shares_of("A", "C") is None


def test_a_report_is_bootstrapped_if_every_edge_has_a_share() -> None:
    assert full(FIVE).is_bootstrapped
    assert not full(FIVE, bootstrapped=False).is_bootstrapped
    assert not minimal(ADMG.empty(["A"])).is_bootstrapped


def test_the_fit_is_read() -> None:
    measures = FitMeasures(
        61.4, 37, 0.007, 0.031, (0.016, 0.045), 0.987, 0.012, -17000.25, 34567.25, 34600.0, 29, 7466, (), np.eye(0)
    )
    rows = {row.name: row for row in fit_rows(measures)}
    assert rows["Chi-square"].value == "61.40 on 37 df, p = 0.007"
    assert "contradict at least one" in rows["Chi-square"].reading
    assert rows["BIC"].value == "34,567.2"
    assert rows["Log-likelihood"].value == "−17,000.2"
    assert "do not contradict" in fit_rows(replace(measures, p_value=0.2))[0].reading
    assert "no evidence" in fit_rows(replace(measures, df=0, chi_square=0.0, p_value=1.0))[0].reading
    assert str(fit_rows(replace(measures, p_value=1e-9))[0].value).endswith("p < 0.001")


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
