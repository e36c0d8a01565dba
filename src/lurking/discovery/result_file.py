"""``result.json``: a whole :class:`~lurking.discovery.Analysis` as text, and back without a loss.

The parts that people read most stand first and by name: the statements, the graph, its edges in numbers. The schema is
``lurking/result@2``. What is quickly computed from other parts (measures of fit from moments and estimates) is
written for those who read the file, and computed again when it is read; so are the ways to estimate each effect.

Of many variables the statements that say least are left out (:mod:`lurking.discovery.statement_documents`).

>>> from lurking.data import Moments
>>> from lurking.discovery.analyse import analyse
>>> from lurking.graphs import ADMG
>>> moments = Moments([[1, 0.5, 0.25], [0.5, 1, 0.5], [0.25, 0.5, 1]], 100, ["A", "B", "C"])
>>> analysis = analyse((moments, ADMG.parse("A -> B -> C")))
>>> text = dumps_result(analysis)
>>> dumps_result(loads_result(text)) == text
True
"""

from __future__ import annotations

import json
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import Any, Literal

import numpy as np

from lurking._errors import FormatError, LurkingError
from lurking._typing import FloatArray
from lurking.data import Moments
from lurking.data.effective_rows import EffectiveRows
from lurking.data.residual_curves import ResidualCurve
from lurking.discovery.analysis import Analysis
from lurking.discovery.analysis_parts import ConstraintTest, EdgeEstimate, NearOptimal, PairShares, Trace
from lurking.discovery.audit import Finding
from lurking.discovery.beliefs import Beliefs
from lurking.discovery.columns import EDGE_COLUMNS
from lurking.discovery.effect_parts import EFFECT_COLUMNS, EffectEstimate
from lurking.discovery.knowledge_files import parse_toml
from lurking.discovery.statement_documents import read_statements, statements_document
from lurking.graphs import ADMG, PAG, Grouping
from lurking.io.json import from_document, to_document
from lurking.search.posterior import Posterior
from lurking.sem import FitStatus, RICFResult, fit_measures

__all__ = ["SCHEMA", "dumps_result", "graph_in_result", "loads_result", "read_result"]

SCHEMA = "lurking/result@2"

_NUMBERS = (
    "estimate",
    "standard_error",
    "standardized",
    "removal_cost",
    "adjacent",
    "probability",
    "share",
    "chi_square",
    "df",
)
_FIT = ("chi_square", "df", "p_value", "rmsea", "cfi", "srmr", "loglik", "bic", "ebic", "n_parameters")


# ---------------------------------------------------------------------------------------------------------- writing


