"""Which fetched notes can be files of this corpus, as it is now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memsleep.corpus.load import LoadedCorpus, load_corpus
from memsleep.corpus.source import Source
from memsleep.landing.base import Overlay
from memsleep.model import Problem
from memsleep.naming import folded
from memsleep.request import RunRequest
from memsleep.sync.inbox import Key
from memsleep.sync.incoming import Here, Incoming, sort_out
from memsleep.sync.notes import scope_of
from memsleep.sync.outbox import Outbox
from memsleep.sync.protocol import Note
from memsleep.sync.records import Records


@dataclass(frozen=True, slots=True)
class Sorting:
    """One look at the corpus for what was fetched."""

    request: RunRequest
    records: Records
    outbox: Outbox
    source: Source
    blocked: Mapping[str, str]
    """Slug -> why its file could not be written a moment ago."""

    def run(self, notes: Mapping[Key, Note]) -> Incoming:
        """Say what becomes of each note."""
        source, listing = self.source, self.source.listing()
        readable = {entry.path for entry in listing.files}
        slugs = sorted({slug for _, slug in notes})
        files = dict(source.read_many([slug for slug in slugs if slug in readable]))
        mirror = self.records.mirror().known
        here = Here(
            files={path: data for path, data in files.items() if isinstance(data, bytes)},
            known={(scope, slug): d for scope in mirror for slug, d in mirror[scope].items()},
            held=self.outbox.held_keys(),
            forgets={(f.scope, f.slug) for f in self.records.forgets()},
            user=self.request.settings.sync.user,
        )
        found = sort_out(notes, here)
        for slug, reason in self._unwritable(found, files, listing.taken, readable).items():
            self._leave(found, slug, reason)
        if any(note.deleted for note in notes.values()):
            self._let_archived_be(found, notes)
        if found.saves:
            self._leave_unreadable(found)
        return found

    def _unwritable(
        self,
        found: Incoming,
        files: Mapping[str, bytes | Problem],
        taken: frozenset[str],
        readable: set[str],
    ) -> dict[str, str]:
        """Return slug -> why its file cannot be written or moved."""
        reasons = {s: r for s, r in self.blocked.items() if s in found.saves | found.deletions}
        names = {folded(path): path for path in sorted(taken)}
        for slug in (*found.saves, *found.deletions):
            if isinstance(files.get(slug), Problem) or (slug in taken and slug not in readable):
                reasons[slug] = "what lies there cannot be read as a file"
            parts = slug.split("/")
            for depth in range(1, len(parts) + 1):
                path = "/".join(parts[:depth])
                there = names.setdefault(folded(path), path)
                if there != path:
                    reasons[slug] = f"it would differ from {there} only by case or form"
                elif depth < len(parts) and path in readable:
                    reasons[slug] = f"{path} is a file, no folder"
        return reasons

    def _let_archived_be(self, found: Incoming, notes: Mapping[Key, Note]) -> None:
        """Count a memory that is archived where it lies, by a flag, as gone on both sides."""
        memories = loaded_from(self.request, self.source).memories
        for key, note in notes.items():
            memory = memories.get(note.slug)
            if note.deleted and memory is not None and memory.archived and key not in found.held:
                found.deletions.pop(note.slug, None)
                found.left.pop(key, None)
                found.same[key] = ""

    def _leave_unreadable(self, found: Incoming) -> None:
        """Leave out what the dialect of its place does not read as a memory."""
        loaded = loaded_from(self.request, Overlay(self.source, dict(found.saves)))
        containers = {m.container for m in loaded.memories.values() if m.container}
        problems = {u.path: u.reason for u in loaded.unreadable}
        for slug in list(found.saves):
            if slug not in loaded.memories and slug not in containers:
                reason = problems.get(slug, "no dialect reads it as a memory")
                self._leave(found, slug, reason)

    def _leave(self, found: Incoming, slug: str, reason: str) -> None:
        found.saves.pop(slug, None)
        found.deletions.pop(slug, None)
        found.left[scope_of(slug, self.request.settings.sync.user), slug] = reason


def loaded_from(request: RunRequest, source: Source) -> LoadedCorpus:
    """Read a corpus that may be empty, without asking git for dates."""
    changes = {"allow_empty": True, "git_dates": False}
    settings = request.settings.corpus.model_copy(update=changes)
    return load_corpus(request.corpus, settings, source=source)
