"""Number words as digits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from memsleep.guards.phrases import Phrases
from memsleep.guards.tables import Table

_BETWEEN = re.compile(r"[\s'-]+")
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
        words = _numbered(table, "numbers")
        self._ordinals = _numbered(table, "ordinals")
        self._joined = Phrases(
            (tuple(word.split("_")), (word,)) for word in (*words, *self._ordinals) if "_" in word
        )
        self._small = {word: value for word, value in words.items() if value < 100}
        self._scales = {word: value for word, value in words.items() if value >= 100}
        self._joiners = frozenset(table.words("joiners", "number_style"))
        self._of = frozenset(table.words("of", "number_style"))
        self._glued = _Glued(self)
        self._is_glued = table.group("number_style").get("glued") == "yes"
        self._has_joined = bool(self._joined)
        fused = table.words("fused", "number_style")
        for joiner in fused:
            self._small |= _fused(self._small, joiner)
        self.any_ordinal = frozenset(f"{value}th" for value in self._ordinals.values())
        self._any = frozenset((*words, *self._small, *self._ordinals))

    def applied(self, tokens: list[str]) -> list[str]:
        """Return the tokens with each run of number words as one number; ordinals end in `th`."""
        if self._is_glued:
            tokens = self._glued.parted(tokens)
        if self._has_joined:
            tokens = self._joined.applied(tokens)
        if self._any.isdisjoint(tokens):
            return tokens
        result: list[str] = []
        index = 0
        while index < len(tokens):
            scale = self._scales.get(tokens[index + 1]) if index + 1 < len(tokens) else None
            if scale and _FIGURES.match(tokens[index]):  # 2.5 million
                result.append(str(Fraction(tokens[index]) * scale))
                index += 2 + self._is_of(tokens, index + 2, scale)
                continue
            value, used = self._read(tokens, index)
            if used:
                index += used + self._is_of(tokens, index + used, value)
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
                if 100 < scale < 1000:  # doscientos
                    if last <= 100:
                        break
                    current, last = current + scale, 100
                elif scale == 100:
                    current, last = max(1, current) * 100, 100
                else:
                    total, current, last = total + max(1, current) * scale, 0, scale
            elif token in self._joiners and self._goes_on(tokens, index, last):
                pass
            else:
                break
            index += 1
        return total + current, index - start

    def _is_of(self, tokens: Sequence[str], index: int, value: int) -> bool:
        """Return True for the `of` behind millions: dos millones de euros."""
        return value >= 1_000_000 and index + 1 < len(tokens) and tokens[index] in self._of

    def whole(self, parts: Sequence[str]) -> bool:
        """Return True when all of some words are one number."""
        return self._read(parts, 0)[1] == len(parts)

    def pieces(self) -> frozenset[str]:
        """Return the words of which a longer number may be made."""
        return frozenset((*self._small, *self._scales, *self._joiners))

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


def _numbered(table: Table, name: str) -> dict[str, int]:
    """Return each number word of a table with its value; `_` stands between words."""
    return {
        "_".join(_BETWEEN.split(word)): int(value)
        for value, names in table.alternatives(name)
        for word in names
    }


class _Glued:
    """Numbers that a language writes as one word: zweihundertfünfzig, duecentocinquanta."""

    def __init__(self, numbers: NumberWords) -> None:
        self._numbers = numbers
        self._pieces: tuple[str, ...] = ()
        self._memo: dict[str, tuple[str, ...]] = {}

    def parted(self, tokens: list[str]) -> list[str]:
        """Return the tokens with each such word as the words that it is made of."""
        if not self._pieces:
            found = sorted(self._numbers.pieces(), key=lambda piece: (-len(piece), piece))
            self._pieces = tuple(piece for piece in found if len(piece) > 1)
        return [part for token in tokens for part in self._of_word(token)]

    def _of_word(self, word: str) -> tuple[str, ...]:
        found = self._memo.get(word)
        if found is None:
            found = (word,)
            if len(word) > _SHORTEST and word not in self._pieces:
                found = next(
                    (parts for parts in self._parts(word) if self._numbers.whole(parts)), found
                )
            if len(self._memo) < 1 << 16:
                self._memo[word] = found
        return found

    def _parts(self, word: str) -> Iterator[tuple[str, ...]]:
        """Yield every way to cut a word into pieces, the longest pieces first."""
        if not word:
            yield ()
            return
        for piece in self._pieces:
            if word.startswith(piece):
                for rest in self._parts(word[len(piece) :]):
                    yield (piece, *rest)


_SHORTEST = 6
"""Letters up to which a word is no number written together: cento, hundert."""


def _fused(small: dict[str, int], joiner: str) -> dict[str, int]:
    """Return the words that join a unit and a ten: einundzwanzig."""
    tens = {word: value for word, value in small.items() if value >= 20 and not value % 10}
    ones = {word: value for word, value in small.items() if 0 < value < 10}
    return {
        f"{one}{joiner}{ten}": value + units
        for ten, value in tens.items()
        for one, units in ones.items()
    }
