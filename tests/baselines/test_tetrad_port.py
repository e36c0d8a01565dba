"""The adapter to tetrad-port: what it sends, what it makes of the answer, how it fails, and the package itself.

A small stand-in plays the package. The tests with the package itself run if LURKING_TETRAD_PYTHON names an interpreter
that has it.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from lurking import ADMG, CPDAG, PAG, Moments, simulate_admg
from lurking._errors import DataError, FormatError, LurkingError, ParameterError
from lurking.baselines import TetradPort
from lurking.baselines.tetrad_port import run_together

# Answers with a chain in the order of the correlations with the first column, and checks what it was given.
STAND_IN = """
import time
import numpy as np

class TetradPort:
    def run_boss(self, frame, penalty_discount, num_starts):
        assert list(frame.columns) == ["x0", "x1", "x2", "x3"]
        if penalty_discount == 99:
            time.sleep(60)
        if penalty_discount == 98:
            raise ValueError("no luck")
        if penalty_discount == 97:
            return {"edges": ["x0 ~~> x1"]}, {}
        first, second = np.argsort(-np.abs(frame.corr().to_numpy()[0]))[1:3]
        edges = [f"x0 --- x{first}", f"x{first} --- x{second}"]
        return {"edges": edges[:num_starts]}, {}

    def run_gfci(self, frame, penalty_discount, alpha):
        return {"edges": [f"x0 {'o->' if alpha < 0.05 else '<-o'} x1", "x1 <-> x2", "x2 o-o x3"]}, {}
"""
REAL = os.environ.get("LURKING_TETRAD_PYTHON")
needs_package = pytest.mark.skipif(not REAL, reason="LURKING_TETRAD_PYTHON names no interpreter with tetrad-port")


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tetrad_port.py").write_text(STAND_IN)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


@pytest.fixture
def data() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    a = rng.normal(size=400)
    b = 2.0 * a + rng.normal(size=400)
    c = -1.5 * b + rng.normal(size=400)
    return pd.DataFrame({"C": c, "A": a, "B": b, "D": rng.normal(size=400)})


@pytest.mark.usefixtures("stand_in")
def test_a_cpdag_becomes_a_dag_and_its_pag_in_the_order_of_the_columns(data: pd.DataFrame) -> None:
    before = data.copy()
    learner = TetradPort("boss", n_starts=2).fit(data)
    pd.testing.assert_frame_equal(data, before)
    assert learner.pag_ == PAG.parse("A o-o B o-o C; D")
    assert learner.pag_.names == learner.admg_.names == ("C", "A", "B", "D")
    assert learner.admg_.to_pag() == learner.pag_
    assert learner.cpdag_ == CPDAG.parse("A -- B -- C; D")
    assert learner.seconds_ >= 0.0
    assert not hasattr(learner, "_rows")
    assert TetradPort("boss", n_starts=1).fit(data).pag_ == PAG.parse("A o-o B; C; D")


@pytest.mark.usefixtures("stand_in")
def test_a_pag_comes_with_its_marks_and_without_a_dag(data: pd.DataFrame) -> None:
    learner = TetradPort("boss").fit(data).set_params(algorithm="gfci", alpha=0.01).fit(data)
    assert learner.pag_ == PAG.parse("A o-> B <-> C o-o D")
    assert not hasattr(learner, "admg_")
    assert TetradPort("gfci", alpha=0.1).fit(data).pag_ == PAG.parse("B o-> A; B <-> C; C o-o D")


@pytest.mark.usefixtures("stand_in")
def test_several_methods_in_one_start(data: pd.DataFrame) -> None:
    learners = [TetradPort("boss", n_starts=2), TetradPort("gfci")]
    together = run_together(data, learners)
    assert [answer.pag for answer in together] == [learner.fit(data).pag_ for learner in learners]
    assert together[0].pag.names == ("C", "A", "B", "D")
    assert together[0].dag == learners[0].admg_
    assert together[1].dag is None
    with pytest.raises(ParameterError, match="'alpha' parameter of TetradPort"):
        run_together(data, [TetradPort("gfci", alpha=0.0)])
    with pytest.raises(LurkingError, match=r"did not finish within 0\.5 seconds"):
        run_together(data, [TetradPort("boss", penalty_discount=99)], time_limit=0.5)


@pytest.mark.usefixtures("stand_in")
def test_says_how_it_failed(data: pd.DataFrame) -> None:
    with pytest.raises(LurkingError, match=r"did not finish within 0\.5 seconds"):
        TetradPort("boss", time_limit=0.5, penalty_discount=99).fit(data)
    with pytest.raises(LurkingError, match="ValueError: no luck"):
        TetradPort("boss", penalty_discount=98).fit(data)
    with pytest.raises(FormatError, match="answered with the edge 'x0 ~~> x1'"):
        TetradPort("boss", penalty_discount=97).fit(data)
    with pytest.raises(ParameterError, match="'python' parameter of TetradPort must be the path"):
        TetradPort(python="no-such-interpreter").fit(data)
    with pytest.raises(DataError, match="fit it to the table itself"):
        TetradPort().fit(Moments.from_table(data))


@pytest.mark.parametrize(
    ("name", "bad"),
    [("algorithm", "pc"), ("penalty_discount", 0.0), ("alpha", 1.0), ("n_starts", 0), ("time_limit", 0.0)],
)
def test_refuses_bad_parameters(data: pd.DataFrame, name: str, bad: object) -> None:
    with pytest.raises(ParameterError, match=f"'{name}' parameter of TetradPort must be"):
        TetradPort().set_params(**{name: bad}).fit(data)


def test_says_that_the_package_is_missing(data: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tetrad_port.py").write_text("raise ImportError('not today')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(LurkingError, match=r"tetrad_port cannot be imported: not today.*has tetrad-port 0\.3\.1"):
        TetradPort().fit(data)


@needs_package
@pytest.mark.parametrize("algorithm", ["boss", "grasp", "fges", "boss_fci", "grasp_fci", "gfci"])
def test_the_package_itself_finds_a_sparse_graph(algorithm: str) -> None:
    truth = ADMG.parse("A -> C <- B; C -> D")
    table = simulate_admg(truth, 5000, random_state=0).data[["D", "B", "A", "C"]]
    learner = TetradPort("boss", python=REAL).set_params(algorithm=algorithm).fit(table)
    assert learner.pag_ == truth.to_pag()
    assert learner.pag_.names == ("D", "B", "A", "C")


@needs_package
def test_the_package_itself_obeys_the_parameters() -> None:
    table = simulate_admg(9, 1000, graph_class="ancestral", random_state=0).data
    learners = [
        TetradPort("boss"),
        TetradPort("boss", penalty_discount=20.0),
        TetradPort("boss_fci", alpha=0.2),
        TetradPort("boss_fci", alpha=0.0001),
        TetradPort("boss", n_starts=5),
    ]
    found = [answer.pag.n_edges for answer in run_together(table, learners, python=REAL)]
    assert found[1] < found[0]
    assert found[3] < found[2]
    assert found[4] > 0
