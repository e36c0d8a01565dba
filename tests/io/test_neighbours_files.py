"""Files in the shapes that neighbours write: each is read for what it means there, or refused in one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lurking import ADMG, CPDAG, PAG
from lurking._errors import FormatError
from lurking.graphs import SelectedADMG
from lurking.io import dagitty, dot, gml, lavaan, loads, pcalg, read_graph, tetrad
from lurking.io.marked_edges import Graph

# ------------------------------------------------------------------------------------- DAGitty, the older language


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("X E\nY O\nM 1\n\nX M\nM Y", "X; Y; M; X -> M; M -> Y"),
        (
            "X E @-1.341,-0.312\nY O @0.823,-0.301\nZ 1 @-0.250,-1.100\n\nX Y\nZ X @-0.8,-0.9 Y @0.4,-0.8\n",
            "X; Y; Z; X -> Y; Z -> X; Z -> Y",
        ),
        (
            "warm_up%20exercises E @0.1,0.2\r\ninjury O\r\nfitness%20level A\r\n\r\n"
            "warm_up%20exercises injury\r\nfitness%20level warm_up%20exercises injury\r\n",
            '"warm_up exercises" -> injury; "fitness level" -> "warm_up exercises"; "fitness level" -> injury',
        ),
        ("A 1\nB 1\nC 1\nD 1\n\nA B C\nB D\nC D\n", "A -> B; A -> C; B -> D; C -> D"),
        ("U U @1,1\nX E @0,0\nY O @2,0\n\n\nU X Y\nX Y", "U; X; Y; U -> X; U -> Y; X -> Y"),
        ("X E\nY O", "X; Y"),
        ("ä%2Cb E @1e-2,-0.5\nY O\n\nä%2Cb Y", '"ä,b" -> Y'),
    ],
)
def test_dagitty_lists(written: str, expected: str) -> None:
    graph = dagitty.loads(written)
    assert graph == ADMG.parse(expected)


def test_dagitty_lists_say_who_is_what() -> None:
    found = dagitty.roles("U U @1,1\nX E @0,0\nY O @2,0\nA A\n\nU X Y\nX Y")
    assert found == {"latent": ("U",), "exposure": ("X",), "outcome": ("Y",), "adjusted": ("A",), "selected": ()}
    assert dagitty.latent_names("U U\nX E\nY O\n\nU X Y") == ("U",)


def test_dagitty_statements_without_arrows_are_no_list() -> None:
    assert dagitty.loads("X; Y; Z") == ADMG.empty(["X", "Y", "Z"])
    assert dagitty.loads('"X E"') == ADMG.empty(["X E"])
    assert dagitty.loads("X") == ADMG.empty(["X"])


# ----------------------------------------------------------------------------------------- DAGitty, open directions


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("pdag { A -- B -- C }", "A -- B -- C"),
        ("pdag { X [exposure] Y [outcome] X -> Y Z -- X Z -> Y }", "X -> Y; Z -- X; Z -> Y"),
        ("pdag { A -> B }", "A -> B"),
        ("graph { A -- B -- C -- A }", "A -- B; B -- C; C -- A"),
        ("dag { A -> {B C} B -- C }", "A -> B; A -> C; B -- C"),
        ('pdag{ V1 [pos="0,1"] V2 [pos="1,0"] V1 -- V2 [pos="0.5,0.5"] }', "V1 -- V2"),
    ],
)
def test_dagitty_patterns(written: str, expected: str) -> None:
    assert dagitty.loads(written) == CPDAG.parse(expected)


@pytest.mark.parametrize(
    ("written", "population", "selected"),
    [
        ("dag { X -> S <- Y S [selected] }", "X -> S <- Y", ["S"]),
        ('dag { S [selected,pos="0,0"] X -> S <- Y }', "X -> S <- Y", ["S"]),
        ("dag{S [s] X->S}", "X -> S", ["S"]),
        ("dag { E [exposure] D [outcome] C [selected] R [selected] E -> D -> {C R} E <-> R }", None, ["C", "R"]),
        ("X E @0,0\nY O @1,0\nS S @0.5,1\n\nX S\nY S", "X; Y; S; X -> S; Y -> S", ["S"]),
        ("mag { X -> S S [selected] }", "X -> S", ["S"]),
    ],
)
def test_dagitty_selected_variables(written: str, population: str | None, selected: list[str]) -> None:
    expected = ADMG.parse(population or "E -> D; D -> C; D -> R; E <-> R")
    graph = dagitty.loads(written)
    assert graph == SelectedADMG(expected, selected)
    assert dagitty.loads(dagitty.dumps(graph)) == graph


def test_dagitty_selection_in_mags() -> None:
    assert dagitty.loads("mag { A -- B -> C }") == PAG.parse("A -- B -> C")
    with pytest.raises(FormatError, match=r"'S' is selected, which a graph of kind pag cannot say"):
        dagitty.loads("pag { A @-> S S [selected] }")
    with pytest.raises(FormatError, match=r"where 'S' is selected other edges have no meaning"):
        dagitty.loads("dag { A -- B -> S S [selected] }")
    with pytest.raises(FormatError, match=r"'S' is selected, which a graph of kind admg cannot say"):
        dagitty.loads("dag { A -> S S [selected] }", kind="admg")
    with pytest.raises(FormatError, match=r"kind selected is one with selected variables, and none is"):
        dagitty.loads("dag { A -> S }", kind="selected")


# ----------------------------------------------------------------------------------------------------------- lavaan

HOLZINGER = """
 visual  =~ x1 + x2 + x3
 textual =~ x4 + x5 + x6
 speed   =~ x7 + x8 + x9
