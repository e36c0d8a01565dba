"""The page as text: complete, escaped, without a door to the network, the same every time."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from lurking import ADMG
from lurking._numbers import percent
from lurking.discovery import dumps_result
from lurking.discovery.columns import EDGE_COLUMNS, Column
from lurking.graphs.drawing import printable
from lurking.report import report_html, report_text
from report_examples import FIVE, HOSTILE, SIGNALLING, full, hostile, large, minimal

Attributes = dict[str, str | None]


class Outline(HTMLParser):
    """Every element of a page with its attributes, and the text inside it."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, Attributes, list[str]]] = []
        self._open: list[list[str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        words: list[str] = []
        self.elements.append((tag, dict(attrs), words))
        if tag not in ("meta", "input", "link", "img"):
            self._open.append(words)

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs), []))

    def handle_data(self, data: str) -> None:
        for words in self._open:
            words.append(data)

    def all(self, tag: str) -> list[tuple[Attributes, str]]:
        return [(attributes, "".join(words)) for name, attributes, words in self.elements if name == tag]


HOSTILE_ANALYSIS = replace(
    full(hostile(), HOSTILE[0]),
    data_name=HOSTILE[1],
    messages=(HOSTILE[3],),
    settings={"solver": "hybrid", HOSTILE[0]: HOSTILE[2]},
    versions={"lurking": HOSTILE[3]},
    data_hash=HOSTILE[9],
)


def test_the_same_analysis_gives_the_same_page() -> None:
    assert report_html(full(FIVE)) == report_html(full(FIVE))


def test_a_page_needs_nothing_else() -> None:
    text = report_html(full(SIGNALLING))
    page = Outline(text)
    tags = {tag for tag, _, _ in page.elements}
    assert not tags & {"link", "img", "iframe", "object", "embed", "base", "form"}
    for _, attributes, _ in page.elements:
        assert not {"src", "srcset", "action", "style", "data", "xlink:href"} & set(attributes)
        assert not any(name.startswith("on") for name in attributes)
        assert (attributes.get("href") or "#").startswith("#")
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    assert not re.search(r"@import|url\(", text)


def test_only_our_script_and_style_may_run() -> None:
    page = Outline(report_html(full(FIVE)))
    (policy,) = [a["content"] or "" for a, _ in page.all("meta") if a.get("http-equiv") == "Content-Security-Policy"]
    directives = dict(part.split(maxsplit=1) for part in policy.split("; "))
    assert directives["default-src"] == "'none'"
    scripts = [(attributes, text) for attributes, text in page.all("script") if "type" not in attributes]
    for (text,), name in (
        ([text for _, text in scripts], "script-src"),
        ([t for _, t in page.all("style")], "style-src"),
    ):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert directives[name] == f"'sha256-{digest}'"


def test_hostile_names_never_become_markup() -> None:
    text = report_html(HOSTILE_ANALYSIS)
    assert "<script>alert" not in text
    assert "<img" not in text
    page = Outline(text)
    plain = Outline(report_html(full(SIGNALLING)))
    assert {tag for tag, _, _ in page.elements} <= {tag for tag, _, _ in plain.elements}
    assert len(page.all("script")) == 2
    assert not any(name.startswith("on") for _, attributes, _ in page.elements for name in attributes)
    assert "49" not in "".join(text for _, text in page.all("bdi"))
    text.encode()


@pytest.mark.parametrize("name", HOSTILE)
def test_every_name_is_shown_as_it_is(name: str) -> None:
    page = Outline(report_html(HOSTILE_ANALYSIS))
    assert printable(name) in {text for _, text in page.all("bdi")}
    assert sum(attributes.get("data-name") == printable(name) for attributes, _ in page.all("g")) == 3


def test_the_data_block_cannot_be_left() -> None:
    text = report_html(HOSTILE_ANALYSIS)
    (block,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, flags=re.DOTALL)
    assert "<" not in block
    data = json.loads(block)
    names = {piece for entry in data["views"]["admg"] for piece, is_name in entry["heading"] if is_name}
    assert names == {printable(name) for name in HOSTILE}


def test_all_parts_are_on_the_page() -> None:
    page = Outline(report_html(full(SIGNALLING, "Signalling")))
    ids = {attributes.get("id") for attributes, _ in page.all("section")}
    assert ids == {
        *("graph", "edges", "adjustment", "statements", "open", "fit", "constraints", "near", "bootstrap", "search"),
        *("knowledge", "findings", "origin", "cite"),
    }
    rows = [text for attributes, text in page.all("tr") if "data-edge" in attributes]
    assert len(rows) == SIGNALLING.n_edges
    assert any("Mek is a cause of Erk." in row for row in rows)
    assert page.all("title")[0][1] == "Signalling"
    for heading in ("Certain", "Probable", "Open", "Apart", "Beware", "Next"):
        assert any(heading in text for tag in ("h2", "dt") for _, text in page.all(tag))


def test_empty_parts_are_left_out() -> None:
    page = Outline(report_html(minimal(ADMG.parse("A -> B"))))
    ids = [attributes.get("id") for attributes, _ in page.all("section")]
    assert ids == ["graph", "edges", "adjustment", "open", "fit", "origin", "cite"]
    assert not [a for a, _ in page.all("input") if a.get("type") == "range"]
    empty = Outline(report_html(minimal(ADMG.empty(["A", "B"]))))
    assert "edges" not in [attributes.get("id") for attributes, _ in empty.all("section")]


def test_a_very_large_graph_is_not_drawn_as_a_whole_and_its_tables_stay() -> None:
    page = Outline(report_html(minimal(large(130))))
    assert {str(a["id"]).split("-")[0] for a, _ in page.all("svg")} == {"around"}
    assert "graph" not in [a.get("id") for a, _ in page.all("section")]
    assert len([a for a, _ in page.all("tr") if "data-edge" in a]) == large(130).n_edges


def test_a_new_column_is_one_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    strength = Column("strength", "Strength", "How strong.", lambda _, edge: abs(edge.standardized or 0.0), percent)
    monkeypatch.setattr("lurking.discovery.columns.EDGE_COLUMNS", [*EDGE_COLUMNS, strength])
    monkeypatch.setattr("lurking.discovery.result_file.EDGE_COLUMNS", [*EDGE_COLUMNS, strength])
    analysis = full(FIVE)
    assert "Strength" in report_html(analysis)
    assert "Strength" in report_text(analysis, full=True)
    assert "strength" in analysis.edges
    assert '"strength"' in dumps_result(analysis)


def test_edges_of_the_table_are_those_of_the_picture() -> None:
    page = Outline(report_html(full(SIGNALLING)))
    drawn = {a["data-edge"]: a for a, _ in page.all("g") if (a.get("id") or "").startswith("admg-edge-")}
    rows = [(a["data-edge"], text) for a, text in page.all("tr") if "data-edge" in a]
    assert len(rows) == len(drawn) == SIGNALLING.n_edges
    for number, text in rows:
        assert {drawn[number]["data-one"], drawn[number]["data-other"]} <= set(re.findall(r"\w+", text.splitlines()[1]))
