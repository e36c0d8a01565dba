"""The memory of a score: data, settings, Zobrist numbers and the table of districts met before, in plain arrays.

The loss of a district depends on its members, the parents of each and the bidirected edges inside, and on nothing
else. Every possible part has a random 64-bit number (Zobrist 1970): one for each vertex, directed edge and bidirected
edge. The key of a district is the exclusive or of the numbers of its parts, so one edge changes it by one operation.
Among ten million districts two share a key with probability about 3 in a million.

The table has a fixed number of slots, four to a bucket. A new entry goes to the front of its bucket and pushes out the
last one; an entry that is met again moves one place forward. So memory is bounded.

A vertex can have several columns, a nominal variable its indicators. Keys, table and graph are about vertices; the
correlations and the fitted parameters are about columns, which lie in the order of the vertices.

Everything is a NumPy array inside a named tuple, so that compiled search loops can pass it on. A state must not be used
by two threads at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lurking._compile import part
from lurking._typing import Edges, FloatArray, IntArray
from lurking.sem.kernels.block_fit import block_fit_address
from lurking.sem.kernels.district import DistrictWork, new_district_work
from lurking.sem.kernels.fit_call import (
    COLD_SWEEPS,
    HOPELESS_ABOVE,
    MAX_ITERATIONS,
    N_FOUND,
    N_SAMPLES,
    N_SETTINGS,
    TOLERANCE,
    WARM_SWEEPS,
    fit_address,
)

__all__ = [
    "ScoreState",
    "ScoredGraph",
    "clear_cache",
    "district_key",
    "look_up",
    "new_score_state",
    "new_scored_graph",
    "remember",
]

# entries of ScoreState.counters
HITS, MISSES, EVICTIONS = range(3)
# planes of ScoreState.zobrist; the numbers of the vertices are the diagonal of the first
ZOBRIST_DIRECTED, ZOBRIST_BIDIRECTED = range(2)
_VALUES = 5  # LOSS, LOG_SUM, LOG_SQUARES, ERROR, COMPLEXITY
_SLOTS = 4  # per bucket

UIntArray = NDArray[np.uint64]


class ScoreState(NamedTuple):
    """What the compiled scoring functions need; see :class:`lurking.sem.DistrictScore`."""

    correlation: FloatArray
    """Of the columns; those of one vertex are uncorrelated."""
    units: FloatArray
    """For each column, in raw units: logarithm of its variance, standard deviation, and the standard deviation of
    what all others leave unexplained."""
    settings: FloatArray
    prices: FloatArray
    """What parameters cost (:mod:`lurking.sem.kernels.complexity`)."""
    adjacency_costs: FloatArray
    """``adjacency_costs[k]``: what a graph with k adjacent pairs costs."""
    counters: IntArray
    address: IntArray
    """Addresses in this process of the compiled fit to call, and of that for vertices of one column."""
    first_column: IntArray
    """The first column of each vertex, and the number of columns."""
    zobrist: UIntArray
    keys: UIntArray
    """Table: one row per bucket; 0 is an empty slot."""
    values: FloatArray
    lists: IntArray
    """Scratch lists of vertices."""
    found: FloatArray
    """The values of the district looked up or fitted last."""
    work: DistrictWork

    def __reduce__(self) -> tuple[object, ...]:
        return _state_in_this_process, tuple(self)


def _state_in_this_process(*fields: object) -> ScoreState:
    state = ScoreState._make(fields)
    state.address[:] = _addresses(state.first_column)
    return state


def _addresses(first_column: IntArray) -> tuple[int, int]:
    """Return the addresses of the fit to call and of that for vertices of one column."""
    plain = fit_address()
    has_blocks = first_column[-1] >= len(first_column)
    return (block_fit_address() if has_blocks else plain), plain


class ScoredGraph(NamedTuple):
    """A graph with the scores of its districts and its fitted parameters, for use inside compiled loops.

    A district is named by its smallest member: ``district[v]``, and ``local[district[v]]`` is its entry. ``coef`` and
    ``error_cov`` are those of the columns, on the correlation scale.
    """

    directed: Edges
    bidirected: Edges
    district: IntArray
    local: FloatArray
    coef: FloatArray
    error_cov: FloatArray


def new_score_state(
    correlation: FloatArray,
    scales: FloatArray,
    n_samples: int,
    prices: FloatArray,
    adjacency_costs: FloatArray,
    cache_size: int,
    tolerance: float,
    sizes: Sequence[int] | None = None,
) -> ScoreState:
    """Allocate a state with an empty table of at least ``cache_size`` entries (a power of two).

    ``scales`` are the standard deviations of the columns, ``sizes`` the number of columns of each vertex, by default 1.
    """
    columns = len(correlation)
    first_column = np.concatenate([[0], np.cumsum(np.ones(columns) if sizes is None else sizes)]).astype(np.int64)
    d = len(first_column) - 1
    unexplained = scales / np.sqrt(np.maximum(np.diag(np.linalg.inv(correlation)), 1.0))  # never more than all
    buckets = 1
    while buckets * _SLOTS < cache_size:
        buckets *= 2
    settings = np.zeros(N_SETTINGS)
    settings[HOPELESS_ABOVE] = np.inf
    settings[[N_SAMPLES, TOLERANCE, MAX_ITERATIONS, COLD_SWEEPS, WARM_SWEEPS]] = n_samples, tolerance, 60, 3, 1
    # fixed numbers: a key means the same in every process
    zobrist = np.random.default_rng(20210413).integers(1, 2**64, size=(2, d, d), dtype=np.uint64)
    zobrist[ZOBRIST_BIDIRECTED] = np.triu(zobrist[ZOBRIST_BIDIRECTED], 1)
    zobrist[ZOBRIST_BIDIRECTED] |= zobrist[ZOBRIST_BIDIRECTED].T
    return ScoreState(
        correlation=np.ascontiguousarray(correlation, dtype=np.float64).copy(),
        units=np.stack([2.0 * np.log(scales), scales, unexplained]),
        settings=settings,
        prices=np.array(prices, dtype=np.float64),
        adjacency_costs=np.array(adjacency_costs, dtype=np.float64),
        counters=np.zeros(3, dtype=np.int64),
        address=np.array(_addresses(first_column), dtype=np.int64),
        first_column=first_column,
        zobrist=zobrist,
        keys=np.zeros((buckets, _SLOTS), dtype=np.uint64),
        values=np.zeros((buckets, _SLOTS, _VALUES)),
        lists=np.zeros((4, d), dtype=np.int64),
        found=np.zeros(N_FOUND),
        work=new_district_work(columns),
    )


def new_scored_graph(d: int, columns: int | None = None) -> ScoredGraph:
    """Allocate a graph with d vertices, by default of one column each, and without edges; score it before use."""
    columns = d if columns is None else columns
    return ScoredGraph(
        directed=np.zeros((d, d), dtype=np.uint8),
        bidirected=np.zeros((d, d), dtype=np.uint8),
        district=np.arange(d, dtype=np.int64),
        local=np.zeros((d, N_FOUND)),
        coef=np.zeros((columns, columns)),
        error_cov=np.eye(columns),
    )


def clear_cache(state: ScoreState) -> None:
    """Forget every district, as is necessary after a change of the data or of the noise that is assumed."""
    state.keys[:] = 0


@part
def district_key(state: ScoreState, directed: Edges, bidirected: Edges, members: IntArray, m: int) -> np.uint64:
    """Return the key of the district with the given members."""
    arrows, lines = state.zobrist[ZOBRIST_DIRECTED], state.zobrist[ZOBRIST_BIDIRECTED]
    key = np.uint64(0)
    for i in range(m):
        vertex = members[i]
        key ^= arrows[vertex, vertex]
        for other in range(directed.shape[0]):
            if directed[other, vertex]:
                key ^= arrows[other, vertex]
            elif other < vertex and bidirected[other, vertex]:
                key ^= lines[other, vertex]
    return key if key else np.uint64(1)


@part
def look_up(state: ScoreState, key: np.uint64) -> bool:
    """Copy the entry of a key to ``state.found``; tell if there is one."""
    keys, values = state.keys, state.values
    bucket = np.int64(key & np.uint64(keys.shape[0] - 1))
    for slot in range(keys.shape[1]):
        if keys[bucket, slot] == key:
            for k in range(values.shape[2]):
                state.found[k] = values[bucket, slot, k]
            if slot > 0:
                keys[bucket, slot] = keys[bucket, slot - 1]
                keys[bucket, slot - 1] = key
                for k in range(values.shape[2]):
                    values[bucket, slot, k] = values[bucket, slot - 1, k]
                    values[bucket, slot - 1, k] = state.found[k]
            state.counters[HITS] += 1
            return True
    state.counters[MISSES] += 1
    return False


@part
def remember(state: ScoreState, key: np.uint64) -> None:
    """Put ``state.found`` into the table under a key, in place of the key's old entry or of the last in its bucket."""
    keys, values = state.keys, state.values
    bucket = np.int64(key & np.uint64(keys.shape[0] - 1))
    last = keys.shape[1] - 1
    for slot in range(last):
        if keys[bucket, slot] == key or keys[bucket, slot] == 0:
            last = slot
            break
    if keys[bucket, last] != key and keys[bucket, last] != 0:
        state.counters[EVICTIONS] += 1
    for slot in range(last, 0, -1):
        keys[bucket, slot] = keys[bucket, slot - 1]
        for k in range(values.shape[2]):
            values[bucket, slot, k] = values[bucket, slot - 1, k]
    keys[bucket, 0] = key
    for k in range(values.shape[2]):
        values[bucket, 0, k] = state.found[k]
