"""Find secrets in text: keys and tokens that their maker marks with a prefix, JWTs, private keys.

There is no guessing by entropy: commit ids, hashes and UUIDs are no secrets. A token counts only
in its maker's exact form; a placeholder (`ghp_xxxx...`) and the keys of vendors' documentation
do not. Every function is pure; none ever gives back the secret itself.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterator

from memsleep.safety.secret_forms import FORMS, KEY_NAME
from memsleep.safety.spans import Hit

_BEFORE = "(?<![A-Za-z0-9])"
_FORMS = tuple(
    (kind, re.compile(f"{_BEFORE}{'' if kind == 'url-password' else '(?<!_)'}(?:{pattern})"))
    for kind, _, pattern in FORMS
)
_SIGNS = tuple(
    (sign, place)
    for place, form in enumerate(FORMS)
    for sign in (form.signs.split() if form.kind != "private-key" else (form.signs,))
)
_AWS_KEY, _URL = (
    next(place for place, form in enumerate(FORMS) if form.kind == kind)
    for kind in ("aws-secret-key", "url-password")
)
_AFTER = re.compile(r"[A-Za-z0-9_]")
_OPEN_ENDED = frozenset({"url-password", "private-key", "jwt", "pypi-token"})
_PLACEHOLDER = re.compile(
    r"(?i:example|sample|dummy|placeholder|redacted|your[-_]|changeme|insert|fake|xxxx|0000000"
    r"|1234567|abcdefgh|\.\.\.|\*\*\*)"
)
_PLACEHOLDER_PASSWORD = re.compile(
    r"(?i:pass(?:word|wd)?|secret|user(?:name)?|pw|token|key|example|changeme|your.*|x+|\*+"
    r"|<.*|\{.*|\$.*|%.*|\[.*)\d{0,3}\Z"
)
_DOCUMENTED = frozenset({"AKIAIOSFODNN7EXAMPLE", "AKIAI44QH8DHBEXAMPLE", "ASIAIOSFODNN7EXAMPLE"})
MIN_KEY_CHARACTERS, MAX_KEY_CHARACTERS = 64, 20_000
_KEY_END = re.compile(f"-----END {KEY_NAME}-----")
SHORTEST = 15
"""No form matches fewer characters: dates, ids and most names need no search."""
_FEW = 5
"""A token made of fewer distinct characters than this is a placeholder."""


def find_secrets(text: str) -> Iterator[Hit]:
    """Yield the secrets of a text, in order; none overlaps another.

    Examples
    --------
    >>> [hit.kind for hit in find_secrets("key: AKIA" + "QYLPMN5HFIQR7XYA")]
    ['aws-access-key']
    >>> list(find_secrets("AKIAIOSFODNN7EXAMPLE, 3f786850e387550fdab836ed7e6dc881de23001b"))
    []
    """
    if len(text) < SHORTEST:
        return
    for kind, match in _matches(text):
        start, end = _span(match, kind)
        value = text[start:end]
        if kind not in _OPEN_ENDED and _AFTER.match(text, end):
            continue  # longer than the maker's form: something else
        if _CHECKS.get(kind, _is_random)(value):
            yield Hit(kind, start, end)


def _matches(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield what one pattern of all forms would match: the first in the text, of those the first.

    Most texts hold the signs of few forms, and each place in a text is tried for those alone.
    """
    waiting = {place: found for place in _signed(text) if (found := _FORMS[place][1].search(text))}
    while waiting:
        first = min(waiting, key=lambda place: (waiting[place].start(), place))
        match = waiting[first]
        yield _FORMS[first][0], match
        for place in [p for p, other in waiting.items() if other.start() < match.end()]:
            later = _FORMS[place][1].search(text, match.end())
            if later is None:
                del waiting[place]
            else:
                waiting[place] = later


def _signed(text: str) -> list[int]:
    """Return the places of the forms that may match at all."""
    found = {place for sign, place in _SIGNS if sign in text}
    if "secret" in text.lower():  # its name may be written in any case
        found.add(_AWS_KEY)
    if "://" in text and "@" in text:
        found.add(_URL)
    return sorted(found)


def holds_secret(text: str) -> bool:
    """Return True when a text holds a secret."""
    return next(find_secrets(text), None) is not None


def masked(text: str) -> str:
    """Return the text with every character of a secret replaced by an asterisk.

    Line ends stay, so that lines and columns still hold.
    """
    parts, at = [], 0
    for hit in find_secrets(text):
        parts += [text[at : hit.start], re.sub(r"[^\n]", "*", text[hit.start : hit.end])]
        at = hit.end
    return "".join((*parts, text[at:]))


def _span(match: re.Match[str], kind: str) -> tuple[int, int]:
    """Return the span of the secret itself, without the words that lead up to it."""
    if kind == "private-key":
        return match.start(), _end_of_key(match.string, match.end())
    group = {"aws-secret-key": "aws", "azure-storage-key": "azure", "url-password": "password"}
    return match.span(group[kind]) if kind in group else match.span()


def _end_of_key(text: str, start: int) -> int:
    """Return where a key block ends; where it begins when it has no proper end."""
    end = text.find("-----END ", start, start + MAX_KEY_CHARACTERS)
    closing = _KEY_END.match(text, end) if end >= 0 else None
    whole = closing is not None and "-----" not in text[start:end]
    return closing.end() if closing is not None and whole else start


def _is_random(value: str) -> bool:
    """Return False for a placeholder, which anybody may print."""
    if value in _DOCUMENTED or _PLACEHOLDER.search(value):
        return False
    longest = max(re.split(r"[_.-]", value), key=len)  # random parts hold these marks, too
    return len(set(longest)) >= _FEW


def _is_password(value: str) -> bool:
    return _PLACEHOLDER_PASSWORD.match(value) is None


def _is_jwt(value: str) -> bool:
    """Return True when the header decodes to JSON that names an algorithm."""
    header = value.partition(".")[0]
    try:
        decoded = json.loads(base64.urlsafe_b64decode(header + "=" * (-len(header) % 4)))
    except (binascii.Error, ValueError, RecursionError):
        return False
    return isinstance(decoded, dict) and isinstance(decoded.get("alg"), str)


def _is_key_block(value: str) -> bool:
    """Return False for a block without a body, or whose body is a placeholder."""
    body = value.partition("PRIVATE KEY")[2].partition("-----END")[0]
    return len(body) > MIN_KEY_CHARACTERS and "..." not in body and len(set(body)) > 20


_CHECKS: dict[str, Callable[[str], bool]] = {
    "url-password": _is_password,
    "jwt": _is_jwt,
    "private-key": _is_key_block,
}
