"""The owner's commands, one file each: `add_arguments(parser)` and `run(arguments, output)`.

Their one-line summaries stand here, so that `remem --help` imports no command.
"""

from typing import Final

COMMANDS: Final = {
    "setup": "wire your agents to the memory, or take the wires out again",
    "ingest": "read your agents' sessions into the memory",
    "inspect": "show what would be remembered of a session, storing nothing",
    "recall": "ask the memory",
    "sleep": "turn what surprised into a few lessons",
    "morning": "tell what the last night learned and changed",
    "show": "show one memory or lesson whole",
    "history": "show what a note replaced and what replaced it, or a lesson's life",
    "note": "remember something, told on purpose",
    "lessons": "list what was learned",
    "ledger": "tell every change of what was learned, or one lesson's life",
    "undo": "take one change of what was learned back",
    "veto": "let a lesson go, and never learn it again",
    "unveto": "lift a veto, or list the vetoes",
    "status": "count what is remembered",
    "snapshot": "keep the memory as it is now, or lay an earlier one back",
    "export": "write everything that is remembered to a file",
    "import": "merge an exported memory into this one",
    "forget": "delete for good, and keep it from coming back",
    "repair": "mend the store; what is true is copied before it is touched",
    "reindex": "build the word index and the missing vectors anew",
    "render": "write the lessons into your agents' memory files, or take them out",
    "prime": "say what an agent would be told at a moment, and why; nothing is said or stored",
    "primed": "show what was said to agents, when and why",
    "measure": "tell whether the memory helps, on your own sessions, and how sure that is",
    "serve": "answer an agent over MCP on standard input and output; agents start it",
    "paths": "list every place this program reads or writes",
    "doctor": "check that everything works, and say what to do where it does not",
    "demo": "see it work on made-up sessions, in a temporary memory",
    "adapter": "speak the conformance suite's adapter protocol",
}
