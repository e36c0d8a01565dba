"""Sphinx: pages are Markdown, the reference comes from the docstrings. scripts/docs builds it, warnings as errors."""

from __future__ import annotations

from typing import Any

from lurking import __version__

project = "lurking"
author = "The lurking developers"
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.mathjax",
]
exclude_patterns = ["_build"]
source_suffix = {".md": "markdown"}

myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings say more: shapes, ranges, defaults
autodoc_preserve_defaults = True
autosummary_generate = False
napoleon_google_docstring = False
napoleon_preprocess_types = True
napoleon_custom_sections = [("Attributes", "params_style")]  # "loglik, bic : float" is one entry
napoleon_use_rtype = False
python_maximum_signature_line_length = 88

nitpicky = True
nitpick_ignore_regex = [
    (r"py:exc", r"NotFittedError"),  # scikit-learn's
    (r"py:(class|obj)", r".*"),  # "ndarray of shape (d, d)" is a type for people, not a target
    (r"py:mod", r"lurking\..*"),  # not every module has an entry; those without stay plain text
]
suppress_warnings = ["ref.python"]  # an attribute that two classes of a layer share

html_theme = "furo"
html_title = "lurking"
html_static_path = ["_static"]
html_css_files = ["lurking.css"]
html_show_copyright = False
html_copy_source = False
pygments_style = "friendly"
pygments_dark_style = "monokai"


def setup(app: Any) -> None:
    """Connect what the docstrings need beyond plain Sphinx."""
    app.connect("missing-reference", _find_by_last_name)


def _find_by_last_name(app: Any, env: Any, node: Any, content: Any) -> Any:
    """Link a name that a docstring gives without its module, as ``:class:`Moments```, to the only object so called.

    Of the copies of an object in a layer and in one of the layer's modules, the layer's is taken.
    """
    if node.get("refdomain") != "py":
        return None
    domain = env.get_domain("py")
    *parents, last = node["reftarget"].split(".")
    found = [name.split(".") for name in domain.objects]
    found = [name for name in found if name[-1] == last and (len(parents) < 2 or parents[1] in name)]
    nearest = [name for name in found if len(name) == min(map(len, found))]
    if len(nearest) != 1:
        return None
    return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", ".".join(nearest[0]), node, content)
