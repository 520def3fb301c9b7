"""An invented night over an invented corpus, with every part of a report in it."""

from __future__ import annotations

from memsleep.report.data import (
    Budget,
    Candidates,
    Change,
    Check,
    Community,
    Count,
    DanglingLink,
    DecayedMemory,
    Decision,
    FileWarning,
    Header,
    Histogram,
    Mark,
    NotApplied,
    Phase,
    RefusalCause,
    RefusedPair,
    Report,
    Review,
    Size,
    Text,
    Totals,
    UnreadableFile,
    Upcoming,
    Waiting,
    undo_command,
)

RUN = "2026-03-01-1"


def text(path: str, title: str, gist: str, body: str = "", **more: str) -> Text:
    return Text(path=path, title=title, type="fact", gist=gist, body=body or gist, **more)  # type: ignore[arg-type]


WAL = text(
    "areas/db/wal-retention.md",
    "WAL retention",
    "The primary keeps 14 days of WAL segments before the nightly prune.",
    "The primary keeps 14 days of WAL segments before the nightly prune.\n\n"
    "Set in `wal_keep_size` on both nodes. Raised from 7 days in January, after the replica in\n"
    "Osaka fell behind during the datacenter move and had to be rebuilt from a base backup.",
    created="2025-11-02",
    updated="2026-01-14",
)
WAL_AGAIN = text(
    "inbox/2026-02-11-wal.md",
    "How long WAL is kept",
    "The primary keeps 14 days of WAL segments before the prune each night.",
    "The primary keeps 14 days of WAL segments before the prune each night.\n\n"
    "Set in `wal_keep_size` on both nodes. Ask Ines before lowering it: the Osaka replica needs\n"
    "up to nine days to catch up.",
    created="2026-02-11",
    updated="2026-02-11",
)
KEYS_ZH = text(
    "areas/auth/签名密钥.md",
    "签名密钥轮换",
    "签名密钥每 14 天轮换一次,旧密钥保留两个周期。",
    created="2025-12-01",
    updated="2026-01-05",
)
KEYS_ZH_AGAIN = text(
    "inbox/2026-02-20-密钥.md",
    "密钥轮换",
    "签名密钥每 14 天轮换一次,旧的密钥再保留两个周期。",
    created="2026-02-20",
    updated="2026-02-20",
)
CANARY = text(
    "areas/deploys/canary.md",
    "Canary share",
    "A deploy goes to 5 % of the hosts first and waits ten minutes.",
    created="2025-10-10",
    updated="2025-12-24",
)
CANARY_AGAIN = text(
    "areas/deploys/canary-copy.md",
    "Canary share",
    "A deploy goes to 5 % of the hosts first and waits ten minutes.",
    created="2026-01-09",
    updated="2026-01-09",
)
STANDUP = text(
    "team/standup-room.md",
    "Stand-up room",
    "Stand-up is in room Linden until the renovation ends.",
    "Stand-up is in room Linden until the renovation ends. Bring your own chair.",
    created="2025-09-01",
    updated="2025-09-01",
)
OLD_FLAKE = text(
    "areas/ci/flaky-arm-runner.md",
    "Flaky ARM runner",
    "The third ARM runner drops its network about once a week.",
    created="2025-06-17",
    updated="2025-06-20",
)


def decision(number: int, **fields: object) -> Decision:
    decision_id = f"{number:012x}"
    return Decision.model_validate(
        {"id": decision_id, "undo": undo_command(RUN, decision_id), **fields}
    )


def merge(number: int, keeper: Text, dropped: Text, similarity: float, reason: str) -> Decision:
    carried = {"changes": ()}
    if dropped is WAL_AGAIN:
        carried["changes"] = (
            Change(
                path=keeper.path,
                what="text carried over",
                after="Ask Ines before lowering it: the Osaka replica needs up to nine days.",
            ),
            Change(path=keeper.path, what="confidence", before="0.9", after="0.8"),
        )
    return decision(
        number,
        phase="dedup",
        kind="merge",
        paths=(keeper.path, dropped.path),
        titles=(keeper.title, dropped.title),
        reason=reason,
        evidence={"similarity": similarity, "floor": 0.86, "shared words": 31},
        keeper=keeper,
        dropped=dropped,
        files_changed=(keeper.path, dropped.path, "archive/2026/ledger.jsonl"),
        **carried,
    )


