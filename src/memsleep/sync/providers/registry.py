"""The providers by name: dull, greppable, type-checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from memsleep.errors import ConfigError
from memsleep.sync.protocol import Provider
from memsleep.sync.providers.directory import DirectoryProvider
from memsleep.sync.providers.timing import Timing

if TYPE_CHECKING:
    from memsleep.sync.providers.address import Token

ProviderName = Literal["directory", "http"]

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def make_provider(
    name: ProviderName,
    *,
    path: Path | None = None,
    url: str = "",
    token_env: str = "",
    environment: Mapping[str, str],
    timing: Timing,
) -> Provider:
    """Return the provider of a config. It may have a `close`.

    Parameters
    ----------
    path : Path or None
        Folder of the `directory` provider.
    url : str
        Address of the `http` provider.
    token_env : str
        Name of the variable that holds the token of the `http` provider; empty for none. Never the
        token: a config is read by many.
    environment : mapping
        Where that variable is looked up.

    Raises
    ------
    ConfigError
        When something that the provider needs is missing or wrong.
    """
    if name == "directory":
        if path is None:
            raise _missing("sync.path", "the folder that memories are delivered to")
        return DirectoryProvider(path)
    if not url:
        raise _missing("sync.url", "the address that memories are delivered to")
    return _http(url, token_env, environment, timing)


def _http(url: str, token_env: str, environment: Mapping[str, str], timing: Timing) -> Provider:
    try:
        from memsleep.sync.providers.address import Token
        from memsleep.sync.providers.http import HttpProvider
    except ModuleNotFoundError as error:
        if error.name not in ("httpx2", "httpcore2"):
            raise
        raise ConfigError(
            "sync-extra-missing",
            'sync.provider = "http" needs a package that is not installed',
            hint="pip install 'memsleep[sync]'",
        ) from None
    token = _token(Token, token_env, environment) if token_env else None
    return HttpProvider(url, token, timing=timing)


def _token(make: type[Token], token_env: str, environment: Mapping[str, str]) -> Token:
    if _VARIABLE.match(token_env) is None:
        raise ConfigError(
            "sync-bad-token",
            "sync.token_env: expected the name of a variable, such as MEMSLEEP_SYNC_TOKEN",
            hint="give the name, never the token; if it was a token, make a new one",
        )
    secret = environment.get(token_env, "")
    if not secret:
        raise ConfigError(
            "sync-token-missing",
            f"the variable {token_env} that sync.token_env names is not set",
            hint=f"export {token_env}=..., or set sync.token_env to an empty text",
        )
    return make(secret)


def _missing(setting: str, what: str) -> ConfigError:
    return ConfigError(
        "sync-incomplete", f"{setting} is not set: {what}", hint=f"set {setting} in your own config"
    )
