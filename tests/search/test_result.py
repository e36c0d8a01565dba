"""What a search returns: the weights of the edges are shares, and never a hair below zero."""

from __future__ import annotations

import numpy as np
import pytest

from lurking import ADMG
from lurking.search import Candidate, edge_weights


def test_weights_are_never_negative_not_even_in_sign() -> None:
    texts = ("A -> B", "B -> A", "A <-> B")
    candidates = tuple(Candidate(ADMG.parse(f"{text}; C"), 10.0 + k / 3, 1) for k, text in enumerate(texts))
    weights = edge_weights(candidates)
    assert not np.signbit(weights).any()
    assert weights[0, 1, 0] == 0.0  # every graph joins the pair
    assert weights[0, 2, 0] == pytest.approx(1.0)
    assert np.allclose(weights.sum(axis=2), 1.0)
