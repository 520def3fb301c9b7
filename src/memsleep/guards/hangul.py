"""Korean endings of courtesy: one verb, said politely or plainly."""

from __future__ import annotations

import re

_FIRST = 0xAC00
_FINALS = 28
_FINAL_N = 4
_FINAL_P = 17
_POLITE = re.compile("([\uac00-\ud7a3])\ub2c8\ub2e4")
_PLAIN_NEUN = re.compile("(?<=[\uac00-\ud7a3])\ub294\ub2e4")
_SEUP = "\uc2b5"


def plain_endings(text: str) -> str:
    """Return a text whose polite endings are plain, and whose plain endings are alike.

    Examples
    --------
    >>> plain_endings("\uc5fd\ub2c8\ub2e4")  # yeomnida
    '\uc5f0\ub2e4'
    """
    return _PLAIN_NEUN.sub("\ub2e4", _POLITE.sub(_plain, text))


def _plain(match: re.Match[str]) -> str:
    syllable = match[1]
    if syllable == _SEUP:
        return "\ub2e4"
    code = ord(syllable) - _FIRST
    if code % _FINALS != _FINAL_P:
        return match.group()
    return chr(_FIRST + code - _FINAL_P + _FINAL_N) + "\ub2e4"
