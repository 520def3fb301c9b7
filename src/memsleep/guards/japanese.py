"""Japanese: figures with what is counted, reasons, and the little words behind a noun."""

from __future__ import annotations

import re

from memsleep.guards.cjk import plain_amounts, plain_times

_NATIVE = {"ひと": 1, "ふた": 2, "みっ": 3, "よっ": 4, "いつ": 5, "むっ": 6, "なな": 7, "やっ": 8,
           "ここの": 9}  # fmt: skip
_NATIVE_COUNT = re.compile(f"({'|'.join(_NATIVE)})つ(?=[のをがにはでと、。]|\\Z)")
_PEOPLE = {"ひとり": "1人", "ふたり": "2人"}
_PERSONS = re.compile("(?<=[0-9])(?:名様|名|人様|人)(?!前)")
_THINGS = re.compile("(?<=[0-9])(?:つ|個|箇|台|匹|頭|羽|冊|件|基|軒)の")
_LOOSE = re.compile("(?<=[0-9])(?:つ|箇|コ|ケ(?!月))(?!き|の間)")
_AGE = re.compile("(?<=[0-9])才")
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
_PARENT = re.compile("(?<![雲祖岳義酵叔伯])([父母])(?:さん|親)(?!会)")
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


def plain_japanese(text: str) -> str:
    """Return a folded text with figures, counted things and reasons in one form.

    Examples
    --------
    >>> plain_japanese("三つのサーバー"), plain_japanese("二十三名です")
    ('3個のサーバー', '23人')
    >>> plain_japanese("雨なので、"), plain_japanese("雨が降ったからだ")
    ('雨な becauseq 、', '雨が降った becauseq ')
    """
    text = _NATIVE_COUNT.sub(lambda match: f"{_NATIVE[match[1]]}個", text)
    for word, figure in _PEOPLE.items():
        text = text.replace(word, figure)
    text = _PARENT.sub("\\1", text)
    text = plain_times(plain_amounts(_HONORED.sub("", _WHERE.sub("に", text))))
    if any(char in "0123456789" for char in text):
        text = _AGE.sub("歳", _PERSONS.sub("人", text))
        text = _LOOSE.sub("個", _THINGS.sub("個の", text))
        text = _AT_LEAST.sub("\\1以上", _ABOUT.sub("約\\1", text))
        text = _EVERY.sub(lambda match: f"毎週 {match[1] or match[2]}", text)
        text = _AFTER_DATE.sub("\\1", text)
    if "から" in text or "の" in text or "ため" in text:
        text = _REASON.sub(_because, _WHY.sub("", text))
    return _COPULA.sub("", text)


def _because(match: re.Match[str]) -> str:
    return " becauseq 、" if match.group()[-1] in "、," else " becauseq "
