"""`memsleep phases`: the phases in their order, with what they require and may edit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memsleep.cli import options as opt
from memsleep.cli.streams import write_json, write_text

if TYPE_CHECKING:
    from memsleep.phases import Phase

SCHEMA_VERSION = 1


def phases(markdown: opt.Markdown = False, as_json: opt.Json = False) -> int:
    """List the phases in order.

    Each with what it requires and which edits it may make.
    """
    from memsleep.phases import PHASES
    from memsleep.settings import CAREFUL_ORDER

    ordered = [PHASES[name] for name in CAREFUL_ORDER]
    if as_json:
        write_json({"schema_version": SCHEMA_VERSION, "phases": [_values(p) for p in ordered]})
    else:
        write_text(as_markdown(ordered) if markdown else _as_lines(ordered))
    return 0


def as_markdown(ordered: Sequence[Phase]) -> str:
    """Return the table of `phases/README.md`."""
    rows = [
        f"| [{phase.name}]({phase.name}.md) | {phase.summary} | {_listed(phase.requires)} "
        f"| {_listed(phase.may_edit)} |\n"
        for phase in ordered
    ]
    return "| phase | what it does | requires | may edit |\n|---|---|---|---|\n" + "".join(rows)


def _as_lines(ordered: Sequence[Phase]) -> str:
    width = max(len(phase.name) for phase in ordered)
    return "".join(
        f"{phase.name:<{width}}  {phase.summary}; requires {_listed(phase.requires)}; "
        f"may edit: {_listed(phase.may_edit)}\n"
        for phase in ordered
    )


def _values(phase: Phase) -> dict[str, object]:
    return {
        "name": phase.name,
        "summary": phase.summary,
        "requires": list(phase.requires),
        "may_edit": list(phase.may_edit),
    }


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words) if words else "-"
