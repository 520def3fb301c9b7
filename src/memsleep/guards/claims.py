"""A text as the guards compare it, worked out once.

`words` are its canonical words in order: one spelling, one ending, one synonym, one unit, one
form of a date, a denial as `not` and what it denies. `form` is what it says: the words without
those that say nothing. Two texts of one form say the same, for every step from the one to the
other stands in a table. What no table explains is a difference.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from memsleep.guards.adjuncts import any_dated, is_dated
from memsleep.guards.calendar import with_dates
from memsleep.guards.detection import likely_languages
from memsleep.guards.figures import with_millions
from memsleep.guards.language import CLASSES, Language, language_named
from memsleep.guards.logic import resolved, without_stress
from memsleep.guards.phrasal import with_particles
from memsleep.guards.relatives import RELATIVES
from memsleep.guards.restrictions import restricted
from memsleep.guards.reversals import is_change
from memsleep.guards.scripts import is_unspaced
from memsleep.guards.times import in_order
from memsleep.guards.tokens import MARK, plain_figures, split
from memsleep.guards.typography import plain_typography, without_accents

Form = tuple[str, ...]
"""Words in their order."""
Bag = tuple[str, ...]
"""Words in code point order, as often as they stand there."""
_BITS = re.compile(r"(?<=[0-9])\s?([KMGT])b\b")
_BIT = re.compile(r"[0-9]\s?[KMGT]b")
_BYTE_RATE = re.compile(r"(?<=[0-9])\s?([KMG]B)ps\b")
_INITIALS = re.compile(r"\b(?:[A-Z]\.){2,}")
_ROMAN = re.compile(r"(?<![\w.-])(?=[IVX]{2})X{0,3}(?:IX|IV|V?I{0,3})(?![\w-])")
_CAPITALS = re.compile(r"[A-Z](?:(?<=[IVX])[IVX]|\.[A-Z]\.)")
_LETTER = re.compile(
    r"(?<=[a-z\u00e0-\u00ff,:;] )[AS](?=[ .,;:)\n]|\Z)|^A(?=:| (?:is|was|has|and|or|to|can|must)\b)"
)
"""A letter that names something, and would be taken for an article or an ending."""
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10}
_NUMBER_SIGN = re.compile(r"no\.(?<=\bno\.)\s?(?=[0-9])")
"""It begins with letters, for then only they are looked for."""
FRONT = "frontq"
"""Stands where a word that only introduces took the place before the verb."""
_NO_WORDS = frozenset({MARK, FRONT})
_DENIED = frozenset({"not"})
_SIGNS = re.compile(r"[-.,:;!\"'()\[\]{}_*`](?:(?<![-.,:])|(?![0-9]))")
"""Signs that part no word; a point or the like before a figure is part of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """What a text says, in the forms that guards compare."""

    text: str
    language: Language
    marked: tuple[str, ...]
    """Canonical words with a `MARK` where a clause ends."""
    form: Form
    """The words that say something."""
    bag: Bag
    """The form without its order."""
    words: frozenset[str]
    """The form without order and number."""
    joined: str
    """The form without blanks: `load balancer` and `loadbalancer` are one."""
    squeezed: str
    """The text without blanks and silent signs: `front-end` and `frontend` are one."""
    unspaced: bool
    numbers: Bag
    dates: Bag
    negations: Bag
    denials: Bag
    classes: tuple[Bag, ...]
    """Words by class, in the order of `CLASSES`."""
    antonyms: Bag
    """Words that have an opposite."""

    def of_class(self, name: str) -> Bag:
        """Return the words of one class."""
        return self.classes[CLASSES.index(name)]


_UNCLASSED: tuple[Bag, ...] = tuple(() for _ in CLASSES)


@lru_cache(maxsize=1 << 16)
def claim_of(text: str) -> Claim:
    """Return a text as the guards compare it, in the language that it is taken to be in."""
    return claim_in(text, languages_of(text)[0])


@lru_cache(maxsize=1 << 16)
def languages_of(text: str) -> tuple[str, ...]:
    """Return the languages that a text may be in, the likeliest first."""
    return likely_languages(_plain(text).lower())


