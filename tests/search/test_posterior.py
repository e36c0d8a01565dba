"""The posterior over graphs: walks against the sum over all graphs, weights by hand, the graph that agrees best."""

from __future__ import annotations

import numpy as np
import pytest

from lurking import ADMG, Moments, simulate_admg
from lurking._typing import GRAPH_CLASSES, FloatArray, GraphClass
from lurking.search import Candidate, SearchResult, SearchStatus
from lurking.search.allowed_edges import all_edges_allowed
from lurking.search.edge_codes import codes_of, graph_of
from lurking.search.posterior import pooled, posterior_of_walks, weigh
from lurking.search.reinsertion import ReinsertionChain
from lurking.sem import DistrictScore
from oracles.graph_classes import ancestral, arid, bow_free
from oracles.graph_listing import all_admgs

EDGE_PRICE = 2.0 * np.log(3.0)
IN_CLASS = {"ancestral": ancestral, "arid": arid, "bow-free": bow_free}


def few_rows() -> Moments:
    """Return data that leave much open."""
    return Moments.from_table(simulate_admg(ADMG.parse("A -> B -> C -> D; B <-> D"), 40, random_state=3).data)


def weights_of_all_graphs(moments: Moments, graph_class: GraphClass, criterion: str) -> FloatArray:
    """Return the posterior probabilities of the edges by adding up all graphs of the class."""
    graphs = all_admgs(4)
    fine = IN_CLASS[graph_class](graphs) & bow_free(graphs)
    score = DistrictScore(moments, criterion=criterion)
    factor = 1.0 if criterion == "marginal" else 3.0  # that each edge divides the weight of a graph by
    total = np.zeros((4, 4, 4))
    scores, admgs = [], []
    for directed, bidirected in zip(graphs.directed[fine], graphs.bidirected[fine], strict=True):
        admgs.append(ADMG(moments.names, directed, bidirected))
        scores.append(score.score(admgs[-1]))
    for admg, value in zip(admgs, scores, strict=True):
        share = np.exp(-(value - min(scores)) / 2.0) / factor**admg.n_edges
        kinds = (~admg.skeleton, admg.directed, admg.directed.T, admg.bidirected)
        total += share * np.stack(kinds, axis=2)
    weights: FloatArray = total / total[0, 1].sum()
    return weights


def chain_on(
    moments: Moments, graph_class: GraphClass, allowed_edges: np.ndarray | None = None, criterion: str = "bic"
) -> ReinsertionChain:
    mask = all_edges_allowed(moments.n_variables) if allowed_edges is None else allowed_edges
    return ReinsertionChain(moments, graph_class, np.random.default_rng(0), mask, criterion=criterion)


@pytest.mark.parametrize("criterion", ["bic", "marginal"])
@pytest.mark.parametrize("graph_class", GRAPH_CLASSES)
def test_walks_find_the_posterior_of_all_graphs(graph_class: GraphClass, criterion: str) -> None:
    moments = few_rows()
    chain = chain_on(moments, graph_class, criterion=criterion)
    for start in ("A; B; C; D", "A -> B -> C -> D; A -> C; A -> D; B -> D"):
        chain.walk(ADMG.parse(start), 30_000)
    found = posterior_of_walks(chain.walks, moments.names, chain.score)
    expected = weights_of_all_graphs(moments, graph_class, criterion)
    assert np.abs(found.weights - expected).max() < 0.03
    assert 0.1 < expected[0, 2, 0] < 0.9  # there is something to find out
    assert found.consensus.witness(graph_class) is None
    exact = DistrictScore(moments, criterion=criterion)
    assert found.score_gap == pytest.approx(exact.score(found.consensus) - chain.score, abs=1e-2)
    assert found.sampled
    assert found.shares.sum() == pytest.approx(1.0)
    assert len(set(found.graphs)) == len(found.graphs)
    by_graphs = sum(share * admg.directed for admg, share in zip(found.graphs, found.shares, strict=True))
    assert np.allclose(by_graphs, found.weights[:, :, 1])


