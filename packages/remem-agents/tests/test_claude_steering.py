"""What a person typed while the agent worked is said once, however often it is logged."""

from collections.abc import Callable

import pytest
from claude_files import Json, Rows, bash, said, shape, text

from remem_protocol import Turn

Working = Callable[..., list[Turn]]


@pytest.fixture
def working(rows: Rows, read: Working) -> Working:
    """Reads rows that come while the agent works."""

    def reading(*given: Json) -> list[Turn]:
        return read(rows.agent(text("Working.")), *given)

    return reading


def test_queued_command_is_steering(rows: Rows, working: Working) -> None:
    turns = working(
        rows.agent(bash("a"), message="m1"),
        rows.queued("use tabs"),
        rows.result("a", "ok"),
        rows.agent(text("Tabs then."), message="m2"),
    )
    assert shape(turns) == ["agent", "agent", "steering", "agent"]
    assert said(turns) == [("steering", "use tabs")]


def test_log_and_attachment_are_one_message(rows: Rows, working: Working) -> None:
    image = {"type": "image", "source": {"data": "aGk="}}
    turns = working(
        rows.queue("enqueue", "use tabs [Image #1]"),
        rows.queued([text("use tabs"), image]),
        rows.queue("remove"),
    )
    assert said(turns) == [("steering", "use tabs")]


def test_log_before_attachment_is_one_message(rows: Rows, working: Working) -> None:
    turns = working(
        rows.queue("enqueue", "use tabs"), rows.queue("remove", "use tabs"), rows.queued("use tabs")
    )
    assert said(turns) == [("steering", "use tabs")]


def test_removed_entry_was_said_when_only_the_log_has_it(rows: Rows, working: Working) -> None:
    turns = working(
        rows.queue("enqueue", "use tabs"),
        rows.queue("enqueue", [text("and sort them")]),
        rows.queue("remove"),
        rows.queue("remove"),
    )
    assert said(turns) == [("steering", "use tabs"), ("steering", "and sort them")]


def test_dequeued_entry_comes_as_a_prompt(rows: Rows, working: Working) -> None:
    turns = working(rows.queue("enqueue", "use tabs"), rows.queue("dequeue"), rows.user("use tabs"))
    assert said(turns) == [("prompt", "use tabs")]


def test_steering_that_comes_again_as_a_prompt_is_said_once(rows: Rows, working: Working) -> None:
    turns = working(
        rows.queue("enqueue", "use tabs"),
        rows.queue("enqueue", "and sort"),
        rows.queue("remove"),
        rows.queue("remove"),
        rows.user("use tabs\nand sort"),
        rows.user("use spaces"),
        rows.user("use tabs"),
    )
    assert said(turns) == [
        ("steering", "use tabs"),
        ("steering", "and sort"),
        ("prompt", "use spaces"),
        ("prompt", "use tabs"),
    ]


def test_entry_taken_back_was_not_said(rows: Rows, working: Working) -> None:
    turns = working(
        rows.queue("enqueue", "use tbas"),
        rows.queue("popAll", "use tbas"),
        rows.queue("enqueue", "use tabs"),
        rows.queue("remove"),
    )
    assert said(turns) == [("steering", "use tabs")]


def test_notifications_in_the_queue_are_nobodys_words(rows: Rows, working: Working) -> None:
    notice = "<task-notification><status>failed</status></task-notification>"
    turns = working(
        rows.queue("enqueue", '{"task_id":"a1","description":"Build"}'),
        rows.queue("enqueue", "use tabs"),
        rows.queue("enqueue", notice),
        rows.queue("remove"),
        rows.queue("remove"),
        rows.queue("remove"),
        rows.queued(notice),
        rows.queued("done", commandMode="task-notification"),
        rows.queued("ls", commandMode="bash"),
        rows.queued("go on", origin={"kind": "auto-continuation"}),
        rows.queued("go on", isMeta=True),
    )
    assert said(turns) == [("steering", "use tabs")]


def test_command_in_the_queue_gives_its_arguments(rows: Rows, working: Working) -> None:
    turns = working(
        rows.queue("enqueue", "/compact keep the names"),
        rows.queue("remove"),
        rows.queue("enqueue", "/exit"),
        rows.queue("remove"),
        rows.queue("enqueue", "/usr/bin/python is wrong"),
        rows.queue("remove"),
    )
    assert said(turns) == [
        ("command", "keep the names"),
        ("steering", "/usr/bin/python is wrong"),
    ]


def test_programs_queue_is_nobodys_words(rows: Rows, working: Working) -> None:
    turns = working(
        rows.user("check", entrypoint="sdk-cli"),
        rows.queue("enqueue", "and again"),
        rows.queue("remove"),
        rows.queued("and again", entrypoint="sdk-cli"),
    )
    assert said(turns) == []
