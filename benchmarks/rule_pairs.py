"""Labelled pairs made by rules from text that we did not write, for `memsleep calibrate --pairs`.

    python benchmarks/rule_pairs.py FOLDER ... [--most 300] [--ending .md] > pairs.jsonl

Takes the plain English sentences of the prose in those folders, 6 to 60 words long, and lets each
rule of `pair_rules.py` alter them. Of each kind the `--most` pairs with the smallest digests are
kept, so that one long file does not fill a kind; the same texts give the same bytes, wherever the
folders lie. One JSON object a line on standard output, counts by kind on standard error.
"""

from __future__ import annotations

import argparse
import hashlib
import html
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from pair_rules import pairs_of

ENDINGS = (".md", ".markdown", ".txt", ".rst", ".html", ".htm")
FENCED = re.compile(r"^(```+|~~~+).*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
DEAD_HTML = re.compile(r"<(script|style|pre|code)\b.*?</\1\s*>|<!--.*?-->", re.DOTALL | re.I)
BLOCK_TAG = re.compile(r"</?(?:p|div|li|ul|ol|td|tr|h[1-6]|br|dt|dd|section)\b[^>]*>", re.I)
TAG = re.compile(r"<[^<>]+>")
ITEM = re.compile(r"^[ \t]{0,3}(?:[-*+•]|\d{1,2}[.)])[ \t]+", re.MULTILINE)
NO_PROSE = re.compile(r"^(?:[ \t]{4,}|\t|\||>>>|\$ |#|\.\. |=|:)", re.MULTILINE)
LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
EMPHASIS = re.compile(r"(\*\*|__|\*)(?=\w)([^*_\n]+?)(?<=[\w.])\1")
SENTENCE_END = re.compile(
    r"(?<=[a-z0-9)][.!?])(?<!e\.g\.)(?<!i\.e\.)(?<!etc\.)(?<!vs\.) +(?=[A-Z])"
)
PLAIN = re.compile(r"[A-Z][A-Za-z0-9 ,.;:'\u2019\"\u201c\u201d()%/\u2013-]+\.")
ABBREVIATION = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|No|Fig|cf|al|approx|Inc|Ltd|Jr|Sr)\.$")


def paragraphs(text: str, ending: str) -> Iterator[str]:
    """Yield the paragraphs and list items of a text, each on one line."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if ending in (".html", ".htm"):
        text = TAG.sub("", BLOCK_TAG.sub("\n\n", DEAD_HTML.sub("\n\n", text)))
        text = re.sub(r"^[ \t]+", "", html.unescape(text), flags=re.MULTILINE)
    else:
        text = FENCED.sub("\n\n", FRONT_MATTER.sub("", text))
    for block in re.split(r"\n\s*\n", ITEM.sub("\n\n", text)):
        if block.strip() and not NO_PROSE.search(block.strip("\n")):
            line = " ".join(block.split())
            yield EMPHASIS.sub(r"\2", LINK.sub(r"\1", line))


def sentences(text: str, ending: str) -> Iterator[str]:
    """Yield the sentences of the prose that are plain English statements."""
    for paragraph in paragraphs(text, ending):
        for sentence in SENTENCE_END.split(paragraph):
            plain = PLAIN.fullmatch(sentence) and not ABBREVIATION.search(sentence)
            if plain and 6 <= len(sentence.split()) <= 60 and balanced(sentence):
                yield sentence


def balanced(sentence: str) -> bool:
    """Tell whether every quote and bracket is closed, so that nothing was cut in two."""
    pairs = (("(", ")"), ("\u201c", "\u201d"))
    return sentence.count('"') % 2 == 0 and all(
        sentence.count(left) == sentence.count(right) for left, right in pairs
    )


def read_folder(folder: Path, endings: tuple[str, ...]) -> Iterator[str]:
    """Yield the sentences of every file that is UTF-8, hidden folders left out."""
    for path in sorted(folder.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.suffix.lower() not in endings or hidden or not path.is_file():
            continue
        try:
            text = path.read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError:
            continue
        yield from sentences(text, path.suffix.lower())


def labelled(found: Iterable[str], most: int) -> list[dict[str, str]]:
    """Return the pairs that the rules make, at most so many of each kind."""
    by_kind: dict[tuple[str, str], list[tuple[str, str, str]]] = defaultdict(list)
    for label, kind, text_a, text_b in pairs_of(found):
        digest = hashlib.sha256(f"{kind}\n{text_a}\n{text_b}".encode()).hexdigest()
        by_kind[label, kind].append((digest, text_a, text_b))
    return [
        {
            "id": f"rule-{digest[:12]}", "lang": "en", "kind": kind, "label": label,
            "text_a": text_a, "text_b": text_b,
        }
        for (label, kind), pairs in sorted(by_kind.items())
        for digest, text_a, text_b in sorted(pairs)[:most]
    ]  # fmt: skip


def main() -> int:
    """Read the folders, write the pairs."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--most", type=int, default=300, help="pairs of each kind")
    parser.add_argument("--ending", action="append", help="of the files to read")
    options = parser.parse_args()
    endings = tuple(options.ending or ENDINGS)
    found = {line for folder in options.folders for line in read_folder(folder, endings)}
    pairs = labelled(found, options.most)
    for pair in pairs:
        sys.stdout.buffer.write(json.dumps(pair, ensure_ascii=False).encode() + b"\n")
    counts = Counter((pair["label"], pair["kind"]) for pair in pairs)
    for (label, kind), count in sorted(counts.items()):
        print(f"{count:6} {label} {kind}", file=sys.stderr)
    print(f"{len(pairs):6} pairs of {len(found)} sentences", file=sys.stderr)
    return 0 if pairs else 1


if __name__ == "__main__":
    sys.exit(main())