def dumps_result(analysis: Analysis) -> str:
    """Return an analysis as JSON text."""
    document = {
        "schema": SCHEMA,
        "title": analysis.title,
        "data": {
            "name": analysis.data_name,
            "hash": analysis.data_hash,
            "dataset": analysis.dataset,
            "reading": analysis.reading,
            "n_samples": analysis.moments.n_samples,
            "n_counted": analysis.n_counted,
            "effective_rows": None if analysis.effective_rows is None else asdict(analysis.effective_rows),
            "residual_curve": None if analysis.residual_curve is None else asdict(analysis.residual_curve),
        },
        "status": {"name": analysis.status, "messages": list(analysis.messages)},
        **statements_document(analysis.statement_list, len(analysis.names)),
        "graph": to_document(analysis.admg),
        "pag": to_document(analysis.pag),
        "informed_pag": None if analysis.informed_pag is None else to_document(analysis.informed_pag),
        "grouping": None if analysis.grouping is None else _grouping_document(analysis.grouping),
        "parameters": _parameters(analysis),
        "fit": {name: _finite(getattr(analysis.measures, name)) for name in _FIT},
        "tests": [{name: _finite(value) for name, value in asdict(test).items()} for test in analysis.tests],
        "ways_to_estimate": [asdict(way) for way in analysis.ways_to_estimate],
        "findings": [{**asdict(one), "columns": list(one.columns)} for one in analysis.findings],
        "knowledge": None if analysis.knowledge is None else analysis.knowledge.to_toml(),
        "near_optimal": [
            {"difference": difference, "distance": distance, "graph": to_document(graph)}
            for graph, difference, distance in analysis.near_optimal
        ],
        "bootstrap": None
        if analysis.n_replicates is None
        else {
            "n_replicates": analysis.n_replicates,
            "pairs": [
                {"pair": [p.one, p.other], "graph": dict(p.admg), "pag": dict(p.pag)} for p in analysis.bootstrap
            ],
        },
        "beliefs": None if analysis.beliefs is None else _beliefs_document(analysis.beliefs),
        "effects": {
            "columns": list(EFFECT_COLUMNS),
            "rows": [[_finite(getattr(one, name)) for name in EFFECT_COLUMNS] for one in analysis.effect_list],
        },
        "posterior": None if analysis.posterior is None else _posterior_document(analysis.posterior),
        "moments": {
            "covariance": _lower(analysis.moments.cov),
            "mean": None if analysis.moments.mean is None else analysis.moments.mean.tolist(),
        },
        "traces": [_trace_document(trace) for trace in analysis.traces],
        "settings": dict(analysis.settings),
        "seed": analysis.seed,
        "versions": dict(analysis.versions),
        "created": analysis.created,
    }
    return _one_entry_a_line(document)


def _one_entry_a_line(document: dict[str, Any]) -> str:
    """Write a document with every entry of its long lists on a line of its own."""

    def written(value: object) -> str:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)

    def part(value: object) -> str:
        if isinstance(value, list) and value:
            return "[\n  " + ",\n  ".join(map(written, value)) + "\n ]"
        if isinstance(value, dict) and value:
            return (
                "{\n  "
                + ",\n  ".join(f"{written(key)}: {_nested(inner, written)}" for key, inner in value.items())
                + "\n }"
            )
        return written(value)

    return "{\n " + ",\n ".join(f"{written(key)}: {part(value)}" for key, value in document.items()) + "\n}\n"


def _nested(value: object, written: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict | list):
        return "[\n   " + ",\n   ".join(map(written, value)) + "\n  ]"
    return str(written(value))


def _finite(value: Any) -> Any:
    """Return a value that JSON has: None in place of what is not a finite number."""
    return None if isinstance(value, float) and not isfinite(value) else value


def _lower(matrix: FloatArray) -> list[list[float]]:
    """Return the rows of the lower triangle of a symmetric matrix."""
    return [row[: k + 1] for k, row in enumerate(matrix.tolist())]


def _parameters(analysis: Analysis) -> dict[str, Any]:
    variances = np.diag(analysis.fit.error_cov).tolist()
    return {
        "status": analysis.fit.status.name,
        "n_iterations": analysis.fit.n_iterations,
        "loglik": analysis.fit.loglik,
        "bic": analysis.fit.bic,
        "edges": [
            {
                "edge": [edge.one, edge.arrow, edge.other],
                **{column.key: column.value(analysis, edge) for column in EDGE_COLUMNS},
                **({"by_column": [_column_entry(part) for part in edge.by_column]} if edge.by_column else {}),
            }
            for edge in analysis.edge_estimates
        ],
        "error_variances": [
            {"name": name, "estimate": variance, "standard_error": error}
            for name, variance, error in zip(analysis.fit.names, variances, analysis.error_variance_errors, strict=True)
        ],
        "error_covariances": [] if analysis.grouping is None else _within(analysis.grouping, analysis.fit.error_cov),
    }


def _grouping_document(grouping: Grouping) -> list[dict[str, Any]]:
    return [
        {"vertex": vertex, "columns": list(columns), "reference": reference}
        for vertex, columns, reference in zip(
            grouping.vertices, grouping.columns, grouping.references or (None,) * len(grouping.vertices), strict=True
        )
    ]


