"""The forms of keys and tokens that their makers mark, each with what stands in every one of it."""

from __future__ import annotations

from typing import NamedTuple

KEY_NAME = r"(?:(?:RSA|DSA|EC|OPENSSH|ENCRYPTED|PGP) )?PRIVATE KEY(?: BLOCK)?"


class Form(NamedTuple):
    """One form of a secret."""

    kind: str
    signs: str
    """Pieces, blanks between them, of which one stands in every secret of this form; that of a
    private key holds a blank. Two forms have none: what stands in them is asked in `secrets`."""
    pattern: str


FORMS: tuple[Form, ...] = tuple(Form(*form) for form in (
    ("aws-access-key", "AKIA ASIA ABIA ACCA", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}"),
    ("aws-secret-key", "", r"(?i:aws_?secret_?(?:access_?)?key)\W{1,8}(?P<aws>[A-Za-z0-9/+]{40})"),
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{36,251}"),
    ("github-token", "github_pat_", r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"),
    ("gitlab-token", "glpat- glptt- gldt- glrt- glcbt- glimt- glft- glsoat- glagent-",
     r"gl(?:pat|ptt|dt|rt|cbt|imt|ft|soat|agent)-[A-Za-z0-9_-]{20,64}"),
    ("slack-token", "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs-",
     r"xox[abeoprs]-(?:[0-9A-Za-z]{1,16}-)+[0-9A-Za-z]{8,64}"),
    ("slack-token", "xapp-", r"xapp-[0-9]-[A-Z0-9]{8,16}-[0-9]{8,16}-[a-z0-9]{40,80}"),
    (
        "slack-webhook", "hooks.slack.com",
        r"https://hooks\.slack\.com/(?:services|workflows)/T[A-Z0-9]{6,12}/[A-Z0-9]{6,12}/[A-Za-z0-9]{16,32}",
    ),
    ("discord-webhook", "/api/webhooks/",
     r"https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/[A-Za-z0-9_-]{60,80}"),
    ("anthropic-key", "sk-ant-", r"sk-ant-(?:api|admin|oat|ort)[0-9]{2}-[A-Za-z0-9_-]{80,128}"),
    ("openai-key", "sk-proj- sk-svcacct- sk-admin-",
     r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,200}"),
    ("openai-key", "T3BlbkFJ", r"sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}"),
    ("google-api-key", "AIza", r"AIza[A-Za-z0-9_-]{35}"),
    ("google-oauth-secret", "GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{28}"),
    ("google-oauth-token", "ya29.", r"ya29\.[A-Za-z0-9_-]{40,250}"),
    ("stripe-key", "sk_live_ rk_live_", r"(?:sk|rk)_live_[A-Za-z0-9]{24,128}"),
    ("stripe-webhook-secret", "whsec_", r"whsec_[A-Za-z0-9]{32,64}"),
    ("twilio-key", "SK", r"SK[0-9a-f]{32}"),
    ("sendgrid-key", "SG.", r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"),
    ("mailgun-key", "key-", r"key-[0-9a-f]{32}"),
    ("mailchimp-key", "-us", r"[0-9a-f]{32}-us[0-9]{1,2}"),
    ("npm-token", "npm_", r"npm_[A-Za-z0-9]{36}"),
    ("pypi-token", "pypi-AgEIcHlwaS5vcmc", r"pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,1000}"),
    ("hugging-face-token", "hf_", r"hf_[A-Za-z]{34}"),
    ("digitalocean-token", "doo_v1_ dop_v1_ dor_v1_", r"do[opr]_v1_[0-9a-f]{64}"),
    ("shopify-token", "shpat_ shpca_ shppa_ shpss_", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    ("linear-key", "lin_api_", r"lin_api_[A-Za-z0-9]{40}"),
    ("notion-token", "secret_ ntn_", r"(?:secret_[A-Za-z0-9]{43}|ntn_[0-9]{11}[A-Za-z0-9]{35})"),
    ("databricks-token", "dapi", r"dapi[0-9a-f]{32}(?:-[0-9])?"),
    ("vault-token", "hvs. hvb. hvr.", r"hv[sbr]\.[A-Za-z0-9_-]{24,200}"),
    ("grafana-token", "glsa_", r"glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}"),
    ("docker-token", "dckr_pat_ dckr_oat_", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,32}"),
    ("terraform-token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,70}"),
    ("telegram-token", ":AA", r"[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"),
    ("azure-storage-key", "AccountKey=", r"AccountKey=(?P<azure>[A-Za-z0-9+/]{86}==)"),
    ("age-key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}"),
    ("openrouter-key", "sk-or-v1-", r"sk-or-v1-[0-9a-f]{64}"),
    ("groq-key", "gsk_", r"gsk_[A-Za-z0-9]{52}"),
    ("xai-key", "xai-", r"xai-[A-Za-z0-9]{80}"),
    ("replicate-token", "r8_", r"r8_[A-Za-z0-9]{37}"),
    ("perplexity-key", "pplx-", r"pplx-[A-Za-z0-9]{48}"),
    ("nvidia-key", "nvapi-", r"nvapi-[A-Za-z0-9_-]{64}"),
    ("rubygems-key", "rubygems_", r"rubygems_[0-9a-f]{48}"),
    ("supabase-token", "sbp_", r"sbp_[0-9a-f]{40}"),
    ("figma-token", "figd_", r"figd_[A-Za-z0-9_-]{40}"),
    ("postman-key", "PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    ("atlassian-token", "ATATT3", r"ATATT3[A-Za-z0-9_=-]{180,200}"),
    ("new-relic-key", "NRAK-", r"NRAK-[A-Z0-9]{27}"),
    ("sentry-token", "sntrys_eyJ", r"sntrys_eyJ[A-Za-z0-9+/=_]{60,300}"),
    ("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa.", r"dp\.(?:pt|st|ct|sa)\.[A-Za-z0-9]{40,44}"),
    ("square-token", "sq0atp- sq0csp-", r"sq0(?:atp|csp)-[A-Za-z0-9_-]{22,43}"),
    ("airtable-token", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    ("contentful-token", "CFPAT-", r"CFPAT-[A-Za-z0-9_-]{43}"),
    ("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_",
     r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,64}"),
    ("dynatrace-token", "dt0c01.", r"dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    ("pulumi-token", "pul-", r"pul-[0-9a-f]{40}"),
    ("netlify-token", "nfp_", r"nfp_[A-Za-z0-9]{36}"),
    ("alibaba-key", "LTAI", r"LTAI[A-Za-z0-9]{20}"),
    ("jwt", "eyJ", r"eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,8000}\.[A-Za-z0-9_-]{20,2000}"),
    ("private-key", "PRIVATE KEY", f"-----BEGIN {KEY_NAME}-----"),
    ("url-password", "", (
            r"(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|redis|rediss|amqps?|ftp|https?)"
            r"://[^\s:/@<>\"'`]{1,64}:(?P<password>[^\s:/@<>\"'`]{6,128})@[A-Za-z0-9.-]{3,}"
        )),
))  # fmt: skip
"""Where two forms match at one place, the first one counts."""
