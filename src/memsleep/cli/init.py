"""`memsleep init`: a config and an ignore file for a corpus. Nothing that is there is touched."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from memsleep.cli import options as opt
from memsleep.cli.paths import OWN_FOLDER, check_corpus
from memsleep.cli.streams import write_remarks, write_text
from memsleep.errors import UsageError

if TYPE_CHECKING:
    from memsleep.corpus.detect import Detection

CONFIG = "memsleep.toml"
IGNORE = f"{OWN_FOLDER}/.gitignore"
_IGNORED = b"# What memsleep remembers of this corpus is of this machine alone.\n*\n"
_TEMPLATE = """\
# memsleep: settings of this corpus.
# Write only what differs from the defaults; `memsleep config show` prints all of them with their
# meaning. This corpus was taken for: {dialect} ({evidence}).

[corpus]
# exclude = ["drafts/**"]
# protected = ["people/**"]      # never merged away or archived

[check]
# fail_on = "warning"            # or "error", "note", "never"
# off = ["MS608"]                # `memsleep check --list` names the rules
# ignore = ["MS201 garden/**: pages that are planned"]
"""


def init(corpus: opt.CorpusArgument = Path(), quiet: opt.Quiet = False) -> int:
    """Write a minimal config and the ignore file of a corpus.

    Writes memsleep.toml and .memsleep/.gitignore, and never over a file that is there.
    """
    check_corpus(corpus)
    _refuse_links(corpus)
    there = [name for name in (CONFIG, f"{OWN_FOLDER}/config.toml") if _exists(corpus / name)]
    written = []
    if not there:
        _write(corpus / CONFIG, _config(corpus))
        written.append(CONFIG)
    if not _exists(corpus / IGNORE):
        (corpus / OWN_FOLDER).mkdir(exist_ok=True)
        _write(corpus / IGNORE, _IGNORED)
        written.append(IGNORE)
    write_text("".join(f"{name}\n" for name in written))
    if not quiet:
        write_remarks(f"{name}: is there already, left as it is" for name in there)
        if not written:
            write_remarks(["nothing to do"])
        write_remarks(["next: memsleep check"])
    return 0


def _config(corpus: Path) -> bytes:
    detection = _detection(corpus)
    text = _TEMPLATE.format(dialect=detection.dialect, evidence=detection.evidence)
    return text.encode("utf-8", "backslashreplace")


def _detection(corpus: Path) -> Detection:
    from memsleep.corpus.detect import Detection
    from memsleep.corpus.load import load_corpus
    from memsleep.report.shown import shown_line
    from memsleep.settings import CorpusSettings

    found = load_corpus(corpus, CorpusSettings(allow_empty=True)).detection
    return Detection(found.dialect, shown_line(found.evidence))


def _refuse_links(corpus: Path) -> None:
    """Refuse to write through a link: the corpus may be somebody else's."""
    for name in (OWN_FOLDER, CONFIG, IGNORE):
        if (corpus / name).is_symlink():
            raise UsageError(
                "init-through-link",
                f"expected {name} to be absent or a plain one, found a symbolic link",
                context=[str(corpus / name), "nothing was written"],
                hint="delete the link, then run the same command again",
            )
    if _exists(corpus / OWN_FOLDER) and not (corpus / OWN_FOLDER).is_dir():
        raise UsageError(
            "state-not-a-folder",
            f"expected {OWN_FOLDER} to be a folder, found a file",
            context=[str(corpus / OWN_FOLDER), "nothing was written"],
        )


def _exists(path: Path) -> bool:
    return os.path.lexists(path)


def _write(path: Path, content: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    with os.fdopen(handle, "wb") as stream:
        stream.write(content)
