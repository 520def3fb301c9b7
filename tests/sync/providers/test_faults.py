"""What the `http` provider makes of a service or a line that misbehaves, on real sockets."""

from __future__ import annotations

import contextlib
import gzip
import itertools
import json
import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fault_server_kit import (
    FaultServer,
    answer,
    broken_at_once,
    garbage,
    half_then_end,
    half_then_reset,
    pour,
    reads_slowly,
    silence,
    trickle,
)
from memsleep.sync.protocol import Note, Page, PushRejected, PushResult, TransientError
from memsleep.sync.providers.exchange import HttpLimits
from memsleep.sync.testing import ReferenceServer
from sync_provider_kit import Waits, http_provider, save

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
PAGE = Page(notes=(Note(scope="project", slug="a.md", text="x" * 500),), next_cursor="7", done=True)
GOOD = PAGE.model_dump_json().encode()
QUICK = HttpLimits(connect_s=0.2, read_s=0.15, total_s=0.3, max_answer_bytes=100_000)
"""For what never answers."""
PATIENT = HttpLimits(connect_s=20, read_s=20, total_s=40, max_answer_bytes=100_000)
"""For what answers at once: a busy machine must not look like a slow service."""
REFUSAL = json.dumps({"title": "no", "status": 422, "detail": "never", "refused": True}).encode()
PROBLEM = "application/problem+json"


def _pull(*acts: object, tries: int = 3, limits: HttpLimits = PATIENT, **more: object) -> Page:
    with FaultServer(*acts) as server:
        provider = http_provider(server.url, tries=tries, limits=limits, **more)
        try:
            return provider.pull("project", "5", 10)
        finally:
            provider.close()


PASSING = [
    pytest.param(half_then_reset(GOOD), id="reset in the middle of the body"),
    pytest.param(half_then_end(GOOD), id="end in the middle of the body"),
    pytest.param(broken_at_once, id="reset before an answer"),
    pytest.param(silence, id="no answer"),
    pytest.param(garbage, id="no http"),
    pytest.param(trickle(HEAD + b"X-Slow: ", itertools.repeat(b"a")), id="slow headers"),
    pytest.param(trickle(CHUNKED, itertools.repeat(b"1\r\n \r\n")), id="slow body"),
    pytest.param(trickle(HEAD, itertools.repeat(b"X-A: b\r\n")), id="headers without end"),
    pytest.param(trickle(b"", itertools.repeat(b"HTTP/1.1 100 Go on\r\n\r\n")), id="go on"),
    pytest.param(answer(500, b"oops", "text/html"), id="500"),
    pytest.param(answer(502, b"", "text/html"), id="502"),
    pytest.param(answer(503, b"", Retry_After="0"), id="503"),
    pytest.param(answer(504, b""), id="504"),
    pytest.param(answer(408, b""), id="408"),
    pytest.param(answer(425, b""), id="425"),
    pytest.param(answer(429, b"", Retry_After="2"), id="429"),
    pytest.param(answer(200, gzip.compress(GOOD)[:60], Content_Encoding="gzip"), id="half a gzip"),
    pytest.param(answer(200, gzip.compress(GOOD)[:-1], Content_Encoding="gzip"), id="cut gzip"),
    pytest.param(answer(200, gzip.compress(GOOD) + b"x", Content_Encoding="gzip"), id="more gzip"),
    pytest.param(answer(200, b"", Content_Encoding="gzip"), id="no gzip"),
    pytest.param(answer(200, b"\x1f\x8bno", Content_Encoding="gzip"), id="damaged gzip"),
]


@pytest.mark.parametrize("act", PASSING)
def test_what_may_pass_is_tried_again(act: object) -> None:
    """After one fault the same request goes through, and the page is whole."""
    assert _pull(act, answer(200, GOOD), tries=8, limits=QUICK) == PAGE


@pytest.mark.parametrize("act", PASSING)
def test_what_does_not_pass_is_given_up_in_time(act: object) -> None:
    """A fault that stays ends in an error after a bounded number of tries and seconds."""
    waits = Waits()
    start = time.monotonic()
    with pytest.raises(TransientError) as error:
        _pull(act, tries=2, waits=waits, limits=QUICK)
    assert time.monotonic() - start < 2 * QUICK.total_s + 8
    assert len(waits) == 1
    assert "(2 tries)" in str(error.value)


