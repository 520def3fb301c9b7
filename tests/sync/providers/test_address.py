"""Where memories may be sent: over TLS, or to this machine."""

from __future__ import annotations

import pytest

from memsleep.errors import ConfigError
from memsleep.sync.providers.address import base_url, is_loopback, shown

GOOD = [
    ("https://memory.example", "https://memory.example"),
    ("https://memory.example/", "https://memory.example"),
    ("https://memory.example:8443/api/", "https://memory.example:8443/api"),
    ("HTTPS://Memory.Example/A", "https://memory.example/A"),
    ("https://192.0.2.7", "https://192.0.2.7"),
    ("https://[2001:db8::7]:8443", "https://[2001:db8::7]:8443"),
    ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
    ("http://127.9.9.9", "http://127.9.9.9"),
    ("http://localhost:1", "http://localhost:1"),
    ("http://[::1]:8080/api", "http://[::1]:8080/api"),
]


@pytest.mark.parametrize(("text", "told"), GOOD)
def test_an_address_that_keeps_its_secrets_is_taken(text: str, told: str) -> None:
    """TLS anywhere, plain HTTP on this machine."""
    assert shown(base_url(text)) == told


BAD = [
    "",
    "memory.example",
    "//memory.example",
    "https://",
    "https:///path",
    "ftp://memory.example",
    "file:///etc/passwd",
    "http://memory.example",
    "http://192.168.0.7",
    "http://10.0.0.1:8080",
    "http://0.0.0.0:8080",
    "http://127.0.0.1.memory.example",
    "http://localhost.memory.example",
    "http://127.1.memory.example",
    "http://[::]:8080",
    "http://[2001:db8::7]",
    "http://2130706433",
    "https://user:geheim@memory.example",
    "https://geheim@memory.example",
    "https://memory.example/?token=geheim",
    "https://memory.example/#geheim",
    "https://memory.example:geheim",
    "https://memory.example:70000000",
    "https://memory .example",
    "https://memory.example/\n",
    "http://[::1",
]


@pytest.mark.parametrize("text", BAD)
def test_an_address_that_would_show_a_secret_is_not(text: str) -> None:
    """It is refused before anything is sent, and not quoted: it may hold a password."""
    with pytest.raises(ConfigError) as error:
        base_url(text)
    assert error.value.reference == "sync-bad-url"
    assert "geheim" not in "\n".join(error.value.lines())
    assert "geheim" not in repr(error.value.__context__)


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("localhost", True), ("127.0.0.1", True), ("127.255.0.9", True), ("::1", True),
        ("localhost.", False), ("LOCALHOST", False), ("", False), ("127.1", False),
        ("0.0.0.0", False), ("::", False), ("memory.example", False), ("128.0.0.1", False),
    ],
)  # fmt: skip
def test_what_is_this_machine(host: str, expected: bool) -> None:
    """Told from the name alone, without asking anybody."""
    assert is_loopback(host) is expected
