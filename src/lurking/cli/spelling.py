"""What the command line calls the parameters that messages of the library name.

A message knows which of its parts are parameters (:mod:`lurking._wording`); here each gets the words of an option.

>>> from lurking._wording import setting
>>> in_options("Values of 'a' are missing; leave these rows out by " + setting("missing", "drop") + ".")
"Values of 'a' are missing; leave these rows out by --missing drop."
>>> in_options("If the levels are ordered, say " + setting("kinds", {"my size": "S<M<L"}) + ".")
"If the levels are ordered, say --kind 'my size=S<M<L'."
"""

from __future__ import annotations

from dataclasses import replace
from shlex import quote
from typing import TYPE_CHECKING

from lurking._wording import Mention, Words

if TYPE_CHECKING:
    from lurking.discovery import Analysis

__all__ = ["in_options", "in_options_all"]

_OPTIONS = {
    "collinear": "--collinear",
    "criterion": "--criterion",
    "encoding": "--encoding",
    "graph_class": "--class",
    "margins": "--margins",
    "missing": "--missing",
    "n_replicates": "--replicates",
    "n_restarts": "--restarts",
    "noise_scale": "--noise",
    "penalty": "--penalty",
    "separator": "--separator",
    "solver": "--solver",
    "time_budget": "--time-budget",
}
_SENTENCES = {
    "arid_projection": "lurking convert --project arid",
    "columns": "--columns",
    "decimal": "give --decimal ,",
    "format": "or give it with --format (in convert, --from and --to)",
    "graph and data": "choose the graph's variables with --columns",
    "kind of both": "; write o-o or an arrow in the place of -- or <->",
    "kind": ", so it may be a PAG.",
    "left out": "add rows or leave columns out with --drop",
    "n_restarts": "raise --restarts",
    "n_samples": "give --n-samples",
    "names": "write them above it, in one line",
    "to_pag": "write its PAG with --project pag",
}


def in_options(message: str) -> str:
    """Return a message of the library with the parameters that it names written as options."""
    return message.said_by(_spelled) if isinstance(message, Words) else message


def in_options_all(analysis: Analysis) -> Analysis:
    """Return an analysis whose messages and findings name options."""
    findings = tuple(
        replace(found, message=in_options(found.message), advice=in_options(found.advice))
        for found in analysis.findings
    )
    return replace(analysis, messages=tuple(map(in_options, analysis.messages)), findings=findings)


def _spelled(mention: Mention) -> str:
    name, value = mention.parameter, mention.value
    if name in ("parameter", "random graph") and value in _OPTIONS:
        return _OPTIONS[value] + (" is" if name == "random graph" else "")
    if isinstance(value, dict):  # kinds={"column": "kind"}
        return " ".join(f"--kind {quote(f'{column}={kind}')}" for column, kind in value.items())
    if isinstance(value, list):  # na=["text"]
        return f"--na {quote(value[0])}"
    if name in _SENTENCES and (value is None or name not in _OPTIONS):
        return _SENTENCES[name]
    return f"{_OPTIONS[name]} {quote(str(value))}" if name in _OPTIONS else mention.python