def test_walks_stay_in_the_class_and_obey_the_mask() -> None:
    moments = Moments.from_table(simulate_admg(6, 100, random_state=1).data)
    allowed_edges = all_edges_allowed(6)
    allowed_edges[0, 1] = [0, 1, 0, 0]
    allowed_edges[2, 3] = [1, 0, 1, 0]
    for graph_class in GRAPH_CLASSES:
        chain = chain_on(moments, graph_class, allowed_edges)
        chain.walk(ADMG(moments.names, np.eye(6, k=1) * [0, 1, 0, 0, 0, 0], np.zeros((6, 6))), 300)
        codes, scores = chain.walks[0]
        assert len(codes) == len(scores) == 270  # a tenth is not counted
        assert set(codes[:, 0, 1]) == {1}
        assert set(codes[:, 2, 3]) <= {0, 2}
        assert {len(set(kinds)) for kinds in codes.reshape(270, -1).T} >= {1, 4}  # elsewhere anything may be
        assert all(graph_of(code, moments.names).witness(graph_class) is None for code in codes)
        exact = DistrictScore(moments)
        for k in (0, 100, 269):
            assert scores[k] == pytest.approx(exact.score(graph_of(codes[k], moments.names)), abs=0.01)


def test_a_walk_keeps_the_best_graph_and_goes_back_to_it() -> None:
    moments = Moments.from_table(simulate_admg(6, 500, random_state=2).data)
    chain = chain_on(moments, "bow-free")
    before = chain.score
    chain.walk(None, 500)
    assert chain.score <= before
    assert chain.walks == []  # it only explored
    met = [score for _, score, _ in chain.graphs()]
    assert min(met) == pytest.approx(chain.score)
    chain.run(1)
    assert chain.score <= min(met)


@pytest.mark.parametrize("graph_class", GRAPH_CLASSES)
def test_the_best_orientation_of_given_adjacencies(graph_class: GraphClass) -> None:
    """Against all graphs with these adjacencies, one pair of which may have one kind of edge only."""
    moments = Moments.from_table(simulate_admg(ADMG.parse("A -> B -> C -> D; B <-> D"), 300, random_state=3).data)
    allowed_edges = all_edges_allowed(4)
    allowed_edges[1, 2] = [1, 0, 1, 0]
    start = ADMG.parse("C -> B; A -> B; A <-> D; B -> D", names=moments.names)
    graphs = all_admgs(4)
    fine = IN_CLASS[graph_class](graphs) & bow_free(graphs)
    score = DistrictScore(moments)
    of_these = {}
    for directed, bidirected in zip(graphs.directed[fine], graphs.bidirected[fine], strict=True):
        admg = ADMG(moments.names, directed, bidirected)
        if np.array_equal(admg.skeleton, start.skeleton) and admg.directed[2, 1]:
            of_these[admg] = score.score(admg)
    assert len(of_these) > 5
    chain = chain_on(moments, graph_class, allowed_edges)
    best = chain.score
    found, value = chain.orient(start)
    assert value == pytest.approx(min(of_these.values()), abs=1e-3)
    assert of_these[found] == pytest.approx(value, abs=1e-3)
    assert chain.score == best


def test_a_walk_can_be_stopped() -> None:
    moments = few_rows()
    stop = np.ones(1, dtype=np.uint8)
    mask = all_edges_allowed(4)
    chain = ReinsertionChain(moments, "bow-free", np.random.default_rng(0), mask, stop=stop)
    chain.walk(ADMG.empty(moments.names), 1000)
    assert len(chain.walks[0][1]) == 0


def test_a_graph_without_pairs_can_be_walked() -> None:
    chain = chain_on(Moments([[1.0]], 50, ["A"]), "bow-free")
    chain.walk(ADMG.empty(["A"]), 10)
    assert posterior_of_walks(chain.walks, ("A",), chain.score).consensus == ADMG.empty(["A"])


