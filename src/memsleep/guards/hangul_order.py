"""Korean: the parts of a clause, each with its particle, and the passive with its agent."""

# Letters are the data here, and a wide one counts as two columns.
# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Sequence

from memsleep.guards.claims import Claim
from memsleep.guards.clause_order import AT_FRONT, LEADING
from memsleep.guards.hangul import may_describe
from memsleep.guards.parts import Part, same_object, same_parts
from memsleep.guards.tokens import MARK


def cut_korean(claim: Claim) -> list[Part]:
    """Return the parts of a Korean clause."""
    found: list[Part] = []
    held: list[str] = []
    tokens = [token for token in claim.marked if token != MARK]
    for token, after in zip(tokens, [*tokens[1:], ""], strict=True):
        if token in _ROLE_MARKS:
            found.append((_fixed(claim, held, token), (*held, token), token))
            held = []
        elif not held and after not in _ROLE_MARKS and _is_time(claim, token):
            found.append(("", (token,), f"time {token}"))
        else:
            held.append(token)
    found.append(("verb", tuple(held), ""))
    return found


def _is_time(claim: Claim, token: str) -> bool:
    return token.startswith(AT_FRONT) or token in claim.language.times


def _fixed(claim: Claim, words: Sequence[str], role: str) -> str:
    """Return why a part may not move: it may hold a clause, or describe what follows."""
    if not words:
        return "bare"
    if words[-1] in _VERBAL_NOUNS or (len(words) > 1 and words[-1].endswith(("기", "음"))):
        return "clause"
    if any(_may_be_clause(word) and word not in claim.language.nouns for word in words[:-1]):
        return "clause"
    return "describes" if role == "topq" and may_describe(words[-1], claim.language.lists) else ""


_VERBAL_NOUNS = frozenset("것 때 후 전 뒤 지 데 줄 수".split())
_ROLE_MARKS = frozenset("subjq topq objq byq inq toq atq fromq untilq thanq eachq".split())
_CLAUSE_ENDINGS = (
    "고", "서", "면", "며", "니까", "지만", "는데", "도록", "려고", "자", "거나", "때", "후", "전",
    "뒤", "여", "것", "던", "는", "은", "을", "므로", "자마자", "고서", "야", "게", "지", "음", "기",
)  # fmt: skip
_FINAL_N, _FINAL_L = 4, 8


def _may_be_clause(token: str) -> bool:
    """Return True for a word that may be a verb, which has parts of its own before it."""
    last = token[-1]
    if not "가" <= last <= "힣":
        return False
    return token.endswith(_CLAUSE_ENDINGS) or (ord(last) - 0xAC00) % 28 in {_FINAL_N, _FINAL_L}


def korean_parts_moved(a: Claim, b: Claim) -> bool:
    """Return True when the parts of a Korean clause stand in another order."""
    one, other = cut_korean(a), cut_korean(b)
    return same_parts(one, other) or any(
        same_object(*pair, "topq", "subjq", "objq") for pair in ((one, other), (other, one))
    )


def condition_moved(a: Claim, b: Claim) -> bool:
    """Return True when a condition stands before the topic in the one, behind it in the other."""
    return _condition_first(a, b) or _condition_first(b, a)


def _condition_first(front: Claim, other: Claim) -> bool:
    one = tuple(t for t in front.marked if t != MARK)
    two = tuple(t for t in other.marked if t != MARK)
    if len(one) != len(two):
        return False
    for topic in (i + 1 for i, word in enumerate(two) if word == "topq"):
        for end in range(topic + 1, len(two)):
            if one[:end] == two[topic:end] + two[:topic] and one[end:] == two[end:]:
                return two[end - 1].endswith("면") or two[end - 1] in LEADING
    return False


def korean_voice(a: Claim, b: Claim) -> bool:
    """Return True when one is in the passive with its agent, the other in the active."""
    return _korean_passive(a, b) or _korean_passive(b, a)


def _korean_passive(passive: Claim, active: Claim) -> bool:
    parts, goal = cut_korean(passive), cut_korean(active)
    if not 3 <= len(parts) <= 4 or len(goal) != 3:
        return False
    roles = {part[2]: part for part in parts[:-1]}
    who = roles.get("toq") or roles.get("atq")
    what = roles.get("topq") or roles.get("subjq")
    verb = list(parts[-1][1])
    if who is None or what is None or not verb or len(roles) != 2:
        return False
    by_means = verb[0] in {"의해", "의하어", "의해서"}
    verb = verb[1:] if by_means else verb
    passives = passive.language.turned
    start = next((p for p in passives if verb and verb[0].startswith(p)), "")
    if not verb or not (by_means or start in passive.language.lists["by_persons"]):
        return False
    if start:
        made = [verb[0].replace(start, passives[start], 1), *verb[1:]]
    else:
        made = [token.replace("되", "하", 1) for token in verb]
    if made == verb or goal[-1][1] != tuple(made):
        return False
    active_roles = {part[2]: part[1][:-1] for part in goal[:-1]}
    subject = active_roles.get("subjq", active_roles.get("topq"))
    return subject == who[1][:-1] and active_roles.get("objq") == what[1][:-1]
