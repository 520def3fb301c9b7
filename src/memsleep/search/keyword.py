"""The keyword arm: the ranking of `memsleep.core.keyword_search`, from an index of its tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from memsleep.core import tokenize_query
from memsleep.core.keywords import BODY_WEIGHT, HEAD_WEIGHT, recency
from memsleep.core.ordering import utf16_key
from memsleep.model import Memory
from memsleep.search.documents import note_of


@dataclass(frozen=True, slots=True)
class _Entry:
    head: frozenset[str]
    body: frozenset[str]
    recency: tuple[bool, float, bytes]
    name: bytes


class KeywordIndex:
    """Which memories hold which token; equal to the pure function, faster when asked again."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}
        self._heads: dict[str, set[str]] = {}
        self._bodies: dict[str, set[str]] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def write(self, memory: Memory) -> None:
        """Add or change one memory."""
        self.remove(memory.path)
        note = note_of(memory)
        entry = _Entry(
            head=frozenset((*tokenize_query(note.slug), *tokenize_query(note.description))),
            body=frozenset(tokenize_query(note.body)),
            recency=recency(note.updated_at),
            name=utf16_key(note.slug),
        )
        self._entries[memory.path] = entry
        for postings, tokens in ((self._heads, entry.head), (self._bodies, entry.body)):
            for token in tokens:
                postings.setdefault(token, set()).add(memory.path)

    def remove(self, path: str) -> None:
        """Take one memory out."""
        entry = self._entries.pop(path, None)
        if entry is None:
            return
        for postings, tokens in ((self._heads, entry.head), (self._bodies, entry.body)):
            for token in tokens:
                postings[token].discard(path)
                if not postings[token]:
                    del postings[token]

    def frequency(self, token: str) -> int:
        """Return how many memories hold a token."""
        return len(self._heads.get(token, set()) | self._bodies.get(token, set()))

    def search(
        self, tokens: Sequence[str], admits: Callable[[str], bool], limit: int
    ) -> list[tuple[str, int]]:
        """Return (path, score) of the admitted memories that hold any of the tokens, best first."""
        scores: dict[str, int] = {}
        for token in tokens:
            for postings, weight in ((self._heads, HEAD_WEIGHT), (self._bodies, BODY_WEIGHT)):
                for path in postings.get(token, ()):
                    scores[path] = scores.get(path, 0) + weight
        found: list[tuple[str, int]] = []
        for level in self._levels(scores):
            admitted = [path for path in level if admits(path)]
            admitted.sort(key=lambda path: (self._entries[path].name, utf16_key(path)))
            admitted.sort(key=lambda path: self._entries[path].recency, reverse=True)
            found += [(path, scores[path]) for path in admitted]
            if len(found) >= limit:
                break
        return found[:limit]

    def _levels(self, scores: dict[str, int]) -> Iterator[list[str]]:
        """Yield the paths of each score, the highest first: few groups need to be looked at."""
        for score in sorted(set(scores.values()), reverse=True):
            yield [path for path, value in scores.items() if value == score]
