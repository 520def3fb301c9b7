"""Which slugs a service of files takes: what every system can hold, below one folder."""

from __future__ import annotations

import re

from memsleep.corpus.source import TEXT_SUFFIXES, folder_cause
from memsleep.naming import too_long
from memsleep.sync.protocol import SCOPES, PushRejected, WriteRequest

_RESERVED = re.compile(r'[<>:"|?*\\\x00-\x1f\x7f]')
_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9\xb9\xb2\xb3]|lpt[0-9\xb9\xb2\xb3])"
    r" *(?:\..*)?\Z",
    re.I,
)
_CLIENT_ID = re.compile(r"[A-Za-z0-9_-]{1,128}\Z")


def is_client_id(text: str) -> bool:
    """Return True for what may stand in an address and in a file's name."""
    return _CLIENT_ID.match(text) is not None


def refuse_unfit(request: WriteRequest) -> None:
    """Raise `PushRejected` for a request that no service of files may take."""
    if request.scope not in SCOPES:
        raise PushRejected(f"the scope is none of {', '.join(SCOPES)}")
    if not is_client_id(request.client_id):
        raise PushRejected("the client id is not 1 to 128 letters, digits, - and _")
    reason = unfit(request.slug)
    if reason:
        raise PushRejected(f"the slug cannot be a file: {reason}")


def unfit(slug: str) -> str:
    """Say why a slug cannot be a file's path on every system; empty when it can.

    Examples
    --------
    >>> unfit("areas/rules.md"), unfit("../rules.md"), unfit("areas/aux.md")
    ('', 'it leads out of the folder', 'a part of it is the name of a device on Windows')
    """
    try:
        slug.encode("utf-8")
    except UnicodeEncodeError:
        return "it is not UTF-8"
    parts = slug.split("/")
    if any(part in ("", ".", "..") for part in parts):
        return "it leads out of the folder"
    if any(part.startswith(".") for part in parts):
        return "a part of it is hidden"
    if folder_cause(slug):
        return "it lies in a folder whose files are never read"
    if not slug.lower().endswith(TEXT_SUFFIXES):
        return f"it ends in none of {', '.join(TEXT_SUFFIXES)}"
    if too_long(slug):
        return "it is too long"
    return next((why for why in map(_unfit_part, parts) if why), "")


def _unfit_part(part: str) -> str:
    if _RESERVED.search(part) is not None:
        return "it holds a character that not every system takes"
    if part.endswith((" ", ".")) or part.startswith(" "):
        return "a part of it starts or ends with a blank, or ends with a dot"
    if _DEVICE.match(part) is not None:
        return "a part of it is the name of a device on Windows"
    return ""
