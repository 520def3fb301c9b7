"""Every setting with its unit, range and default. `config.toml` says the same in prose.

The defaults are the careful profile. A profile is nothing but a set of values for these
settings (`PROFILES`), laid under the file, the environment and the options.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

PhaseName = Literal["pairing", "dedup", "graph", "triage", "reprieve", "decay", "integrity"]
CAREFUL_ORDER: tuple[PhaseName, ...] = (
    "pairing",
    "dedup",
    "graph",
    "triage",
    "reprieve",
    "decay",
    "integrity",
)
REFERENCE_ORDER: tuple[PhaseName, ...] = (
    "pairing",
    "dedup",
    "graph",
    "decay",
    "triage",
    "reprieve",
    "integrity",
)
REQUIRES: Mapping[PhaseName, tuple[PhaseName, ...]] = {
    "pairing": (),
    "dedup": ("pairing",),
    "graph": (),
    "triage": ("graph",),
    "reprieve": (),
    "decay": (),
    "integrity": (),
}
"""What must run before a phase. `reprieve` needs triage only where triage's verdicts are to be
answered; expiry stands on its own."""

Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]
Days = Annotated[int, Field(ge=0, le=36500)]
Cosine = Annotated[float, Field(ge=-1, le=1)]


class Section(BaseModel):
    """A table of the config: frozen, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


DialectName = Literal[
    "auto",
    "memhtml",
    "markdown",
    "plain",
    "claude",
    "letta",
    "openclaw",
    "hermes",
    "basic-memory",
    "obsidian",
    "foam",
    "dendron",
    "logseq",
    "evernote",
    "html",
]
"""`markdown` is another name of `plain`."""


class CorpusSettings(Section):
    """Which files are memories, and how they are read."""

    include: tuple[str, ...] = Field((), description="globs of files to read; empty: all known")
    exclude: tuple[str, ...] = Field((), description="globs of files to leave out")
    protected: tuple[str, ...] = Field((), description="globs never merged away or archived")
    dialect: DialectName = Field("auto", description="forced dialect")
    read_only_dialects: tuple[str, ...] = Field(
        ("evernote", "html"), description="dialects that are read but never edited"
    )
    day_first: Literal["file", "yes", "no"] = Field(
        "file", description="order of dates such as 06/08/2017 where a file's others do not tell"
    )
    git_dates: bool = Field(True, description="ask git when a memory was made and last changed")
    scope_folders: tuple[str, ...] = Field(
        (), description="globs of folders whose name is the scope of what lies below them"
    )
    allow_empty: bool = Field(False, description="a corpus without a memory is no error")
    usage_exports: tuple[str, ...] = Field(
        ("usage/*.jsonl",), description="globs of the exports of use that machines commit"
    )

    @property
    def day_first_order(self) -> bool | None:
        """The order of an undecided date: True for day first, None where it stays undecided."""
        return {"file": None, "yes": True, "no": False}[self.day_first]


class RunSettings(Section):
    """The order of the night."""

    profile: Literal["careful", "reference"] = Field("careful", description="set of values")
    phases: tuple[PhaseName, ...] = Field(CAREFUL_ORDER, description="phases in order")
    view: Literal["folded", "start"] = Field(
        "folded", description="folded: a phase sees what those before it did; start: it does not"
    )

    @model_validator(mode="after")
    def _order_holds(self) -> RunSettings:
        seen: set[str] = set()
        for name in self.phases:
            if name in seen:
                raise ValueError(f"phase {name!r} is listed twice")
            missing = [need for need in REQUIRES[name] if need not in seen]
            if missing:
                raise ValueError(f"phase {name!r} needs {missing[0]!r} before it")
            seen.add(name)
        return self


class EmbedderSettings(Section):
    """Where vectors come from."""

    name: Literal["hashgram", "none", "file"] = Field("hashgram", description="embedder")
    path: str = Field("", description="file: an .npz or a memhtml index database")
    min_coverage: Share = Field(0.5, description="below it the night fails")
    warn_coverage: Share = Field(0.95, description="below it the report warns")


class PairingSettings(Section):
    """Neighbour pairs: candidates for merging, and mined edges of the graph."""

    duplicate_floor: Cosine | Literal["embedder"] = Field(
        "embedder", description="least cosine of a duplicate candidate, inclusive"
    )
    duplicate_neighbors: Annotated[int, Field(ge=1, le=1000)] = Field(
        8, description="candidates kept per memory"
    )
    duplicate_rows: Count = Field(0, description="directed rows kept; 0: 4 per memory")
    mined_floor: Cosine | Literal["embedder"] = Field(
        "embedder", description="least cosine of a mined edge, inclusive"
    )
    mined_neighbors: Annotated[int, Field(ge=1, le=1000)] = Field(
        8, description="mined edges kept per memory"
    )
    mined_rows: Count = Field(0, description="directed rows kept; 0: 4 per memory")
    undirected: bool = Field(True, description="a mutual mined pair is one undirected edge")
    content: bool = Field(True, description="pair equal contents whatever the embedder says")
    lexical: bool = Field(True, description="pair gists whose word sets overlap by 0.74")
    frame: bool = Field(True, description="pair gists that fill the same slot")
    never_duplicate: tuple[str, ...] = Field(("task", "arc"), description="types never paired")
    never_mined: tuple[str, ...] = Field(("task",), description="types without mined edges")


