"""What an author is told of programs on which tests run that are not as they should be."""

import asyncio
import contextlib
from dataclasses import replace
from types import SimpleNamespace

import pytest
from kinds_kit import LIMITS, TOOLS, folder_of, put

from tutor_lsp.authoring.content import content_hash
from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.model import Candidate
from tutor_lsp.authoring.proof import shape
from tutor_lsp.authoring.proof.kinds import programs
from tutor_lsp.authoring.proof.trial import trial_of
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Exercise, Proof, UnitKind, verdicts
from tutor_lsp.core.exercise.report import RawReport, RawTest, RunOutcome, TestOutcome
from tutor_lsp.core.session import Programs, Vault, WrongProgram
from tutor_lsp.languages.common.programs.asked import Asked, ProgramRuns
from tutor_lsp.languages.common.programs.run import AskedRun
from tutor_lsp.languages.common.programs.verdict import Verdicts, catches, says_nothing
from tutor_lsp.languages.common.proof.bench import Bench
from tutor_lsp.languages.registry import dialect
from tutor_lsp.library.loader import Library
from tutor_lsp.stages.backends.library import planned_units
from tutor_lsp.tutor.learner.record.transfer import fitting
from tutor_lsp.wire import from_wire, to_wire

OWN, GIVEN = "tests/test_span.py", "src/exercise/span.py"
WRONG, RIGHT = "mistakes/ex-4.md", "variants/ex-4.md"
TOOL = TOOLS["python"]


@pytest.fixture
def folder(tmp_path):
    return folder_of(tmp_path, "python", UnitKind.TEST)


def change(folder, file, old, new):
    """Replace a piece of a text that is there."""
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))


def loaded(folder):
    """The exercise in a folder."""
    library = Library([folder])
    return library.load(library.entries()[0])


def refused(folder):
    """Why it cannot be used."""
    with pytest.raises(TutorError) as raised:
        loaded(folder)
    return raised.value.message


MALFORMED = {
    "no sentence": (
        WRONG, "You take the last and the first one, which are the highest and the lowest only in "
        "some lists.\n\n", "",
        "“Last less first” in mistakes/ex-4.md needs a sentence that says what it does",
    ),
    "no input": (
        WRONG, "Shows: `span([])` is `0`\n", "",
        "“Nothing given” in mistakes/ex-4.md needs an input that shows it",
    ),
    "an input without a result": (
        WRONG, "Shows: `span([])` is `0`\n", "Shows: `span([])`\n", "needs an input that shows it",
    ),
    "no program": (
        WRONG, "## Nothing given", "## Nothing at all\n\nNo.\n\nShows: `a` is `b`\n\n## Nothing",
        "“Nothing at all” in mistakes/ex-4.md has no code in a fence",
    ),
    "no file": (
        RIGHT, f"```python {GIVEN}", "```python",
        "“Sorted first” in variants/ex-4.md does not name the file that it replaces",
    ),
    "a file outside": (
        RIGHT, f"```python {GIVEN}", "```python src/../../other.py",
        "“Sorted first” in variants/ex-4.md does not name the file that it replaces",
    ),
    "two files": (
        RIGHT, f"```python {GIVEN}", "```python src/exercise/other.py",
        "all programs of a unit replace the same file",
    ),
    "words below": (WRONG, "\n## From zero", "\nBelow.\n\n## From zero", "may only have “### L2”"),
    "no heading": (RIGHT, "## Sorted first\n", "", "must begin with a heading (## …)"),
}  # fmt: skip


@pytest.mark.parametrize("name", MALFORMED)
def test_what_is_not_in_the_form_is_said_with_its_place(folder, name):
    file, old, new, said = MALFORMED[name]
    change(folder, file, old, new)
    assert said in refused(folder)


def test_both_files_must_be_there_and_belong_to_such_a_unit(folder):
    (folder / "mistakes/ex-9.md").write_text("## A\n")
    assert "mistakes/ex-9.md belongs to no unit" in refused(folder)
    (folder / "mistakes/ex-9.md").unlink()
    (folder / RIGHT).unlink()
    assert "variants/ex-4.md is missing" in refused(folder)


def test_its_file_is_one_of_tests(folder):
    change(folder, "exercise.toml", f'file = "{OWN}"', f'file = "{GIVEN}"')
    assert f"ex-4 names {GIVEN}, which is no file of tests/" in refused(folder)


def test_tag_and_hint_of_a_mistake_are_read(folder):
    change(folder, WRONG, "Shows: `span([])`", "Tag: empty-input\n\nShows: `span([])`")
    with (folder / WRONG).open("a") as file:
        file.write("\n### L2\n\nTry none.\n")
    mistake = loaded(folder).programs["ex-4"].wrong[2]
    assert (mistake.tag, mistake.hint) == ("empty-input", "Try none.")
    assert (mistake.call, mistake.gives) == ("span([])", "0")
    assert mistake.says.startswith("You ask for the highest of no temperatures")


