"""Recall: names found exactly, words in any script, triggers as whole words, twins as one."""

from conformance.generate.shapes import Cases, event, event_id
from conformance.generate.store.shapes import (
    NOW,
    SHOULD,
    append,
    expecting,
    named,
    recall,
    show,
    story,
    told,
)

# What is asked, and its decoys, which differ in a character or two.
NAMES = {
    "codename": ("amber-raven-00123", ("amber-raven-00132", "amber-raven-00124",
                                       "raven-amber-00123", "amber-raven-0012",
                                       "amber-raven-001234")),
    "path": ("/srv/orchard/gate.yaml", ("/srv/orchard/gate.yml", "/srv/gate/orchard.yaml",
                                        "/opt/orchard/gate.yaml")),
    "flag": ("--no-prune-7", ("--prune-7", "--no-prune-8", "--no-prune")),
    "error-code": ("E48213", ("E48231", "E4821", "E48214")),
    "version": ("2.14.1", ("2.4.11", "2.14.10", "21.4.1")),
    "address": ("10.4.17.203", ("10.4.17.20", "10.4.71.203", "10.41.7.203")),
}  # fmt: skip
# Of each script: what is noted, what else is noted in it, what is asked.
SCRIPTS = {
    "cyrillic": ("Пароль от склада хранится у Марины.", "Поезд приходит в полдень.",
                 "пароль от склада"),
    "han": ("仓库的钥匙在前台。", "火车中午到达。", "仓库钥匙"),
    "japanese": ("倉庫の鍵は受付にあります。", "電車は正午に着きます。", "倉庫の鍵"),
    "korean": ("창고 열쇠는 안내 데스크에 있다.", "기차는 정오에 도착한다.", "창고 열쇠"),
    "arabic": ("مفتاح المخزن عند الاستقبال.", "يصل القطار ظهرا.", "مفتاح المخزن"),
    "devanagari": ("गोदाम की चाबी स्वागत कक्ष में है।", "रेलगाड़ी दोपहर को आती है।", "गोदाम चाबी"),
    "greek": ("Το κλειδί της αποθήκης είναι στη ρεσεψιόν.", "Το τρένο φτάνει το μεσημέρι.",
              "κλειδί αποθήκης"),
    "hebrew": ("המפתח של המחסן נמצא בקבלה.", "הרכבת מגיעה בצהריים.", "המפתח של המחסן"),
    "thai": ("กุญแจโกดังอยู่ที่แผนกต้อนรับ", "รถไฟมาถึงตอนเที่ยง", "กุญแจโกดัง"),
    "han-with-code": ("部署前先运行 make lint-7 再提交。", "部署前先运行 make test-9 再提交。",
                      "make lint-7"),
}  # fmt: skip


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _names()
    yield from _scripts()
    yield from _triggers()
    yield from _twins()
    yield from _kinds()


def _names() -> Cases:
    for name, (asked, decoys) in NAMES.items():
        wanted = told(f"We agreed that {asked} is the one to keep.")
        others = [told(f"We agreed that {decoy} is the one to keep.", at=NOW) for decoy in decoys]
        yield story(
            f"finding/{name}-among-decoys",
            "The one that holds the very name comes first, though the others are newer.",
            "MEM-025",
            append(*others, wanted),
            expecting(recall(asked), first={"id": event_id(wanted)}),
            expecting(recall(f"what did we agree on {asked}?"), first={"id": event_id(wanted)}),
        )
    wanted = told("The printer answers to the word blue heron.")
    decoy = told("The printer in the blue room scared the heron, then the blue bird.", at=NOW)
    yield story(
        "finding/quotation-among-decoys",
        "What stands in quotation marks is found as it stands.",
        "MEM-025",
        append(wanted, decoy),
        expecting(recall('"blue heron"'), first={"id": event_id(wanted)}),
    )


def _scripts() -> Cases:
    for name, (text, other, asked) in SCRIPTS.items():
        wanted, decoy = told(text), told(other, at=NOW)
        yield story(
            f"finding/script-{name}",
            "Words are found in the script in which they were said.",
            "MEM-026",
            append(decoy, wanted),
            expecting(recall(asked), first={"id": event_id(wanted), "text": text}),
        )


def _triggers() -> Cases:
    wanted = told(
        "Ask Mara before anything is moved.", layer="procedural", trigger="kiosk, harbour gate"
    )
    decoy = told("Kiosks and kioskware are listed in the annex of the harbour rules, by the gate.")
    for name, asked in {
        "word": "Shall I restart the kiosk now?",
        "phrase": "Who has the key of the harbour gate?",
        "capitals": "KIOSK is down",
        "punctuation": "kiosk?",
    }.items():
        yield story(
            f"finding/trigger-{name}",
            "A trigger that stands in the question brings its note to mind.",
            "MEM-027",
            append(decoy, wanted),
            expecting(recall(asked), has=named(wanted)),
        )
    for name, asked in {
        "part-of-a-word": "kioskware annex",
        "part-of-a-phrase": "annex of the harbour rules",
        "phrase-apart": "harbour rules, annex, gate",
    }.items():
        yield story(
            f"finding/no-trigger-{name}",
            "A trigger that does not stand there whole puts its note before nothing.",
            "MEM-027",
            append(decoy, wanted),
            expecting(recall(asked, limit=1), match=named(decoy)),
        )


def _twins() -> Cases:
    one = told("Use uv, not pip, in the orchard repository.")
    again = {**one, "at": NOW}
    yield story(
        "finding/said-twice-is-one-hit",
        "What was said twice is one hit that counts both.",
        "MEM-028",
        append(one, again),
        expecting(recall("uv or pip"), match=[{"kind": "note", "times": 2}]),
        level=SHOULD,
    )
    ports = [told(f"The orchard service listens on port {port}.") for port in (8417, 8471)]
    yield story(
        "finding/other-number-is-another-hit",
        "Words that differ in a number are two things.",
        "MEM-028",
        append(*ports),
        expecting(recall("orchard service port"), has=named(*ports)),
    )


def _kinds() -> Cases:
    said = "Never push the heron branch on Fridays."
    corrected = event("correction", said=said, cause="message", agent_did="I pushed it.")
    failed = event(
        "error", source="tool", tool="Bash", call="make heron", failure="No rule to make heron."
    )
    for name, kept, words in (
        ("correction", corrected, said),
        ("error", failed, "No rule to make heron."),
        ("surprise", event("surprise", source="agent", statement="The heron branch was gone."),
         "The heron branch was gone."),
    ):  # fmt: skip
        yield story(
            f"finding/words-of-{name}",
            "A hit quotes the words themselves.",
            "MEM-029",
            append(kept),
            expecting(recall("heron"), match=[{"id": event_id(kept), "kind": name, "text": words}]),
        )
    yield story(
        "finding/at-most-as-many",
        "No more than was asked for.",
        "MEM-029",
        append(*(told(f"Gate {n} of the harbour opens at dawn.") for n in range(11, 18))),
        expecting(recall("harbour gate dawn", limit=3), match=[{"kind": "note"}] * 3),
    )
    unsure = event("correction", said="Hm, heron?", cause="message", candidate=True)
    yield story(
        "finding/no-candidate",
        "A correction that is too unsure is not recalled as one.",
        "EVT-045",
        append(corrected, unsure),
        expecting(recall("heron"), has=named(corrected), lacks=named(unsure)),
        expecting(show(unsure), match={"event": {"candidate": True}}),
    )
