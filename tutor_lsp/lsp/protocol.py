"""Overrides pygls's protocol where it would leave a client without an answer, or guess its
meaning."""

import logging
import time
from collections.abc import Awaitable, Callable, Generator, Mapping
from contextvars import copy_context
from typing import Any

import attrs
from cattrs.errors import BaseValidationError
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInternalError
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.workspace import Workspace

from tutor_lsp.lsp.door import Door
from tutor_lsp.lsp.envelope import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    fault_of,
    id_of,
    is_id,
    untimely,
)
from tutor_lsp.lsp.framing import Fault, Message
from tutor_lsp.lsp.initialize_answer import encoding_for

_MOST_WORDS = 300
log = logging.getLogger("tutor_lsp")


class TutorProtocol(LanguageServerProtocol):
    """Every request is answered once, and commands can be cancelled.

    pygls reads every JSON object with a key `jsonrpc` as a message, drops what it cannot read
    without an answer, and runs a command as the inner step of another handler, so that cancelling
    the request leaves it running. Here only whole messages are read, refusals are answered, and a
    command is a coroutine of its own, found by the request's id. `shutdown_seen` says whether the
    client asked for the end, `heard` when it last called (`time.monotonic`), `begin` takes the
    parameters of `initialize`, as JSON that fits their types, `run_command` runs a command by name
    with its raw arguments. `at_once` has requests that are asked for all the time: from their
    parameters to their result, both as JSON, or NotImplemented to have them served like others.
    """

    shutdown_seen = False
    heard = 0.0
    begin: Callable[[Mapping[str, Any]], None]
    run_command: Callable[[str, list[Any]], Awaitable[Any]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.at_once: dict[str, Callable[[Any], Any]] = {}

    def structure_message(self, data: Any) -> Any:
        """Leave objects as they are; `handle_message` reads whole messages."""
        return data

    def handle_message(self, message: Any) -> None:
        """Handle one JSON value; a request that cannot be served is answered with the reason.

        Raises SystemExit on `exit`, and nothing else.
        """
        known = id_of(message)
        asked = isinstance(message, dict) and "method" not in message and known is not None
        if asked and known in self._result_types and message.get("jsonrpc") == self.VERSION:
            self._answered(message)
        elif (fault := fault_of(message)) is not None:
            self._refuse(known, INVALID_REQUEST, fault)
        elif "method" in message:
            self._called(message, known)
        else:
            log.info("a response to no request of ours: %s", str(known)[:_MOST_WORDS])

    def take_over(self, door: Door) -> bool:
        """Handle what came before the server was loaded; whether more can be read after it. Raises
        SystemExit on `exit`.
        """
        for item in door.kept:
            if item is door.answered and isinstance(item.value, dict):
                self._begin(item.value["params"])
            elif not self.handle_item(item):
                return False
        return True

    def _begin(self, params: Mapping[str, Any]) -> None:
        """Handle an `initialize` that the client has the answer to: neither that nor the types of
        all that the client can do, which takes long, are worked out again.
        """
        self.heard = time.monotonic()
        folders = params.get("workspaceFolders") or ()
        sync, encoding = lsp.TextDocumentSyncKind.Full, encoding_for(params["capabilities"])
        self._workspace = Workspace(
            params.get("rootUri"),
            sync,
            [lsp.WorkspaceFolder(folder["uri"], folder["name"]) for folder in folders],
            lsp.PositionEncodingKind(encoding),
        )
        self.begin(params)

    def handle_item(self, item: Message | Fault) -> bool:
        """Handle what was read; whether more can be read after it. Raises SystemExit on `exit`."""
        if isinstance(item, Message):
            self.handle_message(item.value)
            return True
        self._refuse(None, PARSE_ERROR, item.why)
        if item.ends:
            log.warning("the rest of the client's stream cannot be read: %s", item.why)
        return not item.ends

    def _called(self, message: dict[str, Any], number: Any) -> None:
        """Handle a request, or a notification, which is dropped where a request is refused."""
        self.heard = time.monotonic()
        method = message["method"]
        refusal = self._refusal(method)
        if method == lsp.SHUTDOWN:
            self.shutdown_seen = True
        if refusal is None and number is not None and self._answered_at_once(message, number):
            return
        if refusal is None:
            # Keys that the protocol does not know are no reason to refuse the rest.
            plain = {"jsonrpc": self.VERSION, "method": method, "params": message.get("params")}
            if number is not None:
                plain["id"] = number
            refusal = self._only_a_notification(plain) or self._serve(plain, method)
            if method == lsp.INITIALIZE and refusal is None:
                self.begin(plain["params"])
        if refusal is None:
            return
        if number is not None:
            self._refuse(number, *refusal)
        else:
            log.info("%s was left out: %s", method[:_MOST_WORDS], refusal[1])

    def _answered_at_once(self, message: dict[str, Any], number: Any) -> bool:
        answer = self.at_once.get(message["method"])
        if answer is None:
            return False
        try:
            result = answer(message.get("params"))
        except Exception:  # noqa: BLE001 - whoever serves it like others says what is wrong
            return False
        if result is NotImplemented:
            return False
        self._send_data({"jsonrpc": self.VERSION, "id": number, "result": result})
        return True

    def _refusal(self, method: str) -> tuple[int, str] | None:
        """Why a method cannot be served now."""
        begun = self._workspace is not None
        wrong = untimely(method, begun=begun, ended=self.shutdown_seen)
        if wrong is not None or method == lsp.EXIT:
            return wrong
        served = (self.fm.builtin_features, self.fm.features, (lsp.CANCEL_REQUEST,))
        if not any(method in names for names in served):
            return METHOD_NOT_FOUND, f"There is no method {method[:_MOST_WORDS]} here."
        return None

    def _only_a_notification(self, message: dict[str, Any]) -> tuple[int, str] | None:
        kind = self.get_message_type(message["method"])
        if kind is None or "id" not in message or message["method"] == lsp.EXIT:
            return None
        if any(field.name == "id" for field in attrs.fields(kind)):
            return None
        return INVALID_REQUEST, f"{message['method']} is a notification: it has no id."

    def _serve(self, message: dict[str, Any], method: str) -> tuple[int, str] | None:
        params = message["params"]
        if not isinstance(params, dict | list | None):
            return INVALID_PARAMS, f"{method}: params must be one object."
        try:
            structured = self._typed(message, self.get_message_type(method))
        except Exception as error:  # noqa: BLE001 - cattrs and its hooks raise what they like
            return INVALID_PARAMS, f"{method}: {_reason(error)}."
        if method == lsp.CANCEL_REQUEST and not is_id(structured.params.id):
            return INVALID_PARAMS, f"{method}: an id must be a string or a whole number."
        self._handle(structured)
        return None

    def _typed(self, message: dict[str, Any], kind: Any) -> Any:
        if kind is None:
            return super().structure_message(message)
        return self._converter.structure(message, kind)

    def _handle(self, structured: Any) -> None:
        # pygls would look through all attributes of every message for its kind first.
        method, params = structured.method, structured.params
        number = getattr(structured, "id", None)
        try:
            if number is None:
                copy_context().run(self._handle_notification, method, params)
            else:
                copy_context().run(self._handle_request, number, method, params)
        except Exception:  # a defect ends this message, not the connection
            log.exception("a message could not be handled")

    def _answered(self, message: dict[str, Any]) -> None:
        """Take the client's answer to a request of ours; one of the wrong form is a refusal."""
        number = message["id"]
        kind = self._result_types.pop(number)
        future = self._request_futures.pop(number, None)
        if future is None or future.done():
            return
        error = message.get("error")
        if error is not None:
            future.set_exception(_refused_by_client(error))
            return
        try:
            answer = self._typed({**message, "result": message.get("result")}, kind)
        except Exception as unfit:  # noqa: BLE001 - whoever asked is told
            log.info("an answer of the client does not fit: %s", _reason(unfit))
            future.set_exception(JsonRpcInternalError(f"the answer does not fit: {unfit!r}"))
            return
        future.set_result(answer.result)

    def _refuse(self, number: Any, code: int, why: str) -> None:
        # An id of null is what the protocol asks for where the request's own cannot be read; pygls
        # would leave it out.
        error = {"code": code, "message": why}
        self._send_data({"jsonrpc": self.VERSION, "id": number, "error": error})

    def _execute_handler(
        self, msg_id: Any, handler: Any, callback: Any, args: Any = None, kwargs: Any = None
    ) -> None:
        """Run a handler; what it waited for is forgotten once that ended, which pygls does only
        with what it answers."""

        def ended(future: Any) -> None:
            self._request_futures.pop(msg_id, None)
            callback(future)

        super()._execute_handler(msg_id, handler, ended, args, kwargs)

    @lsp_method(lsp.SHUTDOWN)
    def lsp_shutdown(self, *args: Any) -> Generator[Any, Any, None]:
        """End what is under way, and cancel the requests that still wait, each of which is
        forgotten at once."""
        yield self.fm.features[lsp.SHUTDOWN], args, None
        for number, future in [*self._request_futures.items()]:
            if number != self.msg_id:
                future.cancel()
        self._shutdown = True

    @lsp_method(lsp.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]  # pygls takes coroutines too
        self, params: lsp.ExecuteCommandParams
    ) -> Any:
        """Run a command as a task of its own."""
        return await self.run_command(params.command, list(params.arguments or []))


def _reason(error: BaseException) -> str:
    """The first error, with the keys that lead to it."""
    path: list[str] = []
    while isinstance(error, BaseValidationError) and error.exceptions:
        error = error.exceptions[0]
        notes = [note for note in getattr(error, "__notes__", ()) if hasattr(note, "name")]
        path += [str(note.name) for note in notes]
    where = ".".join(name for name in path if name != "params")
    said = f"{error.args[0]!s} is missing" if isinstance(error, KeyError) else str(error)
    return (f"{where}: {said}" if where else said)[:_MOST_WORDS]


def _refused_by_client(error: Any) -> JsonRpcException:
    given = error if isinstance(error, dict) else {}
    code, words = given.get("code"), given.get("message")
    return JsonRpcException(
        words if isinstance(words, str) else str(error)[:_MOST_WORDS],
        code if isinstance(code, int) else None,
        given.get("data"),
    )
