"""True, super or wrong: against fits to exact covariances and against all graphs on the skeleton."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lurking import ADMG, Moments
from lurking._errors import GraphClassError
from lurking.experiments.verdict import contains_model, verdict
from lurking.sem import ricf
from lurking.simulate import VERMA_GRAPHS, random_admg
from lurking.simulate.parameters import draw_parameters


def gap_at_exact_covariances(larger: ADMG, smaller: ADMG) -> float:
    """Return the largest loss per row when the larger graph is fitted to covariances of the smaller one."""
    gaps = []
    for seed in range(3):
        cov = draw_parameters(smaller, random_state=seed).implied_cov()
        d = len(smaller)
        best = -0.5 * (d * math.log(2 * math.pi) + np.linalg.slogdet(cov)[1] + d)
        gaps.append(best - ricf(Moments(cov, 1000, smaller.names), larger).loglik / 1000)
    return float(max(gaps))


@pytest.mark.parametrize("truth", VERMA_GRAPHS, ids=str)
def test_agrees_with_fits_to_exact_covariances(truth: ADMG) -> None:
    counts = {True: 0, False: 0}
    for seed in range(150):
        graph = random_admg(
            4, directed_probability=0.6, bidirected_probability=0.5, names=truth.names, random_state=seed
        )
        if graph.is_arid():  # the maximum is then reached
            contained = contains_model(graph, truth)
            counts[contained] += 1
            assert (gap_at_exact_covariances(graph, truth) < 1e-7) == contained, graph
    assert min(counts.values()) > 3


def test_the_order_of_the_names_does_not_matter() -> None:
    truth = VERMA_GRAPHS[1]
    larger = ADMG.parse("A -> B -> C -> D; B <-> D; A -> D", names=["D", "B", "A", "C"])
    assert verdict(larger, truth) == "super"
    assert verdict(truth, larger) == "wrong"


def test_the_two_ambiguous_graphs_are_the_same_and_the_third_is_not() -> None:
    _, chain, confounded = VERMA_GRAPHS
    assert verdict(chain, confounded) == verdict(confounded, chain) == "true"
    assert verdict(VERMA_GRAPHS[0], chain) == "wrong"


def test_bows_are_refused() -> None:
    with pytest.raises(GraphClassError, match="bow"):
        contains_model(ADMG.parse("A -> B; A <-> B"), ADMG.parse("A -> B"))
