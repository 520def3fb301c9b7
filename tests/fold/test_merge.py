"""Merging: what the keeper takes over, what is stamped and where links go, in both dialects."""

from __future__ import annotations

import json
from typing import Any

import pytest

import phases_kit as kit
from memsleep.fold import Folded, fold
from memsleep.model import Snapshot
from memsleep.proposals import Merge
from memsleep.readers.memhtml_hash import content_hash
from memsleep.settings import Settings

CLAIM = "The gateway keeps the old version."
KEEPER, DROPPED = "notes/keeper", "notes/dropped"


def _html(*more: str, **fields: Any) -> str:
    return kit.html(CLAIM, *more, **fields)


def _meta(name: str, value: str) -> str:
    return f'<meta name="memhtml-{name}" content="{value}">'


def _md(text: str = CLAIM, **fields: str) -> str:
    return kit.markdown(text, **{"type": "semantic", **fields})


def _start(keeper: str, dropped: str, ending: str, **others: str) -> Snapshot:
    files = {f"{KEEPER}{ending}": keeper, f"{DROPPED}{ending}": dropped}
    return kit.corpus({**files, **{f"notes/{name}{ending}": text for name, text in others.items()}})


def _merged(
    start: Snapshot, *carry: str, used: Settings = kit.CAREFUL, take_over: bool = True
) -> Folded:
    ending = ".html" if f"{KEEPER}.html" in start.memories else ".md"
    merge = Merge(
        phase="dedup", reason="same", keeper=f"{KEEPER}{ending}", dropped=f"{DROPPED}{ending}",
        similarity=1.0, carry=carry, take_over=take_over,
    )  # fmt: skip
    folded = fold(start, [merge], used)
    assert folded.refused == ()
    return folded


def _keeper(folded: Folded) -> Any:
    return next(m for path, m in folded.snapshot.memories.items() if path.startswith(KEEPER))


def test_the_dropped_memory_moves_whole_to_the_archive() -> None:
    """It lies under its own path below the year, stamped, and its bytes are otherwise as before."""
    start = _start(_html(), _html(created="2026-02-01T00:00:00Z"), ".html")
    folded = _merged(start)
    place = f"archive/2026/{DROPPED}.html"
    source = folded.snapshot.files[place]
    assert f"{DROPPED}.html" not in folded.snapshot.files
    stamps = [
        b'<meta name="memhtml-archived" content="2026-11-30T03:00:00Z">\n',
        b'<meta name="memhtml-superseded-by" content="/notes/keeper.html">\n',
    ]
    for stamp in stamps:
        assert stamp in source
        source = source.replace(stamp, b"")
    source = source.replace(b'content="archived"', b'content="active"')
    assert source == start.files[f"{DROPPED}.html"]
    assert folded.snapshot.memories[place].archived
    assert folded.snapshot.memories[place].superseded_by == f"{KEEPER}.html"


def test_updated_stays_in_careful_and_moves_in_reference() -> None:
    """Bookkeeping moves no date of the content, except where reference does."""
    start = _start(_html(), _html(), ".html")
    for used, moves in ((kit.CAREFUL, False), (kit.REFERENCE, True)):
        folded = _merged(start, used=used)
        for memory in folded.snapshot.memories.values():
            assert (memory.updated == kit.NOW) is moves


def test_the_keeper_names_what_it_supersedes() -> None:
    """The keeper links the archived file; with the mark off it does not."""
    for ending, make in ((".html", _html), (".md", _md)):
        start = _start(make(), make(), ending)
        place = f"archive/2026/{DROPPED}{ending}"
        links = [(link.relation, link.path) for link in _keeper(_merged(start)).links]
        assert ("supersedes", place) in links
        unmarked = _merged(start, used=kit.settings(write={"mark_keeper": False}))
        assert _keeper(unmarked).links == ()


def test_a_file_without_front_matter_is_no_obstacle_to_a_copy() -> None:
    """Two plain files merge: what has no place in them is in the ledger."""
    start = kit.corpus({f"{KEEPER}.md": f"{CLAIM}\n", f"{DROPPED}.md": f"{CLAIM}\n"})
    folded = _merged(start)
    assert folded.snapshot.files[f"{KEEPER}.md"] == f"{CLAIM}\n".encode()
    assert folded.snapshot.files[f"archive/2026/{DROPPED}.md"] == f"{CLAIM}\n".encode()
    (line,) = folded.snapshot.files["archive/2026/ledger.jsonl"].split(b"\n")[:-1]
    entry = json.loads(line)
    assert (entry["cause"], entry["replaced_by"]) == ("merged", f"{KEEPER}.md")


