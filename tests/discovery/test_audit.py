"""The audit: each finding on a table that has it, and none on a table that has nothing."""

from __future__ import annotations

import numpy as np
import pandas as pd

from lurking import Moments
from lurking.data.prepare import prepare
from lurking.discovery.audit import Finding, audit


def gaussian(n: int = 400, d: int = 4) -> pd.DataFrame:
    values = np.random.default_rng(0).normal(size=(n, d))
    return pd.DataFrame(values, columns=[f"V{j + 1}" for j in range(d)])


def found(table: object, **options: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(finding.kind, finding.columns) for finding in audit(prepare(table, **options))]  # type: ignore[arg-type]


def test_nothing_to_say_about_a_clean_table() -> None:
    assert audit(prepare(gaussian())) == ()


def test_each_finding_names_its_columns() -> None:
    table = gaussian()
    assert found(table.assign(V2=np.exp(2 * table["V2"])))[0] == ("skewed", ("V2",))
    wild = table.copy()
    wild.loc[7, "V3"] = 60.0
    assert ("outliers", ("V3",)) in found(wild)
    assert found(table.assign(V1=(table["V1"] > 0).astype(int))) == [("discrete", ("V1",))]
    rng = np.random.default_rng(1)
    nearly = table.assign(V4=table["V1"] + 1e-3 * rng.normal(size=400))
    assert found(nearly) == [("repeated", ("V1", "V4"))]
    total = table.assign(V4=table[["V1", "V2", "V3"]].sum(axis=1) + 1e-2 * rng.normal(size=400))
    assert found(total) == [("collinear", ("V4", "V1", "V2", "V3"))]
    other = table.assign(V4=table["V1"] - table["V3"] + 1e-2 * np.random.default_rng(2).normal(size=400))
    ((_, columns),) = found(other)
    assert set(columns) == {"V1", "V3", "V4"}  # V2 takes no part
    noise = 0.01 * np.random.default_rng(3).normal(size=(2, 400))
    copies = table.assign(V4=2.0 * table["V1"] + noise[0], V5=table["V1"] + noise[1])
    (finding,) = audit(prepare(copies))
    assert set(finding.columns) == {"V1", "V4", "V5"}
    assert "nearly repeat each other" in finding.message
    assert finding.columns[0] not in finding.advice
    assert found(gaussian(n=30)) == [("few rows", ())]


def test_ordinal_columns_that_are_treated_as_such_are_not_reported() -> None:
    table = gaussian().assign(V1=np.arange(400) % 3)
    assert found(table) == [("discrete", ("V1",))]
    assert found(table, margins="latent") == []


def test_missing_values_and_moments() -> None:
    table = gaussian()
    table.iloc[4, 2] = np.nan
    assert found(table, missing="drop") == [("missing", ())]
    assert found(Moments(np.eye(3) + 0.999, 100)) == []
    assert found(Moments([[1, 0.999], [0.999, 1]], 100)) == [("repeated", ("X1", "X2"))]


def test_findings_say_how_large_and_what_to_do() -> None:
    (finding,) = audit(prepare(gaussian().assign(V1=np.arange(400) % 2)))
    assert isinstance(finding, Finding)
    assert finding.size == 2.0
    assert str(finding).startswith("'V1' has only 2 distinct values")
    assert "margins='latent'" in finding.advice


def test_rare_answers_make_correlations_uncertain() -> None:
    table = gaussian()
    rare = table.assign(V1=(np.arange(400) < 20).astype(int))
    assert found(rare, margins="latent") == [("uneven", ("V1",))]
    (finding,) = audit(prepare(rare, margins="latent"))
    assert round(finding.size, 1) == 4.5  # 5 % against 95 %
    assert found(table.assign(V1=np.arange(400) % 2), margins="latent") == []


def test_correlations_that_contradict_each_other_are_reported() -> None:
    rng = np.random.default_rng(3)
    a = rng.integers(2, size=60)
    b, c = a.copy(), a.copy()
    b[:15], c[15:30] = 1 - b[:15], 1 - c[15:30]
    table = pd.DataFrame({"a": a, "b": b, "c": c})
    assert ("contradictory", ("a", "b", "c")) in found(table, margins="latent")


def test_units_matter_only_to_similar_noise() -> None:
    table = gaussian()
    standardised = prepare((table - table.mean()) / table.std())
    assert audit(standardised) == ()
    assert [finding.kind for finding in audit(standardised, similar_noise=True)] == ["units"]
    assert audit(prepare(table), similar_noise=True) == ()
    (finding,) = audit(prepare(table.assign(V3=1e6 * table["V3"], V4=1e-6 * table["V4"])), similar_noise=True)
    assert finding.columns == ("V3", "V4")
    (finding,) = audit(prepare(table.assign(V1=np.arange(400) % 2), margins="latent"), similar_noise=True)
    assert (finding.kind, finding.columns) == ("units", ("V1",))


def test_columns_that_many_others_explain_are_named_together() -> None:
    rng = np.random.default_rng(4)
    parts = rng.normal(size=(500, 12))
    table = pd.DataFrame(np.column_stack([parts, parts.sum(axis=1) + 0.01 * rng.normal(size=500)]))
    (finding,) = [one for one in audit(prepare(table)) if one.kind == "collinear"]
    assert "More than 8 other columns" in finding.message
    assert len(finding.columns) == 1
