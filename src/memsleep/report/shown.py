"""Make text from an untrusted corpus safe to look at: nothing hides, nothing steers a display.

The character ranges are written out, since Unicode tables differ between Python versions and the
report must not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from markupsafe import Markup, escape

_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f"
_INVISIBLE = (
    "\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff"
    "\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff\ud800-\udfff"
)
_HIDDEN = re.compile(f"[{_CONTROLS}{_INVISIBLE}]")
_HIDDEN_IN_LINE = re.compile(f"[\n\t{_CONTROLS}{_INVISIBLE}]")
_BREAKS = re.compile(r"(?<=[/_.-])(?=[^/_.-])")
_TERMINAL_ESCAPE = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]?"  # CSI: cursor, colour, erase
    "|(?:\x1b[\\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\\\|\x9c)?"  # OSC, DCS ...
    "|\x1b[ -/]*[0-~]?"  # the rest
)


def code_point(character: str) -> str:
    """Return the visible stand-in of a character that cannot be seen."""
    return f"[U+{ord(character):04X}]"


def shown(text: str) -> str:
    """Return text with line ends as `\\n` and every hidden character spelt out."""  # noqa: D301
    return _HIDDEN.sub(lambda match: code_point(match[0]), text.replace("\r\n", "\n"))


def shown_line(text: str) -> str:
    """Return text as one line: what would break or steer the line is spelt out."""
    return _HIDDEN_IN_LINE.sub(lambda match: code_point(match[0]), text)


def without_terminal_escapes(text: str) -> str:
    """Take out the sequences with which text could drive a terminal."""
    return _TERMINAL_ESCAPE.sub("", text)


def flattened(text: str) -> str:
    """Return text as one line for lists and tables: white space becomes one blank."""
    return shown_line(re.sub(r"[ \t\r\n]+", " ", without_terminal_escapes(text)).strip(" "))


def _pieces(pattern: re.Pattern[str], text: str) -> Iterator[Markup]:
    at = 0
    for match in pattern.finditer(text):
        yield escape(text[at : match.start()])
        yield Markup('<span class="esc">{}</span>').format(code_point(match[0]))
        at = match.end()
    yield escape(text[at:])


def markup(text: str) -> Markup:
    """Return running text as HTML, hidden characters spelt out and set apart."""
    text = text.replace("\r\n", "\n")
    if _HIDDEN.search(text) is None:
        return escape(text)
    return Markup("").join(_pieces(_HIDDEN, text))


def markup_prose(text: str) -> Markup:
    """Return a sentence of ours as HTML; what stands in backticks becomes code."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return markup(text)
    coded = Markup("<code>{}</code>")
    return Markup("").join(
        coded.format(markup(piece)) if row % 2 else markup(piece)
        for row, piece in enumerate(pieces)
    )


def markup_path(path: str) -> Markup:
    """Return a path as HTML that may break after its separators."""
    parts = _BREAKS.split(path)
    if _HIDDEN_IN_LINE.search(path) is None:
        return Markup("<wbr>").join(parts)
    return Markup("<wbr>").join(Markup("").join(_pieces(_HIDDEN_IN_LINE, part)) for part in parts)


def cut(text: str, limit: int) -> tuple[str, int]:
    """Return at most `limit` characters, cut before a word, and how many were left out."""
    if len(text) <= limit:
        return text, 0
    head = text[:limit]
    blank = max(head.rfind(" "), head.rfind("\n"))
    head = head[:blank] if blank > limit - 80 else head
    return head, len(text) - len(head)
