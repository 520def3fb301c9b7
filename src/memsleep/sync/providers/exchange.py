"""One request and its answer, bounded in time and size. What goes wrong is a value, not an error.

So no exception of the client, whose frames hold the token, ever becomes the cause of one of ours.
"""

from __future__ import annotations

import ssl
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import httpx2

from memsleep.sync.providers.token import Token
from memsleep.sync.providers.transport import (
    NETWORK_ERRORS,
    TIMEOUTS,
    Clock,
    Deadline,
    DeadlineTransport,
)

JSON = "application/json"
PROBLEM = "application/problem+json"


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """How long and how large one exchange may be."""

    connect_s: float = 5.0
    read_s: float = 15.0
    """Between two pieces of an answer, in either direction."""
    total_s: float = 60.0
    """From the connection to the last byte, however they trickle."""
    max_answer_bytes: int = 16 * 1024 * 1024
    """As it came, and as it is once decompressed."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, whole. Of what the other side wrote, nothing shows in a traceback."""

    status: int
    media_type: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why nothing came back that could be used. `again`: another try has a chance."""

    message: str
    again: bool
    asked_s: float | None = None
    """Seconds that the other side asks to be left alone for."""
    oversize: bool = False
    """The answer was larger than one may be; a smaller one may be asked for."""


class _Oversize(Exception):  # noqa: N818 (caught below; becomes a Trouble)
    pass


class _Encoded(Exception):  # noqa: N818 (caught below; becomes a Trouble)
    pass


class Exchange:
    """A connection to one service. For one thread at a time."""

    def __init__(
        self,
        base: httpx2.URL,
        token: Token | None,
        *,
        limits: HttpLimits,
        monotonic: Clock,
        trusted: ssl.SSLContext | None = None,
    ) -> None:
        self._base = base
        self._token = token
        self._limits = limits
        self._deadline = Deadline(monotonic)
        if trusted is None and base.scheme == "https":
            trusted = httpx2.create_ssl_context(trust_env=False)
        self._transport = DeadlineTransport(self._deadline, trusted)

    def close(self) -> None:
        """Close every connection."""
        self._transport.close()

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str] | None = None,
        content: bytes | None = None,
    ) -> Answer | Trouble:
        """Send one request and read its answer."""
        request = self._request(method, path, query, content)
        self._deadline.start(self._limits.total_s)
        try:
            response = self._transport.handle_request(request)
            try:
                return self._read(response)
            finally:
                response.close()
        except _Oversize:
            size = self._limits.max_answer_bytes
            message = f"its answer is larger than {size} bytes"
            return Trouble(message, again=False, oversize=True)
        except _Encoded:
            return Trouble("its answer is in an encoding that was not asked for", again=False)
        except TIMEOUTS:
            return Trouble("it did not answer in time", again=True)
        except zlib.error:
            return Trouble("its compressed answer is damaged", again=True)
        except NETWORK_ERRORS as error:
            return _trouble(error)

    def _request(
        self, method: str, path: str, query: Mapping[str, str] | None, content: bytes | None
    ) -> httpx2.Request:
        headers = {"Accept": f"{JSON}, {PROBLEM}", "Accept-Encoding": "gzip"}
        headers["User-Agent"] = "memsleep"
        if self._token is not None:
            headers["Authorization"] = self._token.header()
        if content is not None:
            headers["Content-Type"] = JSON
        limits = self._limits
        timeout = {"connect": limits.connect_s, "pool": limits.connect_s}
        return httpx2.Request(
            method,
            self._base.copy_with(path=self._base.path.rstrip("/") + path),
            params=query,
            headers=headers,
            content=content,
            extensions={"timeout": timeout | {"read": limits.read_s, "write": limits.read_s}},
        )

    def _read(self, response: httpx2.Response) -> Answer:
        limit = self._limits.max_answer_bytes
        encoding = response.headers.get("content-encoding", "identity").strip().lower()
        if encoding not in ("", "identity", "gzip"):
            raise _Encoded
        announced = response.headers.get("content-length", "")
        if announced.isascii() and announced.isdigit() and int(announced[:20]) > limit:
            raise _Oversize
        body = bytearray()
        pieces = _unpacked(response, limit) if encoding == "gzip" else response.iter_raw()
        for piece in pieces:
            body += piece
            if len(body) > limit:
                raise _Oversize
        media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        return Answer(response.status_code, media_type, response.headers, bytes(body))


def _unpacked(response: httpx2.Response, limit: int) -> Iterator[bytes]:
    """Yield what one gzip stream holds, never more than a byte beyond the limit.

    What follows its end is not read: a decoder that is given it keeps all of it.
    """
    decoder, left = zlib.decompressobj(zlib.MAX_WBITS | 16), limit + 1
    for packed in response.iter_raw():
        if response.num_bytes_downloaded > limit:
            raise _Oversize
        piece = decoder.decompress(packed, left)
        left -= len(piece)
        yield piece
        if decoder.unused_data:
            break
    if not decoder.eof or decoder.unused_data:
        raise zlib.error("it is no single whole stream")


def _trouble(error: Exception) -> Trouble:
    """Say what went wrong between the two sides, in words of ours: theirs may quote anything."""
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return Trouble(f"its certificate is not trusted: {cause.verify_message}", again=False)
        if isinstance(cause, ssl.SSLError):
            return Trouble("no TLS connection could be made", again=False)
        if isinstance(cause, OSError) and cause.strerror:
            return Trouble(f"the connection failed: {cause.strerror}", again=True)
    return Trouble("the connection ended before the answer was whole", again=True)


def _causes(error: BaseException | None) -> list[BaseException]:
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found
