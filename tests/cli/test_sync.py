from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from corpus_kit import git
from faults_kit import make_corpus
from git_night_kit import command
from landing_kit import set_identity
from memsleep.landing.place import place_of
from memsleep.sync.join import outbox_of
from memsleep.sync.outbox import Outbox
from memsleep.sync.testing.server import ReferenceServer
from sync_kit import note, save

NOW = "2026-11-30T03:00:00Z"
KEPT, DROPPED, PAGE = "plant/boiler-a.md", "plant/boiler-b.md", "page-boiler.md"
TOKEN = "tok-5c1f9e7d2b8a4630"


class Scene:
    """A corpus, a config of the user's, and a folder that changes are delivered to."""

    def __init__(self, folder: Path) -> None:
        self.root = make_corpus(folder / "corpus", pairs=1)
        self.there = folder / "there"
        self.there.mkdir()
        self.config = folder / "own.toml"
        self.set(provider="directory", path=str(self.there))

    def set(self, **values: str) -> None:
        lines = [f'{key} = "{value}"' for key, value in values.items()]
        self.config.write_bytes("\n".join(["[sync]", *lines, ""]).encode())

    def night(self) -> str:
        code, said = command(
            "run", str(self.root), "--config", str(self.config), "--now", NOW, "--quiet"
        )
        assert code == 0, said
        return said

    def sync(self, *words: str, code: int = 0) -> str:
        given = ["sync", *words, "--corpus", str(self.root)]
        if words[:1] not in (("status",), ("requeue",), ("drop",)):
            given += ["--config", str(self.config)]
        found, said = command(*given)
        assert found == code, said
        return said

    def json(self, *words: str, code: int = 0) -> dict[str, Any]:
        quiet = () if words[:1] in (("status",), ("requeue",), ("drop",)) else ("--quiet",)
        found = json.loads(self.sync(*words, "--json", *quiet, code=code))
        assert isinstance(found, dict)
        return found

    @property
    def box(self) -> Outbox:
        return outbox_of(place_of(self.root))


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def test_a_night_is_delivered_to_a_folder(scene: Scene) -> None:
    """What landed here is there, byte for byte, and the outbox is empty."""
    scene.night()
    assert "3 queued, 0 rejected, 0 invalid" in scene.sync("status")
    said = scene.sync()

    assert "delivered 3, 0 still wait" in said
    found = {p.name: p for p in scene.there.rglob("*.md") if "boiler" in p.name}
    assert found["boiler-a.md"].read_bytes() == (scene.root / KEPT).read_bytes()
    assert "boiler-b.md" not in found
    assert scene.box.entries() == ()
    assert "delivered 0, 0 still wait" in scene.sync()


def test_the_document_of_a_sync(scene: Scene) -> None:
    """One JSON document, with what was done and the exit code."""
    scene.night()
    done = scene.json()

    assert (done["schema_version"], done["exit_code"], done["error"]) == (1, 0, "")
    assert len(done["drained"]["delivered"]) == 3
    assert done["pulled"]["held"] == []
    assert scene.json("push")["pulled"] is None
    assert scene.json("pull")["drained"] is None


def test_status_tells_what_waits_was_refused_and_is_no_entry(scene: Scene) -> None:
    """Each with what a person needs, and exit 1 when a person is needed; nothing is changed."""
    assert scene.sync("status").startswith("provider: none yet, never pulled\n0 queued")
    assert not (scene.root / ".memsleep").exists()
    for name in ("waits", "bad"):
        scene.box.enqueue(save(name, f"{name}.md", reason=f"asked {name}"), now=NOW)
    assert scene.json("status")["queued"][0]["id"] == "waits"
    scene.box.reject("bad", "not like this")
    (scene.box.path / "00000009-torn.json").write_bytes(b"{")
    said = scene.sync("status", code=1)

    assert "1 queued, 1 rejected, 1 invalid" in said
    assert "queued    save project waits.md [waits]: asked waits" in said
    assert "rejected  save project bad.md [bad]: not like this" in said
    assert "asked for: asked bad" in said
    assert "invalid   00000009-torn.json" in said
    found = scene.json("status", code=1)
    assert found["invalid"] == ["00000009-torn.json"]
    assert found["rejected"][0]["request_reason"] == "asked bad"


