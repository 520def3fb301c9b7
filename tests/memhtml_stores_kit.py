"""memhtml stores made of everything that the format admits, and of some that it refuses."""

from __future__ import annotations

import random
from collections.abc import Sequence

from memhtml_rules_kit import METAS, Page

SUBJECTS = "pump lamp hive boiler gate cellar roof fence stove well".split()
FACTS = (
    "The {0} is oiled twice a year with the thin oil from the shelf in the shed.",
    "Anna keeps the spare key of the {0} behind the third flower pot by the door.",
    "The {0} has to be switched off before the night of the first hard frost.",
    "Whoever repairs the {0} writes the date on the yellow card that hangs beside it.",
)
MORE = ("It was so {0} years ago too.", "Otto knows the {0} better.", "See the manual, page {0}.")
PLACES = (
    "areas/inbox", "areas/garden", "resources/people", "projects/house", "resources/lab notes",
)  # fmt: skip
RELATIONS = (
    "supports", "part-of", "relates-to", "contradicts", "part_of", "about-person", "supersedes",
)  # fmt: skip
VALUES: dict[str, Sequence[str]] = {
    "confidence": ("0.8", "0.51", ".7", "1.", "5e-1", " 0.6 ", "1.5", "", "0.80"),
    "importance": ("1", "7.0", "0x5", "11", ""),
    "author": ("agent:x", "human:Jo &amp; Co", ""),
    "session": ("s-1",),
    "valid-from": ("2026-01-02",),
    "valid-until": ("2026-02-03", "2026-06-30T23:59:60Z", "2030-01-01"),
    "reprieves": ("0", "2", "3", "x"),
    "needs-revision": ("yes", "0"),
    "due": ("2026-08-09",),
    "entity": ("person:Anna", "service:pump", "no reference", "Person: anna"),
    "tag": ("garden", " multi  word ", "", "a/b"),
    "alias": ("the thing", "Ding &quot;x&quot;"),
}
REFUSED = (
    '<meta name="memhtml-vibe" content="x">', '<meta name="memhtml-due" content="soon">',
    '<link rel="memhtml-part-of" href="../a.html">', "<style>p{}</style>",
    '<meta name="memhtml-type" content="semantic">',
)  # fmt: skip
EXTRAS = (
    "<dl><dt>Age</dt><dd><data value=12>a dozen</data> years</dd></dl>",
    "<figure><pre>\n  run --now\n\n</pre><figcaption>How.</figcaption></figure>",
    "<aside>Only in winter.</aside>", "<details><summary>More</summary><p>Long ago.</p></details>",
    "<p>On <time datetime=2026-03-04>4 March</time>.</p>", "<ul><li>one<li>two</ul>",
    "<p>a<br>b <cite>The book</cite></p>",
)  # fmt: skip


def awkward_store(seed: int, size: int = 36) -> dict[str, bytes]:
    """Return path -> bytes of a store, the same for the same seed."""
    chance = random.Random(seed)
    tails = ("", " \u00e9", "-2")
    paths = [
        f"{chance.choice(PLACES)}/{chance.choice(SUBJECTS)}{chance.choice(tails)}-{n}.html"
        for n in range(size)
    ]
    articles: list[str] = []
    files: dict[str, bytes] = {}
    for path in paths:
        if articles and chance.random() < 0.55:
            articles.append(_varied(chance, chance.choice(articles)))
        else:
            articles.append(_article(chance))
        files[path] = _file(chance, path, articles[-1], paths)
    for path in chance.sample(paths, 4):
        files[f"archive/{chance.choice((2025, 2026))}/{path}"] = files[path].replace(
            b'"active"', b'"archived"'
        )
    listed = "".join(f'<a href="/{path}">it</a><br>' for path in paths[:6])
    page = f"<!doctype html><title>Index</title><body>{listed}\n".encode()
    files |= {"index.html": page, "areas/index.html": page, "areas/inbox/index.html": page}
    files["sitemap.xml"] = b"<urlset>\n</urlset>\n"
    files[".memhtml/sleep/sleep-2026-11-01.html"] = page
    files[".memhtml/state/access.jsonl"] = (
        f'{{"path":"{paths[0]}","accessCount":3,"outcomeScore":0.5,"lastAccessedAt":null}}\n'
    ).encode()
    return files


