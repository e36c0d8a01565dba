"""Columns that others determine: which sets, in which words, and which leave."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurking._errors import DataError
from lurking.data.collinear import AS_GOOD_AS_EXACT, Relation, collinear_sets
from lurking.data.prepare import prepare

RNG = np.random.default_rng(1)
BASE = pd.DataFrame(RNG.normal(size=(80, 4)), columns=["A", "B", "C", "D"])


def found(table: pd.DataFrame) -> tuple[list[str], set[str]]:
    result = collinear_sets(np.cov(table.to_numpy().T), table.columns.astype(str).tolist())
    return [relation.words for relation in result.relations], set(result.left_out)


@pytest.mark.parametrize(
    ("columns", "words", "out"),
    [
        ({"Total": BASE["A"] + BASE["B"]}, ["'Total' = 'A' + 'B'"], {"Total"}),
        ({"Difference": BASE["A"] - BASE["B"]}, ["'A' = 'B' + 'Difference'"], {"A"}),
        ({"a copy": 2 * BASE["A"] + 7}, ["'a copy' = 2 'A'"], {"a copy"}),
        ({"Mean": BASE[["A", "B", "C"]].mean(axis=1)}, ["'Mean' = 1/3 'A' + 1/3 'B' + 1/3 'C'"], {"Mean"}),
        ({"Rest": 100 - BASE["A"] - BASE["B"]}, ["'Rest' = -'A' - 'B'"], {"Rest"}),
        (
            {"AB": BASE["A"] + BASE["B"], "CD": BASE["C"] + BASE["D"]},
            ["'AB' = 'A' + 'B'", "'CD' = 'C' + 'D'"],
            {"AB", "CD"},
        ),
        ({}, [], set()),
    ],
)
def test_equations(columns: dict[str, pd.Series[float]], words: list[str], out: set[str]) -> None:
    table = BASE.assign(**columns)
    for k in range(3):
        shuffled = table.iloc[:, np.random.default_rng(k).permutation(table.shape[1])]
        assert found(shuffled) == (words, out)


def test_long_sums() -> None:
    table = pd.DataFrame(RNG.normal(size=(80, 9)), columns=list("ABCDEFGHI"))
    words, out = found(table.assign(Total=table.sum(axis=1), Mean=table.mean(axis=1)))
    assert out == {"Total", "Mean"}
    assert words[0] == "'Mean' is 1/9 of the sum of 'A', 'B', 'C', 'D', 'E' and 4 more"
    assert Relation("T", tuple("ABCDEFG"), (1.0,) * 7).words == "'T' is the sum of 'A', 'B', 'C', 'D', 'E' and 2 more"


@given(st.integers(0, 10_000), st.integers(1, 3))
def test_what_stays_is_independent_and_determines_what_leaves(seed: int, n_sums: int) -> None:
    rng = np.random.default_rng(seed)
    base = rng.normal(size=(60, 4))
    weights = rng.integers(-1, 2, size=(4, n_sums)).astype(float)
    weights[0] += ~weights.any(axis=0)
    values = np.column_stack([base, base @ weights])
    names = [f"v{j}" for j in range(values.shape[1])]
    cov = np.cov(values.T)
    result = collinear_sets(cov, names)
    stays = [j for j, name in enumerate(names) if name not in result.left_out]
    correlation = np.corrcoef(values.T)
    assert len(stays) == np.linalg.matrix_rank(values - values.mean(axis=0), tol=1e-8) == 4
    assert np.linalg.eigvalsh(correlation[np.ix_(stays, stays)])[0] > AS_GOOD_AS_EXACT
    for relation in result.relations:
        others = values[:, [names.index(name) for name in relation.others]]
        rest = values[:, names.index(relation.column)] - others @ np.array(relation.coefficients)
        assert rest.std() < 1e-8
        for smaller in combinations(relation.others, len(relation.others) - 1):  # no smaller set determines it
            part = values[:, [names.index(name) for name in smaller]]
            design = np.column_stack([np.ones(60), part])
            fit = np.linalg.lstsq(design, values[:, names.index(relation.column)], rcond=None)[0]
            assert (values[:, names.index(relation.column)] - design @ fit).std() > 1e-6


def test_refused_or_dropped() -> None:
    table = BASE.assign(Total=BASE["A"] + BASE["B"])
    with pytest.raises(DataError, match="collinear='drop'"):
        prepare(table)
    data = prepare(table, collinear="drop")
    assert data.moments.names == ("A", "B", "C", "D")
    (note,) = data.notes
    assert "'Total' = 'A' + 'B'" in note.message
    assert prepare(BASE, collinear="drop").moments == prepare(BASE).moments


def test_a_sum_with_missing_parts_is_found_before_em() -> None:
    table = BASE.assign(Total=BASE["A"] + BASE["B"])
    table.loc[3, "A"] = np.nan
    table.loc[5, "Total"] = np.nan
    data = prepare(table, "auto", collinear="drop")
    assert data.moments.names == ("A", "B", "C", "D")
    assert [note.kind for note in data.notes] == ["collinear columns", "missing"]


def test_a_nearly_exact_sum_stays_and_is_warned_of() -> None:
    from lurking.discovery.audit import audit

    table = BASE.assign(Total=(BASE["A"] + BASE["B"]).round(2))
    data = prepare(table, collinear="drop")
    assert "Total" in data.moments.names
    assert {finding.kind for finding in audit(data)} >= {"collinear"}
