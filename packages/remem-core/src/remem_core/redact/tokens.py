"""Secrets that their own shape gives away: provider tokens, JWTs, URL passwords, headers.

A rule has literal hints; its pattern only runs on a text that holds one of them. A token is at
least 20 characters without a space, so its hints are only looked for in words of that length:
ordinary text costs one split and a few substring searches. Every quantifier is bounded or
possessive: time stays linear. Shapes are from the providers' own documentation.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from remem_core.redact.values import is_placeholder, looks_random

LONG = 20  # characters of the shortest token: an AWS key's
_LEFT = r"(?<![A-Za-z0-9])"
_WORD = r"[A-Za-z0-9_-]"


class Rule(NamedTuple):
    """`pattern`'s group 1 is the secret, or all of it; `random`: it must also look random.

    `short`: its match may be shorter than LONG or hold spaces.
    """

    kind: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    random: bool = False
    short: bool = False


def _prefixed(kind: str, *prefixes: str, body: str, random: bool = False) -> Rule:
    heads = "|".join(map(re.escape, prefixes))
    return Rule(kind, prefixes, re.compile(rf"{_LEFT}(?:{heads}){body}"), random)


RULES: tuple[Rule, ...] = (
    _prefixed("anthropic-key", "sk-ant-", body=rf"{_WORD}{{16,}}+"),
    _prefixed("openai-key", "sk-", body=rf"{_WORD}{{20,}}+", random=True),
    _prefixed("github-token", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", body=r"[A-Za-z0-9_]{30,}+"),
    _prefixed("github-token", "github_pat_", body=r"[A-Za-z0-9_]{22,}+"),
    _prefixed(
        "gitlab-token",
        *("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "glagent-"),
        body=r"[A-Za-z0-9_.-]{19,}[A-Za-z0-9_-]",
        random=True,
    ),
    _prefixed("slack-token", "xoxa-", "xoxb-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-",
              body=r"[A-Za-z0-9.-]{10,}+"),
    Rule("slack-webhook", ("hooks.slack.com/",),
         re.compile(r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9_/+-]{20,}+)")),
    Rule("discord-webhook", ("/api/webhooks/",),
         re.compile(rf"/api/webhooks/[0-9]{{15,20}}/({_WORD}{{50,}}+)")),
    _prefixed("stripe-key", "sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_",
              body=r"[A-Za-z0-9+/=]{16,}+"),
    Rule("google-key", ("AIza",), re.compile(rf"{_LEFT}AIza{_WORD}{{35}}(?!{_WORD})")),
    _prefixed("google-token", "GOCSPX-", "ya29.", body=rf"{_WORD}{{20,}}+"),
    Rule("aws-key", ("AKIA", "ASIA"),
         re.compile(r"(?<![A-Za-z0-9+/_-])(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9+/_=-])")),
    _prefixed("npm-token", "npm_", body=r"[A-Za-z0-9]{36,}+"),
    _prefixed("pypi-token", "pypi-AgE", body=rf"{_WORD}{{40,}}+"),
    _prefixed("huggingface-token", "hf_", body=r"[A-Za-z0-9]{30,}+"),
    _prefixed("docker-token", "dckr_pat_", "dckr_oat_", body=rf"{_WORD}{{20,}}+"),
    _prefixed("digitalocean-token", "dop_v1_", "doo_v1_", "dor_v1_", body=r"[a-f0-9]{40,}+"),
    _prefixed("shopify-token", "shpat_", "shpca_", "shppa_", "shpss_", body=r"[a-fA-F0-9]{32,}+"),
    _prefixed("linear-key", "lin_api_", "lin_oauth_", body=r"[A-Za-z0-9]{30,}+"),
    _prefixed("vault-token", "hvs.", "hvb.", "hvr.", body=rf"{_WORD}{{24,}}+"),
    _prefixed("atlassian-token", "ATATT3", "ATCTT3", "ATBB", body=rf"{_WORD}{{28,}}=?{_WORD}*+",
              random=True),
    _prefixed("groq-key", "gsk_", body=r"[A-Za-z0-9]{40,}+"),
    _prefixed("xai-key", "xai-", body=r"[A-Za-z0-9]{40,}+"),
    _prefixed("perplexity-key", "pplx-", body=r"[A-Za-z0-9]{40,}+"),
    _prefixed("databricks-token", "dapi", body=r"[a-f0-9]{32}(?:-[0-9])?(?![A-Za-z0-9])"),
    _prefixed("notion-token", "ntn_", body=r"[A-Za-z0-9]{40,}+"),
    _prefixed("figma-token", "figd_", "figo_", body=rf"{_WORD}{{30,}}+"),
    _prefixed("sentry-token", "sntrys_", "sntryu_", body=r"[A-Za-z0-9+/=_-]{30,}+"),
    _prefixed("postman-key", "PMAK-", body=r"[a-f0-9]{24}-[a-f0-9]{34}"),
    _prefixed("newrelic-key", "NRAK-", body=r"[A-Z0-9]{27}"),
    _prefixed("age-key", "AGE-SECRET-KEY-1", body=r"[A-Z0-9]{50,}+"),
    _prefixed("supabase-key", "sbp_", "sb_secret_", body=rf"{_WORD}{{20,}}+"),
    _prefixed("square-token", "sq0csp-", "sq0atp-", body=rf"{_WORD}{{22,}}+"),
    Rule("sendgrid-key", ("SG.",),
         re.compile(rf"{_LEFT}SG\.{_WORD}{{16,32}}\.{_WORD}{{32,}}+")),
    Rule("mailchimp-key", ("-us",), re.compile(r"(?<![a-z0-9])[a-f0-9]{32}-us[0-9]{1,2}\b")),
    Rule("telegram-token", (":AA",),
         re.compile(rf"(?<![0-9])[0-9]{{8,10}}:AA{_WORD}{{33}}(?!{_WORD})")),
    Rule("jwt", ("eyJ",),
         re.compile(rf"{_LEFT}eyJ{_WORD}{{8,}}+\.eyJ{_WORD}{{6,}}+(?:\.{_WORD}*+)?")),
    Rule("password", ("://",),
         re.compile(r"""://[^\s/?#@:'"<>\\[\]]{0,128}+:([^\s/?#'"<>\\]{1,256})@"""),
         short=True),
    Rule("token", ("earer ", "EARER "),
         re.compile(r"\b(?i:bearer) {1,4}([A-Za-z0-9._~+/-]{12,}+=*+)"), random=True, short=True),
    Rule("credentials", ("uthorization", "UTHORIZATION"), re.compile(
        r"""(?i:authorization)\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?"""
        r"""(?i:basic|bearer|token|apikey|digest) {1,4}([^\s"'\\,;]{8,}+)"""), short=True),
    Rule("password", ("curl ", "wget "), re.compile(
        r"""\b(?:curl|wget) [^\n|;&]{0,300}?(?:-u|--user) {0,2}=?["']?[^\s:"'$]{1,64}:"""
        r"""([^\s"']{1,256}+)"""), short=True),
)  # fmt: skip


_SHORT = tuple(rule for rule in RULES if rule.short)
_LONG = tuple(rule for rule in RULES if not rule.short)


def redact_tokens(text: str) -> str:
    """Replace each secret that its shape gives away."""
    text = _apply_all(_SHORT, text, text)
    long_words = "\n".join([word for word in text.split() if len(word) >= LONG])
    return _apply_all(_LONG, text, long_words) if long_words else text


def _apply_all(rules: Iterable[Rule], text: str, where: str) -> str:
    for rule in rules:
        for hint in rule.hints:
            if hint in where:
                text = _apply(rule, text)
                break
    return text


def _apply(rule: Rule, text: str) -> str:
    group = 1 if rule.pattern.groups else 0

    def replace(match: re.Match[str]) -> str:
        secret = match[group]
        if is_placeholder(secret) or (rule.random and not looks_random(secret)):
            return match[0]
        whole, start = match[0], match.start(group) - match.start()
        return f"{whole[:start]}[redacted:{rule.kind}]{whole[start + len(secret) :]}"

    return rule.pattern.sub(replace, text)
