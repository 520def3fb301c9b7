"""Korean number words, native and Chinese, and Korean dates and times of day, in figures."""

# Letters are the data here, and a wide one counts as two columns.
# ruff: noqa: E501

from __future__ import annotations

import re
from fractions import Fraction

_ONES = {
    "하나": 1, "한": 1, "둘": 2, "두": 2, "셋": 3, "세": 3, "석": 3, "넷": 4, "네": 4, "넉": 4,
    "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9,
}  # fmt: skip
_TENS = {
    "열": 10, "스물": 20, "스무": 20, "서른": 30, "마흔": 40, "쉰": 50, "예순": 60, "일흔": 70,
    "여든": 80, "아흔": 90,
}  # fmt: skip
_DAYS = {
    "하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "여드레": 8,
    "아흐레": 9, "열흘": 10, "보름": 15,
}  # fmt: skip
_SINO = dict(zip("영공일이삼사오육륙칠팔구", (0, 0, 1, 2, 3, 4, 5, 6, 6, 7, 8, 9), strict=True))
_SCALES = {"십": 10, "백": 100, "천": 1000, "만": 10**4, "억": 10**8, "조": 10**12}
_COUNTERS = (
    "시간|시|명|사람|분|개월|개|마리|권|장|병|대|번째|번|회|살|곳|가지|달|주일|주|배|잔|채|그루|송이|켤레"
    "|벌|군데|쪽|층|통|건|차례|끼|쌍|팀|줄|달러|해|년|세트|단계|자리|칸|척|알|봉지|상자|갑|판|편|곡"
)
_ONE = "하나|한|둘|두|셋|세|석|넷|네|넉|다섯|여섯|일곱|여덟|아홉"
_TEN = "열|스물|스무|서른|마흔|쉰|예순|일흔|여든|아흔"
_NATIVE = re.compile(
    f"(?<![가-힣])(?:({_TEN})({_ONE})?|({_ONE}))(?:\\s?(?={_COUNTERS})|(?=[이가을를은는도만와과의,. ]|\\Z))"
)
_NOT_COUNTED = re.compile(
    "한(?![\\s]?(?:" + _COUNTERS + "))|[두세네석넉](?![\\s]?(?:" + _COUNTERS + "))"
)
_SINO_UNITS = (
    "원|년|개월|월|일|분|초|킬로그램|킬로미터|킬로바이트|킬로|미터|센티미터|센티|밀리미터|밀리초|밀리|퍼센트|프로"
    "|%|층|호|번|회|인분|인|명|주|kg|km|달러|도|세|살|배|장|페이지|쪽|학년|단계|차|메가바이트|메가|기가바이트"
    "|기가|그램|리터|톤|평|대|개|건|위안|엔|유로|바이트|시간|시"
)
_SINO_RUN = re.compile(
    f"(?<![가-힣0-9])([일이삼사오육륙칠팔구영공십백천만억조]{{2,}})(?=\\s?(?:{_SINO_UNITS}))"
    "|(?<![가-힣0-9])([삼육칠팔십백천만])(?=\\s(?:원|년|개월|분|초|킬로|미터|센티|퍼센트|프로|층|주|인분|도|일)(?![가-힣]{3}))"
    "|(?<![가-힣0-9])([일이삼사오육칠팔구십백천만])(?=년|개월|퍼센트|프로|킬로|미터|센티|학년|층|인분|주일|초(?![가-힣]{2}))"
    "|(?<![가-힣0-9])([이삼사오육칠팔구일십]+)(?=월\\s?[일이삼사오육칠팔구십0-9]+\\s?일)"
    "|(?<![가-힣0-9])([사오구])(?=\\s(?:분|초|년|개월)\\s?(?:이면|동안|만에|간|마다|씩|뒤|후|전|안에|이내|정도|까지|쯤|걸))"
    "|(?<=월 )([이삼사오육칠팔구일십]+)(?=일(?![가-힣]{3}))"
)
_MIXED = re.compile(
    "(?<![0-9.,])([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+(?:\\.[0-9]+)?)\\s?([십백천]?[만억조]|[백천](?=\\s?(?:원|명|개|건|대|달러)))"
    "(?:\\s?([0-9]+)\\s?([천백]?만|[천백])?)?(?=\\s?(?:원|명|개|건|대|회|번|달러|톤|킬로|미터|바이트|평|위안|엔|유로|년|시간|[^가-힣]|\\Z|[이가을를은는]))"
)
_MONTHS = {"유월": "6월", "시월": "10월"}
_HALF_HOUR = re.compile("([0-9]+)\\s?시간\\s?반(?![대복환드응품찬장지])")
_HOURS = re.compile("([0-9]+)\\s?시간\\s?([0-9]+)\\s?분")
_MINUTES = re.compile("([0-9]+)\\s?분\\s?([0-9]+)\\s?초")
_DAY_TIME = "오전|오후|새벽|아침|점심|낮|저녁|밤|한밤|심야"
_TIME = re.compile(
    f"(?:({_DAY_TIME})(?:에|의)?\\s?)?(?<![0-9:.])([0-9]{{1,2}})"
    "(?:\\s?시(?!간|즌|스|작|도|험|트)(?:\\s?([0-9]{1,2})\\s?분(?:\\s?(전))?|\\s?(반)(?![가-힣]{2}))?(?:\\s?정각)?"
    "|:([0-5][0-9])(?![0-9:]))(?:\\s?(에)(?![가-힣]))?"
)
_AFTERNOON = frozenset("오후 저녁 밤 한밤 심야".split())
_WEEKDAY = re.compile(
    "(매주\\s?)?([월화수목금토일])요일\\s?(마다|에)?(?![가-힣])|(매주\\s?)?([월화수목금토일])요일"
)
_DAY_NAMES = dict(zip("월화수목금토일", range(1, 8), strict=True))
_DATE = re.compile(
    "(?:(?<![0-9])([0-9]{4})\\s?년\\s?)?(?<![0-9])([0-9]{1,2})\\s?월\\s?([0-9]{1,2})\\s?일(?:\\s?에(?![가-힣]))?(?!간)"
)
_POINTED = re.compile(
    "(?<![0-9.])([0-9]{4})\\.\\s?([0-9]{1,2})\\.\\s?([0-9]{1,2})\\.?(?![0-9])(?:에(?![가-힣]))?|(?<![-/0-9.a-z_])([0-9]{4})[-/]([0-9]{1,2})[-/]([0-9]{1,2})(?![-/0-9a-z_])\\s?(?:에(?![가-힣]))?"
)
_MONTH = re.compile("(?<![0-9])([0-9]{4})\\s?년\\s?([0-9]{1,2})\\s?월(?!\\s?[0-9])")
_PERSONS = re.compile("(?<=[0-9])\\s?(?:명|사람|인)(?![가-힣]{2,}|[분간])")
_TIMES = re.compile("(?<=[0-9])\\s?(?:번|회|차례)(?!째|[가-힣]{2,})")
_TENTHS = re.compile("([0-9]+)할(?![가-힣])")


