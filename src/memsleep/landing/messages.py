"""The messages of our commits: paths and figures, never the text of a memory.

Every line of a body is indented, so that none can pose as a trailer, and everything that is not
printable is escaped, so that none can steer a terminal or forge the head of a patch.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from memsleep.landing.sink import PhaseFold, RunMeta

MAX_SUBJECT = 60
MAX_LINES = 100
_VERBS = {
    "merge": "merge {} memories",
    "archive": "archive {} memories",
    "add-link": "add {} links",
    "set-field": "change {} fields",
    "retarget-link": "mend {} links",
    "remove-link": "remove {} links",
}


def commit_message(run: RunMeta, phase: PhaseFold) -> bytes:
    """Return the message of one phase's commit: subject, one line a decision, trailers."""
    lines = [flat(line) for line in phase.lines] or _moves(phase.moves)
    if len(lines) > MAX_LINES:
        lines = [*lines[:MAX_LINES], f"and {len(lines) - MAX_LINES} more"]
    body = "".join(f"  {line}\n" for line in lines)
    return _with_trailers(subject_of(phase), body, trailers_of(run, phase))


def merge_message(run_id: str, into: str) -> bytes:
    """Return the message of the commit that merges a run."""
    return _with_trailers(_cut(f"memsleep: merge {flat(run_id)} into {flat(into)}"), "", {})


def subject_of(phase: PhaseFold) -> str:
    """Return what a phase did in at most 60 characters."""
    counts = phase.counts
    said = [text.format(counts[kind]) for kind, text in _VERBS.items() if counts.get(kind)]
    what = ", ".join(said) or f"change {len(phase.after)} files"
    return _cut(f"memsleep({flat(phase.name)}): {what}")


def trailers_of(run: RunMeta, phase: PhaseFold) -> dict[str, str]:
    """Return the trailers of one phase's commit, in order."""
    counts = json.dumps(dict(sorted(phase.counts.items())), ensure_ascii=True)
    said = {
        "Memsleep-Run": run.run_id,
        "Memsleep-Phase": phase.name,
        "Memsleep-Base": run.base_commit or "",
        "Memsleep-Settings": run.config_digest,
        "Memsleep-Plan": run.plan_digest,
        "Memsleep-Counts": counts,
    }
    return {name: flat(value) for name, value in said.items() if value}


def flat(text: str) -> str:
    r"""Return a text on one line in which nothing is left that is not printable.

    Examples
    --------
    >>> flat("a\n\nMemsleep-Phase: forged\x1b[2J")
    'a\\n\\nMemsleep-Phase: forged\\x1b[2J'
    """
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


def _moves(moves: Mapping[str, str]) -> list[str]:
    return [f"{flat(old)} -> {flat(new)}" for old, new in sorted(moves.items())]


def _cut(subject: str) -> str:
    return subject if len(subject) <= MAX_SUBJECT else subject[: MAX_SUBJECT - 3] + "..."


def _with_trailers(subject: str, body: str, trailers: Mapping[str, str]) -> bytes:
    tail = "".join(f"{name}: {value}\n" for name, value in trailers.items())
    text = "\n".join(part for part in (f"{subject}\n", body, tail) if part)
    return text.encode("utf-8", "backslashreplace")
