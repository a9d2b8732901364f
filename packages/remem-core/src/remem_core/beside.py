"""Something done beside its caller, in a thread: what waits for a disk or leaves Python alone."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

_Result = TypeVar("_Result")


class Beside(Generic[_Result]):
    """A call that has begun; `result` waits for its end and raises what it raised.

    Not an executor: importing `concurrent.futures` takes longer than the thread.
    """

    def __init__(self, call: Callable[[], _Result]) -> None:
        self._call = call
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def result(self) -> _Result:
        """Return what the call returned."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._result

    def _run(self) -> None:
        try:
            self._result = self._call()
        except BaseException as error:
            self._error = error
