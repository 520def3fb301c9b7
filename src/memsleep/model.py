"""The values that flow through a night: memories, their links, the snapshot of a corpus.

All of them are frozen. Instants are text of the form `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM:SSZ`
(UTC), whose string order is their order in time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from memsleep.known import Known

if TYPE_CHECKING:
    from memsleep.core.near_lists import Near

LinkForm = Literal[
    "head",  # <link rel="memhtml-..."> in an HTML head
    "anchor",  # <a href> in an HTML article: followed when its target moves, not an edge
    "wikilink",  # [[target]], [[target|label]]
    "embed",  # ![[target]]
    "inline",  # [text](target), ![alt](target)
    "reference",  # [label]: target
    "shortcode",  # {{< relref "target" >}}
    "front-matter",  # an entry of a front matter list or scalar
]

EMPTY: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class OtherTarget:
    """What a link means if its target leads nowhere: its other part, where both orders are used."""

    target: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Link:
    """One outgoing link as the file states it."""

    relation: str
    """Relation with underscores, such as `supports`; `relates_to` where the form names none."""
    target: str
    """Target as written, decoded (references, percent escapes), fragment and label left out."""
    line: int
    """Line in the file, from 1."""
    form: LinkForm
    start: int = -1
    """First byte of the target as written in the source; -1 when it cannot be edited in place."""
    end: int = -1
    """One past the last byte of the target as written."""
    path: str | None = None
    """Corpus path that the target resolves to; None while unresolved or dangling."""
    ambiguous: tuple[str, ...] = ()
    """The paths it could mean, when more than one does."""
    external: bool = False
    """True for a target outside the corpus (a URL, a mail address): never dangling."""
    other: OtherTarget | None = None
    """The other part of `[[label|target]]`, where a store writes both orders."""


@dataclass(frozen=True, slots=True)
class Facet:
    """A named property of a memory, `name: value`, with its number if it has one."""

    name: str
    value: str
    number: float | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """A source that a memory names."""

    text: str
    href: str | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong at one place of one file. Never holds the text of a memory."""

    path: str
    line: int | None
    code: str
    """Kebab-case kind of problem, such as `bad-date`."""
    message: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that could not be read as a memory; it is left alone."""

    path: str
    problems: tuple[Problem, ...]

    @property
    def reason(self) -> str:
        """All problems in one line."""
        return "; ".join(problem.message for problem in self.problems)

    @property
    def line(self) -> int | None:
        """Line of the first problem that has one."""
        return next((p.line for p in self.problems if p.line is not None), None)


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory as its file states it, with the defaults of its dialect filled in."""

    path: str
    """Path below the corpus root, `/`-separated: where the memory lies now."""
    dialect: str
    """Name of the dialect that reads and edits the file: `memhtml` or `markdown`."""
    type: str
    title: str
    gist: str
    """The one-line claim."""
    body: str
    """Text of the whole body, claim included."""
    word_count: int
    digest: str
    """SHA-256 of the source bytes, hex."""
    content_hash: str
    """`sha256:` and hex over the canonical text of the body: equal for equal content."""
    created: str | None = None
    updated: str | None = None
    event_time: str | None = None
    valid_from: str | None = None
    valid_until: str | None = None
    archived_at: str | None = None
    confidence: float = 1.0
    """In [0, 1]."""
    importance: float = 5.0
    """In [1, 10]."""
    reprieves: int = 0
    status: str = "active"
    pinned: bool = False
    author: str = ""
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    facets: tuple[Facet, ...] = ()
    citations: tuple[Citation, ...] = ()
    links: tuple[Link, ...] = ()
    scope: str = ""
    source_refs: tuple[tuple[str, int], ...] = ()
    language: str = ""
    stated: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    """Field name -> the key under which the file states it. A field that is absent is a default."""
    raw: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    """Field name -> the value as written, for the fields in `stated`."""
    superseded_by: str | None = None
    """Path of what replaced this memory, without a leading slash."""
    read_only: str = ""
    """Why the file must not be edited tonight; empty when it may be."""
    protected: bool = False
    """True where the store or the config protects it: never merged away, evicted or archived."""
    warnings: tuple[Problem, ...] = ()
    from_history: frozenset[str] = frozenset()
    """Fields that only git's history gives: evidence for a judgement, never written to a file."""
    container: str = ""
    """Path of the file that holds this memory among others; empty for a file of its own."""
    archived_by_place: bool | None = None
    """What the store's layout says, where it differs from `in_archive`: a user's own folder
    `archive/2019/` is not our archive. None: `in_archive` decides."""

    @property
    def archived(self) -> bool:
        """True when the memory is archived, by its path or its stated status."""
        place = self.archived_by_place
        return (in_archive(self.path) if place is None else place) or self.status == "archived"

    def states(self, name: str) -> bool:
        """Return True when the file itself gives the field, False for a default."""
        return name in self.stated


