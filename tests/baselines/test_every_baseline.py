"""What every method has to keep: the estimator contract, untouched input, units, seeds, and the truth at last."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from lurking import ADMG, Moments, simulate_admg
from lurking._errors import DataError, ParameterError
from lurking.baselines import FCI, GFCI, M3HC, Baseline, DAGThenPAG, GreedyBAP, GreedySPo
from lurking.simulate import draw_parameters, random_admg

CONSTRAINT_BASED: list[Baseline] = [
    FCI(alpha=0.01),
    FCI(alpha=0.01, remember="union"),
    GFCI(alpha=0.01, random_state=0),
    GreedySPo(alpha=0.01, random_state=0),
]
ALL: list[Baseline] = [*CONSTRAINT_BASED, M3HC(), GreedyBAP(random_state=0), DAGThenPAG(random_state=0)]
SPARSE = ADMG.parse("A -> B <-> C <- D; C -> E; F -> A")


def named(learner: Baseline) -> str:
    return str(learner).replace("random_state=0", "").replace(", )", ")")


every = pytest.mark.parametrize("learner", ALL, ids=named)


@pytest.fixture(scope="module")
def data() -> pd.DataFrame:
    return simulate_admg(SPARSE, 4000, random_state=1).data


@every
def test_contract(learner: Baseline, data: pd.DataFrame) -> None:
    fresh = clone(learner)
    assert fresh.get_params() == learner.get_params()
    before = data.copy()
    assert fresh.fit(data) is fresh
    pd.testing.assert_frame_equal(data, before)
    assert fresh.get_params() == learner.get_params()
    assert fresh.feature_names_in_.tolist() == list("ABCDEF")
    assert fresh.n_features_in_ == 6
    assert fresh.pag_.names == tuple("ABCDEF")
    if hasattr(fresh, "admg_"):
        assert fresh.admg_.to_pag() == fresh.pag_
    if hasattr(fresh, "cpdag_"):
        assert fresh.cpdag_ == (fresh.dag_ if hasattr(fresh, "dag_") else fresh.admg_).to_cpdag()
        assert fresh.cpdag_.names == fresh.pag_.names


@every
def test_moments_are_as_good_as_the_table_and_the_seed_decides(learner: Baseline, data: pd.DataFrame) -> None:
    moments = Moments.from_table(data)
    assert clone(learner).fit(moments).pag_ == clone(learner).fit(data).pag_
    assert clone(learner).fit(moments).pag_ == clone(learner).fit(moments).pag_


@every
def test_units_signs_and_order_of_the_columns_do_not_matter(learner: Baseline, data: pd.DataFrame) -> None:
    expected = clone(learner).fit(data).pag_
    other = (data * [-2.0, 100.0, 0.01, 1.0, -5.0, 3.0])[list("DFBACE")]
    assert clone(learner).fit(other).pag_ == expected


@every
def test_finds_a_sparse_graph(learner: Baseline, data: pd.DataFrame) -> None:
    pag = clone(learner).fit(data).pag_
    if isinstance(learner, DAGThenPAG):  # a DAG has to shield the colliders B and C
        assert (pag.skeleton & ~SPARSE.skeleton).any()
    elif isinstance(learner, GreedyBAP):  # ends in a local optimum, and does not miss an edge on the way
        assert not (SPARSE.skeleton & ~pag.skeleton).any()
    else:
        assert pag == SPARSE.to_pag()


@pytest.mark.parametrize("learner", CONSTRAINT_BASED, ids=named)
def test_is_right_when_the_covariances_are_exact(learner: Baseline) -> None:
    for seed in range(24):
        truth = random_admg(4 + seed % 4, directed_probability=0.3, bidirected_probability=0.25, random_state=seed)
        cov = draw_parameters(truth, random_state=seed).implied_cov()
        assert clone(learner).fit(Moments(cov, 10**12, truth.names)).pag_ == truth.to_pag(), str(truth)


def test_best_dag_is_the_truth_when_there_is_nothing_hidden_and_covariances_are_exact() -> None:
    for seed in range(15):
        truth = random_admg(6, directed_probability=0.4, bidirected_probability=0.0, random_state=seed)
        cov = draw_parameters(truth, random_state=seed).implied_cov()
        found = DAGThenPAG(random_state=0).fit(Moments(cov, 10**12, truth.names))
        assert found.pag_ == truth.to_pag()
        assert found.admg_.markov_equivalent(truth)


@every
def test_order_of_the_columns_does_not_matter_even_where_tests_contradict_each_other(learner: Baseline) -> None:
    for seed in range(4):
        m = Moments.from_table(simulate_admg(7, 150, random_state=seed).data)
        shuffled = m.reorder(np.random.default_rng(seed).permutation(np.array(m.names)).tolist())
        found = clone(learner).fit(shuffled).pag_
        assert found.names == shuffled.names
        assert found == clone(learner).fit(m).pag_


@every
def test_two_independent_columns(learner: Baseline) -> None:
    rows = np.random.default_rng(0).normal(size=(500, 2))
    assert clone(learner).fit(rows).pag_.n_edges == 0


@every
def test_refuses_bad_parameters_and_bad_data(learner: Baseline, data: pd.DataFrame) -> None:
    for name, bad in [
        ("alpha", 0.0),
        ("alpha", 1),
        ("n_restarts", 0),
        ("n_runs", 0),
        ("depth", -1),
        ("tabu_steps", -1),
        ("max_visits", 0),
        ("max_conditioning", -1),
        ("penalty_discount", 0.0),
        ("remember", "all"),
    ]:
        if name in learner.get_params():
            wrong = clone(learner).set_params(**{name: bad})
            with pytest.raises(ParameterError, match=f"The '{name}' parameter of {type(learner).__name__} must be"):
                wrong.fit(data)
    with pytest.raises(DataError):
        clone(learner).fit(data.assign(A=1.0))
