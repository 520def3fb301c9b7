"""Chinese: figures with what is counted, and turns of speech that a table cannot tell."""

from __future__ import annotations

import re

from memsleep.guards.cjk import plain_amounts, plain_times

_HAN = "\u4e00-\u9fff"
_PERSONS = re.compile(
    f"(?<![第前0-9.])([0-9]+)(?:个(?![月半星季世])|名|位(?![数密小字地整二随验精以]))(?=[{_HAN}])"
)
_COUNTED = re.compile(
    f"(?<![第前0-9.])([0-9]+)[台辆本张条仅支家间部枚颗座款架艘头匹棵朵盏项](?=[{_HAN}])"
    "(?![是在都被有的和与及将已就也还可以会要不没左右内外上下,到])"
)
_ABOUT = re.compile(f"([0-9][0-9.]*(?:%|[{_HAN}a-z]{{0,3}}?))(?:左右|上下)")
_AT_LEAST = re.compile(f"([0-9][0-9.]*(?:%|[{_HAN}a-z]{{0,2}}?))(?:或|及|和)?以上")
_AT_MOST = re.compile(f"([0-9][0-9.]*(?:%|[{_HAN}a-z]{{0,2}}?))(?:或|及|和)?以下")
_IS_FIGURE = re.compile("(?<=[^作成认因])(?:为|是)(?=\\s?(?:大约)?[0-9])")
_IN_CASE = re.compile("的话(?=[,、])")
_NOBODY_NOT = re.compile(f"没有(?:1个|任何)?([{_HAN}]{{1,4}}?)不(?![{_HAN}]{{0,2}}不)")
_CURRENCY = re.compile(
    "人民币\\s?([0-9][0-9.,]*)(?:元|块)?整?|([0-9][0-9.,]*)(?:元|块钱|块)(?:人民币|整)?"
)
_THOUGH = re.compile("(?<=[,。])\\s?(?:那么|则)")


_DAY_OF_MONTH = re.compile("((?:每月|本月|个月)\\s?[0-9]{1,2})[号號]")
_OWN = re.compile(
    "(?<=[%厅室房店厂校院部组队家国市县村司城楼站局馆园区路街机器库网页端员者生年月周])的(?=[\u4e00-\u9fff])"
)
_PLEASE = re.compile("(?:(?<=[,。;:.!?])|\\A)\\s?请(?![求假示教客愿问])")
_DONE = re.compile("([已过刚][^,。;了]{0,12})了(?=[,。;.]|\\Z)")
_AT = re.compile("[在于]\\s?(?=(?:每|上|下|这)?\\s?(?:dateq|dayq|timeq))")


def plain_han(text: str) -> str:
    """Return a folded Chinese text with figures, counted things and amounts in one form.

    Examples
    --------
    >>> plain_han("十二个人"), plain_han("三台服务器"), plain_han("人民币叁仟元")
    ('12人', '3服务器', '3000元')
    >>> plain_han("三个月"), plain_han("第三名学生"), plain_han("8位密码")
    ('3个月', '第3名学生', '8位密码')
    """
    text = plain_amounts(text, spoken=True)
    if any(char in "0123456789" for char in text):
        text = plain_times(text)
        text = _COUNTED.sub("\\1", _PERSONS.sub("\\1", text))
        text = _ABOUT.sub("大约\\1", text)
        text = _AT_MOST.sub("最多\\1", _AT_LEAST.sub("至少\\1", text))
        text = _CURRENCY.sub(lambda match: f"{match[1] or match[2]}元", text)
        text = _IS_FIGURE.sub("是", text)
    else:
        text = plain_times(text)
    text = _AT.sub("", text)
    text = _DAY_OF_MONTH.sub("\\1日", _OWN.sub("", text))
    text = _PLEASE.sub("", text)
    text = _DONE.sub("\\1", text)
    text = _NOBODY_NOT.sub("所有\\1都", text)
    return _THOUGH.sub("", _IN_CASE.sub(" dehuaq ", text))
