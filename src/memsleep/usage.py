"""Arithmetic on what is known of a memory's use. Pure; no database."""

from __future__ import annotations

from dataclasses import replace

from memsleep.core.decay import from_fp, to_fp
from memsleep.core.lexical import SourceRef, union_source_refs
from memsleep.model import Usage

_SCALE_LIMIT = 10_000


def latest(*instants: str | None) -> str | None:
    """Return the latest instant that is there; None when none is."""
    return max((instant for instant in instants if instant is not None), default=None)


def sum_usage(keeper: Usage, dropped: Usage) -> Usage:
    """Return the use of a memory that takes over for another.

    Counts add up and stamps are the later ones. The outcome is the mean weighted by how often
    each was reinforced, on the grid; the keeper's own when neither ever was.
    """
    signals = keeper.reinforcement_count + dropped.reinforcement_count
    outcome_fp = to_fp(keeper.outcome_score)
    if signals:
        weighted = outcome_fp * keeper.reinforcement_count
        weighted += to_fp(dropped.outcome_score) * dropped.reinforcement_count
        outcome_fp = (2 * weighted + signals) // (2 * signals)  # nearest, halves upwards
    return Usage(
        access_count=keeper.access_count + dropped.access_count,
        reinforcement_count=signals,
        outcome_score=from_fp(outcome_fp),
        last_accessed_at=latest(keeper.last_accessed_at, dropped.last_accessed_at),
        last_reinforced_at=latest(keeper.last_reinforced_at, dropped.last_reinforced_at),
        updated_at=latest(keeper.updated_at, dropped.updated_at),
        usage_count=keeper.usage_count + dropped.usage_count,
        last_used_at=latest(keeper.last_used_at, dropped.last_used_at),
        corrected_count=keeper.corrected_count + dropped.corrected_count,
        evidence_count=keeper.evidence_count + dropped.evidence_count,
        source_refs=_union(dropped.source_refs, keeper.source_refs),
    )


def sum_machines(one: Usage, other: Usage) -> Usage:
    """Return the use of one memory on two machines: counts add up, the evidence is the same."""
    evidence = max(one.evidence_count, other.evidence_count)
    return replace(sum_usage(one, other), evidence_count=evidence)


def import_usage(known: Usage, imported: Usage) -> Usage:
    """Return the use after an exported row was read again, from this machine or another.

    Counters and stamps only grow, so that reading a row twice changes nothing. The outcome is the
    imported one, unless ours was changed later than the export says: an old export that is read
    every night must not undo what was learned since.
    """
    older = (imported.updated_at or "") < (known.updated_at or "")
    return Usage(
        access_count=max(known.access_count, imported.access_count),
        reinforcement_count=max(known.reinforcement_count, imported.reinforcement_count),
        outcome_score=known.outcome_score if older else imported.outcome_score,
        last_accessed_at=latest(known.last_accessed_at, imported.last_accessed_at),
        last_reinforced_at=latest(known.last_reinforced_at, imported.last_reinforced_at),
        updated_at=latest(known.updated_at, imported.updated_at),
        usage_count=max(known.usage_count, imported.usage_count),
        last_used_at=latest(known.last_used_at, imported.last_used_at),
        corrected_count=max(known.corrected_count, imported.corrected_count),
        evidence_count=max(known.evidence_count, imported.evidence_count),
        source_refs=_union(imported.source_refs, known.source_refs),
    )


def outcome_on_grid(outcome: float) -> int:
    """Return an outcome as units of 1/10,000 within [-10,000, 10,000]."""
    return min(max(to_fp(outcome), -_SCALE_LIMIT), _SCALE_LIMIT)


def _union(
    older: tuple[tuple[str, int], ...], newer: tuple[tuple[str, int], ...]
) -> tuple[tuple[str, int], ...]:
    refs = union_source_refs([SourceRef(*ref) for ref in older], [SourceRef(*ref) for ref in newer])
    return tuple((ref.session_id, ref.seq) for ref in refs)
