"""What is measured of a moment and a lesson, by name. All of it is between about -3 and 3.

A number here says one thing that a person could say, too ("the same program failed", "what was
missing is there"), so that a judgement can be explained by its parts.
"""

from collections.abc import Mapping
from functools import lru_cache

from remem_core.prime.commandline import parse
from remem_core.prime.heard import Heard, hear
from remem_core.prime.moment import (
    Corrected,
    Failed,
    Handback,
    LessonView,
    Moment,
    Prompt,
    Source,
    Stated,
    ToolCall,
)  # fmt: skip
from remem_core.prime.signs import act_of, asks_only, ending_of, names, signs, tail_of
from remem_core.prime.subject import ACTS, GRAVE, concepts
from remem_core.prime.traps import compare
from remem_core.prime.wording import begun, identifiers, stems, weight
from remem_core.surprise.failures import is_shell

Features = dict[str, float]
_READ = 4000  # characters of a moment: what is pasted into a prompt is not what is asked
UNSEEN = 6.0  # the rarity of a word that no text to learn from had


def measure(moment: Moment, lesson: LessonView, rarity: Mapping[str, float]) -> Features | None:
    """Return the measures that need no vectors; None for a failed call of another program.

    Not to be asked where `why_silent` has a reason.
    """
    failed = tuple(s for s in lesson.sources if isinstance(s, Failed))
    if failed:
        assert isinstance(moment, ToolCall)
        return _failure(moment, failed)
    heard = hear(tuple(map(_as_corrected, lesson.sources)))
    found = _words(moment, heard, rarity) | _subjects(moment, heard)
    match moment:
        case ToolCall():
            found |= _call(moment, heard)
        case Handback():
            found |= _reply(moment, heard)
        case Prompt():
            found |= _asked(moment, heard)
    return found


def _as_corrected(source: Source) -> Corrected:
    """Return a source as a correction; an agent's own admission says both what was and what is."""
    match source:
        case Corrected():
            return source
        case Stated():
            return Corrected(source.statement, source.statement)
        case Failed():
            return Corrected(source.failure, f"{source.description} {source.command}")


@lru_cache(maxsize=64)
def text_of(moment: Moment) -> str:
    """Return what of a moment says what is being done."""
    match moment:
        case Prompt():
            return moment.prompt[:_READ]
        case ToolCall():
            return f"{moment.description} {_new_text(moment)}"[:_READ]
        case Handback():
            return moment.reply[-_READ:]


def _new_text(call: ToolCall) -> str:
    """Return what a call brings in; of a replacement (`a -> b`) not what goes."""
    head, arrow, new = call.command.partition(" -> ")
    if not arrow or is_shell(call.tool):
        return call.command
    return f"{head.partition(': ')[0]} {new}"


def why_silent(moment: Moment, lesson: LessonView) -> str | None:
    """Say why a lesson can't bear on a moment whatever its words, or None."""
    if lesson.kind == "error":
        return None if isinstance(moment, ToolCall) else "a failed call bears on calls alone"
    match moment:
        case Prompt() if asks_only(moment.prompt):
            return "it is only asked, nothing is to be done"
        case ToolCall() if _only_shows(moment):
            return "the call only shows, it changes nothing"
        case Handback() if not any(
            isinstance(s, Corrected) and ending_of(s.agent_did) for s in lesson.sources
        ):
            return "nothing that it rests on was about a reply"
    return None


@lru_cache(maxsize=64)
def _only_shows(call: ToolCall) -> bool:
    invocations = parse(call.command) if is_shell(call.tool) else ()
    return bool(invocations) and all(invocation.only_shows for invocation in invocations)


def _failure(call: ToolCall, failed: tuple[Failed, ...]) -> Features | None:
    traps = compare(call, failed)
    if not traps.bears:
        return None
    fresh = 1.0 - max(traps.obeyed, traps.named)
    return {
        "program": traps.program,
        "subcommand": traps.subcommand,
        "core": traps.core,
        "shape": traps.shape,
        "reshaped": traps.reshaped,
        "hint missing": traps.hinted * fresh,
        "obeyed": max(traps.obeyed, traps.named),
        "only shows": traps.only_shows,
        "described": traps.described,
        "repeated": float(len(failed) > 1),
    }


