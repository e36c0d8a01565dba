"""The marks that knowledge adds to a PAG, against all graphs with three vertices that obey it."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from lurking import ADMG, PAG, Knowledge
from lurking._errors import CycleError, KnowledgeError
from lurking.discovery import informed_pag
from lurking.graphs import Mark

NAMES = ("A", "B", "C")
KNOWN = (
    Knowledge(tiers=(("A",), ("B", "C"))),
    Knowledge(tiers=(("B",), ("A", "C"))),
    Knowledge(tiers=(("A",), ("B",))),
    Knowledge(required=("A -> B",)),
    Knowledge(required=("A <-> B",)),
    Knowledge(required=("A -> B", "B -> C")),
    Knowledge(forbidden=("A -> B",)),
    Knowledge(forbidden=("A <-> B", "B -> A")),
    Knowledge(unconfounded=("A",)),
    Knowledge(unconfounded=("B",), tiers=(("B",), ("A", "C"))),
    Knowledge(no_causes_within=(("A", "B"),)),
    Knowledge(no_causes_within=(("A", "B", "C"),)),
)


def all_admgs() -> list[ADMG]:
    """Every graph on three vertices with at most one edge for each pair."""
    pairs = list(combinations(range(3), 2))
    graphs = []
    for kinds in product(range(4), repeat=3):
        directed, bidirected = np.zeros((2, 3, 3), dtype=bool)
        for (i, j), kind in zip(pairs, kinds, strict=True):
            directed[i, j], directed[j, i] = kind == 1, kind == 2
            bidirected[i, j] = bidirected[j, i] = kind == 3
        try:
            graphs.append(ADMG(NAMES, directed, bidirected))
        except CycleError:
            continue
    return graphs


GRAPHS = [(graph, graph.to_pag()) for graph in all_admgs()]


@pytest.mark.parametrize("knowledge", KNOWN, ids=lambda known: known.to_toml().strip().replace("\n", "; "))
def test_every_added_mark_holds_in_every_equivalent_graph_that_obeys(knowledge: Knowledge) -> None:
    obedient = [(graph, pag) for graph, pag in GRAPHS if not knowledge.violations(graph)]
    added = 0
    for graph, pag in obedient:
        informed = informed_pag(graph, knowledge)
        members = [other for other, same in obedient if same == pag]
        for one, _, other in pag.edges():
            for cause, effect in ((one, other), (other, one)):
                mark, before = informed.mark(effect, at=cause), pag.mark(effect, at=cause)
                truths = {cause in member.ancestors(effect) for member in members}
                if before != Mark.CIRCLE:
                    assert mark == before
                elif mark != Mark.CIRCLE:
                    added += 1
                    assert truths == {mark == Mark.TAIL}
    assert added


def test_a_randomised_dose() -> None:
    graph = ADMG.parse("dose -> pressure <- salt; pressure -> headache")
    known = Knowledge(tiers=(("dose", "salt"), ("pressure", "headache")), unconfounded=("dose",))
    assert informed_pag(graph, known) == PAG.parse("dose -> pressure; salt o-> pressure; pressure -> headache")


def test_new_marks_are_carried_on() -> None:
    chain = ADMG.parse("A -> B -> C")
    assert informed_pag(chain, Knowledge(forbidden=("B -> A",))) == PAG.parse("A o-> B; B -> C")


def test_a_path_around_the_forbidden_edge_is_not_forgotten() -> None:
    graph = ADMG.parse("A -> B; B -> C; A -> C")
    informed = informed_pag(graph, Knowledge(forbidden=("C -> A",)))  # C -> B -> A is still possible
    assert informed == graph.to_pag()


def test_a_graph_that_does_not_obey() -> None:
    with pytest.raises(KnowledgeError, match="has B -> A"):
        informed_pag(ADMG.parse("B -> A"), Knowledge(forbidden=("B -> A",)))
