from __future__ import annotations

import re
from pathlib import Path

import pytest

from corpus_kit import git
from landing_kit import set_identity
from memsleep.errors import UsageError
from memsleep.landing.place import place_of
from memsleep.landing.runs import RunStore
from memsleep.model import digest_bytes
from memsleep.night.delivering import Synced, synchronise
from memsleep.night.merging import merge_run
from memsleep.night.real import real_run
from memsleep.night.undoing import undo_run
from memsleep.request import RunRequest
from memsleep.sync.inbox import Inbox
from memsleep.sync.incoming import Here, sort_out
from memsleep.sync.join import FOLDER, outbox_of
from memsleep.sync.protocol import Note, Page, PushResult, TransientError, WriteRequest
from memsleep.sync.records import Records, Standing
from night_kit import request_for, tree
from sync_kit import NOW, Service, hasty, note, refusing, save

LATER = "2026-12-01T03:00:00Z"


def memory(title: str, text: str = "The gate opens at six.") -> str:
    return f"---\ntitle: {title}\ntype: fact\n---\n{text}\n"


def page(*notes: Note, cursor: str | None = "1", done: bool = True) -> Page:
    return Page(notes=notes, next_cursor=cursor, done=done)


def service(*pages: Page, **more: object) -> Service:
    return Service(pages={"project": list(pages)}, **more)  # type: ignore[arg-type]


def asked(root: Path, now: str = NOW, **options: object) -> RunRequest:
    given = {"sync.provider": "directory"} | {k.replace("__", "."): v for k, v in options.items()}
    return request_for(root, now=now, options=given, out=None)


def pulled(root: Path, provider: Service, now: str = NOW, **options: object) -> Synced:
    """Pull, and nothing else."""
    request = asked(root, now, **{k: v for k, v in options.items() if k != "again"})
    again = bool(options.get("again"))
    return synchronise(request, provider, hasty(), push=False, again=again)


def files(root: Path) -> dict[str, str]:
    return tree(root, without=(".memsleep", ".git"))


def standing(root: Path) -> Standing:
    return Records(place_of(root).folder / FOLDER, print).standing()


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    root = tmp_path / "corpus"
    (root / "plant").mkdir(parents=True)
    (root / "plant/gate.md").write_bytes(memory("gate").encode())
    return root


def known(root: Path, *slugs: str) -> Service:
    """Let corpus and provider agree on memories; the provider goes on from cursor 1."""
    notes = [note(slug, (root / slug).read_bytes().decode()) for slug in slugs]
    provider = service(page(*notes))
    done = pulled(root, provider)
    assert done.pulled is not None
    assert done.pulled.same == len(slugs)
    return provider


def test_notes_become_files_byte_for_byte(corpus: Path) -> None:
    """New memories are written with every line end and mark, in folders of their own too."""
    text = "\ufeff---\r\ntitle: n\r\ntype: fact\r\n---\r\nA claim.\u2028And more\r\nno end"
    done = pulled(corpus, service(page(note("new/deep/n.md", text), note("b.md", memory("b")))))

    assert done.exit_code == 0
    assert done.pulled is not None
    assert done.pulled.saved == ("b.md", "new/deep/n.md")
    assert (corpus / "new/deep/n.md").read_bytes() == text.encode()


def test_pages_are_fetched_until_done(corpus: Path) -> None:
    """Every page counts, and the cursor of the last is where the next pull goes on."""
    pages = [page(note(f"n{n}.md", memory(f"n{n}")), cursor=str(n), done=n == 4) for n in range(5)]
    provider = service(*pages)
    done = pulled(corpus, provider)

    assert done.fetch is not None
    assert (done.fetch.pages, done.fetch.notes) == (6, 5)  # one more for the user's scope
    assert [c for s, c in provider.pulls if s == "project"] == [None, "0", "1", "2", "3"]
    assert standing(corpus).cursor == {"project": "4"}
    assert standing(corpus).last_pull_at == NOW
    assert len(files(corpus)) == 6
    pulled(corpus, provider)
    assert provider.pulls[-2] == ("project", "4")


