"""Contradictions from night to night: found, counted, answered, and nothing done by itself."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from corpus_kit import commit, git, init
from git_night_kit import command
from landing_kit import set_identity
from night_kit import tree

TEXTS = {
    "a.md": ("2026-10-01", "The port of the gateway is 8080. It listens behind the proxy."),
    "b.md": ("2026-11-01", "The port of the gateway is 8443. It listens behind the proxy."),
    "c.md": ("2026-10-01", "Goats eat hay in the long winter of the mountain village."),
}
ANOTHER = ("2026-11-02", "Paint for the fence is mixed with linseed oil and a little ochre.")


class Corpus:
    """A folder in which two memories contradict each other."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()
        for name, (created, text) in TEXTS.items():
            self.write(name, created, text)

    def write(self, name: str, created: str, text: str) -> None:
        head = f"---\ntype: fact\ncreated: {created}\n---\n\n" if created else ""
        (self.root / name).write_bytes(f"{head}{text}\n".encode())

    def run(self, *words: str, code: int = 0) -> str:
        corpus = (str(self.root),) if words[0] == "run" else ("--corpus", str(self.root))
        found, said = command(words[0], *corpus, *words[1:])
        assert found == code, said
        return said

    def night(self, day: int, hour: int = 3) -> dict[str, Any]:
        """Run a night and return what it found of the contradiction."""
        self.run("run", "--now", f"2026-11-{day:02}T{hour:02}:00:00Z", "--quiet")
        reviews = self.report()["reviews"]
        (found,) = [review for review in reviews if review["question"] == "contradiction"]
        assert isinstance(found, dict)
        return found

    def report(self, name: str = "report.json") -> dict[str, Any]:
        def order(folder: Path) -> tuple[str, int]:
            parts = folder.name.split("-")
            return "-".join(parts[:4]), int(parts[4]) if len(parts) > 4 else 1

        newest = max((self.root / ".memsleep" / "runs").iterdir(), key=order)
        found = json.loads((newest / name).read_bytes())
        assert isinstance(found, dict)
        return found

    def do(self, found: dict[str, Any], what: str, *more: str, code: int = 0) -> str:
        """Paste the command of an action."""
        pasted = dict(zip(found["actions"], found["commands"], strict=True))[what]
        program, *words = shlex.split(pasted)
        assert program == "memsleep"
        return self.run(*words, *more, code=code)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return Corpus(tmp_path / "corpus")


def _others(corpus: Corpus) -> dict[str, str]:
    return tree(corpus.root, without=[".memsleep/"])


def test_a_contradiction_is_told_and_nothing_is_done(corpus: Corpus) -> None:
    """Report and plan hold both texts, which is newer and three commands; no file changes."""
    before = _others(corpus)
    found = corpus.night(28)
    assert _others(corpus) == before
    assert (found["first"]["path"], found["second"]["path"]) == ("a.md", "b.md")
    assert "8080" in found["first"]["body"]
    assert "8443" in found["second"]["body"]
    assert found["newer"] == "b.md"
    assert found["actions"] == ["keep the newer", "keep both", "look at both"]
    (planned,) = corpus.report("plan.json")["contradictions"]
    assert (planned["id"], planned["paths"], planned["newer"]) == (
        found["id"], ["a.md", "b.md"], "b.md",
    )  # fmt: skip
    assert len(planned["actions"]) == 3
    assert [claim.split(".")[0] for claim in planned["claims"]] == [
        "The port of the gateway is 8080", "The port of the gateway is 8443",
    ]  # fmt: skip
    for name in ("report.md", "report.html"):
        (run,) = (corpus.root / ".memsleep" / "runs").iterdir()
        told = (run / name).read_bytes().decode()
        assert f"--different {found['id']}" in told
        assert "Newer: " in told


