r"""How stable is each edge? The search repeated on resampled rows.

One graph from one table does not say what another table would have given. The bootstrap (Efron 1979) draws tables
like it, rows with replacement, and searches each anew, with the same settings, missing values, transforms and
knowledge. The share of these graphs in which a pair has a certain edge measures how far the data decide that edge. It
is a measure of stability, not the probability that the edge is true: an error that all tables share, such as a wrong
graph class, is repeated every time.

If there is only a covariance matrix S with its number of rows n, tables are drawn from the Gaussian with that
covariance. Their covariance matrix (divisor n) has a Wishart distribution, and is drawn directly.

*Rows that belong together, and weights.* Of a table with clusters, whole clusters are drawn, as many as there are;
a row that is drawn keeps its weight (:mod:`lurking.data.row_roles`).

*Consensus.* A pair is joined if more than half of the graphs join it, with the edge most of them have. Pairs are
visited in the order of their share; if an edge would leave the graph class, the next most frequent one is tried, and if
none fits the pair stays without.

Every replicate has its own child of the seed, so the answer does not depend on ``n_jobs``, nor on which worker or
machine did what. Tables are drawn here and reduced to moments at once; what is sent to a worker is one covariance
matrix with its seed. So the work of a worker that is lost can be sent again, and the size of the table
does not matter to the network.

*A cluster.* The searches run under whatever joblib backend the caller has chosen. On a Dask cluster, with lurking
installed on every worker::

    from distributed import Client

    with Client("tcp://scheduler:8786"), joblib.parallel_config(backend="dask"):
        result = bootstrap(model, table, n_replicates=1000, random_state=0)

>>> import numpy as np
>>> from lurking import bootstrap
>>> rng = np.random.default_rng(0)
>>> x = rng.normal(size=400)
>>> table = np.column_stack([x, x + rng.normal(size=400), rng.normal(size=400)])
>>> result = bootstrap({"n_restarts": 1}, table, n_replicates=5, random_state=0)
>>> result.joined("X1", "X2")
1.0

References
----------
Efron, B. (1979). Bootstrap methods: another look at the jackknife. Annals of Statistics 7, 1-26.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lurking._errors import DataError, ParameterError
from lurking._parallel import left_quietly
from lurking._parameters import check_callable, check_count, check_n_jobs
from lurking._progress import Progress, silent
from lurking._random import children
from lurking._typing import FloatArray, GraphClass, IntArray, RandomState
from lurking.data import AnyMoments, GroupedMoments, Moments
from lurking.data.prepare import PreparedData
from lurking.data.reading import Reading
from lurking.data.row_roles import RowRoles
from lurking.discovery.audit import Finding, audit
from lurking.discovery.table_search import TableSearch
from lurking.graphs import ADMG, PAG
from lurking.graphs.edge_kinds import NO_EDGE, set_edge
from lurking.graphs.marks import Mark
from lurking.graphs.vertices import NamedVertices
from lurking.search.kernels.moves import CLASS_CODE, may_set

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["BootstrapResult", "bootstrap"]

_DRAWS = 20
"""How often a replicate is drawn anew if its table cannot be used, as when a rare category was never drawn."""

_Edges = tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.int8]]


@dataclass(frozen=True, eq=False)
class BootstrapResult:
    """How often each edge and each mark was found.

    Attributes
    ----------
    names : tuple of str
        The variables.
    graph_class : str
        The class that was searched.
    replicates : tuple of ADMG
        The graph of each replicate.
    frequencies : ndarray of shape (d, d, 4)
        ``frequencies[i, j]``: the shares of the replicates in which the pair has no edge, i -> j, j -> i, i <-> j.
    pag_frequencies : ndarray of shape (d, d, 4, 4)
        ``pag_frequencies[i, j, a, b]``: the share in whose PAG the edge of the pair has the mark a at i and b at j, in
        the code of :class:`~lurking.graphs.Mark`; no edge is (0, 0).
    moments : Moments or GroupedMoments
        Those of the data themselves, not resampled.
    audit : tuple of Finding
        What looked wrong in the data (:mod:`lurking.discovery.audit`).
    interrupted : bool
        Whether the user stopped it before all replicates that were asked for were there.
    reading : Reading or None
        What was found by looking at the table.
    """

    names: tuple[str, ...]
    graph_class: GraphClass
    replicates: tuple[ADMG, ...]
    frequencies: FloatArray
    pag_frequencies: FloatArray
    moments: Any  # AnyMoments
    audit: tuple[Finding, ...] = ()
    interrupted: bool = False
    reading: Reading | None = None

    @property
    def n_replicates(self) -> int:
        """The number of replicates."""
        return len(self.replicates)

    @property
    def mark_frequencies(self) -> FloatArray:
        """``[i, j, mark]`` is the share in whose PAG the mark at j on the edge i-j is NONE, CIRCLE, ARROW or TAIL."""
        shares: FloatArray = self.pag_frequencies.sum(axis=2)
        return shares

    @cached_property
    def majority(self) -> ADMG:
        """The graph of the edges that most replicates share, inside the graph class."""
        d = len(self.names)
        directed, bidirected = np.zeros((d, d), dtype=np.uint8), np.zeros((d, d), dtype=np.uint8)
        joined = 1.0 - self.frequencies[:, :, NO_EDGE]
        pairs = [(i, j) for i in range(d) for j in range(i + 1, d) if joined[i, j] > 0.5]
        pairs.sort(key=lambda pair: (-joined[pair], -self.frequencies[pair][1:].max(), pair))
        for i, j in pairs:
            for edge in np.argsort(-self.frequencies[i, j], kind="stable").tolist():
                found = edge != NO_EDGE and self.frequencies[i, j, edge] > 0
                if found and may_set(directed, bidirected, i, j, edge, CLASS_CODE[self.graph_class]):
                    set_edge(directed, bidirected, i, j, edge)
                    break
        return ADMG(self.names, directed.astype(bool), bidirected.astype(bool))

    @property
    def majority_pag(self) -> PAG:
        """The PAG of that graph."""
        return self.majority.to_pag()

    def joined(self, one: str, other: str) -> float:
        """Return the share of the replicates in which two variables have an edge."""
        vertices = NamedVertices(self.names)
        return float(1.0 - self.frequencies[vertices.index(one), vertices.index(other), NO_EDGE])

    def to_frame(self) -> pd.DataFrame:
        """Return a table with one row per pair that any replicate joins, the most often joined first.

        Columns: the two variables; the shares of ``none``, ``->``, ``<-`` and ``<->``; the most frequent edge in the
        PAGs, and its share.
        """
        import pandas as pd

        rows = []
        for i, one in enumerate(self.names):
            for j in range(i + 1, len(self.names)):
                shares = self.frequencies[i, j]
                if shares[NO_EDGE] == 1.0:
                    continue
                marks = self.pag_frequencies[i, j]
                at_one, at_other = divmod(int(marks.argmax()), len(Mark))
                drawn = str(PAG((one, self.names[j]), [[0, at_other], [at_one, 0]])) if at_one else "none"
                rows.append((one, self.names[j], *shares.tolist(), drawn, float(marks.max())))
        columns = ["one", "other", "none", "->", "<-", "<->", "pag edge", "pag share"]
        table = pd.DataFrame(rows, columns=columns)
        return table.sort_values(["none", "one", "other"], ignore_index=True)


def bootstrap(
    model: TableSearch | Mapping[str, Any],
    table: object,
    *,
    n_replicates: int = 100,
    random_state: RandomState = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> BootstrapResult:
    """Repeat the search on resampled data and count edges and marks.

    Parameters
    ----------
    model : ADMGDiscovery or mapping
        The estimator, fitted or not, or the parameters of one. It is not changed; its ``random_state``, ``n_jobs`` and
        ``progress`` are not used.
    table : DataFrame, array of shape (n, d), str, Path or Moments
        The data. Rows are drawn with replacement; from moments, covariance matrices are drawn (parametric bootstrap).

    Other Parameters
    ----------------
    n_replicates : int, default 100
        How many tables are drawn.
    random_state : int, Generator or None
        The seed.
    n_jobs : int, optional
        The number of replicates at the same time, in threads unless another joblib backend (processes, or a Dask
        cluster, which decides the number itself) was chosen by ``joblib.parallel_config``. It does not change the
        answer.
    progress : callable, optional
        Called with the share of the work that is done and a few words.

    Returns
    -------
    result : BootstrapResult
        An interrupt from the keyboard ends it early and returns the replicates so far.

    Raises
    ------
    DataError
        If the table cannot be used, or no usable table can be drawn from it.

    Notes
    -----
    The cost is that of ``n_replicates`` fits. Tables are drawn, and missing values and margins taken care of, in the
    calling process, one after the other while the searches run elsewhere.
    """
    check_count("n_replicates", n_replicates, owner="bootstrap")
    check_n_jobs(n_jobs, "bootstrap")
    check_callable("progress", progress, "bootstrap")
    n = int(n_replicates)
    estimator = _estimator(model)
    given = estimator.prepare(table)  # says what is wrong with the table as it was given
    data = _rows(given)
    if estimator.knowledge is not None:
        estimator = estimator.copy(knowledge=estimator.knowledge.without(given.left_out))
    share = _share_that_counts(estimator, given)
    tell = silent if progress is None else progress
    found: list[_Edges] = []

    def say(doing: str, count: int) -> None:
        tell(len(found) / n, f"{doing}, {count} of {n}")

    # All are drawn before the first search: joblib would lose an error in what it is handed, and a covariance matrix is
    # small.
    drawn: list[tuple[TableSearch, AnyMoments]] = []
    for rng in children(random_state, n):
        say("drawing tables", len(drawn) + 1)
        drawn.append(_drawn(estimator, data, given, rng, share))
    say("searching resampled data", 1)
    import joblib

    parallel = joblib.Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator", pre_dispatch="all")
    try:
        with left_quietly(parallel(joblib.delayed(_search)(*one) for one in drawn)) as results:
            for result in results:
                found.append(result)
                say("searching resampled data", min(len(found) + 1, n))
    except KeyboardInterrupt:
        if not found:
            raise  # nothing is there yet
    findings = audit(given, estimator.assumes_similar_noise)
    return _counted(estimator.graph_class, found, given, findings, interrupted=len(found) < n)


def _estimator(model: TableSearch | Mapping[str, Any]) -> TableSearch:
    """Return an estimator with the settings of the model, to search one table at a time."""
    if isinstance(model, TableSearch):
        settings = model.get_params(deep=False)
    elif isinstance(model, Mapping):
        settings = dict(model)
        known = TableSearch().get_params(deep=False)
        unknown = [name for name in settings if name not in known]
        if unknown:
            raise ParameterError(
                f"ADMGDiscovery has no parameter {unknown[0]!r}; its parameters are {', '.join(sorted(known))}."
            )
    else:
        raise ParameterError(
            f"The 'model' parameter of bootstrap must be an ADMGDiscovery or a dict of its parameters. Got {model!r} "
            "instead."
        )
    return TableSearch(**(settings | {"n_jobs": 1, "progress": None, "random_state": None}))


def _rows(given: PreparedData) -> AnyMoments | FloatArray:
    """Return the rows to draw from, or the moments if there are no rows."""
    values = given.all_rows()
    moments: AnyMoments = given.moments
    return moments if values is None else values


def _share_that_counts(estimator: TableSearch, given: PreparedData) -> float:
    """Return the share of the rows that the scores count; what a table is worth is not seen in its resamples."""
    if isinstance(estimator.effective_rows, int):
        return min(1.0, estimator.effective_rows / given.columns.n_samples)
    worth = given.effective_rows() if estimator.effective_rows == "auto" else None
    return 1.0 if worth is None else worth.share


def _drawn(
    estimator: TableSearch,
    data: AnyMoments | FloatArray,
    given: PreparedData,
    rng: np.random.Generator,
    share: float,
) -> tuple[TableSearch, AnyMoments]:
    """Draw one table; return its moments, and the estimator with the random numbers to search them with.

    ``share`` is the share of the rows that the scores count.
    """
    for attempt in range(_DRAWS):
        try:
            if isinstance(data, GroupedMoments):
                moments: AnyMoments = GroupedMoments(_drawn_moments(data.columns, rng), data.grouping)
            elif isinstance(data, Moments):
                moments = _drawn_moments(data, rng)
            else:
                which = _drawn_rows(given.roles, len(data), rng)
                weights = None if given.roles.weights is None else given.roles.weights[which]
                moments = given.moments_of(data[which], estimator.margins, weights)
        except DataError as error:
            if attempt == _DRAWS - 1:
                raise DataError(
                    f"No usable table could be drawn from so few rows, though the table itself is fine (the last one "
                    f"drawn: {str(error).rstrip('.')}); a bootstrap needs more rows or fewer columns."
                ) from None
        else:
            break
    n_counted = min(moments.n_samples, max(len(given.columns) + 2, round(share * moments.n_samples)))
    plain = {"missing": "refuse", "margins": None, "kinds": None, "collinear": "refuse", "effective_rows": n_counted}
    plain |= {"clusters": None, "weights": None}
    return estimator.copy(random_state=rng, **plain), moments


def _drawn_rows(roles: RowRoles, n_rows: int, rng: np.random.Generator) -> IntArray:
    """Draw rows with replacement, or whole clusters of them."""
    if roles.clusters is None:
        return rng.integers(n_rows, size=n_rows)
    sizes = np.bincount(roles.clusters)
    members = np.split(np.argsort(roles.clusters, kind="stable"), np.cumsum(sizes)[:-1])
    return np.concatenate([members[g] for g in rng.integers(len(sizes), size=len(sizes))])


def _search(estimator: TableSearch, moments: AnyMoments) -> _Edges:
    """Search one resampled table; return directed and bidirected edges and the marks of the PAG."""
    # The copy has random numbers of its own, so a search that is done twice (after the loss of a worker) gives the
    # same; and what runs inside a replicate stays with it, whatever backend the replicates run on.
    import joblib

    with joblib.parallel_config(backend="sequential"):
        model = estimator.copy().fit(moments)
    return model.admg_.directed, model.admg_.bidirected, model.pag_.marks


def _drawn_moments(moments: Moments, rng: np.random.Generator) -> Moments:
    """Return the moments of n rows drawn from the Gaussian with these moments, without drawing the rows."""
    d, n = moments.n_variables, moments.n_samples
    # n S ~ Wishart(n - 1) because the rows are centred at their mean; by Bartlett's decomposition
    lower = np.tril(rng.standard_normal((d, d)), -1) + np.diag(np.sqrt(rng.chisquare(n - 1 - np.arange(d))))
    factor = np.linalg.cholesky(moments.cov) @ lower
    mean = None
    if moments.mean is not None:
        mean = rng.multivariate_normal(moments.mean, moments.cov / n, method="cholesky")
    return Moments(factor @ factor.T / n, n, moments.names, mean=mean)


def _counted(
    graph_class: GraphClass,
    found: list[_Edges],
    given: PreparedData,
    findings: tuple[Finding, ...] = (),
    interrupted: bool = False,
) -> BootstrapResult:
    names = given.moments.names
    d = len(names)
    frequencies, pag_frequencies = np.zeros((d, d, 4)), np.zeros((d, d, len(Mark), len(Mark)))
    rows, columns = np.indices((d, d))
    for directed, bidirected, marks in found:
        edge = directed + 2 * directed.T + 3 * bidirected
        frequencies[rows, columns, edge] += 1
        pag_frequencies[rows, columns, marks.T, marks] += 1
    return BootstrapResult(
        names,
        graph_class,
        tuple(ADMG(names, directed, bidirected) for directed, bidirected, _ in found),
        frequencies / len(found),
        pag_frequencies / len(found),
        given.moments,
        findings,
        interrupted,
        given.reading,
    )
