"""English acts and doers told by their verbs: the deletion of the logs, the owner of the list."""

from __future__ import annotations

from memsleep.guards.adjuncts import is_adverb, is_dated
from memsleep.guards.claims import Form
from memsleep.guards.dummies import LONGEST
from memsleep.guards.finite import is_finite
from memsleep.guards.inflection import past_of
from memsleep.guards.language import Language
from memsleep.guards.rule_words import rule_words
from memsleep.guards.tokens import MARK
from memsleep.guards.verbhood import is_loose

_ARTICLES = rule_words("rule_words.articles")
_BE = frozenset({"is", "was"})


def doers(language: Language, told: Form) -> Form:
    """Return `Ida maintains the parser` for `Ida is the maintainer of the parser`."""
    names = language.plain_words.doers
    place = next((i for i, word in enumerate(told) if word in names), -1)
    if place < 0 or MARK in told or "not" in told:
        return told
    verb, start = names[told[place]], place - (told[place - 1 : place] != ())
    while start > 0 and told[start] in _ARTICLES:
        start -= 1
    if told[start : start + 1] == ("is",) and told[place + 1 : place + 2] == ("of",):
        return (*told[:start], verb, *told[place + 2 :])
    if told[:place] in {(), ("the",)} and told[place + 1 : place + 2] == ("of",) and "is" in told:
        end = told.index("is")
        return (*told[end + 1 :], verb, *told[place + 2 : end])
    if place == len(told) - 1 and "is" in told[:-2]:
        who = told.index("is")
        whose = told[who + 1 + (told[who + 1] in _ARTICLES) : place]
        return (*told[:who], verb, *whose) if whose and not is_loose(language, whose) else told
    if told[place + 1 : place + 2] == ("is",) and 0 < place <= LONGEST:
        whose = told[told[0] in _ARTICLES : place]
        return told if is_loose(language, whose) else (*told[place + 2 :], verb, *told[:place])
    return told


def light_verbs(language: Language, told: Form) -> Form:
    """Return `restart the worker` for `do a restart of the worker`."""
    words = language.plain_words
    if words.doing.isdisjoint(told):
        return told
    for place, word in enumerate(told[:-3]):
        if word not in words.doing or told[place + 1] not in _ARTICLES:
            continue
        if word in _TAKES and told[place + 1] == "the":
            continue  # took the copy of the key home
        noun, joint = told[place + 2], told[place + 3]
        verb = words.deeds.get(noun) or (noun if noun in words.verbs else "")
        if verb and joint == "of":
            return (*told[:place], _like(language, word, verb), *told[place + 4 :])
    return told


_TAKES = rule_words("deeds.takes")
_PAST = rule_words("deeds.past")


def _like(language: Language, light: str, verb: str) -> str:
    """Return a verb in the time of another."""
    if light not in _PAST:
        return verb
    return language.passive.simple.get(verb) or past_of(verb)


def acts(language: Language, told: Form) -> Form:
    """Return `delete the logs` for `the deletion of the logs`, `log deletion` before a verb."""
    deeds = language.plain_words.deeds
    place = next((i for i, word in enumerate(told) if word in deeds), -1)
    if place < 0:
        return told
    verb, following = deeds[told[place]], told[place + 1 : place + 2]
    start = place
    adverbs: list[str] = []
    if start and told[start - 1] + "ally" in _ADVERBS:
        start -= 1
        adverbs = [told[start] + "ally"]
    elif start and told[start - 1] in language.plain_words.manner:
        start -= 1
        adverbs = [told[start] + "ly"]
    start -= bool(start) and told[start - 1] in _ARTICLES
    if following == ("of",):
        rest = told[place + 2 :]
        size = next((i for i, word in enumerate(rest) if is_dated(word)), 0)
        if (
            not start
            and size
            and _HAPPENS.isdisjoint(rest)
            and not any(is_finite(language, word) for word in rest)
        ):
            return (*rest[:size], "is", *adverbs, participle_of(language, verb), *rest[size:])
        due = next((i for i in range(len(rest) - 1) if rest[i : i + 2] == ("is", "due")), 0)
        rest = (*rest[:due], *rest[due + 2 :]) if due else rest
        return (*told[:start], *adverbs, verb, *rest)
    if not start and not adverbs and following and following[0] in _EVENTS:
        return (verb, *told[place + 1 :])
    head = next((i + 1 for i in range(start - 1, -1, -1) if told[i] == MARK), 0)
    if 0 < start - head <= 2 and not adverbs and following and following[0] in _EVENTS:
        return (*told[:head], verb, *told[head:start], *told[place + 1 :])
    return told


_HAPPENS = frozenset({"happen", "happened"})
_EVENTS = rule_words("deeds.events")
_ADVERBS = frozenset({"automatically", "periodically"})


_REQUIRE = frozenset({"require", "required"})


