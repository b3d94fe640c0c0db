"""Errors of the use cases as JSON-RPC errors."""

from pygls.exceptions import JsonRpcException

from tutor_lsp.core.errors import TutorError

CODES = {
    "CANCELLED": -32001,
    "NO_EXERCISE": -32002,
    "NO_SESSION": -32003,
    "UNSAVED": -32004,
    "TOOLCHAIN_MISSING": -32005,
    "STORE": -32006,
    "REFUSED": -32007,
    "BAD_ARGUMENT": -32008,
}
OTHER = -32000


def json_rpc_error(error: TutorError) -> JsonRpcException:
    """The error as it reaches the client whole, `data.kind` included."""
    code = CODES.get(error.kind, OTHER)
    return JsonRpcException(message=error.message, code=code, data=error.data())
