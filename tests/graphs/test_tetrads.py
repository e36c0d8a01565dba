"""Vanishing tetrads against covariances at random parameters in floating point, and against known models."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from lurking import ADMG
from lurking._typing import FloatArray
from lurking.graphs import Tetrad, implied_tetrads
from lurking.io import lavaan
from oracles.graph_listing import sampled_admgs

HOLZINGER = "visual =~ x1 + x2 + x3\ntextual =~ x4 + x5 + x6\nspeed =~ x7 + x8 + x9"


def _covariance(admg: ADMG, generator: np.random.Generator) -> FloatArray:
    d = len(admg)
    coef = generator.uniform(0.4, 1.2, (d, d)) * generator.choice((-1.0, 1.0), (d, d)) * admg.directed
    omega = np.tril(generator.uniform(-1.0, 1.0, (d, d)), -1) / d * admg.bidirected
    paths = np.linalg.inv(np.eye(d) - coef)
    return np.asarray(paths.T @ (omega + omega.T + np.diag(generator.uniform(1.0, 2.0, d))) @ paths, dtype=np.float64)


def test_listed_exactly_if_they_vanish_in_random_models() -> None:
    generator = np.random.default_rng(0)
    vanishing = others = 0
    for graph in sampled_admgs(6, 250, seed=4).bits:
        directed, bidirected = graph.to_matrices()
        kept = generator.random((6, 6)) < 0.3
        admg = ADMG(list("abcdfg"), directed, bidirected & kept & kept.T)
        listed = set(implied_tetrads(admg, ["f", "g"]))
        models = [_covariance(admg, generator) for _ in range(3)]
        for a, b, c, d in combinations("abcd", 4):
            for pairs in (((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))):
                tetrad = Tetrad(*pairs)
                zero = all(abs(tetrad.value(cov, admg.names)) < 1e-9 for cov in models)
                rows = [[admg.index(x) for x in pair] for pair in pairs]
                trivial = any(np.abs(cov[np.ix_(*rows)]).min() < 1e-9 for cov in models)
                assert (tetrad in listed) == (zero and not trivial), (str(admg), str(tetrad))
                vanishing += tetrad in listed
                others += tetrad not in listed
    assert vanishing > 20
    assert others > 300


def test_a_factor_model_of_lavaan_implies_tetrads_that_its_projection_does_not() -> None:
    model = lavaan.loads(HOLZINGER)
    assert isinstance(model, ADMG)
    factors = lavaan.latent_names(HOLZINGER)
    tetrads = implied_tetrads(model, factors)
    # {two of one factor | any two of the others}: the first pair passes through one factor.
    assert Tetrad(("x1", "x2"), ("x4", "x7")) in tetrads
    assert implied_tetrads(model.latent_projection(factors)) == ()


def test_no_four_variables_no_tetrad() -> None:
    assert implied_tetrads(ADMG.parse("f -> a; f -> b; f -> c"), "f") == ()
    assert implied_tetrads(ADMG.empty(list("abcd"))) == ()
