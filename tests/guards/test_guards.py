"""Every guard: what it stops, what it lets pass, and that none of them can be taken out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import phases_kit as kit
from memsleep.guards import CONTRADICTING, GUARDS, POLICY, fired
from memsleep.guards.claims import claim_in
from memsleep.guards.sameness import relation
from memsleep.model import Memory
from memsleep.settings import CAREFUL_GUARDS, REFERENCE_GUARDS

Side = str | dict[str, Any]
Row = tuple[Side, Side]
SAME = "Rollbacks drain the load balancer first"


def _side(name: str, side: Side) -> Memory:
    fields: dict[str, Any] = {"claim": side} if isinstance(side, str) else {"claim": SAME, **side}
    return kit.memory(name, **fields)


def _pair(row: Row) -> tuple[Memory, Memory]:
    return _side("a.md", row[0]), _side("b.md", row[1])


# The last row of each table is stopped by this guard alone (see the mutation check).
VETOES: dict[str, list[Row]] = {
    "pinned": [
        ({"protected": True}, {}),
        ({}, {"protected": True}),
        ({"pinned": True, "protected": True}, {}),
        ({"pinned": True}, {}),
    ],
    "scope": [
        ({"scope": "agent-a"}, {"scope": ""}),
        ({"scope": "alpha"}, {"scope": "beta"}),
    ],
    "type": [
        ({"type": "procedural"}, {"type": "agent_insight"}),
        ({"type": "semantic"}, {"type": "user_preference"}),
    ],
    "validity": [
        ({"valid_from": "2026-01-01"}, {}),
        ({"type": "episodic", "event_time": "2026-01-01"}, {"type": "episodic"}),
        ({"valid_until": "2026-12-31"}, {"valid_until": "2027-12-31"}),
    ],
    "negation": [
        ("The step is safe", "The step is not safe"),
        ("Merging is allowed", "Merging isn\u2019t allowed"),
        ("Uploads are rejected", "Uploads are welcome"),
        ({"body": f"{SAME}. It is safe."}, {"body": f"{SAME}. It is not safe."}),
    ],
    "negation_words": [
        ("The step is not unsafe", "The step is unsafe"),
        ("Das ist sicher", "Das ist nicht sicher"),
        ("C'est utile", "Ce n'est pas utile"),
        ("Es seguro", "Es inseguro, nunca seguro"),
        (
            "\u042d\u0442\u043e \u043d\u0435 \u0442\u0430\u043a",
            "\u042d\u0442\u043e \u0442\u0430\u043a",
        ),
        ("\u670d\u52a11\u4f1a\u91cd\u8bd5", "\u670d\u52a1\u4e0d\u4f1a\u91cd\u8bd5"),
        ("\u3067\u304d\u308b", "\u3067\u304d\u306a\u3044"),
        ("\uac04\ub2e4", "\uac00\uc9c0 \uc54a\ub294\ub2e4"),
        ("The key is programmable", "The key is non-programmable"),
        ("The key is taxed", "The key is untaxed"),
        ("The host may write", "The host is unable to write"),
        ("Deploys drain the pool", "Deploys drain the pool, then stop"),
    ],
    "numeric": [
        ("The job retries 3 times", "The job retries 13 times"),
        ("Use v2.1", "Use v2.10"),
        ("Runs on the M1", "Runs on the M2"),
        ("The job retries", "The job retries 3 times"),
    ],
    "numbers": [
        ("Give up after three retries", "Give up after ten retries"),
        ("Give up after \uff13 retries", "Give up after \uff15 retries"),
        ("\u91cd\u8bd5\u4e09\u6b21", "\u91cd\u8bd5\u5341\u6b21"),
        ("Two of two replicas", "Two of three replicas"),
        ("The dose is .5 mg", "The dose is 5 mg"),
        ("The link carries 5 Mb", "The link carries 5 MB"),
        ("The wait is 90 s", "The wait is 90 minutes"),
        ("It takes the 2nd slot", "It takes the 3rd slot"),
        ("Runs on the small host", "Runs on the small host, using 4 cores"),
    ],
    "dates": [
        ("Due on 2026-10-15", "Due on 2026-10-16"),
        ("Due on October 15th", "Due on October 16th"),
        ("The stand-up is at 9 am", "The stand-up is at 9 pm"),
        ("We deploy on Monday", "We deploy on Tuesday"),
        ("Runs on the small host", "Runs on the small host, verified 2026-08-01"),
    ],
    "identifiers": [
        ("The board uses the ASR1603 chip", "The board uses the ASR1605 chip"),
        ("Read src/app.py", "Read src/App.py"),
        ("Set max_retries first", "Set max.retries first"),
        ("Read the userId field", "Read the userid field"),
        ("Errors have a format", "Errors have a format, see RFC9457"),
    ],
    "names": [
        ("Client Williams pays", "Client William pays"),
        ("Clients of Anders pay", "Client of Ander pays"),
        ("Anders pays by wire", "Ander pays by wire"),
        ("Run make test", "Run make tests"),
        ("Keep it for days", "Keep it for a day"),
        ({"entities": ("person:anna",)}, {"entities": ("person:boris",)}),
        ("Ask the US team about it", "Ask the us team about it"),
        ("Delete the backup first", "Delete the backups first"),
    ],
    "variant": [
        ("Runs on the M1", "Runs on the M1 Pro"),
        ("The legacy API is stable", "The API is stable"),
        ({"body": f"{SAME}. On the host."}, {"body": f"{SAME}. On the beta host."}),
    ],
    "variants": [
        ("Runs on the M1", "Runs on the M1 Pro"),
        ("The staging database is small", "The database is small"),
        ("The tests use the host", "The tests use the host, in staging"),
    ],
    "opposites": [
        ("The valve is open", "The valve is closed"),
        ("Enable the cache", "Disable the cache"),
        ("Paid on the first of each month", "Paid on the last of each month"),
        ("The price is high", "The price is low"),
        ("Pumps push the water", "Pumps push the water, then pull it"),
    ],
    "quantifiers": [
        ("All tests pass", "Most tests pass"),
        ("Every host is up", "Some hosts are up"),
        ("Hosts reboot at night", "Hosts reboot at night, as many of them"),
    ],
    "qualifiers": [
        ("Only admins may delete a project", "Admins may delete a project"),
        ("Admins may delete it", "Admins must delete it"),
        ("Hosts reboot at night", "Hosts reboot at night, but slowly"),
        ("Hosts reboot at night", "Hosts reboot at night, on schedule only"),
    ],
    "hedges": [
        ("The deploy is safe", "The deploy is probably safe"),
        ("The deploy takes about an hour", "The deploy takes an hour"),
        ("The deploy is safe", "The deploy is safe, as Anna believes"),
    ],
    "tense": [
        ("The app uses Postgres", "The app used to use Postgres"),
        ("The app runs here", "The app no longer runs here"),
        ("The app runs on the host", "The app runs on the host, for now"),
    ],
    "conditions": [
        ("The build stops", "The build stops if a test is red"),
        ("The deploy is safe", "The deploy is safe when traffic is low"),
        ("The deploy is safe", "The deploy is safe, in case traffic drops by itself"),
        ("The deploy runs", "The deploy runs, for whenever traffic grows"),
    ],
    "directions": [
        ("Restart before the proxy", "Restart after the proxy"),
        ("Turn the valve clockwise", "Turn the valve anticlockwise"),
        ("Hosts reboot at night", "Hosts reboot at night, at higher load"),
    ],
    "slot_value": [
        ("The bucket lives in eu-west", "The bucket lives in us-east"),
        ("The limit is 5 MB", "The limit is 5 GB"),
        ("The owner of billing is Anna", "The owner of billing is Anna, then Boris"),
    ],
    "lists": [
        ("Ask Anna and Boris", "Ask Anna and Boris, Cem"),
        ("The exporter writes png", "The exporter writes png, gif and webp"),
        ("Allowed regions: eu, us", "Allowed regions: eu, us, ap"),
    ],
    "additions": [
        ("The database is small", "The kitchen database is small"),
        ("The API is public", "The API is public in Oslo"),
        ("The owners are Anna and Cem", "The owners are Anna, Boris and Cem"),
    ],
    "substitution": [
        ("Backups rotate weekly", "Backups rotate monthly"),
        ("The discount is 5%", "The discount is 5\u20ac"),
        ("I prefer tabs", "She prefers tabs"),
        ("Even backups run here", "Evening backups run here"),
        ("The building is red", "The build is red"),
        ("The ledger is called by the billing service", "The ledger calls the billing service"),
        ("The app ran fine", "The app runs fine"),
        ("\u4f1a\u8bae\u5728\u5468\u4e00", "\u4f1a\u8bae\u5728\u5468\u65e5"),
        ({"title": "Limits of staging"}, {"title": "Limits of production"}),
        ("Client Acme pays by wire", "Client Apex pays by wire"),
    ],
    "word_order": [
        ("The billing service calls the ledger", "The ledger calls the billing service"),
        ("Prefer tabs over spaces", "Prefer spaces over tabs"),
        ("Build and test the app", "Test and build the app"),
        ("Usually it does not run", "It does not usually run"),
        ("The lid of the pot is warm", "The pot of the lid is warm"),
        ("Anna pays Boris and Cem pays Dan", "Anna pays Cem and Boris pays Dan"),
        ("Der Hund bei\u00dft den Mann", "Der Mann bei\u00dft den Hund"),
        ("\u94c3\u6728\u544a\u77e5\u7530\u4e2d", "\u7530\u4e2d\u544a\u77e5\u94c3\u6728"),
        ("Anna pays Boris", "Boris pays Anna"),
    ],
}
_REWORDED: list[Row] = [
    (SAME, SAME),
    (SAME, "Rollbacks drain the load-balancer first"),
    (SAME, "rollbacks drain the Load Balancer first."),
    ("The timeout is 30s", "The timeout is 30 s"),
    ("The timeout is 90 minutes", "The timeout is 1.5 hours"),
    ("Retry three times", "Retry 3 times"),
    ("The service does not retry", "The service doesn\u2019t retry"),
    ("The job runs at 02:00 UTC", "The job runs at 2:00 UTC"),
    (
        "\u5907\u4efd\u51cc\u6668\u4e24\u70b9\u8fd0\u884c",
        "\u5907\u4efd\u51cc\u66682\u70b9\u8fd0\u884c",
    ),
    ("Paid on the first", "Paid on the 1st"),
    ("The quota is 1,500 calls", "The quota is 1500 calls"),
    ("The key is invalid", "The key is not valid"),
    ("The key is not invalid", "The key is valid"),
    ("Due on October 15th, 2026", "Due on 2026-10-15"),
    ("If a build fails, roll back", "Roll back if a build fails"),
    ("The owners are Anna, Boris and Cem", "The owners are Cem, Anna and Boris"),
    ("The ledger is called by the billing service", "The billing service calls the ledger"),
    ("Please note that backups rotate weekly", "Backups rotate every week"),
    ("We must choose a colour", "We have to select a color"),
    ("Usually the queue is empty", "The queue is usually empty"),
    ("The lid of the pot is warm", "The pot's lid is warm"),
    ("The pump is unheated", "The pump is not heated"),
    ("The pump hums", "The pump is humming"),
    ("It takes an hour", "It takes 60 minutes"),
]
PASSES: dict[str, list[Row]] = {name: list(_REWORDED) for name in VETOES}
PASSES["negation"] = [row for row in _REWORDED if " not " not in str(row) or "retry" in str(row)]
PASSES["numeric"] = [
    (SAME, SAME),
    ("Use v2.1", "Use V2.1 always"),
    ("No number", "None"),
    ({"body": f"{SAME}. On 2026-01-01, exit code 3."}, {"body": f"{SAME}. Ticket 77."}),
]
MORE_PASSES: dict[str, list[Row]] = {
    "scope": [({"scope": "alpha"}, {"scope": "alpha"})],
    "type": [({"type": "task"}, {"type": "task"})],
    "validity": [
        ({"valid_until": "2026-12-31"}, {"valid_until": "2026-12-31"}),
        ({"event_time": "2026-01-01"}, {"event_time": "2026-02-01"}),
    ],
    "negation": [
        ("It is not safe", "It is never safe"),
        ({"body": "It is not x. Safe."}, {"body": "It is not x. Not safe."}),
    ],
    "negation_words": [
        ("Das geht nicht", "das geht nicht"),
        ("The probe never fails to start", "The probe always starts"),
        ({"body": f"{SAME}. It is safe."}, {"body": f"{SAME}. It is not safe."}),
    ],
    "numbers": [
        ({"body": f"{SAME}. On 2026-01-01, exit code 3."}, {"body": f"{SAME}. Ticket 77."}),
        ("\u0662 \u062e\u0648\u0627\u062f\u0645", "2 \u062e\u0648\u0627\u062f\u0645"),
    ],
    "dates": [
        ("Due on 2026-08-01", "Due on 2026-8-1"),
        ("The shop opens at 2 pm", "The shop opens at 14:00"),
        ("Faellig am 12. Juni 2027 und nicht am Ende", "Faellig am 12.06.2027 und nicht am Ende"),
    ],
    "identifiers": [
        ("Use UTF-8 everywhere", "use utf-8 everywhere"),
        ("A 90-day token", "A 90 day token"),
        ("Freeze it at -18 \u00b0C", "Freeze it at -18\u00b0C"),
    ],
    "names": [
        ("Backups rotate weekly", "Backup rotates weekly"),
        ("Delete a backup first", "Delete backups first"),
        ("Every Monday we meet", "We meet on Mondays"),
        ("Use GitHub for it", "use Github for it"),
        ("IT IS SO", "it is so"),
        ({"entities": ("host:a",)}, {"entities": ("person:anna",)}),
        ({"entities": ("host:a", "host:b")}, {"entities": ("host:b",)}),
        ({"entities": ("concept:a",)}, {"entities": ("concept:b",)}),
    ],
    "variant": [("The M1 Pro", "the pro M1")],
    "variants": [("The maximum is 5", "The max is 5")],
    "opposites": [
        ("Open the valve first", "First open the valve"),
        ("It is hot", "It is hot today"),
    ],
    "quantifiers": [("Each host is up", "Every host is up")],
    "qualifiers": [("Keys start with the tenant", "Keys start with the tenant, then the region")],
    "hedges": [("It takes about an hour", "It takes roughly an hour")],
    "tense": [("The app runs currently", "The app runs at the moment")],
    "conditions": [("It holds as long as it rains", "It holds provided that it rains")],
    "directions": [("Drain it before the restart", "Drain it prior to the restart")],
    "slot_value": [("The capital is Rome.", "The capital is rome")],
    "lists": [("Keys start with the tenant", "Keys start with the tenant, then the region")],
    "additions": [("Copper keeps slugs off", "Copper keeps slugs off, on a wooden frame")],
    "substitution": [
        ("Keys start with the tenant", "Keys start with the tenant, then the region"),
        ({"title": "Restore drill"}, {"title": "Restore drill and its log"}),
        ({"title": "When it passes"}, {"title": "Health of the shop"}),
        ({"title": "Limits", "stated": {}}, {"title": "Bounds", "stated": {}}),
    ],
    "word_order": [("Backups rotate weekly", "Backups rotate monthly")],
}
for _name, _rows in MORE_PASSES.items():
    PASSES[_name] += _rows


def _flat(table: dict[str, list[Row]]) -> list[tuple[str, Row]]:
    return [(name, row) for name, rows in table.items() for row in rows]


@pytest.mark.parametrize(("name", "row"), _flat(VETOES))
def test_stops(name: str, row: Row) -> None:
    """A guard gives a reason for every row of its table of vetoes, from either side."""
    a, b = _pair(row)
    assert GUARDS[name](a, b)
    assert GUARDS[name](a, b) == GUARDS[name](b, a)


@pytest.mark.parametrize(("name", "row"), _flat(PASSES))
def test_lets_pass(name: str, row: Row) -> None:
    """A guard has nothing against any row of its table of passes, from either side."""
    a, b = _pair(row)
    assert GUARDS[name](a, b) is None
    assert GUARDS[name](b, a) is None


def test_tables_are_whole() -> None:
    """Every guard has both tables, and refusals are no more numerous than passes."""
    assert GUARDS.keys() == VETOES.keys() == PASSES.keys()
    assert set(CAREFUL_GUARDS) | set(REFERENCE_GUARDS) == GUARDS.keys()
    assert GUARDS.keys() >= CONTRADICTING | POLICY
    for name, rows in VETOES.items():
        assert len(rows) <= len(PASSES[name]), name


@pytest.mark.parametrize("guards", [CAREFUL_GUARDS, REFERENCE_GUARDS], ids=["careful", "reference"])
def test_no_guard_can_be_taken_out(guards: tuple[str, ...]) -> None:
    """Without any one guard of a profile, a pair that it stopped would merge."""
    for name in guards:
        others = [other for other in guards if other != name]
        slipped = [row for row in VETOES[name] if not fired(others, *_pair(row))]
        assert slipped, f"{name} is covered by the others"


def test_reasons_come_in_the_order_of_the_settings() -> None:
    """Every guard that fires is reported, the first of the order first."""
    row = ("The limit is 3 MB", "The limit is 4 MB")
    names = [name for name, _ in fired(CAREFUL_GUARDS, *_pair(row))]
    assert names == ["numbers", "slot_value", "substitution"]
    assert [name for name, _ in fired(names[::-1], *_pair(row))] == names[::-1]


_WORDS = st.sampled_from(
    "the a not never No only 3 13 three \uff13 5MB 5 Mb % $ safe unsafe Anna calls Boris , . ? - "
    "M1 v2.1 src/a.py \u4e0d \u4e09 \u5341 \u3044 \u0e01 \u0939\u0948 \u2705 isn't isn\u2019t "
    "is in of staging Pro pro \u0441\u043b\u0443\u0436\u0431\u0430 \u043d\u0435".split()
)
_CLAIMS = st.lists(_WORDS, max_size=8).map(" ".join) | st.text(max_size=30)
_SIDES = st.builds(
    lambda claim, body, kind, scope, pinned: kit.memory(
        "m.md", claim, body=f"{claim} {body}", type=kind, scope=scope, pinned=pinned
    ),
    _CLAIMS,
    _CLAIMS,
    st.sampled_from(["semantic", "episodic"]),
    st.sampled_from(["", "alpha"]),
    st.booleans(),
)


@given(_SIDES, _SIDES)
def test_guards_are_symmetric_pure_and_total(a: Memory, b: Memory) -> None:
    """A guard gives the same answer from either side and every time, and never raises."""
    once = fired(tuple(GUARDS), a, b)
    assert fired(tuple(GUARDS), b, a) == once
    assert fired(tuple(GUARDS), a, b) == once
    assert all(reason for _, reason in once)


@given(_SIDES)
def test_no_guard_parts_a_memory_from_its_copy(a: Memory) -> None:
    """Nothing speaks against a memory and itself but that somebody pinned it."""
    assert {name for name, _ in fired(tuple(GUARDS), a, a)} <= {"pinned"}


@pytest.mark.parametrize("code", ["ar", "de", "en", "es", "fr", "it", "ja", "ko", "pt", "ru", "zh"])
@pytest.mark.parametrize(
    "text", ["", " ", "\u3002", "\u3001\u3002", "...", "\u300c\u300d", "\u060c", "-"]
)
def test_a_claim_without_a_word(code: str, text: str) -> None:
    """Signs alone are no claim, and stop nothing: in every language, from either side."""
    for a, b in ((text, "\u5c71\u304c\u3042\u308b"), (text, "It rains."), (text, text)):
        one, other = claim_in(a, code), claim_in(b, code)
        assert relation(one, other) == relation(other, one)
