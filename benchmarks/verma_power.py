"""Check that the tests of a Verma constraint are calibrated, and how much data they need.

Run ``python benchmarks/verma_power.py``. The graph is figure 1(c) of the paper, A -> C -> D -> B with A <-> B and
A <-> D, whose only constraint is B ⊥ C | D in p(A,B,C,D)/p(C|A). Parameters are drawn anew for each data set, in the
paper's ranges.

1. *Graph right.* The p-values of 1000 data sets are compared with the uniform distribution (Kolmogorov-Smirnov), eight
   times over, and then all 8000 together.
2. *Graph wrong.* The data come from the same graph with C -> B of a given strength, in units in which the error of B
   has variance 1; the share of data sets in which the constraint is rejected at 5 % is the power.

Both are done for the likelihood ratio and for the constraint itself (the partial correlation in the kernel, by the
delta method). Tables go to the screen, ``verma_power.csv`` and ``verma_power.svg`` to ``--out``. The exit code is 1 if
the Kolmogorov-Smirnov p-value of all data sets together is below 0.01 or the power does not grow with n.
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path

import numpy as np
from scipy.stats import kstest

from lurking import ADMG, Moments
from lurking.report.panels import Curve as PanelCurve
from lurking.report.panels import Panel, draw_panels
from lurking.sem import LinearSEM, implied_tests
from lurking.simulate.parameters import draw_parameters

GRAPH = ADMG.parse("A -> C -> D -> B; A <-> B; A <-> D", names=["A", "B", "C", "D"])
WITH_EDGE = ADMG.parse("A -> C -> D -> B; A <-> B; A <-> D; C -> B", names=GRAPH.names)
NULL_SIZES = (100, 1000)
SIZES = (100, 200, 500, 1000, 2000, 5000, 10_000)
STRENGTHS = (0.05, 0.1, 0.2, 0.4)
BATCHES = 8
TESTS = ("likelihood ratio", "constraint itself")
Curve = list[tuple[float, float]]


def p_values(models: list[LinearSEM], n: int, seed: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return the two p-values of the constraint for one data set from each model, shape (models, 2)."""
    generator = np.random.default_rng(seed)
    found = []
    for model in models:
        rows = generator.standard_normal((n, 4)) @ np.linalg.cholesky(model.implied_cov()).T
        (test,) = implied_tests(Moments(np.cov(rows.T, bias=True), n, GRAPH.names), GRAPH)
        found.append((test.p_value, test.value_p_value))
    return np.array(found)


def with_strength(seed: int, strength: float) -> LinearSEM:
    """Return random parameters with C -> B of the given strength in units of the standard error of B's equation."""
    model = draw_parameters(WITH_EDGE, random_state=seed)
    coef = model.coef.copy()
    coef[2, 1] = strength * np.sqrt(model.error_cov[1, 1])
    return LinearSEM(WITH_EDGE, coef, model.error_cov)


def svg(ecdfs: dict[str, Curve], powers: dict[str, Curve]) -> str:
    """Draw the two panels: distribution of the p-values under the graph, power against the number of rows."""
    panels = (
        ("graph right: distribution of p-values", "p-value", ecdfs, (0.0, 1.0), False),
        ("graph wrong: power at 5 %", "rows", powers, (float(SIZES[0]), float(SIZES[-1])), True),
    )
    number = iter(range(100))
    return draw_panels(
        [
            Panel(
                title,
                label,
                "share of data sets",
                tuple(drawn(name, curve, next(number) // 2, dots=log_x) for name, curve in curves.items()),
                x_range=x_range,
                y_range=(0.0, 1.0),
                log_x=log_x,
            )
            for title, label, curves, x_range, log_x in panels
        ],
        note="solid: likelihood ratio; dashed: constraint itself",
    )


def drawn(name: str, curve: Curve, colour: int, *, dots: bool) -> PanelCurve:
    x, y = zip(*curve, strict=True)
    return PanelCurve(name, x, y, colour=colour, dashed=name.endswith(TESTS[1]), dots=dots)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", type=int, default=1000, help="data sets of a batch under the right graph")
    parser.add_argument("--power-datasets", type=int, default=400, help="data sets for each point of a power curve")
    parser.add_argument("--out", type=Path, default=Path("docs/figures"), help="where the csv and the svg go")
    arguments = parser.parse_args()
    rows: list[list[object]] = []
    ecdfs: dict[str, Curve] = {}
    ok = True

    total = arguments.datasets * BATCHES
    print(f"Graph right, {BATCHES} x {arguments.datasets} data sets: {GRAPH.verma_constraints()[0]}")
    print(f"{'rows':>8} {'test':>18} {'KS distance':>12} {'KS p-value':>11} {'rejected at 5 %':>16}  in each batch")
    for n in NULL_SIZES:
        batches = []
        for batch in range(BATCHES):
            seeds = range(1_000_000 * (batch + 1), 1_000_000 * (batch + 1) + arguments.datasets)
            models = [draw_parameters(GRAPH, random_state=seed) for seed in seeds]
            batches.append(p_values(models, n, seed=100_000 + batch))
        found = np.concatenate(batches)
        for column, name in enumerate(TESTS):
            distance, p_value = kstest(found[:, column], "uniform")
            rejected = float(np.mean(found[:, column] < 0.05))
            ok &= bool(p_value > 0.01)
            each = " ".join(f"{kstest(batch[:, column], 'uniform')[1]:.2f}" for batch in batches)
            print(f"{n:>8} {name:>18} {distance:>12.4f} {p_value:>11.3f} {rejected:>16.3f}  {each}")
            rows.append(["right", 0.0, n, name, total, rejected, p_value])
            levels = np.linspace(0, 1, 101)
            ecdfs[f"n = {n}, {name}"] = [(float(p), float(np.mean(found[:, column] <= p))) for p in levels]

    print(f"\nGraph wrong (C -> B), share rejected at 5 % in {arguments.power_datasets} data sets")
    print(f"{'strength':>9} {'test':>18} " + " ".join(f"{f'n={n}':>8}" for n in SIZES))
    powers: dict[str, Curve] = {}
    for strength in STRENGTHS:
        wrong = [with_strength(seed, strength) for seed in range(arguments.power_datasets)]
        table = np.array([np.mean(p_values(wrong, n, seed=n) < 0.05, axis=0) for n in SIZES])
        ok &= bool((np.diff(table, axis=0) > -0.05).all() and (table[-1] > table[0]).all())
        for column, name in enumerate(TESTS):
            print(f"{strength:>9} {name:>18} " + " ".join(f"{value:>8.3f}" for value in table[:, column]))
            rows += [
                ["wrong", strength, n, name, arguments.power_datasets, value, ""]
                for n, value in zip(SIZES, table[:, column], strict=True)
            ]
            places = [float(n) for n in SIZES]
            powers[f"C → B of {strength}, {name}"] = list(zip(places, table[:, column].tolist(), strict=True))

    arguments.out.mkdir(parents=True, exist_ok=True)
    with (arguments.out / "verma_power.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["graph", "strength", "n", "test", "datasets", "rejected_at_5_percent", "ks_p_value"])
        writer.writerows(rows)
    (arguments.out / "verma_power.svg").write_text(svg(ecdfs, powers), encoding="utf-8")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
