"""The rules of the fold, one by one: order, conflicts, refusals, and whole decisions."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import phases_kit as kit
from memsleep.dialects.base import FieldName
from memsleep.fold import Folded, fold
from memsleep.model import Snapshot, Standing, Usage, digest_bytes
from memsleep.proposals import (
    Archive,
    Dangling,
    Decay,
    Evict,
    Merge,
    Proposal,
    RemoveLink,
    RetargetLink,
    SetColumn,
    SetField,
    SetPairs,
    Spare,
)
from memsleep.settings import Settings

CLAIM = "The gateway keeps the old version until three probes were answered."


def _set(path: str, *values: tuple[FieldName, str], phase: str = "decay", **more: Any) -> SetField:
    return SetField(phase=phase, reason="r", path=path, values=values, **more)


def _archive(path: str, cause: str = "evicted") -> Archive:
    return Archive(phase="reprieve", reason="old", path=path, cause=cause)


def _merge(keeper: str, dropped: str, *carry: str, take_over: bool = True) -> Merge:
    return Merge(
        phase="dedup", reason="same", keeper=keeper, dropped=dropped, similarity=1.0,
        carry=carry, take_over=take_over,
    )  # fmt: skip


def _fold(start: Snapshot, *proposals: Proposal, used: Settings = kit.CAREFUL) -> Folded:
    return fold(start, proposals, used)


def _causes(folded: Folded) -> list[tuple[str, str]]:
    return [(refusal.cause, refusal.proposal.paths[0]) for refusal in folded.refused]


def _unchanged(start: Snapshot, folded: Folded) -> bool:
    return folded.snapshot == start and not any(item.changes for item in folded.applied)


def _md(text: str = CLAIM, **fields: str) -> str:
    return kit.markdown(text, **{"type": "semantic", **fields})


# Order and repetition -----------------------------------------------------------------------


def test_order_of_proposals_does_not_matter() -> None:
    """Proposals are sorted by kind and paths: any order gives the same files and decisions."""
    files = {f"{name}.md": _md(f"Memory {name}.", confidence="0.9") for name in "abcd"}
    start = kit.corpus(files)
    proposals = [
        _merge("a.md", "b.md"),
        _archive("c.md"),
        _set("d.md", ("confidence", "0.5")),
        _set("a.md", ("confidence", "0.4")),
    ]
    first, second = _fold(start, *proposals), _fold(start, *proposals[::-1])
    assert first == second
    assert [item.proposal.kind for item in first.applied] == [
        "archive", "merge", "set-field", "set-field",
    ]  # fmt: skip


def test_equal_proposals_are_one() -> None:
    """The same proposal twice takes effect and is counted once."""
    start = kit.corpus({"a.md": _md(confidence="0.9")})
    folded = _fold(start, *[_set("a.md", ("confidence", "0.5"))] * 3)
    assert len(folded.applied) == 1
    assert folded.refused == ()


def test_no_proposals_change_nothing() -> None:
    """Folding nothing gives back the very snapshot."""
    start = kit.corpus({"a.md": _md()})
    assert _fold(start).snapshot is start


# Refusals -----------------------------------------------------------------------------------


def test_what_is_gone_is_refused() -> None:
    """A memory that an earlier decision moved, or that never was, is refused as gone."""
    start = kit.corpus(
        {name: _md(f"Memory {name}.", confidence="0.9") for name in ("a.md", "b.md", "c.md")}
    )
    folded = _fold(
        start,
        _archive("a.md"),
        _set("a.md", ("confidence", "0.5")),
        _merge("b.md", "a.md"),
        _merge("a.md", "c.md"),
        _archive("zzz.md"),
    )
    assert [item.proposal.kind for item in folded.applied] == ["archive"]
    assert _causes(folded) == [
        ("gone", "zzz.md"), ("gone", "a.md"), ("gone", "b.md"), ("gone", "a.md"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "proposal",
    [
        _set("a.md", ("confidence", "0.5")),
        _archive("a.md"),
        _merge("a.md", "b.md"),
        _merge("b.md", "a.md"),
        RetargetLink(phase="integrity", reason="r", path="a.md", target="x", target_path="b.md"),
    ],
    ids=lambda p: f"{p.kind}-{p.paths[0]}",
)
def test_a_read_only_file_is_left_alone(proposal: Proposal) -> None:
    """A file that must not be edited refuses every edit that touches it, by its reason."""
    start = kit.corpus({"a.md": _md(confidence="0.9"), "b.md": _md()})
    memories = dict(start.memories)
    memories["a.md"] = kit.replaced(memories["a.md"], read_only="being edited")
    start = kit.snapshot(memories.values(), files=start.files)
    folded = _fold(start, proposal)
    assert _unchanged(start, folded)
    ((cause, reason),) = [(r.cause, r.reason) for r in folded.refused]
    assert cause == "read-only"
    assert "being edited" in reason


def test_of_two_values_the_first_counts() -> None:
    """Two values for one field: the first in order stands, the other is refused with both."""
    start = kit.corpus({"a.md": _md(confidence="0.9", importance="3")})
    two = (
        _set("a.md", ("confidence", "0.5")),
        _set("a.md", ("confidence", "0.6"), ("importance", "4")),
    )
    folded = _fold(start, *two)
    assert folded.snapshot.memories["a.md"].confidence == 0.5
    assert folded.snapshot.memories["a.md"].importance == 3
    (refusal,) = folded.refused
    assert refusal.cause == "conflict"
    assert "'0.5'" in refusal.reason
    assert "'0.6'" in refusal.reason


def test_equal_values_of_two_proposals_do_not_conflict() -> None:
    """Two proposals that ask for the same value of one field both hold."""
    start = kit.corpus({"a.md": _md(confidence="0.9", importance="3")})
    folded = _fold(
        start,
        _set("a.md", ("confidence", "0.5")),
        _set("a.md", ("confidence", "0.5"), ("importance", "4")),
    )
    assert folded.refused == ()
    assert folded.snapshot.memories["a.md"].importance == 4


def test_what_is_there_already_is_not_counted() -> None:
    """An edit that changes no byte is neither applied nor refused."""
    start = kit.corpus({"a.md": _md(confidence="0.50")})
    folded = _fold(start, _set("a.md", ("confidence", "0.5")))
    assert (folded.applied, folded.refused) == ((), ())
    assert folded.snapshot is start


def test_a_decision_is_whole_or_nothing() -> None:
    """Where one inbound link cannot follow, nothing of the decision happens: no move, no ledger."""
    files = {"a.md": _md("A memory."), "b.md": _md("Another, see [it](a.md).")}
    start = kit.corpus(files)
    memories = dict(start.memories)
    memories["b.md"] = kit.replaced(memories["b.md"], read_only="being edited")
    start = kit.snapshot(memories.values(), files=start.files)
    for proposal in (_archive("a.md"), _merge("c.md", "a.md")):
        keeper = {"c.md": kit.read("c.md", _md("A memory!").encode())}
        whole = kit.snapshot(
            [*start.memories.values(), *keeper.values()],
            files={**start.files, "c.md": _md("A memory!").encode()},
        )
        folded = _fold(whole, proposal)
        assert _unchanged(whole, folded)
        (refusal,) = folded.refused
        assert (refusal.cause, refusal.path, refusal.line) == ("edit-refused", "b.md", 4)


def test_one_refused_field_undoes_the_others() -> None:
    """A file without front matter takes no field: of two values neither is written."""
    start = kit.corpus({"a.md": CLAIM})
    folded = _fold(start, _set("a.md", ("confidence", "0.5"), ("importance", "4")))
    assert _unchanged(start, folded)
    assert _causes(folded) == [("edit-refused", "a.md")]


def test_a_refusal_does_not_stop_the_others() -> None:
    """After a refused decision the rest is applied as if it had not been proposed."""
    start = kit.corpus({"a.md": CLAIM, "b.md": _md(confidence="0.9")})
    bad, good = _set("a.md", ("confidence", "0.5")), _set("b.md", ("confidence", "0.5"))
    assert _fold(start, bad, good).snapshot == _fold(start, good).snapshot


# Findings -----------------------------------------------------------------------------------


def test_findings_change_no_file() -> None:
    """Columns, pairs, verdicts and what only informs are in the snapshot, the files are not."""
    start = kit.corpus({"a.md": _md()}, standing={"a.md": Standing("a.md")})
    findings: list[Proposal] = [
        SetColumn(phase="x", reason="r", name="rank", values={"a.md": 1.0}),
        SetPairs(phase="x", reason="r", candidates=(), mined=()),
        Evict(phase="x", reason="r", path="a.md", score=0.1),
        Spare(phase="x", reason="r", path="a.md", until="2027-01-01"),
        Decay(phase="x", reason="r", path="a.md", before=1.0, after=0.5, nights=1),
        Dangling(phase="x", reason="r", path="a.md", target="t", line=1),
    ]
    end = _fold(start, *findings).snapshot
    assert end.files is start.files
    assert end.memories is start.memories
    assert end.columns == {"rank": {"a.md": 1.0}}
    assert list(end.verdicts) == ["a.md"]
    assert end.standing is not None
    kept = end.standing["a.md"]
    assert (kept.spared_until, kept.effective_confidence) == ("2027-01-01", 0.5)
    assert kept.last_decay_at == kit.NOW


def test_an_advisory_verdict_is_not_acted_on() -> None:
    """Advisory verdicts are told and leave no verdict behind."""
    start = kit.corpus({"a.md": _md()})
    folded = _fold(start, Evict(phase="x", reason="r", path="a.md", score=0.1, advisory=True))
    assert len(folded.applied) == 1
    assert folded.snapshot.verdicts == {}


def test_a_decay_that_the_file_cannot_say_stays_in_the_state() -> None:
    """Where the dialect has no place or keeps its word, the decay alone is applied."""
    decayed = Decay(phase="decay", reason="r", path="a.md", before=0.9, after=0.7, nights=1)
    for source in (CLAIM, _md(confidence="high")):
        start = kit.corpus({"a.md": source}, standing={"a.md": Standing("a.md")})
        folded = _fold(start, _set("a.md", ("confidence", "0.700"), decayed=decayed))
        assert [item.proposal for item in folded.applied] == [decayed]
        assert folded.snapshot.files == start.files
        assert folded.snapshot.standing is not None
        assert folded.snapshot.standing["a.md"].effective_confidence == 0.7


def test_a_written_decay_remembers_what_the_file_states_now() -> None:
    """After a rewrite the state knows the stated value, so that it is not taken for a new one."""
    decayed = Decay(phase="decay", reason="r", path="a.md", before=0.8, after=0.7412, nights=1)
    start = kit.corpus({"a.md": _md(confidence="0.8")}, standing={"a.md": Standing("a.md")})
    end = _fold(start, _set("a.md", ("confidence", "0.741"), decayed=decayed)).snapshot
    assert end.standing is not None
    kept = end.standing["a.md"]
    assert (kept.stated_confidence, kept.effective_confidence) == (0.741, 0.7412)


# Changes ------------------------------------------------------------------------------------


def test_changes_name_every_file_with_its_digests() -> None:
    """A decision lists each file it edits, moves or creates, with digests before and after."""
    files = {"a.md": _md("A memory."), "b.md": _md("Another, see [it](a.md).")}
    start = kit.corpus(files)
    folded = _fold(start, _archive("a.md"))
    (item,) = folded.applied
    changes = {change.path: change for change in item.changes}
    assert {path: change.action for path, change in changes.items()} == {
        "a.md": "move", "archive/2026/ledger.jsonl": "create", "b.md": "edit",
    }  # fmt: skip
    assert changes["a.md"].to == "archive/2026/a.md"
    for path, change in changes.items():
        before = start.files.get(path)
        assert change.before == (None if before is None else digest_bytes(before))
        assert change.after == digest_bytes(folded.snapshot.files[change.to or path])


def test_remove_link_takes_out_every_link_of_its_target() -> None:
    """A removed target is gone from the file, others stay."""
    head = (kit.head_link("supports", "/x.html"), kit.head_link("part-of", "/y.html"))
    start = kit.corpus({"a.html": kit.html("A is.", *head), "y.html": kit.html("Y is.")})
    removal = RemoveLink(phase="integrity", reason="r", path="a.html", target="x.html")
    end = _fold(start, removal).snapshot
    assert [link.target for link in end.memories["a.html"].links] == ["y.html"]


def test_a_repair_is_for_the_link_that_means_its_target() -> None:
    """Of a head link and an anchor of one target, only the one that means the place is moved."""
    files = {
        "notes/a.html": kit.html(
            "A is.", kit.head_link("supports", "/b.html"), body=' <a href="b.html">b</a>'
        ),
        "archive/2026/notes/b.html": kit.html("B is."),
    }
    place = "archive/2026/notes/b.html"
    repair = RetargetLink(
        phase="integrity", reason="r", path="notes/a.html", target="b.html", target_path=place
    )
    end = _fold(kit.corpus(files), repair).snapshot
    assert b'href="/b.html"' in end.files["notes/a.html"]
    assert b'href="../archive/2026/notes/b.html"' in end.files["notes/a.html"]


def test_view_start_finds_targets_gone_quietly() -> None:
    """Where phases see the night's start, what an earlier one archived is refused as gone."""
    files = {
        name: _md(CLAIM, created=f"2026-0{i}-01", valid_until="2026-02-01")
        for i, name in enumerate(("a.md", "b.md"), 1)
    }
    used = kit.settings(run={"view": "start", "phases": ("pairing", "dedup", "reprieve")},
                        budget={"enabled": False})  # fmt: skip
    result = kit.night(kit.corpus(files), used)
    assert [(r.cause, r.proposal.paths) for r in result.refused] == [("gone", ("b.md",))]
    assert [item.proposal.kind for item in result.decisions] == ["merge", "archive"]


