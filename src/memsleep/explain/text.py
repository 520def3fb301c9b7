"""An explanation as plain lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from memsleep.explain.answer import Explanation
from memsleep.report.shown import shown_line


def lines_of(explanation: Explanation) -> list[str]:
    """Return the lines, control characters of titles and paths made visible."""
    return [shown_line(line) for line in _lines(explanation)]


def _lines(e: Explanation) -> Iterator[str]:
    yield f"{e.path}"
    yield f"  {e.title} ({e.type}{', archived' if e.archived else ''})"
    if e.retention is not None:
        yield ""
        yield from _retention(e)
    if e.community:
        yield f"community: {e.community} ({e.community_size} memories)"
    if e.neighbours:
        yield ""
        yield "neighbours"
        for n in e.neighbours:
            told = f"  {n.outcome}: {n.guards}" if n.guards else f"  {n.outcome}".rstrip()
            yield f"  {n.similarity:.4f}  {n.path}  {n.how}{told}"
    if e.links:
        yield ""
        yield "links"
        for link in e.links:
            arrow = "->" if link.direction == "out" else "<-"
            lost = "  (dangling)" if link.dangling else ""
            yield f"  {arrow} {link.relation}  {link.path}{lost}"
    yield ""
    yield "tonight" if e.decisions else "tonight: nothing happens to it"
    for decision in e.decisions:
        yield f"  {decision.id}  {decision.kind} ({decision.phase}): {decision.reason}"


def _retention(e: Explanation) -> Iterator[str]:
    band = f", band {e.band}" if e.band else " (its type is never evicted)"
    yield f"retention {e.retention:.4f}{band}"
    for signal in e.signals:
        yield f"  {signal.name:<20} {signal.value:6.4f} x {signal.weight:6.4f} = {signal.share:.4f}"
    yield "  " + ", ".join(f"{name} {value:g}" for name, value in e.facts.items() if name)
    if e.confidence_stated is None:
        yield "  confidence is not stated: it counts as 1 and never decays"
    else:
        since = f", {e.confidence_effective:g} after the nights since"
        faded = since if e.confidence_effective != e.confidence_stated else ""
        yield f"  confidence {e.confidence_stated:g} is stated{faded}"
    if e.protected_because:
        yield f"  never evicted: {e.protected_because}"
    if e.advisory_because and e.band == "evict":
        yield f"  told, not done: {e.advisory_because}"
    for lever in e.levers:
        yield f"  {lever.what} {lever.value:g} would make it {lever.band}"
