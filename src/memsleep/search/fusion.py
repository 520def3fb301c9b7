"""A question against the index: the arms, fused by reciprocal rank, then told apart."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from memsleep.core import (
    ArmHit,
    MmrCandidate,
    apply_mmr,
    fuse_arms,
    fuse_lateral,
    rank_fused,
    rrf_score,
    tokenize_query,
)
from memsleep.core.scripts import runs
from memsleep.model import Usage
from memsleep.search.documents import one_width, tokens_of
from memsleep.search.index import SearchIndex
from memsleep.search.results import ARMS, ArmName, ArmShare
from memsleep.search.salience import NO_USE, salience
from memsleep.search.scopes import Scopes
from memsleep.settings import SearchSettings
from memsleep.state.documents import SHORTEST

SEEDS = 10
RARE_TERMS = 6
COMMON_SHARE = 0.05
"""A word that more of the memories hold tells little, and costs the trigram index much."""
COMMON_LEAST = 20
LEAST_WORDS, LEAST_VECTOR = 0.02, 0.4
"""What is left of two arms for a question in words that no memory holds."""
SCOPED_DEPTH = 40
"""Times deeper into an arm that cannot be scoped by itself, where the question has scopes."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """One memory's place: its score and what each arm gave to it."""

    path: str
    score: float
    shares: tuple[ArmShare, ...]


@dataclass(slots=True)
class _Arms:
    """Best-first paths of each arm that took part."""

    orders: dict[ArmName, list[str]] = field(default_factory=dict)

    def add(self, name: ArmName, order: Iterable[str]) -> None:
        self.orders[name] = list(order)


def ranked(
    index: SearchIndex,
    query: str,
    scopes: Scopes,
    usage: Mapping[str, Usage],
    now: str,
    settings: SearchSettings,
    limit: int,
) -> tuple[list[Ranked], tuple[ArmName, ...]]:
    """Return the best memories for a question, and the arms that took part.

    A function of its arguments: nothing is logged and no clock is read.
    """
    tokens = tokens_of(query)
    if not query.strip() or limit <= 0:
        return [], ()
    admits = _admitter(index, scopes)
    arms = _word_arms(index, query, tokens, admits, scopes, settings)
    forms = (query, one_width(query))
    weights = _weights(settings, max(heard(index, tokenize_query(form)) for form in forms))
    if settings.salience > 0:
        found = dict.fromkeys(path for order in arms.orders.values() for path in order)
        arms.add("salience", _by_salience(index, found, usage, now))
    fused = fuse_arms(
        [_hits(order) for order in arms.orders.values()],
        [weights[name] for name in arms.orders],
    )
    if settings.lateral > 0:
        seeds = dict(rank_fused(fused)[:SEEDS])
        beside = [path for path, _ in index.links.near(seeds) if admits(path)]
        arms.add("lateral", beside[: settings.pool])
        fused = fuse_lateral(fused, arms.orders["lateral"], weights["lateral"])
    best = rank_fused(fused)[: max(settings.pool, limit)]
    chosen = _told_apart(index, best, limit, settings.relevance)
    shares = _shares(arms, weights)
    return [Ranked(p, s, shares.get(p, ())) for p, s in chosen], tuple(arms.orders)


def _word_arms(
    index: SearchIndex,
    query: str,
    tokens: list[str],
    admits: Callable[[str], bool],
    scopes: Scopes,
    settings: SearchSettings,
) -> _Arms:
    """Return the arms that read the question itself."""
    arms = _Arms()
    if settings.keyword > 0:
        found = index.keywords.search(tokens, admits, settings.pool)
        arms.add("keyword", (path for path, _ in found))
    if settings.full_text > 0:
        depth = settings.pool * (SCOPED_DEPTH if scopes.narrow else 4)
        matched = index.full_text.match(search_terms(index, query), depth)
        admitted = [path for path, _ in matched if path in index.memories and admits(path)]
        arms.add("full_text", admitted[: settings.pool])
    if settings.vector > 0 and (row := index.vector_of(query)) is not None:
        near = index.near(row, admits, settings.pool, settings.vector_floor)
        arms.add("vector", (path for path, _ in near))
    return arms


