"""Japanese verbs said politely (-masu) as their plain forms."""

from __future__ import annotations

import re

# Stem vowel e: one-step verbs. Stem vowel i: the last sound moves to its u.
_TO_U = dict(
    zip(
        "\u304d\u304e\u3061\u306b\u3073\u307f\u308a\u3044",
        "\u304f\u3050\u3064\u306c\u3076\u3080\u308b\u3046",
        strict=True,
    )
)
_E_ROW = "\u3048\u3051\u3052\u305b\u305c\u3066\u3067\u306d\u3079\u3081\u308c"
_KANJI = "\u3400-\u4dbf\u4e00-\u9fff"
_END = "\u307e\u3059"
_ONE_STEP = re.compile(f"([{_E_ROW}]){_END}")
_MOVED = re.compile(f"([{''.join(_TO_U)}]){_END}")
_SU = re.compile(f"((?:^|[^{_KANJI}])[{_KANJI}])\u3057{_END}")
_SURU = re.compile(f"\u3057{_END}")


def plain_verbs(text: str) -> str:
    """Return a text whose polite present forms are plain.

    A verb that this takes for another stays unlike its plain form, so it is a question, no merge.

    Examples
    --------
    >>> plain_verbs("\u4f5c\u308a\u307e\u3059\u3002")  # tsukurimasu
    '\u4f5c\u308b\u3002'
    """
    if _END not in text:
        return text
    text = _ONE_STEP.sub("\\1\u308b", text)
    text = _SURU.sub("\u3059\u308b", _SU.sub("\\1\u3059", text))
    return _MOVED.sub(lambda match: _TO_U[match[1]], text)
