"""The frame key: which slot a one-line claim fills."""

from __future__ import annotations

import re
from typing import Final

FRAME_LINKING_WORDS: Final = ("of", "is", "in", "to", "by", "as")
FRAME_MIN_WORDS: Final = 3
VALUE_MAX_WORDS: Final = 6

# Exactly the characters that the golden values treat as white space: U+FEFF is
# one, U+0085 and U+001C..U+001F are not, unlike in Python's own class.
_SPACE: Final = re.compile(
    r"[\t\n\x0b\x0c\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+"
)
_OTHER_SPACE: Final = re.compile(
    r"[\t\n\x0b\x0c\r\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]"
)
# The greedy first group makes the split the last one that leaves a value.
_SPLIT: Final = re.compile(rf"(.+\b(?:{'|'.join(FRAME_LINKING_WORDS)})) (.+?)\.?\Z", re.ASCII)


def frame_key(claim: str) -> str | None:
    """Return the slot that a claim fills, or None if it has no clear one.

    Two claims with one key and different values answer the same question
    differently: one of them is likely out of date.

    Parameters
    ----------
    claim : str
        A one-line statement, such as a memory's gist.

    Returns
    -------
    str or None
        The frame, lower-cased, up to and including its last linking word ("of",
        "is", "in", "to", "by", "as"; lower case as written) that a value follows.
        None unless the frame has at least 3 words and the value 1 to 6.

    Notes
    -----
    White space is collapsed first. One sentence-final period belongs to neither
    part, though a space before it counts as one word more. A word boundary is an
    ASCII one. Source: spec "Frame key".

    Examples
    --------
    >>> frame_key("The capital of India is New Delhi.")
    'the capital of india is'
    >>> frame_key("Water is wet") is None
    True
    """
    if "  " in claim or _OTHER_SPACE.search(claim) is not None:
        claim = _SPACE.sub(" ", claim)
    match = _SPLIT.match(claim.strip(" "))
    if match is None:
        return None
    frame, value = match.groups()
    if len(frame.split(" ")) < FRAME_MIN_WORDS:
        return None
    if len(value.split(" ")) > VALUE_MAX_WORDS:
        return None
    return frame.lower()
