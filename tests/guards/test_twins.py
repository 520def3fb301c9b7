"""Claims that only look alike, by what once hid it: each kind with what must still merge."""

from __future__ import annotations

import pytest

import phases_kit as kit
from memsleep.guards import fired
from memsleep.guards.claims import claim_of
from memsleep.guards.sameness import relation, says_same
from memsleep.settings import CAREFUL_GUARDS

APART = {
    "one and many": [
        ("The manager called the managers", "The managers called the manager"),
        ("The keys were copied by the key", "The keys copied the key"),
    ],
    "nouns in -ing": [
        ("The training starts at nine", "The train starts at nine"),
        ("The filing is due on Friday", "The file is due on Friday"),
        ("The hosting cost is 40 EUR", "The host cost is 40 EUR"),
        ("Parking is free", "The park is free"),
        ("The coating is red", "The coat is red"),
    ],
    "denying letters": [
        ("We import the module", "We do not port the module"),
        ("These tests discover the bug", "These tests do not cover the bug"),
        ("Users uninstall the app", "Users do not install the app"),
        ("The task is uneasy", "The task is not easy"),
        ("The tool is invaluable", "The tool is not valuable"),
        ("The foam is inflammable", "The foam is not flammable"),
        ("The claim is improved", "The claim is not proved"),
        ("The app is uninstalled", "The app is not installed"),
    ],
    "adverbs in front": [
        ("Weekly backups are deleted", "Backups are deleted weekly"),
        (
            "Automatically created accounts are deleted",
            "Created accounts are deleted automatically",
        ),
        ("Manually tested builds are released", "Tested builds are manually released"),
        ("Solely admins delete files", "Admins delete files solely"),
    ],
    "parallel lists": [
        ("Anna and Ben live in Rome and Oslo", "Ben and Anna live in Rome and Oslo"),
        ("Alpha and Beta use Postgres and MySQL", "Beta and Alpha use Postgres and MySQL"),
        ("Anna and Ben scored 3 and 5 points", "Ben and Anna scored 3 and 5 points"),
    ],
    "members in pairs": [
        ("Prod: eu-west, staging: us-east", "Prod: us-east, staging: eu-west"),
        ("Ann: keys, Ben: logs", "Ann: logs, Ben: keys"),
        ("Billing (Ann), search (Ben)", "Billing (Ben), search (Ann)"),
        ("Billing - Ann, search - Ben", "Billing - Ben, search - Ann"),
        ("Billing; Ann, search; Ben", "Billing; Ben, search; Ann"),
        ("Meet Ann, Oslo, and Ben, Rome", "Meet Ann, Rome, and Ben, Oslo"),
        ("Hosts: a (5 GB), b (7 GB) and c (9 GB)", "Hosts: a (7 GB), b (5 GB) and c (9 GB)"),
    ],
    "lists in an order": [
        ("The ranking is Anna, Ben and Cora", "The ranking is Ben, Anna and Cora"),
        ("The ratio of cats and dogs is 2 to 1", "The ratio of dogs and cats is 2 to 1"),
        ("First come Anna, Ben and Cora", "First come Cora, Ben and Anna"),
        (
            "Try the cache, the replica and the primary, in this order",
            "Try the primary, the replica and the cache, in this order",
        ),
    ],
    "letters that are names": [
        ("Room A is closed", "The room is closed"),
        ("A is B's parent", "B is A's parent"),
        ("A: 5, B: 7", "A: 7, B: 5"),
        ("The S bus is late", "The bus is late"),
        ("The host lists A and B", "The host lists B"),
    ],
    "synonyms elsewhere": [
        ("The room is free", "The room is free of charge"),
        ("The panels save 5 kWh a day", "The panels store 5 kWh a day"),
        ("The log is kept", "The record is kept"),
        ("The office is at 12 Mill Road", "The office is at 12 Mill Street"),
        ("Clients connect over TLS", "Customers connect over TLS"),
        ("The job may fail", "The job is allowed to fail"),
        ("It starts at 3 at night", "It starts at 3 pm"),
    ],
    "groups of digits": [("The price is 1.500 EUR", "The price is 1.5 EUR")],
    "openers that are nouns": [
        ("Memory usage is 4 GB", "Usage is 4 GB"),
        ("Fact tables are partitioned by day", "Tables are partitioned by day"),
        ("Info messages are dropped", "Messages are dropped"),
        ("Important changes need a review", "Changes need a review"),
        ("Well water is tested", "Water is tested"),
    ],
}
SAME = {
    "one and many": [
        ("The managers call the ledger", "The manager calls the ledger"),
        ("The key was copied by the guards", "The guards copied the key"),
    ],
    "nouns in -ing": [
        ("Avoid deploying on Friday", "Avoid deploys on Friday"),
        ("The job starts logging at nine", "The job starts to log at nine"),
    ],
    "denying letters": [
        ("The tag is unsigned", "The tag is not signed"),
        ("The answer is imprecise", "The answer is not precise"),
        ("Reviewers disagree", "Reviewers do not agree"),
        ("The door is unpainted", "The door is not painted"),
    ],
    "adverbs in front": [
        ("Usually the job runs at night", "The job usually runs at night"),
        ("Daily we rotate the logs", "We rotate the logs daily"),
        ("Quietly, the daemon restarts", "The daemon quietly restarts"),
    ],
    "parallel lists": [
        ("Anna and Ben live in Rome", "Ben and Anna live in Rome"),
        ("Ask Anna, Ben and Cora", "Ask Cora, Anna and Ben"),
    ],
    "lists in an order": [
        ("The owners are Anna, Ben and Cora", "The owners are Ben, Cora and Anna"),
    ],
    "letters that are names": [
        ("A room is closed", "The room is closed"),
        ("Room A is closed at night", "At night room A is closed"),
        ("The log of a host", "the log of the host"),
    ],
    "synonyms elsewhere": [
        ("The tour is free of charge", "The tour is gratis"),
        ("It starts at 8 in the evening", "It starts at 8 pm"),
    ],
    "groups of digits": [
        ("The price is 1.50 EUR", "The price is 1.5 EUR"),
        ("Take 0.250 kg of it", "Take 250 g of it"),
    ],
    "openers that are nouns": [
        ("Memory: usage is 4 GB", "Usage is 4 GB"),
        ("Note: backups are weekly", "Backups are weekly"),
        ("Important note: tables are partitioned", "Tables are partitioned"),
        ("Note the API is public", "The API is public"),
        ("Remember that the API is public", "The API is public"),
    ],
}


