"""The published contract, the client and the reference server say the same."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator

import openapi_spec_validator
import pytest
from pydantic import BaseModel

from contract_kit import CONTRACT, errors, faults, operation_of
from memsleep.sync import protocol
from memsleep.sync.protocol import DecisionRecord, PushRejected, TransientError
from memsleep.sync.providers import http
from memsleep.sync.testing import MemoryService, ProviderSuite, ReferenceServer
from memsleep.sync.testing.server import Reply, Seen, problem
from sync_provider_kit import forget, http_provider, save

DECISION = DecisionRecord(
    id="d1", subject="deploy", predicate="is on", object="Thursday", updated_at="2026-11-30",
    status="decided",
)  # fmt: skip


def _kit_tests() -> Iterator[tuple[str, dict[str, object]]]:
    for name, function in sorted(vars(ProviderSuite).items()):
        # One test of the kit sends what no request is, to see it refused.
        if not name.startswith("test_") or name == "test_a_scope_that_there_is_not_is_refused":
            continue
        for mark in getattr(function, "pytestmark", ()):
            yield from ((name, {mark.args[0]: value}) for value in mark.args[1])
        if not hasattr(function, "pytestmark"):
            yield name, {}


@pytest.fixture(scope="module")
def exchanges() -> list[Seen]:
    """Everything that goes over the wire while the kit runs, and what is seldom seen beside."""
    seen = []
    for name, row in _kit_tests():
        with ReferenceServer(MemoryService([DECISION]), token="a-token") as server:
            provider = http_provider(server.url, "a-token")
            getattr(ProviderSuite(), name)(provider, **row)
            provider.close()
        seen += server.seen
    return seen + list(_seldom())


def _seldom() -> Iterator[Seen]:
    answers = [
        problem(429, "too many", headers={"Retry-After": "0"}), problem(503, "a rest"), None,
    ]  # fmt: skip
    before = lambda method, path: answers.pop() if answers else None  # noqa: E731
    with ReferenceServer(token="a", refuse={"no.md": "never"}, before=before) as server:
        provider, stranger = http_provider(server.url, "a", tries=4), http_provider(server.url)
        provider.push(save())
        provider.push(forget())
        with pytest.raises(PushRejected):
            provider.push(save("no.md", client_id="c3"))
        with pytest.raises(TransientError):
            stranger.pull("project", None, 10)
        with pytest.raises(TransientError):
            provider.pull("project", None, 0)
        provider.close()
        stranger.close()
    yield from server.seen


def test_the_contract_is_openapi() -> None:
    """The file is a valid OpenAPI 3.1 document."""
    openapi_spec_validator.validate(CONTRACT)


def test_every_exchange_is_as_the_contract_says(exchanges: list[Seen]) -> None:
    """Requests of the client and answers of the reference server validate, one and all."""
    usual = [exchange for exchange in exchanges if exchange.query.get("take") != "0"]
    assert [(seen, wrong) for seen in usual if (wrong := faults(seen))] == []
    operations = {operation_of(exchange) for exchange in usual}
    assert operations == {"status", "pull", "push", "search"}
    statuses = {exchange.reply.status for exchange in usual if exchange.reply is not None}
    assert statuses >= {200, 401, 422, 429, 503}
    assert len(usual) > 100


def test_a_request_that_is_out_of_bounds_is_seen(exchanges: list[Seen]) -> None:
    """The judge of exchanges can fail: a page of nothing was asked for."""
    (none,) = [exchange for exchange in exchanges if exchange.query.get("take") == "0"]
    assert faults(none) == ["0 is less than the minimum of 1"]


def test_the_secret_travels_in_its_header_alone(exchanges: list[Seen]) -> None:
    """The token stands in no address and in no body."""
    with_token = [seen for seen in exchanges if seen.headers.get("Authorization")]
    assert len(with_token) > 100
    for seen in with_token:
        rest = [seen.path, *seen.query.values(), seen.body.decode()]
        rest += [value for name, value in seen.headers.items() if name != "Authorization"]
        assert not any("a-token" in text for text in rest)


def _broken(seen: Seen, **changes: object) -> Seen:
    return dataclasses.replace(seen, **changes)


def _page(**changes: object) -> Seen:
    page = {"notes": [], "decisions": [], "next_cursor": None, "done": True} | changes
    page = {name: value for name, value in page.items() if value is not ...}
    reply = Reply(200, json.dumps(page).encode())
    return Seen("GET", "/v1/notes", {"scope": "user", "take": "1"}, {}, b"", reply)


NOTE = {"scope": "user", "slug": "a.md"}
WRITE = {"kind": "save", "client_id": "c", "scope": "user", "slug": "a.md", "write_mode": "direct",
         "note": NOTE, "reason": "r"}  # fmt: skip


def _write(**changes: object) -> Seen:
    body = json.dumps(WRITE | changes).encode()
    reply = Reply(200, b'{"id": "c", "status": "applied"}')
    return Seen("PUT", "/v1/writes/c", {}, {"Content-Type": "application/json"}, body, reply)


@pytest.mark.parametrize(
    "exchange",
    [
        pytest.param(_page(done=...), id="a page without done"),
        pytest.param(_page(done="true"), id="done as a text"),
        pytest.param(_page(notes=[{"slug": "a.md"}]), id="a note without scope"),
        pytest.param(_page(next_cursor=7), id="a cursor that is a number"),
        pytest.param(_page(decisions=[{"id": "d"}]), id="half a decision"),
        pytest.param(_broken(_page(), query={"take": "1"}), id="no scope asked for"),
        pytest.param(_broken(_page(), query={"scope": "team", "take": "1"}), id="no such scope"),
        pytest.param(_broken(_page(), query={"scope": "user", "take": "1", "q": "x"}), id="extra"),
        pytest.param(_broken(_page(), reply=Reply(302, b"{}")), id="a redirect"),
        pytest.param(_broken(_page(), reply=Reply(503, b"{}")), id="an error that is no problem"),
        pytest.param(_broken(_page(), path="/v2/notes"), id="another path"),
        pytest.param(_write(kind="forget"), id="a forget with a note"),
        pytest.param(_write(note=None), id="a save without a note"),
        pytest.param(_write(kind="merge"), id="another kind"),
        pytest.param(_write(client_id="a/b"), id="a client id with a slash"),
        pytest.param(_broken(_write(), headers={}), id="no content type"),
        pytest.param(_broken(_write(), reply=Reply(200, b'{"id": "c"}')), id="half a result"),
        pytest.param(_broken(_write(), reply=problem(204, "")), id="an empty answer"),
    ],
)
def test_what_is_not_as_the_contract_says_is_seen(exchange: Seen) -> None:
    """Each rule of the contract is one that an exchange can break."""
    assert faults(exchange)


@pytest.mark.parametrize("exchange", [_page(), _page(notes=[NOTE], more=1), _write()])
def test_what_is_as_the_contract_says_passes(exchange: Seen) -> None:
    """The least that is said is enough, and more does no harm."""
    assert faults(exchange) == []


MODELS: list[tuple[str, type[BaseModel]]] = [
    ("Note", protocol.Note), ("DecisionRecord", protocol.DecisionRecord), ("Page", protocol.Page),
    ("WriteRequest", protocol.WriteRequest), ("PushResult", protocol.PushResult),
    ("ServiceStatus", http.ServiceStatus), ("FoundNotes", http.FoundNotes),
]  # fmt: skip


@pytest.mark.parametrize(("name", "model"), MODELS)
def test_the_values_of_the_code_are_those_of_the_contract(
    name: str, model: type[BaseModel]
) -> None:
    """Neither side knows a key, or needs one, that the other does not."""
    said = CONTRACT["components"]["schemas"][name]
    made = model.model_json_schema()
    assert made["properties"].keys() == said["properties"].keys()
    assert sorted(made.get("required", [])) == sorted(said.get("required", []))


@pytest.mark.parametrize(("kind", "note"), [("save", NOTE), ("forget", None)])
def test_the_smallest_write_is_one_for_both(kind: str, note: object) -> None:
    """What the contract calls a write, the code reads as one."""
    value = WRITE | {"kind": kind, "note": note}
    assert errors("/components/schemas/WriteRequest", value) == []
    assert protocol.WriteRequest.model_validate_json(json.dumps(value)).kind == kind
