from __future__ import annotations

import re

import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st

from lurking import ADMG
from lurking._errors import FormatError, GraphError, LurkingError
from lurking.graphs.text import parse_edges, quote, write_edges
from strategies import badly_named_admgs, vertex_names


@given(badly_named_admgs())
def test_text_round_trips_whatever_the_names(graph: ADMG) -> None:
    again = ADMG.parse(str(graph))
    assert "\n" not in str(graph)
    assert again == graph
    assert again.names == graph.names


@given(vertex_names())
@example("-")
@example("<")
@example("\\")
@example("\\n")
@example("a\\")
@example('"')
@example("x->y")
@example("a-")
@example(">")
def test_a_quoted_name_reads_as_itself_wherever_it_stands(name: str) -> None:
    assert parse_edges(quote(name)) == ([name], [], [])
    other = name + "2"
    assert parse_edges(f"{quote(name)}->{quote(other)}")[1] == [(name, other)]
    assert parse_edges(f"{quote(name)}<-{quote(other)};{quote(other)}")[1] == [(other, name)]
    assert parse_edges(f"{quote(name)}<->{quote(other)}\n")[2] == [(name, other)]


@given(st.text(alphabet=st.sampled_from(list('AB ->;<"\\\n')), max_size=12) | st.text(max_size=12))
def test_any_text_is_read_or_refused_with_a_reason(text: str) -> None:
    try:
        names, directed, bidirected = parse_edges(text)
    except FormatError as error:  # any other exception fails the test
        event(str(error)[:30])
        return
    again = parse_edges(write_edges(names, directed, bidirected))
    assert (again[0], set(again[1]), set(again[2])) == (names, set(directed), set(bidirected))


def test_spaces_line_ends_and_empty_statements_do_not_matter() -> None:
    expected = ADMG.from_edges([("A", "B"), ("B", "C")], [("B", "C")])
    for text in (
        "A->B->C;B<->C",
        "  A  ->  B ->\tC ;; B <-> C ; ",
        "A -> B\n\nB -> C\nC <-> B\n",
        "C <- B <- A; B<->C",
    ):
        assert ADMG.parse(text) == expected


def test_chains_may_mix_arrows() -> None:
    names, directed, bidirected = parse_edges("A -> B <- C <-> D; E")
    assert names == ["A", "B", "C", "D", "E"]
    assert directed == [("A", "B"), ("C", "B")]
    assert bidirected == [("C", "D")]


def test_plain_names_are_written_without_quotes() -> None:
    for name in ("A", "age_2", "x.1", "p-value", "100%", "o", "Ångström", "血圧", "it's", "a>b"):
        assert quote(name) == name
    for name in ("lung cancer", "a;b", 'a"b', "a->b", "-a", "a-", "a\\b", "a\nb", "a\u00a0b"):
        assert quote(name) != name


def test_the_order_of_the_names_survives() -> None:
    graph = ADMG.parse("A -> B", names=["Z", "B", "A"])
    assert str(graph) == "Z; B; A; A -> B"
    assert ADMG.parse(str(graph)).names == ("Z", "B", "A")
    assert str(ADMG.empty([])) == ""
    assert ADMG.parse("") == ADMG.empty([])


def test_a_repeated_edge_is_one_edge() -> None:
    assert ADMG.parse("A -> B; A -> B; B <- A") == ADMG.parse("A -> B")
    assert ADMG.parse("A <-> B; B <-> A") == ADMG.parse("A <-> B")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A ->", "nothing after 'A' ->; write the second name"),
        ("A -> ; B", "nothing after 'A' ->; write the second name"),
        ("A <->\nB", "nothing after 'A' <->; write the second name"),
        ("-> B", "-> after the start of a statement; write a name between them"),
        ("A; <-> B", "<-> after the start of a statement; write a name between them"),
        ("A -> -> B", "-> after 'A' ->; write a name between them"),
        ("lung cancer -> death", "no arrow between 'lung' and 'cancer'; write ->, <- or <->"),
        ("A o-> B", "no arrow between 'A' and 'o'"),
        ("A -- B", "no arrow between 'A' and '--'"),
        ('A -> "lung cancer', "an unclosed quote at '\"lung cancer'; close it"),
        ('A -> "B\\', "an unclosed quote"),
    ],
)
def test_errors_say_where_and_what_to_do(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=re.escape(message)):
        ADMG.parse(text)


def test_errors_of_graphs_written_as_text() -> None:
    with pytest.raises(GraphError, match="cycle, A -> B -> A"):
        ADMG.parse("A -> B -> A")
    with pytest.raises(GraphError, match="directed edges join A to itself; remove that edge"):
        ADMG.parse("A -> A")
    with pytest.raises(GraphError, match="bidirected edges join A to itself; remove that edge"):
        ADMG.parse("A <-> A")
    with pytest.raises(GraphError, match="non-empty string, but one is ''"):
        ADMG.parse('"" -> A')
    with pytest.raises(LurkingError, match="no variable named 'Dose'; did you mean 'dose'"):
        ADMG.parse("Dose -> outcome", names=["dose", "outcome"])
