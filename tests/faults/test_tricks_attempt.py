"""Tricks in an attempt: the easy kinds have no part in its copy, others are told in a sentence."""

import pytest
from attempt_kit import desk
from c_kit import needs_cc

pytestmark = [pytest.mark.cold, pytest.mark.first(3)]

MARKS = {"rust": [pytest.mark.cargo], "c": [needs_cc], "python": []}
PASS_ALL = "def pytest_pyfunc_call(pyfuncitem):\n    return True\n"
OTHER_TESTS = "[package]\nname = 'exercise'\n[lib]\n[[test]]\nname = 't'\npath = 'src/t.rs'\n"
NO_CHECKS = "\n#define tutor_equal_(one, other) (1 || ((one) && (other)))\n"
EASY = [
    ("python", "tests/conftest.py", PASS_ALL),
    ("python", "conftest.py", PASS_ALL),
    ("python", ".venv/bin/python", "#!/bin/sh\nexit 0\n"),
    ("rust", "Cargo.toml", OTHER_TESTS),
    ("c", "src/timer.h", "int nothing;" + NO_CHECKS),
    ("c", "src/string.h", "#include_next <string.h>" + NO_CHECKS),
]
FOUND = [
    ("python", "import _pytest.python", "reaches into the program that runs the tests"),
    ("python", "import pytest\npytest.raises = None", "(`pytest.raises`)"),
    ("rust", '#[used]\n#[unsafe(link_section = ".init_array")]\nstatic X: u8 = 0;', "runs code"),
    ("rust", 'unsafe extern "C" { fn _exit(code: i32) -> !; }', "calls `_exit` of the system"),
    ("c", "extern char tutor_state_[];", "uses what belongs to the tests"),
    (
        "c",
        "#define A(x, y) x##y\n__attribute__((A(const, ructor))) static void go(void) {}",
        "runs",
    ),
]


def cases(rows):
    return [pytest.param(*row, id=f"{row[0]}:{row[1][:30]}", marks=MARKS[row[0]]) for row in rows]


@pytest.mark.first(1)
@pytest.mark.parametrize(("language", "file", "text"), cases(EASY))
async def test_no_file_beside_the_learners_own_makes_a_pass(tmp_path, language, file, text):
    async with desk(tmp_path / "home", language) as d:
        d.write(d.wrong)
        d.write(text, file)
        (d.root / file).chmod(0o755)
        answer = await d.attempt()
        assert (answer["attempt"], answer["report"]["outcome"]) == (1, "failed")


@pytest.mark.first(1)
@pytest.mark.parametrize(("language", "code", "said"), cases(FOUND))
async def test_what_reaches_into_the_run_is_told_and_not_counted(tmp_path, language, code, said):
    async with desk(tmp_path / "home", language) as d:
        d.write(f"{d.right}\n{code}\n")
        answer = await d.attempt()
        report = answer["report"]
        assert (answer["attempt"], report["outcome"]) == (None, "not_run")
        assert report["reason"].startswith(d.file)
        assert said in report["reason"]
        assert not d.session.attempts
        d.write(d.right)
        answer = await d.attempt()
        assert (answer["attempt"], answer["report"]["outcome"]) == (1, "passed")
