"""The closed set of things a phase may propose.

Findings change the snapshot only; edits change files. Each carries the phase, a reason for a
person and the numbers it rests on. Its id is a short digest of phase, kind and paths: the same
in a dry run and a real run, on any machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar

from memsleep.dialects.base import FieldName
from memsleep.model import Edge, Pair

Evidence = Mapping[str, float | int | str]
NO_EVIDENCE: Evidence = MappingProxyType({})
ID_LENGTH = 12


def proposal_id(phase: str, kind: str, paths: tuple[str, ...]) -> str:
    """Return the first 12 hex digits of SHA-256 over phase, kind and paths (NUL-separated)."""
    text = "\0".join((phase, kind, *paths))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:ID_LENGTH]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What all proposals share."""

    kind: ClassVar[str] = ""
    edits_files: ClassVar[bool] = False

    phase: str
    reason: str
    evidence: Evidence = field(default_factory=lambda: NO_EVIDENCE)

    @property
    def paths(self) -> tuple[str, ...]:
        """The memories it is about, the one that stays first."""
        return ()

    @property
    def id(self) -> str:
        """Stable short id."""
        return proposal_id(self.phase, self.kind, self.paths)


# Findings -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPairs(Proposal):
    """Neighbour pairs of the night: duplicate candidates and mined edges."""

    kind: ClassVar[str] = "set-pairs"
    candidates: tuple[Pair, ...]
    mined: tuple[Edge, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetColumn(Proposal):
    """One value per memory, in path order."""

    kind: ClassVar[str] = "set-column"
    name: str
    values: Mapping[str, float | str | None]

    @property
    def paths(self) -> tuple[str, ...]:
        """The column's name stands for its memories."""
        return (self.name,)


@dataclass(frozen=True, slots=True, kw_only=True)
class OnePath(Proposal):
    """A proposal about one memory."""

    path: str

    @property
    def paths(self) -> tuple[str, ...]:
        """The one memory."""
        return (self.path,)


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoPaths(Proposal):
    """A proposal about two memories, the older or smaller first."""

    keeper: str
    dropped: str

    @property
    def paths(self) -> tuple[str, ...]:
        """Both memories."""
        return (self.keeper, self.dropped)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evict(OnePath):
    """Triage's verdict that a memory may go. `advisory` ones are told, not acted on."""

    kind: ClassVar[str] = "evict"
    score: float
    advisory: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Spare(OnePath):
    """An evict verdict is answered: kept until a date, in the state only."""

    kind: ClassVar[str] = "spare"
    until: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Defer(OnePath):
    """An archiving that waits because the loss budget is spent."""

    kind: ClassVar[str] = "defer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decay(OnePath):
    """The effective confidence after the nights that have passed, in the state only."""

    kind: ClassVar[str] = "decay"
    before: float
    after: float
    nights: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Review(TwoPaths):
    """A doubtful pair for a person: nothing changes by itself."""

    kind: ClassVar[str] = "review"
    question: str
    """`duplicate` or `contradiction`."""

    @property
    def id(self) -> str:
        """Stable short id: the same question whichever of the two counts as the older one."""
        return proposal_id(self.phase, self.kind, tuple(sorted(self.paths)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuse(TwoPaths):
    """A pair that was looked at and left alone, with the cause it is counted under."""

    kind: ClassVar[str] = "refuse"
    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dangling(OnePath):
    """A link that leads nowhere, with the nearest name that exists, or to more than one place."""

    kind: ClassVar[str] = "dangling"
    target: str
    line: int
    nearest: str | None = None
    ambiguous: tuple[str, ...] = ()
    """The paths that it could mean equally well."""

    @property
    def paths(self) -> tuple[str, ...]:
        """The file, the target and its line: one file may hold several."""
        return (self.path, self.target, str(self.line))


# Edits --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit(OnePath):
    """A change to the bytes of one file."""

    edits_files: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SetField(Edit):
    """Write scalars of one memory; all of them or none."""

    kind: ClassVar[str] = "set-field"
    values: tuple[tuple[FieldName, str], ...]
    """(field, canonical text) in the order in which they are written."""
    decayed: Decay | None = None
    """The decay that this edit writes down, if it is one."""

    @property
    def paths(self) -> tuple[str, ...]:
        """The memory and the fields: two phases may set different ones."""
        return (self.path, *(name for name, _ in self.values))


@dataclass(frozen=True, slots=True, kw_only=True)
class RetargetLink(Edit):
    """Point links of one file at another path."""

    kind: ClassVar[str] = "retarget-link"
    target: str
    """Target as written in the file."""
    target_path: str
    """Corpus path it shall point at."""

    @property
    def paths(self) -> tuple[str, ...]:
        """The file and the old target."""
        return (self.path, self.target)


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveLink(Edit):
    """Take a link out of a file (reference profile only: its target is gone)."""

    kind: ClassVar[str] = "remove-link"
    target: str

    @property
    def paths(self) -> tuple[str, ...]:
        """The file and the target."""
        return (self.path, self.target)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddLink(Edit):
    """State in a file how it relates to another memory, because a person asked for it."""

    kind: ClassVar[str] = "add-link"
    target: str
    """Corpus path that it leads to."""
    relation: str

    @property
    def paths(self) -> tuple[str, ...]:
        """The file and what it leads to."""
        return (self.path, self.target)


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive(Edit):
    """Move one memory to the archive, with stamps, ledger line and inbound links."""

    kind: ClassVar[str] = "archive"
    cause: str
    """`evicted` or `expired`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge(TwoPaths):
    """Archive one memory in favour of another that says the same."""

    kind: ClassVar[str] = "merge"
    edits_files: ClassVar[bool] = True
    similarity: float
    carry: tuple[str, ...] = ()
    """Sentences that only the dropped memory holds; they are appended to the keeper."""
    take_over: bool = True
    """Whether the keeper takes over dates, tags, entities, links and the lower confidence."""
    superseded: bool = False
    """True where a person says that the dropped one is out of date, not that both say the same."""


# Outcome ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A proposal that the fold did not apply."""

    proposal: Proposal
    cause: str
    """`gone`, `details`, `edit-refused`, `conflict`, `read-only`, `target-taken` or `budget`."""
    reason: str
    path: str | None = None
    line: int | None = None
