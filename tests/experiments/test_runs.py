"""Small runs of every experiment: resumed, in other processes, with other settings."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from lurking import ADMG, PAG, compare, simulate_admg
from lurking._errors import FormatError, LurkingError, ParameterError
from lurking.experiments import (
    Experiment,
    RandomGraphsExperiment,
    RegularizationExperiment,
    SachsExperiment,
    VermaExperiment,
    run_experiment,
    write_summary,
)
from lurking.experiments import methods as methods_module
from lurking.experiments.methods import METHODS, learn
from lurking.experiments.verma import verma_moments
from svg_pictures import SVG

TIMES = ["seconds", "cpu_seconds"]


def small_verma(n_datasets: int = 2, **options: object) -> VermaExperiment:
    chosen: dict[str, object] = {"methods": ["exact-free", "greedy-bap"], "sizes": (500,), "restarts": 1, **options}
    return VermaExperiment(n_datasets, **chosen)  # type: ignore[arg-type]


def without_times(folder: Path) -> pd.DataFrame:
    return pd.read_csv(folder / "results.csv").drop(columns=TIMES)


def summarized(experiment: Experiment, folder: Path) -> pd.DataFrame:
    """Run, write the summary and check its form."""
    from xml.etree import ElementTree

    rows = run_experiment(experiment, folder)
    paths = write_summary(experiment, rows, folder)
    root = ElementTree.fromstring(paths["plot"].read_text(encoding="utf-8"))
    assert list(root.iter(f"{SVG}circle"))
    tables = experiment.tables(rows)
    assert all(len(row) == len(table.columns) for table in tables for row in table.rows)
    assert [table.title for table in tables if f"**{table.title}**" not in paths["tables"].read_text("utf-8")] == []
    assert (rows["status"] != "FAILED").all()
    assert (rows["seconds"] >= 0).all()
    return rows


def test_verma(tmp_path: Path) -> None:
    experiment = VermaExperiment(2, sizes=(500,), restarts=1)
    rows = summarized(experiment, tmp_path)
    assert len(rows) == 2 * 9
    assert set(rows["verdict"]) <= {"true", "super", "wrong"}
    best = rows[rows["method"] == "exact-free"].set_index("dataset")["bic"]
    for method in ("dcd-bow-free", "dcd-arid", "hybrid-free", "hybrid-arid-free", "greedy-bap"):
        other = rows[rows["method"] == method].set_index("dataset")["bic"]
        assert (other >= best - 1e-6).all()
    arid = rows[rows["method"].isin(["dcd-arid", "hybrid-arid-free", "hybrid-arid-similar"])]
    assert all(ADMG.parse(graph).is_arid() for graph in arid["graph"])
    record = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert record["settings"] == {"seed": 0, "restarts": 1}
    (run,) = record["runs"]
    assert run["complete"]
    assert run["rows"] == len(rows)
    assert {"machine", "versions", "source", "command", "started", "finished"} <= set(run)


def test_random_graphs(tmp_path: Path) -> None:
    rows = summarized(RandomGraphsExperiment(2, variables=(4,), restarts=1), tmp_path)
    assert len(rows) == 2 * (2 * 2 + 3 + 2 * 2 + 9)
    assert rows[rows["scale"] == "standardised"]["varsortability"].between(0.49, 0.51).all()
    # Every rate can be computed again from what stands in the row.
    for row in rows.to_dict("records"):
        simulation = simulate_admg(4, 1000, graph_class=row["truth"], random_state=row["seed"])
        text = row["graph"]
        found = PAG.parse(text, names=simulation.admg.names) if "o" in text else ADMG.parse(text)
        again = compare(simulation.admg.to_pag() if isinstance(found, PAG) else simulation.admg, found)
        assert again.arrowhead.fdr == pytest.approx(row["arrowhead_fdr"])


def test_methods_that_see_correlations_only_do_not_see_the_scale() -> None:
    from lurking import Moments

    moments = {
        scale: Moments.from_table(
            simulate_admg(6, 1000, graph_class="ancestral", standardize=scale, random_state=7).data
        )
        for scale in (False, True)
    }
    free = [name for name, method in METHODS.items() if method.scale_free]
    assert len(free) == 11
    for name in free:
        one, other = (learn(name, data, graph_class="ancestral", restarts=1, seed=3).graph for data in moments.values())
        assert one == other, name


def test_the_consensus_shares_the_search_of_the_best_graph(tmp_path: Path) -> None:
    only = RandomGraphsExperiment(1, methods=["hybrid-consensus"], variables=(5,), restarts=1)
    alone = run_experiment(only, tmp_path / "alone")
    both = RandomGraphsExperiment(1, methods=["hybrid-free", "hybrid-consensus"], variables=(5,), restarts=1)
    assert [len(task.row_keys()) for task in both.tasks()] == [2, 2]
    together = run_experiment(both, tmp_path / "together")
    shared = together[together["method"] == "hybrid-consensus"].reset_index(drop=True)
    columns = [column for column in shared if column not in TIMES]
    pd.testing.assert_frame_equal(shared[columns], alone[columns])
    best = together[together["method"] == "hybrid-free"].set_index("truth")["bic"]
    assert (shared.set_index("truth")["bic"] >= best - 1e-6).all()
    # Where one of the two rows is there already, it is kept as it is, and only the other is added.
    kept = tmp_path / "alone"
    run_experiment(both, kept)
    pd.testing.assert_frame_equal(without_times(kept), without_times(tmp_path / "together"))


def test_regularization(tmp_path: Path) -> None:
    experiment = RegularizationExperiment(2, penalties=(5e-4, 5.0), restarts=1)
    rows = summarized(experiment, tmp_path)
    edges = rows.groupby("penalty")["graph"].apply(lambda graphs: sum(ADMG.parse(g).n_edges for g in graphs))
    assert edges[5e-4] > edges[5.0]
    # The data are those of the experiment verma.
    seed, _, _ = verma_moments(0, 1000, 1)
    assert seed in set(rows["seed"])


def test_sachs(tmp_path: Path) -> None:
    rows = summarized(SachsExperiment(1, methods=["dcd", "fci"], restarts=1), tmp_path)
    assert set(rows["method"]) == {"dcd", "fci", "paper's subgraph"}
    subgraph = rows[rows["method"] == "paper's subgraph"].set_index("data")
    assert (subgraph["erk_pka"] == "Erk <-> PKA").all()
    assert (subgraph["cost_confounded"] == 0).all()
    assert subgraph.loc["pooled", ["cost_erk_to_pka", "cost_pka_to_erk"]].notna().all()
    # Appendix B: Akt and PKC, after Jnk is fixed.
    assert all("Akt ⊥ PKC" in text and "p(Jnk|" in text for text in subgraph["deciding"])
    dcd = rows[rows["method"] == "dcd"]
    shared = dcd["supplemented_precision"] * dcd["adjacencies"]
    assert (shared / 28).tolist() == pytest.approx(dcd["supplemented_recall"].tolist())


def test_a_run_that_was_killed_goes_on_to_the_same_table(tmp_path: Path) -> None:
    run_experiment(small_verma(), tmp_path / "whole")
    killed = tmp_path / "killed"
    run_experiment(small_verma(1), killed)
    lines = (killed / "results.csv").read_text().splitlines(keepends=True)
    (killed / "results.csv").write_text("".join(lines[:-1]) + lines[-1][:20])
    said: list[str] = []
    run_experiment(small_verma(), killed, say=said.append)
    assert any("torn" in sentence for sentence in said)
    assert any("1 of 4 results" in sentence for sentence in said)
    pd.testing.assert_frame_equal(without_times(killed), without_times(tmp_path / "whole"))


def test_what_is_there_is_not_computed_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run_experiment(small_verma(), tmp_path)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("computed again")

    monkeypatch.setattr("lurking.experiments.verma.learn", refuse)
    pd.testing.assert_frame_equal(run_experiment(small_verma(), tmp_path), first)
    # The data sets of a smaller run are the first ones of a larger run.
    smaller = run_experiment(small_verma(1), tmp_path)
    pd.testing.assert_frame_equal(smaller, first[first["dataset"] == 0].reset_index(drop=True))
    with pytest.raises(AssertionError, match="computed again"):
        run_experiment(small_verma(3), tmp_path)


def test_the_answer_does_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    run_experiment(small_verma(), tmp_path / "one", n_jobs=1)
    run_experiment(small_verma(), tmp_path / "two", n_jobs=2)
    pd.testing.assert_frame_equal(without_times(tmp_path / "one"), without_times(tmp_path / "two"))


def test_an_interrupt_keeps_what_is_finished(tmp_path: Path) -> None:
    def stop(share: float, words: str) -> None:
        if share >= 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match=r"2 of 4 results are kept in .*results.csv: run the same command"):
        run_experiment(small_verma(), tmp_path, progress=stop)
    assert len(pd.read_csv(tmp_path / "results.csv")) == 2
    assert not json.loads((tmp_path / "run.json").read_text())["runs"][0]["complete"]
    run_experiment(small_verma(), tmp_path)
    runs = json.loads((tmp_path / "run.json").read_text())["runs"]
    assert [run["complete"] for run in runs] == [False, True]
    assert len(pd.read_csv(tmp_path / "results.csv")) == 4


def test_a_method_that_fails_is_a_row_and_the_others_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing:
        def get_params(self, deep: bool = True) -> dict[str, object]:
            return {}

        def set_params(self, **_: object) -> Failing:
            return self

        def fit(self, moments: object) -> None:
            raise LurkingError("It cannot be done.")

        def __sklearn_clone__(self) -> Failing:
            return self

    monkeypatch.setitem(methods_module.METHODS, "greedy-bap", methods_module.Method("failing", Failing()))
    monkeypatch.setattr(methods_module, "_warm", {"greedy-bap"})
    experiment = small_verma()
    rows = run_experiment(experiment, tmp_path)
    failed = rows[rows["method"] == "greedy-bap"]
    assert (failed["status"] == "FAILED").all()
    assert (failed["note"] == "It cannot be done.").all()
    assert (rows[rows["method"] == "exact-free"]["status"] == "COMPLETE").all()
    assert experiment.tables(rows)[2].rows[1][2] == "2 of 2"


def test_other_settings_in_the_same_folder_are_refused(tmp_path: Path) -> None:
    run_experiment(small_verma(1), tmp_path)
    with pytest.raises(ParameterError, match="holds results with seed 0, not 1"):
        run_experiment(small_verma(1, seed=1), tmp_path)
    with pytest.raises(ParameterError, match="holds results with restarts 1, not 2"):
        run_experiment(small_verma(1, restarts=2), tmp_path)
    with pytest.raises(ParameterError, match="holds results with restarts 1, not the default"):
        run_experiment(small_verma(1, restarts=None), tmp_path)
    with pytest.raises(ParameterError, match="holds the experiment verma, not regularization"):
        run_experiment(RegularizationExperiment(1), tmp_path)
    (tmp_path / "run.json").unlink()
    with pytest.raises(FormatError, match=r"has lost its run\.json"):
        run_experiment(small_verma(2, restarts=2), tmp_path)


def test_a_part_of_a_larger_run_leaves_its_summary_alone(tmp_path: Path) -> None:
    rows = run_experiment(small_verma(), tmp_path)
    paths = write_summary(small_verma(), rows, tmp_path)
    before = [path.read_bytes() for path in paths.values()]
    said: list[str] = []
    part = run_experiment(small_verma(1), tmp_path, say=said.append)
    assert [sentence for sentence in said if "nothing is computed" in sentence] == said != []
    assert write_summary(small_verma(1), part, tmp_path) == {}
    assert [path.read_bytes() for path in paths.values()] == before
    assert set(write_summary(small_verma(), rows, tmp_path)) == {"plot", "tables"}


def test_a_damaged_number_is_named(tmp_path: Path) -> None:
    run_experiment(small_verma(1), tmp_path)
    table = pd.read_csv(tmp_path / "results.csv", dtype=str, keep_default_na=False)
    table.loc[1, "bic"] = "abc"
    table.to_csv(tmp_path / "results.csv", index=False)
    with pytest.raises(FormatError, match=r"'abc' in the column 'bic'.* begins with 500,0,[0-9]+,greedy-bap"):
        run_experiment(small_verma(1), tmp_path)


def test_the_seed_changes_the_data() -> None:
    one, other = small_verma(seed=0).tasks(), small_verma(seed=1).tasks()
    seeds = [{key[2] for task in tasks for key in task.row_keys()} for tasks in (one, other)]
    assert not seeds[0] & seeds[1]


def test_unknown_methods_are_refused() -> None:
    with pytest.raises(ParameterError, match="no method 'fci'"):
        VermaExperiment(methods=["fci"])
    with pytest.raises(ParameterError, match="an experiment must be an int in the range"):
        VermaExperiment(0)
    with pytest.raises(ParameterError, match="at least 2"):
        RandomGraphsExperiment(variables=(1,))
