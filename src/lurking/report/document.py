"""The result as a file: ``result.json``, for other programs and for later.

The schema ``lurking/result@1`` holds the graph (``lurking/graph@1``, as :mod:`lurking.io.json` writes it), for every
edge its estimate, standard error, sentence and whether it is settled, the measures of fit, how the search ended, the
near-optimal graphs, and what is needed to get the same result again: settings, seed, versions, and a hash of the data.
Numbers are written with all their digits, so that what is read is what was written.

>>> from lurking.data import Moments
>>> from lurking.graphs import ADMG
>>> moments = Moments([[1, 0.5, 0.25], [0.5, 1, 0.5], [0.25, 0.5, 1]], 100, ["A", "B", "C"])
>>> result = graph_result(moments, ADMG.parse("A -> B -> C"))
>>> loads_result(dumps_result(result)) == result
True
>>> result.coef.round(2).tolist()
[[0.0, 0.5, 0.0], [0.0, 0.0, 0.5], [0.0, 0.0, 0.0]]
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from lurking._errors import FormatError, GraphError
from lurking._typing import FloatArray
from lurking.data import Moments
from lurking.discovery import ADMGDiscovery, BootstrapResult
from lurking.graphs import ADMG, PAG
from lurking.io.json import from_document, to_document
from lurking.report.content import EdgeEstimate, PairShares, ReportContent
from lurking.report.files import write_together
from lurking.report.from_discovery import consensus_content, report_content
from lurking.report.from_fit import edge_estimates, hash_of_moments, software_versions
from lurking.report.sentences import read_edge
from lurking.sem import FitStatus, RICFResult, fit_measures, ricf, standard_errors

__all__ = [
    "SCHEMA",
    "DiscoveryResult",
    "consensus_result",
    "discovery_result",
    "dumps_result",
    "graph_result",
    "loads_result",
    "read_result",
    "write_result",
]

SCHEMA = "lurking/result@1"

_NUMBERS = ("estimate", "standard_error", "standardized", "removal_cost")
_FIT = ("chi_square", "df", "p_value", "rmsea", "cfi", "srmr", "loglik", "bic", "ebic", "n_parameters")


@dataclass(frozen=True)
class DiscoveryResult:
    """A graph with its numbers, and where it came from.

    Attributes
    ----------
    admg : ADMG
        The graph.
    pag : PAG
        Its equivalence class.
    edges : tuple of EdgeEstimate
        Estimate, standard error, standardised estimate and cost of removal of each edge.
    error_variances, error_variance_errors : mapping of str to float
        The variance of the error of each variable, and its standard error (nan where it is not determined).
    fit : mapping of str to float
        Measures of fit: chi_square, df, p_value, rmsea, cfi, srmr, loglik, bic, ebic, n_parameters.
    n_samples : int
        The number of rows.
    status, message : str
        How the search ended, in a word and in a sentence.
    near_optimal : tuple of (ADMG, float)
        Graphs that are nearly as good, each with the difference of its score to the best.
    bootstrap : tuple of PairShares
        How often each pair was joined in which way, if the search was repeated on resampled data.
    n_replicates : int or None
        On how many tables.
    settings, versions : mapping of str to str
        How the result was made.
    seed : int or None
        The seed.
    data_name, data_hash : str or None
        Which data.
    informed_pag : PAG or None
        The equivalence class with the marks that background knowledge adds, if there was any.
    """

    admg: ADMG
    pag: PAG
    edges: tuple[EdgeEstimate, ...]
    error_variances: Mapping[str, float]
    error_variance_errors: Mapping[str, float | None]
    fit: Mapping[str, float]
    n_samples: int
    status: str = "GIVEN"
    message: str = "The graph was given, not sought."
    near_optimal: tuple[tuple[ADMG, float], ...] = ()
    bootstrap: tuple[PairShares, ...] = ()
    n_replicates: int | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
    data_name: str | None = None
    data_hash: str | None = None
    informed_pag: PAG | None = None

    @property
    def coef(self) -> FloatArray:
        """The matrix of coefficients; ``coef[i, j]`` is that of i in the equation of j."""
        matrix = np.zeros((len(self.admg), len(self.admg)))
        for edge in self.edges:
            if edge.kind == "directed" and edge.estimate is not None:
                matrix[self.admg.index(edge.one), self.admg.index(edge.other)] = edge.estimate
        return matrix

    @property
    def error_cov(self) -> FloatArray:
        """The covariance matrix of the errors."""
        matrix = np.diag([self.error_variances[name] for name in self.admg.names])
        for edge in self.edges:
            if edge.kind == "bidirected" and edge.estimate is not None:
                i, j = self.admg.index(edge.one), self.admg.index(edge.other)
                matrix[i, j] = matrix[j, i] = edge.estimate
        return matrix


def graph_result(
    moments: Moments, admg: ADMG, *, data_name: str | None = None, data_hash: str | None = None
) -> DiscoveryResult:
    """Return the result of fitting a graph that was given.

    Parameters
    ----------
    moments : Moments
        The data.
    admg : ADMG
        A bow-free graph on the same variables.
    data_name, data_hash : str, optional
        Where the data came from, and their hash (by default one of the moments).
    """
    fit = ricf(moments, admg)
    message = "The graph was given, not sought."
    if fit.status is not FitStatus.CONVERGED:
        message = f"{message} {fit.status.message}"
    return replace(
        _fitted(moments, fit, edge_estimates(moments, fit)),
        message=message,
        versions=software_versions(),
        data_name=data_name,
        data_hash=data_hash or hash_of_moments(moments),
    )


def discovery_result(model: ADMGDiscovery, content: ReportContent | None = None) -> DiscoveryResult:
    """Return the result of a search.

    Parameters
    ----------
    model : ADMGDiscovery
        A model after ``fit``.
    content : ReportContent, optional
        What :func:`~lurking.report.from_discovery.report_content` made of it, if it is already there; otherwise it is
        made.
    """
    content = report_content(model) if content is None else content
    fitted = _fitted(model.moments_, model.fit_, content.edges)
    return _made(fitted, content, model.search_.status.name, content.status or model.search_.status.message)


def consensus_result(
    bootstrap: BootstrapResult, model: ADMGDiscovery, content: ReportContent | None = None
) -> DiscoveryResult:
    """Return the consensus graph of a bootstrap as a result, with the shares of all pairs.

    Parameters
    ----------
    bootstrap : BootstrapResult
        The bootstrap.
    model : ADMGDiscovery
        The model it was made with.
    content : ReportContent, optional
        What :func:`~lurking.report.from_discovery.consensus_content` made of it, if it is already there.
    """
    content = consensus_content(bootstrap, model) if content is None else content
    fitted = _fitted(bootstrap.moments, ricf(bootstrap.moments, bootstrap.consensus), content.edges)
    return _made(fitted, content, "INTERRUPTED" if bootstrap.interrupted else "CONSENSUS", content.status or "")


def _made(fitted: DiscoveryResult, content: ReportContent, status: str, message: str) -> DiscoveryResult:
    return replace(
        fitted,
        status=status,
        message=message,
        near_optimal=tuple((near.admg, near.bic_difference) for near in content.near_optimal),
        bootstrap=content.bootstrap,
        n_replicates=content.n_replicates,
        settings=content.settings,
        versions=content.versions,
        seed=content.seed if isinstance(content.seed, int) else None,
        data_name=content.data_name,
        data_hash=content.data_hash,
        informed_pag=content.informed_pag,
    )


def _fitted(moments: Moments, fit: RICFResult, edges: tuple[EdgeEstimate, ...]) -> DiscoveryResult:
    errors = np.diag(standard_errors(moments, fit).error_cov).tolist()
    measures = fit_measures(moments, fit)
    return DiscoveryResult(
        admg=fit.admg,
        pag=fit.admg.to_pag(),
        edges=edges,
        error_variances=dict(zip(fit.names, np.diag(fit.error_cov).tolist(), strict=True)),
        error_variance_errors=dict(zip(fit.names, [e if np.isfinite(e) else None for e in errors], strict=True)),
        fit={name: getattr(measures, name) for name in _FIT},
        n_samples=moments.n_samples,
    )


# ------------------------------------------------------------------------------------------------ text and files


def dumps_result(result: DiscoveryResult) -> str:
    """Return the result as JSON text."""
    document = {
        "schema": SCHEMA,
        "graph": to_document(result.admg),
        "pag": to_document(result.pag),
        "informed_pag": None if result.informed_pag is None else to_document(result.informed_pag),
        "parameters": {
            "edges": [_edge_document(edge, result) for edge in result.edges],
            "error_variances": [
                {"name": name, "estimate": value, "standard_error": result.error_variance_errors[name]}
                for name, value in result.error_variances.items()
            ],
        },
        "fit": dict(result.fit),
        "status": {"name": result.status, "message": result.message},
        "near_optimal": [
            {"difference": difference, "graph": to_document(admg)} for admg, difference in result.near_optimal
        ],
        "bootstrap": _bootstrap_document(result),
        "data": {"name": result.data_name, "hash": result.data_hash, "n_samples": result.n_samples},
        "seed": result.seed,
        "settings": dict(result.settings),
        "versions": dict(result.versions),
    }
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _bootstrap_document(result: DiscoveryResult) -> dict[str, Any] | None:
    if result.n_replicates is None:
        return None
    pairs = [{"pair": [p.one, p.other], "graph": dict(p.admg), "pag": dict(p.pag)} for p in result.bootstrap]
    return {"n_replicates": result.n_replicates, "pairs": pairs}


def _edge_document(edge: EdgeEstimate, result: DiscoveryResult) -> dict[str, Any]:
    arrow: Literal["->", "<->"] = "->" if edge.kind == "directed" else "<->"
    reading = read_edge(result.admg, result.pag, edge.one, arrow, edge.other, result.informed_pag)
    return {
        "edge": [edge.one, edge.arrow, edge.other],
        **{name: getattr(edge, name) for name in _NUMBERS},
        "adjacent": edge.adjacent,
        "bootstrap_share": edge.share,
        "sentence": str(reading.sentence),
        "standing": reading.standing,
        "left_open": None if reading.left_open is None else str(reading.left_open),
    }


def loads_result(text: str) -> DiscoveryResult:
    """Read a result from JSON text.

    Raises
    ------
    FormatError
        If the text is not JSON, has another schema, or lacks a part.
    """
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(f"The result is not JSON: {error.msg} in line {error.lineno}; write it anew.") from None
    except RecursionError:
        raise FormatError("The result is nested too deeply to be one; give a file that lurking wrote.") from None
    schema = document.get("schema") if isinstance(document, dict) else None
    if schema != SCHEMA:
        raise FormatError(
            f"A result has the schema {SCHEMA!r}. Got {schema!r} instead; give a file that lurking wrote."
        )
    try:
        return _read(document)
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, GraphError):
            raise
        what = f"lacks {error}" if isinstance(error, KeyError) else f"is damaged ({error})"
        raise FormatError(f"The result {what}; write it anew with lurking.") from None


def _read(document: dict[str, Any]) -> DiscoveryResult:
    admg, pag = from_document(document["graph"]), from_document(document["pag"])
    near = [(from_document(entry["graph"]), float(entry["difference"])) for entry in document["near_optimal"]]
    informed = None if document.get("informed_pag") is None else from_document(document["informed_pag"])
    if not isinstance(admg, ADMG) or not isinstance(pag, PAG) or not isinstance(informed, PAG | None):
        raise TypeError("the graph is not an ADMG with its PAG")
    variances = document["parameters"]["error_variances"]
    bootstrap = document.get("bootstrap") or {"n_replicates": None, "pairs": []}  # files of earlier versions lack it
    return DiscoveryResult(
        admg=admg,
        pag=pag,
        edges=tuple(_read_edge(entry) for entry in document["parameters"]["edges"]),
        error_variances={entry["name"]: float(entry["estimate"]) for entry in variances},
        error_variance_errors={entry["name"]: entry["standard_error"] for entry in variances},
        fit=document["fit"],
        n_samples=document["data"]["n_samples"],
        status=document["status"]["name"],
        message=document["status"]["message"],
        near_optimal=tuple((graph, difference) for graph, difference in near if isinstance(graph, ADMG)),
        bootstrap=tuple(_read_shares(entry) for entry in bootstrap["pairs"]),
        n_replicates=bootstrap["n_replicates"],
        settings=document["settings"],
        versions=document["versions"],
        seed=document["seed"],
        data_name=document["data"]["name"],
        data_hash=document["data"]["hash"],
        informed_pag=informed,
    )


def _read_shares(entry: dict[str, Any]) -> PairShares:
    one, other = entry["pair"]
    return PairShares(one, other, entry["graph"], entry["pag"])


def _read_edge(entry: dict[str, Any]) -> EdgeEstimate:
    one, arrow, other = entry["edge"]
    kind = {"->": "directed", "<->": "bidirected"}[arrow]
    numbers = {name: entry[name] for name in _NUMBERS}
    shares = {"adjacent": entry.get("adjacent"), "share": entry.get("bootstrap_share")}
    return EdgeEstimate(one, other, "directed" if kind == "directed" else "bidirected", **numbers, **shares)


def write_result(result: DiscoveryResult | ADMGDiscovery, path: str | Path) -> Path:
    """Write a result to a JSON file, whole or not at all.

    Parameters
    ----------
    result : DiscoveryResult or ADMGDiscovery
        The result, or a fitted model.
    path : str or Path
        The file; one that exists is replaced.

    Raises
    ------
    FormatError
        If the file cannot be written.
    """
    if isinstance(result, ADMGDiscovery):
        result = discovery_result(result)
    write_together({Path(path): dumps_result(result)})
    return Path(path)


def read_result(path: str | Path) -> DiscoveryResult:
    """Read a result that :func:`write_result` wrote.

    Raises
    ------
    FormatError
        If the file is not there or is not such a result.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise FormatError(f"The result file {str(path)!r} cannot be read ({why}); check its path.") from None
    try:
        return loads_result(text)
    except FormatError as error:
        raise FormatError(f"{path}: {error}") from None
