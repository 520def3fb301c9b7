"""`memsleep review`: the decisions of a run, one by one, for a person or by options."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memsleep.cli import options as opt
from memsleep.cli.aiming import aimed
from memsleep.cli.landing import landing_request
from memsleep.cli.streams import printable, write_json, write_remarks, write_text

if TYPE_CHECKING:
    from memsleep.landing.runs import RunRecord
    from memsleep.night.reviewing import Answer, Item
    from memsleep.report.data import Text

Accept = Annotated[
    list[str] | None, typer.Option("--accept", metavar="ID", help="Accept this decision.")
]
RejectId = Annotated[
    list[str] | None,
    typer.Option("--reject", metavar="ID", help="Reject this decision: it is taken back."),
]
Different = Annotated[
    list[str] | None,
    typer.Option("--different", metavar="ID", help="This pair is two different facts, for good."),
]
Keep = Annotated[
    list[str] | None,
    typer.Option("--keep", metavar="ID:PATH", help="Of this pair keep PATH, archive the other."),
]
Link = Annotated[
    list[str] | None,
    typer.Option("--link", metavar="ID", help="Write into a file that this pair contradicts."),
]
Withdraw = Annotated[
    list[str] | None,
    typer.Option("--withdraw", metavar="ID", help="Take back a no to this: it may be asked again."),
]
Show = Annotated[
    str | None, typer.Option("--show", metavar="ID", help="Only show this decision or pair.")
]
List = Annotated[bool, typer.Option("--list", help="Only list what is open.")]
_KEYS: dict[str, dict[str, Answer]] = {
    "decision": {"a": "accept", "r": "reject"},
    "pair": {"d": "different", "1": "keep-first", "2": "keep-second"},
}
_MENU = {
    "decision": "[a]ccept, [r]eject, [s]kip, [q]uit",
    "pair": "[d]ifferent facts, keep the [1]st, keep the [2]nd, [s]kip, [q]uit",
}


def review(
    run: opt.RunArgument = None,
    accept: Accept = None,
    reject: RejectId = None,
    different: Different = None,
    keep: Keep = None,
    link: Link = None,
    withdraw: Withdraw = None,
    show: Show = None,
    only_list: List = False,
    corpus: opt.CorpusOption = Path(),
    config: opt.Config = None,
    now: opt.Now = None,
    state_dir: opt.StateDir = None,
    break_lock: opt.BreakLock = False,
    as_json: opt.Json = False,
    quiet: opt.Quiet = False,
    no_color: opt.NoColor = False,
) -> int:
    """Look at the decisions of a run one by one.

    It is the newest run by default. Each decision comes with its reason, its evidence and both
    texts. What you reject is taken back when you are through or quit; what you skip waits for the
    next time. Without a terminal, the options answer, or what is open is listed.
    """
    from memsleep.landing.place import place_of
    from memsleep.night.reviewing import (
        carry_out,
        give,
        item_named,
        items_of,
        kept_side,
        record_of,
        with_closed,
    )

    with landing_request(
        corpus, config=config, now=now, state_dir=state_dir, break_lock=break_lock,
        as_json=as_json, quiet=True, no_color=no_color,
    ) as request:  # fmt: skip
        if withdraw:
            from memsleep.night.withdrawing import withdraw as take_back

            remarks = take_back(request, withdraw)
            if as_json:
                write_json({"schema_version": 1, "withdrawn": sorted(set(withdraw))})
            if not quiet:
                write_remarks(remarks)
            return 0
        record = record_of(place_of(corpus, request.state_dir), run)
        items = with_closed(request, items_of(record))
        if show is not None:
            write_text(as_text(item_named(record, items, show)))
            return 0
        given: list[tuple[str, Answer]] = [(name, "accept") for name in accept or ()]
        given += [(name, "reject") for name in reject or ()]
        given += [(name, "different") for name in different or ()]
        given += [kept_side(record, items, text) for text in keep or ()]
        given += [(name, "link") for name in link or ()]
        for name, word in given:
            give(record, items, name, word)
        if only_list or not (given or sys.stdin.isatty()):
            return _listed(record, items, as_json=as_json)
        if not given:
            _ask(record, items)
        said = carry_out(request, record, items)
    if as_json:
        write_json({"schema_version": 1, "run": record.run_id, "given": dict(given)})
    if not quiet:
        write_remarks(said)
    return 0


def _ask(record: RunRecord, items: tuple[Item, ...]) -> None:
    """Go through what is open; an answer is written down at once."""
    from memsleep.night.reviewing import give

    open_items = [item for item in items if item.answer is None and not item.closed]
    for number, item in enumerate(open_items, 1):
        write_text(f"\n{number} of {len(open_items)}\n{as_text(item)}")
        keys = _KEYS[item.kind]
        while True:
            key = typer.prompt(_MENU[item.kind], default="s", show_default=False)[:1].lower()
            if key in keys or key in ("s", "q"):
                break
        if key == "q":
            return
        if key in keys:
            give(record, items, item.id, keys[key])


def as_text(item: Item) -> str:
    """Return one question as lines; nothing in a memory can steer the terminal."""
    lines = [f"{item.id}  {item.head}", f"  {item.reason}"]
    lines += [f"  {name}: {value}" for name, value in item.evidence.items()]
    for change in item.changes:
        lines.append(f"  {change.path}: {change.what}: {change.before!r} -> {change.after!r}")
    if item.closed:
        lines.append(f"  closed: {item.closed}")
    if item.head.startswith("contradiction"):
        lines.append(f"  newer: {item.newer or 'unknown'}")
    for text in item.texts:
        lines += _of(text)
    lines += [f"  {what}: {aimed(command)}" for what, command in item.actions]
    return "".join(f"{printable(line)}\n" for line in lines)


def _of(text: Text) -> list[str]:
    lines = ["", f"  --- {text.path}  ({text.type}, {text.created[:10]})  {text.title}"]
    if text.withheld:
        return [*lines, f"  the text is not shown: {text.withheld}"]
    if text.quotation:
        lines.append("  it reads like an instruction to a model; here it is only quoted:")
    return lines + [f"  | {line}" for line in text.body.split("\n")]


def _listed(record: RunRecord, items: tuple[Item, ...], *, as_json: bool) -> int:
    if as_json:
        found: list[dict[str, Any]] = [
            {
                "id": i.id,
                "kind": i.kind,
                "head": i.head,
                "reason": i.reason,
                "answer": i.answer,
                "closed": i.closed,
            }
            for i in items
        ]
        write_json({"schema_version": 1, "run": record.run_id, "items": found})
        return 0
    lines = [f"{i.id}  {i.answer or _how(i)}  {i.head}  {i.reason}" for i in items]
    write_text("".join(f"{printable(line)}\n" for line in lines))
    return 0


def _how(item: Item) -> str:
    return f"closed ({item.closed})" if item.closed else "open"