def test_use_is_summed_in_a_keeper_and_moves_with_a_file() -> None:
    """The keeper's use is the sum of both; what is archived takes its own along."""
    files = {name: _md(f"Memory {name}.") for name in ("a.md", "b.md", "c.md")}
    usage = {
        "a.md": Usage(access_count=2),
        "b.md": Usage(access_count=3),
        "c.md": Usage(access_count=5),
    }
    start = kit.corpus(files, usage=usage)
    end = _fold(start, _merge("a.md", "b.md"), _archive("c.md")).snapshot
    assert end.usage is not None
    assert {path: use.access_count for path, use in end.usage.items()} == {
        "a.md": 5, "archive/2026/b.md": 3, "archive/2026/c.md": 5,
    }  # fmt: skip


def test_use_is_summed_where_archived_files_stay_in_place() -> None:
    """With flags instead of moves the keeper's use is the sum all the same."""
    files = {name: _md(f"Memory {name}.") for name in ("a.md", "b.md")}
    usage = {"a.md": Usage(access_count=2), "b.md": Usage(access_count=3)}
    used = kit.settings(write={"archive": "flag"})
    end = _fold(kit.corpus(files, usage=usage), _merge("a.md", "b.md"), used=used).snapshot
    assert end.usage is not None
    assert end.usage["a.md"].access_count == 5


