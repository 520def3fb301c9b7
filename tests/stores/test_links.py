"""Every form of a link resolves, follows what moves in its own form, and is never lost."""

# ruff: noqa: E501, C901 - a table reads better a row a line

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corpus_kit import write
from memsleep.fold import fold
from memsleep.proposals import Archive, Merge, Proposal
from memsleep.settings import Settings
from stores_kit import load, real_files, snapshot_of

# The store, what stands in x.md, and what stands there when deep/van.md was archived.
FOLLOW = [
    ("obsidian", "[[van]]", "[[van]]"),
    ("obsidian", "[[deep/van]]", "[[archive/2026/deep/van]]"),
    ("obsidian", "[[deep/van.md|the van]]", "[[archive/2026/deep/van.md|the van]]"),
    ("obsidian", "[[deep/van#Yard|y]] [[deep/van#^b1]]", "[[archive/2026/deep/van#Yard|y]] [[archive/2026/deep/van#^b1]]"),
    ("obsidian", "![[deep/van]]", "![[archive/2026/deep/van]]"),
    ("obsidian", "| a |\n|---|\n| [[deep/van\\|v]] |", "| a |\n|---|\n| [[archive/2026/deep/van\\|v]] |"),
    ("obsidian", "up:: [[deep/van]]", "up:: [[archive/2026/deep/van]]"),
    ("plain", "[v](deep/van.md#yard)", "[v](archive/2026/deep/van.md#yard)"),
    ("plain", "[v](<deep/van.md> \"t\")", "[v](<archive/2026/deep/van.md> \"t\")"),
    ("plain", "[v](./deep/van.md)", "[v](./archive/2026/deep/van.md)"),
    ("plain", "[v](/deep/van.md)", "[v](/archive/2026/deep/van.md)"),
    ("plain", "[v][r]\n\n[r]: deep/van.md \"t\"", "[v][r]\n\n[r]: archive/2026/deep/van.md \"t\""),
    ("plain", "See <a class=x href=\"deep/van.md#y\">v</a>.", "See <a class=x href=\"archive/2026/deep/van.md#y\">v</a>."),
    ("plain", "<div>\n<a href='deep/van.md'>v</a>\n</div>", "<div>\n<a href='archive/2026/deep/van.md'>v</a>\n</div>"),
    ("plain", '{{< relref "deep/van.md" >}}', '{{< relref "archive/2026/deep/van.md" >}}'),
    ("plain", "---\nrelated: [deep/van.md]\n---\nx", "---\nrelated: [archive/2026/deep/van.md]\n---\nx"),
    ("plain", "---\nlinks:\n  - {rel: supports, to: 'deep/van.md'}\n---\nx", "---\nlinks:\n  - {rel: supports, to: 'archive/2026/deep/van.md'}\n---\nx"),
    ("plain", "+++\nrelated = [\"deep/van.md\"]\n+++\nx", "+++\nrelated = [\"archive/2026/deep/van.md\"]\n+++\nx"),
    ("plain", '{"up": "deep/van.md"}\nx', '{"up": "archive/2026/deep/van.md"}\nx'),
    ("plain", "<!-- up: deep/van.md -->\nx", "<!-- up: archive/2026/deep/van.md -->\nx"),
    ("logseq", "up:: [[deep/van]]\n\n- x", "up:: [[archive/2026/deep/van]]\n\n- x"),
    ("basic-memory", "- part_of [[deep/van]] (for oil)", "- part_of [[archive/2026/deep/van]] (for oil)"),
    ("foam", "[[deep/van]]\n\n[//begin]: # \"x\"\n[deep/van]: deep/van.md \"Van\"\n[//end]: # \"x\"",
     "[[archive/2026/deep/van]]\n\n[//begin]: # \"x\"\n[deep/van]: archive/2026/deep/van.md \"Van\"\n[//end]: # \"x\""),
    ("dendron", "[[the van|deep/van]]", "[[the van|archive/2026/deep/van]]"),
    ("dendron", "[[deep/van|the van]]", "[[archive/2026/deep/van|the van]]"),
    # no links, and links to something else
    ("plain", "`[[deep/van]]` \\[[deep/van]]", "`[[deep/van]]` \\[[deep/van]]"),
    ("plain", "```\n[v](deep/van.md)\n```", "```\n[v](deep/van.md)\n```"),
    ("plain", "    [v](deep/van.md)", "    [v](deep/van.md)"),
    ("plain", "<!-- [[deep/van]] <a href=\"deep/van.md\"> -->", "<!-- [[deep/van]] <a href=\"deep/van.md\"> -->"),
    ("plain", "<a href=\"#deep/van.md\"> <a name=x data-href=\"deep/van.md\">", "<a href=\"#deep/van.md\"> <a name=x data-href=\"deep/van.md\">"),
    ("plain", "[v](https://example.org/deep/van.md)", "[v](https://example.org/deep/van.md)"),
    ("plain", "[[planned]] [w](lost.md)", "[[planned]] [w](lost.md)"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "before", "after"), FOLLOW)
