from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from corpus_kit import write
from memsleep import api
from memsleep.forecast import forecast_of
from memsleep.model import Memory, Snapshot, Standing, Usage, Vectors
from memsleep.phases.triage import retention_facts, score
from memsleep.settings import Settings
from usage_kit import NOW, memory, note

STATED = {"confidence": "confidence"}


def snapshot(memories: list[Memory], usage: dict[str, Usage] | None = None) -> Snapshot:
    return Snapshot(
        now=NOW,
        memories={each.path: each for each in memories},
        files={},
        vectors=Vectors("none", (), np.zeros((0, 0), np.float32)),
        usage=usage,
        standing={each.path: Standing(each.path, last_decay_at=NOW) for each in memories},
        first_night=False,
    )


def events(memories: list[Memory], days: int = 90, **usage: Usage) -> list[tuple[str, str, int]]:
    by_path = {f"{name}.md": use for name, use in usage.items()}
    found = forecast_of(snapshot(memories, by_path or None), Settings(), days)
    return [(item.path, item.event, item.day) for item in found]


@pytest.mark.parametrize(
    ("until", "day"),
    [
        ("2026-11-30T03:00:01Z", 1),
        ("2026-12-01T03:00:00Z", 1),
        ("2026-12-01T03:00:01Z", 2),
        ("2027-02-28T03:00:00Z", 90),
    ],
)
def test_expiry(until: str, day: int) -> None:
    """The day on which a stated end is reached, rounded up."""
    assert ("a.md", "expires", day) in events([memory("a.md", valid_until=until)])


@pytest.mark.parametrize("until", [NOW, "2026-11-01", "2027-02-28T03:00:01Z"])
def test_no_expiry(until: str) -> None:
    """What is past already, or lies beyond the horizon, is not told."""
    assert "expires" not in [e for _, e, _ in events([memory("a.md", valid_until=until)])]


def test_fading() -> None:
    """A stated confidence falls past each mark once, on the night that the rule of decay gives."""
    faded = [memory("a.md", confidence=0.8, stated=STATED)]
    assert [(e, d) for _, e, d in events(faded, 40) if e == "fades"] == [
        ("fades", 1),
        ("fades", 7),
        ("fades", 24),
    ]
    assert "fades" not in [e for _, e, _ in events([memory("a.md", confidence=0.8)])]
    reinforced = events(faded, a=Usage(reinforcement_count=1))
    assert "fades" not in [e for _, e, _ in reinforced]


def test_bands_fall_on_the_day_that_they_fall() -> None:
    """On the told day the band is another one, the day before it is not yet."""
    shot = snapshot([memory("a.md", created="2026-11-29")], {"b.md": Usage()})
    settings = Settings()
    found = [i for i in forecast_of(shot, settings, 3650) if i.event in ("compress", "evict")]
    assert found
    facts = dict(retention_facts(shot))["a.md"]
    from dataclasses import replace

    from memsleep.core import band_for

    for item in found:
        bands = [
            band_for(score(replace(facts, age_days=facts.age_days + day), shot, settings).value)
            for day in (item.day - 1, item.day)
        ]
        assert bands[1] == item.event != bands[0]


def test_what_protects_is_told() -> None:
    """A pinned memory is told with the reason for which it stays."""
    old = memory("a.md", created="2020-01-01", pinned=True, confidence=0.1, word_count=1)
    found = forecast_of(snapshot([old]), Settings(), 3650)
    assert {item.protected for item in found if item.event == "evict"} <= {"it is pinned"}


def test_use_delays(tmp_path: Path) -> None:
    """More use never brings an eviction nearer."""
    old = [memory("a.md", created="2026-06-01", word_count=5)]
    unused = {e: d for _, e, d in events(old, 3650, a=Usage())}
    used = {e: d for _, e, d in events(old, 3650, a=Usage(access_count=50))}
    assert used.get("evict", 10_000) >= unused.get("evict", 0)


def test_a_folder(tmp_path: Path) -> None:
    """The whole way: from files to what happens to them, and nothing is written."""
    write(tmp_path, {"a.md": note("Sale ends.", valid_until="2026-12-10")})
    found = api.forecast(tmp_path, 30, now=NOW)
    assert [(i.event, i.date) for i in found if i.event == "expires"] == [("expires", "2026-12-10")]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.md"]
