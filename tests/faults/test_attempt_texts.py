"""A verdict belongs to the text that it was asked for, whatever is saved or planted meanwhile."""

import asyncio
import os
import random

import pytest
from attempt_kit import desk
from c_kit import needs_cc

pytestmark = pytest.mark.first(3)

LANGUAGES = [
    "python",
    pytest.param("c", marks=needs_cc),
    pytest.param("rust", marks=pytest.mark.cargo),
]
LONG = pytest.mark.long("one of many like cases, each with runs of its own")
SLOW = "\nimport time\ntime.sleep(1)\n"


@pytest.mark.sample("2-python")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("tries", [2, pytest.param(20, marks=LONG)])
async def test_a_save_at_any_moment_after_an_attempt_changes_no_verdict(tmp_path, language, tries):
    chance = random.Random(f"{language} {tries}")
    kept = []
    async with desk(tmp_path / "home", language) as d:
        for number in range(tries):
            texts = [d.right, d.wrong] if chance.random() < 0.5 else [d.wrong, d.right]
            first, then = (f"{text}\n{mark(language)} {number}\n" for text in texts)
            d.write(first)
            asked = d.begin()
            await asyncio.sleep(chance.choice([0, 0.001, 0.02, chance.uniform(0, 0.8)]))
            d.save(then)
            answer = await asked
            attempt = d.session.attempts[-1]
            assert attempt.number == answer["attempt"] == number + 1
            of_first = attempt.files_hash == d.hash_of(first)
            assert of_first or attempt.files_hash == d.hash_of(then)
            about = first if of_first else then
            green = answer["report"]["outcome"] == "passed"
            kept.append((green, about.startswith(d.right), of_first))
            await d.quiet()
            assert d.session.last_report.text_hash == d.opened.saved().check_hash
            assert of_first or answer["textOf"] is None
    assert [green for green, right, _ in kept] == [right for _, right, _ in kept]
    assert tries == 2 or any(of_first for _, _, of_first in kept)


def mark(language):
    return "#" if language == "python" else "//"


PASS_ALL = "def pytest_pyfunc_call(pyfuncitem):\n    return True\n"
TOUCH = "import pathlib\npathlib.Path({canary!r}).touch()\n"
EMPTY_TESTS = """
#include "test.h"
int main(void) { TEST_SUMMARY(); }
"""
PLANTED = [
    ("python", "tests/conftest.py", TOUCH + PASS_ALL),
    ("python", "conftest.py", TOUCH + PASS_ALL),
    ("python", "src/conftest.py", TOUCH + PASS_ALL),
    ("python", "tests/pytest.ini", "[pytest]\naddopts = --collect-only\n"),
    ("python", "pytest.ini", "[pytest]\naddopts = --collect-only\n"),
    ("python", "setup.cfg", "[tool:pytest]\naddopts = --collect-only\n"),
    ("python", "src/pytest.py", TOUCH + "def main(*a, **k): pass\n"),
    ("python", "src/_pytest/__init__.py", TOUCH),
    ("python", "src/pluggy.py", TOUCH),
    ("python", "src/random.py", TOUCH),
    ("python", "src/sitecustomize.py", TOUCH),
    ("python", "src/movie.pth", "import sys\n"),
    ("python", "tests/test_zzz.py", TOUCH),
    ("python", "tests/__init__.py", TOUCH),
    ("rust", "build.rs", 'fn main() {{ std::fs::write({canary!r}, "").unwrap(); }}'),
    ("rust", ".cargo/config.toml", '[build]\nrustc-wrapper = "/nowhere"\n'),
    ("rust", "rust-toolchain.toml", '[toolchain]\nchannel = "0.1"\n'),
    ("rust", "tests/more.rs", "#[test] fn more() {{ std::process::exit(0) }}"),
    ("rust", "src/main.rs", "fn main() {{"),
    ("c", "src/stdlib.h", "#error here\n"),
    ("c", "src/test.h", "#error here\n"),
    ("c", "src/sys/types.h", "#error here\n"),
    ("c", "src/main.c", "int main(void) {{"),
]
EDITED = [
    ("python", "tests/test_movie.py", "def test_all():\n    pass\n"),
    ("python", "src/exercise/__init__.py", TOUCH),
    ("python", "pyproject.toml", '[tool.pytest.ini_options]\naddopts = "--collect-only"\n'),
    ("rust", "tests/split_the_bill.rs", "#[test] fn all() {{}}"),
    ("rust", "Cargo.toml", '[package]\nname = "exercise"\nversion = "1.0.0"\nbuild = "b.rs"\n'),
    ("c", "src/timer.h", "#define to_seconds(a, b) ((a) * 60 + (b))\n"),
]


