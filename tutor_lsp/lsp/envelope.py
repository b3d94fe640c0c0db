"""Checks a message before its parameters are read."""

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
NOT_INITIALIZED, INTERNAL_ERROR = -32002, -32603
REQUEST_CANCELLED, REQUEST_FAILED = -32800, -32803
VERSION = "2.0"


def is_id(value: object) -> bool:
    """Whether a value can be the id of a request."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def id_of(message: object) -> object:
    """The id to answer to, None where there is none that can be read."""
    number = message.get("id") if isinstance(message, dict) else None
    return number if is_id(number) else None


def fault_of(message: object) -> str | None:
    """Why a JSON value is not a message of the protocol, None if it is one."""
    if not isinstance(message, dict):
        return "A message must be one object; batches are not supported."
    if message.get("jsonrpc") != VERSION:
        return 'A message must say "jsonrpc": "2.0".'
    if "id" in message and not is_id(message["id"]):
        return "An id must be a string or a whole number."
    if "method" in message:
        named = isinstance(message["method"], str)
        return None if named else "The method of a message must be a string."
    if "result" in message or "error" in message:
        return None
    return "A request must name its method."


def untimely(method: str, *, begun: bool, ended: bool) -> tuple[int, str] | None:
    """Why a method cannot be served at this time: before `initialize`, or after `shutdown`."""
    if method == "exit":
        return None
    if ended:
        return INVALID_REQUEST, "The server is shutting down."
    if method == "initialize" and begun:
        return INVALID_REQUEST, "The server is already initialized."
    if method not in ("initialize", "shutdown") and not begun:
        return NOT_INITIALIZED, "The server is not initialized yet."
    return None
