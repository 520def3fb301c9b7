"""Suppressions: comments in a file, and globs in the config. Both must say why.

In a Markdown or HTML file `<!-- memsleep: ignore MS201 planned page -->` covers the line that it
stands on, or the next line with text when nothing else stands there; `ignore-file` covers the
file. In front matter it is a comment: `# memsleep: ignore MS104 as the source has it`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from memsleep.check.model import Found, Ignore
from memsleep.check.registry_codes import exists
from memsleep.check.view import FileView
from memsleep.corpus.globs import matches
from memsleep.nearest import NearestNames

_COMMENT = re.compile(r"<!--[ \t]*memsleep:[ \t]*(?P<what>[^\n]*?)[ \t]*-->")
_HASH = re.compile(r"(?:^|[ \t])#[ \t]*memsleep:[ \t]*(?P<what>[^\r\n]*?)[ \t]*\r?$", re.MULTILINE)
_WHAT = re.compile(
    r"(?P<scope>ignore|ignore-file)\s+(?P<codes>MS\w*(?:\s*,\s*MS\w*)*)(?:\s+(?P<reason>\S.*))?\Z"
)
_RULE = re.compile(
    r"(?P<codes>MS\w*(?:\s*,\s*MS\w*)*)\s+(?P<glob>\S(?:.*?\S)?):\s+(?P<reason>\S.*)\Z"
)

_WITH_HASHES = frozenset({"yaml", "toml"})
"""Heads in which `#` begins a comment."""


def suppressions(view: FileView) -> tuple[tuple[Ignore, ...], tuple[Found, ...]]:
    """Return the suppressions of a file, and what is wrong with those that suppress nothing."""
    if "memsleep:" not in view.text:
        return (), ()
    good: list[Ignore] = []
    bad: list[Found] = []
    for start, end, what in _comments(view):
        span = view.span(start, end)
        parsed = _parsed(what)
        if isinstance(parsed, str):
            bad.append(Found("MS115", *span, parsed))
            continue
        codes, whole_file, reason = parsed
        first, last = (0, 0) if whole_file else _covered(view, start, end)
        good.append(Ignore(codes, first, last, reason))
    return tuple(good), tuple(bad)


def _comments(view: FileView) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and words of each comment of ours; those in code are examples."""
    code = [] if view.is_markup else view.code_spans
    written = view.block is not None and view.block.kind in _WITH_HASHES
    body = view.block.body_start if view.block is not None and written else 0
    for match in _COMMENT.finditer(view.text):
        start = view.span(match.start(), match.end())[0]
        if start >= body and not any(first <= start < last for first, last in code):
            yield match.start(), match.end(), match["what"]
    if body:
        for match in _HASH.finditer(view.text):
            if view.span(match.start(), match.end())[1] <= body:
                yield match.start(), match.end(), match["what"]


def _parsed(what: str) -> tuple[tuple[str, ...], bool, str] | str:
    """Return codes, whether the whole file is meant, and the reason; or what is wrong."""
    match = _WHAT.match(what)
    if match is None:
        return "expected `memsleep: ignore CODE reason` or `memsleep: ignore-file CODE reason`"
    codes = _split(match["codes"])
    unknown = [code for code in codes if not exists(code)]
    if unknown:
        return f"expected a rule that exists, found {unknown[0][:12]}"
    if not match["reason"] or not re.search(r"\w", match["reason"]):
        return "expected a reason after the code, found none: nothing is suppressed"
    return codes, match["scope"] == "ignore-file", match["reason"]


def _split(codes: str) -> tuple[str, ...]:
    return tuple(code.strip() for code in codes.split(","))


def _covered(view: FileView, start: int, end: int) -> tuple[int, int]:
    """Return the first and last line that a comment covers."""
    text = view.text
    line = text.count("\n", 0, start) + 1
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    rest = text[line_start:start] + (text[end:] if line_end < 0 else text[end:line_end])
    if rest.strip(" \t\r\ufeff") or line_end < 0:
        return line, line
    following = re.compile(r"[ \t\r\n]*").match(text, line_end + 1)
    next_line = line + 1 + (following[0].count("\n") if following else 0)
    return line, next_line


@dataclass(frozen=True, slots=True)
class Suppression:
    """One suppression of the config."""

    codes: tuple[str, ...]
    glob: str
    reason: str

    def covers(self, code: str, path: str) -> bool:
        """Return True for a finding that it suppresses."""
        return any(code.startswith(one) for one in self.codes) and matches(path, self.glob)


def parse_rules(
    lines: Sequence[str], refuse: Callable[[str, str, str | None], Exception]
) -> tuple[Suppression, ...]:
    """Return the suppressions of `check.ignore`.

    Parameters
    ----------
    lines : sequence of str
        Each `CODE GLOB: reason`.
    refuse : callable
        Given the line, what is wrong and the nearest code or None; gives the error to raise.
    """
    found = []
    for line in lines:
        match = _RULE.match(line)
        if match is None:
            raise refuse(line, 'expected "CODE GLOB: reason"', None)
        codes = _split(match["codes"])
        for code in codes:
            if not exists(code):
                raise refuse(line, f"there is no rule {code!r}", nearest_code(code))
        found.append(Suppression(codes, match["glob"], match["reason"]))
    return tuple(found)


def nearest_code(code: str) -> str | None:
    """Return the code or name that is most like one that does not exist."""
    from memsleep.check.registry import RULES

    names = [(rule.code, rule.code) for rule in RULES.values()]
    return NearestNames([*names, *((r.name, r.code) for r in RULES.values())]).nearest(code)