def cases(rows, *more):
    marks = {"rust": [pytest.mark.cargo, LONG], "c": [needs_cc], "python": []}
    return [
        pytest.param(*row, id=f"{row[0]}:{row[1]}", marks=[*marks[row[0]], *more]) for row in rows
    ]


@pytest.mark.sample("python")
@pytest.mark.parametrize("language", LANGUAGES)
async def test_all_that_is_planted_at_once_has_no_part_in_an_attempt(tmp_path, language):
    canary = tmp_path / "canary"
    async with desk(tmp_path / "home", language) as d:
        d.write(d.right)
        plain = await d.attempt()
        for of, file, text in [*PLANTED, *EDITED]:
            if of == language:
                d.write(written(text, canary), file)
        answer = await d.attempt()
        assert (answer["attempt"], answer["report"]["outcome"]) == (2, "passed"), answer
        assert answer["report"]["textHash"] == plain["report"]["textHash"]
        assert "An attempt ignores " in answer["note"]
        assert not canary.exists()


def written(text, canary):
    return text.replace("{canary!r}", f'"{canary}"').replace("{{", "{").replace("}}", "}")


@pytest.mark.long("makes an attempt for each of many files; all at once stands for it here")
@pytest.mark.parametrize("language", LANGUAGES)
async def test_each_that_is_planted_has_no_part_in_an_attempt_and_is_said(tmp_path, language):
    canary = tmp_path / "canary"
    rows = [row for row in [*PLANTED, *EDITED] if row[0] == language]
    async with desk(tmp_path / "home", language) as d:
        for number, (_, file, text) in enumerate(rows, 1):
            place = d.root / file
            given = place.read_text() if place.exists() else None
            assert (given is not None) == ((language, file, text) in EDITED)
            d.write(f"{d.wrong}\n{mark(language)} {number}\n")
            d.write(written(text, canary), file)
            answer = await d.attempt()
            assert (answer["attempt"], answer["report"]["outcome"]) == (number, "failed"), file
            assert ("your changes to " if given else "") + file in answer["note"]
            assert not canary.exists(), file
            if given is None:
                place.unlink()
            else:
                place.write_text(given)


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_settings_above_the_copy_have_no_part_in_it(tmp_path):
    canary = tmp_path / "canary"
    async with desk(tmp_path / "home", "python") as d:
        for folder in (d.t.home, d.t.home / ".cache", d.t.home / ".cache" / "attempts"):
            folder.mkdir(exist_ok=True)
            (folder / "conftest.py").write_text(written(TOUCH + PASS_ALL, canary))
        d.write(d.wrong)
        assert (await d.attempt())["report"]["outcome"] == "failed"
        assert not canary.exists()
        assert not (d.t.home / ".cache" / "attempts" / "conftest.py").exists()


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_the_review_of_an_older_text_says_of_which(tmp_path):
    async with desk(tmp_path / "home", "python") as d:
        d.write(d.right + SLOW)
        asked = d.begin()
        await asyncio.sleep(0.2)
        d.write(d.wrong)
        answer = await asked
        await d.quiet()
        said = f"This is about your text of {answer['textOf']}; your files have changed since."
        assert said in answer["note"]
        assert said in (d.root / ".tutor" / "coach.md").read_text()
        assert d.session.passed
        assert d.opened.standing().all_green is False


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_links_and_a_python_of_the_folders_own_have_no_part_in_it(tmp_path):
    async with desk(tmp_path / "home", "python") as d:
        d.write(d.wrong)
        d.write("#!/bin/sh\nexit 3\n", ".venv/bin/python")
        (d.root / ".venv/bin/python").chmod(0o755)
        elsewhere = tmp_path / "elsewhere.py"
        elsewhere.write_text("raise SystemExit(0)\n")
        (d.root / "src/exercise/linked.py").symlink_to(elsewhere)
        (d.root / "src/statistics").symlink_to(tmp_path)
        answer = await d.attempt()
        assert answer["report"]["outcome"] == "failed"
        assert "src/exercise/linked.py (it is a link)" in answer["note"]
        assert "src/statistics (it is a link)" in answer["note"]
        check = await d.t.do("check")
        assert "linked.py (it is a link)" in check["note"]


