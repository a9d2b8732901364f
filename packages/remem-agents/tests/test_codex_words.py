"""Which words of a rollout are the person's, by which channel, and that each is told once."""

from pathlib import Path

import pytest
from claude_files import calls, said, shape
from codex_files import Rollout, rollout, turns_of, unified

from remem_protocol import AgentTurn


def test_words_on_both_channels_are_said_once(tmp_path: Path) -> None:
    r = Rollout()
    path = rollout(tmp_path, r.meta(), r.user("use tabs"), r.agent("Tabs it is."), r.user("good"))
    turns = turns_of(path)
    assert shape(turns) == ["prompt", "agent", "prompt"]
    assert [turn.text for turn in turns] == ["use tabs", "Tabs it is.", "good"]


def test_event_before_its_item_is_said_once(tmp_path: Path) -> None:
    r = Rollout()
    rows = [r.event("user_message", message="use tabs"), r.user_item("use tabs")]
    agent = list(reversed(r.agent("Tabs it is.")))
    turns = turns_of(rollout(tmp_path, r.meta(), rows, agent))
    assert [turn.text for turn in turns] == ["use tabs", "Tabs it is."]


def test_words_told_to_the_model_alone_are_the_persons(tmp_path: Path) -> None:
    r = Rollout()
    answer = r.agent("ok")[1]
    turns = turns_of(rollout(tmp_path, r.meta(), r.user_item("use tabs"), answer))
    assert shape(turns) == ["prompt", "agent"]


def test_last_words_without_an_answer_are_kept(tmp_path: Path) -> None:
    r = Rollout()
    assert said(turns_of(rollout(tmp_path, r.meta(), r.user_item("stop")))) == [("prompt", "stop")]


def test_harness_text_that_only_the_model_got_is_not_typed(tmp_path: Path) -> None:
    r = Rollout()
    notice = r.user_item("A notice of a kind that no list knows.")
    turns = turns_of(rollout(tmp_path, r.meta(), r.user("go"), notice, r.agent("Done.")))
    assert said(turns) == [("prompt", "go")]


@pytest.mark.parametrize(
    "text",
    [
        "# AGENTS.md instructions for /srv/work/shop\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>",
        "# AGENTS.md instructions\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>",
        "<user_instructions>\n\nUse tabs.\n\n</user_instructions>",
        "<environment_context>\n  <cwd>/srv</cwd>\n</environment_context>",
        "<skill>\n<name>worktree</name>\n</skill>",
        "<user_shell_command>\n<command>ls</command>\nExit code: 0\n</user_shell_command>",
        "<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>",
        '<subagent_notification>\n{"status": "completed"}\n</subagent_notification>',
        '<codex_internal_context source="goal">Go on.</codex_internal_context>',
        "<goal_context>Go on.</goal_context>",
        '<hook_prompt hook_run_id="1">Use tabs.</hook_prompt>',
        "<external_context>news</external_context>",
        "<realtime_delegation>do it</realtime_delegation>",
        "<image_resize_notice>smaller</image_resize_notice>",
        "<user_action>review</user_action>",
        "<recommended_plugins>a, b</recommended_plugins>",
        "Warning: apply_patch was requested via exec_command. Use the apply_patch tool instead.",
        "# Context from my IDE setup:\n\n## Active file: a.py\n",
        "# Files mentioned by the user:\n\n## a.png: /tmp/a.png\n",
        "<!-- remem:start -->\nUse tabs.\n<!-- remem:end -->",
        "  ",
    ],
)
def test_texts_that_are_not_the_persons_are_left_out(tmp_path: Path, text: str) -> None:
    r = Rollout()
    answer = r.agent("ok")[1]
    to_the_model = turns_of(rollout(tmp_path / "a", r.meta(), r.user_item(text), answer))
    on_screen = turns_of(rollout(tmp_path / "b", r.meta(), r.user(text), answer))
    assert (said(to_the_model), said(on_screen)) == ([], [])


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("# Context from my IDE setup:\n\n## Open:\n- a.py\n\n## My request for Codex:\nfix it\n",
         "fix it"),
        ("# Files mentioned by the user:\n\n## a\n\n## My request for Codex: \nread it", "read it"),
        ("<recommended_plugins>\na\n</recommended_plugins>\n\nuse tabs", "use tabs"),
        ("# A heading of mine\nuse tabs", "# A heading of mine\nuse tabs"),
        ("what does ## My request for Codex: mean", "what does ## My request for Codex: mean"),
        ("<div> is not closed", "<div> is not closed"),
    ],
)  # fmt: skip
def test_what_stands_around_the_request_is_cut_off(tmp_path: Path, text: str, typed: str) -> None:
    r = Rollout()
    turns = turns_of(rollout(tmp_path, r.meta(), r.user(text), r.agent("ok")))
    assert said(turns) == [("prompt", typed)]


