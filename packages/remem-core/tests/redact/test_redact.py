"""What must never reach the disk, beside what looks like it and must stay."""

import re
import timeit
from functools import partial
from time import process_time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from remem_core.redact import redact, redact_event
from remem_protocol import Correction, Failure, Note

AT = "2026-03-04T05:06:07.000000Z"
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def body(length: int, alphabet: str = LETTERS) -> str:
    """Return letters that look random, the same at each run, and no real secret in this file."""
    return "".join(
        alphabet[(i * i * 7 + i * 31 + length * 13) % len(alphabet)] for i in range(length)
    )


HEX = "0123456789abcdef"
PEM_BODY = "\n".join(body(64) for _ in range(4)) + "\n" + body(22) + "=="
PEM = f"-----BEGIN RSA PRIVATE KEY-----\n{PEM_BODY}\n-----END RSA PRIVATE KEY-----"
CLIP = " …[900 characters left out]… "
JWT = f"eyJ{body(20)}.eyJ{body(40)}.{body(43)}"

TOKENS = {
    "anthropic-key": "sk-ant-api03-" + body(90),
    "openai-key": "sk-proj-" + body(120),
    "github-token": "ghp_" + body(36),
    "gitlab-token": "glpat-" + body(20),
    "slack-token": "xoxb-123456789012-" + body(24),
    "stripe-key": "sk_live_" + body(24),
    "google-key": "AIza" + body(35),
    "aws-key": "AKIA" + body(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
    "npm-token": "npm_" + body(36),
    "pypi-token": "pypi-AgEIcHlwaS5vcmc" + body(80),
    "huggingface-token": "hf_" + body(34),
    "sendgrid-key": f"SG.{body(22)}.{body(43)}",
    "telegram-token": f"123456789:AA{body(33)}",
    "databricks-token": "dapi" + body(32, HEX),
    "jwt": JWT,
    "private-key": PEM,
}


@pytest.mark.parametrize(("kind", "secret"), TOKENS.items(), ids=TOKENS.keys())
@pytest.mark.parametrize("frame", ["{}", "I used {} for it.", 'key="{}"', "a\n{}\nb", "({})"])
def test_token_of_a_known_shape_is_replaced_wherever_it_stands(
    kind: str, secret: str, frame: str
) -> None:
    clean = redact(frame.format(secret))
    assert secret[8:] not in clean
    assert re.search(r"\[redacted:[a-z-]+\]", clean)
    if "key=" not in frame:
        assert clean == frame.format(f"[redacted:{kind}]")


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("postgres://app:s3cr3t@db:5432/x", "postgres://app:[redacted:password]@db:5432/x"),
        ("https://ghp_" + body(36) + "@host/a.git", "https://[redacted:github-token]@host/a.git"),
        ("DB_PASSWORD=letmein", "DB_PASSWORD=[redacted:password]"),
        ("POSTGRES_PASSWORD=12345678 make", "POSTGRES_PASSWORD=[redacted:password] make"),
        ("password: hunter2", "password: [redacted:password]"),
        ('"password": "hunter two 2", "x": 1', '"password": "hunter two 2", "x": 1'),
        ('{"password": "s3cr3t!", "x": 1}', '{"password": "[redacted:password]", "x": 1}'),
        (r"{\"password\": \"s3cr3t!\"}", r"{\"password\": \"[redacted:password]\"}"),
        ("login --password hunter22 now", "login --password [redacted:password] now"),
        ("login --token=" + body(24), "login --token=[redacted:secret]"),
        ("/cb?token=" + body(24) + "&page=2", "/cb?token=[redacted:secret]&page=2"),
        ("Server=a;Password=Tr0ub4dor&3;App=b", "Server=a;Password=[redacted:password];App=b"),
        (f"aws_secret_access_key = {body(40)}", "aws_secret_access_key = [redacted:secret]"),
        ("Authorization: Bearer " + body(30), "Authorization: Bearer [redacted:token]"),
        ("authorization: basic dXNlcjpodW50ZXI=", "authorization: basic [redacted:credentials]"),
        ("curl -u admin:hunter2 http://x", "curl -u admin:[redacted:password] http://x"),
        ("passphrase: 'correct horse battery staple'", "passphrase: '[redacted:password]'"),
        ("x-api-key: " + body(32), "x-api-key: [redacted:secret]"),
    ],
)  # fmt: skip
def test_named_secret_loses_its_value_and_keeps_its_name(text: str, clean: str) -> None:
    assert redact(text) == clean


