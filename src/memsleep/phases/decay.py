"""Let unconfirmed confidence fade. Contract: phases/decay.md."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal

from memsleep.core import (
    decay_confidence,
    decay_confidence_n,
    to_fp,
)
from memsleep.model import Memory, Snapshot, Standing
from memsleep.nights import nights_between
from memsleep.proposals import Decay, Proposal, SetField
from memsleep.settings import DecaySettings, Settings


def propose(snapshot: Snapshot, settings: Settings) -> Iterator[Proposal]:
    """Yield a `Decay` or, where a file is to be rewritten, a `SetField` for each that fades."""
    for memory in snapshot.active():
        step = _tonight(snapshot, memory, settings.decay)
        if step is not None:
            is_written = _written(memory, step, settings.decay)
            yield _rewrite(snapshot, memory, step, settings) if is_written else step


def confidence_tonight(snapshot: Snapshot, memory: Memory, settings: Settings) -> float:
    """Return the confidence a memory has once this night's decay is done, whatever the order.

    Where every run is a step, phases read what the files said when the night began.
    """
    if settings.decay.clock == "nights":
        step = _tonight(snapshot, memory, settings.decay)
        if step is not None:
            return step.after
    return effective_confidence(snapshot, memory)


def effective_confidence(snapshot: Snapshot, memory: Memory) -> float:
    """Return the confidence a memory has tonight: stated, less the decay that has landed.

    A confidence that was stated anew since then counts as it stands.
    """
    return effective_confidence_of(memory, (snapshot.standing or {}).get(memory.path))


def effective_confidence_of(memory: Memory, standing: Standing | None) -> float:
    """Return the confidence of a memory with what the state remembers of it."""
    if standing is None or standing.effective_confidence is None:
        return memory.confidence
    if not memory.states("confidence") or _stated_anew(standing, memory):
        return memory.confidence
    return min(memory.confidence, standing.effective_confidence)


def _stated_anew(standing: Standing, memory: Memory) -> bool:
    """Return True when the file says another confidence than at the last landed decay.

    The state keeps four decimals.
    """
    known = standing.stated_confidence
    return known is None or to_fp(known) != to_fp(memory.confidence)


def _tonight(snapshot: Snapshot, memory: Memory, section: DecaySettings) -> Decay | None:
    """Return the decay of one memory; where its file is to say the value, as the file says it."""
    if memory.type in section.never or _reinforced(snapshot, memory):
        return None
    if section.clock == "runs":
        step = _by_run(memory, section)
    else:
        step = _by_nights(snapshot, memory, section)
    if step is None or not _written(memory, step, section):
        return step
    after = float(three_decimals(step.after))
    return replace(step, after=after, evidence={**step.evidence, "after": after})


def _reinforced(snapshot: Snapshot, memory: Memory) -> bool:
    usage = (snapshot.usage or {}).get(memory.path)
    return usage is not None and usage.reinforcement_count > 0


def _by_run(memory: Memory, section: DecaySettings) -> Decay | None:
    """One step a run, on the confidence the file states or its default of 1."""
    after = decay_confidence(memory.confidence, alpha=section.alpha, floor=section.floor)
    return _step(memory, memory.confidence, after, 1, section)


def _by_nights(snapshot: Snapshot, memory: Memory, section: DecaySettings) -> Decay | None:
    """One step a night since the last landed decay, at most `max_steps`; none at first sight."""
    standing = (snapshot.standing or {}).get(memory.path)
    if standing is None or memory.pinned or not memory.states("confidence"):
        return None
    since = standing.last_decay_at or standing.first_seen_at
    if since is None:
        return None
    if _stated_anew(standing, memory) and memory.updated:
        since = max(since, memory.updated)
    nights = min(section.max_steps, nights_between(since, snapshot.now))
    if nights < 1:
        return None
    before = effective_confidence(snapshot, memory)
    after = decay_confidence_n(before, nights, alpha=section.alpha, floor=section.floor)
    return _step(memory, before, after, nights, section)


def _step(
    memory: Memory, before: float, after: float, nights: int, section: DecaySettings
) -> Decay | None:
    if before == after or abs(before - after) < section.commit_delta:
        return None
    told = "1 night" if nights == 1 else f"{nights} nights"
    return Decay(
        phase="decay",
        reason=f"nothing confirmed it in {told}",
        evidence={"before": before, "after": after, "nights": nights},
        path=memory.path,
        before=before,
        after=after,
        nights=nights,
    )


def _written(memory: Memory, step: Decay, section: DecaySettings) -> bool:
    """Return True when the file is to say the new value: always, or once it falls past a mark."""
    if section.write_always:
        return True
    return not memory.read_only and any(
        memory.confidence >= mark > step.after for mark in section.write_at
    )


def _rewrite(snapshot: Snapshot, memory: Memory, step: Decay, settings: Settings) -> SetField:
    stamps = (("updated", snapshot.now),) if settings.write.stamp_updated else ()
    return SetField(
        phase="decay",
        reason=step.reason,
        evidence=step.evidence,
        path=memory.path,
        values=(("confidence", three_decimals(step.after)), *stamps),
        decayed=step,
    )


def three_decimals(value: float) -> str:
    """Return a non-negative number with exactly three decimals, ties away from zero.

    Examples
    --------
    >>> three_decimals(0.3125), three_decimals(0.0625), three_decimals(1.0)
    ('0.313', '0.063', '1.000')
    """
    return str(Decimal(value).quantize(Decimal("0.001"), rounding=ROUND_HALF_UP))
