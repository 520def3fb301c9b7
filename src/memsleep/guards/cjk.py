"""Numbers, dates and times of day as Chinese and Japanese write them."""

# Letters are the data here, and a wide one counts as two columns.
# ruff: noqa: RUF001

from __future__ import annotations

import re
from fractions import Fraction

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
_HALF_MORE = re.compile(
    f"({_N})(?:个|個)?(年|天|日|小时|小時|个月|個月|分|周|週間|时间|時間|[かヶカヵケ]月|公里|公斤|米|斤"
    "|杯|倍|歳|キロ|秒|月|钟头|メートル)半(?![价價数数天夜])(?:(?<=分半)[钟鐘])?"
)
_HALF_COUNTED = re.compile(f"({_N})(?:个|個)半(?=小时|小時|月|钟头|星期)")
_HALF_LESS = re.compile(
    "(?<![上下前后後大多过過点時时0-9夜])半(?:个|個)?"
    "(小时|小時|钟头|年|月|分钟|分鐘|時間|[かヶ]月|公里|公斤|斤)"
)
_HOURS = re.compile(
    "([0-9]+)(?:个|個)?(?:小时|小時|时间|時間|钟头)(?:零|と|又)?([0-9]+)(?:分钟|分鐘|分間|分)"
)
_MINUTES = re.compile("([0-9]+)(?:分钟|分鐘|分間|分)(?:零|と|又)?([0-9]+)秒")
_PERCENT = re.compile(
    f"百分之\\s?({_N})|({_N})\\s?(?:パーセント|百分比|割(?![りっ引]*[らっり合]))|({_N})成"
    "(?=的|左右|以上|以下|用户|用戶|員|员|人|[,，。]|\\Z)"
)
_FRACTION = re.compile("([0-9]+)分之([0-9]+)|([0-9]+)分の([0-9]+)")
_PER_HUNDRED = re.compile(f"100(?:分之|分の)\\s?({_N})")
_POINT = re.compile(
    "([0-9]+)[点點]([0-9])(?=[0-9]{0,1}(?:%|倍|[万亿]|米|公|个百分|度|版|元|秒|kg|gb))"
)
_RANGE = re.compile(
    f"({_N})\\s?(个|個|岁|歲|歳|人|名|元|円|%|度|天|日間|小时|時間|分钟|分|次|回|年)?"
    f"(?:至|到|~|～|〜|から|-)\\s?(?=({_N})\\s?(?:个|個|岁|歲|歳|人|名|元|円|%|度|天|日間|小时|時間"
    "|分钟|分|次|回|年)?)"
)


_BETWEEN = re.compile("(?<=[0-9a-z%]) (?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff]) (?=[0-9])")
_BLANK = re.compile("(?<=[0-9]) (?=[万萬亿億])")


def plain_amounts(text: str, *, spoken: bool = False) -> str:
    """Return a text with Chinese numerals as digits, and halves, percents and durations as one.

    Examples
    --------
    >>> plain_amounts("一个半小时, 百分之四十, 三割, 1小时30分")
    '1.5小时, 40%, 30%, 90分钟'
    >>> plain_amounts("三分之一")
    '1/3'
    """
    text = _BLANK.sub("", _BETWEEN.sub("", text).replace("百分之", "%之"))
    text = cjk_numerals_to_digits(text, spoken=spoken).replace("%之", "百分之")
    if _HAS_DIGIT.search(text) is None and "半" not in text:
        return text
    text = _PERCENT.sub(_percent, _PER_HUNDRED.sub("\\1%", text))
    text = _FRACTION.sub(lambda m: f"{m[2]}/{m[1]}" if m[1] else f"{m[4]}/{m[3]}", text)
    text = _POINT.sub("\\1.\\2", text)
    text = _MINUTES.sub(lambda m: f"{int(m[1]) * 60 + int(m[2])}秒", text)
    text = _HOURS.sub(lambda m: f"{int(m[1]) * 60 + int(m[2])}分钟", text)
    if "半" in text:
        text = _HALF_COUNTED.sub(lambda m: f"{m[1]}.5", text)
        text = _HALF_MORE.sub(_half_more, text)
        text = _HALF_LESS.sub(lambda m: f"0.5{m[1]}", text)
    return text


_HAS_DIGIT = re.compile("[0-9]")


def _percent(match: re.Match[str]) -> str:
    if match[1]:
        return f"{match[1]}%"
    if match[3]:
        return f"{_tenfold(match[3])}%"
    is_tenths = match.group().endswith("割")
    return f"{_tenfold(match[2]) if is_tenths else match[2]}%"


def _tenfold(value: str) -> str:
    return str(Fraction(value) * 10)


def _half_more(match: re.Match[str]) -> str:
    value, unit = match[1], match[2]
    if "." in value or (unit in "年月日" and len(value) > 2):
        return match.group()
    tail = "钟" if unit == "分" else ""
    return f"{value}.5{unit}{tail}"


