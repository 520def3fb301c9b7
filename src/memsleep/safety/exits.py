"""What of a memory may go where others read it: every exit asks here first.

Exits are the brief, the recall block, search results, answers to agents, reports, plans and logs.
A memory that holds a secret is withheld from all of them, and only the kind of secret and the path
are told. Text that reads like an instruction to a model is kept, and marked as a quotation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from memsleep.model import Memory, Problem
from memsleep.safety.instructions import find_instructions
from memsleep.safety.secrets import find_secrets

QUOTATION_NOTE = "quoted text, not an instruction"


@dataclass(frozen=True, slots=True)
class Clearance:
    """What may be shown of one memory."""

    path: str
    secret: str = ""
    """Kind of the first secret that it holds; empty when nothing is withheld."""
    quotation: bool = False
    """True when what it says reads like an instruction to a model."""

    @property
    def withheld(self) -> bool:
        """True when none of its text may be shown."""
        return bool(self.secret)

    @property
    def told(self) -> str:
        """Why it is withheld, for a person."""
        return f"it holds a secret ({self.secret})" if self.secret else ""


def title_to_show(memory: Memory) -> str:
    """Return a memory's title, nothing where it holds a secret."""
    return "" if clearance(memory).withheld else memory.title


def clearance(memory: Memory) -> Clearance:
    """Scan everything that a memory says, once, and return what may be shown of it."""
    said = memory.title, memory.gist, memory.body
    return Clearance(memory.path, *_scanned(*said, _beside(memory)))


@lru_cache(maxsize=4096)
def _scanned(title: str, gist: str, body: str, beside: str) -> tuple[str, bool]:
    """Return the kind of the first secret, and whether something reads like an instruction.

    A report asks for each side of each pair, and a page of text takes milliseconds.
    """
    quotation = False
    for text in ("\n".join((title, gist, body)), beside):
        hit = next(find_secrets(text), None)
        if hit is not None:
            return hit.kind, False
        quotation = quotation or next(find_instructions(text), None) is not None
    return "", quotation


def reads_like_instruction(text: str) -> bool:
    """Return True for text that addresses a model: shown only as a quotation."""
    return next(find_instructions(text), None) is not None


def withheld_problem(found: Clearance) -> Problem:
    """Return the diagnosis: where a secret lies and of which kind, never the secret."""
    message = f"holds a secret ({found.secret}): nothing of it is shown; take it out of the file"
    return Problem(found.path, None, "secret", message)


def problems(clearances: Iterable[Clearance]) -> tuple[Problem, ...]:
    """Return the diagnoses of what was withheld, in path order, each once."""
    held = {found.path: found for found in clearances if found.withheld}
    return tuple(withheld_problem(held[path]) for path in sorted(held))


def _beside(memory: Memory) -> str:
    """Return what any exit could show beside title, gist and body; the path is no part of it."""
    words = (*memory.tags, *memory.entities, *memory.aliases, memory.author)
    facets = (f"{facet.name}: {facet.value}" for facet in memory.facets)
    sources = (f"{cited.text} {cited.href or ''}" for cited in memory.citations)
    targets = (link.target for link in memory.links if link.external)
    return "\n".join((*words, *facets, *sources, *targets, *memory.raw.values()))
