from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from corpus_kit import git
from faults_kit import make_corpus
from landing_kit import set_identity
from memsleep.landing.place import place_of
from memsleep.landing.runs import RunRecord, RunStore
from memsleep.night.applying import apply_plan, resume_run
from memsleep.night.delivering import synchronise
from memsleep.night.merging import merge_run
from memsleep.night.queueing import queue_landed
from memsleep.night.real import real_run
from memsleep.night.undoing import undo_run
from memsleep.request import Outcome, RunRequest
from memsleep.sync.join import outbox_of
from memsleep.sync.marks import MARK, read_mark
from memsleep.sync.outbox import Queued
from memsleep.sync.protocol import Note, Page
from night_kit import FIXTURES, request_for
from sync_kit import Service, failing, hasty

PROVIDER = {"sync.provider": "directory"}
KEPT, DROPPED, PAGE = "plant/boiler-a.md", "plant/boiler-b.md", "page-boiler.md"


def asked(root: Path, **options: object) -> RunRequest:
    given = {name.replace("__", "."): value for name, value in options.items()}
    return request_for(root, options=PROVIDER | given, out=None)


def waiting(root: Path) -> list[Queued]:
    return list(outbox_of(place_of(root)).entries())


def told(root: Path) -> list[tuple[str, str]]:
    return [(found.entry.kind, found.entry.slug) for found in waiting(root)]


def run_of(root: Path) -> RunRecord:
    return RunStore(place_of(root)).find()


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return make_corpus(tmp_path / "corpus", pairs=1)


def repository(root: Path) -> Path:
    set_identity(root.parent / "home")
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "start")
    return root


def test_a_merge_saves_the_keeper_and_forgets_the_other(corpus: Path) -> None:
    """One request a changed memory: what it says now, or the phase's reason to forget it."""
    outcome = real_run(asked(corpus))
    found = waiting(corpus)

    assert told(corpus) == [("save", KEPT), ("save", PAGE), ("forget", DROPPED)]
    notes = {q.entry.slug: q.entry.note for q in found if q.entry.note is not None}
    assert {slug: note.text.encode() for slug, note in notes.items()} == {
        slug: (corpus / slug).read_bytes() for slug in (KEPT, PAGE)
    }
    assert notes[KEPT].title == "boiler"
    plan = run_of(corpus).plan()
    merge = next(d for d in plan.decisions if d.kind == "merge")
    assert found[-1].entry.reason == merge.reason
    assert {q.entry.run for q in found} == {"sleep/2026-11-30"}
    assert all(merge.id in q.entry.decisions for q in found)
    assert {q.entry.write_mode for q in found} == {"direct"}
    assert any("3 changes wait to be delivered" in line for line in outcome.messages)


def test_a_memory_that_is_archived_by_a_flag_is_forgotten_there(corpus: Path) -> None:
    """It lies where it was and is no longer live; its own tombstone changes nothing here."""
    request = asked(corpus, write__archive="flag")
    real_run(request)
    assert told(corpus) == [("save", KEPT), ("forget", DROPPED)]

    before = (corpus / DROPPED).read_bytes()
    gone = Note(scope="project", slug=DROPPED, deleted=True)
    service = Service(pages={"project": [Page(notes=(gone,), next_cursor="1", done=True)]})
    done = synchronise(request, service, hasty())
    assert done.exit_code == 0
    synchronise(request, service, hasty(), again=True)
    assert (corpus / DROPPED).read_bytes() == before


def test_a_file_of_several_memories_is_saved_whole(tmp_path: Path) -> None:
    """An entry has no file of its own: what changed is the file, and an undo gives it back."""
    root = tmp_path / "corpus"
    shutil.copytree(FIXTURES / "stores" / "hermes" / "corpus", root)
    before = (root / "MEMORY.md").read_bytes()
    real_run(asked(root))
    undo_run(asked(root), None, [], with_dependents=False)
    first, second = waiting(root)

    assert told(root) == [("save", "MEMORY.md")] * 2
    assert first.entry.note is not None
    assert second.entry.note is not None
    assert first.entry.note.format == "hermes"
    assert first.entry.note.text.encode() != before
    assert second.entry.note.text.encode() == before


def test_without_a_provider_nothing_is_queued(corpus: Path) -> None:
    """A corpus that mirrors nothing has no folder of the sync, then or when one is configured."""
    real_run(request_for(corpus, out=None))
    queue_landed(asked(corpus), place_of(corpus))

    assert not (corpus / ".memsleep/sync").exists()
    assert run_of(corpus).read(MARK) is None


