"""Find secrets in text: keys and tokens that their maker marks with a prefix, JWTs, private keys.

There is no guessing by entropy: commit ids, hashes and UUIDs are no secrets. A token counts only
in its maker's exact form; a placeholder (`ghp_xxxx...`) and the keys of vendors' documentation
do not. Every function is pure; none ever gives back the secret itself.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterator

from memsleep.safety.spans import Hit

_KEY_NAME = r"(?:(?:RSA|DSA|EC|OPENSSH|ENCRYPTED|PGP) )?PRIVATE KEY(?: BLOCK)?"
_PATTERNS: tuple[tuple[str, str], ...] = (
    ("aws-access-key", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}"),
    ("aws-secret-key", r"(?i:aws_?secret_?(?:access_?)?key)\W{1,8}(?P<aws>[A-Za-z0-9/+]{40})"),
    ("github-token", r"(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{36,251}"),
    ("github-token", r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"),
    ("gitlab-token", r"gl(?:pat|ptt|dt|rt|cbt|imt|ft|soat|agent)-[A-Za-z0-9_-]{20,64}"),
    ("slack-token", r"xox[abeoprs]-(?:[0-9A-Za-z]{1,16}-)+[0-9A-Za-z]{8,64}"),
    ("slack-token", r"xapp-[0-9]-[A-Z0-9]{8,16}-[0-9]{8,16}-[a-z0-9]{40,80}"),
    (
        "slack-webhook",
        r"https://hooks\.slack\.com/(?:services|workflows)/T[A-Z0-9]{6,12}/[A-Z0-9]{6,12}/[A-Za-z0-9]{16,32}",
    ),
    (
        "discord-webhook",
        r"https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/[A-Za-z0-9_-]{60,80}",
    ),
    ("anthropic-key", r"sk-ant-(?:api|admin|oat|ort)[0-9]{2}-[A-Za-z0-9_-]{80,128}"),
    ("openai-key", r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,200}"),
    ("openai-key", r"sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}"),
    ("google-api-key", r"AIza[A-Za-z0-9_-]{35}"),
    ("google-oauth-secret", r"GOCSPX-[A-Za-z0-9_-]{28}"),
    ("google-oauth-token", r"ya29\.[A-Za-z0-9_-]{40,250}"),
    ("stripe-key", r"(?:sk|rk)_live_[A-Za-z0-9]{24,128}"),
    ("stripe-webhook-secret", r"whsec_[A-Za-z0-9]{32,64}"),
    ("twilio-key", r"SK[0-9a-f]{32}"),
    ("sendgrid-key", r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"),
    ("mailgun-key", r"key-[0-9a-f]{32}"),
    ("mailchimp-key", r"[0-9a-f]{32}-us[0-9]{1,2}"),
    ("npm-token", r"npm_[A-Za-z0-9]{36}"),
    ("pypi-token", r"pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,1000}"),
    ("hugging-face-token", r"hf_[A-Za-z]{34}"),
    ("digitalocean-token", r"do[opr]_v1_[0-9a-f]{64}"),
    ("shopify-token", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    ("linear-key", r"lin_api_[A-Za-z0-9]{40}"),
    ("notion-token", r"(?:secret_[A-Za-z0-9]{43}|ntn_[0-9]{11}[A-Za-z0-9]{35})"),
    ("databricks-token", r"dapi[0-9a-f]{32}(?:-[0-9])?"),
    ("vault-token", r"hv[sbr]\.[A-Za-z0-9_-]{24,200}"),
    ("grafana-token", r"glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}"),
    ("docker-token", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,32}"),
    ("terraform-token", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,70}"),
    ("telegram-token", r"[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"),
    ("azure-storage-key", r"AccountKey=(?P<azure>[A-Za-z0-9+/]{86}==)"),
    ("age-key", r"AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}"),
    ("openrouter-key", r"sk-or-v1-[0-9a-f]{64}"),
    ("groq-key", r"gsk_[A-Za-z0-9]{52}"),
    ("xai-key", r"xai-[A-Za-z0-9]{80}"),
    ("replicate-token", r"r8_[A-Za-z0-9]{37}"),
    ("perplexity-key", r"pplx-[A-Za-z0-9]{48}"),
    ("nvidia-key", r"nvapi-[A-Za-z0-9_-]{64}"),
    ("rubygems-key", r"rubygems_[0-9a-f]{48}"),
    ("supabase-token", r"sbp_[0-9a-f]{40}"),
    ("figma-token", r"figd_[A-Za-z0-9_-]{40}"),
    ("postman-key", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    ("atlassian-token", r"ATATT3[A-Za-z0-9_=-]{180,200}"),
    ("new-relic-key", r"NRAK-[A-Z0-9]{27}"),
    ("sentry-token", r"sntrys_eyJ[A-Za-z0-9+/=_]{60,300}"),
    ("doppler-token", r"dp\.(?:pt|st|ct|sa)\.[A-Za-z0-9]{40,44}"),
    ("square-token", r"sq0(?:atp|csp)-[A-Za-z0-9_-]{22,43}"),
    ("airtable-token", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    ("contentful-token", r"CFPAT-[A-Za-z0-9_-]{43}"),
    ("planetscale-token", r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,64}"),
    ("dynatrace-token", r"dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    ("pulumi-token", r"pul-[0-9a-f]{40}"),
    ("netlify-token", r"nfp_[A-Za-z0-9]{36}"),
    ("alibaba-key", r"LTAI[A-Za-z0-9]{20}"),
    ("jwt", r"eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,8000}\.[A-Za-z0-9_-]{20,2000}"),
    (
        "url-password",
        (r"(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|redis|rediss|amqps?|ftp|https?)"
        r"://[^\s:/@<>\"'`]{1,64}:(?P<password>[^\s:/@<>\"'`]{6,128})@[A-Za-z0-9.-]{3,}"),
    ),
    ("private-key", f"-----BEGIN {_KEY_NAME}-----"),
)  # fmt: skip
_SIGNS = (
    "AKIA", "ASIA", "ABIA", "ACCA", "secret", "SECRET", "Secret", "ghp_", "gho_", "ghu_", "ghs_",
    "ghr_", "github_pat_", "glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "glimt-", "glft-",
    "glsoat-", "glagent-", "xox", "xapp-", "hooks.slack", "/api/webhooks/", "sk-", "AIza",
    "GOCSPX-", "ya29.", "_live_", "whsec_", "SK", "SG.", "key-", "-us", "npm_", "pypi-", "hf_",
    "_v1_", "shpat_", "shpca_", "shppa_", "shpss_", "lin_api_", "ntn_", "dapi", "hvs.", "hvb.",
    "hvr.", "glsa_", "dckr_", "atlasv1", ":AA", "AccountKey", "AGE-SECRET", "eyJ", "PRIVATE KEY",
    "gsk_", "xai-", "r8_", "pplx-", "nvapi-", "rubygems_", "sbp_", "figd_", "PMAK-", "ATATT3",
    "NRAK-", "sntrys_", "dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "sq0atp-", "sq0csp-", "pat",
    "CFPAT-", "pscale_", "dt0c01.", "pul-", "nfp_", "LTAI",
)  # fmt: skip
"""One of these, or `://` and `@`, stands in every secret: other texts need no further look."""
_NUMBERED = tuple(
    (kind, f"(?P<k{number}>{pattern})") for number, (kind, pattern) in enumerate(_PATTERNS)
)
_TOKENS = "|".join(pattern for kind, pattern in _NUMBERED if kind != "url-password")
_URLS = "|".join(pattern for kind, pattern in _NUMBERED if kind == "url-password")
# What may stand before is asked once for all patterns: most places in a text end there.
_ALL = re.compile(f"(?<![A-Za-z0-9])(?:(?<!_)(?:{_TOKENS})|(?:{_URLS}))")
_GROUPS = tuple((f"k{number}", kind) for number, (kind, _) in enumerate(_PATTERNS))
_AFTER = re.compile(r"[A-Za-z0-9_]")
_OPEN_ENDED = frozenset({"url-password", "private-key", "jwt", "pypi-token"})
_PLACEHOLDER = re.compile(
    r"(?i:example|sample|dummy|placeholder|redacted|your[-_]|changeme|insert|fake|xxxx|0000000"
    r"|1234567|abcdefgh|\.\.\.|\*\*\*)"
)
_PLACEHOLDER_PASSWORD = re.compile(
    r"(?i:pass(?:word|wd)?|secret|user(?:name)?|pw|token|key|example|changeme|your.*|x+|\*+"
    r"|<.*|\{.*|\$.*|%.*|\[.*)\d{0,3}\Z"
)
_DOCUMENTED = frozenset({"AKIAIOSFODNN7EXAMPLE", "AKIAI44QH8DHBEXAMPLE", "ASIAIOSFODNN7EXAMPLE"})
MIN_KEY_CHARACTERS, MAX_KEY_CHARACTERS = 64, 20_000
_KEY_END = re.compile(f"-----END {_KEY_NAME}-----")
_FEW = 5
"""A token made of fewer distinct characters than this is a placeholder."""


def find_secrets(text: str) -> Iterator[Hit]:
    """Yield the secrets of a text, in order; none overlaps another.

    Examples
    --------
    >>> [hit.kind for hit in find_secrets("key: AKIA" + "QYLPMN5HFIQR7XYA")]
    ['aws-access-key']
    >>> list(find_secrets("AKIAIOSFODNN7EXAMPLE, 3f786850e387550fdab836ed7e6dc881de23001b"))
    []
    """
    if not _has_sign(text):
        return
    for match in _ALL.finditer(text):
        kind = next(kind for group, kind in _GROUPS if match[group] is not None)
        start, end = _span(match, kind)
        value = text[start:end]
        if kind not in _OPEN_ENDED and _AFTER.match(text, end):
            continue  # longer than the maker's form: something else
        if _CHECKS.get(kind, _is_random)(value):
            yield Hit(kind, start, end)


def _has_sign(text: str) -> bool:
    for sign in _SIGNS:  # any() takes twice as long, and this is asked most
        if sign in text:
            return True
    return "://" in text and "@" in text


def holds_secret(text: str) -> bool:
    """Return True when a text holds a secret."""
    return next(find_secrets(text), None) is not None


def masked(text: str) -> str:
    """Return the text with every character of a secret replaced by an asterisk.

    Line ends stay, so that lines and columns still hold.
    """
    parts, at = [], 0
    for hit in find_secrets(text):
        parts += [text[at : hit.start], re.sub(r"[^\n]", "*", text[hit.start : hit.end])]
        at = hit.end
    return "".join((*parts, text[at:]))


def _span(match: re.Match[str], kind: str) -> tuple[int, int]:
    """Return the span of the secret itself, without the words that lead up to it."""
    if kind == "private-key":
        return match.start(), _end_of_key(match.string, match.end())
    group = {"aws-secret-key": "aws", "azure-storage-key": "azure", "url-password": "password"}
    return match.span(group[kind]) if kind in group else match.span()


def _end_of_key(text: str, start: int) -> int:
    """Return where a key block ends; where it begins when it has no proper end."""
    end = text.find("-----END ", start, start + MAX_KEY_CHARACTERS)
    closing = _KEY_END.match(text, end) if end >= 0 else None
    whole = closing is not None and "-----" not in text[start:end]
    return closing.end() if closing is not None and whole else start


def _is_random(value: str) -> bool:
    """Return False for a placeholder, which anybody may print."""
    if value in _DOCUMENTED or _PLACEHOLDER.search(value):
        return False
    longest = max(re.split(r"[_.-]", value), key=len)  # random parts hold these marks, too
    return len(set(longest)) >= _FEW


def _is_password(value: str) -> bool:
    return _PLACEHOLDER_PASSWORD.match(value) is None


def _is_jwt(value: str) -> bool:
    """Return True when the header decodes to JSON that names an algorithm."""
    header = value.partition(".")[0]
    try:
        decoded = json.loads(base64.urlsafe_b64decode(header + "=" * (-len(header) % 4)))
    except (binascii.Error, ValueError, RecursionError):
        return False
    return isinstance(decoded, dict) and isinstance(decoded.get("alg"), str)


def _is_key_block(value: str) -> bool:
    """Return False for a block without a body, or whose body is a placeholder."""
    body = value.partition("PRIVATE KEY")[2].partition("-----END")[0]
    return len(body) > MIN_KEY_CHARACTERS and "..." not in body and len(set(body)) > 20


_CHECKS: dict[str, Callable[[str], bool]] = {
    "url-password": _is_password,
    "jwt": _is_jwt,
    "private-key": _is_key_block,
}
