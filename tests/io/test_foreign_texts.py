"""Texts as other programs and other people write them, read for what they mean there."""

from __future__ import annotations

from itertools import combinations

import pytest

from lurking import ADMG, CPDAG, PAG
from lurking.graphs import Mark
from lurking.io import dagitty, dot, json, lavaan, pcalg, tetrad, text


def pag(written: str) -> PAG:
    graph = text.loads(written, "pag")
    assert isinstance(graph, PAG)
    return graph


# ------------------------------------------------------------------------------------------------------------- json


def test_json_as_it_is_documented() -> None:
    written = (
        '{"schema": "lurking/graph@1", "names": ["A", "B", "C"], "directed": [["A", "B"]], "bidirected": [["C", "A"]]}'
    )
    assert json.loads(written) == ADMG.parse("A -> B; A <-> C")
    assert json.loads('{"schema": "lurking/graph@1", "names": ["A"]}') == ADMG.empty(["A"])
    marked = '{"schema": "lurking/graph@1", "names": ["A", "B"], "edges": [["B", "<-o", "A"]]}'
    assert json.loads(marked) == pag("A o-> B")


def test_json_says_what_it_is_and_can_be_a_part_of_a_larger_document() -> None:
    graph = ADMG.parse("A -> B; A <-> C")
    document = {"schema": "lurking/result@1", "graph": json.to_document(graph)}
    assert json.from_document(document["graph"]) == graph
    assert json.to_document(graph)["schema"] == "lurking/graph@1"
    assert json.to_document(pag("A o-o B")) == {
        "schema": "lurking/graph@1",
        "kind": "pag",
        "names": ["A", "B"],
        "edges": [["A", "o-o", "B"]],
    }


# ------------------------------------------------------------------------------------------------------------- text


@pytest.mark.parametrize(
    ("written", "edges"),
    [
        ("A o-> B", [("A", "o->", "B")]),
        ("A <-o B", [("B", "o->", "A")]),
        ("A o-o B o-> C", [("A", "o-o", "B"), ("B", "o->", "C")]),
        ("A o-- B", [("B", "--o", "A")]),
        ("A --> B o-o C <-- D", [("A", "->", "B"), ("B", "o-o", "C"), ("D", "->", "C")]),
        ("o o-o o-o", [("o", "o-o", "o-o")]),
        ('"o->" o-> "--"', [("o->", "o->", "--")]),
    ],
)
def test_text_of_pags(written: str, edges: list[tuple[str, str, str]]) -> None:
    graph = text.loads(written)
    assert isinstance(graph, PAG)
    assert sorted(graph.edges()) == sorted(edges)


def test_text_without_circles_is_an_admg_even_if_a_vertex_looks_like_an_arrow() -> None:
    assert text.loads("A->B<->C") == ADMG.from_edges([("A", "B")], [("B", "C")])
    assert text.loads("o-o -> o") == ADMG.from_edges([("o-o", "o")])
    assert text.loads('"A o-> B" -> C') == ADMG.from_edges([("A o-> B", "C")])


# -------------------------------------------------------------------------------------------------------------- dot


def test_dot_groups_chains_defaults_comments_ports_and_labels() -> None:
    written = """
        /* drawn
           by hand */
# 1 "preprocessed.dot"
        digraph "my graph" {
            rankdir=LR; node [shape=box, style="rounded,filled"]
            A [label=<<b>A</b> &rarr;>];  // a comment -> with an arrow
            A -> B:port:n -> {C "D" + "E"} [color=red]
            subgraph cluster_1 { edge [dir=both]; B -> F }
            F -> G [dir=back]
            -1.5 -> A [arrowhead=vee]; 血圧 -> A
        }
    """
    expected = "A -> B -> C; B -> DE; B <-> F; G -> F; -1.5 -> A; 血圧 -> A"
    assert dot.loads(written) == ADMG.parse(expected.replace("-1.5", '"-1.5"'))


def test_dot_of_two_groups_is_every_pair() -> None:
    assert dot.loads("digraph { {A B} -> {C D} }") == ADMG.parse("A -> C; A -> D; B -> C; B -> D")


def test_dot_as_tetrad_and_causal_learn_write_pags() -> None:
    written = """digraph g {
     "A" -> "B" [dir=both, arrowtail=odot, arrowhead=normal];
     "B" -> "C" [arrowtail=none, arrowhead=normal];
     "C" -> "D" [dir=both, arrowtail=odot, arrowhead=odot];
     "D" -> "E" [dir=both, arrowtail=normal, arrowhead=normal];
     "E" -> "F" [dir=both, arrowtail=none, arrowhead=none];
    }"""
    assert dot.loads(written) == pag("A o-> B -> C o-o D <-> E -- F")


def test_dot_of_an_undirected_graph_with_directions() -> None:
    assert dot.loads("graph { A -- B [dir=forward]; A -- C [dir=both] }") == ADMG.parse("A -> B; A <-> C")


def test_dot_shows_names_as_they_are() -> None:
    written = dot.dumps(ADMG.empty([r"a\nb", "%c", 'd"e']))
    assert r'"a\nb" [label="a\\nb"];' in written
    assert '"%c" [label="%c"];' in written
    assert r'"d\"e";' in written