def _within(grouping: Grouping, error_cov: FloatArray) -> list[list[float]]:
    """Return the error covariances of the columns of each variable, row by row of the lower triangle."""
    blocks = [error_cov[grouping.places(v), grouping.places(v)] for v in range(len(grouping.vertices))]
    return [row[:k] for block in blocks for k, row in enumerate(block.tolist())]


def _beliefs_document(beliefs: Beliefs) -> dict[str, Any]:
    return {
        "names": list(beliefs.names),
        "source": beliefs.source,
        "n_graphs": beliefs.n_graphs,
        "causes": beliefs.causes.tolist(),
        "adjacent": _lower(beliefs.adjacent),
        "shares": _lower(beliefs.shares),
    }


def _posterior_document(posterior: Posterior) -> dict[str, Any]:
    """Write each graph as the list of its edges, ``[i, j, kind]`` with the code of :mod:`lurking.graphs.edge_kinds`."""
    graphs = []
    for codes, share in zip(posterior.codes, posterior.shares.tolist(), strict=True):
        edges = [[i, j, int(codes[i, j])] for i, j in np.argwhere(codes).tolist()]
        graphs.append({"share": share, "edges": edges})
    return {
        "names": list(posterior.names),
        "sampled": posterior.sampled,
        "above": posterior.score_gap,
        "consensus": to_document(posterior.consensus),
        "graphs": graphs,
    }


def _column_entry(part: EdgeEstimate) -> list[Any]:
    return [part.one, part.other, part.estimate, part.standard_error]


def _trace_document(trace: Trace) -> dict[str, Any]:
    series = [
        {"label": label, "x": list(x), "y": [_finite(float(value)) for value in y]} for label, x, y in trace["series"]
    ]
    return {**trace, "series": series}


# ---------------------------------------------------------------------------------------------------------- reading


def loads_result(text: str) -> Analysis:
    """Read an analysis from JSON text.

    Raises
    ------
    FormatError
        If the text is not JSON, has another schema, or lacks a part.
    """
    document = _opened(text)
    if document.get("schema") == "lurking/result@1":
        raise FormatError(
            "The result was written by an earlier version, which did not keep the covariances and the probabilities; "
            "run lurking discover on the data again (its graph can still be read by check, compare and convert)."
        )
    if document.get("schema") != SCHEMA:
        raise FormatError(
            f"A result has the schema {SCHEMA!r}. Got {document.get('schema')!r} instead; give a file that lurking "
            "wrote."
        )
    try:
        return _read(document)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        if isinstance(error, FormatError):
            raise
        what = f"lacks {error}" if isinstance(error, KeyError) else f"is damaged ({error})"
        raise FormatError(f"The result {what}; write it anew with lurking.") from None


def read_result(path: str | Path) -> Analysis:
    """Read a result that :meth:`Analysis.to_json` wrote.

    Raises
    ------
    FormatError
        If the file is not there or is not such a result.
    """
    try:
        return loads_result(_text_of(path))
    except LurkingError as error:
        raise FormatError(f"{path}: {error}") from None


def graph_in_result(path: str | Path) -> ADMG:
    """Read only the graph of a result; files of earlier versions have it too."""
    try:
        graph = from_document(_opened(_text_of(path)).get("graph"))
        if not isinstance(graph, ADMG):
            raise FormatError("The graph of the result is not an ADMG; write it anew with lurking.")
    except LurkingError as error:
        raise FormatError(f"{path}: {error}") from None
    return graph


def _text_of(path: str | Path) -> str:
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise FormatError(f"The result file cannot be read ({why}); check its path.") from None


