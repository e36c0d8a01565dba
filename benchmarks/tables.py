"""Every file of a folder through ``lurking.discover`` with no option: what was detected, and the answer or sentence.

Run ``python benchmarks/tables.py FOLDER [--seconds N] [--full] [--names TEXT]``; ``--seconds`` is the time budget of
each search (2 by default, because what is looked at here is the reading), ``--full`` adds each sentence on what was
left out or changed, ``--names`` keeps the files whose names hold a text. Each file is a line: rows, columns that are
used of those that are there, the seconds of reading and of everything, and how the file is written. The last line
counts the answers.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import lurking
from lurking.data.prepare import PreparedData, prepare
from lurking.errors import LurkingError

_NO_TABLES = {".json", ".md", ".html", ".pdf"}


@dataclass(frozen=True)
class Outcome:
    """What became of one file."""

    name: str
    data: PreparedData | None
    seconds_reading: float
    seconds: float
    sentence: str | None = None

    @property
    def line(self) -> str:
        """The outcome as a line of the table."""
        if self.data is None or self.data.reading is None:
            return (
                f"{self.name:<52.52} {'':>8} {'':>8} {self.seconds_reading:>7.2f} {self.seconds:>7.1f}  {self.sentence}"
            )
        n_columns = len(self.data.reading.columns) or self.data.moments.n_variables
        used = f"{self.data.moments.n_variables}/{n_columns}"
        said = self.sentence or self.data.reading.line
        return (
            f"{self.name:<52.52} {self.data.reading.n_rows:>8,} {used:>8} {self.seconds_reading:>7.2f} "
            f"{self.seconds:>7.1f}  {said}"
        )


def outcome(path: Path, seconds: float) -> Outcome:
    """Read one file and search it, with no option but the time."""
    start = time.perf_counter()
    data = None
    try:
        data = prepare(path, "auto", kinds="auto", collinear="drop", nominal="indicators")
        seconds_reading = time.perf_counter() - start
        lurking.discover(data, time_budget=seconds, n_restarts=1)
    except LurkingError as error:
        passed = time.perf_counter() - start
        return Outcome(path.name, data, passed, passed, f"REFUSED: {error}")
    return Outcome(path.name, data, seconds_reading, time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--names", default="")
    options = parser.parse_args()
    files = [path for path in sorted(options.folder.rglob("*")) if path.is_file() and options.names in path.name]
    outcomes = []
    print(f"{'file':<52} {'rows':>8} {'used':>8} {'reading':>7} {'seconds':>7}  detected")
    for path in files:
        if path.suffix.lower() not in _NO_TABLES:
            outcomes.append(outcome(path, options.seconds))
            print(outcomes[-1].line, flush=True)
            if options.full and outcomes[-1].data is not None:
                for note in outcomes[-1].data.notes:
                    print(f"    {note.message} {note.advice}")
    answered = sum(one.sentence is None for one in outcomes)
    print(f"{answered} of {len(outcomes)} files answered without an option")


if __name__ == "__main__":
    main()
