"""A loaded corpus accounts for every file, and depends on nothing but the bytes."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from audit_kit import recording
from corpus_kit import commit, git, init, write
from memsleep.corpus import select
from memsleep.corpus.folder import FolderSource
from memsleep.corpus.load import LoadedCorpus, corpus_digest, load_corpus
from memsleep.errors import CorpusError, UsageError
from memsleep.settings import CorpusSettings

NOTE = "---\ntitle: Port\ntype: semantic\n---\nThe service listens on port 8080.\n"
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Port</title>
<meta name="memhtml-type" content="semantic">
<meta name="memhtml-status" content="active">
<meta name="memhtml-created" content="2026-01-01T00:00:00Z">
<meta name="memhtml-updated" content="2026-01-01T00:00:00Z">
<meta name="memhtml-importance" content="5">
<meta name="memhtml-content-hash" content="sha256:ZEROS">
<meta name="memhtml-author" content="agent:test">
</head>
<body>
<article>
<h1>Port</h1>
<p><mark>The service listens on port 8080.</mark></p>
</article>
</body>
</html>
""".replace("ZEROS", "0" * 64)


def load(root: Path, **settings: object) -> LoadedCorpus:
    return load_corpus(root, CorpusSettings(**settings))


def codes(corpus: LoadedCorpus) -> list[tuple[str, str]]:
    return [(problem.path, problem.code) for problem in corpus.problems]


def test_a_mixed_folder(tmp_path: Path) -> None:
    """Memories, pages read for links, unreadable files and the rest each have their place."""
    write(tmp_path, {
        "b.md": NOTE, "a/deep.markdown": NOTE, "README.md": "See [b](b.md).\n",
        "broken.md": b"\xff\xfe", "pic.png": b"\0", "drafts/d.md": NOTE, "node_modules/m.md": NOTE,
        "page.html": "<p>x",
    })  # fmt: skip
    (tmp_path / "link.md").symlink_to("b.md")
    corpus = load(tmp_path, exclude=("drafts/",))
    assert list(corpus.memories) == ["a/deep.markdown", "b.md"]
    assert [link.path for link in corpus.references["README.md"]] == ["b.md"]
    assert list(corpus.files) == ["README.md", "a/deep.markdown", "b.md"]
    assert corpus.files["b.md"] == NOTE.encode()
    assert [item.path for item in corpus.unreadable] == ["broken.md"]
    assert corpus.left_out == {
        "HTML outside a memhtml store": 1,
        "README of the corpus": 1,
        "build or dependency folder": 1,
        "excluded by the config": 1,
        "other kind of file": 1,
        "symlink": 1,
    }
    assert codes(corpus) == [("link.md", "symlink")]
    assert corpus.taken >= {"pic.png", "link.md", "drafts/d.md", "broken.md", "page.html"}
    assert (corpus.source_kind, corpus.commit) == ("folder", None)
    assert corpus.detection.dialect == "plain"


def test_the_counts_add_up(tmp_path: Path) -> None:
    """Every file is a memory, unreadable, or left out for one cause."""
    files = {f"{n}.{ending}": NOTE for n in range(3) for ending in ("md", "txt", "html", "MD")}
    write(
        tmp_path, {**files, "x.md": b"\xff", "MEMORY.md": "- [a](0.md)\n", "templates/t.md": NOTE}
    )
    corpus = load(tmp_path)
    left_out = sum(corpus.left_out.values())
    assert len(corpus.memories) + len(corpus.unreadable) + left_out == len(files) + 3


def test_a_store_with_markdown_beside(tmp_path: Path) -> None:
    """Each file is read by the dialect of its kind; a forced dialect has the corpus to itself."""
    write(
        tmp_path, {"areas/a.html": PAGE, "areas/b.md": NOTE, "areas/index.html": "<a href=a.html>"}
    )
    both = load(tmp_path)
    assert {p: m.dialect for p, m in both.memories.items()} == {
        "areas/a.html": "memhtml",
        "areas/b.md": "plain",
    }
    assert list(both.references) == ["areas/index.html"]
    assert list(load(tmp_path, dialect="memhtml").memories) == ["areas/a.html"]
    assert list(load(tmp_path, dialect="markdown").memories) == ["areas/b.md"]