def _words(moment: Moment, heard: Heard, rarity: Mapping[str, float]) -> Features:
    here = stems(text_of(moment))
    marks = identifiers(text_of(moment))
    wish = heard.wish
    wanted = begun(wish.wanted, here)

    def share(words: frozenset[str]) -> float:
        return min(weight(words & here, rarity, UNSEEN) / UNSEEN, 3.0)

    hits, misses = share(wish.wanted), share(wish.unwanted)
    return {
        "words said": share(heard.said),
        "words did": share(heard.did),
        "names": min(float(len((wish.names | wish.bad_names) & marks)), 2.0),
        "obeyed": float((bool(wish.names & marks) or hits > 0.5) and misses == 0.0),
        "wanted": min(weight(wanted, rarity, UNSEEN) / UNSEEN, 3.0),
        "wanted only": float(bool(wanted) and not begun(wish.unwanted, here)),
        "obeyed name": float(bool(wish.names & marks) and not wish.bad_names & marks),
        "unwanted": misses,
    }


def _subjects(moment: Moment, heard: Heard) -> Features:
    here = concepts(text_of(moment))
    did, said = heard.did_about, heard.said_about
    return {
        "subjects did": min(len(here & did) / 2, 2.0),
        "subjects said": min(len(here & said) / 2, 2.0),
        "subjects both": float(bool(here & did & said)),
        "subjects share": len(here & (did | said)) / max(1, len(here | did | said)),
        "grave": float(bool(here & (did | said) & GRAVE)),
        "acts both": min(float(len(here & did & ACTS)), 2.0),
        "acts apart": float(
            bool(here & ACTS) and bool(did & ACTS) and not here & (did | said) & ACTS
        ),
        "takes away": float("delete" in here and "delete" not in did | said),
    }


def _call(call: ToolCall, heard: Heard) -> Features:
    invocations = parse(call.command) if is_shell(call.tool) else ()
    program = any(_spoken(i.program, heard.did_text) for i in invocations)
    sub = any(i.subcommand and _spoken(i.subcommand, heard.did_text) for i in invocations)
    return {
        "program did": float(program),
        "subcommand did": float(sub),
        "program and sub did": float(program and sub),
        "program said": float(any(_spoken(i.program, heard.said_text) for i in invocations)),
        "only said": heard.only_said,
        "shell": float(is_shell(call.tool)),
    }


def _spoken(name: str, text: str) -> bool:
    return len(name) > 1 and f" {name.lower()} " in text


def _asked(moment: Prompt, heard: Heard) -> Features:
    return {
        "only said": heard.only_said,
        "stance": float(bool(heard.stances & {"go", "finish", "selfrun", "manner"})),
        "ask first": float("askfirst" in heard.stances),
        "long": min(len(moment.prompt) / 100, 2.0),
    }


def _reply(moment: Handback, heard: Heard) -> Features:
    mine = signs("reply", moment.reply)
    act = act_of(moment.reply)
    only_asked = asks_only(moment.prompt)
    found = {
        "ended": heard.ended,
        "same act": float(act in heard.acts),
        "hands back": float(act is not None),
        "only asked": float(only_asked),
        "only asked × offer": float(only_asked and act is not None),
        "grave offer": float(act is not None and bool(concepts(tail_of(moment.reply)) & GRAVE)),
        "both hand back": float(act is not None and bool(heard.acts - {None})),
        "signs share": len(mine & heard.replied) / max(1, len(mine | heard.replied)),
    }
    found |= {f"reply {name}": float(name in mine) for name in names("reply")}
    found |= {f"stance {name}": float(name in heard.stances) for name in names("stance")}
    found |= _answers(mine, heard.stances, act is not None)
    return found


def _answers(mine: frozenset[str], stances: frozenset[str], hands_back: bool) -> Features:
    """What a reply does that a person of this mind doesn't want."""
    offers = hands_back and "offers" in mine and "needs" not in mine
    return {
        "offers × go": float(offers and "go" in stances),
        "needs × go": float("needs" in mine and "go" in stances),
        "options × go": float("options" in mine and "go" in stances),
        "acted × ask first": float("acted" in mine and not hands_back and "askfirst" in stances),
        "withheld × ask first": float(("withheld" in mine or hands_back) and "askfirst" in stances),
        "bare claim × verify": float(
            "claims" in mine and "evidence" not in mine and "verify" in stances
        ),
        "evidence × verify": float("evidence" in mine and "verify" in stances),
        "hedged × verify": float(bool({"hedged", "blames"} & mine) and "verify" in stances),
        "partial × finish": float(bool({"partial", "underway"} & mine) and "finish" in stances),
        "chores × self": float("chores" in mine and "selfrun" in stances),
        "manner × manner": float(bool({"flatters", "lectures"} & mine) and "manner" in stances),
    }