def test_the_cursor_is_saved_after_each_page(corpus: Path) -> None:
    """A pull that breaks in the middle goes on there, and what came before it is in the corpus."""
    pages = [page(note(f"n{n}.md", memory(f"n{n}")), cursor=str(n), done=n == 2) for n in range(3)]

    class Breaking(Service):
        def pull(self, scope: object, cursor: str | None, take: int) -> Page:
            if cursor == "1":
                raise TransientError("the line broke")
            return super().pull(scope, cursor, take)  # type: ignore[arg-type]

    done = pulled(corpus, Breaking(pages={"project": pages}))
    assert (done.error, done.exit_code) == ("project: the line broke", 3)
    assert standing(corpus).cursor == {"project": "1"}
    assert standing(corpus).last_error == "project: the line broke"
    assert standing(corpus).last_pull_at is None
    assert {"n0.md", "n1.md"} <= files(corpus).keys()
    provider = service(*pages)
    assert pulled(corpus, provider).exit_code == 0
    assert provider.pulls[0] == ("project", "1")
    assert "n2.md" in files(corpus)
    assert standing(corpus).last_error is None


def test_each_scope_has_its_own_cursor(corpus: Path) -> None:
    """One scope that fails does not cost the other."""

    class Half(Service):
        def pull(self, scope: object, cursor: str | None, take: int) -> Page:
            if scope == "project":
                raise OSError
            return page(note("user/me.md", memory("me"), "user"), cursor="u7")

    done = pulled(corpus, Half())

    assert done.error == "project: OSError"
    assert standing(corpus).cursor == {"user": "u7"}
    assert "user/me.md" in files(corpus)


@pytest.mark.parametrize("cursor", ["same", None])
def test_a_cursor_that_repeats_ends_the_pull(corpus: Path, cursor: str | None) -> None:
    """A provider that would send the same page for ever is asked no more, and told so."""

    class Loop(Service):
        def pull(self, scope: object, cursor_: str | None, take: int) -> Page:
            self.pulls.append((str(scope), cursor_))
            return page(note("n.md", memory("n")), cursor=cursor, done=scope == "user")

    provider = Loop()
    done = pulled(corpus, provider)

    assert done.error.startswith("project: the provider gives a cursor again")
    assert len(provider.pulls) <= 4
    assert "n.md" in files(corpus)


def test_no_cursor_is_where_the_page_began(corpus: Path) -> None:
    """A page that does not move a kept cursor ends the pull; nothing comes from the start again."""

    class Stuck(Service):
        def pull(self, scope: object, cursor: str | None, take: int) -> Page:
            self.pulls.append((str(scope), cursor))
            return page(cursor=None, done=scope == "user")

    pulled(corpus, service(page(note("n.md", memory("n")), cursor="7")))
    provider = Stuck()
    done = pulled(corpus, provider)

    assert done.error.startswith("project: the provider gives a cursor again")
    assert provider.pulls == [("project", "7"), ("user", None)]


def test_pages_without_end_are_bounded(corpus: Path) -> None:
    """New cursors for ever end at the limit, and the next pull goes on there."""

    class Endless(Service):
        def pull(self, scope: object, cursor: str | None, take: int) -> Page:
            number = int(cursor or 0) + 1
            return page(cursor=str(number), done=scope == "user")

    done = pulled(corpus, Endless(), sync__max_pages=7)
    assert "not done after 7 pages" in done.error
    assert standing(corpus).cursor["project"] == "7"
    pulled(corpus, Endless(), sync__max_pages=7)
    assert standing(corpus).cursor["project"] == "14"


def test_what_is_the_same_is_not_written(corpus: Path) -> None:
    """An echo of our own changes touches no file and makes no run."""
    before = (corpus / "plant/gate.md").stat()
    known(corpus, "plant/gate.md")

    assert (corpus / "plant/gate.md").stat() == before
    assert RunStore(place_of(corpus)).records() == ()


