"""Nominal columns as indicators: codes, references, refusals, and what is invariant."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest

from lurking import Moments
from lurking._errors import DataError, GraphError, UnknownVertexError
from lurking.data import GroupedMoments, grouped_moments
from lurking.graphs import ADMG, Grouping

TABLE = pd.DataFrame(
    {
        "x": [0.1, 1.3, 2.2, 0.4, 0.3, 1.1, 5.0, 2.5],
        "c": ["b", "a", "c", "b", "a", "b", "c", "a"],
        "k": [1, 2, 1, 2, 2, 1, 2, 2],
    }
)


def test_indicators_are_the_levels_but_the_most_frequent_one() -> None:
    moments = grouped_moments(TABLE, ["c", "k"])
    assert moments.names == ("x", "c", "k")
    assert moments.grouping.columns == (("x",), ("c=b", "c=c"), ("k=1",))
    expected = Moments.from_table(pd.get_dummies(TABLE.astype({"k": str}), dtype=float)[["x", "c_b", "c_c", "k_1"]])
    np.testing.assert_allclose(moments.columns.cov, expected.cov)
    assert (moments.n_variables, moments.n_samples, moments.sizes) == (3, 8, (1, 2, 1))


def test_categories_keep_their_order_and_empty_ones_are_ignored() -> None:
    ordered = TABLE.assign(c=pd.Categorical(TABLE["c"], categories=["c", "d", "b", "a"]))
    assert grouped_moments(ordered, ["c"]).grouping.columns[1] == ("c=c", "c=a")
    assert grouped_moments(ordered, ["c"]).columns.names == ("x", "c=c", "c=a", "k")


def test_the_table_stays_as_it_is() -> None:
    before = TABLE.copy()
    grouped_moments(TABLE, ["c"])
    pd.testing.assert_frame_equal(TABLE, before)


@pytest.mark.parametrize(
    ("table", "nominal", "match"),
    [
        (TABLE, ["d"], "no column 'd'"),
        (TABLE.assign(c="a"), ["c"], "1 level, but must have 2"),
        (TABLE.assign(c=pd.Series([None, *"abcabca"])), ["c"], "1 value of 'c' is missing"),
        (TABLE, ["x"], "'c' holds text"),
        (TABLE, [], "'c'"),
    ],
)
def test_what_cannot_be_used_is_refused(table: pd.DataFrame, nominal: list[str], match: str) -> None:
    with pytest.raises(DataError, match=match):
        grouped_moments(table, nominal)


def test_whitened_columns_have_the_same_determinant_and_no_correlation_inside() -> None:
    moments = grouped_moments(TABLE, ["c", "k"])
    correlation, scales = moments.whitened()
    np.testing.assert_array_equal(correlation[1:3, 1:3], np.eye(2))
    determinant = np.linalg.slogdet(correlation)[1] + 2.0 * np.log(scales).sum()
    assert determinant == pytest.approx(np.linalg.slogdet(moments.columns.cov)[1])


def test_parts_orders_equality_and_pickling() -> None:
    moments = grouped_moments(TABLE, ["c", "k"])
    turned = moments.reorder(["k", "c", "x"])
    assert turned.columns.names == ("k=1", "c=b", "c=c", "x")
    assert turned.reorder(moments.names) == moments
    assert hash(turned.reorder(moments.names)) == hash(moments)
    assert moments.subset(["c"]).columns == moments.columns.subset(["c=b", "c=c"])
    assert pickle.loads(pickle.dumps(moments)) == moments
    with pytest.raises(UnknownVertexError):
        moments.subset(["d"])
    with pytest.raises(DataError, match="lacks 'x'"):
        moments.reorder(["k", "c"])
    with pytest.raises(AttributeError, match="cannot be changed"):
        moments.grouping = Grouping(("x",), (("x",),))
    with pytest.raises(DataError, match="exactly the columns"):
        GroupedMoments(moments.columns, Grouping(("x",), (("x",),)))


@pytest.mark.parametrize(
    ("vertices", "columns"), [(("a",), ((),)), (("a", "a"), (("b",), ("c",))), (("a",), (("b", "b"),)), (("a",), ())]
)
def test_groupings_that_make_no_sense_are_refused(
    vertices: tuple[str, ...], columns: tuple[tuple[str, ...], ...]
) -> None:
    with pytest.raises(GraphError):
        Grouping(vertices, columns)


@pytest.mark.parametrize("text", ["A -> B; B <-> C", "A <-> B; B <-> C; A -> C", "A; B; C", "A -> B; B -> C; A <-> C"])
def test_wide_graphs_keep_class_and_come_back(text: str) -> None:
    grouping = Grouping(("A", "B", "C"), (("A",), ("b1", "b2"), ("c1", "c2", "c3")))
    admg = ADMG.parse(text)
    wide = grouping.widened(admg)
    assert grouping.narrowed(wide) == admg
    assert [bool(wide.witness(c)) for c in ("ancestral", "arid", "bow-free")] == [
        bool(admg.witness(c)) for c in ("ancestral", "arid", "bow-free")
    ]
    with pytest.raises(GraphError, match="vertices"):
        grouping.widened(ADMG.parse("A -> D"))
