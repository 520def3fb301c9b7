"""What a config makes a provider of, and what it says when it cannot."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from memsleep.errors import ConfigError
from memsleep.sync.protocol import TransientError
from memsleep.sync.providers.directory import DirectoryProvider
from memsleep.sync.providers.http import HttpProvider
from memsleep.sync.providers.registry import ProviderConfig, make_provider, read_token
from memsleep.sync.providers.timing import Timing
from memsleep.sync.retry import Retry
from sync_provider_kit import NOW, Waits

TIMING = Timing(lambda: 0.0, lambda seconds: None, lambda: 0.5, lambda: NOW)
CONFIG = ProviderConfig("directory", TIMING)


def made_by_others(config: ProviderConfig) -> object:
    """Is named by `sync.provider` in a test below."""
    return DirectoryProvider(config.path or Path("/"))


def half_a_provider(config: ProviderConfig) -> object:
    return Path("/")


def test_a_folder_is_served(tmp_path: Path) -> None:
    """`directory` with a path is the provider of that folder."""
    made = make_provider(replace(CONFIG, path=tmp_path))
    assert isinstance(made, DirectoryProvider)
    assert made.id == f"directory:{tmp_path}"
    assert made.reachable()


def test_an_address_is_served() -> None:
    """`http` with an address is the provider of that service; its limits are the config's."""
    made = make_provider(replace(CONFIG, provider="http", url="https://memory.example/api"))
    assert isinstance(made, HttpProvider)
    assert made.id == "https://memory.example/api"
    made.close()


@pytest.mark.parametrize("function", ["made_by_others"])
def test_a_function_of_ones_own_makes_a_provider(
    function: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`module:function` is called with the config."""
    monkeypatch.setitem(sys.modules, "somebodys_provider", sys.modules[__name__])
    config = replace(CONFIG, provider=f"somebodys_provider:{function}", path=tmp_path)
    assert make_provider(config).id == f"directory:{tmp_path}"


@pytest.mark.parametrize(
    ("config", "reference", "told"),
    [
        (CONFIG, "sync-incomplete", "sync.path"),
        (replace(CONFIG, path=Path("there")), "sync-incomplete", "absolute"),
        (replace(CONFIG, provider="http"), "sync-incomplete", "sync.url"),
        (replace(CONFIG, provider="http", url="http://192.0.2.7"), "sync-bad-url", "192.0.2.7"),
        (replace(CONFIG, provider="https"), "sync-unknown-provider", "directory, http"),
        (replace(CONFIG, provider=""), "sync-unknown-provider", "directory, http"),
        (replace(CONFIG, provider="os:"), "sync-unknown-provider", "directory, http"),
        (replace(CONFIG, provider="../x:y"), "sync-unknown-provider", "directory, http"),
        (replace(CONFIG, provider="no_such_module_of_anyone:f"), "sync-unknown-provider", "import"),
        (replace(CONFIG, provider="os:no_such_function"), "sync-unknown-provider", "no function"),
        (replace(CONFIG, provider="os:sep"), "sync-unknown-provider", "no function"),
        (replace(CONFIG, provider="somebodys_provider:half_a_provider"), "sync-unknown-provider",
         "pull, push"),
    ],
)  # fmt: skip
def test_what_is_missing_or_wrong_is_told(
    config: ProviderConfig, reference: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The setting is named, with what it needs."""
    monkeypatch.setitem(sys.modules, "somebodys_provider", sys.modules[__name__])
    with pytest.raises(ConfigError) as error:
        make_provider(config)
    assert error.value.reference == reference
    assert told in error.value.message


def test_a_token_comes_from_the_variable_that_is_named() -> None:
    """No variable named: no token."""
    assert read_token("", {"A": "x"}.get) is None
    token = read_token("A", {"A": "geheim"}.get)
    assert token is not None
    assert token.header() == "Bearer geheim"


@pytest.mark.parametrize(
    ("name", "reference"),
    [("MISSING", "sync-token-missing"), ("EMPTY", "sync-token-missing"), ("BAD", "sync-bad-token"),
     ("sk-geheim-1", "sync-bad-token"), ("geheim=1", "sync-bad-token")],
)  # fmt: skip
def test_a_token_that_is_not_there_is_told_without_it(name: str, reference: str) -> None:
    """A token that somebody wrote into the config by mistake is not quoted either."""
    with pytest.raises(ConfigError) as error:
        read_token(name, {"EMPTY": "", "BAD": "geheim\n"}.get)
    assert error.value.reference == reference
    assert "geheim" not in "\n".join(error.value.lines())


def test_the_extra_that_is_missing_is_named() -> None:
    """Without the HTTP client `http` says what to install, and `directory` works."""
    code = (
        "import sys; sys.modules['httpx2'] = None; sys.modules['httpcore2'] = None\n"
        "from pathlib import Path\n"
        "from memsleep.errors import ConfigError\n"
        "from memsleep.sync.providers.registry import ProviderConfig, make_provider\n"
        "made = make_provider(ProviderConfig('directory', None, path=Path.cwd()))\n"
        "assert made.reachable()\n"
        "try: make_provider(ProviderConfig('http', None, url='https://memory.example'))\n"
        "except ConfigError as error: print('\\n'.join(error.lines()))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "error[sync-extra-missing]" in done.stdout
    assert "pip install 'memsleep[sync]'" in done.stdout


def test_what_a_provider_has_tried_is_not_tried_again() -> None:
    """Only errors that say nothing, or that another try may help, get one."""
    for again, calls in ((True, 3), (False, 1)):
        waits, made = Waits(), []

        def fail(again: bool = again, made: list[int] = made) -> None:
            made.append(1)
            raise TransientError("no", again=again)

        with pytest.raises(TransientError):
            Retry(waits.sleep, attempts=3).call(fail)
        assert len(made) == calls
