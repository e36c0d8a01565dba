"""The adapter to lingam: what it sends, what it makes of the answer, and how it fails. A tiny stand-in plays lingam."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from lurking import ADMG, Moments
from lurking._errors import DataError, LurkingError, ParameterError
from lurking.baselines import ABICLiNGAM

# Regresses every column on the one before it, and echoes an option, so that a test can see what was passed.
STAND_IN = """
import time
import numpy as np

class ABICLiNGAM:
    def __init__(self, **options):
        self.options = options

    def fit(self, rows):
        if self.options["seed"] == 99:
            time.sleep(60)
        if self.options["seed"] == 98:
            raise ValueError("no luck")
        d = rows.shape[1]
        cov = np.cov(rows.T)
        self.coefficient_matrix_ = np.diag(np.diag(cov, 1) / np.diag(cov)[:-1], 1)
        self.coefficient_matrix_[d - 1, 0] = 0.01  # closes a cycle, weakly
        self.coefficient_matrix_[np.abs(self.coefficient_matrix_) < self.options["min_causal_effect"]] = 0.0
        self.error_covariance_matrix_ = np.eye(d)
        self.error_covariance_matrix_[0, d - 1] = self.error_covariance_matrix_[d - 1, 0] = self.options["lam"]
        return self
"""


@pytest.fixture
def lingam(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lingam.py").write_text(STAND_IN)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


@pytest.fixture
def data() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    a = rng.normal(size=400)
    b = 2.0 * a + rng.normal(size=400)
    c = -1.5 * b + rng.normal(size=400)
    return pd.DataFrame({"C": c, "A": a, "B": b})


@pytest.mark.usefixtures("lingam")
def test_graph_and_parameters_come_back_in_the_order_of_the_columns(data: pd.DataFrame) -> None:
    before = data.copy()
    learner = ABICLiNGAM(lam=0.2).fit(data)
    pd.testing.assert_frame_equal(data, before)
    assert learner.admg_ == ADMG.parse("A -> B -> C; A <-> C")
    assert learner.admg_.names == ("C", "A", "B")
    assert learner.pag_ == learner.admg_.to_pag()
    assert learner.feature_names_in_.tolist() == ["C", "A", "B"]
    assert learner.coef_[1, 2] == pytest.approx(2.0, abs=0.2)
    assert learner.coef_[2, 0] == pytest.approx(-1.5, abs=0.2)
    assert learner.error_cov_[0, 1] == learner.error_cov_[1, 0] == 0.2
    assert learner.dropped_ == ()
    assert not hasattr(learner, "_rows")


@pytest.mark.usefixtures("lingam")
def test_what_is_outside_the_class_is_dropped_and_said(data: pd.DataFrame) -> None:
    learner = ABICLiNGAM(threshold=0.005).fit(data)
    assert learner.dropped_ == ("C -> A",)
    assert learner.admg_.is_bow_free()


@pytest.mark.usefixtures("lingam")
def test_says_how_it_failed(data: pd.DataFrame) -> None:
    with pytest.raises(LurkingError, match=r"did not finish within 0\.5 seconds"):
        ABICLiNGAM(time_limit=0.5, random_state=99).fit(data)
    with pytest.raises(LurkingError, match="ValueError: no luck"):
        ABICLiNGAM(random_state=98).fit(data)
    with pytest.raises(ParameterError, match="'python' parameter of ABICLiNGAM must be the path"):
        ABICLiNGAM(python="no-such-interpreter").fit(data)
    with pytest.raises(ParameterError, match="'time_limit' parameter of ABICLiNGAM"):
        ABICLiNGAM(time_limit=0.0).fit(data)
    with pytest.raises(DataError, match="fit it to the table itself"):
        ABICLiNGAM().fit(Moments.from_table(data))


def test_says_that_lingam_is_missing(data: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lingam.py").write_text("raise ImportError('not today')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(LurkingError, match=r"lingam cannot be imported: not today.*has lingam 1\.13"):
        ABICLiNGAM().fit(data)
