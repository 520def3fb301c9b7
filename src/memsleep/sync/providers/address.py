"""Where a service is: an address that holds no secret, and over which none is shown."""

from __future__ import annotations

import ipaddress
import re

import httpx2

from memsleep.errors import ConfigError

_HOST = re.compile(rb"[A-Za-z0-9._:-]+\Z")


def base_url(text: str) -> httpx2.URL:
    """Return the address of a service, checked.

    Raises
    ------
    ConfigError
        For another scheme than https (http on this machine alone), a name or password in it, a
        query or a fragment.
    """
    url = _parsed(text)
    if url is None:
        raise _bad("it is no URL")
    if url.scheme not in ("https", "http") or not url.host:
        raise _bad("expected https://HOST or https://HOST/PATH")
    if _HOST.match(url.raw_host) is None or not 0 <= (url.port or 0) <= 65535:
        raise _bad("its host or its port is none")
    if url.userinfo:
        raise _bad("it holds a name or a password; a token comes from the environment")
    if url.query or url.fragment:
        raise _bad("it has a query or a fragment")
    if url.scheme == "http" and not is_loopback(url.host):
        raise _bad(f"http to {url.host!r} would show the token and the memories to the network")
    return url


def _parsed(text: str) -> httpx2.URL | None:
    try:
        return httpx2.URL(text)
    except (httpx2.InvalidURL, ValueError):
        return None


def is_loopback(host: str) -> bool:
    """Return True for a host that is this machine, told by its name alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def shown(url: httpx2.URL) -> str:
    """Return an address as it may stand in records and messages."""
    port = "" if url.port is None else f":{url.port}"
    host = f"[{url.host}]" if ":" in url.host else url.host
    return f"{url.scheme}://{host}{port}{url.path.rstrip('/')}"


def _bad(why: str) -> ConfigError:
    """Return the error. The text itself is not quoted: it may hold a password."""
    return ConfigError(
        "sync-bad-url",
        f"sync.url: {why}",
        hint="give https://HOST/PATH, or http://127.0.0.1:PORT for a service on this machine",
    )
