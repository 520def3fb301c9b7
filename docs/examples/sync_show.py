"""Two nights over the HTML fixture, delivered to a service that refuses one change.

    python docs/examples/sync_show.py

The service is the reference server of the conformance kit, on this machine. It holds what the
corpus holds, never takes one memory's change, and drops the connection of the second write
after it has carried it out. What
this prints stands in docs/sync.md.
"""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "src"))

from memsleep.cli.app import main as memsleep  # noqa: E402
from memsleep.corpus.load import load_corpus  # noqa: E402
from memsleep.settings import CorpusSettings  # noqa: E402
from memsleep.state.seed import read_seed, seed_state  # noqa: E402
from memsleep.state.store import open_state  # noqa: E402
from memsleep.sync.notes import note_of  # noqa: E402
from memsleep.sync.protocol import WriteRequest  # noqa: E402
from memsleep.sync.testing.server import ReferenceServer  # noqa: E402

FIXTURE = ROOT / "fixtures" / "html-store"
NIGHTS = ("2026-11-29T03:00:00Z", "2026-11-30T03:00:00Z")
REFUSED = "areas/billing/vat-number-check.html"
DROPPED_WRITE = 2


def fill(server: ReferenceServer, corpus: Path) -> None:
    """Let the service hold what the corpus holds: the corpus is its mirror."""
    loaded = load_corpus(corpus, CorpusSettings())
    for path, memory in loaded.memories.items():
        if memory.archived:
            continue
        note = note_of(path, loaded.files[path], memory, ())
        server.service.push(
            WriteRequest(
                kind="save",
                client_id=f"start-{len(server.service.results)}",
                scope="project",
                slug=path,
                write_mode="direct",
                note=note,
                reason="the corpus as it was",
            )
        )


class Line:
    """A line to the service that breaks once."""

    def __init__(self) -> None:
        self.writes = 0

    def before(self, method: str, _path: str) -> str | None:
        """Drop the connection of one write, after it was carried out."""
        self.writes += method == "PUT"
        return "reset-after" if method == "PUT" and self.writes == DROPPED_WRITE else None


def command(*words: str, hide: dict[str, str]) -> Iterator[str]:
    """Run a command; give its line, its words and its exit code."""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = memsleep(words)
    out.seek(0)
    said, remarks = out.read(), err.getvalue()
    if words[0] == "run":  # what a night tells beside this has its own pages
        said = "".join(f"{line}\n" for line in said.split("\n")[:2])
        remarks = "".join(f"{line}\n" for line in remarks.split("\n") if ": memsleep" in line)
    text = f"$ memsleep {' '.join(words)}\n{said}{remarks}"
    for found, shown in hide.items():
        text = text.replace(found, shown)
    text = re.sub(r"ms-[0-9a-f]{32}", "ms-...", text)  # they follow from the plan, to the letter
    yield from text.rstrip("\n").split("\n")
    yield f"(exit {code})"
    yield ""


def show(folder: Path) -> Iterator[str]:
    """Give the lines of the two nights."""
    corpus, state = folder / "corpus", folder / "state"
    shutil.copytree(FIXTURE / "corpus", corpus, symlinks=True)
    with open_state(state / "state.db") as database:
        seed_state(database, read_seed((FIXTURE / "state.jsonl").read_bytes(), "state.jsonl"))
    refuse = {REFUSED: "this rule is kept by hand"}
    with ReferenceServer(refuse=refuse, before=Line().before) as server:
        fill(server, corpus)
        config = folder / "own.toml"
        config.write_bytes(f'[sync]\nprovider = "http"\nurl = "{server.url}"\nuser = []\n'.encode())
        hide = {str(folder): "DIR", server.url: "http://127.0.0.1:PORT", server.url[7:]: "HOST"}
        common = ("--corpus", str(corpus), "--config", str(config), "--state-dir", str(state))
        before = (corpus / REFUSED).read_bytes()
        for night in NIGHTS:
            asked = len(server.seen)
            yield from command(
                "run", str(corpus), *common[2:], "--now", night, "--no-color", hide=hide
            )
            yield from command("sync", "status", *common[:2], *common[4:], hide=hide)
            yield from command("sync", *common, "--now", night, hide=hide)
            yield from command("sync", "status", *common[:2], *common[4:], hide=hide)
            yield "What the service saw:"
            for seen in server.seen[asked:]:
                if seen.method == "PUT":
                    request = WriteRequest.model_validate_json(seen.body)
                    answer = seen.reply.status if seen.reply else "connection dropped"
                    yield f"  {request.kind:6} {request.slug}: {answer}"
            whole = (corpus / REFUSED).read_bytes() == before
            yield f"{REFUSED} is what it was: {whole}"
            yield ""


def main() -> int:
    """Print them."""
    with tempfile.TemporaryDirectory() as folder:
        for line in show(Path(folder)):
            sys.stdout.write(f"{line}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
