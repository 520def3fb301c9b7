"""For people at a terminal: place, severity, code, message; the source line with a caret."""

from __future__ import annotations

from collections.abc import Iterator

from memsleep.check.model import Finding, Severity
from memsleep.check.places import LineIndex, quoted, safe_line
from memsleep.check.request import CheckResult
from memsleep.report.shown import shown_line

_COLOURS: dict[Severity, str] = {"error": "31", "warning": "33", "note": "36"}


def render(result: CheckResult, *, colour: bool = False) -> bytes:
    """Return the findings, nothing when there are none."""
    indexes: dict[str, LineIndex] = {}
    lines: list[str] = []
    for finding in result.findings:
        source = result.files.get(finding.path)
        index = None
        if source is not None:
            index = indexes.get(finding.path) or indexes.setdefault(finding.path, LineIndex(source))
        lines += _lines(finding, index, colour=colour)
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")


def _lines(finding: Finding, index: LineIndex | None, *, colour: bool) -> Iterator[str]:
    place = finding.place
    where = safe_line(shown_line(finding.path))
    if place is not None:
        where = f"{where}:{place.line}:{place.column}"
    severity: str = finding.severity
    if colour:
        severity = f"\x1b[{_COLOURS[finding.severity]}m{severity}\x1b[0m"
    message = safe_line(finding.message)
    yield f"{where}: {severity}: {message} [{finding.code} {finding.name}]"
    if place is not None and index is not None:
        source, caret = index.snippet(place)
        yield f"{place.line:>6} | {source}"
        yield f"       | {caret}"


def summary(result: CheckResult) -> str:
    """Return one line with the counts."""
    counts = result.counts
    parts = [_count(counts[severity], severity) for severity in _COLOURS if counts[severity]]
    told = ", ".join(parts) or "no findings"
    further = [
        f"{len(more)} {word}"
        for more, word in ((result.suppressed, "suppressed"), (result.accepted, "in the baseline"))
        if more
    ]
    tail = f" ({', '.join(further)})" if further else ""
    return f"{_count(result.checked, 'file')} checked: {told}{tail}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


__all__ = ["quoted", "render", "summary"]
