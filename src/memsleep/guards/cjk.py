"""Numbers, dates and times of day as Chinese and Japanese write them."""

# Letters are the data here, and a wide one counts as two columns.
# ruff: noqa: RUF001

from __future__ import annotations

import re
from fractions import Fraction

from memsleep.guards.lexicon import Lexicon, any_of

_DIGITS = {
    char: value
    for value, chars in enumerate("零〇 一 二两兩 三 四 五 六 七 八 九".split())
    for char in chars
}
_SCALES = {
    "十": 10, "百": 100, "千": 1000, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8,
    "兆": 10**12,
}  # fmt: skip
_ALL = "".join((*_DIGITS, *_SCALES))
_FORMAL = str.maketrans(
    "壹贰貳叁參肆伍陆陸柒捌玖拾佰仟壱弐参", "一二二三三四五六六七八九十百千一二三"
)
_FORMAL_RUN = re.compile(
    f"[{_ALL}伍陆陸拾參参]*[壹贰貳叁肆柒捌玖佰仟壱弐](?:[{_ALL}壹贰貳叁參肆伍陆陸柒捌玖拾佰仟壱弐参])*"
    "|(?<=[拾])[参伍]"
)
_MIXED = "[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+(?:\\.[0-9]+)?"
_NUMBER = re.compile(
    f"(?<![0-9.,])(?:{_MIXED})[{''.join(_SCALES)}]+(?:(?:[0-9]+(?:\\.[0-9]+)?)|[{_ALL}])*|[{_ALL}]+"
)
_PART = re.compile("[0-9]+(?:\\.[0-9]+)?|.")
_ZEROS = "零〇"


def cjk_numerals_to_digits(text: str, *, spoken: bool = False) -> str:
    """Replace runs of Chinese numerals by decimal digits.

    A numeral inside an ordinary word is replaced too: both sides of a comparison are treated
    alike, so equal texts stay equal and different numerals stay different. `spoken` reads "two
    thousand five" yuan as 2,500, as Chinese does where a zero would stand in 2,005; of other things
    it is unlike both.

    Examples
    --------
    >>> cjk_numerals_to_digits("重试十三次")
    '重试13次'
    >>> cjk_numerals_to_digits("叁仟元, 2.5万, 1億2千万")
    '3000元, 25000, 120000000'
    """
    text = _FORMAL_RUN.sub(lambda match: match.group().translate(_FORMAL), text)
    return _NUMBER.sub(lambda match: _value(match, spoken=spoken), text)


def _value(match: re.Match[str], *, spoken: bool) -> str:
    run = match.group()
    money = match.string[match.end() : match.end() + 1] in {"块", "元"}
    if run[0] not in "0123456789" and not any(char in _SCALES for char in run):
        digits = [_DIGITS[char] for char in run]
        # "two three times" is a guess between two and three; a year or a number with a zero in
        # it is read out digit by digit.
        is_guess = len(digits) == 2 and 0 < digits[1] - digits[0] < 3 and digits[0] > 0
        return ("q" if is_guess else "").join(map(str, digits))
    total, section, number = Fraction(0), Fraction(0), None
    last = 1
    for part in _PART.findall(run.replace(",", "")):
        if part in _DIGITS:
            number = Fraction(_DIGITS[part])
            last = 1 if part in _ZEROS else last
        elif part not in _SCALES:
            number = Fraction(part)
        elif _SCALES[part] < 10**4:
            last = _SCALES[part]
            section, number = section + (1 if number is None else number) * last, None
        else:
            last = _SCALES[part]
            here = section + (number or 0)
            total = total + here * last if here else max(total, Fraction(1)) * last
            section, number = Fraction(0), None
    loose = spoken and number is not None and number < 10 and last > 10
    if loose and number is not None and not money:
        return f"{total + section}q{number}"  # 1,500 to one reader, 1,005 to another
    if loose and number is not None:
        number *= Fraction(last, 10)
    whole = total + section + (number or 0)
    return str(whole) if whole.denominator == 1 else str(float(whole))


