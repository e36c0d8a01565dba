"""How well the predicted change of a move agrees with the fitted one along walks, and how much cheaper it is.

    python benchmarks/screen.py --variables 10 --datasets 6     # bow-free and ancestral in turn, n = 1000
    python benchmarks/screen.py --noise similar                 # on raw scale; or --standardised

A walk (:mod:`lurking.search.kernels.metropolis`) is done here step by step, and every step is both predicted and
fitted to the end. A step is taken if the fitted change is below a number that was drawn; the screen refuses it if the
prediction is more than a margin above that number. "Refused rightly" is the share that it spares of all steps that are
refused, "refused wrongly" the share that it loses of all that should be taken. Times contain a call from Python for
each step.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from lurking import Moments, simulate_admg
from lurking._compile import from_python
from lurking._typing import GraphClass
from lurking.graphs.edge_kinds import NO_EDGE, edge_of
from lurking.search.allowed_edges import all_edges_allowed
from lurking.search.hybrid import without_units
from lurking.search.kernels import screen
from lurking.search.kernels.metropolis import MARGIN, NOISE_MARGIN
from lurking.search.kernels.moves import CLASS_CODE, may_set
from lurking.search.reinsertion import ReinsertionChain
from lurking.sem import DistrictScore
from lurking.sem.kernels import scores
from lurking.sem.kernels.scores import score_graph

change_delta, change_pair = from_python(scores.change_delta), from_python(scores.change_pair)
predict_move, prepare_screen = from_python(screen.predict_move), from_python(screen.prepare_screen)

KINDS = ("add", "remove", "replace")
FINISH = np.inf
NOISE_SPREAD = 0.25


def steps(
    seed: int, n_variables: int, n_samples: int, n_steps: int, noise: str, standardised: bool
) -> list[tuple[int, float, float, float, float, float]]:
    """Walk from a good graph; return for each step its kind, prediction, fitted change, number drawn, and two times."""
    graph_class: GraphClass = ("bow-free", "ancestral")[seed % 2]
    truth: GraphClass = ("arid", "ancestral")[seed % 2]
    table = simulate_admg(n_variables, n_samples, graph_class=truth, random_state=seed).data
    moments = Moments.from_table(table)
    if standardised or noise == "free":
        moments, _ = without_units(moments)
    spread = None if noise == "free" else NOISE_SPREAD
    rng = np.random.default_rng(seed)
    chain = ReinsertionChain(moments, graph_class, rng, all_edges_allowed(n_variables), noise_spread=spread)
    chain.run(20)
    score = DistrictScore(moments)
    if (found := chain.found) is not None:
        score.assume_similar_noise(found.noise_centre, NOISE_SPREAD)
    graph = score.scored_graph(next(chain.graphs())[0])
    score_graph(score.state, graph, 0)
    work = screen.new_screen_work(n_variables)
    rows = []
    ready = False
    for _ in range(n_steps):
        i, j = sorted(rng.choice(n_variables, 2, replace=False).tolist())
        now = edge_of(graph.directed, graph.bidirected, i, j)
        edge = (now + 1 + int(rng.random() * 3)) % 4
        drawn = rng.exponential(2.0) + score.criterion.posterior_price * (int(edge == NO_EDGE) - int(now == NO_EDGE))
        if not may_set(graph.directed, graph.bidirected, i, j, edge, CLASS_CODE[graph_class]):
            continue
        began = time.perf_counter()
        ready = ready or prepare_screen(score.state, graph, work)
        predicted = predict_move(score.state, graph, work, i, j, edge) if ready else -np.inf
        between = time.perf_counter()
        change_delta(score.state, graph, i, j, edge, drawn)
        ended = time.perf_counter()
        change = change_delta(score.state, graph, i, j, edge, FINISH)
        kind = 0 if now == NO_EDGE else 1 if edge == NO_EDGE else 2
        rows.append((kind, predicted, change, drawn, between - began, ended - between))
        if change < drawn:
            change_pair(score.state, graph, i, j, edge)
            ready = False
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variables", type=int, default=10)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--datasets", type=int, default=6)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--noise", choices=["free", "similar"], default="free")
    parser.add_argument("--standardised", action="store_true")
    options = parser.parse_args()
    assumed = options.noise, options.standardised
    steps(5000, 4, 200, 200, *assumed)  # compiles
    rows = np.array(
        [
            row
            for seed in range(5000, 5000 + options.datasets)
            for row in steps(seed, options.variables, options.samples, options.steps, *assumed)
        ]
    )
    print(f"{'step':<8} {'taken':>6} {'refused rightly':>16} {'wrongly':>8}   fitted - predicted of these, 1/50/99 %")
    for kind, name in enumerate(KINDS):
        _, predicted, change, drawn, _, _ = rows[rows[:, 0] == kind].T
        margin = NOISE_MARGIN if options.noise == "similar" and name == "replace" else MARGIN
        taken, spared = change < drawn, predicted > drawn + margin
        quantiles = np.quantile((change - predicted)[taken], [0.01, 0.5, 0.99])
        print(
            f"{name:<8} {taken.mean():>6.3f} {spared[~taken].mean():>16.3f} {spared[taken].mean():>8.4f}  ",
            *(f"{value:.1f}" for value in quantiles),
        )
    predicting, fitting = np.median(rows[:, 4]), np.median(rows[:, 5])
    print(f"a fit, given up as early as possible, takes {fitting / predicting:.1f} times as long as a prediction")


if __name__ == "__main__":
    main()