def approvals(language: Language, told: Form) -> Form:
    """Return `Ida must approve each expense` for `approval by Ida is required for each expense`."""
    words = language.plain_words
    place = next((i for i, word in enumerate(told) if word in words.deeds), -1)
    if place < 0 or _REQUIRE.isdisjoint(told):
        return told
    verb = words.deeds[told[place]]
    if place <= 1 and told[place + 1 : place + 2] in {("by",), ("from",)}:
        rest = told[place + 2 :]
        for size in range(1, min(LONGEST, len(rest) - 3)):
            if rest[size] in _BE and rest[size + 1 : size + 3] == ("required", "for"):
                return (*rest[:size], "must", verb, *rest[size + 3 :])
    start = place - (told[place - 1] in _ARTICLES)
    agent = told[place + 1 : place + 2] in {("by",), ("from",)} and MARK not in told
    if agent and start > 1 and told[start - 1] == "require":
        return (*told[place + 2 :], "must", verb, *told[: start - 1])
    return told


def events(language: Language, told: Form) -> Form:
    """Return `the logs are deleted on Monday` for `deleting the logs happens on Monday`."""
    words = language.plain_words
    place = next((i for i, word in enumerate(told) if word in _HAPPENS), 0)
    if not place:
        return told
    head = next((i + 1 for i in range(place - 1, -1, -1) if told[i] == MARK), 0)
    clause = told[head:place]
    adverbs = clause[: bool(clause) and is_adverb(clause[0])]
    clause = clause[len(adverbs) :]
    clause = clause[clause[:1] == ("the",) and clause[1:2] != () and clause[1] in words.verbs :]
    if len(clause) == 2 and clause[1] in words.verbs:
        clause = (clause[1], clause[0])
    if len(clause) < 2 or clause[0] not in words.verbs or len(clause) > LONGEST:
        return told
    be = "was" if told[place] == "happened" else "is"
    participle = participle_of(language, clause[0])
    patient = clause[1:][clause[1:2] == ("of",) :]
    return (*told[:head], *patient, be, *adverbs, participle, *told[place + 1 :])


def participle_of(language: Language, verb: str) -> str:
    """Return the past participle of a verb in its base form."""
    words = language.plain_words
    found = next((part for part, base in sorted(words.participles.items()) if base == verb), "")
    return found or past_of(verb)


def demands(language: Language, told: Form) -> Form:
    """Return `ask scan the receipts` for `ask that the receipts be scanned`."""
    words = language.plain_words
    place = next((i for i, word in enumerate(told) if word in words.demanding), -1)
    if place < 0:
        return told
    start = place + 1 + (told[place + 1 : place + 2] in _JOINTS)
    if told[start : start + 1] == ("have",):
        return (*told[: place + 1], *_had_done(language, told[start:]))
    if told[start : start + 1] in {("a",), ("an",)} and told[start + 2 : start + 3] != ():
        noun, verb = told[start + 1], told[start + 2]
        timed = _ends((noun,), 0)
        if verb in words.verbs and noun not in words.verbs and not timed and _ends(told, start + 3):
            return (*told[:start], verb, noun, *told[start + 3 :])
    if told[start : start + 1] in _TO_BE:
        return told  # wants to be told
    stop = next((i for i in range(start + 1, start + LONGEST) if told[i : i + 1] in _TO_BE), 0)
    if not stop or MARK in told[start:stop]:
        return told
    rest = told[stop + (told[stop] == "to") :]
    if rest[:1] != ("be",) or len(rest) < 2:
        return told
    verb = words.verb_of(rest[1])
    if verb or len(rest) == 2:
        return (*told[: place + 1], verb or rest[1], *told[start:stop], *rest[2:])
    return told


_JOINTS = frozenset((word,) for word in rule_words("deeds.joints"))
_TO_BE = frozenset({("to",), ("be",)})


def _had_done(language: Language, told: Form) -> Form:
    """Return `scan the receipts` for `have the receipts scanned`."""
    for stop in range(2, min(LONGEST + 1, len(told))):
        verb = language.plain_words.verb_of(told[stop])
        if verb:
            return (verb, *told[1:stop], *told[stop + 1 :])
    return told


def _ends(told: Form, place: int) -> bool:
    return place >= len(told) or told[place] in {MARK, "yearly", "monthly", "weekly", "daily"}


def verbals(language: Language, told: Form) -> Form:
    """Return `the page shows a list` for `the page displays a list`; a display is no show."""
    words, voice, result = language.plain_words, language.passive, list[str]()
    for place, word in enumerate(told):
        verb = word if word in words.verbal else words.verb_of(word)
        other = words.verbal.get(verb)
        before = told[place - 1] if place else ""
        if other is None or before in language.determiners or before in language.fronting:
            result.append(word)
        elif word == verb:
            result.append(other)
        elif before in voice.be | voice.have:
            result.append(participle_of(language, other))
        else:
            result.append(voice.simple.get(other) or past_of(other))
    return tuple(result)


RULES = (doers, light_verbs, approvals, acts, events, demands, verbals)
