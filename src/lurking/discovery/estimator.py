"""The face of :class:`~lurking.discovery.table_search.TableSearch` for scikit-learn."""

from __future__ import annotations

from sklearn.base import BaseEstimator

from lurking.discovery.table_search import TableSearch

__all__ = ["ADMGDiscovery"]


class ADMGDiscovery(BaseEstimator, TableSearch):  # type: ignore[misc]  # scikit-learn is untyped
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
        Seconds that ``fit`` may take with the hybrid solver, which then returns the best graph so far; each part of
        the search gets a share. A one-time compilation is not counted in.
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
