"""Annotations of GitHub Actions: one workflow command a line, escaped as its toolkit does."""

from __future__ import annotations

from memsleep.check.model import Finding, Severity
from memsleep.check.request import CheckResult
from memsleep.report.shown import shown_line

_COMMANDS: dict[Severity, str] = {"error": "error", "warning": "warning", "note": "notice"}


def render(result: CheckResult) -> bytes:
    """Return one command for each finding, the grave ones first: GitHub shows ten of a kind."""
    ordered = sorted(result.findings, key=lambda f: (list(_COMMANDS).index(f.severity), f.order))
    lines = [_command(result.prefix, finding) for finding in ordered]
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")


def _command(prefix: str, finding: Finding) -> str:
    properties = {"file": f"{prefix}{finding.path}", "line": str(finding.line)}
    place = finding.place
    if place is not None:
        properties["endLine"] = str(place.end_line)
        if place.line == place.end_line:  # columns mean nothing over several lines
            properties["col"] = str(place.utf16_column)
            properties["endColumn"] = str(max(place.utf16_end_column - 1, place.utf16_column))
    properties["title"] = f"{finding.code} {finding.name}"
    stated = ",".join(f"{key}={escape_property(value)}" for key, value in properties.items())
    message = escape_data(shown_line(finding.message))
    return f"::{_COMMANDS[finding.severity]} {stated}::{message}"


def escape_data(text: str) -> str:
    """Return text as the message of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """Return text as the value of a property of a workflow command."""
    return escape_data(text).replace(":", "%3A").replace(",", "%2C")