def test_a_change_there_is_written_here(corpus: Path) -> None:
    """Where nobody changed it here since, the provider's memory is the corpus's."""
    provider = known(corpus, "plant/gate.md")
    old = (corpus / "plant/gate.md").read_bytes()
    provider.pages["project"].append(page(note("plant/gate.md", memory("g2")), cursor="2"))
    done = pulled(corpus, provider)

    assert (corpus / "plant/gate.md").read_bytes() == memory("g2").encode()
    assert done.pulled is not None
    record = RunStore(place_of(corpus)).find(done.pulled.run)
    assert record.before(digest_bytes(old)) == old
    assert record.status().state == "landed"


def test_a_change_on_both_sides_is_named_and_left(corpus: Path) -> None:
    """What somebody wrote here is never written over, nor what was never agreed on."""
    provider = known(corpus, "plant/gate.md")
    (corpus / "plant/gate.md").write_bytes(memory("mine").encode())
    (corpus / "other.md").write_bytes(memory("other").encode())
    provider.pages["project"].append(
        page(note("plant/gate.md", memory("g2")), note("other.md", memory("o2")), cursor="2")
    )
    before = files(corpus)
    done = pulled(corpus, provider)

    assert files(corpus) == before
    assert done.pulled is not None
    assert [slug for slug, _ in done.pulled.left] == ["other.md", "plant/gate.md"]
    assert "changed here" in done.pulled.left[0][1]
    assert done.exit_code == 1


def test_again_fetches_everything(corpus: Path) -> None:
    """After the one here is gone, the one there can be had: the cursors are not asked."""
    provider = service(page(note("plant/gate.md", memory("theirs"))))
    assert pulled(corpus, provider).exit_code == 1
    (corpus / "plant/gate.md").unlink()
    pulled(corpus, provider)
    assert "plant/gate.md" not in files(corpus)
    pulled(corpus, provider, again=True)

    assert (corpus / "plant/gate.md").read_bytes() == memory("theirs").encode()


@pytest.mark.parametrize("kind", ["save", "forget"])
def test_a_held_key_is_never_written_over(corpus: Path, kind: str) -> None:
    """What waits to be delivered is newer than what was fetched; others are written."""
    provider = known(corpus, "plant/gate.md")
    note_ = note("plant/gate.md", "x") if kind == "save" else None
    outbox_of(place_of(corpus)).enqueue(save("w", "plant/gate.md", kind=kind, note=note_), now=NOW)
    news = page(note("plant/gate.md", memory("g2")), note("n.md", memory("n")), cursor="2")
    provider.pages["project"].append(news)
    before = (corpus / "plant/gate.md").read_bytes()
    done = pulled(corpus, provider)

    assert (corpus / "plant/gate.md").read_bytes() == before
    assert done.pulled is not None
    assert (done.pulled.held, done.pulled.saved) == (("plant/gate.md",), ("n.md",))
    outbox_of(place_of(corpus)).drop("w")
    pulled(corpus, provider)
    assert (corpus / "plant/gate.md").read_bytes() == memory("g2").encode()


def test_a_held_note_that_our_own_delivery_overtakes_is_forgotten(corpus: Path) -> None:
    """Once ours is delivered it is the newest: the older note never comes back."""
    provider = known(corpus, "plant/gate.md")
    mine = (corpus / "plant/gate.md").read_bytes().decode()
    box = outbox_of(place_of(corpus))
    box.enqueue(save("w", "plant/gate.md", note=note("plant/gate.md", mine)), now=NOW)
    provider.pages["project"].append(page(note("plant/gate.md", memory("g2")), cursor="2"))
    done = synchronise(asked(corpus), provider, hasty())

    assert done.drained is not None
    assert done.drained.delivered == ("w",)
    assert (corpus / "plant/gate.md").read_bytes().decode() == mine
    assert Inbox(place_of(corpus).folder / FOLDER / "inbox").notes() == {}
    pulled(corpus, provider)
    assert (corpus / "plant/gate.md").read_bytes().decode() == mine


