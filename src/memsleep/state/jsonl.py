"""JSON Lines: reading what another program or version may have written, and writing ours."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NoReturn

_BOM = b"\xef\xbb\xbf"


def objects(source: bytes) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """Yield (line from 1, object) for every line that is not blank; None for one that is none.

    Lines end at LF only. A line that is not UTF-8, not JSON or not an object costs only itself.
    """
    for number, line in enumerate(source.removeprefix(_BOM).split(b"\n"), start=1):
        if line.strip():
            yield number, _object(line)


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def text_or_none(value: object) -> str | None:
    """Return a string that is not empty and has a UTF-8 form, else None."""
    if not isinstance(value, str) or not value:
        return None
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:  # half a surrogate pair
        return None
    return value


def count_or_zero(value: object) -> int:
    """Return a number as a count, cut to a whole number >= 0; 0 for what is none."""
    number = number_or_none(value)
    return 0 if number is None else max(int(number), 0)


def number_or_none(value: object) -> float | int | None:
    """Return a finite number, else None. True and false are no numbers."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if isinstance(value, int) or math.isfinite(value) else None


def lines_of(values: Iterable[Mapping[str, Any]]) -> bytes:
    """Return compact objects, non-ASCII kept, LF after every line."""
    lines = (json.dumps(value, separators=(",", ":"), ensure_ascii=False) for value in values)
    return "".join(f"{line}\n" for line in lines).encode("utf-8")


def whole_or_not(value: float) -> float:
    """Return a whole number without a fraction, as JavaScript prints it."""
    return int(value) if value.is_integer() else value
