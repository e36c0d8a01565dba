"""Effects of and on nominal columns against simulated interventions: how often their 95 % intervals hold the truth.

Run ``python -m benchmarks.mixed.effects --out results/mixed``; it writes effects.md. In each world a numeric variable
is linear in its causes, each level of a nominal cause having an effect of its own, with Gaussian noise. A nominal one
is

- ``softmax``: drawn with the probabilities of a softmax of such functions, or
- ``cut``: a linear function of its causes plus noise, cut at quantiles into levels whose names have no order.

The truth is simulated: 40,000 rows are drawn, a variable is set in all of them, with the same noise, and everything
after it is computed anew. A nominal cause is set to a level and to its reference; a numeric one is raised and lowered
by a tenth of its standard deviation, which gives the mean change per unit. The effect on a level is the change of its
share.

======================= ==============================================================================================
kind of effect          what is counted
======================= ==============================================================================================
number on number        beside and through nominal variables
level on number         the effects of a nominal variable, against its reference
number on level         the effects on a nominal variable
level on level          both
======================= ==============================================================================================

``true graph``: the graph is given, so that the standard errors alone are judged. ``after the search``: the effects of
``lurking.discover`` with probability .5 or more.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from lurking import ADMG, ADMGDiscovery
from lurking._typing import FloatArray
from lurking.data import grouped_moments
from lurking.discovery import EffectEstimate, EffectPosterior, analyse
from lurking.search.posterior import weigh

GRAPHS: dict[str, tuple[str, dict[str, int]]] = {
    "mediator": ("X -> V -> Y; X -> Y", {"V": 3}),
    "front door": ("X -> V -> Y; H -> X; H -> Y", {"V": 4}),
    "two nominal": ("X -> W -> V; W -> Y; V -> Y", {"V": 3, "W": 4}),
    "hidden cause": ("X -> V -> Y; H -> V; H -> Z; X -> Z", {"V": 3}),
}
KINDS = ("number on number", "level on number", "number on level", "level on level")
_ROWS_OF_TRUTH = 40_000
_STEP = 0.1


class MixedModel:
    """A structural model with numeric and nominal variables, of which any can be set.

    Parameters
    ----------
    graph : ADMG
        A DAG; the variable H is not measured.
    levels : mapping of str to int
        The number of levels of the nominal ones.
    mechanism : {"softmax", "cut"}
        How a nominal variable depends on its causes.
    rng : Generator
        Draws the coefficients.
    """

    def __init__(self, graph: ADMG, levels: Mapping[str, int], mechanism: str, rng: np.random.Generator) -> None:
        self.graph, self.levels, self.mechanism = graph, dict(levels), mechanism
        self.order = graph.topological_order()
        self.coefs: dict[tuple[str, str], FloatArray] = {}
        self.cuts: dict[str, FloatArray] = {}
        self.names_of_levels = {name: rng.permutation(k) for name, k in levels.items()}
        for name in self.order:
            for cause in sorted(graph.parents(name)):
                width = levels.get(name, 1) if mechanism == "softmax" else 1
                size = (levels.get(cause, 1), width)
                self.coefs[cause, name] = rng.uniform(0.4, 1.0, size) * rng.choice([-1.0, 1.0], size)
        for name, k in levels.items():
            self.cuts[name] = np.sort(rng.normal(0.0, 0.8, k - 1))

    def noise(self, n: int, rng: np.random.Generator) -> dict[str, FloatArray]:
        """Draw what is not caused by other variables."""
        return {
            name: rng.gumbel(size=(n, self.levels[name]))
            if name in self.levels and self.mechanism == "softmax"
            else rng.normal(size=(n, 1))
            for name in self.order
        }

    def rows(
        self,
        noise: Mapping[str, FloatArray],
        do: Mapping[str, int] | None = None,
        shift: Mapping[str, float] | None = None,
    ) -> dict[str, FloatArray]:
        """Return all variables, nominal ones as numbers of levels, if some are set to a level or shifted."""
        drawn: dict[str, FloatArray] = {}
        for name in self.order:
            own = noise[name]
            total = np.zeros((len(own), own.shape[1]))
            for cause in sorted(self.graph.parents(name)):
                coef = self.coefs[cause, name]
                values = drawn[cause]
                total = total + (coef[values.astype(int)] if cause in self.levels else values[:, None] * coef)
            if name not in self.levels:
                drawn[name] = (total + own)[:, 0] + (shift or {}).get(name, 0.0)
            elif name in (do or {}):
                drawn[name] = np.full(len(own), (do or {})[name], dtype=float)
            elif self.mechanism == "softmax":
                drawn[name] = (total + own).argmax(axis=1).astype(float)
            else:
                category = np.searchsorted(self.cuts[name], (total + own)[:, 0])
                drawn[name] = self.names_of_levels[name][category].astype(float)
        return drawn

    def table(self, drawn: Mapping[str, FloatArray]) -> pd.DataFrame:
        """Return what is measured, with words for levels."""
        columns = {}
        for name in self.graph.names:
            if name != "H":
                is_nominal = name in self.levels
                columns[name] = [f"level {int(v)}" for v in drawn[name]] if is_nominal else drawn[name]
        return pd.DataFrame(columns)

    def truth(self, cause: str, effect: str, against: str | None, noise: Mapping[str, FloatArray]) -> float:
        """Return a simulated effect; the names are those of :class:`~lurking.discovery.EffectEstimate`."""
        if against is None:
            step = _STEP * float(self.rows(noise)[cause].std())
            high, low = self.rows(noise, shift={cause: step}), self.rows(noise, shift={cause: -step})
            width = 2.0 * step
        else:
            variable, _, level = cause.partition("=")
            high, low = (self.rows(noise, do={variable: int(one.split()[1])}) for one in (level, against))
            width = 1.0
        variable, _, level = effect.partition("=")
        if not level:
            return float((high[variable] - low[variable]).mean()) / width
        number = int(level.split()[1])
        return float((high[variable] == number).mean() - (low[variable] == number).mean()) / width


def kind_of(one: EffectEstimate) -> str:
    return f"{'number' if one.against is None else 'level'} on {'level' if one.is_share else 'number'}"


def effects(model: MixedModel, table: pd.DataFrame, searches: bool) -> Iterator[tuple[str, EffectEstimate]]:
    """Yield the effects that each method says something of."""
    latent = ["H"] if "H" in model.graph.names else []
    admg = model.graph.latent_projection(latent) if latent else model.graph
    known = weigh([(admg.subgraph(tuple(table.columns)), 0.0)], 0.0)
    for one in EffectPosterior.of(grouped_moments(table, list(model.levels)), known).estimates():
        if one.probability > 0.0:
            yield "true graph", one
    if searches:
        found = ADMGDiscovery(random_state=0, kinds=dict.fromkeys(model.levels, "nominal"), n_restarts=2).fit(table)
        for one in analyse(found).effect_list:
            if one.probability >= 0.5:
                yield "after the search", one


def counted(options: argparse.Namespace) -> dict[tuple[str, str, str, str], list[tuple[bool, float, float]]]:
    """Return, for each cell, whether the truth is inside, the width of the interval and the squared error."""
    found: dict[tuple[str, str, str, str], list[tuple[bool, float, float]]] = defaultdict(list)
    for mechanism in ("softmax", "cut"):
        for graph, (text, levels) in GRAPHS.items():
            for seed in range(options.datasets):
                rng = np.random.default_rng((seed, 29))
                model = MixedModel(ADMG.parse(text), levels, mechanism, rng)
                table = model.table(model.rows(model.noise(options.rows, rng)))
                counts = [table[name].value_counts() for name in levels]
                if any(len(c) < k or c.min() < 10 for c, k in zip(counts, levels.values(), strict=True)):
                    # such levels would be pooled, and have no effect of their own
                    continue
                noise = model.noise(_ROWS_OF_TRUTH, np.random.default_rng((seed, 30)))
                known: dict[tuple[str, str], float] = {}
                for method, one in effects(model, table, seed < options.searched):
                    pair = one.cause, one.effect
                    if pair not in known:
                        known[pair] = model.truth(*pair, one.against, noise)
                    inside = one.low - 1e-9 <= known[pair] <= one.high + 1e-9
                    scored = inside, one.high - one.low, (one.mean - known[pair]) ** 2
                    found[mechanism, graph, method, kind_of(one)].append(scored)
            print(f"{mechanism}, {graph} is done.", file=sys.stderr, flush=True)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="the folder of effects.md")
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--datasets", type=int, default=200, help="data sets of each graph and world (default 200)")
    parser.add_argument("--searched", type=int, default=20, help="so many of them are searched (default 20)")
    options = parser.parse_args()
    found = counted(options)
    lines = [
        f"Share of effects whose 95 % interval holds the simulated effect; {options.rows} rows, {options.datasets} "
        f"data sets of each graph and world ({options.searched} of them searched).",
        "",
        "| method | kind of effect | softmax | cut | effects | mean width | root mean squared error |",
        "|---|---|---|---|---|---|---|",
    ]
    for method in ("true graph", "after the search"):
        for kind in (*KINDS, "all"):
            by = {
                world: [
                    one
                    for (mechanism, _, how, what), rows in found.items()
                    if (mechanism, how) == (world, method) and kind in (what, "all")
                    for one in rows
                ]
                for world in ("softmax", "cut")
            }
            rows = np.array([one for each in by.values() for one in each], dtype=float)
            if len(rows):
                shares = " | ".join(f"{np.mean([one[0] for one in each]):.3f}" if each else "" for each in by.values())
                width, error = rows[:, 1].mean(), np.sqrt(rows[:, 2].mean())
                lines.append(f"| {method} | {kind} | {shares} | {len(rows):,} | {width:.3f} | {error:.3f} |")
    lines += ["", "| graph | world | true graph | after the search |", "|---|---|---|---|"]
    for graph in GRAPHS:
        for world in ("softmax", "cut"):
            texts = []
            for method in ("true graph", "after the search"):
                key = (world, graph, method)
                inside = [one[0] for (*cell, _), each in found.items() if tuple(cell) == key for one in each]
                texts.append(f"{np.mean(inside):.3f} of {len(inside)}" if inside else "")
            lines.append(f"| {graph} | {world} | {' | '.join(texts)} |")
    text = "\n".join(lines)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "effects.md").write_text(text + "\n", encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
