from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from lurking import ADMG
from lurking._errors import DataError, GraphError, UnknownVertexError
from lurking.graphs.bits import BitGraph
from lurking.graphs.cadmg import CADMG
from lurking.graphs.classes import find_c_tree
from lurking.graphs.constraint import ImpliedConstraint, _divide_by_conditional
from lurking.graphs.projection import arid_projection
from lurking.graphs.verma import _named, find_statement, named_constraints
from oracles.graph_listing import sampled_admgs
from oracles.graph_parts import (
    bow_free_graphs,
    maximal_arid_shapes,
    missing_edges,
    one_per_shape,
    random_covariance,
    with_edge,
)

FIGURE_1C = ADMG.parse("A -> C -> D -> B; A <-> B; A <-> D", names=list("ABCD"))
PROTEINS = ADMG.parse("Akt -> Erk -> Jnk -> PKC; PKA -> Jnk; Erk <-> PKA; PKA <-> PKC")


def _names(graph: BitGraph) -> list[str]:
    return list("ABCDEFGHIJKL"[: graph.n_vertices])


def _larger_maximal_arid() -> list[BitGraph]:
    """Sparse maximal arid graphs with 5 to 11 vertices; some Verma constraints among them need several fixings."""
    generator = np.random.default_rng(7)
    graphs = []
    for d, count in ((5, 60), (6, 60), (7, 60), (9, 50), (11, 20)):
        for _ in range(count):
            draw = np.triu(generator.random((d, d)), 1)
            draw += draw.T + np.eye(d)
            order = generator.permutation(d)
            directed = (draw < 0.3) & (order[:, np.newaxis] < order)
            bidirected = (draw >= 0.3) & (draw < 0.5)
            graphs.append(arid_projection(BitGraph.from_matrices(directed, bidirected)))
    return graphs


class TestWorkedCases:
    def test_figure_1c(self) -> None:
        assert [str(c) for c in FIGURE_1C.implied_constraints()] == ["B ⊥ C | D in p(A,B,C,D)/p(C|A)"]

    def test_appendix_b_of_the_paper(self) -> None:
        verma, other = PROTEINS.verma_constraints()
        assert str(other) == "Erk ⊥ PKC in p(Akt,Erk,Jnk,PKC,PKA)/p(Jnk|Erk,PKA)"
        assert str(verma) == "Akt ⊥ PKC in p(Akt,Erk,Jnk,PKC,PKA)/p(Jnk|Erk,PKA)"
        assert verma.fixed == ("Jnk",)

    def test_appendix_b_inside_a_larger_network(self) -> None:
        """Proteins without effects are summed out, as the paper does."""
        larger = ADMG.parse("Akt -> Erk -> Jnk -> PKC; PKA -> Jnk; Erk <-> PKA; PKA <-> PKC; PKC -> P38; Erk -> Raf")
        (verma,) = (c for c in larger.verma_constraints() if {c.one, c.other} == {"Akt", "PKC"})
        assert str(verma) == "Akt ⊥ PKC in p(Akt,Erk,Jnk,PKC,PKA)/p(Jnk|Erk,PKA)"

    @pytest.mark.parametrize("first_edge", ["A -> B", "A <-> B"])
    def test_verma_and_pearl(self, first_edge: str) -> None:
        graph = ADMG.parse(f"{first_edge}; B -> C -> D; B <-> D")
        assert [str(c) for c in graph.independences()] == ["A ⊥ C | B"]
        assert [str(c) for c in graph.verma_constraints()] == ["A ⊥ D in p(A,B,C,D)/p(C|B)"]

    def test_a_divisor_that_is_no_conditional_of_p_is_written_with_q(self) -> None:
        graph = ADMG.parse(
            "A -> D; C -> A; C -> D; D -> B; E -> C; A <-> B; A <-> E; B <-> E; D <-> E", names=list("ABCDE")
        )
        (verma,) = graph.verma_constraints()
        assert str(verma) == "B ⊥ C | D in p(A,B,C,D,E)/p(C|E)/q(E|A,B,C,D)/q(D|A,C)"

    def test_fixings_can_be_replayed_in_the_graph(self) -> None:
        for graph in (FIGURE_1C, PROTEINS):
            for constraint in graph.verma_constraints():
                kernel = CADMG(graph.subgraph(constraint.variables)).fix(*constraint.fixed)
                assert kernel.m_separated(constraint.one, constraint.other, constraint.given)