def test_a_repository(tmp_path: Path) -> None:
    """HEAD is read, whoever edits is left in peace, and what is not committed is said."""
    root = init(tmp_path / "r")
    head = commit(root, {"a.md": NOTE, "b.md": NOTE, "c.md": NOTE, "README.md": "[a](a.md)\n"})
    write(root, {"a.md": NOTE + "More.\n", "new.md": NOTE, "README.md": "[b](b.md)\n"})
    (root / "b.md").unlink()
    corpus = load(root)
    assert (corpus.source_kind, corpus.commit) == ("git", head)
    assert corpus.files["a.md"] == NOTE.encode()
    assert {p: bool(m.read_only) for p, m in corpus.memories.items()} == {
        "a.md": True,
        "b.md": True,
        "c.md": False,
    }
    assert corpus.memories["a.md"].read_only.startswith("being edited")
    assert codes(corpus) == [
        ("README.md", "being-edited"),
        ("a.md", "being-edited"),
        ("b.md", "being-edited"),
        ("new.md", "unseen"),
    ]
    assert list(corpus.references) == list(corpus.locked) == ["README.md"]
    assert "new.md" in corpus.taken


def test_colliding_names_are_read_but_not_edited(tmp_path: Path) -> None:
    """Two names that another system takes for one are both left as they are, and named."""
    write(tmp_path, {"a.md": NOTE, "A.md": NOTE + "More.\n", "b.md": NOTE})
    corpus = load(tmp_path)
    assert [p for p, m in corpus.memories.items() if m.read_only] == ["A.md", "a.md"]
    assert codes(corpus) == [("A.md", "case-collision"), ("a.md", "case-collision")]


def test_hard_links_are_read_once_and_not_edited(tmp_path: Path) -> None:
    """A file with two names is one memory, which an edit would part."""
    write(tmp_path, {"a.md": NOTE})
    os.link(tmp_path / "a.md", tmp_path / "b.md")
    corpus = load(tmp_path)
    assert list(corpus.memories) == ["a.md"]
    assert corpus.memories["a.md"].read_only
    assert codes(corpus) == [("a.md", "hard-link"), ("b.md", "hard-link")]


def test_lfs_pointers_are_named(tmp_path: Path) -> None:
    """A pointer is not the memory that it stands for."""
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    write(tmp_path, {"a.md": NOTE, "big.md": pointer})
    (item,) = load(tmp_path).unreadable
    assert (item.path, item.problems[0].code) == ("big.md", "lfs-pointer")


