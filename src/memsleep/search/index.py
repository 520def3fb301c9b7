"""An index over the memories of a corpus, kept in step with them one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memsleep.embedders.base import Embedder, StoredVectors
from memsleep.model import Memory, Vectors
from memsleep.search.documents import document_of, summary_of
from memsleep.search.keyword import KeywordIndex
from memsleep.search.lateral import LinkIndex
from memsleep.search.similar import FloatRows, VectorIndex
from memsleep.state.documents import FullText

NO_EMBEDDER = "none"


class SearchIndex:
    """Tokens, trigrams, vectors and links of all memories."""

    def __init__(
        self,
        memories: Mapping[str, Memory],
        vectors: Vectors,
        claims: Vectors,
        embedder: Embedder,
        full_text: FullText,
    ) -> None:
        """Index memories.

        Parameters
        ----------
        vectors, claims : Vectors
            One row per memory: of all it says, and of its title and claim alone, which a short
            question lies nearer to.
        """
        self.memories = dict(memories)
        self.keywords = KeywordIndex()
        self.links = LinkIndex()
        self.vectors = VectorIndex(vectors)
        self._claims = VectorIndex(claims)
        self.full_text = full_text
        self._embedder = embedder
        for memory in self.memories.values():
            self.keywords.write(memory)
            self.links.write(memory)
        full_text.sync({path: document_of(memory) for path, memory in self.memories.items()})

    @property
    def degraded(self) -> str:
        """Why questions have no vector; empty when they have one."""
        if self._embedder.identity == NO_EMBEDDER:
            return "no embedder"
        if isinstance(self._embedder, StoredVectors):
            return "the vectors come from a file: a question has none"
        return "" if len(self.vectors) else "no memory has a vector"

    def vector_of(self, text: str) -> FloatRows | None:
        """Return the row of a question, None when there can be none."""
        if self.degraded or isinstance(self._embedder, StoredVectors):
            return None
        row: FloatRows = self._embedder.embed([text])[0]
        return row

    def near(
        self, row: FloatRows, admits: Callable[[str], bool], limit: int, floor: float
    ) -> list[tuple[str, float]]:
        """Return (path, cosine) of the memories that lie nearest, by claim or by all they say."""
        best: dict[str, float] = {}
        for rows in (self.vectors, self._claims):
            for path, similarity in rows.near(row, admits, limit, floor):
                best[path] = max(similarity, best.get(path, -1.0))
        return sorted(best.items(), key=lambda item: (-item[1], item[0]))[:limit]

    def write(self, memory: Memory) -> None:
        """Add a memory, or change what is known of it."""
        known = self.memories.get(memory.path)
        if known == memory:
            return
        self.memories[memory.path] = memory
        self.keywords.write(memory)
        self.links.write(memory)
        self.full_text.write(document_of(memory))
        if not isinstance(self._embedder, StoredVectors):
            texts = [self._embedder.text_of(memory), summary_of(memory)]
            whole, claim = self._embedder.embed(texts)
            self.vectors.write(memory.path, whole)
            self._claims.write(memory.path, claim)

    def remove(self, path: str) -> None:
        """Forget a memory."""
        if self.memories.pop(path, None) is None:
            return
        self.keywords.remove(path)
        self.links.remove(path)
        self.vectors.remove(path)
        self._claims.remove(path)
        self.full_text.remove(path)
