"""`memsleep cite` and `memsleep reinforce`: tell what was used and how it went."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memsleep.cli import options as opt
from memsleep.cli.clock import instant_of
from memsleep.cli.opening import bytes_of, opened, settings_for
from memsleep.cli.streams import printable, write_json, write_text
from memsleep.errors import UsageError

if TYPE_CHECKING:
    pass


def cite(
    transcript: opt.Transcript = Path("-"),
    corpus: opt.CorpusOption = Path(),
    session: opt.Session = None,
    corrected: opt.Corrected = False,
    now: opt.Now = None,
    config: opt.Config = None,
    state_dir: opt.StateDir = None,
    as_json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> int:
    """Count the memories that a transcript cites as [m:xxxxxxxx].

    Plain text is one message. In JSON Lines with a role, only what an assistant says counts.
    """
    instant = instant_of(now)
    settings = settings_for(corpus, config, state_dir)
    source = bytes_of(transcript)
    from memsleep import api
    from memsleep.documents import document

    with opened(corpus, settings, instant, state_dir, quiet=quiet, to_note=True) as found:
        done = api.cite(found, source, now=instant, session=session, corrected=corrected)
    if as_json:
        write_json(document(done))
        return 0
    lines = [f"cited {count} x {path}" for path, count in done.counted.items()]
    lines += [f"corrected {count} x {path}" for path, count in done.corrected.items()]
    lines += [f"ignored [m:{short}]: it names no memory" for short in done.unknown]
    lines += [f"ignored [m:{short}]: it names several memories" for short in done.ambiguous]
    if done.skipped:
        lines.append(f"{len(done.skipped)} lines without a text, the first is {done.skipped[0]}")
    write_text("".join(f"{printable(line)}\n" for line in lines))
    return 0


def reinforce(
    target: opt.Target,
    signal: opt.Signal = "positive",
    corpus: opt.CorpusOption = Path(),
    session: opt.Session = None,
    now: opt.Now = None,
    config: opt.Config = None,
    state_dir: opt.StateDir = None,
    as_json: opt.Json = False,
    quiet: opt.Quiet = False,
) -> int:
    """Say that a memory helped, misled, or was opened.

    The signals are called positive, negative and neutral.
    """
    from memsleep.core.reinforce import REINFORCE_SIGNALS

    if signal not in REINFORCE_SIGNALS:
        known = ", ".join(REINFORCE_SIGNALS)
        raise UsageError("bad-signal", f"expected one of {known}, found {signal!r}")
    instant = instant_of(now)
    settings = settings_for(corpus, config, state_dir)
    from memsleep import api
    from memsleep.documents import document

    with opened(corpus, settings, instant, state_dir, quiet=quiet, to_note=True) as found:
        done = api.reinforce(found, target, signal, now=instant, session=session)
    if as_json:
        write_json(document(done))
        return 0
    counted = "counted" if done.counted else "not counted: within 900 s of the last access"
    told = f"{done.path}: {counted}; accesses {done.usage.access_count}"
    write_text(printable(f"{told}, outcome {done.usage.outcome_score:g}") + "\n")
    return 0
