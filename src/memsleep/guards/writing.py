"""How the text of one language is written: each character, ending and figure in one form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from memsleep.guards.arabic import ArabicText
from memsleep.guards.han import ChineseText
from memsleep.guards.hangul import KoreanText
from memsleep.guards.hangul_numbers import KoreanNumbers
from memsleep.guards.hangul_times import KoreanTimes
from memsleep.guards.japanese import JapaneseText, plain_requests
from memsleep.guards.kana import JapaneseVerbs, full_width
from memsleep.guards.lexicon import Lexicon
from memsleep.guards.syllables import forms_of_stem, is_hangul
from memsleep.guards.tables import Table

Fold = Callable[[str], str]


def _same(text: str) -> str:
    return text


def _stages(code: str, words: Lexicon) -> tuple[Fold, Fold]:
    """Return what happens before a language's pieces are looked for, and what behind."""
    if code == "zh":
        return _same, ChineseText(words).plain
    if code == "ja":
        verbs = JapaneseVerbs(words)
        return (lambda text: verbs.plain(plain_requests(full_width(text)))), JapaneseText(
            words
        ).plain
    if code == "ko":
        numbers, times, endings = KoreanNumbers(words), KoreanTimes(words), KoreanText(words)
        return (
            lambda text: endings.plain(times.plain(numbers.plain(times.with_months(text))))
        ), _same
    return (ArabicText(words).plain if code == "ar" else _same), _same


class Writing:
    """What brings a folded text of one language to the form in which its words are looked up."""

    def __init__(self, table: Table, words: Lexicon) -> None:
        self._before, self._behind = _stages(table.code, words)
        self._words = words
        signs = dict(table.group("characters"))
        self._signs = str.maketrans(
            {old: new for news, olds in signs.items() for new, old in zip(news, olds, strict=True)}
        )
        self._pieces = Pieces(dict(self._flat(table)), whole_words=table.code == "ko")

    def _flat(self, table: Table) -> Iterator[tuple[str, str]]:
        for head, others in table.alternatives("pieces"):
            for other in others:
                old, new = self._ready(other), self._ready(head)
                yield old, _apart(new, table.code)
                verbs = other.endswith("다") and head.endswith("다") and " " not in old + new
                if table.code == "ko" and verbs:
                    yield from zip(forms_of_stem(old), forms_of_stem(new), strict=True)
        if table.code == "ja":
            forms_of = JapaneseVerbs(self._words).forms_of
            for head, others in table.alternatives("verbs"):
                for other in others:
                    yield from zip(forms_of(other), forms_of(head), strict=True)

    def _ready(self, text: str) -> str:
        return self._before(text.translate(self._signs)).strip()

    def folded(self, text: str) -> str:
        """Return a text of which each sign, piece, ending and figure has one form."""
        if text.isascii():
            return text
        return self._behind(self._pieces.applied(self._before(text.translate(self._signs))))


def _apart(head: str, code: str) -> str:
    """Return what stands for a piece; a word of ours is kept apart from what is beside it."""
    if not (head.isascii() and head.endswith("q")):
        return head
    return f" {head} , " if code == "ko" else f" {head} "  # a Korean reason ends its clause


class Pieces:
    """Pieces of text and what stands for each, the longest that fits first, from left to right.

    A pattern of some thousand pieces would be tried piece by piece at every sign.
    """

    def __init__(self, table: Mapping[str, str], *, whole_words: bool) -> None:
        whole = {head.strip(): head for head in table.values()} | dict(table)
        self._table = {piece: head for piece, head in whole.items() if piece}
        self._whole_words = whole_words
        sizes: dict[str, set[int]] = {}
        for piece in self._table:
            sizes.setdefault(piece[0], set()).add(len(piece))
        self._sizes = {first: sorted(found, reverse=True) for first, found in sizes.items()}

    def applied(self, text: str) -> str:
        """Return a text with every piece replaced.

        Examples
        --------
        >>> Pieces({"ab": "x", "abc": "y"}, whole_words=False).applied("ab abcd")
        'x yd'
        """
        found: list[str] = []
        place = 0
        while place < len(text):
            size = self._size(text, place)
            found.append(self._table[text[place : place + size]] if size else text[place])
            place += size or 1
        return "".join(found)

    def _size(self, text: str, place: int) -> int:
        """Return how long the piece is that begins at a place, 0 for none.

        Where words are parted by blanks, a piece begins a word, and one of one sign is a word.
        """
        sizes = self._sizes.get(text[place])
        if sizes is None or (self._whole_words and place and is_hangul(text[place - 1])):
            return 0
        for size in sizes:
            end = place + size
            if end <= len(text) and text[place:end] in self._table:
                alone = end == len(text) or not is_hangul(text[end])
                if size > 1 or alone or not self._whole_words:
                    return size
        return 0


def alternation(pieces: Sequence[str]) -> re.Pattern[str] | None:
    """Return a pattern of pieces of text, the longest first; None for none."""
    pieces = [piece for piece in pieces if piece]
    if not pieces:
        return None
    ordered = sorted(pieces, key=lambda piece: (-len(piece), piece))
    return re.compile(f"(?:{'|'.join(map(re.escape, ordered))})")
