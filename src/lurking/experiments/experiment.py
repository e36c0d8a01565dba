"""What an experiment is: pieces of work with keys, and what to make of their answers.

A *task* is one method on one data set: it simulates the data from the seed in its key, runs the method, and returns a
row, or several if one search answers several questions. Tasks know nothing of each other, so they can run anywhere and
in any order, and the answers are the same.

Every data set has a seed of its own, an ordinary number that stands in its row. It is derived from the seed of the
experiment, the setting and the number of the data set, so the first 20 of 100 data sets are those of a run with 20.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np

from lurking._errors import FormatError
from lurking._parameters import check_count
from lurking.experiments.store import Key
from lurking.experiments.tables import TextTable

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Experiment", "Task", "dataset_seed"]


class Task(Protocol):
    """One piece of work; it must be possible to pickle it."""

    def row_keys(self) -> list[tuple[object, ...]]:
        """Return the values of the key columns of each row."""
        ...

    def run(self) -> list[dict[str, object]]:
        """Return the rows of the experiment, in the order of their keys."""
        ...


class Experiment(ABC):
    """An experiment with its options.

    Parameters
    ----------
    n_datasets : int
        Data sets for each setting.
    seed : int
        The seed.
    restarts : int or None
        Random starts of each method; None leaves each its own default.

    Attributes
    ----------
    name : str
        As on the command line.
    key : tuple of str
        The first columns of a row: which piece of work it answers.
    columns : dict of str to type
        All columns and what they hold.
    """

    name: ClassVar[str]
    key: ClassVar[tuple[str, ...]]
    columns: ClassVar[dict[str, type]]

    def __init__(self, n_datasets: int, seed: int, restarts: int | None) -> None:
        check_count("datasets", n_datasets, owner="an experiment")
        check_count("seed", seed, at_least=0, owner="an experiment")
        if restarts is not None:
            check_count("restarts", restarts, owner="an experiment")
        self.n_datasets, self.seed, self.restarts = n_datasets, seed, restarts

    @abstractmethod
    def tasks(self) -> list[Task]:
        """Return all pieces of work, data set by data set."""

    def fixed(self) -> dict[str, object]:
        """Return the options that all rows of a table must share."""
        return {"seed": self.seed, "restarts": self.restarts}

    @abstractmethod
    def tables(self, rows: pd.DataFrame) -> list[TextTable]:
        """Return what the rows say, beside the paper's numbers."""

    @abstractmethod
    def picture(self, rows: pd.DataFrame) -> str:
        """Return a plot as SVG."""

    @classmethod
    def frame(cls, rows: list[dict[str, str]]) -> pd.DataFrame:
        """Return rows of text as a table of numbers and text; what is missing is NaN or empty."""
        import pandas as pd

        table = pd.DataFrame(rows, columns=list(cls.columns))
        for column, kind in cls.columns.items():
            if kind is not str:
                numbers = pd.to_numeric(table[column], errors="coerce")
                wrong = table[numbers.isna() & (table[column] != "")]
                if len(wrong):
                    first = wrong.iloc[0]
                    beginning = ",".join(map(str, first[list(cls.key)]))
                    raise FormatError(
                        f"The results hold {first[column]!r} in the column {column!r}, which is no number; delete the "
                        f"line that begins with {beginning}, and its piece of work is done again."
                    )
                table[column] = numbers
        return table


def key_text(key: tuple[object, ...]) -> Key:
    """Return a key as the store writes it."""
    return tuple(str(part) for part in key)


def dataset_seed(seed: int, *path: int) -> int:
    """Return the seed of one data set.

    Parameters
    ----------
    seed : int
        The seed of the experiment.
    *path : int
        The setting, and last the number of the data set.

    Examples
    --------
    >>> len({dataset_seed(0, 1, 1000, k) for k in (5, 6, 5)})
    2
    """
    return int(np.random.SeedSequence(seed, spawn_key=path).generate_state(1)[0])
