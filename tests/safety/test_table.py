"""More than a hundred secrets that must block, and more than a hundred look-alikes that must not.

The secrets are made by their makers' forms from a digest, so that no file here holds one.
"""

from __future__ import annotations

import base64
import hashlib
import json
import string
import uuid

import pytest

from memsleep.safety import find_secrets, masked
from memsleep.safety.exits import clearance
from usage_kit import memory

ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
UPPER = string.ascii_uppercase + string.digits
BASE32 = string.ascii_uppercase + "234567"
URL = ALNUM + "-_"
DIGITS = string.digits
BECH = "023456789ACDEFGHJKLMNPQRSTUVWXYZ"


def made(seed: str, length: int, alphabet: str = ALNUM) -> str:
    """Return characters that look random and are the same everywhere."""
    bits, number = "", 0
    while len(bits) < length:
        digest = hashlib.sha256(f"{seed}/{number}".encode()).digest()
        bits += "".join(alphabet[byte % len(alphabet)] for byte in digest)
        number += 1
    return bits[:length]


def encoded(value: object) -> str:
    text = json.dumps(value) if not isinstance(value, str) else value
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def forms(seed: str) -> list[tuple[str, str]]:
    """Return (kind, secret) for every form that the scanner knows."""

    def m(length: int, alphabet: str = ALNUM) -> str:
        return made(f"{seed}:{length}:{alphabet[:3]}", length, alphabet)

    key = "\n".join(m(64, ALNUM + "+/") for _ in range(6))
    jwt = ".".join((encoded({"alg": "HS256", "typ": "JWT"}), encoded({"sub": m(12)}), m(43, URL)))
    return [
        ("aws-access-key", "AKIA" + m(16, BASE32)),
        ("aws-access-key", "ASIA" + m(16, BASE32)),
        ("aws-secret-key", "aws_secret_access_key = " + m(40, ALNUM + "/+")),
        ("github-token", "ghp_" + m(36)),
        ("github-token", "gho_" + m(36)),
        ("github-token", "ghs_" + m(36)),
        ("github-token", "github_pat_" + m(22) + "_" + m(59)),
        ("gitlab-token", "glpat-" + m(20, URL)),
        ("gitlab-token", "glrt-" + m(20, URL)),
        ("slack-token", "xoxb-" + m(12, DIGITS) + "-" + m(12, DIGITS) + "-" + m(24)),
        ("slack-token", "xoxp-" + m(11, DIGITS) + "-" + m(11, DIGITS) + "-" + m(32, HEX)),
        (
            "slack-webhook",
            "https://hooks.slack.com/services/T" + m(8, UPPER) + "/B" + m(8, UPPER) + "/" + m(24),
        ),
        ("discord-webhook", "https://discord.com/api/webhooks/" + m(18, DIGITS) + "/" + m(68, URL)),
        ("anthropic-key", "sk-ant-api03-" + m(95, URL)),
        ("openai-key", "sk-proj-" + m(64, URL)),
        ("openai-key", "sk-" + m(20) + "T3BlbkFJ" + m(20)),
        ("openrouter-key", "sk-or-v1-" + m(64, HEX)),
        ("groq-key", "gsk_" + m(52)),
        ("xai-key", "xai-" + m(80)),
        ("replicate-token", "r8_" + m(37)),
        ("perplexity-key", "pplx-" + m(48)),
        ("nvidia-key", "nvapi-" + m(64, URL)),
        ("google-api-key", "AIza" + m(35, URL)),
        ("google-oauth-secret", "GOCSPX-" + m(28, URL)),
        ("google-oauth-token", "ya29." + m(60, URL)),
        ("stripe-key", "sk_live_" + m(24)),
        ("stripe-key", "rk_live_" + m(24)),
        ("stripe-webhook-secret", "whsec_" + m(32)),
        ("twilio-key", "SK" + m(32, HEX)),
        ("sendgrid-key", "SG." + m(22, URL) + "." + m(43, URL)),
        ("mailgun-key", "key-" + m(32, HEX)),
        ("mailchimp-key", m(32, HEX) + "-us12"),
        ("npm-token", "npm_" + m(36)),
        ("pypi-token", "pypi-AgEIcHlwaS5vcmc" + m(80, URL)),
        ("hugging-face-token", "hf_" + m(34, string.ascii_letters)),
        ("digitalocean-token", "dop_v1_" + m(64, HEX)),
        ("shopify-token", "shpat_" + m(32, HEX)),
        ("linear-key", "lin_api_" + m(40)),
        ("notion-token", "ntn_" + m(11, DIGITS) + m(35)),
        ("databricks-token", "dapi" + m(32, HEX)),
        ("vault-token", "hvs." + m(60, URL)),
        ("grafana-token", "glsa_" + m(32) + "_" + m(8, HEX)),
        ("docker-token", "dckr_pat_" + m(27, URL)),
        ("terraform-token", m(14) + ".atlasv1." + m(64, URL)),
        ("telegram-token", m(9, "123456789") + ":AA" + m(33, URL)),
        ("azure-storage-key", "AccountKey=" + m(86, ALNUM + "+/") + "=="),
        ("age-key", "AGE-SECRET-KEY-1" + m(58, BECH)),
        ("rubygems-key", "rubygems_" + m(48, HEX)),
        ("supabase-token", "sbp_" + m(40, HEX)),
        ("figma-token", "figd_" + m(40, URL)),
        ("postman-key", "PMAK-" + m(24, HEX) + "-" + m(34, HEX)),
        ("atlassian-token", "ATATT3" + m(186, URL)),
        ("new-relic-key", "NRAK-" + m(27, UPPER)),
        ("sentry-token", "sntrys_eyJ" + m(90)),
        ("doppler-token", "dp.pt." + m(43)),
        ("square-token", "sq0csp-" + m(43, URL)),
        ("airtable-token", "pat" + m(14) + "." + m(64, HEX)),
        ("contentful-token", "CFPAT-" + m(43, URL)),
        ("planetscale-token", "pscale_tkn_" + m(43)),
        ("dynatrace-token", "dt0c01." + m(24, UPPER) + "." + m(64, UPPER)),
        ("pulumi-token", "pul-" + m(40, HEX)),
        ("netlify-token", "nfp_" + m(36)),
        ("alibaba-key", "LTAI" + m(20)),
        ("jwt", jwt),
        ("url-password", "postgres://shop:" + m(16) + "@db.shop.internal:5432/orders"),
        ("private-key", f"-----BEGIN RSA PRIVATE KEY-----\n{key}\n-----END RSA PRIVATE KEY-----"),
        (
            "private-key",
            f"-----BEGIN OPENSSH PRIVATE KEY-----\n{key}\n-----END OPENSSH PRIVATE KEY-----",
        ),
    ]


