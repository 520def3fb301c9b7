"""Clauses in another order: a reason and what follows from it, a condition and its effect."""

from __future__ import annotations

from memsleep.guards.claims import Claim
from memsleep.guards.tokens import MARK

Tokens = tuple[str, ...]
AT_FRONT = ("dayq", "dateq", "timeq")
"""How the words begin that stand for a day, a date or a time."""
LEADING = frozenset({"becauseq", "ifq", "thoughq", "whenq", "aslongq"})


def clauses_of_order(claim: Claim) -> list[Tokens]:
    """Return the clauses of a claim, each with the word of its reason or condition in front."""
    found: list[list[str]] = [[]]
    silent = claim.language.silent
    for token in claim.marked:
        if token == MARK:
            found.append([])
        elif token not in silent:
            found[-1].append(token)
    clauses = [clause for clause in found if clause]
    if claim.language.code == "zh":
        _with_reasons(clauses)
    return [tuple(clause) for clause in clauses if clause]


def _with_reasons(clauses: list[list[str]]) -> None:
    """Write `A, so B` as `because A, B`, and `in case of A, then B` as `if A, B`."""
    for place, clause in enumerate(clauses):
        if clause[0] == "soq" and place:
            del clause[0]
            if place == 1 and "becauseq" not in clauses[0]:
                clauses[0].insert(0, "becauseq")
        if clause and clause[-1] == "dehuaq":
            del clause[-1]
            if "ifq" not in clause:
                clause.insert(0, "ifq")
    if any("ifq" in clause or "aslongq" in clause for clause in clauses):
        for clause in clauses:
            while "就" in clause[:6] and LEADING.isdisjoint(clause):
                clause.remove("就")


def clauses_swapped(a: Claim, b: Claim) -> bool:
    """Return True when a reason or a condition stands before in the one, behind in the other."""
    one, other = clauses_of_order(a), clauses_of_order(b)
    if not 2 <= len(one) == len(other):
        return False
    if one == other:
        return True
    unlike = [i for i, (x, y) in enumerate(zip(one, other, strict=True)) if x != y]
    if len(unlike) != 2 or unlike[1] != unlike[0] + 1:
        return False
    first, second = unlike
    if (one[first], one[second]) != (other[second], other[first]):
        return False
    return sum(not LEADING.isdisjoint((one[i][0], one[i][-1])) for i in unlike) == 1
