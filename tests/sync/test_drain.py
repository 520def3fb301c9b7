from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memsleep.errors import CorpusError
from memsleep.landing.lock import LockHeldError
from memsleep.sync.drain import Drain, Drained
from memsleep.sync.outbox import Outbox, Queued
from memsleep.sync.protocol import PushRejected, PushResult, TransientError, WriteRequest
from memsleep.sync.refusal import finish
from sync_kit import NOW, Service, failing, forget, hasty, outbox, records, refusing, save


def keep(_entry: Queued, _reason: str) -> str:
    return ""


def drain(folder: Path, service: Service, **more: object) -> Drained:
    values = {"restore": keep, "retry": hasty(), **more}
    return Drain(outbox(folder), records(folder), service, **values).run()  # type: ignore[arg-type]


def filled(folder: Path, *requests: WriteRequest) -> Outbox:
    box = outbox(folder)
    for request in requests:
        box.enqueue(request, now=NOW)
    return box


def test_what_waits_is_delivered_in_order_and_removed(tmp_path: Path) -> None:
    """The provider sees the requests as they were taken, the oldest first."""
    box = filled(tmp_path, save("b"), forget("a", "x.md"), save("c", "y.md"))
    service = Service()
    done = drain(tmp_path, service)

    assert service.asked == ["b", "a", "c"]
    assert done == Drained(delivered=("b", "a", "c"))
    assert box.entries() == ()


def test_an_empty_outbox_asks_nobody(tmp_path: Path) -> None:
    """Nothing to deliver is no reason to call, and makes no folder."""
    service = Service()

    assert drain(tmp_path / "sync", service) == Drained()
    assert service.asked == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("error", [OSError(5, "x"), TimeoutError(), ValueError("x"), KeyError("k")])
def test_every_other_error_is_tried_again(tmp_path: Path, error: Exception) -> None:
    """What is no refusal may pass: twice it fails, the third time it goes."""
    filled(tmp_path, save("a"), save("b"))
    service = Service(mood=failing(2, error))
    waits: list[float] = []
    done = drain(tmp_path, service, retry=hasty(3, waits))

    assert service.asked == ["a", "a", "a", "b"]
    assert done.delivered == ("a", "b")
    assert waits == [0.5, 1.0]


def test_attempts_are_bounded_and_order_is_kept(tmp_path: Path) -> None:
    """What does not pass stops the delivery: nothing later overtakes it, nothing is lost."""
    box = filled(tmp_path, save("a"), save("b", "b.md"))
    service = Service(mood=failing(3, TransientError("the service is down")))
    done = drain(tmp_path, service)

    assert service.asked == ["a", "a", "a"]
    assert done == Drained(waiting=2, error="a.md: the service is down")
    assert [q.entry.client_id for q in box.queued()] == ["a", "b"]
    assert drain(tmp_path, service).delivered == ("a", "b")


def test_a_service_may_say_how_long_to_wait(tmp_path: Path) -> None:
    """It is waited that long, but never longer than a minute."""
    filled(tmp_path, save("a"))
    waits: list[float] = []
    mood = failing(1, TransientError("busy", retry_after_s=7.0))
    drain(tmp_path, Service(mood=mood), retry=hasty(2, waits))
    filled(tmp_path, save("b"))
    mood = failing(1, TransientError("busy", retry_after_s=86400.0))
    drain(tmp_path, Service(mood=mood), retry=hasty(2, waits))

    assert waits == [7.0, 60.0]


def test_a_foreign_error_is_told_by_its_kind_alone(tmp_path: Path) -> None:
    """Its message may quote a token or a memory: nobody sees it."""
    filled(tmp_path, save("a"))
    done = drain(tmp_path, Service(mood=failing(9, ValueError("token abc"))))

    assert done.error == "a.md: ValueError"


def test_a_crash_between_acknowledgement_and_removal_delivers_twice(tmp_path: Path) -> None:
    """The same client id comes again, so the provider takes it once."""
    box = filled(tmp_path, save("a"))
    service = Service()
    service.push(box.entries()[0].entry.request)  # and then the process died

    assert drain(tmp_path, service).delivered == ("a",)
    assert (service.asked, service.taken) == (["a", "a"], ["a"])


