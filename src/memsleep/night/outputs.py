"""From the result of a night to bytes: patch, plan, reports and the summary."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path

from memsleep.diff import git_diff
from memsleep.night.gate_ahead import GateStart
from memsleep.night.gating import NightGate
from memsleep.night.pipeline import NightResult
from memsleep.night.planning import plan_of
from memsleep.night.prepare import Prepared
from memsleep.night.reporting import report_of
from memsleep.plan import Plan
from memsleep.plan import to_json as plan_to_json
from memsleep.report.data import Report
from memsleep.report.html import to_html
from memsleep.report.json import to_json
from memsleep.report.markdown import to_markdown
from memsleep.report.terminal import summary_lines
from memsleep.request import Outcome, RunRequest


def outcome_of(
    request: RunRequest, prepared: Prepared, result: NightResult, start: GateStart | None = None
) -> Outcome:
    """Return what a dry run prints and, where `--out` asks for them, its artifacts."""
    patch = patch_of(result)
    gate = NightGate(request.settings, start=start)
    if result.decisions:
        request.progress.start("gate")
        gate.look(result.start, result.end)
        request.progress.finish()
    request.progress.start("writing the report")
    report = report_of(prepared, result, request.settings, gate=gate.result)
    artifacts: Mapping[str, bytes] = {}
    if request.out is not None:
        artifacts = artifacts_of(plan_of(prepared, result, request.settings), report, patch)
    request.progress.finish()
    return Outcome(
        output=_printed(request, report, patch),
        artifacts=artifacts,
        changes=len(result.decisions),
        unreadable=len(prepared.corpus.unreadable),
        failed_phases=tuple(p.name for p in result.phases if p.status == "failed"),
        messages=tuple(_messages(request, prepared, result)),
    )


def artifacts_of(plan: Plan, report: Report, patch: bytes) -> dict[str, bytes]:
    """Return the files of a night by their names."""
    return {
        "plan.json": plan_to_json(plan),
        "sleep.diff": patch,
        "report.html": to_html(report),
        "report.md": to_markdown(report),
        "report.json": to_json(report),
    }


def patch_of(result: NightResult) -> bytes:
    """Return the night as a git-format patch over the files that changed."""
    start = result.start
    changes = [c for item in result.decisions for c in item.changes if not start.is_entry(c.path)]
    made = {c.to for item in result.decisions for c in item.changes if start.is_entry(c.path)}
    moves = {old: new for old, new in result.moves.items() if not start.is_entry(old)}
    before = {c.path for c in changes if c.action != "create"} & set(result.start.files)
    after = ({c.to or c.path for c in changes} | {to for to in made if to}) - set(moves)
    return git_diff(
        {path: result.start.files[path] for path in sorted(before)},
        {path: result.end.files[path] for path in sorted(after)},
        {old: new for old, new in sorted(moves.items()) if old in before},
    )


def _printed(request: RunRequest, report: Report, patch: bytes) -> bytes:
    if request.json:
        return to_json(report)
    lines = [] if request.quiet else summary_lines(report)
    summary = "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
    if request.out is not None:
        return summary
    return summary + (b"\n" if summary and patch else b"") + patch


def _messages(request: RunRequest, prepared: Prepared, result: NightResult) -> list[str]:
    lines = [f"read from {prepared.corpus.source_kind}: {prepared.corpus.source_reason}"]
    lines += prepared.remarks
    lines += [
        f"{phase.name}: {phase.status}: {phase.detail}"
        for phase in result.phases
        if phase.status != "ok"
    ]
    if request.out is not None and result.decisions:
        command = apply_command(request.corpus, prepared.prefix, request.out / "sleep.diff")
        lines.append(f"to apply it: {command}")
    return lines


def apply_command(corpus: Path, prefix: str, patch: Path) -> str:
    """Return the command that applies a night's patch, from whatever folder it is typed in.

    Parameters
    ----------
    prefix : str
        Path of the corpus below the root of the repository that holds it. Names in a patch count
        from that root: without `--directory` git would find none of them, do nothing and exit 0.
    """
    place = [f"--directory={prefix}"] if prefix else []
    # A user's `apply.whitespace` would change bytes.
    command = ["git", "-C", os.path.abspath(corpus), "apply", "--whitespace=nowarn"]  # noqa: PTH100
    return shlex.join([*command, *place, os.path.abspath(patch)])  # noqa: PTH100
