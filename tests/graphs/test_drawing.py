"""Pictures, read back from their SVG: every edge once, with the right marks, past all boxes, whatever the names."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lurking import ADMG, PAG, simulate_admg
from lurking._errors import UnknownVertexError
from lurking.graphs.drawing import Picture, admg_strokes, pag_strokes, place, printable
from strategies import admgs, badly_named_admgs, name_lists
from strategies_pag import badly_named_marked_graphs, marked_graphs
from svg_pictures import SVG, check_geometry, read_picture

SIGNALLING = ADMG.parse(
    "PKC -> PKA; PKC -> Jnk; PKC -> P38; PKA -> Raf; Raf -> Mek; Mek -> Erk; Erk -> Akt; PKA -> Akt; Plcg -> PIP3;"
    "PIP3 -> PIP2; Plcg -> PIP2; PKC -> Raf; PKA -> Mek; P38 <-> Jnk; Erk <-> PKA; PKA <-> P38; Plcg <-> PKC;"
    "Raf <-> Akt"
)
HOSTILE = (
    "<script>alert(1)</script>",
    "</script><!--",
    "</svg>",
    "\"quoted\" 'name' & more",
    "]]>",
    "a\x00b\x1b[31m",
    "line\nbreak\u2028two",
    "ضغط الدم",
    "\u202eevil",
    "血圧 🧪",
    "{{ 7 * 7 }}",
    "\ud800 half",
)


def large_graph(n_vertices: int, n_edges: int, seed: int) -> ADMG:
    rng = np.random.default_rng(seed)
    pairs = [(i, j) for j in range(n_vertices) for i in range(j)]
    chosen = rng.choice(len(pairs), n_edges, replace=False)
    directed, bidirected = np.zeros((2, n_vertices, n_vertices), dtype=bool)
    for k, number in enumerate(chosen):
        i, j = pairs[number]
        if k % 3:
            directed[i, j] = True
        else:
            bidirected[i, j] = bidirected[j, i] = True
    return ADMG([f"variable {i}" for i in range(n_vertices)], directed, bidirected)


def expected_admg(graph: ADMG) -> list[tuple[str, str, str]]:
    directed = [(one, "->", other) for one, other in graph.directed_edges()]
    return sorted(directed + [(min(pair), "<->", max(pair)) for pair in graph.bidirected_edges()])


@settings(max_examples=30)
@given(admgs(max_size=6))
def test_every_edge_of_an_admg_is_drawn_once(graph: ADMG) -> None:
    picture = read_picture(graph.to_svg())
    assert sorted(picture.boxes) == sorted(graph.names)
    assert sorted((e.one, e.arrow, e.other) for e in picture.edges) == expected_admg(graph)
    for edge in picture.edges:
        assert edge.dashed == (edge.arrow == "<->") == ("lurking-bidirected" in edge.classes)
        assert edge.marks == (("arrow", "arrow") if edge.dashed else ("tail", "arrow"))
        assert edge.title == (
            f"{edge.one} and {edge.other} share an unmeasured cause."
            if edge.dashed
            else f"{edge.one} is a direct cause of {edge.other}."
        )
    check_geometry(picture)


@settings(max_examples=30)
@given(marked_graphs(max_size=5))
def test_every_edge_of_a_pag_is_drawn_once_with_its_marks(graph: PAG) -> None:
    picture = read_picture(graph.to_svg())
    assert len(picture.edges) == graph.n_edges
    for edge in picture.edges:
        assert edge.marks[0] == graph.mark(edge.other, at=edge.one).name.lower()
        assert edge.marks[1] == graph.mark(edge.one, at=edge.other).name.lower()
        assert ("lurking-open" in edge.classes) == ("circle" in edge.marks) == bool(edge.circles)
    check_geometry(picture)


@pytest.mark.parametrize(
    "graph",
    [
        SIGNALLING,
        ADMG.parse("A -> B; A <-> B"),
        ADMG.parse("A -> B -> C -> D -> E; A -> C; A -> D; A -> E; B -> E; A <-> C; B <-> D; C <-> E"),
        large_graph(40, 50, seed=0),
        large_graph(40, 85, seed=1),
        large_graph(16, 50, seed=2),
    ],
    ids=["signalling", "bow", "all in one column", "40 with 50", "40 with 85", "16 with 50"],
)
def test_strokes_pass_all_boxes(graph: ADMG) -> None:
    check_geometry(read_picture(graph.to_svg()))


def test_a_large_star_is_drawn() -> None:
    n = 30
    directed = np.zeros((n, n), dtype=bool)
    directed[0, 1:] = True
    star = ADMG([f"v{i}" for i in range(n)], directed, np.zeros_like(directed))
    check_geometry(read_picture(star.to_svg()))


def test_the_order_of_the_vertices_does_not_matter() -> None:
    text = SIGNALLING.to_svg()
    rng = np.random.default_rng(0)
    for _ in range(3):
        shuffled = SIGNALLING.subgraph(rng.permutation(SIGNALLING.names).tolist())
        assert shuffled.to_svg() == text
    pag = SIGNALLING.to_pag()
    assert pag.subgraph(sorted(pag.names)).to_svg() == pag.to_svg()


def test_every_order_of_a_small_graph_gives_the_same_picture() -> None:
    graph = ADMG.parse("A -> B -> C; A <-> C; D")
    texts = {graph.subgraph(order).to_svg() for order in permutations(graph.names)}
    assert len(texts) == 1


def test_causes_stand_above_effects() -> None:
    boxes = read_picture(SIGNALLING.to_svg()).boxes
    for cause, effect in SIGNALLING.directed_edges():
        assert boxes[cause].bottom < boxes[effect].top


def test_tiers_stand_below_each_other() -> None:
    graph = ADMG.parse("age; A -> B; C -> D; B <-> D; sex -> D")
    boxes = read_picture(graph.to_svg(tiers={"age": 0, "sex": 0, "A": 1, "B": 1, "C": 2, "D": 2})).boxes
    for upper, lower in ((("age", "sex"), ("A", "B")), (("A", "B"), ("C", "D"))):
        assert max(boxes[name].bottom for name in upper) < min(boxes[name].top for name in lower)
    with pytest.raises(UnknownVertexError, match="did you mean 'age'"):
        graph.to_svg(tiers={"agee": 0})


def test_a_directed_cycle_of_marks_can_be_drawn() -> None:
    picture = read_picture(PAG.parse("A -> B -> C -> A").to_svg())
    assert len(picture.edges) == 3
    check_geometry(picture)


def test_one_placement_serves_several_graphs() -> None:
    pag = SIGNALLING.to_pag()
    mixed = admg_strokes(SIGNALLING.names, SIGNALLING.directed, SIGNALLING.bidirected)
    marked = pag_strokes(pag.names, pag.marks)
    placement = place(SIGNALLING.names, [*mixed, *marked])
    first = read_picture(Picture.of("admg", placement, mixed).svg())
    second = read_picture(Picture.of("pag", placement, marked).svg())
    assert {name: (box.x, box.y) for name, box in first.boxes.items()} == {
        name: (box.x, box.y) for name, box in second.boxes.items()
    }
    check_geometry(first)
    check_geometry(second)


def test_a_picture_explains_itself_to_people_who_do_not_see_it() -> None:
    graph = ADMG.parse("A -> B; B <-> C")
    root = read_picture(graph.to_svg(title="My <graph>")).root
    title, description = (root.find(f"{SVG}{tag}") for tag in ("title", "desc"))
    assert title is not None
    assert description is not None
    assert title.text == "My <graph>"
    assert description.text == "A is a direct cause of B. B and C share an unmeasured cause."
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-labelledby"].split() == [title.attrib["id"], description.attrib["id"]]


def test_ids_are_unique_and_differ_between_graphs() -> None:
    texts = [ADMG.parse("A -> B").to_svg(), ADMG.parse("A <-> B").to_svg(), ADMG.parse("A <-> B").to_pag().to_svg()]
    ids = [element.attrib["id"] for t in texts for element in read_picture(t).root.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids))


def test_colours_follow_the_reader_and_survive_without_a_style_sheet() -> None:
    text = ADMG.parse("A -> B; B <-> C").to_svg()
    assert "prefers-color-scheme: dark" in text
    root = read_picture(text).root
    for element in root.iter():
        if element.tag in (f"{SVG}rect", f"{SVG}text", f"{SVG}polygon"):
            assert element.attrib["fill"].startswith("#")


def test_hostile_names_stay_text() -> None:
    graph = ADMG.from_edges([(HOSTILE[0], name) for name in HOSTILE[1:]], [(HOSTILE[1], HOSTILE[2])])
    text = graph.to_svg()
    picture = read_picture(text)
    allowed = {"svg", "title", "desc", "style", "g", "path", "polygon", "circle", "rect", "text"}
    assert {element.tag.removeprefix(SVG) for element in picture.root.iter()} <= allowed
    assert sorted(picture.boxes) == sorted(map(printable, HOSTILE))
    assert not {"\x00", "\x1b", "\u202e", "\ud800"} & set(text)
    text.encode()


@settings(max_examples=25)
@given(badly_named_admgs(max_size=4), badly_named_marked_graphs(max_size=4))
def test_any_name_gives_well_formed_pictures(graph: ADMG, pag: PAG) -> None:
    for svg, n_edges in ((graph.to_svg(), graph.n_edges), (pag.to_svg(), pag.n_edges)):
        picture = read_picture(svg)
        assert len(picture.edges) == n_edges
        assert "\n" not in "".join(line for label in picture.labels.values() for line in label)


@given(name_lists(1, 6))
def test_printable_names_hide_nothing(names: list[str]) -> None:
    for name in names:
        shown = printable(name)
        assert len(shown) == len(name)
        assert printable(shown) == shown
        assert shown.isprintable() or any(ord(letter) > 0x7F for letter in shown)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=5)
def test_simulated_graphs(seed: int) -> None:
    graph = simulate_admg(10, random_state=seed).admg
    check_geometry(read_picture(graph.to_svg()))


def test_notebooks_show_the_picture_unless_nobody_can_see_it() -> None:
    assert SIGNALLING._repr_html_() == SIGNALLING.to_svg()
    pag = SIGNALLING.to_pag()
    assert pag._repr_html_() == pag.to_svg()
    crowded = np.triu(np.ones((19, 19), dtype=bool), 1)
    graph = ADMG([f"v{i}" for i in range(19)], crowded, np.zeros_like(crowded))
    assert graph._repr_html_() is None
    assert graph.to_pag()._repr_html_() is None


def test_empty_graphs_are_drawn() -> None:
    assert read_picture(ADMG.empty([]).to_svg()).boxes == {}
    picture = read_picture(ADMG.empty([f"v{i}" for i in range(9)]).to_svg())
    assert len(picture.boxes) == 9
    check_geometry(picture)