@lru_cache(maxsize=1 << 16)
def claim_in(text: str, code: str) -> Claim:
    """Return a text as the guards compare it by the tables of one language."""
    language = language_named(code)
    marked = _canonical(_plain(text), language)
    words = [token for token in marked if token not in _NO_WORDS]
    silent = language.silent
    form = tuple([token for token in words if token not in silent]) or tuple(words)
    negations, denials, antonyms = [], [], []
    classes: dict[str, list[str]] = {}
    for word in _telling(language, words):
        if word in language.negation:
            negations.append("not")
        elif word in language.denial:
            denials.append(word)
        if word in language.antonyms:
            antonyms.append(word)
        for name in language.classes.get(word, ()):
            classes.setdefault(name, []).append(word)
    if language.negative_pieces:
        negations += ["not" for _ in language.negative_pieces.findall("".join(words))]
    return Claim(
        text=text,
        language=language,
        marked=tuple(marked),
        form=form,
        bag=tuple(sorted(form)),
        words=frozenset(form),
        joined="".join(form),
        squeezed="".join(_SIGNS.sub("", plain_typography(text).lower()).split()),
        unspaced=is_unspaced(text),
        numbers=tuple(sorted([word for word in words if "0" <= word[0] <= "9"])),
        dates=tuple(sorted(filter(is_dated, words))) if any_dated(words) else (),
        negations=tuple(negations),
        denials=tuple(sorted(denials)),
        classes=tuple(tuple(sorted(classes.get(name, ()))) for name in CLASSES)
        if classes
        else _UNCLASSED,
        antonyms=tuple(sorted(antonyms)),
    )


def _telling(language: Language, words: list[str]) -> list[str]:
    """Return the words that deny, have an opposite or are of a class; most claims have none."""
    telling = language.telling
    return [] if telling.isdisjoint(words) else [word for word in words if word in telling]


@lru_cache(maxsize=1 << 12)
def _plain(text: str) -> str:
    plain = plain_typography(text)
    if _BIT.search(plain) is not None:
        plain = _BITS.sub(r" \1bit", plain)
    if "Bps" in plain:
        plain = _BYTE_RATE.sub(r" \1/s", plain)
    if "M " in plain:
        plain = with_millions(plain)
    if "A" in plain or "S" in plain:
        plain = _LETTER.sub(r"\g<0>letter", plain)
    if _CAPITALS.search(plain) is not None:
        plain = _INITIALS.sub(lambda match: match.group().replace(".", ""), plain)
        plain = _ROMAN.sub(_roman, plain)
    return plain


def _canonical(plain: str, language: Language) -> list[str]:
    folded = plain.lower()
    if language.by_rule:
        folded = without_accents(folded)
        folded = _NUMBER_SIGN.sub("number ", folded)
    folded = language.spelt_out(folded)
    if language.syntax.ordinal_sign is not None:
        folded = language.syntax.ordinal_sign.sub(r"\1th", folded)
    folded = language.hours.plain(language.figures.plain(folded))
    folded = plain_figures(folded, comma_decimal=language.comma_decimal)
    folded = with_dates(folded, day_first=language.day_first)
    tokens = language.plain_tokens(split(folded))
    if language.syntax.weekly:
        tokens = _weekly(language, tokens)
    if language.openers:
        tokens = _opened(language, tokens)
    if language.syntax.then and MARK in tokens:
        tokens = _introduced(language, tokens)
    tokens = language.asides.set_apart(tokens, MARK)
    if language.by_rule:
        tokens = _straight(without_stress(language, tokens))
        tokens = language.nominal_passive.applied(tokens)
    tokens = language.synonyms.applied(with_particles(tokens, language))
    tokens = language.frames.applied(tokens)
    single = language.single
    tokens = [single.get(token, token) for token in tokens]
    if not language.measured.nouns.isdisjoint(tokens):
        tokens = language.measured.applied(tokens, folded)
    if not language.often.isdisjoint(tokens):
        tokens = in_order(tokens, language.often)
    tokens = language.particles.closed(tokens, language.conjunctions)
    if language.syntax.escorts and not language.syntax.escorts.isdisjoint(tokens):
        tokens = _alone(language, tokens)
    return _without_denial(language, tokens)


def _roman(match: re.Match[str]) -> str:
    values = [_ROMAN_DIGITS[letter] for letter in match.group()]
    following = [*values[1:], 0]
    return str(sum(-v if v < after else v for v, after in zip(values, following, strict=True)))