def test_size_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of the greatest size is read; one byte more is named and not read."""
    monkeypatch.setattr("memsleep.corpus.load.MAX_BYTES", 1000)
    write(tmp_path, {"a.md": NOTE.ljust(1000, "."), "b.md": NOTE.ljust(1001, ".")})
    corpus = load(tmp_path)
    assert list(corpus.memories) == ["a.md"]
    assert [(i.path, i.problems[0].code) for i in corpus.unreadable] == [("b.md", "too-large")]


def test_a_line_of_ten_megabytes(tmp_path: Path) -> None:
    """Files of 10 MB are ordinary files, one line or not."""
    assert select.MAX_BYTES > 10 * 1024 * 1024
    write(tmp_path, {"a.md": "word " * (2 * 1024 * 1024)})
    assert list(load(tmp_path).memories) == ["a.md"]


EMPTY: list[dict[str, str | bytes]] = [
    {},
    {"a.txt": "x"},
    {"README.md": "x"},
    {"a.md": b"\xff"},
    {"node_modules/a.md": "x"},
]


@pytest.mark.parametrize("files", EMPTY)
def test_no_memories(tmp_path: Path, files: dict[str, str | bytes]) -> None:
    """A folder without a memory is an error, exit 3, unless it is allowed."""
    root = write(tmp_path / "root", files)
    root.mkdir(exist_ok=True)
    with pytest.raises(CorpusError) as raised:
        load(root)
    assert (raised.value.reference, raised.value.exit_code) == ("corpus-empty", 3)
    assert load(root, allow_empty=True).memories == {}


def test_no_memories_committed(tmp_path: Path) -> None:
    """Where only uncommitted memories are there, to commit them is the next step."""
    root = init(tmp_path / "r")
    commit(root, {"README.md": "x"})
    write(root, {"a.md": NOTE})
    with pytest.raises(CorpusError) as raised:
        load(root)
    assert raised.value.hint == "commit the memories, then run again"


def test_errors_hold_no_text_of_a_memory(tmp_path: Path) -> None:
    """What is said of an empty corpus names files and causes alone."""
    write(tmp_path, {"a.md": b"secret words \xff"})
    with pytest.raises(CorpusError) as raised:
        load(tmp_path)
    lines = "\n".join(raised.value.lines())
    assert "a.md" in lines
    assert "secret" not in lines


def test_missing_root(tmp_path: Path) -> None:
    """A root that is not there is a usage error even where a source is given."""
    with pytest.raises(UsageError):
        load_corpus(tmp_path / "none", CorpusSettings(), source=FolderSource(tmp_path))


def test_the_result_depends_on_the_bytes_alone(tmp_path: Path) -> None:
    """Order of creation, file times, folder and committed or not make no difference."""
    files = {f"{n % 3}/{n}.md": f"{NOTE}[[{n + 1}]] [x]({n}.md)\n" for n in range(30)}
    plain = load(write(tmp_path / "1", files))
    root = init(tmp_path / "2")
    write(root, dict(reversed(files.items())))
    os.utime(root / "0/0.md", (1, 1))
    commit(root)
    committed = load(root, git_dates=False)
    assert replace(
        committed, source_kind="folder", commit=None, source_reason=plain.source_reason
    ) == replace(plain, taken=committed.taken)
    assert list(committed.memories) == sorted(files)


def test_a_subfolder_of_a_repository(tmp_path: Path) -> None:
    """A corpus in a subfolder has paths of its own and is the same as one by itself."""
    root = init(tmp_path / "r")
    commit(root, {"top.md": NOTE, "n/a.md": NOTE, "n/b/c.md": NOTE})
    corpus = load(root / "n")
    assert list(corpus.memories) == ["a.md", "b/c.md"]
    assert corpus.digest == load(write(tmp_path / "p", {"a.md": NOTE, "b/c.md": NOTE})).digest


def test_digest() -> None:
    """The digest tells paths and bytes apart, and not the order."""
    one = {"a": b"1", "b": b"2"}
    assert corpus_digest(one) == corpus_digest(dict(reversed(one.items())))
    others = [
        {"a": b"2", "b": b"1"},
        {"a": b"1"},
        {"a": b"1", "c": b"2"},
        {"a": b"1", "b": b""},
        {},
    ]
    assert len({corpus_digest(files) for files in [one, *others]}) == 6


def test_progress(tmp_path: Path) -> None:
    """Progress counts the memories that are read."""
    write(tmp_path, {"a.md": NOTE, "b.md": NOTE, "README.md": "x"})
    told: list[tuple[int, int]] = []
    load_corpus(tmp_path, CorpusSettings(), progress=lambda done, of: told.append((done, of)))
    assert told == [(1, 2), (2, 2)]


def test_scopes_and_protection_reach_the_memories(tmp_path: Path) -> None:
    """The rules of the corpus are set on what the dialects read."""
    write(tmp_path, {"agents/ada/a.md": NOTE, "agents/bob/a.md": NOTE, "keep/k.md": NOTE})
    memories = load(tmp_path, protected=("keep/",)).memories
    assert [(m.scope, m.protected) for m in memories.values()] == [
        ("ada", False),
        ("bob", False),
        ("", True),
    ]


def test_the_archive_is_what_the_ledger_names(tmp_path: Path) -> None:
    """What lies beside our archived files in `archive/<year>` stays the user's."""
    line = (
        '{"path":"a.md","to":"archive/2026/a.md","when":"2026-01-01T00:00:00Z","cause":"evicted"}\n'
    )
    write(tmp_path, {"archive/2026/a.md": NOTE, "archive/2026/mine.md": NOTE, "b.md": NOTE,
                     "archive/2026/ledger.jsonl": line})  # fmt: skip
    memories = load(tmp_path).memories
    assert [path for path, memory in memories.items() if memory.archived] == ["archive/2026/a.md"]


def test_loading_opens_nothing_for_writing(tmp_path: Path) -> None:
    """A folder and a repository are as they were, and nothing tried to change them."""
    plain = write(tmp_path / "p", {"a.md": NOTE, ".memhtml/x": "x"})
    root = init(tmp_path / "r")
    commit(root, {"a.md": NOTE})
    git(root, "status")
    for folder in (plain, root):
        before = {p: (p.stat().st_mtime_ns, p.stat().st_size) for p in folder.rglob("*")}
        with recording(folder) as record:
            load(folder)
        assert record.events == []
        assert {p: (p.stat().st_mtime_ns, p.stat().st_size) for p in folder.rglob("*")} == before


def test_a_dry_night_reads_a_malicious_repository(tmp_path: Path) -> None:
    """A config that names programs makes none of them run while a corpus is loaded."""
    root = init(tmp_path / "r")
    commit(root, {"a.md": NOTE, ".gitattributes": "*.md filter=x\n"})
    mark = tmp_path / "trapped"
    for key in ("core.fsmonitor", "filter.x.clean", "filter.x.smudge", "core.pager"):
        git(root, "config", key, f"touch {mark}; cat")
    write(root, {"a.md": NOTE + "edited\n"})
    assert load(root).memories["a.md"].read_only
    assert not mark.exists()
