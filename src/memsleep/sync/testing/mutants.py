"""Services that are each wrong in one way: the conformance kit must find every one of them.

A kit that cannot fail proves nothing. Each mutant names the one test that it is there for.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from memsleep.sync.protocol import (
    Note,
    Page,
    Provider,
    PushRejected,
    PushResult,
    Scope,
    WriteRequest,
)
from memsleep.sync.testing.server import ReferenceServer, Reply
from memsleep.sync.testing.service import MemoryService


@dataclass(frozen=True, slots=True)
class Mutant:
    """One service with one fault."""

    fault: str
    caught_by: str
    """Test of `ProviderSuite` that is there for it."""
    serve: Callable[[], ReferenceServer]
    wrap: Callable[[Provider], Provider] = lambda provider: provider
    """Breaks the provider, where the service is whole."""


class _ForgetsClientIds(MemoryService):
    def earlier(self, request: WriteRequest) -> PushResult | None:
        return None if request.kind == "save" else super().earlier(request)


class _ForgetsClientIdsOfForgets(MemoryService):
    def earlier(self, request: WriteRequest) -> PushResult | None:
        return None if request.kind == "forget" else super().earlier(request)


class _AnswersAnew(MemoryService):
    def earlier(self, request: WriteRequest) -> PushResult | None:
        found = super().earlier(request)
        return found and PushResult(id=f"{found.id}-again", status=found.status)


class _KnowsClientIdsByText(MemoryService):
    def take(self, request: WriteRequest) -> PushResult:
        taken = [note.text for note in self.notes.values() if not note.deleted]
        if request.note is not None and taken.count(request.note.text):
            return PushResult(id=request.client_id, status="applied")
        return super().take(request)


class _AppliesProposals(MemoryService):
    def take(self, request: WriteRequest) -> PushResult:
        result = super().take(request)
        if request.write_mode == "proposal" and request.kind == "save":
            self.apply(request)
        return result


class _AppliesProposedForgets(MemoryService):
    def take(self, request: WriteRequest) -> PushResult:
        result = super().take(request)
        if request.write_mode == "proposal" and request.kind == "forget":
            self.apply(request)
        return result


class _SaysProposedForApplied(MemoryService):
    def take(self, request: WriteRequest) -> PushResult:
        super().take(request)
        return PushResult(id=request.client_id, status="proposed")


class _SaysAppliedForProposed(MemoryService):
    def take(self, request: WriteRequest) -> PushResult:
        super().take(request)
        return PushResult(id=request.client_id, status="applied")


class _WelcomesEveryone(MemoryService):
    def pull(self, scope: Scope, cursor: str | None, take: int) -> Page:
        page = super().pull(scope, cursor, take)
        welcome = Note(scope=scope, slug="welcome.md", text="Welcome.\n")
        return page if self.changes else page.model_copy(update={"notes": (welcome,)})


class _GivesAllAtOnce(MemoryService):
    def pull(self, scope: Scope, cursor: str | None, take: int) -> Page:
        return super().pull(scope, cursor, take + 1000)


class _DoneTooEarly(MemoryService):
    def pull(self, scope: Scope, cursor: str | None, take: int) -> Page:
        page = super().pull(scope, cursor, take)
        return page.model_copy(update={"done": page.done or cursor is None})


class _CursorSkips(MemoryService):
    def pull(self, scope: Scope, cursor: str | None, take: int) -> Page:
        page = super().pull(scope, cursor, take)
        if page.done or page.next_cursor is None:
            return page
        return page.model_copy(update={"next_cursor": str(int(page.next_cursor) + 1)})


class _CursorForgotten(MemoryService):
    """A pull from the end starts at the beginning again."""

    def position(self, cursor: str | None) -> int:
        found = super().position(cursor)
        return 0 if found == len(self.changes) else found


class _UnknownCursorIsTheEnd(MemoryService):
    def position(self, cursor: str | None) -> int:
        if cursor is not None and not cursor.isdigit():
            return len(self.changes)
        return super().position(cursor)


class _PullTakesAway(MemoryService):
    """Notes that were handed out on a first page are not handed out again."""

    def pull(self, scope: Scope, cursor: str | None, take: int) -> Page:
        page = super().pull(scope, cursor, take)
        if cursor is None and not page.done:
            self.changes = self.changes[1:]
        return page


class _LosesOrder(MemoryService):
    def pull(self, scope: Scope, cursor: str | None, take: int) -> Page:
        page = super().pull(scope, cursor, take)
        notes = sorted(page.notes, key=lambda note: note.slug)
        return page.model_copy(update={"notes": tuple(notes)})


class _DropsUnicode(MemoryService):
    def told(self, note: Note) -> Note:
        return note.model_copy(update={"text": note.text.encode("ascii", "replace").decode()})


class _CutsLargeTexts(MemoryService):
    def told(self, note: Note) -> Note:
        return note.model_copy(update={"text": note.text[:65536]})


class _DecodesSlugs(MemoryService):
    def told(self, note: Note) -> Note:
        return note.model_copy(update={"slug": note.slug.replace("%25", "%").replace("+", " ")})


class _DropsTags(MemoryService):
    def told(self, note: Note) -> Note:
        return note.model_copy(update={"tags": ()})


class _KeepsTheFirst(MemoryService):
    def save(self, note: Note) -> None:
        held = self.notes.get((note.scope, note.slug))
        super().save(note if held is None or held.deleted else held)


class _MixesScopes(MemoryService):
    """Hands out what it holds of a slug last, of whichever scope."""

    def save(self, note: Note) -> None:
        super().save(note)
        for scope, slug in list(self.notes):
            if slug == note.slug:
                held = self.notes[scope, slug]
                self.notes[scope, slug] = held.model_copy(update={"text": note.text})


class _ForgetsSilently(MemoryService):
    """What is forgotten is gone, and nobody who holds a copy is told."""

    def forget(self, request: WriteRequest) -> None:
        key = (request.scope, request.slug)
        del self.notes[key]
        self.changes = [other for other in self.changes if other != key]


class _ForgetOfNothingFails(MemoryService):
    def judge(self, request: WriteRequest) -> None:
        super().judge(request)
        if request.kind == "forget" and not self.holds(request.scope, request.slug):
            raise PushRejected("there is no such note")


class _ForgottenForEver(MemoryService):
    def save(self, note: Note) -> None:
        held = self.notes.get((note.scope, note.slug))
        if held is None or not held.deleted:
            super().save(note)


class _TakesEverySlug(MemoryService):
    def judge(self, request: WriteRequest) -> None:
        if ".." not in request.slug:
            super().judge(request)


class _TracesOfRefused(MemoryService):
    def judge(self, request: WriteRequest) -> None:
        try:
            super().judge(request)
        except PushRejected:
            self.apply(request)
            raise


class _SearchesAllScopes(MemoryService):
    def is_of(self, key: tuple[str, str], scope: Scope) -> bool:
        return True if self.searching else super().is_of(key, scope)

    searching = False

    def search(self, scope: Scope, text: str, limit: int) -> tuple[Note, ...]:
        self.searching = True
        found = super().search(scope, text, 100)
        self.searching = False
        return found[-limit:]


class _TakesEveryScope(ReferenceServer):
    """Reads a request without looking whether its scope is one."""

    def parsed(self, body: bytes) -> WriteRequest:
        data = json.loads(body)
        scope = data["scope"]
        if scope in ("project", "user"):
            return super().parsed(body)
        data["scope"] = "project"
        data["note"] = dict(data["note"], scope="project")
        return WriteRequest.model_validate_json(json.dumps(data))


class _SpeaksAnotherContract(ReferenceServer):
    def answer(self, method: str, target: str, headers: Mapping[str, str], body: bytes) -> Reply:
        if target.endswith("/v1/status"):
            return Reply(200, b'{"contract": 2}')
        return super().answer(method, target, headers, body)


class _Wrapped:
    """A provider that hands everything on."""

    def __init__(self, provider: Provider) -> None:
        self.provider = provider

    @property
    def id(self) -> str:
        return self.provider.id

    def pull(self, scope: Scope, cursor: str | None, take: int) -> Page:
        return self.provider.pull(scope, cursor, take)

    def push(self, request: WriteRequest) -> PushResult:
        return self.provider.push(request)

    def reachable(self) -> bool:
        return self.provider.reachable()


class _NamedInTwoLines(_Wrapped):
    @property
    def id(self) -> str:
        return f"{self.provider.id}\nerror: none"


class _RefusesWithoutReason(_Wrapped):
    def push(self, request: WriteRequest) -> PushResult:
        try:
            return self.provider.push(request)
        except PushRejected:
            raise PushRejected("") from None


def _of(service: Callable[[], MemoryService]) -> Callable[[], ReferenceServer]:
    return lambda: ReferenceServer(service())


MUTANTS: tuple[Mutant, ...] = (
    Mutant("forgets client ids of saves", "test_a_write_that_comes_twice_is_done_once",
           _of(_ForgetsClientIds)),
    Mutant("forgets client ids of forgets", "test_a_forget_that_comes_twice_is_done_once",
           _of(_ForgetsClientIdsOfForgets)),
    Mutant("answers a repeated write anew", "test_a_repeated_write_gets_the_same_answer",
           _of(_AnswersAnew)),
    Mutant("takes equal texts for one write", "test_two_client_ids_are_two_writes",
           _of(_KnowsClientIdsByText)),
    Mutant("applies a proposal", "test_a_proposed_save_changes_nothing", _of(_AppliesProposals)),
    Mutant("applies a proposed forget", "test_a_proposed_forget_changes_nothing",
           _of(_AppliesProposedForgets)),
    Mutant("says proposed for applied", "test_a_direct_write_is_told_as_applied",
           _of(_SaysProposedForApplied)),
    Mutant("says applied for proposed", "test_a_proposal_is_told_as_proposed",
           _of(_SaysAppliedForProposed)),
    Mutant("holds something at the start", "test_an_empty_service_gives_one_empty_page",
           _of(_WelcomesEveryone)),
    Mutant("ignores the size of a page", "test_no_page_is_larger_than_asked", _of(_GivesAllAtOnce)),
    Mutant("is done too early", "test_only_the_last_page_is_done", _of(_DoneTooEarly)),
    Mutant("skips a note between pages", "test_every_note_comes_once", _of(_CursorSkips)),
    Mutant("starts anew at the end", "test_a_later_pull_gives_what_changed_since",
           _of(_CursorForgotten)),
    Mutant("takes a foreign cursor for the end", "test_a_cursor_of_another_service_loses_nothing",
           _of(_UnknownCursorIsTheEnd)),
    Mutant("takes away what it handed out", "test_a_page_can_be_asked_for_again",
           _of(_PullTakesAway)),
    Mutant("loses the order", "test_the_oldest_change_comes_first", _of(_LosesOrder)),
    Mutant("drops unicode", "test_texts_are_kept_to_the_character", _of(_DropsUnicode)),
    Mutant("cuts large texts", "test_a_large_text_is_kept_whole", _of(_CutsLargeTexts)),
    Mutant("decodes slugs", "test_slugs_are_kept_to_the_character", _of(_DecodesSlugs)),
    Mutant("drops tags", "test_a_saved_note_comes_back_as_it_was", _of(_DropsTags)),
    Mutant("keeps the first text", "test_a_later_save_takes_the_place_of_an_earlier",
           _of(_KeepsTheFirst)),
    Mutant("mixes the scopes", "test_scopes_are_apart", _of(_MixesScopes)),
    Mutant("forgets without a word", "test_what_was_forgotten_comes_as_deleted",
           _of(_ForgetsSilently)),
    Mutant("fails to forget what is not there", "test_forgetting_what_is_not_there_is_done",
           _of(_ForgetOfNothingFails)),
    Mutant("never holds again what was forgotten", "test_what_was_forgotten_can_be_saved_again",
           _of(_ForgottenForEver)),
    Mutant("takes a slug that leads out", "test_a_slug_that_leads_out_is_refused",
           _of(_TakesEverySlug)),
    Mutant("takes an invalid scope", "test_a_scope_that_there_is_not_is_refused", _TakesEveryScope),
    Mutant("keeps what it refused", "test_a_refused_write_leaves_no_trace", _of(_TracesOfRefused)),
    Mutant("searches all scopes", "test_a_search_finds_in_its_scope", _of(_SearchesAllScopes)),
    Mutant("speaks another contract", "test_it_says_that_it_can_be_reached",
           _SpeaksAnotherContract),
    Mutant("has a name of two lines", "test_it_has_a_name_of_one_line", ReferenceServer,
           _NamedInTwoLines),
    Mutant("refuses without a reason", "test_a_refusal_says_why_in_one_line", ReferenceServer,
           _RefusesWithoutReason),
)  # fmt: skip
"""Each is caught by a test of its own, and each test catches one."""