_MEMORY_FIELDS = tuple(one.name for one in fields(Memory))
_MEMORY_PLACES = {name: place for place, name in enumerate(_MEMORY_FIELDS)}
_VALUES_OF = attrgetter(*_MEMORY_FIELDS)
_SLOTS = tuple(vars(Memory)[name].__set__ for name in _MEMORY_FIELDS)


def memory_of(values: Sequence[Any]) -> Memory:
    """Return the memory of all its values in the order of the fields, in half of the usual time.

    A hundred thousand are made several times a night.
    """
    made = object.__new__(Memory)
    for put, value in zip(_SLOTS, values, strict=True):
        put(made, value)
    return made


def with_values(memory: Memory, **values: Any) -> Memory:
    """Return a memory with other values of some fields, as `dataclasses.replace` does."""
    every = list(_VALUES_OF(memory))
    for name, value in values.items():
        every[_MEMORY_PLACES[name]] = value
    return memory_of(every)


@dataclass(frozen=True, slots=True)
class Edge:
    """A directed edge between two memories, strength in [0, 1]."""

    source: str
    target: str
    relation: str
    strength: float
    mined: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """What is known of one memory's use. All counts are >= 0; outcome in [-1, 1]."""

    access_count: int = 0
    reinforcement_count: int = 0
    outcome_score: float = 0.0
    last_accessed_at: str | None = None
    last_reinforced_at: str | None = None
    updated_at: str | None = None
    usage_count: int = 0
    last_used_at: str | None = None
    corrected_count: int = 0
    evidence_count: int = 1
    source_refs: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """What the state remembers of a memory besides its use."""

    memory_id: str
    """Path at first sight: the identity that survives moves."""
    first_seen_at: str | None = None
    stated_confidence: float | None = None
    """The confidence the file stated when the effective one was last computed."""
    effective_confidence: float | None = None
    """Confidence after all landed decay, in [0, 1]."""
    last_decay_at: str | None = None
    spared_until: str | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two memories that may say the same thing, `source` < `target` in path order."""

    source: str
    target: str
    similarity: float
    """Cosine in [-1, 1]; 1.0 for equal content."""
    origin: str
    """Why it is a candidate: `vector`, `content`, `lexical` or `frame`."""


@dataclass(frozen=True, slots=True)
class Floors:
    """The least cosines that an embedder's vectors mean something at; they differ by embedder."""

    duplicate: float
    """At or above it two memories may say the same thing."""
    mined: float
    """At or above it two memories are related."""


NO_FLOORS = Floors(duplicate=2.0, mined=2.0)
"""Above any cosine: no pair is near enough."""