GuardName = Literal[
    "pinned",
    "scope",
    "type",
    "validity",
    "negation",
    "negation_words",
    "numeric",
    "numbers",
    "dates",
    "identifiers",
    "names",
    "variant",
    "variants",
    "opposites",
    "quantifiers",
    "qualifiers",
    "hedges",
    "tense",
    "conditions",
    "directions",
    "slot_value",
    "lists",
    "additions",
    "substitution",
    "word_order",
]
CAREFUL_GUARDS: tuple[GuardName, ...] = (
    "pinned",
    "scope",
    "type",
    "validity",
    "negation_words",
    "numbers",
    "dates",
    "identifiers",
    "names",
    "variants",
    "opposites",
    "quantifiers",
    "qualifiers",
    "hedges",
    "tense",
    "conditions",
    "directions",
    "slot_value",
    "lists",
    "additions",
    "substitution",
    "word_order",
)
"""`numbers`, `negation_words` and `variants` stand for those of the reference: they see more."""
REFERENCE_GUARDS: tuple[GuardName, ...] = ("negation", "numeric", "variant")


class DedupSettings(Section):
    """Merging what says the same."""

    guards: tuple[GuardName, ...] = Field(CAREFUL_GUARDS, description="guards in order")
    threshold: Cosine = Field(-1.0, description="a vector pair merges above it, strictly")
    vectors_suffice: bool = Field(
        False, description="merge on cosine and guards alone, without agreement of the words"
    )
    max_merges: Count = Field(100, description="merges of one night")
    max_merge_share: Share = Field(0.05, description="merges as a share of the active memories")
    min_merges: Count = Field(5, description="merges allowed in a corpus however small")
    min_words: Count = Field(8, description="equal contents shorter than this go to review")
    max_copies: Annotated[int, Field(ge=2)] = Field(
        3, description="equal contents in more copies than this go to review"
    )
    max_reviews: Count = Field(50, description="doubtful pairs put before a person in one night")
    take_over: bool = Field(True, description="the keeper takes over metadata and missing detail")


class GraphSettings(Section):
    """Ranks and communities."""

    damping: Annotated[float, Field(ge=0, lt=1)] = Field(0.85, description="PageRank damping")
    tolerance: Annotated[float, Field(ge=0, le=1)] = Field(
        0.0, description="L1 change per memory at which PageRank stops; 0: 1e-9 / memories"
    )
    max_iterations: Annotated[int, Field(ge=1, le=100_000)] = Field(
        1000, description="PageRank iterations at most"
    )
    min_community_size: Annotated[int, Field(ge=1)] = Field(3, description="memories at least")
    max_sweeps: Annotated[int, Field(ge=1, le=100_000)] = Field(100, description="label sweeps")


class TriageSettings(Section):
    """Who may go."""

    apply: Literal["never", "known-usage", "always"] = Field(
        "known-usage", description="when evict verdicts are acted on; else they are advisory"
    )
    answered_by: Literal["reprieve", "triage"] = Field(
        "reprieve", description="the phase that archives an evict verdict"
    )
    unknown_usage: Literal["spread", "zero"] = Field(
        "spread", description="without usage: spread the access weight, or count it as zero"
    )
    grace_days: Days = Field(14, description="a younger memory is never evicted")
    never: tuple[str, ...] = Field(("task", "arc"), description="types never evicted")
    first_night_advisory: bool = Field(True, description="the first night on a corpus only tells")


class BudgetSettings(Section):
    """How much may be archived, as shares of the active memories. Merges count apart."""

    night_share: Share = Field(0.02, description="by one night, at least one memory")
    week_share: Share = Field(0.05, description="in 7 days")
    month_share: Share = Field(0.15, description="in 30 days")
    enabled: bool = Field(True, description="false: no limit")


class ReprieveSettings(Section):
    """Expired memories: two more weeks, or the archive."""

    floor: Annotated[float, Field(ge=0)] = Field(0.5, description="least score of a reprieve")
    max_reprieves: Count = Field(3, description="reprieves of one memory at most")
    extra_days: Annotated[int, Field(ge=1, le=3650)] = Field(14, description="days a reprieve adds")
    never: tuple[str, ...] = Field(("task", "arc"), description="types that never expire")


