"""`memsleep audit`: prove that a run lost nothing."""

from __future__ import annotations

from pathlib import Path

from memsleep.cli import options as opt
from memsleep.cli.paths import check_corpus, state_folder
from memsleep.cli.streams import printable, write_json, write_text


def audit(
    run: opt.RunArgument = None,
    corpus: opt.CorpusOption = Path(),
    state_dir: opt.StateDir = None,
    as_json: opt.Json = False,
) -> int:
    """Prove that a run lost nothing, the newest by default.

    Every word, number, link and line of code that was there before is looked for in what became
    of its file. Exits 1 with each loss and its place when one is missing.
    """
    from memsleep.gitrepo import find_repository
    from memsleep.landing.auditing import as_document, audit_run
    from memsleep.landing.place import place_of
    from memsleep.landing.runs import RunStore

    check_corpus(corpus)
    state_dir = state_folder(corpus, state_dir)
    place = place_of(corpus, state_dir)
    found = audit_run(place, find_repository(corpus), RunStore(place).find(run))
    if as_json:
        write_json(dict(as_document(found)))
    else:
        lines = [f"{found.run}: {found.compared}", found.proof.told]
        lines += [f"{loss.place}: {loss.kind}: {loss.detail}" for loss in found.proof.losses]
        lines += [f"{path}: edited since, so it proves nothing" for path in found.unproven]
        write_text("".join(f"{printable(line)}\n" for line in lines))
    return 0 if found.proof.holds else 1
