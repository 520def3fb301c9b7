"""Citations: which memories an answer says that it rests on, and what that does to their use."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from memsleep.access.opened import OpenCorpus
from memsleep.access.rules import cited, corrected
from memsleep.model import Usage
from memsleep.state.accesses import Access, AccessOp

_MARK: Final = re.compile(r"\[m:([0-9a-f]{8})\]")
_TEXT_KEYS: Final = ("text", "content", "message", "payload")
_ENCODINGS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
ANSWERING_ROLES: Final = frozenset({"assistant", "agent", "model", "ai"})
"""Only these cite: a system prompt or a user's turn holds marks because a brief stands in it."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a transcript."""

    text: str
    corrected: bool = False
    """True when the user put the answer right."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """The messages that may cite, and the lines that could not be used."""

    messages: tuple[Message, ...]
    skipped: tuple[int, ...] = ()
    """Numbers of the lines that are no JSON object with a text, from 1."""


@dataclass(frozen=True, slots=True)
class Cited:
    """What was made of a transcript."""

    counted: Mapping[str, int]
    """Path -> how many messages cite it."""
    corrected: Mapping[str, int]
    """Path -> how many citing answers were put right."""
    unknown: tuple[str, ...]
    """Short ids that name no memory, in first-seen order."""
    ambiguous: tuple[str, ...]
    """Short ids that name several, in first-seen order."""
    skipped: tuple[int, ...] = ()
    """Numbers of the lines of the transcript that could not be used."""


def marks(text: str) -> list[str]:
    """Return the short ids that a text cites, each once, in first-seen order.

    Examples
    --------
    >>> marks("As [m:0a1b2c3d] says; see [m:0A1B2C3D], [m:0a1b2c3d] and [m:123].")
    ['0a1b2c3d']
    """
    return list(dict.fromkeys(_MARK.findall(text)))


def read_transcript(source: bytes, *, corrected: bool = False) -> Transcript:
    """Return the messages of a transcript.

    Parameters
    ----------
    source : bytes
        Plain text, which is one message, or JSON Lines whose objects have a `text` (or `content`,
        or a `message` or `payload` with one of these), or one JSON list of such objects. A line
        with a `role` counts when an assistant speaks. A line that is cut off is skipped.
    corrected : bool
        Take every message as an answer that the user put right, as `"corrected": true` in a line
        does for that line.
    """
    text = _decoded(source)
    objects = _objects(text)
    if not objects:
        return Transcript((Message(text, corrected),) if text.strip() else ())
    messages, skipped = [], []
    for number, value in objects:
        said = _text(value) if value is not None else None
        if value is None or said is None:
            skipped.append(number)
        elif _role(value) in ANSWERING_ROLES | {""}:
            messages.append(Message(said, corrected or value.get("corrected") is True))
    return Transcript(tuple(messages), tuple(skipped))


def _decoded(source: bytes) -> str:
    """Return the text of a file; some shells write UTF-16, and say so in its first two bytes."""
    for mark, encoding in _ENCODINGS:
        if source.startswith(mark):
            return source[len(mark) :].decode(encoding, "replace")
    return source.decode("utf-8", "replace")


def _objects(text: str) -> list[tuple[int, dict[str, Any] | None]]:
    """Return number and object of each line, None for one that is none; nothing for plain text.

    Lines count as JSON when at least half of them are objects: the first or the last one may
    have been cut off. To take them for plain text would count whatever a user or a brief says.
    """
    if text.lstrip().startswith("["):
        listed = _parsed(text)
        if isinstance(listed, list):
            return [(n, v if isinstance(v, dict) else None) for n, v in enumerate(listed, 1)]
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    found = [(number, _object(line)) for number, line in lines]
    good = sum(value is not None for _, value in found)
    return found if good and 2 * good >= len(found) else []


def cite(
    corpus: OpenCorpus, transcript: Transcript, now: str, *, session: str | None = None
) -> Cited:
    """Count what the messages cite and log it, in one transaction."""
    named = corpus.paths_by_short_id()
    ids = corpus.state.ids()
    counted: dict[str, int] = {}
    put_right: dict[str, int] = {}
    events: list[tuple[str, bool]] = []
    unknown: dict[str, None] = {}
    ambiguous: dict[str, None] = {}
    for message, short in _citing(transcript.messages):
        paths = [path for path in named.get(short, []) if path in ids]
        if len(paths) != 1:
            (ambiguous if paths else unknown)[short] = None
            continue
        counts = put_right if message.corrected else counted
        counts[paths[0]] = counts.get(paths[0], 0) + 1
        events.append((ids[paths[0]], message.corrected))
    _write(corpus, events, now, session)
    return Cited(counted, put_right, tuple(unknown), tuple(ambiguous), transcript.skipped)


def _citing(messages: Sequence[Message]) -> Iterator[tuple[Message, str]]:
    for message in messages:
        for short in marks(message.text):
            yield message, short


def _write(
    corpus: OpenCorpus, events: Sequence[tuple[str, bool]], now: str, session: str | None
) -> None:
    """Count and log (memory id, was it put right) in one transaction."""
    if not events:
        return
    waiting: dict[str, list[bool]] = {}
    for memory_id, put_right in events:
        waiting.setdefault(memory_id, []).append(put_right)

    def change(memory_id: str, usage: Usage) -> Usage:
        for put_right in waiting[memory_id]:
            usage = corrected(usage, now) if put_right else cited(usage, now)
        return usage

    logged = [Access(memory_id, _op(put_right), now, session) for memory_id, put_right in events]
    corpus.state.change_usage(change, waiting, logged, now)


def _op(put_right: bool) -> AccessOp:
    return "corrected-cite" if put_right else "cite"


def _object(line: str) -> dict[str, Any] | None:
    value = _parsed(line) if line.lstrip().startswith("{") else None
    return value if isinstance(value, dict) else None


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _text(value: object) -> str | None:
    """Return the text of a message: a string, or the texts of its parts."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts = [_text(part) for part in value]
        return "\n".join(part for part in parts if part is not None)
    if isinstance(value, dict):
        found = (_text(value[key]) for key in _TEXT_KEYS if key in value)
        return next((text for text in found if text is not None), None)
    return None


def _role(value: Mapping[str, Any]) -> str:
    """Return who speaks: it stands in the line, or in the message that the line wraps."""
    for holder in (value, value.get("message"), value.get("payload")):
        role = holder.get("role") if isinstance(holder, dict) else None
        if isinstance(role, str):
            return role
    return ""
