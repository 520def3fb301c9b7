from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embedder_kit import memory
from memsleep.embedders import hashgram
from memsleep.embedders.hashgram import Hashgram

TEXTS = [
    "",
    "   \n\t ",
    "a",
    "The job retries 3 times",
    "THE  JOB\nretries 3 times",
    "部署步骤是安全的",
    "デプロイは安全です",
    "배포는 안전하다",
    "Le déploiement est sûr",
    "🚀 ship it",
    "x" * 40_000,
    "word " * 2_000,
]
BITS = {
    "The job retries 3 times": "b5270ae4c20ac6f7",
    "部署步骤是安全的": "381e9943edf0e7e8",
    "Le déploiement est sûr": "d21aa3e773d016b6",
    "🚀 ship it": "55dfdf3387fa1335",
    "a": "cada0805d2933c45",
    "": "e5a00aa9991ac8a5",
}
ALL_BITS = "db80fd5c94ec4e63250da590398e92b9f8adc654f8bc686cbf398ab1cf58287b"
SCRIPT = """
import hashlib, json, sys
from memsleep.embedders.hashgram import Hashgram
rows = Hashgram().embed(json.loads(sys.stdin.read()))
print(hashlib.sha256(rows.astype("<f4").tobytes()).hexdigest())
"""


def bits(text: str) -> str:
    return hashlib.sha256(Hashgram().embed([text]).astype("<f4").tobytes()).hexdigest()


def cosine(left: str, right: str) -> float:
    rows = Hashgram().embed([left, right]).astype(np.float64)
    return float(rows[0] @ rows[1])


@pytest.mark.parametrize(("text", "expected"), BITS.items())
def test_bits(text: str, expected: str) -> None:
    """A text has these bits on every machine, or the identity must change."""
    assert bits(text)[:16] == expected


@pytest.mark.parametrize("environment", [{"PYTHONHASHSEED": "1"}, {"OPENBLAS_NUM_THREADS": "1"}])
def test_bits_in_another_process(environment: dict[str, str]) -> None:
    """Neither the hash seed nor the number of threads reaches a vector."""
    found = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=json.dumps(TEXTS),
        env={"PYTHONPATH": os.pathsep.join(sys.path), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == ALL_BITS


def test_shape_and_type() -> None:
    """Rows are float32, one per text, 512 wide; none for no text."""
    rows = Hashgram().embed(TEXTS)
    assert (rows.shape, rows.dtype) == ((len(TEXTS), 512), np.float32)
    assert Hashgram().embed([]).shape == (0, 512)


def test_lengths() -> None:
    """A text with words has unit length, one without is all zero."""
    lengths = np.linalg.norm(Hashgram().embed(TEXTS).astype(np.float64), axis=1)
    assert lengths[:2].tolist() == [0.0, 0.0]
    assert lengths[2:] == pytest.approx(1.0, abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=60), max_size=8), st.integers(1, 4), st.integers(1, 200))
def test_batches_do_not_matter(texts: list[str], batch_texts: int, batch_bytes: int) -> None:
    """A text gives the same bits alone, in company, and at every batch size."""
    alone = [Hashgram().embed([text])[0] for text in texts]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hashgram, "BATCH_TEXTS", batch_texts)
        patch.setattr(hashgram, "BATCH_BYTES", batch_bytes)
        together = Hashgram().embed(texts)
    assert [row.tobytes() for row in together] == [row.tobytes() for row in alone]


def naive_counts(text: str) -> list[int]:
    """Return the counts as the docstring tells them, gram by gram."""
    words = unicodedata.normalize("NFC", text[:32_768]).lower().split()
    data = f" {' '.join(words)} ".encode("utf-8", "surrogatepass") if words else b""
    grams = {
        data[start : start + length]
        for length in (3, 4, 5)
        for start in range(len(data) - length + 1)
        if data[start] & 0xC0 != 0x80
    }
    hashes = {mix(int.from_bytes(gram, "big") | len(gram) << 40) >> 40 for gram in grams}
    counts = [0] * 512
    for number in hashes:
        counts[number >> 15] += -1 if number >> 14 & 1 else 1
    return counts


def mix(number: int) -> int:
    number ^= number >> 30
    number = number * 0xBF58476D1CE4E5B9 % 2**64
    number ^= number >> 27
    number = number * 0x94D049BB133111EB % 2**64
    return number ^ number >> 31


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80))
def test_counts_as_told(text: str) -> None:
    """The arrays compute what a plain loop over the grams computes, bit for bit."""
    counts = naive_counts(text)
    length = np.sqrt(np.float64(max(sum(count * count for count in counts), 1)))
    expected = (np.array(counts, np.float64) / length).astype(np.float32)
    assert Hashgram().embed([text])[0].tobytes() == expected.tobytes()


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param("Use UTF-8", "use utf-8", id="case"),
        pytest.param("one two", " one\n\ttwo ", id="white space"),
        pytest.param("caf\u00e9", "cafe\u0301", id="composition"),
        pytest.param("a b", "a\u00a0b", id="no-break space"),
        pytest.param("x" * 32_768 + "tail", "x" * 32_768 + "other", id="behind the limit"),
    ],
)
def test_same_normal_form(left: str, right: str) -> None:
    """What the normal form drops does not reach the vector."""
    assert bits(left) == bits(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param("3 retries", "4 retries", id="digit"),
        pytest.param("abc", "cba", id="order"),
        pytest.param("ab", "abab", id="repeated"),
        pytest.param("cafe", "caf\u00e9", id="accent"),
        pytest.param("好", "你", id="ideograph"),
        pytest.param("x" * 32_767 + "y", "x" * 32_768, id="before the limit"),
    ],
)
def test_other_bits(left: str, right: str) -> None:
    """What the normal form keeps does reach it."""
    assert bits(left) != bits(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The timeout is 30s", "The timeout is 30 s"),
        ("Retry three times before giving up", "Retry 3 times before giving up"),
        ("The service does not retry", "The service doesn't retry"),
        ("The nightly job runs at 02:00 UTC", "the nightly job runs at 2:00 UTC"),
        ("备份每天凌晨两点运行", "备份每天凌晨2点运行"),
    ],
)
def test_duplicates_clear_the_floor(left: str, right: str) -> None:
    """Two tellings of one short claim are candidates."""
    floors = Hashgram.floors
    assert floors is not None
    assert cosine(left, right) >= floors.duplicate


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The bucket lives in eu-west", "Her favourite colour is purple"),
        ("Backups rotate weekly", "Port 8080 serves metrics"),
        ("部署步骤是安全的", "备份每天凌晨两点运行"),
        ("Costs are moderate in summer", "The deadline is October 15th"),
    ],
)
def test_strangers_stay_below_the_floors(left: str, right: str) -> None:
    """Claims about different things are neither candidates nor related."""
    floors = Hashgram.floors
    assert floors is not None
    assert cosine(left, right) < floors.mined < floors.duplicate


@pytest.mark.parametrize(
    ("gist", "body", "expected"),
    [
        ("", "All of it.", "All of it."),
        ("A claim.", "A claim. More.", "A claim. More."),
        ("A claim.", "More.", "A claim. More."),
        ("A claim.", "", "A claim. "),
    ],
)
def test_text_rule(gist: str, body: str, expected: str) -> None:
    """The gist is embedded once, whether the body holds it or not."""
    assert Hashgram().text_of(memory("a.md", body, gist=gist)) == expected
