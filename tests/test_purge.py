from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from cli_kit import memsleep
from corpus_kit import commit, git, init, write
from memsleep import api
from memsleep.errors import UsageError
from memsleep.ledger import read_ledger
from memsleep.purge import plan_purge
from memsleep.state.rejecting import Rejected
from memsleep.sync.outbox import Outbox
from memsleep.sync.protocol import Note
from memsleep.sync.records import Mirror, Records, Standing
from usage_kit import NOW, corpus_of, note

SECRET = "The garden gate opens with the word marmalade seven times."
FILES = {
    "a.md": note(SECRET, body="Nobody else may know of the marmalade word, said the owner."),
    "b.md": note("Lanyards are blue.", body="See [[a]]."),
}


def everywhere(root: Path) -> list[str]:
    """Return the files that still hold the word."""
    return sorted(
        file.relative_to(root).as_posix()
        for file in root.rglob("*")
        if file.is_file() and ".git/" not in file.as_posix() and b"marmalade" in file.read_bytes()
    )


def filled(root: Path) -> None:
    """Leave traces of every kind: versions, index, vectors, log, briefs, runs, archive."""
    with corpus_of(root, FILES) as corpus:
        api.search(corpus, "marmalade", now=NOW)
        api.recall(corpus, "marmalade", now=NOW)
        api.brief(corpus, now=NOW)
        api.reinforce(corpus, "a.md", "positive", now=NOW)
    run = root / ".memsleep/runs/2026-11-30"
    split = SECRET.replace("marmalade", "<mark>marmalade</mark>")
    write(run, {"report.md": SECRET, "plan.json": '{"path": "a.md"}', "report.html": split})
    write(run, {"before/0a1b": "Lanyards."})
    write(root / ".memsleep/runs/2026-11-29", {"report.md": "Lanyards."})
    line = {"path": "a.md", "to": "archive/2026/a.md", "when": NOW, "cause": "evicted"}
    write(root, {"archive/2026/ledger.jsonl": json.dumps(line) + "\n"})
    write(root, {"archive/2026/a.md": FILES["a.md"]})


def test_nothing_is_left(tmp_path: Path) -> None:
    """No byte of the text is left in any file of ours; what is not ours is named."""
    filled(tmp_path)
    with corpus_of(tmp_path, {}) as corpus:
        plan = plan_purge(corpus, "a.md")
        assert plan.artifacts == tuple(
            f"runs/2026-11-30/{name}"
            for name in ("before/0a1b", "plan.json", "report.html", "report.md")
        )
        assert [m for m in plan.mentions if m.startswith("b.md")]
        done = api.purge(corpus, plan, now=NOW)
        assert (done.files, done.artifacts) == (2, 4)
        assert done.state_rows > 3
        assert done.vectors >= 1
    assert everywhere(tmp_path) == []
    assert [file.name for file in (tmp_path / ".memsleep/runs").iterdir()] == ["2026-11-29"]


def test_the_ledger_forgets_its_name(tmp_path: Path) -> None:
    """Lines about it go by its short id, under every name it had; the others keep their bytes."""
    filled(tmp_path)
    ledger = tmp_path / "archive/2026/ledger.jsonl"
    other = {"path": "c.md", "to": "archive/2026/c.md", "when": NOW, "cause": "merged"}
    kept = json.dumps({**other, "replaced_by": "b.md"}) + "\n"
    ledger.write_text(
        kept + json.dumps({**other, "replaced_by": "a.md"}) + "\n" + ledger.read_text()
    )
    with corpus_of(tmp_path, {}) as corpus:
        plan = plan_purge(corpus, "a.md")
        done = api.purge(corpus, plan, now=NOW)
    assert done.ledger_lines == 2
    text = ledger.read_text()
    assert text.startswith(kept)
    assert "a.md" not in text
    causes = [(e.path, e.cause) for e in read_ledger(ledger.read_bytes(), "ledger")]
    assert causes == [
        ("c.md", "merged"),
        ("c.md", "merged"),
        (f"purged:{plan.short_id}", "evicted"),
    ]


