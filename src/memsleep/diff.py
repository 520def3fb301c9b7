"""The night as a patch in git's own format.

`git apply` of it, outside any repository or at the top of one, gives byte for byte what the run
writes; `git apply -R` takes it back. Headers are ASCII; bodies are the bytes of the files.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from memsleep.patch_hunks import hunks

REGULAR_FILE_MODE = 0o100644
ABBREVIATION_DIGITS = 10
_NO_BLOB = b"0" * ABBREVIATION_DIGITS
_NO_FILE = b"/dev/null"
_NO_MODES: Mapping[str, int] = MappingProxyType({})
_NEEDS_QUOTES = re.compile(rb'[^ -~]|["\\]')
_ESCAPES = {
    **{byte: b"\\%03o" % byte for byte in range(256)},
    **{7 + place: b"\\" + letter.encode() for place, letter in enumerate("abtnvfr")},
    **{byte: b"\\%c" % byte for byte in b'"\\'},
}
_CHUNK = re.compile(rb"[^\n]{0,63}\n|[^\n]{1,64}")


def quote_path(path: str, prefix: str = "") -> bytes:
    """Return a path as git prints it with `core.quotePath` on: C-quoted unless plain ASCII."""
    raw = (prefix + path).encode("utf-8", "surrogateescape")
    if not _NEEDS_QUOTES.search(raw):
        return raw
    return b'"%b"' % _NEEDS_QUOTES.sub(lambda match: _ESCAPES[match[0][0]], raw)


def blob_id(source: bytes) -> str:
    """Return the id that git gives to these bytes as a blob (SHA-1)."""
    header = b"blob %d\0" % len(source)
    return hashlib.sha1(header + source, usedforsecurity=False).hexdigest()


def similarity_percent(before: bytes, after: bytes) -> int:
    """Return the share of bytes kept in percent, 100 only for equal bytes.

    Counted as git does for renames: by lines, long ones in pieces of 64 bytes, in any order.
    """
    if before == after:
        return 100
    kept = Counter(_CHUNK.findall(before)) & Counter(_CHUNK.findall(after))
    kept_bytes = sum(len(chunk) * count for chunk, count in kept.items())
    return min(99, 100 * kept_bytes // max(len(before), len(after)))


def _name_line(sign: bytes, name: bytes) -> bytes:
    # git ends a name that holds a blank with a tab, so that other tools find its end.
    return sign + b" " + name + (b"\t" if b" " in name else b"") + b"\n"


def _blob(source: bytes | None) -> bytes:
    return _NO_BLOB if source is None else blob_id(source)[:ABBREVIATION_DIGITS].encode()


def _text_part(old: str, new: str, before: bytes | None, after: bytes | None) -> bytes:
    """Return the `---`, `+++` and hunk lines; nothing where no line differs."""
    body = hunks(before or b"", after or b"")
    if not body:
        return b""
    old_name = _NO_FILE if before is None else quote_path(old, "a/")
    new_name = _NO_FILE if after is None else quote_path(new, "b/")
    return _name_line(b"---", old_name) + _name_line(b"+++", new_name) + body


def _file_patch(old: str, new: str, before: bytes | None, after: bytes | None, mode: int) -> bytes:
    lines = [b"diff --git %b %b" % (quote_path(old, "a/"), quote_path(new, "b/"))]
    index = b"index %b..%b" % (_blob(before), _blob(after))
    if before is None:
        lines += [b"new file mode %o" % mode, index]
    elif after is None:
        lines += [b"deleted file mode %o" % mode, index]
    else:
        if old != new:
            lines += [
                b"similarity index %d%%" % similarity_percent(before, after),
                b"rename from " + quote_path(old),
                b"rename to " + quote_path(new),
            ]
        if before != after:
            lines.append(b"%b %o" % (index, mode))
    return b"\n".join(lines) + b"\n" + _text_part(old, new, before, after)


def _check_renames(
    before: Mapping[str, bytes], after: Mapping[str, bytes], renames: Mapping[str, str]
) -> None:
    for old, new in renames.items():
        if old not in before or new not in after:
            raise ValueError(f"no such rename: {old!r} before, {new!r} after")
        if new in before and new not in renames:
            raise ValueError(f"rename of {old!r} would write over {new!r}")
    if len(set(renames.values())) != len(renames):
        raise ValueError("two renames have one target")


def _file_pairs(
    before: Mapping[str, bytes], after: Mapping[str, bytes], renames: Mapping[str, str]
) -> Iterator[tuple[str, str, bytes | None, bytes | None]]:
    """Yield old path, new path and both bytes of each file that differs, by old path."""
    created = after.keys() - set(renames.values())
    for path in sorted(before.keys() | created):
        if path in before:
            new = renames.get(path, path)
            if new != path or before[path] != after.get(new):
                yield path, new, before[path], after.get(new)
        if path in created and (path not in before or path in renames):
            yield path, path, None, after[path]


def git_diff(
    before: Mapping[str, bytes],
    after: Mapping[str, bytes],
    renames: Mapping[str, str],
    *,
    modes: Mapping[str, int] = _NO_MODES,
) -> bytes:
    """Return the patch that turns one set of files into another.

    Parameters
    ----------
    before, after : mapping of path to bytes
        Files as they are and as they shall be. Equal ones are left out of the patch.
    renames : mapping of old path to new path
        Which path of `after` continues which path of `before`.
    modes : mapping of path to int, default empty
        Git mode of files that are not 0o100644, by old path (by new path for new files).

    Returns
    -------
    bytes
        Git-format patch in the order of old paths; empty where nothing differs.

    Raises
    ------
    ValueError
        If a file that differs holds a NUL byte, or a rename names a path that is not there or
        would write over another file.
    """
    _check_renames(before, after, renames)
    patches = []
    for old, new, old_bytes, new_bytes in _file_pairs(before, after, renames):
        if b"\0" in (old_bytes or b"") or b"\0" in (new_bytes or b""):
            raise ValueError(f"{new!r} holds a NUL byte: no text patch can carry it")
        mode = modes.get(old, REGULAR_FILE_MODE)
        patches.append(_file_patch(old, new, old_bytes, new_bytes, mode))
    return b"".join(patches)
