"""The conformance kit: what every provider does, as tests that its author runs with pytest.

Each test begins with a service that holds nothing and sees it through its provider alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memsleep.sync.protocol import (
    SCOPES,
    Note,
    Provider,
    PushRejected,
    SearchingProvider,
    WriteMode,
)
from memsleep.sync.testing.asking import (
    end_of,
    everything,
    forget,
    forget_of,
    note_of,
    pages,
    push,
    save_of,
)

TEXTS = {
    "unicode": "# Caf\u00e9 \u2013 \u6771\u4eac \U0001f99d\n\u05e9\u05dc\u05d5\u05dd\n",
    "decomposed": "Cafe\u0301 and Caf\u00e9\n",
    "line-separator": "one\u2028two\u2029three\x0bfour\x85five\n",
    "crlf": "one\r\ntwo\r\n",
    "lone-cr": "one\rtwo\rthree",
    "mark": "\ufeffone\n",
    "no-final-newline": "one\ntwo",
    "blanks": "  one\t\n\n\n two  ",
    "escapes": '\\n \\u0041 &amp; %41 "quoted" </script>\n',
    "empty": "",
}
SLUGS = (
    "plain.md",
    "areas/deep/er/note.html",
    "with blank #2.md",
    "100%25 & more+.md",
    "caf\u00e9/\u6771\u4eac.md",
    "\U0001f99d.md",
)
BAD_SLUGS = ("../out.md", "/etc/out.md", "areas/../../out.md", "areas//out.md", "./out.md")


class ProviderSuite:
    """Inherit from it, say how a provider is made, run pytest."""

    def make(self, tmp_path: Path) -> Provider:
        """Return a provider whose service holds nothing yet."""
        raise NotImplementedError("make(self, tmp_path) returns the provider to be tested")

    @pytest.fixture
    def provider(self, tmp_path: Path) -> Iterator[Provider]:
        """Give each test a provider of its own."""
        made = self.make(tmp_path)
        yield made
        close = getattr(made, "close", None)
        if close is not None:
            close()

    # What it says of itself ---------------------------------------------------------------------

    def test_it_has_a_name_of_one_line(self, provider: Provider) -> None:
        """Records and messages name it."""
        name = provider.id
        assert name
        assert name.isprintable(), "expected one line of printable characters"
        assert provider.id == name, "expected the same name each time"

    def test_it_says_that_it_can_be_reached(self, provider: Provider) -> None:
        """While its service is there, it says so."""
        assert provider.reachable() is True

    # Pages --------------------------------------------------------------------------------------

    def test_an_empty_service_gives_one_empty_page(self, provider: Provider) -> None:
        """Nothing is held, and that is told as the last page."""
        for scope in SCOPES:
            page = provider.pull(scope, None, 10)
            assert page.notes == ()
            assert page.done

    def test_a_saved_note_comes_back_as_it_was(self, provider: Provider) -> None:
        """Everything that is said of a note is kept."""
        note = Note(
            scope="user",
            slug="areas/rules.html",
            format="memhtml",
            text="<p>Deploy on Thursdays.</p>\n",
            type="semantic",
            title="Deploys",
            gist="Deploys happen on Thursdays",
            tags=("deploy", "rules"),
            updated_at="2026-11-30T03:00:00Z",
        )
        push(provider, note)
        assert everything(provider, "user") == [note]

    @pytest.mark.parametrize("name", TEXTS)
    def test_texts_are_kept_to_the_character(self, provider: Provider, name: str) -> None:
        """No text is trimmed, normalised or re-encoded on its way."""
        push(provider, note_of("a.md", TEXTS[name]))
        assert [note.text for note in everything(provider)] == [TEXTS[name]]

    def test_a_large_text_is_kept_whole(self, provider: Provider) -> None:
        """A note of 200,000 characters is no other than a short one."""
        text = "".join(f"line {number}: \u6771\n" for number in range(15_000))
        push(provider, note_of("a.md", text))
        assert [note.text for note in everything(provider)] == [text]

    @pytest.mark.parametrize("slug", SLUGS)
    def test_slugs_are_kept_to_the_character(self, provider: Provider, slug: str) -> None:
        """Blanks, percent signs and other scripts stand in names of files too."""
        push(provider, note_of(slug))
        assert [note.slug for note in everything(provider)] == [slug]

    def test_every_note_comes_once(self, provider: Provider) -> None:
        """The pages of a pull leave nothing out and repeat nothing."""
        for number in range(7):
            push(provider, note_of(f"n{number}.md"))
        found = [note.slug for note in everything(provider, take=3)]
        assert sorted(found) == [f"n{number}.md" for number in range(7)]

    def test_the_oldest_change_comes_first(self, provider: Provider) -> None:
        """What was written later comes later, whatever its name."""
        for slug in ("z.md", "m.md", "a.md"):
            push(provider, note_of(slug))
        assert [note.slug for note in everything(provider, take=2)] == ["z.md", "m.md", "a.md"]

    def test_no_page_is_larger_than_asked(self, provider: Provider) -> None:
        """A page holds at most as many notes as were asked for."""
        for number in range(5):
            push(provider, note_of(f"n{number}.md"))
        assert all(len(page.notes) <= 2 for page in pages(provider, "project", None, 2))

    def test_only_the_last_page_is_done(self, provider: Provider) -> None:
        """`done` on an earlier page loses the rest; on none, a pull never ends."""
        for number in range(4):
            push(provider, note_of(f"n{number}.md"))
        page = provider.pull("project", None, 2)
        assert not page.done, "two of four notes came, and the page says that it is the last"
        found = pages(provider, "project", None, 2)
        assert sum(len(page.notes) for page in found) == 4

    def test_a_page_can_be_asked_for_again(self, provider: Provider) -> None:
        """A pull takes nothing away: it may have been killed before it kept what it got."""
        for number in range(3):
            push(provider, note_of(f"n{number}.md"))
        first = provider.pull("project", None, 2)
        assert provider.pull("project", None, 2) == first

    def test_a_later_pull_gives_what_changed_since(self, provider: Provider) -> None:
        """A cursor that is kept from the last page goes on from there, and not from the start."""
        push(provider, note_of("a.md"))
        end = end_of(provider)
        assert everything(provider, cursor=end) == []
        push(provider, note_of("b.md"))
        assert [note.slug for note in everything(provider, cursor=end)] == ["b.md"]

    def test_a_cursor_of_another_service_loses_nothing(self, provider: Provider) -> None:
        """It is an error, or a new start: never the end of a pull that gave nothing."""
        push(provider, note_of("a.md"))
        try:
            found = everything(provider, cursor="no-cursor-of-yours-999999")
        except Exception:
            return
        assert [note.slug for note in found] == ["a.md"]

    def test_scopes_are_apart(self, provider: Provider) -> None:
        """One slug in two scopes is two notes, and a pull gives those of its scope alone."""
        push(provider, note_of("a.md", "of the project"))
        push(provider, note_of("a.md", "of the user", scope="user"))
        assert [note.text for note in everything(provider, "project")] == ["of the project"]
        assert [note.text for note in everything(provider, "user")] == ["of the user"]

    # Saving and forgetting ----------------------------------------------------------------------

    def test_a_later_save_takes_the_place_of_an_earlier(self, provider: Provider) -> None:
        """A note is held once, as it was saved last."""
        push(provider, note_of("a.md", "first"))
        end = end_of(provider)
        push(provider, note_of("a.md", "second"))
        assert [note.text for note in everything(provider)] == ["second"]
        assert [note.text for note in everything(provider, cursor=end)] == ["second"]

    def test_a_direct_write_is_told_as_applied(self, provider: Provider) -> None:
        """The acknowledgement says what became of the write."""
        assert push(provider, note_of("a.md")).status == "applied"
        assert forget(provider, "a.md").status == "applied"

    def test_what_was_forgotten_comes_as_deleted(self, provider: Provider) -> None:
        """Who holds a copy is told that it is gone, and nothing of what it said."""
        push(provider, note_of("a.md", "a secret"))
        end = end_of(provider)
        forget(provider, "a.md")
        (gone,) = everything(provider, cursor=end)
        assert (gone.slug, gone.deleted) == ("a.md", True)
        assert gone.text == ""

    def test_forgetting_what_is_not_there_is_done(self, provider: Provider) -> None:
        """What is asked for is the case already; an error would hold up what waits behind it."""
        assert forget(provider, "never-there.md").status == "applied"

    def test_what_was_forgotten_can_be_saved_again(self, provider: Provider) -> None:
        """A slug is not used up by having been forgotten."""
        push(provider, note_of("a.md", "first"))
        forget(provider, "a.md")
        push(provider, note_of("a.md", "again"))
        (note,) = everything(provider)
        assert (note.deleted, note.text) == (False, "again")

    # The client id ------------------------------------------------------------------------------

    def test_a_write_that_comes_twice_is_done_once(self, provider: Provider) -> None:
        """A repeated save does not undo what came after the first."""
        first = save_of(note_of("a.md", "old"))
        provider.push(first)
        push(provider, note_of("a.md", "new"))
        provider.push(first)
        assert [note.text for note in everything(provider)] == ["new"]

    def test_a_forget_that_comes_twice_is_done_once(self, provider: Provider) -> None:
        """A repeated forget does not take away what was saved after the first."""
        push(provider, note_of("a.md", "old"))
        forget = forget_of("a.md")
        provider.push(forget)
        push(provider, note_of("a.md", "new"))
        provider.push(forget)
        (note,) = everything(provider)
        assert (note.deleted, note.text) == (False, "new")

    def test_a_repeated_write_gets_the_same_answer(self, provider: Provider) -> None:
        """Whoever did not hear the acknowledgement hears it again."""
        modes: tuple[WriteMode, ...] = ("direct", "proposal")
        for mode in modes:
            request = save_of(note_of(f"{mode}.md"), mode=mode)
            assert provider.push(request) == provider.push(request)

    def test_two_client_ids_are_two_writes(self, provider: Provider) -> None:
        """Writes that say the same of other notes are not taken for one."""
        for slug in ("a.md", "b.md"):
            push(provider, note_of(slug, "the same"))
        assert [note.slug for note in everything(provider)] == ["a.md", "b.md"]

    # Proposals ----------------------------------------------------------------------------------

    def test_a_proposal_is_told_as_proposed(self, provider: Provider) -> None:
        """Nobody takes a proposal for done."""
        result = provider.push(save_of(note_of("a.md"), mode="proposal"))
        assert result.status == "proposed"

    def test_a_proposed_save_changes_nothing(self, provider: Provider) -> None:
        """Until a person has decided there, the service holds what it held."""
        push(provider, note_of("a.md", "held"))
        provider.push(save_of(note_of("a.md", "proposed"), mode="proposal"))
        provider.push(save_of(note_of("b.md", "proposed"), mode="proposal"))
        assert [note.text for note in everything(provider)] == ["held"]

    def test_a_proposed_forget_changes_nothing(self, provider: Provider) -> None:
        """Until a person has decided there, nothing is gone."""
        push(provider, note_of("a.md", "held"))
        provider.push(forget_of("a.md", mode="proposal"))
        assert [(note.text, note.deleted) for note in everything(provider)] == [("held", False)]

    # Refusals -----------------------------------------------------------------------------------

    @pytest.mark.parametrize("slug", BAD_SLUGS)
    def test_a_slug_that_leads_out_is_refused(self, provider: Provider, slug: str) -> None:
        """No write reaches a place that is not the service's to hold notes in."""
        with pytest.raises(PushRejected):
            push(provider, note_of(slug))

    def test_a_scope_that_there_is_not_is_refused(self, provider: Provider) -> None:
        """A write never lands in a scope that nobody pulls."""
        note = note_of("a.md").model_copy(update={"scope": "team"})
        with pytest.raises(PushRejected):
            provider.push(save_of(note))

    def test_a_refusal_says_why_in_one_line(self, provider: Provider) -> None:
        """The reason is shown to the person whose change did not go through."""
        with pytest.raises(PushRejected) as refusal:
            push(provider, note_of(BAD_SLUGS[0]))
        reason = refusal.value.reason
        assert reason.strip()
        assert reason.isprintable(), "expected one line of printable characters"

    def test_a_refused_write_leaves_no_trace(self, provider: Provider) -> None:
        """What is refused is not held, not handed out, and nothing else is changed by it."""
        push(provider, note_of("a.md", "held"))
        before = {scope: everything(provider, scope) for scope in SCOPES}
        with pytest.raises(PushRejected):
            push(provider, note_of(BAD_SLUGS[0]))
        assert {scope: everything(provider, scope) for scope in SCOPES} == before

    # Search, where there is one -----------------------------------------------------------------

    def test_a_search_finds_in_its_scope(self, provider: Provider) -> None:
        """Of those that match, notes of the scope alone are found, at most as many as asked."""
        if not isinstance(provider, SearchingProvider):
            pytest.skip("this provider does not search; keyword search answers locally")
        for number in range(3):
            push(provider, note_of(f"n{number}.md", "A quetzal in the garden.\n"))
        push(provider, note_of("user.md", "Another quetzal.\n", scope="user"))
        push(provider, note_of("other.md", "A kestrel.\n"))
        found = provider.search("project", "quetzal", 2)
        assert len(found) == 2
        assert {note.slug for note in found} <= {"n0.md", "n1.md", "n2.md"}
