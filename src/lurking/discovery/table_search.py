"""The search of a table: a table in, the best-fitting ADMG out.

:class:`TableSearch` does it, and :class:`~lurking.ADMGDiscovery` is the same as an estimator of scikit-learn. They are
two classes because importing scikit-learn takes as long as the search of a small table, and the command ``lurking``
needs nothing of it.

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

import copy
import logging
import time
from collections.abc import Mapping
from dataclasses import replace
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from lurking._errors import ParameterError
from lurking._parallel import n_workers
from lurking._parameters import check_callable, check_choice, check_count, check_n_jobs, check_positive
from lurking._progress import Progress, silent
from lurking._random import children
from lurking._typing import FloatArray, GraphClass, RandomState
from lurking._wording import setting
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
from lurking.discovery.subsamples import N_SUBSAMPLES, averaged_posterior, needs_subsamples
from lurking.graphs import ADMG, PAG, Mark
from lurking.graphs.classes import CLASSES
from lurking.search.hybrid import hybrid_search
from lurking.search.posterior import Posterior
from lurking.search.result import SearchResult
from lurking.search.search_plan import (
    TESTED_VARIABLES,
    expected_seconds,
    in_words,
    seconds_left_for,
    seconds_of_fit,
)
from lurking.search.status import SearchStatus
from lurking.sem import Criterion, LinearSEM, RICFResult, wide_fit
from lurking.sem.criterion import check_criterion

if TYPE_CHECKING:
    from enum import Enum

__all__ = ["TableSearch"]

Solver = Literal["hybrid", "dcd", "exact"]
NoiseScale = Literal["free", "similar"]
Answer = Literal["central", "best", "consensus"]
_LONG = 15.0  # seconds from which on the expected time is said
_OWNER = "ADMGDiscovery"  # in messages


class TableSearch:
    """What :class:`~lurking.ADMGDiscovery` does, with the same parameters and attributes, without scikit-learn."""

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

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; ``deep`` is ignored, because no parameter has parameters."""
        return {name: getattr(self, name) for name in signature(type(self).__init__).parameters if name != "self"}

    def copy(self, **changes: Any) -> Self:
        """Return an unfitted copy with some parameters changed; what is not changed is copied with all it holds."""
        kept = {name: value for name, value in self.get_params().items() if name not in changes}
        return type(self)(**copy.deepcopy(kept), **changes)

    def require_fitted(self) -> None:
        """Raise the error of scikit-learn unless ``fit`` was called."""
        if not hasattr(self, "admg_"):
            from sklearn.exceptions import NotFittedError

            raise NotFittedError(f"This {type(self).__name__} is not fitted yet; call fit first.")

    def prepare(self, X: Any) -> PreparedData:
        """Return the data as ``fit`` would see them, which takes them in place of the data.

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
        began = time.monotonic()
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
        self.search_ = self._searched(data, began)
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
        self.require_fitted()
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

    def _searched(self, data: PreparedData, began: float) -> SearchResult:
        """Search the table; if it is not worth its rows, the posterior is that of subsamples."""
        progress = silent if self.progress is None else self.progress
        if self.progress is not None and self.solver == "hybrid":
            self._say_what_to_expect(data.moments.n_variables)
        budget = None
        if self.time_budget is not None:
            spent = time.monotonic() - began
            budget = seconds_left_for(self.time_budget, spent, seconds_of_fit(data.moments.n_variables))
        counted = data.moments.with_n_samples(self.n_counted_)
        enough = not needs_subsamples(data.moments.n_samples, self.n_counted_)
        if enough or data.rows is None or self.solver == "dcd":
            return self._search(
                counted, self.random_state, budget, progress, n_restarts=self.n_restarts, n_jobs=self.n_jobs
            )
        of_table, of_subsamples = children(self.random_state, 2)
        half = None if budget is None else budget / 2.0

        def first_half(share: float, words: str) -> None:
            progress(share / 2.0, words)

        def second_half(share: float, words: str) -> None:
            progress(0.5 + share / 2.0, words)

        found = self._search(counted, of_table, half, first_half, n_restarts=self.n_restarts, n_jobs=self.n_jobs)
        n_turns = -(-N_SUBSAMPLES // n_workers(self.n_jobs))

        def search(moments: AnyMoments, rng: np.random.Generator) -> Posterior:
            share_of_budget = None if half is None else half / n_turns
            return self._search(moments, rng, share_of_budget, silent, n_restarts=1, n_jobs=1).posterior

        try:
            posterior = averaged_posterior(
                found.posterior,
                data,
                data.rows,
                self.margins,
                self.n_counted_,
                search,
                random_state=of_subsamples,
                n_jobs=self.n_jobs,
                progress=second_half,
            )
        except KeyboardInterrupt:  # the posterior of the whole table is there
            return replace(found, status=SearchStatus.INTERRUPTED)
        return replace(found, posterior=posterior)

    def _search(
        self,
        moments: AnyMoments,
        random_state: RandomState,
        time_budget: float | None,
        progress: Progress,
        *,
        n_restarts: int,
        n_jobs: int | None,
    ) -> SearchResult:
        spread = self.noise_spread if self.noise_scale == "similar" else None
        allowed_edges = None if self.knowledge_ is None else self.knowledge_.allowed_edges(moments.names)
        if self.solver == "exact":
            from lurking.search.exhaustive import exhaustive_search

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
                    setting("solver", "dcd")
                    + " cannot be used with nominal columns; use "
                    + setting("solver", "hybrid")
                    + " or "
                    + setting("solver", "exact")
                    + "."
                )
            from lurking.search.dcd import dcd_search
            from lurking.search.hyperparameters import DCDHyperparameters

            return dcd_search(
                moments,
                self.graph_class,
                DCDHyperparameters(penalty=self.penalty),
                n_restarts=n_restarts,
                allowed_edges=allowed_edges,
                window=self.window,
                random_state=random_state,
                n_jobs=n_jobs,
                progress=progress,
            )
        return hybrid_search(
            moments,
            self.graph_class,
            criterion=self.criterion,
            n_restarts=n_restarts,
            noise_spread=spread,
            allowed_edges=allowed_edges,
            window=self.window,
            time_budget=time_budget,
            random_state=random_state,
            n_jobs=n_jobs,
            progress=progress,
        )

    def _say_what_to_expect(self, n_variables: int) -> None:
        """Log how long the search may take, if it takes long, and if the tables are larger than those tested."""
        logger = logging.getLogger(__name__)
        workers = n_workers(self.n_jobs)
        seconds = expected_seconds(n_variables, self.graph_class, self.n_restarts, workers)
        if seconds >= _LONG and self.time_budget is None:
            logger.info(
                "%d variables: the answer takes %s; with a time budget it comes earlier, with the best graph so far.",
                n_variables,
                in_words(seconds, workers),
            )
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
        owner = _OWNER
        check_choice("graph_class", self.graph_class, tuple(CLASSES), owner)
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
                setting("noise_scale", "similar")
                + " works with "
                + setting("solver", "hybrid")
                + " and "
                + setting("solver", "exact")
                + " only; the least squares of "
                + setting("solver", "dcd")
                + " assume similar noise in any case: leave "
                + setting("noise_scale", "free")
                + " or choose another solver."
            )
        if self.solver != "hybrid" and self.time_budget is not None:
            raise ParameterError(
                "time_budget works with "
                + setting("solver", "hybrid")
                + " only, not with "
                + setting("solver", self.solver)
                + "; leave it out."
            )
        if self.knowledge is not None and not isinstance(self.knowledge, Knowledge):
            raise ParameterError(
                "The 'knowledge' parameter of ADMGDiscovery must be a Knowledge or None. "
                f"Got {self.knowledge!r} instead."
            )
