"""Number words and Chinese numerals as digits."""

from __future__ import annotations

import re
from collections.abc import Sequence

_ONES = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
}
_TENS = {
    word: 10 * (value + 2)
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split())
}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}
_ORDINALS = {
    word: value + 1
    for value, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
    )
}
NUMBER_WORDS = frozenset(_ONES) | frozenset(_TENS)


def number_words_to_digits(tokens: Sequence[str]) -> list[str]:
    """Replace runs of English number words by one decimal number; `second` stays a word.

    Examples
    --------
    >>> number_words_to_digits("after twenty five tries".split())
    ['after', '25', 'tries']
    >>> number_words_to_digits("two hundred and one hundred".split())
    ['200', 'and', '100']
    """
    result: list[str] = []
    index = 0
    while index < len(tokens):
        value, used = _read_number(tokens, index)
        if used:
            result.append(str(value))
            index += used
        else:
            token = tokens[index]
            # "second" and "third" of a fraction or of time are left as they are written.
            ordinal = _ORDINALS.get(token) if token not in {"second"} else None
            result.append(str(ordinal) if ordinal is not None else token)
            index += 1
    return result


def _read_number(tokens: Sequence[str], start: int) -> tuple[int, int]:
    """Return (value, tokens used) of the number that starts here; used is 0 when none does."""
    total, current, index = 0, 0, start
    last = 1 << 62
    while index < len(tokens):
        token = tokens[index]
        if token in _ONES and last > 9 and not (last == 10 and _ONES[token] > 9):
            current, last = current + _ONES[token], 1
        elif token in _TENS and last > 99:
            current, last = current + _TENS[token], 10
        elif token in _SCALES and index > start:
            scale = _SCALES[token]
            if scale == 100:
                current, last = max(1, current) * 100, 100
            else:
                total, current, last = total + max(1, current) * scale, 0, scale
        else:
            break
        index += 1
    return total + current, index - start


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
