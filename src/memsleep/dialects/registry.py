"""The dialects by name: dull, greppable, type-checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from memsleep.dialects import (
    basic_memory,
    claude,
    dendron,
    evernote,
    foam,
    hermes,
    html,
    letta,
    logseq,
    memhtml_sign,
    obsidian,
    openclaw,
    plain,
)
from memsleep.dialects.base import Dialect, Options
from memsleep.dialects.entries import EntriesDialect
from memsleep.dialects.markdown import MarkdownDialect
from memsleep.dialects.memhtml import MEMHTML
from memsleep.dialects.page import PageDialect
from memsleep.dialects.signs import Folder
from memsleep.dialects.traits import Traits

STORES: tuple[tuple[Traits, Callable[[Folder], str]], ...] = (
    (memhtml_sign.TRAITS, memhtml_sign.sign),
    (hermes.TRAITS, hermes.sign),
    (letta.TRAITS, letta.sign),
    (openclaw.TRAITS, openclaw.sign),
    (claude.TRAITS, claude.sign),
    (logseq.TRAITS, logseq.sign),
    (basic_memory.TRAITS, basic_memory.sign),
    (obsidian.TRAITS, obsidian.sign),
    (foam.TRAITS, foam.sign),
    (dendron.TRAITS, dendron.sign),
    (evernote.TRAITS, evernote.sign),
    (html.TRAITS, html.sign),
)
"""Every dialect with its signs, the most specific first: the first that is seen counts."""

TRAITS: Mapping[str, Traits] = MappingProxyType(
    {traits.name: traits for traits, _ in STORES}
    | {"plain": plain.TRAITS, "markdown": plain.TRAITS}
)
"""Name -> what is particular to a dialect; `markdown` is another name of `plain`."""


def _dialect(traits: Traits, options: Options) -> Dialect:
    if traits.name == "memhtml":
        return MEMHTML
    if traits.html:
        return PageDialect(traits, options)
    if traits.entries:
        return EntriesDialect(MarkdownDialect(traits, options))
    return MarkdownDialect(traits, options)


def dialects_with(options: Options) -> Mapping[str, Dialect]:
    """Return name -> reader and editor, with what the config says of reading and writing."""
    return MappingProxyType({name: _dialect(traits, options) for name, traits in TRAITS.items()})


DIALECTS: Mapping[str, Dialect] = dialects_with(Options())
"""Name -> reader and editor, with the defaults of the config."""


def dialect_for(path: str, dialects: Mapping[str, Dialect] = DIALECTS) -> Dialect:
    """Return the dialect of a file that is no memory, by the ending of its name."""
    return dialects["memhtml" if path.lower().endswith((".html", ".htm")) else "plain"]