def _straight(tokens: list[str]) -> list[str]:
    """Return the tokens without `there is ... who`, and without the `to` of a subject."""
    if tokens[:2] == ["there", "is"]:
        place = next((i for i, token in enumerate(tokens) if token in RELATIVES), 0)
        if place and MARK not in tokens[:place]:
            return tokens[2:place] + tokens[place + 1 :]
    if tokens[:1] == ["to"] and MARK not in tokens:
        return tokens[1:]
    if tokens[:2] == ["no", MARK]:
        return ["nay", *tokens[1:]]
    if MARK in tokens and not RELATIVES.isdisjoint(tokens):
        return [
            f"{token}ever" if i and token in {"who", "which"} and tokens[i - 1] == MARK else token
            for i, token in enumerate(tokens)
        ]
    return tokens


def _opened(language: Language, tokens: list[str]) -> list[str]:
    """Return the tokens without what only introduces or closes the claim."""

    def fits(opener: Sequence[str], following: str) -> bool:
        """Tell `Memory: usage ...` from `memory usage ...`: a sign parts a noun that opens."""
        return (
            following == MARK
            or following in language.after_openers
            or tuple(opener) in language.filling
            or ((language.by_rule or len(opener) > 1) and language.nominal.isdisjoint(opener[-1:]))
        )

    told, before = tokens, list[str]()
    while before != tokens:
        before = tokens
        tokens = language.openers.at_start(tokens, fits)
        if tokens and tokens[0] == MARK:
            tokens = tokens[1:]
    if language.syntax.verb_second and tokens != told and not _ends_with_mark(told, tokens):
        return [FRONT, *language.openers.at_end(tokens, MARK)]
    return language.openers.at_end(tokens, MARK)


def _ends_with_mark(told: list[str], tokens: list[str]) -> bool:
    """Return True when a sign parted what was dropped from what is left."""
    return told[len(told) - len(tokens) - 1] == MARK


def _introduced(language: Language, tokens: list[str]) -> list[str]:
    """Return the tokens with `since ..., ` at their front as `because`, and without `then`."""
    first = tokens[0]
    if first in language.syntax.initial:
        tokens = [language.syntax.initial[first], *tokens[1:]]
    if first in language.fronting and not language.syntax.then.isdisjoint(tokens):
        place = tokens.index(MARK)
        if place + 1 < len(tokens) and tokens[place + 1] in language.syntax.then:
            return tokens[: place + 1] + tokens[place + 2 :]
    return tokens


def _weekly(language: Language, tokens: list[str]) -> list[str]:
    """Return the tokens with `le lundi` as that day of every week, unless a date follows."""
    result: list[str] = []
    for place, token in enumerate(tokens):
        is_day = len(token) == _DAY and token.startswith("dayq")
        if is_day and result and result[-1] in language.syntax.weekly:
            after = [other for other in tokens[place + 1 : place + 3] if other != MARK]
            if not after or not after[0].startswith("dateq"):
                result[-1] = f"dayq0{token[-1]}"
                continue
        result.append(token)
    return result


_DAY = 5
"""Letters of a day of one week: dayq1."""


def _alone(language: Language, tokens: list[str]) -> list[str]:
    """Return the tokens without the `ne` that goes with a `pas` behind its verb."""
    escorts, escorted = language.syntax.escorts, language.syntax.escorted
    return [
        token
        for i, token in enumerate(tokens)
        if token not in escorts or escorted.isdisjoint(tokens[i + 1 : i + _ESCORT])
    ]


_ESCORT = 6
"""Words within which the word that denies follows."""


def _without_denial(language: Language, tokens: list[str]) -> list[str]:
    """Return the tokens with each denying word as `not` and what it denies, and without pairs."""
    if not language.opposites.keys().isdisjoint(tokens):
        tokens = [
            part
            for place, token in enumerate(tokens)
            for part in (
                ("not", language.opposites[token])
                if token in language.opposites and not is_change(language, tokens, place)
                else (token,)
            )
        ]
    if "not" in tokens:
        tokens = _evened(tokens, language.unsaid)
    tokens = language.rewrites.applied(tokens)
    return restricted(language, resolved(language, tokens)) if language.by_rule else tokens


def _evened(tokens: list[str], silent: frozenset[str]) -> list[str]:
    """Return the tokens without any two `not` between which nothing is said."""
    kept: list[str] = []
    for token in tokens:
        if token in _DENIED:
            place = len(kept)
            while place and kept[place - 1] in silent:
                place -= 1
            if place and kept[place - 1] == "not":
                del kept[place - 1]
                continue
        kept.append(token)
    return kept
