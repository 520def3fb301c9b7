"""Number words and Chinese numerals as digits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from memsleep.guards.tables import Table

_FIGURES = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?\Z")


class NumberWords:
    """The number words of one language.

    Examples
    --------
    >>> from memsleep.guards.tables import table_of
    >>> english = NumberWords(table_of("en"))
    >>> english.applied("after twenty five tries".split())
    ['after', '25', 'tries']
    >>> english.applied("two hundred and one hundred".split())
    ['200', 'and', '100']
    >>> english.applied("the third of two hundred and five".split())
    ['the', '3th', 'of', '205']
    """

    def __init__(self, table: Table) -> None:
        words = {
            word: int(value) for value, names in table.alternatives("numbers") for word in names
        }
        self._small = {word: value for word, value in words.items() if value < 100}
        self._scales = {word: value for word, value in words.items() if value >= 100}
        self._ordinals = {
            word: int(value) for value, names in table.alternatives("ordinals") for word in names
        }
        self._joiners = frozenset(table.words("joiners", "number_style"))
        fused = table.words("fused", "number_style")
        for joiner in fused:
            self._small |= _fused(self._small, joiner)
        self.any_ordinal = frozenset(f"{value}th" for value in self._ordinals.values())
        self._any = frozenset((*words, *self._small, *self._ordinals))

    def applied(self, tokens: list[str]) -> list[str]:
        """Return the tokens with each run of number words as one number; ordinals end in `th`."""
        if self._any.isdisjoint(tokens):
            return tokens
        result: list[str] = []
        index = 0
        while index < len(tokens):
            scale = self._scales.get(tokens[index + 1]) if index + 1 < len(tokens) else None
            if scale and _FIGURES.match(tokens[index]):  # 2.5 million
                result.append(str(Fraction(tokens[index]) * scale))
                index += 2
                continue
            value, used = self._read(tokens, index)
            if used:
                index += used
                last = self._ordinals.get(tokens[index]) if index < len(tokens) else None
                if last is not None and last < 10 and value >= 20 and not value % 10:
                    result.append(f"{value + last}th")  # twenty-fourth
                    index += 1
                else:
                    result.append(str(value))
                continue
            ordinal = self._ordinals.get(tokens[index])
            result.append(tokens[index] if ordinal is None else f"{ordinal}th")
            index += 1
        return result

    def _read(self, tokens: Sequence[str], start: int) -> tuple[int, int]:
        """Return (value, tokens used) of the number that starts here; used is 0 for none."""
        total, current, last, index = 0, 0, 1 << 62, start
        while index < len(tokens):
            token = tokens[index]
            small, scale = self._small.get(token), self._scales.get(token)
            if small is not None and last > 9 and not (last < 100 and (small > 9 or not small)):
                current, last = current + small, 1 if small < 20 else 10
            elif scale is not None and (index > start or self._leads(tokens, index)):
                if scale == 100:
                    current, last = max(1, current) * 100, 100
                else:
                    total, current, last = total + max(1, current) * scale, 0, scale
            elif token in self._joiners and self._goes_on(tokens, index, last):
                pass
            else:
                break
            index += 1
        return total + current, index - start

    def _leads(self, tokens: Sequence[str], index: int) -> bool:
        """Return True for a scale that no number stands before: a hundred, mil, cien."""
        return index == 0 or not tokens[index - 1][0].isdigit()

    def _goes_on(self, tokens: Sequence[str], index: int, last: int) -> bool:
        """Return True where a joiner leads to a smaller part of the same number."""
        if not 10 <= last < 1 << 62 or index + 1 >= len(tokens):
            return False
        small = self._small.get(tokens[index + 1])
        if small is None or small >= last:
            return False
        after = tokens[index + 2] if index + 2 < len(tokens) else ""
        return after not in self._scales


def _fused(small: dict[str, int], joiner: str) -> dict[str, int]:
    """Return the words that join a unit and a ten: einundzwanzig."""
    tens = {word: value for word, value in small.items() if value >= 20 and not value % 10}
    ones = {word: value for word, value in small.items() if 0 < value < 10}
    return {
        f"{one}{joiner}{ten}": value + units
        for ten, value in tens.items()
        for one, units in ones.items()
    }


_CJK_DIGITS = {
    char: value
    for value, chars in enumerate(
        "\u96f6\u3007 \u4e00 \u4e8c\u4e24 \u4e09 \u56db \u4e94 \u516d \u4e03 \u516b \u4e5d".split()
    )
    for char in chars
}
_CJK_SCALES = {"\u5341": 10, "\u767e": 100, "\u5343": 1000, "\u4e07": 10_000}
_CJK_TENTHS = {"\u767e": "\u5341", "\u5343": "\u767e", "\u4e07": "\u5343"}
_CJK_NUMBER = re.compile(f"[{''.join(_CJK_DIGITS)}{''.join(_CJK_SCALES)}]+")


def cjk_numerals_to_digits(text: str) -> str:
    """Replace runs of Chinese numerals by decimal digits.

    A numeral inside an ordinary word is replaced too: both sides of a comparison are treated
    alike, so equal texts stay equal and different numerals stay different.

    Examples
    --------
    >>> cjk_numerals_to_digits("\u91cd\u8bd5\u5341\u4e09\u6b21")
    '\u91cd\u8bd513\u6b21'
    """
    return _CJK_NUMBER.sub(lambda match: _cjk_value(match.group()), text)


_ZEROS = "\u96f6\u3007"
_LONG_ENOUGH = 4


def _cjk_value(run: str) -> str:
    if not any(char in _CJK_SCALES for char in run):
        digits = [str(_CJK_DIGITS[char]) for char in run]
        # "two three times" is a guess between two and three; a year or a number with a zero in
        # it is read out digit by digit.
        is_read_out = len(run) >= _LONG_ENOUGH or any(char in _ZEROS for char in run)
        return ("" if is_read_out else " ").join(digits)
    if len(run) > 1 and run[-1] in _CJK_DIGITS and _CJK_SCALES.get(run[-2], 0) > 10:
        # "a thousand five" is 1,500; 1,005 has a zero in it.
        run += next(
            char for char, scale in _CJK_SCALES.items() if scale * 10 == _CJK_SCALES[run[-2]]
        )
    total, section, digit = 0, 0, 0
    for char in run:
        if char in _CJK_DIGITS:
            digit = _CJK_DIGITS[char]
            continue
        scale = _CJK_SCALES[char]
        if scale == 10_000:
            total, section, digit = total + max(1, section + digit) * scale, 0, 0
        else:
            section, digit = section + max(1, digit) * scale, 0
    return str(total + section + digit)