FAR = "It stands in the old tower. Amara sees to it every spring, before the first boats come."
SLOTS = [
    pytest.param("The keeper of the lighthouse is Ines.", "The keeper of the lighthouse is Oskar.",
                 True, id="one slot, two values"),
    pytest.param("The lamp of the lighthouse is lit.", "The lamp of the lighthouse is not lit.",
                 True, id="denied"),
    pytest.param("The keeper of the lighthouse is Ines.", "The cook of the lighthouse is Oskar.",
                 False, id="two slots"),
    pytest.param("The keeper of the lighthouse is Ines.", "The keeper of the lighthouse is Ines.",
                 False, id="one value"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "found"), SLOTS)
def test_what_contradicts(tmp_path: Path, one: str, other: str, found: bool) -> None:
    """Two values of one slot, and a denial, are contradictions whatever else the texts say."""
    corpus = Corpus(tmp_path / "corpus")
    corpus.write("a.md", "2026-10-01", one)
    corpus.write("b.md", "2026-11-01", f"{other} {FAR}")
    corpus.run("run", "--now", "2026-11-28T03:00:00Z", "--quiet")
    reviews = corpus.report()["reviews"]
    assert ("contradiction" in [review["question"] for review in reviews]) == found


def test_a_pinned_memory_is_contradicted_too(corpus: Corpus) -> None:
    """It is never merged, and what speaks against it is told."""
    pinned = (corpus.root / "a.md").read_bytes().replace(b"type: fact", b"type: fact\npinned: true")
    (corpus.root / "a.md").write_bytes(pinned)
    assert corpus.night(28)["first"]["path"] == "a.md"


def test_an_unknown_age_stays_unknown(corpus: Corpus) -> None:
    """Without a date nobody is the newer one, and the report says so."""
    corpus.write("b.md", "", TEXTS["b.md"][1])
    found = corpus.night(28)
    assert found["newer"] == ""
    assert found["actions"][0] == "keep one; nobody says which is newer"
    assert corpus.report("plan.json")["contradictions"][0]["newer"] is None


def test_a_secret_is_not_told(corpus: Corpus) -> None:
    """A memory that holds one is named by its path alone, in report and plan."""
    key = "AKIA" + "IOSFODNN7" + "QQWERTY"
    corpus.write("b.md", "2026-11-01", TEXTS["b.md"][1] + f"\nThe key is {key}.")
    found = corpus.night(28)
    withheld = [side for side in ("first", "second") if found[side]["withheld"]]
    assert len(withheld) == 1
    assert "" in corpus.report("plan.json")["contradictions"][0]["claims"]
    for run in (corpus.root / ".memsleep" / "runs").iterdir():
        for name in ("plan.json", "report.json", "report.md", "report.html"):
            assert key.encode() not in (run / name).read_bytes()


# From night to night -------------------------------------------------------------------------


def test_two_nights_over_a_changed_corpus_corroborate(corpus: Corpus) -> None:
    """The second night over other bytes offers a link; one over the same bytes is no witness."""
    counts = [corpus.night(25)["nights"], corpus.night(26)["nights"], corpus.night(27)["nights"]]
    assert counts == [0, 1, 1]  # the first night had no state yet
    corpus.write("d.md", *ANOTHER)
    found = corpus.night(28)
    assert found["nights"] == 2
    assert found["actions"][-1] == "link them as contradicting"
    assert corpus.night(29)["nights"] == 2


@pytest.mark.parametrize("name", ["a.md", "b.md"])
def test_another_value_is_another_contradiction(corpus: Corpus, name: str) -> None:
    """Two nights that saw two values are no two witnesses of one."""
    corpus.night(25)
    created, text = TEXTS[name]
    corpus.write(name, created, text.replace("8080", "9090").replace("8443", "9443"))
    found = corpus.night(26)
    assert found["nights"] == 1
    assert len(found["actions"]) == 3
    corpus.write("e.md", *ANOTHER)
    assert corpus.night(27)["nights"] == 2


def test_a_date_that_is_corrected_makes_no_other_contradiction(corpus: Corpus) -> None:
    """What counts is what the two say, not what their heads state."""
    corpus.night(25)
    corpus.night(26)
    corpus.write("b.md", "2026-11-02", TEXTS["b.md"][1])
    assert corpus.night(27)["nights"] == 2


