"""What a search gives back: plain values with nothing left to ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

SCHEMA_VERSION: Final = 1
ArmName = Literal["keyword", "full_text", "vector", "salience", "lateral"]
ARMS: Final[tuple[ArmName, ...]] = ("keyword", "full_text", "vector", "salience", "lateral")


@dataclass(frozen=True, slots=True)
class ArmShare:
    """What one arm gave to the score of a hit."""

    arm: ArmName
    rank: int
    """Place in the arm, from 1."""
    share: float
    """weight / (rank + 60)."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One memory that was found. Its texts are empty when they are withheld."""

    path: str
    memory_id: str
    short_id: str
    type: str
    title: str
    gist: str
    snippet: str
    """First line of the body that holds a word of the question, at most 160 characters."""
    score: float
    """Sum of the shares of all arms."""
    archived: bool = False
    withheld: str = ""
    """Kind of the secret for which nothing of it is shown; empty when all is."""
    quotation: bool = False
    """True when a text shown here reads like an instruction to a model."""
    shares: tuple[ArmShare, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchResults:
    """All hits, the best first, and what the search had to do without."""

    query: str
    hits: tuple[SearchResult, ...]
    arms: tuple[ArmName, ...]
    """The arms that took part."""
    degraded: str = ""
    """Why no vectors took part; empty when they did."""
