from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from memsleep.errors import UsageError
from memsleep.landing.selection import select, with_dependents
from memsleep.state.store import open_state
from night_kit import CORPORA, git_apply
from place_kit import ashore
from refold_kit import files_of, planned

ONE = "html-store"


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("profile", ["careful", "reference"])
def test_landing_is_the_patch_and_undo_is_the_start(
    corpus: str, profile: str, tmp_path: Path
) -> None:
    """In place and by `git apply` of the patch the bytes are the same; undo takes all back."""
    shore = ashore(corpus, tmp_path / "a", profile)
    other = ashore(corpus, tmp_path / "b", profile)
    before, state = files_of(shore.root), shore.state()
    landed = shore.land()
    assert landed.rejected == ()
    git_apply(other.root, planned(corpus, profile).patch)
    assert files_of(shore.root) == files_of(other.root) != before
    assert shore.undo().refused == ()
    assert files_of(shore.root) == before
    assert shore.state() == state


def folders_of(root: Path) -> set[str]:
    """Return the folders of a corpus but ours."""
    found = {p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_dir()}
    return {path for path in found if path.split("/")[0] not in (".git", ".memsleep")}


def test_undo_leaves_no_empty_folder(tmp_path: Path) -> None:
    """What the run made goes with its files; a folder that is anybody else's stays."""
    shore = ashore(ONE, tmp_path)
    (shore.root / "empty" / "of-somebody").mkdir(parents=True)
    before = folders_of(shore.root)
    shore.land()
    made = sorted(folders_of(shore.root) - before, key=len)
    assert made
    kept = shore.root / made[-1] / "later"
    kept.mkdir()
    assert shore.undo().refused == ()
    above = {kept.relative_to(shore.root).as_posix()}
    above |= {p.as_posix() for p in kept.relative_to(shore.root).parents if p.as_posix() != "."}
    assert folders_of(shore.root) == before | above


