"""Run a script on the rows of a table in another Python interpreter, under a time limit.

Some packages need an environment of their own. Their adapters send the rows in NumPy's file format to the standard
input of a script, options as JSON in its first argument, and read JSON from its standard output. Columns are sent in
the order of their names, as :class:`~lurking.baselines.base.Baseline` wants it.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from lurking._errors import DataError, LurkingError
from lurking._parameters import refused
from lurking._typing import FloatArray
from lurking.data import Moments
from lurking.data.tables import table_blocks

__all__ = ["OtherInterpreter", "sorted_rows"]


@dataclass(frozen=True)
class OtherInterpreter:
    """An interpreter with a package that this one may not have.

    Attributes
    ----------
    owner : str
        The learner, for error messages.
    package : str
        What the environment must have, with its version, for error messages.
    python : str or None
        The path of the interpreter; None is this one.
    time_limit : float
        Seconds after which a run is stopped.
    """

    owner: str
    package: str
    python: str | None
    time_limit: float

    def run(self, script: str, rows: FloatArray, options: object) -> Any:
        """Return the JSON that a script prints for the rows and the options."""
        python = sys.executable if self.python is None else self.python
        sent = io.BytesIO()
        np.save(sent, rows)
        command = [python, "-W", "ignore", "-c", script, json.dumps(options)]
        try:
            done = subprocess.run(
                command, input=sent.getvalue(), capture_output=True, timeout=self.time_limit, check=False
            )
        except FileNotFoundError:
            raise refused("python", "the path of a Python interpreter", self.python, self.owner) from None
        except subprocess.TimeoutExpired:
            raise LurkingError(
                f"{self.owner} did not finish within {self.time_limit:g} seconds and was stopped; raise time_limit or "
                "take fewer variables."
            ) from None
        if done.returncode != 0:
            last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
            raise LurkingError(
                f"{self.owner} failed in {python} ({''.join(last) or 'no message'}); give 'python' an interpreter "
                f"whose environment has {self.package} or later."
            )
        return json.loads(done.stdout)


def sorted_rows(X: object, owner: str, reason: str) -> FloatArray:
    """Return the rows of a table with its columns in the order of their names; moments are refused for a reason."""
    if isinstance(X, Moments):
        raise DataError(f"{owner} {reason}; fit it to the table itself.")
    names, blocks = table_blocks(X)
    rows: FloatArray = np.concatenate([np.asarray(block, dtype=np.float64) for block in blocks], axis=1).T
    return rows[:, np.argsort(np.array(names))]
