"""A secret that shows nowhere but in the header that it is for."""

from __future__ import annotations

import re

from memsleep.errors import ConfigError

_TOKEN = re.compile(r"[\x21-\x7e]{1,4096}\Z")


class Token:
    """What a service asks for. It has no text, no copy and no stored form."""

    __slots__ = ("__secret",)

    def __init__(self, secret: str) -> None:
        if _TOKEN.match(secret) is None:
            del secret  # a traceback may show the values of its frames
            raise ConfigError(
                "sync-bad-token",
                "the token is not 1 to 4096 visible ASCII characters on one line",
                hint="look for a line end or a quote at its end, where you set it",
            )
        self.__secret = secret

    def __repr__(self) -> str:
        return "Token(***)"

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a token is not written anywhere")

    def header(self) -> str:
        """Return the value of the `Authorization` header."""
        return f"Bearer {self.__secret}"

    def scrub(self, text: str) -> str:
        """Return a text of the other side without the token, should it quote it."""
        return text.replace(self.__secret, "***")
