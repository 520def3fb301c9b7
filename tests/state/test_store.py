from __future__ import annotations

from pathlib import Path

import pytest

from memsleep.instants import add_days
from memsleep.model import Standing, Usage
from memsleep.state import store
from memsleep.state.effects import DecayEffect, Effect, MergeEffect, MoveEffect, SpareEffect
from memsleep.state.rejecting import Rejected
from memsleep.state.store import Run, open_copy, open_state
from state_kit import NEXT, NIGHT, filled

FULL = Usage(3, 2, -0.4, NIGHT, NIGHT, NEXT, 4, NEXT, 1, 5, (("会话", 1), ("s", 2)))


def test_empty(tmp_path: Path) -> None:
    """A new state knows nothing."""
    with open_state(tmp_path / "new" / "state.db") as state:
        assert (state.usage(), state.standing(), state.last_landed_at(), state.runs()) == (
            {},
            {},
            None,
            (),
        )


def test_first_sight(tmp_path: Path) -> None:
    """A memory's id is its path at first sight, and the instant is kept."""
    with filled(tmp_path / "state.db") as state:
        state.observe({"a.md": "changed", "b.md": "digest b"}, NEXT)
        assert state.standing() == {
            "a.md": Standing("a.md", NIGHT),
            "b.md": Standing("b.md", NIGHT),
        }


def test_everything_survives(tmp_path: Path) -> None:
    """All fields of usage are the same after closing and opening."""
    filled(tmp_path / "state.db", {"b.md": FULL}).close()
    with open_state(tmp_path / "state.db") as state:
        assert state.usage() == {"b.md": FULL}


def test_answers_follow_a_move(tmp_path: Path) -> None:
    """They are about where the memory lies now, not about another one that has its place since."""
    with filled(tmp_path / "state.db") as state:
        state.reject(
            Rejected(
                question=("pair", path, "b.md"), digests={path: "x", "b.md": "y"}, decision="d",
                run_id="r", reason="no", rejected_at=NIGHT,
            )
            for path in ("a.md", "nowhere.md")
        )  # fmt: skip
        state.observe({"z.md": "digest a", "b.md": "digest b"}, NEXT)
        state.observe({"z.md": "digest a", "b.md": "digest b", "a.md": "new"}, NEXT)
        told = {answer.question: dict(answer.digests) for answer in state.answers()}
        assert told == {
            ("pair", "b.md", "z.md"): {"z.md": "x", "b.md": "y"},
            ("pair", "nowhere.md", "b.md"): {"nowhere.md": "x", "b.md": "y"},
        }
        assert [answer.question[1] for answer in state.rejected()] == ["a.md", "nowhere.md"]


def test_use_follows_a_move(tmp_path: Path) -> None:
    """A moved memory is read under its new path, with its use, and every path it had."""
    with filled(tmp_path / "state.db", {"a.md": FULL}) as state:
        state.observe({"z/é.md": "digest a", "b.md": "digest b"}, NEXT)
        assert state.usage() == {"z/é.md": FULL}
        assert state.standing()["z/é.md"].memory_id == "a.md"
        assert state.paths_of("a.md") == ("a.md", "z/é.md")


def test_path_order_is_by_code_point(tmp_path: Path) -> None:
    """Paths come in the order of their code points, not of UTF-16 units or insertion."""
    names = ["b.md", "\U0001f680.md", "\uff21.md", "a.md", "é.md"]
    with open_state(tmp_path / "state.db") as state:
        state.observe({name: name for name in names}, NIGHT)
        state.import_usage({name: Usage(1) for name in names})
        assert list(state.standing()) == list(state.usage()) == sorted(names)


@pytest.mark.parametrize(("days", "kept"), [(90, True), (91, False)])
def test_missing_are_kept_for_a_while(tmp_path: Path, days: int, kept: bool) -> None:
    """A memory whose file is gone is not read, but is itself again when it comes back in time."""
    with filled(tmp_path / "state.db", {"a.md": FULL}) as state:
        for night in (NIGHT, NEXT, add_days(NIGHT, days)):
            state.observe({"b.md": "digest b"}, night)
            assert list(state.usage()) == []
            assert list(state.standing()) == ["b.md"]
        state.observe({"a.md": "digest a", "b.md": "digest b"}, add_days(NIGHT, days))
        assert (state.usage() == {"a.md": FULL}) is kept


def test_unreadable_files_are_there(tmp_path: Path) -> None:
    """A broken file keeps its memory's use for the night it can be read again."""
    with filled(tmp_path / "state.db", {"a.md": FULL}) as state:
        state.observe({"b.md": "digest b"}, NEXT, unreadable=["a.md"])
        assert state.usage() == {"a.md": FULL}


