"""Korean words without what courtesy and sound alone change: endings, and the forms of particles.

Particles that tell who does what to whom stand apart and are kept.
"""
# Letters are the data here, and a wide one counts as two columns.
# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Callable

from memsleep.guards.hangul_verbs import KoreanVerbs
from memsleep.guards.lexicon import Lexicon
from memsleep.guards.syllables import FINAL_L, HANGUL, WITH_L, final_of, is_hangul

_ENDS = "(?=[\\s]*(?:[.!?,;:)\"'\\]*_`\u3002\uff0c]|\\n|\\Z))"
_CLAUSE_END = re.compile(_ENDS)
_ROLES = {
    "이": "subjq", "가": "subjq", "께서": "subjq", "은": "topq", "는": "topq", "을": "objq",
    "를": "objq", "으로": "byq", "로": "byq", "와": "withq", "과": "withq", "에서": "inq",
    "에게": "toq", "한테": "toq", "에": "atq", "의": "ofq", "부터": "fromq", "까지": "untilq",
    "마다": "eachq", "보다": "thanq",
}  # fmt: skip
_CLOSED = {"이": True, "가": False, "은": True, "는": False, "을": True, "를": False, "과": True,
           "와": False, "으로": True}  # fmt: skip
"""Particles of two forms: whether a consonant stands before this one."""
_AFTER_LATIN = re.compile(f"(?<=[a-z0-9%])(?=[{HANGUL}])")
_TOKEN = re.compile(f"[{HANGUL}]+")
_LATIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789%")
_COPULA_ALONE = frozenset("다 이다 입니다 이에요 예요 임 이야".split())


def _denied(match: re.Match[str]) -> str:
    """Return the short form of a denial, which stands before its verb."""
    return f"{'안' if match[2] == '않' else '못'} {match[1]}다"


def _denied_before(match: re.Match[str]) -> str:
    return f"안 {match[1]}었다"


_PHRASES: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(f"([{HANGUL}]+)고\\s?(?:있(?:습니다|어요|다|음)|계(?:십니다|세요|시다)){_ENDS}"), "\\1다"),
    (re.compile(f"([{HANGUL}]*)지\\s?않(?:으면|고서는)\\s?(?:안\\s?(?:된다|됩니다|돼요|되다|됨)|곤란하다)"), "\\1 mustq"),
    (re.compile("없으면\\s?(?:안\\s?(?:된다|됩니다|돼요|되다|됨))"), "있 mustq"),
    (re.compile(f"([{HANGUL}]+)지\\s?않을\\s?수\\s?(?:없다|없습니다|없어요|없음)"), "\\1 mustq"),
    (re.compile(f"([{HANGUL}]+)(?:시)?기\\s?(?:를\\s?)?(?:바랍니다|바란다|부탁드립니다){_ENDS}"), "\\1시오"),
    (re.compile(f"([{HANGUL}]+?)[아어여]?\\s?주(?:세요|십시오|시기\\s?바랍니다|시오){_ENDS}"), "\\1 주시오"),
    (re.compile(f"([{HANGUL}]+)지\\s?(않|못)(?:는다|습니다|아요|음|다){_ENDS}"), _denied),
    (re.compile(f"([{HANGUL}]+)지\\s?(않)(?:았다|았습니다|았어요|았음){_ENDS}"), _denied_before),
    (re.compile(f"(?<![{HANGUL}])더\\s?이상"), "더이상"),
    (re.compile(f"([{WITH_L}])\\s?수\\s?(?:가\\s)?(있|없)"), "\\1 수\\2"),
)  # fmt: skip
_MUST = re.compile(
    f"([{HANGUL}]+)야\\s?(?:만\\s?)?(?:한다|합니다|해요|하다|함|된다|됩니다|돼요|되다|됨|했다|했습니다)"
)