def _cases(table: dict[str, list[tuple[str, str]]]) -> list[tuple[str, str]]:
    pairs = [pair for kind in sorted(table) for pair in table[kind]]
    return pairs + [(second, first) for first, second in pairs]


@pytest.mark.parametrize(("first", "second"), _cases(APART))
def test_twins_are_told_apart(first: str, second: str) -> None:
    """A difference that endings, prefixes, places or first words hid is one."""
    assert relation(claim_of(first), claim_of(second)) != "same"


ADDED = [
    ("The key is lost, in theory", "The key is lost"),
    ("The key is lost, according to Anna", "The key is lost"),
    ("The key is rotated, found to be a hoax", "The key is rotated"),
]


@pytest.mark.parametrize(("first", "second"), ADDED)
def test_what_is_added_as_hearsay_is_a_doubt(first: str, second: str) -> None:
    """Who adds whose opinion it is, or that it is one, no longer states it."""
    one, other = (kit.memory(path, text) for path, text in (("a.md", first), ("b.md", second)))
    assert "hedges" in [name for name, _ in fired(CAREFUL_GUARDS, one, other)]


def test_a_language_behind_the_words_opens_nothing() -> None:
    """An English claim read by the tables of another language loses no word for it."""
    assert not says_same("Changes need a review.", "Important changes need a review.")


