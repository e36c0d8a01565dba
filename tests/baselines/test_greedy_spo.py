"""GreedySPo: mark changes against equivalence itself, the start, and the walk."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np

from lurking import ADMG, Moments, simulate_admg
from lurking._errors import CycleError
from lurking.baselines import GreedySPo
from lurking.baselines.greedy_spo import _n_edges, _Walk
from lurking.baselines.independence import FisherZ
from lurking.graphs.bits import BitGraph
from lurking.graphs.mark_changes import MarkChange, changed, legitimate_mark_changes
from lurking.simulate import draw_parameters, random_admg


def admg_of(graph: BitGraph) -> ADMG:
    return ADMG([f"V{i}" for i in range(graph.n_vertices)], *graph.to_matrices())


def one_mark_changes(graph: BitGraph) -> list[MarkChange]:
    """All changes of one edge between -> and <->, legitimate or not."""
    changes = []
    for i, j in product(range(graph.n_vertices), repeat=2):
        if graph.parents[j] >> i & 1:
            changes.append(MarkChange(i, j, to_directed=False))
        if graph.siblings[j] >> i & 1:
            changes.append(MarkChange(i, j, to_directed=True))
    return changes


def is_equivalent_mag(graph: BitGraph, before: ADMG) -> bool:
    try:
        after = admg_of(graph)
    except CycleError:
        return False
    return after.is_mag() and after.markov_equivalent(before)


def test_legitimate_changes_are_those_that_lead_to_equivalent_mags() -> None:
    pairs = list(combinations(range(4), 2))
    rng = np.random.default_rng(0)
    legitimate = illegitimate = 0
    for states in rng.permutation(np.array(list(product(range(4), repeat=6)))).tolist()[:900]:
        directed = [
            (i, j) if state == 1 else (j, i) for (i, j), state in zip(pairs, states, strict=True) if 0 < state < 3
        ]
        bidirected = [pair for pair, state in zip(pairs, states, strict=True) if state == 3]
        graph = BitGraph.from_edges(4, directed, bidirected)
        try:
            mag = admg_of(graph)
        except CycleError:
            continue
        if not mag.is_mag():
            continue
        found = set(legitimate_mark_changes(graph))
        for change in one_mark_changes(graph):
            expected = is_equivalent_mag(changed(graph, change), mag)
            assert (change in found) == expected, (str(mag), change)
            legitimate += expected
            illegitimate += not expected
    assert min(legitimate, illegitimate) > 300


def test_discriminating_paths_matter() -> None:
    graph = BitGraph.from_edges(4, directed=[(0, 1), (1, 3), (2, 3)], bidirected=[(1, 2)])  # 0, 1, 2, 3: for 2
    changes = set(legitimate_mark_changes(graph))
    assert MarkChange(2, 3, to_directed=False) not in changes
    assert not is_equivalent_mag(changed(graph, MarkChange(2, 3, to_directed=False)), admg_of(graph))


def exact_walk(truth: ADMG, seed: int) -> _Walk:
    cov = draw_parameters(truth, random_state=seed).implied_cov()
    return _Walk(FisherZ(Moments(cov, 10**12, truth.names), 0.01), len(truth))


def test_smallest_dag_of_an_order_keeps_every_dependence() -> None:
    for seed in range(10):
        truth = random_admg(6, graph_class="ancestral", random_state=seed)
        order = np.random.default_rng(seed).permutation(6).tolist()
        dag = admg_of(exact_walk(truth, seed).smallest_dag(order))
        place = {vertex: k for k, vertex in enumerate(order)}
        for i, j in combinations(order, 2):
            before = [truth.names[v] for v in order[: place[j]] if v != i]
            assert bool(dag.directed[i, j]) != truth.m_separated(truth.names[i], truth.names[j], before)


def test_walks_end_at_a_graph_as_sparse_as_the_truth() -> None:
    for seed in range(10):
        truth = random_admg(6, graph_class="ancestral", directed_probability=0.3, random_state=seed)
        walk = exact_walk(truth, seed)
        rng = np.random.default_rng(seed)
        start = walk.smallest_dag(rng.permutation(6).tolist())
        end = walk.run(start, depth=4, max_visits=1000, rng=rng)
        assert truth.n_edges <= _n_edges(end) <= _n_edges(start)


def test_parameters_do_something() -> None:
    m = Moments.from_table(simulate_admg(10, 1000, graph_class="ancestral", random_state=0).data)
    usual = GreedySPo(random_state=0).fit(m)
    assert usual.admg_.is_ancestral()
    assert usual.n_edges_.shape == (5,)
    assert usual.admg_.n_edges == usual.n_edges_.min()
    assert len(set(usual.n_edges_.tolist())) > 1
    assert GreedySPo(alpha=0.001, random_state=0).fit(m).admg_.n_edges < usual.admg_.n_edges
    assert GreedySPo(n_runs=20, random_state=0).fit(m).admg_.n_edges <= usual.admg_.n_edges
    assert GreedySPo(depth=0, random_state=0).fit(m).n_edges_.sum() > usual.n_edges_.sum()
    assert GreedySPo(max_visits=1, random_state=0).fit(m).n_edges_.sum() > usual.n_edges_.sum()
    assert GreedySPo(random_state=1).fit(m).admg_ != usual.admg_