DECISIONS = (
    merge(
        0x4F2C81,
        WAL,
        WAL_AGAIN,
        0.9614,
        "Same claim in other words; no guard objects. The keeper is the older file.",
    ),
    merge(0x4F2C82, KEYS_ZH, KEYS_ZH_AGAIN, 0.9432, "Same claim in other words; no guard objects."),
    merge(0x4F2C83, CANARY, CANARY_AGAIN, 1.0, "Same content, byte for byte in normal form."),
    decision(
        0x77A001,
        phase="reprieve",
        kind="archive",
        cause="expired",
        paths=(STANDUP.path,),
        titles=(STANDUP.title,),
        reason="Valid until 2026-02-15, reprieved three times already.",
        evidence={
            "valid_until": "2026-02-15",
            "reprieves": 3,
            "reprieve_score": 0.31,
            "floor": 0.45,
        },
        dropped=STANDUP,
        files_changed=(STANDUP.path, "archive/2026/ledger.jsonl"),
    ),
    decision(
        0x77A002,
        phase="reprieve",
        kind="archive",
        cause="evicted",
        paths=(OLD_FLAKE.path,),
        titles=(OLD_FLAKE.title,),
        reason="Retention 0.212 is below 0.3, unused for 254 days, nothing links to it.",
        evidence={"retention": 0.2117, "age_days": 254, "inbound_links": 0, "pagerank": 0.00121},
        dropped=OLD_FLAKE,
        files_changed=(OLD_FLAKE.path, "archive/2026/ledger.jsonl"),
    ),
    decision(
        0x77A003,
        phase="reprieve",
        kind="set-field",
        cause="reprieved",
        paths=("areas/db/osaka-move.md", "valid_until"),
        titles=("Osaka move freeze",),
        reason="Expired yesterday, but used four times this month: two more weeks.",
        evidence={"reprieve_score": 0.71, "floor": 0.45, "reprieves": 1},
        changes=(
            Change(
                path="areas/db/osaka-move.md",
                what="valid_until",
                before="2026-02-28",
                after="2026-03-15",
            ),
            Change(path="areas/db/osaka-move.md", what="reprieves", before="0", after="1"),
        ),
        files_changed=("areas/db/osaka-move.md",),
    ),
    decision(
        0x77A004,
        phase="reprieve",
        kind="spare",
        paths=("people/ines.md",),
        titles=("Ines",),
        reason="Retention 0.284 is below 0.3, but three lean on it: kept until 2026-03-15.",
        evidence={"retention": 0.2841, "reprieve_score": 0.52, "inbound_links": 3},
        undo="",
    ),
    decision(
        0x9B1D01,
        phase="integrity",
        kind="retarget-link",
        paths=("index.md", "areas/db/wal.md"),
        titles=("Index",),
        reason="The target moved two weeks ago; the link follows it.",
        changes=(
            Change(
                path="index.md",
                what="link",
                before="areas/db/wal.md",
                after="areas/db/wal-retention.md",
            ),
        ),
        files_changed=("index.md",),
    ),
)

