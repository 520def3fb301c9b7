"""The members of one list in another order, in languages without articles."""

from __future__ import annotations

from collections.abc import Sequence

from memsleep.guards.arabic_order import is_verb
from memsleep.guards.claims import Claim
from memsleep.guards.clause_order import Tokens
from memsleep.guards.lists import in_pairs
from memsleep.guards.tokens import MARK


def members_moved(a: Claim, b: Claim) -> bool:
    """Return True when the members of one list stand in another order."""
    language = a.language
    if in_pairs(a.text) or in_pairs(b.text):
        return False
    ends = language.conjunctions | {MARK}
    one, other = _list_tokens(a), _list_tokens(b)
    if not ends or language.steps.search("".join(one)) or language.steps.search("".join(other)):
        return False
    start = next((i for i, (x, y) in enumerate(zip(one, other, strict=False)) if x != y), -1)
    if start < 0:
        return False
    tail = 0
    while tail < min(len(one), len(other)) - start and one[-1 - tail] == other[-1 - tail]:
        tail += 1
    for first in range(start, max(start - 6, -1), -1):
        for last in range(tail, max(tail - 6, -1), -1):
            spans = (one[first : len(one) - last], other[first : len(other) - last])
            if _is_one_list(spans, ends, language.conjunctions) and _is_free(
                a, one, first, len(one) - last, *map(bool, spans)
            ):
                return True
    return False


def _list_tokens(claim: Claim) -> Tokens:
    language = claim.language
    kept = language.conjunctions | language.list_before | language.list_after | {MARK}
    silent = language.silent
    tokens: list[str] = []
    for token in claim.marked:
        if token in silent and token not in kept:
            continue
        if claim.language.code == "ar" and len(token) > 3 and token[0] == "و":
            tokens += ["و", token[1:]]
        else:
            tokens.append(token)
    return tuple(tokens)


def _is_one_list(spans: Sequence[Tokens], ends: frozenset[str], joins: frozenset[str]) -> bool:
    left, right = (_members(span, ends) for span in spans)
    if len(left) < 2 or len(left) != len(right) or sorted(left) != sorted(right):
        return False
    if any(span[0] in ends or span[-1] in ends for span in spans):
        return False
    if any(not member or len(member) > 8 for member in left):
        return False
    kinds = [joins.intersection(span) for span in spans]
    if kinds[0] != kinds[1] or len(kinds[0]) > 1:
        return False  # "a, and b or c" groups its members
    return bool(kinds[0]) or len(left) > 2


def _members(tokens: Tokens, ends: frozenset[str]) -> list[Tokens]:
    found: list[list[str]] = [[]]
    before = ""
    for token in tokens:
        if token in ends:
            if before not in ends or not before:
                found.append([])
        else:
            found[-1].append(token)
        before = token
    return [tuple(member) for member in found]


def _is_free(a: Claim, tokens: Tokens, start: int, stop: int, *_: bool) -> bool:
    """Return True where a list begins and ends at a word that tells that it does."""
    language = a.language
    before = tokens[start - 1] if start else ""
    after = tokens[stop] if stop < len(tokens) else ""
    joined = any(token in language.conjunctions for token in tokens[start:stop])
    begins = before in language.list_before or (joined and before in {"", MARK})
    ends = after in language.list_after or after in {"", MARK}
    begins |= before == "" and language.code in {"ja", "ko"} and _are_bare(tokens[start:stop])
    if language.code == "ar":
        begins = joined or before == MARK
        ends = after in {"", MARK} or after in language.fronting
        if after.startswith("ال") and is_verb(a, before):
            ends = not any(token.startswith("ال") for token in tokens[start:stop])
    return begins and ends and not before.startswith("not")


def _are_bare(tokens: Tokens) -> bool:
    """Return True where no word between the commas has a particle or the ending of a verb."""
    return not any(token.endswith("q") or "\u3041" <= token[-1] <= "\u3096" for token in tokens)