@settings(
    max_examples=8,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
@given(data=st.data())
def test_any_subset_in_any_order(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Subsets that land one after the other are a re-fold of them all; undone in any permitted
    order they give the start back, bytes and state, with a re-fold of the rest at every step."""
    shore = ashore(
        data.draw(st.sampled_from(CORPORA)), tmp_path_factory.mktemp("shore"), "reference"
    )
    before, state, plan = files_of(shore.root), shore.state(), shore.plan
    ids = [d.id for d in plan.decisions]
    landed: frozenset[str] = frozenset()
    for _ in range(data.draw(st.integers(1, 2))):
        wanted = data.draw(st.lists(st.sampled_from(ids), min_size=1, max_size=12, unique=True))
        landed |= select(plan, only=wanted).accepted
        shore.land(only=wanted)
        assert files_of(shore.root) == shore.expected(before, landed)
    while landed:
        free = [n for n in sorted(landed) if with_dependents(plan, [n]) & landed == {n}]
        gone = data.draw(st.lists(st.sampled_from(free), min_size=1, unique=True))
        assert shore.undo(*gone).refused == ()
        landed -= frozenset(gone)
        assert files_of(shore.root) == shore.expected(before, landed)
    assert files_of(shore.root) == before
    assert shore.state() == state


def _required() -> tuple[str, str]:
    decision = next(d for d in planned(ONE).plan.decisions if d.requires)
    return decision.requires[0], decision.id


def test_dependents_refuse_an_undo_and_go_with_it(tmp_path: Path) -> None:
    """What another landed decision requires is not undone alone, but with it."""
    needed, dependent = _required()
    shore = ashore(ONE, tmp_path)
    shore.land()
    after = files_of(shore.root)
    with pytest.raises(UsageError, match=dependent):
        shore.undo(needed)
    assert files_of(shore.root) == after
    undone = shore.undo(needed, with_them=True)
    assert {needed, dependent} <= set(undone.decisions)


@pytest.mark.parametrize("corpus", CORPORA)
def test_a_later_edit_stands_in_the_way_by_name(corpus: str, tmp_path: Path) -> None:
    """For each file of the result that is rewritten whole: its decisions stay whole and are
    refused with its name; the rest goes back, and the new text stays."""
    for number, path in enumerate(sorted(_results(corpus))[::4]):
        shore = ashore(corpus, tmp_path / str(number))
        before = files_of(shore.root)
        shore.land()
        (shore.root / path).write_bytes(b"rewritten by somebody\n")
        undone = shore.undo()
        assert files_of(shore.root)[path] == b"rewritten by somebody\n"
        assert undone.refused
        assert any(path in r.reason for r in undone.refused)
        stayed = {r.id for r in undone.refused}
        landed = set(shore.record.status().landed)
        assert stayed == landed
        expected = shore.expected(before, frozenset(landed))
        expected[path] = b"rewritten by somebody\n"
        assert files_of(shore.root) == expected


def _results(corpus: str) -> set[str]:
    plan = planned(corpus).plan
    found = {c.to or c.path for d in plan.decisions for c in d.changes if c.action != "create"}
    return {path for path in found if not path.endswith("/ledger.jsonl")}  # line by line


def test_a_later_edit_elsewhere_in_the_file_is_kept(tmp_path: Path) -> None:
    """What the run changed is taken out line by line; what somebody added since stays."""
    shore = ashore("markdown-vault", tmp_path)
    before = files_of(shore.root)
    shore.land()
    path = next(
        c.path for d in shore.plan.decisions if d.kind == "merge"
        for c in d.changes if c.action == "edit" and c.path == d.paths[0]
    )  # fmt: skip
    edited = (shore.root / path).read_bytes() + b"\n" * 3 + b"A later thought.\n"
    (shore.root / path).write_bytes(edited)
    undone = shore.undo()
    if not undone.refused:
        assert files_of(shore.root)[path].startswith(before[path].rstrip(b"\n"))
        assert b"A later thought.\n" in files_of(shore.root)[path]


def test_undo_counts_as_a_rejection(tmp_path: Path) -> None:
    """What was undone is remembered with the digests of its memories."""
    shore = ashore(ONE, tmp_path)
    shore.land()
    name = next(d.id for d in shore.plan.decisions if d.kind == "archive")
    shore.undo(name)
    with open_state(shore.place.database) as state:
        (answer,) = state.rejected()
    assert (answer.decision, answer.reason, answer.question[0]) == (name, "undone", "archive")


@pytest.mark.parametrize(
    ("names", "reference"),
    [(["nothing"], "decision-unknown"), ([0], "decision-not-landed")],
)
def test_what_cannot_be_undone(names: list[object], reference: str, tmp_path: Path) -> None:
    """An unknown id, and one that has not landed, are usage errors that change nothing."""
    shore = ashore(ONE, tmp_path)
    ids = [d.id for d in shore.plan.decisions if not with_dependents(shore.plan, [d.id]) - {d.id}]
    shore.land(reject=[ids[0]])
    after = files_of(shore.root)
    with pytest.raises(UsageError) as caught:
        shore.undo(*[ids[n] if isinstance(n, int) else str(n) for n in names])
    assert caught.value.reference == reference
    assert files_of(shore.root) == after


def test_nothing_landed_cannot_be_undone(tmp_path: Path) -> None:
    """A run that landed nothing says so."""
    shore = ashore(ONE, tmp_path)
    with pytest.raises(UsageError) as caught:
        shore.undo()
    assert caught.value.reference == "run-not-landed"


def test_a_link_written_since_follows_a_memory_back(tmp_path: Path) -> None:
    """A page that somebody wrote after the night, with a link into the archive, leads home again;
    one that links by name, or elsewhere, keeps every byte."""
    shore = ashore("markdown-vault", tmp_path)
    shore.land()
    moved = next(c for d in shore.plan.decisions for c in d.changes if c.to is not None)
    page, other = shore.root / "later.md", shore.root / "other.md"
    text = "---\ntitle: later\n---\nSee [a]({0}) and [b](<{0}>), [c]({0}#x).\n"
    page.write_bytes(text.format(str(moved.to).replace(" ", "%20")).encode())
    name = Path(moved.path).stem
    other.write_bytes(f"---\ntitle: other\n---\n[[{name}]] and [x](https://example.org)\n".encode())
    kept = other.read_bytes()
    assert shore.undo().refused == ()
    assert page.read_bytes().count(moved.path.replace(" ", "%20").encode()) == 3
    assert b"archive/" not in page.read_bytes()
    assert other.read_bytes() == kept
