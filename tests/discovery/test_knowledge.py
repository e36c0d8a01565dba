"""Background knowledge: what it forbids, how it is read, and that every solver obeys it."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from sklearn.base import clone

from lurking import ADMG, ADMGDiscovery, Knowledge, Moments, simulate_admg
from lurking._errors import FormatError, KnowledgeError, ParameterError
from lurking._typing import GRAPH_CLASSES, GraphClass
from lurking.discovery.knowledge_files import read_knowledge
from lurking.graphs.text import quote
from strategies import name_lists

NAMES = ["A", "B", "C", "D"]
MOMENTS = Moments.from_table(simulate_admg(4, 150, random_state=1).data.set_axis(NAMES, axis=1))


def edges_of(names: list[str]) -> st.SearchStrategy[str]:
    pairs = st.sampled_from(list(permutations(names, 2)))
    return st.builds(
        lambda pair, arrow: f"{quote(pair[0])} {arrow} {quote(pair[1])}", pairs, st.sampled_from(["->", "<->"])
    )


@st.composite
def knowledges(draw: DrawFn, names: list[str]) -> Knowledge | None:
    """Random knowledge about some variables; None if it contradicts itself."""
    tier_of = draw(st.lists(st.integers(0, 3), min_size=len(names), max_size=len(names)))
    tiers = [[name for name, tier in zip(names, tier_of, strict=True) if tier == k] for k in range(3)]
    lists = st.lists(edges_of(names), max_size=3)
    groups = st.lists(st.lists(st.sampled_from(names), min_size=2, max_size=3, unique=True), max_size=1)
    try:
        return Knowledge(
            tiers=tuple(map(tuple, tiers)),
            forbidden=tuple(draw(lists)),
            required=tuple(draw(st.lists(edges_of(names), max_size=2))),
            unconfounded=tuple(draw(st.lists(st.sampled_from(names), max_size=1))),
            no_causes_within=tuple(map(tuple, draw(groups))),
            no_edges_within=tuple(map(tuple, draw(groups))),
        )
    except KnowledgeError:
        return None


@pytest.mark.parametrize("solver", ["hybrid", "exact"])
@settings(max_examples=25)
@given(knowledge=knowledges(NAMES), graph_class=st.sampled_from(GRAPH_CLASSES))
def test_every_solver_obeys(solver: str, knowledge: Knowledge | None, graph_class: GraphClass) -> None:
    if knowledge is None:
        return
    model = ADMGDiscovery(graph_class, solver, n_restarts=2, random_state=0, knowledge=knowledge)  # type: ignore[arg-type]
    try:
        knowledge.required_graph(graph_class)
    except KnowledgeError:
        with pytest.raises(KnowledgeError, match=r"No .* graph has all the required edges"):
            model.fit(MOMENTS)
        return
    model.fit(MOMENTS)
    assert knowledge.violations(model.admg_) == ()
    for candidate in model.search_.candidates:
        assert knowledge.violations(candidate.admg) == ()
        assert candidate.admg.witness(graph_class) is None


def test_knowledge_changes_the_answer_only_where_it_speaks() -> None:
    best = ADMGDiscovery(solver="exact", criterion="bic", answer="best")
    free = clone(best).fit(MOMENTS)
    cause, effect = free.admg_.directed_edges()[0]
    without = clone(best).set_params(knowledge=Knowledge(forbidden=(f"{cause} -> {effect}",))).fit(MOMENTS)
    assert (cause, effect) not in without.admg_.directed_edges()
    assert without.bic_ >= free.bic_
    same = clone(best).set_params(knowledge=Knowledge(required=(f"{cause} -> {effect}",))).fit(MOMENTS)
    assert same.bic_ == pytest.approx(free.bic_)


@given(knowledge=knowledges(NAMES), data=st.data())
def test_violations_are_what_the_statements_say(knowledge: Knowledge | None, data: st.DataObject) -> None:
    if knowledge is None:
        return
    kinds = data.draw(st.lists(st.sampled_from(["", "->", "<->"]), min_size=6, max_size=6))
    order = data.draw(st.permutations(NAMES))
    pairs = [(order[i], order[j]) for i in range(4) for j in range(i + 1, 4)]
    directed = {pair for pair, kind in zip(pairs, kinds, strict=True) if kind == "->"}
    bidirected = {frozenset(pair) for pair, kind in zip(pairs, kinds, strict=True) if kind == "<->"}
    tier = {name: k for k, names in enumerate(knowledge.tiers) for name in names}
    present = {f"{a} -> {b}" for a, b in directed} | {f"{a} <-> {b}" for a, b in map(tuple, bidirected)}
    present |= {f"{b} <-> {a}" for a, b in map(tuple, bidirected)}
    obeyed = (
        not any(a in tier and b in tier and tier[a] > tier[b] for a, b in directed)
        and not any(set(pair) & set(knowledge.unconfounded) for pair in bidirected)
        and not any({a, b} <= set(group) for a, b in directed for group in knowledge.no_causes_within)
        and not any({a, b} <= set(group) for a, b in directed for group in knowledge.no_edges_within)
        and not any(pair <= set(group) for pair in bidirected for group in knowledge.no_edges_within)
        and not present & set(knowledge.forbidden)
        and set(knowledge.required) <= present
    )
    graph = ADMG.from_edges(directed, [tuple(pair) for pair in bidirected], names=NAMES)  # type: ignore[misc]
    assert (knowledge.violations(graph) == ()) == obeyed


# ------------------------------------------------------------------------------------------------ contradictions


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (
            {"tiers": [["A"], ["B"]], "required": ["B -> A"]},
            "B -> A is required, but the tiers of B and A exclude it; drop one of the two",
        ),
        ({"unconfounded": ["A"], "required": ["B <-> A"]}, "B <-> A is required, but 'unconfounded' excludes it"),
        ({"forbidden": ["A -> B"], "required": ["A -> B"]}, "A -> B is required, but it is forbidden too"),
        ({"required": ["A -> B", "B -> A"]}, "B -> A is required, but another edge of the same pair"),
        ({"no_edges_within": [["A", "B"]], "required": ["A <-> B"]}, "but a group of 'no_edges_within' excludes it"),
        ({"no_causes_within": [["A", "B"]], "required": ["A -> B"]}, "but a group of 'no_causes_within' excludes it"),
        ({"required": ["A -> B", "B -> C", "C -> A"]}, "form a cycle, .*; drop one of them"),
        ({"tiers": [["A"], ["A"]]}, "A is in two tiers"),
        ({"tiers": ["A", "B"]}, "groups of tiers must be a list of strings. Got 'A' instead"),
        ({"forbidden": "A -> B"}, "forbidden must be a list of strings. Got 'A -> B' instead"),
        ({"forbidden": [3]}, "one of them is 3"),
        ({"forbidden": ["A -> A"]}, "from a variable to itself"),
        ({"forbidden": ["A -> B -> C"]}, "An edge is written like"),
    ],
)
def test_contradictions_are_refused(parts: dict[str, tuple[str, ...]], message: str) -> None:
    with pytest.raises(KnowledgeError, match=message):
        Knowledge(**parts)  # type: ignore[arg-type]


def test_the_same_edge_may_be_required_twice() -> None:
    assert Knowledge(required=("A -> B", "A -> B")).allowed_edges(["A", "B"])[0, 1].tolist() == [0, 1, 0, 0]


def test_unknown_names_are_refused_with_near_matches() -> None:
    table = simulate_admg(3, 50, random_state=0).data.set_axis(["smoking", "tar", "cancer"], axis=1)
    model = ADMGDiscovery(knowledge=Knowledge(tiers=(("smokng",), ("tar",))))
    with pytest.raises(KnowledgeError, match="no variable named 'smokng'; did you mean 'smoking'"):
        model.fit(table)
    with pytest.raises(ParameterError, match="must be a Knowledge or None"):
        ADMGDiscovery(knowledge={"tiers": []}).fit(table)  # type: ignore[arg-type]


def test_required_edges_outside_the_class_are_refused() -> None:
    knowledge = Knowledge(required=("A -> B", "B -> C", "A <-> C"))
    for solver in ("hybrid", "exact"):
        with pytest.raises(KnowledgeError, match="No ancestral graph has all the required edges"):
            ADMGDiscovery("ancestral", solver, knowledge=knowledge).fit(MOMENTS)


# --------------------------------------------------------------------------------------------------------- files


@settings(max_examples=60)
@given(data=st.data(), names=name_lists(2, 4))
def test_toml_round_trip(data: st.DataObject, names: list[str]) -> None:
    knowledge = data.draw(knowledges(names))
    if knowledge:
        assert Knowledge.from_toml(knowledge.to_toml()) == knowledge


def test_toml_file(tmp_path: Path) -> None:
    text = """
    tiers = [["age", "sex"], ["smoking", "tar"], ["cancer"]]
    unconfounded = ["age"]              # no <-> touches it
    forbid  = ["cancer -> smoking", "sex <-> tar"]
    require = ["smoking -> tar"]
    """
    knowledge = Knowledge.from_toml(text)
    assert knowledge.tiers == (("age", "sex"), ("smoking", "tar"), ("cancer",))
    assert knowledge.forbidden == ("cancer -> smoking", "sex <-> tar")
    assert (knowledge.required, knowledge.unconfounded) == (("smoking -> tar",), ("age",))
    path = tmp_path / "known.toml"
    path.write_text(text)
    assert Knowledge.from_toml(path) == Knowledge.from_toml(str(path)) == read_knowledge(path) == knowledge
    assert not Knowledge()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("forbiden = []", "'forbiden', which is not known; did you mean forbidden"),
        ("tiers = 3", "'tiers' of the knowledge must be a list. Got 3"),
        ("tiers = [", "not TOML"),
    ],
)
def test_unreadable_toml(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Knowledge.from_toml(text)


TETRAD = """/knowledge
addtemporal

