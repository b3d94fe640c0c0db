"""pygls's protocol where it would leave a client without an answer, or guess what it meant."""

import logging
from typing import TYPE_CHECKING, Any, cast

import attrs
from cattrs.errors import BaseValidationError
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInternalError
from pygls.protocol import LanguageServerProtocol, lsp_method

if TYPE_CHECKING:
    from tutor_lsp.lsp.server import TutorServer

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
NOT_INITIALIZED = -32002
_MOST_WORDS = 300
log = logging.getLogger("tutor_lsp")


class TutorProtocol(LanguageServerProtocol):
    """Every request is answered once, and commands can be cancelled.

    pygls reads every JSON object with a key `jsonrpc` as a message, drops what it cannot read
    without an answer, and runs a command as the inner step of another handler, so that cancelling
    the request leaves it running. Here only whole messages are read, refusals are answered, and a
    command is a coroutine of its own, found by the request's id. `shutdown_seen` says whether the
    client asked for the end.
    """

    shutdown_seen = False

    def structure_message(self, data: Any) -> Any:
        """Leave objects as they are; `handle_message` reads whole messages."""
        return data

    def handle_message(self, message: Any) -> None:
        """Handle one JSON value; a request that cannot be served is answered with why.

        Raises SystemExit on `exit`, and nothing else.
        """
        if not isinstance(message, dict):
            self._refuse(None, INVALID_REQUEST, "A message is one object; there are no batches.")
            return
        number = message.get("id")
        known = number if _is_id(number) else None
        if message.get("jsonrpc") != self.VERSION:
            self._refuse(known, INVALID_REQUEST, 'A message says "jsonrpc": "2.0".')
        elif "id" in message and known is None:
            self._refuse(None, INVALID_REQUEST, "An id is a text or a whole number.")
        elif "method" in message:
            self._called(message, known)
        elif known in self._result_types:
            self._answered(message)
        elif "result" in message or "error" in message:
            log.info("an answer to no request of ours: %s", str(known)[:_MOST_WORDS])
        else:
            self._refuse(known, INVALID_REQUEST, "A request names its method.")

    def refuse_unread(self, why: str) -> None:
        """Answer something that is no message at all."""
        self._refuse(None, PARSE_ERROR, why)

    def _called(self, message: dict[str, Any], number: Any) -> None:
        """Handle a request, or a notification, which is dropped where a request is refused."""
        method = message["method"]
        if not isinstance(method, str):
            self._refuse(number, INVALID_REQUEST, "The name of a method is a text.")
            return
        refusal = self._refusal(method)
        if method == lsp.SHUTDOWN:
            self.shutdown_seen = True
        if refusal is None:
            # Keys that the protocol does not know are no reason to refuse the rest.
            plain = {"jsonrpc": self.VERSION, "method": method, "params": message.get("params")}
            if number is not None:
                plain["id"] = number
            refusal = self._only_a_notification(plain) or self._serve(plain, method)
        if refusal is None:
            return
        if number is not None:
            self._refuse(number, *refusal)
        else:
            log.info("%s was left out: %s", method[:_MOST_WORDS], refusal[1])

    def _refusal(self, method: str) -> tuple[int, str] | None:
        """Why a method cannot be served now."""
        if method == lsp.EXIT:
            return None
        if self.shutdown_seen:
            return INVALID_REQUEST, "The server is shutting down."
        begun = self._workspace is not None
        if method == lsp.INITIALIZE and begun:
            return INVALID_REQUEST, "The server is initialized already."
        if method not in (lsp.INITIALIZE, lsp.SHUTDOWN) and not begun:
            return NOT_INITIALIZED, "The server is not initialized yet."
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
            return INVALID_PARAMS, f"{method}: params are one object."
        try:
            structured = self._structured(message)
        except _Unfit as error:
            return INVALID_PARAMS, f"{method}: {error}."
        if method == lsp.CANCEL_REQUEST and not _is_id(structured.params.id):
            return INVALID_PARAMS, f"{method}: an id is a text or a whole number."
        self._handle(structured)
        return None

    def _structured(self, message: dict[str, Any]) -> Any:
        """The message with its type. Raises _Unfit."""
        kind = self.get_message_type(message["method"])
        try:
            return self._typed(message, kind)
        except Exception as error:
            raise _Unfit(_reason(error)) from error

    def _typed(self, message: dict[str, Any], kind: Any) -> Any:
        if kind is None:
            return super().structure_message(message)
        return self._converter.structure(message, kind)

    def _handle(self, structured: Any) -> None:
        try:
            super().handle_message(structured)
        except Exception:
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

    @lsp_method(lsp.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]  # pygls takes coroutines too
        self, params: lsp.ExecuteCommandParams
    ) -> Any:
        """Run a command as a task of its own."""
        server = cast("TutorServer", self._server)
        return await server.execute(params.command, list(params.arguments or []))


class _Unfit(ValueError):  # noqa: N818 - it says what the parameters are
    """Parameters that do not fit; its text says which and why."""


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _reason(error: BaseException) -> str:
    """The first thing that is wrong, with the keys that lead to it."""
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