class DecaySettings(Section):
    """How confidence fades when nothing reinforces it."""

    clock: Literal["nights", "runs"] = Field(
        "nights", description="nights: steps by nights elapsed; runs: one step a run"
    )
    alpha: Share = Field(0.1, description="share of the distance to the floor lost by a step")
    floor: Share = Field(0.2, description="decay stops here")
    max_steps: Annotated[int, Field(ge=1, le=365)] = Field(7, description="steps of one run")
    commit_delta: Share = Field(0.005, description="a smaller change is not written")
    write_at: tuple[Share, ...] = Field(
        (0.75, 0.5, 0.25), description="a stated confidence is rewritten when it falls past these"
    )
    write_always: bool = Field(False, description="rewrite the file at every committable step")
    never: tuple[str, ...] = Field(("task",), description="types that do not decay")


class IntegritySettings(Section):
    """Links whose target is not there."""

    drop_dangling: bool = Field(False, description="remove a link that cannot be repaired")
    archive_years: Annotated[int, Field(ge=0, le=100)] = Field(
        10, description="archive years searched for a moved target"
    )


class WriteSettings(Section):
    """Where and how files are changed."""

    mode: Literal["auto", "branch", "directory"] = Field(
        "auto", description="auto: a git branch where git tracks the folder, else in place"
    )
    archive: Literal["move", "flag"] = Field("move", description="move to archive/, or flag only")
    stamp_updated: bool = Field(False, description="bookkeeping moves `updated`")
    mark_keeper: bool = Field(True, description="the keeper of a merge links what it supersedes")
    follow_links: bool = Field(True, description="links follow what moves in the same decision")
    add_front_matter: bool = Field(
        False, description="a file without front matter may be given one"
    )
    delete_superseded: bool = Field(
        False, description="delete older branches of runs that nobody merged or touched"
    )


class GateSettings(Section):
    """Whether the corpus still answers as well once the night has landed."""

    enforce: bool = Field(
        True, description="what fails the gate does not land by a run or a merge; else it is told"
    )


class CheckSettings(Section):
    """What `memsleep check` fails on. Rules are named by code, or by family (`MS2`)."""

    fail_on: Literal["error", "warning", "note", "never"] = Field(
        "warning", description="least severity that fails a check"
    )
    errors: tuple[str, ...] = Field((), description="rules whose findings are errors")
    warnings: tuple[str, ...] = Field((), description="rules whose findings are warnings")
    notes: tuple[str, ...] = Field((), description="rules whose findings are notes")
    off: tuple[str, ...] = Field((), description="rules that are not asked")
    ignore: tuple[str, ...] = Field((), description='suppressions, each "CODE GLOB: reason"')
    baseline: str = Field(
        "memsleep-baseline.json", description="file of the findings that are accepted for now"
    )
    required: tuple[str, ...] = Field((), description="fields that each Markdown memory must state")
    known_keys: tuple[str, ...] = Field(
        (), description="keys of front matter allowed besides those that are read; empty: any"
    )
    max_file_bytes: Annotated[int, Field(ge=1)] = Field(
        65_536, description="bytes of a memory, at most"
    )
    max_index_lines: Annotated[int, Field(ge=1)] = Field(
        200, description="lines of a MEMORY.md, at most"
    )
    max_index_bytes: Annotated[int, Field(ge=1)] = Field(
        25_600, description="bytes of a MEMORY.md, at most"
    )
    max_memory_chars: Annotated[int, Field(ge=1)] = Field(
        2200, description="characters of a MEMORY.md that holds entries, at most"
    )
    max_user_chars: Annotated[int, Field(ge=1)] = Field(
        1375, description="characters of a USER.md that holds entries, at most"
    )


Weight = Annotated[float, Field(ge=0, le=100)]


class SearchSettings(Section):
    """How memories are found: five arms, fused by rank."""

    limit: Annotated[int, Field(ge=1, le=1000)] = Field(10, description="hits shown")
    pool: Annotated[int, Field(ge=1, le=1000)] = Field(50, description="hits taken from each arm")
    keyword: Weight = Field(0.7, description="weight of whole words; 0: off")
    full_text: Weight = Field(1.0, description="weight of parts of words; 0: off")
    vector: Weight = Field(0.5, description="weight of nearness by vectors; 0: off")
    salience: Weight = Field(0.02, description="weight of use and recency; 0: off")
    lateral: Weight = Field(0.02, description="weight of what the hits link to; 0: off")
    vector_floor: Cosine = Field(0.1, description="least cosine to a question")
    relevance: Share = Field(
        0.95, description="1: by relevance alone; less: unlike what stands above"
    )