def test_unknown_use_stays_unknown() -> None:
    """Without usage data a fold invents none."""
    files = {name: _md(f"Memory {name}.") for name in ("a.md", "b.md")}
    assert _fold(kit.corpus(files), _merge("a.md", "b.md")).snapshot.usage is None


PROPOSALS = st.lists(
    st.one_of(
        st.builds(lambda n: _archive(f"{n}.md"), st.sampled_from("abcz")),
        st.builds(
            lambda n, v: _set(f"{n}.md", ("confidence", v)),
            st.sampled_from("abc"),
            st.sampled_from(["0.5", "0.6"]),
        ),
        st.builds(
            lambda pair: _merge(f"{pair[0]}.md", f"{pair[1]}.md"),
            st.sampled_from([("a", "b"), ("b", "c"), ("c", "a"), ("a", "c")]),
        ),
    ),
    max_size=8,
)


@given(PROPOSALS)
def test_any_proposals_lose_nothing(proposals: list[Proposal]) -> None:
    """Whatever is proposed, no memory disappears, and each proposal is answered at most once."""
    start = kit.corpus(
        {
            f"{n}.md": _md(f"Memory {n}, see [it]({m}.md).", confidence="0.9")
            for n, m in ("ab", "bc", "ca")
        }
    )
    folded = _fold(start, *proposals)
    assert len(folded.snapshot.memories) == 3
    asked = {proposal.id for proposal in proposals}
    answered = [i.proposal.id for i in folded.applied] + [r.proposal.id for r in folded.refused]
    assert len(set(answered)) == len(answered)
    assert set(answered) <= asked
