"""The gate's index of the memories of before, made by another process while the phases run.

What it gives is what the gate would make itself, to the bit: only the default embedder is asked
this way, whose rows depend on nothing but their text. Where it fails the gate makes its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any, Final

import numpy as np

from memsleep.embedders.hashgram import Hashgram
from memsleep.gate import Before, Indexed, side_of
from memsleep.gate.index import Tokens
from memsleep.gate.ranker import Document, Posting
from memsleep.interpreter import BROKEN, Interpreter, Requests, can_be_started
from memsleep.machine import cores, memory_left
from memsleep.model import Snapshot
from memsleep.settings import Settings

ENOUGH: Final = 4000
"""Memories from which on another interpreter costs less than it saves."""
EACH: Final = 24 << 10
"""Bytes a memory that must be left: three times what the index takes there."""


class GateAhead:
    """Another process that reads the documents of before until somebody asks for their index."""

    def __init__(self, before: Before) -> None:
        self.before = before
        self._interpreter = Interpreter(__name__)
        # The list grows when the gate takes it over; what is sent is what stands there now.
        documents = list(before.documents.documents)
        self._count = len(documents)
        self._sending = Thread(target=self._send, args=(documents,), daemon=True)
        try:
            self._sending.start()
        except RuntimeError as error:
            self._interpreter.close()
            raise OSError("no thread to be had") from error

    def _send(self, documents: Sequence[Document]) -> None:
        with suppress(*BROKEN):  # whoever asks finds that the other end is gone
            texts = [text.encode("utf-8", "surrogatepass") for d in documents for text in _of(d)]
            self._interpreter.send([len(text) for text in texts], texts)

    def take(self, tokens: Collection[str]) -> Indexed | None:
        """Return the index for some tokens, None where the other process gives none."""
        asked = sorted(tokens)
        try:
            with self._interpreter.patience():
                self._sending.join()
                self._interpreter.send(asked, [])
                return self._received(asked)
        except BROKEN:
            return None

    def _received(self, asked: Sequence[str]) -> Indexed:
        width, lengths = self._interpreter.receive()
        if len(lengths) != len(asked):
            raise ValueError("expected one length for each token")
        rows = np.frombuffer(self._interpreter.exactly(self._count * width * 4), np.float32)
        places, points = (
            np.frombuffer(self._interpreter.exactly(sum(lengths) * 8), np.int64) for _ in range(2)
        )
        ends = np.cumsum(lengths)[:-1]
        parts = zip(asked, np.split(places, ends), np.split(points, ends), strict=True)
        postings = {token: (where, what) for token, where, what in parts if len(where)}
        return Indexed(self._count, rows.reshape(self._count, width), postings)

    def close(self) -> None:
        """Let the other process end."""
        self._interpreter.close()
        self._sending.join()


class GateStart:
    """Starts on the gate's index as soon as the memories are known; ends what it started."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._ahead: GateAhead | None = None

    def __enter__(self) -> GateStart:
        return self

    def __exit__(self, *_: object) -> None:
        if self._ahead is not None:
            self._ahead.close()

    def begin(self, snapshot: Snapshot) -> None:
        """Start where that pays."""
        count, left = len(snapshot.memories), memory_left()
        pays = count >= ENOUGH and cores() > 1 and can_be_started()
        room = left is None or left >= EACH * count
        if pays and room and self._settings.embedder.name == "hashgram" and self._ahead is None:
            with suppress(OSError):  # no process to be had: the gate makes its own
                self._ahead = GateAhead(Before.of(side_of(snapshot)))

    @contextmanager
    def taken(self) -> Iterator[GateAhead | None]:
        """Give away what was started, once; it is ended afterwards."""
        ahead, self._ahead = self._ahead, None
        try:
            yield ahead
        finally:
            if ahead is not None:
                ahead.close()


def answer(requests: Requests) -> None:
    """Index documents, then answer once which tokens stand where."""
    sizes: list[int] = requests.head()
    texts = [requests.exactly(size).decode("utf-8", "surrogatepass") for size in sizes]
    documents = [Document("", *pair) for pair in zip(texts[::2], texts[1::2], strict=True)]
    rows = np.ascontiguousarray(Hashgram().embed(texts[::2]), np.float32)
    tokens = Tokens(documents)
    asked: list[str] = requests.head()
    found = tokens.of(asked)
    nothing: Posting = (np.zeros(0, np.int64), np.zeros(0, np.int64))
    each = [found.get(token, nothing) for token in asked]
    arrays: list[Any] = [rows, *(places for places, _ in each), *(points for _, points in each)]
    parts = [np.ascontiguousarray(part).data.cast("B") for part in arrays if part.size]
    requests.answer([rows.shape[1], [len(places) for places, _ in each]], parts)


def _of(document: Document) -> tuple[str, str]:
    return document.claim, document.body
