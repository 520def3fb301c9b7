"""A plan as JSON: whatever it holds is read back the same, bit for bit."""

from __future__ import annotations

import json
import struct

from hypothesis import example, given
from hypothesis import strategies as st

from memsleep.plan import Plan, PlannedChange, PlannedDecision, from_json, to_json

DIGEST = "0" * 64
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def _plan(evidence: dict[str, float | int | str], reason: str = "") -> Plan:
    change = PlannedChange(path=reason, action="edit", before=DIGEST, after=DIGEST)
    decision = PlannedDecision(
        id="0123456789ab", phase="decay", kind="set-field", paths=(reason,), reason=reason,
        evidence=evidence, changes=(change,),
    )  # fmt: skip
    return Plan(
        tool_version="0", run="sleep/2026-11-30", instant="2026-11-30T03:00:00Z", profile="careful",
        corpus_digest=DIGEST, source="folder", config_digest=DIGEST, embedder="none",
        decisions=(decision,),
    )  # fmt: skip


@given(st.floats(allow_nan=False, allow_infinity=False), TEXTS)
@example(5e-324, '\u2028\x7f\x00"\\')
@example(-0.0, "\u6708\u7403 \U0001f311")
@example(1e16, "")
@example(1e-7, "")
@example(0.1 + 0.2, "")
def test_numbers_and_texts_are_read_back(number: float, text: str) -> None:
    """By us, and by any other reader of JSON."""
    source = to_json(_plan({"similarity": number, "text": text}, text))
    plan = from_json(source, "plan.json")
    for found in (plan.decisions[0].evidence, json.loads(source)["decisions"][0]["evidence"]):
        assert struct.pack("<d", found["similarity"]) == struct.pack("<d", number)
        assert found["text"] == text
    assert plan.decisions[0].changes[0].path == text
    assert to_json(plan) == source


def test_one_value_a_line() -> None:
    """People read and compare it: UTF-8 as it is, keys in the model's order, LF at the end."""
    source = to_json(_plan({"near": 0.5}, "\u00e9t\u00e9.md"))
    assert b'\n   "reason": "\xc3\xa9t\xc3\xa9.md",\n' in source
    assert b'\n    "near": 0.5\n' in source
    assert source.startswith(b'{\n "schema_version": 1,\n "tool_version": ')
    assert source.endswith(b"]\n}\n")
    assert b"\r" not in source