def _opened(text: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(f"The result is not JSON: {error.msg} in line {error.lineno}; write it anew.") from None
    except RecursionError:
        raise FormatError("The result is nested too deeply to be one; give a file that lurking wrote.") from None
    return document if isinstance(document, dict) else {}


def _read(document: dict[str, Any]) -> Analysis:
    admg, pag = from_document(document["graph"]), from_document(document["pag"])
    informed = None if document["informed_pag"] is None else from_document(document["informed_pag"])
    if not isinstance(admg, ADMG) or not isinstance(pag, PAG) or not isinstance(informed, PAG | None):
        raise TypeError("the graph is not an ADMG with its PAG")
    data, bootstrap = document["data"], document["bootstrap"]
    mean = document["moments"]["mean"]
    grouping = _read_grouping(document.get("grouping"))
    wide = admg if grouping is None else grouping.widened(admg)
    moments = Moments(_whole(document["moments"]["covariance"]), data["n_samples"], wide.names, mean=mean)
    edges = tuple(_read_edge(entry) for entry in document["parameters"]["edges"])
    fit = _read_fit(document["parameters"], wide, edges, moments.n_samples, grouping)
    knowledge = None if document["knowledge"] is None else parse_toml(document["knowledge"])
    beliefs = None if document["beliefs"] is None else _read_beliefs(document["beliefs"])
    return Analysis(
        title=document["title"],
        moments=moments,
        fit=fit,
        pag=pag,
        measures=fit_measures(moments, fit),
        edge_estimates=edges,
        error_variance_errors=tuple(v["standard_error"] for v in document["parameters"]["error_variances"]),
        tests=tuple(ConstraintTest(**entry) for entry in document["tests"]),
        statement_list=read_statements(document, beliefs, knowledge, pag),
        beliefs=beliefs,
        posterior=None if document["posterior"] is None else _read_posterior(document["posterior"]),
        effect_list=tuple(_read_effect(document["effects"]["columns"], row) for row in document["effects"]["rows"]),
        knowledge=knowledge,
        informed_pag=informed,
        effective_rows=None if data["effective_rows"] is None else EffectiveRows(**data["effective_rows"]),
        residual_curve=None if data.get("residual_curve") is None else _read_curve(data["residual_curve"]),
        n_counted=data["n_counted"],
        findings=tuple(Finding(**{**entry, "columns": tuple(entry["columns"])}) for entry in document["findings"]),
        near_optimal=tuple(_read_near(entry) for entry in document["near_optimal"]),
        traces=tuple(_read_trace(entry) for entry in document["traces"]),
        bootstrap=() if bootstrap is None else tuple(_read_shares(entry) for entry in bootstrap["pairs"]),
        n_replicates=None if bootstrap is None else bootstrap["n_replicates"],
        status=document["status"]["name"],
        messages=tuple(document["status"]["messages"]),
        settings=document["settings"],
        versions=document["versions"],
        seed=document["seed"],
        data_name=data["name"],
        data_hash=data["hash"],
        dataset=data["dataset"],
        reading=data.get("reading"),
        created=document["created"],
        grouping=grouping,
    )


def _read_grouping(entries: list[dict[str, Any]] | None) -> Grouping | None:
    if entries is None:
        return None
    references = tuple(entry.get("reference") for entry in entries)
    return Grouping(
        tuple(entry["vertex"] for entry in entries),
        tuple(tuple(entry["columns"]) for entry in entries),
        references if any(references) else (),
    )


def _whole(rows: list[list[float]]) -> FloatArray:
    """Return the symmetric matrix of a lower triangle."""
    matrix = np.zeros((len(rows), len(rows)))
    for k, row in enumerate(rows):
        matrix[k, : k + 1] = matrix[: k + 1, k] = row
    return matrix


def _read_fit(
    parameters: dict[str, Any],
    admg: ADMG,
    edges: tuple[EdgeEstimate, ...],
    n_samples: int,
    grouping: Grouping | None,
) -> RICFResult:
    coef, variances = np.zeros((len(admg), len(admg))), [v["estimate"] for v in parameters["error_variances"]]
    error_cov = np.diag(np.array(variances, dtype=float))
    first = {} if grouping is None else dict(zip(grouping.vertices, (c[0] for c in grouping.columns), strict=True))
    for edge in edges:
        single = [(first.get(edge.one, edge.one), first.get(edge.other, edge.other), edge.estimate)]
        for one, other, value in [(p.one, p.other, p.estimate) for p in edge.by_column] or single:
            i, j = admg.index(one), admg.index(other)
            if edge.kind == "directed":
                coef[i, j] = value
            else:
                error_cov[i, j] = error_cov[j, i] = value
    if grouping is not None:
        rows = iter(parameters["error_covariances"])
        for vertex in range(len(grouping.vertices)):
            places = range(len(admg))[grouping.places(vertex)]
            for k, i in enumerate(places):
                error_cov[i, places.start : places.start + k] = error_cov[places.start : places.start + k, i] = next(
                    rows
                )
    return RICFResult(
        admg=admg,
        n_samples=n_samples,
        coef=coef,
        error_cov=error_cov,
        loglik=float(parameters["loglik"]),
        bic=float(parameters["bic"]),
        status=FitStatus[parameters["status"]],
        n_iterations=parameters["n_iterations"],
    )


_KINDS: dict[str, Literal["directed", "bidirected"]] = {"->": "directed", "<->": "bidirected"}


def _read_edge(entry: dict[str, Any]) -> EdgeEstimate:
    one, arrow, other = entry["edge"]
    numbers = {name: entry.get(name) if name in ("chi_square", "df") else entry[name] for name in _NUMBERS}
    kind = _KINDS[arrow]
    parts = tuple(EdgeEstimate(a, b, kind, *values) for a, b, *values in entry.get("by_column", []))
    return EdgeEstimate(one, other, kind, by_column=parts, **numbers)


def _read_beliefs(entry: dict[str, Any]) -> Beliefs:
    return Beliefs(
        names=tuple(entry["names"]),
        adjacent=_whole(entry["adjacent"]),
        causes=np.array(entry["causes"], dtype=float),
        shares=_whole(entry["shares"]),
        source=entry["source"],
        n_graphs=entry["n_graphs"],
    )


def _read_effect(columns: list[str], row: list[Any]) -> EffectEstimate:
    values = dict(zip(columns, row, strict=True))
    missing = {
        name for name, value in values.items() if value is None and not name.endswith("_if_cause") and name != "against"
    }
    return EffectEstimate(**values | dict.fromkeys(missing, float("nan")))


def _read_posterior(entry: dict[str, Any]) -> Posterior:
    consensus = from_document(entry["consensus"])
    if not isinstance(consensus, ADMG):
        raise TypeError("the consensus is not an ADMG")
    d = len(entry["names"])
    codes = np.zeros((len(entry["graphs"]), d, d), dtype=np.uint8)
    for k, graph in enumerate(entry["graphs"]):
        for i, j, kind in graph["edges"]:
            codes[k, i, j] = kind
    shares = np.array([graph["share"] for graph in entry["graphs"]], dtype=float)
    return Posterior(tuple(entry["names"]), codes, shares, consensus, float(entry["above"]), bool(entry["sampled"]))


def _read_near(entry: dict[str, Any]) -> NearOptimal:
    graph = from_document(entry["graph"])
    if not isinstance(graph, ADMG):
        raise TypeError("a near-optimal graph is not an ADMG")
    return graph, float(entry["difference"]), int(entry["distance"])


def _read_shares(entry: dict[str, Any]) -> PairShares:
    one, other = entry["pair"]
    return PairShares(one, other, entry["graph"], entry["pag"])


def _read_curve(entry: dict[str, Any]) -> ResidualCurve:
    bins = {name: tuple(entry[name]) for name in ("x", "mean", "low", "high")}
    return ResidualCurve(along=entry["along"], of=entry["of"], share=entry["share"], **bins)


def _read_trace(entry: dict[str, Any]) -> Trace:
    series = tuple(
        (line["label"], tuple(line["x"]), tuple(float("nan") if y is None else y for y in line["y"]))
        for line in entry["series"]
    )
    return {**entry, "series": series}
