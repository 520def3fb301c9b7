"""A verb that stays second: what moves to the front of a sentence pushes the subject behind it.

`Im Winter schließt das Bad` and `Das Bad schließt im Winter` say the same. What moves is known by
its first word (`structure.fronting`): a preposition, a word of time, an article in a case that
names no subject. All other words keep their order, so who does what to whom stays as it was.
"""

from __future__ import annotations

from memsleep.guards.claims import FRONT, Claim, Form
from memsleep.guards.language import Language
from memsleep.guards.tokens import MARK

LONGEST = 24
"""Words up to which something may stand in front of the verb."""


def is_inverted(front: Claim, plain: Claim) -> bool:
    """Return True when `front` begins with what stands behind the verb in `plain`."""
    language = front.language
    if not language.syntax.verb_second or len(front.form) != len(plain.form) or len(front.form) < 3:
        return False
    words, other = front.form, plain.form
    if front.marked[:1] == (FRONT,) and _follows(words, other, 0, language):
        return True
    if not is_adjunct(words[0], language):
        return False
    least = 1 if _stands_alone(words[0], language) else 2
    return any(
        _follows(words, other, size, language)
        for size in range(least, min(len(words) - 1, LONGEST))
    )


def is_adjunct(first: str, language: Language) -> bool:
    """Return True for a word that begins what can name no subject."""
    return first in language.fronting or first.startswith(("dateq", "timeq", "dayq"))


def _stands_alone(word: str, language: Language) -> bool:
    """Return True for an adjunct of one word: an adverb, a date; no preposition."""
    return word in language.syntax.alone or _is_time(word, language)


def _follows(words: Form, other: Form, size: int, language: Language) -> bool:
    """Return True when `other` has the subject, the verb and then, somewhere, the adjunct."""
    adjunct, verb, rest = words[:size], words[size], words[size + 1 :]
    if verb in language.fronting or verb in language.negation:
        return False
    try:
        place = other.index(verb)
    except ValueError:
        return False
    if not place or other[:place] != rest[:place]:
        return False
    left, behind = rest[place:], other[place + 1 :]
    return any(
        behind[:at] == left[:at]
        and behind[at : at + size] == adjunct
        and behind[at + size :] == left[at:]
        and (not at or not size or left[at - 1] not in language.syntax.focus)
        and not (size and crosses_clause(left[:at], language))
        for at in range(len(left) + 1)
    )


def crosses_clause(words: Form, language: Language) -> bool:
    """Return True where a conjunction among the words may join a clause of its own.

    `Am Montag kommt Anna und Bernd geht`: what Bernd does is not said of Monday. One word behind
    the conjunction, or one with its article, is a member of a list.
    """
    places = [i for i, word in enumerate(words) if word in language.conjunctions]
    if not places:
        return False
    behind = words[places[-1] + 1 :]
    return len(behind) > 1 + (behind[:1] != () and behind[0] in language.articles)


def is_swapped(a: Claim, b: Claim) -> bool:
    """Return True when what stands before a verb and behind it change places, and cases tell.

    `Лодку купил сосед` and `сосед купил лодку`: one of the two is in a case that names no
    subject, or the verb agrees with one of them alone.
    """
    syntax = a.language.syntax
    if not syntax.free_order or MARK in a.marked or len(a.form) != len(b.form):
        return False
    return any(
        b.form == (*a.form[place + 1 :], verb, *a.form[:place])
        and _is_marked(a.form[:place], verb, a.form[place + 1 :], a.language)
        for place, verb in enumerate(a.form)
        if 0 < place < len(a.form) - 1
    )


def _is_marked(left: Form, verb: str, right: Form, language: Language) -> bool:
    """Return True when one side cannot be the subject of the verb and the other can."""
    if not language.negation.isdisjoint((*left, verb, *right)) or _is_time(verb, language):
        return False
    oblique = [_is_oblique(side, language) for side in (left, right)]
    if oblique[0] != oblique[1]:
        return True
    if any(oblique) or not verb.endswith(language.syntax.feminine_verbs):
        return False
    ending = language.syntax.feminine
    subjects = [any(word.endswith(ending) for word in side) for side in (left, right)]
    return subjects[0] != subjects[1]


def _is_oblique(words: Form, language: Language) -> bool:
    first = words[0]
    return first in language.fronting or (
        len(first) > _SHORT and first.endswith(language.syntax.oblique)
    )


_SHORT = 3
"""Letters up to which an ending tells nothing."""


def is_time_moved(a: Claim, b: Claim) -> bool:
    """Return True when all that differs is where the one time of a claim stands.

    In one of them it stands in front or at the end, and nothing between the two places ends a
    clause: `nel 2024 Marta ha lasciato la ditta`.
    """
    language = a.language
    if not language.syntax.movable or (MARK in a.marked[1:-1] and MARK in b.marked[1:-1]):
        return False
    one, other = _time_of(a, language), _time_of(b, language)
    if one is None or other is None or one[1] != other[1]:
        return False
    (left, words, start), (right, _, stop) = one, other
    if left != right or not {start, stop} & {0, len(left)}:
        return False
    between = left[min(start, stop) : max(start, stop)]
    if not language.conjunctions.isdisjoint(between) or not language.fronting.isdisjoint(between):
        return False
    if words[0] in language.syntax.movable or "not" not in a.words:
        return not any(
            place and left[place - 1] in language.syntax.focus for place in (start, stop)
        )
    return False


def _time_of(claim: Claim, language: Language) -> tuple[Form, Form, int] | None:
    """Return (the claim without its time, the time, its place) of a claim with one time."""
    form = claim.form
    places = [i for i, t in enumerate(form) if t in language.syntax.movable]
    places = places or [i for i, t in enumerate(form) if _is_time(t, language)]
    if len(places) != 1:
        return None
    start = stop = places[0]
    while start and form[start - 1] in language.fronting and stop - start < 2:
        start -= 1
    return form[:start] + form[stop + 1 :], form[start : stop + 1], start


def _is_time(token: str, language: Language) -> bool:
    return token in language.syntax.movable or token.startswith(("dateq", "timeq", "dayq"))


def is_concord(a: Claim, b: Claim) -> bool:
    """Return True for `no viene nadie` and `nadie viene`: two words, and one denial.

    Only words that can be no object of that verb may move (`structure.concord`).
    """
    long, short = (a.form, b.form) if len(a.form) > len(b.form) else (b.form, a.form)
    words = a.language.syntax.concord
    if len(long) != len(short) + 1 or words.isdisjoint(short) or "not" not in long:
        return False
    start = long.index("not")
    if short[:start] != long[:start] or short[start] not in words:
        return False
    word = short[start]
    return any(
        long[start + 1 : stop] == short[start + 1 : stop]
        and long[stop : stop + 1] == (word,)
        and long[stop + 1 :] == short[stop:]
        for stop in range(start + 2, min(start + 5, len(long)))
    )