def test_the_status_of_the_corpus_says_that_changes_wait(scene: Scene) -> None:
    """One line, and nothing where the corpus mirrors no service."""
    assert "sync:" not in command("status", "--corpus", str(scene.root))[1]
    scene.night()
    said = command("status", "--corpus", str(scene.root))[1]
    which = f"to see which: memsleep sync --corpus {scene.root} status"
    assert f"sync: 3 queued, 0 rejected, 0 invalid; {which}\n" in said
    found = json.loads(command("status", "--corpus", str(scene.root), "--json")[1])
    assert found["sync"] == {"queued": 3, "rejected": 0, "invalid": 0}


def test_no_text_of_a_memory_is_told(scene: Scene) -> None:
    """Entries are told by path and reason only."""
    scene.box.enqueue(save("c", note=note(text="a private thing\n")), now=NOW)

    assert "private" not in scene.sync("status") + json.dumps(scene.json("status"))


def test_requeue_and_drop_by_the_beginning_of_an_id(scene: Scene) -> None:
    """An id may be shortened as long as only one entry is meant."""
    for name in ("ms-aa1", "ms-ab2"):
        scene.box.enqueue(save(name), now=NOW)
        scene.box.reject(name, "no")
    assert "ms-ab2 waits again" in scene.sync("requeue", "ms-ab")
    assert "begin with 'ms-a'" in scene.sync("drop", "ms-a", code=2)
    assert "no entry of the outbox has the id 'x'" in scene.sync("drop", "x", code=2)
    assert scene.json("drop", "ms-aa1") == {"schema_version": 1, "action": "drop", "id": "ms-aa1"}

    assert [q.entry.client_id for q in scene.box.queued()] == ["ms-ab2"]
    assert scene.box.rejected() == ()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("fetch",), "sync-unknown-action"),
        (("requeue",), "needs the id"),
        (("drop",), "needs the id"),
        (("status", "ms-1"), "takes no id"),
        (("push", "--again"), "conflicting-options"),
    ],
)
def test_what_cannot_be_asked(scene: Scene, words: tuple[str, ...], told: str) -> None:
    """A wrong word is a usage error that says so."""
    assert told in scene.sync(*words, code=2)


def test_without_a_provider_there_is_nothing_to_do(scene: Scene) -> None:
    """The error says where a provider is set."""
    scene.config.write_bytes(b"")
    said = scene.sync(code=2)
    assert "sync-no-provider" in said
    assert "--config" in said


@pytest.mark.parametrize("name", ["memsleep.toml", ".memsleep/config.toml"])
def test_a_corpus_cannot_say_where_it_is_sent(scene: Scene, name: str) -> None:
    """Its config is refused by the night and by the sync, and nothing leaves."""
    (scene.root / ".memsleep").mkdir()
    (scene.root / name).write_bytes(
        f'[sync]\nprovider = "directory"\npath = "{scene.there}"\n'.encode()
    )
    for words in (("sync", "--corpus", str(scene.root)), ("run", str(scene.root))):
        code, said = command(*words)
        assert code == 2
        assert "untrusted-setting" in said
    assert list(scene.there.iterdir()) == []


def test_a_secret_that_was_queued_is_not_sent(scene: Scene) -> None:
    """It is named by path and line, its memory's later changes wait behind it, others go."""
    secret = "ghp_" + "kD83hQpz0sLw5NvRtYx2BmCe7FgJa4Ku9TiW"
    scene.box.enqueue(save("s", "s.md", note=note("s.md", f"one\ntwo\n{secret}\n")), now=NOW)
    scene.box.enqueue(save("o", "o.md"), now=NOW)
    said = scene.sync("push", code=1)

    assert "withheld: s.md:3: it holds a secret (github-token)" in said
    assert secret not in said
    assert not any(secret.encode() in p.read_bytes() for p in scene.there.rglob("*") if p.is_file())
    assert [q.entry.client_id for q in scene.box.queued()] == ["s"]


