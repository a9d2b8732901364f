"""Secrets: none is stored, shown, exported or taken over, in whatever field it stood.

They are put together here, so that no scanner takes these invented ones for real.
"""

from typing import Any

from conformance.generate.shapes import Cases, Value, event, event_id
from conformance.generate.store.folding import summary
from conformance.generate.store.shapes import (
    append,
    episode,
    expecting,
    export,
    exported,
    import_,
    not_found,
    recall,
    show,
    status,
    story,
    told,
)

_LETTERS = "q7Zr2Lw9XcVb4Nm1KsJd8HgF5tPy3RaE6uTi"
TOKEN = "ghp_" + _LETTERS
SECRETS = {
    "token": (TOKEN, TOKEN),
    "access-key": ("AKIA" + "Q7ZR2LW5XCVB4NM3", "AKIA" + "Q7ZR2LW5XCVB4NM3"),
    "private-key": (
        "-----BEGIN RSA " + "PRIVATE KEY-----\n" + _LETTERS + "\n-----END RSA PRIVATE KEY-----",
        _LETTERS,
    ),
    "password": ("password = " + _LETTERS[:18], _LETTERS[:18]),
    "address-with-password": (f"https://mara:{_LETTERS[:14]}@example.org/a.git", _LETTERS[:14]),
    "bearer": ("Authorization: Bearer " + _LETTERS, _LETTERS),
}


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _kinds()
    yield from _fields()
    yield from _again()


def _never(silent: str) -> dict[str, Any]:
    return {"silent": [silent], "says": ["[redacted:"]}


def _kinds() -> Cases:
    for name, (words, secret) in SECRETS.items():
        noted = told(f"The heron deploys with {words} only.")
        yield story(
            f"secrets/{name}",
            "A secret is replaced before it is stored; the words around it stay.",
            "MEM-006 EVT-060 EVT-061",
            append(noted),
            expecting(export(), **_never(secret)),
            expecting(recall("heron deploys"), has=[{"kind": "note"}], **_never(secret)),
            expecting(recall("heron deploys"), says=["The heron deploys with"]),
        )


def _fields() -> Cases:
    for name, kept in (
        ("correction", event("correction", said=f"Not {TOKEN}!", cause="message",
                             agent_did=f"curl -H {TOKEN}")),
        ("error", event("error", source="tool", tool="Bash", description=f"try {TOKEN}",
                        call=f"login {TOKEN}", failure=f"bad: {TOKEN}")),
        ("surprise", event("surprise", source="agent", statement=f"I thought {TOKEN} was it.")),
        ("handback", event("handback", act="offer", answer="other", action=f"Use {TOKEN}?",
                           said=f"Yes, {TOKEN}.")),
        ("session", summary(gist=f"Log in with {TOKEN}")),
        ("note", told("Heron.", trigger=TOKEN, ref=f"k/{TOKEN}", cwd=f"/tmp/{TOKEN}")),
    ):  # fmt: skip
        yield story(
            f"secrets/in-every-field-of-{name}",
            "No field of an event is a place for a secret.",
            "MEM-006 EVT-060",
            expecting(append(kept), match={"new": 1}),
            expecting(export(), **_never(TOKEN)),
        )
    yield story(
        "secrets/nothing-but-a-secret",
        "A text that must not be empty is not left empty.",
        "EVT-063",
        expecting(append(told(TOKEN)), match={"new": 1}),
        expecting(export(), **_never(TOKEN)),
    )
    long = told("Heron.", ref="r" * 175 + " password=Zr2Lw9XcVb4Nm1K")
    yield story(
        "secrets/at-the-limit-of-a-field",
        "A reference stays within its 200 characters, though a placeholder is longer.",
        "EVT-063",
        expecting(append(long), match={"new": 1}),
        expecting(export(), has=[{"type": "episode"}], silent=["Zr2Lw9XcVb4Nm1K"]),
    )


def _again() -> Cases:
    noted = told(f"The heron deploys with {TOKEN} only.")
    yield story(
        "secrets/redacted-twice",
        "The same event redacted twice is one event.",
        "EVT-062 EVT-070 MEM-001",
        append(noted),
        expecting(append(noted), match={"new": 0, "known": 1}),
        expecting(status(), match={"episodes": 1}),
    )
    redacted = told("The heron deploys with [redacted:github-token] only.")
    yield story(
        "secrets/redacted-already",
        "What is redacted stays as it is.",
        "EVT-062",
        append(redacted),
        expecting(show(redacted), match={"event": {"text": redacted["text"]}}),
    )
    yield story(
        "secrets/id-of-what-is-stored",
        "The id is that of the redacted words; the one that was sent is found nowhere.",
        "EVT-012 EVT-060",
        append({**noted, "id": event_id(noted)}),
        not_found(show(noted)),
    )
    words: Value = episode(noted)
    yield story(
        "secrets/imported",
        "An import is redacted like what comes from a session.",
        "MEM-075 EVT-060",
        import_(exported(words)),
        expecting(export(), **_never(TOKEN)),
        not_found(show(noted)),
    )
    yield story(
        "secrets/no-secret",
        "Words about secrets, ids and hashes are none and stay.",
        "EVT-060",
        append(told("The token of the heron is at c0ffee4, see password rules.")),
        expecting(
            recall("heron token"), silent=["[redacted:"], says=["c0ffee4, see password rules."]
        ),
    )
