"""pygls's protocol where it would leave a client without an answer."""

from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol, lsp_method

if TYPE_CHECKING:
    from tutor_lsp.lsp.server import TutorServer

NOT_INITIALIZED, INVALID_REQUEST = -32002, -32600


class TutorProtocol(LanguageServerProtocol):
    """Every request is answered once, and commands can be cancelled.

    pygls reads every JSON object with a key `jsonrpc` as a message, drops what it cannot read
    without an answer, and runs a command as the inner step of another handler, so that cancelling
    the request leaves it running. Here only whole messages are read, refusals are answered, and a
    command is a coroutine of its own, found by the request's id.
    """

    def structure_message(self, data: Any) -> Any:
        """Leave objects as they are; `handle_message` reads whole messages."""
        return data

    def handle_message(self, message: Any) -> None:
        """Read and handle one message; a request that cannot be served is answered with why."""
        if not isinstance(message, dict) or "jsonrpc" not in message:
            self._refuse(None, INVALID_REQUEST, "This is no JSON-RPC 2.0 message.")
            return
        method, number = message.get("method"), message.get("id")
        refusal = self._refusal(method) if number is not None and method is not None else None
        if refusal is not None:
            self._refuse(number, *refusal)
            return
        try:
            structured = super().structure_message(message)
        except JsonRpcException as error:
            if number is not None and method is not None:
                why = str(error.__cause__ or error).splitlines()[0]
                self._refuse(number, error.code or INVALID_REQUEST, f"{method}: {why}")
            return
        super().handle_message(structured)

    def _refusal(self, method: str) -> tuple[int, str] | None:
        if self._shutdown:
            return INVALID_REQUEST, "The server is shutting down."
        begun = self._workspace is not None
        if method == lsp.INITIALIZE and begun:
            return INVALID_REQUEST, "The server is initialized already."
        if method not in (lsp.INITIALIZE, lsp.SHUTDOWN) and not begun:
            return NOT_INITIALIZED, "The server is not initialized yet."
        return None

    def _refuse(self, number: Any, code: int, why: str) -> None:
        # An id of null is what the protocol asks for where the request's own cannot be read.
        self._send_response(number, error=lsp.ResponseError(code, why))

    @lsp_method(lsp.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]  # pygls takes coroutines too
        self, params: lsp.ExecuteCommandParams
    ) -> Any:
        """Run a command as a task of its own."""
        server = cast("TutorServer", self._server)
        return await server.execute(params.command, list(params.arguments or []))
