"""``result.json``: what is read is what was written."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from lurking import ADMG, ADMGDiscovery, Moments, simulate_admg
from lurking._errors import FormatError
from lurking.report.document import (
    SCHEMA,
    discovery_result,
    dumps_result,
    graph_result,
    loads_result,
    read_result,
    write_result,
)
from lurking.report.files import write_together


@pytest.fixture(scope="module")
def model() -> ADMGDiscovery:
    names = ["größe", 'with "quotes"', "a -> b", "D"]
    data = simulate_admg(4, 400, names=names, random_state=3).data
    return ADMGDiscovery(solver="exact", random_state=9).fit(data)


def test_round_trip_of_a_search(model: ADMGDiscovery, tmp_path: Path) -> None:
    result = discovery_result(model)
    assert write_result(model, tmp_path / "result.json") == tmp_path / "result.json"
    back = read_result(tmp_path / "result.json")
    assert back == result
    assert back.admg == model.admg_
    assert back.pag == model.pag_
    np.testing.assert_array_equal(back.coef, model.coef_)
    np.testing.assert_array_equal(back.error_cov, model.error_cov_)
    assert back.fit["bic"] == pytest.approx(model.bic_)
    assert (back.seed, back.status, back.n_samples) == (9, "COMPLETE", 400)
    assert len(back.near_optimal) == min(20, len(model.search_.candidates) - 1)


def test_it_is_plain_json_that_others_can_read(model: ADMGDiscovery) -> None:
    document = json.loads(dumps_result(discovery_result(model)))
    assert document["schema"] == SCHEMA == "lurking/result@1"
    assert document["graph"]["schema"] == "lurking/graph@1"
    assert {tuple(entry["edge"]) for entry in document["parameters"]["edges"]} == {
        *((a, "->", b) for a, b in model.admg_.directed_edges()),
        *((a, "<->", b) for a, b in model.admg_.bidirected_edges()),
    }
    assert document["data"]["hash"].startswith("moments-sha256:")


def test_undetermined_numbers_are_null() -> None:
    moments = Moments(np.eye(3), 100, ["A", "B", "C"])
    text = dumps_result(graph_result(moments, ADMG.parse("A -> B -> C; A <-> C")))
    assert "NaN" not in text
    assert "Infinity" not in text
    assert loads_result(text).status == "GIVEN"


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda d: d.pop("fit"), "lacks 'fit'"),
        (lambda d: d.update(schema="lurking/result@2"), "lurking/result@1"),
        (lambda d: d["parameters"]["edges"][0].update(edge=["A", "-->", "B"]), "lacks"),
        (lambda d: d.update(graph=3), "graph"),
        (lambda d: d.update(near_optimal=None), "damaged"),
    ],
)
def test_damaged_documents(model: ADMGDiscovery, damage: object, words: str) -> None:
    document = json.loads(dumps_result(discovery_result(model)))
    damage(document)  # type: ignore[operator]
    with pytest.raises(FormatError, match=words):
        loads_result(json.dumps(document))


@pytest.mark.parametrize("content", [b"{", b"[1]", b"\xff\xfe", None])
def test_files_that_are_no_results(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(FormatError, match=r"r\.json"):
        read_result(path)


def test_all_files_or_none(tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_text("old")
    (tmp_path / "folder").mkdir()
    with pytest.raises(FormatError, match="is a folder"):
        write_together({tmp_path / "old.txt": "new", tmp_path / "folder": "x"})
    with pytest.raises(FormatError, match="UTF-8"):
        write_together({tmp_path / "old.txt": "new", tmp_path / "b.txt": "\ud800"})
    with pytest.raises(FormatError, match="cannot be written"):
        write_together({tmp_path / "c.txt": "new", tmp_path / "old.txt" / "d.txt": "x"})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "old.txt"]
    assert (tmp_path / "old.txt").read_text() == "old"
    write_together({tmp_path / "new" / "a.txt": "ä\n"})
    assert (tmp_path / "new" / "a.txt").read_bytes() == "ä\n".encode()
