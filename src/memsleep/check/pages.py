"""The rules in words: `--list`, `--explain`, and the page of the documentation."""

from __future__ import annotations

import textwrap

from memsleep.check.model import Rule
from memsleep.check.registry import FAMILIES, RULES

WIDTH = 88
_INTRODUCTION = """\
# Rules of `memsleep check`

This page is generated from the rules themselves (`memsleep check --explain` prints the same);
a test holds it to them.
A code never changes its meaning and is never given to another rule.

Severities are set in the config (`[check] errors`, `warnings`, `notes`, `off`), by code or family.
A finding is suppressed where it stands, with a reason:
`<!-- memsleep: ignore MS201 planned page -->` covers its line,
or the next one with text when it stands alone; `ignore-file` covers the file;
in front matter it is `# memsleep: ignore MS104 as the source has it`.
In the config it is `ignore = ["MS201 garden/**: pages that are planned"]`.
"""


def listing() -> str:
    """Return one line a rule, by family."""
    lines = []
    for family, (title, rules) in FAMILIES.items():
        lines.append(f"{family}xx  {title}")
        for rule in rules:
            fix = "fixable" if rule.fixable else ""
            row = f"  {rule.code}  {rule.severity:8} {rule.name:19} {fix:8} {rule.summary}"
            lines.append(row.rstrip())
    return "".join(f"{line}\n" for line in lines)


def find_rule(wanted: str) -> Rule | None:
    """Return the rule of a code or name, whatever its case."""
    by_name = {rule.name: rule for rule in RULES.values()}
    return RULES.get(wanted.upper()) or by_name.get(wanted.lower())


def explanation(rule: Rule) -> str:
    """Return all about one rule for a terminal."""
    parts = [
        f"{rule.code} {rule.name} ({rule.severity}{', fixable' if rule.fixable else ''})",
        _wrapped(rule.summary),
        _wrapped(rule.explanation),
        textwrap.indent(rule.example, "    "),
        _wrapped(f"To fix it: {rule.fix}"),
    ]
    return "\n\n".join(parts) + "\n"


def page() -> str:
    """Return the page of the documentation."""
    parts = [_INTRODUCTION, _table()]
    for family, (title, rules) in FAMILIES.items():
        parts.append(f"## {family}xx: {title}\n")
        parts += [_section(rule) for rule in rules]
    return "\n".join(parts)


def _table() -> str:
    rows = ["| code | name | severity | `--fix` | finds |", "|---|---|---|---|---|"]
    for rule in RULES.values():
        anchor = f"[{rule.code}](#{rule.code.lower()}-{rule.name})"
        fix = "yes" if rule.fixable else ""
        rows.append(f"| {anchor} | {rule.name} | {rule.severity} | {fix} | {rule.summary} |")
    return "".join(f"{row}\n" for row in rows)


def _section(rule: Rule) -> str:
    return (
        f"### {rule.code} {rule.name}\n\n"
        f"{rule.summary} Default: {rule.severity}.\n\n"
        f"{rule.explanation}\n\n"
        f"```text\n{rule.example}\n```\n\n"
        f"To fix it: {rule.fix}\n"
    )


def _wrapped(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)
