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
    colours = ("#1b6ca8", "#c8553d", "#3a7d44", "#7b4b94")
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 380" font-family="sans-serif" font-size="12">']
    parts.append('<rect width="860" height="380" fill="white"/>')

    def panel(
        left: float,
        title: str,
        ticks: list[tuple[float, str]],
        label: str,
        curves: dict[str, Curve],
        legend: tuple[float, float],
    ) -> None:
        def point(x: float, y: float) -> str:
            return f"{left + 320 * x:.1f},{320 - 270 * y:.1f}"

        parts.append(f'<text x="{left + 160}" y="28" text-anchor="middle" font-weight="bold">{title}</text>')
        parts.append(f'<rect x="{left}" y="50" width="320" height="270" fill="none" stroke="#888"/>')
        for x, text in ticks:
            parts.append(f'<text x="{left + 320 * x}" y="337" text-anchor="middle">{text}</text>')
        for y in (0, 0.25, 0.5, 0.75, 1):
            parts.append(f'<text x="{left - 6}" y="{324 - 270 * y}" text-anchor="end">{y:g}</text>')
            parts.append(
                f'<line x1="{left}" x2="{left + 320}" y1="{320 - 270 * y}" y2="{320 - 270 * y}" stroke="#eee"/>'
            )
        parts.append(f'<text x="{left + 160}" y="360" text-anchor="middle">{label}</text>')
        for number, (name, curve) in enumerate(curves.items()):
            dashes = ' stroke-dasharray="5 3"' if name.endswith(TESTS[1]) else ""
            colour = colours[number // 2 % len(colours)]
            path = " ".join(point(x, y) for x, y in curve)
            parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"{dashes}/>')
            if not dashes:
                height = legend[1] + 16 * (number // 2 + 1)
                words = name.split(",", maxsplit=1)[0]
                parts.append(f'<text x="{left + legend[0]}" y="{height}" fill="{colour}">{words}</text>')

    ends = [(0.0, "0"), (0.5, "0.5"), (1.0, "1")]
    panel(60, "graph right: distribution of p-values", ends, "p-value", ecdfs, (20, 60))
    span = np.log10(SIZES[-1] / SIZES[0])
    ticks = [(float(np.log10(n / SIZES[0]) / span), f"{n}") for n in SIZES if str(n)[0] == "1"]
    panel(500, "graph wrong: power at 5 %", ticks, "rows", powers, (218, 236))
    legend = "solid: likelihood ratio; dashed: constraint itself"
    parts.append(f'<text x="660" y="376" text-anchor="middle" fill="#555">{legend}</text>')
    return "\n".join([*parts, "</svg>\n"])


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
    span = np.log10(SIZES[-1] / SIZES[0])
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
            places = [float(np.log10(n / SIZES[0]) / span) for n in SIZES]
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