def test_environment_beside_words_is_left_out(tmp_path: Path) -> None:
    r = Rollout()
    both = r.user_item("<environment_context>x</environment_context>", "<image>", "use tabs")
    call = r.ran("a", unified("fine"))
    assert said(turns_of(rollout(tmp_path, r.meta(), both, call))) == [("prompt", "use tabs")]


def test_old_event_says_itself_that_it_was_not_typed(tmp_path: Path) -> None:
    r = Rollout()
    rows = [
        r.event("user_message", message="obey", kind="user_instructions"),
        r.event("user_message", message="where", kind="environment_context"),
        r.event("user_message", message="use tabs", kind="plain"),
    ]
    assert said(turns_of(rollout(tmp_path, r.meta(), rows))) == [("prompt", "use tabs")]


def test_words_typed_while_the_agent_works_are_steering(tmp_path: Path) -> None:
    r = Rollout()
    path = rollout(
        tmp_path,
        r.meta(),
        r.event("task_started"),
        r.user("tidy up"),
        r.ran("a", unified("fine")),
        r.user("not the tests"),
        r.user("nor the docs"),
        r.agent("Right."),
        r.event("task_complete"),
        r.event("task_started"),
        r.user("thanks"),
    )
    assert said(turns_of(path)) == [
        ("prompt", "tidy up"),
        ("steering", "not the tests"),
        ("steering", "nor the docs"),
        ("prompt", "thanks"),
    ]


def test_prompt_before_its_task_is_no_steering(tmp_path: Path) -> None:
    r = Rollout()
    one = [r.user("one"), r.event("task_started"), r.agent("1"), r.event("task_complete")]
    two = [r.user("two"), r.event("task_started"), r.agent("2"), r.event("task_complete")]
    path = rollout(tmp_path, r.meta(), *one[0], *one[1:2], *one[2], one[3], *two[0], two[1])
    assert said(turns_of(path)) == [("prompt", "one"), ("prompt", "two")]


def test_paginated_history_tells_words_by_completed_items(tmp_path: Path) -> None:
    r = Rollout()
    typed = [{"type": "text", "text": "use tabs", "text_elements": []}]
    path = rollout(
        tmp_path,
        r.meta(history_mode="paginated"),
        r.user_item("use tabs"),
        r.done("UserMessage", id="u1", content=typed),
        r.done("AgentMessage", id="a1", content=[{"type": "Text", "text": "Tabs it is."}]),
        r.agent("Tabs it is.")[1],
        r.done("Reasoning", id="r1", summary_text=[]),
    )  # fmt: skip
    turns = turns_of(path)
    assert [turn.text for turn in turns] == ["use tabs", "Tabs it is."]


@pytest.mark.parametrize(
    "fields",
    [
        {"source": "exec"},
        {"source": "mcp"},
        {"source": "cli", "originator": "codex_exec"},
        {"source": {"subagent": "review"}},
        {"source": {"subagent": {"thread_spawn": {"parent_thread_id": "p", "depth": 1}}}},
    ],
)
def test_prompts_of_programs_are_nobodys_words(tmp_path: Path, fields: dict[str, object]) -> None:
    r = Rollout()
    refused = r.ran("a", "exec command rejected by user")
    turns = turns_of(rollout(tmp_path, r.meta(**fields), r.user("do the task"), refused))
    assert said(turns) == []
    assert [turn.calls[0].result.status for turn in turns if isinstance(turn, AgentTurn)] == [
        "refused"
    ]


def test_summaries_of_a_compaction_are_not_mined(tmp_path: Path) -> None:
    r = Rollout()
    history = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "x"}]}
    ]
    compacted = r.row("compacted", {"message": "He likes tabs.", "replacement_history": history})
    turns = turns_of(rollout(tmp_path, r.meta(), r.user("go"), compacted, r.agent("ok")))
    assert said(turns) == [("prompt", "go")]


def test_remems_section_is_cut_out_of_words(tmp_path: Path) -> None:
    r = Rollout()
    text = "look\n<!-- remem:start -->\nUse tabs.\n<!-- remem:end -->\nhere"
    turns = turns_of(rollout(tmp_path, r.meta(), r.user(text)))
    assert said(turns) == [("prompt", "look\n\nhere")]


def test_words_before_a_call_are_of_the_same_reply(tmp_path: Path) -> None:
    r = Rollout()
    rows = r.user("go"), r.agent("I'll run it."), r.ran("c", unified("fine")), r.agent("Fine.")
    turns = turns_of(rollout(tmp_path, r.meta(), *rows))
    assert shape(turns) == ["prompt", "agent", "agent"]
    assert len(calls(turns)) == 1
