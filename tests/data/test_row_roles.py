"""Clusters and weights: against their formulas, against simulation, and every mistake in a sentence."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import lurking
from lurking import ADMG, ADMGDiscovery, Moments, simulate_admg
from lurking._errors import DataError, ParameterError, UnknownVertexError
from lurking._typing import FloatArray, IntArray
from lurking.data import DataFile, GroupedMoments
from lurking.data.missing import gaussian_em
from lurking.data.prepare import prepare
from lurking.data.row_roles import design_effect
from lurking.discovery import bootstrap
from lurking.discovery.bootstrap import _drawn_rows


def schools(seed: int, share: float, n: int = 600, size: int = 20) -> pd.DataFrame:
    """Return three variables that have nothing to do with each other, but that schools share."""
    rng = np.random.default_rng(seed)
    school = np.repeat(np.arange(n // size), size)
    common = rng.normal(size=(n // size, 3))[school] * np.sqrt(share)
    table = pd.DataFrame(common + rng.normal(size=(n, 3)) * np.sqrt(1 - share), columns=list("xyz"))
    table["school"] = [f"school {k}" for k in school]
    return table.sample(frac=1.0, random_state=seed, ignore_index=True)


def by_definition(rows: FloatArray, clusters: IntArray) -> float:
    scaled = (rows - rows.mean(axis=0)) / rows.std(axis=0)
    residuals = scaled @ np.linalg.inv(np.corrcoef(rows.T))
    together = apart = 0.0
    n_clusters = len(set(clusters.tolist()))
    for i in range(rows.shape[1]):
        for j in range(i):
            products = residuals[:, i] * residuals[:, j]
            products = products - products.mean()
            spread = residuals[:, i].var() * residuals[:, j].var()
            apart += (products**2).sum() / spread
            together += sum(products[clusters == g].sum() ** 2 for g in range(n_clusters)) / spread
    return max(1.0, n_clusters / (n_clusters - 1) * together / apart)


def test_the_design_effect_is_that_of_its_definition() -> None:
    table = schools(1, 0.4)
    codes = pd.factorize(table["school"])[0]
    rows = table[list("xyz")].to_numpy()
    assert design_effect(rows, codes) == pytest.approx(by_definition(rows, codes))
    assert design_effect(rows, codes, np.ones(len(rows))) == pytest.approx(by_definition(rows, codes))
    assert design_effect(rows, np.arange(len(rows))) == pytest.approx(1.0, abs=0.01)
    holes = np.where(np.random.default_rng(0).random(rows.shape) < 0.1, np.nan, rows)
    assert design_effect(holes, codes) == pytest.approx(design_effect(rows, codes), rel=0.4)


@pytest.mark.parametrize(("share", "expected"), [(0.0, 1.0), (0.3, 1 + 19 * 0.09), (0.6, 1 + 19 * 0.36)])
def test_the_design_effect_is_what_correlations_vary_by(share: float, expected: float) -> None:
    found, squares = [], []
    for seed in range(60):
        table = schools(seed, share)
        found.append(prepare(table, clusters="school").design_effect)
        squares += [
            table["x"].corr(table["y"]) ** 2,
            table["x"].corr(table["z"]) ** 2,
            table["y"].corr(table["z"]) ** 2,
        ]
    assert np.mean(found) == pytest.approx(expected, rel=0.2)
    assert np.mean(squares) * 600 == pytest.approx(np.mean(found), rel=0.35)


def test_clusters_take_away_edges_that_schools_make() -> None:
    plain = with_clusters = 0
    for seed in range(12):
        table = schools(seed, 0.75)
        plain += ADMGDiscovery(solver="exact", random_state=0).fit(table[list("xyz")]).admg_.n_edges
        model = ADMGDiscovery(solver="exact", clusters="school", random_state=0).fit(table)
        with_clusters += model.admg_.n_edges
        assert model.moments_.names == ("x", "y", "z")
        assert model.moments_.n_samples == 600
        assert model.n_counted_ < 300
    assert plain >= 6
    assert with_clusters <= plain / 3


def test_weights_make_moments_of_the_weighted_rows() -> None:
    rng = np.random.default_rng(0)
    table = simulate_admg(ADMG.parse("A -> B -> C"), 300, random_state=0).data
    weights = rng.integers(0, 4, 300)
    repeated = Moments.from_table(table.loc[np.repeat(np.arange(300), weights)])
    found = prepare(table.assign(w=weights), weights="w")
    np.testing.assert_allclose(found.moments.cov, repeated.cov)
    assert repeated.mean is not None
    np.testing.assert_allclose(found.moments.mean, repeated.mean)
    assert found.moments.n_samples == int(weights.sum() ** 2 / (weights**2).sum())
    assert found.notes[0].kind == "weights"
    assert f"{(weights > 0).sum()} rows say as much as {found.moments.n_samples}" in found.notes[0].message
    same = prepare(table.assign(w=7.0), weights="w").moments
    np.testing.assert_allclose(same.cov, Moments.from_table(table).cov)
    assert same.n_samples == 300


@pytest.mark.parametrize("margins", [None, "latent"])
def test_weighted_rows_with_missing_values_are_repeated_rows(margins: str | None) -> None:
    rng = np.random.default_rng(1)
    table = simulate_admg(ADMG.parse("A -> B -> C"), 400, random_state=0).data
    table["B"] = pd.cut(table["B"], 4, labels=False).astype(float)
    table = table.mask(rng.random(table.shape) < 0.1)
    weights = rng.integers(1, 4, 400)
    repeated = table.loc[np.repeat(np.arange(400), weights)].to_numpy()
    if margins is None:
        wanted = gaussian_em(list("ABC"), repeated)
        found = gaussian_em(list("ABC"), table.to_numpy(), weights=weights.astype(float))
        np.testing.assert_allclose(found.cov, wanted.cov, rtol=1e-6)
        np.testing.assert_allclose(found.mean, wanted.mean, rtol=1e-6, atol=1e-9)
    both = [
        prepare(one, "em", margins, weights=name).columns.correlation  # type: ignore[arg-type]
        for one, name in ((table.assign(w=weights), "w"), (repeated, None))
    ]
    np.testing.assert_allclose(both[0], both[1], atol=1e-5 if margins is None else 0.06)


def test_the_bootstrap_draws_whole_clusters_and_keeps_weights() -> None:
    table = schools(3, 0.5, n=200).assign(w=np.arange(200) % 3 + 1.0, group=[*"pqpr"] * 50)
    given = ADMGDiscovery(clusters="school", weights="w", kinds="auto").prepare(table)
    assert isinstance(given.moments, GroupedMoments)
    drawn = _drawn_rows(given.roles, 200, np.random.default_rng(0))
    counts = np.bincount(drawn, minlength=200)
    assert given.roles.clusters is not None
    for g in range(10):
        assert len(set(counts[given.roles.clusters == g].tolist())) == 1
    result = bootstrap(
        {"solver": "exact", "clusters": "school", "weights": "w", "kinds": "auto"},
        table,
        n_replicates=3,
        random_state=0,
    )
    assert result.names == ("x", "y", "z", "group")


def test_an_answer_says_what_was_done(tmp_path: Path) -> None:
    table = schools(2, 0.5).assign(w=1.0)
    table.to_csv(tmp_path / "pupils.csv", index=False)
    file = DataFile(tmp_path / "pupils.csv", columns=("x", "y"), drop=("w",))
    answer = lurking.discover(file, solver="exact", clusters="school", weights="w", knowledge="x < y")
    assert answer.names == ("x", "y")
    found = {finding.kind: finding.message for finding in answer.findings}
    assert (
        "Rows with the same 'school' belong together (30 clusters of 20 rows): 600 rows count as" in found["clusters"]
    )
    assert found["weights"] == "Rows are weighted by 'w': 600 rows say as much as 600 with equal weights."
    assert (answer.settings["clusters"], answer.settings["weights"]) == ("school", "w")
    assert answer.n_counted is not None
    assert answer.n_counted < 400
    # what is known of the column is kept out of the graph, not refused
    told = lurking.discover(table, solver="exact", clusters="school", weights="w", knowledge="school < x < *")
    assert told.names == ("x", "y", "z")


def test_every_mistake_is_one_sentence() -> None:
    table = schools(0, 0.5, n=100).assign(w=1.0)
    for changes, error, words in (
        ({"clusters": "scool"}, UnknownVertexError, "'scool'"),
        ({"weights": "ww"}, UnknownVertexError, "'ww'"),
        ({"clusters": "w", "weights": "w"}, ParameterError, "two columns"),
        ({"clusters": "w"}, DataError, "'w' is the same in every row"),
        ({"weights": "school"}, DataError, "'school' cannot weigh the rows: 100 values"),
        ({"clusters": 3}, ParameterError, "the name of a column"),
    ):
        with pytest.raises(error, match=words):
            prepare(table, kinds="auto", **changes)
    holes = table.assign(school=table["school"].where(table.index > 3), w=np.where(table.index == 5, -1.0, 1.0))
    with pytest.raises(DataError, match="'school' says which rows belong together, but is missing in 4 rows"):
        prepare(holes, clusters="school")
    with pytest.raises(DataError, match="1 value of it is missing, negative or no number"):
        prepare(holes, weights="w")
    with pytest.raises(DataError, match="All weights in 'w' are 0"):
        prepare(table.assign(w=0.0), weights="w")
    with pytest.raises(ParameterError, match="clusters='school' needs the table"):
        prepare(Moments(np.eye(2), 100), clusters="school")
    with pytest.raises(DataError, match="No column is left"):
        prepare(table[["school", "w"]], clusters="school", weights="w")
