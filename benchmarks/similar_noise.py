"""How wrong the assumption of similar noise may be before it does harm.

    python benchmarks/similar_noise.py --datasets 20

The paper's simulation fulfils the assumption by construction: own error variances between 0.7 and 1.2, and common
causes that act as strongly on the one variable as on the other. Here both are broken, on arid graphs of 10 variables
with 1000 rows: own variances from a wider range (uniform in the logarithm), and common causes that are up to R times as
strong on one variable as on the other. The covariances, coefficients and graphs are those of the paper's simulation.
tpr / fdr of skeleton, arrowheads and tails of the hybrid with similar and with free noise, and of the paper's method,
which assumes similar noise silently.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

import joblib
import numpy as np

from lurking import Moments, compare
from lurking._random import children
from lurking.experiments.published import MarkRates
from lurking.search.dcd import dcd_search
from lurking.search.hybrid import hybrid_search
from lurking.sem import LinearSEM
from lurking.simulate import draw_parameters, random_admg


class World(NamedTuple):
    """What the errors are like."""

    own: tuple[float, float]
    """The range of the variables' own error variances."""
    unequal: float
    """How many times as strong a common cause may be on one variable as on the other."""


WORLDS = (
    World((0.7, 1.2), 1.0),
    World((0.7, 1.2), 2.0),
    World((0.7, 1.2), 4.0),
    World((0.5, 2.0), 1.0),
    World((0.5, 2.0), 2.0),
    World((0.25, 4.0), 1.0),
    World((0.25, 4.0), 4.0),
)


def model(seed: int, world: World) -> tuple[LinearSEM, np.random.Generator]:
    """Draw a graph and its parameters, then own variances and strengths of common causes as they are in a world.

    A common cause that is r times as strong on i as on j adds r |omega_ij| to the error variance of i and
    |omega_ij| / r to that of j; their covariance stays what it is.
    """
    graph_rng, parameter_rng, world_rng, row_rng = children(seed, 4)
    sem = draw_parameters(random_admg(10, graph_class="arid", random_state=graph_rng), random_state=parameter_rng)
    d = len(sem.admg)
    low, high = np.log(world.own).tolist()
    own = np.exp(world_rng.uniform(low, high, size=d))
    shared = np.abs(sem.error_cov) * sem.admg.bidirected
    ratio = np.triu(world_rng.uniform(-1.0, 1.0, size=(d, d)) * np.log(world.unequal), 1)
    strengths = shared * np.exp(ratio - ratio.T)
    error_cov = sem.error_cov * sem.admg.bidirected + np.diag(own + strengths.sum(axis=1))
    return LinearSEM(sem.admg, sem.coef, error_cov), row_rng


def measured(seed: int, world: World) -> list[list[float]]:
    """Return the rates of the three methods on one data set."""
    sem, rng = model(seed, world)
    moments = Moments.from_table(sem.sample(1000, random_state=rng))
    found = [
        hybrid_search(moments, criterion="bic", noise_spread=spread, n_restarts=5, random_state=0)
        for spread in (0.25, None)
    ]
    found.append(dcd_search(moments, n_restarts=5, random_state=0))
    rates = [compare(sem.admg, result.admg).to_dict() for result in found]
    return [[one[name] for name in MarkRates._fields] for one in rates]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--datasets", type=int, default=20)
    options = parser.parse_args()
    print(f"{'own variances':<14} {'unequal':>8}  {'method':<16} {'skeleton':>12} {'arrowheads':>12} {'tails':>12}")
    for world in WORLDS:
        calls = (joblib.delayed(measured)(seed, world) for seed in range(options.datasets))
        means = np.nanmean(np.array(joblib.Parallel(n_jobs=2)(calls)), axis=0)
        for name, row in zip(("hybrid, similar", "hybrid, free", "paper's method"), means, strict=True):
            shown = " ".join(f"{tpr:>7.2f}/{fdr:.2f}" for tpr, fdr in row.reshape(3, 2))
            print(f"{'{:g} .. {:g}'.format(*world.own):<14} {world.unequal:>8g}  {name:<16} {shown}", flush=True)


if __name__ == "__main__":
    main()
