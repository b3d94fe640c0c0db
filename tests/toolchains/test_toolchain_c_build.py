"""What is compiled again, and what is not."""

import os
import shutil

import pytest
from c_kit import LIMITS, make, needs_cc

from tutor_lsp.core.exercise.report import RunOutcome
from tutor_lsp.languages.c import build
from tutor_lsp.languages.c.build import closure, digest
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.process.contain import Contain

FILES = {
    "src/a.c": '#include "a.h"\n#include <stdio.h>\n',
    "src/a.h": '#  include "deep.h"\n',
    "src/deep/deep.h": "",
    "src/b.c": "#include <b.h>\n",
    "src/b.h": '#include "b.h"\n#include "a.h"\n',
    "src/c.c": '#define NAME "a.h"\n#include NAME\n',
    "src/d.c": '#if __has_include("table.inc")\n#endif\n',
    "tests/table.inc": "",
    "tests/test_a.c": '#include "test.h"\n',
}


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("src/a.c", ["src/a.c", "src/a.h", "src/deep/deep.h"]),
        ("src/b.c", ["src/a.h", "src/b.c", "src/b.h", "src/deep/deep.h"]),
        ("src/c.c", ["src/a.h", "src/b.h", "src/c.c", "src/deep/deep.h", "tests/table.inc"]),
        ("src/d.c", ["src/d.c", "tests/table.inc"]),
        ("tests/test_a.c", ["tests/test_a.c"]),
    ],
)
def test_what_a_file_is_made_of(path, wanted):
    assert closure(path, FILES) == wanted


def test_digests_keep_parts_apart_and_take_any_bytes():
    assert digest(["ab", "c"]) != digest(["a", "bc"])
    assert digest(["a\udcff"]) != digest(["a\udcfe"])


@pytest.fixture
def counted(tmp_path, monkeypatch):
    """A compiler that notes what it is asked to compile or link, and the notes."""
    folder, notes = tmp_path / "bin", tmp_path / "notes"
    folder.mkdir()
    real = shutil.which("cc") or shutil.which("gcc")
    script = f'for word in "$@"; do case "$word" in *.c) echo "$word" >> "{notes}";; esac; done'
    (folder / "cc").write_text(f'#!/bin/sh\n{script}\nexec "{real}" "$@"\n')
    (folder / "cc").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    def compiled():
        words = notes.read_text().split() if notes.exists() else []
        notes.unlink(missing_ok=True)
        return sorted(word for word in words if "trial" not in word)

    return compiled


@needs_cc
@pytest.mark.xdist_group("cc")
async def test_only_what_changed_is_compiled_and_nothing_that_was_before(
    tmp_path, counted, monkeypatch
):
    monkeypatch.setattr(build, "KEPT", 2)
    tool = toolchains(contain=Contain(enabled=False))["c"]
    workspace = make(
        tmp_path / "exercise",
        {
            "src/one.c": '#include "one.h"\nint one(void) { return ONE; }\n',
            "src/one.h": "#define ONE 1\nint one(void);\n",
            "src/two.c": "int two(void) { return 2; }\n",
            "src/main.c": "int main(void) { return broken; }\n",
            "tests/help.c": "int three(void) { return 3; }\n",
            "tests/test_all.c": '#include "one.h"\n#include "test.h"\nint two(void), three(void);\n'
            "void test_sum(void) { TEST_ASSERT_EQ(6, one() + two() + three()); }\n",
        },
    )
    header, two = workspace / "src" / "one.h", workspace / "src" / "two.c"

    async def outcome():
        return (await tool.run(workspace, limits=LIMITS)).outcome

    assert await outcome() is RunOutcome.PASSED
    assert counted() == ["src/one.c", "src/two.c", "tests/help.c", "tests/test_all.c"]
    os.utime(two)
    assert await outcome() is RunOutcome.PASSED
    assert counted() == []
    before = header.read_text()
    header.write_text(before.replace("ONE 1", "ONE 5"))
    assert await outcome() is RunOutcome.FAILED
    assert counted() == ["src/one.c", "tests/test_all.c"]
    header.write_text(before)
    two.write_text("int two(void) { return 20; }\n")
    assert await outcome() is RunOutcome.FAILED
    assert "tests/help.c" not in counted()
    assert len(list((workspace / build.FOLDER).iterdir())) == 5 + 2
    two.unlink()
    assert await outcome() is RunOutcome.BUILD_ERROR
