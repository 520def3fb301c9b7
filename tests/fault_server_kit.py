"""A server that misbehaves on purpose: each connection gets the next act of a script."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator

from memsleep.sync.testing.server import reset

Act = Callable[[socket.socket, threading.Event], None]
"""Gets the connection after the request came in, and an event that is set when the test is over."""


class FaultServer:
    def __init__(
        self, *acts: Act, context: ssl.SSLContext | None = None, reads: bool = True
    ) -> None:
        self._acts = list(acts)
        self._context = context
        self._reads = reads
        self.requests: list[bytes] = []
        self._over = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(0.02)
        self._threads = [threading.Thread(target=self._accept, daemon=True)]

    @property
    def port(self) -> int:
        return self._listener.getsockname()[1]

    @property
    def url(self) -> str:
        return f"{'http' if self._context is None else 'https'}://127.0.0.1:{self.port}"

    def __enter__(self) -> FaultServer:
        self._threads[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()
        self._listener.close()

    def _accept(self) -> None:
        while not self._over.is_set():
            with contextlib.suppress(TimeoutError):
                connection, _ = self._listener.accept()
                thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
                thread.start()
                self._threads.append(thread)

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            connection.settimeout(5)
            if self._context is not None:
                connection = self._context.wrap_socket(connection, server_side=True)
            with connection:
                self.requests.append(_request(connection) if self._reads else b"")
                act = self._acts.pop(0) if len(self._acts) > 1 else self._acts[0]
                act(connection, self._over)


def _request(connection: socket.socket) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return data
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    length = 0
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            length = int(line.partition(b":")[2])
    while len(body) < length:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


def answer(
    status: int = 200,
    body: bytes = b"{}",
    media_type: str = "application/json",
    **headers: str,
) -> Act:
    """Answer as told. Underscores in names of headers stand for hyphens."""
    lines = [f"HTTP/1.1 {status} Said", f"Content-Type: {media_type}", "Connection: close"]
    if "Transfer_Encoding" not in headers and "Content_Length" not in headers:
        lines.append(f"Content-Length: {len(body)}")
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    data = "\r\n".join(lines).encode() + b"\r\n\r\n" + body
    return lambda connection, over: connection.sendall(data)


def half_then_reset(body: bytes) -> Act:
    """Send a head and half of a body, then break the line."""

    def act(connection: socket.socket, over: threading.Event) -> None:
        answer(200, body[: len(body) // 2], Content_Length=str(len(body)))(connection, over)
        time.sleep(0.02)  # let it be read, or the reset takes it away
        reset(connection)

    return act


def half_then_end(body: bytes) -> Act:
    """Send a head and half of a body, then hang up in good order."""
    return answer(200, body[: len(body) // 2], Content_Length=str(len(body)))


def silence(connection: socket.socket, over: threading.Event) -> None:
    """Say nothing at all."""
    over.wait(5)


def trickle(start: bytes, drops: Iterator[bytes], every_s: float = 0.02) -> Act:
    """Send a start, then one drop after the other, slowly and without an end."""

    def act(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(start)
        for drop in drops:
            if over.wait(every_s):
                return
            connection.sendall(drop)

    return act


def pour(start: bytes, piece: bytes) -> Act:
    """Send a start, then the same piece as fast as it is taken, without an end."""

    def act(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(start)
        while not over.is_set():
            connection.sendall(piece)

    return act


def garbage(connection: socket.socket, over: threading.Event) -> None:
    """Answer with what is no HTTP."""
    connection.sendall(b"SSH-2.0-OpenSSH_9.2 a-token\r\n\r\n")


def broken_at_once(connection: socket.socket, over: threading.Event) -> None:
    """Break the line before any answer."""
    reset(connection)


def reads_slowly(connection: socket.socket, over: threading.Event) -> None:
    """Take what is sent piece by piece, never long enough apart to look dead."""
    while not over.wait(0.03) and connection.recv(65536):
        pass