def test_what_is_taken_after_all_comes_back_here(corpus: Path) -> None:
    """A change that was refused, taken back here, and requeued: both sides are one again."""
    provider = known(corpus, "plant/gate.md")
    news, box = memory("merged"), outbox_of(place_of(corpus))
    box.enqueue(save("w", "plant/gate.md", note=note("plant/gate.md", news)), now=NOW)
    provider.mood = refusing("plant/gate.md")
    assert len(synchronise(asked(corpus), provider, hasty(), pull=False).refused) == 1
    box.requeue("w")
    provider.mood = refusing()
    synchronise(asked(corpus), provider, hasty(), pull=False)
    assert provider.taken == ["w"]
    provider.pages["project"].append(page(note("plant/gate.md", news), cursor="2"))
    done = pulled(corpus, provider)

    assert done.exit_code == 0
    assert (corpus / "plant/gate.md").read_bytes().decode() == news


def test_what_a_provider_was_asked_to_forget_does_not_come_back(corpus: Path) -> None:
    """While a person there decides, the memory stays away here."""
    provider = known(corpus, "plant/gate.md")
    request = save("f", "plant/gate.md", kind="forget", note=None, write_mode="proposal")
    outbox_of(place_of(corpus)).enqueue(request, now=NOW)
    (corpus / "plant/gate.md").unlink()
    synchronise(asked(corpus), provider, hasty(), pull=False)
    provider.pages["project"].append(page(note("plant/gate.md", memory("g2")), cursor="2"))
    pulled(corpus, provider)

    assert "plant/gate.md" not in files(corpus)


BAD = [
    ("../out.md", "leads out"),
    ("/etc/out.md", "leads out"),
    ("a//b.md", "leads out"),
    ("a/./b.md", "leads out"),
    ("a\\b.md", "leads out"),
    (".git/hooks.md", "no memories"),
    (".memsleep/config.md", "no memories"),
    (".hidden/a.md", "no memories"),
    ("archive/2026/a.md", "no memories"),
    ("node_modules/a.md", "no memories"),
    ("a.txt", "ends in none"),
    ("memsleep.toml", "ends in none"),
    ("a\n.md", "cannot be a file"),
    ("x" * 300 + ".md", "cannot be a file"),
    ("user/a.md", "sync.user"),
    ("Plant/b.md", "case or form"),
    ("plant/GATE.md", "case or form"),
    ("plant/gate.md/a.md", "no folder"),
    ("link.md", "cannot be read"),
    ("through/a.md", "cannot be read|no folder|symlink"),
]


def test_a_slug_that_cannot_be_a_memory_is_left(corpus: Path) -> None:
    """A provider leads nobody out of the corpus, into a program's folder, or onto another file."""
    outside = corpus.parent / "outside"
    outside.mkdir()
    (corpus / "link.md").symlink_to(outside / "secret.md")
    (corpus / "through").symlink_to(outside)
    before = files(corpus.parent)
    bad = [note(slug, memory("evil")) for slug, _ in BAD]
    done = pulled(corpus, service(page(*bad, note("ok.md", memory("ok")))))

    assert done.pulled is not None
    assert done.pulled.saved == ("ok.md",)
    reasons = dict(done.pulled.left)
    assert reasons.keys() == {slug for slug, _ in BAD}
    assert [slug for slug, why in BAD if re.search(why, reasons[slug]) is None] == []
    after = files(corpus.parent)
    after.pop("corpus/ok.md")
    assert {k: v for k, v in after.items() if "/.memsleep/" not in f"/{k}"} == before


