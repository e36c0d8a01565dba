"""The MAG of a selected sample against the m-separations given the selected vertices."""

from __future__ import annotations

from itertools import combinations

import pytest

from lurking import ADMG, PAG
from lurking._errors import GraphError
from lurking.graphs import selected_mag
from lurking.graphs.mixed_ancestral import check_maximal_ancestral
from oracles.graph_listing import all_admgs, sampled_admgs


@pytest.mark.parametrize(
    ("names", "selected", "hidden"), [("ABCD", "D", ""), ("ABCDE", "E", "D"), ("ABCDE", "DE", ""), ("ABCD", "", "D")]
)
def test_the_separations_are_those_given_the_selected_vertices(names: str, selected: str, hidden: str) -> None:
    graphs = all_admgs(4).bits[::211] if len(names) == 4 else sampled_admgs(5, 100, seed=11).bits
    undirected = apart = 0
    for graph in graphs:
        admg = ADMG(list(names), *graph.to_matrices())
        mag = selected_mag(admg, list(selected), list(hidden))
        check_maximal_ancestral(mag.names, mag.marks)
        undirected += any(arrow == "--" for _, arrow, _ in mag.edges())
        for one, other in combinations(mag.names, 2):
            rest = [name for name in mag.names if name not in (one, other)]
            for size in range(len(rest) + 1):
                for given in combinations(rest, size):
                    expected = admg.m_separated(one, other, [*given, *selected])
                    assert mag.m_separated(one, other, given) == expected, (str(admg), str(mag), one, other, given)
                    apart += expected
    assert apart > 20
    assert (undirected > 20) == bool(selected)


def test_without_hidden_and_selected_vertices_it_is_the_mag() -> None:
    for graph in all_admgs(4).bits[::101]:
        admg = ADMG(list("ABCD"), *graph.to_matrices())
        assert selected_mag(admg, []) == PAG.parse(str(admg.to_mag()), names=list("ABCD"))


def test_selection_by_a_common_effect() -> None:
    assert selected_mag(ADMG.parse("X -> S <- Y"), "S") == PAG.parse("X -- Y")
    with pytest.raises(GraphError, match="S is named as both"):
        selected_mag(ADMG.parse("X -> S"), "S", hidden="S")