@pytest.mark.long("runs tests several times; test_trial.py takes modules of the learner along, too")
async def test_helpers_of_the_learners_own_are_taken_along(tmp_path):
    async with desk(tmp_path / "home", "python") as d:
        d.write("PER_HOUR = 60\n", "src/exercise/hours.py")
        text = d.right.replace("hours * 60 + minutes", "hours * PER_HOUR + minutes")
        d.write(f"from exercise.hours import PER_HOUR\n{text}")
        first = await d.attempt()
        assert (first["report"]["outcome"], first["note"]) == ("passed", None)
        d.write("PER_HOUR = 6\n", "src/exercise/hours.py")
        second = await d.attempt()
        assert (second["attempt"], second["report"]["outcome"]) == (2, "failed")
        assert second["report"]["textHash"] != first["report"]["textHash"]


CHANGES = [
    ("python", "open('tests/conftest.py', 'w').close()"),
    ("python", "open('conftest.py', 'w').close()"),
    ("python", "open('src/exercise/new.py', 'w').close()"),
    ("python", "t = 'tests/test_movie.py'; s = open(t).read(); open(t, 'w').write(s)"),
    ("python", "import os; os.utime('tests/test_movie.py')"),
    ("python", "import os; os.remove('tests/test_movie.py')"),
    ("python", "import os; os.makedirs('src/json')\nopen('src/json/__init__.py', 'w').close()"),
    ("python", "import os; os.symlink('/tmp', 'src/json')"),
    ("rust", 'let _ = std::fs::write("tests/split_the_bill.rs", "");'),
    ("rust", 'let _ = std::fs::write("build.rs", "fn main() {}");'),
    ("c", 'system("for f in build/tutor/*.o; do cat $f >$f.new; mv $f.new $f; done");'),
    ("c", 'FILE *f = fopen("src/timer.h", "a"); if (f) { fputc(10, f); fclose(f); }'),
]


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("language", "code"), [*cases(CHANGES[3:5]), *cases(CHANGES[:3] + CHANGES[5:], LONG)]
)
async def test_a_run_that_changes_its_own_copy_is_not_counted_and_the_next_one_is_clean(
    tmp_path, language, code
):
    async with desk(tmp_path / "home", language) as d:
        d.uncontained()
        d.write(planted(d, code))
        answer = await d.attempt()
        assert answer["attempt"] is None, answer
        assert "changed" in answer["report"]["reason"]
        assert "not counted" in answer["report"]["reason"]
        assert d.session.attempts == ()
        d.write(d.right)
        answer = await d.attempt()
        assert (answer["attempt"], answer["report"]["outcome"]) == (1, "passed")


def planted(d, code):
    """The right text with a statement that is run by the first unit's tests."""
    if d.language == "python":
        return f"{d.right}\n{code}\n"
    body = d.right.index("{", d.right.index("tip(bill" if d.language == "rust" else "to_seconds("))
    text = f"{d.right[: body + 1]}\n{code}\n{d.right[body + 1 :]}"
    return text if d.language == "rust" else f"#include <stdio.h>\n#include <stdlib.h>\n{text}"


BROKEN = [
    ("python", "\ndef broken(:\n"),
    ("rust", "\nfn broken( {\n"),
    ("rust", '\nfn broken() -> u32 { "text" }\n'),
    ("c", "\nint broken( {\n"),
]


