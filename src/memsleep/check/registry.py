"""All rules by code: dull, greppable, type-checked."""

from __future__ import annotations

from collections.abc import Mapping

from memsleep.check.model import Rule
from memsleep.check.rules import duplicates, names, safety, size, time
from memsleep.check.rules import format as format_rules
from memsleep.check.rules import links as link_rules

FAMILIES: Mapping[str, tuple[str, tuple[Rule, ...]]] = {
    "MS1": ("File and format", format_rules.RULES),
    "MS2": ("Links", link_rules.RULES),
    "MS3": ("Duplicates and contradictions", duplicates.RULES),
    "MS4": ("Time", time.RULES),
    "MS5": ("Safety", safety.RULES),
    "MS6": ("Size and names", (*size.RULES, *names.RULES)),
}
RULES: Mapping[str, Rule] = {
    rule.code: rule for _, rules in FAMILIES.values() for rule in rules
}  # fmt: skip
