"""Scripts that are written without blanks between words."""

from __future__ import annotations

import re

UNSPACED_CLASS = (
    "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"  # kana
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17d3"  # Burmese, Khmer
)
UNSPACED = re.compile(f"[{UNSPACED_CLASS}]")
_BY_SCRIPT = (
    ("ja", re.compile("[\u3041-\u309f\u30a1-\u30fa]")),
    ("zh", re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")),
    ("ko", re.compile("[\uac00-\ud7a3]")),
    ("ru", re.compile("[\u0400-\u04ff]")),
    ("ar", re.compile("[\u0600-\u06ff]")),
)


def is_unspaced(text: str) -> bool:
    """Return True when a text holds a script that is written without spaces."""
    return not text.isascii() and UNSPACED.search(text) is not None


def language_of_script(text: str) -> str:
    """Return the language that a text's script tells, the first that is there; empty for Latin."""
    if text.isascii():
        return ""
    return next((code for code, letters in _BY_SCRIPT if letters.search(text)), "")