@pytest.mark.parametrize("text", ["", " \r\n", "\ud800"])
def test_a_note_without_a_text_of_its_own_is_left(corpus: Path, text: str) -> None:
    """An empty file is no memory, and no file can hold half a character."""
    bad = Note.model_construct(scope="project", slug="n.md", text=text, deleted=False)
    found = sort_out({("project", "n.md"): bad}, Here({}, {}, (), (), ()))

    assert list(found.left) == [("project", "n.md")]
    assert found.saves == {}


def test_a_note_that_no_dialect_reads_is_left(tmp_path: Path) -> None:
    """What would be a broken file here is named, with the dialect's reason."""
    root = tmp_path / "corpus"
    root.mkdir()
    (root / "a.md").write_bytes(memory("a").encode())
    done = pulled(root, service(page(note("b.md", memory("b", "a\0b")))))

    assert done.pulled is not None
    assert [slug for slug, _ in done.pulled.left] == ["b.md"]
    assert not (root / "b.md").exists()


def test_decisions_are_recorded_beside_the_mirror(corpus: Path) -> None:
    """They make no file of the corpus."""
    from memsleep.sync.protocol import DecisionRecord

    fact = DecisionRecord(
        id="d", subject="s", predicate="p", object="o", updated_at=NOW, status="active"
    )
    before = files(corpus)
    provider = service(Page(decisions=(fact,), next_cursor="1", done=True))
    done = pulled(corpus, provider)

    assert done.fetch is not None
    assert done.fetch.decisions == 1
    assert files(corpus) == before
    kept = Records(place_of(corpus).folder / FOLDER, print).decisions()
    assert kept == {"d": fact}


# Deletions ----------------------------------------------------------------------------------


def gone(slug: str, reason: str = "") -> Note:
    return Note(scope="project", slug=slug, deleted=True, reason=reason)


def deleted(corpus: Path, reason: str = "it was wrong") -> Synced:
    """Let a known memory, to which a page links, go at the provider."""
    (corpus / "page.md").write_bytes(memory("page", "See [it](plant/gate.md).").encode())
    provider = known(corpus, "plant/gate.md", "page.md")
    provider.pages["project"].append(page(gone("plant/gate.md", reason), cursor="2"))
    return pulled(corpus, provider)


def test_a_deletion_is_a_decision_that_archives(corpus: Path) -> None:
    """It is planned, landed, told in the ledger and by the audit's rules, as one of a night."""
    old = (corpus / "plant/gate.md").read_bytes()
    done = deleted(corpus)

    assert done.exit_code == 0
    assert done.pulled is not None
    assert done.pulled.archived == ("plant/gate.md",)
    assert not (corpus / "plant/gate.md").exists()
    assert (corpus / "archive/2026/plant/gate.md").exists()
    assert old.split(b"---\n")[2] in (corpus / "archive/2026/plant/gate.md").read_bytes()
    record = RunStore(place_of(corpus)).find(done.pulled.run)
    (decision,) = record.plan().decisions
    assert (decision.kind, decision.phase) == ("archive", "sync")
    assert decision.reason == "memory holds it no longer: it was wrong"
    assert record.status().landed == (decision.id,)
    assert b'"phase":"sync"' in (corpus / "archive/2026/ledger.jsonl").read_bytes()


def test_a_deletion_is_not_told_to_who_asked_for_it(corpus: Path) -> None:
    """What it changes beside the memory, a link in a page, is told."""
    deleted(corpus)

    found = [(q.entry.kind, q.entry.slug) for q in outbox_of(place_of(corpus)).entries()]
    assert found == [("save", "page.md")]


def test_a_deletion_can_be_undone_and_that_is_told(corpus: Path) -> None:
    """The memory is back, byte for byte, and the provider hears of it."""
    old = (corpus / "plant/gate.md").read_bytes()
    done = deleted(corpus)
    assert done.pulled is not None
    undo_run(asked(corpus), done.pulled.run, [], with_dependents=False)

    assert (corpus / "plant/gate.md").read_bytes() == old
    found = [(q.entry.kind, q.entry.slug) for q in outbox_of(place_of(corpus)).entries()]
    assert ("save", "plant/gate.md") in found


