"""The bootstrap: counts by hand, the seed, the workers, and what is drawn."""

from __future__ import annotations

import threading
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest

from lurking import ADMG, ADMGDiscovery, Knowledge, Moments, bootstrap, simulate_admg
from lurking._errors import DataError, ParameterError
from lurking._typing import GraphClass
from lurking.data.prepare import PreparedData
from lurking.discovery.bootstrap import BootstrapResult, _counted, _drawn_moments
from lurking.graphs import Mark

DATA = simulate_admg(4, 200, random_state=2).data
SMALL: dict[str, Any] = {"n_restarts": 1}


def counted(*texts: str, graph_class: GraphClass = "bow-free") -> BootstrapResult:
    graphs = [ADMG.parse(text, names=["A", "B", "C"]) for text in texts]
    found = [(graph.directed, graph.bidirected, graph.to_pag().marks) for graph in graphs]
    return _counted(graph_class, found, PreparedData(Moments(np.eye(3), 100, ["A", "B", "C"])))


def test_shares_by_hand() -> None:
    result = counted("A -> B; C", "A -> B <- C", "B -> A; B <-> C", "A <-> B; C")
    assert result.n_replicates == 4
    assert result.frequencies[0, 1].tolist() == [0, 0.5, 0.25, 0.25]
    assert result.frequencies[1, 0].tolist() == [0, 0.25, 0.5, 0.25]
    assert result.frequencies[2, 1].tolist() == [0.5, 0.25, 0, 0.25]
    assert result.joined("A", "C") == 0.0
    assert result.joined("C", "B") == 0.5
    # the PAG of the collider is A o-> B <-o C; those with a single edge are A o-o B
    assert result.mark_frequencies[0, 1, Mark.ARROW] == 0.25
    assert result.mark_frequencies[1, 0, Mark.CIRCLE] == 1.0
    assert np.allclose(result.mark_frequencies.sum(axis=2), 1)
    assert np.allclose(result.pag_frequencies, result.pag_frequencies.transpose(1, 0, 3, 2))
    table = result.to_frame()
    assert table[["one", "other"]].to_numpy().tolist() == [["A", "B"], ["B", "C"]]
    assert table[["none", "->", "<-", "<->"]].to_numpy()[0].tolist() == [0, 0.5, 0.25, 0.25]
    assert table.loc[0, "pag edge"] == "A o-o B"
    assert result.majority == ADMG.parse("A -> B; C")  # B and C are joined in half of them, not in more


def test_consensus_stays_in_class() -> None:
    # each edge of the cycle is in two of three graphs
    cycle = counted("A -> B -> C", "B -> C -> A", "C -> A -> B")
    assert cycle.frequencies[0, 1, 1] == pytest.approx(2 / 3)
    assert cycle.majority.n_edges == 2
    texts = ("A -> B -> C", "A -> B; A <-> C", "B -> C; A <-> C")
    assert counted(*texts).majority == ADMG.parse("A -> B -> C; A <-> C")
    assert counted(*texts, graph_class="ancestral").majority.is_ancestral()
    assert counted("A -> B; C", "B -> A; C", "A <-> B; C").majority.n_edges == 1  # always joined
    assert cycle.majority_pag == cycle.majority.to_pag()


def test_seed_and_workers() -> None:
    one, again, threads, other = (
        bootstrap(SMALL, DATA, n_replicates=6, random_state=seed, n_jobs=jobs)
        for seed, jobs in [(1, None), (1, 1), (1, 2), (2, 1)]
    )
    assert one.replicates == again.replicates == threads.replicates
    assert np.array_equal(one.pag_frequencies, threads.pag_frequencies)
    assert one.replicates != other.replicates
    assert len({str(graph) for graph in one.replicates}) > 1


def test_other_processes_give_the_same() -> None:
    expected = bootstrap(SMALL, DATA, n_replicates=3, random_state=1)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        assert joblib.Parallel(prefer="threads")._backend.__class__.__name__ == "LokyBackend"
        assert bootstrap(SMALL, DATA, n_replicates=3, random_state=1).replicates == expected.replicates


def test_rows_are_drawn_with_replacement_and_the_model_is_left_alone() -> None:
    model = ADMGDiscovery(random_state=3, n_restarts=1)
    before = DATA.copy()
    told: list[tuple[float, str]] = []
    result = bootstrap(model, DATA, n_replicates=2, random_state=0, progress=lambda *said: told.append(said))
    assert told == [
        (0.0, "drawing tables, 1 of 2"),
        (0.0, "drawing tables, 2 of 2"),
        (0.0, "searching resampled data, 1 of 2"),
        (0.5, "searching resampled data, 2 of 2"),
        (1.0, "searching resampled data, 2 of 2"),
    ]
    assert model.random_state == 3
    assert not hasattr(model, "admg_")
    pd.testing.assert_frame_equal(DATA, before)
    lock = threading.Lock()  # cannot be copied, nor sent anywhere
    fitted = model.set_params(progress=lambda share, doing: lock.locked()).fit(DATA)
    assert bootstrap(fitted, DATA, n_replicates=2, random_state=0).replicates == result.replicates
    assert result.names == tuple(DATA.columns)


