"""What can go wrong, said for the person who must fix it. Imports nothing of ours."""

from __future__ import annotations

import re
from collections.abc import Sequence

_KEBAB = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")


class MemsleepError(Exception):
    """A foreseen failure: what, where, what was left undone and one next step.

    Parameters
    ----------
    reference : str
        Kebab-case name of the error, stable, listed in the documentation.
    message : str
        What happened, with expected and found. Never the text of a memory.
    context : sequence of str
        Lines that say where (`path:line`) and what was left undone.
    hint : str or None
        One next step that can be pasted or followed as it is.
    """

    exit_code = 3

    def __init__(
        self,
        reference: str,
        message: str,
        *,
        context: Sequence[str] = (),
        hint: str | None = None,
    ) -> None:
        if not _KEBAB.match(reference):
            raise ValueError(f"error reference {reference!r} is not kebab-case")
        super().__init__(message)
        self.reference = reference
        self.message = message
        self.context = tuple(context)
        self.hint = hint

    def lines(self) -> list[str]:
        """Return the error as lines for a terminal: head, context, hint."""
        head = [f"error[{self.reference}]: {self.message}"]
        where = [f"  {line}" for line in self.context]
        hint = [f"hint: {self.hint}"] if self.hint else []
        return head + where + hint


class UsageError(MemsleepError):
    """The command line asks for something that cannot be: exit 2."""

    exit_code = 2


class ConfigError(MemsleepError):
    """A setting is unknown, out of range or contradicts another: exit 2."""

    exit_code = 2


class CorpusError(MemsleepError):
    """The corpus as a whole cannot be read, or holds no memory: exit 3."""


class GitError(MemsleepError):
    """A git command failed in a foreseen way: exit 3."""


class StateError(MemsleepError):
    """The state database cannot be used (newer, damaged, busy): exit 3."""


class EmbedderError(MemsleepError):
    """The embedder cannot give vectors, or its coverage is too low: exit 3."""


class EditRefused(Exception):  # noqa: N818 (a refusal is an outcome, not a fault)
    """One edit cannot be made safely; the file is left as it is.

    Caught where edits are folded, where it becomes a `Refusal` in the report.
    """

    def __init__(self, reason: str, *, line: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


class DetailsRefused(EditRefused):
    """What a merge would carry over cannot be told whole: a matter for a person."""
