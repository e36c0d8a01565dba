"""Selected samples: the MAG and the PAG against the m-separations of the population given the selected vertices."""

from __future__ import annotations

import pickle
from collections import defaultdict
from itertools import combinations, product

import numpy as np
import pytest

from lurking import ADMG, PAG
from lurking._errors import GraphError, UnknownVertexError
from lurking._typing import FloatArray
from lurking.graphs import (
    Mark,
    SelectedADMG,
    adjustment_obstacle,
    adjustment_sets,
    direct_adjustment_set,
    instruments,
    is_adjustment_set,
    optimal_adjustment_set,
)
from lurking.graphs.bits import BitGraph
from lurking.graphs.mixed_ancestral import check_maximal_ancestral
from oracles.graph_listing import all_admgs, each, mask, sampled_admgs
from oracles.graph_paths import m_connections

ADMISSION = SelectedADMG(ADMG.parse("talent -> admitted <- diligence; diligence -> grade"), "admitted")


def questions(names: str | tuple[str, ...]) -> list[tuple[str, str, tuple[str, ...]]]:
    """Every pair and every set of others."""
    return [
        (one, other, given)
        for one, other in combinations(names, 2)
        for rest in [[name for name in names if name not in (one, other)]]
        for size in range(len(rest) + 1)
        for given in combinations(rest, size)
    ]


@pytest.mark.parametrize(
    ("names", "selected", "hidden"),
    [("ABCD", "D", ""), ("ABCD", "CD", ""), ("ABCD", "D", "C"), ("ABCDE", "E", ""), ("ABCDE", "E", "D")],
)
def test_the_separations_are_those_given_the_selected_vertices(names: str, selected: str, hidden: str) -> None:
    """On all 34,752 ADMGs with four vertices (of two selected or a hidden one, on each fifth), and 2,000 with five."""
    graphs = all_admgs(4)[:: 1 if (selected, hidden) == ("D", "") else 5]
    if len(names) == 5:
        graphs = sampled_admgs(5, 2000, seed=11)
    open_paths = m_connections(graphs)
    number = {name: i for i, name in enumerate(names)}
    undirected = apart = 0
    by_mag: dict[PAG, tuple[bool, ...]] = {}
    for place, graph in enumerate(graphs.bits):
        population = ADMG(list(names), *graph.to_matrices())
        whole = SelectedADMG(population, list(selected))
        sample = whole.latent_projection(list(hidden)) if hidden else whole
        asked = questions(sample.names)
        expected = tuple(
            not open_paths[place, number[one], number[other], mask(tuple(number[name] for name in [*given, *selected]))]
            for one, other, given in asked
        )
        mag = sample.to_mag()
        if mag not in by_mag:
            check_maximal_ancestral(mag.names, mag.marks)
            by_mag[mag] = tuple(mag.m_separated(*question) for question in asked)
            undirected += any(arrow == "--" for _, arrow, _ in mag.edges())
        assert by_mag[mag] == expected, (str(whole), str(mag))
        if place % 20 == 0:
            assert tuple(sample.m_separated(*question) for question in asked) == expected
        apart += sum(expected)
    assert apart > 20
    assert undirected > 3 or len(sample) == 2


def test_marks_say_what_all_populations_with_the_same_separations_share() -> None:
    """An arrowhead: in none is it an ancestor of the other end or of the selection; a circle: in some."""
    classes: dict[tuple[bool, ...], list[SelectedADMG]] = defaultdict(list)
    asked = questions("ABC")
    for graph in all_admgs(4).bits:
        sample = SelectedADMG(ADMG(list("ABCD"), *graph.to_matrices()), "D")
        classes[tuple(sample.m_separated(*question) for question in asked)].append(sample)
    assert len(classes) > 10
    heads = 0
    for members in classes.values():
        pags = {sample.to_pag() for sample in members}
        assert len(pags) == 1
        pag = pags.pop()
        assert pag.is_valid()
        ancestors = [{name: sample.population.ancestors(name) for name in "ABCD"} for sample in members]
        for one, other in product("ABC", repeat=2):
            mark = pag.mark(other, at=one)
            causes = [one in above[other] or one in above["D"] for above in ancestors]
            assert mark != Mark.TAIL  # three variables never show one
            if mark == Mark.ARROW:
                assert not any(causes)
                heads += 1
            elif mark == Mark.CIRCLE:
                assert len(set(causes)) == 2
    assert heads > 0