def test_a_deletion_of_what_was_changed_here_is_left(corpus: Path) -> None:
    """Nothing that somebody wrote goes because it went elsewhere."""
    provider = known(corpus, "plant/gate.md")
    (corpus / "plant/gate.md").write_bytes(memory("mine").encode())
    provider.pages["project"].append(page(gone("plant/gate.md"), cursor="2"))
    before = files(corpus)
    done = pulled(corpus, provider)

    assert files(corpus) == before
    assert done.pulled is not None
    assert [slug for slug, _ in done.pulled.left] == ["plant/gate.md"]


def test_a_deletion_of_what_is_not_here_is_nothing(corpus: Path) -> None:
    """It is agreed on already."""
    before = files(corpus)
    done = pulled(corpus, service(page(gone("never.md"))))

    assert (done.exit_code, files(corpus)) == (0, before)
    assert RunStore(place_of(corpus)).records() == ()


def test_a_secret_in_a_providers_reason_goes_nowhere(corpus: Path) -> None:
    """The reason is left out of plan and ledger."""
    secret = "ghp_" + "kD83hQpz0sLw5NvRtYx2BmCe7FgJa4Ku9TiW"
    done = deleted(corpus, f"token {secret}")

    assert done.pulled is not None
    plan = RunStore(place_of(corpus)).find(done.pulled.run).plan()
    assert plan.decisions[0].reason == "memory holds it no longer"


# In git -------------------------------------------------------------------------------------


def repository(root: Path) -> Path:
    set_identity(root.parent / "home")
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "start")
    return root


def test_in_git_what_was_fetched_waits_on_a_branch(corpus: Path) -> None:
    """The work tree is not touched; a merge brings saves and deletions, an undo takes them back."""
    (corpus / "old.md").write_bytes(memory("old").encode())
    repository(corpus)
    provider = known(corpus, "plant/gate.md", "old.md")
    news = page(note("plant/gate.md", memory("g2")), note("n.md", memory("n")), gone("old.md"),
                cursor="2")  # fmt: skip
    provider.pages["project"].append(news)
    before = files(corpus)
    done = pulled(corpus, provider)

    assert done.pulled is not None
    assert files(corpus) == before
    assert done.pulled.ref == "refs/heads/sleep/pull-2026-11-30"
    assert outbox_of(place_of(corpus)).entries() == ()
    merged = merge_run(asked(corpus), "sleep/pull-2026-11-30", force=False)
    assert any(line.startswith("gate: not asked") for line in merged.messages)
    assert (corpus / "n.md").read_bytes() == memory("n").encode()
    assert (corpus / "plant/gate.md").read_bytes() == memory("g2").encode()
    assert not (corpus / "old.md").exists()
    assert (corpus / "archive/2026/old.md").exists()
    assert outbox_of(place_of(corpus)).entries() == ()
    assert files(corpus).items() >= {"n.md": files(corpus)["n.md"]}.items()
    provider.pages["project"].append(page(note("plant/gate.md", memory("g3")), cursor="3"))
    again = pulled(corpus, provider, LATER)
    assert again.pulled is not None
    assert again.pulled.ref == "refs/heads/sleep/pull-2026-12-01"


def test_a_night_does_not_supersede_what_was_fetched(corpus: Path) -> None:
    """The branch of a pull can be merged after the night's, without force."""
    (corpus / "gate2.md").write_bytes((corpus / "plant/gate.md").read_bytes())
    repository(corpus)
    pulled(corpus, service(page(note("n.md", memory("n", "Another thing altogether.")))))
    outcome = real_run(asked(corpus, LATER))
    assert not any("supersedes sleep/pull" in line for line in outcome.messages)
    merge_run(asked(corpus), "sleep/pull-2026-11-30", force=False)

    assert (corpus / "n.md").exists()


# The whole ----------------------------------------------------------------------------------