class TestEveryMissingEdge:
    """What must be shown, part 1: all graphs on four vertices, and samples of larger ones."""

    def test_one_constraint_per_missing_edge_on_all_labelled_arid_graphs(self) -> None:
        arid = [g for g in bow_free_graphs(4) if find_c_tree(g) is None]
        assert len(arid) == 3560
        maximal = {arid_projection(g): None for g in arid}
        verma = 0
        for graph in maximal:
            found = list(named_constraints(graph, _names(graph)))
            pairs = [(_names(graph)[i], _names(graph)[j]) for i, j in missing_edges(graph)]
            assert [(c.one, c.other) for c in found] == pairs
            verma += sum(c.is_verma for c in found)
        assert (len(maximal), verma) == (3524, 156)

    @pytest.mark.parametrize("which", ["four vertices", "larger"])
    def test_each_holds_in_the_model_and_fails_when_the_edge_is_added(self, which: str) -> None:
        generator = np.random.default_rng(11)
        verma = 0
        for graph in maximal_arid_shapes(4) if which == "four vertices" else _larger_maximal_arid():
            names = _names(graph)
            sigma = [random_covariance(graph, generator) for _ in range(2)]
            for constraint in named_constraints(graph, names):
                assert max(abs(constraint.value(s, names)) for s in sigma) < 1e-8
                if which == "larger" and not constraint.is_verma:
                    continue
                verma += constraint.is_verma
                for _, larger in with_edge(graph, names.index(constraint.one), names.index(constraint.other)):
                    broken = [abs(constraint.value(random_covariance(larger, generator), names)) for _ in range(2)]
                    assert max(broken) > 1e-4, (constraint, larger)
        assert verma > (5 if which == "four vertices" else 50)

    def test_ordinary_exactly_if_no_inducing_path(self) -> None:
        for graph in maximal_arid_shapes(4):
            admg = ADMG(_names(graph), *graph.to_matrices())
            for constraint in admg.implied_constraints():
                joined = admg.inducing_path(constraint.one, constraint.other) is not None
                assert constraint.is_verma == joined
                if not joined:
                    assert admg.m_separated(constraint.one, constraint.other, constraint.given)

    def test_divisors_written_with_p_are_conditionals_of_p(self) -> None:
        """Coefficients and residual variance of the fixed vertex are the same in p and in the kernel only with p."""
        generator = np.random.default_rng(3)
        counts = {True: 0, False: 0}
        for graph in _larger_maximal_arid():
            names = _names(graph)
            sigma = random_covariance(graph, generator)
            for constraint in named_constraints(graph, names):
                rows = [names.index(name) for name in constraint.variables]
                joint = kernel = sigma[np.ix_(rows, rows)]
                place = constraint.variables.index
                for number, fixing in enumerate(constraint.fixings):
                    given = [place(name) for name in fixing.given]
                    if number:
                        same = np.allclose(
                            _regression(joint, place(fixing.vertex), given),
                            _regression(kernel, place(fixing.vertex), given),
                            atol=1e-9,
                        )
                        assert same == fixing.of_joint
                        counts[fixing.of_joint] += 1
                    else:
                        assert fixing.of_joint
                    kernel = _divide_by_conditional(kernel, place(fixing.vertex), given)
        assert min(counts.values()) >= 10

    def test_the_greedy_search_finds_valid_constraints_too(self) -> None:
        generator = np.random.default_rng(5)
        tried = 0
        for graph in _larger_maximal_arid():
            names = _names(graph)
            sigma = random_covariance(graph, generator)
            for one, other in missing_edges(graph):
                fewest, greedy = find_statement(graph, one, other), find_statement(graph, one, other, limit=0)
                assert fewest is not None
                assert greedy is not None
                assert len(greedy.order) >= len(fewest.order)
                if len(fewest.order):
                    tried += 1
                    assert abs(_named(graph, names, greedy).value(sigma, names)) < 1e-8
        assert tried > 50


def _regression(cov: NDArray[np.float64], vertex: int, given: list[int]) -> NDArray[np.float64]:
    coefficients = np.linalg.solve(cov[np.ix_(given, given)], cov[given, vertex])
    return np.append(coefficients, cov[vertex, vertex] - cov[vertex, given] @ coefficients)


class TestProjection:
    def test_a_graph_with_bows_has_the_constraints_of_its_projection(self) -> None:
        for bits in sampled_admgs(5, 60, seed=1).bits:
            graph = ADMG(_names(bits), *bits.to_matrices())
            assert graph.implied_constraints() == graph.arid_projection().implied_constraints()

    def test_a_missing_edge_without_a_constraint_is_named(self) -> None:
        bow = BitGraph.from_edges(3, directed=[(0, 1), (1, 2)], bidirected=[(1, 2)])
        with pytest.raises(GraphError, match="between A and C implies no constraint"):
            list(named_constraints(bow, ["A", "B", "C"]))

    def test_four_vertex_shapes(self) -> None:
        assert len(maximal_arid_shapes(4)) == len(one_per_shape(maximal_arid_shapes(4)))


