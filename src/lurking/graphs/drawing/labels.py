r"""Labels: names made fit to be drawn, broken into lines, and measured without a font.

**Made fit.** A column may be called anything. Characters that no page can show (control characters, halves of
surrogate pairs) and those that would turn the text around them (bidirectional overrides) are replaced by visible ones,
so that no name can disguise itself or spill over its neighbours.

**Broken.** Long names are broken after spaces, underscores, hyphens, dots and slashes, or between ``aB``, into at most
three lines; what is still too long ends in an ellipsis. The full name is always in the tooltip.

**Measured.** The picture is text and the font is the reader's, so widths are estimates: for Latin letters those of
Helvetica or of DejaVu Sans, whichever are wider; one em for East Asian letters, nothing for combining marks, and a
generous average for everything else.

>>> printable("a\x00b\u202ec")
'a␀b\ufffdc'
>>> Label.of("systolic blood pressure (mmHg)").lines
('systolic blood', 'pressure (mmHg)')
>>> Label.of("iiiiii").width < Label.of("WWWWWW").width
True
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

__all__ = ["FONT_SIZE", "LINE_HEIGHT", "Label", "printable", "text_width"]

FONT_SIZE = 14.0
LINE_HEIGHT = 17.0
PADDING_X, PADDING_Y = 13.0, 8.5
MIN_WIDTH = 46.0
MAX_LINE = 150.0
"""The longest line, in pixels; a longer word is cut."""
MAX_LINES = 3

_BIDIRECTIONAL = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_EMS = {
    0.30: "ijl'|",
    0.40: " !,./:;I[\\]ft`",
    0.43: "()-r",
    0.55: 'Jcsz"*',
    0.64: "abdeghknopquvxy0123456789_$?L{}",
    0.69: "FTZ",
    0.72: "ABEKPSVXY",
    0.78: "CDHNRU&",
    0.84: "GOQw#<>=+~^",
    0.98: "mM%",
    1.05: "W@",
}
_EM_OF = {letter: width for width, letters in _EMS.items() for letter in letters}


def printable(name: str) -> str:
    """Return the name with every character that cannot be shown, or that would hide others, replaced."""
    return "".join(map(_shown, name))


def _shown(letter: str) -> str:
    code = ord(letter)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if letter in _BIDIRECTIONAL or 0x80 <= code < 0xA0 or 0xD800 <= code < 0xE000 or code & 0xFFFE == 0xFFFE:
        return "\ufffd"
    if letter in "\u2028\u2029":
        return "\u2424"
    return letter


def text_width(text: str, font_size: float = FONT_SIZE) -> float:
    """Return the estimated width of one line of text, in pixels."""
    return font_size * sum(map(_ems, text))


def _ems(letter: str) -> float:
    known = _EM_OF.get(letter)
    if known is not None:
        return known
    category = unicodedata.category(letter)
    if category in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(letter) in ("W", "F"):
        return 1.1 if category.startswith("L") else 1.4  # emoji are wider than ideographs
    base = unicodedata.normalize("NFD", letter)[0]
    if base in _EM_OF:
        return _EM_OF[base]
    return 0.85 if category in ("Lu", "So", "Sm") else 0.7


@dataclass(frozen=True, slots=True)
class Label:
    """A name as it stands in its box.

    Attributes
    ----------
    lines : tuple of str
        One to three lines.
    width, height : float
        The size of the box, in pixels.
    """

    lines: tuple[str, ...]
    width: float
    height: float

    @classmethod
    def of(cls, name: str) -> Label:
        """Break and measure a name."""
        lines = _broken(printable(name))
        widest = max(map(text_width, lines))
        return cls(lines, max(widest + 2 * PADDING_X, MIN_WIDTH), len(lines) * LINE_HEIGHT + 2 * PADDING_Y)


def _broken(name: str) -> tuple[str, ...]:
    if text_width(name) <= MAX_LINE:
        return (name.strip() or "\u2423",)
    words = re.findall(r".+?(?:[\s_\-./:,;]+|(?<=[a-z])(?=[A-Z])|$)", name, flags=re.DOTALL)
    lines = [""]
    for word in words:
        if not lines[-1] or text_width((lines[-1] + word).rstrip()) <= MAX_LINE:
            lines[-1] += word
        else:
            lines.append(word)
    kept = [line.strip() or "\u2423" for line in lines[:MAX_LINES]]
    unfinished = len(lines) > MAX_LINES
    return tuple(_cut(line, unfinished and k == MAX_LINES - 1) for k, line in enumerate(kept))


def _cut(line: str, unfinished: bool) -> str:
    """Return the line, or as much of its beginning as fits with an ellipsis; letters keep their accents."""
    if not unfinished and text_width(line) <= MAX_LINE:
        return line
    while text_width(line) > MAX_LINE - text_width("…"):
        line = line[:-1]
    return f"{line.rstrip()}…"
