"""Where the folded phases of a night go: the protocol that every sink keeps, and its values.

A sink lands all that it is given or nothing. What it cannot land because the corpus changed
meanwhile it names; whoever called it folds again without those decisions and comes back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, Protocol

NO_COUNTS: Mapping[str, int] = MappingProxyType({})
NO_MOVES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """A decision that does not land, and why. Never holds the text of a memory."""

    id: str
    reason: str
    path: str = ""
    """The file that stands in the way; empty where none does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunMeta:
    """What a sink may say of the run."""

    run_id: str
    """`sleep/<date>`, with `-2`, `-3` ... where that was taken when the run began."""
    now: str
    """The night's instant, `YYYY-MM-DDTHH:MM:SSZ`; commits bear it."""
    base_commit: str | None = None
    """The commit that the night was read from; None for a folder."""
    config_digest: str = ""
    plan_digest: str = ""
    counts: Mapping[str, int] = field(default_factory=lambda: NO_COUNTS)
    """Kind of decision -> how many of the whole run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseFold:
    """What one phase does to files, on top of the phases before it."""

    name: str
    before: Mapping[str, bytes]
    """Path -> bytes before this phase, for each file it edits or moves away."""
    after: Mapping[str, bytes]
    """Path -> bytes after this phase, for each file it edits, creates or moves to."""
    moves: Mapping[str, str] = field(default_factory=lambda: NO_MOVES)
    """Old path -> new path; the old one is in `before`, the new one in `after`."""
    decisions: tuple[str, ...] = ()
    """Ids of the decisions that landed in this phase, in order."""
    counts: Mapping[str, int] = field(default_factory=lambda: NO_COUNTS)
    """Kind of decision -> how many of this phase."""
    lines: tuple[str, ...] = ()
    """One line a decision for people: paths and figures, never the text of a memory."""

    @property
    def gone(self) -> tuple[str, ...]:
        """Paths that exist before the phase and not after it, in order."""
        return tuple(sorted(set(self.before) - set(self.after)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Landing:
    """What became of it."""

    kind: Literal["directory", "branch", "nothing", "stale"]
    """`stale`: nothing was changed, since the files in `stale` are not what they were."""
    run_id: str = ""
    """The run's final id, where the sink had to take another one (the branch was taken)."""
    ref: str | None = None
    """Full name of the branch, such as `refs/heads/sleep/2026-11-30`."""
    tip: str | None = None
    """The branch's commit."""
    landed_ids: tuple[str, ...] = ()
    refused: tuple[Rejection, ...] = ()
    stale: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    """For standard error: one line each."""


class Sink(Protocol):
    """Somewhere to land. The caller holds the corpus's lock."""

    @property
    def kind(self) -> Literal["directory", "branch"]:
        """Say where it lands."""
        ...

    def check(self) -> None:
        """Refuse, with a foreseen error, before anything is computed."""
        ...

    def is_taken(self, run_id: str) -> bool:
        """Return True when the sink cannot use this name for a new run."""
        ...

    def land(self, run: RunMeta, phases: Sequence[PhaseFold]) -> Landing:
        """Land all phases or nothing. Phases that change nothing make no commit."""
        ...


# The sink of the git branch mode is made by `landing.branch.branch_sink(corpus: Path) -> Sink`:
# it finds the repository of the corpus itself, and `RunMeta.base_commit` is its parent commit.
