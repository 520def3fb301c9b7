"""What cron, systemd, launchd and GitHub Actions need to run a night.

Each catches up after downtime as far as its scheduler can: systemd keeps a persistent timer,
launchd runs a missed job when the machine wakes, cron starts one at boot that does nothing where
the last night is young, and a workflow is started again by hand.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal
from xml.sax.saxutils import escape

Kind = Literal["cron", "systemd", "launchd", "github"]
_SAFE = re.compile(r"[A-Za-z0-9_@%+=:,./-]+\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One night a day."""

    program: str
    """Absolute path of `memsleep`."""
    corpus: str
    """Absolute path of the corpus."""
    hour: int
    minute: int
    options: tuple[str, ...] = ()
    """More words for `memsleep run`."""
    max_age: str = "26h"

    @property
    def command(self) -> tuple[str, ...]:
        """The words that run a night."""
        return (self.program, "run", self.corpus, "--quiet", *self.options)

    @property
    def is_fresh(self) -> tuple[str, ...]:
        """The words that ask whether the last night is young enough."""
        return (self.program, "status", "--corpus", self.corpus, "--max-age", self.max_age)

    @property
    def name(self) -> str:
        """A name for units, from the last folder of the corpus."""
        last = self.corpus.rstrip("/").rpartition("/")[2] or "root"
        return "memsleep-" + re.sub(r"[^A-Za-z0-9-]+", "-", last).strip("-").lower()[:40]


def unit(kind: Kind, job: Job) -> str:
    """Return the unit of one scheduler, with how to install it in comments."""
    return KINDS[kind](job)


def cron(job: Job) -> str:
    """Return lines for a crontab: every night, and after a boot when the last night is old."""
    run = _cron_words(job.command)
    fresh = _cron_words(job.is_fresh)
    return (
        "# memsleep: add these lines with `crontab -e`\n"
        "# Times are those of the machine. What a run says goes to the mail of cron.\n"
        f"{job.minute} {job.hour} * * * {run}\n"
        "# Catch up: after a boot, run the night that was missed.\n"
        f"@reboot sleep 300; {fresh} >/dev/null 2>&1 || {run}\n"
    )


def systemd(job: Job) -> str:
    """Return a service and a persistent timer, with the commands that install them."""
    return (
        f"# memsleep: put the two parts in ~/.config/systemd/user/{job.name}.service and .timer,\n"
        "# then: systemctl --user daemon-reload &&\n"
        f"#       systemctl --user enable --now {job.name}.timer\n"
        "# It runs without a session after: loginctl enable-linger\n"
        f"\n# --- {job.name}.service\n{service(job)}"
        f"\n# --- {job.name}.timer\n{timer(job)}"
    )


def service(job: Job) -> str:
    """Return the service that runs one night."""
    words = " ".join(_systemd_word(word) for word in job.command)
    return (
        "[Unit]\n"
        f"Description=memsleep: tend {_systemd_text(job.corpus)}\n"
        "\n[Service]\n"
        "Type=oneshot\n"
        f"ExecStart={words}\n"
        "Nice=10\n"
        "IOSchedulingClass=idle\n"
        "NoNewPrivileges=yes\n"
        "PrivateTmp=yes\n"
        "TimeoutStartSec=2h\n"
    )


def timer(job: Job) -> str:
    """Return the timer; persistent, so that a night that was missed runs after the next boot."""
    return (
        "[Unit]\n"
        f"Description=memsleep every night over {_systemd_text(job.corpus)}\n"
        "\n[Timer]\n"
        f"OnCalendar=*-*-* {job.hour:02}:{job.minute:02}:00\n"
        "Persistent=true\n"
        "RandomizedDelaySec=5min\n"
        f"Unit={job.name}.service\n"
        "\n[Install]\n"
        "WantedBy=timers.target\n"
    )


