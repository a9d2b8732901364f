"""The owner's commands, one file each: `add_arguments(parser)` and `run(arguments, output)`.

Their one-line summaries stand here, so that `remem --help` imports no command.
"""

from typing import Final

COMMANDS: Final = {
    "ingest": "read your agents' sessions into the memory",
    "inspect": "show what would be remembered of a session, storing nothing",
    "recall": "ask the memory",
    "show": "show one memory whole",
    "history": "show what a note replaced and what replaced it",
    "note": "remember something, told on purpose",
    "status": "count what is remembered",
    "snapshot": "keep the memory as it is now, or lay an earlier one back",
    "export": "write everything that is remembered to a file",
    "import": "merge an exported memory into this one",
    "forget": "delete for good, and keep it from coming back",
    "repair": "mend the store; what is true is copied before it is touched",
    "reindex": "build the word index and the missing vectors anew",
    "paths": "list every place this program reads or writes",
    "doctor": "check that everything works, and say what to do where it does not",
    "demo": "see it work on made-up sessions, in a temporary memory",
    "adapter": "speak the conformance suite's adapter protocol",
}
