"""Vertex re-insertion: a move that does not depend on the units of the data.

Changing one edge at a time stops at local optima: most paths to a better graph lead through several worse ones.
Removing all edges of a variable and adding them anew is one step to the other side. A round

1. chooses one to three variables at random, removes all their edges, and gives the first of them one random edge: there
   are few ways to take some variables out, and without that edge rounds would repeat themselves;
2. puts them back one at a time, each time adding, among the pairs that touch the variable, the edge that improves the
   score most, until none does; of equally good edges one is chosen at random;
3. descends from there over all pairs (:mod:`lurking.search.kernels.climb`);
4. accepts the result if it is better, or by chance if it is a little worse: with probability exp(-difference /
   temperature).

Scores are exact BICs, the graph is in its class after every single change, and nothing depends on units or on the order
of the columns.

A :class:`ReinsertionChain` runs rounds in slices, so that several chains can take turns. Between rounds it can walk
(:mod:`lurking.search.posterior`): a walk changes one edge after the other, up and down, and finds what is near and what
no re-insertion leads to.

*Similar noise.* The centre of the assumed error variances is not known in advance. It is set to the mean of their
logarithms in the best graph after every slice, which makes the score one that is minimised over the centre too.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lurking._typing import FloatArray, GraphClass
from lurking.data import AnyMoments, GroupedMoments
from lurking.graphs import ADMG
from lurking.graphs.edge_kinds import NO_EDGE, edge_of, set_edge
from lurking.search.allowed_edges import demanded_graph
from lurking.search.candidates import EndOfSearch
from lurking.search.edge_codes import graph_of
from lurking.search.kernels.chain_tasks import CLIMB, DESCENT, ROUNDS, WALK, perform
from lurking.search.kernels.climb import EVERY_MOVE, AllowedEdges, ClimbSteps, Stop, copy_graph, new_climb_work
from lurking.search.kernels.moves import CLASS_CODE, may_set
from lurking.search.kernels.pool import add_to_pool, new_pool
from lurking.search.kernels.reinsertion_rounds import Chain, RoundSettings
from lurking.search.posterior import Walked
from lurking.search.similar_noise import possible_centres, without_groups
from lurking.search.ties import SCORE_DIGITS, SMALLEST_GAIN
from lurking.sem import Criterion, DistrictScore
from lurking.sem.kernels.fit_call import LOG_SUM
from lurking.sem.kernels.scores import score_graph, total_score

__all__ = ["MOST_TRIED_WHOLLY", "ReinsertionChain"]

_PATIENCE = 6
_STEPS = ClimbSteps(_PATIENCE)
_ROUND = RoundSettings(temperature=4.0, most_vertices=3)
_NO_EDGES, _NO_SCORES = np.zeros((0, 0, 0), dtype=np.uint8), np.zeros(0)
_POOL_SIZE = 256
_TENURE = 8
MOST_TRIED_WHOLLY = 15
"""Up to so many variables a polish fits every move."""
_LAST_PATIENCE = 60  # fits in a row that brought nothing, above that
_SETTLING = 10  # one sweep in ten of a walk is not counted: the start is better than most graphs there are


class ReinsertionChain:
    """One chain of re-insertion rounds.

    Parameters
    ----------
    moments : Moments
        The data.
    graph_class : {"ancestral", "arid", "bow-free"}
        Every graph on the way is in this class.
    rng : numpy.random.Generator
        Chooses the variables and what is accepted.
    allowed_edges : ndarray of shape (d, d, 4)
        Which edges each pair may have.
    start : ADMG, optional
        Where to start; by default at the graph that has only the edges that ``allowed_edges`` demands.
    noise_spread : float, optional
        Assume similar noise with this spread; None for no assumption.
    noise_centre : float, optional
        The centre of similar noise to start with (:mod:`lurking.search.similar_noise`); by default the lowest one.
    stop : ndarray of shape (1,), optional
        When its entry is set, by another thread, the chain stops at once at the best graph so far.
    criterion : str or Criterion, default "bic"
        What graphs are scored by (:mod:`lurking.sem.criterion`).
    """

    def __init__(
        self,
        moments: AnyMoments,
        graph_class: GraphClass,
        rng: np.random.Generator,
        allowed_edges: AllowedEdges,
        start: ADMG | None = None,
        noise_spread: float | None = None,
        noise_centre: float | None = None,
        stop: Stop | None = None,
        criterion: str | Criterion = "bic",
    ) -> None:
        d = moments.n_variables
        self._names = moments.names
        self._graph_class = graph_class
        self._rng = rng
        self._spread = noise_spread
        self._score = DistrictScore(moments, criterion=criterion)
        graph = self._score.empty_graph()
        self._chain = Chain(
            state=self._score.state,
            graph=graph,
            previous=self._score.empty_graph(),
            best=self._score.empty_graph(),
            work=new_climb_work(d, stop, moments.sizes if isinstance(moments, GroupedMoments) else None),
            pool=new_pool(d, _POOL_SIZE),
            allowed_edges=allowed_edges,
            graph_class=CLASS_CODE[graph_class],
        )
        graph.directed[:], graph.bidirected[:] = demanded_graph(allowed_edges, moments.names, graph_class)
        if start is not None:
            _put_edges_of(start.subgraph(moments.names), self._chain)
        if noise_spread is not None:
            centre = float(possible_centres(without_groups(moments), 2)[0]) if noise_centre is None else noise_centre
            self._score.assume_similar_noise(centre, noise_spread)
        self.best_scores: list[float] = []
        self.walks: list[Walked] = []
        self.n_sweeps = 0
        self._perform(DESCENT)
        self._recentre()

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        # The code of a class that somebody added is an address in the process that the chain comes from.
        self._chain = self._chain._replace(graph_class=CLASS_CODE[self._graph_class])

    @property
    def criterion(self) -> Criterion:
        """What graphs are scored by."""
        return self._score.criterion

    @property
    def score(self) -> float:
        """The best score so far."""
        return float(total_score(self._chain.state, self._chain.best))

    @property
    def found(self) -> EndOfSearch | None:
        """With similar noise, the best graph so far as it is fitted."""
        return None if self._spread is None else EndOfSearch(self._chain.best, self._score.noise_centre)

    def stop_with(self, stop: Stop) -> None:
        """Let another flag stop this chain, as is necessary after it was sent to another process."""
        self._chain = self._chain._replace(work=self._chain.work._replace(stop=stop))

    def run(self, n_rounds: int) -> None:
        """Run some rounds."""
        best_scores = np.zeros(n_rounds)
        self._perform(ROUNDS, scores=best_scores)
        self.best_scores.extend(best_scores.tolist())
        self._recentre()

    def join(self, other: ReinsertionChain) -> None:
        """Go on from the best graph of another chain."""
        if other is self:
            copy_graph(self._chain.best, self._chain.graph)
            return
        for mine in (self._chain.best, self._chain.graph):
            copy_graph(other._chain.best, mine)
            score_graph(self._chain.state, mine, 1)
        self._recentre()

    def walk(self, start: ADMG | None, n_sweeps: int) -> None:
        """Walk among the good graphs (:mod:`lurking.search.posterior`), then go on from the best one.

        A walk from ``start`` is kept in ``walks``. Without a start it begins at the best graph and only explores.
        """
        chain = self._chain
        d = len(self._names)
        copy_graph(chain.best, chain.graph)
        if start is not None:  # fitted from the parameters of the best graph
            chain.graph.directed[:], chain.graph.bidirected[:] = start.directed, start.bidirected
            score_graph(chain.state, chain.graph, 1)
        codes, scores = np.zeros((n_sweeps, d, d), dtype=np.uint8), np.zeros(n_sweeps)
        met = int(self._perform(WALK, edges=codes, scores=scores))
        if start is not None:
            settled = -(-n_sweeps // _SETTLING)
            self.walks.append((codes[settled:met], scores[settled:met]))
        copy_graph(chain.best, chain.graph)
        self.n_sweeps += n_sweeps
        self._recentre()

    def polish(self, tabu_steps: int) -> None:
        """Go on from the best graph by tabu search, with far more moves tried in each step; the best never gets worse.

        Up to 15 variables every move is tried. With more, those that are predicted to help, or to miss by little, are
        tried until 60 in a row brought nothing; ``benchmarks/scale.py`` compares what the two find.
        """
        chain = self._chain
        patience = EVERY_MOVE if len(self._names) <= MOST_TRIED_WHOLLY else _LAST_PATIENCE
        copy_graph(chain.best, chain.graph)
        self._perform(CLIMB, ClimbSteps(patience, tabu_steps, _TENURE))
        copy_graph(chain.previous, chain.graph)
        self._perform(DESCENT, ClimbSteps(patience))
        # Fitted anew, a graph can end in a worse local optimum.
        if total_score(chain.state, chain.previous) < self.score - SMALLEST_GAIN:
            copy_graph(chain.previous, chain.best)
            add_to_pool(chain.pool, chain.state, chain.best, self.score)
        self._recentre()

    def orient(self, admg: ADMG) -> tuple[ADMG, float]:
        """Return the best graph with the same adjacencies that a tabu search finds from a graph, and its score."""
        chain = self._chain
        copy_graph(chain.best, chain.graph)
        chain.graph.directed[:], chain.graph.bidirected[:] = admg.directed, admg.bidirected
        score_graph(chain.state, chain.graph, 1)
        is_edge = np.arange(4) != NO_EDGE
        same = (chain.allowed_edges & (admg.skeleton[:, :, np.newaxis] == is_edge)).astype(np.uint8)
        steps = ClimbSteps(_PATIENCE, len(self._names), _TENURE)
        score = self._perform(CLIMB, steps, chain=chain._replace(allowed_edges=same))
        best = chain.previous
        return ADMG(self._names, best.directed.astype(bool), best.bidirected.astype(bool)), score

    def graphs(self, limit: float = np.inf) -> Iterator[tuple[ADMG, float, int]]:
        """Yield the graphs met with a score up to ``limit``, best first, with scores and how often each was met."""
        pool = self._chain.pool
        for k in np.lexsort((pool.key, np.round(pool.score, SCORE_DIGITS))):
            if pool.score[k] < np.inf and pool.score[k] <= limit:
                yield graph_of(pool.edges[k], self._names), float(pool.score[k]), int(pool.visits[k])

    def _perform(
        self,
        task: int,
        steps: ClimbSteps = _STEPS,
        *,
        chain: Chain | None = None,
        edges: NDArray[np.uint8] = _NO_EDGES,
        scores: FloatArray = _NO_SCORES,
    ) -> float:
        """Do one of the tasks of :mod:`lurking.search.kernels.chain_tasks`."""
        price = float(self._score.criterion.posterior_price)
        found = perform(task, chain or self._chain, steps, _ROUND, price, self._rng, edges, scores)
        return float(found)

    def _recentre(self) -> None:
        """Move the centre of similar noise to that of the best graph, until it stays."""
        if self._spread is None:
            return
        chain = self._chain
        for _ in range(20):
            best = chain.best
            centre = float(best.local[np.unique(best.district), LOG_SUM].sum()) / len(self._names)
            if abs(centre - self._score.noise_centre) < 1e-3:
                return
            self._score.assume_similar_noise(centre, self._spread)
            score = score_graph(chain.state, chain.best, 1)
            score_graph(chain.state, chain.graph, 1)
            chain.pool.score[:] = np.inf  # other graphs were scored with another centre
            add_to_pool(chain.pool, chain.state, chain.best, score)


def _put_edges_of(start: ADMG, chain: Chain) -> None:
    """Take over the edges of a graph, pair by pair, as far as knowledge and class permit."""
    graph = chain.graph
    directed, bidirected = start.directed.astype(np.uint8), start.bidirected.astype(np.uint8)
    for i, j in combinations(range(len(start)), 2):
        edge = edge_of(directed, bidirected, i, j)
        fine = chain.allowed_edges[i, j, edge]
        if fine and may_set(graph.directed, graph.bidirected, i, j, edge, chain.graph_class):
            set_edge(graph.directed, graph.bidirected, i, j, edge)