"""
DEMOCRACY = """
  # measurement model
    ind60 =~ x1 + x2 + x3
    dem60 =~ y1 + a*y2 + b*y3 + c*y4
    dem65 =~ y5 + a*y6 + b*y7 + c*y8
  # regressions
    dem60 ~ ind60
    dem65 ~ ind60 + dem60
  # residual correlations
    y1 ~~ y5
    y2 ~~ y4 + y6
    y3 ~~ y7
    y4 ~~ y8
    y6 ~~ y8
"""


@pytest.mark.parametrize(
    ("written", "freed"),
    [
        (HOLZINGER, {"visual textual", "visual speed", "textual speed"}),
        (DEMOCRACY, {"y1 y5", "y2 y4", "y2 y6", "y3 y7", "y4 y8", "y6 y8"}),  # what is written, and no more
        ("y ~ x1 + x2 + x3", {"x1 x2", "x1 x3", "x2 x3"}),
        ("m ~ a*x\ny ~ b*m + c*x\nind := a*b", set()),
        ("y1 ~ x\ny2 ~ x\ny3 ~ y1", {"y2 y3"}),  # y1 predicts something
        ("y1 ~ x\ny2 ~ x\ny1 ~~ 0*y2", set()),
        ("y ~ x1 + x2\nx1 ~~ x1", set()),  # lavaan does not take a variable as given whose variance it must estimate
        ("i =~ 1*t1 + 1*t2 + 1*t3\ns =~ 0*t1 + 1*t2 + 2*t3\ni ~ x1 + x2\ns ~ x1 + x2", {"i s", "x1 x2"}),
        ("g =~ f1 + f2\nf1 =~ a + b\nf2 =~ c + d", set()),  # factors that are indicators are not exogenous
        ("f =~ a + b\nf ~ x\ny ~ f", set()),
        ("f =~ a + b\ng =~ c + d\nf ~ x\ng ~ x", {"f g"}),
    ],
)
def test_lavaan_frees_what_sem_and_cfa_free(written: str, freed: set[str]) -> None:
    graph = lavaan.loads(written)
    assert isinstance(graph, ADMG)
    assert {" ".join(pair) for pair in graph.bidirected_edges()} == {
        pair if pair in {" ".join(p) for p in graph.bidirected_edges()} else " ".join(pair.split()[::-1])
        for pair in freed
    }
    assert lavaan.loads(written, function="cfa") == graph
    assert lavaan.loads(f"# lavaan(model, data)\n{written}") == lavaan.loads(written, function="lavaan")


@pytest.mark.parametrize(
    ("written", "function", "degrees_of_freedom"),
    [(HOLZINGER, "sem", 24), (HOLZINGER, "cfa", 24), (HOLZINGER, "lavaan", 27), (DEMOCRACY, "sem", 35)],
)
def test_lavaan_models_have_the_degrees_of_freedom_that_lavaan_reports(
    written: str, function: lavaan.Function, degrees_of_freedom: int
) -> None:
    """Those of lavaan's tutorial (without the labels that make loadings equal): moments minus the model's dimension."""
    graph = lavaan.loads(written, function=function)
    assert isinstance(graph, ADMG)
    measured = [i for i, name in enumerate(graph.names) if name not in lavaan.latent_names(written)]
    moments = np.tril_indices(len(measured))
    assert len(moments[0]) - _dimension(graph, measured) == degrees_of_freedom


def _dimension(graph: ADMG, measured: list[int]) -> int:
    """Return the rank of the derivative of the measured covariances by all parameters, at a random point."""
    generator = np.random.default_rng(0)
    d = len(graph)
    omega = np.diag(generator.uniform(1.0, 2.0, d))
    coef = graph.directed * generator.uniform(0.5, 1.5, (d, d))
    upper = np.triu(graph.bidirected) * generator.uniform(0.05, 0.1, (d, d))
    omega = omega + upper + upper.T
    paths = np.linalg.inv(np.eye(d) - coef)
    cov = paths.T @ omega @ paths
    columns = []
    for i, j in np.argwhere(graph.directed).tolist():
        change = np.outer(cov[:, i], paths[j])
        columns.append(change + change.T)
    for i, j in np.argwhere(np.triu(graph.bidirected | np.eye(d, dtype=bool))).tolist():
        change = np.outer(paths[i], paths[j])
        columns.append(change + change.T)
    rows = [column[np.ix_(measured, measured)][np.tril_indices(len(measured))] for column in columns]
    return int(np.linalg.matrix_rank(np.array(rows), tol=1e-9))


def test_lavaan_reads_only_what_is_written_for_the_function_lavaan() -> None:
    alone = lavaan.loads(HOLZINGER, function="lavaan")
    assert isinstance(alone, ADMG)
    assert not alone.bidirected.any()
    graph = ADMG.parse("X -> Y; Z -> Y; Z -> W")
    assert lavaan.loads(lavaan.dumps(graph)) == graph


# -------------------------------------------------------------------------------------------------------------- DOT


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (
            "digraph {\ndpi=200.0;\nfontsize=18;\n0 [label=X1];\n1 [label=X2];\n2 [label=X3];\n"
            "0 -> 1  [arrowhead=normal, arrowtail=none, dir=both];\n"
            "2 -> 1  [arrowhead=normal, arrowtail=none, dir=both];\n}\n",
            ADMG.parse("X1 -> X2; X3 -> X2"),
        ),
        (
            'digraph "fci" {\nfontsize=18;\n0 [label="blood pressure"];\n1 [label=salt];\n'
            "1 -> 0  [arrowhead=normal, arrowtail=odot, dir=both];\n}\n",
            PAG.parse('"blood pressure" <-o salt'),
        ),
        (
            "digraph {\n0 [label=A, style=filled, fillcolor=lightblue];\n1 [label=B];\n2 [label=C];\n"
            "0 -> 1  [arrowhead=none, arrowtail=none, dir=both];\n"
            "1 -> 2  [arrowhead=none, arrowtail=none, dir=both];\n}\n",
            CPDAG.parse("A -- B -- C"),
        ),
        ("digraph { 0 [label=A]; 1 [label=B]; 0 -> 1 [dir=both, arrowtail=normal] }", ADMG.parse("A <-> B")),
        ("digraph { 0; 1 [label=B]; 0 -> 1 }", ADMG.from_edges([("0", "1")])),  # not every vertex has a label
        ("digraph { a [label=A]; b [label=B]; a -> b }", ADMG.parse("a -> b")),
        ("graph { A -- B -- C }", CPDAG.parse("A -- B -- C")),
    ],
)
def test_dot_of_causal_learn_and_undirected_dot(written: str, expected: Graph) -> None:
    assert dot.loads(written) == expected


def test_dot_with_the_same_label_twice_is_refused() -> None:
    with pytest.raises(FormatError, match="Each name may occur once"):
        dot.loads("digraph { 0 [label=A]; 1 [label=A] }")


# ----------------------------------------------------------------------------------------------------------- Tetrad


@pytest.mark.parametrize(
    ("nodes", "edges", "expected"),
    [
        ("X1 X2 X3", "1. X1 --> X2\n2. X2 --> X3", ADMG.parse("X1 -> X2 -> X3")),
        ("X1\tX2  X3", "1. X1 <-> X2", ADMG.parse("X1 <-> X2; X3")),
        ("X1 X2\nX3 X4", "1. X1 --> X4", ADMG.parse("X1; X2; X3; X4; X1 -> X4")),
        ("X1;X2;X3", "1. X1 --- X2\n2. X2 --- X3", CPDAG.parse("X1 -- X2 -- X3")),
        ("X1,X2,X3", "1. X1 --> X2\n2. X3 --- X1", CPDAG.parse("X1 -> X2; X3 -- X1")),
        ("A B C", "1. A o-> B\n2. B --- C", PAG.parse("A o-> B -- C")),
        ("A B C", "", ADMG.empty(["A", "B", "C"])),
        ("lung cancer\nage", "1. age --> lung cancer", ADMG.parse('"lung cancer" <- age')),
    ],
)
def test_tetrad_names_between_spaces_and_patterns(nodes: str, edges: str, expected: Graph) -> None:
    assert tetrad.loads(f"Graph Nodes:\n{nodes}\n\nGraph Edges:\n{edges}\n") == expected


@pytest.mark.parametrize("nodes", ["X Y [S]", "X;Y;[S]", "X,[S],Y", "[S];(X);Y"])
def test_tetrad_selected_variables(nodes: str) -> None:
    written = f"Graph Nodes:\n{nodes}\n\nGraph Edges:\n1. X --> S\n2. Y --> S\n"
    graph = tetrad.loads(written)
    assert graph == SelectedADMG(ADMG.parse("X -> S <- Y"), "S")
    assert tetrad.loads(tetrad.dumps(graph)) == graph
    assert tetrad.latent_names(written) == (("X",) if "(X)" in nodes else ())


# -------------------------------------------------------------------------------------------------------------- GML


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (
            'graph [\n  directed 1\n  node [\n    id 0\n    label "a b"\n  ]\n  node [\n    id 1\n'
            '    label "&#233;&#34;"\n  ]\n  edge [\n    source 0\n    target 1\n  ]\n]\n',
            ADMG.from_edges([("a b", 'é"')]),
        ),
        (
            'graph[directed 1 node[ id "v0" label "v0"]node[ id "y" label "y"]edge[source "v0" target "y"]]',
            ADMG.parse("v0 -> y"),
        ),
        (
            'Creator "igraph version 0.10.4"\nVersion 1\ngraph\n[\n  directed 1\n  node\n  [\n    id 0\n    name "A"\n'
            '    label "A"\n  ]\n  node\n  [\n    id 1\n    label "B"\n  ]\n  edge\n  [\n    source 1\n'
            "    target 0\n  ]\n]",
            ADMG.parse("A <- B"),
        ),
        ("graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 weight 0.5 ] ]", CPDAG.parse("1 -- 2")),
        (
            'graph [\n  directed 1\n  multigraph 1\n  node [ id 0 label "X" graphics [ x 1.0 y -2.5E-3 fill "#FF" ] ]\n'
            '  node [ id 1 label "Y" ]\n  edge [ source 0 target 1 key 0 ]\n]',
            ADMG.parse("X -> Y"),
        ),
        (
            'graph [ directed 1 node [ id 0 label "X" ] node [ id 1 label "Y" ] '
            'edge [ source 0 target 1 ] edge [ source 0 target 1 arrow "<->" ] ]',
            ADMG.parse("X -> Y; X <-> Y"),
        ),
    ],
)
def test_gml_graphs(written: str, expected: Graph) -> None:
    assert gml.loads(written) == expected


def test_gml_of_networkx() -> None:
    networkx: Any = pytest.importorskip("networkx")
    graph = networkx.DiGraph([("lung cancer", "é"), ("é", "<&>")])
    assert gml.loads("\n".join(networkx.generate_gml(graph))) == ADMG.from_edges(graph.edges)
    ours = gml.dumps(ADMG.from_edges([("lung cancer", "é"), ("é", '<&">')]))
    assert list(networkx.parse_gml(ours).edges) == [("lung cancer", "é"), ("é", '<&">')]


def test_gml_of_dowhy_keeps_what_is_not_observed() -> None:
    written = (
        'graph[directed 1 node[id "X" label "X"] node[id "U" label "Unobserved" observed "no"] node[id "Y" label "Y"]'
        'edge[source "U" target "X"] edge[source "U" target "Y"] edge[source "X" target "Y"]]'
    )
    graph = gml.loads(written)
    assert isinstance(graph, ADMG)
    assert gml.latent_names(written) == ("Unobserved",)
    assert graph.latent_projection(gml.latent_names(written)) == ADMG.parse("X -> Y; X <-> Y")


# ------------------------------------------------------------------------------------------------------------ pcalg


@pytest.mark.parametrize(
    ("written", "kind", "names", "expected"),
    [
        ('"A" "B" "C"\n"A" 0 0 0\n"B" 1 0 1\n"C" 0 1 0\n', None, None, CPDAG.parse("A -> B -- C")),
        ('"","A","B"\n"A",0,1\n"B",0,0\n', None, None, CPDAG.parse("A; B -> A")),
        ('"A" "B"\n"A" 0 1\n"B" 1 0\n', "cpdag", None, CPDAG.parse("A -- B")),
        ('"A" "B"\n"A" 0 1\n"B" 1 0\n', "pag", None, PAG.parse("A o-o B")),
        ('# amat.cpdag\n"A" "B"\n"A" 0 1\n"B" 1 0\n', None, None, CPDAG.parse("A -- B")),
        ("0 2 0\n1 0 2\n0 2 0\n", None, ["A", "B 1", "C"], PAG.parse('A o-> "B 1" <-> C')),
        ("0,0\n1,0\n", None, ["A", "B"], CPDAG.parse("A -> B")),
        ('"A" "B"\n"A" 0 0\n"B" 0 0\n', None, None, PAG.parse("A; B")),
    ],
)
def test_pcalg_matrices(written: str, kind: Any, names: list[str] | None, expected: Graph) -> None:
    assert pcalg.loads(written, kind, names) == expected


def test_a_matrix_without_names_asks_for_them(tmp_path: Any) -> None:
    assert loads("0 2\n3 0\n", "pcalg", names=["A", "B"]) == PAG.parse("A -> B")
    (tmp_path / "graph.amat").write_text("0 2\n3 0\n")
    assert read_graph(tmp_path / "graph.amat", names=["A", "B"]) == PAG.parse("A -> B")
    with pytest.raises(FormatError, match=r"has no names; give them as names=\[\.\.\.\]"):
        loads("0 2\n3 0\n", "pcalg")
    with pytest.raises(FormatError, match="there are 3 names, so 3 rows must follow, but there are 2"):
        loads("0 2\n3 0\n", "pcalg", names=["A", "B", "C"])
    with pytest.raises(FormatError, match=r"format text has names of its own; leave names=\.\.\. out"):
        loads("A -> B", "text", names=["A", "B"])
