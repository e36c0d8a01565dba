"""Every registered format gives back the graph that it wrote, whatever the names; what it cannot hold it refuses."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lurking import ADMG, CPDAG, PAG
from lurking._errors import FormatError
from lurking.graphs import SelectedADMG
from lurking.io import FORMATS, Format, dumps, loads, read_graph, write_graph
from lurking.io.marked_edges import Graph, Kind, kind_of, names_of
from lurking.io.registry import FormatModule
from strategies import badly_named_admgs, badly_named_cpdags, badly_named_selected_admgs
from strategies_pag import badly_named_marked_graphs

GRAPHS = (
    badly_named_admgs(min_size=1)
    | badly_named_marked_graphs(min_size=1)
    | badly_named_cpdags(min_size=1)
    | badly_named_selected_admgs()
)
"""Graphs of every kind."""

every_format = pytest.mark.parametrize("entry", FORMATS.values(), ids=FORMATS)


def cannot_write(name: str, format: str) -> bool:
    """Tell whether the documentation of a format says that it has no way to write a name."""
    controls = {chr(i) for i in range(32)} | {"\x7f"}
    match format:
        case "dagitty":
            return name in ("graph", "node") or name[-1] == "\\" or bool(controls & set(name))
        case "pcalg":
            return name[-1] == "\\" or bool(controls & set(name))
        case "dot":
            runs = re.finditer(r"\\+", name)
            odd_ends = [name[run.end() : run.end() + 2] for run in runs if len(run.group()) % 2]
            return "\0" in name or any(end == "" or end[0] in '"\n' or end == "\r\n" for end in odd_ends)
    return False


@every_format
@given(graph=GRAPHS)
@example(graph=ADMG.parse('"smoking 🚬" -> "lung cancer" <-> "\\"asbestos\\""; "it\'s"'))
@example(graph=ADMG.parse("A -> B; A <-> B"))
@example(graph=PAG(["A", "B", "C"], [[0, 2, 0], [3, 0, 2], [0, 2, 0]]))
@example(graph=PAG(["A", "B", "C"], [[0, 2, 3], [3, 0, 2], [2, 3, 0]]))
@example(graph=PAG(["A", "B"], [[0, 3], [3, 0]]))
@example(graph=PAG(["A", "B"], [[0, 1], [1, 0]]))
@example(graph=CPDAG.parse("A -- B; C"))
@example(graph=CPDAG.parse("A -> B"))
@example(graph=SelectedADMG(ADMG.parse("X -> S <- Y"), "S"))
@example(graph=SelectedADMG(ADMG.parse('"[a]" -> "(b)"; "c d" -> "[a]"'), ["[a]", "c d"]))
@example(graph=ADMG.empty(["ends in a backslash\\"]))
@example(graph=ADMG.empty(["two backslashes\\\\", 'backslash and quote\\"', "%"]))
@example(graph=ADMG.empty(["backslash and line end\\\n"]))
@example(graph=ADMG.empty(["graph"]))
@example(graph=PAG(["o\\"], [[0]]))
@example(graph=PAG(["o-o", "-", "o"], [[0, 1, 3], [1, 0, 1], [3, 2, 0]]))
def test_what_is_written_is_read_back(entry: Format, graph: Graph) -> None:
    kind = kind_of(graph)
    if kind not in entry.holds:
        with pytest.raises(FormatError, match=f"{entry.name} cannot hold a graph of kind {kind}"):
            dumps(graph, entry.name)
        return
    impossible = [name for name in names_of(graph) if cannot_write(name, entry.name)]
    if impossible:
        with pytest.raises(FormatError) as refusal:
            dumps(graph, entry.name)
        assert repr(impossible[0]) in str(refusal.value)
        return
    text = dumps(graph, entry.name)
    again = loads(text, entry.name, kind)
    assert again == graph
    assert again.names == graph.names
    assert dumps(again, entry.name) == text
    if entry.states_kind:
        assert loads(text, entry.name) == graph


@every_format
def test_of_a_graph_without_variables_nothing_is_lost(entry: Format) -> None:
    graph = ADMG.empty([]) if "admg" in entry.holds else PAG([], np.zeros((0, 0)))
    if entry.name in ("text", "lavaan", "pcalg"):
        with pytest.raises(FormatError, match="without variables"):
            dumps(graph, entry.name)
    else:
        assert loads(dumps(graph, entry.name), entry.name) == graph


@pytest.mark.parametrize("module", [entry.module for entry in FORMATS.values() if "selected" not in entry.holds])
def test_selection_is_never_left_out(module: FormatModule) -> None:
    with pytest.raises(FormatError, match=r"cannot say that 'S' is selected; use JSON, DAGitty or Tetrad"):
        module.dumps(SelectedADMG(ADMG.parse("X -> S <- Y"), "S"))


@pytest.mark.parametrize(
    ("entry", "kind"),
    [pytest.param(entry, kind, id=f"{entry.name}-{kind}") for entry in FORMATS.values() for kind in entry.holds],
)
def test_a_file_with_the_suffix_of_a_format_is_written_and_read_in_it(
    entry: Format, kind: Kind, tmp_path: Path
) -> None:
    graph = ADMG.parse('A -> "lung cancer"; A <-> "lung cancer"')
    others: dict[Kind, Graph] = {
        "pag": PAG(["A", "lung cancer"], [[0, 2], [1, 0]]),
        "cpdag": CPDAG.parse("A -- B -> C"),
        "selected": SelectedADMG(ADMG.parse("A -> S <-> B"), "S"),
    }
    expected = others.get(kind, graph)
    for suffix in (entry.suffixes[0], entry.suffixes[0].upper()):
        path = tmp_path / f"graph{suffix}"
        write_graph(expected, path)
        assert path.read_text(encoding="utf-8") == dumps(expected, entry.name)
        assert read_graph(path) == expected


@given(graph=badly_named_admgs(min_size=1))
def test_our_text_is_what_the_graph_prints_of_itself(graph: ADMG) -> None:
    assert loads(str(graph), "text") == graph


@given(graph=badly_named_marked_graphs(min_size=1))
def test_our_text_reads_what_a_pag_prints_of_itself(graph: PAG) -> None:
    assert loads(str(graph), "text", "pag") == graph


@given(first=st.sampled_from(sorted(FORMATS)), second=st.sampled_from(sorted(FORMATS)), graph=GRAPHS)
def test_a_graph_survives_a_journey_through_two_formats(first: str, second: str, graph: Graph) -> None:
    kind = kind_of(graph)
    if kind not in FORMATS[first].holds or kind not in FORMATS[second].holds:
        return
    if any(cannot_write(name, format) for name in names_of(graph) for format in (first, second)):
        return
    assert loads(dumps(loads(dumps(graph, first), first, kind), second), second, kind) == graph
