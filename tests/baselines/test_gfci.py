"""GFCI: what the DAG separates, which edges tests may remove, and what the parameters do."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from lurking import ADMG, Moments, simulate_admg
from lurking.baselines import FCI, GFCI
from lurking.baselines.gfci import separations_of_dag
from lurking.search.order_based import best_dag
from lurking.simulate import random_admg


def test_parents_of_the_later_vertex_separate() -> None:
    for seed in range(20):
        dag = random_admg(7, directed_probability=0.4, bidirected_probability=0.0, random_state=seed)
        separated = separations_of_dag(dag)
        for i, j in combinations(range(7), 2):
            assert ((i, j) in separated) == (not dag.skeleton[i, j])
        for (i, j), given in separated.items():
            assert dag.m_separated(dag.names[i], dag.names[j], [dag.names[v] for v in given])


def test_starts_from_the_dag_and_removes_edges_of_triangles_only() -> None:
    for seed in range(6):
        m = Moments.from_table(simulate_admg(9, 1000, graph_class="ancestral", random_state=seed).data)
        learner = GFCI(random_state=0, possible_d_sep=False).fit(m)
        before, after = learner.dag_.skeleton, learner.pag_.skeleton
        assert not (after & ~before).any()
        removed = before & ~after
        assert removed.any()
        in_triangle = before.astype(int) @ before > 0
        assert not (removed & ~in_triangle).any()


def test_starts_from_the_dag_of_the_search_over_orders_at_its_price() -> None:
    m = Moments.from_table(simulate_admg(9, 1000, graph_class="ancestral", random_state=1).data)
    by_name = m.reorder(sorted(m.names))
    for price in (1.0, 2.0):
        learner = GFCI(alpha=0.01, penalty_discount=price, random_state=0).fit(m)
        assert learner.dag_ == best_dag(by_name, penalty_discount=price, random_state=0).admg
        assert not (learner.pag_.skeleton & ~learner.dag_.skeleton).any()


def test_keeps_the_colliders_of_the_dag() -> None:
    data = simulate_admg(ADMG.parse("A -> C <- B; C -> D"), 1000, random_state=0).data
    learner = GFCI(random_state=0).fit(data)
    assert learner.dag_.to_pag() == learner.pag_


def test_possible_d_sep_removes_an_edge() -> None:
    fits = {}
    for how in (True, False):
        found = [
            GFCI(possible_d_sep=how, random_state=0, alpha=0.3).fit(simulate_admg(9, 1000, random_state=seed).data)
            for seed in range(10)
        ]
        fits[how] = [learner.pag_.n_edges for learner in found]
    assert all(with_it <= without for with_it, without in zip(fits[True], fits[False], strict=True))
    assert sum(fits[True]) < sum(fits[False])


def test_parameters_do_something() -> None:
    m = Moments.from_table(simulate_admg(9, 1000, graph_class="ancestral", random_state=0).data)
    usual = GFCI(random_state=0).fit(m).pag_
    assert GFCI(alpha=0.5, random_state=0).fit(m).pag_.n_edges > usual.n_edges
    assert GFCI(max_conditioning=1, random_state=0).fit(m).pag_.n_edges > usual.n_edges
    strict = GFCI(penalty_discount=20.0, random_state=0).fit(m)
    assert strict.dag_.n_edges < GFCI(random_state=0).fit(m).dag_.n_edges
    dense = Moments.from_table(simulate_admg(12, 1000, random_state=6).data)
    assert GFCI(n_restarts=1, random_state=1).fit(dense).dag_ != GFCI(n_restarts=50, random_state=1).fit(dense).dag_


def test_same_answer_as_fci_where_the_tests_are_sure() -> None:
    data = simulate_admg(ADMG.parse("A -> B <-> C <- D; D -> E -> F"), 20000, random_state=2).data
    assert GFCI(alpha=0.001, random_state=0).fit(data).pag_ == FCI(alpha=0.001).fit(data).pag_


def test_skeleton_does_not_depend_on_the_order_of_columns() -> None:
    m = Moments.from_table(simulate_admg(8, 1000, graph_class="ancestral", random_state=3).data)
    one, other = GFCI(random_state=0).fit(m).pag_, GFCI(random_state=5).fit(m.reorder(m.names[::-1])).pag_
    assert np.array_equal(one.skeleton, other.subgraph(m.names).skeleton)
