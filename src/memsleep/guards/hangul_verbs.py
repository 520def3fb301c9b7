"""Korean verbs without what courtesy adds, and without what sound alone changes.

A verb becomes its stem, with a past as `었`: `보냈습니다` and `보냈다` are one.
"""

from __future__ import annotations

from memsleep.guards.lexicon import Lexicon
from memsleep.guards.syllables import (
    FINAL_B,
    FINAL_L,
    FINAL_N,
    FINAL_SS,
    bare,
    final_of,
    is_hangul,
    joined,
    parts,
)

_EO, _YEO, _O, _WA, _WAE, _OE, _U, _WEO, _EU, _I = 4, 6, 8, 9, 10, 11, 13, 14, 18, 20
_CONTRACTED = {_WA: _O, _WEO: _U, _YEO: _I, _WAE: _OE}


class KoreanVerbs:
    """The verbs of a Korean text; the lists name those that a rule of sound does not tell.

    Examples
    --------
    >>> from memsleep.guards.tables import table_of
    >>> verbs = KoreanVerbs(Lexicon(table_of("ko")))
    >>> [verbs.stem_of(word) for word in "먹어 가 마셔 봐 해 써 보내 돼 눌러 어려워".split()]
    ['먹', '가', '마시', '보', '하', '쓰', '보내', '되', '누르', '어렵']
    >>> [verbs.plain_word(w, ends=True) for w in "보냈습니다 보내요 보낸다 보냅니다 했다".split()]
    ['보내었', '보내', '보내', '보내', '하었']
    """

    def __init__(self, words: Lexicon) -> None:
        self._irregulars = words.pairs("irregular")
        self._b_stems = frozenset(words.words("b_stems"))
        self._eo_stems = frozenset(words.words("eo_stems"))
        self._whole_stems = self._eo_stems | frozenset(words.words("yeo_stems"))
        self._keeps_i = frozenset(words.words("keeps_i"))
        self._not_polite = frozenset(words.words("not_polite"))

    def stem_of(self, word: str) -> str:
        """Return the stem of a verb that ends in its vowel form (-a, -eo), contracted or not."""
        if not is_hangul(word[-1]):
            return word
        return self._irregular(word) or self._contracted(word)

    def _irregular(self, word: str) -> str | None:
        """Return the stem of a verb that changes before its vowel form, None for another."""
        last = word[-1]
        if word in self._irregulars:
            return self._irregulars[word]
        if len(word) > 1 and last in "라러" and final_of(word[-2]) == FINAL_L:
            return word[:-2] + joined(*parts(word[-2])[:2]) + "르"
        if last in "워와" and word[:-1] in self._b_stems:
            return word[:-2] + joined(*parts(word[-2])[:2], FINAL_B)
        return word[:-1] + "하" if last == "해" else None

    def _contracted(self, word: str) -> str:
        last = word[-1]
        if len(word) > 1 and (last in "아어" or (last == "여" and word[-2] == "하")):
            return word[:-1]
        initial, vowel, final = parts(last)
        if final or word in self._whole_stems or last in self._whole_stems:
            return word
        if vowel in _CONTRACTED:
            return word[:-1] + joined(initial, _CONTRACTED[vowel])
        if vowel == _EO and word[-2:] not in self._eo_stems:
            return word[:-1] + joined(initial, _EU)
        return word

    def _past(self, word: str) -> str:
        """Return the stem and the past mark of a word that ends in -ss."""
        if word.endswith(("있", "겠")):
            return word
        if word[-1] == "였" and self._is_done_to(word[:-1]):
            return word[:-1] + "이었"  # 줄이다, not 줄다
        if word[-1] in "었았였" and len(word) > 1:
            return word[:-1].removesuffix("하여") + "었"
        initial, vowel, _ = parts(word[-1])
        return self.stem_of(word[:-1] + joined(initial, vowel)) + "었"

    def _is_done_to(self, stem: str) -> bool:
        """Return True for the stem of a verb in -i-, of which -yeoss is the past.

        Behind a noun that ends in a consonant the copula is -ieoss, so -yeoss is none there.
        """
        return bool(stem) and (final_of(stem[-1]) > 0 or stem in self._keeps_i)

    def plain_word(self, word: str, *, ends: bool) -> str:
        """Return a word without what courtesy adds; `ends` says that a clause ends behind it."""
        if len(word) < 2:
            return word
        if word.endswith("시다") and final_of(word[-3:-2] or "a") == FINAL_B:
            return self._ordered(word) or word
        verb = self._polite(word, ends=ends) or self._plain(word)
        if verb is None:
            verb = self._nominal(word) if ends else None
        if verb is None:
            return self._ordered(word) or word
        return self._stem_and_past(verb)

    def _stem_and_past(self, verb: str) -> str:
        if final_of(verb[-1]) == FINAL_SS and not verb.endswith(("있", "겠")):
            return self._past(verb)
        return verb[:-1] + "하" if verb.endswith("해") else verb

    def _polite(self, word: str, *, ends: bool) -> str | None:
        if word.endswith("습니다") and len(word) > 3:
            return word[:-3]
        if word.endswith("니다") and len(word) > 2 and final_of(word[-3]) == FINAL_B:
            if word.endswith("입니다") and word[:-3] not in self._keeps_i:
                return word[:-3] or None
            return bare(word[:-2])
        if word.endswith("요") and (len(word) > 2 or (ends and word not in self._not_polite)):
            return self._haeyo(word)
        return None

    def _haeyo(self, word: str) -> str | None:
        body = word[:-1]
        if body.endswith("이에"):
            return body[:-2] or None
        if body.endswith("예"):
            return body[:-1] or None
        if body.endswith("세"):
            return None
        if final_of(body[-1]) > 0:
            return None
        if body[-1] in "어아" and len(body) > 1 and final_of(body[-2]) == FINAL_SS:
            return body[:-1]
        if body[-1] in "지네데군고죠":
            return None
        return self.stem_of(body)

    def _plain(self, word: str) -> str | None:
        if not word.endswith("다") or word.endswith("니다") or len(word) < 2:
            return None
        body = word[:-1]
        if body.endswith("는") and len(body) > 1:
            return body[:-1]
        if final_of(body[-1]) == FINAL_N and body not in {"안", "신"}:
            return bare(body)
        if body.endswith("이") and len(body) > 1 and body[:-1] not in self._keeps_i:
            return body[:-1]
        return body

    def _nominal(self, word: str) -> str | None:
        """Return the stem of a verb that ends a clause as a noun in -m."""
        last = word[-1]
        if last == "음" and len(word) > 1 and final_of(word[-2]) > 0:
            return word[:-1]
        if last == "임" and len(word) > 1:
            return word[:-1]
        if last in "함됨":
            return word[:-1] + ("하" if last == "함" else "되")
        return None

    def _ordered(self, word: str) -> str | None:
        """Return one form of a request for every politeness of it."""
        if word.endswith("시다") and len(word) > 2 and final_of(word[-3]) == FINAL_B:
            return (word[:-3] if word[-3] == "읍" else bare(word[:-2])) + "자"
        for ending in ("십시오", "세요", "시오"):
            if word.endswith(ending) and len(word) > len(ending):
                stem = word[: -len(ending)]
                if stem.endswith("으"):
                    stem = stem[:-1]
                return stem + "시오"
        return None
