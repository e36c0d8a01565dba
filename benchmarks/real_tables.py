r"""Right and wrong directions on real tables, for the search and for the methods it is compared with.

On a real table nobody knows the graph, but sometimes an order: what was measured first, or randomised, cannot be
caused by what came later. ``tiers.json`` in the folder of the tables gives such an order for some of them, as lists of
columns, the earliest first::

    {"trial.csv": [["sex", "age"], ["treatment"], ["outcome"]]}

For two columns of different tiers "the earlier one causes the later one" is *right*, the other way round is *against
the order*. (A right direction may still be no cause; one against the order is wrong for certain.) The order is never
shown to a method.

Methods: the search with its defaults ("ours") and with every row counted ("ours, all rows"), others with
``--ours NAME=JSON``; the learners of :mod:`lurking.baselines`, whose claims are the directed edges of their PAG, with
probability 1; DirectLiNGAM in an environment of its own (``--lingam-python``), whose claims are coefficients above 0.1
standard deviations. All see the table as ``lurking.discover(path)`` reads it. Baselines take its covariances after
missing values are estimated by EM; those that need rows take the complete ones.

The *log score of direction* of a pair is :math:`1 + \log_2 q`, :math:`q = (p + .01) / (p + p' + .02)` with p the
probability of the right direction and p' that of the other: 0 for a coin and for "no idea", 1 at best, -5.7 at worst.

::

    python -m benchmarks.real_tables FOLDER              # run what is missing, then print the tables
    python -m benchmarks.real_tables FOLDER --show       # the tables only

Every answer is a row of ``results/real_tables/claims.csv`` as soon as it is there; the same command goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.accuracy.limits import OutOfTimeError, within
from sklearn.base import clone

from lurking import PAG, ADMGDiscovery
from lurking._errors import LurkingError
from lurking._files import write_together
from lurking._typing import FloatArray
from lurking.baselines import FCI, GFCI, M3HC, ABICLiNGAM, Baseline, DAGThenPAG, GreedyBAP, GreedySPo, TetradPort
from lurking.baselines._other_interpreter import OtherInterpreter
from lurking.data.prepare import PreparedData
from lurking.discovery.discover import READING
from lurking.experiments.store import ResultStore
from lurking.experiments.tables import TextTable
from lurking.graphs import Mark

COLUMNS = ("table", "method", "rows", "counted", "seconds", "claims", "note")
LIMITS = (0.95, 0.8, 0.5)
ROUNDING = 0.01
"""What is added to each of two probabilities before one is divided by their sum."""

OURS: dict[str, dict[str, Any]] = {"ours": {}, "ours, all rows": {"effective_rows": "all"}}
BASELINES: dict[str, Baseline] = {
    "FCI .01": FCI(alpha=0.01),
    "FCI .05": FCI(alpha=0.05),
    "GFCI .01": GFCI(alpha=0.01, random_state=0),
    "best DAG, then its PAG": DAGThenPAG(random_state=0),
    "the same at price 2": DAGThenPAG(penalty_discount=2.0, random_state=0),
    "greedySPo": GreedySPo(random_state=0),
    "M3HC": M3HC(),
    "GreedyBAP": GreedyBAP(random_state=0),
}
_NEEDS_ROWS = (ABICLiNGAM, TetradPort)

_DIRECT_LINGAM = """
import io, json, sys
import numpy as np
try:
    from lingam import DirectLiNGAM
except ImportError as error:
    sys.exit(f"lingam cannot be imported: {error}")
