r"""The report as one HTML file that needs nothing else.

Style, script, pictures and data are inside the file; it opens from a disk without a network. Three measures keep column
names, which are data, from becoming code:

1. The template engine escapes everything it writes; the only trusted texts are our own style sheet and script and the
   pictures, which escape by themselves.
2. What the script needs is JSON in a block that no browser executes, with ``<`` written as ``\u003c``.
3. A content security policy allows our script and style by their hash, and nothing else: no inline handlers, no
   request to anywhere.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from importlib import resources
from math import inf
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from lurking.discovery import Analysis
from lurking.graphs.drawing import STYLE_SHEET, printable
from lurking.report.view import page_of

__all__ = ["report_html"]


def report_html(analysis: Analysis, deadline: float = inf) -> str:
    """Return the report as a complete HTML document.

    Parameters
    ----------
    analysis : Analysis
        What it says. The same analysis gives the same text, byte for byte.
    deadline : float, default inf
        After this, on the clock of ``time.monotonic``, no further picture of a neighbourhood in a large graph is
        drawn.
    """
    style, script = STYLE_SHEET + _own_file("style.css"), _own_file("script.js")
    policy = {
        "default-src": "'none'",
        "script-src": f"'sha256-{_digest(script)}'",
        "style-src": f"'sha256-{_digest(style)}'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_fit_for_a_page
    )
    trusted: Mapping[str, Any] = {
        "policy": "; ".join(f"{key} {value}" for key, value in policy.items()),
        "style": Markup(style),
        "script": Markup(script),
    }
    return environment.from_string(_own_file("template.html")).render(trusted, **page_of(analysis, deadline))


def _fit_for_a_page(value: object) -> object:
    """Return text without characters that a page cannot show; line ends stay, for those texts that have lines."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return "\n".join(map(printable, value.split("\n")))
    return value


def _own_file(name: str) -> str:
    return resources.files("lurking.report").joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