def test_tails_that_only_selection_explains() -> None:
    """Four variables in a circle, each pair next to each other with an effect that selects."""
    circle = ADMG.parse("A -> S1 <- B; B -> S2 <- C; C -> S3 <- D; D -> S4 <- A; D -> E")
    sample = SelectedADMG(circle, ["S1", "S2", "S3", "S4"])
    assert sample.to_mag() == PAG.parse("A -- B -- C -- D -- A; D -> E")
    assert sample.to_pag() == PAG.parse("A -- B -- C -- D -- A; D --o E")


def test_the_pag_has_the_marks_that_all_mags_share() -> None:
    """On five vertices of which one is selected: a sample of MAGs, grouped by their separations."""
    classes: dict[tuple[bool, ...], set[PAG]] = defaultdict(set)
    asked = questions("ABCD")
    for graph in sampled_admgs(5, 4000, seed=3).bits:
        sample = SelectedADMG(ADMG(list("ABCDE"), *graph.to_matrices()), "E")
        mag = sample.to_mag()
        classes[tuple(mag.m_separated(*question) for question in asked)].add(mag)
    several = 0
    for mags in classes.values():
        pags = {PAG.of_mag(mag.names, mag.marks) for mag in mags}
        assert len(pags) == 1
        marks = pags.pop().marks
        several += len(mags) > 1
        for mag in mags:
            assert np.all((marks == Mark.CIRCLE) | (marks == mag.marks))
    assert several > 20


def test_without_an_effect_of_selection_it_is_the_mag_of_the_population() -> None:
    for graph in each(all_admgs(4).bits, 101):
        admg = ADMG(list("ABCD"), *graph.to_matrices())
        alone = ADMG.from_edges(admg.directed_edges(), admg.bidirected_edges(), [*"ABCD", "S"])
        assert SelectedADMG(alone, "S").to_mag() == PAG.parse(str(admg.to_mag()), names=list("ABCD"))


# ------------------------------------------------------------------------------------------------------------ effects