# ---------------------------------------------------------------------------------------------------------- dagitty


def test_dagitty_as_the_web_site_writes_it() -> None:
    written = """dag {
bb="-0.5,-0.5,0.5,0.5"
"lung cancer" [outcome,pos="0.1,0.2"]
smoking [exposure,pos="-0.3,0.1"]
tar [adjusted,pos="0,0"]
u1 [latent,pos="0.4,-0.4"]
smoking -> tar [pos="0.1,0.1"]
tar -> "lung cancer"
u1 -> "lung cancer"
u1 -> smoking
}
"""
    graph = dagitty.loads(written)
    assert graph == ADMG.parse('smoking -> tar -> "lung cancer"; u1 -> smoking; u1 -> "lung cancer"')
    assert isinstance(graph, ADMG)
    assert dagitty.latent_names(written) == ("u1",)
    assert graph.latent_projection(dagitty.latent_names(written)) == ADMG.parse(
        'smoking -> tar -> "lung cancer"; smoking <-> "lung cancer"'
    )


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("dag{A->B<->C}", "A -> B; B <-> C"),
        ("dag { A <- B -> {C D} }", "B -> A; B -> C; B -> D"),
        ("X <- A -> M; A <-> M [beta=.3]", "A -> X; A -> M; A <-> M"),
        ("digraph G { X [u]; X.1 -> Y_2 }", "X; X.1 -> Y_2"),
        ("mag { A <-> B }", "A <-> B"),
        ('dag { subgraph -> edge "a\\"b" }', 'subgraph -> edge; "a\\"b"'),
    ],
)
def test_dagitty_graphs(written: str, expected: str) -> None:
    assert dagitty.loads(written) == ADMG.parse(expected)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("pag { A @-> B @-@ C <-@ D }", "A o-> B; B o-o C; D o-> C"),
        ("pag { A @-- B --@ C }", "A o-- B; B --o C"),
        ("pag { A -> B }", "A -> B"),
        ("mag { A -- B -> C }", "A -- B; B -> C"),
        ("dag { A @-> B }", "A o-> B"),
    ],
)
def test_dagitty_pags(written: str, expected: str) -> None:
    assert dagitty.loads(written) == pag(expected)


# ----------------------------------------------------------------------------------------------------------- tetrad


def test_tetrad_with_flags_bootstraps_and_other_sections() -> None:
    written = """================
Graph Nodes:
X1;X2;X3;X4

Graph Edges:
1. X1 o-> X2 pd nl
2. X2 --> X3 dd pl [X2 --> X3]:0.9800;[X2 o-> X3]:0.0100;[no edge]:0.0100;
3. X3 <-> X4 [edge]:1.0;
4. X4 o-o X1

Ambiguous triples (i.e. list of triples for which there is ambiguous data):
(X1, X2, X3)

Graph Attributes:
BIC: -1234.5
"""
    assert tetrad.loads(written) == pag("X1 o-> X2 -> X3 <-> X4 o-o X1")


def test_tetrad_with_commas_line_breaks_latents_and_spaces_in_names() -> None:
    written = "Graph Nodes:\nlung cancer,age,\n(U 1)\n\nGraph Edges:\n1. (U 1) --> age"
    with pytest.raises(ValueError, match="does not join"):
        tetrad.loads(written)
    written = written.replace("1. (U 1)", "1. U 1") + "\n2. U 1 --> lung cancer nl\n3. age <-- lung cancer\n"
    graph = tetrad.loads(written)
    assert graph == ADMG.parse('"U 1" -> age; "U 1" -> "lung cancer" -> age')
    assert graph.names == ("lung cancer", "age", "U 1")
    assert tetrad.latent_names(written) == ("U 1",)


def test_tetrad_reads_a_bow_and_an_empty_list_of_edges() -> None:
    assert tetrad.loads("Graph Nodes:\nA;B\n\nGraph Edges:\n1. A --> B\n2. A <-> B\n") == ADMG.parse("A -> B; A <-> B")
    assert tetrad.loads("Graph Nodes:\n\nA;B\n\nGraph Edges:\n\nremarks\n") == ADMG.empty(["A", "B"])


def test_tetrad_gets_names_that_it_can_read() -> None:
    written = tetrad.dumps(ADMG.parse('"lung cancer" -> "a;b" -> lung_cancer; "(c)"'))
    assert written.split("\n")[1] == "lung_cancer_1;a_b;lung_cancer;_c_"
    assert 'written lung_cancer_1 for "lung cancer"' in written


# ----------------------------------------------------------------------------------------------------------- lavaan


