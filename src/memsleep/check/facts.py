"""What a check keeps of one file: enough for all rules about the corpus, small enough to cache.

`Facts` go to JSON and back, so that they can come from another process or an earlier check. The
body of a memory is left out; the few that are needed again are read again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Any

from memsleep.check.model import Found, Ignore
from memsleep.check.rules import format as format_rules
from memsleep.check.rules import links as link_rules
from memsleep.check.rules import safety as safety_rules
from memsleep.check.rules import size as size_rules
from memsleep.check.rules import time as time_rules
from memsleep.check.suppress import suppressions
from memsleep.check.view import FileView
from memsleep.corpus.select import Role
from memsleep.dialects.base import Dialect, Options
from memsleep.dialects.registry import dialects_with
from memsleep.embedders.hashgram import Hashgram
from memsleep.model import EMPTY, Link, Memory, Unreadable
from memsleep.readers.frontmatter import Scalar
from memsleep.settings import CheckSettings
from memsleep.text import content_key

FILE_RULES = (
    format_rules.find,
    link_rules.find,
    time_rules.find,
    safety_rules.find,
    size_rules.find,
)
EMBEDDER = Hashgram()
"""The built-in one, whatever the config says: a check is the same on every machine."""
_KEPT = (
    "path", "dialect", "type", "title", "gist", "word_count", "digest", "content_hash", "created",
    "updated", "event_time", "valid_from", "valid_until", "archived_at", "status", "pinned",
    "scope", "superseded_by", "read_only", "protected", "container",
)  # fmt: skip
_RAW = ("name", "permalink", "id", "due", "task_status")


@dataclass(frozen=True, slots=True)
class Facts:
    """One file that was looked at."""

    path: str
    memory: Memory | None
    """The memory without its body; None for a page, and for a file that cannot be read."""
    links: tuple[Link, ...]
    """Links as written, not resolved."""
    found: tuple[Found, ...]
    """What the rules about single files found."""
    ignores: tuple[Ignore, ...]
    same: str = ""
    """Digest that equal contents share; empty for a memory that says nothing."""
    text: str = ""
    """Digest of the text that is embedded."""
    body: str = ""
    """The body, only where the file was read just now."""

    def to_json(self) -> str:
        """Return the facts, less the body, as one line."""
        memory = self.memory
        kept = None if memory is None else [getattr(memory, name) for name in _KEPT]
        lists = None if memory is None else [list(memory.aliases), dict(memory.stated)]
        raw = None if memory is None else {k: memory.raw[k] for k in _RAW if k in memory.raw}
        links = [
            [k.relation, k.target, k.line, k.form, k.start, k.end, k.external] for k in self.links
        ]
        whole = [kept, lists, raw, links, self.found, self.ignores, self.same, self.text]
        return json.dumps(whole, separators=(",", ":"), ensure_ascii=True)


def facts_from_json(path: str, text: str, body: str = "") -> Facts:
    """Return facts from their JSON; raises what a wrong shape raises."""
    kept, lists, raw, links, found, ignores, same, text_key = json.loads(text)
    memory = None
    read_links = tuple(
        Link(relation, target, line, form, start, end, external=external)
        for relation, target, line, form, start, end, external in links
    )
    if kept is not None:
        aliases, stated = lists
        fields: dict[str, Any] = dict(zip(_KEPT, kept, strict=True))
        memory = Memory(
            **fields,
            body="",
            aliases=tuple(aliases),
            stated=MappingProxyType(stated) if stated else EMPTY,
            raw=MappingProxyType(raw) if raw else EMPTY,
            links=read_links,
        )
    return Facts(
        path,
        memory,
        read_links,
        tuple(Found(*one) for one in found),
        tuple(Ignore(tuple(codes), *rest) for codes, *rest in ignores),
        same,
        text_key,
        body,
    )


@cache
def _dialects(day_first: bool | None) -> Mapping[str, Dialect]:
    return dialects_with(Options(day_first=day_first))


def view_of(
    path: str,
    source: bytes,
    role: Role,
    settings: CheckSettings,
    *,
    day_first: bool | None = None,
) -> FileView:
    """Read one file, or one entry of a file, as its role asks."""
    dialect = _dialects(day_first)[role.dialect]
    read = dialect.read(path, source) if role.part == "memory" else None
    links = read.links if isinstance(read, Memory) else ()
    if role.part == "reference":
        links = dialect.read_links(path, source)
    return FileView(path, source, role, read, links, settings)


def facts_of(view: FileView) -> Facts:
    """Ask every rule about single files, and keep what the others need."""
    found = sorted({one for rule in FILE_RULES for one in rule(view)})
    ignores, bad = suppressions(view)
    memory = view.memory
    kept = None if memory is None else replace(memory, body="", raw=_raw(view, memory), warnings=())
    return Facts(
        view.path,
        kept,
        view.links,
        tuple(sorted((*found, *bad))),
        ignores,
        _digest(content_key(memory)) if memory else "",
        _digest(EMBEDDER.text_of(memory)) if memory else "",
        memory.body if memory else "",
    )


def _raw(view: FileView, memory: Memory) -> Mapping[str, str]:
    """Return the few values as written that rules about the corpus look at."""
    raw = {name: memory.raw[name] for name in _RAW if name in memory.raw}
    for name in ("id", "due") if not view.is_html else ():
        entry = view.entry(name)
        if entry is not None and isinstance(entry.value, Scalar) and not entry.value.null:
            raw[name] = entry.value.text.strip()
    return MappingProxyType(raw)


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:32] if key else ""


def is_unreadable(view: FileView) -> bool:
    """Return True for a file that is no memory though it should be."""
    return isinstance(view.read, Unreadable)
