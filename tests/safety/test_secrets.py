# ruff: noqa: E501 (tokens are as long as their makers make them)
from __future__ import annotations

import base64
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memsleep.safety import find_secrets, holds_secret, masked
from memsleep.safety.secret_forms import FORMS, Form
from memsleep.safety.secrets import SHORTEST, _matches


def _jwt(header: dict[str, str]) -> str:
    head = base64.urlsafe_b64encode(json.dumps(header).encode()).decode().rstrip("=")
    return f"{head}.eyJzdWIiOiJhbGljZSIsImlhdCI6MTV9.Qm9iQW5kQWxpY2VXZW50VG9TZWE4OTEy"


def _key(kind: str) -> str:
    lines = [
        "MIIEowIBAAKCAQEAx7Gd0Yb9ZkPq2LfQw8sVtHnJc5RmUoEy",
        "kT3vWzXaBd6CgFhIjKlMnOpQrStUvWxYz01" * 2,
    ]
    return "\n".join(
        [f"-----BEGIN {kind}PRIVATE KEY-----", *lines, f"-----END {kind}PRIVATE KEY-----"]
    )


# Built from parts, so that no scanner takes this file for a leak.
SECRETS = [
    ("aws-access-key", "AKIA" + "QYLPMN5HFIQR7XYA"),
    ("aws-secret-key", "aws_secret_access_key = " + "wJalrXUtnFEMI/K7MDENG/bPxRfiCYQzTBvnLpKd"),
    ("github-token", "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"),
    ("github-token", "github_pat_" + "11ABCDEFG0aB3dE6gH9jK2" + "_" + "q" * 20 + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6uvw"),
    ("gitlab-token", "glpat-" + "Zx8Kq2Lm9Wp4Rt7Yv1Bn"),
    ("slack-token", "xoxb-" + "2345678901-2345678901234-" + "QbRdEfGhIjKlMnOpQrStUvWx"),
    ("slack-webhook", "https://hooks.slack.com/services/" + "T02A7BQ9D/B03C8DR2E/" + "Jk4Lm7Np2Qr5St8Uv1Wx3Yz6"),
    ("anthropic-key", "sk-ant-api03-" + "Ab3De6Gh9Jk2Mn5Pq8St1Vw4Yz7" * 3 + "QQAA"),
    ("openai-key", "sk-proj-" + "Ab3De6Gh9Jk2Mn5Pq8St1Vw4Yz7Bc0Ef3Hj6Lm9Qr"),
    ("google-api-key", "AIza" + "SyB7xQ2mK9pLw4RtY6uN1vCe8HsJd3FgZaT"),
    ("stripe-key", "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"),
    ("sendgrid-key", "SG." + "Ab3De6Gh9Jk2Mn5Pq8St1V" + "." + "Ab3De6Gh9Jk2Mn5Pq8St1Vw4Yz7Bc0Ef3Hj6Lm9Np2Q"),
    ("npm-token", "npm_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"),
    ("hugging-face-token", "hf_" + "qBrDeFgHiJkLmNoPqRsTuVwXyZqbCdEfGh"),
    ("telegram-token", "583920174:AA" + "Hk3Lm6Np9Qr2St5Uv8Wx1Yz4Ab7Cd0Ef3"),
    ("jwt", _jwt({"alg": "HS256", "typ": "JWT"})),
    ("url-password", "postgres://larkfield:" + "t0mat0-Vine77@db.example.org/garden"),
    ("private-key", _key("RSA ")),
    ("private-key", _key("OPENSSH ")),
    ("private-key", _key("")),
]  # fmt: skip
HARMLESS = [
    "3f786850e387550fdab836ed7e6dc881de23001b",
    "sha256:701e2eb3dd50f790b7b16b403a2719d8da21799f2043edb0f77e7ca2b50e38a8",
    "123e4567-e89b-12d3-a456-426614174000",
    "AKIAIOSFODNN7EXAMPLE",
    "the key AKIA begins every access key of that vendor",
    "AKIA" + "QYLPMN5HFIQR7XYA" + "9more",
    "ghp_" + "x" * 36,
    "ghp_your-token-here",
    "ghp_short",
    "sk-ant-...",
    "sk_test_4eC39HqLyjWDarjtT1zdp7dc",
    "task-SK12 of the board",
    "eyJhbGciOi.eyJzdWIi.short",
    "eyJub3Rqc29u" + "Zm9v.eyJzdWIiOiJhbGljZSIsImlhdCI6MTV9.Qm9iQW5kQWxpY2VXZW50VG9TZWE4OTEy",
    _jwt({"typ": "JWT"}),
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA\n-----END PUBLIC KEY-----",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    "postgres://user:password@localhost/db",
    "postgres://user:${DB_PASSWORD}@localhost/db",
    "https://example.org/a:b@c",
    "mail bob@example.org at 10:30",
    "c3ab8ff13720e8ad9047dd39466b3c8974e592c2fa383d4a3960714caef0c4f2",
    "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4",
]


@pytest.mark.parametrize(("kind", "text"), SECRETS, ids=[kind for kind, _ in SECRETS])
def test_secrets_are_found(kind: str, text: str) -> None:
    """Each form is found once, in running text, with its kind."""
    hits = list(find_secrets(f"Use {text} for it.\n"))
    assert [hit.kind for hit in hits] == [kind]
    assert hits[0].end <= len(f"Use {text}")


@pytest.mark.parametrize("text", HARMLESS)
def test_harmless_text_is_none(text: str) -> None:
    """Hashes, ids, placeholders and documented examples are no secrets."""
    assert list(find_secrets(f"See {text} there.")) == []


@pytest.mark.parametrize(("kind", "text"), SECRETS, ids=[kind for kind, _ in SECRETS])
def test_masking_leaves_nothing_of_it(kind: str, text: str) -> None:
    """A masked text holds no secret, and is as long, line for line, as before."""
    source = f"before {text} after\nnext"
    hit = next(find_secrets(source))
    shown = masked(source)
    assert not holds_secret(shown)
    assert source[hit.start : hit.end] not in shown
    assert [len(line) for line in shown.split("\n")] == [len(line) for line in source.split("\n")]


@given(st.text(max_size=300))
def test_any_text_can_be_scanned(text: str) -> None:
    """Hits are in order, inside the text and apart from each other."""
    reached = 0
    for hit in find_secrets(text):
        assert reached <= hit.start < hit.end <= len(text)
        reached = hit.end


def test_a_hostile_text_takes_no_time() -> None:
    """Repeated beginnings do not make the scan slow: it must end well within the test's patience."""
    for start in ("eyJ", "-----BEGIN PRIVATE KEY-----\n", "https://a:b", "AccountKey=", "xoxb-1-"):
        assert list(find_secrets(start * 3_000)) == []


# One pattern of all forms, as a reader would write it; the scanner asks for them one by one.
_TOKENS = "|".join(form.pattern for form in FORMS if form.kind != "url-password")
_URLS = next(form.pattern for form in FORMS if form.kind == "url-password")
_WHOLE = re.compile(f"(?<![A-Za-z0-9])(?:(?<!_)(?:{_TOKENS})|(?:{_URLS}))")
PIECES = st.sampled_from(
    [*(secret for _, secret in SECRETS), *HARMLESS, " ", " ", ", ", "_", "x", "\n", "AKIA", "sk-",
     "://", "@", "pat", "SECRET", "-----BEGIN PRIVATE KEY-----", "https://a:b0ttle@c.example"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=8).map("".join))
def test_forms_one_by_one_find_what_all_at_once_find(text: str) -> None:
    one_by_one = [match.span() for _, match in _matches(text)]
    assert one_by_one == [match.span() for match in _WHOLE.finditer(text)]


@pytest.mark.parametrize("name", ["AWS_SECRET_ACCESS_KEY", "aws_Secret_Key", "AwsSecretAccessKey"])
def test_a_name_in_any_case(name: str) -> None:
    value = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYQzTBvnLpKd"
    assert [hit.kind for hit in find_secrets(f"{name}: {value}")] == ["aws-secret-key"]


@pytest.mark.parametrize("form", FORMS, ids=[form.kind for form in FORMS])
def test_no_form_matches_less_than_the_shortest(form: Form) -> None:
    """A shorter text is not searched: the least that a pattern matches is asked of `re` itself."""
    parsed = re._parser.parse(form.pattern)  # type: ignore[attr-defined]
    assert parsed.getwidth()[0] >= SHORTEST
