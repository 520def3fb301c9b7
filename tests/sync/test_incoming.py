from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memsleep.model import digest_bytes
from memsleep.sync.inbox import Key
from memsleep.sync.incoming import Here, sort_out
from memsleep.sync.protocol import Note, Scope

SLUGS = st.sampled_from(["a.md", "b.md", "user/a.md", "../a.md", "a.txt", "A.md"])
TEXTS = st.sampled_from(["one", "two", "three\r\n"])
SCOPES: st.SearchStrategy[Scope] = st.sampled_from(["project", "user"])
KEYS = st.tuples(SCOPES, SLUGS)


def made(scope: Scope, slug: str, text: str, deleted: bool) -> Note:
    return Note(scope=scope, slug=slug, text="" if deleted else text, deleted=deleted)


NOTES = st.builds(made, SCOPES, SLUGS, TEXTS, st.booleans())
HERES = st.builds(
    Here,
    files=st.dictionaries(SLUGS, TEXTS.map(str.encode)),
    known=st.dictionaries(KEYS, TEXTS.map(lambda text: digest_bytes(text.encode()))),
    held=st.frozensets(KEYS),
    forgets=st.frozensets(KEYS),
    user=st.just(("user/**",)),
)


@given(st.lists(NOTES), HERES)
def test_every_note_has_one_answer_and_nothing_of_ours_is_written_over(
    notes: list[Note], here: Here
) -> None:
    """Whatever is fetched: no held key, no edited file, no foreign path is ever touched."""
    by_key: dict[Key, Note] = {(note.scope, note.slug): note for note in notes}
    found = sort_out(by_key, here)

    touched = [*found.saves, *found.deletions]
    assert len(touched) == len(set(touched))
    answered = len(touched) + len(found.same) + len(found.held) + len(found.left)
    assert answered == len(by_key)
    for slug in touched:
        scope: Scope = "user" if slug.startswith("user/") else "project"
        key = (scope, slug)
        assert slug in ("a.md", "b.md", "user/a.md", "A.md")
        assert key in by_key
        assert key not in here.held
        if slug in here.files:
            assert digest_bytes(here.files[slug]) == here.known.get(key)
    for slug, content in found.saves.items():
        assert here.files.get(slug) != content
    for key in found.held:
        assert key in here.held or key in here.forgets
