"""About how many tokens a text costs a language model, without any model's tokenizer."""

from __future__ import annotations

import math
import re

CHARACTERS_PER_TOKEN = 4
_WIDE = re.compile(r"[^\x00-\u02ff]")


def token_count(text: str) -> int:
    """Return an estimate: a quarter of the Latin characters, and each other character as one.

    Examples
    --------
    >>> token_count("Deploys run on Tuesday."), token_count("\u90e8\u7f72")
    (6, 2)
    """
    wide = len(_WIDE.findall(text))
    return wide + math.ceil((len(text) - wide) / CHARACTERS_PER_TOKEN)