_N = "[0-9]+(?:\\.[0-9]+)?"
_COUNT = "[个個]?"
_FRACTION = re.compile("([0-9]+)分之([0-9]+)|([0-9]+)分の([0-9]+)")
_PER_HUNDRED = re.compile(f"100(?:分之|分の)\\s?({_N})|百分之\\s?({_N})")
_BETWEEN = re.compile("(?<=[0-9a-z%]) (?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff]) (?=[0-9])")
_BLANK = re.compile("(?<=[0-9]) (?=[万萬亿億])")
_HAS_DIGIT = re.compile("[0-9]")
_MONTH = re.compile(
    "(?<![0-9])([0-9]{4})年([0-9]{1,2})月(?![0-9])"
    "|(?<![-/0-9a-z._])(20[0-9]{2})[-/](0[1-9]|1[0-2])(?![-/0-9a-z._])"
)


class Amounts:
    """Halves, parts, percents and lengths of time of one language in figures."""

    def __init__(self, words: Lexicon, *, spoken: bool = False) -> None:
        self._spoken = spoken
        hours, minutes, seconds = (words.any_of(name) for name in ("hours", "minutes", "seconds"))
        joins = f"(?:{words.any_of('joins')})?"
        self._hour, self._minute = words.words("hours")[0], words.words("minutes")[0]
        self._second = words.words("seconds")[0]
        self._hours = re.compile(f"([0-9]+){_COUNT}(?:{hours}){joins}([0-9]+)(?:{minutes}|分)")
        self._minutes = re.compile(f"([0-9]+)(?:{minutes}|分){joins}([0-9]+)(?:{seconds})")
        self._half_more = re.compile(
            f"({_N}){_COUNT}({words.any_of('before_half')})半(?![{words.signs('half_words')}])"
            "(?:(?<=分半)[钟鐘])?"
        )
        self._half_counted = re.compile(f"({_N})[个個]半(?={words.any_of('behind_half')}|月)")
        self._half_less = re.compile(
            f"(?<![0-9点點時时{words.signs('no_half')}])半{_COUNT}({words.any_of('behind_half')})"
        )
        self._percent = re.compile(f"({_N})\\s?(?:{words.any_of('percent')})")
        self._tenths = re.compile(
            f"({_N})(?:{words.any_of('tenths')})({words.any_of('of_tenths')})"
        )
        self._point = re.compile(f"([0-9]+)[点點]([0-9])(?=[0-9]?(?:%|{words.any_of('pointed')}))")

    def plain(self, text: str) -> str:
        """Return a text with Chinese numerals, halves, percents and durations in figures."""
        text = _BLANK.sub("", _BETWEEN.sub("", text).replace("百分之", "%之"))
        text = cjk_numerals_to_digits(text, spoken=self._spoken).replace("%之", "百分之")
        if _HAS_DIGIT.search(text) is None and "半" not in text:
            return text
        text = self._percent.sub("\\1%", _PER_HUNDRED.sub(lambda m: f"{m[1] or m[2]}%", text))
        text = self._tenths.sub(lambda m: f"{Fraction(m[1]) * 10}%{m[2]}", text)
        text = _FRACTION.sub(lambda m: f"{m[2]}/{m[1]}" if m[1] else f"{m[4]}/{m[3]}", text)
        text = self._point.sub("\\1.\\2", text)
        text = self._minutes.sub(lambda m: f"{int(m[1]) * 60 + int(m[2])}{self._second}", text)
        text = self._hours.sub(lambda m: f"{int(m[1]) * 60 + int(m[2])}{self._minute}", text)
        if "半" in text:
            text = self._half_counted.sub(lambda m: f"{m[1]}.5", text)
            text = self._half_more.sub(self._and_half, text)
            text = self._half_less.sub(lambda m: f"0.5{m[1]}", text)
        return text

    def _and_half(self, match: re.Match[str]) -> str:
        value, unit = match[1], match[2]
        if "." in value or (unit in "年月日" and len(value) > 2):
            return match.group()
        return f"{value}.5{self._minute if unit == '分' else unit}"


