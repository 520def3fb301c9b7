"""From the result of a night to its report: what changed, what needs a person, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from memsleep import __version__
from memsleep.audit import prove, recorded_by
from memsleep.budget import allowances
from memsleep.config.digest import settings_digest
from memsleep.fold import Applied
from memsleep.fold.archive import LEDGER_NAME, run_id
from memsleep.gate.told import headline
from memsleep.gate.values import GateResult
from memsleep.model import Memory, Snapshot, digest_bytes
from memsleep.night.charts import communities, retention_histogram, similarity_histogram
from memsleep.night.pipeline import NightResult
from memsleep.night.prepare import Prepared
from memsleep.night.suspecting import nights_of
from memsleep.night.upcoming import upcoming
from memsleep.phases.contradictions import KIND as CONTRADICTION
from memsleep.phases.contradictions import actions_of, is_linked, newer_of
from memsleep.phases.dedup import merge_limit
from memsleep.phases.review_queue import urgency
from memsleep.proposals import (
    Archive,
    Dangling,
    Decay,
    Defer,
    Evict,
    Merge,
    Proposal,
    Refuse,
    RemoveLink,
    RetargetLink,
    Review,
    SetField,
    Spare,
)
from memsleep.report import data
from memsleep.report.words import ROWS_SHOWN
from memsleep.safety.exits import clearance, title_to_show
from memsleep.settings import Settings

EXAMPLES = 5


def report_of(
    prepared: Prepared,
    result: NightResult,
    settings: Settings,
    *,
    run: str | None = None,
    gate: GateResult | None = None,
) -> data.Report:
    """Return the report of a night, ready to be rendered; `run` is its id where it has one."""
    start, end = result.start, result.end
    landing = run is not None
    run = run_id(start.now) if run is None else run
    return data.Report(
        header=_header(prepared, result, settings, run, landing=landing),
        totals=_totals(prepared, result),
        budgets=_budgets(result, settings),
        decisions=tuple(_decisions(result, run)),
        decayed=tuple(_decayed(result)),
        reviews=tuple(_reviews(prepared, result, run, landing=landing)),
        deferred=tuple(_waiting(start, result.found(Defer))),
        advisory=tuple(_waiting(start, _advisory(result))),
        upcoming=tuple(upcoming(end, settings)),
        candidates=_candidates(result),
        not_applied=tuple(_not_applied(result)),
        unreadable=tuple(
            data.UnreadableFile(
                path=u.path, line=u.line, reasons=tuple(p.message for p in u.problems)
            )
            for u in start.unreadable
        ),
        warnings=tuple(
            data.FileWarning(path=p.path, line=p.line, code=p.code, message=p.message)
            for p in start.problems
        ),
        dangling=tuple(
            data.DanglingLink(
                path=d.path,
                line=d.line,
                target=d.target,
                nearest=d.nearest,
                ambiguous=d.ambiguous,
            )
            for d in result.found(Dangling)
            if isinstance(d, Dangling)
        ),
        phases=tuple(_phases(result)),
        checks=(*_checks(result), *_gate_check(gate, settings)),
        retention=retention_histogram(end),
        similarity=similarity_histogram(end, settings),
        communities=communities(end),
        size_before=_size(start),
        size_after=_size(end),
    )


def _header(
    prepared: Prepared, result: NightResult, settings: Settings, run: str, *, landing: bool
) -> data.Header:
    return data.Header(
        corpus=prepared.name,
        run=run,
        instant=result.start.now,
        profile=settings.run.profile,
        config_digest=settings_digest(settings),
        corpus_digest=prepared.corpus.digest,
        base_commit=prepared.corpus.commit or "",
        embedder=result.start.vectors.identity,
        tool_version=__version__,
        dry_run=not landing,
        degraded=prepared.degraded,
    )


def _totals(prepared: Prepared, result: NightResult) -> data.Totals:
    start = result.start
    active = len(start.active())
    proposals = [item.proposal for item in result.decisions]
    merges = [p for p in proposals if isinstance(p, Merge)]
    archived = Counter(p.cause for p in proposals if isinstance(p, Archive))
    start = result.start
    changed = {
        c.path for item in result.decisions for c in item.changes if not start.is_entry(c.path)
    }
    return data.Totals(
        active=active,
        archived=len(start.memories) - active,
        read=len(start.memories),
        unreadable=len(start.unreadable),
        left_out=_counts(prepared.corpus.left_out.items()),
        decisions=_counts(sorted(Counter(p.kind for p in proposals).items())),
        merged=len(merges),
        keepers=len({merge.keeper for merge in merges}),
        evicted=archived["evicted"],
        expired=archived["expired"],
        reprieved=sum(p.phase == "reprieve" and isinstance(p, SetField) for p in proposals),
        spared=len(result.found(Spare)),
        decayed=len(_decays(result)),
        links_rewritten=sum(isinstance(p, RetargetLink | RemoveLink) for p in proposals),
        files_changed=len(changed),
    )


def _counts(items: Iterable[tuple[str, int]]) -> tuple[data.Count, ...]:
    return tuple(data.Count(name=name, count=count) for name, count in items)


def _budgets(result: NightResult, settings: Settings) -> tuple[data.Budget, ...]:
    archived = len([a for a in result.decisions if isinstance(a.proposal, Archive)])
    merged = len([a for a in result.decisions if isinstance(a.proposal, Merge)])
    limits = [
        data.Budget(name=f"archived {limit.name}", used=limit.spent + archived, limit=limit.limit)
        for limit in allowances(result.start, settings)
    ]
    merges = data.Budget(
        name="merged this night", used=merged, limit=merge_limit(result.start, settings)
    )
    return (*limits, merges)


def text_of(memory: Memory | None, path: str) -> data.Text:
    """Return what a memory says, for the report."""
    if memory is None:
        return data.Text(path=path)
    allowed = clearance(memory)
    if allowed.withheld:
        return data.Text(path=memory.path, type=memory.type, withheld=allowed.told)
    return data.Text(
        path=memory.path,
        title=memory.title,
        type=memory.type,
        gist=memory.gist,
        body=memory.body,
        created=memory.created or "",
        updated=memory.updated or "",
        quotation=allowed.quotation,
    )


def _decisions(result: NightResult, run: str) -> Iterable[data.Decision]:
    for item in result.decisions:
        proposal = item.proposal
        if isinstance(proposal, SetField) and proposal.decayed is not None:
            continue
        yield _decision(item, result.start, run)
    for spared in result.found(Spare):
        assert isinstance(spared, Spare)
        yield data.Decision(
            id=spared.id,
            phase=spared.phase,
            kind=spared.kind,
            paths=spared.paths,
            titles=_titles(result.start, spared.paths),
            reason=f"{spared.reason}: not asked again before {spared.until[:10]}",
            evidence=dict(spared.evidence),
            undo=data.undo_command(run, spared.id),
        )


def _decision(item: Applied, start: Snapshot, run: str) -> data.Decision:
    proposal = item.proposal
    about = proposal.paths if isinstance(proposal, Merge) else proposal.paths[:1]
    files = [c.to or c.path for c in item.changes if not c.path.endswith(f"/{LEDGER_NAME}")]
    keeper = dropped = None
    if isinstance(proposal, Merge):
        keeper = text_of(start.memories.get(proposal.keeper), proposal.keeper)
        dropped = text_of(start.memories.get(proposal.dropped), proposal.dropped)
    elif isinstance(proposal, Archive):
        dropped = text_of(start.memories.get(proposal.path), proposal.path)
    return data.Decision(
        id=proposal.id,
        phase=proposal.phase,
        kind=proposal.kind,
        cause=proposal.cause if isinstance(proposal, Archive) else "",
        paths=about,
        titles=_titles(start, about),
        reason=proposal.reason,
        evidence=dict(proposal.evidence),
        keeper=keeper,
        dropped=dropped,
        changes=tuple(_changes(proposal, start)),
        files_changed=tuple(sorted(files)),
        undo=data.undo_command(run, proposal.id),
    )


def _titles(start: Snapshot, paths: Iterable[str]) -> tuple[str, ...]:
    """Return the titles of memories; a page that is none goes by its path."""
    return tuple(
        title_to_show(start.memories[path]) if path in start.memories else path for path in paths
    )


def _changes(proposal: Proposal, start: Snapshot) -> Iterable[data.Change]:
    if isinstance(proposal, SetField):
        memory = start.memories.get(proposal.path)
        for name, value in proposal.values:
            before = "" if memory is None else str(getattr(memory, name, "") or "")
            yield data.Change(path=proposal.path, what=name, before=before, after=value)
    elif isinstance(proposal, Merge):
        for sentence in proposal.carry:
            yield data.Change(path=proposal.keeper, what="text carried over", after=sentence)
    elif isinstance(proposal, RetargetLink):
        yield data.Change(
            path=proposal.path, what="link", before=proposal.target, after=proposal.target_path
        )
    elif isinstance(proposal, RemoveLink):
        yield data.Change(path=proposal.path, what="link", before=proposal.target)


def _decays(result: NightResult) -> list[tuple[Decay, bool]]:
    """Return every decay of the night and whether the file says so too, in path order."""
    found = [(p, False) for p in result.found(Decay) if isinstance(p, Decay)]
    edits = [a.proposal for a in result.decisions if isinstance(a.proposal, SetField)]
    found.extend((edit.decayed, True) for edit in edits if edit.decayed is not None)
    return sorted(found, key=lambda pair: pair[0].path)


def _decayed(result: NightResult) -> Iterable[data.DecayedMemory]:
    ids = {
        p.path: p.id
        for p in (a.proposal for a in result.decisions)
        if isinstance(p, SetField) and p.decayed
    }
    for decay, written in _decays(result):
        yield data.DecayedMemory(
            id=ids[decay.path] if written else decay.id,
            path=decay.path,
            before=decay.before,
            after=decay.after,
            nights=decay.nights,
            written=written,
        )


def _reviews(
    prepared: Prepared, result: NightResult, run: str, *, landing: bool
) -> Iterable[data.Review]:
    found = [review for review in result.found(Review) if isinstance(review, Review)]
    nights, memories = nights_of(prepared, result), result.start.memories
    for review in sorted(found, key=urgency):
        first, second = (memories.get(path) for path in review.paths)
        newer = newer_of(first, second) if first and second else ""
        linked = first is not None and second is not None and is_linked(first, second)
        count = nights.get(review.id, 0)
        actions = actions_of(review, run, newer, nights=count, linked=linked)
        yield data.Review(
            id=review.id,
            question=review.question,
            reason=review.reason,
            evidence=dict(review.evidence),
            first=text_of(first, review.keeper),
            second=text_of(second, review.dropped),
            newer=newer if review.question == CONTRADICTION else "",
            nights=count,
            rests_on={
                path: digest_bytes(result.start.files[path])
                for path in review.paths
                if path in result.start.files
            },
            actions=tuple(action.what for action in actions),
            commands=tuple(action.command for action in actions if landing),
        )


def _advisory(result: NightResult) -> list[Proposal]:
    gone = set(result.moves)
    found = [
        p for p in result.found(Evict) if isinstance(p, Evict) and p.advisory and p.path not in gone
    ]
    return sorted(found, key=lambda p: (p.score, p.path))  # type: ignore[attr-defined]


def _waiting(start: Snapshot, proposals: Iterable[Proposal]) -> Iterable[data.Waiting]:
    for number, proposal in enumerate(proposals):
        path = proposal.paths[0]
        score = proposal.evidence.get("retention", proposal.evidence.get("score"))
        yield data.Waiting(
            id=proposal.id,
            path=path,
            title=_titles(start, [path])[0] if number < ROWS_SHOWN else "",  # what a page shows
            reason=proposal.reason,
            score=float(score) if isinstance(score, float | int) else None,
        )


def _candidates(result: NightResult) -> data.Candidates:
    by_cause: dict[str, list[data.RefusedPair]] = {}
    told: dict[str, str] = {}
    for refuse in result.found(Refuse):
        assert isinstance(refuse, Refuse)
        told.setdefault(refuse.cause, refuse.reason)
        by_cause.setdefault(refuse.cause, []).append(_refused_pair(refuse, refuse.reason))
    for refusal in result.refused:
        if isinstance(refusal.proposal, Merge):
            told.setdefault(refusal.cause, refusal.reason)
            pair = _refused_pair(refusal.proposal, refusal.reason)
            by_cause.setdefault(refusal.cause, []).append(pair)
    return data.Candidates(
        candidates=len(result.end.candidates),
        merged=len([a for a in result.decisions if isinstance(a.proposal, Merge)]),
        reviewed=len(result.found(Review)),
        refused=tuple(
            data.RefusalCause(
                cause=cause,
                count=len(pairs),
                explanation=told[cause],
                examples=tuple(pairs[:EXAMPLES]),
            )
            for cause, pairs in sorted(by_cause.items())
        ),
    )


def _refused_pair(pair: Refuse | Merge, reason: str) -> data.RefusedPair:
    similarity = pair.evidence.get("similarity")
    return data.RefusedPair(
        keeper=pair.keeper,
        dropped=pair.dropped,
        reason=reason,
        similarity=float(similarity) if isinstance(similarity, float | int) else None,
    )


def _not_applied(result: NightResult) -> Iterable[data.NotApplied]:
    for refusal in result.refused:
        if refusal.cause == "gone" and result.end.memories:
            continue  # a quiet count, in the phase's row
        yield data.NotApplied(
            id=refusal.proposal.id,
            phase=refusal.proposal.phase,
            kind=refusal.proposal.kind,
            paths=refusal.proposal.paths,
            cause=refusal.cause,
            reason=refusal.reason,
            path=refusal.path or "",
            line=refusal.line,
        )


def _phases(result: NightResult) -> Iterable[data.Phase]:
    for phase in result.phases:
        gone = sum(refusal.cause == "gone" for refusal in phase.refused)
        detail = phase.detail
        if gone:
            detail = f"{gone} had been moved by an earlier phase"
        yield data.Phase(
            name=phase.name,
            status=phase.status,
            proposed=phase.proposed,
            applied=len(phase.applied),
            refused=len(phase.refused),
            detail=detail,
        )


def _checks(result: NightResult) -> Iterable[data.Check]:
    before, after = len(result.start.memories), len(result.end.memories)
    yield data.Check(
        name="every memory is still there, live or archived",
        passed=before == after,
        detail=f"{before} before, {after} after",
    )
    proof = prove(result.start, result.end, recorded_by(result.applied))
    yield data.Check(name="nothing that they say is lost", passed=proof.holds, detail=proof.told)
    candidates = _candidates(result)
    yield data.Check(
        name="every candidate pair is accounted for",
        passed=candidates.adds_up,
        detail=(
            f"{candidates.candidates} candidates: {candidates.merged} merged, "
            f"{candidates.reviewed} for review, {candidates.refused_count} refused"
        ),
    )


def _gate_check(gate: GateResult | None, settings: Settings) -> Iterable[data.Check]:
    if gate is not None:
        aside = "" if gate.passed or settings.gate.enforce else "; told only, by gate.enforce"
        yield data.Check(
            name="the corpus answers as well as before",
            passed=gate.passed,
            detail=f"{headline(gate)}{aside}",
        )


def _size(snapshot: Snapshot) -> data.Size:
    active = snapshot.active()
    return data.Size(
        active=len(active),
        archived=len(snapshot.memories) - len(active),
        words=sum(memory.word_count for memory in active),
        size_bytes=sum(len(snapshot.files[memory.path]) for memory in active),
    )
