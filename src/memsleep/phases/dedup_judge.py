"""What dedup thinks of a keeper and a memory that might be dropped for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from posixpath import splitext

from memsleep.guards import POLICY
from memsleep.model import Memory, Pair, Snapshot
from memsleep.nights import same_night
from memsleep.phases.carry import holds_code, same_words, unsaid
from memsleep.phases.recall import Pairs, content_in, content_of
from memsleep.settings import Settings
from memsleep.text import sentences, word_total

UNKNOWN_AGE = "9999"  # sorts after every instant: a memory of unknown age never counts as older
NO_THRESHOLD = -1.0
REJECTED = "a person said no, and none of its files has changed since"


def age_key(memory: Memory) -> tuple[str, str]:
    """Return the key by which memories are ordered from old to young."""
    return memory.created or UNKNOWN_AGE, memory.path


def keeper_key(memory: Memory) -> tuple[str, str, str]:
    """Return the key whose least memory is kept: the older, on a tie the one of the plainer name.

    Names are compared without their endings, for `Deep Work.md` was there before
    `Deep Work (copy).md`, though a blank sorts before the dot.
    """
    return memory.created or UNKNOWN_AGE, splitext(memory.path)[0], memory.path


def question_of(paths: Iterable[str]) -> tuple[str, ...]:
    """Return what is asked of two memories, as answers to it are remembered."""
    return ("pair", *sorted(paths))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What would happen to a keeper and a memory that might be dropped for it."""

    outcome: str
    """`merge`, `review` or `refuse`."""
    cause: str = ""
    reason: str = ""
    carry: tuple[str, ...] = ()
    vetoes: tuple[tuple[str, str], ...] = ()
    """(guard, reason) of every guard that fired, in the order of the settings."""