def test_interrupt_keeps_the_replicates_so_far() -> None:
    def stop(share: float, doing: str) -> None:
        if share >= 0.5:
            raise KeyboardInterrupt

    whole = bootstrap(SMALL, DATA, n_replicates=4, random_state=0)
    part = bootstrap(SMALL, DATA, n_replicates=4, random_state=0, progress=stop)
    assert (whole.interrupted, part.interrupted) == (False, True)
    assert part.replicates == whole.replicates[:2]
    assert part.frequencies.sum(axis=2) == pytest.approx(1)

    def stop_at_once(share: float, doing: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bootstrap(SMALL, DATA, n_replicates=4, random_state=0, progress=stop_at_once)


def test_result_holds_the_data_as_they_were_given() -> None:
    result = bootstrap(SMALL, DATA.assign(V1=DATA["V1"] > 0), n_replicates=1, random_state=0)
    assert np.array_equal(result.moments.cov, Moments.from_table(DATA.assign(V1=DATA["V1"] > 0)).cov)
    assert [(found.kind, found.columns) for found in result.audit] == [("discrete", ("V1",))]


def test_strong_edges_are_stable_and_noise_is_not() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    table = np.column_stack([x, 2 * x + rng.normal(size=300), rng.normal(size=300)])
    for data in (table, Moments.from_table(table)):
        result = bootstrap(SMALL, data, n_replicates=20, random_state=0)
        assert result.joined("X1", "X2") == 1.0
        assert result.joined("X1", "X3") < 0.4
        assert result.majority.n_edges == 1


def test_drawn_covariances_have_the_moments_of_a_wishart_matrix() -> None:
    moments = Moments([[2.0, 0.6], [0.6, 1.0]], 40, mean=[1.0, -1.0])
    rng = np.random.default_rng(0)
    drawn = [_drawn_moments(moments, rng) for _ in range(4000)]
    covs = np.array([one.cov for one in drawn])
    assert np.allclose(covs.mean(axis=0), moments.cov * 39 / 40, atol=0.03)
    # the variance of entry (i, j) of the covariance with n - 1 degrees of freedom: (s_ij² + s_ii s_jj) (n - 1) / n²
    expected = (moments.cov**2 + np.outer([2, 1], [2, 1])) * 39 / 40**2
    assert np.allclose(covs.var(axis=0), expected, rtol=0.1)
    means = np.array([one.mean for one in drawn])
    assert np.allclose(means.var(axis=0), np.array([2.0, 1.0]) / 40, rtol=0.1)


def test_every_replicate_obeys_knowledge_and_takes_missing_values_and_margins() -> None:
    knowledge = Knowledge(required=("V1 -> V2",), unconfounded=("V4",), tiers=(("V1",), ("V2", "V3")))
    model = ADMGDiscovery("ancestral", n_restarts=1, knowledge=knowledge, missing="em")
    holes = DATA.where(np.random.default_rng(1).random(DATA.shape) > 0.05)
    result = bootstrap(model, holes, n_replicates=5, random_state=0)
    assert all(knowledge.violations(graph) == () and graph.is_ancestral() for graph in result.replicates)
    assert knowledge.violations(result.majority) == ()
    binary = DATA.assign(V1=DATA["V1"] > 0)
    assert bootstrap({"n_restarts": 1, "margins": "latent"}, binary, n_replicates=2, random_state=0).n_replicates == 2


def test_tables_that_cannot_be_used_are_redrawn_or_refused() -> None:
    rare = DATA.assign(V1=np.arange(200) == 7)  # absent from a resample with probability 1/e
    assert bootstrap(SMALL, rare, n_replicates=8, random_state=0).n_replicates == 8
    holes = DATA.copy()
    holes.iloc[0, 0] = np.nan
    with pytest.raises(DataError, match="'V1' is missing in row 0"):
        bootstrap(SMALL, holes, n_replicates=2)
    with pytest.raises(ParameterError, match="n_replicates"):
        bootstrap(SMALL, DATA, n_replicates=0)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_too_few_rows_to_draw_from_are_an_error_for_any_number_of_jobs(n_jobs: int) -> None:
    few = np.random.default_rng(0).normal(size=(13, 12))  # a drawn table has fewer distinct rows than columns
    with pytest.raises(DataError, match="No usable table could be drawn from so few rows"):
        bootstrap(SMALL, few, n_replicates=4, random_state=0, n_jobs=n_jobs)
