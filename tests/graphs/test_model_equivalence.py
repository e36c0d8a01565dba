from __future__ import annotations

from functools import cache
from itertools import permutations, product
from random import Random

import numpy as np
import pytest

from lurking import ADMG
from lurking._errors import GraphClassError, GraphError, ParameterError
from lurking.graphs import Mark
from lurking.graphs.bits import BitGraph
from lurking.graphs.generic_point import PRIME, belongs, random_covariance
from lurking.graphs.model_equivalence import EquivalenceClass, equivalence_class, model_equivalent
from lurking.graphs.relations import topological_order
from oracles.graph_gaussian import covariances, misfit, random_parameters
from oracles.graph_listing import Graphs
from oracles.graph_parts import bow_free_graphs, bow_free_in_order, one_per_shape

NAMES = list("ABCD")
FIGURE_1C = ADMG.parse("A -> C -> D -> B; A <-> B; A <-> D", names=NAMES)
CHAIN = ADMG.parse("A -> B -> C -> D; B <-> D")
CONFOUNDED = ADMG.parse("A <-> B -> C -> D; B <-> D")


def _admg(graph: BitGraph, names: list[str] = NAMES) -> ADMG:
    return ADMG(names[: graph.n_vertices], *graph.to_matrices())


@cache
def _shapes() -> tuple[BitGraph, ...]:
    return tuple(one_per_shape(bow_free_in_order(4)))


class TestVermaGraphs:
    """The paper: figure 1(c) can be recovered exactly, the other two up to the edge between A and B."""

    def test_one_two_and_two_members(self) -> None:
        assert set(equivalence_class(FIGURE_1C)) == {FIGURE_1C}
        assert set(equivalence_class(CHAIN)) == set(equivalence_class(CONFOUNDED)) == {CHAIN, CONFOUNDED}

    def test_shared_marks_say_more_than_the_pag(self) -> None:
        shared = equivalence_class(CHAIN).shared_marks()
        assert str(shared) == "A o-> B; B -> C; B <-> D; C -> D"
        assert CHAIN.to_pag().mark("C", "B") == Mark.CIRCLE
        assert shared.mark("C", "B") == Mark.TAIL


class TestAllGraphsOnFourVertices:
    def test_classes_are_what_floating_point_covariances_say(self) -> None:
        """For one graph of each shape: those of all 3608 graphs that a random covariance of it belongs to.

        Of the 31 shapes without a missing edge, which have no constraint, three are enough.
        """
        everything = Graphs.from_bits(list(bow_free_graphs(4)))
        n_edges = everything.directed.sum((1, 2)) + everything.bidirected.sum((1, 2)) // 2
        shapes = Graphs.from_bits(list(_shapes()))
        sigmas = covariances(*random_parameters(shapes, seed=2))
        assert (len(everything), len(shapes)) == (3608, 192)
        by_size = [Graphs(everything.directed[n_edges == k], everything.bidirected[n_edges == k]) for k in range(7)]
        complete = 0
        for graph, sigma in zip(shapes.bits, sigmas, strict=True):
            complete += _admg(graph).n_edges == 6
            if _admg(graph).n_edges == 6 and complete > 3:
                continue
            found = equivalence_class(_admg(graph))
            candidates = by_size[_admg(graph).n_edges]
            wrong = misfit(np.broadcast_to(sigma, (len(candidates), 4, 4)), candidates)
            assert not ((wrong > 1e-10) & (wrong < 1e-6)).any()
            expected = {candidates.bits[i] for i in np.flatnonzero(wrong < 1e-8)}
            assert {BitGraph.from_matrices(g.directed, g.bidirected) for g in found} == expected
            assert len(found) == len(expected)
        assert complete == 31

    def test_complete_graphs_have_all_orientations(self) -> None:
        complete = ADMG.parse("A -> B; A -> C; B -> C; A -> D; B -> D; C -> D")
        assert len(equivalence_class(complete)) == 543
        assert len(equivalence_class(complete, graph_class="arid")) < 543

    def test_members_are_markov_equivalent_and_have_one_class(self) -> None:
        for graph in [g for g in _shapes() if _admg(g).n_edges < 6][::9]:
            found = equivalence_class(_admg(graph))
            assert all(member.markov_equivalent(found.members[0]) for member in found.members[:10])
            assert set(equivalence_class(found.members[-1])) == set(found)


class TestLargerGraphs:
    @pytest.mark.parametrize("seed", [0, 1, 2, 3, 4, 5, 10])
    def test_same_class_after_relabelling(self, seed: int) -> None:
        """The order in which graphs are built depends on the numbers of the vertices; the class must not."""
        graph = _random_bow_free(7, seed, directed=0.25, bidirected=0.2)
        shuffled = graph.subgraph([graph.names[i] for i in np.random.default_rng(seed).permutation(7)])
        found = equivalence_class(graph)
        assert set(found) == set(equivalence_class(shuffled))
        assert len(set(found.members)) == len(found)
        assert found.members[0] == graph

    @pytest.mark.parametrize("seed", range(4))
    def test_no_member_is_missed(self, seed: int) -> None:
        """All orientations of the skeleton, one by one, at another random point and without any shortcut."""
        graph = _random_bow_free(5, seed + 100)
        bits = BitGraph.from_matrices(graph.directed, graph.bidirected)
        covariance = random_covariance(bits, Random(seed))
        expected = {g for g in _all_orientations(graph) if belongs(covariance, g)}
        assert {BitGraph.from_matrices(g.directed, g.bidirected) for g in equivalence_class(graph)} == expected

    def test_ten_variables_take_no_time(self) -> None:
        graph = _random_bow_free(10, 1, directed=0.25, bidirected=0.2)
        assert graph in equivalence_class(graph, limit=20_000)