def test_import_usage(tmp_path: Path) -> None:
    """Rows find their memory by its path of today, or by one it had; others are named."""
    with filled(tmp_path / "state.db", {"a.md": Usage(3)}) as state:
        state.observe({"z.md": "digest a", "b.md": "digest b"}, NEXT)
        unknown = state.import_usage({"a.md": Usage(5), "b.md": Usage(1), "gone.md": Usage(9)})
        assert unknown == ("gone.md",)
        assert state.usage() == {"b.md": Usage(1), "z.md": Usage(5)}


def test_import_usage_prefers_who_is_there(tmp_path: Path) -> None:
    """A path that another memory has now means that one."""
    with filled(tmp_path / "state.db", {"a.md": Usage(3)}) as state:
        state.observe({"z.md": "digest a", "b.md": "digest b"}, NEXT)
        state.observe({"z.md": "digest a", "a.md": "other"}, NEXT)
        state.import_usage({"a.md": Usage(7)})
        assert state.usage() == {"a.md": Usage(7), "z.md": Usage(3)}


def test_import_usage_of_an_ambiguous_path(tmp_path: Path) -> None:
    """A path that two memories had, and none has, means neither."""
    with open_state(tmp_path / "state.db") as state:
        state.observe({"a.md": "1"}, NIGHT)
        state.observe({"b.md": "1"}, NIGHT)
        state.observe({"b.md": "1", "a.md": "2"}, NIGHT)
        state.observe({"b.md": "1", "c.md": "2"}, NIGHT)
        assert state.import_usage({"a.md": Usage(1)}) == ("a.md",)


DECAY = DecayEffect("a.md", 0.9, 0.74, NEXT)
EFFECTS: list[tuple[list[Effect], dict[str, Standing]]] = [
    ([DECAY], {"a.md": Standing("a.md", NIGHT, 0.9, 0.74, NEXT), "b.md": Standing("b.md", NIGHT)}),
    (
        [DecayEffect("a.md", None, 0.70006, NEXT), SpareEffect("b.md", NEXT)],
        {
            "a.md": Standing("a.md", NIGHT, None, 0.7001, NEXT),
            "b.md": Standing("b.md", NIGHT, spared_until=NEXT),
        },
    ),
    (
        [SpareEffect("a.md", NEXT), SpareEffect("a.md", NIGHT)],
        {"a.md": Standing("a.md", NIGHT, spared_until=NEXT), "b.md": Standing("b.md", NIGHT)},
    ),
    (
        [MoveEffect("a.md", "archive/2026/a.md"), DECAY],
        {
            "archive/2026/a.md": Standing("a.md", NIGHT, 0.9, 0.74, NEXT),
            "b.md": Standing("b.md", NIGHT),
        },
    ),
    (
        [DECAY, DecayEffect("a.md", 0.9, 0.9, NIGHT)],
        {"a.md": Standing("a.md", NIGHT, 0.9, 0.74, NEXT), "b.md": Standing("b.md", NIGHT)},
    ),
    ([MoveEffect("a.md", "b.md")], {"b.md": Standing("a.md", NIGHT)}),
]


@pytest.mark.parametrize(("effects", "standing"), EFFECTS)
def test_effects(tmp_path: Path, effects: list[Effect], standing: dict[str, Standing]) -> None:
    """What a landed run decided is read the next night."""
    with filled(tmp_path / "state.db") as state:
        assert state.apply_effects("run-1", effects, NEXT) == ()
        assert state.standing() == standing
        assert state.last_landed_at() == NEXT


def test_merge_sums_use_once_per_run(tmp_path: Path) -> None:
    """The same run applies once, however often it is seen to have landed; another run again."""
    merge = [MergeEffect("a.md", "b.md")]
    with filled(tmp_path / "state.db", {"a.md": Usage(3), "b.md": Usage(4)}) as state:
        state.apply_effects("run-1", merge, NEXT)
        state.apply_effects("run-1", merge, NEXT)
        assert state.usage() == {"a.md": Usage(7, evidence_count=2), "b.md": Usage(4)}
        state.apply_effects("run-2", merge, NEXT)
        assert state.usage()["a.md"].access_count == 11


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({}, {}),
        ({"a.md": Usage(3)}, {"a.md": Usage(3)}),
        ({"b.md": Usage(4)}, {"a.md": Usage(4, evidence_count=2), "b.md": Usage(4)}),
    ],
)
def test_merge_of_unknown_use(
    tmp_path: Path, usage: dict[str, Usage], expected: dict[str, Usage]
) -> None:
    """Unknown is not zero: nothing is made up where neither side is known."""
    with filled(tmp_path / "state.db", usage) as state:
        state.apply_effects("run-1", [MergeEffect("a.md", "b.md")], NEXT)
        assert state.usage() == expected


