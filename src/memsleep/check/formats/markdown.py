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
_MARKS = re.compile(r"([\\`*_{}\[\]()#+!|<>~@&:-])")


def render(result: CheckResult) -> bytes:
    """Return a heading, the counts and a table."""
    lines = [MARKER, "## memsleep check", "", f"{summary(result)}.", ""]
    lines += [f"> {escaped(remark)}" for remark in result.remarks]
    shown = result.findings[:MOST_ROWS]
    if shown:
        lines += ["| where | severity | rule | finding |", "|---|---|---|---|"]
        lines += [_row(finding) for finding in shown]
    if len(result.findings) > len(shown):
        lines += ["", f"And {len(result.findings) - len(shown)} more."]
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")


def _row(finding: Finding) -> str:
    where = f"{finding.path}:{finding.place.line}" if finding.place else finding.path
    fix = " (`--fix`)" if finding.fixable else ""
    cells = (escaped(where), finding.severity, f"{finding.code} {finding.name}{fix}")
    return f"| {' | '.join(cells)} | {escaped(finding.message)} |"


def escaped(text: str) -> str:
    """Return text that Markdown takes as it is: no markup, no mention, no link, one line."""
    return _MARKS.sub(lambda match: f"&#{ord(match[1])};", shown_line(text))
