"""What a search did, in counts: for timings and benchmarks, never for a plan or a report."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(slots=True)
class Work:
    """Counts of one search, or of several."""

    pairs: int = 0
    """Unordered pairs that were looked at."""
    multiplied: int = 0
    """Pairs whose full product was computed."""
    sketched: int = 0
    """Pairs whose short product was computed first."""
    width: int = 0
    """Components of the full product; 0 where no short one was used."""
    sketch_width: int = 0
    """Components of the short product; 0 where none was used."""
    rescored: int = 0
    """Pairs whose exact similarity was computed."""
    direct: int = 0
    """Those of them that were never multiplied in full."""
    results: dict[str, dict[str, int]] = field(default_factory=dict)
    """Of other work by its name: how much was made, and how much was known already."""

    def add(self, other: Work) -> None:
        """Add what another search did."""
        self.pairs += other.pairs
        self.multiplied += other.multiplied
        self.sketched += other.sketched
        self.rescored += other.rescored
        self.direct += other.direct
        self.width = max(self.width, other.width)
        self.sketch_width = max(self.sketch_width, other.sketch_width)
        for name, counts in other.results.items():
            sums = self.results.setdefault(name, {})
            for what, count in counts.items():
                sums[what] = sums.get(what, 0) + count

    def to_json(self) -> dict[str, Any]:
        """Return the counts by name.

        Examples
        --------
        >>> Work(pairs=3).to_json()["pairs"]
        3
        """
        return asdict(self)


_CURRENT: ContextVar[Work | None] = ContextVar("work", default=None)


@contextmanager
def counting() -> Iterator[Work]:
    """Count all searches within: a phase is pure and has nobody to tell.

    Examples
    --------
    >>> with counting() as work:
    ...     counted(Work(pairs=2))
    >>> work.pairs
    2
    """
    work = Work()
    token = _CURRENT.set(work)
    try:
        yield work
    finally:
        _CURRENT.reset(token)


def counted(work: Work) -> None:
    """Tell who is counting, if anybody is."""
    total = _CURRENT.get()
    if total is not None:
        total.add(work)
