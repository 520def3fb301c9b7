"""The report of one night as plain values: what the JSON form holds and the others are made of.

Whoever builds it passes values that are already decided, sorted and rounded; the renderers only
arrange them. It holds no timing and no clock: same night, same report, same bytes.
"""

from __future__ import annotations

from typing import Final, Literal

from pydantic import Field, FiniteFloat

from memsleep.report.part import Number, Part

SCHEMA_VERSION: Final = 1

PhaseStatus = Literal["ok", "failed", "skipped"]


class Count(Part):
    """How many there are of something."""

    name: str
    count: int = Field(ge=0)


class Header(Part):
    """Which night this was, over what, with what."""

    corpus: str
    """Name of the corpus, for people: its folder's name, not a path of one machine."""
    run: str
    """Id of the run, as `memsleep undo` takes it."""
    instant: str
    """The run's instant, `YYYY-MM-DDTHH:MM:SSZ`."""
    profile: str
    config_digest: str = ""
    corpus_digest: str = ""
    base_commit: str = ""
    """Commit that the corpus was read from; empty outside git."""
    embedder: str = "none"
    """Identity of the embedder."""
    tool_version: str = ""
    dry_run: bool = True
    degraded: tuple[str, ...] = ()
    """What the night had to do without, one sentence each."""


class Totals(Part):
    """The night in figures."""

    active: int = Field(default=0, ge=0)
    """Active memories at the night's start."""
    archived: int = Field(default=0, ge=0)
    """Archived memories at the night's start."""
    read: int = Field(default=0, ge=0)
    """Files read as memories."""
    unreadable: int = Field(default=0, ge=0)
    left_out: tuple[Count, ...] = ()
    """Files of the corpus that are no memories, by cause."""
    decisions: tuple[Count, ...] = ()
    """Decisions by kind."""
    merged: int = Field(default=0, ge=0)
    """Memories that went into another one."""
    keepers: int = Field(default=0, ge=0)
    """Memories that others went into."""
    evicted: int = Field(default=0, ge=0)
    """Memories archived because they are worth little."""
    expired: int = Field(default=0, ge=0)
    """Memories archived because their date has passed."""
    reprieved: int = Field(default=0, ge=0)
    """Expired memories that got more time."""
    spared: int = Field(default=0, ge=0)
    """Memories that triage would let go and reprieve kept."""
    decayed: int = Field(default=0, ge=0)
    links_rewritten: int = Field(default=0, ge=0)
    files_changed: int = Field(default=0, ge=0)


class Budget(Part):
    """A limit on what may go, and how much of it is spent with this night included."""

    name: str
    """For people, such as `archived in 7 days`."""
    used: int = Field(ge=0)
    limit: int = Field(ge=0)


class Text(Part):
    """What one memory says, as plain text."""

    path: str
    title: str = ""
    type: str = ""
    gist: str = ""
    body: str = ""
    created: str = ""
    updated: str = ""
    withheld: str = ""
    """Why the text is not shown (the kind of secret); title, gist and body are then empty."""
    quotation: bool = False
    """True where it reads like an instruction to a model: shown, but marked as a quotation."""


class Change(Part):
    """One value that a decision changes, or one piece of text that it carries over."""

    path: str
    what: str
    """Name of the field, or `text carried over`, `link`."""
    before: str = ""
    after: str = ""


class Decision(Part):
    """Something the night did, why, and how to take it back."""

    id: str
    phase: str
    kind: str
    """`merge`, `archive`, `set-field`, `spare`, `retarget-link`, `remove-link`, `restore` ..."""
    cause: str = ""
    """Finer than the kind where there is more than one, such as `evicted`, `expired`."""
    paths: tuple[str, ...]
    """The memories it is about, the one that stays first."""
    titles: tuple[str, ...] = ()
    """Their titles, in the same order."""
    reason: str
    evidence: dict[str, Number | str] = Field(default_factory=dict)
    keeper: Text | None = None
    """The memory that stays, before the night."""
    dropped: Text | None = None
    """The memory that goes, before the night."""
    changes: tuple[Change, ...] = ()
    files_changed: tuple[str, ...] = ()
    undo: str = ""
    """The command that takes it back; empty where there is nothing to take back."""


class DecayedMemory(Part):
    """One memory whose confidence eroded."""

    id: str
    path: str
    before: FiniteFloat
    after: FiniteFloat
    nights: int = 0
    written: bool = False
    """True where the file itself changed, not only the state."""


class Review(Part):
    """A pair that a person has to look at: nothing was done."""

    id: str
    question: str
    """`duplicate` or `contradiction`."""
    reason: str
    evidence: dict[str, Number | str] = Field(default_factory=dict)
    first: Text
    second: Text
    newer: str = ""
    """For a contradiction: path of the newer memory; empty when that is not known."""
    nights: int = Field(default=0, ge=0)
    """Nights over a changed corpus that found it; 0 when nobody counts."""
    rests_on: dict[str, str] = Field(default_factory=dict)
    """Path -> SHA-256 of the files as they were: it is closed when one of them changes."""
    actions: tuple[str, ...] = ()
    """What could be done about it, one sentence each."""
    commands: tuple[str, ...] = ()
    """The command for each action, in the same order; none for a night that left no record."""


