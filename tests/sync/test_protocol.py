from __future__ import annotations

import pytest
from pydantic import ValidationError

from memsleep.sync.protocol import Note, Page, PushResult, SearchingProvider, WriteRequest

NOTE = Note(scope="project", slug="a.md", text="\ufeffone\r\ntwo\u2028three\n")


def request(**changes: object) -> dict[str, object]:
    """The values of a good save, with changes."""
    base: dict[str, object] = {
        "kind": "save",
        "client_id": "c-1",
        "scope": "project",
        "slug": "a.md",
        "write_mode": "direct",
        "note": NOTE,
        "reason": "merged",
    }
    return base | changes


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"kind": "forget", "note": None},
        {"client_id": "A_z-09"},
        {"write_mode": "proposal"},
        pytest.param({"reason": ""}, id="limits are not checked where a request is read"),
        pytest.param({"reason": "x\ny" * 1000}, id="nor is the length"),
    ],
)
def test_a_request_survives_its_json_form(changes: dict[str, object]) -> None:
    """What is written to the outbox or the wire is what is read back, every character of it."""
    made = WriteRequest.model_validate(request(**changes))

    assert WriteRequest.model_validate_json(made.model_dump_json()) == made


@pytest.mark.parametrize(
    "changes",
    [
        {"note": None},
        {"kind": "forget"},
        {"kind": "update"},
        {"scope": "team"},
        {"slug": ""},
        {"slug": "b.md"},
        {"scope": "user"},
        {"client_id": ""},
        {"client_id": "a/b"},
        {"client_id": "a.b"},
        {"client_id": "a\n"},
        {"client_id": "\u00e4"},
        {"write_mode": "later"},
        {"reason": 3},
    ],
)
def test_what_is_no_request_is_refused(changes: dict[str, object]) -> None:
    """A value that is not one whole request never becomes one."""
    with pytest.raises(ValidationError):
        WriteRequest.model_validate(request(**changes))


def test_a_newer_service_may_say_more() -> None:
    """A key that is not known is passed over."""
    assert PushResult.model_validate_json('{"id": "1", "status": "applied", "new": 1}').id == "1"


def test_a_page_says_whether_it_is_the_last() -> None:
    """A page without `done` is no page: nobody may guess that it was the last."""
    with pytest.raises(ValidationError):
        Page.model_validate_json('{"notes": []}')


def test_values_are_frozen() -> None:
    """Nobody changes a note that somebody else holds."""
    with pytest.raises(ValidationError):
        NOTE.text = "other"  # type: ignore[misc]


def test_search_is_optional() -> None:
    """An object without `search` is known as such."""
    assert not isinstance(object(), SearchingProvider)