@pytest.mark.parametrize(("first", "second"), _cases(SAME))
def test_same_stays_same(first: str, second: str) -> None:
    """What says the same by the same endings, prefixes, places and first words still does."""
    assert relation(claim_of(first), claim_of(second)) == "same"


COMMAS = [
    ("No, dogs are allowed", "No dogs are allowed", False),
    ("Ben, said Anna, lied", "Ben said Anna lied", False),
    ("Pilots, who failed, left", "Pilots who failed left", False),
    ("The hosts, which are old, are full", "The hosts which are old are full", False),
    ("Anna, call Ben", "Anna calls Ben", False),
    ("On Monday, the job runs", "On Monday the job runs", True),
    ("Today, the job runs", "Today the job runs", True),
    ("Bring: a towel and a lock", "Bring a towel and a lock", True),
    ("The job runs at night, in Oslo", "The job runs at night in Oslo", True),
    ("Ask Anna, Ben, and Cora", "Ask Anna, Ben and Cora", True),
]


@pytest.mark.parametrize(("first", "second", "same"), COMMAS)
def test_commas(first: str, second: str, same: bool) -> None:
    """A comma counts where it turns the claim, and nowhere else."""
    one, other = claim_of(first), claim_of(second)
    assert (relation(one, other) == "same") is same
    assert (relation(other, one) == "same") is same


ORDERS = [
    "Die Reihenfolge ist {}, {} und {}",
    "L'ordre est {}, {} et {}",
    "El orden es {}, {} y {}",
    "L'ordine \u00e8 {}, {} e {}",
    "A ordem \u00e9 {}, {} e {}",
    "\u041f\u043e\u0440\u044f\u0434\u043e\u043a \u0442\u0430\u043a\u043e\u0439: {}, {} \u0438 {}",
]


@pytest.mark.parametrize("said", ORDERS)
def test_an_order_is_said_in_other_languages(said: str) -> None:
    """Who tells an order tells it by the order of the list, in any language."""
    assert not says_same(said.format("Anna", "Ben", "Cora"), said.format("Ben", "Anna", "Cora"))


SMALL = [
    ("The cache used to store tokens", "The cache is used to store tokens", False),
    ("The team paid", "The team is paid", False),
    ("Ann fired last week", "Ann is fired last week", False),
    ("The budget is Ben's", "The budget is Ben", False),
    ("Ann's is the key", "Ann is the key", False),
    ("Few users left", "A few users left", False),
    ("Little time is left", "A little time is left", False),
    ("The only door is open", "Only the door is open", False),
    ("A few users left the room", "A few users left a room", True),
    ("Only the admin deploys", "Only an admin deploys", True),
    ("Keys stored in the vault", "Keys are stored in the vault", True),
    ("The team is paid", "The teams are paid", True),
    ("Ben's budget is small", "Bens budget is small", True),
    ("The key is red", "Key is red", True),
]


@pytest.mark.parametrize(("first", "second", "same"), SMALL)
def test_small_words(first: str, second: str, same: bool) -> None:
    """A silent word counts where it tells who does it, an apostrophe where it tells whose it is."""
    one, other = claim_of(first), claim_of(second)
    assert (relation(one, other) == "same") is same
    assert (relation(other, one) == "same") is same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Luis firmará", "Luis firmara", False),
        ("Firmo tarde", "Firmó tarde", False),
        ("The café opens at nine", "The cafe opens at nine", True),
        ("Meet Zoë on Monday", "Meet Zoe on Monday", True),
    ],
)
def test_an_accent_says_nothing_in_english_alone(one: str, other: str, *, same: bool) -> None:
    """A text that no little word tells to be English keeps its accents."""
    assert says_same(one, other) is same
    assert says_same(other, one) is same
