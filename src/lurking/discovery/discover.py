"""From a table to an answer in one call: what the command ``lurking discover`` does, as a function."""

from __future__ import annotations

import time
from math import inf
from pathlib import Path
from typing import Any

from lurking._clock import written_at
from lurking.data import DataFile
from lurking.discovery.analyse import analyse
from lurking.discovery.analysis import Analysis
from lurking.discovery.bootstrap import bootstrap
from lurking.discovery.knowledge_files import column_kinds
from lurking.discovery.table_search import TableSearch
from lurking.discovery.time_budget import fit_within_budget

__all__ = ["READING", "discover"]

READING: dict[str, Any] = {"missing": "auto", "collinear": "drop", "kinds": "auto"}
"""How a table is read unless the caller says otherwise, as parameters of :class:`~lurking.ADMGDiscovery`."""


def discover(
    data: Any,
    graph_class: Any = "bow-free",
    knowledge: Any = None,
    random_state: Any = 0,
    *,
    title: str | None = None,
    n_replicates: int | None = None,
    **settings: Any,
) -> Analysis:
    """Find the causal graph behind a table, and return everything that is known about it.

    Parameters
    ----------
    data : DataFrame, array of shape (n, d), str, Path, DataFile or Moments
        The data. How a file is written and what kind each column is are found by looking; what cannot be used is left
        out, and the analysis says so (``answer.reading``, ``answer.findings``).
    graph_class : {"bow-free", "arid", "ancestral"}, default "bow-free"
        Which graphs are considered.
    knowledge : Knowledge, str or Path, optional
        What is known beforehand: a :class:`~lurking.Knowledge`, a file, or tiers in one line (``"age, sex < *"``).
    random_state : int, Generator or None, default 0
        The seed.

    Other Parameters
    ----------------
    title : str, optional
        What the analysis is about; by default the name of the file.
    n_replicates : int, optional
        Repeat the search on so many resampled tables, to see how stable each edge is.
    **settings
        Other parameters of :class:`~lurking.ADMGDiscovery`. Unless they say otherwise, ``missing="auto"``,
        ``kinds="auto"`` (beside what a knowledge file says in its table ``[columns]``) and ``collinear="drop"``. A
        ``time_budget`` is for the whole call, unless there are replicates: then it is for each search.

    Returns
    -------
    answer : Analysis
        ``answer.statements`` says what is probable of each pair, ``answer.effects`` how much one variable changes
        another, and ``answer.effect("X", "Y")`` everything about one effect; ``answer.edges`` has the graph in numbers,
        ``answer.report("report.html")`` writes the page, ``answer.to_json("result.json")`` everything.

    Examples
    --------
    >>> import lurking
    >>> data = lurking.simulate_admg(lurking.ADMG.parse("A -> B -> C"), 2000, random_state=0).data
    >>> answer = lurking.discover(data)
    >>> answer.statements.query("kind == 'adjacent' and probability > .95")[["first", "second"]].values.tolist()
    [['A', 'B'], ['B', 'C']]
    """
    began = time.monotonic()
    settings = READING | settings
    if isinstance(knowledge, str | Path) and "<" not in str(knowledge) and settings["kinds"] is not None:
        told = {} if settings["kinds"] == "auto" else settings["kinds"]
        settings["kinds"] = column_kinds(knowledge) | told or "auto"
    model = TableSearch(graph_class=graph_class, knowledge=_knowledge(knowledge), random_state=random_state, **settings)
    prepared = model.prepare(data)
    deadline = fit_within_budget(model, prepared, began, with_report=False)
    resampled = None
    if n_replicates is not None:
        deadline = inf
        resampled = bootstrap(
            model, prepared, n_replicates=n_replicates, random_state=random_state, n_jobs=model.n_jobs
        )
    path = data.path if isinstance(data, DataFile) else Path(data) if isinstance(data, str | Path) else None
    return analyse(
        model,
        bootstrap=resampled,
        title=title or ("Causal graph" if path is None else f"Causal graph of {path.name}"),
        data_name=None if path is None else path.name,
        created=written_at(),
        deadline=deadline,
    )


def _knowledge(knowledge: Any) -> Any:
    """Return the knowledge in a file or in a line of tiers; anything else as it is."""
    from lurking.discovery.knowledge import Knowledge
    from lurking.discovery.knowledge_files import read_knowledge

    if isinstance(knowledge, str) and "<" in knowledge:
        return Knowledge.from_tiers(knowledge)
    return read_knowledge(knowledge) if isinstance(knowledge, str | Path) else knowledge
