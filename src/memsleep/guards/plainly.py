"""English claims told plainly: acts by their verbs, and no clefts, dummies or empty verbs.

`It is Ida who maintains the parser`, `Ida is the maintainer of the parser`; `Refund processing
takes place weekly`, `Refunds are processed weekly`. A claim is told so only beside one from which
it differs in nothing else, since that is how often it is worth the time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from memsleep.guards.adjuncts import is_adverb, is_dated
from memsleep.guards.causes import causes
from memsleep.guards.claims import Claim, Form
from memsleep.guards.commonplaces import LAST, compounds
from memsleep.guards.commonplaces import RULES as COMMONPLACES
from memsleep.guards.deeds import RULES as DEEDS
from memsleep.guards.dummies import RULES as DUMMIES
from memsleep.guards.grants import READ as GRANTS
from memsleep.guards.happenings import READ as HAPPENINGS
from memsleep.guards.injunctions import injunctions
from memsleep.guards.language import PRONOUNS, Language
from memsleep.guards.means import means
from memsleep.guards.purposes import READ as PURPOSES
from memsleep.guards.relatives import ANY_RELATIVE, RELATIVES
from memsleep.guards.restating import genitives
from memsleep.guards.rule_words import rule_words
from memsleep.guards.ties import READ as TIES
from memsleep.guards.tokens import MARK
from memsleep.guards.turns import READ as TURNS
from memsleep.guards.verbhood import names_of, words_in_ing

Rule = Callable[[Language, Form], Form]
RULES: tuple[Rule, ...] = (*COMMONPLACES, *DUMMIES, *DEEDS, *LAST)
MOST_UNLIKE = 9
"""Words of either claim that the other lacks, above which no plain telling is tried."""


def plain_pair(a: Claim, b: Claim) -> tuple[Claim, Claim] | None:
    """Return two claims told plainly, None where that would not make them one."""
    if a.language is not b.language or not a.language.plain_words.deeds:
        return None
    if a.dates != b.dates or a.negations != b.negations:
        return None
    if a.numbers != b.numbers and not _SAID_BY_A_WORD.issuperset({*a.numbers} ^ {*b.numbers}):
        return None
    if not _may_be_one(a, b):
        return None
    if _TIMES & a.words != _TIMES & b.words and _tied_times_part(a, b):
        return None
    one, other = _plain(a, b), _plain(b, a)
    if one.numbers != other.numbers or (one.marked == a.marked and other.marked == b.marked):
        return None
    return one, other


_SAID_BY_A_WORD = frozenset({"1"})  # one of the hosts, a host
_TIMES = frozenset({"was", "had"})


def _tied_times_part(a: Claim, b: Claim) -> bool:
    """Return True for `hosts that were infected` and `hosts that are`; a passive is no time."""
    if ANY_RELATIVE.isdisjoint(a.words) or ANY_RELATIVE.isdisjoint(b.words):
        return False
    return ("by" in a.words) == ("by" in b.words) or _tied_times(a) != _tied_times(b)


def _tied_times(claim: Claim) -> set[str]:
    """Return the words of the past that stand behind a tie."""
    marked = claim.marked
    places = (i for i, word in enumerate(marked) if word in ANY_RELATIVE)
    return {word for i in places for word in marked[i + 1 : i + 4] if word in _TIMES}


def _may_be_one(a: Claim, b: Claim) -> bool:
    """Return True where nothing but glue and endings differs between the words of two claims."""
    mine, theirs = a.words - b.words, b.words - a.words
    if len(mine) > MOST_UNLIKE or len(theirs) > MOST_UNLIKE:
        return False
    words = a.language.plain_words
    one, other = words.roots(mine), words.roots(theirs)
    if one == other:
        return True
    shared = {words.root(word) for word in a.words & b.words}
    return one ^ other <= shared


def _spared(claim: Claim, other: Claim) -> frozenset[str]:
    """Return the little words that this claim alone has, where the other has none of the kind."""
    found = set[str]()
    for kind in _KINDS:
        mine, theirs = kind & claim.words, kind & other.words
        if not theirs - mine:
            found |= mine - theirs
    if _owns(claim):
        found -= {"have", "had"}
    return frozenset(found if _named_condition(claim) else found | (_WHEN & claim.words))


def _owns(claim: Claim) -> bool:
    """Return True for `we have tested backups`: nobody need have tested them just now."""
    language, marked = claim.language, claim.marked
    for place, word in enumerate(marked[:-2]):
        done = marked[place + 1]
        if (
            done not in language.passive.be
            and word in language.passive.have
            and language.plain_words.verb_of(done)
        ):
            after = marked[place + 2]
            known = language.determiners | language.fronting | PRONOUNS | _BEHIND_VERBS
            if after not in known | names_of(claim.text) and not _is_loose(after):
                return True
    return False


def _is_loose(word: str) -> bool:
    return word[0].isdigit() or is_dated(word) or is_adverb(word)


_BEHIND_VERBS = rule_words("plainly.behind_verbs") | {MARK}


def _named_condition(claim: Claim) -> bool:
    """Return True for `if Anna leaves`: that may never be, unlike `when Anna leaves`."""
    names = names_of(claim.text)
    return any(
        word in _WHEN and not names.isdisjoint(claim.marked[place + 1 : place + 2])
        for place, word in enumerate(claim.marked)
    )


_WHEN = rule_words("plainly.when")
_KINDS = (PRONOUNS, rule_words("plainly.duties"), rule_words("plainly.having"))


@lru_cache(maxsize=1 << 13)
def _plain(claim: Claim, other: Claim) -> Claim:
    language, told, spared = claim.language, claim.marked, _spared(claim, other)
    told = _participial(language, told, other)
    told = compounds(claim, told, other.marked, (genitives(claim), genitives(other)))
    for read in READ:
        told = read(claim, told, other)
    for rule in RULES:
        told = rule(language, told)
    for free in FREE:
        told = free(language, told, spared)
    if told == claim.marked:
        return claim
    words = [word for word in told if word != MARK]
    form = tuple(word for word in words if word not in language.silent) or tuple(words)
    return replace(
        claim,
        marked=told,
        form=form,
        bag=tuple(sorted(form)),
        words=frozenset(form),
        joined="".join(form),
        numbers=tuple(sorted(word for word in words if "0" <= word[0] <= "9")),
    )


def _participial(language: Language, told: Form, other: Claim) -> Form:
    """Return `hosts needing a reboot` for `hosts that need a reboot` beside such an ending."""
    if "ing" not in other.text or RELATIVES.isdisjoint(told):
        return told
    verbs = language.plain_words.verbs
    endings = {language.final(word) for word in words_in_ing(other.text.lower())} & verbs
    return tuple(
        word
        for i, word in enumerate(told)
        if not i or word not in RELATIVES or not endings.intersection(told[i + 1 : i + 2])
    )


_BEFORE_SUBJECTS = rule_words("plainly.before_subjects")


def _without_subjects(language: Language, told: Form, spared: frozenset[str]) -> Form:
    """Return `before dropping a table` for `before it drops a table`."""
    if spared.isdisjoint(PRONOUNS):
        return told
    verbs, result, place = language.plain_words.verbs, list[str](), 0
    while place < len(told):
        word, behind = told[place], told[place + 1 : place + 3]
        fits = word in spared and word in PRONOUNS and result and result[-1] in _BEFORE_SUBJECTS
        if fits and behind and behind[0] in verbs:
            place += 1
            continue
        if fits and len(behind) == 2 and behind[0] in language.passive.be and behind[1] in verbs:
            place += 2  # while he was skiing
            continue
        result.append(word)
        place += 1
    return tuple(result)


def _without_modals(language: Language, told: Form, spared: frozenset[str]) -> Form:
    """Return `keep the door shut` for `the door must be kept shut` and `you must keep ...`."""
    for modal in sorted(spared & {"must", "should"}):
        if told.count(modal) != 1:
            continue
        place = told.index(modal)
        head = next((i + 1 for i in range(place - 1, -1, -1) if told[i] == MARK), 0)
        subject, rest = told[head:place], told[place + 1 :]
        if not subject or len(subject) > MOST_SUBJECT or rest[:1] == ("not",):
            continue
        if subject == ("you",):
            return (*told[:head], *rest)
        if rest[:1] == ("be",) and len(rest) > 1:
            verb = language.plain_words.verb_of(rest[1])
            by = next((i for i in range(2, len(rest) - 1) if rest[i] == "by"), 0)
            if verb and (not by or is_dated(rest[by + 1])):  # who must do it is told
                return (*told[:head], verb, *subject, *rest[2:])
    return told


MOST_SUBJECT = 6


def _without_have(language: Language, told: Form, spared: frozenset[str]) -> Form:
    """Return `they labeled the scans` for `they have labeled the scans`: no time is told."""
    if "have" in spared:
        told = _done_before(language, told)
    if spared.isdisjoint({"have", "had"}) or not _LASTING.isdisjoint(told):
        return told
    result: list[str] = []
    for place, word in enumerate(told):
        following = told[place + 1] if place + 1 < len(told) else ""
        if word == "have" and following:
            if following == "been":
                continue
            if language.plain_words.verb_of(following):
                continue
        result.append("was" if word == "been" and told[place - 1] == "have" else word)
    voice = language.passive
    return tuple(
        voice.past.get(word, word)
        if i and result[i - 1] not in voice.be and told[max(0, i - 1) :] and "have" in told
        else word
        for i, word in enumerate(result)
    )


def _done_before(language: Language, told: Form) -> Form:
    """Return `until the tests pass` for `until the tests have passed`."""
    for place in range(2, len(told) - 1):
        head = next((i for i in range(place - 1, -1, -1) if told[i] in _BEFORE_DONE), -1)
        if told[place] == "have" and head >= 0 and place - head <= MOST_SUBJECT:
            verb = language.plain_words.verb_of(told[place + 1])
            if verb and MARK not in told[head:place]:
                return (*told[:place], verb, *told[place + 2 :])
    return told


_BEFORE_DONE = rule_words("plainly.before_done")
_LASTING = rule_words("plainly.lasting")


def _with_if(language: Language, told: Form, spared: frozenset[str]) -> Form:
    """Return `if the file is missing` for `when the file is missing`, where that is no past."""
    if spared.isdisjoint(_WHEN) or not _PAST.isdisjoint(told):
        return told
    past, be = language.passive.present, language.passive.be
    if any((t in past or t.endswith("ed")) and told[i - 1] not in be for i, t in enumerate(told)):
        return told  # they left when the bell rang
    return tuple("if" if word in _WHEN else word for word in told)


_PAST = rule_words("plainly.past")

READ = (*PURPOSES, *GRANTS, *HAPPENINGS, *TIES, *TURNS, means, causes, injunctions)
"""Rules that ask what the other claim says."""
FREE = (_without_subjects, _without_modals, _without_have, _with_if)
"""Rules that leave out a little word of a kind that the other claim does not have."""
