"""The benchmark of accuracy: its worlds, its baselines, its limits, and that a run goes on where it stopped."""

from __future__ import annotations

import csv
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from benchmarks.accuracy.limits import OutOfTimeError, within
from benchmarks.accuracy.methods import BASELINES, GROUPS, MAX_CONDITIONING, label, run_baselines
from benchmarks.accuracy.runs import Limits, Task, calibration_store, forget, result_store, run, tasks
from benchmarks.accuracy.tables import frame_of
from benchmarks.accuracy.worlds import CELLS, TUNING, Cell, simulated

from lurking import ADMG, compare
from lurking._errors import LurkingError
from lurking.baselines import FCI
from lurking.graphs.model_equivalence import model_equivalent
from lurking.simulate import VERMA_GRAPHS

LIMITS = Limits(ours=60.0, baseline=60.0, graphs=50, tetrad_python=None)
SMALL = Cell("hidden", 6, 300)


def test_hidden_roots_are_as_they_are_described() -> None:
    degrees: dict[int, list[float]] = {0: [], 1: [], 2: []}
    for seed in range(60):
        simulation = simulated(Cell("hidden", 20, 300), seed)
        model = simulation.complete_sem
        assert model is not None
        hidden = [name for name in model.admg.names if name.startswith("U")]
        assert len(hidden) == 4
        for name in hidden:
            assert not model.admg.parents(name)
            assert len(model.admg.children(name)) in (2, 3)
        measured = model.admg.subgraph(simulation.admg.names)
        degrees[seed % 3].append(2.0 * measured.n_edges / 20)
        rows = simulation.data.to_numpy()
        assert rows.shape == (300, 20)
        np.testing.assert_allclose(rows.std(axis=0), 1.0)
        assert simulation.admg == model.admg.latent_projection(hidden)
    means = [float(np.mean(values)) for values in degrees.values()]
    np.testing.assert_allclose(means, [2.0, 3.0, 4.0], atol=0.4)


def test_a_seed_gives_the_same_graph_for_every_number_of_rows() -> None:
    for cell in (Cell("hidden", 10, 300), Cell("arid", 10, 300), Cell("verma", 4, 300)):
        few, many = simulated(cell, 4), simulated(replace(cell, n=400), 4)
        assert few.admg == many.admg
        assert len(many.data) == 400


def test_the_other_worlds() -> None:
    assert all(simulated(Cell("ancestral", 10, 100), seed).admg.is_ancestral() for seed in range(5))
    arid = [simulated(Cell("arid", 10, 100), seed) for seed in range(5)]
    assert all(one.admg.is_arid() and one.standardized for one in arid)
    assert [simulated(Cell("verma", 4, 100), seed).admg for seed in range(6)] == [*VERMA_GRAPHS, *VERMA_GRAPHS]
    assert not simulated(Cell("verma", 4, 100), 0).standardized
    assert len(set(CELLS)) == len(CELLS) == 12 + 4 + 4


def test_conditioning_sets_are_limited_on_many_variables_only() -> None:
    many, few = simulated(Cell("hidden", 24, 1000), 2), simulated(Cell("hidden", 10, 1000), 2)
    found = [run_baselines("fci-05", one, tetrad_python=None, time_limit=60.0)["fci-05"].graph for one in (many, few)]
    assert found[0] == FCI(alpha=0.05, max_conditioning=MAX_CONDITIONING).fit(many.data).pag_
    assert found[1] == FCI(alpha=0.05).fit(few.data).pag_


def test_every_baseline_has_a_label_and_a_group() -> None:
    assert {name for group in GROUPS.values() for name in group.learners} == set(BASELINES)
    assert len({label(name) for name in BASELINES}) == len(BASELINES)
    assert label("default best") == "ours: default best"


def test_seeds_groups_and_searches_make_the_tasks() -> None:
    found = tasks([SMALL, Cell("hidden", 30, 300), Cell("verma", 4, 500)], range(2), {"default": {}}, ["dag-1", "spo"])
    assert [task.seed for task in found if task.cell.world == "verma"] == [0, 1, 2, 3, 4, 5]
    assert all(task.settings == "{}" for task in found if task.cell.world == "verma")
    assert [task.group for task in found if task.cell.d == 30 and task.seed == 1] == ["default", "dag-1"]
    assert [task.group for task in found if task.cell == SMALL and task.seed == 0] == ["default", "dag-1", "spo"]
    with pytest.raises(LurkingError, match="seeds would run into those from 1000 on"):
        tasks([SMALL], range(TUNING - 10, TUNING), {}, ["dag-1"])


