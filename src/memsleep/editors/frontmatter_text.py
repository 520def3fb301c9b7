"""Writing one YAML scalar in the quoting that stands there, or in the least that is safe."""

from __future__ import annotations

import re

import yaml

_RESOLVER = yaml.resolver.Resolver()
_STRING = "tag:yaml.org,2002:str"
_ODD = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff"
_PLAIN = re.compile(rf"[^\s\-?:,\[\]{{}}#&*!|>'\"%@`~=<{_ODD}][^{_ODD}]*\Z")
_BREAKS_PLAIN = re.compile(r":(?:\s|\Z)|\s#|\s\Z")
_BREAKS_FLOW = re.compile(r"[,\[\]{}?]|:(?=[,\[\]{}\"'])")
_NUMBER_LIKE = re.compile(r"[-+.]?\d[\d_.,:eExXoO+-]*\Z")
_UNPRINTABLE = re.compile(rf"[{_ODD}\"\\]")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def encode_scalar(text: str, style: str, *, textual: bool, flow: bool = False) -> str:
    """Return a scalar as YAML.

    Parameters
    ----------
    text : str
        What a loader shall read.
    style : str
        Quote that is there now: empty for plain, else `'` or `"`.
    textual : bool
        True when it must load as text (`2024` as a tag is then quoted), False for dates and
        numbers.
    flow : bool
        True inside `[...]` or `{...}`.

    Examples
    --------
    >>> encode_scalar("2024", "", textual=True), encode_scalar("2024", "", textual=False)
    ('"2024"', '2024')
    >>> encode_scalar("it's", "'", textual=True)
    "'it''s'"
    """
    if style == "'" and not _UNPRINTABLE.search(text.replace('"', "").replace("\\", "")):
        return "'" + text.replace("'", "''") + "'"
    if style == "" and is_plain_safe(text, flow=flow) and not (textual and not loads_as_text(text)):
        return text
    return '"' + _UNPRINTABLE.sub(_escaped, text) + '"'


def is_plain_safe(text: str, *, flow: bool) -> bool:
    """Return True when a text can stand without quotes on one line."""
    if not _PLAIN.match(text) or _BREAKS_PLAIN.search(text):
        return False
    return not (flow and _BREAKS_FLOW.search(text))


def loads_as_text(text: str) -> bool:
    """Return True when every loader reads the plain text as a string."""
    resolved = _RESOLVER.resolve(yaml.ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
    return resolved == _STRING and not _NUMBER_LIKE.match(text)


def _escaped(match: re.Match[str]) -> str:
    character = match[0]
    code = ord(character)
    return _ESCAPES.get(character) or (f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}")
