"""The exports of use that a corpus carries: a memhtml store's, and those of a team's machines."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from memsleep.corpus.globs import first_match
from memsleep.corpus.source import Source
from memsleep.model import Problem, Usage, digest_bytes
from memsleep.state.access_jsonl import UsageFile, read_access
from memsleep.state.anyexport import read_any_export
from memsleep.state.store import State
from memsleep.usage import import_usage, sum_machines

ACCESS_PATH = ".memhtml/state/access.jsonl"


@dataclass(frozen=True, slots=True)
class Committed:
    """What the exports of a corpus tell."""

    usage: Mapping[str, Usage] = field(default_factory=dict)
    """Path -> use on machines without a name: the largest of each counts."""
    machines: Mapping[str, Mapping[str, Usage]] = field(default_factory=dict)
    """Machine -> path -> use there; the machines are summed."""
    problems: tuple[Problem, ...] = ()
    digest: str = ""
    """Changes when a byte of an export does."""

    def total(self) -> dict[str, Usage]:
        """Return path -> use on all machines, in path order."""
        total = dict(self.usage)
        for _, usage in sorted(self.machines.items()):
            for path, one in usage.items():
                total[path] = sum_machines(total[path], one) if path in total else one
        return dict(sorted(total.items()))

    def teach(self, state: State) -> None:
        """Let the state take over all of it: each machine's use by its name."""
        state.import_usage(self.usage)
        for machine, usage in sorted(self.machines.items()):
            state.import_usage(usage, machine)


def read_committed(source: Source, taken: Collection[str], patterns: Sequence[str]) -> Committed:
    """Read every export of a corpus.

    Parameters
    ----------
    taken : collection of str
        Every path of the corpus that is listed. A folder's hidden parts are not, but can be read.
    patterns : sequence of str
        Globs of the exports that machines write, such as `usage/*.jsonl`.
    """
    wanted = [ACCESS_PATH] if source.kind != "git" or ACCESS_PATH in taken else []
    wanted += sorted(path for path in taken if path.endswith(".jsonl") and _is(path, patterns))
    read: list[UsageFile] = []
    digests = []
    for path, content in source.read_many(wanted):
        if isinstance(content, bytes):
            digests.append(digest_bytes(content))
            read.append(
                read_access(content, path)
                if path == ACCESS_PATH
                else read_any_export(content, path)
            )
    return _together(read, digest_bytes(" ".join(digests).encode()) if digests else "")


def _is(path: str, patterns: Sequence[str]) -> bool:
    return first_match(path, patterns) is not None


def _together(files: Sequence[UsageFile], digest: str) -> Committed:
    nameless: dict[str, Usage] = {}
    machines: dict[str, dict[str, Usage]] = {}
    for file in files:
        into = machines.setdefault(file.machine, {}) if file.machine else nameless
        for path, usage in file.usage.items():
            into[path] = import_usage(into[path], usage) if path in into else usage
    problems = tuple(problem for file in files for problem in file.problems)
    return Committed(nameless, machines, problems, digest)
