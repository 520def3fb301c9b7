"""JUnit XML: one test case for each file that was checked, failed by what fails it."""

from __future__ import annotations

from collections import defaultdict
from xml.etree import ElementTree as ET

from memsleep.check.model import Finding
from memsleep.check.request import CheckResult
from memsleep.report.shown import shown_line

SUITE = "memsleep check"


def render(result: CheckResult) -> bytes:
    """Return the document. Times are nought: the same corpus gives the same bytes."""
    by_path: dict[str, list[Finding]] = defaultdict(list)
    for finding in result.findings:
        by_path[finding.path].append(finding)
    paths = sorted({*result.checked_paths, *by_path})
    counts = {
        "tests": str(len(paths)),
        "failures": str(len(by_path)),
        "errors": "0",
        "skipped": "0",
        "time": "0",
    }
    suites = ET.Element("testsuites", {"name": SUITE, **counts})
    suite = ET.SubElement(suites, "testsuite", {"name": SUITE, **counts})
    for path in paths:
        name = _clean(path)
        attributes = {"name": name, "classname": SUITE, "file": name, "time": "0"}
        case = ET.SubElement(suite, "testcase", attributes)
        if path in by_path:
            _fail(case, by_path[path])
    ET.indent(suites)
    written: bytes = ET.tostring(suites, "utf-8")
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + written + b"\n"


def _fail(case: ET.Element, findings: list[Finding]) -> None:
    first = findings[0]
    more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
    message = _clean(f"{first.code} {first.message}{more}")
    failure = ET.SubElement(case, "failure", {"type": first.code, "message": message})
    failure.text = "\n".join(_clean(_line(finding)) for finding in findings)


def _line(finding: Finding) -> str:
    place = finding.place
    where = f"{place.line}:{place.column}" if place else "1"
    head = f"{finding.path}:{where}: {finding.severity}"
    return f"{head}: {finding.message} [{finding.code} {finding.name}]"


def _clean(text: str) -> str:
    """Return text that XML can hold."""
    return shown_line(text).replace("\ufffe", "[U+FFFE]").replace("\uffff", "[U+FFFF]")
