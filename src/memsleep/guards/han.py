"""Chinese: figures with what is counted, and turns of speech that a table cannot tell."""

from __future__ import annotations

import re

from memsleep.guards.cjk import Amounts, Times
from memsleep.guards.lexicon import Lexicon

_HAN = "\u4e00-\u9fff"
_ABOUT = re.compile(f"([0-9][0-9.]*(?:%|[{_HAN}a-z]{{0,3}}?))(?:左右|上下)")
_AT_LEAST = re.compile(f"([0-9][0-9.]*(?:%|[{_HAN}a-z]{{0,2}}?))[或及和]?以上")
_AT_MOST = re.compile(f"([0-9][0-9.]*(?:%|[{_HAN}a-z]{{0,2}}?))[或及和]?以下")
_IS_FIGURE = re.compile("(?<=[^作成认因])[为是](?=\\s?(?:大约)?[0-9])")
_IN_CASE = re.compile("的话(?=[,、])")
_NOBODY_NOT = re.compile(f"没有(?:1个|任何)?([{_HAN}]{{1,4}}?)不(?![{_HAN}]{{0,2}}不)")
_THEN = re.compile("(?<=[,。])\\s?(?:那么|则)")
_DAY_OF_MONTH = re.compile("((?:每月|本月|个月)\\s?[0-9]{1,2})[号號]")
_AT = re.compile("[在于]\\s?(?=[每上下这]?\\s?(?:dateq|dayq|timeq))")
_DONE = re.compile("([已过刚][^,。;了]{0,12})了(?=[,。;.]|\\Z)")


class ChineseText:
    """What brings a folded Chinese text to one form, beyond its pieces."""

    def __init__(self, words: Lexicon) -> None:
        self._amounts, self._times = Amounts(words, spoken=True), Times(words)
        persons = "|".join(
            f"{counter}(?![{behind}])" if behind else counter
            for counter, behind in words.pairs("persons").items()
        )
        first = f"(?<![{words.signs('not_counted')}0-9.])([0-9]+)"
        self._persons = re.compile(f"{first}(?:{persons})(?=[{_HAN}])")
        self._counted = re.compile(
            f"{first}[{words.signs('counters')}](?=[{_HAN}])(?![{words.signs('behind_counters')},])"
        )
        name, sums = words.any_of("currency"), words.any_of("currency_units")
        self._money = words.words("currency_units")[0]
        self._currency = re.compile(
            f"(?:{name})\\s?([0-9][0-9.,]*)(?:{sums})?整?|([0-9][0-9.,]*)(?:{sums})(?:{name}|整)?"
        )
        self._owners = re.compile(f"(?<=[%{words.signs('owners')}])的(?=[{_HAN}])")
        spans = words.any_of("hours", "minutes", "seconds")
        self._every = re.compile(f"每隔(?=[0-9.]+个?(?:{spans}))")
        self._please = re.compile(
            f"(?:(?<=[,。;:.!?前后时])|\\A)\\s?请(?![{words.signs('please_words')}])"
        )

    def plain(self, text: str) -> str:
        """Return a text with figures, counted things and amounts in one form.

        Examples
        --------
        >>> from memsleep.guards.tables import table_of
        >>> plain = ChineseText(Lexicon(table_of("zh"))).plain
        >>> plain("十二个人"), plain("三台服务器"), plain("人民币叁仟元"), plain("一个半小时")
        ('12人', '3服务器', '3000元', '1.5小时')
        >>> plain("三个月"), plain("第三名学生"), plain("8位密码"), plain("下午三点半")
        ('3个月', '第3名学生', '8位密码', ' timeq15q30 ')
        """
        text = self._times.plain(self._amounts.plain(text))
        if any(char in "0123456789" for char in text):
            text = self._counted.sub("\\1", self._persons.sub("\\1", text))
            text = _ABOUT.sub("大约\\1", text)
            text = _AT_MOST.sub("最多\\1", _AT_LEAST.sub("至少\\1", text))
            text = self._currency.sub(lambda m: f"{m[1] or m[2]}{self._money}", text)
            text = self._every.sub("每", _IS_FIGURE.sub("是", text))
        text = _AT.sub("", text)
        text = _DAY_OF_MONTH.sub("\\1日", self._owners.sub("", text))
        text = self._please.sub("", text)
        text = _NOBODY_NOT.sub("所有\\1都", _DONE.sub("\\1", text))
        return _THEN.sub("", _IN_CASE.sub(" dehuaq ", text))