def test_a_run_in_review_mode_queues_proposals(corpus: Path) -> None:
    """The same requests, for a person there to decide."""
    real_run(asked(corpus, sync__write_mode="proposal"))

    assert {q.entry.write_mode for q in waiting(corpus)} == {"proposal"}
    assert told(corpus) == [("save", KEPT), ("save", PAGE), ("forget", DROPPED)]


def test_scopes_follow_the_globs(corpus: Path) -> None:
    """What the config calls the user's is pushed as the user's."""
    real_run(asked(corpus, sync__user=("plant/*",)))

    assert {q.entry.slug: q.entry.scope for q in waiting(corpus)} == {
        KEPT: "user", PAGE: "project", DROPPED: "user",
    }  # fmt: skip


def test_what_landed_is_queued_exactly_once(corpus: Path) -> None:
    """However often somebody looks, and although the process died before it noted that."""
    place = place_of(corpus)
    real_run(asked(corpus))
    first, mark = waiting(corpus), run_of(corpus).read(MARK)
    assert mark is not None
    assert queue_landed(asked(corpus), place) == []

    before = read_mark(run_of(corpus))
    assert before is not None
    forgotten = before.model_copy(update={"told": {}, "seen": ""})
    run_of(corpus).write(MARK, forgotten.model_dump_json().encode())
    queue_landed(asked(corpus), place)

    assert waiting(corpus) == first
    assert run_of(corpus).read(MARK) == mark


def test_a_client_id_follows_from_run_and_decision(tmp_path: Path) -> None:
    """The same night over the same corpus asks under the same ids; another one does not."""
    ids = []
    for name, pairs in (("one", 1), ("two", 1), ("three", 2)):
        root = make_corpus(tmp_path / name / "corpus", pairs=pairs)
        real_run(asked(root))
        ids.append({q.entry.client_id for q in waiting(root) if q.entry.slug == KEPT})

    assert ids[0] == ids[1]
    assert ids[0].isdisjoint(ids[2])


def test_an_undo_queues_the_reverse(corpus: Path) -> None:
    """The provider is told what the memories are again, under other ids; once."""
    before = {p: (corpus / p).read_bytes() for p in (KEPT, PAGE, DROPPED)}
    real_run(asked(corpus))
    undo_run(asked(corpus), None, [], with_dependents=False)
    found = waiting(corpus)[3:]

    assert {(q.entry.kind, q.entry.slug) for q in found} == {
        ("save", KEPT), ("save", PAGE), ("save", DROPPED),
    }  # fmt: skip
    assert {q.entry.slug: q.entry.note.text.encode() for q in found if q.entry.note} == before
    assert {q.entry.reason for q in found} == {"taken back"}
    assert len({q.entry.client_id for q in waiting(corpus)}) == 6
    queue_landed(asked(corpus), place_of(corpus))
    assert len(waiting(corpus)) == 6


def test_what_lands_again_is_told_again(corpus: Path) -> None:
    """After an undo the same decision is news: its id is not the one that was delivered."""
    real_run(asked(corpus))
    plan = run_of(corpus).read("plan.json")
    assert plan is not None
    undo_run(asked(corpus), None, [], with_dependents=False)
    apply_plan(asked(corpus), plan, "plan", (), ())

    assert told(corpus)[6:] == [("save", KEPT), ("save", PAGE), ("forget", DROPPED)]
    assert len({q.entry.client_id for q in waiting(corpus)}) == 9


def test_a_part_of_a_plan_queues_that_part(tmp_path: Path) -> None:
    """Decisions that were left out are not told."""
    root = make_corpus(tmp_path / "corpus", pairs=2)
    from memsleep.night import dry_run

    plan = dry_run(request_for(root)).artifacts["plan.json"]
    merges = [d for d in run_plan(plan) if d[1] == "merge"]
    apply_plan(asked(root), plan, "plan", [merges[0][0]], ())

    assert ("forget", merges[0][2]) in told(root)
    assert ("forget", merges[1][2]) not in told(root)
    apply_plan(asked(root), plan, "plan", [merges[1][0]], ())
    assert told(root).count(("forget", merges[0][2])) == 1
    assert ("forget", merges[1][2]) in told(root)


def run_plan(plan: bytes) -> list[tuple[str, str, str]]:
    from memsleep.plan import from_json

    return [(d.id, d.kind, d.paths[-1]) for d in from_json(plan, "plan").decisions]