def _endless_page() -> object:
    return pour(CHUNKED + b'c\r\n{"notes": ["\r\n', b"400\r\n" + b"x" * 1024 + b"\r\n")


def _bomb(layers: int = 1) -> bytes:
    data = b" " * 20_000_000
    for _ in range(layers):
        data = gzip.compress(data)
    return data


LASTING = [
    pytest.param(answer(200, b"not json"), "json_invalid", id="wrong json"),
    pytest.param(answer(200, b'{"done": "yes"}'), "done: bool_type", id="a text for a truth"),
    pytest.param(answer(200, b"{}"), "done: missing", id="half a page"),
    pytest.param(answer(200, b"[" * 100_000), "json_invalid", id="deeply nested"),
    pytest.param(answer(200, b'{"done": true, "notes": [{"scope": "project", "slug": "a", "text": '
                        b'"\\ud800"}]}'), "json_invalid", id="half a surrogate"),
    pytest.param(answer(200, b'\xff\xfe{"done": true}'), "json_invalid", id="no utf-8"),
    pytest.param(answer(200, GOOD, "text/html"), "content type", id="wrong content type"),
    pytest.param(answer(200, GOOD, ""), "content type", id="no content type"),
    pytest.param(answer(200, GOOD, Content_Length="100001"), "larger than", id="announced huge"),
    pytest.param(answer(200, b" " * 100_001), "larger than", id="huge body"),
    pytest.param(_endless_page(), "larger than", id="a page without end"),
    pytest.param(answer(200, _bomb(), Content_Encoding="gzip"), "larger than", id="gzip bomb"),
    pytest.param(answer(200, _bomb(2), Content_Encoding="gzip, gzip"), "encoding", id="two gzips"),
    pytest.param(answer(200, GOOD, Content_Encoding="br"), "encoding", id="another encoding"),
    pytest.param(answer(204, b""), "status 204", id="no content"),
    pytest.param(answer(206, GOOD), "status 206", id="a part"),
    pytest.param(answer(401, b"{}"), "token", id="401"),
    pytest.param(answer(403, b"{}"), "token", id="403"),
    pytest.param(answer(404, b"{}"), "sync.url", id="404"),
    pytest.param(answer(422, REFUSAL, PROBLEM), "status 422", id="a refusal of a pull"),
    pytest.param(answer(200, Page(next_cursor="5", done=False).model_dump_json().encode()),
                 "does not move", id="a cursor that repeats"),
    pytest.param(answer(200, Page(done=False).model_dump_json().encode()),
                 "does not move", id="no cursor before the end"),
    pytest.param(answer(200, Page(next_cursor="x" * 2049, done=True).model_dump_json().encode()),
                 "longer than", id="a long cursor"),
    pytest.param(answer(200, Page(notes=PAGE.notes * 11, done=True).model_dump_json().encode()),
                 "at most 10", id="more than was asked for"),
    pytest.param(answer(200, GOOD.replace(b'"project"', b'"user"')), "scope", id="another scope"),
]  # fmt: skip


@pytest.mark.parametrize(("act", "told"), LASTING)
def test_what_another_try_does_not_mend_is_told_at_once(act: object, told: str) -> None:
    """It is an error that may pass with a later sync, told in words of ours, after one try."""
    waits = Waits()
    with pytest.raises(TransientError) as error:
        _pull(act, waits=waits)
    assert told in str(error.value)
    assert waits == []


def test_a_bomb_takes_no_more_memory_than_its_limit() -> None:
    """20 MB of blanks behind 20 KB of gzip are not held at once."""
    bomb = _bomb()
    assert len(bomb) < PATIENT.max_answer_bytes
    tracemalloc.start()
    try:
        with pytest.raises(TransientError):
            _pull(answer(200, bomb, Content_Encoding="gzip"))
        assert tracemalloc.get_traced_memory()[1] < 8_000_000
    finally:
        tracemalloc.stop()


