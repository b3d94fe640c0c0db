"""Arguments as clients send them, without type coercion. Read by cattrs, which the
server has loaded anyway, so that no command waits for pydantic.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

from cattrs import ClassValidationError, Converter, ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn, override

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.text.translation import t
from tutor_lsp.tutor.interface.place import Arguments, Text, Word
from tutor_lsp.wire import camel

A = TypeVar("A", bound=Arguments)


class _UnfitError(ValueError):
    """What a value is or is not, as the end of a sentence. `explains`: the keys that there are
    would add nothing."""

    def __init__(self, reason: str, *, explains: bool = False) -> None:
        super().__init__(t(reason))
        self.explains = explains


def parse_arguments(command: str, kind: type[A], raw: list[Any]) -> A:
    """The one argument object of `command`, validated.

    Accepts no argument, null or one object. Raises TutorError `BAD_ARGUMENT` naming every wrong
    key and the keys that exist.
    """
    given = [item for item in raw if item is not None]
    if len(given) > 1 or (given and not isinstance(given[0], dict)):
        raise TutorError(
            "BAD_ARGUMENT",
            f"{command} takes no argument or one object; it got {len(raw)}: {str(raw)[:120]}",
        )
    try:
        return _converter().structure(given[0] if given else {}, kind)
    except ClassValidationError as error:
        found = list(_problems(error))
    problems = [{"path": path, "reason": reason} for path, reason, _ in found]
    known = sorted(_wire(field.name) for field in fields(kind))
    said = "; ".join(f"{path} {reason}" for path, reason, _ in found)
    keys = t(f" It knows these keys: {', '.join(known)}.")
    raise TutorError(
        "BAD_ARGUMENT",
        f"{command}: {said}.{'' if all(explains for *_, explains in found) else keys}",
        details={"errors": problems, "known": known},
    )


def _wire(name: str) -> str:
    return camel(name.rstrip("_"))


def _problems(error: BaseException, path: str = "") -> Iterator[tuple[str, str, bool]]:
    """Path, reason, and whether the reason says all, for whatever is wrong."""
    if isinstance(error, ClassValidationError):
        noted, others = error.group_exceptions()
        for one, note in noted:
            yield from _problems(one, _joined(path, _wire(note.name)))
        for other in others:
            yield from _problems(other, path)
    elif isinstance(error, ForbiddenExtraKeysError):
        for key in sorted(map(str, error.extra_fields)):
            yield _joined(path, key), t("is not known"), False
    elif isinstance(error, KeyError):
        yield path, t("is missing"), False
    else:
        yield path, str(error), isinstance(error, _UnfitError) and error.explains


def _joined(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


@cache
def _converter() -> Converter:
    converter = Converter()
    converter.register_structure_hook(bool, _truth)
    converter.register_structure_hook(int, _count)
    converter.register_structure_hook(str, _text)
    converter.register_structure_hook_func(_is_text, _bounded)
    converter.register_structure_hook_func(_is_choice, _one_of)
    converter.register_structure_hook(bool | Word, lambda value, _: _truth_or_word(value))
    converter.register_structure_hook_factory(is_dataclass, lambda kind: _object(converter, kind))
    return converter


def _object(converter: Converter, kind: type) -> Callable[[Any, Any], Any]:
    names: dict[str, Any] = {each.name: override(rename=_wire(each.name)) for each in fields(kind)}
    read: Callable[[Any, Any], Any] = make_dict_structure_fn(
        kind, converter, _cattrs_forbid_extra_keys=True, **names
    )

    def structure(value: Any, as_kind: Any) -> Any:
        if not isinstance(value, Mapping):
            raise _UnfitError("is not an object")
        return read(value, as_kind)

    return structure


def _truth(value: Any, _: Any) -> bool:
    if not isinstance(value, bool):
        raise _UnfitError("is neither true nor false")
    return value


def _count(value: Any, _: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _UnfitError("is not a whole number of at least 0")
    return value


def _text(value: Any, _: Any) -> str:
    if not isinstance(value, str):
        raise _UnfitError("is not a string")
    if any("\ud800" <= char <= "\udfff" for char in value):
        raise _UnfitError("has an incomplete character in it")
    return value


def _is_text(kind: Any) -> bool:
    return get_origin(kind) is Annotated and isinstance(get_args(kind)[1], Text)


def _bounded(value: Any, kind: Any) -> str:
    bounds: Text = get_args(kind)[1]
    text = _text(value, str)
    text = text.strip() if bounds.stripped else text
    if not text:
        raise _UnfitError("is empty")
    if len(text) > bounds.most:
        raise _UnfitError(f"may have at most {bounds.most} characters", explains=True)
    return text


def _is_choice(kind: Any) -> bool:
    return get_origin(kind) is Literal


def _one_of(value: Any, kind: Any) -> Any:
    choices = get_args(kind)
    if value not in choices:
        raise _UnfitError(f"is none of {', '.join(choices)}")
    return value


def _truth_or_word(value: Any) -> bool | str:
    return value if isinstance(value, bool) else _bounded(value, Word)
