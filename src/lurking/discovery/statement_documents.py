"""The statements of an analysis in ``result.json``: all of them for few variables, and what matters for many.

Statements grow with the square of the number of variables, and nearly all of them say of two variables that nothing
joins them. So of more than :data:`MOST_WITH_ALL` variables, ``statements`` lacks "not causes" and "apart" where they
are certain. ``statements_left_out`` says from which probability on and how many they are. All statements follow from
the beliefs, the knowledge and the settings, which are in the file too, so reading computes them again without a loss.

>>> from lurking.discovery.beliefs import Beliefs
>>> beliefs = Beliefs(("A", "B"), [[0, 1], [1, 0]], [[0, 0.97], [0, 0]], [[0, 0], [0, 0]], "sampled", 9)
>>> document = statements_document(statements_of(beliefs), n_variables=2)
>>> document["statements"][0]["words"], document["statements_left_out"]
('B is not a cause of A.', None)
>>> statements_document(statements_of(beliefs), n_variables=31)["statements_left_out"]["number"]
1
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lurking.discovery.beliefs import Beliefs
from lurking.discovery.knowledge import Knowledge
from lurking.discovery.statements import CERTAIN, Statement, statements_of
from lurking.graphs import PAG

__all__ = ["MOST_WITH_ALL", "read_statements", "statements_document"]

MOST_WITH_ALL = 30
"""Of more variables, certain statements that nothing joins two variables are not written."""

_LEFT_OUT = ("not causes", "apart")
_KEYS = ("kind", "first", "second", "probability", "decided_by")


def statements_document(statements: Sequence[Statement], n_variables: int) -> dict[str, Any]:
    """Return the entries ``statements`` and ``statements_left_out`` of the file."""
    written = statements
    if n_variables > MOST_WITH_ALL:
        written = [one for one in statements if one.kind not in _LEFT_OUT or one.probability < CERTAIN]
    left_out = len(statements) - len(written)
    about = {"kinds": list(_LEFT_OUT), "from_probability": CERTAIN, "number": left_out, "to_be_read_from": "beliefs"}
    return {
        "statements": [{**{key: getattr(one, key) for key in _KEYS}, "words": one.words} for one in written],
        "statements_left_out": about if left_out else None,
    }


def read_statements(
    document: Mapping[str, Any], beliefs: Beliefs | None, knowledge: Knowledge | None, pag: PAG
) -> tuple[Statement, ...]:
    """Return all statements of a file: as they are written, or if some are left out, from what they follow from.

    Parameters
    ----------
    document : mapping
        The whole file; those of earlier versions have all statements.
    beliefs, knowledge, pag
        What was read from it already.
    """
    if document.get("statements_left_out") is None or beliefs is None:
        return tuple(Statement(**{key: entry[key] for key in _KEYS}) for entry in document["statements"])
    settings = document["settings"]
    assumes_similar_noise = settings["noise_scale"] == "similar" or settings["solver"] == "dcd"
    return statements_of(beliefs, knowledge, pag if assumes_similar_noise else None)
