"""Details of a dropped memory in the keeper: with their markup, links leading where they led."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import phases_kit as kit
from memsleep.fold import Folded, fold
from memsleep.model import Memory
from memsleep.proposals import Merge, Review
from memsleep.text import sentences

CLAIM = "The gateway drains idle sockets when the evening backup has run."
MORE = "Joana wrote the test for it."


def _merge(keeper: str, dropped: str, files: dict[str, str], *carry: str) -> Folded:
    proposal = Merge(
        phase="dedup", reason="same", keeper=keeper, dropped=dropped, similarity=1.0, carry=carry
    )
    return fold(kit.corpus(files), [proposal], kit.CAREFUL)


def _live(folded: Folded, path: str) -> str:
    assert folded.refused == ()
    return folded.snapshot.files[path].decode()


def _links(memory: Memory) -> set[str | None]:
    return {link.path for link in memory.links}


FOLDERS = [
    pytest.param("[it](log.md)", "notes/log.md", "[it](notes/log.md)", id="from-a-folder"),
    pytest.param("[it](log.md#top)", "notes/log.md", "[it](notes/log.md#top)", id="fragment"),
    pytest.param("[it][1]", "notes/log.md", "[it](notes/log.md)", id="reference"),
    pytest.param("[[log|it]]", "notes/log.md", "[[log|it]]", id="by-name"),
    pytest.param("[it](../a.md)", "a.md", "[it](a.md)", id="to-the-keeper"),
    pytest.param("[it](nowhere.md)", None, "[it](nowhere.md)", id="to-nothing"),
]


@pytest.mark.parametrize(("link", "target", "written"), FOLDERS)
def test_a_link_leads_where_it_led(link: str, target: str | None, written: str) -> None:
    """In the keeper's folder a relative link is written so that it has the same target."""
    files = {
        "a.md": kit.markdown(CLAIM, type="semantic"),
        "notes/b.md": kit.markdown(f"{CLAIM} Joana wrote {link}.\n\n[1]: log.md"),
        "notes/log.md": kit.markdown("The log is kept."),
    }
    folded = _merge("a.md", "notes/b.md", files, "Joana wrote it.")
    assert f"Joana wrote {written}.\n" in _live(folded, "a.md")
    if target is not None:
        assert target in _links(folded.snapshot.memories["a.md"])


def test_an_anchor_leads_where_it_led() -> None:
    """The same in HTML."""
    body = ' Joana wrote <a href="log.html"><em>it</em></a>.'
    files = {
        "a.html": kit.html(CLAIM),
        "notes/b.html": kit.html(CLAIM, body=body),
        "notes/log.html": kit.html("The log is kept."),
    }
    folded = _merge("a.html", "notes/b.html", files, "Joana wrote it.")
    text = _live(folded, "a.html")
    assert '<p>Joana wrote <a href="notes/log.html"><em>it</em></a>.</p>\n</article>' in text


ACROSS = [
    pytest.param("Joana wrote *it*.", "Joana wrote it.", id="emphasis"),
    pytest.param("Joana wrote [it](b.md).", "", id="link"),
    pytest.param("Joana wrote `it`.", "", id="code"),
    pytest.param("Joana <i>wrote</i> it.", "Joana wrote it.", id="tag"),
]


@pytest.mark.parametrize(("written", "told"), ACROSS)
def test_across_formats(written: str, told: str) -> None:
    """From Markdown into HTML emphasis is lost; a link or code is not: the merge is refused."""
    files = {"a.html": kit.html(CLAIM), "b.md": kit.markdown(f"{CLAIM} {written}")}
    folded = _merge("a.html", "b.md", files, "Joana wrote it.")
    if told:
        assert f"<p>{told}</p>" in _live(folded, "a.html")
    else:
        assert [refusal.cause for refusal in folded.refused] == ["details"]
        assert "a.html" not in {c.path for item in folded.applied for c in item.changes}


def test_a_link_that_leads_nowhere_yet_is_not_lost() -> None:
    """A link to what nobody has written yet: the keeper has it, or its target, or it is refused."""
    for keeper, dropped, lost in (
        ("See it.", "See [it](plans/later.md).", True),
        ("See [it](plans/later.md).", "See [it](plans/later.md).", False),
        ("See Later.", "See [[Later]].", False),
        ("See it.", "See it.", False),
    ):
        files = {
            "a.md": kit.markdown(f"{CLAIM} {keeper}"),
            "b.md": kit.markdown(f"{CLAIM} {dropped}"),
        }
        folded = _merge("a.md", "b.md", files)
        assert [refusal.cause for refusal in folded.refused] == ["details"] * lost


