"""Messages of the library in the words of the command line.

The library tells a Python programmer to write ``separator=';'``; someone at a terminal needs ``--separator ';'``.

>>> in_options("The values seem to be separated by semicolons; give separator=';'.")
"The values seem to be separated by semicolons; give --separator ';'."
>>> in_options("Values of 'a' are missing in 2 of 9 rows; leave these rows out by missing='drop'.")
"Values of 'a' are missing in 2 of 9 rows; leave these rows out by --missing drop."
>>> in_options("If the levels are ordered, say kinds={'my size': 'S<M<L'}.")
"If the levels are ordered, say --kind 'my size=S<M<L'."
"""

from __future__ import annotations

import re
from ast import literal_eval
from shlex import quote

__all__ = ["in_options"]

_WITH_VALUE = {
    "solver": "--solver",
    "noise_scale": "--noise",
    "missing": "--missing",
    "margins": "--margins",
    "collinear": "--collinear",
    "clusters": "--clusters",
    "weights": "--weights",
    "encoding": "--encoding",
}
_TEXT = r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_KIND = re.compile(rf"\bkinds=\{{{_TEXT}: {_TEXT}\}}")
_NA = re.compile(rf"\bna=\[{_TEXT}\]")
_PHRASES = (
    ("choose the others with columns=[...] in Moments.from_table", "choose the others with --columns"),
    ("choose the others with columns=[...] in Moments.from_path", "choose the others with --columns"),
    ("give n_samples", "give --n-samples"),
    ("add rows or leave columns out", "add rows or leave columns out with --drop"),
    ("raise n_restarts", "raise --restarts"),
    ("or give the format", "or give it with --format (in convert, --from and --to)"),
    ("read the file with decimal=','", "give --decimal ,"),
    ("; read it as kind='pag' if it is a MAG or PAG", "; write o-o or an arrow in the place of -- or <->"),
    ("; read it as kind='pag'", ", so it may be a PAG"),
    ("give them as names=[...], or write them above it", "write them above it, in one line"),
    ("The 'n_restarts' parameter of ADMGDiscovery", "--restarts"),
    ("The 'n_replicates' parameter of bootstrap", "--replicates"),
    ("The 'time_budget' parameter of ADMGDiscovery", "--time-budget"),
    ("The 'penalty' parameter of ADMGDiscovery", "--penalty"),
    ("use admg.subgraph or moments.subset to leave them out", "choose the graph's variables with --columns"),
    ("The 'graph_class' parameter is for random graphs", "--class is for random graphs"),
    ("write its PAG, graph.to_pag()", "write its PAG with --project pag"),
    ("run more restarts", "raise --restarts"),
    ("admg.arid_projection()", "lurking convert --project arid"),
    ("its arid_projection()", "lurking convert --project arid"),
)


def in_options(message: str) -> str:
    """Return a message of the library with its Python parameters written as options."""
    for said, meant in _PHRASES:
        message = message.replace(said, meant)
    message = re.sub(r"\bseparator=('[^']*'|\"[^\"]*\")", r"--separator \1", message)
    message = _KIND.sub(lambda m: f"--kind {quote(literal_eval(m[1]) + '=' + literal_eval(m[2]))}", message)
    message = _NA.sub(lambda m: f"--na {quote(literal_eval(m[1]))}", message)
    for parameter, option in _WITH_VALUE.items():
        message = re.sub(rf"\b{parameter}='([\w-]+)'", rf"{option} \1", message)
    return message
