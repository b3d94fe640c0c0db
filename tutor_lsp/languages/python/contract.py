"""Whether literal arguments keep to a function's annotations: what does not is no fair input."""

import ast
from collections.abc import Iterator
from typing import Any

from tutor_lsp.languages.python.trees import parse

_PLAIN: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (int, float),
    "complex": (int, float, complex),
    "str": (str,),
    "bool": (bool,),
    "bytes": (bytes,),
    "list": (list,),
    "dict": (dict,),
    "set": (set,),
    "tuple": (tuple,),
    "None": (type(None),),
}
_SEQUENCES = ("list", "set", "frozenset", "Sequence", "Iterable", "Collection", "Iterator")
_ABSTRACT: dict[str, tuple[type, ...]] = {
    "Sequence": (list, tuple, str, bytes),
    "Iterable": (list, tuple, str, bytes, dict, set),
    "Collection": (list, tuple, str, bytes, dict, set),
    "Mapping": (dict,),
}


def outside(signature: str, code: str) -> str | None:
    """The first literal argument in `code` that the annotations of `signature` do not allow, as
    text; None if there is none. Anything that is not a literal, or has no plain annotation, is
    allowed; so is everything if either text does not parse.
    """
    try:
        function = parse(f"{signature.rstrip().removesuffix(':')}: ...").body[0]
        tree = parse(code)
    except SyntaxError:
        return None
    if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and _name(call.func) == function.name:
            for annotation, value in _bound(function, call):
                if not _fits(annotation, value):
                    return ast.unparse(value)
    return None


def _name(node: ast.expr) -> str | None:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", None)


def _bound(
    function: ast.FunctionDef | ast.AsyncFunctionDef, call: ast.Call
) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Annotation and argument, as far as it is plain which belong together."""
    places = [*function.args.posonlyargs, *function.args.args]
    named = {each.arg: each for each in [*places, *function.args.kwonlyargs]}
    for parameter, value in zip(places, call.args, strict=False):
        if isinstance(value, ast.Starred):
            break
        if parameter.annotation is not None:
            yield parameter.annotation, value
    for keyword in call.keywords:
        found = named.get(keyword.arg or "")
        if found is not None and found.annotation is not None:
            yield found.annotation, keyword.value


def _fits(annotation: ast.expr, value: ast.expr) -> bool:
    try:
        literal = ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return True
    return _allows(annotation, literal)


def _allows(annotation: ast.expr, value: Any) -> bool:
    match annotation:
        case ast.BinOp(left, ast.BitOr(), right):
            return _allows(left, value) or _allows(right, value)
        case ast.Constant(None):
            return value is None
        case ast.Subscript(base, inner):
            return _holds(_name(base) or "", inner, value)
        case _:
            name = _name(annotation) or ""
            kinds = _PLAIN.get(name) or _ABSTRACT.get(name)
            return kinds is None or isinstance(value, kinds)


def _holds(base: str, inner: ast.expr, value: Any) -> bool:
    """Whether a container and all that it holds is allowed."""
    if base == "Optional":
        return value is None or _allows(inner, value)
    kinds = _PLAIN.get(base) or _ABSTRACT.get(base)
    if kinds is None:
        return True
    if not isinstance(value, kinds):
        return False
    held: Any = value
    parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    if isinstance(value, dict) and len(parts) == 2:
        return all(_allows(parts[0], k) and _allows(parts[1], v) for k, v in value.items())
    if base in _SEQUENCES:
        return all(_allows(inner, each) for each in held)
    if base == "tuple" and not any(isinstance(p, ast.Constant) for p in parts):
        pairs = zip(parts, held, strict=False)
        return len(held) == len(parts) and all(_allows(part, each) for part, each in pairs)
    return True
