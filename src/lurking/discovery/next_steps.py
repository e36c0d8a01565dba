"""What a user can do next to learn more, found from an analysis: each step a sentence with the option to give.

>>> from lurking.data import Moments
>>> from lurking.discovery.analyse import analyse
>>> from lurking.graphs import ADMG
>>> moments = Moments([[1, 0.5], [0.5, 1]], 100, ["Age", "income"])
>>> for step in next_steps(analyse((moments, ADMG.parse("Age -> income")))):
...     print(step)
Say what came first: --tiers 'Age < *' (nothing measured causes it).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lurking.discovery.analysis import Analysis
from lurking.discovery.knowledge import Knowledge
from lurking.discovery.knowledge_files import tiers_text

__all__ = ["knowledge_template", "likely_first", "next_steps"]

_FIRST = re.compile(
    r"(?i:(^|[\W_])(age|sex|gender|race|ethnicity|birth|born|year|date|cohort|country|region|month|season)([\W_]|$))|"
    r"(^|[a-z_])(Age|Sex|Gender|Race|Birth|Year|Month|Region|Country)([A-Z\d_\W]|$)"
)
"""Names of columns that other columns of a table rarely cause."""


def likely_first(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the variables whose names say that no other measured variable causes them.

    Examples
    --------
    >>> likely_first(("Age", "blood_pressure", "sex", "Year of birth", "dosage", "stage"))
    ('Age', 'sex', 'Year of birth')
    """
    return tuple(name for name in names if _FIRST.search(name))


def next_steps(analysis: Analysis) -> tuple[str, ...]:
    """Return what would make the answer surer, the most useful step first."""
    return tuple(_steps(analysis))


def _steps(analysis: Analysis) -> Iterator[str]:
    told = {} if analysis.knowledge is None else analysis.knowledge.tier_numbers(analysis.names)
    first = tuple(name for name in likely_first(analysis.names) if name not in told)
    if first:
        what = "it" if len(first) == 1 else "them"
        yield f"Say what came first: --tiers '{tiers_text((first, ('*',)))}' (nothing measured causes {what})."
    elif analysis.knowledge is None and analysis.was_searched:
        yield "Say what came first or was randomised: --tiers 'early, columns < *', or edit knowledge.toml."
    kinds = {finding.kind: finding for finding in reversed(analysis.findings)}
    for kind in ("repeated", "collinear"):
        if kind in kinds:
            yield f"Leave out one of {', '.join(kinds[kind].columns)}: --drop."
            break
    if kinds.keys() & {"outliers", "skewed"} and analysis.settings.get("margins") is None:
        yield "Check the extreme values; --margins rank takes away their weight."
    if analysis.was_searched and analysis.n_replicates is None:
        yield "See which edges survive other samples: lurking bootstrap."


def knowledge_template(analysis: Analysis) -> str:
    """Return a knowledge file to edit: the variables that probably came first in place, the others listed."""
    first = likely_first(analysis.names)
    others = tuple(name for name in analysis.names if name not in first)
    tiers = Knowledge(tiers=((first, ("*",)) if first else (("*",),)))
    return (
        "# What is known beforehand. Edit it, then: lurking discover ... --knowledge knowledge.toml\n"
        "# No variable of a later tier causes one of an earlier tier; '*' are all variables that are not named.\n"
        f"# The other variables: {', '.join(others)}\n"
        f"{tiers.to_toml()}"
        "# unconfounded = []   # variables that share no unmeasured cause with others, such as a randomised treatment\n"
        '# forbid = []         # such as "cancer -> smoking"\n'
        '# require = []        # such as "smoking -> tar"\n'
    )
