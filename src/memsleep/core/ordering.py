"""The one string order of the core: by UTF-16 code unit."""

from __future__ import annotations

from collections.abc import Iterable


def utf16_key(text: str) -> bytes:
    r"""Return the sort key that orders strings by UTF-16 code unit.

    Parameters
    ----------
    text : str
        Any string, lone surrogates included.

    Returns
    -------
    bytes
        The big-endian UTF-16 form; comparing two of them compares the strings.

    Notes
    -----
    Python orders strings by code point. The two orders differ only where a
    character above U+FFFF meets one in U+E000..U+FFFF. The core keeps the code
    unit order because the golden values were made with it, and an order decides
    ties and the order of floating-point sums.

    Examples
    --------
    >>> sorted(["\ufb01", "\U0001f600"], key=utf16_key) == ["\U0001f600", "\ufb01"]
    True
    """
    return text.encode("utf-16-be", "surrogatepass")


def sorted_unique(texts: Iterable[str]) -> list[str]:
    """Return the distinct strings in code unit order.

    Examples
    --------
    >>> sorted_unique(["b", "a", "b"])
    ['a', 'b']
    """
    distinct = set(texts)
    # Of plain ASCII the two orders are one, and sorting without a key is several times as fast.
    return sorted(distinct, key=None if all(map(str.isascii, distinct)) else utf16_key)