def test_programs_are_part_of_what_is_proven(folder):
    known = loaded(folder).programs
    assert from_wire(Programs, to_wire(known["ex-4"])) == known["ex-4"]
    other = {"ex-4": replace(known["ex-4"], right=("x\n",))}
    hashes = {content_hash("python", {}, {}, {}, each) for each in (known, other, {})}
    assert len(hashes) == 3
    assert content_hash("python", {}, {}, {}, {}) == content_hash("python", {}, {})


def index_of(folder, *changes):
    """What the index finds after changes to texts."""
    bundled = loaded(folder)
    files = dict(bundled.files)
    for file, old, new in changes:
        assert old in files[file]
        files[file] = files[file].replace(old, new)
    planned = planned_units(bundled.entry)
    return build_index(files, planned, TOOL, strict=True)


def test_the_starter_holds_the_comment_alone(folder):
    assert index_of(folder).findings == ()
    begun = (OWN, "go wrong?\n", "go wrong?\n\n\ndef test_x() -> None:\n    assert True\n")
    assert [finding.message for finding in index_of(folder, begun).findings] == [
        f"{OWN} has more than the comment of ex-4, which asks for all of it."
    ]


def test_its_tests_are_the_two_verdicts(folder):
    assert verdicts("Span") == verdicts("span")
    change(folder, "exercise.toml", "test_span_catches_mistakes", "test_span_catches_all")
    said = [finding.message for finding in index_of(folder).findings]
    assert "ex-4 names the test `test_span_catches_all`, which no file of tests/ has." in said


def trial(folder):
    """The exercise under proof."""
    bundled, index = loaded(folder), index_of(folder)
    files = TOOL.complete(bundled.files)
    candidate = Candidate(
        "python",
        bundled.files,
        files,
        dict(bundled.solution),
        index.units,
        programs=bundled.programs,
    )
    return trial_of(candidate, TOOL, dialect("python"))


def test_tests_that_a_learner_writes_are_tests_enough(folder):
    whole = trial(folder).candidate
    (asking,) = (unit for unit in whole.units if unit.kind is UnitKind.TEST)
    mine = {file: text for file, text in whole.authored.items() if file[:6] != "tests/"}
    alone = replace(
        whole,
        authored={**mine, OWN: whole.authored[OWN]},
        units=(asking,),
        solution={OWN: whole.solution[OWN]},
    )
    read = trial_of(alone, TOOL, dialect("python"))
    assert shape.check(read) == []
    assert shape.executable(read)
    bodies = tuple(unit for unit in whole.units if unit.kind is UnitKind.BODY)
    without = trial_of(replace(alone, units=bodies), TOOL, dialect("python"))
    assert "No test can be found in tests/." in [found.message for found in shape.check(without)]
    assert not shape.executable(without)


def of_texts(folder):
    """What is said of the texts of its programs."""
    return [f"{found.file}: {found.message}" for found in programs.check(trial(folder))]


def section(text, heading):
    """One program of a file, with its heading."""
    return f"## {heading}\n" + text.partition(f"## {heading}\n")[2].partition("\n## ")[0].rstrip()


def test_texts_of_programs_are_enough_and_all_different(folder):
    assert of_texts(folder) == []
    text = (folder / WRONG).read_text()
    same = section(text, "Nothing given").replace("Nothing given", "The same")
    (folder / WRONG).write_text(f"{text}\n{same}\n")
    assert of_texts(folder) == [
        f"{WRONG}: the mistake “The same” is the same program as the mistake “Nothing given”."
    ]
    (folder / WRONG).write_text(section(text, "Nothing given") + "\n")
    (folder / RIGHT).write_text(section((folder / RIGHT).read_text(), "Sorted first") + "\n")
    assert of_texts(folder) == [
        f"{RIGHT}: ex-4 needs 2 right programs besides the given one, or more.",
        f"{WRONG}: ex-4 needs 2 to 8 mistakes, not 1.",
    ]


def test_the_given_program_has_a_file_of_its_own(folder):
    for file in (WRONG, RIGHT):
        path = folder / file
        path.write_text(path.read_text().replace(GIVEN, "src/exercise/weather.py"))
    assert any("which is a file that the learner writes" in said for said in of_texts(folder))
    for file in (WRONG, RIGHT):
        path = folder / file
        path.write_text(path.read_text().replace("exercise/weather.py", "exercise/other.py"))
    assert any("replace src/exercise/other.py, which does not exist" in s for s in of_texts(folder))


def by_running(folder, tmp_path):
    """What running the programs finds."""
    tried = trial(folder)
    bench = Bench(TOOL, tmp_path / "bench", LIMITS)
    found = asyncio.run(programs.run(tried, bench, tried.candidate.solution))
    return [f"{each.file}: {each.message}" for each in found]


