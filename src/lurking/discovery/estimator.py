"""The estimator: a table in, the best-fitting ADMG out.

The solvers:

========== ===============================================================================================
solver     what it does
========== ===============================================================================================
hybrid     exact scores, searched by vertex re-insertion from several starts (:mod:`lurking.search.hybrid`)
dcd        the paper's procedure (:mod:`lurking.search.differentiable`)
exact      every graph of the class, for up to five variables (:mod:`lurking.search.exhaustive`)
========== ===============================================================================================
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Self

import joblib
import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from lurking._errors import ParameterError
from lurking._parameters import check_callable, check_choice, check_count, check_n_jobs, check_positive
from lurking._progress import Progress, silent
from lurking._typing import GRAPH_CLASSES, FloatArray, GraphClass, RandomState
from lurking.data import AnyMoments, GroupedMoments
from lurking.data.effective_rows import EffectiveRows
from lurking.data.prepare import (
    COLLINEAR,
    MARGINS,
    MISSING,
    Collinearity,
    Kinds,
    Margins,
    Missing,
    PreparedData,
    prepare,
)
from lurking.data.reading import Reading
from lurking.data.residual_curves import ResidualCurve
from lurking.discovery.audit import Finding, audit
from lurking.discovery.knowledge import Knowledge
from lurking.discovery.knowledge_marks import informed_pag
from lurking.discovery.scoring import mean_loglik
from lurking.graphs import ADMG, PAG, Mark
from lurking.search.dcd import dcd_search
from lurking.search.exhaustive import exhaustive_search
from lurking.search.hybrid import hybrid_search
from lurking.search.hyperparameters import DCDHyperparameters
from lurking.search.result import SearchResult
from lurking.search.search_plan import TESTED_VARIABLES, expected_seconds, in_words
from lurking.sem import Criterion, LinearSEM, RICFResult, wide_fit
from lurking.sem.criterion import check_criterion

if TYPE_CHECKING:
    from enum import Enum

__all__ = ["ADMGDiscovery"]

Solver = Literal["hybrid", "dcd", "exact"]
NoiseScale = Literal["free", "similar"]
Answer = Literal["central", "best", "consensus"]
_LONG = 15.0  # seconds from which on the expected time is said


class ADMGDiscovery(BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """Find the best-fitting graph with causes (``->``) and unmeasured common causes (``<->``).

    Parameters
    ----------
    graph_class : {"bow-free", "arid", "ancestral"}, default "bow-free"
        Which graphs are considered. Ancestral graphs express conditional independences; arid and bow-free ones also
        Verma constraints.
    solver : {"hybrid", "dcd", "exact"}, default "hybrid"
        How the graph is searched: exact scores and vertex re-insertion; the paper's continuous optimisation; or all
        graphs, for up to five variables.
    noise_scale : {"free", "similar"}, default "free"
        ``"free"`` assumes nothing about error variances, so the answer does not depend on units. ``"similar"`` assumes
        that all variables have noise of their own of similar variance in the units given; unmeasured common causes come
        on top. That decides many directions that the data alone leave open; see ``decided_by_assumption_``. Not for the
        solver ``"dcd"``: the paper's procedure assumes as much silently, by its unweighted least squares.
    n_restarts : int, default 5
        Runs from different starts, independent for the first two thirds of their rounds; the best one counts.
    random_state : int, Generator or None
        The seed. With a seed, and without a time budget, the answer is always the same.
    n_jobs : int, optional
        The number of runs at the same time. It does not change the answer.

    Other Parameters
    ----------------
    answer : {"central", "best", "consensus"}, default "central"
        Which of the good graphs ``admg_`` is: the one whose PAG has the fewest wrong edges in expectation
        (:mod:`lurking.search.pag_posterior`), the one with the best score, or the one whose adjacencies agree best with
        all good graphs.
    criterion : {"marginal", "bic", "ebic"} or Criterion, default "marginal"
        What graphs are scored by (:mod:`lurking.sem.criterion`): the marginal likelihood with a prior over graphs, the
        BIC, or the extended BIC. The solver ``"dcd"`` has its own and ignores this.
    noise_spread : float, default 0.25
        With similar noise, the assumed standard deviation of the logarithm of the own error variances.
    penalty : float, default 0.05
        The paper's λ, for the solver ``"dcd"``.
    knowledge : Knowledge, optional
        What is known about the edges; every solver obeys it.
    effective_rows : {"auto", "all"} or int, default "auto"
        How many rows the scores count: as many as the table is worth (:mod:`lurking.data.effective_rows`), all, or a
        number. Moments have no rows to look at and count in full by default; the solver ``"dcd"`` counts all.
    missing : {"refuse", "drop", "em", "auto"}, default "refuse"
        What to do with rows that have missing values: refuse the table and name the columns, leave the rows out, or use
        all that was observed (maximum likelihood by EM, :mod:`lurking.data.missing`). ``"auto"`` is ``"em"``, and
        leaves out columns of which hardly anything was observed (:mod:`lurking.data.prepare`).
    margins : {None, "rank", "latent"}, default None
        What to do with columns that are not Gaussian: nothing, normal scores of their ranks
        (:mod:`lurking.data.transforms`), or correlations of the Gaussian variables behind binary and ordinal columns
        (:mod:`lurking.data.latent`).
    kinds : {None, "auto"} or mapping, default None
        None expects a number in every column. ``"auto"`` looks what kind each column is, makes words with two levels
        numbers and words with more levels variables of several columns (:mod:`lurking.data.nominal`), and leaves out
        labels of rows, constants, free text and dates. A mapping does the same and overrides what is found, as in
        ``{"size": "small<medium<large"}`` (:mod:`lurking.data.kinds`). Nominal columns are left out with
        ``margins="latent"``, similar noise and the solver ``"dcd"``.
    collinear : {"refuse", "drop"}, default "refuse"
        What to do with columns that are weighted sums of others: name them, or leave so many out that none is
        (:mod:`lurking.data.collinear`).
    clusters, weights : str, optional
        Columns that say which rows belong together, and how much each row counts; they are no variables of the graph
        (:mod:`lurking.data.row_roles`). Rows of one cluster count as fewer rows, and the bootstrap draws whole ones.
    time_budget : float, optional
        Seconds after which the hybrid solver returns the best graph so far; each part of the search gets a share.
    window : float, default 10
        Graphs with a score up to this above the best one are kept in ``search_.candidates``.
    progress : callable, optional
        Called with the share of the work that is done and a few words. With it, the logger ``lurking`` is told how long
        a long search may take.

    Attributes
    ----------
    admg_ : ADMG
        The answer.
    pag_ : PAG
        What all graphs with the same conditional independences share.
    coef_, error_cov_ : ndarray of shape (d, d)
        Maximum-likelihood estimates for ``admg_``; ``coef_[i, j]`` is the coefficient of i in the equation of j. With
        nominal variables they are those of the columns, ``fit_.names``.
    bic_, loglik_ : float
        Of ``admg_``.
    status_ : Enum
        How the search ended; ``status_.message`` says what to do next.
    fit_ : RICFResult
        The exact fit of ``admg_``.
    search_ : SearchResult
        Candidates near the best, runs, posterior probabilities of the edges.
    decided_by_assumption_ : tuple of str
        With similar noise, the directed edges whose direction neither the conditional independences nor the knowledge
        decide: it rests on the assumption, or on a Verma constraint. Empty with free noise.
    effective_rows_ : EffectiveRows or None
        How many rows the table is worth and why; None if there was no table to look at.
    n_counted_ : int
        How many rows the scores counted.
    audit_ : tuple of Finding
        What looked wrong in the data before the search (:mod:`lurking.discovery.audit`).
    reading_ : Reading or None
        What was found by looking at the file or the table; None if nothing was looked at.
    moments_ : Moments or GroupedMoments
        What the table was reduced to.
    mean_ : ndarray of shape (d,) or None
        The means of the columns, None if the model was fitted to a covariance matrix without them.
    knowledge_ : Knowledge or None
        The knowledge without what it says about columns that were left out.
    rank_transform_ : RankTransform or None
        With ``margins="rank"``, what was done to each column.
    feature_names_in_ : ndarray of str
        The variables.
    n_features_in_ : int
        Their number.

    Examples
    --------
    >>> from lurking import simulate_admg
    >>> data = simulate_admg(4, 1000, random_state=3).data
    >>> model = ADMGDiscovery(random_state=0).fit(data)
    >>> model.admg_.is_bow_free(), model.status_.name
    (True, 'COMPLETE')
    """

    def __init__(
        self,
        graph_class: GraphClass = "bow-free",
        solver: Solver = "hybrid",
        noise_scale: NoiseScale = "free",
        n_restarts: int = 5,
        random_state: RandomState = None,
        n_jobs: int | None = None,
        *,
        answer: Answer = "central",
        criterion: str | Criterion = "marginal",
        noise_spread: float = 0.25,
        penalty: float = 0.05,
        knowledge: Knowledge | None = None,
        time_budget: float | None = None,
        window: float = 10.0,
        progress: Progress | None = None,
        effective_rows: str | int = "auto",
        missing: Missing = "refuse",
        margins: Margins | None = None,
        kinds: Kinds | None = None,
        collinear: Collinearity = "refuse",
        clusters: str | None = None,
        weights: str | None = None,
    ) -> None:
        self.graph_class = graph_class
        self.solver = solver
        self.noise_scale = noise_scale
        self.n_restarts = n_restarts
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.answer = answer
        self.criterion = criterion
        self.noise_spread = noise_spread
        self.penalty = penalty
        self.knowledge = knowledge
        self.time_budget = time_budget
        self.window = window
        self.progress = progress
        self.effective_rows = effective_rows
        self.missing = missing
        self.margins = margins
        self.kinds = kinds
        self.collinear = collinear
        self.clusters = clusters
        self.weights = weights

    def prepare(self, X: Any) -> PreparedData:
        """Return the data as :meth:`fit` would see them, which takes them in place of the data.

        Parameters
        ----------
        X : DataFrame, array of shape (n_samples, n_features), path, DataFile or Moments
            The data.

        Returns
        -------
        data : PreparedData
            ``data.reading`` and ``data.notes`` say what was found and done before the search.
        """
        self._check_parameters()
        takes_nominal = self.solver != "dcd" and self.noise_scale == "free" and self.margins != "latent"
        return prepare(
            X,
            self.missing,
            self.margins,
            kinds=self.kinds,
            collinear=self.collinear,
            nominal="indicators" if takes_nominal else "leave out",
            clusters=self.clusters,
            weights=self.weights,
        )

    def fit(self, X: Any, y: None = None) -> Self:
        """Find the graph.

        Parameters
        ----------
        X : DataFrame, array of shape (n_samples, n_features), path, DataFile, Moments or GroupedMoments
            The data; :func:`lurking.data.grouped_moments` makes the last from a table with nominal columns, and with
            ``kinds`` nominal columns are found by looking.
        y : None
            Ignored.

        Returns
        -------
        self : ADMGDiscovery
        """
        data = self.prepare(X)
        moments = data.moments
        if self.knowledge is not None:
            self.knowledge.required_graph(self.graph_class)
        self.knowledge_ = None if self.knowledge is None else self.knowledge.without(data.left_out)
        self.reading_: Reading | None = data.reading
        self.effective_rows_: EffectiveRows | None = data.effective_rows()
        self.residual_curve_: ResidualCurve | None = data.residual_curve()
        self.audit_: tuple[Finding, ...] = audit(data, self.assumes_similar_noise, self.effective_rows_)
        self.n_counted_: int = self._n_counted(moments)
        self.search_ = self._search(moments.with_n_samples(self.n_counted_))
        self.moments_ = moments
        self.mean_ = moments.mean
        self.rank_transform_ = data.rank_transform
        self._ordinal = tuple(data.ordinal)
        self._groups = data.groups
        chosen = {"central": "central", "best": "admg", "consensus": "consensus"}[self.answer]
        found: ADMG = getattr(self.search_, chosen)
        self.fit_: RICFResult = wide_fit(moments, found)
        self.admg_: ADMG = found if isinstance(moments, GroupedMoments) else self.fit_.admg
        self.pag_: PAG = self.admg_.to_pag()
        self.coef_: FloatArray = self.fit_.coef
        self.error_cov_: FloatArray = self.fit_.error_cov
        self.loglik_: float = self.fit_.loglik
        self.bic_: float = self.fit_.bic
        self.status_: Enum = self.search_.status
        self.decided_by_assumption_ = self._decided_by_assumption()
        self.feature_names_in_ = np.array(moments.names, dtype=object)
        self.n_features_in_ = len(moments.names)
        return self

    def score(self, X: Any, y: None = None) -> float:
        """Return the mean log-likelihood per row of data under the fitted model; larger is better.

        Rows are measured from the training means ``mean_``, so a shift of the new data counts against the model;
        :mod:`lurking.discovery.scoring` says what happens without means and with transforms.

        Parameters
        ----------
        X : DataFrame, array of shape (n_samples, n_features), path or Moments
            The data. The columns of a data frame are found by name; words are read as they were in ``fit``.
        y : None
            Ignored.

        Returns
        -------
        score : float
        """
        check_is_fitted(self)
        return mean_loglik(
            LinearSEM.from_fit(self.fit_),
            self.mean_,
            X,
            missing="em" if self.missing == "auto" else self.missing,
            rank_transform=self.rank_transform_,
            ordinal=self._ordinal if self.margins == "latent" else None,
            groups=self._groups,
        )

    @property
    def assumes_similar_noise(self) -> bool:
        """Whether the answer depends on the units of the data; the paper's least squares assume it silently."""
        return bool(self.noise_scale == "similar" or self.solver == "dcd")

    def _n_counted(self, moments: AnyMoments) -> int:
        """Return how many rows the scores count."""
        if self.effective_rows == "all" or self.solver == "dcd":
            return moments.n_samples
        if self.effective_rows == "auto":
            return moments.n_samples if self.effective_rows_ is None else self.effective_rows_.effective
        number = int(self.effective_rows)
        if number > moments.n_samples:
            raise ParameterError(
                f"The table has {moments.n_samples} rows, so effective_rows={number} is too many; give at most as "
                "many, or 'all'."
            )
        return number

    def _search(self, moments: AnyMoments) -> SearchResult:
        spread = self.noise_spread if self.noise_scale == "similar" else None
        allowed_edges = None if self.knowledge_ is None else self.knowledge_.allowed_edges(moments.names)
        progress = silent if self.progress is None else self.progress
        if self.solver == "exact":
            return exhaustive_search(
                moments,
                self.graph_class,
                criterion=self.criterion,
                noise_spread=spread,
                allowed_edges=allowed_edges,
                window=self.window,
                progress=progress,
            )
        if self.solver == "dcd":
            if isinstance(moments, GroupedMoments):
                raise ParameterError(
                    "solver='dcd' cannot be used with nominal columns; use solver='hybrid' or solver='exact'."
                )
            return dcd_search(
                moments,
                self.graph_class,
                DCDHyperparameters(penalty=self.penalty),
                n_restarts=self.n_restarts,
                allowed_edges=allowed_edges,
                window=self.window,
                random_state=self.random_state,
                n_jobs=self.n_jobs,
                progress=progress,
            )
        if self.progress is not None:
            self._say_what_to_expect(moments.n_variables)
        return hybrid_search(
            moments,
            self.graph_class,
            criterion=self.criterion,
            n_restarts=self.n_restarts,
            noise_spread=spread,
            allowed_edges=allowed_edges,
            window=self.window,
            time_budget=self.time_budget,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
            progress=progress,
        )

    def _say_what_to_expect(self, n_variables: int) -> None:
        """Log how long the search may take, if it takes long, and if the tables are larger than those tested."""
        logger = logging.getLogger(__name__)
        workers = joblib.effective_n_jobs(self.n_jobs)
        seconds = expected_seconds(n_variables, self.graph_class, self.n_restarts, workers)
        if seconds >= _LONG and self.time_budget is None:
            logger.info("The search of %d variables takes %s.", n_variables, in_words(seconds, workers))
        if n_variables > TESTED_VARIABLES:
            logger.warning(
                "%d variables are more than the %d up to which times and accuracy are tested; "
                "set a time budget, or choose fewer columns.",
                n_variables,
                TESTED_VARIABLES,
            )

    def _decided_by_assumption(self) -> tuple[str, ...]:
        if self.noise_scale == "free":
            return ()
        pag = self.pag_ if self.knowledge_ is None else informed_pag(self.admg_, self.knowledge_)
        return tuple(
            f"{cause} -> {effect}"
            for cause, effect in self.admg_.directed_edges()
            if Mark.CIRCLE in (pag.mark(cause, effect), pag.mark(effect, cause))
        )

    def _check_parameters(self) -> None:
        owner = type(self).__name__
        check_choice("graph_class", self.graph_class, GRAPH_CLASSES, owner)
        check_choice("solver", self.solver, ("hybrid", "dcd", "exact"), owner)
        check_choice("noise_scale", self.noise_scale, ("free", "similar"), owner)
        check_choice("answer", self.answer, ("central", "best", "consensus"), owner)
        check_criterion(self.criterion, owner)
        if self.effective_rows not in ("auto", "all"):
            check_count("effective_rows", self.effective_rows, at_least=2, owner=owner)
        check_choice("missing", self.missing, MISSING, owner)
        check_choice("margins", self.margins, MARGINS, owner)
        check_choice("collinear", self.collinear, COLLINEAR, owner)
        if self.kinds not in (None, "auto") and not isinstance(self.kinds, Mapping):
            raise ParameterError(
                f"The 'kinds' parameter of {owner} must be 'auto', a mapping of columns to kinds, or None. "
                f"Got {self.kinds!r} instead."
            )
        check_count("n_restarts", self.n_restarts, owner=owner)
        check_positive("noise_spread", self.noise_spread, owner)
        check_positive("penalty", self.penalty, owner)
        check_positive("window", self.window, owner)
        if self.time_budget is not None:
            check_positive("time_budget", self.time_budget, owner)
        check_n_jobs(self.n_jobs, owner)
        check_callable("progress", self.progress, owner)
        if self.solver == "dcd" and self.noise_scale != "free":
            raise ParameterError(
                "noise_scale='similar' works with solver='hybrid' and solver='exact' only; the least squares of "
                "solver='dcd' assume similar noise in any case: leave noise_scale='free' or choose another solver."
            )
        if self.solver != "hybrid" and self.time_budget is not None:
            raise ParameterError(
                f"time_budget works with solver='hybrid' only, not with solver={self.solver!r}; leave it out."
            )
        if self.knowledge is not None and not isinstance(self.knowledge, Knowledge):
            raise ParameterError(
                "The 'knowledge' parameter of ADMGDiscovery must be a Knowledge or None. "
                f"Got {self.knowledge!r} instead."
            )
