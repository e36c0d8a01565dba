"""Moments from a covariance matrix: what it offers, and every way the matrix can be wrong."""

from __future__ import annotations

import pickle
import re
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lurking._errors import DataError, UnknownVertexError
from lurking._typing import FloatArray
from lurking.data import Moments

COV = np.array([[4.0, 1.0, 0.5], [1.0, 1.0, 0.2], [0.5, 0.2, 9.0]])


def covariance_matrix(seed: int, d: int) -> FloatArray:
    rng = np.random.default_rng(seed)
    root = rng.standard_normal((d, d + 2)) * rng.uniform(0.1, 10, size=d)[:, None]
    product: FloatArray = root @ root.T
    return product


class TestWhatItOffers:
    def test_attributes(self) -> None:
        m = Moments(COV, 50, ["A", "B", "C"], mean=[1, 2, 3])
        assert m.names == ("A", "B", "C")
        assert (m.n_samples, m.n_variables, len(m)) == (50, 3, 3)
        assert m.mean is not None
        np.testing.assert_array_equal(m.cov, COV)
        np.testing.assert_array_equal(m.mean, [1.0, 2.0, 3.0])
        np.testing.assert_allclose(m.scales, [2, 1, 3])
        np.testing.assert_allclose(m.correlation, [[1, 0.5, 0.5 / 6], [0.5, 1, 0.2 / 3], [0.5 / 6, 0.2 / 3, 1]])
        assert "B" in m
        assert m.index("C") == 2

    def test_names_by_default_and_from_a_data_frame(self) -> None:
        assert Moments(COV, 50).names == ("X1", "X2", "X3")
        assert Moments(pd.DataFrame(COV, columns=["u", "v", "w"]), 50).names == ("u", "v", "w")
        assert Moments(COV, 50).mean is None

    def test_nothing_can_be_changed(self) -> None:
        m = Moments(COV, 50, mean=[0, 0, 0])
        assert m.mean is not None
        with pytest.raises(ValueError, match="read-only"):
            m.cov[0, 0] = 7
        with pytest.raises(ValueError, match="read-only"):
            m.mean[0] = 7
        with pytest.raises(AttributeError, match="cannot be changed"):
            m.n_samples = 7

    def test_the_callers_matrix_is_copied(self) -> None:
        mine = COV.copy()
        m = Moments(mine, 50)
        mine[0, 0] = 100
        assert m.cov[0, 0] == 4
        assert mine.flags.writeable

    def test_equality_and_hash(self) -> None:
        m = Moments(COV, 50, ["A", "B", "C"])
        same = Moments(COV.copy(), 50, ("A", "B", "C"))
        assert m == same
        assert hash(m) == hash(same)
        others = [
            Moments(COV, 51, m.names),
            Moments(COV, 50, ["A", "B", "D"]),
            Moments(COV * 2, 50, m.names),
            Moments(COV, 50, m.names, mean=[0, 0, 0]),
            m.reorder(["B", "A", "C"]),
        ]
        assert all(m != other for other in others)
        assert m != "moments"

    def test_signed_zeros_are_equal(self) -> None:
        plus, minus = np.diag([1.0, 2.0]), np.diag([1.0, 2.0])
        minus[0, 1] = minus[1, 0] = -0.0
        assert Moments(plus, 9) == Moments(minus, 9)
        assert hash(Moments(plus, 9)) == hash(Moments(minus, 9))

    def test_pickle(self) -> None:
        for m in (Moments(COV, 50), Moments(COV, 50, ["A", "B", "C"], mean=[1, 2, 3])):
            again = pickle.loads(pickle.dumps(m))
            assert again == m
            assert not again.cov.flags.writeable

    def test_repr(self) -> None:
        assert repr(Moments(COV, 50)) == "Moments of 3 variables from 50 rows: X1, X2, X3"
        assert repr(Moments(np.eye(9), 50)).endswith("X8, ...")

    def test_small_asymmetry_is_evened_out(self) -> None:
        rough = COV.copy()
        rough[0, 1] += 1e-12
        m = Moments(rough, 50)
        np.testing.assert_array_equal(m.cov, m.cov.T)


class TestParts:
    def test_standardized(self) -> None:
        m = Moments(COV, 50, mean=[1, 2, 3]).standardized()
        np.testing.assert_allclose(m.cov, Moments(COV, 50).correlation)
        assert m.mean is not None
        np.testing.assert_array_equal(m.mean, 0)
        assert Moments(COV, 50).standardized().mean is None

    @settings(max_examples=50, deadline=None)
    @given(st.integers(0, 10**6), st.integers(2, 6), st.randoms(use_true_random=False))
    def test_reorder_moves_every_entry_with_its_names(self, seed: int, d: int, random: Random) -> None:
        m = Moments(covariance_matrix(seed, d), 100, mean=np.arange(d))
        order = list(m.names)
        random.shuffle(order)
        moved = m.reorder(order)
        assert moved.names == tuple(order)
        assert moved.mean is not None
        for a in order:
            assert moved.mean[moved.index(a)] == m.index(a)
            for b in order:
                assert moved.cov[moved.index(a), moved.index(b)] == m.cov[m.index(a), m.index(b)]
        assert moved.reorder(m.names) == m

    def test_subset(self) -> None:
        m = Moments(COV, 50, ["A", "B", "C"], mean=[1, 2, 3]).subset(["C", "A"])
        assert m == Moments([[9, 0.5], [0.5, 4]], 50, ["C", "A"], mean=[3, 1])

    def test_reorder_must_name_all(self) -> None:
        with pytest.raises(DataError, match="lacks 'B'; use subset"):
            Moments(COV, 50, ["A", "B", "C"]).reorder(["C", "A"])

    def test_unknown_and_repeated_names(self) -> None:
        m = Moments(COV, 50, ["age", "dose", "ill"])
        with pytest.raises(UnknownVertexError, match=r"no variable named 'agee'.*(?i:did you mean) 'age'"):
            m.subset(["agee"])
        with pytest.raises(DataError, match="'age' occurs again"):
            m.subset(["age", "age"])


