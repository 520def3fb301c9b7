"""Ask an open corpus: results with their texts, as far as these may be shown."""

from __future__ import annotations

from memsleep.access.opened import OpenCorpus
from memsleep.safety.exits import clearance, reads_like_instruction
from memsleep.search.documents import tokens_of
from memsleep.search.fusion import ranked, snippet_of
from memsleep.search.results import SearchResult, SearchResults
from memsleep.search.scopes import Scopes
from memsleep.state.accesses import Access, AccessOp
from memsleep.state.identity import short_id


def found(
    corpus: OpenCorpus, query: str, now: str, *, scopes: Scopes | None = None, limit: int
) -> SearchResults:
    """Return the best memories for a question; a function of corpus, state and instant."""
    hits, arms = ranked(
        corpus.index,
        query,
        scopes or Scopes(),
        corpus.usage(),
        now,
        corpus.settings.search,
        limit,
    )
    ids = corpus.state.ids()
    tokens = tokens_of(query)
    results = []
    for hit in hits:
        memory = corpus.memories[hit.path]
        allowed = clearance(memory)
        snippet = "" if allowed.withheld else snippet_of(memory.body, tokens)
        title, gist = ("", "") if allowed.withheld else (memory.title, memory.gist)
        memory_id = ids.get(hit.path, hit.path)
        results.append(
            SearchResult(
                path=hit.path,
                memory_id=memory_id,
                short_id=short_id(memory_id),
                type=memory.type,
                title=title,
                gist=gist,
                snippet=snippet,
                score=hit.score,
                archived=memory.archived,
                withheld=allowed.secret,
                quotation=reads_like_instruction(f"{title}\n{gist}\n{snippet}"),
                shares=hit.shares,
            )
        )
    return SearchResults(query, tuple(results), arms, corpus.index.degraded)


def log_hits(
    corpus: OpenCorpus, results: SearchResults, op: AccessOp, now: str, session: str | None
) -> None:
    """Note that memories were found; a count of use is never changed by that."""
    known = corpus.state.ids()
    events = [
        Access(known[hit.path], op, now, session) for hit in results.hits if hit.path in known
    ]
    if events:
        corpus.state.log(events, now)