def test_a_link_follows_in_its_form(dialect: str, before: str, after: str, tmp_path: Path) -> None:
    """Label, fragment, title, quotes and encoding stay; what is no link stays as it is."""
    files = {"x.md": before + "\n", "deep/van.md": "# Van\n\n## Yard\n"}
    start = snapshot_of(tmp_path, files, dialect=dialect)
    gone = Archive(phase="t", reason="r", path="deep/van.md", cause="evicted")
    done = fold(start, [gone], Settings())
    assert not done.refused
    text = done.snapshot.files["x.md"].decode()
    assert text == after.replace("archive/", f"{start.archive_folder}/") + "\n"


ORDER = [
    # target, files (path -> head), the one it means
    ("a/b", {"a/b.md": "", "b.md": "title: a/b"}, "a/b.md"),
    ("Pump", {"x/pump.md": "", "y/z.md": "title: Pump"}, "y/z.md"),
    ("pump", {"x/pump.md": "", "y/z.md": "title: pump"}, "x/pump.md"),
    ("The name", {"x/1.md": "name: The name", "x/2.md": "aliases: [The name]"}, "x/1.md"),
    ("perma", {"x/1.md": "permalink: perma", "x/2.md": "aliases: [perma]"}, "x/1.md"),
    ("oil_can", {"x/oil-can.md": ""}, "x/oil-can.md"),
    ("OIL can", {"x/oil-can.md": ""}, "x/oil-can.md"),
    ("Cafe\u0301", {"x/caf\u00e9.md": ""}, "x/caf\u00e9.md"),
]


@pytest.mark.parametrize(("target", "others", "meant"), ORDER)
def test_order_of_resolution(
    target: str, others: dict[str, str], meant: str, tmp_path: Path
) -> None:
    """Path, name, title, `name:`, permalink, alias, kebab case, and case last."""
    files = {path: f"---\n{head or 'x: 1'}\n---\n\nText.\n" for path, head in others.items()}
    write(tmp_path, {**files, "from.md": f"[[{target}]]\n"})
    assert [link.path for link in load(tmp_path).memories["from.md"].links] == [meant]


def test_ambiguity(tmp_path: Path) -> None:
    """The nearest folder decides; where it does not, the link is ambiguous and names both."""
    write(tmp_path, {"a/p.md": "A.\n", "b/p.md": "B.\n", "a/x.md": "[[p]]\n", "x.md": "[[p]]\n"})
    memories = load(tmp_path).memories
    assert memories["a/x.md"].links[0].path == "a/p.md"
    assert memories["x.md"].links[0].path is None
    assert memories["x.md"].links[0].ambiguous == ("a/p.md", "b/p.md")


def test_dendron_reads_both_orders(tmp_path: Path) -> None:
    """The second part counts where it leads somewhere, else the first; elsewhere the first."""
    files = {"van.md": "Van.\n", "x.md": "[[label|van]] [[van|label]] [[a|b]]\n"}
    write(tmp_path, files)
    both = load(tmp_path, dialect="dendron").memories["x.md"].links
    assert [(link.target, link.path) for link in both] == [
        ("van", "van.md"),
        ("van", "van.md"),
        ("b", None),
    ]
    first = load(tmp_path, dialect="obsidian").memories["x.md"].links
    assert [(link.target, link.path) for link in first] == [
        ("label", None),
        ("van", "van.md"),
        ("a", None),
    ]


