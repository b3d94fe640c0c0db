"""Methods of dataclasses are the same, whether they are compiled at once or when first called."""

import json
import subprocess
import sys

import pytest

CLASSES = """
import dataclasses, importlib, json, pkgutil, sys
import tutor_lsp
from tutor_lsp.cli import lazy_methods
if sys.argv[1] == "later":
    lazy_methods.install()
    lazy_methods.install()

SKIPPED = ("tutor_lsp.__main__", "tutor_lsp.languages.python.bridge")
for each in pkgutil.walk_packages(tutor_lsp.__path__, "tutor_lsp."):
    if not each.name.startswith(SKIPPED):
        importlib.import_module(each.name)

def compiled(cls, name, method):
    method = getattr(method, "__wrapped__", method)
    if "given" in method.__code__.co_varnames and sys.argv[1] == "later":
        cells = dict(zip(method.__code__.co_freevars, method.__closure__))
        made = cells["compiled"].cell_contents
        if made is None:
            source, names = cells["source"].cell_contents, cells["names"].cell_contents
            return cells["self"].cell_contents._usual(name, *source, **names), True
        return made, True
    return method, False

found, later = {}, 0
classes = {c for n, m in list(sys.modules.items()) if n.startswith("tutor_lsp")
           for c in vars(m).values()
           if isinstance(c, type) and "__dataclass_fields__" in vars(c)}
for cls in classes:
    for name in ("__init__", "__repr__", "__eq__", "__lt__", "__hash__", "__setattr__",
                 "__delattr__"):
        method = vars(cls).get(name)
        if hasattr(method, "__code__"):
            made, was_later = compiled(cls, name, method)
            later += was_later
            code = made.__code__
            found[f"{cls.__module__}.{cls.__qualname__}.{name}"] = [
                made.__name__, method.__name__, method.__qualname__, code.co_code.hex(),
                repr([c for c in code.co_consts if not hasattr(c, "co_code")]),
                code.co_varnames[:code.co_argcount + code.co_kwonlyargcount],
                list(code.co_names), code.co_freevars]
print(json.dumps([found, later, len(classes)]))
"""
USE = """
import dataclasses, sys
from tutor_lsp.cli import lazy_methods
lazy_methods.install()

@dataclasses.dataclass(frozen=True, slots=True, order=True)
class Base:
    this: int
    given: list[int] = dataclasses.field(default_factory=list, hash=False, compare=False)

@dataclasses.dataclass(frozen=True, slots=True, order=True)
class Sub(Base):
    named: str = "x"

assert Base.__init__.__code__.co_name == "method"
one = Sub(this=1, named="y")
for cls in (Base, Sub):  # of the class that was called, and of no other
    assert (cls.__init__.__code__.co_name == "__init__") == (cls is Sub)
assert (one.this, one.given, one.named) == (1, [], "y")
assert one == Sub(1, [], "y") != Sub(2) and hash(one) == hash(Sub(1, [3], "y")) and one < Sub(2)
assert repr(one) == repr(one) == "Sub(this=1, given=[], named='y')"
assert dataclasses.replace(one, this=3).this == 3
for change in (lambda: setattr(one, "this", 2), lambda: delattr(one, "this")):
    for _ in range(2):
        try:
            change()
        except dataclasses.FrozenInstanceError:
            continue
        raise SystemExit("not frozen")
try:
    Sub()
except TypeError as error:
    print(error)
"""


def run(code, *arguments):
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.long("imports everything twice; a class with each kind of method stands for all here")
@pytest.mark.skipif(sys.version_info >= (3, 13), reason="compiles the methods of a class together")
def test_every_method_is_what_the_library_makes_at_once():
    later, compiled_later, classes = json.loads(run(CLASSES, "later"))
    usual, none_later, _ = json.loads(run(CLASSES, "usual"))
    assert later == usual
    assert compiled_later > 2 * classes > 400
    assert none_later == 0


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="compiles the methods of a class together")
def test_a_method_is_compiled_for_its_class_when_it_is_first_called():
    assert run(USE) == "Sub.__init__() missing 1 required positional argument: 'this'\n"


OTHERWISE = """
import dataclasses
def otherwise(name, args, body, *, annotations): pass
if {there}:
    dataclasses._create_fn = otherwise
else:
    vars(dataclasses).pop("_create_fn", None)
from tutor_lsp.cli import lazy_methods
lazy_methods.install()
print(getattr(dataclasses, "_create_fn", otherwise) is otherwise)
"""


@pytest.mark.parametrize("there", [True, False], ids=["other parameters", "missing"])
def test_where_the_library_works_otherwise_it_is_left_alone(there):
    assert run(OTHERWISE.replace("{there}", str(there))) == "True\n"


def test_verbs_defer_the_methods_of_what_they_load(tmp_path):
    code = """
import sys
from tutor_lsp.cli import begin
begin.begin("status", {"json": True, "home": sys.argv[1]})
from tutor_lsp.cli.runtime import Options
print(Options.__eq__.__code__.co_name)
"""
    shown = run(code, str(tmp_path / "home"))
    assert shown.splitlines()[-1] == ("method" if sys.version_info < (3, 13) else "__eq__")
