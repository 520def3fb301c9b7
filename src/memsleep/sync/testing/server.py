"""The reference server: a service over HTTP on this machine, as `docs/sync-openapi.yaml` says it.

For tests, and for whoever writes a server to look at. It holds everything in memory. Faults are
asked for by name: the first so many requests of writes are dropped, slugs are refused.
"""

from __future__ import annotations

import gzip
import json
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, cast
from urllib.parse import parse_qs, unquote, urlsplit

from pydantic import ValidationError

from memsleep.sync.protocol import PushRejected, Scope, WriteRequest
from memsleep.sync.testing.service import MemoryService

JSON = "application/json"
PROBLEM = "application/problem+json"
MAX_TAKE, MAX_BODY_BYTES = 1000, 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer."""

    status: int
    body: bytes
    media_type: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Seen:
    """One request and what it got, for tests to judge."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes
    reply: Reply | None
    """None when the connection was dropped."""


Before = Callable[[str, str], Reply | str | None]
"""Is asked before each request (method, path): an answer instead; `"reset"` or `"reset-after"` to
drop the connection before or after the request is carried out; None to go on."""


def problem(
    status: int, detail: str, *, refused: bool = False, headers: Mapping[str, str] | None = None
) -> Reply:
    """Return a problem document (RFC 9457); `refused`: the write will never be accepted."""
    said = {"title": "refused" if refused else "not now", "status": status, "detail": detail}
    content = json.dumps(said | {"refused": refused}).encode()
    return Reply(status, content, PROBLEM, headers or {})


class ReferenceServer:
    """A context manager: a server on a free port of the loopback address while it is open."""

    def __init__(
        self,
        service: MemoryService | None = None,
        *,
        token: str | None = None,
        refuse: Mapping[str, str] | None = None,
        before: Before | None = None,
        port: int = 0,
    ) -> None:
        self.service = service if service is not None else MemoryService()
        self.token = token
        self.refuse = dict(refuse or {})
        """Slug -> why a write of it is refused."""
        self.before = before
        self.seen: list[Seen] = []
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.owner = self
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> ReferenceServer:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop, and give the port back."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def serve_forever(self) -> None:
        """Serve in this thread until it is interrupted."""
        self._server.serve_forever()

    # Answering ----------------------------------------------------------------------------------

    def answer(self, method: str, target: str, headers: Mapping[str, str], body: bytes) -> Reply:
        """Return the answer to a request."""
        if self.token is not None and headers.get("Authorization") != f"Bearer {self.token}":
            return problem(401, "a token is asked for", headers={"WWW-Authenticate": "Bearer"})
        parts = urlsplit(target)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        match method, parts.path.strip("/").split("/"):
            case "GET", ["v1", "status"]:
                return _json({"contract": 1, "search": True})
            case "GET", ["v1", "notes"]:
                return self._notes(query)
            case "PUT", ["v1", "writes", client_id]:
                return self._write(unquote(client_id), body)
            case "POST", ["v1", "search"]:
                return self._search(body)
        return problem(404, "there is no such path")

    def _notes(self, query: Mapping[str, str]) -> Reply:
        take = query.get("take", "100")
        if not take.isdigit() or not 1 <= int(take) <= MAX_TAKE:
            return problem(400, f"take: expected a number from 1 to {MAX_TAKE}")
        try:
            page = self.service.pull(
                cast("Scope", query.get("scope", "")), query.get("cursor"), int(take)
            )
        except PushRejected as error:
            return problem(400, error.reason)
        return Reply(200, page.model_dump_json().encode())

    def _write(self, client_id: str, body: bytes) -> Reply:
        if len(body) > MAX_BODY_BYTES:
            return problem(413, f"expected at most {MAX_BODY_BYTES} bytes", refused=True)
        try:
            request = self.parsed(body)
            if request.client_id != client_id:
                return problem(400, "the path names another client id", refused=True)
            if request.slug in self.refuse:
                return problem(422, self.refuse[request.slug], refused=True)
            result = self.service.push(request)
        except ValidationError:
            return problem(400, "the body is no write request", refused=True)
        except PushRejected as error:
            return problem(422, error.reason, refused=True)
        return Reply(200, result.model_dump_json().encode())

    def parsed(self, body: bytes) -> WriteRequest:
        """Return the request of a body."""
        return WriteRequest.model_validate_json(body)

    def _search(self, body: bytes) -> Reply:
        try:
            asked = json.loads(body)
            scope, text, limit = asked["scope"], str(asked["text"]), int(asked["limit"])
        except (ValueError, TypeError, KeyError):
            return problem(400, "expected scope, text and limit")
        found = self.service.search(scope, text, limit)
        return _json({"notes": [note.model_dump(mode="json") for note in found]})


def _json(value: Any) -> Reply:
    return Reply(200, json.dumps(value, ensure_ascii=False).encode())


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    owner: ReferenceServer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True
    server: _Server

    def do_GET(self) -> None:
        self._handle()

    def do_PUT(self) -> None:
        self._handle()

    def do_POST(self) -> None:
        self._handle()

    def log_message(self, *_: object) -> None:
        """Say nothing: an address is no place for a log to be read by others."""

    def _handle(self) -> None:
        owner = self.server.owner
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = dict(self.headers.items())
        instead = owner.before(self.command, self.path) if owner.before is not None else None
        reply: Reply | None
        if isinstance(instead, Reply):
            reply = instead
        elif instead == "reset":
            reply = None
        else:
            reply = owner.answer(self.command, self.path, headers, body)
            reply = None if instead == "reset-after" else reply
        parts = urlsplit(self.path)
        query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
        owner.seen.append(Seen(self.command, parts.path, query, headers, body, reply))
        if reply is None:
            reset(self.connection)
            self.close_connection = True
        else:
            self._send(reply)

    def _send(self, reply: Reply) -> None:
        body = reply.body
        packed = len(body) > 1000 and "gzip" in self.headers.get("Accept-Encoding", "")
        if packed:
            body = gzip.compress(body, 5, mtime=0)
        self.send_response_only(reply.status)
        if "Date" not in reply.headers:
            self.send_header("Date", self.date_time_string())
        self.send_header("Content-Type", reply.media_type)
        self.send_header("Content-Length", str(len(body)))
        if packed:
            self.send_header("Content-Encoding", "gzip")
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def reset(connection: socket.socket) -> None:
    """Drop a connection as a broken line does: the other side gets a reset, not an end."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
