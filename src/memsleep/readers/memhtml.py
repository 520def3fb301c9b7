"""Read memhtml memory files: a memory with warnings, or everything that is wrong with the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from types import MappingProxyType

from memsleep.model import Citation, Facet, Link, Memory, Problem, Unreadable, digest_bytes
from memsleep.readers.memhtml_body import Body, body_of
from memsleep.readers.memhtml_findings import Finding, problems
from memsleep.readers.memhtml_hash import hash_of
from memsleep.readers.memhtml_head import Head, head_of, title_text
from memsleep.readers.memhtml_links import anchor_links, head_links
from memsleep.readers.memhtml_meta_values import value_findings
from memsleep.readers.memhtml_paths import bucket, workspace
from memsleep.readers.memhtml_source import UnfitSourceError
from memsleep.readers.memhtml_structure import (
    article_findings,
    head_findings,
    link_findings,
    presentation_findings,
    time_findings,
)
from memsleep.readers.memhtml_tree import Tree, parse
from memsleep.readers.memhtml_values import (
    MAX_SAFE_INTEGER,
    confidence_of,
    integer_between,
    js_trim,
    split_entity,
    word_count,
)
from memsleep.readers.memhtml_vocabulary import META_ORDER, REPEATABLE
from memsleep.readers.memhtml_warnings import warning_findings

DIALECT = "memhtml"
DEFAULT_AUTHOR = "agent"

FIELD_NAMES = {name: name.removeprefix("memhtml-").replace("-", "_") for name in META_ORDER} | {
    "memhtml-archived": "archived_at",
    "memhtml-entity": "entities",
    "memhtml-tag": "tags",
    "memhtml-alias": "aliases",
}
"""Meta name -> name of the field that it states."""


def read(path: str, source: bytes) -> Memory | Unreadable:
    """Read one file. Never raises: what is wrong comes back as an `Unreadable`, all of it."""
    try:
        tree = parse(source)
    except UnfitSourceError as error:
        finding = Finding(error.code, error.message, error.line)
        return Unreadable(path, problems(path, [finding]))
    head = head_of(tree)
    violations = problems(path, violation_findings(tree, head))
    if violations:
        return Unreadable(path, violations)
    return _memory(path, source, tree, head)


def violation_findings(tree: Tree, head: Head) -> Iterator[Finding]:
    """Yield everything for which a file is refused, in the order in which it is reported."""
    return chain(
        head_findings(tree, head),
        article_findings(tree),
        time_findings(tree),
        presentation_findings(tree),
        link_findings(tree, head),
        value_findings(tree, head),
    )


def _memory(path: str, source: bytes, tree: Tree, head: Head) -> Memory:
    """Build the memory of a file without violations."""
    article = tree.named("article")[0]
    body = body_of(tree, article, tree.named("mark", article)[0])
    raw = _raw(head)
    confidence = confidence_of(raw.get("confidence", ""))
    replaced_by = raw.get("superseded_by", "").lstrip("/")
    return Memory(
        path=path,
        dialect=DIALECT,
        type=raw["type"],
        title=title_text(tree, tree.named("title")[0]),
        gist=body.gist,
        body=body.text,
        word_count=word_count(body.text),
        digest=digest_bytes(source),
        content_hash=hash_of(tree, article),
        created=raw["created"],
        updated=raw["updated"],
        event_time=body.event_time,
        valid_from=raw.get("valid_from"),
        valid_until=raw.get("valid_until"),
        archived_at=raw.get("archived_at"),
        confidence=1.0 if confidence is None else confidence,
        importance=float(integer_between(raw.get("importance", ""), 1, 10) or 5),
        reprieves=integer_between(raw.get("reprieves", ""), 0, MAX_SAFE_INTEGER) or 0,
        # Only the path says whether a memory is archived; the meta is a stamp (`raw`).
        status="archived" if bucket(path) == "archive" else "active",
        author=raw.get("author", DEFAULT_AUTHOR),
        tags=_cleaned(head.values("memhtml-tag")),
        entities=_entities(head.values("memhtml-entity"), body),
        aliases=_cleaned(head.values("memhtml-alias")),
        facets=_facets(body.facets),
        citations=_citations(body.citations),
        links=_links(tree, head),
        scope=workspace(path) or "",
        stated=MappingProxyType(
            {field: name for name, field in FIELD_NAMES.items() if name in head.firsts}
        ),
        raw=MappingProxyType(raw),
        superseded_by=replaced_by or None,
        warnings=_warnings(path, tree),
    )


def _raw(head: Head) -> dict[str, str]:
    """Return field -> decoded value; the values of a repeatable meta are joined by line feeds."""
    raw = {}
    for name, field in FIELD_NAMES.items():
        value = head.value(name)
        if value is not None:
            values = head.values(name) if name in REPEATABLE else [value]
            raw[field] = "\n".join(values)
    return raw


def _cleaned(values: Iterable[str]) -> tuple[str, ...]:
    """Trim, drop blanks and exact duplicates, keep the order."""
    return tuple(dict.fromkeys(trimmed for value in values if (trimmed := js_trim(value))))


def _entities(stated: Iterable[str], body: Body) -> tuple[str, ...]:
    """Return the stated entities, then defined terms and code languages, each name once."""
    implied = [f"concept:{term}" for term in body.terms]
    implied += [f"lang:{language}" for language in body.languages]
    rows: dict[tuple[str, str], str] = {}
    for value in (*_cleaned(stated), *implied):
        rows.setdefault(split_entity(value), value)
    return tuple(rows.values())


def _facets(facets: Iterable[Facet]) -> tuple[Facet, ...]:
    """Return one facet per name and value, the first one's number."""
    rows: dict[tuple[str, str], Facet] = {}
    for facet in facets:
        rows.setdefault((facet.name, facet.value), facet)
    return tuple(rows.values())


def _citations(citations: Iterable[Citation]) -> tuple[Citation, ...]:
    """Return one citation per text, the first one's address."""
    rows: dict[str, Citation] = {}
    for citation in citations:
        rows.setdefault(citation.text, citation)
    return tuple(rows.values())


def _links(tree: Tree, head: Head) -> tuple[Link, ...]:
    """Return the typed links, then the anchors of the article."""
    article = tree.named("article")[0]
    return (*head_links(tree, head), *anchor_links(tree, article))


def _warnings(path: str, tree: Tree) -> tuple[Problem, ...]:
    """Return the warnings about a file that is read."""
    return problems(path, warning_findings(tree))
