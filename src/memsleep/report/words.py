"""The night in words: one sentence first, then what a person must know before the details."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from memsleep.report.data import Count, Decision, Report, Review

LABELS: dict[tuple[str, str], str] = {
    ("merge", ""): "Merged",
    ("archive", ""): "Archived",
    ("archive", "evicted"): "Archived: nobody needs it now",
    ("archive", "expired"): "Archived: its date has passed",
    ("set-field", ""): "Written to the file",
    ("set-field", "reprieved"): "Given more time",
    ("spare", ""): "Spared",
    ("retarget-link", ""): "Links mended",
    ("remove-link", ""): "Links removed",
    ("add-link", ""): "Links added",
    ("restore", ""): "Brought back",
}
ROWS_SHOWN = 1000
"""Rows of one list, or cards under one heading, that a page shows."""
LINKS = "Links that lead nowhere, or to several files"
REMARKS = "Remarks on files"
MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
QUESTIONS = {
    "duplicate": "Do these say the same?",
    "contradiction": "Which of these is true?",
}


def plural(count: int, one: str, many: str | None = None) -> str:
    """Return the count with its noun: `1 memory`, `2 memories`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def rest_line(count: int) -> str:
    """Return where the rows are that a page leaves out; empty where it shows all of them.

    A page of a hundred thousand rows is one that nobody opens twice; programs read the JSON.
    """
    left = count - ROWS_SHOWN
    return f"{left:,} more, all of them in report.json." if left > 0 else ""


def memories(count: int) -> str:
    """Return `1 memory` or `n memories`."""
    return plural(count, "memory", "memories")


def number(value: float | str) -> str:
    """Return a figure as people read it: three decimals at most."""
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return f"{value:,}"
    text = f"{value:,.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def signed(value: int) -> str:
    """Return a difference with its sign; an en dash's length for minus, nothing for zero."""
    return f"+{value:,}" if value > 0 else f"\N{MINUS SIGN}{-value:,}" if value else "0"


def day(instant: str) -> str:
    """Return the day of an instant as people write it; other text as it is."""
    match = re.match(r"([0-9]{4})-(0[1-9]|1[0-2])-([0-3][0-9])(?![0-9])", instant)
    if not match:
        return instant
    return f"{int(match[3])} {MONTHS[int(match[2]) - 1]} {match[1]}"


def moment(instant: str) -> str:
    """Return the day and the minute of an instant."""
    match = re.search(r"T([0-9]{2}:[0-9]{2})(?::[0-9]{2})?Z\Z", instant)
    return f"{day(instant)}, {match[1]} UTC" if match else day(instant)


def label(decision: Decision) -> str:
    """Return what a decision did, as a heading."""
    known = LABELS.get((decision.kind, decision.cause)) or LABELS.get((decision.kind, ""))
    if decision.kind == "set-field" and decision.phase == "reprieve":
        known = LABELS["set-field", "reprieved"]
    return known or decision.kind.replace("-", " ").capitalize()


def grouped(decisions: Sequence[Decision]) -> list[tuple[str, list[Decision]]]:
    """Return the decisions under their headings; the plan's order stays as it is."""
    return [(heading, list(group)) for heading, group in groupby(decisions, key=label)]


def question(review: Review) -> str:
    """Return the question that a person has to answer."""
    return QUESTIONS.get(review.question, review.question.replace("-", " ").capitalize())


def _deeds(report: Report) -> Iterator[tuple[int, str]]:
    totals = report.totals
    into = f"merged into {plural(totals.keepers, 'other')}"
    yield totals.merged, "merged into another" if totals.merged == 1 else into
    yield totals.evicted + totals.expired, "archived"
    yield totals.reprieved, "reprieved"
    yield totals.spared, "spared"
    yield totals.decayed, "faded a little"


def changes_line(report: Report) -> str:
    """Return what the night did, the first half of the headline."""
    deeds = [(count, deed) for count, deed in _deeds(report) if count][:4]
    parts = [f"{count:,} {deed}" for count, deed in deeds]
    if deeds:
        parts[0] = f"{memories(deeds[0][0])} {deeds[0][1]}"
    if report.totals.links_rewritten and len(parts) < 4:
        parts.append(f"{plural(report.totals.links_rewritten, 'link')} mended")
    return ", ".join(parts) or "A quiet night: nothing changed"


def need_line(report: Report) -> str:
    """Return what waits for a person, the second half of the headline."""
    waiting = len(report.reviews)
    if not waiting:
        return "nothing needs you"
    return f"{plural(waiting, 'pair')} need{'s' if waiting == 1 else ''} you"


def headline(report: Report) -> str:
    """Return the night in one sentence."""
    return f"{changes_line(report)}; {need_line(report)}."


def scope_line(report: Report) -> str:
    """Return what was looked at and how much of it changes."""
    totals = report.totals
    will = "would change" if report.header.dry_run else "changed"
    size = f"{memories(totals.active)} active, {totals.archived:,} in the archive"
    return f"{size}; {plural(totals.files_changed, 'file')} {will}."


def mode_line(report: Report) -> str:
    """Return whether anything was written at all."""
    if report.header.dry_run:
        return "Dry run: nothing was written."
    return f"Run {report.header.run}."


def alerts(report: Report) -> list[str]:
    """Return what went wrong, most serious first; nothing on a good night."""
    found = [
        f"The check `{check.name}` failed: {check.detail}"
        for check in report.checks
        if not check.passed
    ]
    found += [
        f"The phase `{phase.name}` failed and changed nothing: {phase.detail}"
        for phase in report.phases
        if phase.status == "failed"
    ]
    if not report.candidates.adds_up:
        found.append(f"The candidate pairs do not add up: {sum_line(report)}")
    count = len(report.unreadable)
    if count:
        were = "was" if count == 1 else "were"
        found.append(f"{plural(count, 'file')} could not be read and {were} left alone.")
    return found


def sum_line(report: Report) -> str:
    """Return where every candidate pair went, as a sum that can be checked."""
    found = report.candidates
    total = found.merged + found.reviewed + found.refused_count
    parts = (
        f"{found.merged:,} merged + {found.reviewed:,} for review + {found.refused_count:,} refused"
    )
    sign = "=" if found.adds_up else f"= {total:,}, not"
    return f"{parts} {sign} {plural(found.candidates, 'candidate pair')}"


def size_rows(report: Report) -> list[tuple[str, int, int]]:
    """Return the size of the corpus before and after, one measure a row."""
    before, after = report.size_before, report.size_after
    return [
        ("Active memories", before.active, after.active),
        ("Archived memories", before.archived, after.archived),
        ("Words in active memories", before.words, after.words),
        ("Bytes in active files", before.size_bytes, after.size_bytes),
    ]


def _counts(counts: Sequence[Count]) -> str:
    return ", ".join(f"{one.count:,} {one.name}" for one in counts)


def identity_rows(report: Report) -> list[tuple[str, str]]:
    """Return what the night was made from, for whoever wants to repeat it; empty ones left out."""
    header, totals = report.header, report.totals
    rows = [
        ("Run", header.run),
        ("Instant", header.instant),
        ("Profile", header.profile),
        ("Embedder", header.embedder),
        ("Corpus digest", header.corpus_digest),
        ("Config digest", header.config_digest),
        ("Base commit", header.base_commit),
        ("Version", header.tool_version),
        ("Files read", f"{totals.read:,} read, {totals.unreadable:,} unreadable"),
        ("Left out", _counts(totals.left_out)),
        ("Decisions", _counts(totals.decisions)),
    ]
    return [(name, value) for name, value in rows if value]
