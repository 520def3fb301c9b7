"""From the result of a night to its plan."""

from __future__ import annotations

from memsleep import __version__
from memsleep.config.digest import settings_digest
from memsleep.fold import Applied
from memsleep.fold.archive import LEDGER_NAME, run_id
from memsleep.model import Snapshot, digest_bytes
from memsleep.night.effects import effects_of
from memsleep.night.pipeline import NightResult
from memsleep.night.prepare import Prepared
from memsleep.plan import (
    Plan,
    PlannedChange,
    PlannedDecision,
    PlannedEffect,
    effect_kind,
    values_of,
)
from memsleep.proposals import Merge
from memsleep.settings import Settings

_SHARED = frozenset({"phase", "reason", "evidence", "path", "keeper", "dropped", "decayed"})


def plan_of(prepared: Prepared, result: NightResult, settings: Settings) -> Plan:
    """Return the plan: every decision that changes files, and the effects on the state."""
    now = result.start.now
    touched: dict[str, list[str]] = {}
    decisions = [_decision(item, result.start, touched) for item in result.decisions]
    return Plan(
        tool_version=__version__,
        run=run_id(now),
        instant=now,
        profile=settings.run.profile,
        corpus_digest=prepared.corpus.digest,
        base_commit=prepared.corpus.commit or "",
        config_digest=settings_digest(settings),
        embedder=result.start.vectors.identity,
        decisions=tuple(decisions),
        effects=tuple(
            PlannedEffect(kind=effect_kind(type(effect).__name__), values=values_of(effect))
            for effect in effects_of(result)
        ),
    )


def _decision(item: Applied, start: Snapshot, touched: dict[str, list[str]]) -> PlannedDecision:
    """Return one decision; `touched` gathers which decisions changed a file so far."""
    proposal = item.proposal
    changed = [c for c in item.changes if not c.path.endswith(f"/{LEDGER_NAME}")]
    about = list(proposal.paths) if isinstance(proposal, Merge) else [proposal.paths[0]]
    files = sorted({*about, *(change.path for change in changed)})
    required = [name for path in files for name in touched.get(path, [])]
    for change in changed:
        touched.setdefault(change.path, []).append(proposal.id)
        if change.to is not None:
            touched.setdefault(change.to, []).append(proposal.id)
    return PlannedDecision(
        id=proposal.id,
        phase=proposal.phase,
        kind=proposal.kind,
        paths=proposal.paths,
        reason=proposal.reason,
        evidence=dict(proposal.evidence),
        intent=values_of(proposal, without=_SHARED),
        rests_on={p: digest_bytes(start.files[p]) for p in files if p in start.files},
        requires=tuple(dict.fromkeys(required)),
        changes=tuple(
            PlannedChange(path=c.path, action=c.action, before=c.before, after=c.after, to=c.to)
            for c in item.changes
        ),
    )