class RecallSettings(Section):
    """The block put before an agent's turn."""

    limit: Annotated[int, Field(ge=1, le=50)] = Field(3, description="memories in a block")
    min_score: Annotated[float, Field(ge=0)] = Field(0.0, description="least fused score of a hit")
    first: tuple[str, ...] = Field(
        ("failure", "error_pattern", "insight", "agent_insight", "fact", "semantic"),
        description="types that come first",
    )


class BriefSettings(Section):
    """The standing block for an agent's prompt."""

    file: str = Field("", description="file that the night writes the brief into; empty: none")
    lines: Annotated[int, Field(ge=1, le=1000)] = Field(20, description="competing lines at most")
    characters: Annotated[int, Field(ge=1, le=1_000_000)] = Field(
        2000, description="characters of the competing lines"
    )
    days: Days = Field(30, description="a memory competes when used or updated within so many days")
    first: tuple[str, ...] = Field(
        ("preference", "user_preference", "profile", "convention"),
        description="types that come first",
    )
    promote: tuple[str, ...] = Field(
        ("failure", "error_pattern", "insight", "agent_insight", "convention"),
        description="types that may become a skill",
    )


class RunsSettings(Section):
    """The runs that are kept in `.memsleep/runs/`."""

    keep: Count = Field(90, description="newest runs kept; 0: all")
    before_days: Days = Field(30, description="days the bytes before a run are kept for undo")


class SyncSettings(Section):
    """The service that a corpus is the mirror of. Only the user may set this, never a corpus."""

    provider: str = Field(
        "", description="directory, http, or module:function that makes a provider; empty: none"
    )
    path: str = Field("", description="directory: the folder that changes are delivered to")
    url: str = Field("", description="http: where the service answers")
    token_env: str = Field(
        "", description="http: name of the environment variable that holds the token; empty: none"
    )
    timeout_s: Annotated[float, Field(ge=0.1, le=600)] = Field(
        10.0, description="http: seconds a call may take"
    )
    attempts: Annotated[int, Field(ge=1, le=20)] = Field(
        3, description="how often a call that fails is made, at most"
    )
    take: Annotated[int, Field(ge=1, le=10_000)] = Field(
        100, description="memories asked for in one page"
    )
    max_pages: Annotated[int, Field(ge=1, le=1_000_000)] = Field(
        1000, description="pages of one pull, at most"
    )
    write_mode: Literal["direct", "proposal"] = Field(
        "direct", description="direct: changes take effect there; proposal: a person decides there"
    )
    user: tuple[str, ...] = Field(
        ("user/**",), description="globs of the memories that belong to the user, not the project"
    )


class Settings(Section):
    """The whole config."""

    corpus: CorpusSettings = CorpusSettings()
    run: RunSettings = RunSettings()
    embedder: EmbedderSettings = EmbedderSettings()
    pairing: PairingSettings = PairingSettings()
    dedup: DedupSettings = DedupSettings()
    graph: GraphSettings = GraphSettings()
    triage: TriageSettings = TriageSettings()
    budget: BudgetSettings = BudgetSettings()
    reprieve: ReprieveSettings = ReprieveSettings()
    decay: DecaySettings = DecaySettings()
    integrity: IntegritySettings = IntegritySettings()
    write: WriteSettings = WriteSettings()
    gate: GateSettings = GateSettings()
    runs: RunsSettings = RunsSettings()
    check: CheckSettings = CheckSettings()
    search: SearchSettings = SearchSettings()
    recall: RecallSettings = RecallSettings()
    brief: BriefSettings = BriefSettings()
    sync: SyncSettings = SyncSettings()


REFERENCE: Mapping[str, Mapping[str, Any]] = {
    "run": {"profile": "reference", "phases": REFERENCE_ORDER, "view": "start"},
    "pairing": {
        "duplicate_floor": 0.92,
        "duplicate_neighbors": 5,
        "duplicate_rows": 400,
        "mined_floor": 0.85,
        "mined_neighbors": 5,
        "mined_rows": 2000,
        "undirected": False,
        "content": False,
        "lexical": False,
        "frame": False,
    },
    "dedup": {
        "guards": REFERENCE_GUARDS,
        "threshold": 0.92,
        "vectors_suffice": True,
        "max_merge_share": 1.0,
        "min_merges": 100,
        "take_over": False,
    },
    "graph": {"tolerance": 1e-6, "max_iterations": 100},
    "triage": {
        "apply": "always",
        "answered_by": "triage",
        "unknown_usage": "zero",
        "grace_days": 0,
        "first_night_advisory": False,
    },
    "budget": {"enabled": False},
    "decay": {"clock": "runs", "write_always": True},
    "integrity": {"drop_dangling": True},
    "write": {"stamp_updated": True},
    "gate": {"enforce": False},
}
PROFILES: Mapping[str, Mapping[str, Mapping[str, Any]]] = {"careful": {}, "reference": REFERENCE}