def model(graph: BitGraph, generator: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Coefficients and covariance of a random linear model."""
    directed, bidirected = graph.to_matrices()
    d = graph.n_vertices
    coef, omega = generator.uniform(0.5, 1.5, (2, d, d)) * generator.choice((-1.0, 1.0), (2, d, d)) * directed
    omega = np.tril(generator.uniform(0.3, 0.9, (d, d)), -1) / d * bidirected
    paths = np.linalg.inv(np.eye(d) - coef)
    return coef, paths.T @ (omega + omega.T + np.diag(generator.uniform(1.5, 2.5, d))) @ paths


@pytest.mark.parametrize("selected", ["D", "CD"])
def test_sets_are_valid_exactly_if_the_regression_in_the_sample_is_right(selected: str) -> None:
    """Conditional on S a linear model has the covariances of a regression in which S is adjusted for."""
    generator = np.random.default_rng(2)
    counts = {True: 0, False: 0}
    names = [name for name in "ABCD" if name not in selected]
    chosen = ["ABCD".index(name) for name in selected]
    for graph in each(all_admgs(4).bits, 7):
        sample = SelectedADMG(ADMG(list("ABCD"), *graph.to_matrices()), list(selected))
        models = [model(graph, generator) for _ in range(2)]
        for given in [[]] if len(names) == 2 else [[], ["C"]]:
            rows = [0, *("ABCD".index(name) for name in given), *chosen]
            right = direct = True
            for coef, cov in models:
                slope = np.linalg.solve(cov[np.ix_(rows, rows)], cov[rows, 1])[0]
                right &= np.isclose(slope, np.linalg.inv(np.eye(4) - coef)[0, 1], atol=1e-9)
                direct &= np.isclose(slope, coef[0, 1], atol=1e-9)
            assert is_adjustment_set(sample, "A", "B", given) == right, (str(sample), given)
            counts[bool(right)] += 1
            if not given:
                found = adjustment_sets(sample, "A", "B")
                assert (found[:1] == (frozenset(),)) == right
                assert (direct_adjustment_set(sample, "A", "B") == frozenset()) == direct
        assert (adjustment_obstacle(sample, "A", "B") is None) == bool(found)
        for instrument in instruments(sample, "A", "B"):
            z, *rest = ["ABCD".index(name) for name in (instrument.variable, *instrument.given)]
            for coef, cov in models:
                known = [*rest, *chosen]
                left = cov - cov[:, known] @ np.linalg.solve(cov[np.ix_(known, known)], cov[known])
                assert np.isclose(left[z, 1], left[z, 0] * np.linalg.inv(np.eye(4) - coef)[0, 1], atol=1e-9)
                assert abs(left[z, 0]) > 1e-9
    assert min(counts.values()) > 200


def test_why_a_sample_does_not_show_an_effect_is_said() -> None:
    by_effect = SelectedADMG(ADMG.parse("X -> M -> Y -> S"), "S")
    assert adjustment_obstacle(by_effect, "X", "Y") == (
        "No adjustment is right: the sample was selected by S, which is caused by the effect or by what lies on the "
        "way to it."
    )
    assert instruments(by_effect, "X", "Y") == ()
    opened = SelectedADMG(ADMG.parse("X -> Y; X <-> S <-> Y"), "S")
    assert adjustment_obstacle(opened, "X", "Y") == (
        "A path from X to Y that is not causal stays open whatever is adjusted for: X <-> S <-> Y."
    )
    held_fixed = SelectedADMG(ADMG.parse("smoker -> X -> Y; smoker -> Y"), "smoker")
    assert adjustment_sets(held_fixed, "X", "Y") == (frozenset(),)
    with pytest.raises(GraphError, match="without unmeasured causes and selection"):
        optimal_adjustment_set(held_fixed, "X", "Y")


# ---------------------------------------------------------------------------------------------------------- the value


def test_a_graph_with_selection_is_a_value() -> None:
    again = SelectedADMG(ADMG.parse("admitted <- diligence -> grade; talent -> admitted"), ["admitted"])
    assert again == ADMISSION
    assert hash(again) == hash(ADMISSION)
    assert again != SelectedADMG(again.population, "grade")
    assert again != again.population
    assert pickle.loads(pickle.dumps(ADMISSION)) == ADMISSION
    assert eval(repr(ADMISSION)) == ADMISSION
    assert str(ADMISSION).endswith("selected: admitted")
    assert "admitted (selected)" in ADMISSION.to_svg()
    assert ADMISSION.n_edges == 3
    assert ADMISSION.ancestors("grade") == {"grade", "diligence"}
    assert ADMISSION.subgraph(["grade", "talent"]).names == ("grade", "talent")
    with pytest.raises(AttributeError, match="cannot be changed"):
        ADMISSION.selected = ()


def test_questions_that_make_no_sense_are_refused() -> None:
    with pytest.raises(GraphError, match="at least one selected variable"):
        SelectedADMG(ADMG.parse("X -> Y"), [])
    with pytest.raises(UnknownVertexError):
        SelectedADMG(ADMG.parse("X -> Y"), "S")
    with pytest.raises(GraphError, match="The sample was selected by 'admitted'"):
        ADMISSION.m_separated("talent", "admitted")
    with pytest.raises(GraphError, match="The sample was selected by 'admitted'"):
        ADMISSION.latent_projection("admitted")
