"""What a person typed while the agent worked, which no user row holds.

It is kept as an attachment, as entries of the queue's log, or as both, depending on the version;
and a queued prompt that had to wait comes back as a user row. Each is said once.
"""

import re
from collections import deque

from remem_agents.claude_code.rows import Attachment, Row
from remem_agents.claude_code.words import Words, inner_texts, words_of_attachment, words_of_queue

_REMEMBERED = 64
_BLANKS = re.compile(r"(?:\[Image #\d+\]|\s)+")


class Steering:
    """The queue of one session as its log tells it, and what of it was said already."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[str, Words | None]] = deque(maxlen=_REMEMBERED)
        self._from_log: deque[str] = deque(maxlen=_REMEMBERED)
        self._from_attachments: deque[str] = deque(maxlen=_REMEMBERED)
        self._since_prompt: deque[str] = deque(maxlen=_REMEMBERED)

    def logged(self, row: Row) -> Words | None:
        """Follow the queue's log; give the words that reached the agent while it worked."""
        if row.operation == "enqueue":
            self._waiting.append((_key_of(row), words_of_queue(row.content)))
        elif row.operation == "popAll":  # back in the person's hands, to be edited
            self._waiting.clear()
        elif row.operation == "dequeue":  # comes as a user row
            self._take(row)
        elif row.operation == "remove":
            return self._said(self._take(row), self._from_log, self._from_attachments)
        return None

    def attached(self, attachment: Attachment) -> Words | None:
        """Give the words of a queued command that the log has not told yet."""
        words = words_of_attachment(attachment)
        return self._said(words, self._from_attachments, self._from_log)

    def repeated(self, text: str) -> bool:
        """Whether a prompt is only what was said since the last one, delivered late."""
        said = self._since_prompt
        if said and (_key(text) in said or _key(text) == _key("\n".join(said))):
            return True
        said.clear()
        return False

    def _take(self, row: Row) -> Words | None:
        """Take an entry out of the queue: by its text where the log has it, else the oldest."""
        if row.content:
            wanted = _key_of(row)
            for entry in self._waiting:
                if entry[0] == wanted:
                    self._waiting.remove(entry)
                    break
            return words_of_queue(row.content)
        return self._waiting.popleft()[1] if self._waiting else None

    def _said(self, words: Words | None, here: deque[str], there: deque[str]) -> Words | None:
        if words is None:
            return None
        key = _key(words.text)
        if key in there:
            there.remove(key)
            return None
        here.append(key)
        self._since_prompt.append(key)
        return words


def _key(text: str) -> str:
    return _BLANKS.sub(" ", text).strip()


def _key_of(row: Row) -> str:
    return _key("\n".join(inner_texts(row.content)))
