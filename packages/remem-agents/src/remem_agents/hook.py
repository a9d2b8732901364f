"""What an agent runs at a prompt, a tool call and a hand-back: `python -I -S hook.py AGENT EVENT`.

It must never be in the way: it always exits with 0, prints nothing unless it has something to say,
and is done 300 ms after the first line here. All of it is in `remem_agents.answering`: Python
compiles the file that it is told to run anew at every call, and keeps what that imports.
"""

import time

BEGAN = time.monotonic()

import sys  # noqa: E402

try:
    from posix import _exit  # built in; `os` around it takes 2 ms to import
except ImportError:
    from os import _exit


def run() -> None:
    """Answer one call; whatever happens, end with 0."""
    try:
        # At the end of the path: nothing that lies beside us may stand for Python's own modules.
        sys.path.append(__file__.rpartition("remem_agents")[0] or ".")
        from remem_agents.answering import main

        main(sys.argv, BEGAN)
    except BaseException:  # a host takes any other end for a refusal or an error
        pass
    _exit(0)


if __name__ == "__main__":
    run()