def test_work_in_a_child_returns_fails_or_is_stopped() -> None:
    assert within(10.0, lambda: 6 * 7) == 42
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        within(10.0, lambda: 1 // 0)
    start = time.process_time()
    with pytest.raises(OutOfTimeError, match="stopped after 1 seconds"):
        within(1.0, lambda: [None for _ in iter(int, 1)])
    assert time.process_time() - start < 1.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("accuracy")
    run(out, tasks([SMALL], range(2), {"one": {"n_restarts": 1}}, ["dag-1", "dag-2"]), LIMITS, 1)
    return out


def test_a_run_has_a_row_for_each_answer_and_goes_on_where_it_stopped(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = result_store(folder)
    assert {row["method"] for row in store.rows()} == {"one central", "one best", "one consensus", "dag-1", "dag-2"}
    assert len(store) == 10
    before = store.path.read_bytes()
    run(folder, tasks([SMALL], range(2), {"one": {"n_restarts": 1}}, ["dag-1", "dag-2"]), LIMITS, 1)
    assert "6 of 6 tasks are done already" in capsys.readouterr().out
    assert store.path.read_bytes() == before
    with pytest.raises(LurkingError, match=r"rows of 'one best' with the settings .*--again one"):
        run(folder, tasks([SMALL], range(2), {"one": {"n_restarts": 2}}, []), LIMITS, 1)


def test_rows_are_right(folder: Path) -> None:
    table = frame_of(result_store(folder), 0)
    best = table[(table["method"] == "one best") & (table["seed"] == 1)].iloc[0]
    truth = simulated(SMALL, 1).admg
    expected = compare(truth.to_pag(), ADMG.parse(best["graph"], names=truth.names)).to_dict()
    assert best["pag_shd"] == expected["pag_shd"]
    assert best["skeleton_tpr"] == pytest.approx(expected["skeleton_tpr"], abs=1e-6)
    assert best["tail_fdr"] == pytest.approx(expected["tail_fdr"], abs=1e-6)
    assert best["settings"] == '{"n_restarts": 1}'
    assert best["seconds"] > 0.0
    assert best["reached"] == 1
    assert frame_of(result_store(folder), TUNING).empty
    statements = calibration_store(folder).rows()
    assert len(statements) == 2 * 6
    pairs = {row["kind"]: sum(map(int, row["number"].split())) for row in statements}
    assert pairs["adjacent"] == pairs["common cause"] == 15
    assert pairs["causes"] == pairs["tail"] == 30


def test_what_fails_has_a_row_that_says_why(tmp_path: Path) -> None:
    limits = replace(LIMITS, tetrad_python="no-such-interpreter")
    rows, said = Task(SMALL, 0, "grasp-fci-2", None).run(limits)
    assert said == []
    assert rows[0]["method"] == "grasp-fci-2"
    assert rows[0]["pag_shd"] is None
    assert "'python' parameter of TetradPort" in str(rows[0]["note"])
    run(tmp_path, [Task(SMALL, 0, "grasp-fci-2", None)], limits, 1)
    assert frame_of(result_store(tmp_path), 0)["pag_shd"].isna().all()


def test_methods_can_be_forgotten(folder: Path, tmp_path: Path) -> None:
    for store in (result_store(folder), calibration_store(folder)):
        (tmp_path / store.path.name).write_bytes(store.path.read_bytes())
    forget(tmp_path, ["one", "dag-2"])
    with (tmp_path / "results.csv").open(newline="") as file:
        assert {row["method"] for row in csv.DictReader(file)} == {"dag-1"}
    assert len(calibration_store(tmp_path)) == 0


def test_the_true_verma_class_is_recognised() -> None:
    rows, _ = Task(Cell("verma", 4, 2000), 0, "one", '{"solver": "exact"}').run(LIMITS)
    found = {str(row["method"]): row["true_class"] for row in rows}
    assert found["one best"] in (0, 1)
    graph = ADMG.parse(str(rows[0]["graph"]), names=VERMA_GRAPHS[0].names)
    assert found["one best"] == int(model_equivalent(VERMA_GRAPHS[0], graph))