def test_codes_there_and_back() -> None:
    graph = ADMG.parse("B -> A; A <-> C; C -> D; D -> B; E")
    assert graph_of(codes_of(graph), graph.names) == graph


def test_weights_by_hand() -> None:
    """An edge costs a factor of three, two points of the score a factor of e."""
    found = weigh([(ADMG.parse("A -> B"), 10.0), (ADMG.parse("A; B"), 12.0)], EDGE_PRICE)
    joined = (1 / 3) / (1 / 3 + np.exp(-1.0))
    assert found.weights[0, 1].tolist() == pytest.approx([1 - joined, joined, 0.0, 0.0])
    assert found.weights[1, 0].tolist() == pytest.approx([1 - joined, 0.0, joined, 0.0])
    assert not np.signbit(found.weights).any()


def test_another_order_of_the_variables() -> None:
    texts = {"A -> B; C": 0.0, "A; B <-> C": 0.5, "C -> A; B": 1.0}
    graphs = [(ADMG.parse(text), score) for text, score in texts.items()]
    one = weigh([(graph.subgraph(["A", "B", "C"]), score) for graph, score in graphs], EDGE_PRICE).reorder(
        ["C", "A", "B"]
    )
    other = weigh([(graph.subgraph(["C", "A", "B"]), score) for graph, score in graphs], EDGE_PRICE)
    assert np.allclose(one.weights, other.weights)
    assert one.consensus == other.consensus
    assert one.consensus.names == ("C", "A", "B")


def result(scores: dict[str, float]) -> SearchResult:
    graphs = sorted(((ADMG.parse(text), score) for text, score in scores.items()), key=lambda one: one[1])
    candidates = tuple(Candidate(graph, score, 1) for graph, score in graphs)
    return SearchResult(candidates, (), SearchStatus.COMPLETE, weigh(graphs, EDGE_PRICE))


def test_the_consensus_agrees_best_with_all_good_graphs_and_not_with_the_best_alone() -> None:
    good = result({"A -> B; C; D": 0.0, "A; B; C -> D": 0.1, "A -> B; A <-> C; C -> D": 0.3, "A; B; C <-> D": 0.5})
    assert good.admg == ADMG.parse("A -> B; C; D")
    assert good.consensus == ADMG.parse("A; B; C -> D")  # of those that join C and D and nothing else, the best


def test_the_consensus_is_the_best_graph_if_no_other_one_has_weight() -> None:
    good = result({"A -> B; C": 0.0, "A; B -> C": 9.0, "A; B <- C": 9.1})
    assert good.consensus == good.admg


def test_ancestry_sums_the_graphs_in_which_a_directed_path_leads_from_one_to_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("lurking.search.posterior._CHUNK", 40)  # several parts
    graphs = [simulate_admg(4, 10, graph_class="bow-free", random_state=seed).admg for seed in range(12)]
    names = graphs[0].names
    posterior = weigh([(graph.subgraph(names), float(k)) for k, graph in enumerate(graphs)], 0.0)
    expected = np.zeros((4, 4))
    for graph, share in zip(posterior.graphs, posterior.shares, strict=True):
        for j, effect in enumerate(names):
            for cause in graph.ancestors(effect) - {effect}:
                expected[names.index(cause), j] += share
    np.testing.assert_allclose(posterior.ancestry, expected, atol=1e-12)
    assert 0.0 < expected.max() <= 1.0


def test_pooled_posteriors_have_the_mean_of_their_probabilities() -> None:
    one = weigh([(ADMG.parse("A -> B -> C"), 0.0), (ADMG.parse("A -> B; C"), 2.0)], 0.0)
    other = weigh([(ADMG.parse("A -> B; C"), 0.0)], 0.0)
    both = pooled([one, other])
    np.testing.assert_allclose(both.weights, (one.weights + other.weights) / 2.0)
    np.testing.assert_allclose(both.ancestry, (one.ancestry + other.ancestry) / 2.0)
    assert len(both.graphs) == 2
    assert both.consensus == ADMG.parse("A -> B; C")
