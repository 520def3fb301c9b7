"""Fields of a memory from its front matter: which key states each, and what it means.

The order of the names in `KEYS` decides between several keys for one field. A value that
cannot be (a date that does not exist, a confidence of 80) is a warning and reads as absent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping as MappingOf
from dataclasses import dataclass, field
from types import MappingProxyType

from memsleep.instants import add_days
from memsleep.model import Problem
from memsleep.readers.dates import day_first_of, parse_date
from memsleep.readers.frontmatter import (
    Entry,
    FrontMatter,
    Scalar,
    Sequence,
)
from memsleep.readers.markdown_values import (
    list_texts,
    parse_confidence,
    parse_importance,
    parse_type,
    unbracketed,
)

KEYS: MappingOf[str, tuple[str, ...]] = MappingProxyType(
    {
        "title": ("title", "name"),
        "name": ("name",),
        "permalink": ("permalink", "slug"),
        "gist": ("description", "summary", "desc", "gist", "claim"),
        "type": ("type", "kind", "primitive", "metadata.type", "category"),
        "created": (
            "created", "createdat", "datecreated", "creationdate", "date", "timestamp", "id",
        ),
        "updated": ("updated", "updatedat", "lastupdated", "datemodified", "modified", "lastmod"),
        "event_time": ("eventtime", "eventdate"),
        "valid_from": ("validfrom",),
        "valid_until": ("validuntil", "expires", "expiry", "expirydate"),
        "ttl": ("ttl",),
        "archived_at": ("archivedat", "archived"),
        "confidence": ("confidence", "certainty"),
        "importance": ("importance", "priority", "severity"),
        "reprieves": ("reprieves",),
        "status": ("status", "state"),
        "pinned": ("pinned", "pin", "frozen", "readonly", "protected"),
        "tags": ("tags", "tag", "keywords"),
        "aliases": ("aliases", "alias"),
        "entities": ("entities", "entity"),
        "scope": ("scope", "project", "workspace"),
        "author": ("author",),
        "language": ("lang", "language"),
        "superseded_by": ("supersededby",),
        "content_hash": ("contenthash",),
    }
)  # fmt: skip
"""Field -> the keys that state it, in their normal form, the strongest first."""

INLINE_KEYS = frozenset(
    key
    for name, keys in KEYS.items()
    if name not in ("title", "name", "permalink", "author", "language", "scope", "superseded_by")
    for key in keys
    if key not in ("id", "name", "date", "timestamp", "state", "summary", "desc", "category")
)
"""Keys that a body may state in its text, `key:: value`; a weak one there is more often prose."""

_TRUE = frozenset({"true", "yes", "on", "1", "y"})
_FALSE = frozenset({"false", "no", "off", "0", "n"})
_TTL = re.compile(r"(\d{1,6}(?:\.\d+)?)\s*(d|days?|w|weeks?|h|hours?)?\Z", re.ASCII | re.I)
_DAYS_PER_UNIT = {"w": 7.0, "h": 1 / 24}
_DATES = ("created", "updated", "event_time", "valid_from", "valid_until", "archived_at")


@dataclass(slots=True)
class Fields:
    """What a block states, filled in while it is read."""

    path: str
    source: bytes
    front_matter: FrontMatter
    stated: dict[str, str] = field(default_factory=dict)
    raw: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def state(self, name: str, entry: Entry) -> None:
        """Keep which key gives a field, and the value as written."""
        self.stated[name] = entry.key
        value = entry.value
        self.raw[name] = (
            value.text
            if isinstance(value, Scalar)
            else self.source[value.start : value.end].decode("utf-8").rstrip()
        )

    def complain(self, code: str, entry: Entry, message: str) -> None:
        """Add a warning about one key; the value itself is never part of it."""
        self.problems.append(Problem(self.path, entry.line, code, message))

    def entries(self, name: str) -> list[tuple[Entry, str]]:
        """Return the entries that may state a field with their scalar text, blanks dropped."""
        found = []
        for key in KEYS[name]:
            entry = self.front_matter.find(key)
            if entry is None or not isinstance(entry.value, Scalar) or entry.value.null:
                continue
            text = entry.value.text.strip()
            if text:
                found.append((entry, text))
        return found

    def text(self, name: str) -> str | None:
        """Return the text of a field, None when no key states it."""
        for entry, text in self.entries(name):
            self.state(name, entry)
            return text
        return None


def stated_type(fields: Fields) -> str | None:
    """Return the type: a known one where the word names one, else the word as it is."""
    text = fields.text("type")
    if text is None:
        return None
    return parse_type(text)


def stated_dates(fields: Fields, day_first: bool | None) -> dict[str, str]:
    """Return the dates by field name; impossible ones are warnings (`bad-date`)."""
    order = date_order(fields.front_matter, day_first)
    found = {}
    for name in _DATES:
        for entry, text in fields.entries(name):
            parsed = parse_date(text, day_first=order)
            if parsed is not None:
                fields.state(name, entry)
                found[name] = parsed.instant
                break
            if _must_be_date(entry, text):
                fields.complain("bad-date", entry, f"`{entry.key}` is not a date that exists")
    return found


def date_order(block: FrontMatter, default: bool | None) -> bool | None:
    """Return the order of `06/08/2017` that the other dates of a block prove, else the default."""
    proven = set()
    for name in _DATES:
        for key in KEYS[name]:
            entry = block.find(key)
            if entry is not None and isinstance(entry.value, Scalar):
                proven.add(day_first_of(entry.value.text))
    proven.discard(None)
    return next(iter(proven)) if len(proven) == 1 else default


def _must_be_date(entry: Entry, text: str) -> bool:
    """Return False for an `id` or an `archived: true`, which need not be a date."""
    key = entry.key.casefold()
    return key != "id" and not (key == "archived" and text.casefold() in _TRUE | _FALSE)


def valid_until_of_ttl(fields: Fields, since: str | None) -> str | None:
    """Return when a `ttl` (days, or `2w`, `36h`) after `updated` or `created` ends."""
    for entry, text in fields.entries("ttl"):
        match = _TTL.match(text)
        if match is None or since is None:
            fields.complain("bad-ttl", entry, f"`{entry.key}` needs a number of days and a date")
            return None
        days = float(match[1]) * _DAYS_PER_UNIT.get((match[2] or "d")[0].lower(), 1.0)
        fields.state("ttl", entry)
        fields.state("valid_until", entry)
        return add_days(since, days)
    return None


def stated_number(fields: Fields, name: str, default: float) -> float:
    """Return confidence or importance, the default when none is stated or it cannot be."""
    parse = parse_confidence if name == "confidence" else parse_importance
    for entry, text in fields.entries(name):
        value = parse(text)
        if value is not None:
            fields.state(name, entry)
            return value
        fields.complain("bad-number", entry, f"`{entry.key}` is out of range or no number")
    return default


def stated_reprieves(fields: Fields) -> int:
    """Return how often the memory was reprieved."""
    for entry, text in fields.entries("reprieves"):
        if text.isascii() and text.isdigit() and len(text) < 10:
            fields.state("reprieves", entry)
            return int(text)
        fields.complain("bad-number", entry, f"`{entry.key}` is no count")
    return 0


def stated_status(fields: Fields) -> str:
    """Return the status in lower case; `archived: true` counts as one."""
    text = fields.text("status")
    if text is not None:
        return text.casefold()
    archived = fields.front_matter.find("archived")
    if archived is not None and isinstance(archived.value, Scalar):
        return "archived" if archived.value.text.strip().casefold() in _TRUE else "active"
    return "active"


def stated_pinned(fields: Fields) -> bool:
    """Return True when any of the keys that pin a memory says so."""
    for entry, text in fields.entries("pinned"):
        if text.casefold() in _TRUE:
            fields.state("pinned", entry)
            return True
        if "pinned" not in fields.stated:
            fields.state("pinned", entry)
    return False


def stated_list(fields: Fields, name: str) -> tuple[str, ...]:
    """Return the values of a list field, each once, in file order."""
    for key in KEYS[name]:
        entry = fields.front_matter.find(key)
        if entry is None or (isinstance(entry.value, Scalar) and entry.value.null):
            continue
        fields.state(name, entry)
        texts = list_texts(entry.value, fields.source, words=name == "tags")
        if name == "tags":
            texts = [text.lstrip("#") for text in texts]
        return tuple(dict.fromkeys(text for text in texts if text))
    return ()


def stated_text(fields: Fields, name: str) -> str:
    """Return a scope, author or language: a scalar, or the first of a list; else empty."""
    text = fields.text(name)
    if text is not None:
        return unbracketed(text)
    for key in KEYS[name]:
        entry = fields.front_matter.find(key)
        if entry is not None and isinstance(entry.value, Sequence):
            texts = list_texts(entry.value, fields.source, words=False)
            if texts:
                fields.state(name, entry)
                return texts[0]
    return ""
