"""Every input that cannot be read gets one clear sentence, with the line where it is known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurking import ADMG, CPDAG, PAG
from lurking._errors import FormatError, ParameterError
from lurking.io import FORMATS, dumps, loads
from strategies import NASTY, admgs
from strategies_pag import marked_graphs

TETRAD = "Graph Nodes:\nA;B;C\n\nGraph Edges:\n"

UNREADABLE = [
    # json
    ("json", "{", "at line 1: it is not JSON"),
    ("json", '{"names": ["A"]}', "'schema' must be 'lurking/graph@1', but it is missing"),
    ("json", '{"schema": 1}', "'schema' must be 'lurking/graph@1', but it is 1"),
    ("json", '{"schema": "lurking/result@1"}', "'lurking/result@1', which is not a graph"),
    ("json", '{"schema": "lurking/graph@2", "names": []}', "this lurking reads 'lurking/graph@1'; update lurking"),
    ("json", '{"schema": "lurking/graph", "names": []}', "this lurking reads 'lurking/graph@1'"),
    ("json", "[1, 2]", "a graph is an object with the key 'schema', but this is"),
    ("json", "null", "this is missing"),
    (
        "json",
        '{"schema": "lurking/graph@1", "kind": "dag", "names": []}',
        "admg, cpdag, pag, selected, but it is 'dag'",
    ),
    ("json", '{"schema": "lurking/graph@1", "names": "AB"}', "'names' must be a list of strings"),
    ("json", '{"schema": "lurking/graph@1", "names": [1]}', "'names' must be a list of strings"),
    ("json", '{"schema": "lurking/graph@1", "names": ["A", "A"]}', "Each name may occur once"),
    ("json", '{"schema": "lurking/graph@1", "names": ["A"], "edges": [], "directed": []}', "'directed' is no key"),
    ("json", '{"schema": "lurking/graph@1", "names": ["A"], "directed": {}}', "'directed' must be a list"),
    ("json", '{"schema": "lurking/graph@1", "names": ["A"], "directed": [["A"]]}', r"must be \[name, name\]"),
    (
        "json",
        '{"schema": "lurking/graph@1", "names": ["A"], "directed": [["A", "B"]]}',
        "names 'B', which is not among",
    ),
    ("json", '{"schema": "lurking/graph@1", "names": ["A", "B"], "edges": [["A", "=>", "B"]]}', "is '=>'; write one"),
    ("json", '{"schema": "lurking/graph@1", "schema": "lurking/graph@1"}', "the key 'schema' occurs twice"),
    ("json", "[" * 100_000, "nested too deeply"),
    # text
    ("text", " \n", "it is empty"),
    ("text", "A -> B B", "no arrow between 'B' and 'B'"),
    ("text", "A -> A", "A -> A joins a variable to itself"),
    ("text", "A -> B -> A", "form a cycle, A -> B -> A"),
    ("text", "A o-> B\nC D", "at line 2: after 'C' comes 'D', not an arrow"),
    ("text", "A o-> B\nC o->", "at line 2: nothing follows 'C' o->"),
    ("text", "A o-> B; C->D -> E", "put spaces around the arrow in 'C->D'"),
    ("text", 'A o-> "B', "at line 1: the quote at"),
    ("text", "A o-> B; A -> B", "there are A o-> B and A -> B; keep one"),
    ("text", 'A -> ""', "must be a non-empty string"),
    # dot
    ("dot", "", "it is empty"),
    ("dot", "A -> B", "at line 1: expected graph or digraph and an opening brace, but found 'A'"),
    ("dot", "digraph {\nA -> B", "at line 2: expected }, but found the end of the text"),
    ("dot", "digraph {\nA ->\n}", "at line 3: expected a name, but found '}'"),
    ("dot", "digraph { A } B", "expected the end of the text, but found 'B'"),
    ("dot", "digraph {\n\nA -- B }", "at line 3: the edges of a digraph are written ->"),
    ("dot", "graph { A -> B }", "the edges of a graph are written --"),
    ("dot", "digraph {\nA -> B [dir=none]; B -> C [dir=both] }", "A -- B leaves a direction open if this is a pattern"),
    ("dot", "digraph { A -> B [dir=up] }", "dir must be forward, back, both or none, but it is 'up'"),
    ("dot", "digraph { A -> B [arrowhead=crow] }", "arrowhead=crow is none of the shapes"),
    ("dot", "digraph { A -> B; B -> A }", "form a cycle"),
    ("dot", "digraph ADMG {\nA -> B [dir=both arrowtail=odot] }", "at line 2: A o-> B is not an edge of an ADMG"),
    ("dot", "strict digraph { A -> B; A -> B [dir=both] }", "strict digraph merges the edges between 'A' and 'B'"),
    ("dot", 'digraph { "A }', "the quote at '\"A }' is not closed"),
    ("dot", "digraph { A [label=<b", "the < of '<b' is not closed"),
    ("dot", "digraph { A -> 1a }", "but found '1a }'"),
    ("dot", "digraph { A [color= }", "expected a value, but found '}'"),
    ("dot", "digraph { subgraph A }", "expected { after subgraph"),
    ("dot", 'digraph { "A" + }', "expected a quoted text after"),
    ("dot", "digraph " + "{" * 10_000, "nested more than 50 deep"),
    # dagitty
    ("dagitty", "\n", "it is empty"),
    ("dagitty", "dag { A -> }", "expected a name, but found '}'"),
    ("dagitty", "dag {\nA -> B\nB ~ C }", "at line 3: expected a name, an arrow or a bracket, but found '~ C }'"),
    ("dagitty", "pdag {\nA <-> B }", "at line 2: A <-> B is not an edge of a CPDAG, which has only -> and --"),
    ("dagitty", "dag { A -- B <-> C }", "B <-> C is not an edge of a pattern; read it as kind='pag'"),
    ("dagitty", "pag { S [selected] X -> S <- Y }", "'S' is selected, which a graph of kind pag cannot say"),
    ("dagitty", "dag { S [selected] X -> S; X -- Y }", "line 1: X -- Y is not an edge .* where 'S' is selected"),
    (
        "json",
        '{"schema": "lurking/graph@1", "names": ["X"], "selected": ["S"]}',
        "'selected' has 'S', which is not",
    ),
    ("json", '{"schema": "lurking/graph@1", "names": ["X"], "selected": []}', "kind selected .* and none is"),
    ("json", '{"schema": "lurking/graph@1", "names": ["X"], "selected": "S"}', "'selected' must be a list of strings"),
    ("dagitty", "X E\nY Q\n\nX Y", "at line 2: expected a name and one of E, O, A, U or a number, but found 'Y Q'"),
    ("dagitty", "X E\nY O\n\nX Z", "at line 4: 'Z' is not among the vertices X, Y"),
    ("dagitty", "X E\nY O\nX 1", "'X' is listed twice"),
    ("dagitty", "X E\nY O\n\nX Y\nY X", "form a cycle"),
    ("dagitty", "pag { A -> B A <-> B }", "a pair has one edge in a PAG, but there are A -> B and A <-> B"),
    ("dagitty", "dag { A -> B -> C -> A }", "form a cycle"),
    # tetrad
    ("tetrad", "", "expected a line 'Graph Nodes:', but found nothing"),
    ("tetrad", "A --> B", "expected a line 'Graph Nodes:', but found 'A --> B'"),
    ("tetrad", TETRAD + "1. A --> D", "at line 5: '1. A --> D' does not join two of the variables 'A', 'B', 'C'"),
    ("tetrad", TETRAD + "1. A -> B", "at line 5: expected an edge such as '1. A --> B'"),
    ("tetrad", TETRAD + "1. A --> B nonsense", "does not join two of the variables"),
    ("tetrad", TETRAD + "1. A <-> B\n2. B --- C", "at line 6: B -- C leaves a direction open if"),
    ("tetrad", TETRAD.replace("C", "[C]") + "1. A o-> B\n", "A o-> B is not an edge .* where 'C' is selected"),
    ("tetrad", "Graph Nodes:\nA;A\n", "Each name may occur once"),
    ("tetrad", "Graph Nodes:\nA;B;B dd\n\nGraph Edges:\n1. A --> B dd", 'may mean A -> B or A -> "B dd"; rename'),
    # lavaan
    ("lavaan", "# nothing", "it has no statement"),
    ("lavaan", "Y ~ X\nZ", "at line 2: 'Z' has no operator"),
    ("lavaan", "group: 1\nY ~ X", "'group : 1' opens a block for one of several groups, and a graph is for one"),
    ("lavaan", "level: 1\nY ~ X\nlevel: 2\nY ~ Z", "'level : 1' opens a block for one of several levels"),
    ("lavaan", "Y ~ a*X\na == 0", "at line 2: 'a == 0' is a constraint"),
    ("lavaan", "Y | t1", "is a threshold"),
    ("lavaan", "Y ~ X:Z", "'X : Z' is an interaction"),
    ("lavaan", "Y ~ c(0, 1)*X", "is for several groups"),
    ("lavaan", "Y ~ f(2)*X", r"'f \( 2 \)' is no coefficient"),
    ("lavaan", "Y ~ X +", "a name is missing beside"),
    ("lavaan", "~ X", "a name is missing beside"),
    ("lavaan", "Y ~ X ~ Z", "has two operators"),
    ("lavaan", "Y ~ lung cancer", "'lung cancer' is no name"),
    ("lavaan", "Y ~ X; X ~ Y", "form a cycle"),
    ("lavaan", "Y ~ $X", "expected a name, a number or an operator, but found '\\$X'"),
    ("lavaan", "Y ~ Y", "Y -> Y joins a variable to itself"),
    # pcalg
    ("pcalg", "", "it is empty"),
    ("pcalg", '"A" "B"\n"A" 0 2\n', "has 2 names, so 2 rows must follow, but there are 1"),
    ("pcalg", '"A" "B"\n"A" 0 2\n"B" 4 0\n', "at line 3: expected 'B' and 2 numbers from 0 to 3"),
    ("pcalg", '"A" "B"\n"A" 0 2\n"C" 3 0\n', "at line 3: expected 'B' and 2 numbers"),
    ("pcalg", '"A" "B"\n"A" 0 2\n"B" 0 0\n', "at line 2: the edge between 'A' and 'B' has a mark at one end only"),
    ("pcalg", '"A" "B"\n"A" 0 1\n"B" 1 0\n', r"A and B may be A -- B \(amat.cpdag\) or A o-o B \(amat.pag\)"),
    ("pcalg", '# amat.cpdag\n"A" "B"\n"A" 0 2\n"B" 3 0\n', "has a 2 or 3, but an amat.cpdag holds 0 and 1"),
    # gml
    ("gml", "", "expected one graph"),
    ("gml", "graph [ node [ id 0 ]", r"the \[ of graph is not closed"),
    ("gml", "graph [ ] ]", "closes nothing"),
    ("gml", 'graph [ node [ label "A" ] ]', "a node has no id"),
    ("gml", "graph [ node [ id 0 ] node [ id 0 ] ]", "the id '0' occurs twice"),
    ("gml", "graph [\nnode [ id 0 ]\nedge [ source 0 target 1 ] ]", "at line 3: the target of an edge is '1', which"),
    ("gml", "graph [ node ]", "expected a value of node"),
    ("gml", "graph [ 1 ]", "expected a key such as node"),
    ("gml", "graph [ $ ]", "expected a key, a value or a bracket"),
    (
        "gml",
        "graph [ directed 1 node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] edge [ source 1 target 0 ] ]",
        "0 -> 1 and its reverse are both there",
    ),
    ("pcalg", '"A"\n"A" 1\n', "at line 2: 'A' has an edge to itself"),
    ("pcalg", '"A" "B\n', "is a quote not closed"),
]


@pytest.mark.parametrize(("format", "text", "message"), UNREADABLE)
def test_the_message_says_what_was_expected_and_where(format: str, text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message) as refusal:
        loads(text, format)
    sentence = str(refusal.value)
    assert sentence[0].isupper()
    assert sentence.endswith((".", "?"))
    assert len(sentence) < 400
    assert "\n" not in sentence


def test_every_format_has_a_text_that_it_refuses() -> None:
    assert {format for format, _, _ in UNREADABLE} == set(FORMATS)


@pytest.mark.parametrize("format", FORMATS)
def test_circles_are_no_admg(format: str) -> None:
    if "pag" in FORMATS[format].holds:
        text = dumps(PAG(["A", "B"], [[0, 2], [1, 0]]), format)
        with pytest.raises(FormatError, match="A o-> B is not an edge of an ADMG"):
            loads(text, format, "admg")


@pytest.mark.parametrize("format", [name for name in FORMATS if "admg" in FORMATS[name].holds])
def test_a_bow_is_no_pag(format: str) -> None:
    text = dumps(ADMG.parse("A -> B; A <-> B"), format)
    with pytest.raises(FormatError, match="a pair has one edge in a PAG, but there are A -> B and A <-> B"):
        loads(text, format, "pag")


def test_unknown_words_for_format_kind_and_graph_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"format must be one of json, text, .* Got 'xml' instead"):
        loads("A -> B", "xml")
    with pytest.raises(ParameterError, match=r"kind must be one of admg, cpdag, pag, selected. Got 'dag' instead"):
        loads("A -> B", "text", "dag")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"must be an ADMG, a CPDAG or a PAG. Got str instead"):
        dumps("A -> B", "text")  # type: ignore[arg-type]


WORDS = (
    *("digraph {", "dag {", "pag {", "}", "subgraph", "edge [", "strict", "dir=both", "@->", "@-@", "/*", "<a>"),
    *("Graph Nodes:", "Graph Edges:", "A;B", "1. A --> B", "[A --> B]:0.9;", "Graph Names:", 'written A for "A"'),
    *("~", "~~", "=~", ":=", "0*", "start(", ")", "+", "A", "B", "\n", " ", "{", '{"schema":', '"lurking/graph@1"'),
    *('"names":', "[]", '["A"]', '"A" 0 2', "0"),
)


@pytest.mark.parametrize("format", FORMATS)
@given(pieces=st.lists(st.sampled_from(NASTY + WORDS) | st.text(max_size=3), max_size=12))
def test_no_text_raises_anything_but_format_error(format: str, pieces: list[str]) -> None:
    assert_read_or_refused("".join(pieces), format)
    assert_read_or_refused(" ".join(pieces), format)


@pytest.mark.parametrize("format", FORMATS)
@given(
    graph=admgs(min_size=1, max_size=4) | marked_graphs(min_size=1, max_size=4),
    start=st.floats(0, 1),
    length=st.integers(0, 8),
    put=st.sampled_from((*NASTY, *WORDS, "")),
)
def test_no_damaged_text_raises_anything_but_format_error(
    format: str, graph: ADMG | PAG, start: float, length: int, put: str
) -> None:
    try:
        text = dumps(graph, format)
    except FormatError:
        return
    cut = int(start * len(text))
    assert_read_or_refused(text[:cut] + put + text[cut + length :], format)


def assert_read_or_refused(text: str, format: str) -> None:
    try:
        graph = loads(text, format)
    except FormatError as error:
        assert str(error).endswith((".", "?"))  # noqa: PT017 - the other outcome is as good
    else:
        assert isinstance(graph, ADMG | CPDAG | PAG)