def test_large_notes_come_in_smaller_pages() -> None:
    """A page that is too large is no end: fewer notes are asked for, and all of them come."""
    with ReferenceServer() as server:
        for number in range(30):
            text = bytes((number * 7 + place * place) % 251 for place in range(9000)).hex()
            note = Note(scope="project", slug=f"n{number:02}.md", text=text)
            server.service.save(note)
        provider = http_provider(server.url, limits=PATIENT)
        slugs, cursor, done = [], None, False
        while not done:
            page = provider.pull("project", cursor, 5000)
            slugs += [note.slug for note in page.notes]
            cursor, done = page.next_cursor, page.done
        provider.close()
    assert slugs == [f"n{number:02}.md" for number in range(30)]
    asked = [int(seen.query["take"]) for seen in server.seen]
    assert max(asked) == 1000
    assert min(asked) == 3


def test_one_note_that_is_too_large_is_told() -> None:
    """It is not asked for for ever."""
    with ReferenceServer() as server:
        server.service.save(Note(scope="project", slug="a.md", text="\u6771" * 100_000))
        provider = http_provider(server.url, limits=PATIENT)
        with pytest.raises(TransientError, match="larger than"):
            provider.pull("project", None, 100)
        provider.close()
    assert [int(seen.query["take"]) for seen in server.seen] == [100, 25, 6, 1]


SCRAPS = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2**70) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["notes", "done", "next_cursor", "scope", "slug", "text", "id", "status",
                         "decisions", "tags", "deleted", "detail", "refused"]), inner, max_size=5),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=60)
@given(
    st.sampled_from([200, 200, 200, 400, 422, 500]),
    st.binary(max_size=40) | SCRAPS.map(lambda value: json.dumps(value).encode()),
    st.sampled_from(["application/json", PROBLEM, "", "text/plain", "application/json; charset=x"]),
)
def test_no_answer_breaks_it(status: int, body: bytes, media_type: str) -> None:
    """Whatever comes back, it is a result, a refusal or an error that may pass."""
    with FaultServer(answer(status, body, media_type)) as server:
        provider = http_provider(server.url, limits=PATIENT, tries=1)
        for call in (
            lambda: provider.pull("project", None, 5),
            lambda: provider.push(save()),
            lambda: provider.search("user", "x", 5),
        ):
            with contextlib.suppress(TransientError, PushRejected):
                call()
        assert provider.reachable() in (True, False)
        provider.close()


@pytest.mark.parametrize(
    "tail", [b"x" * 1024, gzip.compress(b"")], ids=["garbage", "empty streams"]
)
def test_what_follows_a_compressed_answer_is_not_kept(tail: bytes) -> None:
    """A service that goes on after its end for ever costs neither memory nor time."""
    start = HEAD + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(GOOD)
    tracemalloc.start()
    try:
        with pytest.raises(TransientError, match="damaged"):
            _pull(pour(start, tail), tries=1)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


def test_a_compressed_answer_that_says_nothing_is_bounded() -> None:
    """Blocks without content, one after the other, count as what came."""
    start = HEAD + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"")[:10]
    with pytest.raises(TransientError, match="larger than"):
        _pull(pour(start, b"\x00\x00\x00\xff\xff" * 1000), tries=1)


def test_an_answer_of_just_the_limit_is_read() -> None:
    """The limit is the last size that passes, plain and packed."""
    body = GOOD + b" " * (PATIENT.max_answer_bytes - len(GOOD))
    assert _pull(answer(200, body)) == PAGE
    assert _pull(answer(200, gzip.compress(body), Content_Encoding="gzip")) == PAGE


def test_nobody_there() -> None:
    """A closed port is told as what it is, after the usual tries."""
    with FaultServer(silence) as server:
        url = server.url
    provider = http_provider(url)
    with pytest.raises(TransientError, match="Connection refused"):
        provider.pull("project", None, 10)
    assert not provider.reachable()


def test_a_body_that_is_not_taken_ends_in_time() -> None:
    """A service that reads nothing of a large write does not hold the client."""

    with FaultServer(silence, reads=False) as server:
        provider = http_provider(server.url, limits=QUICK, tries=1)
        with pytest.raises(TransientError, match="in time"):
            provider.push(save(text="x" * 8_000_000))
        provider.close()