def test_a_secret_in_a_refusal_is_not_kept(scene: Scene) -> None:
    """A service may quote what it was sent: the outbox and the screen do not."""
    secret = "ghp_" + "kD83hQpz0sLw5NvRtYx2BmCe7FgJa4Ku9TiW"
    with ReferenceServer(refuse={"a.md": f"bad token {secret}"}) as server:
        scene.set(provider="http", url=server.url)
        scene.box.enqueue(save("c"), now=NOW)
        said = scene.sync("push", code=1) + scene.sync("status", code=1)

    assert "bad token ****" in said
    assert secret not in said
    assert not any(secret.encode() in p.read_bytes() for p in scene.box.path.iterdir())


def test_a_token_is_told_nowhere(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not when it is right, not when it is wrong, not in any file of ours."""
    monkeypatch.setenv("OURS", TOKEN)
    scene.night()
    with ReferenceServer(token=TOKEN) as server:
        scene.set(provider="http", url=server.url, token_env="OURS")
        said = scene.sync("push")
        monkeypatch.setenv("OURS", "another")
        scene.box.enqueue(save("c"), now=NOW)
        scene.set(provider="http", url=server.url, token_env="OURS")
        said += scene.sync("push", code=3)
    assert "delivered 3" in said
    assert TOKEN not in said
    files = [p for p in scene.root.rglob("*") if p.is_file()]
    assert not any(TOKEN.encode() in p.read_bytes() for p in files)


def test_a_service_that_is_away_costs_nothing(scene: Scene) -> None:
    """Exit 3, the reason is kept for the status, and the next sync delivers."""
    scene.night()
    with ReferenceServer() as server:
        url = server.url
    scene.set(provider="http", url=url, attempts="1")
    scene.config.write_bytes(scene.config.read_bytes().replace(b'"1"', b"1"))
    assert "error:" in scene.sync(code=3)
    said = scene.sync("status", code=1)
    assert "3 queued" in said
    assert "last error:" in said


def test_one_sync_at_a_time(scene: Scene) -> None:
    """A second one exits 4 and does nothing."""
    program = (
        "import sys, time\nfrom pathlib import Path\n"
        "from memsleep.sync.locking import one_sync\n"
        "with one_sync(Path(sys.argv[1])):\n    print(flush=True)\n    time.sleep(60)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    holder = subprocess.Popen(
        [sys.executable, "-c", program, str(scene.box.path.parent)],
        stdout=subprocess.PIPE,
        env=environment,
    )
    try:
        assert holder.stdout is not None
        holder.stdout.readline()
        assert "sync-held" in scene.sync(code=4)
    finally:
        holder.kill()
        holder.wait()
        if holder.stdout is not None:
            holder.stdout.close()
    assert "delivered 0" in scene.sync()


# Refusals -----------------------------------------------------------------------------------


def test_a_refused_keeper_is_what_it_was(scene: Scene) -> None:
    """The merge is taken back here, and told there; the question does not come again."""
    before = {p: (scene.root / p).read_bytes() for p in (KEPT, DROPPED, PAGE)}
    scene.night()
    with ReferenceServer(refuse={KEPT: "kept by hand"}) as server:
        scene.set(provider="http", url=server.url)
        said = scene.sync(code=1)
        held = {slug: n for (_, slug), n in server.service.notes.items()}

    assert "refused: save plant/boiler-a.md" in said
    assert "restored: " in said
    assert {p: (scene.root / p).read_bytes() for p in before} == before
    assert held[DROPPED].text.encode() == before[DROPPED]
    assert held[PAGE].text.encode() == before[PAGE]
    assert KEPT not in held
    (left,) = scene.box.entries()
    assert (left.entry.slug, left.entry.state, left.entry.restoring) == (KEPT, "rejected", "done")
    scene.night()
    assert scene.box.queued() == ()


def test_a_refused_forget_brings_the_memory_back(scene: Scene) -> None:
    """What the service will not forget is here again."""
    before = (scene.root / DROPPED).read_bytes()
    scene.night()
    assert not (scene.root / DROPPED).exists()
    with ReferenceServer(refuse={DROPPED: "it is needed"}) as server:
        scene.set(provider="http", url=server.url)
        scene.sync(code=1)

    assert (scene.root / DROPPED).read_bytes() == before
    assert [q.entry.state for q in scene.box.entries()] == ["rejected"]


def test_a_later_edit_in_the_way_is_told_beside_the_refusal(scene: Scene) -> None:
    """The refusal stands, what could not be restored is named, and nothing loops."""
    scene.night()
    mine = b"---\ntitle: mine\n---\nAltogether something else by now.\n"
    (scene.root / KEPT).write_bytes(mine)
    with ReferenceServer(refuse={KEPT: "kept by hand"}) as server:
        scene.set(provider="http", url=server.url)
        said = scene.sync(code=3)
        assert scene.sync("push").count("delivered 0") == 1

    assert "kept by hand" in said
    assert "the mirror could not be restored" in said
    assert (scene.root / KEPT).read_bytes() == mine
    assert "it could not be restored" in scene.sync("status", code=1)


def test_a_refused_undo_is_told_and_not_done_over(scene: Scene) -> None:
    """The user's undo stands here, although the service keeps what it holds."""
    scene.night()
    with ReferenceServer() as server:
        scene.set(provider="http", url=server.url)
        scene.sync()
        command("undo", "--corpus", str(scene.root), "--config", str(scene.config))
        after = (scene.root / KEPT).read_bytes()
        server.refuse[KEPT] = "no way back"
        said = scene.sync(code=3)
        assert "delivered 0" in scene.sync("push")

    assert "it was taken back here, and the provider keeps what it holds" in said
    assert (scene.root / KEPT).read_bytes() == after
    assert [q.entry.slug for q in scene.box.rejected()] == [KEPT]


def test_a_requeued_entry_is_sent_as_it_was_taken(scene: Scene) -> None:
    """With its own reason, under its own id."""
    with ReferenceServer(refuse={"a.md": "not yet"}) as server:
        scene.set(provider="http", url=server.url)
        scene.box.enqueue(save("c", reason="by the night"), now=NOW)
        scene.sync("push", code=1)
        scene.sync("requeue", "c")
        server.refuse.clear()
        scene.sync("push")
        bodies = [json.loads(seen.body) for seen in server.seen if seen.method == "PUT"]

    assert [(b["client_id"], b["reason"]) for b in bodies] == [("c", "by the night")] * 2
    assert bodies[0] == bodies[1]
    assert scene.box.entries() == ()


def test_in_git_a_refusal_waits_on_a_branch(scene: Scene) -> None:
    """The undo is a branch to merge; once it is merged, what it changed is told, once."""
    set_identity(scene.root.parent / "home")
    for words in (("init", "-q", "-b", "main"), ("add", "."), ("commit", "-q", "-m", "start")):
        git(scene.root, *words)
    before = (scene.root / KEPT).read_bytes()
    scene.night()
    git(scene.root, "merge", "-q", "--ff-only", "sleep/2026-11-30")
    with ReferenceServer(refuse={KEPT: "kept by hand"}) as server:
        scene.set(provider="http", url=server.url)
        said = scene.sync("push", code=1)
        assert "sleep/undo-2026-11-30" in said
        assert (scene.root / KEPT).read_bytes() != before
        git(scene.root, "merge", "-q", "--no-edit", "sleep/undo-2026-11-30")
        scene.sync("push")
        held = {slug: n.deleted for (_, slug), n in server.service.notes.items()}

    assert (scene.root / KEPT).read_bytes() == before
    assert held == {PAGE: False, DROPPED: False}
    assert [q.entry.state for q in scene.box.entries()] == ["rejected"]
