"""The steps behind a picture: rows, order in the rows, distances, curves, labels."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.isotonic import isotonic_regression

from lurking.graphs.drawing.coordinates import BEND_GAP, FLAT_GAP, VERTEX_GAP, horizontal_positions, in_order
from lurking.graphs.drawing.curves import arc, chain, depth_outside, leaves_box, piece_of, points_on, smooth, straight
from lurking.graphs.drawing.labels import MAX_LINE, Label, text_width
from lurking.graphs.drawing.layering import layers
from lurking.graphs.drawing.ordering import LayeredGraph, arrange
from lurking.graphs.drawing.placement import Box
from lurking.graphs.drawing.strokes import natural_key

Pairs = list[tuple[int, int]]

ACYCLIC_PAIRS = st.lists(st.tuples(st.integers(0, 6), st.integers(1, 7)).filter(lambda p: p[0] < p[1]), max_size=14)


def row_of(rows: Sequence[Sequence[int]]) -> dict[int, int]:
    return {v: r for r, row in enumerate(rows) for v in row}


# ------------------------------------------------------------------------------------------------------- rows


@given(ACYCLIC_PAIRS, ACYCLIC_PAIRS)
def test_rows_put_causes_above_effects(down: Pairs, beside: Pairs) -> None:
    rows = layers(8, down, beside)
    home = row_of(rows)
    assert sorted(home) == list(range(8))
    assert all(home[u] < home[v] for u, v in down)
    assert all(rows)


def test_strokes_are_short() -> None:
    # By longest path, 3 would stand in the first row, two above its only effect.
    assert layers(4, [(0, 1), (1, 2), (3, 2)], []) == [[0], [1, 3], [2]]
    # A bidirected stroke pulls 3, which has no other, to the row of 2.
    assert layers(4, [(0, 1), (1, 2)], [(2, 3)]) == [[0], [1], [2, 3]]


def test_wide_rows_are_split_with_causes_below() -> None:
    rows = layers(7, [(v, 6) for v in range(6)], [], widest=4)
    assert [len(row) for row in rows] == [3, 3, 1]
    effects_and_causes = layers(9, [(0, v) for v in range(1, 6)] + [(5, 8), (6, 8), (7, 8)], [], widest=5)
    assert max(map(len, effects_and_causes)) <= 5


def test_cycles_ask_for_nothing() -> None:
    home = row_of(layers(3, [(0, 1), (1, 2), (2, 0)], []))
    assert home[0] < home[1] < home[2]


def test_tiers_overrule_strokes() -> None:
    home = row_of(layers(3, [(0, 1), (1, 2)], [], tiers={0: 5, 1: 0, 2: 2}))
    assert home[1] < home[2] < home[0]


def test_vertices_without_a_tier_stand_where_their_strokes_put_them() -> None:
    home = row_of(layers(4, [(0, 1), (1, 2), (2, 3)], [], tiers={0: 1, 2: 2}))
    assert home[0] < home[1] < home[2] < home[3]


# ------------------------------------------------------------------------------------------------------ order


def crossings_by_definition(graph: LayeredGraph) -> float:
    total = 0.0
    for r in range(len(graph.rows) - 1):
        upper, lower = ({v: p for p, v in enumerate(row)} for row in graph.rows[r : r + 2])
        for (a, b), (c, d) in combinations(graph.links[r], 2):
            total += (upper[a] - upper[c]) * (lower[b] - lower[d]) < 0
    for row, flat in zip(graph.rows, graph.flat, strict=True):
        for a, b in flat:
            first, last = sorted((row.index(a), row.index(b)))
            total += sum(1.5 if v < graph.n_vertices else 0.6 for v in row[first + 1 : last])
    return total


@given(ACYCLIC_PAIRS)
def test_cost_is_that_of_the_definition(pairs: Pairs) -> None:
    graph = LayeredGraph.of([[0, 3], [1, 4, 6], [2, 5, 7]], pairs)
    assert graph.cost() == pytest.approx(crossings_by_definition(graph))
    before = graph.cost()
    arrange(graph)
    assert graph.cost() == pytest.approx(crossings_by_definition(graph))
    assert graph.cost() <= before


@settings(max_examples=30)
@given(ACYCLIC_PAIRS)
def test_order_is_nearly_the_best_of_all(pairs: Pairs) -> None:
    rows = [[0, 1, 2], [3, 4, 5], [6, 7]]
    short = [(u, v) for u, v in pairs if not (u < 3 and v > 5)]  # no bends, so that all orders can be listed
    graph = LayeredGraph.of(rows, short)
    arrange(graph)
    found = graph.cost()
    costs = []
    for order in product(*map(permutations, rows)):
        graph.rows = [list(row) for row in order]
        costs.append(graph.cost())
    assert min(costs) <= found <= min(costs) + 1


def test_long_strokes_get_a_bend_in_every_row_that_they_pass() -> None:
    graph = LayeredGraph.of([[0], [1], [2], [3]], [(3, 0), (0, 1), (1, 2), (2, 3)])
    assert graph.bends == {(0, 1): [], (0, 3): [4, 5], (1, 2): [], (2, 3): []}
    assert graph.rows == [[0], [1, 4], [2, 5], [3]]


# -------------------------------------------------------------------------------------------------- distances


@given(st.lists(st.tuples(st.floats(-100, 100), st.floats(0.01, 10)), min_size=1, max_size=12))
def test_in_order_is_isotonic_regression(items: list[tuple[float, float]]) -> None:
    wanted, weights = map(list, zip(*items, strict=True))
    expected = isotonic_regression(np.array(wanted), sample_weight=np.array(weights))
    np.testing.assert_allclose(in_order(wanted, weights), expected, atol=1e-9)


@given(ACYCLIC_PAIRS)
def test_neighbours_keep_their_distance(pairs: Pairs) -> None:
    graph = LayeredGraph.of([[0, 3], [1, 4, 6], [2, 5, 7]], pairs)
    arrange(graph)
    widths = [40.0 + 10 * v for v in range(8)]
    x = horizontal_positions(graph, widths)
    size = [*widths, *[0.0] * (len(x) - 8)]
    assert min(place - half / 2 for place, half in zip(x, size, strict=True)) == pytest.approx(0)
    for row, flat in zip(graph.rows, graph.flat, strict=True):
        for u, v in pairwise(row):
            gap = BEND_GAP if max(u, v) >= 8 else FLAT_GAP if tuple(sorted((u, v))) in flat else VERTEX_GAP
            assert x[v] - x[u] >= (size[u] + size[v]) / 2 + gap - 1e-9


def test_a_chain_is_straight() -> None:
    graph = LayeredGraph.of([[0, 1], [2], [3]], [(0, 2), (1, 2), (2, 3)])
    x = horizontal_positions(graph, [50.0] * 4)
    assert x[2] == pytest.approx((x[0] + x[1]) / 2, abs=0.1)
    assert x[3] == pytest.approx(x[2], abs=0.1)


# ----------------------------------------------------------------------------------------------------- curves

BOX = Box(0.0, 0.0, 80.0, 34.0, -17.0, 17.0, 50.0)


@given(st.floats(0, 1.9), st.floats(0.05, 1.0))
def test_a_piece_of_a_curve_lies_on_it(start: float, length: float) -> None:
    curve = smooth([(0, 0), (40, 90), (10, 200)])
    end = min(start + length, 2.0)
    piece = piece_of(curve, start, end)
    ends = points_on(curve, [start, end])
    np.testing.assert_allclose([piece[0, 0], piece[-1, -1]], ends, atol=1e-9)
    dense = points_on(curve, np.linspace(0, 2, 2001))
    middle = points_on(piece, [len(piece) / 2])[0]
    assert np.hypot(*(dense - middle).T).min() < 0.2


@given(st.floats(0, 2 * np.pi), st.floats(0, 20))
def test_where_a_curve_leaves_a_box(angle: float, distance: float) -> None:
    target = (300 * np.cos(angle), 300 * np.sin(angle))
    curve = arc((0, 0), target, 25.0)
    point = points_on(curve, [leaves_box(curve, BOX, distance)])
    assert depth_outside(point, BOX)[0] == pytest.approx(distance, abs=0.01)
    back = arc(target, (0, 0), 25.0)
    point = points_on(back, [leaves_box(back, BOX, distance, backwards=True)])
    assert depth_outside(point, BOX)[0] == pytest.approx(distance, abs=0.01)


def test_the_distance_from_a_box_knows_its_round_corners() -> None:
    points = np.array([[0.0, 0.0], [40.0, 0.0], [50.0, 0.0], [0.0, -27.0], [40.0, 17.0]])
    expected = [-17.0, 0.0, 10.0, 10.0, 11 * (np.sqrt(2) - 1)]
    np.testing.assert_allclose(depth_outside(points, BOX), expected, atol=1e-9)


def test_a_chain_of_curves_stays_between_the_heights() -> None:
    curve = chain([(0, 0), (0, 10), (200, 60), (200, 90)], [True, False, True])
    points = points_on(curve, np.linspace(0, 3, 301))
    sideways = (points[:, 0] > 1e-9) & (points[:, 0] < 200 - 1e-9)
    assert points[sideways, 1].min() >= 10
    assert points[sideways, 1].max() <= 60
    np.testing.assert_allclose(points_on(straight((0, 0), (9, 3)), [0.5]), [[4.5, 1.5]])


# ----------------------------------------------------------------------------------------------------- labels


def test_short_names_stay_on_one_line() -> None:
    assert Label.of("PKC").lines == ("PKC",)
    assert Label.of("  spaces  ").lines == ("spaces",)
    assert Label.of(" ").lines == ("\u2423",)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("systolic blood pressure (mmHg)", ("systolic blood", "pressure (mmHg)")),
        ("BodyMassIndexAtBaselineVisitOne", ("BodyMassIndexAt", "BaselineVisitOne")),
        ("a_very_long_name_with_underscores", ("a_very_long_name_", "with_underscores")),
    ],
)
def test_long_names_are_broken_between_words(name: str, lines: tuple[str, ...]) -> None:
    assert Label.of(name).lines == lines


def test_endless_names_end_in_an_ellipsis() -> None:
    for name in ("x" * 500, "word " * 100, "血圧" * 60, "é" * 99, "e\u0301" * 99):
        label = Label.of(name)
        assert len(label.lines) <= 3
        assert label.lines[-1].endswith("…")
        assert max(map(text_width, label.lines)) <= MAX_LINE
        assert not label.lines[-1].startswith("\u0301")


def test_wide_letters_make_wide_boxes() -> None:
    assert text_width("血圧") > text_width("ab")
    assert text_width("e\u0301") == text_width("e") == text_width("é")
    assert Label.of("WWWWWW").width > Label.of("iiiiii").width


def test_names_are_sorted_as_a_person_does() -> None:
    assert sorted(["X10", "x1", "X9", "X", "10", "9", "X09"], key=natural_key) == [
        "9",
        "10",
        "X",
        "x1",
        "X09",
        "X9",
        "X10",
    ]
    assert natural_key("9" * 5000) < natural_key("1" * 5001)
