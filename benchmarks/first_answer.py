"""How long the command ``lurking discover`` takes on a small table: the first time, and every later time.

The first call after an installation compiles the numerical kernels; later ones load them from the cache. The table
has 5 variables and 500 rows, so nearly all of the time is imports, compilation and loading. Processor time of the whole
process is what is compared, because the time on the clock depends on what else the machine does.

    python -m benchmarks.first_answer                # an empty cache, then five later starts
    python -m benchmarks.first_answer --kernels 20   # the same, and which functions take longest to compile
    python -m benchmarks.first_answer --imports 20   # the same, and which modules take longest to import

The bars of issue 25 are 40 s for the first start and 1.5 s for a later one. The last line prints what the libraries
alone take to import, below which no later start can come.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from statistics import median

from lurking import ADMG, simulate_admg

_LIBRARIES = "import numpy, scipy.special, pandas, numba, click, rich.console, rich.table, jinja2"
_LATER_STARTS = 5
_FIRST_BAR, _LATER_BAR = 40.0, 1.5

# What the measured process runs: the command itself; and, for --kernels, with a listener to numba's compilations.
_COMMAND = "import sys; from lurking.cli import main; sys.argv[0] = 'lurking'; main()"
_LISTENED = "import sys; from benchmarks.first_answer import listen; listen(); " + _COMMAND.split("; ", 1)[1]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernels", type=int, default=0, metavar="N", help="show the N functions that compile longest")
    parser.add_argument("--imports", type=int, default=0, metavar="N", help="show the N modules that import longest")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = simulate_admg(ADMG.parse("A -> B -> C <-> D; A -> E; D -> E"), 500, random_state=0).data
        data.to_csv(folder / "data.csv", index=False)
        first, _ = _start(_COMMAND, folder, folder / "cache")
        later = [_start(_COMMAND, folder, folder / "cache")[0] for _ in range(_LATER_STARTS)]
        libraries = [_start(_LIBRARIES, folder, folder / "cache")[0] for _ in range(_LATER_STARTS)]
        print("processor time                       seconds   bar")
        print(f"first start, empty cache             {first:7.1f} {_FIRST_BAR:5.1f}")
        print(f"later start, median of {_LATER_STARTS}             {median(later):7.2f} {_LATER_BAR:5.1f}")
        print(f"of which the libraries' own imports  {median(libraries):7.2f}")
        if options.kernels:
            _, told = _start(_LISTENED, folder, folder / "another cache")
            print(
                f"\ncompiled, with the seconds that each takes without those it calls\n{_head(told, options.kernels)}"
            )
        if options.imports:
            _, told = _start(_COMMAND, folder, folder / "cache", "-X", "importtime")
            print(f"\nimported, with the milliseconds that each takes by itself\n{_imports(told, options.imports)}")


def _start(program: str, folder: Path, cache: Path, *flags: str) -> tuple[float, str]:
    """Run a program on the table; return its processor time and what it wrote to stderr."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, *flags, "-c", program, "discover", str(folder / "data.csv"), "--out", str(folder / "out")],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, done.stderr


def listen() -> None:
    """Write to stderr, when this process ends, what was compiled and how long each function took."""
    import atexit

    from numba.core import event

    own: dict[str, float] = defaultdict(float)
    signatures: Counter[str] = Counter()
    began: list[float] = []
    running: list[float] = []  # the processor time of what is compiled inside the compilations that are going on

    class Listener(event.Listener):
        def on_start(self, started: event.Event) -> None:
            running.append(0.0)
            began.append(time.thread_time())

        def on_end(self, ended: event.Event) -> None:
            function = ended.data["dispatcher"].py_func
            name = f"{function.__module__}.{function.__qualname__}"
            took = time.thread_time() - began.pop()
            own[name] += took - running.pop()
            signatures[name] += 1
            if running:
                running[-1] += took

    def tell() -> None:
        print(f"{'total':60} {sum(own.values()):7.2f} {signatures.total():4d} signatures", file=sys.stderr)
        for name, seconds in sorted(own.items(), key=lambda item: -item[1]):
            print(f"{name:60} {seconds:7.2f} {signatures[name]:4d}", file=sys.stderr)

    event.register("numba:compile", Listener())  # type: ignore[no-untyped-call]
    atexit.register(tell)


def _head(told: str, number: int) -> str:
    lines = told.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("total "))
    return "\n".join(lines[start : start + number + 1])


def _imports(told: str, number: int) -> str:
    rows = [line.split(":", 1)[1].split("|") for line in told.splitlines() if line.startswith("import time:")]
    took = sorted(((int(own), name.strip()) for own, _, name in rows if own.strip().isdecimal()), reverse=True)
    return "\n".join(f"{name:60} {own / 1000:7.1f}" for own, name in took[:number])


if __name__ == "__main__":
    main()
