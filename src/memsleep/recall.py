"""Recall: a short block to put before an agent's turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from memsleep.access.opened import OpenCorpus
from memsleep.brief.lines import CITATION, FRAME, line_of
from memsleep.brief.tokens import token_count
from memsleep.model import Problem
from memsleep.safety.exits import clearance, problems
from memsleep.search.find import found
from memsleep.search.results import SearchResult, SearchResults
from memsleep.search.scopes import is_of
from memsleep.settings import RecallSettings

MAX_QUERY_CHARACTERS: Final = 200
POOL_FACTOR: Final = 4
MAX_POOL: Final = 50
NOTHING: Final = SearchResults("", (), ())


@dataclass(frozen=True, slots=True)
class Recalled:
    """The block, what stands in it, and the pool it was taken from."""

    text: str
    """Empty when nothing is left; ends with a line end otherwise."""
    hits: tuple[SearchResult, ...]
    pool: SearchResults
    """All that is logged as `recall`."""
    problems: tuple[Problem, ...] = ()
    """Where a secret was found: kind and path, never the secret."""

    @property
    def characters(self) -> int:
        """Length of the text."""
        return len(self.text)

    @property
    def tokens(self) -> int:
        """About how many tokens of a language model the text costs."""
        return token_count(self.text)


def recalled(
    corpus: OpenCorpus,
    query: str,
    now: str,
    *,
    limit: int | None = None,
    min_score: float | None = None,
) -> Recalled:
    """Return the block for a question; a function of corpus, state and instant."""
    settings = corpus.settings.recall
    wanted = settings.limit if limit is None else limit
    least = settings.min_score if min_score is None else min_score
    question = query.strip()
    if not 1 <= len(question) <= MAX_QUERY_CHARACTERS or wanted < 1:
        return Recalled("", (), NOTHING)
    pool = found(corpus, question, now, limit=min(POOL_FACTOR * wanted, MAX_POOL))
    scanned = [clearance(corpus.memories[hit.path]) for hit in pool.hits]
    able = [hit for hit in pool.hits if hit.score >= least and not hit.withheld]
    best = tuple(_in_order(able, settings)[:wanted])
    return Recalled(_text(corpus, best, now), best, pool, problems(scanned))


def _in_order(hits: list[SearchResult], settings: RecallSettings) -> list[SearchResult]:
    """Return the types that come first before the rest, otherwise in the order of the search."""
    return sorted(hits, key=lambda hit: not is_of(hit.type, settings.first))


def _text(corpus: OpenCorpus, hits: tuple[SearchResult, ...], now: str) -> str:
    if not hits:
        return ""
    lines = [line_of(corpus.memories[hit.path], hit.short_id, now) for hit in hits]
    return "".join(f"{line}\n" for line in (FRAME, *lines, CITATION))