class Waiting(Part):
    """A memory that would be archived, and why it was not tonight."""

    id: str
    path: str
    title: str = ""
    """Empty beyond the rows that a page shows."""
    reason: str
    score: FiniteFloat | None = None


class Upcoming(Part):
    """A memory that will expire or fade soon if nobody uses it."""

    path: str
    title: str = ""
    """Empty where it holds a secret, and beyond the rows that a page shows."""
    what: Literal["expires", "fades"]
    date: str
    """`YYYY-MM-DD`."""
    detail: str = ""


class RefusedPair(Part):
    """An example of a pair that was not merged."""

    keeper: str
    dropped: str
    reason: str = ""
    similarity: FiniteFloat | None = None


class RefusalCause(Part):
    """How many pairs were refused for one cause, with a few of them."""

    cause: str
    count: int = Field(ge=0)
    explanation: str = ""
    examples: tuple[RefusedPair, ...] = ()


class Candidates(Part):
    """Where every candidate pair went."""

    candidates: int = Field(default=0, ge=0)
    merged: int = Field(default=0, ge=0)
    reviewed: int = Field(default=0, ge=0)
    refused: tuple[RefusalCause, ...] = ()

    @property
    def refused_count(self) -> int:
        """Pairs refused, over all causes."""
        return sum(cause.count for cause in self.refused)

    @property
    def adds_up(self) -> bool:
        """True when no candidate got lost: refused, merged and reviewed make all of them."""
        return self.refused_count + self.merged + self.reviewed == self.candidates


class NotApplied(Part):
    """A proposal that could not be carried out, and why."""

    id: str
    phase: str
    kind: str
    paths: tuple[str, ...]
    cause: str
    reason: str
    path: str = ""
    line: int | None = None


class UnreadableFile(Part):
    """A file that was left alone because it could not be read as a memory."""

    path: str
    line: int | None = None
    reasons: tuple[str, ...]


class FileWarning(Part):
    """Something odd in a file that was read all the same."""

    path: str
    line: int | None = None
    code: str
    message: str


class DanglingLink(Part):
    """A link whose target does not exist, or could be one of several files."""

    path: str
    line: int | None = None
    target: str
    nearest: str | None = None
    """The most similar name that does exist."""
    ambiguous: tuple[str, ...] = ()
    """The files that it could mean equally well; empty where it leads nowhere."""


class Phase(Part):
    """What became of one phase."""

    name: str
    status: PhaseStatus = "ok"
    proposed: int = Field(default=0, ge=0)
    applied: int = Field(default=0, ge=0)
    refused: int = Field(default=0, ge=0)
    detail: str = ""
    """For people: why it failed or was skipped, or what it found."""


class Mark(Part):
    """A value on a histogram's axis that means something."""

    value: FiniteFloat
    label: str


class Histogram(Part):
    """Counts between edges: bin `i` holds values from `edges[i]` to `edges[i + 1]`."""

    edges: tuple[FiniteFloat, ...] = ()
    counts: tuple[int, ...] = ()
    marks: tuple[Mark, ...] = ()


class Community(Part):
    """A group of memories that hang together."""

    label: str
    size: int = Field(ge=0)
    members: tuple[str, ...] = ()
    """Titles, the most central first; may be cut."""


class Size(Part):
    """How big the corpus is, before the night or after it."""

    active: int = Field(default=0, ge=0)
    archived: int = Field(default=0, ge=0)
    words: int = Field(default=0, ge=0)
    """Words in the bodies of active memories."""
    size_bytes: int = Field(default=0, ge=0)
    """Bytes of active memory files."""


class Check(Part):
    """Something that was proven about the night, such as that nothing was lost."""

    name: str
    passed: bool
    detail: str = ""


class Report(Part):
    """One night, whole. All sequences are in the order in which they are shown."""

    schema_version: Literal[1] = SCHEMA_VERSION
    header: Header
    totals: Totals = Totals()
    budgets: tuple[Budget, ...] = ()
    decisions: tuple[Decision, ...] = ()
    """In the order of the plan; decay is in `decayed`."""
    decayed: tuple[DecayedMemory, ...] = ()
    reviews: tuple[Review, ...] = ()
    """Doubtful pairs and contradictions."""
    deferred: tuple[Waiting, ...] = ()
    """Archivings that wait because the budget is spent."""
    advisory: tuple[Waiting, ...] = ()
    """Evictions that are told, not done."""
    upcoming: tuple[Upcoming, ...] = ()
    candidates: Candidates = Candidates()
    not_applied: tuple[NotApplied, ...] = ()
    unreadable: tuple[UnreadableFile, ...] = ()
    warnings: tuple[FileWarning, ...] = ()
    dangling: tuple[DanglingLink, ...] = ()
    phases: tuple[Phase, ...] = ()
    checks: tuple[Check, ...] = ()
    retention: Histogram = Histogram()
    similarity: Histogram = Histogram()
    communities: tuple[Community, ...] = ()
    size_before: Size = Size()
    size_after: Size = Size()


def undo_command(run: str, decision_id: str) -> str:
    """Return the command that takes one decision of a run back."""
    return f"memsleep undo {run} {decision_id}"