def launchd(job: Job) -> str:
    """Return a property list; launchd runs a job that was missed while the machine slept."""
    label = f"org.memsleep.{job.name.removeprefix('memsleep-')}"
    words = "".join(f"    <string>{_xml(word)}</string>\n" for word in job.command)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN"\n'
        '  "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n'
        f"<!-- memsleep: save as ~/Library/LaunchAgents/{label}.plist, then\n"
        f"     launchctl bootstrap gui/$UID ~/Library/LaunchAgents/{label}.plist -->\n"
        '<plist version="1.0">\n'
        "<dict>\n"
        "  <key>Label</key>\n"
        f"  <string>{label}</string>\n"
        "  <key>ProgramArguments</key>\n"
        f"  <array>\n{words}  </array>\n"
        "  <key>StartCalendarInterval</key>\n"
        "  <dict>\n"
        f"    <key>Hour</key>\n    <integer>{job.hour}</integer>\n"
        f"    <key>Minute</key>\n    <integer>{job.minute}</integer>\n"
        "  </dict>\n"
        "  <key>ProcessType</key>\n"
        "  <string>Background</string>\n"
        "  <key>LowPriorityIO</key>\n"
        "  <true/>\n"
        "</dict>\n"
        "</plist>\n"
    )


def github(job: Job) -> str:
    """Return a workflow that runs the night on a corpus repository and opens a pull request."""
    options = " ".join(shlex.quote(word) for word in job.options)
    run = f"memsleep run . --quiet {options}".rstrip()
    return (
        "# memsleep: save as .github/workflows/memsleep.yml\n"
        "# Times are UTC. A night that was missed is started again from the Actions page.\n"
        "name: memsleep\n"
        "\n"
        "on:\n"
        "  schedule:\n"
        f'    - cron: "{job.minute} {job.hour} * * *"\n'
        "  workflow_dispatch:\n"
        "\n"
        "permissions:\n"
        "  contents: write\n"
        "  pull-requests: write\n"
        "\n"
        "concurrency:\n"
        "  group: memsleep\n"
        "  cancel-in-progress: false\n"
        "\n"
        "jobs:\n"
        "  night:\n"
        "    runs-on: ubuntu-latest\n"
        "    timeout-minutes: 60\n"
        "    steps:\n"
        "      - uses: actions/checkout@v4\n"
        "        with:\n"
        "          fetch-depth: 0\n"
        "      - uses: actions/setup-python@v5\n"
        "        with:\n"
        '          python-version: "3.12"\n'
        "      - run: pip install memsleep\n"
        "      - name: Run the night\n"
        "        run: |\n"
        "          git config user.name memsleep\n"
        "          git config user.email memsleep@users.noreply.github.com\n"
        f"          {run}\n"
        "      - name: Offer the branch as a pull request\n"
        "        env:\n"
        "          GH_TOKEN: ${{ github.token }}\n"
        "        run: |\n"
        "          branch=$(git for-each-ref --sort=-creatordate --count=1 \\\n"
        "            --format='%(refname:short)' refs/heads/sleep/)\n"
        '          [ -n "$branch" ] || exit 0\n'
        '          git push origin "refs/heads/$branch"\n'
        '          gh pr create --head "$branch" --title "$branch" \\\n'
        '            --body "$(git log -1 --format=%b "$branch")"\n'
    )


KINDS: Final[Mapping[Kind, Callable[[Job], str]]] = {
    "cron": cron,
    "systemd": systemd,
    "launchd": launchd,
    "github": github,
}


def _cron_words(words: Sequence[str]) -> str:
    """Return a command line for cron, which ends a line at a percent sign."""
    return shlex.join(words).replace("%", r"\%")


def _systemd_word(word: str) -> str:
    """Return one word as systemd splits a command line: specifiers and variables as they are."""
    doubled = word.replace("%", "%%").replace("$", "$$")
    if _SAFE.match(word):
        return doubled
    return '"' + doubled.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _systemd_text(text: str) -> str:
    return text.replace("%", "%%")


def _xml(word: str) -> str:
    return escape(word)
