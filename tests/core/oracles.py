"""Slow, definition-like versions that the fast ones must equal bit for bit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from memsleep.core import GraphEdge, NeighborOptions, NeighborPair, cosine, utf16_key


def pair_similarity(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the similarity of two rows; NaN where rows of equal length have none."""
    if len(a) != len(b):
        return cosine(a, b)
    dot = norm_a = norm_b = 0.0
    for x, y in zip(a, b, strict=True):
        dot, norm_a, norm_b = dot + x * y, norm_a + x * x, norm_b + y * y
    if norm_a == 0 or norm_b == 0:
        return 0.0
    if not math.isfinite(dot) or not math.isfinite(norm_a) or not math.isfinite(norm_b):
        return math.nan
    return max(-1.0, min(1.0, dot / (math.sqrt(norm_a) * math.sqrt(norm_b))))


def cut(rows: list[Any], limit: float) -> list[Any]:
    """Return a slice with an end that may be infinite."""
    return rows if limit == math.inf else rows[: int(limit)]


def report(
    offered: Mapping[str, list[tuple[float, str]]], options: NeighborOptions
) -> list[NeighborPair]:
    """Return the rows of the per-source lists."""
    rows = []
    for src, partners in offered.items():
        best = sorted(partners, key=lambda item: (-item[0], utf16_key(item[1])))
        rows += [NeighborPair(src, dst, sim) for sim, dst in cut(best, options.per_source_k)]
    rows.sort(key=lambda row: (-row.sim, utf16_key(row.src), utf16_key(row.dst)))
    return cut(rows, options.limit)


def top_neighbor_pairs(
    keys: Sequence[str], vectors: Sequence[Any], options: NeighborOptions
) -> list[NeighborPair]:
    """Return the neighbours by comparing every pair in a double loop."""
    rows = [np.asarray(vector, np.float32).tolist() for vector in vectors]
    offered: dict[str, list[tuple[float, str]]] = {}
    for i in range(len(rows)):
        for j in range(i + 1, len(rows)):
            sim = pair_similarity(rows[i], rows[j])
            if sim >= options.floor:
                offered.setdefault(keys[i], []).append((sim, keys[j]))
                offered.setdefault(keys[j], []).append((sim, keys[i]))
    return report(offered, options)


def rank_candidate_pairs(
    pairs: Sequence[tuple[str, str]],
    keys: Sequence[str],
    vectors: Sequence[Any],
    options: NeighborOptions,
) -> list[NeighborPair]:
    """Return the best of the given pairs by computing each of them."""
    rows = {
        key: np.asarray(vector, np.float32).tolist()
        for key, vector in zip(keys, vectors, strict=True)
    }
    offered: dict[str, list[tuple[float, str]]] = {}
    for src, dst in pairs:
        if src in rows and dst in rows:
            sim = pair_similarity(rows[src], rows[dst])
            if sim >= options.floor:
                offered.setdefault(src, []).append((sim, dst))
    return report(offered, options)


def folded(nodes: Sequence[str], edges: Sequence[GraphEdge]) -> tuple[list[str], list[GraphEdge]]:
    """Return the normal form of a graph."""
    names = sorted(set(nodes), key=utf16_key)
    strongest: dict[tuple[str, str], float] = {}
    for edge in edges:
        if edge.src in names and edge.dst in names and edge.src != edge.dst:
            pair = edge.src, edge.dst
            strongest[pair] = max(strongest.get(pair, -math.inf), edge.strength)
    pairs = sorted(strongest, key=lambda pair: (utf16_key(pair[0]), utf16_key(pair[1])))
    return names, [GraphEdge(src, dst, strongest[src, dst]) for src, dst in pairs]


def teleport_distribution(names: list[str], seeds: Mapping[str, float]) -> dict[str, float]:
    """Return where the teleporting mass goes."""
    usable = {name: weight for name, weight in seeds.items() if name in names and weight > 0}
    total = 0.0
    for weight in usable.values():
        total += weight
    if not usable:
        return dict.fromkeys(names, 1 / len(names))
    return {name: usable.get(name, 0.0) / total for name in names}


def pagerank(
    nodes: Sequence[str],
    edges: Sequence[GraphEdge],
    *,
    damping: float = 0.85,
    seeds: Mapping[str, float] | None = None,
    max_iterations: int = 100,
    tolerance: float = 1e-6,
) -> dict[str, float]:
    """Return PageRank by plain loops."""
    names, edges = folded(nodes, edges)
    if not names:
        return {}
    teleport = teleport_distribution(names, seeds or {})
    outgoing = dict.fromkeys(names, 0.0)
    for edge in edges:
        outgoing[edge.src] += edge.strength
    scores = dict(teleport)
    for _ in range(max_iterations):
        dangling = 0.0
        for name in names:
            if outgoing[name] == 0:
                dangling += scores[name]
        inflow = dict.fromkeys(names, 0.0)
        for edge in edges:
            if outgoing[edge.src] != 0:
                inflow[edge.dst] += scores[edge.src] * edge.strength / outgoing[edge.src]
        change = 0.0
        updated = {}
        for name in names:
            arriving = inflow[name] + dangling * teleport[name]
            updated[name] = damping * arriving + (1 - damping) * teleport[name]
            change += abs(updated[name] - scores[name])
        scores = updated
        if change < tolerance * len(names):
            break
    return scores


def label_propagation(
    nodes: Sequence[str],
    edges: Sequence[GraphEdge],
    *,
    min_community_size: int = 3,
    max_sweeps: int = 100,
) -> dict[str, str | None]:
    """Return communities by full sweeps over every node."""
    names, edges = folded(nodes, edges)
    hood: dict[str, dict[str, float]] = {name: {} for name in names}
    for edge in edges:
        for end, other in ((edge.src, edge.dst), (edge.dst, edge.src)):
            hood[end][other] = hood[end].get(other, 0.0) + edge.strength
    labels = {name: name for name in names}
    for _ in range(max_sweeps):
        before = dict(labels)
        for name in names:
            totals: dict[str, float] = {}
            for other, strength in hood[name].items():
                totals[labels[other]] = totals.get(labels[other], 0.0) + strength
            if totals:
                labels[name] = min(totals, key=lambda label: (-totals[label], utf16_key(label)))
        if labels == before:
            break
    members: dict[str, list[str]] = {}
    for name in names:
        members.setdefault(labels[name], []).append(name)
    return {
        name: members[labels[name]][0] if len(members[labels[name]]) >= min_community_size else None
        for name in names
    }