class KoreanText:
    """What brings the words of a Korean text to their stems, and its particles to one form."""

    def __init__(self, words: Lexicon) -> None:
        self._verbs = KoreanVerbs(words)
        self._whole = frozenset(words.words("whole_words"))
        self._describing = frozenset(words.words("describing"))
        self._describing_ends = frozenset(words.words("describing_ends"))
        self._living = re.compile(f"(?<=에 )(?:{words.any_of('lives')}){_ENDS}")
        self._lives = next(iter(words.words("lives_at")), "")

    def plain(self, text: str) -> str:
        """Return a text whose verbs are stems and whose particles stand apart in one form.

        Examples
        --------
        >>> from memsleep.guards.tables import table_of
        >>> plain = KoreanText(Lexicon(table_of("ko"))).plain
        >>> plain("엽니다"), plain("문을 엽니다"), plain("학교에서 읽는다")
        ('여', '문 objq 여', '학교 inq 읽')
        """
        for pattern, instead in _PHRASES:
            text = pattern.sub(instead, text)
        text = _MUST.sub(self._must, self._living.sub(self._lives, text))
        text = _AFTER_LATIN.sub(" ", text)
        return _TOKEN.sub(lambda match: self._word(match, text), text)

    def roles(self, word: str, before: str = "") -> tuple[str, str]:
        """Return (word, particle) of a word; the particle is empty where it has none.

        Examples
        --------
        >>> from memsleep.guards.tables import table_of
        >>> roles = KoreanText(Lexicon(table_of("ko"))).roles
        >>> roles("책이"), roles("고양이"), roles("학교에서"), roles("전문가")
        (('책', 'subjq'), ('고양이', ''), ('학교', 'inq'), ('전문가', ''))
        """
        if word in self._whole or self._describes(word) or word.endswith(("므로", "다가")):
            return word, ""  # a verb, whose ending looks like a particle
        for size in (2, 1):
            stem, particle = word[:-size], word[-size:]
            role = _ROLES.get(particle)
            if role is not None and (stem or before) and _fits(particle, (stem or before)[-1]):
                return stem, role
        return word, ""

    def _describes(self, word: str) -> bool:
        """Return True for a verb that describes the next word and is hardly anything else."""
        if word[-1] in "은을":
            return word[:-1] in self._describing or (
                len(word) > 2 and word[-2] in self._describing_ends and word[-2] not in "잡좋"
            )
        return word[-1] == "는" and word[-2:-1] in {"하", "되"} and len(word) > 2

    def _must(self, match: re.Match[str]) -> str:
        word = match[1]
        return f"{self._verbs.stem_of(word)} mustq" if word[-1] not in "이그" else match.group()

    def _word(self, match: re.Match[str], text: str) -> str:
        word, start = match.group(), match.start()
        before = ""
        if start > 1 and text[start - 1] == " " and text[start - 2] in _LATIN:
            before = text[start - 2]
            if word in _COPULA_ALONE:
                return ""
        stem, role = self.roles(word, before)
        if role:
            return f"{stem} {role}".strip()
        ends = _CLAUSE_END.match(text, match.end()) is not None
        return self._verbs.plain_word(word, ends=ends)


def _fits(particle: str, last: str) -> bool:
    """Return True where a particle has the form that it takes behind a syllable."""
    if not is_hangul(last):
        return True
    final = final_of(last)
    if particle == "로":
        return final in {0, FINAL_L}
    if particle == "으로" and final == FINAL_L:
        return False
    closed = _CLOSED.get(particle)
    return closed is None or closed == (final > 0)


def may_describe(stem: str, words: dict[str, frozenset[str]]) -> bool:
    """Return True where -eun or -neun behind a stem may make a verb describe the next word."""
    if not stem or stem in words["pronouns"]:
        return not stem
    last = stem[-1]
    if final_of(last) > 0:
        return len(stem) == 1 or last in words["describing_ends"]
    return len(stem) == 1 or (last in words["verb_ends"] and last not in words["noun_ends"])
