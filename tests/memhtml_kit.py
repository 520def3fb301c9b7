"""memhtml files for tests: the worked example of the format, and small files to vary."""

from __future__ import annotations

from memsleep.model import Memory, Unreadable
from memsleep.readers.memhtml import read

WORKED_EXAMPLE = b"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Cache keys carry the tenant</title>
<meta name="memhtml-type" content="procedural">
<meta name="memhtml-status" content="active">
<meta name="memhtml-created" content="2026-03-04T05:06:07Z">
<meta name="memhtml-updated" content="2026-03-04T05:06:07Z">
<meta name="memhtml-confidence" content="0.80">
<meta name="memhtml-entity" content="service:cache">
<meta name="memhtml-tag" content="multi tenant">
<link rel="memhtml-part-of" href="/areas/arcs/isolation.html">
</head>
<body>
<article>
<p><mark>Every cache key starts with the <abbr title="tenant identifier">tid</abbr>.</mark> Learned on
  <time datetime="2026-02-28">28 Feb</time> from <cite>incident 41</cite>.</p>
<dl>
  <dt>Prefix length</dt> <dd><data value="12">a dozen</data> bytes</dd>
</dl>
<figure>
<pre><code data-lang="Py">def key(t, k):
    return f"{t}:{k}"
</code></pre>
<figcaption>The  helper.</figcaption>
</figure>
<details><summary>Background</summary><p>Two tenants collided.</p></details>
<aside>Local caches are exempt.</aside>
</article>
</body>
</html>
"""  # noqa: E501 - bytes with a known digest

HEAD = (
    "<title>T</title>",
    '<meta name="memhtml-type" content="semantic">',
    '<meta name="memhtml-status" content="active">',
    '<meta name="memhtml-created" content="2026-08-02T00:00:00Z">',
    '<meta name="memhtml-updated" content="2026-08-02T00:00:00Z">',
)
"""The least that a head states; its first meta is on line 5 of `page`."""

CLAIM = "<p><mark>A claim.</mark></p>"


def page(*more: str, head: tuple[str, ...] = HEAD, article: str = CLAIM) -> bytes:
    """Return a file with one head entry a line and the given inner markup of the article."""
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        *head,
        *more,
        "</head>",
        "<body>",
        "<article>",
        article,
        "</article>",
        "</body>",
        "</html>",
        "",
    ]
    return "\n".join(lines).encode()


def meta(name: str, content: str) -> str:
    """Return a meta line in the canonical spelling, nothing escaped."""
    return f'<meta name="memhtml-{name}" content="{content}">'


def memory(source: bytes, path: str = "areas/a.html") -> Memory:
    """Read a file that must be readable."""
    result = read(path, source)
    assert isinstance(result, Memory), result
    return result


def codes(source: bytes, path: str = "areas/a.html") -> list[str]:
    """Read a file and return the codes of what it is refused for, empty when it is read."""
    result = read(path, source)
    return [problem.code for problem in result.problems] if isinstance(result, Unreadable) else []


def lines(source: bytes) -> list[int | None]:
    """Return the lines of what a file is refused for."""
    result = read("areas/a.html", source)
    return [problem.line for problem in result.problems] if isinstance(result, Unreadable) else []
