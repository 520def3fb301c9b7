"""The rules as a whole: codes, texts, tables, pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memsleep.check.formats.json import schema
from memsleep.check.pages import explanation, find_rule, listing, page
from memsleep.check.registry import FAMILIES, RULES
from memsleep.settings import CheckSettings

ROOT = Path(__file__).parents[2]
TABLES = [
    path.read_bytes().decode() for path in sorted((ROOT / "tests/check/rules").glob("test_*.py"))
]
_ROW = re.compile(r'^    \("(MS\d{3})", ', re.MULTILINE)
_SPECIAL = {"MS606": 1, "MS607": 1}
"""Rules whose faults no table can write: each has a test of its own."""


def _rows(table: str) -> dict[str, int]:
    counts = dict.fromkeys(RULES, 0)
    for text in TABLES:
        start = text.index(f"\n{table}: ")
        for code in _ROW.findall(text[start : text.index("\n]", start)]):
            counts[code] += 1
    return counts


@pytest.mark.parametrize("code", RULES)
def test_each_rule_has_tables_of_both_kinds(code: str) -> None:
    """There is a faulty input for each rule, and at least as many clean ones."""
    faulty = _rows("FAULTY")[code] + _SPECIAL.get(code, 0)
    assert faulty >= 1
    assert _rows("CLEAN")[code] >= faulty


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.code)
def test_each_rule_is_told_in_full(rule) -> None:  # type: ignore[no-untyped-def]
    """A rule has a name, a sentence, a paragraph, an example and a way out."""
    assert re.fullmatch(r"MS[1-6]\d\d", rule.code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
    assert rule.summary.endswith(".")
    assert len(rule.explanation) > 60
    assert rule.example.strip()
    assert rule.fix.endswith(".")
    assert rule.code in explanation(rule)
    assert find_rule(rule.code.lower()) is find_rule(rule.name) is rule


def test_names_and_codes_are_distinct() -> None:
    """No name stands for two rules, and codes are in order in their families."""
    names = [rule.name for rule in RULES.values()]
    assert len(set(names)) == len(names)
    for family, (_, rules) in FAMILIES.items():
        codes = [rule.code for rule in rules]
        assert codes == sorted(codes)
        assert all(code.startswith(family) for code in codes)


def test_the_page_is_that_of_the_rules() -> None:
    """docs/check-rules.md is what the rules say: write it anew with `python -m memsleep.check`."""
    written = (ROOT / "docs" / "check-rules.md").read_bytes().decode()
    assert written == page()


def test_the_published_schema_is_that_of_the_format() -> None:
    """docs/check.schema.json is the schema of `--format json`."""
    assert (ROOT / "docs" / "check.schema.json").read_bytes() == schema()


def test_the_list_names_every_rule() -> None:
    """`--list` has one line for each rule."""
    assert re.findall(r"^  (MS\d{3}) ", listing(), re.MULTILINE) == list(RULES)


def test_design_rules_are_all_there() -> None:
    """What the design names has a rule."""
    names = {rule.name for rule in RULES.values()}
    assert names >= set(
        "unreadable-file malformed-memory missing-field bad-date unknown-key duplicate-id "
        "dangling-link archived-link exact-duplicate near-duplicate contradiction expired "
        "overdue-task relative-date secret instruction-like file-too-large index-too-large "
        "case-collision reserved-name stale-hash orphan-archive".split()
    )
    assert CheckSettings().fail_on == "warning"
