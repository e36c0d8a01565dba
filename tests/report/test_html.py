"""The page as text: complete, escaped, without a door to the network, the same every time."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from lurking import ADMG
from lurking._errors import ParameterError
from lurking.graphs.drawing import printable
from lurking.report import NearOptimalGraph, report_html, write_report
from report_examples import FIVE, HOSTILE, SIGNALLING, full, hostile, minimal

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


HOSTILE_CONTENT = replace(
    full(hostile(), HOSTILE[0]),
    data_name=HOSTILE[1],
    status=HOSTILE[3],
    settings={HOSTILE[0]: HOSTILE[2]},
    versions={"lurking": HOSTILE[3]},
    data_hash=HOSTILE[9],
)


def test_the_same_content_gives_the_same_page() -> None:
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
    text = report_html(HOSTILE_CONTENT)
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
    page = Outline(report_html(HOSTILE_CONTENT))
    assert printable(name) in {text for _, text in page.all("bdi")}
    assert sum(attributes.get("data-name") == printable(name) for attributes, _ in page.all("g")) == 2


def test_the_data_block_cannot_be_left() -> None:
    text = report_html(HOSTILE_CONTENT)
    (block,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, flags=re.DOTALL)
    assert "<" not in block
    data = json.loads(block)
    names = {piece for entry in data["views"]["admg"] for piece, is_name in entry["heading"] if is_name}
    assert names == {printable(name) for name in HOSTILE}


def test_all_parts_are_on_the_page() -> None:
    page = Outline(report_html(full(SIGNALLING, "Signalling")))
    ids = {attributes.get("id") for attributes, _ in page.all("section")}
    assert ids == {
        *("graph", "edges", "open", "fit", "constraints", "near", "bootstrap", "search"),
        *("knowledge", "findings", "origin", "cite"),
    }
    rows = [text for attributes, text in page.all("tr") if "data-edge" in attributes]
    assert len(rows) == SIGNALLING.n_edges
    assert any("PKC and Jnk are connected;" in row and "open" in row for row in rows)
    assert any("Mek is a cause of Erk." in row and "settled" in row for row in rows)
    assert page.all("title")[0][1] == "Signalling"


def test_parts_without_content_are_left_out() -> None:
    page = Outline(report_html(minimal(ADMG.parse("A -> B"))))
    assert [attributes.get("id") for attributes, _ in page.all("section")] == ["graph", "edges", "open"]
    assert not [a for a, _ in page.all("input") if a.get("type") == "range"]
    empty = Outline(report_html(minimal(ADMG.empty(["A", "B"]))))
    assert [attributes.get("id") for attributes, _ in empty.all("section")] == ["graph", "open"]


def test_edges_of_the_table_are_those_of_the_picture() -> None:
    page = Outline(report_html(full(SIGNALLING)))
    drawn = {a["data-edge"]: a for a, _ in page.all("g") if (a.get("id") or "").startswith("admg-edge-")}
    rows = [(a["data-edge"], text) for a, text in page.all("tr") if "data-edge" in a]
    assert len(rows) == len(drawn) == SIGNALLING.n_edges
    for number, text in rows:
        assert {drawn[number]["data-one"], drawn[number]["data-other"]} <= set(re.findall(r"\w+", text.splitlines()[1]))


def test_near_optimal_graphs_say_how_they_differ() -> None:
    best = ADMG.parse("A -> B -> C; C <-> D; D -> A")
    other = ADMG.parse("B -> A; B -> C; B <-> C; A <-> D", names=["D", "C", "B", "A"])
    content = replace(minimal(best), near_optimal=(NearOptimalGraph(other, 2.5, 4), NearOptimalGraph(best, -1e-12, 0)))
    page = Outline(report_html(content))
    changes = [text for a, text in page.all("span") if a.get("class") == "change"]
    assert sorted(changes) == [
        "A → B becomes B → A",
        "B → C becomes B → C and B ↔ C",
        "D → A becomes A ↔ D",
        "drops C ↔ D",
    ]
    assert "the same graph" in report_html(content)
    cells = [text for a, text in page.all("td") if a.get("class") == "number"]
    assert {"+2.5", "0.0"} <= set(cells)


def test_a_report_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "report.html"
    assert write_report(full(FIVE), str(path)) == path
    before = path.read_text(encoding="utf-8")
    assert before == report_html(full(FIVE))

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("lurking.report.html.os.fsync", fail)
    with pytest.raises(ParameterError, match="No space left on device"):
        write_report(minimal(FIVE), path)
    assert path.read_text(encoding="utf-8") == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="nowhere"):
        write_report(minimal(FIVE), tmp_path / "nowhere" / "report.html")