@dataclass(frozen=True)
class Vectors:
    """Rows of one embedder. `array` is (n, d) float32 and read-only; `paths` names its rows."""

    identity: str
    paths: tuple[str, ...]
    array: NDArray[np.float32]
    wanted: int = 0
    """How many memories should have a vector."""
    stale: int = 0
    """Rows left out because they were made from another content."""
    near: Near | None = None
    """Neighbour lists of the rows where somebody keeps them: they save time, not more."""

    @cached_property
    def position(self) -> Mapping[str, int]:
        """Path -> row number."""
        return {path: row for row, path in enumerate(self.paths)}

    @property
    def coverage(self) -> float:
        """Share of wanted memories that have a vector, 1.0 when none is wanted."""
        return len(self.paths) / self.wanted if self.wanted else 1.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What triage thinks of a memory: it may go."""

    path: str
    score: float
    reason: str


@dataclass(frozen=True)
class Snapshot:
    """The corpus at one instant. Every mapping is in path order."""

    now: str
    """The run's instant, `YYYY-MM-DDTHH:MM:SSZ`."""
    memories: Mapping[str, Memory]
    """Path -> memory, active and archived."""
    files: Mapping[str, bytes]
    """Path -> bytes of every memory and of every protected file whose links are read."""
    vectors: Vectors
    usage: Mapping[str, Usage] | None = None
    """Path -> usage; None when nothing at all is known about use."""
    standing: Mapping[str, Standing] | None = None
    """Path -> what the state remembers; None without a state."""
    floors: Floors = NO_FLOORS
    past_archives: tuple[str, ...] = ()
    """Instants of the archivings of earlier nights that count toward the loss budget."""
    past_merges: tuple[str, ...] = ()
    """Instants of the merges of earlier nights."""
    first_night: bool = True
    """True when no earlier night is known."""
    mined: tuple[Edge, ...] = ()
    candidates: tuple[Pair, ...] = ()
    columns: Mapping[str, Mapping[str, float | str | None]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    """Column name -> path -> value, such as `pagerank`, `community`, `retention`."""
    verdicts: Mapping[str, Verdict] = field(default_factory=lambda: MappingProxyType({}))
    unreadable: tuple[Unreadable, ...] = ()
    references: Mapping[str, tuple[Link, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Protected file (index page, README) -> its links; they follow what moves."""
    page_dialects: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    """Protected file -> the dialect that reads it, where its ending does not tell."""
    locked: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Protected file that must not be edited tonight -> why."""
    problems: tuple[Problem, ...] = ()
    """Warnings about files that were read all the same."""
    taken: frozenset[str] = frozenset()
    """Every path that exists in the corpus, memory or not: none may be written over."""
    rejected: frozenset[tuple[str, ...]] = frozenset()
    """Questions (see `landing.rejections`) that a person answered with no: not asked tonight."""
    asked_since: Mapping[str, str] = field(default_factory=lambda: EMPTY)
    """Question about two memories (their ids) -> instant since when it waits for an answer."""
    archive_folder: str = "archive"
    """Where the archive of this corpus is: hidden where the store's program loads all folders."""
    known: Known = field(default_factory=Known, compare=False, repr=False)
    """What was found out before and is now: it saves time, not more."""

    def is_entry(self, path: str) -> bool:
        """Return True for a memory that is part of a file, which has no file of its own."""
        memory = self.memories.get(path)
        return memory is not None and memory.container != ""

    def active(self) -> list[Memory]:
        """Return the memories that are not archived, in path order."""
        return [*self._active]

    @cached_property
    def _active(self) -> tuple[Memory, ...]:
        """They are asked for again and again by each phase."""
        return tuple([memory for memory in self.memories.values() if not memory.archived])


ARCHIVE_FOLDERS = ("archive", ".archive")
"""Where archives lie: seen, or hidden from a program that loads every folder."""
_ARCHIVE_STARTS = tuple(f"{folder}/" for folder in ARCHIVE_FOLDERS)


def in_archive(path: str) -> bool:
    """Return True for a path below the corpus's `archive/<year>/` or `.archive/<year>/`."""
    if not path.startswith(_ARCHIVE_STARTS):  # as most paths do not
        return False
    parts = path.split("/", 2)
    if len(parts) != 3:
        return False
    return parts[1].isascii() and parts[1].isdigit()  # other scripts have digits too


def before_archive(path: str) -> str:
    """Return where an archived file came from, one layer; any other path as it is."""
    return path.split("/", 2)[2] if in_archive(path) else path


def digest_bytes(source: bytes) -> str:
    """Return the SHA-256 of bytes as hex: the digest that a decision rests on."""
    return hashlib.sha256(source).hexdigest()
