"""Shared by the tests of Markdown: memories from text, and random files of every odd kind."""

from __future__ import annotations

from hypothesis import strategies as st

from memsleep.dialects.markdown import MARKDOWN
from memsleep.model import Link, Memory

PIECES = (
    "---\n", "...\n", "title: x\n", "status: active\n", "tags: [a, b]\n", "tags: a, b\n",
    "confidence: 80%\n", "created: 2026-03-04\n", "links:\n  - {rel: supports, to: a/b.md}\n",
    "aliases:\n- x\n- 'y'\n", "up: [[Home]]\n", "a: &x 1\n", "b: *x\n", "? k\n: v\n",
    "d: |\n  text\n", "\t", "\r\n", "\r", "\u2028", "\ufeff", "\u00e9", "\U0001f642", "e\u0301",
    "# Head\n", "[[x]]", "[[x|y]]", "![[x#h]]", "[t](a%20b.md#f)", "[t](<a b.md>)",
    "[r]: c.md\n", "`[[no]]`", "```\n[[no]]\n", "```\n", "    [[no]]\n", "- supports [[X]]\n",
    "- [fact] text #tag (c)\n", "key:: [[v]]\n", "<!-- [[no]] -->", "<div>\n", "| a |\n|---|\n",
    "| [[x\\|y]] |\n", "{{< relref \"p\" >}}", "[^1]", "[[1]]", "\\[[", "]]", "((", "\n", "\n\n",
    "word ", "One. Two! ", "\u4e2d\u6587\u3002",
)  # fmt: skip


def read(text: str | bytes, path: str = "areas/x.md") -> Memory:
    """Return the memory of a text, which must be readable."""
    memory = MARKDOWN.read(path, text if isinstance(text, bytes) else text.encode())
    assert isinstance(memory, Memory)
    return memory


def sources() -> st.SearchStrategy[bytes]:
    """Give files that are put together from awkward pieces, many with front matter."""
    pieces = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
    head = st.lists(st.sampled_from(PIECES[2:16]), min_size=1, max_size=6, unique=True)
    block = head.map(lambda lines: "---\n" + "".join(lines) + "---\n")
    text = st.one_of(pieces, st.tuples(block, pieces).map("".join))
    ends = st.sampled_from(["\n", "\r\n"])
    marks = st.sampled_from([b"", b"\xef\xbb\xbf"])
    return st.tuples(marks, text, ends).map(
        lambda parts: parts[0] + parts[1].replace("\n", parts[2]).encode()
    )


def written(source: bytes, links: tuple[Link, ...]) -> list[tuple[str, str, str]]:
    """Return relation, form and the bytes of each link's target."""
    return [(one.relation, one.form, source[one.start : one.end].decode()) for one in links]
