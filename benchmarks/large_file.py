"""A million rows from Parquet through the command line: time and memory, next to a plain pass over the same file.

Run ``python benchmarks/large_file.py [rows] [columns]``; by default 1,000,000 rows and 20 columns, written to a
temporary folder in row groups of 100,000. Each line is a process of its own, so that its peak memory (resident set, as
the operating system counts it) is its own; every process has loaded the libraries it needs before the clock starts,
except the commands, which are measured from start to end. The fastest of three runs counts.

``plain pass``   pyarrow reads every batch of the file and drops it
``moments``      means, covariances and a sample of the rows, as every command reads a file
``check``        ``lurking check`` of a small graph, on the covariances and on the file; the difference is what the
                 size of the file costs
``discover``     the same two for ``lurking discover`` with a time budget
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

import numpy as np

MEGABYTE = 2**20
BUDGET = 5
_IMPORTS = "import resource, sys, time, pyarrow.parquet as pq; from lurking.data.prepare import prepare"
_PASSES = {
    "imports alone": "",
    "plain pass": "for batch in pq.ParquetFile(sys.argv[1]).iter_batches(65536): pass",
    "moments": "prepare(sys.argv[1])",
    "moments, whole table": "prepare(pq.read_table(sys.argv[1]).to_pandas())",
}


def write_parquet(path: Path, rows: int, columns: int) -> None:
    """Write rows of a linear model, in pieces, so that writing needs little memory."""
    pa, pq = import_module("pyarrow"), import_module("pyarrow.parquet")
    from lurking import ADMG, simulate_admg

    names = [f"X{j + 1}" for j in range(columns)]
    directed = [(names[j], names[k]) for k in range(columns) for j in (k - 1, k - 4) if j >= 0]
    bidirected = [(names[k], names[k + 2]) for k in range(0, columns - 2, 4)]
    simulation = simulate_admg(ADMG.from_edges(directed, bidirected, names), 1000, random_state=0)
    factor = np.linalg.cholesky(simulation.sem.implied_cov())
    rng = np.random.default_rng(0)
    schema = pa.schema([(name, pa.float64()) for name in names])
    with pq.ParquetWriter(path, schema) as writer:
        for start in range(0, rows, 100_000):
            block = rng.standard_normal((min(100_000, rows - start), columns)) @ factor.T
            writer.write_table(pa.table(dict(zip(names, block.T, strict=True)), schema=schema))


def in_a_process(code: str, path: Path) -> tuple[float, float, float]:
    """Return the seconds of a piece of code after the imports, those of the processor, and the peak memory in MB."""
    program = (
        f"{_IMPORTS}\nstart, busy = time.perf_counter(), time.process_time()\n{code}\n"
        "peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "print(time.perf_counter() - start, time.process_time() - busy, peak)"
    )
    done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=True)
    seconds, busy, kilobytes = map(float, done.stdout.split())
    return seconds, busy, kilobytes * 1024 / MEGABYTE


def command(*arguments: str) -> tuple[float, float, float]:
    """Return the seconds of a command from start to end, those of the processor, and its peak memory in megabytes."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "lurking.cli", *arguments])
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"lurking {' '.join(arguments)} failed")
    seconds = time.perf_counter() - start
    return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / MEGABYTE


def _line(name: str, seconds: float, busy: float, peak: float) -> None:
    print(f"{name:<24}{seconds:>9.2f}{busy:>11.2f}{peak:>9.0f}", flush=True)


def main(rows: int = 1_000_000, columns: int = 20) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, cov = Path(folder, "table.parquet"), Path(folder, "cov.csv")
        write_parquet(path, rows, columns)
        size = path.stat().st_size / MEGABYTE
        numbers = rows * columns * 8 / MEGABYTE
        print(f"{rows:,} rows x {columns} columns; {size:.0f} MB on disk, {numbers:.0f} MB as numbers")
        print(f"{'':<24}{'seconds':>9}{'processor':>11}{'peak MB':>9}")
        for name, code in _PASSES.items():
            _line(name, *(min(column) for column in zip(*(in_a_process(code, path) for _ in range(3)), strict=True)))
        from lurking.data import Moments

        moments = Moments.from_path(path)
        np.savetxt(cov, moments.cov, delimiter=",", header=",".join(moments.names), comments="")
        common = ("--time-budget", str(BUDGET), "--restarts", "1", "--out", folder, "--quiet")
        graph = Path(folder, "graph.txt")
        graph.write_text("X1 -> X2; X3")
        covariances = (str(cov), "--n-samples", str(rows))
        for name, arguments in {
            "check, covariances": ("check", *covariances, str(graph), "--quiet"),
            "check": ("check", str(path), str(graph), "--quiet"),
            "discover, covariances": ("discover", *covariances, *common),
            "discover": ("discover", str(path), *common),
        }.items():
            _line(name, *command(*arguments))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
