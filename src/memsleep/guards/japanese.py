"""Japanese: figures with what is counted, reasons, and the little words behind a noun."""

from __future__ import annotations

import re

from memsleep.guards.cjk import Amounts, Times
from memsleep.guards.lexicon import Lexicon, any_of

_ABOUT = re.compile(
    "([0-9][0-9.]*(?:%|[^0-9\\s、。のをがにはで]{0,3}?))(?:程度|くらい|ぐらい|ほど|前後)(?![な前])"
)
_AT_LEAST = re.compile(
    "(?:少なくとも|最低でも|最低)([0-9][0-9.]*(?:%|[^0-9\\s、。のをがにはでま]{0,3}))(?!以)"
)
_AFTER_DATE = re.compile(
    "((?:dateq|dayq|timeq)[0-9q]+\\s?|[0-9]:[0-9]{2}|月[0-9]{1,2}日|[-/][0-9]{1,2})に(?![はもて])"
)
_REASON = re.compile(
    "(?:(?<=[るたいだすうくむぶぬつぐなの])(?:ので|ため|ために|おかげで|せいで|ことから)|(?<=[るたいだすうくむぶぬつぐ])から)[、,]"
    "|(?:(?<=[るたいだすうくむぶぬつぐなの])ため|(?<=[るたいだすうくむぶぬつぐ])から)(?:だ|である)?(?=[。.]|\\Z)"
)
_WHY = re.compile("(?:なぜなら|というのも)[、,]?")
_EVERY = re.compile(
    "毎週\\s?((?:dayq)[0-9])\\s?ごと|((?:dayq)[0-9])\\s?(?:ごと|のたび|が来るたび)に?"
)
_HONORED = re.compile("[おご](?=[\u4e00-\u9fff])")
_COPULA = re.compile("(?:です|である|であります|だ)(?=[。、,.!?\\s」)』]|\\Z)")
_ORDER = re.compile(
    "(?:(?<=[\u4e00-\u9fff]{2})|(?<=[ァ-ー]))して(?:ください|下さい)"
    "|(?<=[^\u4e00-\u9fff][\u4e00-\u9fff])して(?:ください|下さい)"
    "|(?<=[えけげせぜてでねべめれ])て(?:ください|下さい)"
)
_WHERE = re.compile("(?<=[\u4e00-\u9fffァ-ーa-z0-9])へ(?=は|[^のとぁ-ん])")


def plain_requests(text: str) -> str:
    """Return a text in which a polite request has the form of a rule: `... koto`."""
    return _ORDER.sub(_rule, text)


def _rule(match: re.Match[str]) -> str:
    if match.group()[0] != "し":
        return "ること"
    before = match.string[: match.start()]
    is_noun = "ァ" <= before[-1] <= "ー" or _TWO_KANJI.search(before) is not None
    return "すること" if is_noun else "すこと"


_TWO_KANJI = re.compile("[\u4e00-\u9fff]{2}\\Z")


class JapaneseText:
    """What brings a Japanese text of plain verbs to one form, beyond its pieces."""

    def __init__(self, words: Lexicon) -> None:
        self._amounts, self._times = Amounts(words), Times(words)
        self._native = words.pairs("native_counts")
        self._native_count = re.compile(f"({any_of(self._native)})(?=[のをがにはでと、。]|\\Z)")
        self._persons = re.compile(f"(?<=[0-9])(?:{words.any_of('persons')})(?!前)")
        self._things = re.compile(f"(?<=[0-9])(?:{words.any_of('counters')})の")
        self._loose = re.compile(f"(?<=[0-9])(?:{words.any_of('loose_counters')})(?!き|の間)")
        self._written = words.pairs("counter_spelling")
        self._spelling = re.compile(f"(?<=[0-9])({any_of(self._written)})")
        self._person, self._thing = words.words("persons")[0], words.words("counters")[0]
        parents = words.pairs("parents")
        self._parents = re.compile(
            "|".join(f"(?<![{before}])({who})(?:さん|親)(?!会)" for who, before in parents.items())
        )

    def plain(self, text: str) -> str:
        """Return a text with figures, counted things and reasons in one form.

        Examples
        --------
        >>> from memsleep.guards.tables import table_of
        >>> plain = JapaneseText(Lexicon(table_of("ja"))).plain
        >>> plain("三つのサーバー"), plain("二十三名です"), plain("午後三時半")
        ('3個のサーバー', '23人', ' timeq15q30 ')
        >>> plain("雨なので、"), plain("雨が降ったからだ")
        ('雨な becauseq 、', '雨が降った becauseq ')
        """
        text = self._native_count.sub(lambda match: self._native[match[1]], text)
        text = self._parents.sub(lambda match: next(who for who in match.groups() if who), text)
        text = _HONORED.sub("", _WHERE.sub("に", text))
        text = self._times.plain(self._amounts.plain(text))
        if any(char in "0123456789" for char in text):
            text = self._persons.sub(self._person, text)
            text = self._spelling.sub(lambda match: self._written[match[1]], text)
            text = self._loose.sub(self._thing, self._things.sub(f"{self._thing}の", text))
            text = _AT_LEAST.sub("\\1以上", _ABOUT.sub("約\\1", text))
            text = _EVERY.sub(lambda match: f"毎週 {match[1] or match[2]}", text)
            text = _AFTER_DATE.sub("\\1", text)
        if "から" in text or "の" in text or "ため" in text:
            text = _REASON.sub(_because, _WHY.sub("", text))
        return _COPULA.sub("", text)


def _because(match: re.Match[str]) -> str:
    return " becauseq 、" if match.group()[-1] in "、," else " becauseq "