TAKEN_OVER = [
    ("created", {"created": "2026-03-01"}, {"created": "2026-01-01"}, "2026-01-01"),
    ("created", {"created": "2026-01-01"}, {"created": "2026-03-01"}, "2026-01-01"),
    ("created", {}, {"created": "2026-03-01"}, None),
    ("event_time", {"event_time": "2026-01-01"}, {"event_time": "2026-03-01"}, "2026-03-01"),
    ("event_time", {"event_time": "2026-03-01"}, {"event_time": "2026-01-01"}, "2026-03-01"),
    ("event_time", {}, {"event_time": "2026-03-01"}, "2026-03-01"),
    ("confidence", {"confidence": "0.9"}, {"confidence": "0.6"}, 0.6),
    ("confidence", {"confidence": "0.6"}, {"confidence": "0.9"}, 0.6),
    ("confidence", {}, {"confidence": "0.6"}, 0.6),
    ("confidence", {"confidence": "0.6"}, {}, 0.6),
    ("confidence", {"confidence": "90%"}, {"confidence": "0.6"}, 0.6),
    ("tags", {"tags": "[a, b]"}, {"tags": "[b, c]"}, ("a", "b", "c")),
    ("tags", {}, {"tags": "[c]"}, ("c",)),
    ("aliases", {"aliases": "[x]"}, {"aliases": "[y]"}, ("x", "y")),
    ("entities", {}, {"entities": '["host:a"]'}, ("host:a",)),
    ("importance", {"importance": "3"}, {"importance": "8"}, 3.0),
    ("status", {"status": "active"}, {"status": "stable"}, "active"),
    ("title", {"title": "Mine"}, {"title": "Other"}, "Mine"),
    ("reprieves", {"reprieves": "1"}, {"reprieves": "2"}, 1),
]


@pytest.mark.parametrize(("field", "keeper", "dropped", "value"), TAKEN_OVER)
def test_what_the_keeper_takes_over(
    field: str, keeper: dict[str, str], dropped: dict[str, str], value: object
) -> None:
    """The earlier creation, the later event, the lower confidence, all lists; never a promotion."""
    start = _start(_md(**keeper), _md(**dropped), ".md")
    assert getattr(_keeper(_merged(start)), field) == value


def test_take_over_can_be_off() -> None:
    """In reference the keeper keeps what it states, but for the mark and the date."""
    start = _start(_md(confidence="0.9"), _md(confidence="0.6", tags="[c]"), ".md")
    keeper = _keeper(_merged(start, take_over=False))
    assert (keeper.confidence, keeper.tags) == (0.9, ())


def test_links_of_the_dropped_memory_are_taken_over_once() -> None:
    """Typed links that the keeper lacks come along; those to itself or to the dropped do not."""
    for ending, dropped in (
        (".md", _md(f"{CLAIM}\n\n- supports [[x]]\n- part_of [[y]]\n- relates_to [[keeper]]")),
        (
            ".html",
            _html(
                kit.head_link("supports", "/notes/x.html"),
                kit.head_link("part-of", "/notes/y.html"),
                kit.head_link("relates-to", f"/{KEEPER}.html"),
            ),
        ),
    ):
        make = _md if ending == ".md" else _html
        held = (
            _md(f"{CLAIM}\n\n- supports [[x]]")
            if ending == ".md"
            else _html(kit.head_link("supports", "/notes/x.html"))
        )
        start = _start(held, dropped, ending, x=make(), y=make())
        links = sorted((link.relation, link.path) for link in _keeper(_merged(start)).links)
        assert links == [
            ("part_of", f"notes/y{ending}"),
            ("supersedes", f"archive/2026/{DROPPED}{ending}"),
            ("supports", f"notes/x{ending}"),
        ]


