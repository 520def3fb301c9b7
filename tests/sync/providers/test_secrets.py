"""The token goes into one header of requests to one address, and nowhere else."""

from __future__ import annotations

import copy
import json
import logging
import pickle
import ssl
import traceback
from pathlib import Path

import pytest
import trustme

from fault_server_kit import FaultServer, answer, broken_at_once, garbage, half_then_end, silence
from memsleep.errors import ConfigError
from memsleep.sync.protocol import Page, PushRejected, PushResult, TransientError
from memsleep.sync.providers.exchange import HttpLimits
from memsleep.sync.providers.token import Token
from sync_provider_kit import http_provider, save

SECRET = "".join(("tok", "-", "9f8e7d6c5b4a"))
QUICK = HttpLimits(connect_s=0.5, read_s=0.2, total_s=0.4, max_answer_bytes=10_000)
ECHO = {"title": SECRET, "status": 422, "detail": f"no: Bearer {SECRET}\r\n{SECRET}"}
PROBLEM = "application/problem+json"
FAULTS = [
    pytest.param(silence, id="no answer"),
    pytest.param(broken_at_once, id="reset"),
    pytest.param(half_then_end(SECRET.encode() * 20), id="half an answer"),
    pytest.param(garbage, id="no http"),
    pytest.param(answer(200, SECRET.encode()), id="wrong json"),
    pytest.param(answer(200, json.dumps({"id": SECRET}).encode()), id="half a document"),
    pytest.param(answer(200, b"x" * 20_000), id="huge"),
    pytest.param(answer(200, b"{}", f"text/{SECRET}"), id="content type"),
    pytest.param(answer(200, b"{}", Content_Encoding=SECRET), id="encoding"),
    pytest.param(answer(401, SECRET.encode(), WWW_Authenticate=SECRET), id="401"),
    pytest.param(answer(302, b"", Location=f"http://127.0.0.1:1/{SECRET}"), id="redirect"),
    pytest.param(answer(503, SECRET.encode(), Retry_After=SECRET), id="503"),
    pytest.param(answer(422, json.dumps(ECHO).encode(), PROBLEM), id="problem"),
    pytest.param(answer(422, json.dumps(ECHO | {"refused": True}).encode(), PROBLEM), id="refusal"),
    pytest.param(lambda connection, over: connection.sendall(
        f"HTTP/1.1 {SECRET}\r\nX: {SECRET}\r\n\r\n".encode()), id="status line"),
    pytest.param(lambda connection, over: connection.sendall(
        f"HTTP/1.1 200 {SECRET}\r\n{SECRET}\r\n\r\n".encode()), id="header line"),
]  # fmt: skip


def _everything(error: BaseException) -> str:
    """Return all that a report of an error could show: text, causes, frames with their values."""
    told = traceback.TracebackException.from_exception(error, capture_locals=True)
    frames = []
    here = Path(__file__).name
    while told is not None:
        frames += [
            str(told),
            *(f"{f.name} {f.locals}" for f in told.stack if here not in f.filename),
        ]
        told = told.__cause__ or told.__context__
    return "\n".join([str(error), repr(error), repr(error.args), *frames])


