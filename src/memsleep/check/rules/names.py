"""MS6xx, second part: names that break on another system, and what is no plain file."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from memsleep.check.model import WHOLE, Found, Rule
from memsleep.check.places import quoted
from memsleep.corpus.flags import colliding
from memsleep.corpus.source import folder_cause

if TYPE_CHECKING:
    from memsleep.check.corpus import CheckedCorpus

RULES = (
    Rule(
        "MS603", "case-collision", "error",
        "Two names differ only by case or by Unicode form.",
        "On macOS and Windows only one of the two files can exist: a checkout there silently drops "
        "the other, and the next commit deletes it.",
        "garden/Compost.md and garden/compost.md",
        "Rename one of them.",
    ),
    Rule(
        "MS604", "reserved-name", "error",
        "A name cannot exist on Windows.",
        "One of the characters `< > : \" | ? * \\`, a control character, a blank or dot at the "
        "end, or a name such as CON, NUL or LPT1 with any ending: the repository cannot be "
        "checked out there.",
        "notes/what is 1:1?.md",
        "Rename the file; links follow when the night does it, or with `MS201` as your guide.",
    ),
    Rule(
        "MS605", "long-name", "warning",
        "A name or path is longer than some systems take.",
        "Over 200 bytes for one name, or 240 characters for a path: file systems end at 255 bytes, "
        "sync tools and Windows at 260 characters with what stands before the repository, and an "
        "archived file gains `archive/2026/`.",
        "a title of 210 characters as a file name",
        "Shorten the name; the title can stand in the file.",
    ),
    Rule(
        "MS606", "name-not-utf-8", "error",
        "A name is not UTF-8.",
        "Such a file is left alone by every night and cannot be linked to. It was made by an old "
        "archive or another locale.",
        "caf\\xe9.md",
        "Rename the file.",
    ),
    Rule(
        "MS607", "not-a-plain-file", "warning",
        "A name is a symbolic link, a hard link, a pipe, or a repository of its own.",
        "It is never followed, so what lies behind it is not part of the corpus; where it is "
        "checked out as a copy, it is a duplicate.",
        "areas/rules.html -> ../shared/rules.html",
        "Replace it by the file itself, or leave it out with `corpus.exclude`.",
    ),
    Rule(
        "MS608", "decomposed-name", "note",
        "A name is in decomposed Unicode form.",
        "An accented letter is written as two characters, as macOS used to. A link typed on "
        "another system spells it with one, and tools that compare bytes do not find the file.",
        "caf\\u0065\\u0301.md",
        "Rename the file to the composed form.",
    ),
)  # fmt: skip

MAX_NAME_BYTES, MAX_PATH_CHARACTERS = 200, 240
_RESERVED = re.compile(r'[<>:"|?*\\\x00-\x1f]|[ .]\Z')
_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|com[0-9\xb9\xb2\xb3]|lpt[0-9\xb9\xb2\xb3])(?:\..*)?\Z", re.I
)
_PROBLEMS: Mapping[str, str] = {
    "name-not-utf-8": "MS606",
    "symlink": "MS607",
    "hard-link": "MS607",
    "special-file": "MS607",
    "submodule": "MS607",
    "nested-repository": "MS607",
}
UNREADABLE = frozenset(
    {"permission-denied", "vanished", "changing", "unreadable", "too-large", "lfs-pointer",
     "object-missing"}
)  # fmt: skip


def find_in_corpus(corpus: CheckedCorpus) -> Iterator[tuple[str, Found]]:
    """Yield what is wrong with the names of all files, and what could not be read at all."""
    for problem in corpus.problems:
        code = _PROBLEMS.get(problem.code)
        if code is not None:
            yield problem.path, Found(code, WHOLE, WHOLE, problem.message, problem.code)
    for problem in corpus.unread:
        message = quoted(problem.message)
        found = Found("MS101", WHOLE, WHOLE, message, problem.code, unreadable=True)
        yield problem.path, found
    names = [path for path in corpus.names if not folder_cause(path)]
    for path, rival in colliding(corpus.taken).items():
        if path > rival and not folder_cause(path):
            message = f"differs from {quoted(rival)} only by case or Unicode form"
            yield path, Found("MS603", WHOLE, WHOLE, message, "", rival)
    for path in names:
        yield from ((path, found) for found in _about(path))


def _about(path: str) -> Iterator[Found]:
    parts = path.split("/")
    for part in parts:
        if (match := _RESERVED.search(part)) is not None:
            message = f"the name holds {_spelt(match[0])}, which Windows does not take"
            yield Found("MS604", WHOLE, WHOLE, message)
            break
        if _DEVICE.match(part):
            message = f"{quoted(part)} is a device's name on Windows"
            yield Found("MS604", WHOLE, WHOLE, message)
            break
    longest = max(len(part.encode("utf-8", "surrogatepass")) for part in parts)
    if longest > MAX_NAME_BYTES:
        message = f"expected a name of at most {MAX_NAME_BYTES} bytes, found {longest}"
        yield Found("MS605", WHOLE, WHOLE, message)
    elif len(path) > MAX_PATH_CHARACTERS:
        message = f"expected a path of at most {MAX_PATH_CHARACTERS} characters, found {len(path)}"
        yield Found("MS605", WHOLE, WHOLE, message)
    if not path.isascii() and unicodedata.normalize("NFC", path) != path:
        yield Found("MS608", WHOLE, WHOLE, "the name is in decomposed form")


def _spelt(character: str) -> str:
    if character in " .":
        return "a blank at its end" if character == " " else "a dot at its end"
    return f"`{character}`" if character.isprintable() else f"U+{ord(character):04X}"