_JOINED = "; ".join(f"{one} <-> {other}" for one, other in combinations("XZWVU", 2))  # exogenous: sem() frees all


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Y ~ X + Z", "Y; X -> Y; Z -> Y; X <-> Z"),
        ("Y ~ X\nY ~~ X", "Y; X -> Y; X <-> Y"),
        ("Y ~ 1 + X\nX ~ 0*1\nX ~~ X", "Y; X -> Y"),
        (
            "Y ~ a*X + 0*Z + 0.0*W + NA*V + .5*U # b*T\n! a comment",
            "Y; X; Z; W; V; U; X -> Y; V -> Y; U -> Y; " + _JOINED,
        ),
        ("Y ~ start(0.8)*X + equal('b')*Z".replace("'", '"'), "Y; X -> Y; Z -> Y; X <-> Z"),
        ("Y ~\n X +\n Z\n + W; V ~~ W", "Y; X -> Y; Z -> Y; W -> Y; V <-> W; X <-> Z"),
        ("f =~ x1 + x2\nf ~ z\nind := a*b", "f; f -> x1; f -> x2; z -> f"),
        ("A ~~ 0*B\nA ~~ C + D", "A; B; A <-> C; A <-> D"),
        ("é.x ~ x_1", "é.x; x_1 -> é.x"),
    ],
)
def test_lavaan_models(written: str, expected: str) -> None:
    assert lavaan.loads(written) == ADMG.parse(expected)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("lung cancer", "lung.cancer"),
        ("1st", "X1st"),
        (".5", "X.5"),
        ("_x", "X_x"),
        ("%", "X."),
        ("if", "if."),
        ("NA", "NA."),
        ("...", "....",),
        (".x", ".x"),
        ("blood-pressure (mm Hg)", "blood.pressure..mm.Hg."),
        ("größe", "größe"),
    ],
)  # fmt: skip
def test_lavaan_writes_names_as_make_names_of_r_does(name: str, written: str) -> None:
    model = lavaan.dumps(ADMG.from_edges([(name, "effect")]))
    assert f"effect ~ {written}\n" in model
    assert lavaan.loads(model) == ADMG.from_edges([(name, "effect")])


def test_lavaan_keeps_names_apart_that_become_the_same() -> None:
    graph = ADMG.from_edges([("a b", "a.b"), ("a-b", "a.b")])
    model = lavaan.dumps(graph)
    assert "a.b ~ a.b.1 + a.b.2\n" in model
    assert lavaan.loads(model) == graph


# ------------------------------------------------------------------------------------------------------------ pcalg


def test_pcalg_tables_of_write_table_and_write_csv() -> None:
    expected = pag('A o-> "B 1" <-> C')
    assert pcalg.loads('"A" "B 1" "C"\n"A" 0 2 0\n"B 1" 1 0 2\n"C" 0 2 0\n') == expected
    assert pcalg.loads('"","A","B 1","C"\n"A",0,2,0\n"B 1",1,0,2\n"C",0,2,0\n') == expected
    assert pcalg.loads('"A"\t"B 1"\t"C"\r\n0\t2\t0\r\n1\t0\t2\r\n0\t2\t0\r\n') == expected


def test_pcalg_amat_pag_has_the_mark_at_the_column() -> None:
    graph = pag("A o-> B; B -> C; C <-> D")
    amat = pcalg.to_amat_pag(graph)
    a, b, c, d = range(4)
    assert (amat[a, b], amat[b, a]) == (2, 1)
    assert (amat[b, c], amat[c, b]) == (2, 3)
    assert (amat[c, d], amat[d, c]) == (2, 2)
    assert pcalg.from_amat_pag(amat, graph.names) == graph
    amat[0, 1] = Mark.TAIL
    assert graph.mark("A", "B") == Mark.ARROW  # the caller's matrix is his own


def test_pcalg_amat_cpdag_has_the_cause_in_the_column() -> None:
    graph = ADMG.parse("A -> B -> C")
    amat = pcalg.to_amat_cpdag(graph)
    assert amat[1, 0] == amat[2, 1] == 1
    assert amat.sum() == 2
    assert pcalg.from_amat_cpdag(amat, graph.names) == CPDAG.parse("A -> B -> C")
    assert pcalg.from_amat_cpdag(amat, graph.names).to_dag() == graph
    assert pcalg.from_amat_cpdag([[0, 1], [1, 0]], ["A", "B"]) == CPDAG.parse("A -- B")


def test_pcalg_matrices_refuse_what_they_cannot_hold() -> None:
    with pytest.raises(ValueError, match="cannot hold A <-> B; convert the graph by to_pag"):
        pcalg.to_amat_cpdag(ADMG.parse("A <-> B"))
    with pytest.raises(ValueError, match="holds 0 and 1 only"):
        pcalg.from_amat_cpdag([[0, 2], [1, 0]], ["A", "B"])
    with pytest.raises(ValueError, match="must have shape"):
        pcalg.from_amat_cpdag([[0, 1], [1, 0]], ["A"])
    with pytest.raises(ValueError, match="one edge a pair"):
        pcalg.to_amat_pag(ADMG.parse("A -> B"))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="cannot hold the circles"):
        pcalg.to_amat_cpdag(pag("A o-> B"))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="one edge a pair"):
        pcalg.dumps(ADMG.parse("A -> B"))
    with pytest.raises(ValueError, match="lavaan cannot hold a PAG"):
        lavaan.dumps(pag("A o-> B"))