ORDINARY = [
    "password: required",
    "password = getpass.getpass('pw')",
    "token = get_token()",
    "token = tokens[0]",
    "login(user, password=password, token=self.token)",
    "password: Optional[str] = None",
    "const apiKey = process.env.API_KEY2",
    "PASSWORD=$DB_PASSWORD",
    "PASSWORD=${DB_PASSWORD:-x1}",
    "password=<password>",
    'api_key="YOUR_API_KEY_123"',
    "use --token TOKEN or --password-file /run/secrets/db1",
    "the --password option is gone",
    '"password": "Enter your password"',
    "The password is wrong: try again2",
    "max_tokens: 4096, input_tokens=120000, next_token: abc123def456",
    "primary_key=12345678ab",
    "tokenizer: bert-base-uncased-v2",
    "secretName: db-credentials-v2",
    "secrets: inherit",
    "test_token_is_refreshed_after_401 PASSED",
    "commit 3f2c9aa1d0c7e2b5a9d63f2c9aa1d0c7e2b5a9d6",
    "sha256:" + body(64, HEX),
    "550e8400-e29b-41d4-a716-446655440000",
    body(32, "abcdefghijklmnopqrstuvwxyz234567"),
    "src/remem_core/redact/tokens.py:42",
    "task-list-for-the-next-long-meeting sk-learn-is-not-a-package-name",
    "data:image/png;base64," + body(4000, LETTERS + "+/"),
    "git@example.org:team/repo.git and someone@example.org",
    "http://localhost:8080/a@b",
    "docker pull r.example:5000/x@sha256:" + body(64, HEX),
    "bearer of bad news",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert redact(text) == text


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (f"before\n{PEM}\nafter", "before\n[redacted:private-key]\nafter"),
        (PEM.replace("\n", "\\n"), "[redacted:private-key]"),
        (PEM[:200] + CLIP, "[redacted:private-key]" + CLIP),
        (CLIP + PEM[200:], CLIP + "[redacted:private-key]"),
        (f"{PEM}\n{PEM}", "[redacted:private-key]\n[redacted:private-key]"),
    ],
    ids=["whole", "escaped", "cut-after", "cut-before", "two"],
)  # fmt: skip
def test_private_key_goes_as_a_block_even_when_clipped(text: str, clean: str) -> None:
    assert redact(text) == clean


PIECES = st.sampled_from(
    [*TOKENS.values(), *ORDINARY, "password=", "token: ", "://u:", "@", "[redacted:", "]", '"', "'",
     "\\", " ", "\n", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "eyJ", "sk-",
     "Authorization: ", "Bearer ", "--", "&", "é", "hunter2", "curl -u a:"]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES | st.text(max_size=6), max_size=12).map("".join))
@example("token: token: abc123def456")
@example("https://ghp_" + body(36) + ":x@h")
def test_redacting_twice_is_redacting_once(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


def test_a_rejected_name_does_not_hide_the_secret_after_it() -> None:
    assert redact("token: token: abc123def456") == "token: token: [redacted:secret]"


GROWTH = [
    "password=", "token: ", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----\n", "://a:",
    "eyJ" + "a" * 20 + ".", "sk-" + "a-" * 20, "curl -u ", "Bearer ", "Authorization: Basic ", '"',
    "secret_", "&a", "AKIA" + "A" * 15, "a" * 40 + "\n", "SG." + "a" * 20 + ".",
]  # fmt: skip


@pytest.mark.parametrize("piece", GROWTH)
def test_time_grows_with_the_text_and_not_with_its_square(piece: str) -> None:
    """Sixteen times the text may cost up to sixty times as long; quadratic would be 256 times."""
    small, large = (piece * (size // len(piece)) for size in (4_000, 64_000))
    cost = [
        min(timeit.repeat(partial(redact, text), timer=process_time, number=1, repeat=3))
        for text in (small, large)
    ]
    assert cost[1] < 60 * cost[0] + 0.005


def test_event_is_redacted_in_every_text_and_gets_the_id_of_what_is_left() -> None:
    secret = "ghp_" + body(36)
    event = Correction(
        at=AT, source="owner", said=f"use {secret}", cause="message", agent_did=f"ran {secret}",
        session="s1", project=f"https://{secret}@host/a", cwd=f"/home/{secret}",
        ref=f"row {secret}",
    )  # fmt: skip
    clean = redact_event(event)
    assert secret not in repr(clean)
    assert clean.said == "use [redacted:github-token]"
    assert clean == Correction(
        at=AT, source="owner", said="use [redacted:github-token]", cause="message",
        agent_did="ran [redacted:github-token]", session="s1",
        project="https://[redacted:github-token]@host/a", cwd="/home/[redacted:github-token]",
        ref="row [redacted:github-token]",
    )  # fmt: skip


def test_event_without_secrets_comes_back_as_it_was() -> None:
    event = Failure(at=AT, source="tool", tool="Bash", failure="exit 1", call="pytest -q")
    assert redact_event(event) is event


def test_event_keeps_to_the_limits_of_its_fields() -> None:
    note = Note(at=AT, source="owner", text="t", ref="a" * 180 + " PASSWORD=letmein")
    clean = redact_event(note)
    assert len(clean.ref or "") <= 200
    assert "letmein" not in (clean.ref or "")