class Judge:
    """Verdicts on pairs under one snapshot and its settings."""

    def __init__(self, snapshot: Snapshot, settings: Settings) -> None:
        self.memories = snapshot.memories
        self._files = snapshot.files
        self._answered = snapshot.rejected
        self._section = settings.dedup
        self._threshold = settings.dedup.threshold
        self._similarity = {
            frozenset((p.source, p.target)): p.similarity for p in snapshot.candidates
        }
        self._pairs = Pairs(snapshot.known, snapshot.files, settings.dedup.guards)
        self._known = snapshot.known
        self._keys = {m.path: content_of(m, self._known) for m in snapshot.active()}
        self._copies = Counter(self._keys.values())
        # Nothing else is ever asked of those.
        self._copies.update(content_in(m.gist, m.body) for m in _gone_tonight(snapshot))

    def oriented(self, pair: Pair) -> tuple[Memory, Memory]:
        """Return (keeper, dropped) by `keeper_key`."""
        a, b = self.memories[pair.source], self.memories[pair.target]
        return (a, b) if keeper_key(a) <= keeper_key(b) else (b, a)

    def verdict(self, keeper: Memory, dropped: Memory) -> Verdict:
        """Hold one memory against its keeper: files, guards, copies, details, in this order.

        What a person said no to is no merge: else it would take the place of another one.
        """
        found = self._verdict(keeper, dropped)
        if found.outcome == "merge" and question_of((keeper.path, dropped.path)) in self._answered:
            return Verdict("refuse", "rejected", REJECTED)
        return found

    def _verdict(self, keeper: Memory, dropped: Memory) -> Verdict:
        for memory in (keeper, dropped):
            if memory.read_only:
                return Verdict(
                    "refuse", "read-only", f"one file cannot be edited: {memory.read_only}"
                )
        vetoes = self._pairs.vetoes(keeper, dropped)
        if vetoes:
            return self._vetoed(vetoes)
        if not self._is_near(keeper, dropped):
            return Verdict("refuse", "threshold", "the similarity does not exceed the threshold")
        secret = self._pairs.secret(dropped)
        if secret:  # merging copies text into another file
            return Verdict("review", "secret", f"one holds a secret ({secret}); take it out first")
        doubt = self._doubtful_copy(keeper, dropped)
        if doubt is not None:
            return doubt
        if content_of(keeper, self._known) == self._keys[dropped.path]:
            exact = same_words(keeper.body, dropped.body)
            if exact or not holds_code(self._source(keeper) + self._source(dropped)):
                return self._equal(keeper, dropped, exact=exact)
        return self._with_missing_details(keeper, dropped)

    def _doubtful_copy(self, keeper: Memory, dropped: Memory) -> Verdict | None:
        """Return why what is there to the letter may still be meant twice, or None.

        Who writes a thing again writes it differently; who records a thing that happened again,
        or fills in a template, writes the same. What a keeper takes over changes nothing here.
        """
        keys = [self._keys[memory.path] for memory in (keeper, dropped)]
        if not all(keys):
            return Verdict("refuse", "empty", "one of them says nothing")
        copies = max(self._copies[key] for key in keys)
        if copies > self._section.max_copies:
            return Verdict("review", "copies", f"{copies} equal copies look like a template")
        short = word_total(dropped.body) < self._section.min_words
        if short and _stands_in(keeper, dropped) and self._written_alike(keeper, dropped):
            return Verdict("review", "short", "the same few words may be meant twice")
        return None

    def _written_alike(self, keeper: Memory, dropped: Memory) -> bool:
        """Return False where the same words are marked up differently: nobody copied them."""
        if keeper.dialect == "memhtml" or dropped.dialect == "memhtml":
            return True
        one, other = (_below_head(self._source(memory)) for memory in (keeper, dropped))
        return not one or not other or one == other

    def _source(self, memory: Memory) -> bytes:
        return self._files.get(memory.path, b"")

    def _is_near(self, keeper: Memory, dropped: Memory) -> bool:
        """Return True above the threshold; a pair that is no candidate has no similarity."""
        near = self._similarity.get(frozenset((keeper.path, dropped.path)), NO_THRESHOLD)
        return near > self._threshold or self._threshold == NO_THRESHOLD

    def _vetoed(self, vetoes: Sequence[tuple[str, str]]) -> Verdict:
        names = [name for name, _ in vetoes]
        reason = "; ".join(reason for _, reason in vetoes)
        outcome = "refuse" if POLICY.intersection(names) else "review"
        return Verdict(outcome, names[0], reason, vetoes=tuple(vetoes))

    def _equal(self, keeper: Memory, dropped: Memory, *, exact: bool) -> Verdict:
        doubt = unsaid(keeper, dropped)
        if doubt:
            return Verdict("review", "details", doubt)
        told = "they say the same, word for word" if exact else "they say the same"
        return Verdict("merge", reason=told)

    def _with_missing_details(self, keeper: Memory, dropped: Memory) -> Verdict:
        details = self._pairs.details(keeper, dropped)
        if details.doubt:
            return Verdict("review", "details", details.doubt)
        if not details.sentences:
            return Verdict("merge", reason="the keeper says all that the other says")
        count = len(details.sentences)
        told = "1 sentence is" if count == 1 else f"{count} sentences are"
        return Verdict(
            "merge", reason=f"the claims agree; {told} carried over", carry=details.sentences
        )


def _gone_tonight(snapshot: Snapshot) -> Iterable[Memory]:
    """Return the archived memories that copies are counted among as well.

    After an archiving earlier this night that is all of them: that a copy expired is no reason to
    merge the others in the same night. Else none.
    """
    if any(same_night(instant, snapshot.now) for instant in snapshot.past_archives):
        return (memory for memory in snapshot.memories.values() if memory.archived)
    return ()


def _below_head(source: bytes) -> bytes:
    """Return what stands below the front matter, white space collapsed."""
    if source.startswith(b"---"):
        source = source.split(b"\n---", 1)[-1]
    return b" ".join(source.split())


def _stands_in(keeper: Memory, dropped: Memory) -> bool:
    """Return True when every sentence of one memory is one of the other, to the letter."""
    if same_words(keeper.body, dropped.body):
        return True
    held = set(sentences(keeper.body))
    return all(sentence in held for sentence in sentences(dropped.body))
