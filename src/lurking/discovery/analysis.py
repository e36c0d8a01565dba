"""Everything that is known about a graph on data, as one value.

An :class:`Analysis` is what :func:`lurking.discover` returns and what every other part shows: the terminal, the page,
``result.json`` and a notebook only arrange what stands here. Each part was computed once, by
:func:`lurking.discovery.analyse`; nothing is computed while it is shown.

>>> import lurking
>>> from lurking import ADMG, simulate_admg
>>> data = simulate_admg(ADMG.parse("dose -> pressure -> stroke; dose <-> stroke"), 2000, random_state=0).data
>>> answer = lurking.discover(data, random_state=0)
>>> answer.admg.is_bow_free(), answer.statements.columns.tolist()
(True, ['kind', 'first', 'second', 'probability', 'decided_by', 'words'])
>>> answer.edges.columns.tolist()[:5]
['one', 'arrow', 'other', 'estimate', 'standard_error']
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lurking._errors import ParameterError
from lurking.data import AnyMoments, GroupedMoments, Moments
from lurking.data.effective_rows import EffectiveRows
from lurking.data.residual_curves import ResidualCurve
from lurking.discovery.analysis_parts import ConstraintTest, EdgeEstimate, NearOptimal, PairShares, Trace
from lurking.discovery.audit import Finding
from lurking.discovery.beliefs import Beliefs
from lurking.discovery.effect_parts import EFFECT_COLUMNS, Effect, EffectEstimate
from lurking.discovery.knowledge import Knowledge
from lurking.discovery.statements import Statement
from lurking.discovery.ways_to_estimate import WayToEstimate, ways_to_estimate
from lurking.graphs import ADMG, PAG, Grouping
from lurking.search.posterior import Posterior
from lurking.sem import RICFResult
from lurking.sem.fit_measures import FitMeasures

if TYPE_CHECKING:
    import pandas as pd

    from lurking.discovery.effect_columns import EffectColumns
    from lurking.discovery.effects import EffectPosterior
    from lurking.discovery.strengths import Strengths
    from lurking.discovery.summary import PairSummary

__all__ = ["FEW", "GIVEN", "Analysis"]

FEW = 30
"""Up to so many variables equally probable statements are listed in the order of their names."""

GIVEN = "GIVEN"
"""The status of a graph that was given, not searched."""

_STATEMENT_COLUMNS = ("kind", "first", "second", "probability", "decided_by", "words")


@dataclass(frozen=True, kw_only=True, eq=False)
class Analysis:
    """A graph on data, and everything that is known about it.

    Attributes
    ----------
    title : str
        What it is about.
    moments : Moments
        The data.
    fit : RICFResult
        The graph with its maximum-likelihood estimates; with nominal variables its wide graph, on columns.
    grouping : Grouping or None
        The columns of each variable if there are nominal ones (:mod:`lurking.graphs.grouping`). Then ``moments``, the
        fit and the error variances are about columns.
    pag : PAG
        The equivalence class of the graph.
    measures : FitMeasures
        How well the graph fits.
    edge_estimates : tuple of EdgeEstimate
        Each edge of the graph with its numbers.
    error_variance_errors : tuple of (float or None)
        The standard errors of the error variances, in the order of the variables; None where infinite.
    tests : tuple of ConstraintTest
        What the graph implies, tested on the data.
    statement_list : tuple of Statement
        What is probable of each pair of variables, the most probable first; empty for a graph that was given.
    beliefs : Beliefs or None
        The probabilities behind the statements.
    posterior : Posterior or None
        The posterior over graphs: a systematic sample of at most 400 graphs.
    effect_list : tuple of EffectEstimate
        The effects of ordered pairs after the search; empty for a graph that was given.
    knowledge : Knowledge or None
        What was known beforehand.
    informed_pag : PAG or None
        The equivalence class with the marks that the knowledge adds.
    effective_rows : EffectiveRows or None
        How many rows the table is worth, and why; None for a graph that was given, or a covariance matrix.
    residual_curve : ResidualCurve or None
        The most curved relation of two columns.
    n_counted : int or None
        How many rows the scores of the search counted; None for a graph that was given.
    findings : tuple of Finding
        What looked wrong in the data, the most serious first.
    near_optimal : tuple of (ADMG, float, int)
        Other graphs with a good score, how much larger it is than the best, and in how many pairs they differ.
    traces : tuple of mapping
        How the search went: lines to be drawn (``analysis_parts.Trace``).
    bootstrap : tuple of PairShares
        How often each pair was joined in which way on resampled data.
    n_replicates : int or None
        On how many tables.
    status : str
        How the search ended, in one word; ``"GIVEN"`` for a graph that was not searched.
    messages : tuple of str
        What has to be said about the search or the fit, in sentences.
    settings : mapping of str to object
        The parameters of the search that had a part in the answer.
    versions : mapping of str to str
        The software.
    seed : int or None
        The seed.
    reading : str or None
        What was found by looking at the file or the table, in one line.
    data_name, data_hash, dataset, created : str or None
        Which data, the hash of the file, the name of a bundled data set, and when the analysis was made.
    """

    title: str
    moments: Moments
    fit: RICFResult
    pag: PAG
    measures: FitMeasures
    edge_estimates: tuple[EdgeEstimate, ...]
    error_variance_errors: tuple[float | None, ...]
    tests: tuple[ConstraintTest, ...] = ()
    statement_list: tuple[Statement, ...] = ()
    beliefs: Beliefs | None = None
    posterior: Posterior | None = None
    effect_list: tuple[EffectEstimate, ...] = ()
    knowledge: Knowledge | None = None
    informed_pag: PAG | None = None
    effective_rows: EffectiveRows | None = None
    residual_curve: ResidualCurve | None = None
    n_counted: int | None = None
    findings: tuple[Finding, ...] = ()
    near_optimal: tuple[NearOptimal, ...] = ()
    traces: tuple[Trace, ...] = ()
    bootstrap: tuple[PairShares, ...] = ()
    n_replicates: int | None = None
    status: str = GIVEN
    messages: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
    data_name: str | None = None
    data_hash: str | None = None
    dataset: str | None = None
    created: str | None = None
    reading: str | None = None
    grouping: Grouping | None = None

    @property
    def admg(self) -> ADMG:
        """The graph."""
        return self.fit.admg if self.grouping is None else self.grouping.narrowed(self.fit.admg)

    @property
    def names(self) -> tuple[str, ...]:
        """The variables."""
        return self.fit.names if self.grouping is None else self.grouping.vertices

    @property
    def counted_moments(self) -> AnyMoments:
        """The moments with as many rows as the scores of the search counted; grouped if any variable is nominal."""
        columns = self.moments if self.n_counted is None else self.moments.with_n_samples(self.n_counted)
        return columns if self.grouping is None else GroupedMoments(columns, self.grouping)

    @cached_property
    def effect_columns(self) -> EffectColumns:
        """What can be a cause and what can be an effect: columns of numbers and levels of nominal variables."""
        from lurking.discovery.effect_columns import EffectColumns

        return EffectColumns(self.moments, self.grouping)

    @property
    def was_searched(self) -> bool:
        """Whether the graph was searched; otherwise it was given."""
        return self.status != GIVEN

    @cached_property
    def edges(self) -> pd.DataFrame:
        """The edges of the graph as a data frame, one row each, the most probable first."""
        import pandas as pd

        from lurking.discovery.columns import EDGE_COLUMNS

        columns = ["one", "arrow", "other", *(column.key for column in EDGE_COLUMNS)]
        values = [[column.value(self, edge) for column in EDGE_COLUMNS] for edge in self.ranked_edges]
        rows = [[e.one, e.arrow, e.other, *row] for e, row in zip(self.ranked_edges, values, strict=True)]
        return pd.DataFrame(rows, columns=columns)

    @cached_property
    def statements(self) -> pd.DataFrame:
        """What is probable of each pair of variables as a data frame, the most probable first.

        ``kind`` is "causes" (the first is a cause of the second, directly or through other variables), "not causes",
        "shares a cause" (something unmeasured causes both), "adjacent" (no set of measured variables makes them
        independent) or "apart" (some set does).
        """
        import pandas as pd

        rows = [[getattr(statement, name) for name in _STATEMENT_COLUMNS] for statement in self.statement_list]
        return pd.DataFrame(rows, columns=list(_STATEMENT_COLUMNS))

    @cached_property
    def effects(self) -> pd.DataFrame:
        """How much one variable changes another, for all ordered pairs, the most probable effects first.

        Total effects in the units of the data, with 95 % and 50 % intervals that count the uncertainty about the graph;
        the columns are the attributes of :class:`~lurking.discovery.EffectEstimate`. Of more than 63 variables, only
        effects with a probability of at least .05 are listed.
        """
        import pandas as pd

        rows = [[getattr(one, name) for name in EFFECT_COLUMNS] for one in self.effect_list]
        return pd.DataFrame(rows, columns=list(EFFECT_COLUMNS))

    def effect(self, cause: str, effect: str, *, standardized: bool = False) -> Effect:
        """Return how much one variable changes another, with the whole distribution and with what to adjust for.

        Parameters
        ----------
        cause, effect : str
            Two variables; of a nominal one a level, as in ``"colour=green"``, which as a cause is compared with the
            most frequent level.
        standardized : bool, default False
            In standard deviations of the effect per standard deviation of the cause, not in the units of the data.

        Raises
        ------
        ParameterError
            If the graph was given and not searched, so that there is no posterior; or if both variables are the same.
        UnknownVertexError
            If one of them is not there.

        Notes
        -----
        The first call fits the graphs of the posterior once more, which takes about a second.

        Examples
        --------
        >>> import lurking
        >>> graph = lurking.ADMG.parse("dose -> pressure -> stroke")
        >>> answer = lurking.discover(lurking.simulate_admg(graph, 2000, random_state=0).data)
        >>> found = answer.effect("pressure", "stroke")
        >>> found.low <= found.median <= found.high, found.adjustment[0].variables
        (True, ())
        """
        found = self._effect_posterior.effect(cause, effect)
        return found.per_deviation() if standardized else found

    def contrast(self, do: Mapping[str, float | str], against: Mapping[str, float | str]) -> pd.DataFrame:
        """Return how the means of all other variables differ if some are set to ``do`` and not to ``against``.

        Parameters
        ----------
        do, against : mapping of str to (float or str)
            Two settings of the same variables, such as ``{"X": 1, "Z": 0}`` and ``{"X": 0, "Z": 0}``; a nominal
            variable is set to one of its levels.

        Returns
        -------
        changes : DataFrame
            A row for each other variable: ``variable``, the ``probability`` that it changes at all, ``mean``, ``low``
            and ``high`` (95 %), ``median``, ``low_50``, ``high_50``, ``undetermined``, over all graphs of the sample
            that was kept.
        """
        from lurking.discovery.interventions import contrast

        return contrast(self.counted_moments, self._posterior_kept(), do, against)

    def predict(self, table: Any, do: Mapping[str, float | str], outcome: str) -> pd.DataFrame:
        """Return what a variable would have been in each row of a table if others had been set.

        Everything unmeasured stays as it was in that row, so this is about these rows, not about new ones.

        Parameters
        ----------
        table : DataFrame
            Rows with the variables of ``do`` and with the outcome, in the units of the data that were searched.
        do : mapping of str to (float or str)
            What is set, a nominal variable to one of its levels.
        outcome : str
            The variable in question.

        Returns
        -------
        values : DataFrame
            ``observed``, and ``mean``, ``low`` and ``high`` (95 %) of what it would have been, over all graphs.
        """
        from lurking.discovery.interventions import would_have_been

        if self.settings.get("margins"):
            raise ParameterError(
                f"The search was made with margins={self.settings['margins']!r}, so effects are not in the units of "
                "the columns; search without margins to predict."
            )
        return would_have_been(self.counted_moments, self._posterior_kept(), table, do, outcome)

    def _posterior_kept(self) -> Posterior:
        if self.posterior is None:
            raise ParameterError(
                "Effects after a search need the posterior that a search samples, and this graph was given or is a "
                "consensus; use lurking.sem.causal_effects for the effects in one graph."
            )
        return self.posterior

    @cached_property
    def _effect_posterior(self) -> EffectPosterior:
        from lurking.discovery.effects import EffectPosterior

        causes = None if self.beliefs is None else self.beliefs.reorder(self.names).causes
        return EffectPosterior.of(self.counted_moments, self._posterior_kept(), causes)

    @cached_property
    def ranked_edges(self) -> tuple[EdgeEstimate, ...]:
        """The edges, the most probable first, and of equally probable ones those that are most costly to remove."""

        def rank(edge: EdgeEstimate) -> tuple[float, float, bool]:
            return (-round(edge.adjacent or 0.0, 2), -(edge.removal_cost or 0.0), edge.kind != "directed")

        return tuple(sorted(self.edge_estimates, key=rank))

    @cached_property
    def ways_to_estimate(self) -> tuple[WayToEstimate, ...]:
        """What to adjust for, an instrument or a formula for each effect in the graph, those of direct causes first."""
        return ways_to_estimate(self.admg)

    @cached_property
    def strengths(self) -> Strengths | None:
        """How strong what statements say is (:mod:`lurking.discovery.strengths`); None of few variables.

        Of few variables all statements can be read, and the order of the names makes them easy to find.
        """
        from lurking.discovery.strengths import Strengths

        if len(self.names) <= FEW:
            return None
        scales = dict(zip(self.moments.names, self.moments.scales.tolist(), strict=True))
        return Strengths.of(self.edge_estimates, self.effect_list, scales)

    @cached_property
    def summary(self) -> PairSummary:
        """What to say first: the most probable statements, of many variables the strongest of them first."""
        from lurking.discovery.summary import summary_of

        return summary_of(self.statement_list, self.strengths)

    @cached_property
    def knowledge_obeyed(self) -> tuple[tuple[str, bool], ...]:
        """Each statement of the knowledge in words, and whether the graph obeys it."""
        return () if self.knowledge is None else self.knowledge.check(self.admg)

    def shares_of(self, one: str, other: str) -> PairShares | None:
        """Return the bootstrap shares of a pair, seen from ``one``; None if no replicate joined it."""
        for pair in self.bootstrap:
            if {pair.one, pair.other} == {one, other}:
                return pair if pair.one == one else pair.reversed()
        return None

    def report(self, path: str | Path) -> Path:
        """Write the page: one HTML file that needs nothing else.

        Parameters
        ----------
        path : str or Path
            The file, usually ending in ``.html``; one that exists is replaced.
        """
        from lurking._files import write_together

        write_together({Path(path): _renderer("html").report_html(self)})
        return Path(path)

    def to_json(self, path: str | Path) -> Path:
        """Write everything to a JSON file that :func:`lurking.discovery.read_result` reads.

        Parameters
        ----------
        path : str or Path
            The file; one that exists is replaced.
        """
        from lurking._files import write_together
        from lurking.discovery.result_file import dumps_result

        write_together({Path(path): dumps_result(self)})
        return Path(path)

    def __str__(self) -> str:
        return str(_renderer("terminal").report_text(self, width=80))

    def __repr__(self) -> str:
        return f"<Analysis of {len(self.names)} variables, {self.moments.n_samples} rows: {self.admg}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the picture and what is most probable."""
        return str(_renderer("notebook").notebook_html(self))


def _renderer(name: str) -> Any:
    """Return the module that shows an analysis in one way; it lies in a layer above, so it is found by name."""
    return import_module(f"lurking.report.{name}")
