"""The providers by name, and those of others by the function that makes them."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from memsleep.errors import ConfigError
from memsleep.sync.protocol import Provider
from memsleep.sync.providers.directory import DirectoryProvider
from memsleep.sync.providers.timing import Timing
from memsleep.sync.providers.token import Token

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_FUNCTION = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*\Z")


@dataclass(frozen=True, slots=True)
class ProviderConfig:
    """What a provider is made from. A function of one's own gets this, and returns a provider."""

    provider: str
    """`directory`, `http`, or `module:function`. Never from a corpus: a function is code."""
    timing: Timing
    path: Path | None = None
    """Folder of the `directory` provider, absolute."""
    url: str = ""
    token: Token | None = None
    timeout_s: float = 60.0
    """Seconds that one call may take."""
    attempts: int = 4
    """How often a call is made that fails in a way that may pass."""


def make_provider(config: ProviderConfig) -> Provider:
    """Return the provider of a config. It may have a `close`.

    Raises
    ------
    ConfigError
        When something that the provider needs is missing or wrong.
    """
    if config.provider == "directory":
        return _directory(config)
    if config.provider == "http":
        return _http(config)
    return _foreign(config)


def read_token(token_env: str, variable: Callable[[str], str | None]) -> Token | None:
    """Return the token that a variable holds; None when no variable is named.

    Parameters
    ----------
    token_env : str
        Name of the variable. A config holds this and never the token: it is read by many.
    variable : callable
        Gives the value of a variable of the environment, None for one that is not set.
    """
    if not token_env:
        return None
    if _VARIABLE.match(token_env) is None:
        raise ConfigError(
            "sync-bad-token",
            "sync.token_env: expected the name of a variable, such as MEMSLEEP_SYNC_TOKEN",
            hint="give the name, never the token; if it was a token, make a new one",
        )
    if not variable(token_env):
        raise ConfigError(
            "sync-token-missing",
            f"the variable {token_env} that sync.token_env names is not set",
            hint=f"export {token_env}=..., or set sync.token_env to an empty text",
        )
    return Token(variable(token_env) or "")


def _directory(config: ProviderConfig) -> Provider:
    if config.path is None:
        raise _missing("sync.path", "the folder that memories are delivered to")
    if not config.path.is_absolute():
        raise ConfigError(
            "sync-incomplete",
            f"sync.path: expected an absolute path, found {str(config.path)!r}",
            hint="a night may start in another folder than you do",
        )
    return DirectoryProvider(config.path)


def _http(config: ProviderConfig) -> Provider:
    if not config.url:
        raise _missing("sync.url", "the address that memories are delivered to")
    try:
        from memsleep.sync.providers.exchange import HttpLimits
        from memsleep.sync.providers.http import HttpProvider
        from memsleep.sync.providers.retrying import Backoff
    except ModuleNotFoundError as error:
        if error.name not in ("httpx2", "httpcore2"):
            raise
        raise ConfigError(
            "sync-extra-missing",
            'sync.provider = "http" needs a package that is not installed',
            hint="pip install 'memsleep[sync]'",
        ) from None
    return HttpProvider(
        config.url,
        config.token,
        timing=config.timing,
        limits=HttpLimits(total_s=config.timeout_s),
        backoff=Backoff(tries=config.attempts),
    )


def _foreign(config: ProviderConfig) -> Provider:
    if _FUNCTION.match(config.provider) is None:
        raise _unknown(config.provider, "expected directory, http, or module:function")
    module, _, name = config.provider.partition(":")
    try:
        make = getattr(importlib.import_module(module), name, None)
    except ImportError as error:
        raise _unknown(config.provider, f"it cannot be imported: {error.name or module}") from error
    if not callable(make):
        raise _unknown(config.provider, f"{module} has no function {name}")
    made = make(config)
    lacking = [
        member for member in ("id", "pull", "push", "reachable") if not hasattr(made, member)
    ]
    if lacking:
        raise _unknown(config.provider, f"what it makes has no {', '.join(lacking)}")
    provider: Provider = made
    return provider


def _unknown(provider: str, why: str) -> ConfigError:
    return ConfigError(
        "sync-unknown-provider",
        f"sync.provider = {provider!r}: {why}",
        hint="see docs/sync-providers.md for a provider of your own",
    )


def _missing(setting: str, what: str) -> ConfigError:
    return ConfigError(
        "sync-incomplete", f"{setting} is not set: {what}", hint=f"set {setting} in your own config"
    )