@pytest.mark.first(1)
@pytest.mark.parametrize(("language", "code"), cases(BROKEN))
async def test_code_that_does_not_build_is_no_attempt_and_the_place_is_said(
    tmp_path, language, code
):
    async with desk(tmp_path / "home", language) as d:
        d.write(d.right + code)
        answer = await d.attempt()
        assert (answer["attempt"], answer["review"]) == (None, None)
        line = d.right.count("\n") + 2
        assert answer["note"].startswith("This attempt was not counted: the code does not build, ")
        assert f"{d.file} line {line}" in answer["note"]
        assert answer["note"].endswith(".")
        assert d.session.attempt_count == 0
        error = await d.t.refused("next")
        assert f"{d.file} line {line}" in error.message


async def test_a_file_that_is_gone_is_no_attempt(tmp_path):
    async with desk(tmp_path / "home", "python") as d:
        (d.root / d.file).unlink()
        answer = await d.attempt()
        assert answer["attempt"] is None
        assert f"{d.file} is gone" in answer["report"]["reason"]
        assert "tutor.reset" in answer["report"]["reason"]


@pytest.mark.long("runs tests several times; others here stand for it")
@pytest.mark.parametrize(
    "language", [LANGUAGES[1], pytest.param("rust", marks=[pytest.mark.cargo, LONG])]
)
async def test_an_older_text_with_an_older_time_is_built_anew(tmp_path, language):
    async with desk(tmp_path / "home", language) as d:
        for text, outcome in ((d.right, "passed"), (d.wrong, "failed"), (d.right, "passed")):
            d.write(text)
            os.utime(d.root / d.file, ns=(10**18, 10**18))
            assert (await d.attempt())["report"]["outcome"] == outcome


async def test_another_text_is_another_attempt_and_an_equal_one_joins(tmp_path):
    async with desk(tmp_path / "home", "python") as d:
        d.write(d.wrong + SLOW.replace("1", "0.3"))
        first, joined = d.begin(), d.begin()
        await asyncio.sleep(0.2)
        d.write(d.right)
        answers = [await each for each in (first, joined, d.begin())]
        told = [(answer["attempt"], answer["report"]["outcome"]) for answer in answers]
        assert told == [(1, "failed"), (1, "failed"), (2, "passed")]
        hashes = [answer["report"]["textHash"] for answer in answers]
        assert hashes[0] == hashes[1] != hashes[2]
        assert d.session.passed


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_check_during_which_a_file_changes_is_about_the_new_text(tmp_path):
    async with desk(tmp_path / "home", "python") as d:
        d.write(d.wrong + SLOW)
        check = asyncio.ensure_future(d.t.do("check"))
        await asyncio.sleep(0.4)
        d.write(d.right)
        assert (await check)["outcome"] == "passed"
        assert d.session.last_report.text_hash == d.opened.saved().check_hash


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_file_that_is_being_written_is_waited_for(tmp_path):
    async with desk(tmp_path / "home", "python") as d:
        (d.root / d.file).write_text("")
        asked = d.begin()
        await asyncio.sleep(0.3)
        (d.root / d.file).write_text(d.right)
        assert (await asked)["report"]["outcome"] == "passed"


async def test_a_save_that_is_on_its_way_is_waited_for_and_no_other(tmp_path):
    async with desk(tmp_path / "home", "python") as d:
        d.t.desk.buffers[d.root / d.file] = d.right
        asked = d.begin()
        await asyncio.sleep(0.05)
        d.write(d.right)
        assert (await asked)["report"]["outcome"] == "passed"
        d.t.desk.buffers[d.root / d.file] = d.wrong
        assert (await d.t.refused("attempt")).kind == "UNSAVED"
        assert (await d.t.refused("check")).kind == "UNSAVED"


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_while_files_keep_changing_nothing_is_kept(tmp_path):
    async with desk(tmp_path / "home", "python") as d:
        d.uncontained()
        other = "src/exercise/other.py"
        d.write(f"{d.right}\nimport time\nopen({other!r}, 'w').write(str(time.time()))\n")
        error = await d.t.refused("check")
        assert error.kind == "CHANGING"
        assert d.session.last_report is None