def test_a_refusal_is_kept_restored_and_does_not_stop_the_rest(tmp_path: Path) -> None:
    """The refused entry stays with both reasons, the mirror is restored, the others arrive."""
    box = filled(tmp_path, save("a"), save("b", "b.md"), save("c", "c.md"))
    seen: list[tuple[str, str]] = []

    def restore(found: Queued, reason: str) -> str:
        seen.append((found.entry.slug, reason))
        return "put back"

    service = Service(mood=refusing("b.md", reason="no\nthanks"))
    done = drain(tmp_path, service, restore=restore)

    assert service.asked == ["a", "b", "c"]
    assert done.delivered == ("a", "c")
    assert [(r.slug, r.reason, r.restored, r.failures) for r in done.refused] == [
        ("b.md", "no thanks", "put back", ())
    ]
    assert seen == [("b.md", "no thanks")]
    (left,) = box.rejected()
    assert (left.entry.reason, left.entry.request_reason) == ("no thanks", "merged")
    assert left.entry.restoring == "done"
    assert drain(tmp_path, service) == Drained()


def test_a_failure_while_restoring_never_replaces_the_refusal(tmp_path: Path) -> None:
    """Both are told, and the entry is set aside all the same."""

    def restore(_entry: Queued, _reason: str) -> str:
        raise CorpusError("file-blocked", "a.md cannot be written")

    box = filled(tmp_path, save("a"))
    done = drain(tmp_path, Service(mood=refusing("a.md")), restore=restore)

    (refusal,) = done.refused
    assert refusal.reason == "not here"
    assert refusal.failures == ("the mirror could not be restored: a.md cannot be written",)
    assert box.rejected()[0].entry.restoring == "failed"


def test_the_mirror_is_restored_although_the_entry_cannot_be_set_aside(tmp_path: Path) -> None:
    """Neither step decides whether the other runs; the refusal is asked for once."""
    box = filled(tmp_path, save("a"), save("b", "b.md"))
    restored = []

    def mood(request: WriteRequest) -> None:
        if request.slug == "a.md":
            box.drop("a")  # somebody took it away while the provider thought
            raise PushRejected("no")

    def restore(found: Queued, _reason: str) -> str:
        restored.append(found.entry.slug)
        return "done"

    service = Service(mood=mood)
    done = drain(tmp_path, service, restore=restore)

    assert restored == ["a.md"]
    assert done.refused[0].reason == "no"
    assert done.refused[0].restored == "done"
    assert len(done.refused[0].failures) == 2
    assert service.asked == ["a", "b"]


def test_a_killed_restoring_is_finished_by_the_next_start(tmp_path: Path) -> None:
    """An entry that was set aside, and no more, still gives the mirror back what it held."""
    box = filled(tmp_path, save("a"), save("b", "b.md"))
    box.reject("a", "no")
    box.reject("b", "no")
    box.restored("b", "failed")
    seen: list[str] = []

    def restore(found: Queued, reason: str) -> str:
        seen.append(f"{found.entry.slug} {reason}")
        return "put back"

    assert [r.restored for r in finish(box, restore)] == ["put back"]
    assert seen == ["a.md no"]
    assert finish(box, restore) == ()


def test_what_may_not_leave_stays_and_holds_back_its_own_memory_only(tmp_path: Path) -> None:
    """A withheld entry is told; later ones of the same memory wait behind it, others go."""
    box = filled(tmp_path, save("a"), save("b", "b.md"), forget("c", "a.md"), save("d", "d.md"))
    service = Service()

    def clear(found: Queued) -> str:
        return "a.md:3: holds a secret" if found.entry.client_id == "a" else ""

    done = drain(tmp_path, service, clear=clear)

    assert service.asked == ["b", "d"]
    assert done.withheld == (("a", "a.md:3: holds a secret"),)
    assert done.waiting == 2
    assert [q.entry.client_id for q in box.queued()] == ["a", "c"]


def test_a_forget_is_pending_until_it_is_done(tmp_path: Path) -> None:
    """A forget that is only proposed, or not delivered, stays on record; a save ends it."""
    kept = records(tmp_path)
    filled(tmp_path, forget("now", "a.md"), forget("later", "b.md", write_mode="proposal"))
    service = Service()
    drain(tmp_path, service)
    assert [f.client_id for f in kept.forgets()] == ["later"]

    filled(tmp_path, forget("down", "c.md"))
    drain(tmp_path, Service(mood=failing(9, OSError())))
    assert [f.client_id for f in kept.forgets()] == ["later", "down"]
    drain(tmp_path, Service(mood=refusing("c.md")))
    assert [f.client_id for f in kept.forgets()] == ["later"]

    filled(tmp_path, save("again", "b.md"))
    drain(tmp_path, service)
    assert kept.forgets() == ()


