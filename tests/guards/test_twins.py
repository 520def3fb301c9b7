"""Claims that only look alike, by what once hid it: each kind with what must still merge."""

from __future__ import annotations

import pytest

from memsleep.guards.claims import claim_of
from memsleep.guards.sameness import relation

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
    "lists in an order": [
        ("The ranking is Anna, Ben and Cora", "The ranking is Ben, Anna and Cora"),
        ("The ratio of cats and dogs is 2 to 1", "The ratio of dogs and cats is 2 to 1"),
        ("First come Anna, Ben and Cora", "First come Cora, Ben and Anna"),
        (
            "Try the cache, the replica and the primary, in this order",
            "Try the primary, the replica and the cache, in this order",
        ),
    ],
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


@pytest.mark.parametrize(("first", "second"), _cases(SAME))
def test_same_stays_same(first: str, second: str) -> None:
    """What says the same by the same endings, prefixes, places and first words still does."""
    assert relation(claim_of(first), claim_of(second)) == "same"