def test_a_paragraph_that_is_only_a_link_arrives_as_a_link() -> None:
    """A night over two copies, one of which has a link below, keeps the link in the live file."""
    text = f"{CLAIM} {MORE}\n\nIt was seen twice in spring, on both hosts."
    files = {
        "a.md": kit.markdown(text, type="semantic", created="2026-01-01"),
        "b.md": kit.markdown(f"{text}\n\n[Runbook of it](run.md)", type="semantic"),
        "run.md": kit.markdown("Restart the host.", type="semantic"),
    }
    result = kit.night(kit.corpus(files), phases=("pairing", "dedup"))
    assert len(result.found(Merge)) == 1
    assert result.end.files["a.md"].decode().endswith("\n\n[Runbook of it](run.md)\n")


def test_items_that_come_along_stay_apart() -> None:
    """What ends without a stop does not run into what comes next."""
    text = f"{CLAIM} {MORE} It was seen twice in spring, on both hosts."
    dropped = f"{text}\n\n- Ports stay open\n- Logs rotate hourly"
    files = {"a.md": kit.markdown(text), "b.md": kit.markdown(dropped)}
    folded = _merge("a.md", "b.md", files, "Ports stay open", "Logs rotate hourly")
    assert _live(folded, "a.md").endswith("\n\nPorts stay open\n\nLogs rotate hourly\n")


def test_what_cannot_be_told_is_a_question() -> None:
    """A merge whose details the keeper cannot be told whole is a review, told by its reason."""
    text = f"{CLAIM} {MORE} It was seen twice in spring, on both hosts."
    files = {
        "a.md": kit.markdown(text, type="semantic", created="2026-01-01"),
        "b.md": kit.markdown(f"{text}\n\n> Cem read it too.", type="semantic"),
    }
    result = kit.night(kit.corpus(files), phases=("pairing", "dedup"))
    (review,) = result.found(Review)
    assert review.reason == "a sentence to carry over stands in a quotation"
    assert review.evidence["cause"] == "details"
    assert not result.decisions


PIECES = st.sampled_from(
    [
        ("it", "it", ""),
        ("the **tests**", "the <strong>tests</strong>", ""),
        ("[the log](/c.md)", '<a href="/c.html">the log</a>', "c"),
        ("[[c|it]]", '<a href="c.html">c</a>', "c"),
        ("[*a plan*](c.md)", '<a href="c.html"><em>a plan</em></a>', "c"),
        ("a & b", "a &amp; b", ""),
        (r"a\_b\_c", "a_b_c", ""),
        ("<https://e.example>", '<a href="https://e.example">https://e.example</a>', "https://e."),
        ("`x  = 1`", "<code>x = 1</code>", "x"),
        ("[later](later.md)", '<a href="later.html">later</a>', "later."),
        ("2 &lt; 3", "2 &lt; 3", ""),
    ]
)
SENTENCES = st.lists(
    st.tuples(
        st.sampled_from(["Joana wrote", "Nobody in Oslo reads", "The second host keeps"]), PIECES
    ),
    max_size=3,
    unique_by=lambda told: told[0],
)


def _page(told: list[tuple[str, tuple[str, str, str]]], html: int, *, apart: bool) -> str:
    more = "".join(f" {start} {piece[html]}." for start, piece in told)
    if html:
        return kit.html(CLAIM, body=f" {MORE}{more}")
    more = more.replace("Joana", "\n\nJoana") if apart else more
    return kit.markdown(f"{CLAIM} {MORE}{more}", type="semantic")


@given(SENTENCES, SENTENCES, st.sampled_from([0, 1]), st.booleans())
@settings(max_examples=150)
def test_after_a_night_every_link_and_code_is_in_a_live_file(
    mine: list[tuple[str, tuple[str, str, str]]],
    other: list[tuple[str, tuple[str, str, str]]],
    html: int,
    apart: bool,
) -> None:
    """In both formats: where a memory was dropped, the live files hold its links, code and text."""
    ending = (".md", ".html")[html]
    pages = [_page(told, html, apart=apart) for told in (mine, other)]
    third = (kit.markdown, kit.html)[html]("The log is kept.")
    start = kit.corpus({f"a{ending}": pages[0], f"b{ending}": pages[1], f"c{ending}": third})
    result = kit.night(start, phases=("pairing", "dedup"))
    live = [memory for memory in result.end.active() if memory.path != f"c{ending}"]
    source = b"".join(result.end.files[memory.path] for memory in live).decode()
    for told in (mine, other):
        for _, piece in told:
            assert piece[2] in source
            if piece[2] == "c":
                assert any(f"c{ending}" in _links(memory) for memory in live)
    for start_of, piece in (*mine, *other):
        alike = {one for text, one in (*mine, *other) if text == start_of}
        assert len(alike) > 1 or piece[html] in source
    held = " ".join(memory.body for memory in live)
    dropped = [
        start.memories[p] for p in (f"a{ending}", f"b{ending}") if p not in result.end.memories
    ]
    if not any("Merge" in type(item.proposal).__name__ for item in result.decisions):
        assert not dropped
    for memory in dropped:
        for sentence in sentences(memory.body):
            assert sentence.rstrip(".") in held