@pytest.mark.parametrize(
    "effect",
    [
        DecayEffect("gone.md", 0.9, 0.8, NEXT),
        SpareEffect("gone.md", NEXT),
        MoveEffect("gone.md", "z.md"),
        MergeEffect("a.md", "gone.md"),
        MergeEffect("gone.md", "a.md"),
    ],
)
def test_effect_on_nothing(tmp_path: Path, effect: Effect) -> None:
    """An effect whose memory is unknown is handed back, and applies once the memory is seen."""
    with filled(tmp_path / "state.db", {"a.md": Usage(1)}) as state:
        before = state.standing()
        assert state.apply_effects("run-1", [effect], NEXT) == (effect,)
        assert state.standing() == before
        state.observe({"a.md": "digest a", "gone.md": "g"}, NEXT)
        assert state.apply_effects("run-1", [effect], NEXT) == ()


def test_a_move_is_not_applied_twice(tmp_path: Path) -> None:
    """A memory that the user moved on after the night stays where the user put it."""
    with filled(tmp_path / "state.db") as state:
        state.apply_effects("run-1", [MoveEffect("a.md", "z.md")], NEXT)
        state.observe({"y.md": "digest a", "b.md": "digest b"}, NEXT)
        state.apply_effects("run-1", [MoveEffect("a.md", "z.md")], NEXT)
        assert list(state.standing()) == ["b.md", "y.md"]


def test_last_landed_is_the_latest(tmp_path: Path) -> None:
    """A run that is seen to have landed late does not turn the clock back."""
    with filled(tmp_path / "state.db") as state:
        state.apply_effects("run-2", [], NEXT)
        state.apply_effects("run-1", [], NIGHT)
        assert state.last_landed_at() == NEXT


def test_runs(tmp_path: Path) -> None:
    """A run is recorded at its start and replaced at its end."""
    started = Run("r2", "2026-12-01", NEXT, NEXT, "running")
    ended = Run("r2", "2026-12-01", NEXT, NEXT, "landed", NEXT, {"merged": 2}, "plan", "base")
    first = Run("r1", "2026-11-30", NIGHT, NIGHT, "failed")
    with open_state(tmp_path / "state.db") as state:
        for run in (started, first, ended):
            state.record_run(run)
        assert state.runs() == (first, ended)


def test_a_failure_takes_back_the_whole_call(tmp_path: Path) -> None:
    """Effects are written all or none."""
    with filled(tmp_path / "state.db") as state:
        with pytest.raises(TypeError):
            state.apply_effects("run-1", [SpareEffect("a.md", NEXT), "no effect"], NEXT)  # type: ignore[list-item]
        assert state.standing()["a.md"] == Standing("a.md", NIGHT)
        assert state.last_landed_at() is None


def test_copy_does_not_write_back(tmp_path: Path) -> None:
    """A dry run plays its observations through in a copy."""
    filled(tmp_path / "state.db", {"a.md": FULL}).close()
    with open_copy(tmp_path / "state.db", tmp_path / "scratch") as copy:
        copy.observe({"new.md": "n"}, NEXT)
        assert list(copy.standing()) == ["new.md"]
    with open_state(tmp_path / "state.db") as state:
        assert list(state.standing()) == ["a.md", "b.md"]


def test_copy_of_nothing(tmp_path: Path) -> None:
    """The first night has an empty state, and makes none in the corpus."""
    with open_copy(tmp_path / "corpus" / "state.db", tmp_path / "deep" / "scratch") as copy:
        assert copy.standing() == {}
    assert not (tmp_path / "corpus").exists()


@pytest.mark.parametrize("many", [0, 500])
def test_many_uses_are_imported_as_few_are(
    many: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether rows are read one by one or all at once: moved, unknown, older and new ones."""
    monkeypatch.setattr(store, "MANY", many)
    with open_state(tmp_path / "state.db") as state:
        state.observe({"a.md": "1", "b.md": "2"}, "2026-11-01T00:00:00Z")
        state.observe({"c.md": "1", "b.md": "2"}, "2026-11-02T00:00:00Z")
        told = state.import_usage({"a.md": Usage(5), "b.md": Usage(1), "gone.md": Usage(9)})
        state.import_usage({"c.md": Usage(4, 7), "b.md": Usage(3)})
        assert told == ("gone.md",)
        assert state.usage() == {"b.md": Usage(3), "c.md": Usage(5, 7)}
