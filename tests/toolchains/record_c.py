"""Records what a C compiler and test programs say about the exercises in `recorded/`; run by hand.

`PYTHONPATH=tests python tests/toolchains/record_c.py` runs the tests and takes down gcc's messages;
with the path of a clang as its argument it takes down only what that one says.
"""

import asyncio
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from c_kit import files_of, make, write

from tutor_lsp.core.ports import RunLimits
from tutor_lsp.languages.c import events, run
from tutor_lsp.languages.c.compiler import FindCompiler, compiler_spec
from tutor_lsp.languages.c.files import FLAGS, harness
from tutor_lsp.languages.common.build_cache import BuildCache
from tutor_lsp.languages.common.toolchain import RunRequest
from tutor_lsp.process.contain import Containment

GCC = ("-fno-diagnostics-show-caret", "-fdiagnostics-column-unit=byte")
RECORDED = Path(__file__).parent / "recorded"


async def record_runs(root):
    folder = make(root / "c", files_of(RECORDED / "c"))
    ran = []
    parse = events.parse_test

    def recording(one, place):
        ran.append({**{name: getattr(one, name) for name in one.__slots__}, "line": place.line})
        return parse(one, place)

    run.parse_test = recording
    request = RunRequest(folder, None, RunLimits(test_s=1), None, Containment())
    await run.CRun(request, FindCompiler(), BuildCache()).report()
    return [slim(one, str(folder)) for one in sorted(ran, key=lambda one: one["line"])]


def slim(one, folder):
    """A run without what differs from one to the next, and without dumps of memory."""
    one["channel"] = one["channel"].replace(one["word"], "word").replace(one["last"], "last")
    one["report"] = one["report"].partition("Shadow bytes")[0]
    for said in ("output", "report"):
        text = one[said].replace(folder, "/exercise")
        text = re.sub(r"test_words-[0-9a-f]+", "test_words", text)
        text = re.sub(r"0x(?!0+\b)[0-9a-f]{5,}", "0x7ff01234", text)
        one[said] = re.sub(r"==\d+==", "==17==", text)
    one.update(word="word", last="last", duration_ms=1.5)
    return one


def record_compiler(root, compiler, name, *flags):
    broken = files_of(RECORDED / "c_broken")
    folder = write(root / name, {**broken, "tests/test.h": harness("test.h")})

    def said(*words):
        command = [compiler, *FLAGS, *flags, "-Isrc", "-Itests", *words]
        environment = {**compiler_spec((), folder, 0, root).env, "CLICOLOR": "0"}
        ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True)
        return (ended.stdout + ended.stderr).decode().replace(str(folder), "/exercise")

    texts = {path: said("-c", path, "-o", "x.o") for path in ("src/words.c", "src/types.c")}
    for path in ("tests/test_words.c", "src/again.c"):
        said("-c", path, "-o", f"{Path(path).stem}.o")
    texts["link"] = said("test_words.o", "again.o", "-o", "program")
    return texts


def keep(name, data):
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    (RECORDED / name).write_text(text.replace(str(Path.home()), "/home/learner"))


def main(clang=None):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        if clang:
            keep("c_clang.json", record_compiler(root, clang, "clang"))
        else:
            keep("c.json", asyncio.run(record_runs(root)))
            keep("c_gcc.json", record_compiler(root, "gcc", "gcc", *GCC))


if __name__ == "__main__":
    main(*sys.argv[1:])