def test_the_same_night_is_one_witness(corpus: Corpus) -> None:
    """Two runs of one night count once, whatever changed between them."""
    corpus.night(27)
    corpus.night(28)
    corpus.write("d.md", *ANOTHER)
    assert corpus.night(28, 5)["nights"] == 2
    corpus.write("e.md", "2026-11-03", "Spare keys hang in the pantry beside the fuse box.")
    assert corpus.night(28, 7)["nights"] == 2


def test_without_a_state_nobody_counts(corpus: Corpus) -> None:
    """A dry run without a state says that corroboration is off, and offers no link."""
    said = corpus.run("run", "--dry-run", "--json", "--now", "2026-11-28T03:00:00Z")
    report = json.loads(said[: said.rindex("}") + 1])
    assert any("corroboration" in note for note in report["header"]["degraded"])
    (found,) = report["reviews"]
    assert (found["nights"], len(found["actions"]), found["commands"]) == (0, 3, [])


def test_a_dry_run_counts_as_the_run_would(corpus: Corpus) -> None:
    """It reads what was counted, adds tonight, and writes nothing down."""
    corpus.night(27)
    corpus.write("d.md", *ANOTHER)
    for _ in range(2):
        said = corpus.run("run", "--dry-run", "--json", "--now", "2026-11-28T03:00:00Z")
        assert json.loads(said[: said.rindex("}") + 1])["reviews"][0]["nights"] == 2
    assert corpus.night(28)["nights"] == 2


def _corroborated(corpus: Corpus) -> dict[str, Any]:
    corpus.night(27)
    corpus.write("d.md", *ANOTHER)
    return corpus.night(28)


def test_a_link_is_written_when_asked_for(corpus: Corpus) -> None:
    """The newer file then states the link; it is offered no more, and can be taken back."""
    found = _corroborated(corpus)
    before = _others(corpus)
    corpus.do(found, "link them as contradicting", "--now", "2026-11-28T04:00:00Z")
    assert b"contradicts: [a.md]" in (corpus.root / "b.md").read_bytes()
    again = corpus.night(29)
    assert len(again["actions"]) == 3
    corpus.run("audit", "sleep/2026-11-28-2")
    corpus.run("undo", "sleep/2026-11-28-2", "--now", "2026-11-29T04:00:00Z")
    assert _others(corpus) == before


def test_the_newer_is_kept_when_asked_for(corpus: Corpus) -> None:
    """The other goes to the archive, superseded; audit and gate hold, and undo brings it back."""
    found = corpus.night(28)
    before = _others(corpus)
    corpus.do(found, "keep the newer", "--now", "2026-11-28T04:00:00Z")
    assert not (corpus.root / "a.md").exists()
    (line,) = (corpus.root / "archive/2026/ledger.jsonl").read_bytes().splitlines()
    assert json.loads(line)["cause"] == "superseded"
    assert json.loads(line)["replaced_by"] == "b.md"
    corpus.run("audit")
    assert "gate: passed" in corpus.run("gate")
    corpus.run("undo", "--now", "2026-11-28T05:00:00Z")
    assert _others(corpus) == before


