"""What docs/sync-providers.md shows is what happens."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from memsleep.sync.protocol import PushRejected
from memsleep.sync.providers.exchange import HttpLimits
from memsleep.sync.providers.retrying import AGAIN, REFUSALS, Backoff
from sync_provider_kit import Waits, http_provider, save

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/sync-providers.md").read_bytes().decode()
ENVIRONMENT = {
    **{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ},
    "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT / "tests"))),
    "PYTHONDONTWRITEBYTECODE": "1",
}
MINE = """
from memsleep.sync.providers.directory import DirectoryProvider

class MyProvider(DirectoryProvider):
    def __init__(self, folder):
        folder.mkdir()
        super().__init__(folder)
"""
FORGETFUL = """
    def push(self, request):
        if request.kind == "forget":
            return PushResult(id=request.client_id, status="applied")
        return super().push(request)

from memsleep.sync.protocol import PushResult
"""


def _kit(folder: Path, provider: str) -> subprocess.CompletedProcess[str]:
    match = re.search(r"<!-- example:kit -->\n```python\n(.*?)```", PAGE, re.DOTALL)
    assert match is not None
    lines = [line for line in match[1].split("\n") if line]
    assert len(lines) == 5, "five lines are promised"
    (folder / "test_my_provider.py").write_text(match[1])
    (folder / "my_provider.py").write_text(provider)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir=."]
    return subprocess.run(
        [*command, "test_my_provider.py"], cwd=folder, env=ENVIRONMENT, capture_output=True,
        text=True, check=False,
    )  # fmt: skip


def test_the_example_runs(tmp_path: Path) -> None:
    """The lines of the page are all that an author writes."""
    done = _kit(tmp_path, MINE)
    assert done.returncode == 0, done.stdout
    assert re.search(r"\b\d\d passed", done.stdout)


def test_the_example_fails_for_a_provider_with_a_fault(tmp_path: Path) -> None:
    """The author of a provider that forgets nothing is told which rule it breaks."""
    done = _kit(tmp_path, MINE + FORGETFUL)
    assert done.returncode == 1
    assert "test_what_was_forgotten_comes_as_deleted" in done.stdout


def test_the_table_of_statuses_is_the_code_s() -> None:
    """The page, the contract and the code name the same statuses."""
    rows = [line for line in PAGE.split("\n") if re.match(r"\| \d{3}", line)]
    refused, again = (
        set(map(int, re.findall(r"\b\d{3}\b", row.split("|")[1]))) for row in rows[1:]
    )
    assert (refused, again) == (REFUSALS, AGAIN)
    contract = yaml.safe_load((ROOT / "docs/sync-openapi.yaml").read_bytes())
    write = contract["paths"]["/v1/writes/{client_id}"]["put"]["responses"]
    said = {int(status) for status, what in write.items() if "Refused" in what.get("$ref", "")}
    assert said == REFUSALS
    words = contract["info"]["description"]
    assert set(map(int, re.findall(r"\b\d{3}\b", words))) == AGAIN


def test_the_limits_of_the_page_are_the_code_s() -> None:
    """Sizes and waits are what the page says."""
    assert HttpLimits().max_answer_bytes == 16 * 1024 * 1024
    assert "at most 16 MiB" in PAGE
    assert Backoff().cap_s == 30.0
    assert "more than half a minute" in PAGE


def test_the_server_needs_no_pytest() -> None:
    """Whoever tries a night against it installs nothing for tests."""
    code = "import sys; sys.modules['pytest'] = None; import memsleep.sync.testing.__main__"
    subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, check=True)


def test_the_server_can_be_started_by_hand() -> None:
    """The command of the page refuses what it is told to, and loses one acknowledgement."""
    command = ["-m", "memsleep.sync.testing", "--refuse", "no.md", "--drop", "1"]
    with subprocess.Popen(
        [sys.executable, *command], env=ENVIRONMENT, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        waits = Waits()
        provider = http_provider(url, waits=waits, limits=HttpLimits())
        assert provider.push(save()).status == "applied"
        with pytest.raises(PushRejected, match="refused"):
            provider.push(save("no.md", client_id="c2"))
        provider.close()
        server.send_signal(signal.SIGINT)
        said, _ = server.communicate(timeout=20)
    assert said.split("\n") == ["dropped: /v1/writes/c1", "applied: save project a.md: merged", ""]
    assert len(waits) == 1
    assert server.returncode == 130