rows = np.load(io.BytesIO(sys.stdin.buffer.read()))
rows = (rows - rows.mean(axis=0)) / rows.std(axis=0)
model = DirectLiNGAM(random_state=0).fit(rows)
json.dump((np.abs(model.adjacency_matrix_.T) > json.loads(sys.argv[1])["above"]).tolist(), sys.stdout)
"""


@dataclass(frozen=True)
class Claim:
    """How probable a method finds it that the earlier of two columns causes the later, and the other way round."""

    earlier: str
    later: str
    right: float
    against: float

    @property
    def score(self) -> float:
        """The log score of the direction relative to a coin."""
        share = (self.right + ROUNDING) / (self.right + self.against + 2.0 * ROUNDING)
        return float(np.log2(share)) + 1.0


def claims_of(causes: FloatArray, names: Sequence[str], tiers: Sequence[Sequence[str]]) -> list[Claim]:
    """Return a claim for each pair of columns that the order can check.

    Parameters
    ----------
    causes : ndarray of shape (d, d)
        ``causes[i, j]``: the probability that column i causes column j.
    names : sequence of str
        The columns.
    tiers : sequence of sequence of str
        The order; columns that were left out of the table, or stand in no tier, make no pair.
    """
    tier = {name: number for number, members in enumerate(tiers) for name in members}
    place = {name: k for k, name in enumerate(names) if name in tier}
    return [
        Claim(one, other, float(causes[i, j]), float(causes[j, i]))
        for one, i in place.items()
        for other, j in place.items()
        if tier[one] < tier[other]
    ]


def directed_edges(pag: PAG, names: Sequence[str]) -> FloatArray:
    """Return 1 where a PAG has a directed edge."""
    marks = pag.subgraph(names).marks
    directed: FloatArray = ((marks == Mark.ARROW) & (marks.T == Mark.TAIL)).astype(np.float64)
    return directed


# ---------------------------------------------------------------------------------------------------------- methods


@dataclass(frozen=True)
class Answer:
    """What a method says of a table: a probability of each cause, the columns, and how many rows it counted."""

    causes: FloatArray
    names: tuple[str, ...]
    counted: int


def search(settings: Mapping[str, Any], path: Path) -> Answer:
    """Search as :func:`lurking.discover` does."""
    model = ADMGDiscovery(**{**READING, "random_state": 0, **settings})
    model.fit(path)
    posterior = model.search_.posterior
    return Answer(posterior.ancestry, posterior.names, model.n_counted_)


def baseline(learner: Baseline, path: Path) -> Answer:
    """Run a baseline on what :func:`lurking.discover` reads."""
    data = prepared(path)
    fresh = clone(learner)
    fresh.fit(_complete_rows(data) if isinstance(learner, _NEEDS_ROWS) else data.moments)
    names = data.moments.names
    return Answer(directed_edges(fresh.pag_, names), names, data.moments.n_samples)


def direct_lingam(python: str, time_limit: float, path: Path, above: float = 0.1) -> Answer:
    """Run DirectLiNGAM (Shimizu et al. 2011) in another interpreter."""
    frame = _complete_rows(prepared(path))
    other = OtherInterpreter("DirectLiNGAM", "lingam 1.8", python, time_limit)
    found = np.array(other.run(_DIRECT_LINGAM, frame.to_numpy(), {"above": above}), dtype=np.float64)
    return Answer(found, tuple(frame.columns), len(frame))


def prepared(path: Path) -> PreparedData:
    """Return a table as :func:`lurking.discover` reads it."""
    return ADMGDiscovery(**READING).prepare(path)


def _complete_rows(data: PreparedData) -> Any:
    import pandas as pd

    rows = data.all_rows()
    if rows is None:
        raise LurkingError("The file is a covariance matrix; this method needs rows.")
    return pd.DataFrame(rows, columns=list(data.moments.names)).dropna()


def methods(options: argparse.Namespace) -> dict[str, Callable[[Path], Answer]]:
    """Return the methods by name."""
    ours = OURS | dict(options.ours or [])
    chosen: dict[str, Callable[[Path], Answer]] = {
        name: partial(search, settings | ({"n_restarts": options.restarts} if options.restarts else {}))
        for name, settings in ours.items()
    }
    learners = dict(BASELINES)
    if options.tetrad_python:
        learners["BOSS-FCI .01"] = TetradPort("boss_fci", n_starts=10, python=options.tetrad_python)
    if options.lingam_python:
        learners["ABIC LiNGAM"] = ABICLiNGAM(python=options.lingam_python, time_limit=options.limit)
        chosen["DirectLiNGAM"] = partial(direct_lingam, options.lingam_python, options.limit)
    chosen |= {name: partial(baseline, learner) for name, learner in learners.items()}
    return {name: one for name, one in chosen.items() if options.methods is None or name in options.methods}


# -------------------------------------------------------------------------------------------------------------- runs


def row_of(table: str, method: str, work: Callable[[], Answer], tiers: Sequence[Sequence[str]], limit: float) -> Any:
    """Return the row of one method on one table; a failure is a row with a note."""
    start = time.perf_counter()
    row = dict.fromkeys(COLUMNS, None) | {"table": table, "method": method}
    try:
        answer = within(limit, work)
    except (OutOfTimeError, LurkingError, RuntimeError) as error:
        return row | {"note": f"{type(error).__name__}: {error}"}
    claims = claims_of(answer.causes, answer.names, tiers)
    return row | {
        "counted": answer.counted,
        "seconds": round(time.perf_counter() - start, 1),
        "claims": json.dumps([[one.earlier, one.later, round(one.right, 4), round(one.against, 4)] for one in claims]),
    }


def run(folder: Path, store: ResultStore, options: argparse.Namespace) -> None:
    """Run what is missing, one after the other."""
    for table, tiers in tiers_of(folder).items():
        n_rows: int | None = None
        for name, method in methods(options).items():
            if (table, name) in store:
                continue
            if n_rows is None:
                n_rows = prepared(folder / table).moments.n_samples
            row = row_of(table, name, partial(method, folder / table), tiers, options.limit)
            store.append(row | {"rows": n_rows})
            print(f"{table}, {name}: {row['note'] or summary_of(read_claims(row['claims']))}", flush=True)


def tiers_of(folder: Path) -> dict[str, list[list[str]]]:
    """Return the orders of the tables of a folder."""
    try:
        found: dict[str, list[list[str]]] = json.loads((folder / "tiers.json").read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError) as error:
        raise LurkingError(f"{str(folder / 'tiers.json')!r} cannot be read ({error}); see --help.") from None
    return found


# ------------------------------------------------------------------------------------------------------------ tables


def read_claims(text: str) -> list[Claim]:
    """Read the column ``claims``."""
    return [Claim(*entry) for entry in json.loads(text)]


def tallies(claims: Sequence[Claim]) -> list[str]:
    """Return "right / against" at each limit."""
    return [
        f"{sum(one.right >= limit for one in claims)} / {sum(one.against >= limit for one in claims)}"
        for limit in LIMITS
    ]


def summary_of(claims: Sequence[Claim]) -> str:
    """Return the tallies and the log score in one line."""
    return f"{', '.join(tallies(claims))}; log score {_mean_score(claims)}"


def tables(store: ResultStore, searches: Sequence[str]) -> Iterator[TextTable]:
    """Yield the table of the methods, and one of the tables for each search."""
    rows = store.rows()
    names = list(dict.fromkeys(row["table"] for row in rows))
    by_method: dict[str, dict[str, list[Claim]]] = {}
    for row in rows:
        by_method.setdefault(row["method"], {})
        if not row["note"]:
            by_method[row["method"]][row["table"]] = read_claims(row["claims"])
    heading = ("p >= .95", "p >= .8", "p >= .5", "log score")
    lines = []
    for method, answers in by_method.items():
        every = [claim for claims in answers.values() for claim in claims]
        lines.append((method, f"{len(answers)} of {len(names)}", *tallies(every), _mean_score(every)))
    yield TextTable(
        'Statements "X causes Y" that an order of measurement can check: right / against it',
        ("method", "tables", *heading),
        tuple(lines),
        "A baseline says what it says with probability 1. The log score is 0 for a coin.",
    )
    counted = {(row["table"], row["method"]): row["counted"] for row in rows}
    sizes = {row["table"]: row["rows"] for row in rows}
    for method in searches:
        if method in by_method:
            lines = [
                (name, sizes[name], counted[name, method], *tallies(claims), _mean_score(claims))
                for name, claims in by_method[method].items()
            ]
            yield TextTable(f"{method}, by table", ("table", "rows", "counted", *heading), tuple(lines), "")


def _mean_score(claims: Sequence[Claim]) -> str:
    return f"{np.mean([one.score for one in claims]):+.2f}" if claims else "–"


def named_settings(text: str) -> tuple[str, dict[str, Any]]:
    """Read NAME=JSON."""
    name, _, settings = text.partition("=")
    try:
        read = json.loads(settings or "{}")
    except json.JSONDecodeError as error:
        raise argparse.ArgumentTypeError(f"the settings of {name!r} are not JSON: {error}") from None
    if not name or name in BASELINES or not isinstance(read, dict):
        raise argparse.ArgumentTypeError("give a name that no other method has and an object of settings: NAME={...}")
    return name, read


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = argparse.ArgumentParser(
        prog="python -m benchmarks.real_tables",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("folder", type=Path, help="a folder with tables and tiers.json")
    top.add_argument("--out", type=Path, default=Path("results/real_tables"), help="the folder of the results")
    top.add_argument("--methods", nargs="*", metavar="NAME", help="only these")
    top.add_argument("--ours", action="append", type=named_settings, metavar="NAME=JSON", help="another search")
    top.add_argument("--restarts", type=int, help="n_restarts of the searches")
    top.add_argument("--limit", type=float, default=600.0, help="seconds of processor time for a method on a table")
    top.add_argument("--lingam-python", metavar="PATH", help="an interpreter with the package lingam")
    top.add_argument("--tetrad-python", metavar="PATH", help="an interpreter with the package tetrad-port")
    top.add_argument("--show", action="store_true", help="run nothing")
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print its tables."""
    options = parser().parse_args(arguments)
    store = ResultStore(options.out / "claims.csv", COLUMNS, n_key=2, say=print)
    try:
        if not options.show:
            run(options.folder, store, options)
        text = "\n".join(
            table.to_markdown() for table in tables(store, [*OURS, *(name for name, _ in options.ours or [])])
        )
        write_together({options.out / "tables.md": text})
    except LurkingError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
