"""Arabic letters in one form, and number words, dates and times of day in figures."""

# Letters are the data here, and a wide one counts as two columns.
# ruff: noqa: E501, RUF001

from __future__ import annotations

import re
from fractions import Fraction

_LETTERS = str.maketrans(
    {
        "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ة": "ه", "ی": "ي", "ک": "ك",
        "٪": "%", "٫": ".", "٬": ",",
        **dict.fromkeys("\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652\u0653\u0670"),
    }
)  # fmt: skip
_SEATS = str.maketrans("", "", "ءؤئ")
_APART = re.compile("(?<!\\S)و\\s+(?=[\u0621-\u064a])")
_WILL = re.compile("(?<!\\S)(و?)سوف\\s+(?=[يتنا][\u0621-\u064a]{2})")

_UNITS = {
    name: value
    for value, names in enumerate(
        (
            "واحد واحده", "اثنان اثنين اثنتان اثنتين اثنا اثني اثنتا اثنتي", "ثلاث ثلاثه",
            "اربع اربعه", "خمس خمسه", "ست سته", "سبع سبعه", "ثمان ثماني ثمانيه", "تسع تسعه",
            "عشر عشره",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_TEEN_ONLY = {"احد": 1, "احدي": 1}
_TENS = {
    f"{stem}{ending}": value
    for stem, value in zip(
        "عشر ثلاث اربع خمس ست سبع ثمان تسع".split(), range(20, 100, 10), strict=True
    )
    for ending in ("ون", "ين")
}
_HUNDREDS = {
    "مئه": 100, "مائه": 100, "مئتا": 200, "مئتي": 200, "مئتان": 200, "مئتين": 200, "مائتان": 200, "مائتين": 200,
    **{
        f"{stem}{hundred}": 100 * value
        for value, stems in enumerate("ثلاث اربع خمس ست سبع ثمان|ثماني تسع".split(), 3)
        for stem in stems.split("|")
        for hundred in ("مئه", "مائه")
    },
}  # fmt: skip
_SCALES = {
    "الف": 1000, "الفا": 1000, "الاف": 1000, "مليون": 10**6, "مليونا": 10**6, "ملايين": 10**6,
    "مليار": 10**9, "مليارا": 10**9, "مليارات": 10**9,
}  # fmt: skip
_DUAL_SCALES = {"الفان": 2000, "الفين": 2000, "مليونان": 2 * 10**6, "مليونين": 2 * 10**6}
_KNOWN = "|".join(
    sorted(
        {*_UNITS, *_TEEN_ONLY, *_TENS, *_HUNDREDS, *_SCALES, *_DUAL_SCALES},
        key=lambda w: (-len(w), w),
    )
)
_RUN = re.compile(
    f"(?<![\\w])(?:و?(?:{_KNOWN})(?!\\w)|[0-9]+(?:\\.[0-9]+)?(?=\\s(?:الف|الفا|الاف|مليون|مليونا|ملايين|مليار|مليارا|مليارات)(?!\\w)))"
    f"(?:\\s(?:و?(?:{_KNOWN})(?!\\w)))*"
)


class _Sum:
    """The number that has been read so far, and what may follow in it."""

    def __init__(self) -> None:
        self.total = Fraction(0)
        self.section = Fraction(0)
        self.unit = Fraction(0)
        self.last = 0
        """The order of what was read last: 1, 10, 100, a scale; 0 for nothing."""

    @property
    def value(self) -> Fraction:
        return self.total + self.section + self.unit

    def one(self, number: int, *, joins: bool) -> bool:
        """Read a number below twenty: alone, or with `and` behind hundreds and more."""
        if self.last and not (joins and self.last >= 100):
            return False
        self.unit, self.last = Fraction(number), 1 if number < 10 else 10
        return True

    def ten(self, number: int, *, joins: bool) -> bool:
        """Read a ten: alone, with `and` behind a unit or behind hundreds and more."""
        if self.last and not (joins and (self.last == 1 or self.last >= 100)):
            return False
        self.unit, self.last = self.unit + number, 10
        return True

    def hundred(self, number: int, *, joins: bool) -> bool:
        """Read hundreds: alone, behind a unit, with `and` behind thousands."""
        counted = self.last == 1 and not joins
        if self.last and not counted and not (joins and self.last >= 1000):
            return False
        self.section += number * (self.unit if counted else 1)
        self.unit, self.last = Fraction(0), 100
        return True

    def scale(self, number: int, *, joins: bool) -> bool:
        """Read a thousand or more, counted by what stands before it."""
        if joins and self.last < number:
            return False
        here = Fraction(0) if joins else self.section + self.unit
        self.total += (here or 1) * number
        self.section, self.unit, self.last = Fraction(0), Fraction(0), number
        return True

    def dual(self, number: int, *, joins: bool) -> bool:
        """Read a thousand or more that is told to be two, at the start only."""
        if self.last or joins:
            return False
        self.total, self.last = Fraction(number), number // 2
        return True

    def took(self, word: str, *, joins: bool) -> bool:
        """Return True when a word goes on with the number, which it then is part of."""
        for table, read in (
            (_UNITS, self.one), (_TENS, self.ten), (_HUNDREDS, self.hundred),
            (_SCALES, self.scale), (_DUAL_SCALES, self.dual),
        ):  # fmt: skip
            if word in table:
                return read(table[word], joins=joins)
        return False


def _read(words: list[str]) -> tuple[Fraction, int]:
    """Return (value, words used) of the number with which the words begin; none used for none."""
    found, index = _Sum(), 0
    while index < len(words):
        word = words[index]
        joins = index > 0 and word.startswith("و") and word[1:] in _NUMBERS
        word = word[1:] if joins else word
        following = words[index + 1] if index + 1 < len(words) else ""
        if index == 0 and word[0].isdigit():
            found.unit, found.last = Fraction(word), 1
        elif word in _BEFORE_TEN and following in {"عشر", "عشره"}:
            if not found.one(10 + _BEFORE_TEN[word], joins=joins):
                break
            index += 1
        elif not found.took(word, joins=joins):
            break
        index += 1
    return found.value, index


_BEFORE_TEN = {**_UNITS, **_TEEN_ONLY}
_NUMBERS = frozenset({*_UNITS, *_TEEN_ONLY, *_TENS, *_HUNDREDS, *_SCALES, *_DUAL_SCALES})


def _numbers(match: re.Match[str]) -> str:
    words = match.group().split()
    result: list[str] = []
    while words:
        first = words[0]
        joined = first.startswith("و") and first not in _NUMBERS
        value, used = _read([first[1:], *words[1:]] if joined else words)
        if not used or (used == 1 and first in _TEEN_ONLY):
            result.append(words.pop(0))
            continue
        result.append(("و " if joined else "") + str(value))
        words = words[used:]
    return " ".join(result)


_ORDINALS = {
    name: value
    for value, names in enumerate(
        (
            "الاول الاولي الواحده", "الثاني الثانيه", "الثالث الثالثه", "الرابع الرابعه",
            "الخامس الخامسه", "السادس السادسه", "السابع السابعه", "الثامن الثامنه",
            "التاسع التاسعه", "العاشر العاشره",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_ORDINAL = "|".join(sorted(_ORDINALS, key=lambda w: (-len(w), w)))
_TEENTH = re.compile(f"(?<!\\w)(الحادي|الحاديه|{_ORDINAL})\\s(عشره?)(?!\\w)")
_TENTHS = {"العشرين": 20, "العشرون": 20, "الثلاثين": 30, "الثلاثون": 30}
_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "يناير|كانون الثاني|جانفي", "فبراير|شباط|فيفري", "مارس|اذار", "ابريل|نيسان|افريل",
            "مايو|ايار|ماي", "يونيو|حزيران|جوان", "يوليو|تموز|جويليه", "اغسطس|اب|اوت|غشت",
            "سبتمبر|ايلول|شتنبر", "اكتوبر|تشرين الاول", "نوفمبر|تشرين الثاني|نونبر",
            "ديسمبر|كانون الاول|دجنبر",
        ),
        1,
    )
    for name in names.split("|")
}  # fmt: skip
_MONTH = "|".join(sorted(_MONTHS, key=lambda w: (-len(w), w)))
_DAY = f"(?:([0-9]{{1,2}})|(?:(الحادي|{_ORDINAL})(?:_(عشر)|\\sو(العشرين|العشرون|الثلاثين|الثلاثون))?)|(العشرين|العشرون|الثلاثين|الثلاثون))"
_DATE = re.compile(
    f"(?<!\\w)(?:(?:في|بتاريخ|يوم|تاريخ)\\s)*{_DAY}\\s(?:من\\s)?(?:شهر\\s)?({_MONTH})(?!\\w)"
    "(?:\\s?[،,]?\\s?(?:من\\s)?(?:عام\\s|سنه\\s|لعام\\s|العام\\s)?([0-9]{4})(?![0-9]))?"
)
_DAY_OF_MONTH = re.compile(f"(?<!\\w){_DAY}\\sمن\\s(?=كل شهر|الشهر|شهر)")
_MONTH_ONLY = re.compile(
    f"(?<!\\w)(?:شهر\\s)?({_MONTH})\\s(?:من\\s)?(?:عام\\s|سنه\\s|لعام\\s)?([0-9]{{4}})(?!\\w)"
)
_SLASHED = re.compile(
    "(?<!\\w)(?:في|بتاريخ|يوم|تاريخ)\\s(?=[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4})"
)
_DAYS = {
    name: number for number, name in enumerate("اثنين ثلاثاء اربعاء خميس جمعه سبت احد".split(), 1)
}
_WEEKDAY = re.compile(
    f"(?<!\\w)(?:(في\\s)?(?:يوم|ايام|نهار)\\s|(?<=كل\\s))(?:ال)?({'|'.join(_DAYS)})(?!\\w)"
    f"|(?<!\\w)ال({'|'.join(_DAYS)})(?!\\w)"
)
_PARTS = {
    "صباحا": 0, "فجرا": 0, "ص": 0, "ظهرا": 1, "بعد الظهر": 1, "عصرا": 2, "مساء": 2, "م": 2,
    "في المساء": 2, "في الصباح": 0, "ليلا": 3,
}  # fmt: skip
_PART = "صباحا|فجرا|ظهرا|بعد الظهر|عصرا|مساء|ليلا|في المساء|في الصباح|[صم](?!\\w)"
_SPARE = "النصف|الربع|الثلث|(?:خمس|5|عشر|10) دقائق|[0-9]{1,2} دقيقه|الخمس دقائق|العشر دقائق"
_TIME = re.compile(
    "(?<!\\w)(?:(?:في|عند|بتمام|تمام|علي|في تمام)\\s)*(الساعه\\s)?"
    f"(?:([0-9]{{1,2}})(?::([0-5][0-9]))?|(?:(الحاديه|{_ORDINAL})(_عشره?)?))"
    f"(?:\\sو\\s?({_SPARE})|\\sالا\\s(ربعا?|ثلثا?|(?:خمس|5|عشر|10) دقائق|[0-9]{{1,2}} دقيقه))?"
    f"(?:\\sتماما)?(?:\\s({_PART})(?!\\w))?(?!\\w)"
)
_MINUTES = {"النصف": 30, "الربع": 15, "الثلث": 20, "ربع": 15, "ربعا": 15, "ثلث": 20, "ثلثا": 20}
_DUALS = {
    "مرت": "مره", "يوم": "يوم", "ساعت": "ساعه", "دقيقت": "دقيقه", "ثانيت": "ثانيه",
    "اسبوع": "اسبوع", "شهر": "شهر", "سنت": "سنه", "عام": "عام", "نسخت": "نسخه", "ملف": "ملف",
    "خادم": "خادم", "شخص": "شخص", "غرفت": "غرفه", "سيارت": "سياره", "موظف": "موظف",
    "متر": "متر", "كيلومتر": "كيلومتر", "لتر": "لتر", "طن": "طن", "كتاب": "كتاب", "مفتاح": "مفتاح",
    "باب": "باب", "طابق": "طابق", "طفل": "طفل", "بنت": "بنت", "صندوق": "صندوق", "جهاز": "جهاز",
    "درهم": "درهم", "ريال": "ريال", "دولار": "دولار", "دينار": "دينار", "مليم": "مليم", "صفحت": "صفحه",
    "حبت": "حبه", "قطت": "قطه", "كلب": "كلب", "رقم": "رقم", "سطر": "سطر", "عضو": "عضو", "فرع": "فرع",
}  # fmt: skip
_DUAL = re.compile(f"(?<!\\w)({'|'.join(_DUALS)})(?:ان|ين)(?!\\w)")
_TWO_THIRDS = re.compile("(?<!\\w)ثلث[اي](?=\\sال)")
_SPAN = "ساعه|دقيقه|ثانيه|يوم|يوما|اسبوع|شهر|سنه|عام|كيلومتر|متر|كيلوغرام|كيلو|لتر|ساعات|دقائق|ايام|سنوات"
_AND_HALF = re.compile(f"(?<!\\w)(?:([0-9]+)\\s)?({_SPAN})\\sو(نصف|ربع)(?!\\w)")
_HALF = re.compile("(?<!\\w)(نصف|ربع)\\s(ساعه|يوم|سنه|كيلو|لتر|ساعه)(?!\\w)")
_PERCENT = re.compile("(?<=[0-9])\\s?(?:بالمئه|بالمائه|في المئه|في المائه|بالميه)(?!\\w)")


def plain_arabic(text: str) -> str:
    """Return a folded text in one spelling, its numbers, dates and times in figures.

    Examples
    --------
    >>> plain_arabic("خمسة وعشرون"), plain_arabic("ثلاثة آلاف وخمسمئة")
    ('25', '3500')
    >>> plain_arabic("الساعة الثالثة والنصف عصرا"), plain_arabic("العاشر من حزيران 2026")
    (' timeq15q30 ', ' dateq2026q6q10 ')
    """
    text = _APART.sub("و", text.translate(_LETTERS).replace("مائ", "مئ"))
    text = _WILL.sub("\\1س", text)
    text = _DUAL.sub(lambda match: f"2 {_DUALS[match[1]]}", text)
    text = _TWO_THIRDS.sub("2/3", text)
    text = _RUN.sub(_numbers, _TEENTH.sub("\\1_\\2", text))
    text = _DATE.sub(_date, text)
    text = _DAY_OF_MONTH.sub(_day_of_month, text)
    text = _MONTH_ONLY.sub(lambda m: f" dateq{m[2]}q{_MONTHS[m[1]]}q ", text)
    text = _SLASHED.sub("", text)
    text = _TIME.sub(_time, text)
    text = _WEEKDAY.sub(lambda match: f" dayq{_DAYS[match[2] or match[3]]} ", text)
    text = _AND_HALF.sub(_and_half, text)
    text = _HALF.sub(lambda m: f"{'0.5' if m[1] == 'نصف' else '0.25'} {m[2]}", text)
    return _PERCENT.sub("%", text).translate(_SEATS)


def _and_half(match: re.Match[str]) -> str:
    more = "5" if match[3] == "نصف" else "25"
    return f"{match[1] or 1}.{more} {match[2]}"


def _day_of_month(match: re.Match[str]) -> str:
    return f"{_day(match)} من "


def _date(match: re.Match[str]) -> str:
    day, month, year = _day(match), match[6], match[7]
    if not 1 <= day <= 31:
        return match.group()
    return f" dateq{year or ''}q{_MONTHS[month]}q{day} "


def _day(match: re.Match[str]) -> int:
    figure, ordinal, teen, tens, whole = match.groups()[:5]
    if figure:
        day = int(figure)
    elif whole:
        day = _TENTHS[whole]
    else:
        day = 1 if ordinal == "الحادي" else _ORDINALS[ordinal]
        day += 10 if teen else _TENTHS[tens] if tens else 0
    return day


def _time(match: re.Match[str]) -> str:
    said, figure, clock, word, teen, more, less, part = match.groups()
    if not (
        said
        or (word and (more or part))
        or (figure and clock and part)
        or (figure and part and part not in "صم")
    ):
        return match.group()
    hour = int(figure) if figure else 1 if word == "الحاديه" else _ORDINALS[word]
    hour += 10 if teen else 0
    if hour > 24:
        return match.group()
    minutes = int(clock or 0) + _spare(more) - _spare(less)
    hour = _of_day(hour, part)
    total = (hour * 60 + minutes) % 1440
    return f" timeq{total // 60}q{total % 60} "


def _spare(text: str | None) -> int:
    if not text:
        return 0
    found = _MINUTES.get(text)
    if found is None:
        first = text.split()[0]
        found = {"خمس": 5, "عشر": 10, "الخمس": 5, "العشر": 10}.get(first) or int(first)
    return found


def _of_day(hour: int, part: str | None) -> int:
    kind = _PARTS.get(part or "", -1)
    if hour == 12:
        return 0 if kind in {0, 3} else 12
    if (kind == 2 or (kind == 1 and hour < 6) or (kind == 3 and hour > 5)) and hour < 12:
        return hour + 12
    return hour
