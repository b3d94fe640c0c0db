"""The linker is called as the compiler would call it, and has no part in what is said."""

import shutil
from dataclasses import replace

import pytest
from c_kit import LIMITS, make, needs_cc

from tutor_lsp.core.exercise.report import RunOutcome
from tutor_lsp.languages.c import build
from tutor_lsp.languages.c.compiler import FindCompiler, direct_call, linking
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.process.contain import Contain

GCC = """\
Using built-in specs.
COLLECT_GCC=/usr/bin/cc
 /usr/lib/gcc/collect2 -plugin /usr/lib/gcc/lto_plugin.so "-plugin-opt=/usr/lib/gcc/lto-wrapper" \
--build-id -m elf_x86_64 "-fuse-ld=gold" -pie -o target /lib/Scrt1.o "-L/with space" objects.o -lm
COLLECT_GCC_OPTIONS='-o' 'target'
"""
CLANG = """\
Debian clang version 14.0.6
Target: x86_64-pc-linux-gnu
 "/usr/bin/ld.lld" "-pie" "-o" "target" "/lib/Scrt1.o" "objects.o" "-lm"
"""
FILES = {
    "src/two.h": "int two(void);\n",
    "src/two.c": '#include "two.h"\nint two(void) { return 2; }\n',
    "tests/test_two.c": (
        '#include "two.h"\n#include "test.h"\n'
        "void test_two(void) { TEST_ASSERT_EQ(2, two()); }\n"
        "int main(void) { RUN_TEST(test_two); TEST_SUMMARY(); }\n"
    ),
}


def test_the_call_is_the_compilers_own():
    head = ("ld", "--build-id", "-m", "elf_x86_64", "-pie", "-o", "target", "/lib/Scrt1.o")
    assert direct_call(GCC, "ld") == (*head, "-L/with space", "objects.o", "-lm")
    assert direct_call(CLANG, "ld") == (
        "ld", "-pie", "-o", "target", "/lib/Scrt1.o", "objects.o", "-lm",
    )  # fmt: skip


@pytest.mark.parametrize(
    "said", ["", "cc: error: '-###'", GCC.replace(" objects.o", ""), GCC.replace("lm", "l'm")]
)
def test_what_is_not_understood_is_no_call(said):
    assert direct_call(said, "ld") == ()


def test_objects_and_target_take_their_places():
    call = linking(direct_call(CLANG, "ld"), ("a.o", "b.o"), "program")
    assert call == ("ld", "-pie", "-o", "program", "/lib/Scrt1.o", "a.o", "b.o", "-lm")


@needs_cc
@pytest.mark.xdist_group("cc")
@pytest.mark.parametrize("missing", [False, True], ids=["fails", "is gone"])
async def test_a_linker_that_no_longer_works_fails_nothing(tmp_path, monkeypatch, missing):
    found = await FindCompiler().get()
    program = "/nowhere/ld" if missing else shutil.which("false")
    broken = replace(found, linker=("-fuse-ld=none",), direct=(program, "objects.o", "target"))
    tool, calls = build.Builder._tool, []

    async def counting(self, argv):
        calls.append(argv[0])
        return await tool(self, argv)

    async def get(_):
        return broken

    monkeypatch.setattr(build.Builder, "_tool", counting)
    monkeypatch.setattr(FindCompiler, "get", get)
    tools = toolchains(contain=Contain(enabled=False))
    report = await tools["c"].run(make(tmp_path, FILES), limits=LIMITS)
    assert report.outcome is RunOutcome.PASSED
    assert calls == [found.path, found.path, program, found.path]
