"""Which codes exist, asked by those who cannot import the rules themselves."""

from __future__ import annotations

from functools import cache


@cache
def codes() -> frozenset[str]:
    """Return every code."""
    from memsleep.check.registry import RULES

    return frozenset(RULES)


@cache
def exists(code: str) -> bool:
    """Return True for a code, or the beginning of one that names a family (`MS2`)."""
    return code in codes() or (len(code) == 3 and any(one.startswith(code) for one in codes()))
