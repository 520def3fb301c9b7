"""The records beside the mirror: decisions, forgets that are not done yet, where a sync stands.

A missing file is the empty record and reading it creates nothing. A line that is no record is
passed over, with one warning that names its number; rewriting keeps such lines as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memsleep.sync.folder import existing, made
from memsleep.sync.protocol import DecisionRecord, PendingForget, Scope, Value

DECISIONS, FORGETS, SYNC, MIRROR = (
    "decisions.jsonl",
    "pending-forgets.jsonl",
    "sync.json",
    "mirror.json",
)
SCHEMA_VERSION: Final = 1
Record = TypeVar("Record", bound=Value)
Warn = Callable[[str], None]


class Standing(BaseModel):
    """Where a sync stands: one provider, a cursor for each scope."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    schema_version: Literal[1] = SCHEMA_VERSION
    provider: str = ""
    cursor: Mapping[Scope, str] = Field(default_factory=dict)
    last_pull_at: str | None = None
    last_error: str | None = None


class Mirror(BaseModel):
    """What the corpus and the provider were last known to agree on: scope -> slug -> SHA-256."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    schema_version: Literal[1] = SCHEMA_VERSION
    known: Mapping[Scope, Mapping[str, str]] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Records:
    """The records in one folder. `warn` is told of each bad line once a reading."""

    path: Path
    warn: Warn

    def decisions(self) -> dict[str, DecisionRecord]:
        """Return id -> decision, the newest of each id, in the order of ids."""
        found: dict[str, DecisionRecord] = {}
        for record in self._lines(DECISIONS, DecisionRecord):
            known = found.get(record.id)
            if known is None or known.updated_at <= record.updated_at:
                found[record.id] = record
        return dict(sorted(found.items()))

    def add_decisions(self, news: Iterable[DecisionRecord]) -> int:
        """Take decisions over, an older one never over a newer; return how many are new."""
        known, taken = self.decisions(), []
        for record in news:
            old = known.get(record.id)
            if old is None or (old != record and old.updated_at <= record.updated_at):
                known[record.id] = record
                taken.append(record)
        if taken:
            self._write_lines(DECISIONS, DecisionRecord, [known[name] for name in sorted(known)])
        return len(taken)

    def forgets(self) -> tuple[PendingForget, ...]:
        """Return the forgets that a provider was asked for and has not done."""
        return tuple(self._lines(FORGETS, PendingForget))

    def add_forget(self, forget: PendingForget) -> None:
        """Remember a forget; one of the same client id is that forget."""
        known = [f for f in self.forgets() if f.client_id != forget.client_id]
        self._write_lines(FORGETS, PendingForget, [*known, forget])

    def end_forgets(self, *, client_id: str = "", key: tuple[Scope, str] | None = None) -> None:
        """Forget a forget: by its client id, or all of one scope and slug."""
        known = self.forgets()
        kept = [f for f in known if f.client_id != client_id and (f.scope, f.slug) != key]
        if len(kept) < len(known):
            self._write_lines(FORGETS, PendingForget, kept)

    def standing(self) -> Standing:
        """Return where the sync stands; what cannot be read is the empty record, with a warning."""
        return self._whole(SYNC, Standing)

    def put(self, standing: Standing) -> None:
        """Write down where the sync stands."""
        self._put(SYNC, standing)

    def mirror(self) -> Mirror:
        """Return what corpus and provider agree on."""
        return self._whole(MIRROR, Mirror)

    def put_mirror(self, mirror: Mirror) -> None:
        """Write down what corpus and provider agree on."""
        self._put(MIRROR, mirror)

    def agree(self, agreed: Mapping[tuple[Scope, str], str]) -> None:
        """Note the digests that are the same on both sides; empty for what is at neither."""
        before = self.mirror()
        known = {scope: dict(slugs) for scope, slugs in before.known.items()}
        for (scope, slug), digest in agreed.items():
            if digest:
                known.setdefault(scope, {})[slug] = digest
            else:
                known.get(scope, {}).pop(slug, None)
        after = Mirror(known={scope: dict(sorted(slugs.items())) for scope, slugs in known.items()})
        if after != before:
            self.put_mirror(after)

    # Files ------------------------------------------------------------------------------------

    def _read(self, name: str) -> bytes:
        folder = existing(self.path)
        if folder is None:
            return b""
        with folder:
            try:
                source = folder.read(name)
            except FileNotFoundError:
                return b""
        if source is None:
            self.warn(f"{name}: expected a file, found a link or what cannot be read: left alone")
            return b""
        return source

    def _lines(self, name: str, model: type[Record]) -> list[Record]:
        records, bad = _parse(self._read(name), model)
        for number, _ in bad:
            self.warn(f"{name}:{number}: it is no record and was passed over")
        return records

    def _write_lines(self, name: str, model: type[Record], records: Iterable[Record]) -> None:
        """Write records; the lines that are none are kept, before them."""
        _, bad = _parse(self._read(name), model)
        lines = [line for _, line in bad]
        lines += [record.model_dump_json().encode("utf-8") for record in records]
        with made(self.path) as folder:
            folder.write(name, b"".join(line + b"\n" for line in lines))

    _Whole = TypeVar("_Whole", Standing, Mirror)

    def _whole(self, name: str, model: type[_Whole]) -> _Whole:
        source = self._read(name)
        if not source:
            return model()
        try:
            return model.model_validate_json(source)
        except ValidationError:
            self.warn(f"{name}: it is no record and was passed over")
            return model()

    def _put(self, name: str, value: BaseModel) -> None:
        with made(self.path) as folder:
            folder.write(name, value.model_dump_json(indent=1).encode("utf-8") + b"\n")


def _parse(source: bytes, model: type[Record]) -> tuple[list[Record], list[tuple[int, bytes]]]:
    """Return the records of a file, and number and bytes of each line that is none."""
    records: list[Record] = []
    bad: list[tuple[int, bytes]] = []
    for number, line in enumerate(source.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            records.append(model.model_validate_json(line))
        except ValidationError:
            bad.append((number, line))
    return records, bad