def test_details_are_appended_and_the_content_hash_follows() -> None:
    """The carried sentences end the keeper's text; a stated content hash is the new text's."""
    stale = _meta("content-hash", content_hash(_html()))
    dropped = _html(body=" Anna said so. It was &lt;late&gt; &amp; cold.")
    start = _start(_html(stale), dropped, ".html")
    folded = _merged(start, "Anna said so.", "It was <late> & cold.")
    keeper = _keeper(folded)
    assert keeper.body.endswith("Anna said so. It was <late> & cold.")
    assert keeper.gist == CLAIM
    source = folded.snapshot.files[f"{KEEPER}.html"].decode()
    assert f'content="{content_hash(source)}"' in source
    assert keeper.content_hash == content_hash(source)


def test_details_in_markdown_keep_line_ends() -> None:
    """A file with carriage returns gets its new paragraph with carriage returns."""
    crlf = _md().replace("\n", "\r\n")
    start = _start(crlf, _md(f"{CLAIM} Anna said so."), ".md")
    source = _merged(start, "Anna said so.").snapshot.files[f"{KEEPER}.md"]
    assert b"Anna said so." in source
    assert source.count(b"\n") == source.count(b"\r\n")


def test_the_keepers_own_link_follows_into_the_archive() -> None:
    """A link of the keeper to what it swallowed leads to the archived file, not to itself."""
    start = _start(_md(f"{CLAIM}\n\nSee [it](dropped.md)."), _md(), ".md")
    folded = _merged(start)
    text = folded.snapshot.files[f"{KEEPER}.md"].decode()
    assert f"[it](../archive/2026/{DROPPED}.md)" in text
    paths = {link.path for link in _keeper(folded).links}
    assert paths == {f"archive/2026/{DROPPED}.md"}


FORMS = [
    ("[a](dropped.md)", "[a](keeper.md)"),
    ("[a](dropped.md#part)", "[a](keeper.md#part)"),
    ("[a](/notes/dropped.md)", "[a](/notes/keeper.md)"),
    ("![a](dropped.md)", "![a](keeper.md)"),
    ("[[dropped]]", "[[keeper]]"),
    ("[[notes/dropped|it]]", "[[notes/keeper|it]]"),
    ("![[dropped#part]]", "![[keeper#part]]"),
    ("[a][r]\n\n[r]: dropped.md", "[a][r]\n\n[r]: keeper.md"),
    ("- supports [[dropped]]", "- supports [[keeper]]"),
    ("`[[dropped]]` <!-- [[dropped]] -->", "`[[dropped]]` <!-- [[dropped]] -->"),
    ("```\n[[dropped]]\n```", "```\n[[dropped]]\n```"),
    ("[a](https://dropped.md)", "[a](https://dropped.md)"),
]


@pytest.mark.parametrize(("before", "after"), FORMS)
def test_links_follow_in_their_own_form(before: str, after: str) -> None:
    """Each form of link leads to the keeper, label and fragment kept; code is not touched."""
    start = _start(_md(), _md(), ".md", x=_md(f"Other text.\n\n{before}"))
    end = _merged(start).snapshot
    assert end.files["notes/x.md"] == _md(f"Other text.\n\n{after}").encode()


HTML_FORMS = [
    (
        kit.head_link("supports", "/notes/dropped.html"),
        "",
        kit.head_link("supports", "/notes/keeper.html"),
        "",
    ),
    ("", '<a href="dropped.html#p">x</a>', "", '<a href="keeper.html#p">x</a>'),
    ("", '<a href="/notes/dropped.html">x</a>', "", '<a href="/notes/keeper.html">x</a>'),
    ("", '<a href="https://dropped.html">x</a>', "", '<a href="https://dropped.html">x</a>'),
]


@pytest.mark.parametrize(("head", "body", "head_after", "body_after"), HTML_FORMS)
def test_links_follow_in_html(head: str, body: str, head_after: str, body_after: str) -> None:
    """Head links and anchors follow, relative or from the root, with their fragments."""

    def other(head: str, body: str) -> str:
        return kit.html("Other.", *([head] if head else []), body=body)

    start = _start(_html(), _html(), ".html", x=other(head, body))
    end = _merged(start).snapshot
    assert end.files["notes/x.html"] == other(head_after, body_after).encode()


def test_links_of_index_pages_follow() -> None:
    """A page that is no memory is edited like one."""
    files = {f"{KEEPER}.md": _md(), f"{DROPPED}.md": _md()}
    start = kit.corpus(files, pages={"README.md": "See [it](notes/dropped.md).\n"})
    end = _merged(start).snapshot
    assert end.files["README.md"] == b"See [it](notes/keeper.md).\n"
    assert [link.path for link in end.references["README.md"]] == [f"{KEEPER}.md"]


