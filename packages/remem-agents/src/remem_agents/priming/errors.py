"""Why a hook has nothing to say; the reasons stand in its log.

Exception
├── MissError   it could not be judged: a deadline, an error, no lessons to be read
└── LeftError   it is none of ours to speak at: a subagent, the host's own timers
"""


class MissError(Exception):
    """Nothing could be judged. `code` says why; `slow`, `deadline` and so on, `error: NAME`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class LeftError(Exception):
    """A call is not spoken at. `code` says why: `subagent`, `machine`, `again`, `event`, `own`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code