def search_terms(index: SearchIndex, query: str) -> list[str]:
    """Return what the trigram index is asked for: the rarest words, and the trigrams of runs.

    Common words are left out where there are others.
    """
    terms: dict[str, int] = {}
    for is_unspaced, run in runs(one_width(query)):
        parts = [run]
        if is_unspaced:
            parts = [run[at : at + SHORTEST] for at in range(len(run) - SHORTEST + 1)]
        for part in parts:
            if len(part) >= SHORTEST:
                terms.setdefault(part, index.keywords.frequency(part))
    common = max(COMMON_LEAST, int(len(index.keywords) * COMMON_SHARE))
    order = sorted(terms, key=lambda term: (terms[term], term))
    rare = [term for term in order if terms[term] <= common]
    return (rare or order[:2])[:RARE_TERMS]


def snippet_of(body: str, tokens: Iterable[str]) -> str:
    """Return the first line of a body that holds a token, at most 160 characters."""
    wanted = set(tokens)
    for line in unicodedata.normalize("NFC", body).split("\n"):
        if wanted & set(tokens_of(line)):
            return line.strip("\r")[:160]
    return ""


def _admitter(index: SearchIndex, scopes: Scopes) -> Callable[[str], bool]:
    known: dict[str, bool] = {}

    def admits(path: str) -> bool:
        answer = known.get(path)
        if answer is None:
            answer = known[path] = scopes.admits(index.memories[path])
        return answer

    return admits


def _by_salience(
    index: SearchIndex, paths: Iterable[str], usage: Mapping[str, Usage], now: str
) -> list[str]:
    values = {path: salience(index.memories[path], usage.get(path, NO_USE), now) for path in paths}
    return sorted(values, key=lambda path: (-values[path], path))


def heard(index: SearchIndex, tokens: Sequence[str]) -> float:
    """Return which share of a question's words any memory holds, 1 for a question without words."""
    known = sum(index.keywords.frequency(token) > 0 for token in tokens)
    return known / len(tokens) if tokens else 1.0


def _weights(settings: SearchSettings, share: float) -> dict[ArmName, float]:
    """Return what each arm counts for a question of whose words a share is known.

    Where half of them or more are written otherwise in the corpus, whole words find by chance, and
    the vector of the question lies off; parts of words still find. A question in known words is
    weighed by the settings alone.
    """
    trust = 2 * share - 1
    factors = {"keyword": max(LEAST_WORDS, trust), "vector": max(LEAST_VECTOR, trust)}
    return {name: getattr(settings, name) * factors.get(name, 1.0) for name in ARMS}


def _hits(order: Iterable[str]) -> list[ArmHit]:
    return [ArmHit(path, rank) for rank, path in enumerate(order, start=1)]


def _told_apart(
    index: SearchIndex, best: list[tuple[str, float]], limit: int, relevance: float
) -> list[tuple[str, float]]:
    """Choose by MMR; scores are taken as shares of the best one, to be weighed against cosines."""
    if relevance >= 1 or len(best) <= 1:
        return best[:limit]
    top = best[0][1]
    candidates = [MmrCandidate(path, score / top, index.vectors.row(path)) for path, score in best]
    scores = dict(best)
    return [(c.path, scores[c.path]) for c in apply_mmr(candidates, limit, relevance)]


def _shares(arms: _Arms, weights: Mapping[ArmName, float]) -> dict[str, tuple[ArmShare, ...]]:
    shares: dict[str, list[ArmShare]] = {}
    for name, order in arms.orders.items():
        for rank, path in enumerate(order, start=1):
            share = ArmShare(name, rank, rrf_score(rank, weights[name]))
            shares.setdefault(path, []).append(share)
    return {path: tuple(found) for path, found in shares.items()}
