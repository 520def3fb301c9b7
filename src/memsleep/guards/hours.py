"""Hours and years in figures that only the words around them tell from other numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memsleep.guards.quantities import SYMBOLS

_HOUR = r"(?:[01]?[0-9]|2[0-4])\.[0-5][0-9]"
_STAMP = re.compile(r"(?<=[0-9]{4}-[0-9]{2}-[0-9]{2})t(?=[0-9]{2}:[0-9]{2})")
_ZULU = re.compile(r"(?<=[0-9]:[0-9]{2})z(?![0-9a-z])")
_DECADE = re.compile(r"(?<![0-9a-z'])(?:([0-9]{2}[0-9]0)'s|'([3-9]0)'?s)(?![0-9a-z])")
_SHORT_YEAR = re.compile(r"(?<=[a-z0-9.,] )'([0-2][0-9]|[7-9][0-9])(?=\s*(?:[.,;:)]|\Z))")
_SHORT_DATE = re.compile(r"(?<![0-9a-z_./-])([0-9]{1,2})/([0-9]{1,2})/([0-9]{2})(?![0-9a-z_./-])")
_MONTH_OF_YEAR = re.compile(
    r"(?<![0-9a-z_./-])(0?[1-9]|1[0-2])/((?:19|20|21)[0-9]{2})(?![\w/-]|\.\w)"
)
_YEAR_OF_MONTH = re.compile(
    r"(?<![0-9a-z_./-])((?:19|20|21)[0-9]{2})-(0[1-9]|1[0-2])(?![\w/:-]|\.\w)"
)
_SIGNS = re.compile(r"[0-9](?:'s|[-/.][0-9]|z\b|(?<='[0-9]))")


class Hours:
    """Figures that stand behind a word such as `at` or `until`, written with a point."""

    def __init__(self, before: Sequence[str]) -> None:
        self._pointed: re.Pattern[str] | None = None
        if before:
            units = "|".join(sorted(map(re.escape, SYMBOLS), key=lambda unit: (-len(unit), unit)))
            words = "|".join(sorted(map(re.escape, before), key=lambda word: (-len(word), word)))
            self._pointed = re.compile(
                rf"(?<![\w.])(?:{words})\s+{_HOUR}(?:(?:,\s*|\s*-\s*|\s+[a-z]{{2,3}}\s+){_HOUR})*"
                rf"(?![0-9]|[.,:/-][0-9]|\s*[%/]|\s?(?:{units})(?![a-z0-9]))"
            )

    def plain(self, text: str) -> str:
        """Return a folded text with dates and hours in the signs that are read everywhere.

        Examples
        --------
        >>> Hours(("at",)).plain("at 8.05 and 14.30, 2026-05-03t02:00z, 3 may '26, 09/2027")
        'at 8:05 and 14:30, 2026-05-03 02:00 z, 3 may 2026, dateq2027q9q'
        >>> Hours(("at",)).plain("version 8.05 of '26 items'")
        "version 8.05 of '26 items'"
        """
        if _SIGNS.search(text) is None:
            return text
        text = _ZULU.sub(" z", _STAMP.sub(" ", text))
        if "'" in text:
            text = _SHORT_YEAR.sub(_century, _DECADE.sub(_decade, text))
        if "/" in text:
            text = _SHORT_DATE.sub(_whole_year, text)
        text = _MONTH_OF_YEAR.sub(lambda match: _month_token(match[2], match[1]), text)
        text = _YEAR_OF_MONTH.sub(_month, text)
        if self._pointed is not None:
            text = self._pointed.sub(lambda match: match.group().replace(".", ":"), text)
        return text


def _century(match: re.Match[str]) -> str:
    return ("20" if match[1] < "30" else "19") + match[1]


def _decade(match: re.Match[str]) -> str:
    return f"{match[1] or '19' + match[2]}s"


def _whole_year(match: re.Match[str]) -> str:
    """Return a date with its year in four figures; what may be year first stays as it is."""
    first, second, year = int(match[1]), int(match[2]), match[3]
    if max(first, second) < 13 or min(first, second) > 12 or year > "29":
        return match.group()
    return f"{first}/{second}/20{year}"


def _month(match: re.Match[str]) -> str:
    """Return year and month as a date without a day, unless it may be a span of years."""
    year, month = match[1], match[2]
    return match.group() if int(month) > int(year[2:]) else _month_token(year, month)


def _month_token(year: str, month: str) -> str:
    return f"dateq{year}q{int(month)}q"
