"""SARIF 2.1.0, as GitHub's code scanning and other viewers read it."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from memsleep import __version__
from memsleep.check.model import Finding, Rule
from memsleep.check.registry import RULES
from memsleep.check.request import CheckResult

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
ROOT = "%SRCROOT%"
_INDEX = {code: number for number, code in enumerate(RULES)}


def render(result: CheckResult) -> bytes:
    """Return the log: columns in UTF-16 units, paths from the root of the repository."""
    told = [_result(result.prefix, finding) for finding in result.findings]
    told += [_suppressed(result.prefix, finding) for finding in result.suppressed]
    run = {
        "tool": {
            "driver": {
                "name": "memsleep",
                "semanticVersion": __version__,
                "rules": [_rule(rule) for rule in RULES.values()],
            }
        },
        "automationDetails": {"id": f"memsleep/check/{result.prefix}"},
        "columnKind": "utf16CodeUnits",
        "results": told,
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=True).encode() + b"\n"


def _rule(rule: Rule) -> dict[str, Any]:
    text = f"{rule.explanation}\n\nHow to fix it: {rule.fix}"
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.explanation},
        "help": {"text": text, "markdown": text},
        "defaultConfiguration": {"level": rule.severity},
        "properties": {"tags": ["memory"] + (["security"] if rule.code[:3] == "MS5" else [])},
    }


def _result(prefix: str, finding: Finding) -> dict[str, Any]:
    found: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": _INDEX[finding.code],
        "level": finding.severity,
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": _location(prefix, finding.path, finding)}],
        "partialFingerprints": {"memsleepFinding/v1": finding.fingerprint},
    }
    if finding.related:
        other = {"physicalLocation": _location(prefix, finding.related, None)}
        found["relatedLocations"] = [{"id": 1, "message": {"text": "the other one"}, **other}]
    return found


def _suppressed(prefix: str, finding: Finding) -> dict[str, Any]:
    suppression = {"kind": "external", "justification": finding.reason}
    return {**_result(prefix, finding), "suppressions": [suppression]}


def _location(prefix: str, path: str, finding: Finding | None) -> dict[str, Any]:
    uri = quote(f"{prefix}{path}", safe="/", errors="surrogatepass")
    location: dict[str, Any] = {"artifactLocation": {"uri": uri, "uriBaseId": ROOT}}
    place = finding.place if finding else None
    if place is None:
        location["region"] = {"startLine": 1}
    else:
        location["region"] = {
            "startLine": place.line,
            "startColumn": place.utf16_column,
            "endLine": place.end_line,
            "endColumn": place.utf16_end_column,
        }
    return location
