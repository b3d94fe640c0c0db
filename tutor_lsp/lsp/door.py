"""Answers a client before the server is loaded: `initialize`, and faulty messages that no server is
needed for. Everything else is kept in order for the server.

This is loaded before the first answer: it needs the standard library alone, and little of that.
"""

import json
from collections.abc import Callable

from tutor_lsp.lsp.envelope import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    PARSE_ERROR,
    REQUEST_CANCELLED,
    REQUEST_FAILED,
    VERSION,
    fault_of,
    id_of,
    is_id,
    untimely,
)
from tutor_lsp.lsp.framing import Fault, Framing, Message
from tutor_lsp.lsp.initialize_answer import answer

ERROR = 1
"""The kind of a message that reports an error."""


class Door:
    """One client until the server takes over, or until it leaves.

    `kept` is what the server has to handle, in order; `answered` is the `initialize` among it whose
    answer the client has already. `over` says that no more messages come: the
    client said `exit`, or nothing more can be read, `unreadable` says why. Where the server is
    needed to tell whether `initialize` is refused, all that follows is kept, `exit` too.
    """

    def __init__(self, send: Callable[[bytes], object]) -> None:
        self.framing = Framing()
        self.kept: list[Message | Fault] = []
        self.answered: Message | None = None
        self.shutdown_seen = False
        self.over = False
        self.unreadable: str | None = None
        self._send = send
        self._undecided = False
        self._failure: str | None = None

    @property
    def needs_server(self) -> bool:
        """Whether there is anything that only the server can answer."""
        return bool(self.kept)

    @property
    def can_end(self) -> bool:
        """Whether all that is kept can be answered without the server, see `end`."""
        return not self._undecided

    def feed(self, data: bytes) -> None:
        """Take bytes of the client."""
        for item in self.framing.feed(data):
            if self.over:
                return
            self._take(item)

    def end(self) -> int:
        """Answer what is kept, because the client is leaving. Returns the exit code."""
        self._refuse_kept(REQUEST_FAILED, "The server ended before it could answer.")
        return 0 if self.shutdown_seen else 1

    def cannot_serve(self, why: str) -> None:
        """The server could not be loaded: report it, and refuse what is kept and what will come."""
        self._failure = why
        self._undecided = False
        params = {"type": ERROR, "message": why}
        self._write({"method": "window/showMessage", "params": params})
        self._refuse_kept(INTERNAL_ERROR, why)

    def _refuse_kept(self, code: int, why: str) -> None:
        kept, self.kept = self.kept, []
        was_over = self.over
        for item in kept:
            if item is self.answered:
                continue
            self._refuse_one(item, code, why)
            if self.over and not was_over:
                return

    def _refuse_one(self, item: Message | Fault, code: int, why: str) -> None:
        """Answer what the server will not handle: a `shutdown` is done, all else is refused."""
        if isinstance(item, Fault):
            self._refuse(None, PARSE_ERROR, item.why)
            self.over = self.over or item.ends
            return
        message = item.value
        fault = fault_of(message)
        if fault is not None or not isinstance(message, dict):
            self._refuse(id_of(message), INVALID_REQUEST, str(fault))
        elif message.get("method") == "exit":
            self.over = True
        elif message.get("method") == "shutdown" and not self.shutdown_seen:
            self._shut_down(message)
        elif "method" in message and "id" in message:
            begun = self.answered is not None
            wrong = untimely(message["method"], begun=begun, ended=self.shutdown_seen)
            self._refuse(message["id"], *(wrong or (code, why)))

    def _take(self, item: Message | Fault) -> None:
        if isinstance(item, Fault):
            self._take_fault(item)
        elif self._failure is not None:
            self._refuse_one(item, INTERNAL_ERROR, self._failure)
        elif self._undecided:
            self.kept.append(item)
        elif fault_of(item.value) is not None:
            self._refuse(id_of(item.value), INVALID_REQUEST, str(fault_of(item.value)))
        elif isinstance(item.value, dict) and "method" in item.value:
            self._called(item, item.value)

    def _take_fault(self, fault: Fault) -> None:
        if self.kept:
            self.kept.append(fault)
        else:
            self._refuse(None, PARSE_ERROR, fault.why)
        if fault.ends:
            self.unreadable = fault.why
            self.over = not self._undecided

    def _called(self, item: Message, message: dict[str, object]) -> None:
        method = str(message["method"])
        begun = self.answered is not None
        wrong = untimely(method, begun=begun, ended=self.shutdown_seen)
        if method == "exit":
            self.over = True
        elif wrong is not None:
            if "id" in message:
                self._refuse(message["id"], *wrong)
        elif not begun and method == "shutdown" and message.get("params") is None:
            self._shut_down(message)
        elif not begun and method == "initialize" and self._answer(item, message):
            pass
        elif not (method == "$/cancelRequest" and self._cancel(message.get("params"))):
            self.kept.append(item)
            self._undecided = not begun

    def _answer(self, item: Message, message: dict[str, object]) -> bool:
        """Whether `initialize` could be answered."""
        result = answer(message.get("params")) if "id" in message else None
        if result is None:
            return False
        self._write({"id": message["id"], "result": result})
        self.answered = item
        self.kept.append(item)
        return True

    def _cancel(self, params: object) -> bool:
        """Whether a request was cancelled before the server saw it."""
        number = params.get("id") if isinstance(params, dict) else None
        for item in self.kept[1:] if is_id(number) else ():
            message = item.value if isinstance(item, Message) else None
            if not isinstance(message, dict) or message.get("method") in (None, "shutdown"):
                continue
            if id_of(message) == number and type(id_of(message)) is type(number):
                self.kept = [each for each in self.kept if each is not item]
                self._refuse(number, REQUEST_CANCELLED, f'Request with id "{number}" is canceled')
                return True
        return False

    def _shut_down(self, message: dict[str, object]) -> None:
        self.shutdown_seen = True
        if "id" in message:
            self._write({"id": message["id"], "result": None})

    def _refuse(self, number: object, code: int, why: str) -> None:
        self._write({"id": number, "error": {"code": code, "message": why}})

    def _write(self, message: dict[str, object]) -> None:
        body = json.dumps({"jsonrpc": VERSION, **message}).encode()
        self._send(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
