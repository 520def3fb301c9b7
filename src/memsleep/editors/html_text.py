"""How text, attributes and head lines of a memhtml file are spelled."""

from __future__ import annotations

_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\u00a0": "&nbsp;"})
_ATTRIBUTE = {"&": "&amp;", "\u00a0": "&nbsp;", "\r": "&#13;", "\n": "&#10;"}
_DOUBLE = str.maketrans(_ATTRIBUTE | {'"': "&quot;"})
_SINGLE = str.maketrans(_ATTRIBUTE | {"'": "&#39;"})


def escape_text(text: str) -> str:
    """Escape text between tags; quotes stay."""
    return text.translate(_TEXT)


def escape_attribute(value: str, quote: str = '"') -> str:
    """Escape an attribute value; a line end becomes a reference, so an entry stays one line."""
    return value.translate(_SINGLE if quote == "'" else _DOUBLE)


def meta_line(name: str, value: str) -> bytes:
    """Return the canonical spelling of a meta, without a line end."""
    return f'<meta name="{escape_attribute(name)}" content="{escape_attribute(value)}">'.encode()


def link_line(rel: str, href: str) -> bytes:
    """Return the canonical spelling of a link, without a line end."""
    return f'<link rel="{escape_attribute(rel)}" href="{escape_attribute(href)}">'.encode()
