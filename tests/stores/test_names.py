"""Names that a night makes: no two that are one elsewhere, none that a system cannot hold.

And folders of very many files: a sample of `benchmarks/folder.py`, which does it with 50,000.
"""

from __future__ import annotations

import importlib.util
import posixpath
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_kit import commit, git, init, write
from memsleep.check.rules.names import _DEVICE, _RESERVED
from memsleep.fold import fold
from memsleep.naming import MAX_NAME_BYTES, MAX_PATH_BYTES, folded
from memsleep.proposals import Archive
from memsleep.settings import Settings
from night_kit import request_for, run_night
from phases_kit import corpus
from stores_kit import load

PARTS = st.sampled_from(
    [
        "a", "A", "b", "caf\u00e9", "cafe\u0301", "CAFE\u0301", "\ufb01sh", "fish", "\u0130x",
        "i\u0307x", "stra\u00dfe", "STRASSE", "con", "com", "lpt", "nul", "a b", "a-2", "a-3",
        "n" * 250, "e\u0301" * 80,
    ]
)  # fmt: skip
ENDINGS = st.sampled_from([".md", ".MD", ".markdown"])
PATHS = st.builds(
    lambda folders, stem, ending: "/".join([*folders, stem + ending]),
    st.lists(PARTS, max_size=2), PARTS, ENDINGS,
)  # fmt: skip
TAKEN = st.lists(PATHS.map(lambda path: f"archive/2026/{path}"), max_size=6)


def fits_windows(path: str) -> bool:
    return not any(_RESERVED.search(part) or _DEVICE.match(part) for part in path.split("/"))


@given(st.lists(PATHS, min_size=1, max_size=8, unique_by=folded), TAKEN)
def test_archived_names_are_names_everywhere(paths: list[str], taken: list[str]) -> None:
    """Each differs from all others by more than case or form, fits, and is no worse on Windows."""
    files = dict.fromkeys(paths, "Text.\n") | dict.fromkeys(taken, "Taken.\n")
    start = corpus({path: text for path, text in files.items() if len(path.encode()) < 3000})
    gone = [Archive(phase="t", reason="r", path=path, cause="evicted") for path in paths]
    done = fold(start, gone, Settings())
    made = {c.path: c.to for item in done.applied for c in item.changes if c.to is not None}
    assert {*made, *(r.proposal.paths[0] for r in done.refused)} == set(paths)
    others = [folded(path) for path in done.snapshot.files if path not in set(taken)]
    assert len(set(others)) == len(others)
    assert not {folded(path) for path in made.values()} & {folded(path) for path in taken}
    for path, to in made.items():
        assert fits_windows(to) or not fits_windows(path)
        raw = to.encode()
        assert len(raw) <= MAX_PATH_BYTES
        assert max(map(len, raw.split(b"/"))) <= MAX_NAME_BYTES
        # Nothing of the name is written in another form than the user's.
        assert to.startswith(f"archive/2026/{posixpath.splitext(path)[0]}")


@pytest.mark.parametrize("kind", ["markdown", "html"])
def test_many_files_in_one_folder(kind: str) -> None:
    """Each is read, and each link of hundreds follows a memory that leaves."""
    place = Path(__file__).parents[2] / "benchmarks" / "folder.py"
    spec = importlib.util.spec_from_file_location("folder_benchmark", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = module.measure(300, kind, 0.5)
    assert (found["memories"], found["refused"]) == (300, 0)
    assert found["followed"] == found["links"] > 100


LINKED = "---\nvalid_until: 2026-02-01\nimportance: 1\n---\n\nA parking permit of the mill.\n"


def test_a_symlink_is_never_followed_nor_moved(tmp_path: Path) -> None:
    """A link to a file within, without or nowhere is named and left; its target is read once."""
    root = write(tmp_path / "c", {"a.md": LINKED, "keep.md": "Bees.\n"})
    write(tmp_path / "out", {"x.md": LINKED})
    links = {"in.md": "a.md", "out.md": "../out/x.md", "none.md": "gone.md", "folder": "../out"}
    for name, target in links.items():
        (root / name).symlink_to(target)
    result, _ = run_night(request_for(root))
    assert result.moves == {"a.md": "archive/2026/a.md"}
    assert {p.path for p in result.start.problems if p.code == "symlink"} == set(links)
    assert not any(path.startswith("folder/") for path in result.start.files)


def test_a_submodule_is_another_store(tmp_path: Path) -> None:
    """What lies in a submodule is neither read nor changed, and it is named."""
    inner = init(tmp_path / "inner")
    commit(inner, {"x.md": LINKED})
    root = init(tmp_path / "c")
    git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "sub")
    commit(root, {"a.md": LINKED, "keep.md": "Bees.\n"})
    result, _ = run_night(request_for(root))
    assert result.moves == {"a.md": "archive/2026/a.md"}
    assert not any(path.startswith("sub/") for path in result.start.files)
    assert "submodule" in {p.code for p in result.start.problems}


def test_names_are_in_order_and_apart(tmp_path: Path) -> None:
    """One name in two Unicode forms or two cases is two files here, named and not edited."""
    names = ["caf\u00e9.md", "cafe\u0301.md", "b.md", "B.md", "c.md"]
    root = write(tmp_path / "c", dict.fromkeys(names, LINKED))
    corpus_read = load(root)
    assert all(one < two for one, two in pairwise(corpus_read.memories))
    locked = {path for path, memory in corpus_read.memories.items() if memory.read_only}
    assert locked == set(names) - {"c.md"}
