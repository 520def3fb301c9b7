from __future__ import annotations

import re
from pathlib import Path

import pytest

from memsleep.cli.app import main
from memsleep.cli.clock import instant_of
from memsleep.cli.settings import option_layer, set_by_somebody
from memsleep.config import Option, Origin
from memsleep.errors import UsageError

CASES = [
    pytest.param({}, [], id="nothing"),
    pytest.param(
        {"profile": "reference"}, [Option("run.profile", "reference", "--profile")], id="profile"
    ),
    pytest.param(
        {"phases": "pairing, dedup"},
        [Option("run.phases", ("pairing", "dedup"), "--phases")],
        id="phases",
    ),
    pytest.param(
        {"embedder": "none"}, [Option("embedder.name", "none", "--embedder")], id="embedder"
    ),
    pytest.param(
        {"vectors": Path("v.npz")},
        [
            Option("embedder.name", "file", "--vectors"),
            Option("embedder.path", "v.npz", "--vectors"),
        ],
        id="vectors",
    ),
    pytest.param(
        {"allow_empty": True}, [Option("corpus.allow_empty", True, "--allow-empty")], id="empty"
    ),
]


@pytest.mark.parametrize(("given", "options"), CASES)
def test_an_option_is_a_setting(given: dict[str, object], options: list[Option]) -> None:
    """What is not given sets nothing, so that a config can."""
    assert option_layer(**given) == options  # type: ignore[arg-type]


def test_vectors_and_another_embedder_exclude_each_other() -> None:
    """One of the two would be ignored silently."""
    with pytest.raises(UsageError) as raised:
        option_layer(embedder="hashgram", vectors=Path("v.npz"))
    assert raised.value.reference == "conflicting-options"
    option_layer(embedder="file", vectors=Path("v.npz"))


def test_the_instant_is_given_or_the_current_second() -> None:
    """A given one is made canonical; the clock is read only without one."""
    assert instant_of("2026-11-30") == "2026-11-30T00:00:00Z"
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", instant_of(None))


def test_only_what_somebody_set_is_told() -> None:
    """A default is not worth a line, and a profile only one."""
    origins = {"a.b": Origin("default"), "c.d": Origin("corpus", "memsleep.toml:2")}
    assert set_by_somebody(origins) == ["c.d: corpus memsleep.toml:2"]
    profile = dict.fromkeys(("e.f", "g.h"), Origin("profile", "reference"))
    assert set_by_somebody(profile | origins) == [
        "2 settings: profile reference",
        "c.d: corpus memsleep.toml:2",
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "", "--dry-run"],
        ["run", ".", "--dry-run", "--out", ""],
        ["explain", "a", "--corpus="],
    ],
)
def test_an_empty_path_is_not_the_current_folder(
    arguments: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    """It comes of an unset variable: refused before anything is read or written."""
    assert main(arguments) == 2
    assert "the path is empty" in capfd.readouterr().err
