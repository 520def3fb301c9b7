"""An HTTP transport whose requests end at a deadline, however slowly the other side speaks.

The read timeout of an HTTP client starts anew with every byte, so a server that sends one byte a
second holds a night for hours. Here each wait for the network is cut to what is left of the whole.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import httpcore2
import httpx2

Clock = Callable[[], float]
"""Seconds that only ever grow, from any start."""


class Deadline:
    """The instant after which no wait for the network begins."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._at = float("inf")

    def start(self, total_s: float) -> None:
        """Give the next request this many seconds."""
        self._at = self._clock() + total_s

    def left(self, timeout: float | None, error: type[Exception]) -> float:
        """Return the seconds that one wait may take; raise `error` when there are none."""
        left = self._at - self._clock()
        if left <= 0:
            raise error("the time for the whole request is over")
        return left if timeout is None else min(left, timeout)


class _Stream(httpcore2.NetworkStream):
    def __init__(self, stream: httpcore2.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        left = self._deadline.left(timeout, httpcore2.ReadTimeout)
        return self._stream.read(max_bytes, left)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        # In pieces, so that a side that reads slowly is noticed as well.
        for start in range(0, len(buffer), _PIECE_BYTES):
            left = self._deadline.left(timeout, httpcore2.WriteTimeout)
            self._stream.write(buffer[start : start + _PIECE_BYTES], left)

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.NetworkStream:
        left = self._deadline.left(timeout, httpcore2.ConnectTimeout)
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, left), self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


_PIECE_BYTES = 65536


class _Backend(httpcore2.SyncBackend):
    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        left = self._deadline.left(timeout, httpcore2.ConnectTimeout)
        stream = super().connect_tcp(host, port, left, local_address, socket_options)
        return _Stream(stream, self._deadline)


class _Body(httpx2.SyncByteStream):
    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        yield from self._stream

    def close(self) -> None:
        self._stream.close()


class DeadlineTransport(httpx2.BaseTransport):
    """Connections without a proxy, with TLS checked, all under one deadline.

    Errors are those of `httpcore2`; see `NETWORK_ERRORS`.
    """

    def __init__(self, deadline: Deadline, context: ssl.SSLContext | None) -> None:
        self._pool = httpcore2.ConnectionPool(
            ssl_context=context, max_connections=1, network_backend=_Backend(deadline)
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request; the body of the response is read as it is asked for."""
        url = httpcore2.URL(
            scheme=request.url.raw_scheme,
            host=request.url.raw_host,
            port=request.url.port,
            target=request.url.raw_path,
        )
        response = self._pool.handle_request(
            httpcore2.Request(
                method=request.method,
                url=url,
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        return httpx2.Response(
            status_code=response.status,
            headers=response.headers,
            stream=_Body(response.stream),
            extensions=response.extensions,
        )

    def close(self) -> None:
        """Close every connection."""
        self._pool.close()


TIMEOUTS = (httpcore2.TimeoutException, httpx2.TimeoutException)
NETWORK_ERRORS = (
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.TimeoutException,
    httpx2.HTTPError,
)
"""All that may go wrong between the two sides."""
