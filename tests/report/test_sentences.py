"""What the sentences say, against the marks of the PAG; every graph with three vertices is read."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings

from lurking import ADMG, PAG
from lurking._errors import GraphError
from lurking.graphs import Mark
from lurking.graphs.drawing import printable
from lurking.report import Phrase, open_questions, read_edge, read_edges, read_pag_edge
from strategies import admgs, badly_named_admgs


def reading_of(text: str, one: str, other: str, arrow: str = "->") -> tuple[str, str, str]:
    graph = ADMG.parse(text)
    reading = read_edge(graph, graph.to_pag(), one, "->" if arrow == "->" else "<->", other)
    return str(reading.sentence), reading.standing, str(reading.left_open or "")


def test_a_settled_cause() -> None:
    assert reading_of("A -> C <- B; C -> D", "C", "D") == ("C is a cause of D.", "settled", "")


def test_a_settled_unmeasured_cause() -> None:
    said = "Erk and PKA share an unmeasured cause; neither causes the other."
    assert reading_of("X -> Erk <-> PKA <- Y", "Erk", "PKA", "<->") == (said, "settled", "")


@pytest.mark.parametrize(
    ("text", "one", "other", "arrow"), [("A -> C <- B", "A", "C", "->"), ("A <-> C <- B", "A", "C", "<->")]
)
def test_equivalent_graphs_get_the_same_open_sentence(text: str, one: str, other: str, arrow: str) -> None:
    assert reading_of(text, one, other, arrow) == (
        "A and C are connected, and C does not cause A; the independences do not decide whether A causes C, "
        "something unmeasured causes both, or both.",
        "open",
        "whether A causes C, something unmeasured causes both, or both",
    )


@pytest.mark.parametrize(("text", "arrow"), [("A -> B", "->"), ("A <-> B", "<->")])
def test_an_edge_of_which_everything_is_open(text: str, arrow: str) -> None:
    sentence, standing, left_open = reading_of(text, "A", "B", arrow)
    assert (sentence, standing) == (f"A and B are connected; the independences do not decide {left_open}.", "open")
    assert left_open == "whether A causes B, B causes A, or something unmeasured causes both"


@pytest.mark.parametrize(("one", "other"), [("A", "B"), ("B", "A")])
def test_the_settled_end_is_named_from_both_sides(one: str, other: str) -> None:
    # X -> A makes A's end an arrowhead, B's end stays open.
    sentence, standing, left_open = reading_of("X -> A <-> B", one, other, "<->")
    assert sentence.startswith(f"{one} and {other} are connected, and A does not cause B; ")
    assert standing == "open"
    assert left_open == "whether B causes A, something unmeasured causes both, or both"


@pytest.mark.parametrize(("one", "other"), [("B", "D"), ("D", "B")])
def test_a_cause_that_also_shares_an_unmeasured_one(one: str, other: str) -> None:
    graph = ADMG.parse("A -> B -> C -> D; B <-> D")
    known = PAG.parse("A -> B; A -> D; B -> C; B -> D; C -> D")
    reading = read_edge(graph, graph.to_pag(), one, "<->", other, known)
    assert str(reading.sentence) == (
        "B is a cause of D, by way of C; neither the independences nor the knowledge decide whether something "
        "unmeasured causes both as well."
    )
    assert (reading.standing, str(reading.left_open)) == ("open", "whether something unmeasured causes both as well")


def test_a_cause_that_is_not_settled_itself_is_not_called_one() -> None:
    assert reading_of("A -> B -> C -> D; B <-> D", "B", "D", "<->")[0].startswith("B and D are connected")
    assert reading_of("A -> B; A <-> B", "A", "B", "<->")[2] == reading_of("A -> B; A <-> B", "A", "B")[2]


def test_knowledge_settles_and_is_named_where_it_does_not() -> None:
    graph = ADMG.parse("A -> B; C")
    pag = graph.to_pag()
    assert (
        str(read_edge(graph, pag, "A", "->", "B", PAG.parse("A -> B; C")))
        == "A is a cause of B. (settled by knowledge)"
    )
    half = read_edge(graph, pag, "A", "->", "B", PAG.parse("A o-> B; C"))
    assert (half.standing, half.settled) == ("open", False)
    assert str(half.sentence) == (
        "A and B are connected, and B does not cause A; neither the independences nor the knowledge decide whether "
        "A causes B, something unmeasured causes both, or both."
    )
    settled = ADMG.parse("A -> C <- B; C -> D")
    assert read_edge(settled, settled.to_pag(), "C", "->", "D", settled.to_pag()).standing == "settled"


def test_printing_a_reading_prints_its_sentence() -> None:
    graph = ADMG.parse("A -> C <- B; C -> D")
    assert str(read_edge(graph, graph.to_pag(), "C", "->", "D")) == "C is a cause of D. (settled)"


def test_the_shortest_way_is_named() -> None:
    graph = ADMG.parse("A -> B -> C -> D; A -> E -> D; A <-> D")
    known = PAG.parse("A -> B; B -> C; C -> D; A -> E; E -> D; A -> D")
    said = read_edge(graph, graph.to_pag(), "A", "<->", "D", known).sentence
    assert str(said).startswith("A is a cause of D, by way of E;")


def test_an_edge_that_is_not_there() -> None:
    graph = ADMG.parse("A -> B; C")
    with pytest.raises(GraphError, match="no edge B -> A"):
        read_edge(graph, graph.to_pag(), "B", "->", "A")
    with pytest.raises(GraphError, match="no edge between A and C"):
        read_pag_edge(graph.to_pag(), "A", "C")


def test_an_edge_that_the_pag_does_not_have() -> None:
    graph = ADMG.parse("A -> B; A <-> C")
    nothing = PAG.parse("A; B; C")
    for arrow, other in (("->", "B"), ("<->", "C")):
        reading = read_edge(graph, nothing, "A", "->" if arrow == "->" else "<->", other)
        assert not reading.settled
        assert "but not in its equivalence class" in str(reading.sentence)


def test_marks_of_selection_bias_are_read() -> None:
    graph = ADMG.parse("A -> B")
    reading = read_edge(graph, PAG.parse("A -- B"), "A", "->", "B")
    assert not reading.settled
    assert "selected" in str(read_pag_edge(PAG.parse("A -- B"), "A", "B"))


def test_settled_means_that_every_equivalent_graph_agrees() -> None:
    """On all ADMGs with three vertices: group by independences, and look at what the members share."""
    graphs = list(_all_admgs("ABC"))
    pags = [graph.to_pag() for graph in graphs]
    members: dict[PAG, list[ADMG]] = {}
    for graph, pag in zip(graphs, pags, strict=True):
        members.setdefault(pag, []).append(graph)
    for graph, pag in zip(graphs, pags, strict=True):
        for reading in read_edges(graph, pag):
            if not reading.settled:
                assert reading.left_open is not None
                continue
            for other in members[pag]:
                causes = reading.one in other.ancestors(reading.other)
                if reading.arrow == "->":
                    assert causes
                else:
                    assert not causes
                    assert reading.other not in other.ancestors(reading.one)


def _all_admgs(names: str) -> list[ADMG]:
    pairs = list(combinations(range(len(names)), 2))
    graphs = []
    for kinds in product(["", "->", "<-", "<->", "-> <->", "<- <->"], repeat=len(pairs)):
        directed, bidirected = np.zeros((2, len(names), len(names)), dtype=bool)
        for (i, j), kind in zip(pairs, kinds, strict=True):
            directed[i, j], directed[j, i] = "->" in kind.split(), "<-" in kind.split()
            bidirected[i, j] = bidirected[j, i] = "<->" in kind.split()
        if not _has_cycle(directed):
            graphs.append(ADMG(list(names), directed, bidirected))
    return graphs


def _has_cycle(directed: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> bool:
    power = np.linalg.matrix_power(np.eye(len(directed)) + directed, len(directed))
    return bool((power * directed.T).any())


@settings(max_examples=40)
@given(badly_named_admgs())
def test_names_are_set_apart_and_never_read_as_text(graph: ADMG) -> None:
    for reading in read_edges(graph, graph.to_pag()):
        names = {text for text, is_name in reading.sentence.pieces if is_name}
        assert {printable(reading.one), printable(reading.other)} <= names


def test_braces_in_names_are_not_filled() -> None:
    assert str(Phrase.fill("{one} is a cause of {other}.", one="{other}", other="{0}")) == "{other} is a cause of {0}."


@settings(max_examples=40)
@given(admgs(max_size=5))
def test_questions_are_the_circles(graph: ADMG) -> None:
    pag = graph.to_pag()
    questions = open_questions(graph, pag)
    pairs = [pair for question in questions for pair in question.pairs]
    circled = [edge for edge in pag.edges() if "o" in edge[1]]
    assert [pair for pair in pairs if "o" in pair[1]] == sorted(circled, key=lambda edge: edge[1] == "o-o")
    for a, arrow, b in pairs:
        if arrow == "and":
            assert graph.inducing_path(a, b) is not None
            assert not graph.skeleton[graph.index(a), graph.index(b)]
        if arrow == "<->":
            assert pag.mark(a, at=b) != Mark.ARROW or pag.mark(b, at=a) != Mark.ARROW


def test_nothing_is_open_where_everything_is_settled() -> None:
    graph = ADMG.parse("A <-> B; B <-> C; C <-> D; D <-> A")
    assert open_questions(graph, graph.to_pag()) == ()
