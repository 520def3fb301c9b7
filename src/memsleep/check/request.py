"""What the command line asks of a check, and what a check gives back: plain values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from memsleep.check.model import Finding, Severity, at_least

if TYPE_CHECKING:
    from memsleep.settings import Settings

FormatName = Literal["text", "github", "junit", "sarif", "json", "markdown"]
FORMATS: tuple[FormatName, ...] = ("text", "github", "junit", "sarif", "json", "markdown")


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRequest:
    """One check that somebody asked for."""

    corpus: Path
    settings: Settings
    now: str
    origins: Mapping[str, str] = field(default_factory=dict)
    """Key of the section `check` -> where its value comes from, for errors."""
    patterns: tuple[str, ...] = ()
    """Globs of the paths whose findings are told; none: all."""
    base: str | None = None
    """Revision whose merge base with HEAD the change begins at."""
    staged: bool = False
    """Read the index instead of the work tree."""
    index_file: bytes | None = None
    baseline: Path | None = None
    cache: Path | None = None
    """File of the cache; None: nothing is remembered."""
    jobs: int = 1
    allow_empty: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """What a check found."""

    findings: tuple[Finding, ...]
    """What is told, in the order of paths and places."""
    suppressed: tuple[Finding, ...] = ()
    accepted: tuple[Finding, ...] = ()
    """What the baseline accepts."""
    checked: int = 0
    """How many files were looked at."""
    checked_paths: tuple[str, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Path -> bytes of the files that findings are about."""
    prefix: str = ""
    """Path of the corpus below the root of its repository, with a final slash; or empty."""
    remarks: tuple[str, ...] = ()
    everything: tuple[Finding, ...] = ()
    """All findings of the corpus that no suppression covers, old and new: for the baseline."""

    @property
    def counts(self) -> Counter[Severity]:
        """Severity -> how many findings."""
        return Counter(finding.severity for finding in self.findings)

    def fails(self, fail_on: Severity | Literal["never"]) -> bool:
        """Return True when a finding is grave enough; a file that cannot be read always is."""
        if any(finding.unreadable for finding in self.findings):
            return True
        return fail_on != "never" and any(
            at_least(finding.severity, fail_on) for finding in self.findings
        )
