"""Fetching pages until the provider says that it is done, or does not behave."""

from __future__ import annotations

from dataclasses import dataclass, field

from memsleep.sync.errors import SyncError
from memsleep.sync.inbox import Inbox
from memsleep.sync.protocol import SCOPES, Page, Provider, Scope
from memsleep.sync.records import Records
from memsleep.sync.retry import Retry, told


@dataclass(frozen=True, slots=True)
class Fetch:
    """What was fetched."""

    pages: int = 0
    notes: int = 0
    decisions: int = 0
    errors: tuple[str, ...] = ()
    """One line for each scope that did not come to its end; what came of it is kept."""


@dataclass(slots=True)
class Fetcher:
    """One pull of all scopes. Every page is on disk before its cursor is."""

    provider: Provider
    records: Records
    inbox: Inbox
    retry: Retry
    take: int
    max_pages: int
    _pages: int = field(default=0)
    _notes: int = field(default=0)
    _decisions: int = field(default=0)

    def run(self, *, again: bool = False) -> Fetch:
        """Fetch what is new; `again`: everything, whatever the cursors say."""
        if again:
            standing = self.records.standing()
            self.records.put(standing.model_copy(update={"cursor": {}}))
        errors = []
        for scope in SCOPES:
            try:
                self._scope(scope)
            except Exception as error:  # of a provider: one scope does not cost the other
                errors.append(f"{scope}: {told(error)}")
        return Fetch(self._pages, self._notes, self._decisions, tuple(errors))

    def _scope(self, scope: Scope) -> None:
        cursor = self.records.standing().cursor.get(scope)
        seen = {cursor}
        for _ in range(self.max_pages):
            page = self._page(scope, cursor)
            self._keep(scope, page)
            if page.done:
                return
            cursor = cursor if page.next_cursor is None else page.next_cursor
            if cursor in seen:
                raise SyncError(
                    "pull-cursor-repeats",
                    "the provider gives a cursor again that it gave before, so it would never end",
                )
            seen.add(cursor)
        raise SyncError(
            "pull-endless",
            f"the provider is not done after {self.max_pages} pages; the next pull goes on there",
        )

    def _page(self, scope: Scope, cursor: str | None) -> Page:
        return self.retry.call(lambda: self.provider.pull(scope, cursor, self.take))

    def _keep(self, scope: Scope, page: Page) -> None:
        """Have the notes of a page on disk, then its cursor."""
        self.inbox.add(page.notes)
        self._decisions += self.records.add_decisions(page.decisions)
        self._pages += 1
        self._notes += len(page.notes)
        standing = self.records.standing()
        if page.next_cursor is not None and standing.cursor.get(scope) != page.next_cursor:
            cursors = {**standing.cursor, scope: page.next_cursor}
            self.records.put(standing.model_copy(update={"cursor": cursors}))