def test_what_landed_before_there_was_a_provider_is_no_news(corpus: Path) -> None:
    """A run that is undone after a provider was configured tells nothing it was never told."""
    real_run(request_for(corpus, out=None))
    undo_run(asked(corpus), None, [], with_dependents=False)

    assert told(corpus) == []


def test_a_secret_is_not_queued_and_named_by_place(corpus: Path) -> None:
    """Path and line are told, no text; once it is out of the file, the memory is queued."""
    secret = "ghp_" + "kD83hQpz0sLw5NvRtYx2BmCe7FgJa4Ku9TiW"
    page = corpus / PAGE
    page.write_bytes(page.read_bytes() + f"token: {secret}\n".encode())
    outcome = real_run(asked(corpus))

    assert told(corpus) == [("save", KEPT), ("forget", DROPPED)]
    said = [line for line in outcome.messages if line.startswith("not queued")]
    assert said == [
        f"not queued: {PAGE}:6: it holds a secret (github-token): nothing of it is sent"
    ]
    sync = corpus / ".memsleep/sync"
    assert not any(secret.encode() in p.read_bytes() for p in sync.rglob("*") if p.is_file())
    page.write_bytes(page.read_bytes().replace(secret.encode(), b"gone"))
    queue_landed(asked(corpus), place_of(corpus))
    assert told(corpus)[2:] == [("save", PAGE)]


