"""Chinese: adjuncts before or behind the subject, and the voices of ba, bei and you."""

from __future__ import annotations

from memsleep.guards.claims import Claim
from memsleep.guards.clause_order import AT_FRONT, LEADING, Tokens
from memsleep.guards.tokens import MARK


def adjunct_moved(a: Claim, b: Claim) -> bool:
    """Return True when a time or a place stands before the subject, or behind it."""
    return _moved_in(a, b) or _moved_in(b, a)


def _moved_in(front: Claim, other: Claim) -> bool:
    one = tuple(t for t in front.marked if t != MARK)
    two = tuple(t for t in other.marked if t != MARK)
    if len(one) != len(two):
        return False
    size = len(one)
    while size and one[size - 1] == two[size - 1]:
        size -= 1
    for whole in range(size, min(size + 3, len(one)) + 1):
        for subject in range(1, min(whole, 7)):
            adjunct, who = two[subject:whole], two[:subject]
            moved = one[:whole] == adjunct + who and front.language.lists[
                "subject_stops"
            ].isdisjoint(who)
            if moved and _is_adjunct(front, adjunct, one[whole:]):
                return True
    return False


def _is_adjunct(claim: Claim, adjunct: Tokens, rest: Tokens) -> bool:
    text, lists = "".join(adjunct), claim.language.lists
    if not adjunct or rest[:1] == ("的",) or adjunct[-1] == "的" or len(adjunct) > 12:
        return False
    if adjunct[0] == "在":
        return len(adjunct) > 2 and lists["not_in_place"].isdisjoint(adjunct)
    if adjunct[0] in LEADING:
        return True
    dated = adjunct[1 if adjunct[0] in lists["before_days"] and len(adjunct) > 1 else 0]
    starts = dated.startswith(AT_FRONT) or any(
        text.startswith(word) for word in claim.language.times
    )
    return starts and lists["not_in_time"].isdisjoint(adjunct)


def mark_moved(a: Claim, b: Claim) -> bool:
    """Return True when the mark of what is done stands behind the verb, or at the end."""
    if a.bag != b.bag or "了" not in a.words:
        return False
    one, other = (tuple(t for t in claim.form if t != "了") for claim in (a, b))
    return one == other


def turned_voice(a: Claim, b: Claim) -> bool:
    """Return True when `ba`, `bei` or `you` turns the one into the other."""
    return _voiced(a, b) or _voiced(b, a)


def _voiced(marked: Claim, plain: Claim) -> bool:
    tokens = tuple(t for t in marked.form if t != "了")
    goal = tuple(t for t in plain.form if t != "了")
    for place, sign in enumerate(tokens):
        if 0 < place < len(tokens) - 2 and sign in {"把", "被", "由"}:
            head, rest = tokens[:place], tokens[place + 1 :]
            adverb = (
                head[-1:] if head[-1] in marked.language.lists["adverbs"] and len(head) > 1 else ()
            )
            head = head[: -len(adverb)] if adverb and sign != "把" else head
            adverb = adverb if sign != "把" else ()
            if sign == "由":
                head = head[:-1] if head[-1] == "是" else head
                rest = rest[:-1] if rest[-1] == "的" else rest
            for cut in range(1, min(len(rest), 10)):
                first, verb = rest[:cut], rest[cut:]
                if sign == "把":
                    made = {head + verb + first}
                else:
                    made = {first + adverb + verb + head, (*first, *adverb, "把", *head, *verb)}
                if goal in made:
                    return True
    return False
