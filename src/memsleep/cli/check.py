"""`memsleep check`: what is wrong with a corpus, or with a change to it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from memsleep.cli import options as opt
from memsleep.cli.aiming import aim
from memsleep.cli.check_cache import cache_file
from memsleep.cli.check_targets import Target, target_of
from memsleep.cli.clock import instant_of
from memsleep.cli.paths import check_corpus, check_state_dir
from memsleep.cli.settings import load, option_layer
from memsleep.cli.streams import write_output, write_remarks, write_text
from memsleep.errors import UsageError

if TYPE_CHECKING:
    from memsleep.check.request import CheckRequest, CheckResult, FormatName
    from memsleep.check.run import Checked
    from memsleep.config import LoadedSettings

MOST_JOBS = 4

Paths = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[PATHS]",
        help="A folder: the corpus. Files or globs: tell only what is about them.",
        show_default=False,
    ),
]
Corpus = Annotated[
    Path | None,
    typer.Option(
        "--corpus", metavar="DIR", help="Folder of memories.", show_default="here", readable=False
    ),
]
Format = Annotated[
    str,
    typer.Option(
        "--format", "-f", metavar="NAME", help="text, github, junit, sarif, json or markdown."
    ),
]
Report = Annotated[
    list[str] | None,
    typer.Option(
        "--report",
        metavar="FORMAT=FILE",
        help="Also write a file in this form. May be given more than once.",
        show_default=False,
    ),
]
Base = Annotated[
    str | None,
    typer.Option("--base", metavar="REV", help="Tell only what the change since REV brings."),
]
Staged = Annotated[
    bool, typer.Option("--staged", help="Check the index: what the next commit brings.")
]
BaselineFile = Annotated[
    Path | None,
    typer.Option(
        "--baseline", metavar="FILE", help="Findings that are accepted for now.", readable=False
    ),
]
UpdateBaseline = Annotated[
    bool, typer.Option("--update-baseline", help="Take out of the baseline what is gone.")
]
Force = Annotated[
    bool, typer.Option("--force", help="With --update-baseline: also accept what is there now.")
]
FailOn = Annotated[
    str | None,
    typer.Option("--fail-on", metavar="SEVERITY", help="error, warning, note or never."),
]
Fix = Annotated[bool, typer.Option("--fix", help="Put right what is safe, byte for byte.")]
Diff = Annotated[bool, typer.Option("--diff", help="With --fix: print the patch, write nothing.")]
AllowEmpty = Annotated[bool, typer.Option("--allow-empty", help="No file to check is no error.")]
Explain = Annotated[
    str | None, typer.Option("--explain", metavar="CODE", help="Explain one rule, and end.")
]
ListRules = Annotated[bool, typer.Option("--list", help="List the rules, and end.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Remember nothing between checks.")]


def check(
    paths: Paths = None,
    corpus: Corpus = None,
    output_format: Format = "text",
    report: Report = None,
    base: Base = None,
    staged: Staged = False,
    baseline: BaselineFile = None,
    update_baseline: UpdateBaseline = False,
    force: Force = False,
    fail_on: FailOn = None,
    fix: Fix = False,
    diff: Diff = False,
    allow_empty: AllowEmpty = False,
    explain: Explain = None,
    list_rules: ListRules = False,
    now: opt.Now = None,
    config: opt.Config = None,
    state_dir: opt.StateDir = None,
    no_cache: NoCache = False,
    as_json: opt.Json = False,
    quiet: opt.Quiet = False,
    verbose: opt.Verbose = False,
    no_color: opt.NoColor = False,
) -> int:
    """Say what is wrong with a corpus, or with a change to it.

    Exit codes: 0 nothing that fails, 1 findings, 2 usage or config, 3 it could not be checked.
    """
    if list_rules or explain is not None:
        return _tell_rules(explain)
    _check_combination(staged=staged, fix=fix, diff=diff, force=force, update=update_baseline)
    form = _format("json" if as_json else output_format)
    files = [_report(text) for text in report or ()]
    target = target_of(paths or [], corpus)
    aim("corpus", target.corpus)
    check_corpus(target.corpus)
    if state_dir is not None:
        check_state_dir(state_dir)
    layer = option_layer(fail_on=fail_on, allow_empty=allow_empty)
    loaded = load(target.corpus, config, layer)
    request = _request(target, loaded, instant_of(now), base, baseline)
    request = _with_places(request, staged=staged, state_dir=state_dir, cached=not no_cache)
    checked = _run(request)
    result = checked.result
    if update_baseline:
        return _update(request, result, force=force, quiet=quiet)
    if fix:
        return _fix(request, checked, diff=diff, quiet=quiet)
    for name, path in files:
        _write_report(path, _rendered(result, name))
    write_output(_rendered(result, form, colour=_colour(form, no_color)))
    failed = result.fails(loaded.settings.check.fail_on)
    if not quiet:
        _remark(result, verbose=verbose, failed=failed)
    return 1 if failed else 0


def _run(request: CheckRequest) -> Checked:
    import gc

    from memsleep.check.run import check as run

    gc.disable()  # a short life with many small values, none of them in a circle
    try:
        return run(request)
    finally:
        gc.enable()


def _request(
    target: Target,
    loaded: LoadedSettings,
    now: str,
    base: str | None,
    baseline: Path | None,
) -> CheckRequest:
    from memsleep.check.request import CheckRequest

    keys = type(loaded.settings.check).model_fields
    return CheckRequest(
        corpus=target.corpus,
        settings=loaded.settings,
        now=now,
        origins={key: loaded.origins[f"check.{key}"].where for key in keys},
        patterns=target.patterns,
        base=base,
        baseline=baseline or target.corpus / loaded.settings.check.baseline,
        allow_empty=loaded.settings.corpus.allow_empty,
    )


def _with_places(
    request: CheckRequest, *, staged: bool, state_dir: Path | None, cached: bool
) -> CheckRequest:
    """Return the request with what only this process knows: index, cache, processors."""
    from dataclasses import replace

    from memsleep.machine import cores

    named = os.environ.get("GIT_INDEX_FILE") if staged else None
    index_file = None if named is None else os.fsencode(Path(named).absolute())
    cache = cache_file(request.corpus, state_dir) if cached else None
    jobs = min(cores(), MOST_JOBS)
    return replace(request, staged=staged, index_file=index_file, cache=cache, jobs=jobs)


def _check_combination(*, staged: bool, fix: bool, diff: bool, force: bool, update: bool) -> None:
    wrong = (
        ("--diff shows what --fix would do", diff and not fix),
        ("--force belongs to --update-baseline", force and not update),
        ("--fix changes files of the work tree, --staged checks the index", fix and staged),
        ("--fix and --update-baseline are two steps", fix and update),
    )
    for message, found in wrong:
        if found:
            raise UsageError("conflicting-options", message, hint="memsleep check --help")


def _format(name: str) -> FormatName:
    from memsleep.check.request import FORMATS

    if name not in FORMATS:
        raise UsageError(
            "unknown-format",
            f"expected one of {', '.join(FORMATS)}, found {name[:40]!r}",
            hint="memsleep check --format text",
        )
    return name


def _report(text: str) -> tuple[FormatName, Path]:
    name, equals, path = text.partition("=")
    if not equals or not path:
        raise UsageError(
            "bad-usage",
            f"--report takes FORMAT=FILE, found {text[:80]!r}",
            hint="memsleep check --report sarif=check.sarif",
        )
    return _format(name), Path(path)


def _rendered(result: CheckResult, name: FormatName, *, colour: bool = False) -> bytes:
    from memsleep.check.formats import RENDERERS, text

    return text.render(result, colour=True) if colour else RENDERERS[name](result)


def _colour(form: str, no_color: bool) -> bool:
    wanted = not no_color and "NO_COLOR" not in os.environ and form == "text"
    return wanted and sys.stdout is not None and sys.stdout.isatty()


def _write_report(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _remark(result: CheckResult, *, verbose: bool, failed: bool) -> None:
    """Say on standard error how much was found; nothing when all is well."""
    from memsleep.check.formats.text import summary

    write_remarks(result.remarks)
    if result.findings or failed or verbose:
        write_remarks([summary(result)])
    if any(finding.fixable for finding in result.findings):
        write_remarks(["some can be fixed: memsleep check --fix --diff"])


def _tell_rules(wanted: str | None) -> int:
    from memsleep.check.pages import explanation, find_rule, listing
    from memsleep.check.suppress import nearest_code

    if wanted is None:
        write_text(listing())
        return 0
    rule = find_rule(wanted)
    if rule is None:
        like = nearest_code(wanted)
        raise UsageError(
            "no-such-rule",
            f"there is no rule {wanted[:40]!r}",
            hint=f"memsleep check --explain {like}" if like else "memsleep check --list",
        )
    write_text(explanation(rule))
    return 0


def _update(request: CheckRequest, result: CheckResult, *, force: bool, quiet: bool) -> int:
    """Write the baseline anew where that changes it."""
    from memsleep.check.baseline import EMPTY, read_baseline, updated

    path = request.baseline
    assert path is not None
    old = read_baseline(path, str(path))
    new = updated(old, result.everything, force=force)
    before, after = (old or EMPTY).entries, new.entries
    left_out = sum(f.fingerprint not in after for f in result.everything)
    if new != (old or EMPTY) or (force and old is None):
        _write_report(path, new.to_bytes())
    if not quiet:
        gone, came = len(before.keys() - after.keys()), len(after.keys() - before.keys())
        write_remarks([f"{path}: {len(after)} accepted, {gone} gone, {came} new"])
        if left_out:
            write_remarks([f"{left_out} findings are not in it; --force accepts them too"])
    return 0


def _fix(request: CheckRequest, checked: Checked, *, diff: bool, quiet: bool) -> int:
    """Put right what is safe, or show how; what is left decides the exit code."""
    from memsleep.check.fix import fixes_for, write_fixes

    result, files = checked.result, checked.corpus.files
    fixes = fixes_for(checked.corpus, result.findings)
    kept: list[str] = []
    if diff:
        write_output(fixes.diff(files))
    else:
        kept = write_fixes(request.corpus, files, fixes)
    if not quiet:
        word = "would be fixed" if diff else "fixed"
        write_remarks([f"{len(fixes.fixed)} {word}, in {len(fixes.after)} files"])
        write_remarks(f"{f.path}:{f.line}: {f.code} not fixed: {why}" for f, why in fixes.refused)
        write_remarks(f"{path}: changed meanwhile, left as it is" for path in kept)
    done = {finding.fingerprint for finding in fixes.fixed if finding.path not in kept}
    from dataclasses import replace

    left = replace(result, findings=tuple(f for f in result.findings if f.fingerprint not in done))
    return 1 if (left if not diff else result).fails(request.settings.check.fail_on) else 0