def test_a_body_that_is_taken_slowly_ends_in_time() -> None:
    """A service that reads a little now and then does not hold the client for minutes."""
    with FaultServer(reads_slowly, reads=False) as server:
        limits = HttpLimits(connect_s=5, read_s=5, total_s=0.3)
        provider = http_provider(server.url, limits=limits, tries=1)
        start = time.monotonic()
        with pytest.raises(TransientError, match="in time"):
            provider.push(save(text="x" * 40_000_000))
        assert time.monotonic() - start < 5
        provider.close()


@pytest.mark.parametrize(
    "client_id", ["", "../notes", "a/b", "a?b", "a b", "%2e", "a\r\nX: 1", "\u00e9"]
)
def test_a_client_id_that_is_no_name_is_not_sent(client_id: str) -> None:
    """It stands in the address."""
    with FaultServer(answer(200, b"{}")) as server:
        provider = http_provider(server.url)
        with pytest.raises(PushRejected, match="client id"):
            provider.push(save().model_copy(update={"client_id": client_id}))
        provider.close()
    assert server.requests == []


@pytest.mark.parametrize("target", ["http://127.0.0.1:{other}/v1/notes", "//evil.example/", ""])
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(status: int, target: str) -> None:
    """The token never reaches another host, not even one of this machine."""
    with FaultServer(answer(200, GOOD)) as other:
        location = target.format(other=other.port)
        with FaultServer(answer(status, b"", Location=location)) as server:
            provider = http_provider(server.url, "a-token", limits=PATIENT)
            with pytest.raises(TransientError, match="redirects"):
                provider.pull("project", None, 10)
            provider.close()
        assert other.requests == []
        assert len(server.requests) == 1


def test_a_lost_acknowledgement_is_asked_for_again() -> None:
    """When the answer to a write is lost, the same bytes are sent again."""
    result = PushResult(id="c1", status="applied")
    good = answer(200, result.model_dump_json().encode())
    with FaultServer(broken_at_once, good) as server:
        provider = http_provider(server.url, limits=PATIENT)
        assert provider.push(save()) == result
        provider.close()
    assert len(server.requests) == 2
    assert server.requests[0] == server.requests[1]


REFUSALS = [400, 403, 409, 410, 413, 415, 422, 451]


@pytest.mark.parametrize("status", REFUSALS)
def test_a_refusal_is_final(status: int) -> None:
    """What the service refuses in so many words is not tried again."""
    with FaultServer(answer(status, REFUSAL, PROBLEM)) as server:
        provider = http_provider(server.url, limits=PATIENT)
        with pytest.raises(PushRejected) as refusal:
            provider.push(save())
        provider.close()
    assert refusal.value.reason == "never"
    assert len(server.requests) == 1


NO_WORD = [
    pytest.param(b"<html>", "text/html", id="a page"),
    pytest.param(REFUSAL, "application/json", id="another content type"),
    pytest.param(REFUSAL.replace(b"true", b"false"), PROBLEM, id="not refused"),
    pytest.param(b'{"title": "no", "status": 422}', PROBLEM, id="nothing of a refusal"),
    pytest.param(b'{"refused": "true"}', PROBLEM, id="a text for a truth"),
    pytest.param(b"[]", PROBLEM, id="no object"),
    pytest.param(b"", PROBLEM, id="empty"),
]


@pytest.mark.parametrize(("body", "media_type"), NO_WORD)
@pytest.mark.parametrize("status", REFUSALS)
def test_a_page_of_a_proxy_never_retires_a_write(status: int, body: bytes, media_type: str) -> None:
    """Without a refusal in the words of the contract, a write waits for the next sync."""
    with FaultServer(answer(status, body, media_type)) as server:
        provider = http_provider(server.url, limits=PATIENT, tries=1)
        with pytest.raises(TransientError):
            provider.push(save())
        provider.close()


@pytest.mark.parametrize("status", [300, 302, 401, 402, 404, 405, 407, 408, 421, 429, 500, 503])
def test_no_other_status_is_a_refusal(status: int) -> None:
    """Trouble with the token, the address or the server says nothing of the write."""
    with FaultServer(answer(status, REFUSAL, PROBLEM)) as server:
        provider = http_provider(server.url, limits=PATIENT, tries=1)
        with pytest.raises(TransientError):
            provider.push(save())
        provider.close()