REVIEWS = (
    Review(
        id="0000005e0001",
        question="contradiction",
        reason="One slot, two values: backup.retention_days is 30 here and 35 there.",
        evidence={"similarity": 0.9711, "slot": "backup.retention_days"},
        first=text(
            "areas/db/backups.md",
            "Backup retention",
            "Base backups are kept for 30 days.",
            created="2025-08-01",
            updated="2025-08-01",
        ),
        second=text(
            "inbox/2026-02-25-backups.md",
            "Backup retention",
            "Base backups are kept for 35 days.",
            created="2026-02-25",
            updated="2026-02-25",
        ),
        actions=(
            "Keep the newer one: set `superseded_by` in areas/db/backups.md.",
            "Say that they are two facts: `memsleep review 2026-03-01-1` and answer `different`.",
        ),
    ),
    Review(
        id="0000005e0002",
        question="duplicate",
        reason="The guard “negation” parted them: only one of them says “never”.",
        evidence={"similarity": 0.9533, "guard": "negation"},
        first=text(
            "areas/deploys/friday.md",
            "Friday deploys",
            "Deploys on Fridays are allowed before noon.",
        ),
        second=text(
            "team/friday-rule.md",
            "Friday rule",
            "Deploys on Fridays are never allowed before noon.",
        ),
        actions=("Correct the wrong one.", "Leave both: they speak of different teams."),
    ),
)

REFUSED = (
    RefusalCause(
        cause="numbers differ",
        count=11,
        explanation="One states a number that the other does not.",
        examples=(
            RefusedPair(
                keeper="areas/net/port-api.md",
                dropped="areas/net/port-admin.md",
                reason="8080 against 8081",
                similarity=0.972,
            ),
            RefusedPair(
                keeper="areas/db/backups.md",
                dropped="areas/db/backups-eu.md",
                reason="30 against 14",
                similarity=0.951,
            ),
        ),
    ),
    RefusalCause(
        cause="substitution", count=6, explanation="Each has a content word that the other lacks."
    ),
    RefusalCause(
        cause="pinned",
        count=1,
        explanation="A pinned memory is never merged.",
        examples=(RefusedPair(keeper="people/ines.md", dropped="team/ines-copy.md"),),
    ),
)

RETENTION = Histogram(
    edges=tuple(round(step * 0.05, 2) for step in range(21)),
    counts=(0, 0, 0, 1, 2, 4, 7, 9, 11, 14, 16, 13, 12, 9, 8, 6, 5, 3, 1, 1),
    marks=(Mark(value=0.3, label="may go below"), Mark(value=0.7, label="stays above")),
)
SIMILARITY = Histogram(
    edges=tuple(round(0.4 + step * 0.025, 3) for step in range(25)),
    counts=(64, 58, 49, 41, 33, 28, 22, 19, 15, 12, 9, 8, 6, 6, 5, 4, 4, 3, 3, 2, 3, 5, 4, 3),
    marks=(Mark(value=0.78, label="related"), Mark(value=0.86, label="candidate")),
)
EMPTY_FILE = "The front matter does not parse: expected a mapping, found a list."


