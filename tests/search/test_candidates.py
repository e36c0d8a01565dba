"""The final rescoring scores a graph exactly, and at least as well as the search had done."""

from __future__ import annotations

import numpy as np
import pytest

from lurking import ADMG, Moments, simulate_admg
from lurking.search.allowed_edges import all_edges_allowed
from lurking.search.candidates import exact_candidates
from lurking.search.reinsertion import ReinsertionChain
from lurking.search.similar_noise import possible_centres
from lurking.sem import DistrictScore, ricf

SPREAD = 0.25


def test_scores_are_those_of_a_fresh_fit_and_in_order() -> None:
    moments = Moments.from_table(simulate_admg(5, 300, random_state=0).data)
    graphs = [ADMG.parse(f"{text}; V4; V5") for text in ("V1; V2; V3", "V1 -> V2; V3", "V1 -> V2 <-> V3")]
    candidates, _ = exact_candidates(moments, [(graph, 1) for graph in graphs], None, np.inf)
    assert {c.admg for c in candidates} == set(graphs)
    assert [c.score for c in candidates] == sorted(c.score for c in candidates)
    for candidate in candidates:
        assert candidate.score == pytest.approx(ricf(moments, candidate.admg).bic, abs=1e-5)


def test_after_the_deadline_graphs_keep_the_scores_that_the_search_had() -> None:
    moments = Moments.from_table(simulate_admg(4, 300, random_state=0).data)
    graphs = [ADMG.parse(f"{text}; V3; V4") for text in ("V1 -> V2", "V1; V2", "V1 <-> V2")]
    known = {graph: 1e6 + k for k, graph in enumerate(graphs)}
    candidates, _ = exact_candidates(moments, [(g, 1) for g in graphs], None, np.inf, deadline=0.0, known=known)
    assert [c.admg for c in candidates] == graphs
    assert candidates[0].score == pytest.approx(ricf(moments, graphs[0]).bic, abs=1e-5)
    assert [c.score for c in candidates[1:]] == [1e6 + 1, 1e6 + 2]


@pytest.mark.parametrize(("d", "seed", "k"), [(10, 0, 1), (10, 2, 1)])
def test_similar_noise_keeps_the_valley_that_the_search_had_found(d: int, seed: int, k: int) -> None:
    """On these data sets a fit from scratch ends in another minimum, 1400 and 40 points higher."""
    moments = Moments.from_table(simulate_admg(d, 1000, graph_class="arid", random_state=seed).data)
    centre = float(possible_centres(moments, 6)[k])
    rng = np.random.default_rng(0)
    chain = ReinsertionChain(moments, "bow-free", rng, all_edges_allowed(d), None, SPREAD, centre)
    chain.run(10)
    graph = next(chain.graphs())[0]
    (from_scratch,), _ = exact_candidates(moments, [(graph, 1)], SPREAD, 1.0)
    (judged,), found = exact_candidates(moments, [(graph, 1)], SPREAD, 1.0, best_met=chain.found)
    assert from_scratch.score > chain.score + 5.0
    assert judged.score <= chain.score + 1e-3
    # the score is what it says at the centre that it says, and no better at a neighbouring one
    assert chain.found is not None
    for shift in (-0.02, 0.0, 0.02):
        score = DistrictScore(moments)
        score.assume_similar_noise(found + shift, SPREAD)
        beside = score.score(graph, chain.found.graph)
        assert beside == pytest.approx(judged.score, abs=1e-3) if shift == 0.0 else beside > judged.score


def test_polish_never_ends_with_a_worse_graph() -> None:
    # fitted from scratch, the graph that this chain has found ends 150 points higher
    moments = Moments.from_table(simulate_admg(9, 300, standardize=True, random_state=88).data)
    centre = possible_centres(moments, 2)[0]
    rng = np.random.default_rng(88)
    chain = ReinsertionChain(moments, "bow-free", rng, all_edges_allowed(9), None, SPREAD, centre)
    chain.run(3)
    before = chain.score
    chain.polish(27)
    assert chain.score <= before