class TestValue:
    def test_order_of_names_scale_and_extra_variables_do_not_matter(self) -> None:
        generator = np.random.default_rng(0)
        (verma,) = FIGURE_1C.verma_constraints()
        half = generator.normal(size=(9, 5))
        cov = half.T @ half
        names = ["X", "D", "B", "A", "C"]
        value = verma.value(cov, names)
        assert 0.01 < abs(value) < 1
        order = [3, 2, 4, 1, 0]
        assert verma.value(cov[np.ix_(order, order)], [names[i] for i in order]) == pytest.approx(value)
        scale = np.diag([3.0, 0.01, 100.0, 2.0, 1.0])
        assert verma.value(scale @ cov @ scale, names) == pytest.approx(value)

    def test_against_the_kernel_built_from_its_factors(self) -> None:
        """p(A,B,C,D)/p(C|A) is p(A) p(D,B|C,A): simulate by sampling C afresh, then take the partial correlation."""
        generator = np.random.default_rng(1)
        (verma,) = FIGURE_1C.verma_constraints()
        half = generator.normal(size=(9, 4))
        cov = half.T @ half / 9
        n = 400_000
        a, fresh_c = (generator.normal(size=n) * np.sqrt(cov[i, i]) for i in (0, 2))
        given = [0, 2]
        weights = np.linalg.solve(cov[np.ix_(given, given)], cov[np.ix_(given, [1, 3])])
        left = cov[np.ix_([1, 3], [1, 3])] - cov[np.ix_([1, 3], given)] @ weights
        b, d = (np.column_stack([a, fresh_c]) @ weights + generator.multivariate_normal([0, 0], left, size=n)).T
        partial = -np.linalg.inv(np.corrcoef([b, fresh_c, d]))
        assert verma.value(cov, list("ABCD")) == pytest.approx(
            partial[0, 1] / np.sqrt(partial[0, 0] * partial[1, 1]), abs=0.01
        )

    def test_input_is_untouched(self) -> None:
        (verma,) = FIGURE_1C.verma_constraints()
        cov = np.eye(4) + 0.3
        before = cov.copy()
        verma.value(cov, list("ABCD"))
        assert np.array_equal(cov, before)

    def test_errors_name_the_problem(self) -> None:
        (verma,) = FIGURE_1C.verma_constraints()
        with pytest.raises(UnknownVertexError, match="'D'"):
            verma.value(np.eye(4), list("ABCE"))
        with pytest.raises(DataError, match=r"shape \(4, 4\)"):
            verma.value(np.eye(3), list("ABCD"))

    def test_an_ordinary_independence_is_written_plainly(self) -> None:
        plain = ImpliedConstraint("A", "C", ("B",), ("A", "B", "C"))
        assert str(plain) == "A ⊥ C | B"
        assert not plain.is_verma
        assert plain.kernel == "p(A,B,C)"


# ------------------------------------------------------------------------------------------------- hard matrices


def test_a_value_is_found_on_nearly_collinear_data_without_a_warning() -> None:
    verma = ADMG.parse("A -> B -> C -> D; B <-> D").verma_constraints()[0]
    for size in (1e-2, 1e-4, 1e-5):
        # Each variable is the one before it and a little noise; the paths' products make the constraint hold.
        errors = np.diag([1.0, size, size, size])
        errors[1, 3] = errors[3, 1] = size / 2
        chain = np.triu(np.ones((4, 4)))
        assert abs(verma.value(chain.T @ errors @ chain, list("ABCD"))) < 1e-6
        errors[0, 3] = errors[3, 0] = np.sqrt(size) / 2  # a direct edge in disguise
        assert abs(verma.value(chain.T @ errors @ chain, list("ABCD"))) > 1e-3


@pytest.mark.parametrize(
    "cov",
    [
        [[1, 1, 1], [1, 1, 1], [1, 1, 1]],
        [[1, 2, 0], [2, 1, 0], [0, 0, 1]],
        [[1, 0, 0], [0, 0, 0], [0, 0, 1]],
        [[1, np.nan, 0], [np.nan, 1, 0], [0, 0, 1]],
        [[1, 1, 1], [1, 1 + 1e-14, 1], [1, 1, 2]],
    ],
)
def test_a_matrix_that_is_not_positive_definite_is_refused(cov: list[list[float]]) -> None:
    (independence,) = ADMG.parse("A -> B -> C").independences()
    with pytest.raises(DataError, match="A, B, C is not positive definite"):
        independence.value(cov, list("ABC"))
