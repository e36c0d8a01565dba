"""What to adjust for, an instrument or a formula: the same answers as the functions on graphs."""

from __future__ import annotations

from lurking import ADMG
from lurking.discovery.ways_to_estimate import MOST_WAYS, ways_to_estimate
from lurking.graphs import adjustment_set, instruments, is_adjustment_set
from lurking.simulate import random_admg


def test_every_effect_is_there_and_right() -> None:
    kinds = set()
    for seed in range(60):
        graph = random_admg(6, directed_probability=0.4, bidirected_probability=0.3, random_state=seed)
        ways = ways_to_estimate(graph)
        pairs = [(way.cause, way.effect) for way in ways]
        assert pairs[: len(graph.directed_edges())] == graph.directed_edges()
        assert set(pairs) == {(a, y) for y in graph.names for a in graph.ancestors(y) - {y}}
        assert len(pairs) == len(set(pairs))
        for way in ways:
            smallest = adjustment_set(graph, way.cause, way.effect)
            if way.adjust_for is not None:
                assert is_adjustment_set(graph, way.cause, way.effect, way.adjust_for)
                assert smallest is not None
                assert len(smallest) == len(way.adjust_for)
                assert way.words.startswith("adjust for")
            else:
                assert smallest is None
                found = {(one.variable, one.given) for one in instruments(graph, way.cause, way.effect)}
                assert ((way.instrument, frozenset(way.given)) in found) or (way.instrument is None and not found)
                assert (way.formula is not None) == graph.identify(way.cause, way.effect).identified
            kinds.add(way.words.split(";")[0].split(" for")[0] + str(way.instrument is None) + str(way.formula is None))
    assert len(kinds) == 5  # a set; an instrument, a formula, both or none of them


def test_words() -> None:
    (front_door,) = (w for w in ways_to_estimate(ADMG.parse("X -> M -> Y; X <-> Y")) if w.cause + w.effect == "XY")
    assert front_door.words == "no set is right; a formula of several steps"
    assert front_door.formula == "p(Y | do(X)) = Σ_M [p(M | X) Σ_X' [p(X') p(Y | X', M)]]"
    (bow,) = ways_to_estimate(ADMG.parse("X -> Y; X <-> Y"))
    assert bow.words == "no set, instrument or formula; only the linear model as a whole"
    given = ways_to_estimate(ADMG.parse("w -> z -> x -> y; w -> y; x <-> y"))
    assert "no set is right; the instrument z given w" in [way.words for way in given]


def test_long_lists_are_cut() -> None:
    graph = random_admg(40, directed_probability=0.2, bidirected_probability=0.0, random_state=0)
    assert len(ways_to_estimate(graph)) == MOST_WAYS