def test_records_of_another_provider_are_not_mixed(corpus: Path) -> None:
    """Cursors of one service mean nothing to another: nothing is asked or sent."""
    known(corpus, "plant/gate.md")
    other = Service(id="other")
    with pytest.raises(Exception, match="the records are those of memory"):
        synchronise(asked(corpus), other, hasty())
    assert (other.pulls, other.asked) == ([], [])


def test_an_address_that_never_answered_can_be_mended(corpus: Path) -> None:
    """Records in which nothing came or went are nobody's, and the outbox is not lost for them."""

    class Dead(Service):
        def pull(self, scope: object, cursor: str | None, take: int) -> Page:
            raise OSError

        def push(self, request: WriteRequest) -> PushResult:
            raise OSError

    dead = Dead(id="http://127.0.0.1:1")
    assert synchronise(asked(corpus), dead, hasty()).exit_code == 3
    assert standing(corpus).provider == dead.id
    assert pulled(corpus, service(page(note("n.md", memory("n"))))).exit_code == 0
    with pytest.raises(UsageError, match="the records are those of memory") as error:
        synchronise(asked(corpus), dead, hasty())
    assert "what waits in the outbox stays" in (error.value.hint or "")


def test_a_first_pull_fills_an_empty_folder(tmp_path: Path) -> None:
    """A new machine gets its memories."""
    root = tmp_path / "corpus"
    root.mkdir()
    done = pulled(root, service(page(note("a.md", memory("a")), note("b/c.md", memory("c")))))

    assert done.exit_code == 0
    assert files(root).keys() == {"a.md", "b/c.md"}


@pytest.mark.parametrize("news", ["saved", "deleted"])
def test_a_pull_before_the_first_night_leaves_it_the_first(corpus: Path, news: str) -> None:
    """Memories that come and go are no night: what the first only tells, it still only tells."""
    from memsleep.night.prepare import prepare
    from memsleep.state.store import open_state

    provider = known(corpus, "plant/gate.md")
    what = gone("plant/gate.md") if news == "deleted" else note("n.md", memory("n"))
    provider.pages["project"].append(page(what, cursor="2"))
    pulled(corpus, provider)

    with open_state(place_of(corpus).database) as state:
        assert state.last_landed_at() is None
    request = asked(corpus, LATER, corpus__allow_empty=True)
    assert prepare(request, corpus.parent).snapshot.first_night


def test_somebody_who_writes_meanwhile_is_not_overwritten(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that changes between looking and landing is looked at again."""
    from memsleep.night import pulling

    provider = known(corpus, "plant/gate.md")
    provider.pages["project"].append(page(note("plant/gate.md", memory("g2")), cursor="2"))
    plain = pulling._saves

    def meanwhile(*arguments: object) -> object:
        made = plain(*arguments)  # type: ignore[arg-type]
        (corpus / "plant/gate.md").write_bytes(memory("mine").encode())
        return made

    monkeypatch.setattr(pulling, "_saves", meanwhile)
    done = pulled(corpus, provider)

    assert (corpus / "plant/gate.md").read_bytes() == memory("mine").encode()
    assert done.pulled is not None
    assert [slug for slug, _ in done.pulled.left] == ["plant/gate.md"]


def test_a_refusal_lets_the_note_that_it_held_land(corpus: Path) -> None:
    """In one sync: the entry is refused, so the provider's memory stands here too."""
    from memsleep.sync.protocol import PushRejected

    provider = known(corpus, "plant/gate.md")
    outbox_of(place_of(corpus)).enqueue(
        save("w", "plant/gate.md", note=note("plant/gate.md", "x")), now=NOW
    )
    provider.pages["project"].append(page(note("plant/gate.md", memory("g2")), cursor="2"))

    def never(_request: WriteRequest) -> None:
        raise PushRejected("no")

    provider.mood = never
    done = synchronise(asked(corpus), provider, hasty())

    assert [r.reason for r in done.refused] == ["no"]
    assert (corpus / "plant/gate.md").read_bytes() == memory("g2").encode()
