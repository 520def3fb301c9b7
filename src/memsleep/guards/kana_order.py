"""Japanese: the parts of a clause, each with its particle, and the passive with its agent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memsleep.guards.claims import Claim
from memsleep.guards.clause_order import AT_FRONT, Tokens
from memsleep.guards.parts import Part, same_object, same_parts
from memsleep.guards.tokens import MARK

_PARTICLES = {
    "が", "は", "を", "に", "で", "へ", "から", "まで", "より", "には", "では", "へは", "からは",
    "までに", "にて", "も",
}  # fmt: skip


def _is_kana(token: str) -> bool:
    return len(token) == 1 and "\u3041" <= token <= "\u3096"


def cut_japanese(claim: Claim) -> list[Part]:
    """Return the parts of a Japanese clause; what may be a clause of its own says so."""
    tokens = [t for t in claim.marked if t != MARK]
    runs: list[tuple[Tokens, str]] = []
    place = 0
    while place < len(tokens):
        if tokens[place].startswith(AT_FRONT):
            content: Tokens = (tokens[place],)
            place += 1
        else:
            time = _time_word(claim, tokens, place)
            end = place + time
            if not time:
                while end < len(tokens) and not _is_kana(tokens[end]):
                    if end > place and tokens[end].startswith(AT_FRONT):
                        break
                    end += 1
            content, place = tuple(tokens[place:end]), end
        end = place
        while end < len(tokens) and _is_kana(tokens[end]):
            end += 1
        runs.append((content, "".join(tokens[place:end])))
        place = end
    return _parted(claim, runs)


def _time_word(claim: Claim, tokens: Sequence[str], place: int) -> int:
    text = "".join(tokens[place : place + 4])
    return max((len(word) for word in claim.language.times if text.startswith(word)), default=0)


def _parted(claim: Claim, runs: Sequence[tuple[Tokens, str]]) -> list[Part]:
    found: list[Part] = []
    held: Tokens = ()
    why = ""
    for content, kana in runs[:-1]:
        words = (*held, *content, kana)
        kana = _without_honorific(claim, content, kana)
        is_time = content and (
            content[0].startswith(AT_FRONT) or "".join(content) in claim.language.times
        )
        if is_time and kana == "" and not held:
            found.append(("", (*content,), f"time {content}"))
            continue
        if kana in _PARTICLES and content:
            found.append((why, words, f"time{kana}" if is_time else kana))
            held, why = (), ""
        elif kana in {"の", "と", "や", ""}:
            held = words
        else:
            held, why = words, "verb"
    content, kana = runs[-1]
    light = _LIGHT_VERB.fullmatch(kana)
    if light is not None and content:
        particle = _without_honorific(claim, content, light[1])
        found.append((why, (*held, *content, light[1]), particle))
        return [*found, ("verb", (light[2],), "")]
    found.append(("verb", (*held, *content, kana), ""))
    return found


_LIGHT_VERB = re.compile(
    "(.{0,3}?[をがはにでへ])"
    "(する|した|しない|している|なる|なった|ある|あった|いる|いた|ない|なかった|できる|できない)"
)


def _without_honorific(claim: Claim, content: Tokens, kana: str) -> str:
    """Return the particle of a noun that goes on in kana: `-san wa`, `-shi o`."""
    for ending in sorted(claim.language.lists["honorifics"]):
        if content and kana.startswith(ending) and kana[len(ending) :] in _PARTICLES:
            return kana[len(ending) :]
    return "を" if content and kana.endswith("を") and len(kana) < 4 else kana


def japanese_parts_moved(a: Claim, b: Claim) -> bool:
    """Return True when the parts of a Japanese clause stand in another order."""
    one, other = cut_japanese(a), cut_japanese(b)
    return same_parts(one, other) or any(
        same_object(*pair, "は", "が", "を") for pair in ((one, other), (other, one))
    )


def japanese_voice(a: Claim, b: Claim) -> bool:
    """Return True when one is in the passive with its agent, the other in the active."""
    return _is_passive_of(a, b) or _is_passive_of(b, a)


_PASSIVES = (
    ("された", "した"), ("される", "する"), ("されて", "して"), ("されない", "しない"),
    ("られる", "る"), ("られた", "た"), ("られて", "て"),
)  # fmt: skip
_A_TO = {
    "か": ("く", "いた"), "が": ("ぐ", "いだ"), "さ": ("す", "した"), "た": ("つ", "った"),
    "な": ("ぬ", "んだ"), "ば": ("ぶ", "んだ"), "ま": ("む", "んだ"), "ら": ("る", "った"),
    "わ": ("う", "った"),
}  # fmt: skip


def _actives(verb: str) -> Iterator[str]:
    for passive, active in _PASSIVES:
        if passive in verb:
            yield verb.replace(passive, active)
    for sound, (present, past) in _A_TO.items():
        if f"{sound}れた" in verb:
            yield verb.replace(f"{sound}れた", past)
        if f"{sound}れる" in verb:
            yield verb.replace(f"{sound}れる", present)
        if f"{sound}れて" in verb:
            yield verb.replace(f"{sound}れて", past[:-1] + ("で" if past.endswith("だ") else "て"))


def _readings(claim: Claim) -> Iterator[tuple[str, str, str]]:
    """Yield (agent, patient, verb in the active) for each reading of a claim in the passive."""
    text = "".join(claim.marked).replace(MARK, "")
    for sign in ("によって", "により", "に"):
        place = text.find(sign)
        if place < 0:
            continue
        head, rest = text[:place], text[place + len(sign) :]
        if sign == "に" and not _is_agent(claim, head, rest):
            continue
        split = max(head.find("は"), head.find("が"))
        if split > 0 and head[split + 1 :]:
            for verb in _actives(rest):
                yield head[split + 1 :], head[:split], verb


def _is_agent(claim: Claim, head: str, rest: str) -> bool:
    """Return True where a noun before `ni` does what is done, rather than getting it."""
    lists = claim.language.lists
    if any(verb in rest for verb in lists["agent_verbs"]):
        return True
    return head.endswith(tuple(lists["agents"])) and lists["given"].isdisjoint(rest)


def _is_passive_of(passive: Claim, active: Claim) -> bool:
    goal = "".join(active.marked).replace(MARK, "")
    for agent, patient, verb in _readings(passive):
        for mark in "がは":
            first, second = f"{agent}{mark}", f"{patient}を"
            if goal in {f"{first}{second}{verb}", f"{second}{first}{verb}"}:
                return True
    return False
