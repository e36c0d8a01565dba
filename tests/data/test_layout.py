"""How a table is written as text: every way of writing the same table is read as the same table."""

from __future__ import annotations

import csv
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurking._errors import DataError
from lurking.data.layout import layout_of

CASES = {
    "commas": ("a,b\n1,2\n3,4\n", ",", ("a", "b"), ".", None),
    "semicolons and decimal commas": ("a;b\n1,5;2\n2,5;3\n", ";", ("a", "b"), ",", None),
    "spaces and decimal commas, no header": ("1,5 2,3\n2,5 3,3\n", " ", ("X1", "X2"), ",", None),
    "a name with a space": ("A B,C\n1,2\n3,4\n", ",", ("A B", "C"), ".", None),
    "a column of row numbers": (",A,B\n0,1,2\n1,3,5\n2,4,4\n", ",", ("A", "B"), ".", None),
    "R's row names": ("A,B\nr1,1,2\nr2,1,3\n", ",", ("A", "B"), ".", None),
    "R's row numbers": ('"A" "B"\n"1" 1 2\n"2" 1 3\n', " ", ('"A"', '"B"'), ".", None),
    "a separator at the end of each line": ("a\tb\t\n1\t2\t\n2\t3\t\n", "\t", ("a", "b"), ".", None),
    "thousands with points": ("x;y\n1.234,5;2\n2.000,1;3\n", ";", ("x", "y"), ",", "."),
    "thousands with commas": ('x,y\n"1,234",2\n"2,000.5",3\n', ",", ("x", "y"), ".", ","),
    "text without a header": ("b,30.83,0,u\na,58.67,4.46,u\n", ",", ("X1", "X2", "X3", "X4"), ".", None),
    "one column": ("x\n1\n2\n", ",", ("x",), ".", None),
    "Excel's first line": ("sep=;\na;b\n1;2\n", ";", ("a", "b"), ".", None),
    "comments": ("# made by hand\n\na b\n1 2\n", " ", ("a", "b"), ".", None),
    "names in quotes": ('"x 1" "y"\n1.5 2\n2.5 3\n', " ", ("x 1", "y"), ".", None),
    "names that count": ("0,1,2\n1.5,2,4\n2.5,3,4\n", ",", ("0", "1", "2"), ".", None),
    "bars": ("a|b\n1|2\n", "|", ("a", "b"), ".", None),
    "words only": ("A\tB\nx y\tz w\np q\tr s\n", "\t", ("A", "B"), ".", None),
    "a name that is missing": ("a,,c\n1,2,3\n1,5,6\n", ",", ("a", "column 2", "c"), ".", None),
    "lines of old Macs": ("a,b\r1,2\r3,4\r", ",", ("a", "b"), ".", None),
    "quotes with a line break": ('"a\nx",b\n1,2\n3,4\n', ",", ("a\nx", "b"), ".", None),
}


@pytest.mark.parametrize("case", CASES)
def test_layouts(case: str) -> None:
    text, separator, names, decimal, thousands = CASES[case]
    layout = layout_of(text)
    assert (layout.separator, layout.decimal, layout.thousands) == (separator, decimal, thousands)
    assert tuple(name.strip('"') for name in layout.names) == tuple(name.strip('"') for name in names)


def test_what_is_said_overrides_what_is_seen() -> None:
    assert layout_of("1,2\n3,4\n", header=True).names == ("1", "2")
    assert layout_of("a,b\n3,4\n", header=False).names == ("X1", "X2")
    assert layout_of("a;b\n1,5;2\n", decimal=".").decimal == "."
    assert layout_of("a b;c\n1 2;3\n", separator=" ").names == ("a", "b;c")


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n"])
def test_no_table(text: str) -> None:
    with pytest.raises(DataError, match="holds no table"):
        layout_of(text)


def test_a_line_without_end_is_no_table() -> None:
    with pytest.raises(DataError, match="longer than a million letters"):
        layout_of("a," * 600_000)


@given(
    st.data(),
    st.sampled_from([",", ";", "\t", "|", " "]),
    st.sampled_from([".", ","]),
    st.integers(2, 5),
    st.integers(4, 12),
)
def test_every_way_of_writing_numbers_is_seen(
    data: st.DataObject, separator: str, decimal: str, d: int, n: int
) -> None:
    if separator == decimal:
        decimal = "."
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    table = pd.DataFrame(
        rng.normal(size=(n, d)), columns=[f"name {j}" if separator != " " else f"n{j}" for j in range(d)]
    )
    text = table.to_csv(index=False, sep=separator, decimal=decimal, quoting=csv.QUOTE_MINIMAL)
    layout = layout_of(text)
    assert layout.names == tuple(table.columns)
    assert (layout.separator, layout.decimal, layout.thousands) == (separator, decimal, None)
    read = pd.read_csv(io.StringIO(text), sep=layout.separator, decimal=layout.decimal)
    np.testing.assert_array_equal(read.to_numpy(), table.to_numpy())
