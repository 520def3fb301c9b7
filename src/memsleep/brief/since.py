"""What a brief says that an earlier one did not."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

from memsleep.brief.compose import Brief, BriefLine
from memsleep.brief.lines import citation_mark
from memsleep.state.identity import short_id


def line_digest(line: BriefLine) -> str:
    """Return what tells a changed line from the same one."""
    text = json.dumps([line.type, line.gist], ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def contents_of(brief: Brief) -> dict[str, str]:
    """Return memory id -> digest of type and claim: what the state keeps of a brief."""
    return {line.memory_id: line_digest(line) for line in brief.lines}


def changes_since(brief: Brief, earlier: Mapping[str, str]) -> str:
    """Return only what was added (+), removed (-) or changed (~); empty when nothing was.

    A removed memory is named by its citation alone: its text may be gone for a reason.
    """
    told = []
    for line in brief.lines:
        before = earlier.get(line.memory_id)
        if before is None:
            told.append(f"+ {line.text.removeprefix('- ')}")
        elif before != line_digest(line):
            told.append(f"~ {line.text.removeprefix('- ')}")
    gone = sorted(set(earlier) - {line.memory_id for line in brief.lines})
    told.extend(f"- {citation_mark(short_id(memory_id))}" for memory_id in gone)
    return "".join(f"{line}\n" for line in told)
