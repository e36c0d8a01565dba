"""What a search returns: the weights of the edges are shares of models, and the graph that agrees best with them."""

from __future__ import annotations

import numpy as np
import pytest

from lurking import ADMG
from lurking.search import Candidate, SearchResult, SearchStatus, edge_weights


def test_weights_are_never_negative_not_even_in_sign() -> None:
    texts = ("A -> B", "B -> A", "A <-> B")
    candidates = tuple(Candidate(ADMG.parse(f"{text}; C"), 10.0 + k / 3, 1) for k, text in enumerate(texts))
    weights = edge_weights(candidates)
    assert not np.signbit(weights).any()
    assert weights[0, 1, 0] == 0.0  # every graph joins the pair
    assert weights[0, 2, 0] == pytest.approx(1.0)
    assert np.allclose(weights.sum(axis=2), 1.0)


def found(scores: dict[str, float]) -> SearchResult:
    candidates = (Candidate(ADMG.parse(text), score, 1) for text, score in scores.items())
    return SearchResult(tuple(sorted(candidates, key=lambda one: one.score)), (), SearchStatus.COMPLETE)


def test_equivalent_graphs_share_the_weight_of_their_model() -> None:
    once = edge_weights(found({"A -> B; C": 0.0, "A; B -> C": 0.002}).candidates)
    equivalent = {"A; B -> C": 0.002, "A; B <- C": 0.002 + 1e-7, "A; B <-> C": 0.002 + 2e-7}
    thrice = edge_weights(found({"A -> B; C": 0.0} | equivalent).candidates)
    assert np.allclose(once[:, :, 0], thrice[:, :, 0])
    assert thrice[1, 2].tolist() == pytest.approx([0.5, 1 / 6, 1 / 6, 1 / 6], abs=1e-3)


def test_the_consensus_agrees_best_with_all_good_graphs_and_not_with_the_best_alone() -> None:
    result = found({"A -> B; C; D": 0.0, "A; B; C -> D": 0.1, "A -> B; A <-> C; C -> D": 0.3, "A; B; C <-> D": 0.5})
    assert result.admg == ADMG.parse("A -> B; C; D")
    assert result.consensus == ADMG.parse("A; B; C -> D")  # most weight is on an edge of C and D, and little on others


def test_the_consensus_is_the_best_graph_if_no_other_one_has_weight() -> None:
    result = found({"A -> B; C": 0.0, "A; B -> C": 9.0, "A; B <- C": 9.1})
    assert result.consensus == result.admg


def test_the_consensus_is_nearly_as_good_as_the_best_graph() -> None:
    """Three graphs join C and D; but with four variables the consensus may be two points above the best, not more."""
    scores = {"A -> B; C; D": 0.0, "A; B; C -> D": 2.1, "A; B; C <-> D": 2.2, "A; B; C <- D": 2.3}
    assert found(scores).consensus == ADMG.parse("A -> B; C; D")
    assert found(scores | {"A; B; C -> D": 1.9}).consensus == ADMG.parse("A; B; C -> D")