SECRETS = [
    *(
        (kind, f"The nightly job logs in with {secret}, since Monday.")
        for kind, secret in forms("one")
    ),
    *((kind, f'{{"token": "{secret}"}}') for kind, secret in forms("two")),
]
DIGEST = hashlib.sha256(b"x").hexdigest()
LOOK_ALIKES = [
    *(hashlib.sha1(f"commit {n}".encode()).hexdigest() for n in range(12)),
    *(hashlib.sha1(f"short {n}".encode()).hexdigest()[:7] for n in range(6)),
    *(hashlib.sha256(f"file {n}".encode()).hexdigest() for n in range(12)),
    *(f"sha256:{hashlib.sha256(f'image {n}'.encode()).hexdigest()}" for n in range(6)),
    *(hashlib.md5(f"etag {n}".encode()).hexdigest() for n in range(8)),
    *(str(uuid.uuid5(uuid.NAMESPACE_URL, f"https://example.org/{n}")) for n in range(12)),
    *(
        base64.b64encode(hashlib.sha512(f"integrity {n}".encode()).digest()).decode()
        for n in range(4)
    ),
    *(
        f"sha512-{base64.b64encode(hashlib.sha512(f'lock {n}'.encode()).digest()).decode()}"
        for n in range(4)
    ),
    *(f"[m:{hashlib.sha256(f'{n}.md'.encode()).hexdigest()[:8]}]" for n in range(4)),
    "AKIAIOSFODNN7EXAMPLE",
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "ghp_" + "0" * 36,
    "ghp_short",
    "glpat-your-token-goes-here0",
    "sk-ant-api03-...",
    "sk-proj-...",
    "sk-" + "x" * 48,
    "sk_test_" + made("stripe test", 24),
    "pk_live_" + made("stripe public", 24),
    "pk_test_" + made("stripe public test", 24),
    "AIza-your-key",
    "AIza" + "x" * 35,
    "xoxb-your-bot-token",
    "xoxb-" + "*" * 30,
    "https://hooks.slack.com/services/T000/B000/XXXX",
    "npm_" + "x" * 36,
    "hf_" + "x" * 34,
    "SG.placeholder.placeholder",
    "key-value store",
    "key-0123",
    "AC" + made("account sid", 32, HEX),
    "postgres://user:password@localhost/db",
    "postgres://localhost:5432/orders",
    "postgres://shop@db.internal/orders",
    "https://example.org/@somebody/post",
    "https://user@example.org:8080/path",
    "mysql://root:<password>@db.example.org/x",
    "redis://:$REDIS_PASSWORD@cache.internal:6379",
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----\n" + made("cert", 64) + "\n-----END CERTIFICATE-----",
    "-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + made("public", 43) + " shop@host",
    "ssh-rsa AAAAB3NzaC1yc2E" + made("public rsa", 300, ALNUM + "+/"),
    "eyJ is how a JWT begins",
    "eyJhbGciOiJIUzI1NiJ9",
    "a.b.c",
    "data:image/png;base64," + made("png", 120, ALNUM + "+/") + "==",
    "SKU-" + made("sku", 12, UPPER),
    "The npm_config_registry variable is set in CI.",
    "hf_hub_download(repo_id, filename) caches by default.",
    "pypi-publish is the name of the job.",
    "shpat is the prefix of Shopify's tokens.",
    "token = os.environ['GITHUB_TOKEN']",
    "Authorization: Bearer $TOKEN",
    "password: (in the vault)",
    "passwords rotate every ninety days",
    "api_key = <your key>",
    "arn:aws:iam::123456789012:role/deploy",
    "i-0abcd1234efgh5678",
    "vpc-0a1b2c3d4e5f67890",
    "4111 1111 1111 1111",
    "DE89 3704 0044 0532 0130 00",
    "urn:isbn:9780306406157",
    "1Z999AA10123456784",
    "0x" + DIGEST[:40],
    "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKS9Zg",
    "v1.27.3-gke.1700",
    "deadbeef" * 8,
    "patience",
    "pull-request 12345",
    "rubygems_version: 3.4",
]


def test_the_tables_are_as_long_as_promised() -> None:
    """At least 100 of each, none twice."""
    assert len(set(SECRETS)) == len(SECRETS) >= 100
    assert len(set(LOOK_ALIKES)) == len(LOOK_ALIKES) >= 100


@pytest.mark.parametrize(("kind", "text"), SECRETS)
def test_a_secret_blocks_its_memory(kind: str, text: str) -> None:
    """The kind is told, the memory is withheld, and nothing of the secret survives masking."""
    found = list(find_secrets(text))
    assert [hit.kind for hit in found] == [kind]
    assert clearance(memory("a.md", "A claim.", body=text)).secret == kind
    secret = text[found[0].start : found[0].end]
    assert secret not in masked(text)


@pytest.mark.parametrize("text", LOOK_ALIKES)
@pytest.mark.parametrize("frame", ["{}", "See {} for more.", "`{}`", "a={}\n"])
def test_a_look_alike_does_not(text: str, frame: str) -> None:
    """Ids, hashes, public keys, placeholders and documented keys are ordinary text."""
    assert list(find_secrets(frame.format(text))) == []
