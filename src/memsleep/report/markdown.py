"""The report as Markdown, made to be the text of a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from memsleep.report import words
from memsleep.report.data import DanglingLink, Decision, Report, Review, Text, Waiting
from memsleep.report.markdown_text import code, fence, folded, inline, prose, table
from memsleep.report.shown import cut
from memsleep.report.svg import describe

BODY_LIMIT = 2000  # characters of a text; the files hold the rest
UNFOLDED_ROWS = 10


def _facts(evidence: Mapping[str, float | str]) -> str:
    return ", ".join(
        f"{inline(key.replace('_', ' '))} {inline(words.number(value))}"
        for key, value in evidence.items()
    )


def _place(path: str, line: int | None) -> str:
    return code(f"{path}:{line}" if line else path)


def _text(role: str, text: Text) -> list[str]:
    """Return one memory: its path, then its words in a fence."""
    head = f"{role} {code(text.path)}"
    if text.withheld:
        return ["", f"{head}: the text is withheld, {inline(text.withheld)}."]
    body = text.body.strip("\r\n ")
    said = body if not text.gist or body.startswith(text.gist) else f"{text.gist}\n\n{body}"
    shown, left = cut(said, BODY_LIMIT)
    more = [f"{words.plural(left, 'more character')} in the file."] if left else []
    warning = " (quoted: it reads like an instruction)" if text.quotation else ""
    return ["", f"{head}{warning}:", "", *fence(shown, "text"), *more]


def _decision(item: Decision) -> Iterator[str]:
    name = item.titles[0] if item.titles else item.paths[0]
    yield f"#### {inline(name)}"
    yield ""
    yield prose(item.reason)
    yield ""
    paths = " \N{LEFTWARDS ARROW} ".join(code(path) for path in item.paths)
    yield f"- {'Memories' if len(item.paths) > 1 else 'Memory'}: {paths}"
    for change in item.changes:
        before = f"{inline(change.before)} \N{RIGHTWARDS ARROW} " if change.before else ""
        after = inline(change.after, 2000) or "(removed)"
        yield f"- {inline(change.what)} in {code(change.path)}: {before}{after}"
    if item.evidence:
        yield f"- Evidence: {_facts(item.evidence)}"
    if item.files_changed:
        yield f"- Files: {', '.join(code(path) for path in item.files_changed)}"
    yield (
        f"- Decision {code(item.id)}, undo with {code(item.undo)}"
        if item.undo
        else (f"- Decision {code(item.id)}, nothing to undo")
    )
    sides = [("Stays", item.keeper), ("Goes", item.dropped)]
    texts = [line for role, text in sides if text for line in _text(role, text)]
    if texts:
        yield ""
        yield from folded("Both texts" if item.keeper and item.dropped else "The text", texts)
    yield ""


def _review(item: Review) -> Iterator[str]:
    yield f"### {inline(words.question(item))} {inline(item.first.title or item.first.path)}"
    yield ""
    yield prose(item.reason)
    yield from _text("This", item.first)
    yield from _text("Or this", item.second)
    yield ""
    if item.evidence:
        yield f"- Evidence: {_facts(item.evidence)}"
    if item.question == "contradiction":
        yield f"- Newer: {code(item.newer) if item.newer else 'unknown'}"
    if item.nights:
        yield f"- Found by {words.plural(item.nights, 'night')} over a changed corpus"
    for action, command in zip_longest(item.actions, item.commands, fillvalue=""):
        yield f"- [ ] {prose(action)}" + (f": {code(command)}" if command else "")
    yield f"- Decision {code(item.id)}"
    yield ""


def _maybe_folded(summary: str, count: int, lines: Sequence[str]) -> list[str]:
    """Fold a list of some length; `lines` show `ROWS_SHOWN` of its `count` entries at most."""
    return [*lines] if count <= UNFOLDED_ROWS else folded(summary, [*lines, *_rest(count)])


def _rest(count: int) -> list[str]:
    """Return the line that says where the rest of a list is, set apart from a table above it."""
    told = words.rest_line(count)
    return ["", told] if told else []


def _top(report: Report) -> Iterator[str]:
    yield f"# {inline(words.headline(report), 2000)}"
    yield ""
    header = report.header
    yield f"{inline(header.corpus)}, {words.moment(header.instant)}. {words.mode_line(report)}"
    yield words.scope_line(report)
    yield ""
    for alert in words.alerts(report):
        yield f"> **Look:** {prose(alert)}"
        yield ""
    for note in report.header.degraded:
        yield f"- {prose(note)}"
    yield ""
    rows = [
        (inline(budget.name), words.number(budget.used), words.number(budget.limit))
        for budget in report.budgets
    ]
    yield from table(("Budget", "Used", "Limit"), rows, right=" rr") if rows else ()


def _needs_you(report: Report) -> Iterator[str]:
    yield "## Needs you"
    yield ""
    if not report.reviews:
        yield "No pair is in doubt."
    for review in report.reviews[:UNFOLDED_ROWS]:
        yield from _review(review)
    later = report.reviews[UNFOLDED_ROWS : words.ROWS_SHOWN]
    rest = [line for review in later for line in _review(review)]
    if rest:
        count = len(report.reviews) - UNFOLDED_ROWS
        rest += _rest(len(report.reviews))
        yield from folded(words.plural(count, "more pair"), rest)


def _changed(report: Report) -> Iterator[str]:
    yield "## What changed"
    yield ""
    if not report.decisions and not report.decayed:
        yield "Nothing."
    for heading, items in words.grouped(report.decisions):
        yield f"### {inline(heading)} ({len(items)})"
        yield ""
        lines = [line for item in items[: words.ROWS_SHOWN] for line in _decision(item)]
        yield from _maybe_folded(f"All {len(items)}", len(items), lines)
        yield ""
    if report.decayed:
        rows = [
            (
                code(item.id),
                code(item.path),
                words.number(item.before),
                words.number(item.after),
                "file" if item.written else "state",
            )
            for item in report.decayed[: words.ROWS_SHOWN]
        ]
        head = ("Decision", "Memory", "Before", "After", "Kept in")
        count = len(report.decayed)
        yield f"### Faded a little ({count})"
        yield ""
        lines = [*table(head, rows, right="  rr"), *_rest(count)]
        yield from folded(words.memories(count), lines)


def _waiting_rows(items: Sequence[Waiting], what: str) -> list[tuple[str, ...]]:
    return [
        (
            code(item.path),
            what,
            prose(item.reason),
            "" if item.score is None else words.number(item.score),
        )
        for item in items
    ]


def _waiting(report: Report) -> Iterator[str]:
    count = len(report.deferred) + len(report.advisory)
    rows = _waiting_rows(report.deferred[: words.ROWS_SHOWN], "waits for the budget")
    rows += _waiting_rows(report.advisory[: words.ROWS_SHOWN], "could go, told only")
    rows = rows[: words.ROWS_SHOWN]
    yield "## Waiting"
    yield ""
    if rows:
        lines = table(("Memory", "What", "Why", "Score"), rows, right="   r")
        yield from _maybe_folded(words.memories(count), count, lines)
    else:
        yield "Nothing waits for a budget or for advice."


def _next(report: Report) -> Iterator[str]:
    yield "## Coming up"
    yield ""
    rows = [
        (inline(item.date), code(item.path), item.what, prose(item.detail))
        for item in report.upcoming[: words.ROWS_SHOWN]
    ]
    if rows:
        lines = table(("When", "Memory", "What", "Detail"), rows)
        count = len(report.upcoming)
        yield from _maybe_folded(words.memories(count), count, lines)
    else:
        yield "Nothing expires or fades soon."


def _apart(report: Report) -> Iterator[str]:
    yield "## Kept apart"
    yield ""
    rows = [
        (inline(cause.cause), words.number(cause.count), prose(cause.explanation))
        for cause in report.candidates.refused
    ]
    if rows:
        yield from table(("Cause", "Pairs", "Meaning"), rows, right=" r")
        yield ""
    yield words.sum_line(report) + "."
    examples = [
        f"- {inline(cause.cause)}: {code(pair.keeper)} and {code(pair.dropped)}"
        + (f", {inline(pair.reason)}" if pair.reason else "")
        + (f", similarity {words.number(pair.similarity)}" if pair.similarity is not None else "")
        for cause in report.candidates.refused
        for pair in cause.examples
    ]
    if examples:
        yield ""
        yield from folded("Examples", examples)


def _file_tables(report: Report) -> Iterator[tuple[str, list[str], int]]:
    """Yield heading, table and number of entries for each kind of trouble with files."""
    rows: list[tuple[str, ...]]
    rows = [
        (_place(file.path, file.line), "; ".join(prose(reason) for reason in file.reasons))
        for file in report.unreadable[: words.ROWS_SHOWN]
    ]
    yield "Could not be read", table(("File", "Why"), rows), len(report.unreadable)
    rows = [
        (
            f"{inline(item.kind)} ({inline(item.phase)})",
            ", ".join(code(path) for path in item.paths),
            f"{inline(item.cause)}: {prose(item.reason)}",
            _place(item.path, item.line) if item.path else "",
        )
        for item in report.not_applied[: words.ROWS_SHOWN]
    ]
    yield (
        "Proposed but not done",
        table(("What", "About", "Why not", "Where"), rows),
        len(report.not_applied),
    )
    rows = [
        (
            code(link.target),
            _place(link.path, link.line),
            _meaning(link),
        )
        for link in report.dangling[: words.ROWS_SHOWN]
    ]
    yield words.LINKS, table(("Link", "In", "What it may mean"), rows), len(report.dangling)
    rows = [
        (_place(item.path, item.line), prose(item.message), code(item.code))
        for item in report.warnings[: words.ROWS_SHOWN]
    ]
    yield words.REMARKS, table(("File", "Remark", "Code"), rows), len(report.warnings)


def _meaning(link: DanglingLink) -> str:
    if link.ambiguous:
        return " or ".join(code(path) for path in link.ambiguous)
    return f"nowhere; nearest: {code(link.nearest) if link.nearest else 'none'}"


def _files(report: Report) -> Iterator[str]:
    yield "## Files to look at"
    yield ""
    kinds = [kind for kind in _file_tables(report) if kind[2]]
    if not kinds:
        yield "Every file could be read, every link leads somewhere."
    for heading, lines, count in kinds:
        yield f"### {heading} ({count})"
        yield ""
        yield from _maybe_folded(f"All {count}", count, lines)
        yield ""


def _corpus(report: Report) -> Iterator[str]:
    yield "## The corpus"
    yield ""
    rows = [
        (name, words.number(before), words.number(after), words.signed(after - before))
        for name, before, after in words.size_rows(report)
    ]
    yield from table(("", "Before", "After", "Change"), rows, right=" rrr")
    yield ""
    if report.retention.counts:
        yield f"- Retention: {describe(report.retention)}"
    if report.similarity.counts:
        yield f"- Similarity of neighbours: {describe(report.similarity)}"
    groups = [
        (
            inline(group.label),
            words.number(group.size),
            ", ".join(inline(title) for title in group.members),
        )
        for group in report.communities[: words.ROWS_SHOWN]
    ]
    if groups:
        yield ""
        count = len(report.communities)
        lines = [*table(("Community", "Memories", "Among them"), groups, right=" r"), *_rest(count)]
        yield from folded(words.plural(count, "community", "communities"), lines)


def _night(report: Report) -> Iterator[str]:
    yield "## The night itself"
    yield ""
    rows = [
        (
            inline(phase.name),
            phase.status if phase.status == "ok" else f"**{phase.status}**",
            words.number(phase.proposed),
            words.number(phase.applied),
            words.number(phase.refused),
            prose(phase.detail),
        )
        for phase in report.phases
    ]
    if rows:
        head = ("Phase", "Status", "Proposed", "Applied", "Refused", "Detail")
        yield from table(head, rows, right="  rrr")
        yield ""
    for check in report.checks:
        outcome = "passed" if check.passed else "**failed**"
        yield f"- {inline(check.name)}: {outcome}. {prose(check.detail)}"
    identity = [f"- {name}: {inline(value)}" for name, value in words.identity_rows(report)]
    yield ""
    yield from folded("What it rests on", identity)


_SECTIONS = (_top, _needs_you, _changed, _waiting, _next, _apart, _corpus, _files, _night)


def to_markdown(report: Report) -> bytes:
    """Return the report as UTF-8 Markdown: what changed and what needs a decision come first."""
    lines: list[str] = []
    for section in _SECTIONS:
        lines += [*section(report), ""]
    return ("\n".join(lines).rstrip("\n") + "\n").encode()
