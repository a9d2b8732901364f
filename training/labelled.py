"""The labelled turns that the model may learn from, as the detectors will see them."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from remem_core.surprise.corrections import is_correction
from remem_core.surprise.handbacks import judge_answer, judge_closing
from remem_core.surprise.judging import Heard
from remem_protocol import Via

INVENTED = ("train/a", "train/b", "train/c")
REAL = "real/train"
REAL_FOLDS = 5

_VIA: dict[str, Via] = {"refusal": "refusal", "approve-comment": "comment", "steering": "steering"}


@dataclass(frozen=True)
class Labelled:
    """One message, whether it corrects, and where it comes from."""

    heard: Heard
    corrects: bool
    doubtful: bool  # the labeller was not sure
    source: str
    fold: str  # what is left out together: an author's set, or a fifth of the real sessions
    english: bool


def read_turns(data: Path) -> list[Labelled]:
    """Return every turn of the training sets, in the order of the files."""
    return [
        _labelled(json.loads(line), source)
        for source in (*INVENTED, REAL)
        for line in (data / source / "turns.jsonl").read_text("utf-8").splitlines()
        if line.strip()
    ]


def _labelled(row: dict[str, str], source: str) -> Labelled:
    file = row.get("file", "")
    part = int(hashlib.sha256(file.encode()).hexdigest(), 16) % REAL_FOLDS
    return Labelled(
        heard=heard_of(row["user"], _VIA.get(row.get("channel", ""), "prompt"), row["agent"]),
        corrects=row["label"] == "correction",
        doubtful=row.get("confidence") == "low",
        source=source,
        fold=f"{source}/{part}" if source == REAL else source,
        english=row["lang"] == "en",
    )


def heard_of(text: str, via: Via, reply: str) -> Heard:
    """Return a message as `detect` puts it before a judge."""
    closing = judge_closing(reply) if via == "prompt" else None
    act = closing[0] if closing else None
    cue = judge_answer(text, act) == "corrected" if act else is_correction(text, via, act)
    return Heard(text=text, via=via, reply=reply, act=act, cue=cue)
