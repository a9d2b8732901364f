"""What a model's sentence may say of a lesson, and all that it may not."""

from collections.abc import Sequence
from typing import Any

import pytest

from remem_core.lessons.identity import lesson_id, words_hash
from remem_core.lessons.observed import refusal, reword
from remem_core.lessons.sources import Source
from remem_protocol import Lesson

AT = "2026-05-28T09:00:00.000000Z"


def failed(said: str, did: str = "", fixed: str = "", tool: str = "Bash") -> Source:
    return Source(
        id="a" * 32, kind="error", at=AT, project=None, session="s", said=said, did=did,
        tool=tool, fixed=fixed,
    )  # fmt: skip


MOORED = [
    failed(
        "Exit code 2\nerror: unknown option --berth; must be --pier",
        "tide moor --berth 4 docs/quay.toml",
        "tide moor --pier 4",
    )
]
GERMAN = [failed("Fehler: unbekannte Option --berth beim Anlegen", "tide moor --berth 4")]
JAPANESE = [failed("エラー: 桟橋の番号が不明です", "tide moor --berth 4")]


def lesson(kind: Any = "error", wording: Any = "quoted") -> Lesson:
    text = "Bash failed"
    return Lesson(
        id=lesson_id(kind, None, "a" * 32), text=text, kind=kind, strength=1.0, seen=1,
        sources=("a" * 32,), created=AT, updated=AT, hash=words_hash(kind, text), wording=wording,
    )  # fmt: skip


class Says:
    """Says one thing, and keeps what it was asked about."""

    def __init__(self, sentence: str | None) -> None:
        self.sentence = sentence
        self.asked: list[Sequence[Source]] = []

    def word(self, sources: Sequence[Source]) -> str | None:
        self.asked.append(sources)
        return self.sentence


@pytest.mark.parametrize(
    ("sentence", "sources"),
    [
        ("tide moor failed on the unknown option --berth and worked with --pier.", MOORED),
        ("The option --berth is unknown to tide moor, while --pier 4 worked.", MOORED),
        ("Bash failed with exit code 2: the option --berth was unknown.", MOORED),
        ("tide moor scheiterte beim Anlegen an der unbekannten Option --berth.", GERMAN),
        ("桟橋の番号が不明でした。", JAPANESE),
    ],
)
def test_observation_that_says_what_the_sources_say_is_let_through(
    sentence: str, sources: list[Source]
) -> None:
    assert refusal(sentence, sources) is None
    assert reword(lesson(), sources, Says(f" {sentence}\n")) == sentence


@pytest.mark.parametrize(
    "sentence",
    [
        "Use --pier with tide moor.",
        "Always use --pier with tide moor.",
        "please run tide moor --pier 4",
        "tide moor failed on --berth; use --pier.",
        "tide moor failed on --berth – use --pier.",
        "tide moor failed on --berth, so use --pier.",
        "tide moor failed on --berth (use --pier).",
        "tide moor failed on --berth so use --pier",
        "The option --berth is unknown and never run tide moor with it.",
        "The option --berth is unknown: never use it.",
        "The option is unknown, do not use --berth.",
        "tide moor should be called with --pier.",
        "tide moor must have --pier.",
        "The agent needs to call tide moor --pier.",
        "You called tide moor with an unknown option.",
        "tide moor said “ignore the unknown option”.",
        "Verwende --pier statt --berth.",
        "tide moor sollte mit --pier laufen.",
        "Usa --pier con tide moor.",
        "Il faut --pier pour tide moor.",
        "Utilisez --pier avec tide moor.",
        "Use sempre --pier com tide moor.",
        "Usare tide moor: bisogna avere --pier.",
        "Gebruik --pier met tide moor.",
        "Użyj --pier w tide moor.",
        "tide moor --pier kullanmalısın.",
        "Используй --pier с tide moor.",
        "Треба --pier для tide moor.",
        "请使用 --pier。",
        "tide moor は --pier を使ってください。",
        "tide moor --pier 를 사용하세요.",
        "استخدم --pier مع tide moor.",
        "कृपया --pier tide moor.",
    ],
)
def test_instruction_is_refused_in_any_language(sentence: str) -> None:
    assert refusal(sentence, MOORED) == "an instruction"


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("tide moor failed on the unknown option --dock.", "a name that no source has"),
        ("tide moor failed on the unknown option in docs/pier.toml.", "a name that no source has"),
        ("tide moor failed on the unknown option of quay_master.", "a name that no source has"),
        ("tide moor failed on the unknown option, as Anna said.", "a name that no source has"),
        ("tide moor failed on the unknown option “berths”.", "a name that no source has"),
        ("tide moor failed on the unknown option --berth 7.", "a number that no source has"),
        ("tide moor failed 3 times on the unknown option.", "a number that no source has"),
        ("Sailors everywhere dislike large cranes near harbours.", "words that no source has"),
        ("Gulls.", "words that no source has"),
        ("桟橋のクレーンは毎日動いています。", "words that no source has"),
        ("tide moor failed. The option --berth is unknown.", "more than a sentence"),
        ("unknown option " * 20, "too long"),
        ("桟橋" * 60, "too long"),
        ("", "no line of text"),
        ("tide moor\nfailed on --berth", "no line of text"),
        ("tide moor failed\u202e on --berth", "no line of text"),
        ("tide moor failed\x1b[31m on --berth", "no line of text"),
        ("tide moor failed, see https://tide.example", "a mark or an address in it"),
        ("tide moor failed <!-- remem:start -->", "a mark or an address in it"),
        ("tide moor failed [here](x)", "a mark or an address in it"),
        ("tide moor failed <b>badly</b>", "a mark or an address in it"),
        ("remem says that tide moor failed", "a mark or an address in it"),
    ],
)
def test_what_adds_or_hides_something_is_refused(sentence: str, why: str) -> None:
    assert refusal(sentence, MOORED) == why
    assert reword(lesson(), MOORED, Says(sentence)) is None


def test_owners_words_are_never_sent_to_be_said_otherwise() -> None:
    worder = Says("tide moor failed on the unknown option --berth.")
    for kept in (lesson("correction"), lesson("note"), lesson(wording="owner")):
        assert reword(kept, MOORED, worder) is None
    assert reword(lesson(), [], worder) is None
    assert worder.asked == []
    assert reword(lesson("surprise"), MOORED, worder) is not None
    assert worder.asked == [MOORED]


def test_worder_that_fails_leaves_the_quote() -> None:
    assert reword(lesson(), MOORED, Says(None)) is None
