"""A service that speaks JSON over HTTP, as `docs/sync-openapi.yaml` says it.

Nothing travels but to the address that was given: redirects are not followed, proxies and the
environment are not asked, cookies are not kept. A request may be sent more than once; the client
id of a write makes it one write.
"""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from typing import TypeVar

from pydantic import BaseModel, Field, ValidationError

from memsleep.sync.protocol import (
    Note,
    Page,
    PushRejected,
    PushResult,
    Scope,
    TransientError,
    Value,
    WriteRequest,
)
from memsleep.sync.providers.address import base_url, shown
from memsleep.sync.providers.exchange import JSON, PROBLEM, Answer, Exchange, HttpLimits, Trouble
from memsleep.sync.providers.retrying import Backoff, asked_wait_s, verdict
from memsleep.sync.providers.slugs import is_client_id
from memsleep.sync.providers.timing import Timing
from memsleep.sync.providers.token import Token

CONTRACT = 1
"""Version of the contract; it is a part of every path."""
MAX_CURSOR_CHARS = 2048
MAX_REASON_CHARS = 500
MAX_TAKE = 1000
"""Most notes that the contract lets a page have."""

_Document = TypeVar("_Document", bound=BaseModel)


class ServiceStatus(Value):
    """What a service says of itself."""

    contract: int
    search: bool = False
    """True when it offers search."""


class Problem(Value):
    """Why a request was not answered (RFC 9457)."""

    title: str = Field(default="", repr=False)
    detail: str = Field(default="", repr=False)
    refused: bool = False
    """True when the write will never be accepted."""


class FoundNotes(Value):
    """The answer to a search."""

    notes: tuple[Note, ...]


class OversizeError(TransientError):
    """An answer is larger than one may be."""


