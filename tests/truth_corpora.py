"""Folders of Markdown that are made to mislead: few names, many copies, links of every form."""

from __future__ import annotations

import posixpath
import random
from collections.abc import Sequence
from urllib.parse import quote

NAMES = ("pump", "lamp", "Pump", "bee hive", "rain #2", "a & b", "pump.v2", "index", "MEMORY")
FOLDERS = ("", "garden", "garden/deep", "lab", "garden #1", "archive/notes")
WORDS = (
    "oil water glass metal spring autumn repair filter anna eve otto wall door tank level valve "
    "pipe heat cold wind light dark seed soil leaf root stone sand clay rope"
).split()
BODY_LINKS = (
    "[[{base}]]", "[[{stem}]]", "[[{path}|label]]", "[x]({relative})", "[x](<{plain}>)",
    "[y](/{rooted}#h)", "![[{base}#h]]", "- supports [[{base}]]", "- part_of [[{stem}]] (why)",
    "[z]({rooted})",
)  # fmt: skip
HEAD_LINES = (
    "title: {title}", "relates_to: ['{path}']", 'supports:\n  - "[[{stem}]]"', "up: {name}",
    "confidence: 0.{digit}", "tags: [a, b]", "tags:\n- c", "valid_until: 2026-02-0{digit}",
    "aliases: [pump, thing]",
)  # fmt: skip

HTML_NAMES = ("pump", "lamp", "bee hive", "rain", "a-b", "p%20q", "\u00e9")
HTML_FOLDERS = ("areas/inbox", "areas/garden", "resources/lab", "projects/x")
RELATIONS = ("memhtml-supports", "memhtml-part-of", "memhtml-relates-to", "memhtml-part_of")
HTML_METAS = (
    '<meta name="memhtml-confidence" content="0.6">',
    '<meta name="memhtml-valid-until" content="2026-02-03">',
    '<meta name="memhtml-entity" content="person:anna">',
    '<meta name="memhtml-tag" content="garden">',
)


def misleading(seed: int, size: int = 40) -> dict[str, bytes]:
    """Return path -> bytes of about `size` memories, the same for the same seed."""
    chance = random.Random(seed)
    paths = _paths(chance, size)
    texts: list[str] = []
    files = {}
    for path in paths:
        copy = bool(texts) and chance.random() < 0.5
        texts.append(chance.choice(texts) if copy else _text(chance))
        links = "\n".join(_link(chance, path, paths) for _ in range(chance.randint(0, 4)))
        whole = _head(chance, paths) + texts[-1] + (f"\n\n{links}" if links else "")
        whole += "\n" if chance.random() < 0.8 else ""
        files[path] = whole.replace("\n", chance.choice(["\n"] * 4 + ["\r\n"])).encode()
    return files


def misleading_store(seed: int, size: int = 40) -> dict[str, bytes]:
    """Return a memhtml store of the same kind, with a README that links into it."""
    chance = random.Random(seed)
    paths = _paths(chance, size, HTML_FOLDERS, HTML_NAMES, "html")
    texts: list[str] = []
    files = {}
    for path in paths:
        copy = bool(texts) and chance.random() < 0.5
        texts.append(chance.choice(texts) if copy else _text(chance))
        claim, _, rest = texts[-1].partition(". ")
        links = [
            f'<link rel="{chance.choice(RELATIONS)}" href="/{chance.choice(paths)}{tail}">'
            for tail in chance.sample(["", "", "#h", "?q"], chance.randint(0, 3))
        ]
        anchors = [
            f'<p>See <a href="{_address(chance, path, chance.choice(paths))}">it</a>.</p>'
            for _ in range(chance.randint(0, 2))
        ]
        metas = [meta for meta in HTML_METAS if chance.random() < 0.3]
        lines = [
            "<!doctype html>", "<html>", "<head>", "<title>Pump</title>",
            '<meta name="memhtml-type" content="semantic">',
            '<meta name="memhtml-status" content="active">',
            f'<meta name="memhtml-created" content="2026-0{chance.randint(1, 9)}-11">',
            '<meta name="memhtml-updated" content="2026-09-20">', *metas, *links, "</head>",
            "<body>", "<article>", f"<p><mark>{claim}</mark> {rest}</p>", *anchors, "</article>",
            "</body>", "</html>", "",
        ]  # fmt: skip
        files[path] = chance.choice(["\n"] * 4 + ["\r\n"]).join(lines).encode()
    listed = "".join(f'<a href="{quote(path)}">it</a> ' for path in chance.sample(paths, 5))
    files["README.html"] = f"<html><body>{listed}</body></html>\n".encode()
    return files


def _address(chance: random.Random, path: str, target: str) -> str:
    relative = posixpath.relpath(target, posixpath.dirname(path))
    return chance.choice([quote(f"/{target}"), quote(relative), f"/{target}"])


def _paths(
    chance: random.Random,
    size: int,
    folders: Sequence[str] = FOLDERS,
    names: Sequence[str] = NAMES,
    ending: str = "md",
) -> list[str]:
    found: dict[str, str] = {}
    for _ in range(size):
        number = f" {chance.randint(1, 9)}" if chance.random() < 0.6 else ""
        path = posixpath.join(chance.choice(folders), f"{chance.choice(names)}{number}.{ending}")
        found.setdefault(path.casefold(), path)
    return list(found.values())


def _text(chance: random.Random) -> str:
    sentences = (" ".join(chance.sample(WORDS, 9)) for _ in range(chance.randint(1, 3)))
    return " ".join(f"{sentence.capitalize()}." for sentence in sentences)


def _link(chance: random.Random, path: str, paths: Sequence[str]) -> str:
    target = chance.choice(paths)
    plain = posixpath.relpath("/" + target, "/" + posixpath.dirname(path))
    return chance.choice(BODY_LINKS).format(
        base=posixpath.basename(target)[:-3], stem=target[:-3], path=target, plain=plain,
        relative=_encoded(plain), rooted=_encoded(target),
    )  # fmt: skip


def _encoded(path: str) -> str:
    return path.replace("#", "%23").replace(" ", "%20").replace("&", "%26")


def _head(chance: random.Random, paths: Sequence[str]) -> str:
    if chance.random() < 0.3:
        return ""
    lines = [f"created: 2026-0{chance.randint(1, 9)}-1{chance.randint(0, 9)}"]
    for line in HEAD_LINES:
        target = chance.choice(paths)
        if chance.random() < 0.25 and line.partition(":")[0] not in "".join(lines):
            lines.append(
                line.format(
                    title=chance.choice(["Pump", "Lamp", "bee hive"]), path=target,
                    stem=target[:-3], name=posixpath.basename(target), digit=chance.randint(3, 9),
                )
            )  # fmt: skip
    return "---\n" + "\n".join(lines) + "\n---\n\n"