FORMS = (
    "[[{name}]]", "[[{stem}|l]]", "![[{stem}#h]]", "[t]({path}#f)", "[t](<{path}>)", "[t](/{path})",
    "- supports [[{stem}]]", "key:: [[{stem}]]", "- part of [[{name}]] (c)", '{{{{< relref "{path}" >}}}}',
    '<a href="{path}">t</a>', "| [[{stem}\\|l]] |", "[[l|{stem}]]", "text [[{stem}]] and [u]({path})",
)  # fmt: skip
STORES = ("plain", "obsidian", "dendron", "logseq", "basic-memory", "foam", "letta")


def _corpus(chance: random.Random, dialect: str) -> dict[str, str]:
    names = ["van", "ramp", "pump", "oil can", "caf\u00e9", "a#1", "x.y", "Permit"]
    folders = ["", "deep/", "deep/er/", "b c/"]
    paths = sorted({chance.choice(folders) + name + ".md" for name in names for _ in range(2)})
    files = {}
    for path in paths:
        lines = []
        for _ in range(chance.randint(0, 4)):
            to = chance.choice([*paths, "lost.md"])
            form = chance.choice(FORMS)
            stem = to.removesuffix(".md")
            lines.append(
                form.format(
                    name=stem.rpartition("/")[2],
                    stem=stem,
                    path=to.replace(" ", "%20").replace("#", "%23"),
                )
            )
        head = f"---\nrelated: ['{chance.choice(paths)}']\n---\n\n" if chance.random() < 0.4 else ""
        files[path] = head + f"Text of {path}.\n\n" + "\n\n".join(lines) + "\n"
    if dialect == "letta":
        files = {
            path: text.replace("related: ", "description: d\nrelated: ")
            for path, text in files.items()
        }
    return files


@example(2758, "plain")  # the keeper links to what its dropped memory had swallowed
@example(18424, "plain")  # a name that means one file only since another one left
@example(1485, "plain")  # a link that came to the keeper by its name, without an edit
@given(st.integers(0, 10**6), st.sampled_from(STORES))
@settings(max_examples=60 if settings.default.derandomize else 600, deadline=None)
def test_no_link_is_lost(seed: int, dialect: str) -> None:
    """After any fold, each link that led to a memory leads to it or to what replaced it."""
    import tempfile

    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        start = snapshot_of(root, _corpus(chance, dialect), dialect=dialect)
        paths = sorted(start.memories)
        proposals: list[Proposal] = []
        for path in chance.sample(paths, k=min(4, len(paths))):
            if chance.random() < 0.5:
                proposals.append(Archive(phase="t", reason="r", path=path, cause="evicted"))
            else:
                keeper = chance.choice([p for p in paths if p != path])
                proposals.append(
                    Merge(phase="t", reason="r", keeper=keeper, dropped=path, similarity=1.0)
                )
        done = fold(start, proposals, Settings())
        successor: dict[str, str] = {}
        for item in done.applied:
            for change in item.changes:
                if change.to:
                    successor[change.path] = change.to
        merged = {
            a.proposal.dropped: a.proposal.keeper
            for a in done.applied
            if isinstance(a.proposal, Merge)
        }
        for path in start.files:
            if path in start.files and successor.get(path):
                (root / path).unlink()
        for path, data in real_files(done.snapshot).items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
        after = load(root, dialect=dialect)
        for path, memory in start.memories.items():
            if path in successor:
                continue  # archived: it leaves as it was, or its links are its keeper's
            there = [link.path for link in after.memories[path].links]
            for link in memory.links:
                if link.path is not None:
                    passed = [link.path]
                    while passed[-1] in merged:
                        passed.append(merged[passed[-1]])
                    end = successor.get(passed[-1], passed[-1])
                    # What was merged into the linking memory itself is linked where it rests.
                    resting = {successor.get(one, one) for one in passed} if end == path else set()
                    allowed = {end} | resting
                    assert allowed & set(there), (path, link.target, end, there)