_CAN = re.compile("\\s?(?:수|때|것|지|예정|문|쇠)")


def _native(match: re.Match[str]) -> str:
    ten, one, alone = match.groups()
    if alone and _NOT_COUNTED.match(match.string, match.start()):
        return match.group()
    if match.group() == "열" and _CAN.match(match.string, match.end()):
        return match.group()
    value = (_TENS[ten] if ten else 0) + (_ONES[one or alone] if one or alone else 0)
    return str(value)


def _sino_value(run: str) -> int | None:
    if not any(char in _SCALES for char in run):
        return int("".join(str(_SINO[char]) for char in run))
    total, section, number = 0, 0, 0
    for char in run:
        if char in _SINO:
            number = _SINO[char]
        elif _SCALES[char] < 10**4:
            section, number = section + max(1, number) * _SCALES[char], 0
        else:
            total, section, number = total + max(1, section + number) * _SCALES[char], 0, 0
    return total + section + number


def _sino(match: re.Match[str]) -> str:
    run = next(group for group in match.groups() if group)
    if len(run) > 1 and not any(char in "십백천만억" for char in run):
        return match.group()
    return str(_sino_value(run))


_BOTH = re.compile(
    f"(?<![가-힣0-9])([일이삼사오육칠팔구십백천만]*[백천만])({_TEN})?({_ONE})?(?=\\s?(?:{_COUNTERS}|상자))"
)
_ORDINALS = {
    "첫": 1, "둘": 2, "셋": 3, "넷": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10,
}  # fmt: skip
_ORDINAL = re.compile(f"(?<![가-힣])({'|'.join(_ORDINALS)})(?:째|\\s번째)(?![가-힣]{{2}})")
_APART = re.compile(
    "(?<=[일이삼사오육칠팔구십백천][억만]) (?=[일이삼사오육칠팔구십백천]+(?:만)?\\s?(?:원|명|개|달러|건|대))"
)
_FRACTION = re.compile(
    "(?<![가-힣0-9])([이삼사오육칠팔구십]|[0-9]+)\\s?분의\\s?([일이삼사오육칠팔구]|[0-9]+)"
)


