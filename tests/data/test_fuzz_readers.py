"""Thousands of damaged files: each is answered or refused in one sentence, never with a traceback, never slowly."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import time
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lurking._errors import LurkingError
from lurking.data.prepare import PreparedData, prepare
from strategies import NASTY

RNG = np.random.default_rng(0)
NUMBERS = pd.DataFrame(RNG.normal(size=(12, 3)).round(2), columns=["a", "b c", "ö"])
MIXED = NUMBERS.assign(
    sex=["m", "f"] * 6, size=["s", "m", "l"] * 4, id=range(12), day=["2021-01-02"] * 12, gap=[1.0, float("nan")] * 6
)
LONGEST = 20.0


def in_memory(write: Any) -> bytes:
    file = io.BytesIO()
    write(file)
    return file.getvalue()


def zipped(content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("t.csv", content)
    return file.getvalue()


CSV = MIXED.to_csv(index=False).encode()
SEEDS: dict[str, bytes] = {
    "plain.csv": NUMBERS.to_csv(index=False).encode(),
    "mixed.csv": CSV,
    "mixed.txt": MIXED.to_csv(index=False, sep="\t", na_rep="*").encode(),
    "european.csv": NUMBERS.to_csv(index=False, sep=";", decimal=",").encode(),
    "spaces.dat": NUMBERS.rename(columns={"b c": "b"}).to_csv(index=False, sep=" ").encode(),
    "labels.csv": NUMBERS.to_csv().encode(),
    "latin.csv": MIXED.to_csv(index=False).encode("latin-1"),
    "utf16.csv": NUMBERS.to_csv(index=False, sep="\t").encode("utf-16"),
    "matrix.cov": b"45\na b c\n1.0\n.33 1.0\n-.10 .10 1.0\n",
    "matrix.txt": b"/covariance\n45\na\tb\n1.0\n.33\t1.0\n",
    "square.csv": b"a,b\n2,1\n1,3\n",
    "quoted.csv": b'"a, b","c"\n"1","2,5"\n"3","4,5"\n"2","1,5"\n"7","1,0"\n',
    "t.csv.gz": gzip.compress(CSV),
    "t.csv.bz2": bz2.compress(CSV),
    "t.csv.xz": lzma.compress(CSV),
    "t.zip": zipped(CSV),
    "t.npy": in_memory(lambda file: np.save(file, NUMBERS.to_numpy())),
}

_ODD = (
    *(b"\x00", b"\xff", b"\n", b"\r", b"\t", b",", b";", b'"', b"'", b" ", b"*", b"?", b"-999", b"9" * 400, b"1e999"),
    *(b"nan", b"inf", b"\xef\xbb\xbf", b"\xff\xfe", b"PK\x03\x04", b"\x1f\x8b", b"\xc3", b"1,000", b"0x10", b"1_0"),
    *(b"/covariance\n", b"{", b".", b",,,,", b"\n\n", b"a" * 200, b"sep=;\n", b"\x1a", b"1e300\n", b"1e160"),
)
PIECES = st.sampled_from([*_ODD, *(piece.encode() for piece in NASTY)]) | st.binary(max_size=6)


@st.composite
def damages(draw: st.DrawFn) -> list[tuple[str, float, bytes]]:
    """Draw what is done to a file: pieces inserted, written over, cut out, doubled, or the end cut off."""
    kinds = st.sampled_from(["insert", "replace", "delete", "double", "cut"])
    return draw(st.lists(st.tuples(kinds, st.floats(0, 1), PIECES), min_size=1, max_size=4))


def damaged(content: bytes, damage: list[tuple[str, float, bytes]]) -> bytes:
    for kind, share, piece in damage:
        at = int(share * len(content))
        if kind == "insert":
            content = content[:at] + piece + content[at:]
        elif kind == "replace":
            content = content[:at] + piece + content[at + len(piece) :]
        elif kind == "delete":
            content = content[:at] + content[at + 1 + len(piece) :]
        elif kind == "double":
            content = content[:at] + content[max(at - 20, 0) :]
        else:
            content = content[: at + 1]
    return content


@pytest.mark.parametrize("name", SEEDS)
@settings(max_examples=130, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(damage=damages(), strict=st.booleans())
def test_damaged_files_are_answered_or_refused(
    name: str, damage: list[tuple[str, float, bytes]], strict: bool, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(damaged(SEEDS[name], damage))
    start = time.monotonic()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            data = prepare(path) if strict else prepare(path, "auto", kinds="auto", collinear="drop")
    except LurkingError as error:
        sentence = str(error)
        assert sentence.endswith((".", "?"))
        assert "\n" not in sentence
        assert len(sentence) < 1500
    else:
        assert isinstance(data, PreparedData)
        assert data.moments.n_samples > data.moments.n_variables > 0
        assert np.linalg.eigvalsh(data.moments.correlation)[0] > 0
    assert time.monotonic() - start < LONGEST


def test_there_are_at_least_two_thousand_of_them() -> None:
    assert 130 * len(SEEDS) >= 2000
