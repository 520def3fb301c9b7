"""Keyword search over notes: whole tokens, a total order, a snippet."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from memsleep.core.ieee import cut
from memsleep.core.ordering import utf16_key
from memsleep.core.scripts import HAN, HANGUL, KANA, SOUTH_EAST, bigrams, runs

MIN_TOKEN_LENGTH: Final = 2
HEAD_WEIGHT: Final = 2
BODY_WEIGHT: Final = 1
SNIPPET_LENGTH: Final = 160
SEARCHABLE_STATUSES: Final = frozenset({"active", "pending"})

# Japanese writes one word in ideographs and kana, so the two form one run here.
_RUN_KINDS: Final = (HAN + KANA, HANGUL, SOUTH_EAST)
_ASCII_TOKEN: Final = re.compile(f"[a-z0-9]{{{MIN_TOKEN_LENGTH},}}")
_LINE_END: Final = re.compile(r"\r\n|\n|\r")
_INSTANT: Final = re.compile(
    r"\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:?\d\d))?\Z", re.ASCII
)


@dataclass(frozen=True, slots=True)
class SearchNote:
    """One memory as keyword search reads it."""

    slug: str
    scope: str
    type: str
    description: str
    status: str
    updated_at: str
    body: str


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A memory that holds at least one token of the query."""

    slug: str
    scope: str
    type: str
    description: str
    status: str
    score: int
    snippet: str


def tokenize_query(text: str) -> list[str]:
    """Return the distinct tokens of a text, in first-occurrence order.

    Parameters
    ----------
    text : str
        A query, or a field of a note: both sides are cut alike.

    Returns
    -------
    list of str
        Lower-case runs of 2 or more letters and digits; the character bigrams of
        a run of Chinese, Japanese, Korean or Thai characters, which have no
        spaces, or its single character.

    Examples
    --------
    >>> tokenize_query("Deploy the CACHE, deploy v2")
    ['deploy', 'the', 'cache', 'v2']
    """
    if text.isascii():  # as most texts are, and every text of a corpus is cut
        return list(dict.fromkeys(_ASCII_TOKEN.findall(text.lower())))
    tokens: dict[str, None] = {}
    for is_unspaced, run in runs(text, _RUN_KINDS):
        if is_unspaced:
            tokens.update(dict.fromkeys(bigrams(run)))
        elif len(run) >= MIN_TOKEN_LENGTH:
            tokens[run] = None
    return list(tokens)


def keyword_search(notes: Iterable[SearchNote], text: str, limit: float) -> list[SearchHit]:
    r"""Return the active and pending notes that hold a token of the query, best first.

    Parameters
    ----------
    notes : iterable of SearchNote
        In any order: the result does not depend on it.
    text : str
        The query.
    limit : float
        How many hits at most; nothing at 0 or below.

    Returns
    -------
    list of SearchHit
        2 points for each query token in the head (slug and description), 1 for
        each in the body. Ordered by score, then the newest instant of
        `updated_at`, then values that name no instant as text descending, then
        slug ascending. The snippet is the first body line with a query token, at
        most 160 characters; empty if only the head has one.

    Examples
    --------
    >>> note = SearchNote("db", "user", "fact", "", "active", "2025-01-01", "x\nuse Postgres")
    >>> [(hit.score, hit.snippet) for hit in keyword_search([note], "postgres", 5)]
    [(1, 'use Postgres')]
    """
    tokens = tokenize_query(text)
    if not tokens or not limit > 0:
        return []
    scored = [
        (score, note)
        for note in notes
        if note.status in SEARCHABLE_STATUSES and (score := _score(note, tokens)) > 0
    ]
    scored.sort(key=lambda item: utf16_key("\0".join(_fields(item[1]))))
    scored.sort(key=lambda item: (item[0], *recency(item[1].updated_at)), reverse=True)
    return [_hit(note, score, tokens) for score, note in cut(scored, limit)]


def _score(note: SearchNote, tokens: Sequence[str]) -> int:
    """Return the points of a note; a token in head and body counts for both."""
    head = {*tokenize_query(note.slug), *tokenize_query(note.description)}
    body = set(tokenize_query(note.body))
    return sum(HEAD_WEIGHT * (token in head) + BODY_WEIGHT * (token in body) for token in tokens)


def _fields(note: SearchNote) -> tuple[str, ...]:
    """Return all fields, slug first: a total order even among notes of one slug."""
    return note.slug, note.scope, note.type, note.description, note.status, note.body


def recency(updated_at: str) -> tuple[bool, float, bytes]:
    """Return a key that grows with the instant; text without one comes below all."""
    instant = _instant(updated_at)
    if instant is None:
        return False, -math.inf, utf16_key(updated_at)
    return True, instant, b""


def _instant(text: str) -> float | None:
    """Return the seconds since 1970 that an ISO 8601 text names, or None.

    A date alone is its midnight in UTC. A time without a zone names no instant.
    """
    if not _INSTANT.match(text):
        return None
    try:
        moment = datetime.fromisoformat(text.upper())
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _hit(note: SearchNote, score: int, tokens: Sequence[str]) -> SearchHit:
    """Return the hit for a note."""
    wanted = set(tokens)
    lines = (line for line in _LINE_END.split(note.body) if wanted & set(tokenize_query(line)))
    return SearchHit(
        slug=note.slug,
        scope=note.scope,
        type=note.type,
        description=note.description,
        status=note.status,
        score=score,
        snippet=next(lines, "")[:SNIPPET_LENGTH],
    )
