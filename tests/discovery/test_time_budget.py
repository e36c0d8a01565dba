"""A time budget is for the whole answer: what the fit gets of it, and what is left out when it is used up."""

from __future__ import annotations

import time
from math import inf
from typing import Any

import pytest

import lurking
from lurking import ADMGDiscovery, simulate_admg
from lurking.discovery import analyse, table_search
from lurking.discovery.time_budget import fit_within_budget, share_of_fit
from lurking.search.hybrid import hybrid_search
from lurking.search.search_plan import (
    expected_seconds,
    seconds_left_for,
    seconds_of_analysis,
    seconds_of_file,
    seconds_of_fit,
    seconds_of_report,
)

DATA = simulate_admg(6, 300, random_state=1).data


@pytest.fixture
def given_seconds(monkeypatch: pytest.MonkeyPatch) -> list[float | None]:
    """The time budgets that searches were given, in a list that fills."""
    seen: list[float | None] = []

    def search(*args: Any, time_budget: float | None, **settings: Any) -> Any:
        seen.append(time_budget)
        return hybrid_search(*args, time_budget=time_budget, **settings)

    monkeypatch.setattr(table_search, "hybrid_search", search)
    return seen


def test_what_comes_after_the_search_has_its_share() -> None:
    for d in (10, 100, 500):
        shares = (seconds_of_fit(d), seconds_of_analysis(d), seconds_of_report(d))
        assert all(share > 0.0 for share in shares)
        assert seconds_of_file(d) < seconds_of_report(d)
        assert share_of_fit(900.0, d, 10.0, with_report=True) == pytest.approx(890.0 - shares[1] - shares[2])
        assert share_of_fit(900.0, d, 10.0, with_report=False) == pytest.approx(890.0 - shares[1])
    assert sum(f(500) for f in (seconds_of_fit, seconds_of_analysis, seconds_of_report)) < 0.2 * 900.0
    assert expected_seconds(500, "bow-free", 5, 2) > sum(f(500) / 2.5 for f in (seconds_of_analysis, seconds_of_report))
    assert seconds_left_for(10.0, spent=60.0, reserved=5.0) == 1.0


def test_the_search_gets_what_reading_and_the_rest_leave(given_seconds: list[float | None]) -> None:
    ADMGDiscovery(n_restarts=1, random_state=0, time_budget=50.0).fit(DATA)
    lurking.discover(DATA, n_restarts=1, time_budget=50.0)
    lurking.discover(DATA, n_restarts=1)
    alone, within, unlimited = given_seconds
    assert unlimited is None
    assert alone is not None
    assert within is not None
    reserved = 50.0 - seconds_of_fit(6)
    assert 0.0 < alone < reserved
    assert within < reserved - seconds_of_analysis(6)


def test_the_model_keeps_the_budget_that_it_was_given(given_seconds: list[float | None]) -> None:
    model = ADMGDiscovery(n_restarts=1, random_state=0, time_budget=30.0)
    began = time.monotonic() - 20.0
    deadline = fit_within_budget(model, model.prepare(DATA), began, with_report=True)
    assert model.time_budget == 30.0
    assert analyse(model).settings["time_budget"] == 30.0
    assert given_seconds[0] is not None
    assert given_seconds[0] < 10.0
    assert deadline == pytest.approx(began + 30.0 - seconds_of_report(6))


def test_without_a_budget_nothing_ends() -> None:
    model = ADMGDiscovery(solver="exact", random_state=0)
    data = model.prepare(simulate_admg(3, 200, random_state=0).data)
    assert fit_within_budget(model, data, time.monotonic(), with_report=True) == inf


def test_after_the_deadline_parts_are_left_out_and_named() -> None:
    model = ADMGDiscovery(n_restarts=1, random_state=0).fit(DATA)
    whole, hasty = analyse(model), analyse(model, deadline=time.monotonic() - 1.0)
    assert whole.tests
    assert whole.effect_list
    assert not any("set a larger time budget" in message for message in whole.messages)
    assert hasty.tests == ()
    assert hasty.effect_list == ()
    assert all(edge.removal_cost is None for edge in hasty.edge_estimates)
    assert [edge.estimate for edge in hasty.edge_estimates] == [edge.estimate for edge in whole.edge_estimates]
    assert sum("set a larger time budget to have it" in message for message in hasty.messages) == 3
    assert hasty.statement_list == whole.statement_list