class HttpProvider:
    """A service at an address. For one thread at a time; close it when done."""

    def __init__(
        self,
        url: str,
        token: Token | None = None,
        *,
        timing: Timing,
        limits: HttpLimits | None = None,
        backoff: Backoff | None = None,
        trusted: ssl.SSLContext | None = None,
    ) -> None:
        base = base_url(url)
        self._where = shown(base)
        self._token = token
        self._timing = timing
        self._backoff = backoff if backoff is not None else Backoff()
        self._exchange = Exchange(
            base,
            token,
            limits=limits if limits is not None else HttpLimits(),
            monotonic=timing.monotonic,
            trusted=trusted,
        )

    def __repr__(self) -> str:
        return f"HttpProvider({self._where!r})"

    @property
    def id(self) -> str:
        """The address; it holds no secret."""
        return self._where

    def close(self) -> None:
        """Close every connection."""
        self._exchange.close()

    def reachable(self) -> bool:
        """Say whether the service answers now, in one try."""
        answer = self._exchange.send("GET", "/v1/status")
        if not isinstance(answer, Answer) or answer.status != 200 or answer.media_type != JSON:
            return False
        status = _parsed(ServiceStatus, answer.body)
        return isinstance(status, ServiceStatus) and status.contract == CONTRACT

    def pull(self, scope: Scope, cursor: str | None, take: int) -> Page:
        """Return one page of what changed after a cursor: a smaller one where notes are large."""
        query = {"scope": scope} | ({} if cursor is None else {"cursor": cursor})
        take = min(take, MAX_TAKE)
        while True:
            try:
                query["take"] = str(take)
                page = self._document(Page, "GET", "/v1/notes", query=query)
                break
            except OversizeError:
                if take == 1:
                    raise
                take = max(1, take // 4)
        fault = _fault_of(page, scope, cursor, take)
        if fault:
            raise self._unusable(fault)
        return page

    def push(self, request: WriteRequest) -> PushResult:
        """Deliver one write; the service takes it once, however often it is sent."""
        if not is_client_id(request.client_id):
            raise PushRejected("the client id is not 1 to 128 letters, digits, - and _")
        content = request.model_dump_json().encode()
        path = f"/v1/writes/{request.client_id}"
        return self._document(PushResult, "PUT", path, content=content, is_write=True)

    def search(self, scope: Scope, text: str, limit: int) -> tuple[Note, ...]:
        """Return notes that match, best first. The text goes in the body: addresses are logged."""
        question = _Question(scope=scope, text=text, limit=limit).model_dump_json().encode()
        found = self._document(FoundNotes, "POST", "/v1/search", content=question)
        return found.notes[:limit]

    # One request, tried a few times ---------------------------------------------------------------

    def _document(
        self,
        model: type[_Document],
        method: str,
        path: str,
        *,
        query: Mapping[str, str] | None = None,
        content: bytes | None = None,
        is_write: bool = False,
    ) -> _Document:
        tried = 0
        while True:
            tried += 1
            got = self._exchange.send(method, path, query=query, content=content)
            trouble = self._trouble(got, is_write=is_write) if isinstance(got, Answer) else got
            if trouble is None and isinstance(got, Answer):
                return self._body(model, got)
            assert trouble is not None
            wait_s = self._backoff.wait_s(tried, trouble.asked_s, self._timing.jitter())
            if not trouble.again or wait_s is None:
                tries = "" if tried == 1 else f" ({tried} tries)"
                message = f"{self._where}: {trouble.message}{tries}"
                kind = OversizeError if trouble.oversize else TransientError
                raise kind(message, retry_after_s=trouble.asked_s, again=False)
            self._timing.sleep(wait_s)

    def _trouble(self, answer: Answer, *, is_write: bool) -> Trouble | None:
        """Return why an answer is none, None when it is one; raise when it refuses for good."""
        problem = _problem_of(answer)
        is_refusal = problem is not None and problem.refused
        meant = verdict(answer.status, is_refusal=is_refusal, is_write=is_write)
        if meant == "accepted":
            return None
        if meant == "refused" and problem is not None:
            raise PushRejected(self._line(problem.detail or problem.title, answer.status))
        headers = answer.headers
        asked_s = asked_wait_s(
            headers.get("retry-after"), headers.get("date"), self._timing.utc_now
        )
        return Trouble(_status_told(answer), again=meant == "again", asked_s=asked_s)

    def _body(self, model: type[_Document], answer: Answer) -> _Document:
        if answer.media_type != JSON:
            raise self._unusable(f"expected {JSON}, found another content type")
        found = _parsed(model, answer.body)
        if isinstance(found, str):
            raise self._unusable(found)
        return found

    def _unusable(self, why: str) -> TransientError:
        return TransientError(f"{self._where}: its answer cannot be used: {why}", again=False)

    def _line(self, reason: str, status: int) -> str:
        """Return a refusal's reason as one line, without the token should it quote it."""
        text = reason if self._token is None else self._token.scrub(reason)
        line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        return line[:MAX_REASON_CHARS] or f"refused with status {status}, without a reason"


class _Question(Value):
    scope: str
    text: str
    limit: int


def _parsed(model: type[_Document], body: bytes) -> _Document | str:
    """Return a document, or what is wrong with it: places and kinds, never what it says."""
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(step) for step in first["loc"])
        return f"{place or 'the document'}: {first['type']}"


def _problem_of(answer: Answer) -> Problem | None:
    if answer.media_type != PROBLEM:
        return None
    found = _parsed(Problem, answer.body)
    return found if isinstance(found, Problem) else None


def _status_told(answer: Answer) -> str:
    """Say what a status means, in words of ours."""
    if answer.status in (401, 403):
        return f"status {answer.status}: it does not take the token, or asks for one"
    if answer.status == 404:
        return "status 404: it does not know the path; is sync.url the address of the service?"
    if 300 <= answer.status < 400:
        return f"status {answer.status}: it redirects; that is not followed, the token stays here"
    return f"status {answer.status}"


def _fault_of(page: Page, scope: Scope, cursor: str | None, take: int) -> str:
    if len(page.notes) > take:
        return f"expected at most {take} notes, found {len(page.notes)}"
    if any(note.scope != scope for note in page.notes):
        return "it holds a note of another scope"
    if page.next_cursor is not None and len(page.next_cursor) > MAX_CURSOR_CHARS:
        return f"its cursor is longer than {MAX_CURSOR_CHARS} characters"
    if not page.done and page.next_cursor in (None, cursor):
        return "it is not the last page, and its cursor does not move"
    return ""
