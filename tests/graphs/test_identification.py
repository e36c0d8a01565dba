"""Identification against interventions in random discrete models, and against the definition of a hedge.

With LURKING_EXHAUSTIVE=1 the models of all 34,752 ADMGs with four vertices are asked, which takes a quarter of an hour.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from lurking import ADMG
from lurking._errors import DataError, GraphError
from lurking._typing import FloatArray
from lurking.graphs import Hedge, IdentifiedEffect
from lurking.graphs.bits import BitGraph, mask_of
from lurking.graphs.nested import reachable_closure
from lurking.graphs.relations import ancestors, district, districts
from oracles.discrete_models import DiscreteModel, random_model
from oracles.graph_listing import all_admgs, each, sampled_admgs

QUESTIONS = [("A", "B", ""), ("A", "BCD", ""), ("AB", "C", ""), ("A", "B", "C"), ("A", "BC", "D"), ("A", "B", "CD")]


def truth(model: DiscreteModel, treatment: str, outcome: str, given: str) -> FloatArray:
    """Return p(outcome | do(treatment), given) by setting the treatment in the model; axes as ``evaluate`` has them."""
    d = len(model.sizes)
    places = [["ABCDE".index(name) for name in names] for names in (treatment, given, outcome)]
    table = model.distribution(tuple(places[0]))
    kept = [axis for group in places for axis in group]
    margin = table.sum(axis=tuple(axis for axis in range(d) if axis not in kept))
    margin = np.moveaxis(margin, range(len(kept)), [kept.index(axis) for axis in sorted(kept)])
    of_outcome = tuple(range(len(places[0]) + len(places[1]), len(kept)))
    result: FloatArray = margin / margin.sum(axis=of_outcome, keepdims=True)
    return result


def check(graph: BitGraph, question: tuple[str, str, str], generator: np.random.Generator) -> bool:
    """Check one answer; return whether the effect is identified."""
    treatment, outcome, given = question
    names = "ABCDE"[: graph.n_vertices]
    answer = ADMG(list(names), *graph.to_matrices()).identify(list(treatment), list(outcome), list(given))
    if isinstance(answer, IdentifiedEffect):
        model = random_model(graph, generator)
        found = answer.evaluate(model.distribution())
        expected = truth(model, treatment, outcome, given)
        assert np.allclose(found, expected, atol=1e-9), (names, graph, str(answer))
        return True
    check_hedge(graph, answer, names)
    return False


def without_edges_into(graph: BitGraph, chosen: int) -> BitGraph:
    parents = tuple(0 if chosen >> v & 1 else above for v, above in enumerate(graph.parents))
    siblings = tuple(0 if chosen >> v & 1 else beside & ~chosen for v, beside in enumerate(graph.siblings))
    return BitGraph(parents, siblings)


def check_hedge(graph: BitGraph, hedge: Hedge, names: str) -> None:
    larger, smaller = (mask_of(names.index(name) for name in group) for group in (hedge.larger, hedge.smaller))
    causes = mask_of(names.index(name) for name in hedge.treatment) | mask_of(names.index(name) for name in hedge.given)
    outcome = mask_of(names.index(name) for name in (*hedge.outcome, *hedge.given))
    assert smaller & ~larger == 0
    assert larger & causes
    for group in (larger, smaller):  # bidirected edges connect it, and all of it leads to the smaller set
        assert district(graph, group & -group, group) == group
        assert ancestors(graph, smaller, group) == group
    assert not smaller & mask_of(names.index(name) for name in hedge.treatment)
    assert ancestors(graph, outcome) & smaller == smaller
    assert reachable_closure(graph, smaller) != smaller  # not all else can be fixed


@pytest.mark.parametrize("question", QUESTIONS, ids="-".join)
def test_formulas_give_the_effect_of_setting_and_hedges_are_hedges(question: tuple[str, str, str]) -> None:
    generator = np.random.default_rng(0)
    counts = Counter(check(graph, question, generator) for graph in each(all_admgs(4).bits, 73))
    assert min(counts.values()) > 20


def test_larger_graphs() -> None:
    generator = np.random.default_rng(1)
    graphs = []
    for thick in sampled_admgs(5, 120, seed=2).bits:
        directed, bidirected = thick.to_matrices()
        kept = np.triu(generator.random((5, 5)) < 0.4, 1)
        graphs.append(BitGraph.from_matrices(directed, bidirected & (kept | kept.T)))
    questions = [("A", "B", ""), ("AC", "B", "D")]
    counts = Counter(check(graph, question, generator) for graph in graphs for question in questions)
    assert min(counts.values()) >= 10


@pytest.mark.parametrize(
    ("treatment", "outcome", "given", "experiments"),
    [
        ("A", "B", "", ["", "C"]),
        ("A", "B", "", ["C", "D"]),
        ("A", "BC", "", ["D", "BD"]),
        ("AB", "C", "", ["A", "B"]),
        ("A", "B", "D", ["", "C"]),
        ("A", "BD", "", ["C"]),
    ],
)
def test_formulas_from_several_experiments(treatment: str, outcome: str, given: str, experiments: list[str]) -> None:
    """Each formula against setting in a random model, and each answer against the intrinsic sets of the experiments."""
    generator = np.random.default_rng(3)
    counts: Counter[tuple[bool, bool]] = Counter()
    for graph in each(all_admgs(4).bits, 149):
        admg = ADMG(list("ABCD"), *graph.to_matrices())
        answer = admg.identify(list(treatment), list(outcome), list(given), experiments=[list(e) for e in experiments])
        observed = admg.identify(list(treatment), list(outcome), list(given)).identified
        counts[answer.identified, observed] += 1
        if isinstance(answer, IdentifiedEffect):
            model = random_model(graph, generator)
            tables: dict[str | tuple[str, ...], FloatArray] = {
                tuple(e): model.distribution(tuple("ABCD".index(name) for name in e)) for e in experiments
            }
            joint = tables.pop((), None)
            found = answer.evaluate(joint, tables)
            assert np.allclose(found, truth(model, treatment, outcome, given), atol=1e-9), (str(admg), str(answer))
        else:
            assert answer.experiments == tuple(tuple(e) for e in experiments)
        assert not ("" in experiments and observed and not answer.identified)
        if not given:
            masks = [mask_of("ABCD".index(name) for name in e) for e in experiments]
            wanted = [mask_of("ABCD".index(name) for name in e) for e in (treatment, outcome)]
            parts = districts(graph, ancestors(graph, wanted[1], ~wanted[0]))
            known = [
                any(
                    not part & setting
                    and reachable_closure(without_edges_into(graph, setting), part, 0b1111 & ~setting) == part
                    for setting in masks
                )
                for part in parts
            ]
            assert answer.identified == all(known)
    assert counts[True, False] > 0
    assert counts[False, False] > 0


def test_an_experiment_on_part_of_the_causes_is_observation_in_the_graph_without_edges_into_them() -> None:
    counts: Counter[bool] = Counter()
    for graph in each(all_admgs(4).bits, 37):
        whole, cut = (ADMG(list("ABCD"), *g.to_matrices()) for g in (graph, without_edges_into(graph, 0b0001)))
        answer = whole.identify(["A", "B"], "C", experiments=["A"])
        assert answer.identified == cut.identify(["A", "B"], "C").identified
        counts[answer.identified] += 1
    assert min(counts.values()) > 50


def test_answers_from_experiments_as_they_are_written() -> None:
    graph = ADMG.parse("Z -> X -> Y; Z <-> X; Z <-> Y; X <-> W; W <-> Y")
    assert str(graph.identify("X", "Y", experiments=[(), "W"])) == (
        "p(Y | do(X)) is not identified from observation, do(W): {X, Y, Z} and {Y} form a hedge."
    )
    assert str(graph.identify("X", "Y", experiments=["Y", ["Y", "Z"]])) == (
        "p(Y | do(X)) is not identified from do(Y), do(Z, Y): each of them sets a variable of {Y}."
    )
    answer = graph.identify("X", "Y", experiments=["Z"])
    assert isinstance(answer, IdentifiedEffect)
    assert str(answer) == "p(Y | do(X)) = p(Y | do(Z), X), whatever Z"
    assert answer.latex() == r"p(Y \mid \mathrm{do}(X)) = p(Y \mid \mathrm{do}(Z), X)"
    with pytest.raises(DataError, match="The formula needs the distribution after setting Z"):
        answer.evaluate(np.full((2, 2, 2, 2), 1 / 16))
    backwards = graph.identify("Y", "X")
    assert isinstance(backwards, IdentifiedEffect)
    with pytest.raises(DataError, match="needs the joint distribution"):
        backwards.evaluate(experiments={"X": np.full((2, 2, 2, 2), 1 / 8)})
    with pytest.raises(GraphError, match="No distribution is known"):
        graph.identify("X", "Y", experiments=[])


def test_one_cause_on_everything_is_identified_exactly_by_tians_criterion() -> None:
    """p(V without x | do(x)) is identified if and only if no bidirected path leads from x to one of its children."""
    counts: Counter[bool] = Counter()
    for graph in all_admgs(4).bits:
        answer = ADMG(list("ABCD"), *graph.to_matrices()).identify("A", ["B", "C", "D"])
        expected = not district(graph, 0b0001) & graph.children[0]
        assert answer.identified == expected
        counts[expected] += 1
    assert min(counts.values()) > 300


def test_identified_exactly_if_every_district_is_intrinsic() -> None:
    counts: Counter[bool] = Counter()
    for graph in all_admgs(4).bits:
        answer = ADMG(list("ABCD"), *graph.to_matrices()).identify("A", "B")
        needed = ancestors(graph, 0b0010, ~0b0001)
        expected = all(reachable_closure(graph, part) == part for part in districts(graph, needed))
        assert answer.identified == expected
        counts[expected] += 1
    assert min(counts.values()) > 300


@pytest.mark.parametrize(
    ("graph", "question", "written"),
    [
        ("X -> Y", ("X", "Y"), "p(Y | do(X)) = p(Y | X)"),
        ("Y -> X", ("X", "Y"), "p(Y | do(X)) = p(Y)"),
        ("Z -> X -> Y; Z -> Y", ("X", "Y"), "p(Y | do(X)) = Σ_Z [p(Z) p(Y | Z, X)]"),
        ("X -> M -> Y; X <-> Y", ("X", "Y"), "p(Y | do(X)) = Σ_M [p(M | X) Σ_X' [p(X') p(Y | X', M)]]"),
        ("X -> Y; X <-> Y", ("X", "Y"), "p(Y | do(X)) is not identified: {X, Y} and {Y} form a hedge."),
        # the napkin: a ratio that no adjustment gives
        (
            "W -> Z -> X -> Y; W <-> X; W <-> Y",
            ("X", "Y"),
            "p(Y | do(X)) = Σ_W [p(W) p(X | W, Z) p(Y | W, Z, X)] / Σ_W [p(W) p(X | W, Z)], whatever Z",
        ),
        ("Z -> X -> Y; X <-> Y", ("X", "Y"), "p(Y | do(X)) is not identified: {X, Y} and {Y} form a hedge."),
    ],
)
def test_formulas_as_they_are_written(graph: str, question: tuple[str, str], written: str) -> None:
    assert str(ADMG.parse(graph).identify(*question)) == written


def test_latex() -> None:
    answer = ADMG.parse('dose -> "blood pressure" -> Y; dose <-> Y').identify("dose", "Y")
    assert isinstance(answer, IdentifiedEffect)
    assert answer.latex() == (
        r"p(Y \mid \mathrm{do}(\mathrm{dose})) = \sum_{\mathrm{blood~pressure}} "
        r"p(\mathrm{blood~pressure} \mid \mathrm{dose}) "
        r"\left( \sum_{\mathrm{dose}'} p(\mathrm{dose}')\, "
        r"p(Y \mid \mathrm{dose}', \mathrm{blood~pressure}) \right)"
    )


def test_questions_and_tables_that_are_none_are_refused() -> None:
    graph = ADMG.parse("X -> Y; Z")
    with pytest.raises(GraphError, match="share X"):
        graph.identify("X", ["X", "Y"])
    with pytest.raises(GraphError, match="one of the two sets is empty"):
        graph.identify([], "Y")
    answer = graph.identify("X", "Y")
    assert isinstance(answer, IdentifiedEffect)
    with pytest.raises(DataError, match=r"must have 3 axes, one for each of X, Y, Z\. Got 2"):
        answer.evaluate([[0.5, 0.0], [0.0, 0.5]])
