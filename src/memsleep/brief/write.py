"""The brief of a folder as it lies there, for its file, at a night's end."""

from __future__ import annotations

from pathlib import Path

from memsleep.access.opened import OpenCorpus, open_corpus
from memsleep.brief.compose import Brief, brief_of
from memsleep.brief.place import Placed, place_brief
from memsleep.brief.since import contents_of
from memsleep.settings import Settings


def brief_now(corpus: OpenCorpus, now: str) -> Brief:
    """Return the brief of an open corpus, and let the state remember what it says."""
    brief = brief_of(corpus.memories, corpus.usage(), corpus.standing(), now, corpus.settings.brief)
    corpus.state.keep_brief(brief.fingerprint, contents_of(brief), now)
    return brief


def write_brief_file(
    root: Path, settings: Settings, now: str, *, state_dir: Path | None = None
) -> Placed | None:
    """Write the brief into the file that the config names; None where it names none.

    For the end of a night: call it when the run has been written or has landed.

    Raises
    ------
    UsageError
        `brief-markers`, where the file has no place for it.
    """
    if not settings.brief.file:
        return None
    with open_corpus(root, settings, now, state_dir=state_dir) as corpus:
        return place_brief(Path(settings.brief.file), brief_now(corpus, now).text)
