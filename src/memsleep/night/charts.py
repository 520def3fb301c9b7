"""Figures behind the report's plots."""

from __future__ import annotations

import math
from collections import defaultdict

from memsleep.model import Snapshot
from memsleep.report.data import Community, Histogram, Mark
from memsleep.safety.exits import title_to_show
from memsleep.settings import Settings

BINS = 20
SHOWN_MEMBERS = 8
SHOWN_COMMUNITIES = 30


def retention_histogram(snapshot: Snapshot) -> Histogram:
    """Return how many memories have which retention, with the edges of the bands."""
    column = snapshot.columns.get("retention", {})
    values = [float(v) for v in column.values() if isinstance(v, float | int)]
    marks = (Mark(value=0.3, label="evict"), Mark(value=0.7, label="keep"))
    return _histogram(values, 0.0, marks) if values else Histogram()


def similarity_histogram(snapshot: Snapshot, settings: Settings) -> Histogram:
    """Return how near the pairs of the night are, with the floors that let them in."""
    pairs = {(edge.source, edge.target): edge.strength for edge in snapshot.mined}
    near = {(min(a, b), max(a, b)): value for (a, b), value in pairs.items()}
    near.update({(p.source, p.target): p.similarity for p in snapshot.candidates})
    if not near:
        return Histogram()
    section, floors = settings.pairing, snapshot.floors
    marks = []
    for label, setting, own in (
        ("mined", section.mined_floor, floors.mined),
        ("duplicate", section.duplicate_floor, floors.duplicate),
    ):
        value = own if isinstance(setting, str) else setting
        if value <= 1.0:
            marks.append(Mark(value=value, label=label))
    lowest = min([0.9, *near.values(), *(mark.value for mark in marks)])
    return _histogram(list(near.values()), max(0.0, math.floor(lowest * 10) / 10), tuple(marks))


def _histogram(values: list[float], low: float, marks: tuple[Mark, ...]) -> Histogram:
    """Return counts of values between `low` and 1 in bins of equal width; 1 is in the last."""
    width = (1.0 - low) / BINS
    counts = [0] * BINS
    for value in values:
        place = int((min(1.0, max(low, value)) - low) / width + 1e-9)
        counts[min(BINS - 1, place)] += 1
    edges = tuple(round(low + i * width, 6) for i in range(BINS + 1))
    return Histogram(edges=edges, counts=tuple(counts), marks=marks)


def communities(snapshot: Snapshot) -> tuple[Community, ...]:
    """Return the communities, the largest first, with their most central memories."""
    groups: dict[str, list[str]] = defaultdict(list)
    for path, label in snapshot.columns.get("community", {}).items():
        if isinstance(label, str):
            groups[label].append(path)
    ranks = snapshot.columns.get("pagerank", {})

    def rank(path: str) -> tuple[float, str]:
        value = ranks.get(path)
        return (-value if isinstance(value, float | int) else 0.0), path

    found = []
    largest = sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
    for label, paths in largest[:SHOWN_COMMUNITIES]:
        central = sorted(paths, key=rank)[:SHOWN_MEMBERS]
        titles = [
            title_to_show(snapshot.memories[p]) or p for p in central if p in snapshot.memories
        ]
        found.append(Community(label=label, size=len(paths), members=tuple(titles)))
    return tuple(found)
