"""Files are found by their suffix, written whole or not at all, and refused with their name."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from lurking import ADMG, PAG
from lurking._errors import FormatError
from lurking.io import FORMATS, format_of, read_graph, write_graph

GRAPH = ADMG.parse("A -> B; B <-> C")


def test_suffixes_are_in_lower_case_and_begin_with_a_dot() -> None:
    for entry in FORMATS.values():
        assert entry.suffixes
        assert entry.holds
        for suffix in entry.suffixes:
            assert suffix == suffix.lower()
            assert suffix.startswith(".")


def test_a_suffix_that_two_formats_share_is_told_apart_by_the_text(tmp_path: Path) -> None:
    shared = [suffix for entry in FORMATS.values() for suffix in entry.suffixes]
    assert {suffix for suffix in shared if shared.count(suffix) > 1} == {".txt"}
    path = tmp_path / "graph.txt"
    write_graph(GRAPH, path)
    assert format_of(path).name == "text"
    assert read_graph(path) == GRAPH
    write_graph(GRAPH, path, format="tetrad")
    assert path.read_text().startswith("Graph Nodes:")
    assert read_graph(path) == GRAPH


def test_the_format_can_be_given(tmp_path: Path) -> None:
    path = tmp_path / "graph.unknown"
    write_graph(GRAPH, path, format="dot")
    assert read_graph(path, format="dot") == GRAPH
    assert read_graph(str(path), "dot") == GRAPH


def test_the_kind_can_be_given(tmp_path: Path) -> None:
    path = tmp_path / "graph.txt"
    pag = PAG(["A", "B"], [[0, 2], [3, 0]])
    write_graph(pag, path)
    assert read_graph(path) == ADMG.parse("A -> B")
    assert read_graph(path, kind="pag") == pag


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("graph.xyz", b"A -> B", "'graph.xyz' has the suffix '.xyz', which tells no format; use one of .json, .txt"),
        ("graph", b"A -> B", "'graph' has no suffix"),
        ("graph.txt", b"", "is empty"),
        ("graph.dot", b" \n\t", "is empty"),
        ("graph.txt", b"A -> B\nB -> \xff", "is not UTF-8 text: line 2 has the byte 0xff"),
        ("graph.dot", b"digraph {", r"graph.dot: The DOT text cannot be read at line 1"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(FormatError, match=message):
        read_graph(path)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"none.dot' cannot be opened .No such file or directory.; check its path"):
        read_graph(tmp_path / "none.dot")
    with pytest.raises(FormatError, match="cannot be opened"):
        read_graph(tmp_path)


def test_a_byte_order_mark_and_windows_line_ends_are_read(tmp_path: Path) -> None:
    for suffix in (".json", ".txt", ".dot", ".dagitty", ".tetrad", ".lavaan"):
        path = tmp_path / f"graph{suffix}"
        write_graph(GRAPH, path)
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
        assert read_graph(path) == GRAPH, suffix


def test_nothing_is_written_if_the_graph_cannot_be(tmp_path: Path) -> None:
    path = tmp_path / "graph.lavaan"
    path.write_text("what was there")
    with pytest.raises(FormatError, match="lavaan cannot hold a graph of kind pag; use one of json"):
        write_graph(PAG(["A", "B"], [[0, 2], [1, 0]]), path)
    with pytest.raises(FormatError, match="which tells no format"):
        write_graph(GRAPH, tmp_path / "graph.xyz")
    with pytest.raises(FormatError, match="cannot be written as UTF-8"):
        write_graph(ADMG.empty(["\ud800"]), tmp_path / "graph.txt")
    assert path.read_text() == "what was there"
    assert [file.name for file in tmp_path.iterdir()] == ["graph.lavaan"]


def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "graph.dot"
    write_graph(GRAPH, path)
    before = path.read_bytes()

    def interrupt(descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_graph(ADMG.parse("A -> B"), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"cannot be written .No such file or directory.; check its path"):
        write_graph(GRAPH, tmp_path / "none" / "graph.dot")


@pytest.mark.skipif(sys.platform == "win32", reason="permissions and links are different there")
def test_permissions_and_links_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "graph.dot"
    link = tmp_path / "link.dot"
    plain = tmp_path / "plain"
    plain.touch()
    write_graph(GRAPH, path)
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    path.chmod(0o600)
    link.symlink_to(path)
    write_graph(ADMG.parse("A -> B"), link)
    assert link.is_symlink()
    assert read_graph(path) == ADMG.parse("A -> B")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