def sample_report(**changes: object) -> Report:
    """Return the night, with some fields replaced."""
    fields: dict[str, object] = {
        "header": Header(
            corpus="mara-notes",
            run=RUN,
            instant="2026-03-01T03:00:00Z",
            profile="careful",
            config_digest="9b1d5c0e77aa",
            corpus_digest="4f2c81d00b6e",
            base_commit="c0ffee1234567890c0ffee1234567890c0ffee12",
            embedder="hashgram-512-v1",
            tool_version="0.1.0",
            dry_run=True,
            degraded=("No usage data: the access weight is spread over what is known.",),
        ),
        "totals": Totals(
            active=122,
            archived=18,
            read=140,
            unreadable=1,
            left_out=(Count(name="index page", count=2), Count(name="template", count=1)),
            decisions=(
                Count(name="merge", count=3),
                Count(name="archive", count=2),
                Count(name="set-field", count=1),
                Count(name="spare", count=1),
                Count(name="retarget-link", count=1),
            ),
            merged=3,
            keepers=3,
            evicted=1,
            expired=1,
            reprieved=1,
            spared=1,
            decayed=2,
            links_rewritten=1,
            files_changed=11,
        ),
        "budgets": (
            Budget(name="Archived tonight", used=2, limit=2),
            Budget(name="Archived in 7 days", used=3, limit=6),
            Budget(name="Archived in 30 days", used=5, limit=18),
            Budget(name="Merged tonight", used=3, limit=6),
        ),
        "decisions": DECISIONS,
        "decayed": (
            DecayedMemory(
                id="00000dec0001",
                path="areas/ci/runner-pool.md",
                before=0.76,
                after=0.744,
                nights=1,
                written=True,
            ),
            DecayedMemory(
                id="00000dec0002", path="team/lunch.md", before=0.5512, after=0.5493, nights=1
            ),
        ),
        "reviews": REVIEWS,
        "deferred": (
            Waiting(
                id="00000def0001",
                path="team/old-badge-reader.md",
                title="Badge reader",
                reason="Tonight's budget of 2 is spent.",
                score=0.261,
            ),
        ),
        "advisory": (
            Waiting(
                id="00000adf0001",
                path="areas/ci/jenkins-url.md",
                title="Jenkins address",
                reason="No usage data: told, not done.",
                score=0.274,
            ),
        ),
        "upcoming": (
            Upcoming(
                path="areas/db/osaka-move.md",
                title="Osaka move freeze",
                what="expires",
                date="2026-03-15",
            ),
            Upcoming(
                path="team/lunch.md",
                title="Lunch place",
                what="fades",
                date="2026-05-02",
                detail="confidence below 0.5",
            ),
        ),
        "candidates": Candidates(candidates=23, merged=3, reviewed=2, refused=REFUSED),
        "not_applied": (
            NotApplied(
                id="00000bad0001",
                phase="integrity",
                kind="retarget-link",
                paths=("areas/web/cache.html",),
                cause="edit-refused",
                reason="The link stands inside a comment.",
                path="areas/web/cache.html",
                line=41,
            ),
        ),
        "unreadable": (UnreadableFile(path="inbox/broken.md", line=3, reasons=(EMPTY_FILE,)),),
        "warnings": (
            FileWarning(
                path="areas/ci/runner-pool.md",
                line=4,
                code="bad-date",
                message="Expected a date, found 2026-02-30; read as absent.",
            ),
        ),
        "dangling": (
            DanglingLink(
                path="people/ines.md",
                line=12,
                target="areas/db/osaka-mov.md",
                nearest="areas/db/osaka-move.md",
            ),
            DanglingLink(path="index.md", line=7, target="plans/2027", nearest=None),
            DanglingLink(
                path="index.md", line=9, target="pump", ambiguous=("a/pump.md", "b/pump.md")
            ),
        ),
        "phases": (
            Phase(name="pairing", proposed=1, applied=1, detail="23 candidates, 61 mined edges"),
            Phase(name="dedup", proposed=23, applied=23, detail=""),
            Phase(name="graph", proposed=3, applied=3, detail="6 communities"),
            Phase(name="triage", proposed=5, applied=5),
            Phase(name="reprieve", proposed=5, applied=4, refused=1),
            Phase(name="decay", proposed=2, applied=2),
            Phase(name="integrity", proposed=4, applied=3, refused=1),
        ),
        "checks": (
            Check(
                name="nothing lost",
                passed=True,
                detail="1,204 sentences, 311 numbers and 96 links are all still there.",
            ),
        ),
        "retention": RETENTION,
        "similarity": SIMILARITY,
        "communities": (
            Community(
                label="Databases and backups",
                size=34,
                members=("WAL retention", "Backup retention", "Osaka move freeze", "Replica lag"),
            ),
            Community(
                label="Deploys",
                size=27,
                members=("Canary share", "Friday deploys", "Rollback drill"),
            ),
            Community(label="Signing keys", size=12, members=("签名密钥轮换", "Key ceremony")),
            Community(label="Team", size=9, members=("Stand-up room", "Lunch place", "Ines")),
        ),
        "size_before": Size(active=122, archived=18, words=9480, size_bytes=88_412),
        "size_after": Size(active=117, archived=23, words=9233, size_bytes=86_020),
    }
    return Report.model_validate({**fields, **changes})


