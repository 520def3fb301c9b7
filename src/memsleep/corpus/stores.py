"""What each folder of a corpus is, for `memsleep status`: without parsing a memory."""

from __future__ import annotations

from pathlib import Path

from memsleep.corpus.choose import choose_source
from memsleep.corpus.detect import Detections, detect
from memsleep.corpus.select import MAX_BYTES, unwanted
from memsleep.corpus.source import is_text_name
from memsleep.settings import CorpusSettings


def stores_of(root: Path, settings: CorpusSettings | None = None) -> Detections:
    """Return the stores of a corpus with the evidence for each.

    Raises
    ------
    UsageError, CorpusError, GitError
        As `load_corpus` does; a corpus without a memory is plain.
    """
    known = settings if settings is not None else CorpusSettings()
    source = choose_source(root)
    listing = source.listing()
    wanted = [
        entry.path
        for entry in listing.files
        if is_text_name(entry.path) and not unwanted(entry.path, known) and entry.size <= MAX_BYTES
    ]
    found = source.read_many(wanted)
    contents = {path: data for path, data in found if isinstance(data, bytes)}
    return detect(contents, listing.taken, known.dialect)
