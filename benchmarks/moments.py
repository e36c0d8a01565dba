"""How long a table takes to become moments, and how much memory, next to numpy.cov on the same table.

Run ``python benchmarks/moments.py [rows] [columns]``; by default a million rows and twenty columns. Memory is the peak
of what Python and NumPy allocate beyond the table itself.
"""

from __future__ import annotations

import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl

from lurking._typing import FloatArray
from lurking.data import Moments

MEGABYTE = 2**20


def numpy_cov(table: FloatArray) -> FloatArray:
    cov: FloatArray = np.cov(table, rowvar=False, bias=True)
    return cov


def measure(run: Callable[[], FloatArray], repeats: int) -> tuple[float, float, FloatArray]:
    """Return the best time in seconds, the peak memory in megabytes, and the covariance matrix."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        cov = run()
        best = min(best, time.perf_counter() - start)
    tracemalloc.start()
    run()
    peak = tracemalloc.get_traced_memory()[1] / MEGABYTE
    tracemalloc.stop()
    return best, peak, cov


def main(rows: int = 1_000_000, columns: int = 20) -> None:
    rng = np.random.default_rng(0)
    table = rng.standard_normal((rows, columns)) + 100
    names = [f"X{j + 1}" for j in range(columns)]
    frame = pd.DataFrame({name: table[:, j].copy() for j, name in enumerate(names)})
    polars = pl.DataFrame({name: table[:, j].copy() for j, name in enumerate(names)})
    single = table.astype(np.float32)
    Moments.from_table(polars[: columns + 2])  # imports, outside the clock
    print(f"{rows} rows x {columns} columns; the table itself is {table.nbytes / MEGABYTE:.0f} MB")
    print(f"{'source':<28}{'seconds':>9}{'MB beyond the table':>21}{'largest difference':>20}")
    with tempfile.TemporaryDirectory() as folder:
        csv, parquet = Path(folder, "t.csv"), Path(folder, "t.parquet")
        short = frame.head(rows // 10)
        short.to_csv(csv, index=False)
        frame.to_parquet(parquet)
        sources: dict[str, tuple[int, Callable[[], FloatArray]]] = {
            "numpy.cov, for comparison": (5, lambda: numpy_cov(table)),
            "numpy": (5, lambda: Moments.from_table(table).cov),
            "numpy, float32": (5, lambda: Moments.from_table(single).cov),
            "pandas": (5, lambda: Moments.from_table(frame).cov),
            "polars": (5, lambda: Moments.from_table(polars).cov),
            "parquet": (2, lambda: Moments.from_path(parquet).cov),
            f"csv, {rows // 10} rows": (1, lambda: Moments.from_path(csv).cov),
        }
        reference = numpy_cov(table)
        for name, (repeats, run) in sources.items():
            seconds, peak, cov = measure(run, repeats)
            compared = numpy_cov(short.to_numpy()) if name.startswith("csv") else reference
            print(f"{name:<28}{seconds:>9.3f}{peak:>21.1f}{np.abs(cov - compared).max():>20.1e}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
