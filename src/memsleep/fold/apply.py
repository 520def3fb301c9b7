"""The one place where proposals meet the corpus."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from memsleep.errors import DetailsRefused, EditRefused
from memsleep.fold.archive import archive
from memsleep.fold.findings import with_findings
from memsleep.fold.links import change_links, follow_links, stated_link
from memsleep.fold.merge import merge
from memsleep.fold.outcome import Applied, Folded
from memsleep.fold.workspace import Transaction, Workspace
from memsleep.model import Snapshot, Usage
from memsleep.proposals import (
    AddLink,
    Archive,
    Merge,
    Proposal,
    Refusal,
    RemoveLink,
    RetargetLink,
    SetField,
)
from memsleep.settings import Settings
from memsleep.usage import sum_usage

_TRIED_AGAIN = frozenset({"details", "edit-refused"})


def fold(snapshot: Snapshot, proposals: Iterable[Proposal], settings: Settings) -> Folded:
    """Apply the proposals of one phase and return the next snapshot.

    Rules: proposals are sorted by kind and paths, equal ones are one; a proposal takes effect as
    a whole or not at all; one whose memory is gone, whose file is read-only or whose edit an
    editor refuses is refused with its reason; of two values for one field the first counts.
    What an editor refuses is tried again after the others, so that no order decides and the
    next night finds nothing that this one could have done.
    """
    workspace = Workspace(snapshot, settings)
    ordered = sorted(proposals, key=lambda p: (p.kind, p.paths))
    pending = list({p.id: p for p in ordered}.values())
    fields: dict[tuple[str, str], str] = {}
    applied: list[Applied] = []
    refused: list[Refusal] = []
    while pending:
        outcomes = [_outcome(workspace, p, settings, fields) for p in pending]
        done = [outcome for outcome in outcomes if isinstance(outcome, Applied)]
        failed = [outcome for outcome in outcomes if isinstance(outcome, Refusal)]
        again = [r for r in failed if r.cause in _TRIED_AGAIN and any(d.changes for d in done)]
        applied += done
        refused += [refusal for refusal in failed if refusal not in again]
        pending = [refusal.proposal for refusal in again]
    places = {proposal.id: place for place, proposal in enumerate(ordered)}
    refused.sort(key=lambda refusal: places[refusal.proposal.id])
    finished = _with_usage(workspace.finished(), workspace, applied)
    findings = [_finding(item.proposal) for item in applied]
    finished = with_findings(finished, [finding for finding in findings if finding is not None])
    return Folded(finished, tuple(applied), tuple(refused))


def _outcome(
    workspace: Workspace,
    proposal: Proposal,
    settings: Settings,
    fields: dict[tuple[str, str], str],
) -> Applied | Refusal | None:
    if not proposal.edits_files:
        return Applied(proposal)
    return _edit(workspace, proposal, settings, fields)


def _edit(
    workspace: Workspace,
    proposal: Proposal,
    settings: Settings,
    fields: dict[tuple[str, str], str],
) -> Applied | Refusal | None:
    """Apply one edit; None when everything it asks for is there already."""
    refusal = _gone_or_read_only(workspace, proposal) or _conflict(proposal, fields)
    if refusal is not None:
        return refusal
    staged = Transaction(workspace)
    try:
        _stage(staged, proposal, settings)
    except EditRefused as error:
        place = error.reason.split(": ", 1)[0] if ": " in error.reason else None
        path = place if place in workspace.taken else proposal.paths[0]
        return Refusal(
            reason=error.reason,
            proposal=proposal,
            cause="details" if isinstance(error, DetailsRefused) else "edit-refused",
            path=path,
            line=error.line,
        )
    changes = staged.commit()
    if not changes:
        decayed = proposal.decayed if isinstance(proposal, SetField) else None
        return Applied(decayed) if decayed is not None else None
    return Applied(proposal, changes)


def _finding(proposal: Proposal) -> Proposal | None:
    """Return what a proposal tells the snapshot besides its edits: itself, or its decay."""
    if isinstance(proposal, SetField):
        return proposal.decayed
    return None if proposal.edits_files else proposal


def _gone_or_read_only(workspace: Workspace, proposal: Proposal) -> Refusal | None:
    about = proposal.paths if isinstance(proposal, Merge) else proposal.paths[:1]
    for path in about:
        memory = workspace.memories.get(path)
        if memory is None and path not in workspace.references:
            reason = f"{path}: an earlier decision of the night moved it"
            return Refusal(reason=reason, proposal=proposal, cause="gone", path=path)
        why = workspace.snapshot.locked.get(path) if memory is None else memory.read_only
        if why:
            reason = f"{path}: the file is left alone: {why}"
            return Refusal(reason=reason, proposal=proposal, cause="read-only", path=path)
    return None


def _conflict(proposal: Proposal, fields: dict[tuple[str, str], str]) -> Refusal | None:
    if not isinstance(proposal, SetField):
        return None
    for name, value in proposal.values:
        known = fields.setdefault((proposal.path, name), value)
        if known != value:
            return Refusal(
                reason=f"{proposal.path}: {name} was already set to {known!r}, not {value!r}",
                proposal=proposal,
                cause="conflict",
                path=proposal.path,
            )
    return None


def _stage(staged: Transaction, proposal: Proposal, settings: Settings) -> None:
    if isinstance(proposal, Merge):
        merge(staged, proposal, settings)
    elif isinstance(proposal, Archive):
        to = archive(staged, proposal.path, proposal, settings, cause=proposal.cause)
        if settings.write.follow_links and to != proposal.path:
            follow_links(staged, proposal.path, to)
    elif isinstance(proposal, SetField):
        _set_field(staged, proposal)
    elif isinstance(proposal, AddLink):
        _add_link(staged, proposal)
    elif isinstance(proposal, RetargetLink | RemoveLink):
        change_links(staged, proposal, settings)
    else:
        raise TypeError(f"no fold for {type(proposal).__name__}")


def _add_link(staged: Transaction, proposal: AddLink) -> None:
    held = {(link.relation, link.path) for link in staged.memory(proposal.path).links}
    if (proposal.relation, proposal.target) not in held:
        source = stated_link(staged, proposal.path, proposal.relation, proposal.target)
        staged.write(proposal.path, source, what="a link")


def _set_field(staged: Transaction, proposal: SetField) -> None:
    for name, value in proposal.values:
        memory = staged.memory(proposal.path)
        dialect = staged.dialect(memory)
        source = dialect.set_field(memory, staged.source(proposal.path), name, value)
        if source is None and proposal.decayed is not None:
            continue  # the state keeps it
        staged.write(proposal.path, source, what=name)


def _with_usage(snapshot: Snapshot, workspace: Workspace, applied: list[Applied]) -> Snapshot:
    """Let usage follow: summed in a keeper, moved with a file."""
    merges = [item.proposal for item in applied if isinstance(item.proposal, Merge)]
    if snapshot.usage is None or not (merges or workspace.moved):
        return snapshot
    usage: dict[str, Usage] = dict(snapshot.usage)
    for merged in merges:
        if merged.dropped in usage:
            usage[merged.keeper] = sum_usage(
                usage.get(merged.keeper, Usage()), usage[merged.dropped]
            )
    for old, new in workspace.moved.items():
        if old in usage:
            usage[new] = usage.pop(old)
    return replace(snapshot, usage=dict(sorted(usage.items())))
