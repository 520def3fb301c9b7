"""The commands of use, as a person runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli_kit import memsleep
from corpus_kit import as_nobody, needs_root, write
from memsleep.access.opened import open_corpus
from memsleep.cli.opening import opened
from memsleep.errors import StateError
from memsleep.settings import Settings
from memsleep.state.identity import short_id
from usage_kit import NOW, note

FILES = {
    "a.md": note("Deploys run on Tuesday.", tags="[ops]"),
    "b.md": note("Webhook retries stop after three.", type="insight"),
    "archive/2025/c.md": note("Deploys ran on Friday.", status="archived"),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "corpus", FILES)


def run(root: Path, *arguments: str, stdin: bytes | None = None) -> tuple[int, str, str]:
    done = memsleep(*arguments, "--corpus", root, "--now", NOW, home=root.parent)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_search(root: Path) -> None:
    """Text for a person with shares on request, one document for a program, scopes as given."""
    code, text, _ = run(root, "search", "deploys", "--explain", "-n", "1")
    assert code == 0
    assert text.startswith(f"[m:{short_id('a.md')}] a.md (semantic) ")
    assert "keyword   rank 1" in text
    found = json.loads(run(root, "search", "deploys", "--json")[1])
    assert found["schema_version"] == 1
    assert found["hits"][0]["shares"][0]["arm"] == "keyword"
    assert run(root, "search", "deploys", "--tag", "nothing")[1] == ""
    typed = run(root, "search", "deploys", "--type", "fact")[1]
    assert "a.md" in typed
    assert "b.md" not in typed
    assert "archive/2025/c.md" in run(root, "search", "friday", "--include-archived")[1]
    assert "archive/2025/c.md" in run(root, "search", "friday", "--as-of", "2026-11-25")[1]


def test_degraded_is_said(root: Path) -> None:
    """Without an embedder both the person and the program are told."""
    _, text, said = run(root, "search", "deploys", "--embedder", "none")
    assert "a.md" in text
    assert "degraded: no embedder" in said
    assert json.loads(run(root, "search", "deploys", "--embedder", "none", "--json")[1])["degraded"]


def test_recall_and_brief(root: Path) -> None:
    """The block alone on standard output, its size on standard error, the same as JSON."""
    _, text, said = run(root, "recall", "webhook retries")
    assert text.startswith("What follows comes from past memory.")
    assert "characters, about" in said
    _, text, said = run(root, "brief")
    assert text.startswith("<!-- memory:core -->\n")
    made = json.loads(run(root, "brief", "--json")[1])
    assert (made["text"], made["characters"]) == (text, len(text))
    assert f"fingerprint {made['fingerprint']}" in said
    assert run(root, "brief", "--since", made["fingerprint"])[1] == ""
    _, whole, said = run(root, "brief", "--since", "0" * 16)
    assert whole == text
    assert "no brief" in said


def test_cite_and_reinforce(root: Path) -> None:
    """What was counted is told, and so is what was ignored."""
    (root.parent / "t.txt").write_text(f"see [m:{short_id('a.md')}] and [m:00000000]")
    _, text, _ = run(root, "cite", str(root.parent / "t.txt"))
    assert text == "cited 1 x a.md\nignored [m:00000000]: it names no memory\n"
    assert "outcome 0.3" in run(root, "reinforce", "a.md")[1]
    code, _, said = run(root, "reinforce", "a.md", "great")
    assert (code, "bad-signal" in said) == (2, True)
    assert run(root, "cite", str(root / "no.txt"))[0] == 2


def test_cite_from_standard_input(root: Path) -> None:
    """A pipe is read to its end."""
    import subprocess
    import sys

    from cli_kit import environment

    done = subprocess.run(
        [sys.executable, "-m", "memsleep", "cite", "--corpus", str(root), "--now", NOW],
        input=json.dumps({"role": "assistant", "text": f"[m:{short_id('b.md')}]"}).encode(),
        env=environment(root.parent),
        capture_output=True,
        check=True,
    )
    assert done.stdout == b"cited 1 x b.md\n"


def test_export_and_import(root: Path) -> None:
    """The same use gives the same bytes; reading them again, or a memhtml export, adds up."""
    run(root, "reinforce", "a.md")
    first = run(root, "state", "export")[1]
    assert first == run(root, "state", "export")[1]
    assert json.loads(first)["access_count"] == 1
    file = root.parent / "usage.jsonl"
    run(root, "state", "export", str(file))
    assert file.read_text() == first
    assert run(root, "state", "import", str(file))[1] == "1 memories\n"
    assert run(root, "state", "export")[1] == first
    row = {"path": "b.md", "accessCount": 4, "reinforcementCount": 0, "outcomeScore": -0.4}
    file.write_text(json.dumps(row) + "\n" + json.dumps({**row, "path": "gone.md"}) + "\n")
    _, text, said = run(root, "state", "import", str(file))
    assert text == "1 memories\n"
    assert "gone.md: no memory lies there" in said
    assert json.loads(run(root, "state", "export")[1].split("\n")[1])["access_count"] == 4


def test_a_memhtml_export_in_the_store_is_known(root: Path) -> None:
    """What `access.jsonl` of the store says counts without a command."""
    row = {"path": "a.md", "accessCount": 9, "reinforcementCount": 0, "outcomeScore": 0}
    write(root, {".memhtml/state/access.jsonl": json.dumps(row) + "\n"})
    with open_corpus(root, Settings(), NOW) as corpus:
        assert corpus.usage()["a.md"].access_count == 9


@needs_root
def test_a_folder_that_cannot_be_written(root: Path) -> None:
    """Searching works all the same, and says that use is not remembered."""
    for path in (root, *root.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    for parent in root.parents:
        if str(parent).startswith("/tmp/"):
            parent.chmod(0o755)

    def look() -> str:
        with open_corpus(root, Settings(), NOW) as corpus:
            return f"{len(corpus.memories)} {corpus.notes}"

    assert as_nobody(look) == (
        "3 ('nothing can be written beside the corpus: use is not remembered',)"
    )
    assert not (root / ".memsleep").exists()

    def note_something() -> str:
        settings = Settings()
        try:
            with opened(root, settings, NOW, None, quiet=True, to_note=True):
                return "opened"
        except StateError as error:
            return error.reference

    assert as_nobody(note_something) == "state-read-only"


def test_what_is_there_to_note_something_must_be_able_to(root: Path) -> None:
    """cite, reinforce and state import fail where a file stands in the state's place."""
    (root / ".memsleep").write_bytes(b"")
    (root.parent / "text").write_bytes(b"{}\n")
    text = str(root.parent / "text")
    for command in (("cite", text), ("reinforce", "a.md"), ("state", "import", text)):
        code, printed, said = run(root, *command)
        assert (code, printed) == (3, ""), command
        assert "state-read-only" in said
    assert run(root, "search", "deploys")[0] == 0
