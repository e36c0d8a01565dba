"""The look of a picture: colours by name, light and dark.

Every element of the SVG carries its light colours as plain attributes, which any program understands. Browsers also
read the style sheet below, whose variables follow the reader's colour scheme, or the theme of a notebook; a page that
shows the picture may set the variables itself.
"""

from __future__ import annotations

__all__ = ["LIGHT", "STYLE_SHEET"]

LIGHT = {
    "paper": "#ffffff",
    "ink": "#1c2430",
    "box": "#f4f6f9",
    "border": "#8d97a8",
    "directed": "#31456b",
    "bidirected": "#bf4d0c",
    "open": "#75589f",
    "undirected": "#3f7a6b",
}
DARK = {
    "paper": "#15181d",
    "ink": "#e7eaf0",
    "box": "#222831",
    "border": "#677283",
    "directed": "#b4c6ea",
    "bidirected": "#ff9c5b",
    "open": "#c4abea",
    "undirected": "#7fc9b5",
}
_NOTEBOOK = {
    "paper": ("--jp-layout-color0", "--vscode-editor-background"),
    "ink": ("--jp-content-font-color1", "--vscode-editor-foreground"),
}
"""Variables in which notebooks publish their theme."""


def _variables(colours: dict[str, str]) -> str:
    declared = []
    for name, colour in colours.items():
        value = colour
        for variable in reversed(_NOTEBOOK.get(name, ())):
            value = f"var({variable}, {value})"
        declared.append(f"--lurking-{name}: {value};")
    return " ".join(declared)


STYLE_SHEET = f"""\
.lurking-graph {{ {_variables(LIGHT)} }}
@media screen and (prefers-color-scheme: dark) {{ .lurking-graph {{ {_variables(DARK)} }} }}
.lurking-graph {{ max-width: 100%; height: auto; }}
.lurking-graph .lurking-paper {{ fill: var(--lurking-paper); }}
.lurking-graph text {{ fill: var(--lurking-ink); unicode-bidi: isolate; }}
.lurking-graph rect.lurking-box {{ fill: var(--lurking-box); stroke: var(--lurking-border); }}
.lurking-graph .lurking-halo {{ stroke: var(--lurking-paper); }}
.lurking-graph .lurking-edge {{ --lurking-line: var(--lurking-directed); }}
.lurking-graph .lurking-bidirected {{ --lurking-line: var(--lurking-bidirected); }}
.lurking-graph .lurking-open {{ --lurking-line: var(--lurking-open); }}
.lurking-graph .lurking-undirected {{ --lurking-line: var(--lurking-undirected); }}
.lurking-graph .lurking-line {{ stroke: var(--lurking-line); }}
.lurking-graph .is-certain .lurking-line {{ stroke-width: 2.6; }}
.lurking-graph .is-unsure .lurking-line {{ stroke-width: 1; }}
.lurking-graph .is-unsure {{ opacity: 0.6; }}
.lurking-graph .lurking-arrow {{ fill: var(--lurking-line); }}
.lurking-graph .lurking-circle {{ fill: var(--lurking-paper); stroke: var(--lurking-line); }}
"""
"""The style sheet of every picture; all of its names begin with ``lurking-``, so that it cannot disturb a page."""