@pytest.mark.parametrize("act", FAULTS)
def test_no_error_and_no_log_shows_the_token(
    act: object, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Not in a message, a cause, a value of a frame, a log of any level, or a stream."""
    with FaultServer(act) as server, caplog.at_level(logging.DEBUG):
        provider = http_provider(server.url, SECRET, limits=QUICK, tries=2)
        with pytest.raises(Exception) as error:
            provider.push(save())
        provider.reachable()
        shown = _everything(error.value) + repr(provider) + provider.id
        provider.close()
    assert SECRET in "".join(request.decode() for request in server.requests)
    assert SECRET not in shown
    ours = [record for record in caplog.records if record.name.startswith("memsleep")]
    assert ours == []
    sent = [record.getMessage() for record in caplog.records if "request" in record.getMessage()]
    assert SECRET not in "".join(sent)
    assert SECRET not in "".join(capfd.readouterr())


def test_errors_have_no_cause_that_holds_the_request() -> None:
    """An error of the HTTP client, whose frames hold the header, is no part of ours."""
    with FaultServer(broken_at_once) as server:
        provider = http_provider(server.url, SECRET)
        with pytest.raises(Exception) as error:
            provider.push(save())
        provider.close()
    assert error.value.__cause__ is None
    assert error.value.__context__ is None


def test_the_reason_of_a_refusal_is_one_line_without_the_token() -> None:
    """A service that quotes the header in its reason does not bring it onto a terminal."""
    body = json.dumps(ECHO | {"refused": True}).encode()
    with FaultServer(answer(422, body, PROBLEM)) as server:
        provider = http_provider(server.url, SECRET)
        with pytest.raises(PushRejected) as refusal:
            provider.push(save())
        provider.close()
    assert refusal.value.reason == "no: Bearer *** ***"


@pytest.mark.parametrize(
    ("detail", "reason"),
    [
        ("", "refused with status 422, without a reason"),
        ("a\x1b[31mb\u202ec\x00d", "a [31mb c d"),
        ("x" * 900, "x" * 500),
        (" \n\t ", "refused with status 422, without a reason"),
    ],
)
def test_a_reason_does_no_harm_to_a_terminal(detail: str, reason: str) -> None:
    """Control characters are blanks, and it is not longer than a reason may be."""
    body = json.dumps({"detail": detail, "refused": True}).encode()
    with FaultServer(answer(422, body, PROBLEM)) as server:
        provider = http_provider(server.url)
        with pytest.raises(PushRejected) as refusal:
            provider.push(save())
        provider.close()
    assert refusal.value.reason == reason


def test_a_token_shows_itself_nowhere() -> None:
    """It has no text, no copy and no stored form."""
    token = Token(SECRET)
    assert SECRET not in f"{token} {token!r} {[token]}"
    assert not hasattr(token, "__dict__")
    for copied in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError):
            copied(token)


@pytest.mark.parametrize(
    "text",
    [f"{SECRET}\n", f"{SECRET}\r\nX-Other: 1", f" {SECRET}", f"{SECRET}\u00e9", "", "x" * 4097],
)
def test_a_token_that_is_no_header_is_not_quoted(text: str) -> None:
    """It could carry another header along; the error says what is wrong and not what was given."""
    with pytest.raises(ConfigError) as error:
        Token(text)
    assert error.value.reference == "sync-bad-token"
    assert SECRET not in _everything(error.value)
    assert SECRET not in "\n".join(error.value.lines())


def test_cookies_are_not_kept() -> None:
    """What a service sets is not sent again."""
    good = Page(done=True).model_dump_json().encode()
    with FaultServer(answer(200, good, Set_Cookie="id=1")) as server:
        provider = http_provider(server.url)
        provider.pull("project", None, 10)
        provider.pull("project", None, 10)
        provider.close()
    assert len(server.requests) == 2
    assert not any(b"cookie" in request.lower() for request in server.requests)


def test_the_environment_sends_nothing_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proxies, a netrc and certificates of the environment are not asked."""
    good = PushResult(id="c1", status="applied").model_dump_json().encode()
    with FaultServer(answer(200, good)) as server, FaultServer(answer(200, good)) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        monkeypatch.setenv("NO_PROXY", "")
        provider = http_provider(server.url, SECRET)
        provider.push(save())
        provider.close()
    assert proxy.requests == []


def _tls(name: str = "127.0.0.1") -> tuple[trustme.CA, ssl.SSLContext]:
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)
    return authority, context


def _trusting(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


def test_a_certificate_that_is_trusted_is_taken() -> None:
    """TLS works, with an authority of one's own."""
    authority, context = _tls()
    good = PushResult(id="c1", status="applied").model_dump_json().encode()
    with FaultServer(answer(200, good), context=context) as server:
        provider = http_provider(server.url, SECRET, trusted=_trusting(authority))
        assert provider.push(save()).status == "applied"
        provider.close()


@pytest.mark.parametrize("name", ["127.0.0.1", "memory.example"])
def test_a_certificate_that_is_not_is_refused_before_the_token(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An unknown authority, or another name, gets no request; no variable makes it trusted."""
    authority, context = _tls(name)
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    trusted = None if name == "127.0.0.1" else _trusting(authority)
    with FaultServer(answer(200, b"{}"), context=context) as server:
        provider = http_provider(server.url, SECRET, trusted=trusted)
        with pytest.raises(TransientError, match="its certificate is not trusted") as error:
            provider.push(save())
        provider.close()
    assert server.requests == []
    assert SECRET not in _everything(error.value)
    assert "tries" not in str(error.value)


def test_a_service_without_tls_behind_https_is_told() -> None:
    """What answers in the clear where TLS is expected gets no token."""
    with FaultServer(answer(200, b"{}"), reads=False) as server:
        provider = http_provider(server.url.replace("http:", "https:"), SECRET)
        with pytest.raises(TransientError, match="no TLS connection") as error:
            provider.push(save())
        provider.close()
    assert "tries" not in str(error.value)
