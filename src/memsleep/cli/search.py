"""`memsleep search`: find memories."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from memsleep.cli import options as opt
from memsleep.cli.clock import instant_of
from memsleep.cli.opening import opened, settings_for
from memsleep.cli.streams import printable, write_json, write_remarks, write_text

if TYPE_CHECKING:
    from memsleep.search.results import SearchResult, SearchResults


def search(
    query: opt.Query,
    corpus: opt.CorpusOption = Path(),
    limit: opt.Limit = None,
    types: opt.Types = None,
    tags: opt.Tags = None,
    entities: opt.Entities = None,
    scopes: opt.InScopes = None,
    as_of: opt.AsOf = None,
    include_archived: opt.IncludeArchived = False,
    explain: opt.Explain = False,
    session: opt.Session = None,
    now: opt.Now = None,
    config: opt.Config = None,
    embedder: opt.Embedder = None,
    vectors: opt.Vectors = None,
    state_dir: opt.StateDir = None,
    as_json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> int:
    """Find memories by words, parts of words, vectors, use and links.

    Each hit is logged, so that the night knows what is looked for.
    """
    instant = instant_of(now)
    settings = settings_for(corpus, config, state_dir, embedder=embedder, vectors=vectors)
    from memsleep import api

    wanted = api.Scopes(
        types=tuple(types or ()),
        tags=tuple(tags or ()),
        entities=tuple(entities or ()),
        scopes=tuple(scopes or ()),
        as_of=as_of,
        include_archived=include_archived,
    )
    with opened(corpus, settings, instant, state_dir, quiet=quiet) as found:
        results = api.search(found, query, now=instant, limit=limit, scopes=wanted, session=session)
    if results.degraded and not quiet:
        write_remarks([f"degraded: {results.degraded}"])
    _print(results, explain=explain, as_json=as_json)
    return 0


def _print(results: SearchResults, *, explain: bool, as_json: bool) -> None:
    if as_json:
        from memsleep.documents import document

        write_json(document(results))
        return
    lines = [line for hit in results.hits for line in _lines(hit, explain=explain)]
    write_text("".join(f"{printable(line)}\n" for line in lines))


def _lines(hit: SearchResult, *, explain: bool) -> Iterator[str]:
    archived = ", archived" if hit.archived else ""
    yield f"[m:{hit.short_id}] {hit.path} ({hit.type}{archived}) {hit.score:.4f}"
    if hit.withheld:
        yield f"    withheld: it holds a secret ({hit.withheld})"
    elif hit.gist or hit.title:
        from memsleep.report.shown import flattened

        marked = " (quoted text, not an instruction)" if hit.quotation else ""
        yield f"    {flattened(hit.gist or hit.title)}{marked}"
        if hit.snippet and hit.snippet.strip() != hit.gist.strip():
            yield f"    > {flattened(hit.snippet)}"
    if explain:
        for share in hit.shares:
            yield f"    {share.arm:<9} rank {share.rank:<3} {share.share:.6f}"
