"""The command line of the benchmark; see :mod:`benchmarks.accuracy`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

import benchmarks.accuracy
from benchmarks.accuracy.methods import BASELINES, GROUPS, TETRAD_GROUPS
from benchmarks.accuracy.reliability import calibration_tables, picture
from benchmarks.accuracy.runs import Limits, calibration_store, forget, result_store, run, tasks
from benchmarks.accuracy.tables import all_tables, frame_of, seeds_text
from benchmarks.accuracy.worlds import CELLS, QUICK_CELLS, TUNING, WORLDS

from lurking._errors import LurkingError
from lurking._files import write_together
from lurking.experiments.tables import TextTable


def named_settings(text: str) -> tuple[str, dict[str, Any]]:
    """Read NAME=JSON."""
    name, _, settings = text.partition("=")
    if not name.strip() or " " in name or name in GROUPS or name in BASELINES:
        raise argparse.ArgumentTypeError(f"{name!r} cannot be the name of a search; use one word that no baseline has")
    try:
        read = json.loads(settings or "{}")
    except json.JSONDecodeError as error:
        raise argparse.ArgumentTypeError(f"the settings of {name!r} are not JSON: {error}") from None
    if not isinstance(read, dict):
        raise argparse.ArgumentTypeError(f"the settings of {name!r} must be a JSON object, such as {{}}")
    return name, read


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    top = argparse.ArgumentParser(
        prog="python -m benchmarks.accuracy",
        description=benchmarks.accuracy.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = top.add_subparsers(dest="command", required=True)
    for name, words in (("run", "run what is missing"), ("tables", "tables"), ("calibration", "calibration")):
        command = commands.add_parser(name, help=words)
        command.add_argument("--out", type=Path, default=Path("results/accuracy"), help="the folder of the results")
        command.add_argument(
            "--first", type=int, default=0, help=f"the first seed: 0 for reporting, {TUNING} for tuning"
        )
    command = commands.choices["run"]
    command.add_argument("--datasets", type=int, help="for each size, three times as many for verma; 21, quick 3")
    command.add_argument("--worlds", nargs="*", choices=WORLDS, default=list(WORLDS))
    command.add_argument("--variables", nargs="*", type=int, help="only these numbers of variables")
    command.add_argument("--rows", nargs="*", type=int, help="only these numbers of rows")
    command.add_argument(
        "--ours", action="append", type=named_settings, metavar="NAME=JSON", help="a search and its settings"
    )
    command.add_argument("--baselines-only", action="store_true", help="no search of ours")
    command.add_argument("--methods", nargs="*", choices=list(GROUPS), metavar="GROUP", help=f"of {', '.join(GROUPS)}")
    command.add_argument(
        "--again", nargs="*", default=[], metavar="NAME", help="forget the rows of these methods first"
    )
    command.add_argument("--tetrad-python", default=os.environ.get("LURKING_TETRAD_PYTHON"), metavar="PATH")
    command.add_argument("--jobs", type=int, default=2)
    command.add_argument("--limit", type=float, default=3600.0, help="seconds for a search of ours")
    command.add_argument("--baseline-limit", type=float, default=300.0, help="seconds for a group of baselines")
    command.add_argument("--graphs", type=int, default=400, help="graphs of a posterior that make the probabilities")
    command.add_argument("--quick", action="store_true", help="a few small sizes and 3 data sets each")
    return top


def do_run(options: argparse.Namespace) -> None:
    groups = list(GROUPS) if options.methods is None else options.methods
    if not options.tetrad_python and any(group in TETRAD_GROUPS for group in groups):
        if options.methods is not None:
            raise LurkingError("The methods of tetrad-port need --tetrad-python, an interpreter with that package.")
        groups = [group for group in groups if group not in TETRAD_GROUPS]
        print("Without --tetrad-python the methods of tetrad-port are left out.", flush=True)
    cells = [
        cell
        for cell in (QUICK_CELLS if options.quick else CELLS)
        if cell.world in options.worlds
        and (options.variables is None or cell.d in options.variables)
        and (options.rows is None or cell.n in options.rows)
    ]
    per_cell = options.datasets or (3 if options.quick else 21)
    seeds = range(options.first, options.first + per_cell)
    ours = {} if options.baselines_only else dict(options.ours or [("default", {})])
    forget(options.out, options.again)
    limits = Limits(options.limit, options.baseline_limit, options.graphs, options.tetrad_python)
    run(options.out, tasks(cells, seeds, ours, groups), limits, options.jobs)


def do_tables(options: argparse.Namespace) -> None:
    table = frame_of(result_store(options.out), options.first)
    if table.empty:
        raise LurkingError(f"{str(options.out)!r} has no results of these seeds; run the benchmark first.")
    show(options, "tables", [*all_tables(table)], seeds_text(table), {})


def do_calibration(options: argparse.Namespace) -> None:
    table = frame_of(calibration_store(options.out), options.first)
    if table.empty:
        raise LurkingError(f"{str(options.out)!r} has no calibration of these seeds; run a search of ours first.")
    methods = sorted(set(table["method"]))
    tables = [one for method in methods for one in calibration_tables(table, method)]
    pictures = {named(options, f"calibration-{method}", "svg"): picture(table, method) for method in methods}
    show(options, "calibration", tables, seeds_text(table), pictures)


def show(
    options: argparse.Namespace, name: str, tables: list[TextTable], seeds: str, pictures: dict[Path, str]
) -> None:
    """Print the tables, and write them with the pictures."""
    text = "\n".join([seeds, "", *(table.to_markdown() for table in tables)])
    print(text)
    write_together({named(options, name, "md"): text, **pictures})


def named(options: argparse.Namespace, name: str, kind: str) -> Path:
    """Return the path of a file; those of tuning have other names."""
    out: Path = options.out
    return out / f"{name}{'-tuning' if options.first >= TUNING else ''}.{kind}"


def main() -> int:
    options = parser().parse_args()
    try:
        {"run": do_run, "tables": do_tables, "calibration": do_calibration}[options.command](options)
    except LurkingError as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped; what is finished is kept, and the same command goes on.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