class Times:
    """Eras, months, days of the week and times of day of one language, each as one word."""

    def __init__(self, words: Lexicon) -> None:
        self._eras = {era: int(year) for era, year in words.pairs("eras").items()}
        self._era = re.compile(f"({any_of(self._eras)})\\s?([0-9]{{1,3}}|元)\\s?年")
        self._weekdays = {
            day: number
            for number, days in enumerate(words.words("weekdays"), 1)
            for day in days.split("/")
        }
        self._weekday = re.compile(
            f"({words.any_of('week')})([1-6{''.join(d for d in self._weekdays if len(d) == 1)}])"
            f"(?![0-9{words.signs('not_weekday')}])"
            f"|({any_of(day for day in self._weekdays if len(day) > 1)})"
        )
        self._kept = words.pairs("told_day")
        self._afternoon = frozenset(words.words("afternoon"))
        self._night = frozenset(words.words("night"))
        self._noon = frozenset(words.words("noon"))
        parts = words.any_of("morning", "afternoon", "night", "noon")
        self._time = re.compile(
            f"({parts})?[的の]?\\s?(?<![0-9:.])([0-9]{{1,2}})"
            "(?:[点點时時](?![间間期光代点])(?:[过過]?([0-5]?[0-9])(?!刻)分?(?![0-9钟鐘秒])"
            "|(半)|([13])刻)?[整钟鐘]?|:([0-5][0-9])(?![0-9:]))"
        )
        self._span = re.compile(
            f"({words.any_of('afternoon', 'night')})\\s?([0-9]{{1,2}})"
            "((?:[点點时時](?:半|[0-9]{1,2}分?)?|:[0-9]{2})[钟鐘]?\\s?(?:到|至|から|-|~|〜|～)\\s?)"
            "(?=([0-9]{1,2})(?:[点點时時]|:[0-9]))"
        )
        self._before = re.compile(
            "差([0-9]{1,2}|1刻)分?钟?([0-9]{1,2})[点點]|([0-9]{1,2})[点點]差([0-9]{1,2}|1刻)分?"
            "|([0-9]{1,2})時([0-9]{1,2})分前"
        )

    def plain(self, text: str) -> str:
        """Return a text of digits with each date, day and time of day as a word of its own."""
        text = _MONTH.sub(_month, self._era.sub(self._of_era, text))
        text = self._before.sub(_before, text)
        text = self._time.sub(self._of_day, self._span.sub(_span, text))
        return self._weekday.sub(self._day, text)

    def _of_era(self, match: re.Match[str]) -> str:
        number = 1 if match[2] == "元" else int(match[2])
        return f"{self._eras[match[1]] + number}年"

    def _day(self, match: re.Match[str]) -> str:
        day = match[2] or match[3]
        return f" dayq{day if day.isdecimal() else self._weekdays[day]} "

    def _of_day(self, match: re.Match[str]) -> str:
        part, hour = match[1] or "", int(match[2])
        minute = match[3] or match[6] or (30 if match[4] else 15 * int(match[5] or 0))
        if hour > 24 or int(minute) > 59 or (not part and match[6]):
            return match.group()
        late = part in self._afternoon or (part in self._night and hour > 4)
        if hour < 12 and (late or (part in self._noon and hour < 4)):
            hour += 12
        elif hour == 12 and part in self._night:
            hour = 24
        return f"{self._kept.get(part, '')} timeq{hour % 24}q{int(minute)} "


def _month(match: re.Match[str]) -> str:
    year, month = (match[1], match[2]) if match[1] else (match[3], match[4])
    return f" dateq{year}q{int(month)}q " if 1 <= int(month) <= 12 else match.group()


def _span(match: re.Match[str]) -> str:
    """Say of the end of a span in which half of the day it is, where its start says so."""
    later = match[1] if int(match[2]) < int(match[4]) <= 12 else ""
    return match.group() + later


def _before(match: re.Match[str]) -> str:
    hour = match[2] or match[3] or match[5]
    less = match[1] or match[4] or match[6]
    minutes = int(hour) * 60 - (15 if less == "1刻" else int(less))
    return f"{minutes // 60 % 24}:{minutes % 60:02}"