def _article(chance: random.Random) -> str:
    fact = chance.choice(FACTS).format(chance.choice(SUBJECTS))
    lead = f"<p><mark>{fact}</mark></p>"
    if chance.random() < 0.2:
        lead = f"<ul><li><mark>{fact}</mark></ul>"
    extras = chance.sample(EXTRAS, chance.choice((0, 0, 1, 3)))
    return chance.choice(("\n", "\n  ", "")).join([lead, *extras])


def _varied(chance: random.Random, article: str) -> str:
    """Return an article that says the same, perhaps with one more sentence."""
    if chance.random() < 0.4:
        return article
    if chance.random() < 0.5:
        return article.replace("> ", ">\n ").replace("<p>", "<p lang=en>")
    return article + f"\n<p>{chance.choice(MORE).format(chance.randint(2, 30))}</p>"


def _file(chance: random.Random, path: str, article: str, paths: Sequence[str]) -> bytes:
    kind = "semantic" if chance.random() < 0.7 else chance.choice(("episodic", "arc", "task"))
    day = f"2026-0{chance.randint(1, 9)}-1{chance.randint(0, 9)}"
    metas = [("type", kind), ("status", "active"), ("created", day)]
    metas.append(("updated", f"{day}T01:02:03Z"))
    if kind == "task":
        metas.append(("task-status", chance.choice(("todo", "blocked"))))
    for name, values in VALUES.items():
        if chance.random() < 0.25:
            metas.append((name, chance.choice(values)))
            if name in ("entity", "tag", "alias") and chance.random() < 0.5:
                metas.append((name, chance.choice(values)))
    if chance.random() < 0.3:
        digest = Page(f"<title>x</title><article>\n{article}\n</article>".encode()).digest
        metas.append(("content-hash", chance.choice((digest, digest, "sha256:no"))))
    if chance.random() < 0.7:
        metas.sort(key=lambda meta: METAS.index(meta[0]))
    else:
        chance.shuffle(metas)
    lines = [_spelled(chance, *meta) for meta in metas]
    lines += [_link(chance, paths) for _ in range(chance.choice((0, 0, 1, 3)))]
    if chance.random() < 0.06:
        lines.append(chance.choice(REFUSED))
    indent = chance.choice(("", "", "", "  ", "\t"))
    head = "".join(f"{indent}{line}\n" for line in ["<title>The thing</title>", *lines])
    if chance.random() < 0.1:
        head = head.replace("\n", "")
    anchor = f'<p><a href="/{chance.choice(paths)}#x">there</a></p>'
    anchor *= chance.random() < 0.3
    text = (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{head}</head>\n'
        f"<body>\n<article>\n{article}\n{anchor}</article>\n</body>\n</html>\n"
    )
    return text.replace("\n", chance.choice(("\n", "\n", "\n", "\r\n"))).encode()


def _spelled(chance: random.Random, name: str, value: str) -> str:
    if chance.random() < 0.8:
        return f'<meta name="memhtml-{name}" content="{value}">'
    return chance.choice(
        (
            f"<meta name='memhtml-{name}' content='{value}' />",
            f'<META content="{value}" name=memhtml-{name}>',
            f'<meta name="memhtml-{name}" content="{value}" id=i>',
            f'<!-- why --> <meta name="memhtml-{name}" content="{value}">',
        )
    )


def _link(chance: random.Random, paths: Sequence[str]) -> str:
    tail = chance.choice(("", "", "", "#x", "?a=1&amp;b"))
    return f'<link rel="memhtml-{chance.choice(RELATIONS)}" href="/{chance.choice(paths)}{tail}">'
