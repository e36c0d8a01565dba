from __future__ import annotations

import numpy as np
import pytest

from lurking import ADMG, Moments, load_sachs
from lurking._errors import GraphClassError, ParameterError
from lurking.sem import EdgeAlternative, edge_alternatives, ricf
from lurking.simulate.parameters import draw_parameters

CHAIN = ADMG.parse("A -> B -> C -> D; B <-> D")


def _moments(graph: ADMG, n: int = 500, seed: int = 0) -> Moments:
    model = draw_parameters(graph, random_state=seed)
    rows = np.random.default_rng(seed).standard_normal((n, len(graph))) @ np.linalg.cholesky(model.implied_cov()).T
    return Moments(np.cov(rows.T, bias=True), n, graph.names)


def test_costs_are_differences_of_bic_of_the_graphs_that_come_with_them() -> None:
    moments = _moments(CHAIN)
    table = edge_alternatives(moments, CHAIN)
    base = ricf(moments, CHAIN).bic
    expected = {
        ("A -> B", "no edge"): "A; B -> C -> D; B <-> D",
        ("A -> B", "B -> A"): "B -> A; B -> C -> D; B <-> D",
        ("A -> B", "A <-> B"): "A <-> B -> C -> D; B <-> D",
        ("B -> C", "no edge"): "A -> B; C -> D; B <-> D",
        ("B -> C", "C -> B"): "A -> B; C -> B; C -> D; B <-> D",
        ("B -> C", "B <-> C"): "A -> B; B <-> C -> D; B <-> D",
        ("C -> D", "no edge"): "A -> B -> C; B <-> D",
        ("C -> D", "D -> C"): "A -> B -> C; D -> C; B <-> D",
        ("C -> D", "C <-> D"): "A -> B -> C; C <-> D; B <-> D",
        ("B <-> D", "no edge"): "A -> B -> C -> D",
        ("B <-> D", "B -> D"): "A -> B -> C -> D; B -> D",
    }
    assert {(a.edge, a.instead): a.admg for a in table} == {k: ADMG.parse(v) for k, v in expected.items()}
    for alternative in table:
        assert alternative.bic_cost == pytest.approx(ricf(moments, alternative.admg).bic - base)
        assert alternative.converged


def test_equivalent_alternatives_cost_nothing_and_others_something() -> None:
    table = edge_alternatives(_moments(CHAIN, n=5000, seed=1), CHAIN)
    assert [(a.edge, a.instead) for a in table if a.equivalent] == [("A -> B", "A <-> B")]
    for alternative in table:
        assert (abs(alternative.bic_cost) < 1e-5) == alternative.equivalent


def test_a_cost_of_nothing_has_no_sign() -> None:
    nothing = EdgeAlternative("A -> B", "A <-> B", ADMG.parse("A <-> B"), -1e-9, True, True, True)
    assert str(nothing) == "A -> B: A <-> B instead costs 0.0 (equivalent)"


def test_an_orientation_that_makes_a_cycle_is_left_out() -> None:
    table = edge_alternatives(_moments(CHAIN), CHAIN)
    assert [a.instead for a in table.of("D", "B")] == ["no edge", "B -> D"]


def test_graph_class_decides_what_counts_as_weakest() -> None:
    graph = ADMG.parse("A -> B -> C; A <-> D")
    moments = _moments(graph, seed=2)
    everything, ancestral = (
        edge_alternatives(moments, graph),
        edge_alternatives(moments, graph, graph_class="ancestral"),
    )
    assert [a.in_class for a in ancestral] == [a.admg.is_ancestral() for a in ancestral]
    assert all(a.in_class for a in everything)
    weakest = everything.weakest()
    assert {a.edge for a in weakest} == {"A -> B", "B -> C", "A <-> D"}
    assert [a.bic_cost for a in weakest] == sorted(a.bic_cost for a in weakest)
    for alternative in weakest:
        assert alternative.bic_cost == min(a.bic_cost for a in everything if a.edge == alternative.edge)


def test_the_statement_of_the_paper_on_the_protein_data() -> None:
    """Appendix B (i): Erk <-> PKA is preferred to either orientation."""
    graph = ADMG.parse("Akt -> Erk -> Jnk -> PKC; PKA -> Jnk; Erk <-> PKA; PKA <-> PKC")
    moments = Moments.from_table(load_sachs()).subset(graph.names)
    costs = {a.instead: a.bic_cost for a in edge_alternatives(moments, graph).of("Erk", "PKA")}
    assert set(costs) == {"no edge", "Erk -> PKA", "PKA -> Erk"}
    assert min(costs.values()) > 10


def test_table_and_errors() -> None:
    moments = _moments(CHAIN)
    table = edge_alternatives(moments, CHAIN)
    frame = table.to_frame()
    assert len(frame) == len(table) == 11
    assert frame["bic_cost"].tolist() == [a.bic_cost for a in table]
    assert str(next(iter(table))).startswith("A -> B: no edge instead costs ")
    with pytest.raises(ParameterError, match="no edge between 'A' and 'D'"):
        table.of("A", "D")
    with pytest.raises(GraphClassError, match="bow"):
        edge_alternatives(moments, ADMG.parse("A -> B; A <-> B; C; D"))