def empty_report() -> Report:
    """Return a night in which nothing happened."""
    header = Header(corpus="quiet", run=RUN, instant="2026-03-01T03:00:00Z", profile="careful")
    return Report(header=header)


HOSTILE = (
    "</script></style><img src=x onerror=alert(1)> {{ 7 * 191 }} {% raw %} <!-- | a | b |\n"
    "|---|---|\n# Forged heading\n```\n</details>\n~~~~\n- [x] done @mara #12 GH-7 \n"
    "https://evil.example/o/r/issues/1 www.evil.example a@evil.example\n"
    "\x1b[2J\x1b]0;title\x07 \u202egnp.exe \u200b\ufeff\x00 \x9b31m &lt;b&gt; $x$\n"
    "<b>bold</b> *star* _under_ `code` [a](b) ![c](d) \\ \"q\" 'q'\r\n1. one\n=====\n    code"
)


def hostile_report() -> Report:
    """Return a night in which every text that a corpus can choose is an attack."""
    evil = Text(
        path=HOSTILE, title=HOSTILE, type=HOSTILE, gist=HOSTILE, body=HOSTILE * 2, quotation=True
    )
    other = evil.model_copy(update={"gist": "harmless", "body": "harmless\n" + HOSTILE})
    return sample_report(
        header=Header(
            corpus=HOSTILE,
            run=RUN,
            instant="2026-03-01T03:00:00Z",
            profile="careful",
            degraded=(HOSTILE,),
        ),
        decisions=(
            decision(
                1,
                phase="dedup",
                kind="merge",
                paths=(HOSTILE, "b"),
                titles=(HOSTILE, HOSTILE),
                reason=HOSTILE,
                evidence={HOSTILE: HOSTILE},
                keeper=evil,
                dropped=other,
                changes=(Change(path=HOSTILE, what=HOSTILE, before=HOSTILE, after=HOSTILE),),
                files_changed=(HOSTILE,),
            ),
            decision(
                2, phase="reprieve", kind=HOSTILE, paths=(HOSTILE,), reason=HOSTILE, dropped=evil
            ),
        ),
        decayed=(DecayedMemory(id="3", path=HOSTILE, before=0.5, after=0.4),),
        reviews=(
            Review(
                id="4",
                question=HOSTILE,
                reason=HOSTILE,
                first=other,
                second=evil,
                actions=(HOSTILE,),
            ),
        ),
        deferred=(Waiting(id="5", path=HOSTILE, title=HOSTILE, reason=HOSTILE),),
        advisory=(Waiting(id="6", path=HOSTILE, title=HOSTILE, reason=HOSTILE),),
        upcoming=(
            Upcoming(path=HOSTILE, title=HOSTILE, what="fades", date="2026-04-01", detail=HOSTILE),
        ),
        candidates=Candidates(
            candidates=1,
            refused=(
                RefusalCause(
                    cause=HOSTILE,
                    count=1,
                    explanation=HOSTILE,
                    examples=(RefusedPair(keeper=HOSTILE, dropped=HOSTILE, reason=HOSTILE),),
                ),
            ),
        ),
        not_applied=(
            NotApplied(
                id="7",
                phase="dedup",
                kind="merge",
                paths=(HOSTILE,),
                cause="gone",
                reason=HOSTILE,
                path=HOSTILE,
            ),
        ),
        unreadable=(UnreadableFile(path=HOSTILE, reasons=(HOSTILE,)),),
        warnings=(FileWarning(path=HOSTILE, code="bad-date", message=HOSTILE),),
        dangling=(
            DanglingLink(path=HOSTILE, target=HOSTILE, nearest=HOSTILE),
            DanglingLink(path=HOSTILE, target=HOSTILE, ambiguous=(HOSTILE, HOSTILE)),
        ),
        phases=(Phase(name="dedup", status="failed", detail=HOSTILE),),
        communities=(Community(label=HOSTILE, size=3, members=(HOSTILE,)),),
    )
