"""``lurking graph``: answers about a file, without data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.command import one_sentence, run


def write(folder: Path, name: str, text: str) -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


CASE_CONTROL = "Graph Nodes:\nX;Y;Z;[S]\n\nGraph Edges:\n1. X --> Y\n2. Y --> S\n3. Z --> S\n"
FRONT_DOOR = "dag { X [exposure] Y [outcome] U [latent] X -> M -> Y; U -> {X Y} }"


def test_what_an_admg_implies(tmp_path: Path) -> None:
    said = run("graph", write(tmp_path, "verma.txt", "A -> B -> C -> D; B <-> D")).stdout
    assert said.splitlines() == [
        "verma.txt: ADMG, 4 variables, 4 edges",
        "It is bow-free, arid.",
        "It is not ancestral: the path B -> C -> D with B <-> D.",
        "Unmeasured causes join {B, D}.",
        "Independences implied (1)",
        "  A ⊥ C | B",
        "Verma constraints implied (1)",
        "  A ⊥ D in p(A,B,C,D)/p(C|B)",
    ]


def test_a_dagitty_file_says_itself_which_effect_is_meant(tmp_path: Path) -> None:
    path = write(tmp_path, "model.dagitty", FRONT_DOOR)
    said = run("graph", path).stdout
    assert "Not measured, and turned into what it means for the others: U" in said
    assert "The effect of X on Y" in said
    assert "stays open whatever is adjusted for: X <-> Y." in said
    assert "Instruments: none" in said
    assert "p(Y | do(X)) = Σ_M [p(M | X) Σ_X' [p(X') p(Y | X', M)]]" in said
    other = run("graph", path, "--cause", "M", "--effect", "Y").stdout
    assert "The effect of M on Y" in other
    assert "Adjust for X." in other
    backwards = run("graph", path, "--cause", "Y", "--effect", "X").stdout
    assert "It is zero: no directed path leads there." in backwards


def test_formulas_from_experiments(tmp_path: Path) -> None:
    path = write(tmp_path, "graph.txt", 'Z -> X -> Y; Z <-> X; Z <-> Y; "a, b"')
    asked = ("graph", path, "--cause", "X", "--effect", "Y")
    assert "is not identified: {X, Y, Z} and {Y} form a hedge." in run(*asked).stdout
    said = run(*asked, "--experiment", '"a, b"', "--experiment", 'Z,"a, b"').stdout
    assert "p(Y | do(X)) = p(Y | do(Z, a, b), X), whatever Z and a, b" in said
    assert "give --cause and --effect" in one_sentence(run("graph", path, "--experiment", "Z"))
    pag = write(tmp_path, "pag.txt", "A o-> X; B o-> X; X -> Y")
    said = one_sentence(run("graph", pag, "--cause", "X", "--effect", "Y", "--experiment", "A"))
    assert said == "Formulas from experiments are found in an ADMG, not in a PAG."


def test_a_selected_sample(tmp_path: Path) -> None:
    text = "dag { X [exposure] Y [outcome] S [selected] U [latent] X -> {Y S}; U -> {S W}; Z -> {X Y} }"
    path = write(tmp_path, "sample.dagitty", text)
    said = run("graph", path).stdout.splitlines()
    assert said == [
        "sample.dagitty: SelectedADMG, 4 variables, 5 edges",
        "Not measured, and turned into what it means for the others: U",
        "The sample was selected by S; all answers are for it.",
        "A tail, as at both ends of --, is at a cause of the other end or of the selection.",
        "Its MAG: X -> Y; X -> W; X -- Z; Z -> Y",
        "Its PAG: X o-o Y; X o-o W; X o-o Z; Y o-o Z",
        "Independences implied (2)",
        "  Y ⊥ W | X",
        "  W ⊥ Z | X",
        "",
        "The effect of X on Y",
        "Adjust for Z.",
        "Instruments (1)",
        "  W given Z",
        "Given S as in the sample: in a linear model this is the effect in the population; a formula for other models "
        "would need the population itself.",
    ]
    wrong = run("graph", write(tmp_path, "case.tetrad", CASE_CONTROL), "--cause", "X", "--effect", "Y").stdout
    assert "No adjustment is right: the sample was selected by S, which is caused by the effect" in wrong
    assert "Given S as in the sample" not in wrong


def test_the_outcome_itself_may_have_selected_the_sample(tmp_path: Path) -> None:
    said = run("graph", write(tmp_path, "s.dagitty", "dag { X [exposure] Y [outcome,selected,latent] X -> Y }")).stdout
    assert "The effect that the file asks for is not answered, because the sample was selected by Y." in said
    assert "Not measured" not in said


def test_a_selected_sample_in_the_other_commands(tmp_path: Path) -> None:
    path = write(tmp_path, "case.tetrad", CASE_CONTROL)
    data = write(tmp_path, "data.csv", "X,Y,Z\n1,2,3\n2,1,4\n4,4,1\n")
    assert one_sentence(run("check", data, path)).endswith(
        "says that the sample was selected by S, and no model of the population can be fitted to such a sample; "
        "lurking graph case.tetrad lists what it implies."
    )
    assert run("convert", path, "-", "--to", "text", "--project", "mag").stdout == "X -- Y\nY -- Z\n"
    assert "X o-o Y" in run("convert", path, "-", "--to", "text", "--project", "pag").stdout
    assert "cannot hold a graph of kind selected" in one_sentence(run("convert", path, "-", "--to", "dot"))
    assert "has no such projection" in one_sentence(run("convert", path, "-", "--to", "json", "--project", "arid"))
    assert '"selected": ["S"]' in run("convert", path, "-", "--to", "json").stdout
    assert "(selected)" in (run("convert", path, tmp_path / "p.svg"), (tmp_path / "p.svg").read_text())[1]
    assert "The two PAGs are the same." in run("compare", path, path).stdout


def test_covariances_that_a_lavaan_model_frees_are_said(tmp_path: Path) -> None:
    model = "f =~ a + b\ng =~ c + d\ny ~ x + z\n"
    said = run("graph", write(tmp_path, "model.lavaan", model)).stdout
    assert (
        "Read as a model for sem() or cfa(), which free what is not written: f <-> g, x <-> z. A comment that names "
        "lavaan( keeps to what is written."
    ) in said
    assert "Read as a model" not in run("graph", write(tmp_path, "model.lav", "# lavaan(model, d)\n" + model)).stdout
    write(tmp_path, "data.csv", "x,z,y\n" + "".join(f"{i * i % 7},{i % 5},{i * i % 7 + i % 3}\n" for i in range(40)))
    checked = run("check", tmp_path / "data.csv", write(tmp_path, "model.lavaan", "y ~ x + z")).stdout
    assert "which free what is not written: x <-> z." in " ".join(checked.split())


def test_factors_imply_tetrads(tmp_path: Path) -> None:
    said = run("graph", write(tmp_path, "model.lavaan", "f =~ a + b + c + d")).stdout
    assert "Not measured, and turned into what it means for the others: f" in said
    assert "Vanishing tetrads implied by what is not measured (3)" in said
    assert "σ(a,c) σ(b,d) = σ(a,d) σ(b,c)" in said


def test_the_answers_as_json(tmp_path: Path) -> None:
    path = write(tmp_path, "graph.txt", "Z -> X; W -> X; Z -> V -> Y; X -> Y; W -> Y")
    answers = json.loads(run("graph", path, "--cause", "X", "--effect", "Y", "--exclude", "V", "--json").stdout)
    assert answers["kind"] == "ADMG"
    assert answers["effect"]["adjustment set"] == ["W", "Z"]
    assert answers["effect"]["minimal adjustment sets"] == [["W", "Z"]]
    assert answers["effect"]["identified"] is True
    forced = run("graph", path, "--cause", "X", "--effect", "Y", "--include", "V", "--json").stdout
    assert json.loads(forced)["effect"]["adjustment set"] == ["V", "W"]
    impossible = run("graph", path, "--cause", "X", "--effect", "Y", "--exclude", "W").stdout
    assert "No adjustment set holds what is included without what is excluded." in impossible
    both = json.loads(run("graph", path, "--cause", "X", "--cause", "V", "--effect", "Y", "--json").stdout)
    assert both["effect"]["cause"] == ["X", "V"]
    assert "instruments" not in both["effect"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A o-> C; B o-> C; C -> D", ["PAG, 4 variables, 3 edges", "  C -> D", "Adjust for nothing."]),
        (
            "A -> C; B -> C; C -> D; D -- E",
            ["It stands for no graph. All its DAGs have D -> E, but the graph does not."],
        ),
        (
            "C -- D; D -- E",
            ["CPDAG, 3 variables, 2 edges", "Directions left open (2)", "Whether there is one is left open."],
        ),
    ],
)
def test_classes_of_graphs(text: str, expected: list[str], tmp_path: Path) -> None:
    path = write(tmp_path, "graph.txt", text)
    said = run("graph", path).stdout
    if "stands for no graph" not in said:
        said = run("graph", path, "--cause", "C", "--effect", "D").stdout
    for line in expected:
        assert line in said


def test_long_lists_are_cut_unless_all_is_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path, "graph.txt", "; ".join(f"V{i}" for i in range(9)))
    assert "and 16 more; --all shows them" in run("graph", path).stdout
    assert "more; --all" not in run("graph", path, "--all").stdout


def test_an_effect_needs_both_ends_and_names_that_are_there(tmp_path: Path) -> None:
    path = write(tmp_path, "graph.txt", "A -> B")
    result = run("graph", path, "--cause", "A")
    assert result.exit_code == 2
    assert "give --cause and --effect" in one_sentence(result)
    result = run("graph", path, "--cause", "A", "--effect", "Q")
    assert result.exit_code == 1
    assert "'Q'" in one_sentence(result)
    result = run("graph", write(tmp_path, "s.dagitty", "dag { X -> S S [selected] }"), "--cause", "X", "--effect", "S")
    assert result.exit_code == 1
    assert "The sample was selected by 'S'" in one_sentence(result)
