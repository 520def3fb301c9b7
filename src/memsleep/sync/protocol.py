"""What a provider of memories must be, and the values that pass between it and a corpus.

A provider is any object with the members of `Provider`. The values are frozen; their JSON form
(`model_dump(mode="json")`, `model_validate_json`) is the one that lies in the outbox and goes over
the wire. A key that is not known is passed over, so that a newer service can say more.

Limits of what may be sent are checked where a request is taken (`outbox.Outbox.enqueue`), never
here: a check on reading would silently retire what was taken before.
"""

from __future__ import annotations

from typing import Annotated, Literal, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field, model_validator

Scope = Literal["project", "user"]
Kind = Literal["save", "forget"]
WriteMode = Literal["direct", "proposal"]
PushStatus = Literal["applied", "proposed"]

SCOPES: tuple[Scope, ...] = ("project", "user")
ClientId = Annotated[str, Field(pattern=r"\A[A-Za-z0-9_-]+\z")]
Name = Annotated[str, Field(min_length=1)]


class Value(BaseModel):
    """A frozen value with a JSON form. Types are strict: no number is read from a text."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class Note(Value):
    """One memory as a provider holds it: a file's text and what its dialect reads from it."""

    scope: Scope
    slug: Name
    """Path of the file below the corpus root, `/`-separated, with its ending."""
    format: str = "markdown"
    """Dialect that reads `text`."""
    text: str = ""
    """The whole file. It is decoded strictly and kept byte for byte, line ends and BOM too."""
    type: str = ""
    title: str = ""
    gist: str = ""
    tags: tuple[str, ...] = ()
    updated_at: str | None = None
    """Instant of the content's last change, `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM:SSZ`."""
    deleted: bool = False
    """True for what the provider holds no longer; `text` is empty then."""
    reason: str = ""
    """Why it was deleted, one line; empty where the provider does not say."""


class DecisionRecord(Value):
    """One decided fact: subject, predicate, object. The newest of an id stands."""

    id: Name
    subject: str
    predicate: str
    object: str
    updated_at: str
    status: str


class PendingForget(Value):
    """A memory that a provider was asked to forget and has not forgotten yet."""

    client_id: ClientId
    scope: Scope
    slug: Name
    reason: str


class Page(Value):
    """One page of a pull. `done` is true only on the last page of what there is now."""

    notes: tuple[Note, ...] = ()
    decisions: tuple[DecisionRecord, ...] = ()
    next_cursor: str | None = None
    """Where the next pull goes on, after the last page too. None: where this one began."""
    done: bool


class WriteRequest(Value):
    """One change to deliver. The same `client_id` again is the same change, not another."""

    kind: Kind
    client_id: ClientId
    scope: Scope
    slug: Name
    write_mode: WriteMode
    note: Note | None = None
    """What to save; None for a forget."""
    reason: str

    @model_validator(mode="after")
    def _whole(self) -> WriteRequest:
        if self.kind == "forget":
            if self.note is not None:
                raise ValueError("a forget has no note")
            return self
        if self.note is None:
            raise ValueError("a save has a note")
        if (self.note.scope, self.note.slug) != (self.scope, self.slug):
            raise ValueError("the note has the scope and the slug of its request")
        return self


class PushResult(Value):
    """A provider's acknowledgement. A repeated request gives the first one's result."""

    id: Name
    """What the provider calls the write; it may be the client id."""
    status: PushStatus
    """`proposed`: a person decides there, and until then the provider holds what it held."""


class PushRejected(Exception):  # noqa: N818 (a refusal is an outcome, not a fault)
    """A write that the provider will never accept, and why. Every other error is transient."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class TransientError(Exception):
    """A failure that may pass. Providers need not raise it; it can say how long to wait.

    Its message is shown to people: it names no token and no text of a memory. `again` is False
    where only a later sync has a chance: the provider has tried enough, or trying does not help.
    """

    def __init__(
        self, message: str, *, retry_after_s: float | None = None, again: bool = True
    ) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
        self.again = again


class Provider(Protocol):
    """Somewhere that holds memories. All calls are blocking and may raise."""

    @property
    def id(self) -> str:
        """Name of this provider in records and messages; never a secret, never a URL with one."""
        ...

    def pull(self, scope: Scope, cursor: str | None, take: int) -> Page:
        """Return at most `take` notes of a scope that changed after `cursor`, oldest first.

        None starts at the beginning. A cursor is opaque text that only its provider reads.
        """
        ...

    def push(self, request: WriteRequest) -> PushResult:
        """Take one write: at most once for each client id.

        Raises
        ------
        PushRejected
            When the write will never be accepted. Every other error is transient.
        """
        ...

    def reachable(self) -> bool:
        """Say whether a call has a chance now. Never raises."""
        ...


@runtime_checkable
class SearchingProvider(Protocol):
    """What a provider may also be: without it, keyword search answers locally."""

    def search(self, scope: Scope, text: str, limit: int) -> tuple[Note, ...]:
        """Return at most `limit` notes of a scope that match, best first."""
        ...
