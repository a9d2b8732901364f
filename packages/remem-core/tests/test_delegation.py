"""Asked, told to act; acted, stopped: by kind of action, in the languages of the cues."""

import itertools
from typing import Any

import pytest

from remem_core.delegation import Row, kind_asked, kind_done, tally
from remem_protocol import Correction, Event, Handback, Surprise

AT = "2026-03-04T05:00:00.000000Z"


def handback(action: str, answer: Any, said: str = "yes", act: Any = "offer") -> Handback:
    return Handback(at=AT, source="owner", act=act, answer=answer, action=action, said=said)


def stopped(did: str, cause: Any = "refusal", **more: Any) -> Correction:
    return Correction(at=AT, source="owner", said="no", cause=cause, agent_did=did, **more)


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("Shall I commit the lock file?", "commit"),
        ("Shall I commit and push it?", "commit"),
        ("Want me to push this to origin?", "push"),
        ("Should I open a PR for it?", "merge"),
        ("Ready to deploy – shall I go ahead?", "publish or deploy"),
        ("Should I delete the old release notes?", "delete"),
        ("Would you like me to install ripgrep?", "install"),
        ("Shall I run the migration now, or wait?", "migrate"),
        ("Shall I migrate the crane table?", "migrate"),
        ("Do you want me to run the full test suite?", "run tests"),
        ("Should I fix the failing tests, too?", "edit"),
        ("Should I rename `push_all` to `send_all`?", "choose a name or a design"),
        ("Shall I look into the pier's lamps?", "other"),
        ("Soll ich die alten Liegeplätze löschen?", "delete"),
        ("Soll ich die Änderungen committen?", "commit"),
        ("Soll ich den Fix gleich pushen?", "push"),
        ("変更をコミットしましょうか？", "commit"),
        ("¿Quieres que borre los muelles viejos?", "delete"),
        ("Voulez-vous que je supprime l'ancien quai ?", "delete"),
        ("Posso pubblicare la versione nuova?", "publish or deploy"),
        ("Zal ik de oude kade verwijderen?", "delete"),
        ("Czy mam usunąć stary pirs?", "delete"),
        ("Удалить старый причал?", "delete"),
        ("Eski iskeleyi kaldırayım mı?", "delete"),
        ("古い桟橋を削除しましょうか？", "delete"),
        ("要我提交这些更改吗？", "commit"),
        ("오래된 부두를 삭제할까요?", "delete"),
        ("क्या मैं पुराना घाट हटा दूँ?", "delete"),
        ("هل تريد حذف الرصيف القديم؟", "delete"),
        ("", "other"),
    ],
)
def test_kind_is_what_the_words_ask_a_go_for(words: str, kind: str) -> None:
    assert kind_asked(words) == kind


@pytest.mark.parametrize(
    ("did", "kind"),
    [
        ("I'll push it.\n[calls] Bash(git status), Bash(git push origin main)", "push"),
        ("[calls] Bash(git add -A && git commit -m 'Tell, then push)", "commit"),
        ("[calls] Bash(rm -rf build)", "delete"),
        ("[calls] Bash(uv pip install tidal)", "install"),
        ("[calls] Bash(npm publish --access public)", "publish or deploy"),
        ("[calls] Bash(make test)", "run tests"),
        ("[calls] shell(python manage.py migrate)", "migrate"),
        ("[calls] Read(a.py), Edit(quay/moor.py)", "edit"),
        ("[calls] Read(quay/moor.py)", "other"),
        ("[calls] Bash(tide survey)", "other"),
        ("I said that I'd delete it.", None),
        ('[calls] ExitPlanMode({"plan":"Delete the pier"})', None),
        ("", None),
    ],
)
def test_kind_of_what_was_done_is_that_of_the_last_call(did: str, kind: str | None) -> None:
    assert kind_done(did) == kind


def test_tally_counts_by_kind_the_most_frequent_first() -> None:
    events: list[Event] = [
        handback("Shall I commit it?", "approved"),
        handback("Shall I commit that, too?", "corrected", "of course, stop asking", "waiting"),
        handback("Shall I commit everything?", "declined", "no, later"),
        handback("Shall I delete the pier?", "corrected", "no! never touch the pier"),
        stopped("[calls] Bash(git push)"),
        stopped("[calls] Bash(git commit -m x)", "steering"),
    ]
    expected = (
        Row("commit", asked=3, told=2, declined=1, stopped=1),
        Row("delete", asked=1),
        Row("push", stopped=1),
    )
    for order in itertools.permutations(events):
        assert tally(order) == expected


@pytest.mark.parametrize(
    "event",
    [
        handback("Which pier is yours?", "other", "4", "question"),
        stopped("[calls] Bash(git push)", "message"),
        stopped("[calls] Bash(git push)", candidate=True),
        stopped("Only words."),
        Surprise(at=AT, source="agent", statement="I was wrong about the pier."),
    ],
)
def test_what_says_nothing_of_delegation_is_not_counted(event: Event) -> None:
    assert tally([event]) == ()
