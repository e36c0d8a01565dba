"""What an edge says, in one sentence: the words behind the arrows.

In an ADMG ``->`` is a direct cause and ``<->`` an unmeasured common cause. In a PAG the marks say what *every*
equivalent graph says, and a circle is a question left open.

>>> sentence("admg", "->").format(one="smoking", other="tar")
'smoking is a direct cause of tar.'
>>> print(sentence("pag", "o->").format(one="X", other="Y"))
Y does not cause X; X causes Y, or something unmeasured causes both, or both are true.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

__all__ = ["GraphKind", "sentence"]

GraphKind: TypeAlias = Literal["admg", "cpdag", "pag"]

_ADMG = {
    "->": "{one} is a direct cause of {other}.",
    "<->": "{one} and {other} share an unmeasured cause.",
}
_PAG = {
    "->": "{one} is a cause of {other}.",
    "<->": "{one} and {other} share an unmeasured cause; neither causes the other.",
    "o->": "{other} does not cause {one}; {one} causes {other}, or something unmeasured causes both, or both are true.",
    "o-o": "{one} and {other} are connected; which of them causes the other, or whether something unmeasured causes "
    "both, is left open.",
    "--": "{one} and {other} are connected because units were selected by what they cause.",
    "o--": "{other} causes {one} or what units were selected by; whether {one} causes {other} is left open.",
}
_CPDAG = {
    "->": "{one} is a direct cause of {other}, if everything relevant was measured.",
    "--": "{one} causes {other} or {other} causes {one}, if everything relevant was measured; which is left open.",
}
_WORDS: dict[GraphKind, dict[str, str]] = {"admg": _ADMG, "cpdag": _CPDAG, "pag": _PAG}


def sentence(graph: GraphKind, arrow: str) -> str:
    """Return the sentence of an edge, with ``{one}`` and ``{other}`` in the place of the names."""
    return _WORDS[graph][arrow]