def _both(match: re.Match[str]) -> str:
    """Return a number of which the hundreds are Chinese and the rest Korean."""
    head, ten, one = match.groups()
    if not ten and not one:
        return match.group()
    return str((_sino_value(head) or 0) + _TENS.get(ten or "", 0) + _ONES.get(one or "", 0))


def _fraction(match: re.Match[str]) -> str:
    whole, part = (text if text.isdecimal() else str(_sino_value(text)) for text in match.groups())
    return f"{part}/{whole}"


def _mixed(match: re.Match[str]) -> str:
    value = Fraction(match[1].replace(",", ""))
    for char in match[2]:
        value *= _SCALES[char]
    if match[3]:
        more = int(match[3])
        for char in match[4] or "":
            more *= _SCALES[char]
        value += more
    return str(value) if value.denominator == 1 else match.group()


def _time(match: re.Match[str]) -> str:
    part, hour, minute, before, half, clock, _ = match.groups()
    value = int(hour) * 60
    told = int(minute or clock or (30 if half else 0))
    if int(hour) > 24 or told > 59 or (clock and int(hour) == 24):
        return match.group()
    value += -told if before else told
    if (int(hour) < 12 and part in _AFTERNOON and (part != "밤" or int(hour) > 4)) or (
        int(hour) < 5 and part in {"낮", "점심"}
    ):
        value += 720
    value %= 1440
    return f" timeq{value // 60}q{value % 60} "


_SPAN = re.compile(
    "(오후|저녁|밤)\\s?([0-9]{1,2})(\\s?시(?:\\s?[0-9]{1,2}\\s?분|\\s?반)?\\s?(?:부터|에서|-|~|〜)\\s?)"
    "(?=([0-9]{1,2})\\s?시)"
)


def _span(match: re.Match[str]) -> str:
    """Say of the end of a span in which half of the day it is, where its start says so."""
    later = f"{match[1]} " if int(match[2]) < int(match[4]) <= 12 else ""
    return match.group() + later


def _weekday(match: re.Match[str]) -> str:
    day = match[2] or match[5]
    weekly = "매주 " if match[1] or match[4] or match[3] == "마다" else ""
    return f"{weekly} dayq{_DAY_NAMES[day]} "


def _date(match: re.Match[str]) -> str:
    year, month, day = match[1] or "", int(match[2]), int(match[3])
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return match.group()
    return f" dateq{year}q{month}q{day} "


def _pointed(match: re.Match[str]) -> str:
    year, month, day = (part for part in match.groups() if part)
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        return match.group()
    return f" dateq{year}q{int(month)}q{int(day)} "


def plain_korean_numbers(text: str) -> str:
    """Return a text with number words, dates, days and times in one form.

    Examples
    --------
    >>> plain_korean_numbers("스물네 대"), plain_korean_numbers("오백만 원"), plain_korean_numbers("3만 5천 원")
    ('24대', '5000000 원', '35000 원')
    >>> plain_korean_numbers("오후 세 시 반"), plain_korean_numbers("화요일마다")
    (' timeq15q30 ', '매주  dayq2 ')
    """
    for name, month in _MONTHS.items():
        text = text.replace(name, month)
    text = _ORDINAL.sub(lambda match: f"{_ORDINALS[match[1]]}번째", text)
    text = _FRACTION.sub(_fraction, _BOTH.sub(_both, _APART.sub("", text)))
    text = _SINO_RUN.sub(_sino, _NATIVE.sub(_native, text))
    text = _NAMED_DAYS.sub(lambda match: f"{_DAYS[match[1]]}일{match[2]}", text)
    if not any(char in "0123456789" for char in text) and "요일" not in text:
        return text
    text = _MIXED.sub(_mixed, text)
    text = _TENTHS.sub(lambda match: f"{int(match[1]) * 10}%", text)
    text = _HALF_HOUR.sub(lambda match: f"{match[1]}.5시간", text)
    text = _HOURS.sub(lambda match: f"{int(match[1]) * 60 + int(match[2])}분", text)
    text = _MINUTES.sub(lambda match: f"{int(match[1]) * 60 + int(match[2])}초", text)
    text = _POINTED.sub(_pointed, text)
    text = _DATE.sub(_date, text)
    text = _MONTH.sub(lambda match: f" dateq{match[1]}q{int(match[2])}q ", text)
    text = _WEEKDAY.sub(_weekday, _TIME.sub(_time, _SPAN.sub(_span, text)))
    return _TIMES.sub("회", _PERSONS.sub("명", text))


_NAMED_DAYS = re.compile(
    f"(?<![가-힣])({'|'.join(_DAYS)})\\s?(동안|간|마다|전|후|뒤|안에|이내|내로|에|만에|만|치|씩|[,. ]|\\Z)"
)
