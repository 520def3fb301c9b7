"""MS1xx: files and their format. The rules and what is asked of both dialects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memsleep.check.model import WHOLE, Found, Rule
from memsleep.check.places import quoted
from memsleep.check.rules.format_html import find_in_html
from memsleep.check.rules.format_markdown import find_in_markdown
from memsleep.check.view import FileView
from memsleep.model import Problem, Unreadable
from memsleep.readers.markdown import text_problem

RULES = (
    Rule(
        "MS101", "unreadable-file", "error",
        "A file cannot be read as text.",
        "The file vanished or changed while it was read, may not be read, is too large, is a "
        "pointer of Git LFS, holds NUL bytes or is not UTF-8; a memhtml file must also be free "
        "of a byte order mark, since parsers push its head into the body. Such a file is left "
        "alone by every night, so what it says is lost to recall without anybody noticing.",
        "caf\\xe9 opens at nine   (Latin-1 bytes)",
        "Save the file as UTF-8 (memhtml: without a byte order mark), or leave it out with "
        "`corpus.exclude`.",
    ),
    Rule(
        "MS102", "malformed-memory", "error",
        "A file is text, but no memory of its dialect.",
        "A memhtml file needs one article with one claim in a `mark` in its first paragraph, and "
        "neither scripts nor styles; Markdown front matter must be closed and load as a mapping of "
        "keys. A memory that breaks this is refused, or read without its fields and never edited.",
        "---\ntitle: Deploys: when and how\n---   (a colon inside an unquoted value)",
        "Put right what the message names; quote values that hold `: `, `#` or begin with `@`.",
    ),
    Rule(
        "MS103", "missing-field", "error",
        "A memory lacks a field that it must state.",
        "memhtml requires a title, type, status, created and updated, and a task status on a task. "
        "Markdown requires nothing by itself; `check.required` names fields that your corpus does, "
        "such as `created` or `gist`.",
        '<meta name="memhtml-type" content="semantic">   (and no memhtml-created)',
        "State the field. Dates are those of the content, not of the file.",
    ),
    Rule(
        "MS104", "bad-date", "error",
        "A date does not exist, or is written in a way that cannot be read.",
        "memhtml takes `YYYY-MM-DD` and `YYYY-MM-DDTHH:MM:SSZ`. Markdown takes about twenty "
        "common shapes, but not 30 February, and not `06/08/2017` where nothing tells day from "
        "month. A date that cannot be read counts as absent: what should expire does not, and "
        "ages are unknown.",
        "valid_until: 2026-02-30",
        "Write the date as `YYYY-MM-DD`.",
    ),
    Rule(
        "MS105", "unknown-key", "error",
        "A key is not one of the dialect.",
        "memhtml has a closed vocabulary: one unknown meta or relation, and the file is refused. "
        "In Markdown any key may stand, so only one that is a slip away from a key that is read "
        "counts (`confidense`), unless `check.known_keys` closes the list.",
        "confidense: 0.8",
        "Take the name that the message suggests, or add yours to `check.known_keys`.",
    ),
    Rule(
        "MS106", "repeated-key", "error",
        "A key that may stand once stands twice.",
        "Readers disagree on whether the first or the last one counts, so the same file means two "
        "things. memsleep reads the first, and edits none of them; a memhtml file is refused.",
        "status: active\nstatus: archived",
        "Delete all but one.",
    ),
    Rule(
        "MS107", "duplicate-id", "error",
        "Two memories claim the same id.",
        "A stated `id` or `permalink` is how other files and tools name a memory. When two active "
        "memories of one scope state the same, each reference leads to either of them. Usually one "
        "was copied from the other.",
        "permalink: garden/compost   (in two files)",
        "Give the copy an id of its own, or delete it.",
    ),
    Rule(
        "MS108", "stale-hash", "warning",
        "A stated content hash is not that of the content.",
        "The text was edited and the hash was not. Nothing reads the stated hash as truth, but "
        "tools that compare it take the memory for unchanged. A hash of another form than "
        "`sha256:` and 64 digits is stale in memhtml, and somebody else's in Markdown.",
        '<meta name="memhtml-content-hash" content="sha256:e3b0...">   (over other text)',
        "Run `memsleep check --fix`, which writes the hash of the text as it is.",
        fixable=True,
    ),
    Rule(
        "MS109", "bad-value", "error",
        "A value is not one of those that the format admits.",
        "The type, the status and a task's status are words of closed lists; a task status belongs "
        "to a task only. A memhtml file with another word is refused.",
        '<meta name="memhtml-type" content="fact">',
        "Take one of the words that the message lists.",
    ),
    Rule(
        "MS110", "status-case", "error",
        "A word of a closed list is right but for its case or blanks.",
        "memhtml compares exactly: `Active` is not `active`, and the file is refused. In Markdown "
        "these words are read without case, so nothing is wrong there.",
        '<meta name="memhtml-status" content="Active">',
        "Run `memsleep check --fix`, which writes the word as the format has it.",
        fixable=True,
    ),
    Rule(
        "MS111", "repeated-value", "warning",
        "A list states the same value more than once.",
        "A tag, alias, entity or typed link that is stated twice says nothing the second time, "
        "makes diffs noisy, and is usually left over from a merge.",
        "tags: [garden, compost, garden]",
        "Run `memsleep check --fix`, which deletes the later ones.",
        fixable=True,
    ),
    Rule(
        "MS112", "unexpected-markup", "warning",
        "A memhtml file holds an element outside the format.",
        "The file is read all the same, but elements outside the format (`br`, `h2`, a `div` "
        "outside a figure) split words, and a `data-lang` that is no token names no language.",
        "<p>first line<br>second line</p>",
        "Use the elements that the format knows: paragraphs, lists, `dl`, `pre`, `figure`.",
    ),
    Rule(
        "MS113", "conflict-marker", "error",
        "A merge conflict was committed.",
        "The three markers that git leaves in a file are there, so the memory says two things at "
        "once. Markers inside a code block are an example and do not count.",
        "<<<<<<< HEAD\nthe port is 8080\n=======\nthe port is 8081\n>>>>>>> theirs",
        "Keep one side, and delete the three marker lines.",
    ),
    Rule(
        "MS114", "ignored-value", "warning",
        "A value is out of range, so that the default counts instead.",
        "A confidence outside 0 to 1, an importance outside 1 to 10, a negative count or a `ttl` "
        "without a date to count from: readers drop it silently, and the memory ranks as if "
        "nothing had been stated.",
        "confidence: 80   (80 %, or 0.8?)",
        "State a number in range; a confidence may also be a percentage or low, medium, high.",
    ),
    Rule(
        "MS115", "bad-suppression", "error",
        "A suppression names no rule, or gives no reason.",
        "A comment such as `memsleep: ignore MS201 planned page` covers its line, or the next one "
        "when it stands alone; `ignore-file` covers the file. It needs a rule (or family) that "
        "exists, and words that say why. Without them it suppresses nothing.",
        "<!-- memsleep: ignore MS201 -->",
        "Say why, or delete it.",
    ),
    Rule(
        "MS116", "empty-memory", "warning",
        "A memory says nothing.",
        "Neither the body nor a description holds a word: the file costs a place in every list and "
        "can never be found.",
        "---\ntitle: Compost\n---   (and nothing below)",
        "Write what is to be remembered, or delete the file.",
    ),
)  # fmt: skip

_CONFLICT = re.compile(r"^<{7}(?: [^\n]*)?\r?$.*?^={7}\r?$.*?^>{7}(?: [^\n]*)?\r?$", re.M | re.S)


def find(view: FileView) -> Iterator[Found]:
    """Yield what is wrong with one file and its format."""
    problems = _unreadable_for(view)
    if problems:
        yield from _unreadable(view, problems)
        return
    if view.role.part == "entries":
        return  # each entry is looked at as a file of its own
    if "<<<<<<<" in view.text:
        yield from _conflicts(view)
    if view.role.part != "memory":
        return
    if view.is_html:
        yield from find_in_html(view)
    elif not view.is_markup:
        yield from find_in_markdown(view)
    memory = view.memory
    if memory and not memory.body.strip() and not memory.states("gist"):
        yield Found("MS116", WHOLE, WHOLE, "expected words to remember, found none")


def _unreadable_for(view: FileView) -> Sequence[Problem]:
    """Return why the bytes of a file are no text; nothing when they are."""
    if view.is_html and view.text:
        return ()  # what is wrong is told rule by rule
    if isinstance(view.read, Unreadable):
        return view.read.problems
    problem = text_problem(view.path, view.source) if view.read is None else None
    return () if problem is None else (problem,)


def _unreadable(view: FileView, problems: Sequence[Problem]) -> Iterator[Found]:
    for problem in problems:
        span = (WHOLE, WHOLE) if problem.line is None else view.line_span(problem.line)
        start, end = _first_bad_byte(view.source, span)
        yield Found("MS101", start, end, quoted(problem.message), problem.code, unreadable=True)


def _first_bad_byte(source: bytes, span: tuple[int, int]) -> tuple[int, int]:
    """Return the byte for which a file is no text, else the span as it is."""
    nul = source.find(b"\0")
    try:
        source.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start, error.start + 1
    return (nul, nul + 1) if nul >= 0 else span


def _conflicts(view: FileView) -> Iterator[Found]:
    code = [] if view.is_markup else view.code_spans
    for match in _CONFLICT.finditer(view.text):
        start, _ = view.span(match.start(), match.end())
        if not any(first <= start < last for first, last in code):
            line = view.line_span(view.lines.line(start))
            yield Found("MS113", *line, "expected one text, found both sides of a merge conflict")
