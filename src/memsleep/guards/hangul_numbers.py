"""Korean number words, native and Chinese, in figures."""

# Letters are the data here, and a wide one counts as two columns.

from __future__ import annotations

import re
from fractions import Fraction

from memsleep.guards.lexicon import Lexicon, any_of

_ONES = {
    "하나": 1, "한": 1, "둘": 2, "두": 2, "셋": 3, "세": 3, "석": 3, "넷": 4, "네": 4, "넉": 4,
    "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9,
}  # fmt: skip
_TENS = {
    "열": 10, "스물": 20, "스무": 20, "서른": 30, "마흔": 40, "쉰": 50, "예순": 60, "일흔": 70,
    "여든": 80, "아흔": 90,
}  # fmt: skip
_SINO = dict(zip("영공일이삼사오육륙칠팔구", (0, 0, 1, 2, 3, 4, 5, 6, 6, 7, 8, 9), strict=True))
_SCALES = {"십": 10, "백": 100, "천": 1000, "만": 10**4, "억": 10**8, "조": 10**12}
_ONE, _TEN = any_of(_ONES), any_of(_TENS)
_ORDINALS = (
    {"첫": 1, "둘": 2, "셋": 3, "넷": 4}
    | {word: n for word, n in _ONES.items() if n > 4}
    | {"열": 10}
)
_ORDINAL = re.compile(f"(?<![가-힣])({any_of(_ORDINALS)})(?:째|\\s번째)(?![가-힣]{{2}})")
_DIGIT = "일이삼사오육칠팔구십백천"
_FRACTION = re.compile(
    "(?<![가-힣0-9])([이삼사오육칠팔구십]|[0-9]+)\\s?분의\\s?([일이삼사오육칠팔구]|[0-9]+)"
)
_TENTHS = re.compile("([0-9]+)할(?![가-힣])")


class KoreanNumbers:
    """The number words of a Korean text in figures; the lists name what may be counted."""

    def __init__(self, words: Lexicon) -> None:
        counters, units = words.any_of("counters"), words.any_of("sino_units")
        self._native = re.compile(
            f"(?<![가-힣])(?:({_TEN})({_ONE})?|({_ONE}))"
            f"(?:\\s?(?={counters})|(?=[이가을를은는도만와과의,. ]|\\Z))"
        )
        self._loose = re.compile(f"(?:한|[두세네석넉])(?!\\s?(?:{counters}))")
        self._verb = re.compile(f"\\s?(?:{words.any_of('after_ten')})")
        self._both = re.compile(
            f"(?<![가-힣0-9])([{_DIGIT}만]*[백천만])({_TEN})?({_ONE})?(?=\\s?(?:{counters}))"
        )
        self._apart = re.compile(
            f"(?<=[{_DIGIT}][억만]) (?=[{_DIGIT}]+만?\\s?(?:{words.any_of('counted')}))"
        )
        first = "(?<![가-힣0-9])"
        self._sino = re.compile(
            f"{first}([{_DIGIT}영공만억조]{{2,}})(?=\\s?(?:{units}))"
            f"|{first}([삼육칠팔십백천만])(?=\\s(?:{words.any_of('apart_units')})(?![가-힣]{{3}}))"
            f"|{first}([{_DIGIT}만])(?={words.any_of('glued_units')}|초(?![가-힣]{{2}}))"
            f"|{first}([이삼사오육칠팔구일십]+)(?=월\\s?[일이삼사오육칠팔구십0-9]+\\s?일)"
            f"|{first}([사오구])(?=\\s(?:분|초|년|개월)\\s?(?:{words.any_of('spans')}))"
            "|(?<=월 )([이삼사오육칠팔구일십]+)(?=일(?![가-힣]{3}))"
        )
        self._mixed = re.compile(
            "(?<![0-9.,])([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+(?:\\.[0-9]+)?)"
            f"\\s?([십백천]?[만억조]|[백천](?=\\s?(?:{words.any_of('counted')})))"
            "(?:\\s?([0-9]+)\\s?([천백]?만|[천백])?)?"
            f"(?=\\s?(?:{words.any_of('counted')}|[^가-힣]|\\Z|[이가을를은는]))"
        )

    def plain(self, text: str) -> str:
        """Return a text with number words in figures.

        Examples
        --------
        >>> from memsleep.guards.tables import table_of
        >>> plain = KoreanNumbers(Lexicon(table_of("ko"))).plain
        >>> plain("스물네 대"), plain("오백만 원"), plain("3만 5천 원"), plain("백다섯 상자")
        ('24대', '5000000 원', '35000 원', '105 상자')
        """
        text = _ORDINAL.sub(lambda match: f"{_ORDINALS[match[1]]}번째", text)
        text = _FRACTION.sub(_fraction, self._both.sub(_both, self._apart.sub("", text)))
        text = self._sino.sub(_of_sino, self._native.sub(self._of_native, text))
        if not any(char in "0123456789" for char in text):
            return text
        text = self._mixed.sub(_mixed, text)
        return _TENTHS.sub(lambda match: f"{int(match[1]) * 10}%", text)

    def _of_native(self, match: re.Match[str]) -> str:
        ten, one, alone = match.groups()
        loose = alone and self._loose.match(match.string, match.start())
        if loose or (match.group() == "열" and self._verb.match(match.string, match.end())):
            return match.group()
        return str(_TENS.get(ten or "", 0) + _ONES.get(one or alone or "", 0))


def _of_sino(match: re.Match[str]) -> str:
    run = next(group for group in match.groups() if group)
    if len(run) > 1 and not any(char in "십백천만억" for char in run):
        return match.group()
    return str(_sino_value(run))


def _both(match: re.Match[str]) -> str:
    """Return a number of which the hundreds are Chinese and the rest Korean."""
    head, ten, one = match.groups()
    if not ten and not one:
        return match.group()
    return str(_sino_value(head) + _TENS.get(ten or "", 0) + _ONES.get(one or "", 0))


def _fraction(match: re.Match[str]) -> str:
    whole, part = (text if text.isdecimal() else str(_sino_value(text)) for text in match.groups())
    return f"{part}/{whole}"


def _sino_value(run: str) -> int:
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