def test_what_is_given_up_while_it_waits_its_turn_is_not_sent(tmp_path: Path) -> None:
    """An entry is looked at again just before it is pushed."""
    box = filled(tmp_path, save("a"), save("b", "b.md"), save("c", "c.md"))

    def mood(request: WriteRequest) -> None:
        if request.client_id == "a":
            box.drop("b")

    service = Service(mood=mood)

    assert drain(tmp_path, service).delivered == ("a", "c")
    assert service.asked == ["a", "c"]


def test_what_is_queued_meanwhile_has_its_turn_in_the_same_delivery(tmp_path: Path) -> None:
    """A refusal that takes something back is told at once, after what waited already."""
    box = filled(tmp_path, save("a"), save("b", "b.md"))

    def restore(_entry: Queued, _reason: str) -> str:
        box.enqueue(save("back", "x.md"), now=NOW)
        return "put back"

    service = Service(mood=refusing("a.md"))
    done = drain(tmp_path, service, restore=restore)

    assert service.asked == ["a", "b", "back"]
    assert done.waiting == 0


def test_an_answer_that_is_none_acknowledges_nothing(tmp_path: Path) -> None:
    """A provider that gives back something else has taken nothing, as far as anybody knows."""

    class Silent(Service):
        def push(self, request: WriteRequest) -> PushResult:
            super().push(request)
            return None  # type: ignore[return-value]

    box = filled(tmp_path, save("a"))
    done = drain(tmp_path, Silent())

    assert done.error == "a.md: the provider's answer is no acknowledgement"
    assert [q.entry.client_id for q in box.queued()] == ["a"]


def test_a_restoring_that_finds_the_corpus_locked_stays_due(tmp_path: Path) -> None:
    """A night is under way: the next sync restores what this one could not."""

    def restore(_entry: Queued, _reason: str) -> str:
        raise LockHeldError("lock-held", "process 7 holds it")

    box = filled(tmp_path, save("a"))
    done = drain(tmp_path, Service(mood=refusing("a.md")), restore=restore)

    assert done.refused[0].failures == ("the mirror could not be restored: process 7 holds it",)
    assert box.rejected()[0].entry.restoring == "due"
    assert [r.restored for r in finish(box, lambda *_: "put back")] == ["put back"]
    assert box.rejected()[0].entry.restoring == "done"


def test_what_the_provider_has_is_agreed_on_before_the_entry_goes(tmp_path: Path) -> None:
    """A process that dies in between delivers again, and never forgets what was agreed."""
    box = filled(tmp_path, save("a"))
    seen: list[int] = []
    drain(tmp_path, Service(), agree=lambda _found: seen.append(len(box.entries())))

    assert seen == [1]
    assert box.entries() == ()


_WRITER = """
import sys
from pathlib import Path
from memsleep.sync.outbox import Outbox
from sync_kit import NOW, save
box = Outbox(Path(sys.argv[1]))
for number in range(30):
    box.enqueue(save(f"{sys.argv[2]}-{number}", f"{sys.argv[2]}.md"), now=NOW)
"""


def test_what_others_queue_during_a_delivery_arrives_once_and_in_order(tmp_path: Path) -> None:
    """Three processes take writes while a fourth delivers: nothing is lost, doubled or swapped."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", _WRITER, str(tmp_path / "outbox")]
    writers = [subprocess.Popen([*command, f"p{n}"], env=environment) for n in range(3)]
    service, box = Service(), outbox(tmp_path)
    while any(writer.poll() is None for writer in writers) or box.queued():
        assert drain(tmp_path, service).error == ""
    assert [writer.returncode for writer in writers] == [0, 0, 0]

    assert len(service.asked) == len(set(service.asked)) == 90
    for number in range(3):
        own = [name for name in service.taken if name.startswith(f"p{number}-")]
        assert own == [f"p{number}-{turn}" for turn in range(30)]
