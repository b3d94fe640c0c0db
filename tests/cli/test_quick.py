"""What a verb's process puts off is the same when it comes."""

import json
import subprocess
import sys

import pytest

MODULES = """
import json, sys, threading
from tutor_lsp.cli.quick import modules
here = [name for name in modules.NAMES if name in sys.modules]
modules.install()
import asyncio, asyncio.sslproto, difflib, secrets, ssl, statistics, urllib.request
put_off = [name for name in modules.NAMES if isinstance(sys.modules.get(name), modules.Later)]
found, ready = [], threading.Barrier(4)
def use():
    ready.wait()
    found.append(statistics.median([3, 1, 2]))
threads = [threading.Thread(target=use) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
from secrets import token_hex
used = [
    ssl.create_default_context().check_hostname,
    len(token_hex(4)),
    difflib.get_close_matches("stat", ["start"]),
    asyncio.sslproto.SSLProtocol.__name__,
    urllib.request.Request("http://a/b").host,
]
left = [name for name in modules.NAMES if isinstance(sys.modules.get(name), modules.Later)]
print(json.dumps([here, put_off, found, used, left]))
"""
PATTERNS = """
import importlib, json, pkgutil, re, sys
import tutor_lsp
if sys.argv[1] == "later":
    from tutor_lsp.cli.quick import patterns
    patterns.install()
SKIPPED = ("tutor_lsp.__main__", "tutor_lsp.languages.python.bridge")
for each in pkgutil.walk_packages(tutor_lsp.__path__, "tutor_lsp."):
    if not each.name.startswith(SKIPPED):
        importlib.import_module(each.name)
kinds = (re.Pattern, patterns.Later) if sys.argv[1] == "later" else re.Pattern
found = {
    f"{module.__name__}.{name}": [value.pattern, value.flags, value.groups]
    for module in list(sys.modules.values())
    if module.__name__.startswith("tutor_lsp.")
    for name, value in list(vars(module).items())
    if isinstance(value, kinds)
}
later = sum(
    type(value).__name__ == "Later"
    for module in list(sys.modules.values())
    if module.__name__.startswith("tutor_lsp.")
    for value in vars(module).values()
)
print(json.dumps([{k: v for k, v in found.items() if isinstance(v[0], str)}, later]))
"""


def said(code, *arguments):
    ran = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    return json.loads(ran.stdout)


def test_a_module_is_loaded_when_something_of_it_is_used():
    here, put_off, found, used, left = said(MODULES)
    assert set(put_off) | set(here) >= {
        "asyncio.sslproto",
        "ssl",
        "statistics",
        "difflib",
        "urllib.request",
    }
    assert found == [2] * 4
    assert used == [True, 8, ["start"], "SSLProtocol", "a"]
    used_ones = {"statistics", "ssl", "secrets", "difflib", "asyncio.sslproto", "urllib.request"}
    assert not used_ones & set(left)


@pytest.mark.long("reads the patterns of all libraries twice; the others here put them off")
def test_patterns_are_those_that_are_written():
    late, put_off = said(PATTERNS, "later")
    usual, none = said(PATTERNS, "usual")
    assert none == 0
    assert put_off > 100
    assert late == usual