def test_a_kept_one_is_merged_in_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There it is a branch, and the gate lets it through: a person said that it is out of date."""
    set_identity(tmp_path / "home")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    corpus = Corpus(tmp_path / "corpus")
    init(corpus.root)
    commit(corpus.root)
    found = corpus.night(28)
    said = corpus.do(found, "keep the newer", "--now", "2026-11-28T04:00:00Z")
    assert (corpus.root / "a.md").exists()
    merge = re.search(rf"memsleep merge --corpus {corpus.root} (\S+)", said)
    assert merge
    corpus.run("merge", merge[1])
    assert not (corpus.root / "a.md").exists()
    assert git(corpus.root, "status", "--porcelain", "--untracked-files=no") == b""


def test_looking_changes_nothing(corpus: Corpus) -> None:
    """Both texts are shown, with what can be done."""
    found = corpus.night(28)
    before = tree(corpus.root, without=[".memsleep/state.db-"])
    said = corpus.do(found, "look at both")
    assert "8080" in said
    assert "8443" in said
    assert "newer: b.md" in said
    named = f"memsleep review --corpus {corpus.root}"
    assert found["commands"][1].replace("memsleep review", named) in said
    assert tree(corpus.root, without=[".memsleep/state.db-"]) == before


# The queue -----------------------------------------------------------------------------------


def _item(corpus: Corpus, run: str) -> dict[str, Any]:
    said = corpus.run("review", run, "--list", "--json")
    (item,) = [i for i in json.loads(said)["items"] if i["kind"] == "pair"]
    assert isinstance(item, dict)
    return item


def test_a_question_keeps_its_id(corpus: Corpus) -> None:
    """Night after night, with new memories beside it, and in a dry run, it is the same item."""
    ids = {corpus.night(26)["id"], corpus.night(27)["id"]}
    corpus.write("d.md", *ANOTHER)
    ids.add(corpus.night(28)["id"])
    corpus.write("b.md", "2026-09-01", TEXTS["b.md"][1])  # now it is the older one
    found = corpus.night(29)
    assert {*ids, found["id"]} == ids
    assert (found["first"]["path"], found["newer"]) == ("b.md", "a.md")


def test_an_answer_closes_a_question_in_every_run(corpus: Corpus) -> None:
    """Answered in one run it is closed in all, and the next night does not ask."""
    corpus.night(27)
    found = corpus.night(28)
    assert _item(corpus, "sleep/2026-11-27")["closed"] == ""
    corpus.do(found, "keep both")
    assert _item(corpus, "sleep/2026-11-28")["answer"] == "different"
    for run in ("sleep/2026-11-27", "sleep/2026-11-28"):
        assert _item(corpus, run)["closed"] == "it is answered"
    corpus.run("run", "--now", "2026-11-29T03:00:00Z", "--quiet")
    assert corpus.report()["reviews"] == []
    said = corpus.run("review", "sleep/2026-11-27", "--keep", f"{found['id']}:a.md", code=2)
    assert "error[review-closed]" in said


CHANGES = [
    pytest.param("a.md", "The port of the gateway is 8081. It listens behind it.", id="edited"),
    pytest.param("b.md", None, id="gone"),
]


@pytest.mark.parametrize(("name", "text"), CHANGES)
def test_a_changed_file_closes_a_question(corpus: Corpus, name: str, text: str | None) -> None:
    """An answer about other texts is refused; the next night asks anew where there is a doubt."""
    found = corpus.night(28)
    if text is None:
        (corpus.root / name).unlink()
    else:
        corpus.write(name, "2026-10-01", text)
    assert _item(corpus, "sleep/2026-11-28")["closed"] == f"{name} has changed since"
    for what in ("keep both", "keep the newer"):
        assert "error[review-closed]" in corpus.do(found, what, code=2)
    if text is not None:
        assert corpus.night(29)["rests_on"] != found["rests_on"]


def test_another_file_closes_nothing(corpus: Corpus) -> None:
    """What a question does not rest on may change."""
    corpus.night(28)
    corpus.write("c.md", *ANOTHER)
    assert _item(corpus, "sleep/2026-11-28")["closed"] == ""


WRONG = [
    ("--keep", "{id}:c.md", "review-wrong-answer"),
    ("--keep", "{id}", "review-wrong-answer"),
    ("--keep", "000000000000:a.md", "decision-unknown"),
    ("--link", "000000000000", "decision-unknown"),
    ("--show", "000000000000", "decision-unknown"),
]


@pytest.mark.parametrize(("option", "value", "reference"), WRONG)
def test_what_cannot_be_answered(corpus: Corpus, option: str, value: str, reference: str) -> None:
    """A path that is none of the two, or an id that is none, is an error and changes nothing."""
    found = corpus.night(28)
    before = _others(corpus)
    said = corpus.run("review", option, value.format(id=found["id"]), code=2)
    assert f"error[{reference}]" in said
    assert _others(corpus) == before
