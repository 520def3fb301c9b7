"""Sentences of a Markdown body with the inline markup that they are written in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from memsleep.editors.markdown_body import escaped
from memsleep.editors.markdown_trace import BLANK, Piece, Source, Span, Tracer
from memsleep.errors import EditRefused
from memsleep.readers.markdown_text import parse
from memsleep.spelled import Spelled, places, shared_count

_BY_REFERENCE = frozenset({"Reference", "Collapsed", "Shortcut"})
_LITERAL = frozenset({"Start", "End"})
"""Events that the reader tells as text: the marks around what is struck out."""


def spell(body: str, wanted: Sequence[str]) -> tuple[Spelled, ...]:
    """Return the wanted sentences of a body with their inline markup.

    A span that a sentence shares with others is opened and closed around it. A link by reference
    is written out. A sentence that the body does not hold is told as it is given.

    Raises
    ------
    EditRefused
        When a sentence stands in code, a table, a quotation or a footnote, or holds what cannot be
        taken along.
    """
    tracer = Tracer(body.encode("utf-8"))
    for event, span in parse(body):
        tracer.trace(event, span["start"], span["end"])
    tracer.close()
    sources = tracer.sources
    told = []
    for sentence, place in zip(wanted, places([s.text for s in sources], wanted), strict=True):
        if place is None:
            told.append(Spelled(sentence, escaped(" ".join(sentence.split()))))
        else:
            told.append(_spelled(tracer.data, sources[place[0]], *place[1:]))
    return tuple(told)


def _spelled(data: bytes, source: Source, start: int, end: int) -> Spelled:
    """Return one sentence of a block with its markup."""
    if source.structure:
        raise EditRefused(f"a sentence to carry over stands in {source.structure}")
    for place, what in source.unsaid:
        if start <= place <= end:
            raise EditRefused(f"a sentence to carry over holds {what}")
    out: list[str] = []
    around: tuple[Span, ...] = ()
    precious = False
    used = {number for number, _ in source.origins[start:end]}
    kinds = Counter(source.pieces[number].kind for number in used)
    if kinds["Start"] != kinds["End"]:
        raise EditRefused("a sentence to carry over ends within what is struck out")
    for number, first, last in _runs(source.origins[start:end]):
        piece = source.pieces[number]
        out += _closed(data, around, piece.around) + _opened(data, around, piece.around)
        around = piece.around
        out.append(_written(data, piece, first, last))
        precious = precious or piece.kind == "Code" or any(span.link for span in around)
    out += _closed(data, around, ())
    markup = "".join(out)
    cut = {id(s): s for n, *_ in source.origins[start:end] for s in source.pieces[n].around}
    if any(s.link in _WHOLE and not _is_whole(source, s, start, end) for s in cut.values()):
        raise EditRefused("a sentence to carry over ends within a link")
    return Spelled(source.text[start:end], markup, precious)


_WHOLE = frozenset({"WikiLink", "Autolink", "Email"})
"""Links whose text is their target."""


def _is_whole(source: Source, span: Span, start: int, end: int) -> bool:
    inside = [at for at, (n, _) in enumerate(source.origins) if span in source.pieces[n].around]
    return start <= inside[0] and inside[-1] < end


def _runs(origins: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int, int]]:
    """Yield (piece, first, last place) of neighbouring characters of one piece."""
    runs: list[list[int]] = []
    for number, place in origins:
        if runs and runs[-1][0] == number:
            runs[-1][2] = place
        else:
            runs.append([number, place, place])
    return [(number, first, last) for number, first, last in runs]


def _written(data: bytes, piece: Piece, first: int, last: int) -> str:
    """Return some characters of a piece as the file writes them."""
    if piece.kind in _LITERAL:
        return piece.text[first : last + 1]
    if piece.kind not in ("Text", "Code"):
        return " "
    raw = data[piece.start : piece.end].decode("utf-8")
    whole = first == 0 and last == len(piece.text) - 1
    if piece.kind == "Text" and raw == piece.text:
        escaped = first == 0 and _backslashes(data, piece.start) % 2
        return ("\\" if escaped else "") + piece.text[first : last + 1]
    stripped = piece.text.strip(BLANK)
    if whole or piece.text[first : last + 1] == stripped:
        return (
            " ".join(raw.split())
            if piece.kind == "Text"
            else raw.replace("\r", "").replace("\n", " ")
        )
    raise EditRefused("a sentence to carry over ends within code")


def _backslashes(data: bytes, start: int) -> int:
    return start - len(data[:start].rstrip(b"\\"))


def _opened(data: bytes, old: tuple[Span, ...], new: tuple[Span, ...]) -> list[str]:
    """Return what opens the spans of `new` that are not open in `old`."""
    return [
        "[" if span.link in _BY_REFERENCE else data[span.start : span.inner].decode("utf-8")
        for span in new[shared_count(old, new) :]
    ]


def _closed(data: bytes, old: tuple[Span, ...], new: tuple[Span, ...]) -> list[str]:
    """Return what closes the spans of `old` that are not open in `new`."""
    return [
        f"]({span.target})"
        if span.link in _BY_REFERENCE
        else data[span.inner_end : span.end].decode("utf-8")
        for span in reversed(old[shared_count(old, new) :])
    ]
