"""``result.json``: what is read is what was written, and it says the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lurking import ADMG, ADMGDiscovery, Knowledge, Moments, bootstrap, simulate_admg
from lurking._errors import FormatError
from lurking.discovery import Analysis, analyse, dumps_result, graph_in_result, loads_result, read_result
from lurking.discovery.result_file import SCHEMA
from lurking.report import report_html, report_text

NAMES = ["größe", 'with "quotes"', "a -> b", "D"]


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    data = simulate_admg(4, 400, names=NAMES, random_state=3).data
    knowledge = Knowledge(tiers=(("größe",), ("*",)))
    model = ADMGDiscovery(n_restarts=2, random_state=9, knowledge=knowledge).fit(data)
    resampled = bootstrap(model.set_params(solver="exact"), data, n_replicates=2, random_state=0)
    return analyse(
        model.set_params(solver="hybrid"), bootstrap=resampled, title="T", created="today", data_name="d.csv"
    )


def test_nothing_is_lost(analysis: Analysis, tmp_path: Path) -> None:
    back = read_result(analysis.to_json(tmp_path / "result.json"))
    assert dumps_result(back) == dumps_result(analysis)
    assert report_html(back) == report_html(analysis)
    assert report_text(back, full=True) == report_text(analysis, full=True)
    assert back.statement_list == analysis.statement_list
    assert back.knowledge == analysis.knowledge
    assert back.posterior is not None
    assert analysis.posterior is not None
    np.testing.assert_array_equal(back.posterior.codes, analysis.posterior.codes)
    np.testing.assert_array_equal(back.fit.coef, analysis.fit.coef)
    np.testing.assert_array_equal(back.fit.error_cov, analysis.fit.error_cov)


def test_it_is_plain_json_that_others_can_read(analysis: Analysis) -> None:
    document = json.loads(dumps_result(analysis))
    assert document["schema"] == SCHEMA == "lurking/result@2"
    assert document["graph"]["schema"] == "lurking/graph@1"
    assert {tuple(entry["edge"]) for entry in document["parameters"]["edges"]} == {
        *((a, "->", b) for a, b in analysis.admg.directed_edges()),
        *((a, "<->", b) for a, b in analysis.admg.bidirected_edges()),
    }
    assert set(document["statements"][0]) == {"kind", "first", "second", "probability", "decided_by", "words"}
    assert document["data"]["hash"].startswith("moments-sha256:")


def test_undetermined_numbers_are_null() -> None:
    moments = Moments(np.eye(3), 100, ["A", "B", "C"])
    text = dumps_result(analyse((moments, ADMG.parse("A -> B -> C; A <-> C"))))
    assert "NaN" not in text
    assert "Infinity" not in text
    assert loads_result(text).status == "GIVEN"


Damage = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda d: d.pop("tests"), "lacks 'tests'"),
        (lambda d: d.update(schema="lurking/result@1"), "earlier version"),
        (lambda d: d.update(schema="lurking/result@9"), "lurking/result@2"),
        (lambda d: d["parameters"]["edges"][0].update(edge=["A", "-->", "B"]), "lacks"),
        (lambda d: d.update(graph=3), "graph"),
        (lambda d: d.update(near_optimal=None), "damaged"),
        (lambda d: d["beliefs"].update(causes=[[2.0]]), "beliefs"),
    ],
)
def test_damaged_documents(analysis: Analysis, damage: Damage, words: str) -> None:
    document = json.loads(dumps_result(analysis))
    damage(document)
    with pytest.raises(FormatError, match=words):
        loads_result(json.dumps(document))


@pytest.mark.parametrize("content", [b"{", b"[1]", b"\xff\xfe", None])
def test_files_that_are_no_results(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(FormatError, match=r"r\.json"):
        read_result(path)
    with pytest.raises(FormatError, match=r"r\.json"):
        graph_in_result(path)


def test_the_graph_of_an_earlier_version_can_be_read(analysis: Analysis, tmp_path: Path) -> None:
    document = {"schema": "lurking/result@1", "graph": json.loads(dumps_result(analysis))["graph"]}
    (tmp_path / "old.json").write_text(json.dumps(document), encoding="utf-8")
    assert graph_in_result(tmp_path / "old.json") == analysis.admg


@pytest.fixture(scope="module")
def of_many() -> Analysis:
    """A search of 31 variables, one more than those of which all statements are written."""
    data = simulate_admg(5, 300, random_state=3).data
    rng = np.random.default_rng(0)
    for k in range(26):
        data[f"noise {k}"] = rng.normal(size=len(data))
    knowledge = Knowledge(tiers=((str(data.columns[0]),), ("*",)))
    return analyse(ADMGDiscovery(n_restarts=1, random_state=0, knowledge=knowledge, noise_scale="similar").fit(data))


def test_certain_statements_that_nothing_joins_two_of_many_variables_are_read_from_the_beliefs(
    of_many: Analysis,
) -> None:
    text = dumps_result(of_many)
    document = json.loads(text)
    left_out = document["statements_left_out"]
    assert len(of_many.names) == 31
    assert {by.decided_by for by in of_many.statement_list} == {"data", "knowledge", "assumption"}
    assert left_out["number"] == len(of_many.statement_list) - len(document["statements"]) > 500
    assert not any(
        one["kind"] in left_out["kinds"] and one["probability"] >= left_out["from_probability"]
        for one in document["statements"]
    )
    back = loads_result(text)
    assert back.statement_list == of_many.statement_list
    assert dumps_result(back) == text
    assert report_html(back) == report_html(of_many)


def test_files_with_all_statements_are_read_as_they_were(of_many: Analysis) -> None:
    """Those of earlier versions, which did not say what was left out."""
    document = json.loads(dumps_result(of_many))
    del document["statements_left_out"]
    first = document["statements"][0]
    document["statements"] = [first]
    (read,) = loads_result(json.dumps(document)).statement_list
    assert (read.kind, read.first, read.probability) == (first["kind"], first["first"], first["probability"])