def test_suspicions_and_answers_about_it_go(tmp_path: Path) -> None:
    """What a night suspected of it, and what a person said of it, names it no more."""
    filled(tmp_path)
    with corpus_of(tmp_path, {}) as corpus:
        for key in ("a.md\0b.md", "b.md\0c.md"):
            corpus.state.detect("contradiction", key, "sleep/2026-11-29", "digest")
        for pair in (("a.md", "b.md"), ("b.md", "c.md")):
            question = ("pair", *pair)
            answer = Rejected(
                question=question, digests={}, permanent=True, decision="0" * 12,
                run_id="sleep/2026-11-29", reason="r", rejected_at=NOW,
            )  # fmt: skip
            corpus.state.reject([answer])
        api.purge(corpus, plan_purge(corpus, "a.md"), now=NOW)
        assert list(corpus.state.suspicions("contradiction")) == ["b.md\0c.md"]
        assert [a.question for a in corpus.state.rejected()] == [("pair", "b.md", "c.md")]


def test_who_quotes_it_is_named(tmp_path: Path) -> None:
    """Another file that holds one of its sentences is left alone and named with the line."""
    with corpus_of(tmp_path, {**FILES, "c.md": note("Copied.", body=SECRET)}) as corpus:
        assert plan_purge(corpus, "a.md").mentions == ("b.md:8", "c.md:8")


def test_the_audit_line_has_no_text(tmp_path: Path) -> None:
    """It says when and how much, by the short id alone."""
    filled(tmp_path)
    with corpus_of(tmp_path, {}) as corpus:
        api.purge(corpus, plan_purge(corpus, "a.md"), now=NOW)
    line = json.loads((tmp_path / ".memsleep/purges.jsonl").read_bytes())
    assert line["at"] == NOW
    assert len(line["purged"]) == 8
    assert "a.md" not in json.dumps(line)


def test_others_stay(tmp_path: Path) -> None:
    """The use and the words of other memories are untouched."""
    filled(tmp_path)
    with corpus_of(tmp_path, {}) as corpus:
        api.cite(corpus, f"[m:{api.search(corpus, 'lanyards', now=NOW).hits[0].short_id}]", now=NOW)
        api.purge(corpus, plan_purge(corpus, "a.md"), now=NOW)
    with corpus_of(tmp_path, {}) as corpus:
        assert corpus.usage()["b.md"].usage_count == 1
        assert api.search(corpus, "lanyards", now=NOW).hits[0].path == "b.md"
        assert "a.md" not in corpus.memories


def test_a_file_that_changed_is_not_purged(tmp_path: Path) -> None:
    """What was not looked at is not removed."""
    filled(tmp_path)
    with corpus_of(tmp_path, {}) as corpus:
        plan = plan_purge(corpus, "a.md")
        (tmp_path / "a.md").write_text(note("Something else by now."))
        with pytest.raises(UsageError) as error:
            api.purge(corpus, plan, now=NOW)
    assert error.value.reference == "purge-stale"
    assert (tmp_path / "archive/2026/a.md").exists()


def test_the_command_asks(tmp_path: Path) -> None:
    """Without --yes and without anybody to ask nothing is removed; git's history is told of."""
    root = init(tmp_path / "corpus")
    commit(root, FILES)
    refused = memsleep("purge", "a.md", "--corpus", root, home=tmp_path)
    assert refused.returncode == 2
    assert b"purge-unconfirmed" in refused.stderr
    assert b"git filter-repo --invert-paths --path a.md" in refused.stderr
    assert (root / "a.md").exists()
    done = memsleep("purge", "a.md", "--corpus", root, "--yes", home=tmp_path)
    assert done.returncode == 0
    assert b"marmalade" not in done.stdout + done.stderr
    assert not (root / "a.md").exists()
    assert git(root, "status", "--porcelain").decode().split("\n")[0] == " D a.md"


