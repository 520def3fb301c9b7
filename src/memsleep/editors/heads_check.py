"""What an editor of heads that are not YAML must be sure of, before an edit and after it."""

from __future__ import annotations

from memsleep.editors.heads_encode import bare_is_right
from memsleep.errors import EditRefused
from memsleep.readers.frontmatter import (
    Entry,
    FrontMatter,
    Mapping,
    Scalar,
    Sequence,
    Value,
    normal_key,
)
from memsleep.readers.head import head_and_fields
from memsleep.readers.markdown_fields import INLINE_KEYS

Shape = tuple[object, ...]


def kind_of(block: FrontMatter, entry: Entry) -> str:
    """Return how an entry is written, `inline` for a field of the text."""
    return "inline" if entry in block.inline else block.kind


def check(source: bytes, block: FrontMatter, entry: Entry) -> None:
    """Refuse a key whose bytes the editor does not fully understand, with the reason."""
    if block.locked and entry not in block.inline:
        raise EditRefused(block.locked, line=entry.line)
    if entry.repeated:
        raise refuse(entry, "it is stated more than once")
    if "." in entry.key and entry in block.entries:
        raise refuse(entry, "its key is written with a dot")
    value = entry.value
    multi = isinstance(value, Scalar) and b"\n" in source[value.start : value.end]
    if isinstance(value, Mapping) or multi:
        raise refuse(entry, "its value spans several lines")
    if (
        isinstance(value, Scalar)
        and not value.style
        and not bare_is_right(kind_of(block, entry), value.text)
    ):
        raise refuse(entry, "its value is of a kind the editor does not know")


def refuse(entry: Entry, reason: str) -> EditRefused:
    """Return the refusal of one key, with its line."""
    return EditRefused(f"the key `{entry.key}` is left as it is: {reason}", line=entry.line)


def place(block: FrontMatter, entry: Entry) -> str:
    """Return the name of what an edit changes: a key, a nested key, or a field of the text."""
    return f"inline {normal_key(entry.key)}" if entry in block.inline else entry.key


def shape_of_text(text: str) -> Shape:
    """Return what one text is compared by."""
    return ("text", text)


def shape_of(value: Value) -> Shape:
    """Return what a value is compared by: its texts and how they nest."""
    if isinstance(value, Scalar):
        return shape_of_text(value.text)
    if isinstance(value, Sequence):
        return ("list", *map(shape_of, value.items))
    return ("map", *((name.text, shape_of(inner)) for name, inner in value.entries))


def _shapes(block: FrontMatter) -> dict[str, Shape]:
    found: dict[str, Shape] = {}
    for number, entry in enumerate(block.entries):
        if isinstance(entry.value, Mapping):
            for name, inner in entry.value.entries:
                found[f"{entry.key}.{name.text}"] = shape_of(inner)
            continue
        key = entry.key if entry.key not in found else f"{entry.key} {number}"
        found[key] = shape_of(entry.value)
    for entry in block.inline:
        found[f"inline {normal_key(entry.key)}"] = shape_of(entry.value)
    return found


def proven(
    source: bytes,
    block: FrontMatter,
    result: bytes,
    changed: dict[str, Shape | None],
    *,
    added: tuple[str, Shape] | None = None,
) -> bytes:
    """Return the edited bytes when they read as expected and the body is the same."""
    again = head_and_fields(result, INLINE_KEYS)
    if (
        not isinstance(again, FrontMatter)
        or again.kind != block.kind
        or again.locked != block.locked
    ):
        raise EditRefused("the edited head would not load", line=1)
    expected: dict[str, Shape] = dict(_shapes(block))
    for key, shape in changed.items():
        if shape is None:
            expected.pop(key, None)
        else:
            expected[key] = shape
    found = _shapes(again)
    if added is not None:
        new = {key for key in found if normal_key(key) == added[0]} - expected.keys()
        if len(new) == 1:
            expected[new.pop()] = added[1]
    same_body = any(key.startswith("inline ") for key in changed) or (
        result[again.body_start :] == source[block.body_start :]
    )
    if found != expected or not same_body:
        raise EditRefused("the edit would change the meaning of another key", line=1)
    return result