_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "民国": 1911, "民國": 1911}
_ERA = re.compile("(令和|平成|昭和|大正|民国|民國)\\s?([0-9]{1,3}|元)\\s?年")
_MONTH = re.compile(
    "(?<![0-9])([0-9]{4})年([0-9]{1,2})月(?:份)?(?![0-9])|(?<![-/0-9a-z._])(20[0-9]{2})[-/](0[1-9]|1[0-2])(?![-/0-9a-z._])"
)
_WEEKDAY = re.compile(
    "(?:周|週|星期|礼拜|禮拜)([1-6日天])(?![0-9天年个個次回趟遍])|([月火水木金土日])曜日?"
)
_DAYS = {
    day: number for number, days in enumerate("月 火 水 木 金 土 日天".split(), 1) for day in days
}
_DAY_TIME = (
    "凌晨|清晨|清早|早晨|早上|早|上午|中午|下午|午后|傍晚|晚上|晚间|夜里|夜晚|晚|深夜|半夜"
    "|午前|午後|朝|昼|夕方|夜|今朝|今夜|昨晚|今晚|明晚|am|pm"
)
_KEPT = {"今朝": "今日", "今夜": "今日", "昨晚": "昨天", "今晚": "今天", "明晚": "明天"}
_TIME = re.compile(
    f"({_DAY_TIME})?(?:的|の)?\\s?(?<![0-9:.])([0-9]{{1,2}})"
    "(?:[点點时時](?![间間期光代点])(?:(?:过|過)?([0-5]?[0-9])(?!刻)分?(?![0-9钟鐘秒])|(半)|([13])刻)?[整钟鐘]?"
    "|:([0-5][0-9])(?![0-9:]))"
)
_SPAN = re.compile(
    "(下午|午后|午後|傍晚|夕方|晚上|夜)\\s?([0-9]{1,2})((?:[点點时時](?:半|[0-9]{1,2}分?)?|:[0-9]{2})"
    "(?:钟|鐘)?\\s?(?:到|至|から|-|~|〜|～)\\s?)(?=([0-9]{1,2})(?:[点點时時]|:[0-9]))"
)
_AFTERNOON = frozenset("下午 午后 午後 傍晚 夕方 pm".split())
_NIGHT = frozenset("晚上 晚间 夜里 夜晚 晚 夜 今夜 昨晚 今晚 明晚 深夜 半夜".split())
_TO = re.compile(
    "(?:差([0-9]{1,2}|1刻)分?(?:钟)?([0-9]{1,2})[点點])|(?:([0-9]{1,2})[点點]差([0-9]{1,2}|1刻)分?)|(?:([0-9]{1,2})時([0-9]{1,2})分前)"
)
_POINTS = {"正午": "timeq12q0", "中午12点": "timeq12q0", "午夜": "timeq0q0", "零時": "timeq0q0"}


def plain_times(text: str) -> str:
    """Return a text of digits with eras, months, days of the week and times of day as one word.

    Examples
    --------
    >>> plain_times("令和8年"), plain_times("下午3点半"), plain_times("周3")
    ('2026年', ' timeq15q30 ', ' dayq3 ')
    """
    text = _ERA.sub(_era, text)
    text = _MONTH.sub(_month, text)
    text = _TO.sub(_before, text)
    text = _TIME.sub(_time, _SPAN.sub(_span, text))
    return _WEEKDAY.sub(_day, text)


def _era(match: re.Match[str]) -> str:
    number = 1 if match[2] == "元" else int(match[2])
    return f"{_ERAS[match[1]] + number}年"


def _month(match: re.Match[str]) -> str:
    year, month = (match[1], match[2]) if match[1] else (match[3], match[4])
    return f" dateq{year}q{int(month)}q " if 1 <= int(month) <= 12 else match.group()


def _day(match: re.Match[str]) -> str:
    day = match[1] or match[2]
    return f" dayq{day if day.isdecimal() else _DAYS[day]} "


def _span(match: re.Match[str]) -> str:
    """Say of the end of a span in which half of the day it is, where its start says so."""
    later = match[1] if int(match[2]) < int(match[4]) <= 12 else ""
    return match.group() + later


def _before(match: re.Match[str]) -> str:
    hour = match[2] or match[3] or match[5]
    less = match[1] or match[4] or match[6]
    minutes = int(hour) * 60 - (15 if less == "1刻" else int(less))
    return f"{minutes // 60 % 24}:{minutes % 60:02}"


def _time(match: re.Match[str]) -> str:
    part, hour = match[1], int(match[2])
    minute = match[3] or match[6] or (30 if match[4] else 15 * int(match[5]) if match[5] else 0)
    if hour > 24 or int(minute) > 59 or (part is None and match[6]):
        return match.group()
    if (hour < 12 and (part in _AFTERNOON or (part in _NIGHT and hour > 4))) or (
        hour < 4 and part in {"中午", "昼"}
    ):
        hour += 12
    elif hour == 12 and part in _NIGHT:
        hour = 24
    kept = _KEPT.get(part or "", "")
    return f"{kept} timeq{hour % 24}q{int(minute)} "
