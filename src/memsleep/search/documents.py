"""A memory as the arms of search read it."""

from __future__ import annotations

import posixpath
import unicodedata

from memsleep.core import SearchNote, tokenize_query
from memsleep.model import Memory
from memsleep.state.documents import Document


def summary_of(memory: Memory) -> str:
    """Return title and claim, the claim only once where the title repeats it."""
    if not memory.title or memory.title == memory.gist:
        return memory.gist
    return f"{memory.title}\n{memory.gist}" if memory.gist else memory.title


def note_of(memory: Memory) -> SearchNote:
    """Return what keyword search reads; the slug is the path without its ending."""
    return SearchNote(
        slug=posixpath.splitext(memory.path)[0],
        scope=memory.scope,
        type=memory.type,
        description=summary_of(memory),
        status="archived" if memory.archived else memory.status,
        updated_at=memory.updated or memory.created or "",
        body=memory.body,
    )


def document_of(memory: Memory) -> Document:
    """Return what the full-text index reads."""
    return Document(memory.path, one_width(summary_of(memory)), one_width(memory.body))


def one_width(text: str) -> str:
    """Return the text with letters in one form: full-width Latin and half-width kana are none.

    Which of them stands in a question or a file is chance of the keyboard.
    """
    return unicodedata.normalize("NFKC", text)


def tokens_of(text: str) -> list[str]:
    """Return the tokens of a question or a line as it is written, then as it could have been."""
    return list(dict.fromkeys((*tokenize_query(text), *tokenize_query(one_width(text)))))