def _random_bow_free(d: int, seed: int, directed: float = 0.3, bidirected: float = 0.25) -> ADMG:
    generator = np.random.default_rng(seed)
    draw = np.triu(generator.random((d, d)), 1)
    draw += draw.T + np.eye(d)
    place = generator.permutation(d)
    causes = (draw < directed) & (place[:, np.newaxis] < place)
    return ADMG([f"V{i}" for i in range(d)], causes, (draw >= directed) & (draw < directed + bidirected))


def _all_orientations(graph: ADMG) -> list[BitGraph]:
    d = len(graph)
    pairs = np.argwhere(np.triu(graph.skeleton)).tolist()
    found = []
    for kinds in product(("->", "<-", "<->"), repeat=len(pairs)):
        edges = list(zip(pairs, kinds, strict=True))
        directed = [(i, j) if kind == "->" else (j, i) for (i, j), kind in edges if kind != "<->"]
        candidate = BitGraph.from_edges(d, directed, [(i, j) for (i, j), kind in edges if kind == "<->"])
        if topological_order(candidate) is not None:
            found.append(candidate)
    return found


class TestTwoGraphs:
    def test_figure_1c_is_not_its_ancestral_version(self) -> None:
        assert FIGURE_1C.markov_equivalent(FIGURE_1C.to_mag())
        assert not model_equivalent(FIGURE_1C, FIGURE_1C.to_mag())

    def test_dags_are_equivalent_exactly_if_markov_equivalent(self) -> None:
        dags = [_admg(g) for g in bow_free_graphs(3) if not any(g.siblings)]
        for one in dags:
            for other in dags:
                assert model_equivalent(one, other) == one.markov_equivalent(other)

    def test_symmetric_on_all_shapes_with_four_edges(self) -> None:
        graphs = [g for g in map(_admg, _shapes()) if g.n_edges == 4][:12]
        relabelled = [h for g in graphs for h in (g, *(_rename(g, order) for order in permutations(NAMES)))]
        for one in graphs:
            for other in relabelled[::5]:
                assert model_equivalent(one, other) == model_equivalent(other, one)

    def test_order_of_names_does_not_matter(self) -> None:
        assert model_equivalent(CHAIN, CONFOUNDED.subgraph(["D", "B", "A", "C"]))

    def test_a_bow_is_refused_by_name(self) -> None:
        with pytest.raises(GraphClassError, match="the bow A -> B with A <-> B"):
            model_equivalent(ADMG.parse("A -> B; A <-> B"), ADMG.parse("A -> B"))

    def test_different_variables_are_refused(self) -> None:
        with pytest.raises(GraphError, match="C is in one only"):
            model_equivalent(ADMG.parse("A -> B"), ADMG.parse("A -> B -> C"))


def _rename(graph: ADMG, order: tuple[str, ...]) -> ADMG:
    return ADMG(order, graph.directed, graph.bidirected).subgraph(NAMES)


class TestLimits:
    def test_the_limit_is_a_sentence(self) -> None:
        complete = ADMG.parse("A -> B; A -> C; B -> C; A -> D; B -> D; C -> D")
        with pytest.raises(GraphError, match="more than 100 partial graphs to find; raise the limit"):
            equivalence_class(complete, limit=100)

    def test_graph_class_filters_and_is_checked(self) -> None:
        found = equivalence_class(CHAIN, graph_class="arid")
        assert isinstance(found, EquivalenceClass)
        assert len(found) == 2
        assert len(equivalence_class(CHAIN, graph_class="ancestral")) == 0
        with pytest.raises(ParameterError, match="graph_class"):
            equivalence_class(CHAIN, graph_class="mag")


class TestModularArithmetic:
    def test_covariance_agrees_with_the_matrix_formula(self) -> None:
        """The coefficients that regression gives leave errors that are correlated only along the bidirected edge."""
        chain = BitGraph.from_edges(3, directed=[(0, 1), (1, 2)], bidirected=[(0, 2)])
        sigma = random_covariance(chain, Random(5))
        slope = sigma[0][1] * pow(sigma[0][0], -1, PRIME) % PRIME
        error_1 = [(sigma[1][w] - slope * sigma[0][w]) % PRIME for w in range(3)]
        # The error of C is uncorrelated with that of its parent B, but not with that of its sibling A.
        coefficient = error_1[2] * pow(error_1[1], -1, PRIME) % PRIME
        assert (error_1[2] - coefficient * error_1[1]) % PRIME == 0
        assert (sigma[0][2] - coefficient * sigma[0][1]) % PRIME != 0
        assert all(sigma[v][w] == sigma[w][v] for v in range(3) for w in range(3))

    def test_every_graph_fits_its_own_covariance(self) -> None:
        for number, graph in enumerate(bow_free_graphs(4)[::7]):
            assert belongs(random_covariance(graph, Random(number)), graph)
