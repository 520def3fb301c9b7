"""Which longer claim says what a shorter one says, and then adds something."""

from __future__ import annotations

from functools import lru_cache

from memsleep.guards.claims import Claim, claim_of
from memsleep.guards.tokens import MARK


def extends(short: str, long: str) -> bool:
    """Return True when `long` is `short` with nothing but clauses added at its end.

    Examples
    --------
    >>> extends("Keys start with the tenant", "Keys start with the tenant, then the region")
    True
    >>> extends("The database is small", "The staging database is small")
    False
    >>> extends("Ask Anna and Boris", "Ask Anna and Boris, Cem")
    False
    """
    return goes_on(claim_of(short), claim_of(long)) == "clause"


def goes_on(short: Claim, long: Claim) -> str:
    """Return `clause` where `long` adds clauses to `short`, `list` where it goes on otherwise.

    Empty where it does not begin by saying what `short` says.
    """
    said: tuple[str, ...] = ()
    clauses = clauses_of(long)
    for place, (_, form) in enumerate(clauses):
        said += form
        if said == short.form:
            return "clause" if all(adds for adds, _ in clauses[place + 1 :]) else "list"
        if len(said) >= len(short.form):
            break
    return ""


def heads(text: str) -> list[tuple[str, ...]]:
    """Return the words of every claim that `text` extends, the shortest first, and its own last."""
    found: list[tuple[str, ...]] = []
    said: tuple[str, ...] = ()
    for adds, form in clauses_of(claim_of(text)):
        if said and not adds:
            found.clear()
        said += form
        if said and said not in found:
            found.append(said)
    return found


@lru_cache(maxsize=1 << 16)
def clauses_of(claim: Claim) -> tuple[tuple[bool, tuple[str, ...]], ...]:
    """Return for each clause whether it begins as an addition does, and what it says.

    A comma followed by a word of addition begins something that is added; by another word it may
    go on with a list, which the shorter claim would then leave incomplete.
    """
    language = claim.language
    found: list[tuple[bool, tuple[str, ...]]] = []
    start = 0
    marked = claim.marked
    for end in [i for i, token in enumerate(marked) if token == MARK] + [len(marked)]:
        clause = marked[start:end]
        start = end + 1
        if clause:
            form = tuple(token for token in clause if token not in language.silent)
            found.append((clause[0] in language.additions, form))
    return tuple(found)
