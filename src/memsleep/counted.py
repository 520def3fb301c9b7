"""A number with its noun, for whoever says how many of something there are."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> counted(1, "decision"), counted(2, "decision"), counted(2, "memory", "memories")
    ('1 decision', '2 decisions', '2 memories')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"
