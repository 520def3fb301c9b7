"""A fork's pull request: hostile config, names and text. Nothing is run, fetched or followed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from check_kit import note, page, result_of, run_check, told
from cli_kit import memsleep
from corpus_kit import commit, git, init, write
from memsleep.check.formats import RENDERERS
from memsleep.errors import ConfigError
from night_kit import tree

HOSTILE = {
    ".gitattributes": "*.md filter=evil diff=evil merge=evil ident working-tree-encoding=UTF-16\n",
    ".gitmodules": '[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "touch %S"\n',
    "a.md": "See [[gone]] and [x](https://evil.example/%s) and ![[../../etc/passwd]].\n",
    "b.md": note("{{ 7*7 }} <script>alert(1)</script>\n", title='"=cmd|x"'),
    "c.md": "---\na: &a [x, x]\nb: &b [*a, *a, *a, *a]\nc: [*b, *b, *b, *b]\n---\nbomb\n",
    "d.md": "[[" * 3_000 + "\n",
    "e.md": "*" * 20_000 + "a" + "_" * 20_000,
    "f.md": "---\n" + "{" * 2_000 + "\n---\n",
    "areas/g.html": page(after="<b>" * 3_000),
    "$(touch pwned).md": "x\n",
    "`touch pwned`.md": "x\n",
    "-rf.md": "x\n",
    "--help.md": "x\n",
    "a\nb.md": "x\n",
    "%0A::error::x.md": "x\n",
    "\u202eevil.md": "x\n",
}


def _armed(root: Path, marker: Path) -> None:
    """Let everything that a repository's own config can name leave a mark."""
    touch = f"touch {marker}"
    for key in (
        "filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.evil.command",
        "diff.evil.textconv", "merge.evil.driver", "core.fsmonitor", "core.sshCommand",
        "core.pager", "core.editor", "diff.external", "credential.helper", "core.askPass",
    ):  # fmt: skip
        git(root, "config", key, touch)
    hooks = root / ".git" / "hooks"
    for name in ("post-index-change", "reference-transaction", "pre-commit", "post-checkout"):
        (hooks / name).parent.mkdir(exist_ok=True)
        (hooks / name).write_bytes(f"#!/bin/sh\n{touch}\n".encode())
        (hooks / name).chmod(0o755)


@pytest.mark.parametrize("arguments", [(), ("--base", "main"), ("--staged",)])
def test_nothing_of_it_is_run(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """Filters, converters, monitors, hooks and names leave no mark."""
    root = init(tmp_path / "repo")
    commit(root, {"a.md": "x\n"})
    git(root, "checkout", "--quiet", "-b", "fork")
    commit(root, {path: text for path, text in HOSTILE.items() if path != ".gitattributes"})
    write(root, {"h.md": "See [[lost]].\n"})
    git(root, "add", "h.md")
    write(root, {".gitattributes": HOSTILE[".gitattributes"]})
    marker = tmp_path / "marker"
    _armed(root, marker)
    before = tree(root)
    done = memsleep("check", *arguments, home=tmp_path, cwd=root)
    assert done.returncode == 1, done.stderr.decode()
    assert not marker.exists()
    assert not list(root.glob("**/pwned"))
    assert tree(root) == before


def test_hostile_text_is_checked_in_time_and_shown_safely(tmp_path: Path) -> None:
    """Every file is looked at, and no form lets its text out as more than text."""
    result = result_of(tmp_path / "c", HOSTILE)
    assert result.checked == len([path for path in HOSTILE if not path.startswith(".git")])
    for form, render in RENDERERS.items():
        written = render(result).decode()
        assert "<script>" not in written, form
        assert "\u202e" not in written, form
        assert not [line for line in written.split("\n") if line.startswith("b.md:1")], form


CONFIGS = [
    '[check]\nbaseline = "/etc/passwd"\n',
    '[check]\nbaseline = "../outside.json"\n',
    '[check]\nbaseline = "link.json"\n',
    '[corpus]\nexclude = ["../**"]\n',
    '[embedder]\nname = "file"\npath = "/etc/passwd"\n',
    '[check]\ncommand = "touch pwned"\n',
    '[hooks]\npost = "touch pwned"\n',
]


@pytest.mark.parametrize("config", CONFIGS)
def test_a_config_may_not_lead_out_or_name_commands(config: str, tmp_path: Path) -> None:
    """Such a config is refused, with exit 2."""
    root = write(tmp_path / "c", {"a.md": "x\n", "memsleep.toml": config})
    (root / "link.json").symlink_to("/etc/hostname")
    with pytest.raises(ConfigError) as caught:
        run_check(root)
    assert caught.value.exit_code == 2


def test_a_cache_in_the_corpus_is_not_believed(tmp_path: Path) -> None:
    """A pull request that brings a cache along hides nothing."""
    root = write(tmp_path / "c", {"a.md": "See [[gone]].\n"})
    memsleep("check", root, "--state-dir", root / ".memsleep", home=tmp_path)
    write(root, {"a.md": "See [[lost]].\n"})
    done = memsleep("check", root, home=tmp_path, XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert b"lost leads nowhere" in done.stdout
    assert os.listdir(tmp_path / "cache")  # noqa: PTH208


def test_a_change_cannot_excuse_what_it_brings_in_the_baseline(tmp_path: Path) -> None:
    """See also test_baseline: an entry of the change counts for nothing."""
    root = init(tmp_path / "r")
    commit(root, {"a.md": "x\n"})
    commit(root, {"b.md": "See [[gone]].\n"})
    memsleep("check", "--update-baseline", "--force", home=tmp_path, cwd=root)
    commit(root)
    done = memsleep("check", "--base", "main~2", home=tmp_path, cwd=root)
    assert (done.returncode, b"accept nothing yet" in done.stderr) == (1, True)
    assert told(run_check(root).result) == []


def test_a_link_out_of_the_corpus_is_not_followed(tmp_path: Path) -> None:
    """What lies behind a link is neither read nor quoted."""
    outside = write(tmp_path / "outside", {"s.md": "See [[gone-secretly]].\n"})
    root = write(tmp_path / "c", {"a.md": "x\n"})
    (root / "s.md").symlink_to(outside / "s.md")
    (root / "folder").symlink_to(outside)
    assert [line.rpartition(" ")[2] for line in told(run_check(root).result)] == ["MS607", "MS607"]
