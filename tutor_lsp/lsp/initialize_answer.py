"""The answer to `initialize` without the server that will serve: from a generated module, with the
standard library alone.

Whatever the server itself might answer differently is left to it.
"""

from collections.abc import Callable, Mapping

from tutor_lsp import __version__
from tutor_lsp.lsp.initialize_facts import CAPABILITIES, FORMS

MOST_INT = 2**31 - 1
_ENCODINGS = ("utf-8", "utf-16", "utf-32")


def answer(params: object) -> dict[str, object] | None:
    """The result of `initialize` for these parameters; None where the server must decide, as with
    parameters that do not fit their types.
    """
    if not isinstance(params, dict) or not _fits(params, "InitializeParams"):
        return None
    client = params["capabilities"]
    capabilities = {
        **CAPABILITIES,
        "positionEncoding": encoding_for(client),
        "textDocumentSync": _sync(client, CAPABILITIES["textDocumentSync"]),
    }
    return {
        "capabilities": capabilities,
        "serverInfo": {"name": "tutor-lsp", "version": __version__},
    }


def encoding_for(client: object) -> str:
    """The first of the encodings in a client's capabilities that is supported here."""
    wanted = value_at(client, "general", "positionEncodings")
    known = [each for each in wanted if each in _ENCODINGS] if isinstance(wanted, list) else []
    return known[0] if known else "utf-16"


def _sync(client: object, served: object) -> object:
    """Nothing is done before a save, which is said to clients that speak of it."""
    spoken = [
        key
        for key in ("willSave", "willSaveWaitUntil")
        if value_at(client, "textDocument", "synchronization", key) is not None
    ]
    return {**served, **dict.fromkeys(spoken, False)} if isinstance(served, dict) else served


def value_at(found: object, *keys: str) -> object:
    """What is at a path of keys in JSON, None where there is nothing."""
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def _fits(value: object, form: object) -> bool:
    """Whether a value certainly has a form: one with a name, one of some values, a list of one
    form, or any of several.
    """
    if isinstance(form, str):
        fields = FORMS.get(form)
        return _SIMPLE[form](value) if fields is None else _fits_object(value, fields)
    if isinstance(form, tuple):
        return type(value) in (str, int) and value in form
    if isinstance(form, list):
        return isinstance(value, list) and all(_fits(item, form[0]) for item in value)
    return isinstance(form, dict) and any(_fits(value, each) for each in form["any of"])


def _fits_object(value: object, fields: Mapping[str, tuple[bool, object]]) -> bool:
    if value == []:  # how Lua writes an object without keys
        value = {}
    if not isinstance(value, dict):
        return False
    for name, (optional, form) in fields.items():
        given = value.get(name)
        if not (optional if given is None else _fits(given, form)):
            return False
    return True


_SIMPLE: dict[str, Callable[[object], bool]] = {
    "any": lambda _: True,
    "bool": lambda value: isinstance(value, bool),
    "str": lambda value: isinstance(value, str),
    "int": lambda value: type(value) is int and abs(value) <= MOST_INT,
    "uint": lambda value: type(value) is int and 0 <= value <= MOST_INT,
}