SINGULAR_SUM = np.array([[1.0, 0, 1], [0, 1, 1], [1, 1, 2]])
NOT_A_NUMBER = np.array([[1.0, np.nan], [np.nan, 1]])

BAD_MATRICES: dict[str, tuple[Any, Any, str]] = {
    "shape": (np.eye(2), ["A", "B", "C"], "must have shape (3, 3), one row per name. Got (2, 2) instead."),
    "not square": (np.ones((2, 3)), ["A", "B"], "must have shape (2, 2)"),
    "one-dimensional": ([1.0, 2.0], ["A", "B"], "must have shape (2, 2)"),
    "text": ([["a", "b"], ["c", "d"]], ["A", "B"], "must be a square table of numbers"),
    "nan": (NOT_A_NUMBER, ["A", "B"], "The covariance of 'A' and 'B' is nan; every entry must be a finite number"),
    "asymmetric": ([[1, 0.5], [0.1, 1]], ["A", "B"], "cov['A', 'B'] = 0.5 and cov['B', 'A'] = 0.1"),
    "one triangle": ([[1, 0.5], [0, 1]], ["A", "B"], "if only one triangle is filled, mirror it"),
    "constant": (np.diag([1.0, 0, 1]), ["A", "B", "C"], "'B' never changes (variance 0)"),
    "huge": (np.diag([1.0, 1e160]), ["A", "B"], "The variance of 'B' is 1e+160, which is too large to compute with"),
    "tiny": (np.diag([1e-160, 1.0]), ["A", "B"], "The variance of 'A' is 1e-160, which is too small to compute with"),
    "negative variance": (np.diag([1.0, -2, 1]), ["A", "B", "C"], "The variance of 'B' is -2"),
    "copies": ([[1, 2, 0], [2, 4, 0], [0, 0, 1]], ["A", "B", "C"], "'A' and 'B' carry the same information"),
    "mirror image": ([[1, -1], [-1, 1]], ["A", "B"], "(correlation -1; the smallest eigenvalue"),
    "collinear": (SINGULAR_SUM, ["A", "B", "T"], "'A', 'B' and 'T' are collinear"),
    "indefinite": (
        [[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]],
        ["A", "B", "C"],
        "not positive definite: no data can have these covariances among 'A', 'B' and 'C' "
        "(the smallest eigenvalue of the correlation matrix is -0.8)",
    ),
    "repeated name": (np.eye(2), ["A", "A"], "Each name may occur once, but 'A' occurs again"),
    "empty name": (np.eye(2), ["A", ""], "must be a non-empty string"),
    "one string": (np.eye(2), "AB", "not the one string 'AB'; put it in a list"),
    "no names": (np.zeros((0, 0)), [], "There are no columns"),
}


class TestBadMatrices:
    @pytest.mark.parametrize("case", BAD_MATRICES)
    def test_is_refused_with_a_reason(self, case: str) -> None:
        cov, names, reason = BAD_MATRICES[case]
        with pytest.raises(DataError, match=re.escape(reason)):
            Moments(cov, 100, names)

    @pytest.mark.parametrize("n_samples", [50.0, "50", None, True])
    def test_rows_must_be_whole(self, n_samples: object) -> None:
        with pytest.raises(DataError, match=r"n_samples must be a whole number, the number of rows\. Got"):
            Moments(COV, n_samples)  # type: ignore[arg-type]

    @pytest.mark.parametrize("n_samples", [3, 0, -5])
    def test_more_rows_than_columns(self, n_samples: int) -> None:
        with pytest.raises(DataError, match=f"there are {n_samples} rows and 3 columns; add rows"):
            Moments(COV, n_samples)

    def test_numpy_whole_numbers_are_fine(self) -> None:
        fifty: Any = np.int64(50)
        rows = Moments(COV, fifty).n_samples
        assert type(rows) is int

    def test_mean(self) -> None:
        with pytest.raises(DataError, match="The mean must hold 3 numbers, one per variable"):
            Moments(COV, 50, mean=[1, 2])
        with pytest.raises(DataError, match="The mean must be finite"):
            Moments(COV, 50, mean=[1, 2, np.nan])

    def test_two_relations_name_one_of_them_exactly(self) -> None:
        """With several relations every null vector is a mixture; the message must still name a true relation."""
        rng = np.random.default_rng(0)
        base = rng.standard_normal((200, 4))
        table = np.column_stack([base, base[:, 0] + base[:, 1], base[:, 2] - base[:, 3], base[:, 3] * 2])
        cov = np.cov(table.T, bias=True)
        with pytest.raises(DataError, match=r"^'X1', 'X2' and 'X5' are collinear"):
            Moments(cov, 200)

    def test_units_do_not_make_a_matrix_singular(self) -> None:
        scales = np.array([1e-9, 1.0, 1e9])
        m = Moments(COV * np.outer(scales, scales), 50)
        np.testing.assert_allclose(m.correlation, Moments(COV, 50).correlation)

    def test_near_collinearity_is_allowed_down_to_the_limit(self) -> None:
        assert Moments([[1, 1 - 1e-8], [1 - 1e-8, 1]], 50).n_variables == 2
        with pytest.raises(DataError, match="same information"):
            Moments([[1, 1 - 1e-12], [1 - 1e-12, 1]], 50)
