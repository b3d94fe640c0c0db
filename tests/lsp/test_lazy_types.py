"""lsprotocol's classes are the same, whether they are made at once or when they are first used."""

import json
import subprocess
import sys

import pytest

SHOW = """
import enum, inspect, json, sys
if sys.argv[1] == "later":
    from tutor_lsp.lsp import lazy_types
    lazy_types.install()
    from lsprotocol import types
    made_at_once = 555 - len(lazy_types._bodies)
else:
    from lsprotocol import types
import attrs
from pygls.protocol import default_converter
default_converter()

def shown(cls):
    if issubclass(cls, enum.Enum):
        return [(member.name, member.value) for member in cls]
    if not attrs.has(cls):
        return sorted(vars(cls).keys() - {"__dict__", "__weakref__"})
    fields = [
        (f.name, str(f.type), repr(f.default), str(f.validator).partition(" at 0x")[0], f.kw_only,
         f.init, f.eq, f.order, f.repr, repr(f.hash), f.alias, f.inherited)
        for f in attrs.fields(cls)
    ]
    given = [object()] * len(fields)
    return [
        fields, str(inspect.signature(cls)), cls.__module__, cls.__qualname__, cls.__doc__,
        cls.__hash__ is None, cls.__match_args__, list(cls.__annotations__),
        [name for name in ("__eq__", "__repr__", "__init__") if name in vars(cls)],
    ]

found = {name: shown(cls) for name, cls in vars(types).items() if isinstance(cls, type)}
found["maps"] = [sorted(types.ALL_TYPES_MAP.keys() - {"__builtins__"}), str(types.METHOD_TO_TYPES)]
json.dump(found, sys.stdout)
if sys.argv[1] == "later":
    assert made_at_once < 10, made_at_once
    assert not lazy_types._bodies
"""
BROKEN = """
import sys
from tutor_lsp.lsp import lazy_types
def refuse(*_):
    raise RuntimeError("another form")
lazy_types._stand_ins = refuse
lazy_types.install()
from lsprotocol import types
assert not lazy_types._bodies
assert type(types.Hover) is type
print(types.Position(1, 2))
"""
LATE = """
import sys
from tutor_lsp.lsp import lazy_types
where, name = {"attrs": lazy_types.attrs, "importlib": lazy_types.importlib}.get(
    sys.argv[1], lazy_types), sys.argv[2]
usual = getattr(where, name)
left = int(sys.argv[3])
def once(*given, **more):
    global left
    done = usual(*given, **more)
    left -= 1
    if left == 0:
        setattr(where, name, usual)
        raise RuntimeError("another form")
    return done
setattr(where, name, once)
lazy_types.install()
assert left == 0, left
from lsprotocol import _hooks, converters, types
import lsprotocol
assert lsprotocol.types is types is _hooks.lsp_types is sys.modules["lsprotocol.types"]
assert converters._hooks is _hooks
assert not lazy_types._bodies
assert type(types.Hover) is type
found = converters.get_converter().structure(
    {"contents": {"kind": "markdown", "value": "a"}}, types.Hover)
assert type(found.contents) is types.MarkupContent
print(found.contents.value)
"""
OTHER = """
from tutor_lsp.lsp import lazy_types
lazy_types.KNOWN = ("1.0",)
lazy_types.install()
from lsprotocol import types
assert not lazy_types._bodies
print(type(types.Hover) is type)
"""
THREADS = """
import threading
from tutor_lsp.lsp import lazy_types
lazy_types.install()
from lsprotocol import types
begin = threading.Barrier(8)
found = []
def make():
    begin.wait()
    for name in list(types.ALL_TYPES_MAP)[:150]:
        cls = types.ALL_TYPES_MAP[name]
        if isinstance(cls, type):
            found.append(getattr(cls, "__attrs_attrs__", ()))
threads = [threading.Thread(target=make) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(len(found) % 8, len(set(map(id, found))) <= 150)
"""


def run(code, *arguments):
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )


def test_every_class_is_what_the_usual_import_makes_of_it():
    later, usual = (run(SHOW, how) for how in ("later", "usual"))
    assert (later.returncode, later.stderr) == (0, "")
    later, usual = json.loads(later.stdout), json.loads(usual.stdout)
    assert later.keys() == usual.keys()
    assert {name for name in usual if later[name] != usual[name]} == set()


@pytest.mark.long("starts a program for a case beside those that stand for it here")
def test_a_module_of_another_form_is_imported_as_usual():
    done = run(BROKEN)
    assert (done.returncode, done.stdout) == (0, "1:2\n")
    assert "imported as usual" in done.stderr


@pytest.mark.first(1)
@pytest.mark.parametrize(
    "step",
    [
        ("importlib", "import_module", "1"),  # the package
        ("lazy_types", "_stand_ins", "1"),
        ("lazy_types", "_fill", "1"),
        ("importlib", "import_module", "2"),  # what reads the module, with the module half made
        ("attrs", "resolve_types", "1"),
        ("attrs", "resolve_types", "3"),
    ],
)
def test_whichever_step_fails_nothing_of_it_is_left(step):
    done = run(LATE, *step)
    assert (done.returncode, done.stdout) == (0, "a\n"), done.stderr
    assert "imported as usual" in done.stderr


@pytest.mark.long("starts a program for a case beside those that stand for it here")
def test_a_version_that_is_not_known_is_imported_as_usual():
    done = run(OTHER)
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


@pytest.mark.first(1)
@pytest.mark.parametrize("_", range(3))
def test_a_class_is_made_once_by_many_threads(_):
    done = run(THREADS)
    assert (done.stderr, done.stdout) == ("", "0 True\n")
