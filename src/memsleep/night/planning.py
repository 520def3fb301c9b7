"""From the result of a night to its plan."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from memsleep import __version__
from memsleep.config.digest import settings_digest
from memsleep.fold import Applied
from memsleep.fold.archive import LEDGER_NAME, run_id
from memsleep.landing.intents import intent_of
from memsleep.model import Memory, Snapshot, digest_bytes
from memsleep.night.effects import owned_effects
from memsleep.night.pipeline import NightResult
from memsleep.night.prepare import Prepared
from memsleep.night.suspecting import contradictions_of, nights_of
from memsleep.phases.contradictions import actions_of, is_linked, newer_of
from memsleep.plan import (
    Plan,
    PlannedChange,
    PlannedContradiction,
    PlannedDecision,
    PlannedEffect,
    effect_kind,
    values_of,
)
from memsleep.proposals import Archive, Merge, Proposal, SetField
from memsleep.safety.exits import clearance
from memsleep.settings import Settings

PLANNED_SECTIONS = {"budget", "check", "corpus", "dedup", "gate", "write"}
"""What reading, folding and landing depend on; `write.mode` says where, not what."""


def plan_of(prepared: Prepared, result: NightResult, settings: Settings) -> Plan:
    """Return the plan: every decision that changes files, and the effects on the state."""
    now = result.start.now
    touched: dict[str, list[str]] = {}
    near = _neighbours(result)
    decisions = [_decision(item, result.start, touched, near) for item in result.decisions]
    return Plan(
        tool_version=__version__,
        run=run_id(now),
        instant=now,
        profile=settings.run.profile,
        corpus_digest=prepared.corpus.digest,
        source=prepared.corpus.source_kind,
        base_commit=prepared.corpus.commit or "",
        config_digest=settings_digest(settings),
        settings=planned_settings(settings),
        identities=_identities(result.start),
        embedder=result.start.vectors.identity,
        decisions=tuple(decisions),
        effects=tuple(
            PlannedEffect(
                kind=effect_kind(type(effect).__name__), decision=owner, values=values_of(effect)
            )
            for owner, effect in owned_effects(result)
        ),
        contradictions=tuple(_contradictions(prepared, result)),
    )


def _contradictions(prepared: Prepared, result: NightResult) -> Iterator[PlannedContradiction]:
    """Give the findings that a person has to settle, as far as their texts may be shown."""
    start, nights = result.start, nights_of(prepared, result)
    for review in contradictions_of(result):
        one, other = (start.memories[path] for path in review.paths)
        newer, count = newer_of(one, other), nights.get(review.id, 0)
        linked = is_linked(one, other)
        actions = actions_of(review, run_id(start.now), newer, nights=count, linked=linked)
        yield PlannedContradiction(
            id=review.id,
            paths=(one.path, other.path),
            newer=newer or None,
            reason=review.reason,
            claims=(_shown(one), _shown(other)),
            rests_on={p: digest_bytes(start.files[p]) for p in review.paths if p in start.files},
            nights=count,
            actions=tuple(action.command for action in actions),
        )


def _shown(memory: Memory) -> str:
    return "" if clearance(memory).withheld else memory.gist


def planned_settings(settings: Settings) -> dict[str, dict[str, Any]]:
    """Return the settings that a plan carries, so that it can be folded again."""
    return settings.model_dump(mode="json", include=PLANNED_SECTIONS, exclude={"write": {"mode"}})


def _identities(start: Snapshot) -> dict[str, str]:
    standing = start.standing or {}
    return {path: s.memory_id for path, s in sorted(standing.items()) if s.memory_id != path}


def _neighbours(result: NightResult) -> dict[str, set[str]]:
    """Return path -> the memories whose place in the graph bears on its rank."""
    near: dict[str, set[str]] = defaultdict(set)
    pairs = [(edge.source, edge.target) for edge in result.end.mined]
    for memory in result.start.memories.values():
        pairs += [(memory.path, link.path) for link in memory.links if link.path is not None]
    for one, other in pairs:
        near[one].add(other)
        near[other].add(one)
    return near


def _assumed(
    proposal: Proposal, near: dict[str, set[str]], touched: dict[str, list[str]]
) -> list[str]:
    """Return the decisions that changed a neighbour of what was judged by its rank."""
    if not isinstance(proposal, Archive | SetField):
        return []
    return [name for path in sorted(near.get(proposal.path, ())) for name in touched.get(path, [])]


def _decision(
    item: Applied, start: Snapshot, touched: dict[str, list[str]], near: dict[str, set[str]]
) -> PlannedDecision:
    """Return one decision; `touched` gathers which decisions changed a file so far."""
    proposal = item.proposal
    changed = [c for c in item.changes if not c.path.endswith(f"/{LEDGER_NAME}")]
    about = list(proposal.paths) if isinstance(proposal, Merge) else [proposal.paths[0]]
    files = sorted({*about, *(change.path for change in changed)})
    # A page that only has a link rewritten does not tie the decisions that do so to each other.
    required = [name for path in sorted(about) for name in touched.get(path, [])]
    assumed = [name for name in _assumed(proposal, near, touched) if name not in required]
    for change in changed:
        touched.setdefault(change.path, []).append(proposal.id)
        if change.to is not None:
            touched.setdefault(change.to, []).append(proposal.id)
    # The file of an entry does not count: a neighbour's edit leaves the decision standing.
    held = {m.container for p in files if (m := start.memories.get(p)) is not None}
    return PlannedDecision(
        id=proposal.id,
        phase=proposal.phase,
        kind=proposal.kind,
        paths=proposal.paths,
        reason=proposal.reason,
        evidence=dict(proposal.evidence),
        intent=intent_of(proposal),
        rests_on={
            p: digest_bytes(start.files[p]) for p in files if p in start.files and p not in held
        },
        requires=tuple(dict.fromkeys(required)),
        assumes=tuple(dict.fromkeys(assumed)),
        changes=tuple(_changes(item, start)),
    )


def _changes(item: Applied, start: Snapshot) -> Iterator[PlannedChange]:
    """Give what happens to files: an entry that leaves its file makes one of its own."""
    for c in item.changes:
        if not start.is_entry(c.path):
            yield PlannedChange(
                path=c.path, action=c.action, before=c.before, after=c.after, to=c.to
            )
        elif c.to is not None and not start.is_entry(c.to):
            yield PlannedChange(path=c.to, action="create", after=c.after)