RUN = {
    "a mistake that shows nothing": (
        WRONG, "`span([3, 9, 1])` is `8`", "`span([1, 9])` is `8`",
        f"{WRONG}: the mistake “Last less first” gives `8` for `span([1, 9])`, as right programs "
        "do: that input does not show it.",
    ),
    "an input that right programs answer otherwise": (
        WRONG, "`span([3, 9, 1])` is `8`", "`span([3, 9, 1])` is `7`",
        f"{WRONG}: {GIVEN} as it is given does not give `7` for `span([3, 9, 1])`, the input of "
        "the mistake “Last less first”: 8 against 7.",
    ),
    "a right program that is wrong": (
        RIGHT, "ordered[-1] - ordered[0] if", "ordered[-1] - ordered[0] + 1 if",
        f"{RIGHT}: The reference's `test_span_does_not_depend_on_the_order` refuses a right "
        "program, right program 1: 9 against 8.",
    ),
    "a reference that misses one": (
        f"solution/{OWN}", "    assert span([]) == 0", "    assert span",
        f"{WRONG}: The reference's tests do not catch the mistake “Nothing given”.",
    ),
    "a mistake that does not build": (
        WRONG, "highest = lowest = 0", "highest = lowest = 0 +",
        f"{WRONG}: the mistake “From zero on” does not build: ",
    ),
    "a right program that does not build": (
        RIGHT, "ordered = sorted(", "ordered = = sorted(",
        f"{RIGHT}: right program 1 does not build with the tests of the reference: ",
    ),
    "an input that is no call of it": (
        WRONG, "`span([])` is `0`", "`max([1])` is `1`",
        f"{WRONG}: The input of the mistake “Nothing given” cannot be tried: it calls no stub of "
        "the exercise.",
    ),
}  # fmt: skip


@pytest.mark.first(3)
@pytest.mark.parametrize("name", RUN)
def test_what_programs_do_is_seen_by_running_them(folder, tmp_path, name):
    file, old, new, said = RUN[name]
    change(folder, file, old, new)
    found = by_running(folder, tmp_path)
    assert any(each.startswith(said) for each in found), found


def test_programs_as_they_are_hold(folder, tmp_path):
    assert by_running(folder, tmp_path) == []


def test_a_run_that_does_not_get_to_its_tests_catches_nothing():
    late = RawReport(RunOutcome.TIMEOUT, reason="Building took too long.")
    hung = RawReport(RunOutcome.TIMEOUT, (RawTest("test_x", TestOutcome.TIMEOUT),))
    assert [(says_nothing(each), catches(each)) for each in (late, hung)] == [
        (True, False),
        (False, True),
    ]
    assert Verdicts("span", OWN).unknown(late)[0].said.message == "Building took too long."


@pytest.mark.parametrize(("took_ms", "limit_s"), [(3, 2), (300, 6), (3000, 9)])
def test_a_mistake_hangs_once_it_takes_much_longer_than_right_programs(tmp_path, took_ms, limit_s):
    known, given = {}, "def span(days):\n    return 0\n"

    class Tool:
        build_folder = None

        def tests(self, _):
            return [SimpleNamespace(name="test_x")]

        async def run(self, folder, *, limits, **_):
            text = (folder / GIVEN).read_text()
            known[text] = limits.test_s
            test = RawTest("test_x", TestOutcome.PASSED, duration_ms=took_ms, file=OWN)
            return RawReport(RunOutcome.PASSED, (test,))

    wrong = WrongProgram("Wrong", "wrong", "It is wrong.", "span([])", "0")
    unit = Asked("span", OWN, Programs(GIVEN, ("right 1", "right 2"), (wrong,)), {GIVEN: given})

    @contextlib.asynccontextmanager
    async def place():
        yield tmp_path / "programs"

    work = tmp_path / "work"
    put(work, {GIVEN: given, OWN: "def test_x(): pass\n"})
    run = AskedRun(Tool(), Tool().run, [unit], ProgramRuns(place))
    asyncio.run(run(work, limits=replace(LIMITS, test_s=9)))
    assert known == {given: 9, "right 1": 9, "right 2": 9, "wrong": limit_s}


def test_programs_of_a_foreign_record_are_not_taken(folder):
    known = loaded(folder).programs
    exercise = Exercise("a", "n", "A", "python", "D1", "", (), (), {}, Proof(ok=True))
    foreign = Vault(originals={OWN: "x\n"}, programs=known)
    record = SimpleNamespace(exercise=exercise, vault=foreign)
    taken = fitting._exercise(record, {})
    assert (taken.vault.originals, taken.vault.programs) == ({OWN: "x\n"}, {})