def test_links_stay_where_following_is_off() -> None:
    """With `write.follow_links` off other files are not touched."""
    start = _start(_md(), _md(), ".md", x=_md("See [it](dropped.md)."))
    end = _merged(start, used=kit.settings(write={"follow_links": False})).snapshot
    assert end.files["notes/x.md"] == start.files["notes/x.md"]


def test_archived_memories_keep_their_links() -> None:
    """What is archived is not rewritten: it says what it said."""
    files = {
        f"{KEEPER}.md": _md(),
        f"{DROPPED}.md": _md(),
        "archive/2025/old.md": _md("See [it](/notes/dropped.md)."),
    }
    start = kit.corpus(files)
    end = _merged(start).snapshot
    assert end.files["archive/2025/old.md"] == start.files["archive/2025/old.md"]


def test_flag_mode_keeps_the_file_in_place() -> None:
    """With flags the dropped file stays where it is, archived by status, its links untouched."""
    used = kit.settings(write={"archive": "flag"})
    start = _start(
        _md(status="active"), _md(status="active"), ".md", x=_md("See [it](dropped.md).")
    )
    folded = _merged(start, used=used)
    end = folded.snapshot
    assert end.memories[f"{DROPPED}.md"].archived
    assert end.files["notes/x.md"] == start.files["notes/x.md"]
    entry = json.loads(end.files["archive/2026/ledger.jsonl"])
    assert entry["to"] == entry["path"] == f"{DROPPED}.md"
    assert [change.action for change in folded.applied[0].changes] == ["create", "edit", "edit"]


def test_flag_mode_refuses_a_file_without_a_place_for_the_flag() -> None:
    """A plain file cannot be flagged, so nothing of the decision happens."""
    start = kit.corpus({f"{KEEPER}.md": CLAIM, f"{DROPPED}.md": CLAIM})
    merge = Merge(
        phase="dedup", reason="same", keeper=f"{KEEPER}.md", dropped=f"{DROPPED}.md", similarity=1.0
    )
    folded = fold(start, [merge], kit.settings(write={"archive": "flag"}))
    assert [refusal.cause for refusal in folded.refused] == ["edit-refused"]
    assert folded.snapshot.files == start.files


def test_what_two_dropped_memories_share_is_added_once() -> None:
    """Two merges into one keeper leave each tag, link and entity once."""
    dropped = _md(tags="[c]", entities='["host:a"]')
    files = {f"{KEEPER}.md": _md(), "notes/b.md": dropped, "notes/c.md": dropped}
    merges = [
        Merge(phase="dedup", reason="r", keeper=f"{KEEPER}.md", dropped=path, similarity=1.0)
        for path in ("notes/b.md", "notes/c.md")
    ]
    end = fold(kit.corpus(files), merges, kit.CAREFUL).snapshot
    keeper = end.memories[f"{KEEPER}.md"]
    assert (keeper.tags, keeper.entities) == (("c",), ("host:a",))
    assert len(keeper.links) == 2


def test_a_link_taken_over_is_not_taken_for_one_to_the_dropped_memory() -> None:
    """Where the dropped memory bears the name of its target, the keeper's new link is exact."""
    files = {
        "n/keeper.md": _md(f"{CLAIM}\n\nSee [it](/n/a.md)."),
        "n/a.md": _md(f"{CLAIM}\n\nSee [it](/a.md)."),
        "a.md": _md("Another memory."),
    }
    merge = Merge(phase="dedup", reason="r", keeper="n/keeper.md", dropped="n/a.md", similarity=1.0)
    end = fold(kit.corpus(files), [merge], kit.CAREFUL).snapshot
    links = {(link.relation, link.path) for link in end.memories["n/keeper.md"].links}
    assert ("relates_to", "a.md") in links
    assert ("relates_to", "archive/2026/n/a.md") in links


def test_a_link_that_the_file_holds_already_is_no_obstacle() -> None:
    """A head link to the dropped memory beside the same one to the keeper becomes that one."""
    links = (
        kit.head_link("supports", f"/{KEEPER}.html"),
        kit.head_link("supports", f"/{DROPPED}.html"),
    )
    start = _start(_html(), _html(), ".html", x=kit.html("Other.", *links))
    end = _merged(start).snapshot
    assert end.files["notes/x.html"] == kit.html("Other.", links[0]).encode()
