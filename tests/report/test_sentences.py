"""What the sentences say: as firmly as an edge is probable, and what independences leave open."""

from __future__ import annotations

import pytest
from hypothesis import given

from lurking import ADMG
from lurking.discovery import EdgeEstimate, Statement
from lurking.discovery.equivalence import class_agrees
from lurking.graphs import Mark
from lurking.graphs.drawing import printable
from lurking.report.sentences import edge_sentence, fill, open_questions, pag_phrase, plain, statement_phrase
from report_examples import minimal
from strategies import badly_named_admgs


@pytest.mark.parametrize(
    ("probability", "words"),
    [
        (0.97, "A is a cause of B."),
        (0.95, "A is a cause of B."),
        (0.9, "Probably A is a cause of B."),
        (0.79, "It is undecided whether A is a cause of B."),
        (None, "A is a direct cause of B."),
    ],
)
def test_words_follow_the_probability(probability: float | None, words: str) -> None:
    assert plain(edge_sentence(EdgeEstimate("A", "B", "directed", probability=probability))) == words


def test_statements_as_phrases() -> None:
    phrase = statement_phrase(Statement("shares a cause", "A", "B", 0.9, "data"))
    assert plain(phrase) == "Probably A and B share an unmeasured cause."
    assert [text for text, is_name in phrase if is_name] == ["A", "B"]


@given(badly_named_admgs())
def test_names_stay_names(graph: ADMG) -> None:
    for one, other in graph.directed_edges():
        phrase = fill("{one} is a cause of {other}.", one=one, other=other)
        assert [text for text, is_name in phrase if is_name] == [printable(one), printable(other)]


def test_both_ways_of_writing_a_pag_edge() -> None:
    assert pag_phrase("Y", "<-o", "X") == pag_phrase("X", "o->", "Y")


def agreed(text: str) -> dict[str, bool]:
    analysis = minimal(ADMG.parse(text))
    return {f"{e.one} {e.arrow} {e.other}": class_agrees(analysis, e) for e in analysis.edge_estimates}


def test_on_which_edges_all_equivalent_graphs_agree() -> None:
    assert agreed("A -> C <- B; C -> D") == {"A -> C": False, "B -> C": False, "C -> D": True}
    assert agreed("X -> E <-> P <- Y") == {"X -> E": False, "Y -> P": False, "E <-> P": True}
    assert agreed("A -> B -> C -> D; B <-> D")["B <-> D"] is False  # a cause and its effect: no matter of independences


def test_open_questions_are_the_circles_and_what_no_mark_shows() -> None:
    analysis = minimal(ADMG.parse("A -> B -> C -> D; B <-> D"))
    questions = dict(open_questions(analysis))
    circles = sum(1 for pairs in questions.values() for _, arrow, _ in pairs if "o" in arrow)
    marks = analysis.pag.marks
    assert circles == len({frozenset((i, j)) for i, j in zip(*(marks == Mark.CIRCLE).nonzero(), strict=True)})
    assert any("no matter of independences" in words for words in questions)
    assert any("No edge, yet" in words for words in questions)
