"""What speaks against an answer: about the data, the search and the fit, in short sentences."""

from __future__ import annotations

from lurking._wording import counted
from lurking.discovery import Analysis

__all__ = ["objections"]

POOR_FIT = 0.08
"""An RMSEA above it is called a poor fit."""


def objections(analysis: Analysis) -> tuple[str, ...]:
    """Return what speaks against an answer, what matters most first.

    Examples
    --------
    >>> from lurking import ADMG, Moments
    >>> from lurking.discovery import analyse
    >>> moments = Moments([[1, 0.5], [0.5, 1]], 100, ["A", "B"])
    >>> objections(analyse((moments, ADMG.parse("A; B"))))
    ('The graph fits poorly (RMSEA 0.53).', 'The data refute 1 of 1 implied constraint.')
    """
    said = list(analysis.messages)
    rmsea = analysis.measures.rmsea
    if analysis.measures.df and rmsea > POOR_FIT:
        said.append(f"The graph fits poorly (RMSEA {rmsea:.2f}).")
    refuted = sum(test.refuted for test in analysis.tests)
    if refuted:
        said.append(f"The data refute {refuted} of {counted(len(analysis.tests), 'implied constraint')}.")
    for kind in dict.fromkeys(finding.kind for finding in analysis.findings if finding.severity == "warning"):
        found = [finding for finding in analysis.findings if finding.kind == kind]
        rest = f" {counted(len(found) - 1, 'more finding')} of this kind." if len(found) > 1 else ""
        said.append(f"{found[0].message}{rest}")
    return tuple(said)
