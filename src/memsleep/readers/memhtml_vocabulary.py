"""The closed vocabularies of the memhtml format: metas, relations, elements."""

from __future__ import annotations

PREFIX = "memhtml-"

META_ORDER = (
    "memhtml-type",
    "memhtml-status",
    "memhtml-created",
    "memhtml-updated",
    "memhtml-confidence",
    "memhtml-importance",
    "memhtml-content-hash",
    "memhtml-author",
    "memhtml-session",
    "memhtml-prompt",
    "memhtml-turn",
    "memhtml-valid-from",
    "memhtml-valid-until",
    "memhtml-reprieves",
    "memhtml-archived",
    "memhtml-superseded-by",
    "memhtml-needs-revision",
    "memhtml-task-status",
    "memhtml-due",
    "memhtml-entity",
    "memhtml-tag",
    "memhtml-alias",
)
"""Every meta name, in the order in which a file states them."""

META_INDEX = {name: index for index, name in enumerate(META_ORDER)}
REQUIRED = META_ORDER[:4]
REPEATABLE = frozenset(META_ORDER[-3:])

TYPES = (
    "episodic",
    "semantic",
    "procedural",
    "agent_insight",
    "user_preference",
    "error_pattern",
    "verdict",
    "precedent",
    "arc",
    "task",
)
STATUSES = ("active", "archived")
TASK_STATUSES = ("todo", "doing", "blocked", "done")

MEMORY_RELATIONS = (
    "supersedes",
    "contradicts",
    "caused_by",
    "leads_to",
    "part_of",
    "relates_to",
    "example_of",
    "supports",
    "laterally_related",
)
"""Relations that make up the graph: neighbours, PageRank, communities, retention."""

RELATIONS = (
    *MEMORY_RELATIONS,
    "about_person",
    "authored_by",
    "from_session",
    "blocks",
    "subtask_of",
)


def _elements(names: str) -> frozenset[str]:
    return frozenset(names.split())


INLINE = _elements("mark time data cite q dfn abbr code kbd samp var a strong em span")
"""Elements whose edges do not separate words; every other element is a block."""

KNOWN_ELEMENTS = _elements(
    "html head body title meta link article mark time dl dt dd data cite q dfn figure "
    "figcaption details summary aside section abbr pre code kbd samp var table caption "
    "thead tbody tr th td p ul ol li a strong em address div span"
)
"""Elements that are read without a warning."""


def relation_of(token: str) -> str | None:
    """Return the relation that a `rel` value names, None for a token outside the vocabulary."""
    relation = token[len(PREFIX) :].replace("-", "_")
    return relation if token.startswith(PREFIX) and relation in RELATIONS else None


def token_of(relation: str) -> str:
    """Return the `rel` value of a relation."""
    return PREFIX + relation.replace("_", "-")
