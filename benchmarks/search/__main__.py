"""The command line of the benchmark; see :mod:`benchmarks.search`."""

from __future__ import annotations

import argparse

import benchmarks.search
from benchmarks.search.common import Effort, Noises
from benchmarks.search.costs import costs
from benchmarks.search.floors import floors
from benchmarks.search.large import large
from benchmarks.search.rounding import rounding
from benchmarks.search.starts import starts
from benchmarks.search.ten import ten
from benchmarks.search.units import units
from benchmarks.search.verma import verma
from benchmarks.search.walks import walks

from lurking.search.search_plan import default_rounds


def main() -> None:
    parser = argparse.ArgumentParser(
        description=benchmarks.search.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "what", choices=["verma", "ten", "arid", "units", "starts", "walks", "costs", "rounding", "floors", "large"]
    )
    parser.add_argument("--datasets", type=int, default=None)
    parser.add_argument("--first", type=int, default=0, help="the first seed of verma, ten and arid")
    parser.add_argument("--spread", type=float, default=0.25, help="assumed spread of similar noise")
    parser.add_argument("--noise", choices=["free", "similar", "both"], default="both", help="in ten and arid")
    parser.add_argument("--restarts", type=int, default=5, help="chains per search")
    parser.add_argument("--rounds", type=int, default=None, help="rounds per chain")
    options = parser.parse_args()
    effort = Effort(options.restarts, options.rounds)
    noises: Noises = {"free": (None,), "similar": (options.spread,), "both": (None, options.spread)}[options.noise]

    def seeds(default: int) -> range:
        return range(options.first, options.first + (options.datasets or default))

    match options.what:
        case "verma":
            verma(seeds(100), options.spread, effort)
        case "ten":
            ten(seeds(50), "bow-free", "arid", noises, effort)
            ten(seeds(50), "ancestral", "ancestral", noises, effort)
        case "arid":
            ten(seeds(50), "arid", "arid", noises, effort)
        case "units":
            units(options.datasets or 50)
        case "starts":
            starts(options.datasets or 20, options.rounds or default_rounds(10, "bow-free"))
        case "walks":
            walks(range(options.first or 2000, (options.first or 2000) + (options.datasets or 16)))
        case "costs":
            costs(options.datasets or 16, effort)
        case "rounding":
            rounding(options.datasets or 50)
        case "floors":
            floors(options.datasets or 100)
        case "large":
            large(options.datasets or 3, effort)


if __name__ == "__main__":
    main()