def test_a_memory_that_is_too_long_is_told_and_costs_only_itself(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What may not be taken is named; the rest is queued and the night is whole."""
    monkeypatch.setattr("memsleep.sync.outbox.MAX_NOTE_BYTES", 120)
    outcome = real_run(asked(corpus))

    assert told(corpus) == [("save", PAGE), ("forget", DROPPED)]
    assert any(line.startswith(f"not queued: {KEPT}") for line in outcome.messages)
    assert outcome.exit_code() == 0


def test_an_outbox_that_cannot_be_written_costs_no_night(corpus: Path) -> None:
    """The night lands and says so; the changes are queued when the way is free again."""
    (corpus / ".memsleep").mkdir()
    (corpus / ".memsleep/sync").symlink_to("nowhere")
    outcome = real_run(asked(corpus))

    assert run_of(corpus).status().state == "landed"
    assert any("could not be queued" in line for line in outcome.messages)
    (corpus / ".memsleep/sync").unlink()
    queue_landed(asked(corpus), place_of(corpus))
    assert len(told(corpus)) == 3


def test_a_run_that_is_not_told_outlives_the_rotation(corpus: Path) -> None:
    """Its record is needed until its changes are queued, however many nights come after it."""
    (corpus / ".memsleep").mkdir()
    (corpus / ".memsleep/sync").symlink_to("nowhere")
    real_run(asked(corpus))
    for day in ("01", "02"):
        given = {"runs.keep": 1}
        real_run(request_for(corpus, now=f"2026-12-{day}T03:00:00Z", options=given, out=None))
    names = [record.run_id for record in RunStore(place_of(corpus)).records()]
    assert names == ["sleep/2026-11-30", "sleep/2026-12-02"]
    (corpus / ".memsleep/sync").unlink()
    queue_landed(asked(corpus), place_of(corpus))

    assert told(corpus) == [("save", KEPT), ("save", PAGE), ("forget", DROPPED)]


def test_a_run_without_a_record_that_is_whole_stops_nobody(corpus: Path) -> None:
    """A torn mark or a torn status costs its own run only."""
    real_run(asked(corpus))
    record = run_of(corpus)
    record.write(MARK, b"{")
    assert queue_landed(asked(corpus), place_of(corpus)) == []
    record.write(MARK, b'{"provider": "directory", "write_mode": "direct"}')
    record.write("status.json", b"{")
    said = queue_landed(asked(corpus), place_of(corpus))
    assert len(said) == 1
    assert said[0].startswith(f"{record.run_id}: nothing of it was queued: ")


# Branches -----------------------------------------------------------------------------------


def merged_by_hand(root: Path, how: str) -> None:
    run = "sleep/2026-11-30"
    if how == "merge":
        git(root, "merge", "-q", "--no-ff", "-m", "m", run)
    elif how == "fast-forward":
        git(root, "merge", "-q", "--ff-only", run)
    else:
        git(root, "merge", "-q", "--squash", run)
        git(root, "commit", "-q", "-m", "squashed")


@pytest.mark.parametrize("how", ["merge", "fast-forward", "squash"])
def test_a_branch_is_queued_when_it_is_seen_to_have_landed(corpus: Path, how: str) -> None:
    """While it waits nothing is queued; the first start after the merge queues it, once."""
    repository(corpus)
    real_run(asked(corpus))
    assert told(corpus) == []
    assert not (corpus / ".memsleep/sync").exists()

    merged_by_hand(corpus, how)
    for _ in range(2):
        real_run(request_for(corpus, out=None))
    assert told(corpus) == [("save", KEPT), ("save", PAGE), ("forget", DROPPED)]


def test_a_part_of_a_branch_that_has_landed_is_queued(corpus: Path) -> None:
    """Of a branch that is picked apart, what HEAD has is told; the rest when it follows."""
    (corpus / "old.md").write_bytes(
        b"---\ntitle: old\ntype: fact\ncreated: 2025-01-01\nvalid_until: 2026-01-01\n---\n"
        b"The hall is closed on the first day of the year for the stock taking.\n"
    )
    repository(corpus)
    real_run(asked(corpus))
    commits = git(corpus, "rev-list", "--reverse", "main..sleep/2026-11-30").decode().split()
    assert len(commits) == 2
    git(corpus, "cherry-pick", commits[0])
    deliver(corpus)
    assert told(corpus) == [("save", KEPT), ("save", PAGE), ("forget", DROPPED)]
    git(corpus, "cherry-pick", commits[1])
    deliver(corpus)
    deliver(corpus)

    assert told(corpus)[3:] == [("forget", "old.md")]


def deliver(root: Path) -> None:
    """Look at what has landed; the service is away, so nothing leaves the outbox."""
    away = Service(mood=failing(99, OSError()))
    synchronise(asked(root), away, hasty(1), pull=False)


def test_our_own_merge_queues_at_once(corpus: Path) -> None:
    """`memsleep merge` sees that the branch has landed."""
    repository(corpus)
    real_run(asked(corpus))
    outcome = merge_run(asked(corpus), None, force=False)

    assert told(corpus) == [("save", KEPT), ("save", PAGE), ("forget", DROPPED)]
    assert any("3 changes wait" in line for line in outcome.messages)


def test_a_discarded_branch_queues_nothing(corpus: Path) -> None:
    """What never landed is never told."""
    repository(corpus)
    real_run(asked(corpus))
    git(corpus, "branch", "-D", "sleep/2026-11-30")
    queue_with_branches(corpus)

    assert told(corpus) == []


def queue_with_branches(root: Path) -> Outcome:
    return real_run(request_for(root, out=None, options={"write.mode": "directory"}))


def test_a_branch_tells_what_head_says_not_the_work_tree(corpus: Path) -> None:
    """What a user is writing just now is nobody's business."""
    repository(corpus)
    real_run(asked(corpus))
    merged_by_hand(corpus, "merge")
    committed = (corpus / KEPT).read_bytes()
    (corpus / KEPT).write_bytes(committed + b"half a thou")
    queue_landed_locked(corpus)

    note = next(q.entry.note for q in waiting(corpus) if q.entry.slug == KEPT)
    assert note is not None
    assert note.text.encode() == committed


def queue_landed_locked(root: Path) -> None:
    real_run(request_for(root, out=None))


def test_an_undone_merge_of_a_branch_queues_the_reverse_when_it_lands(corpus: Path) -> None:
    """The branch of an undo counts when it is merged, as any other."""
    repository(corpus)
    before = (corpus / DROPPED).read_bytes()
    real_run(asked(corpus))
    merge_run(asked(corpus), None, force=False)
    undo_run(asked(corpus), None, [], with_dependents=False)
    assert len(told(corpus)) == 3
    git(corpus, "merge", "-q", "--no-ff", "-m", "m", "sleep/undo-2026-11-30")
    real_run(request_for(corpus, out=None))

    news = waiting(corpus)[3:]
    assert {(q.entry.kind, q.entry.slug) for q in news} == {
        ("save", KEPT), ("save", PAGE), ("save", DROPPED),
    }  # fmt: skip
    texts: Mapping[str, str] = {q.entry.slug: q.entry.note.text for q in news if q.entry.note}
    assert texts[DROPPED].encode() == before


def test_a_resumed_run_is_queued_like_any_other(corpus: Path) -> None:
    """A run that was killed before it landed is told when it has."""
    real_run(asked(corpus))
    record = run_of(corpus)
    plan = record.read("plan.json")
    undo_run(asked(corpus), None, [], with_dependents=False)
    assert plan is not None
    record.update(state="killed")
    with_answers = resume_run(asked(corpus), record.run_id)

    assert with_answers.exit_code() == 0
    assert len(told(corpus)) == 6
