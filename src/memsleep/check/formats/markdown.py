"""Markdown for a comment on a pull request: a table that no text of the corpus can break."""

from __future__ import annotations

import re

from memsleep.check.formats.text import summary
from memsleep.check.model import Finding
from memsleep.check.request import CheckResult
from memsleep.report.shown import shown_line

MARKER = "<!-- memsleep-check -->"
"""By it a later comment finds the one to replace."""
MOST_ROWS = 200
MOST_CHARACTERS = 60_000
"""A comment on GitHub holds 65,536 characters; a longer one is refused whole."""
_MARKS = re.compile(r"([\\`*_{}\[\]()#+!|<>~@&:-])")


def render(result: CheckResult) -> bytes:
    """Return a heading, the counts and a table."""
    lines = [MARKER, "## memsleep check", "", f"{summary(result)}.", ""]
    lines += [f"> {escaped(remark)}" for remark in result.remarks]
    rows = _rows(result, MOST_CHARACTERS - sum(len(line) + 1 for line in lines))
    if rows:
        lines += ["| where | severity | rule | finding |", "|---|---|---|---|", *rows]
    if len(result.findings) > len(rows):
        lines += ["", f"And {len(result.findings) - len(rows)} more."]
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")


def _rows(result: CheckResult, room: int) -> list[str]:
    """Return as many rows as there is room for, the first findings first."""
    rows: list[str] = []
    for finding in result.findings[:MOST_ROWS]:
        row = _row(finding)
        room -= len(row) + 1
        if room < 0:
            break
        rows.append(row)
    return rows


def _row(finding: Finding) -> str:
    where = f"{finding.path}:{finding.place.line}" if finding.place else finding.path
    fix = " (`--fix`)" if finding.fixable else ""
    cells = (escaped(where), finding.severity, f"{finding.code} {finding.name}{fix}")
    return f"| {' | '.join(cells)} | {escaped(finding.message)} |"


def escaped(text: str) -> str:
    """Return text that Markdown takes as it is: no markup, no mention, no link, one line."""
    return _MARKS.sub(lambda match: f"&#{ord(match[1])};", shown_line(text))