def test_the_provider_is_asked_to_forget_it(tmp_path: Path) -> None:
    """What waits of it goes, what waits of others stays, and the next sync tells the provider."""
    root = tmp_path / "corpus"
    folder = root / ".memsleep/sync"
    write(root, FILES)
    held = Records(folder, lambda _: None)
    held.put(Standing(provider="memory"))
    held.put_mirror(Mirror(known={"project": {"a.md": "1" * 64, "b.md": "2" * 64}}))
    box = Outbox(folder / "outbox")
    for name, text in FILES.items():
        box.enqueue(
            now=NOW, kind="save", scope="project", slug=name, write_mode="direct", reason="merged",
            note=Note(scope="project", slug=name, text=text if name == "a.md" else "See [[a]]."),
        )  # fmt: skip
    done = memsleep("purge", "a.md", "--corpus", root, "--now", NOW, "--yes", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert everywhere(root) == []
    assert [(q.entry.kind, q.entry.slug) for q in box.entries()] == [
        ("save", "b.md"), ("forget", "a.md"),
    ]  # fmt: skip
    assert held.mirror().known == {"project": {"b.md": "2" * 64}}
    assert b"memsleep sync" in done.stderr


def test_a_night_a_check_and_its_own_folder_leave_nothing(tmp_path: Path) -> None:
    """After a real run and a check, with the state elsewhere, no byte is left, and status is well.

    A record of which half is gone would be trouble for every later command.
    """
    root, state = tmp_path / "corpus", tmp_path / "state"
    copy = note(SECRET, created="2026-11-21", body="Nobody else may know of the word, said he.")
    write(root, {"a.md": FILES["a.md"], "b.md": note("Lanyards are blue."), "c.md": copy})
    for command in ("run", "check", "brief"):
        place = ("--corpus", root) if command == "brief" else (root,)
        memsleep(command, *place, "--state-dir", state, "--now", NOW, home=tmp_path)
        memsleep(command, *place, "--now", NOW, home=tmp_path) if command == "check" else None
    assert everywhere(tmp_path)
    for name in ("a.md", "c.md"):
        place = ("--corpus", root, "--state-dir", state, "--now", NOW)
        assert memsleep("purge", name, *place, "--yes", home=tmp_path).returncode == 0
    assert everywhere(tmp_path) == []
    status = memsleep("status", root, "--state-dir", state, "--now", NOW, home=tmp_path)
    assert b"trouble" not in status.stdout + status.stderr


def test_the_state_of_an_open_corpus_is_where_traces_are_sought(tmp_path: Path) -> None:
    """The functions look in the folder that the corpus was opened with."""
    root, state = tmp_path / "corpus", tmp_path / "state"
    write(root, FILES)
    write(state, {"runs/2026-11-30/report.md": SECRET})
    with api.open_corpus(root, now=NOW, state_dir=state) as corpus:
        api.search(corpus, "marmalade", now=NOW)
        done = api.purge(corpus, api.plan_purge(corpus, "a.md"), now=NOW)
    assert (done.artifacts, done.vectors > 0) == (1, True)
    assert everywhere(tmp_path) == []
    assert (state / "purges.jsonl").exists()


ENTRIES = (
    "\u00a7\nLanyards are blue, the porter says.\n\u00a7\n"
    f"{SECRET}\nSecond line of it, with another marmalade.\n\u00a7\nThe lift is slow on Mondays.\n"
)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_an_entry_of_a_file_is_taken_out_of_it(tmp_path: Path, ending: str) -> None:
    """Its neighbours keep every byte; the mode of the file stays."""
    source = ENTRIES.replace("\n", ending).encode()
    with corpus_of(tmp_path, {"MEMORY.md": source}) as corpus:
        (tmp_path / "MEMORY.md").chmod(0o640)
        (path,) = [p for p, m in corpus.memories.items() if "marmalade" in m.body]
        api.search(corpus, "marmalade", now=NOW)
        plan = plan_purge(corpus, path)
        assert (plan.files, plan.mentions) == ((path,), ())
        api.purge(corpus, plan, now=NOW)
    assert everywhere(tmp_path) == []
    left = ENTRIES.split("\u00a7\n")
    assert (tmp_path / "MEMORY.md").read_bytes() == "\u00a7\n".join(
        [left[0], left[1], left[3]]
    ).replace("\n", ending).encode()
    assert (tmp_path / "MEMORY.md").stat().st_mode & 0o777 == 0o640


def test_an_entry_that_changed_is_not_taken_out(tmp_path: Path) -> None:
    """A line more in it since the plan was made, and nothing is removed."""
    with corpus_of(tmp_path, {"MEMORY.md": ENTRIES}) as corpus:
        (path,) = [p for p, m in corpus.memories.items() if "marmalade" in m.body]
        plan = plan_purge(corpus, path)
        changed = ENTRIES.replace("another marmalade.", "another marmalade. And more.")
        write(tmp_path, {"MEMORY.md": changed})
        with pytest.raises(UsageError) as error:
            api.purge(corpus, plan, now=NOW)
    assert error.value.reference == "purge-stale"
    assert (tmp_path / "MEMORY.md").read_bytes() == changed.encode()


NAMED = (
    "../secret.md",
    "{outside}/secret.md",
    "sub/../../secret.md",
    "out/secret.md",
    "link.md",
    "package.json",
    ".git/config",
    ".GIT/config",
    "archive/2026/ledger.jsonl",
    "b.md",
    "nul\0.md",
    "C:\\secret.md",
)


@pytest.mark.parametrize("name", NAMED, ids=repr)
def test_a_forged_ledger_removes_nothing_else(name: str, tmp_path: Path) -> None:
    """Anybody may have written the ledger: what it names goes only if it is a copy, and inside."""
    outside = write(tmp_path / "home", {"secret.md": FILES["a.md"]})
    write(tmp_path, {"secret.md": FILES["a.md"]})
    root = write(
        tmp_path / "c", {**FILES, "package.json": "{}", ".git/config": "", ".GIT/config": ""}
    )
    (root / "out").symlink_to(outside)
    (root / "link.md").symlink_to(outside / "secret.md")
    line = {"path": "a.md", "to": name.format(outside=outside), "when": NOW, "cause": "merged"}
    write(root, {"archive/2026/ledger.jsonl": json.dumps(line) + "\n"})
    kept = {p for p in tmp_path.rglob("*") if not p.is_dir() and ".memsleep" not in p.parts}
    memsleep("purge", "a.md", "--yes", "--corpus", root, home=tmp_path)
    assert {p for p in kept if not p.is_symlink() and not p.exists()} == {root / "a.md"}
    assert (root / "link.md").is_symlink()


def test_a_state_that_names_other_paths_removes_nothing_else(tmp_path: Path) -> None:
    """A forged row says that the memory once lay where a file of the user's lies."""
    write(tmp_path, {"secret.md": FILES["a.md"]})
    root = write(tmp_path / "c", FILES)
    with corpus_of(root, {}) as corpus:
        memory_id = corpus.ids()["a.md"]
    connection = sqlite3.connect(root / ".memsleep/state.db")
    with connection:
        for name in ("../secret.md", str(tmp_path / "secret.md")):
            connection.execute(
                "INSERT INTO paths (path, memory_id, since) VALUES (?, ?, ?)",
                (name, memory_id, NOW),
            )
    connection.close()
    memsleep("purge", "a.md", "--yes", "--corpus", root, home=tmp_path)
    assert (tmp_path / "secret.md").exists()
    assert not (root / "a.md").exists()
