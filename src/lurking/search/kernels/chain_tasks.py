"""The one compiled function that a chain of the hybrid search calls, for all that it does.

The compiler optimises all that a function calls together with it, and once more for every function that Python calls.
Descent, rounds and walks share the climb and the score; as entries of their own each of them costs about 5 s of
compilation more, on the first search after an installation (``benchmarks/first_answer.py``).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lurking._compile import compiled
from lurking._typing import FloatArray
from lurking.search.kernels.climb import ClimbSteps, climb, copy_graph
from lurking.search.kernels.metropolis import walk
from lurking.search.kernels.pool import add_to_pool
from lurking.search.kernels.reinsertion_rounds import Chain, RoundSettings, run_rounds
from lurking.sem.kernels.scores import score_graph

__all__ = ["CLIMB", "DESCENT", "ROUNDS", "WALK", "perform"]

DESCENT, CLIMB, ROUNDS, WALK = range(4)


@compiled
def perform(
    task: int,
    chain: Chain,
    steps: ClimbSteps,
    settings: RoundSettings,
    edge_cost: float,
    rng: np.random.Generator,
    edges: NDArray[np.uint8],
    scores: FloatArray,
) -> float:
    """Do one of the tasks of a chain.

    ===========  ====================================================================================================
    task         does
    ===========  ====================================================================================================
    ``DESCENT``  fits the current graph, descends to a local optimum, makes it the best one; returns its score
    ``CLIMB``    climbs from the current graph; with tabu steps the best graph is in ``chain.previous``; its score
    ``ROUNDS``   makes a round for each entry of ``scores`` (:func:`~.reinsertion_rounds.run_rounds`)
    ``WALK``     makes a sweep for each entry of ``scores`` (:func:`~.metropolis.walk`); returns how many it made
    ===========  ====================================================================================================
    """
    result = 0.0
    if task == ROUNDS:
        run_rounds(chain, steps, settings, rng, scores)
    elif task == WALK:
        result = float(walk(chain, edge_cost, rng, edges, scores))
    else:
        every = np.ones(chain.graph.district.shape[0], dtype=np.uint8)
        if task == DESCENT:
            score_graph(chain.state, chain.graph, int(np.int64(0)))  # cold, but not as a constant: see ClimbSteps
        result = climb(
            chain.state, chain.graph, chain.previous, chain.work, chain.allowed_edges, every, chain.graph_class, steps
        )
        if task == DESCENT:
            copy_graph(chain.graph, chain.best)
            add_to_pool(chain.pool, chain.state, chain.graph, result)
    return result
