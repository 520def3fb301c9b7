"""The report as a few plain lines for standard output; colour is the command line's affair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memsleep.report import words
from memsleep.report.data import DanglingLink, Decision, Report
from memsleep.report.shown import flattened

LINES_A_KIND = 12


def _some(lines: Sequence[str]) -> Iterator[str]:
    yield from lines[:LINES_A_KIND]
    if len(lines) > LINES_A_KIND:
        yield f"  ... and {len(lines) - LINES_A_KIND:,} more, see the report"


def _decision(item: Decision) -> str:
    about = " <- ".join(item.paths) if item.kind == "merge" else item.paths[0]
    return f"  {item.id}  {flattened(about)}"


def _decisions(report: Report) -> Iterator[str]:
    for heading, items in words.grouped(report.decisions):
        yield ""
        yield f"{flattened(heading)} ({len(items):,})"
        yield from _some([_decision(item) for item in items])
    if report.decayed:
        written = sum(item.written for item in report.decayed)
        yield ""
        yield f"Faded a little ({len(report.decayed):,}), {written:,} written to the file"


def _listed(heading: str, rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    if rows:
        yield ""
        yield f"{heading} ({len(rows):,})"
        yield from _some(["".join(f"  {flattened(cell)}" for cell in row) for row in rows])


def _place(path: str, line: int | None) -> str:
    return f"{path}:{line}" if line else path


def _top(report: Report) -> Iterator[str]:
    header = report.header
    yield words.headline(report)
    yield words.scope_line(report)
    yield f"{flattened(header.corpus)}, {words.moment(header.instant)}, profile {header.profile}."
    yield flattened(words.mode_line(report))
    for alert in words.alerts(report):
        yield f"! {flattened(alert)}"
    for note in header.degraded:
        yield f"- {flattened(note)}"


def _files(report: Report) -> Iterator[str]:
    unread = [(_place(file.path, file.line), *file.reasons) for file in report.unreadable]
    yield from _listed("Could not be read", unread)
    undone = [(item.id, " ".join(item.paths), item.reason) for item in report.not_applied]
    yield from _listed("Proposed but not done", undone)
    links = [
        (_place(link.path, link.line), link.target, _meaning(link)) for link in report.dangling
    ]
    yield from _listed(words.LINKS, links)
    odd = [(_place(item.path, item.line), item.message) for item in report.warnings]
    yield from _listed(words.REMARKS, odd)


def _meaning(link: DanglingLink) -> str:
    if link.ambiguous:
        return f"could mean: {', '.join(link.ambiguous)}"
    return f"nearest: {link.nearest or 'none'}"


def _sums(report: Report) -> Iterator[str]:
    yield ""
    yield words.sum_line(report)
    for cause in report.candidates.refused:
        yield f"  {cause.count:,} {flattened(cause.cause)}"
    for phase in report.phases:
        if phase.status != "ok":
            yield f"  phase {phase.name} {phase.status}"
    if report.budgets:
        yield ""
    for budget in report.budgets:
        yield f"{flattened(budget.name)}: {budget.used:,} of {budget.limit:,}"


def summary_lines(report: Report) -> list[str]:
    """Return the night as plain lines: the sentence, what needs a person, what changed."""
    doubts = [
        (item.id, f"{item.first.path} <> {item.second.path}", item.reason)
        for item in report.reviews
    ]
    waiting = [(item.path, item.reason) for item in (*report.deferred, *report.advisory)]
    upcoming = [(item.date, item.path, item.what) for item in report.upcoming]
    return [
        *_top(report),
        *_listed("Needs you", doubts),
        *_decisions(report),
        *_listed("Waiting", waiting),
        *_listed("Coming up", upcoming),
        *_files(report),
        *_sums(report),
    ]