1* age sex          // who one is
2 smoking,tar
2 "lung cancer"
4 death

forbiddirect
smoking death

requiredirect
smoking\ttar

forbiddengroup
age sex
death tar

requiredgroup
tar
death
"""


def test_tetrad_text(tmp_path: Path) -> None:
    knowledge = Knowledge.from_tetrad(TETRAD)
    assert knowledge.tiers == (("age", "sex"), ("smoking", "tar", "lung cancer"), ("death",))
    assert knowledge.no_edges_within == (("age", "sex"),)
    assert knowledge.required == ("smoking -> tar", "tar -> death")
    expected = ("smoking -> death", "age -> death", "age -> tar", "sex -> death", "sex -> tar")
    assert knowledge.forbidden == expected
    loose = Knowledge.from_tetrad(TETRAD, within="no causes")
    assert (loose.no_causes_within, loose.no_edges_within) == ((("age", "sex"),), ())
    path = tmp_path / "known.txt"
    path.write_text(TETRAD)
    assert read_knowledge(path) == Knowledge.from_tetrad(path) == knowledge
    mask = knowledge.allowed_edges(["age", "sex", "smoking", "tar", "lung cancer", "death"])
    assert mask[0, 1].tolist() == [1, 0, 0, 0]
    assert mask[2, 5].tolist() == [1, 0, 0, 1]  # neither direction, but perhaps an unmeasured cause
    assert mask[2, 4].tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("/knowledge\nsomething\n", "Line 2 .* expected one of addtemporal"),
        ("/knowledge\naddtemporal\nage sex\n", "Line 3 .* begins with its number .*'age'"),
        ("addtemporal\n0 age\n", "Line 2 "),
        ("forbiddirect\nA B C\n", "Line 2 .* found 3 names"),
        ("requiredgroup\nA B\n", "Line 2 .* not followed by a line of effects"),
        ('forbiddirect\n"A B\n', "Line 2 .* quote is not closed"),
    ],
)
def test_unreadable_tetrad_text(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Knowledge.from_tetrad(text)


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be read"):
        read_knowledge(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"tiers = [['\xe9']]")
    with pytest.raises(FormatError, match="UTF-8"):
        read_knowledge(tmp_path / "latin.toml")
    with pytest.raises(ParameterError, match="'no edges' or 'no causes'"):
        Knowledge.from_tetrad(TETRAD, within="nothing")  # type: ignore[arg-type]


def test_mask_does_not_depend_on_the_order_of_the_names() -> None:
    knowledge = Knowledge(tiers=(("A",), ("B",)), forbidden=("C <-> A",), required=("D -> C",))
    one, other = knowledge.allowed_edges(["A", "B", "C", "D"]), knowledge.allowed_edges(["D", "C", "B", "A"])
    back = [0, 2, 1, 3]
    for i in range(4):
        for j in range(i + 1, 4):
            assert np.array_equal(one[i, j], other[3 - j, 3 - i][back])


def test_a_name_with_an_unquoted_space_is_said_to_be_one_in_the_knowledge(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"The knowledge has the edge 'dose -> blood pressure', .* double quotes"):
        Knowledge(required=("dose -> blood pressure",))
    path = tmp_path / "known.toml"
    path.write_text('require = ["dose -> blood pressure"]', encoding="utf-8")
    for read in (read_knowledge, Knowledge.from_toml):
        with pytest.raises(FormatError, match=r"known\.toml: The knowledge has the edge"):
            read(path)
    path.write_text("require = ['dose -> \"blood pressure\"']", encoding="utf-8")
    assert read_knowledge(path).allowed_edges(["dose", "blood pressure"])[0, 1].tolist() == [0, 1, 0, 0]


def test_a_contradiction_in_a_file_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "tiers.txt"
    path.write_text("/knowledge\naddtemporal\n1 A\n2 A\n", encoding="utf-8")
    for read in (read_knowledge, Knowledge.from_tetrad):
        with pytest.raises(KnowledgeError, match=r"tiers\.txt: A is in two tiers"):
            read(path)
