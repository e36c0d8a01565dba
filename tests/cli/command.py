"""Run the command in this process, and small tables to run it on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
from click.testing import CliRunner, Result

from lurking import ADMG, simulate_admg
from lurking.cli import main

CHAIN = ADMG.parse('dose -> "blood level" -> Schläfrigkeit', names=["dose", "blood level", "Schläfrigkeit"])


def run(*arguments: object) -> Result:
    """Run ``lurking`` with arguments; an exception that is no error of ours is raised here."""
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def chain_table(n_samples: int = 400) -> pd.DataFrame:
    """Three columns with spaces and letters beyond ASCII in their names."""
    return simulate_admg(CHAIN, n_samples, random_state=5).data


def spoken(result: Result) -> list[str]:
    """Return the lines on stderr but for what was read, and the compilation that only the first run announces."""
    return [line for line in result.stderr.splitlines() if not line.startswith(("Compiling", "Read: "))]


def one_sentence(result: Result) -> str:
    """Return the error of a failed run, after checking that it is one line without a traceback."""
    assert result.stdout == ""
    (line,) = spoken(result)
    assert line.startswith("lurking: ")
    return line.removeprefix("lurking: ").strip()


@contextmanager
def nothing_written(folder: Path) -> Iterator[None]:
    """Check that a folder holds the same files afterwards."""
    before = sorted(folder.rglob("*"))
    yield
    assert sorted(folder.rglob("*")) == before


def with_column(table: pd.DataFrame, name: str, values: object) -> pd.DataFrame:
    others = table.drop(columns=name, errors="ignore")
    column = pd.Series(values, index=table.index, name=name)
    return pd.concat([others, column], axis=1)


def constant(table: pd.DataFrame) -> pd.DataFrame:
    return with_column(table, "batch", 1.0)


def random_column(n: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.random.default_rng(0).normal(size=n)
