"""Every bundled exercise through the stages of a set-up, and its hints and reviews."""

import dataclasses
import re

import pytest

from tutor_lsp.authoring.content import bundled_hash
from tutor_lsp.authoring.request import AuthoringDeps, SetupRequest
from tutor_lsp.authoring.setup import set_up
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Proof
from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome, TestReport, TestResult
from tutor_lsp.core.exercise.verdict import sentence
from tutor_lsp.core.session import Review
from tutor_lsp.core.stage import Role
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.library.loader import BUNDLED, Library
from tutor_lsp.stages.backends.library import LibraryBackend
from tutor_lsp.stages.conversation import Conversation
from tutor_lsp.stages.runner import Runner
from tutor_lsp.stages.subject import NodeBrief
from tutor_lsp.stages.tutoring import TutoringContext, coach_request, reviewer_request
from tutor_lsp.tutor.exercise.folder.coach_file import review_text

LIBRARY = Library([BUNDLED])
ENTRIES = {entry.id: entry for entry in LIBRARY.entries()}
RUNNER = Runner(lambda event: None)


class Silent:
    def report(self, percent, message):
        assert 0 <= percent <= 100


class NeverRun:
    """A toolchain that reads and never runs."""

    def __init__(self, real):
        self._real = real

    def __getattr__(self, name):
        assert name not in ("run", "probe")
        return getattr(self._real, name)


async def made(entry, backend=None, depth=None):
    deps = AuthoringDeps(
        runner=RUNNER,
        backend=backend or LibraryBackend(LIBRARY, entry.id),
        toolchain=NeverRun(toolchains()[entry.language]),
        library=LIBRARY,
        shipped=lambda digest: Proof(ok=digest == bundled_hash(LIBRARY.load(entry)), tests=1),
    )
    request = SetupRequest(
        entry.language, depth or entry.depth, NodeBrief(entry.node, "Some title")
    )
    return await set_up(request, deps, Silent())


@pytest.mark.sample("c-high-scores", "python-movie-night", "rust-split-the-bill")
@pytest.mark.parametrize("name", list(ENTRIES))
async def test_an_exercise_comes_out_byte_for_byte(name):
    entry = ENTRIES[name]
    bundled = LIBRARY.load(entry)
    proven = await made(entry)
    for path, text in bundled.files.items():
        assert proven.files[path] == text, path
        assert proven.files[path].encode() == (entry.path / path).read_bytes()
    added = proven.files.keys() - bundled.files.keys()
    assert not any(path.startswith(("solution", "hints")) for path in added)
    assert proven.vault.solution == bundled.solution
    assert proven.vault.hints == bundled.hints
    assert proven.folder == entry.path.name
    assert proven.record is None
    exercise = proven.exercise
    assert (exercise.id, exercise.title, exercise.minutes) == (entry.id, entry.title, entry.minutes)
    assert [
        (u.id, u.stub, u.file, u.first_principle, u.lesson_heading, u.tests) for u in exercise.units
    ] == [(u.id, u.stub, u.file, u.first_principle, u.lesson_heading, u.tests) for u in entry.units]


async def test_without_a_choice_the_first_exercise_of_the_node_is_taken():
    entry = ENTRIES["python-movie-night"]
    proven = await made(entry, LibraryBackend(LIBRARY))
    assert proven.exercise.id == LIBRARY.find(entry.node)[0].id


@pytest.mark.parametrize(("node", "depth"), [("python-asyncio", "D1"), ("python-functions", "D3")])
async def test_what_the_library_lacks_is_told(node, depth):
    entry = dataclasses.replace(ENTRIES["python-movie-night"], node=node)
    with pytest.raises(TutorError) as caught:
        await made(entry, LibraryBackend(LIBRARY), depth)
    assert (caught.value.kind, caught.value.stage) == ("EXECUTION_FAILED", "scaffold")
    assert node in caught.value.reason


async def test_the_backend_says_what_it_has(tmp_path):
    assert (await LibraryBackend(LIBRARY).probe()).available
    assert not (await LibraryBackend(Library([tmp_path])).probe()).available


async def test_no_prompt_is_needed():
    backend = LibraryBackend(LIBRARY)
    node = NodeBrief("python-functions", "Functions")
    talk = Conversation("python", node, depth="D1", prompts=backend.needs_prompt)
    request = talk.request(Role.SCAFFOLD)
    assert request.prompt is None


def results(exercise, failing, message):
    return tuple(
        TestResult(
            name,
            unit.id,
            unit.stub,
            TestOutcome.FAILED if name in failing else TestOutcome.PASSED,
            message if name in failing else None,
        )
        for unit in exercise.units
        for name in unit.tests
    )


def report(exercise, failing=(), message='count("a") gave 3, expected 2 (1 of 3 tests).'):
    outcome = RunOutcome.FAILED if failing else RunOutcome.PASSED
    return TestReport("r1", outcome, results(exercise, failing, message))


@pytest.mark.sample("c-high-scores", "python-movie-night", "rust-split-the-bill")
@pytest.mark.parametrize("name", list(ENTRIES))
async def test_every_hint_may_be_shown_and_leads_on(name):
    proven = await made(ENTRIES[name])
    exercise = proven.exercise
    failing = {unit.tests[0] for unit in exercise.units}
    for seen in (None, report(exercise, failing), report(exercise)):
        context = TutoringContext(exercise, proven.vault, proven.files, seen)
        for unit in exercise.units:
            texts = []
            for level in (1, 2, 3):
                request = coach_request(context, unit.id, level)
                result = await RUNNER.run(request, LibraryBackend(LIBRARY))
                assert result.accepted, (unit.id, level, result.reason)
                assert result.payload["level"] == level
                assert result.payload["fix"] is None
                assert "```" not in result.payload["text"]
                assert (result.payload["code"] is None) == (level != 2)
                texts.append(result.payload["text"])
            assert len(set(texts)) == 3
            if seen is not None and seen.outcome is RunOutcome.FAILED:
                first = f'`{unit.tests[0]}`: count("a") gave 3, expected 2'
                assert all(text.startswith(first) for text in texts)


async def hint(unit="ex-1", level=3, *, seen=None, hints=None):
    proven = await made(ENTRIES["python-movie-night"])
    vault = proven.vault if hints is None else dataclasses.replace(proven.vault, hints=hints)
    exercise = (
        dataclasses.replace(proven.exercise, id="unknown") if hints == {} else proven.exercise
    )
    context = TutoringContext(
        exercise,
        vault,
        proven.files,
        seen(proven.exercise) if seen else None,
        contracts={"ex-1": "Say it.\n\nStart here: look at `hours`\n"},
    )
    result = await RUNNER.run(coach_request(context, unit, level), LibraryBackend(LIBRARY))
    assert result.accepted, result.reason
    return result.payload["text"]


async def test_a_text_that_does_not_build_is_told_first():
    text = await hint(
        seen=lambda exercise: TestReport(
            "r",
            RunOutcome.BUILD_ERROR,
            build_errors=(_error("src/exercise/movie.py", 3, "invalid syntax"),),
        )
    )
    assert text.startswith("src/exercise/movie.py line 3 does not build yet: Python cannot read")
    assert "invalid syntax" in text


def _error(file, line, message):
    from tutor_lsp.core.exercise.report import BuildError

    return BuildError(file, line, 1, line, 2, None, message)


async def test_a_unit_that_passes_is_told_so():
    text = await hint(seen=lambda exercise: report(exercise, {exercise.units[1].tests[0]}))
    assert text.startswith("All tests of `to_minutes` pass right now.")


async def test_an_exercise_without_written_hints_has_its_cue():
    assert "look at `hours`" in await hint(level=1, hints={})


async def test_hints_of_the_library_serve_where_the_record_has_none():
    bundled = LIBRARY.load(ENTRIES["python-movie-night"]).hints["ex-1"][0]
    assert (await hint(level=1, hints={"ex-9": ("a", "b", "c")})).startswith(bundled)


async def review(name, seen):
    proven = await made(ENTRIES[name])
    context = TutoringContext(proven.exercise, proven.vault, proven.files, seen(proven.exercise))
    result = await RUNNER.run(reviewer_request(context, 1), LibraryBackend(LIBRARY))
    assert result.accepted, result.reason
    payload = result.payload
    said = " ".join(str(payload[key]) for key in ("summary", "improvement", "question"))
    assert not re.search(r"\bfail", said, re.IGNORECASE)
    return payload


@pytest.mark.first(1)
@pytest.mark.parametrize("name", list(ENTRIES))
async def test_all_green_is_a_pass_that_names_what_was_practised(name):
    payload = await review(name, report)
    assert (payload["verdict"], payload["score"]) == ("PASS", 100)
    for unit in ENTRIES[name].units:
        assert unit.first_principle in payload["summary"]


async def test_a_failing_run_is_not_yet_and_says_what_is_open():
    payload = await review(
        "python-movie-night", lambda exercise: report(exercise, exercise.units[1].tests)
    )
    assert payload["verdict"] == "FAIL"
    assert payload["score"] == 9 * 89 // 11
    assert payload["summary"] == (
        "Not yet: 9 of 11 tests pass. Done: `to_minutes`, `catches_bus`, `plan`. "
        "Continue with `ends_at`: a call stands for its answer."
    )
    assert "gave 3, expected 2" in payload["improvement"]


@pytest.mark.parametrize(
    "seen",
    [
        TestReport("r", RunOutcome.BUILD_ERROR, build_errors=(_error("src/a.py", 1, "bad"),)),
        TestReport("r", RunOutcome.TIMEOUT, reason="60 s were not enough"),
        TestReport("r", RunOutcome.NOT_RUN),
    ],
)
async def test_a_run_without_results_is_not_yet(seen):
    payload = await review("python-movie-night", lambda exercise: seen)
    assert (payload["verdict"], payload["score"]) == ("FAIL", 0)
    assert payload["summary"].startswith("Not yet: ")


async def test_a_review_says_once_that_the_code_does_not_build():
    seen = TestReport("r", RunOutcome.BUILD_ERROR, build_errors=(_error("src/a.py", 1, "bad"),))
    payload = await review("python-movie-night", lambda exercise: seen)
    told = review_text(Review("FAIL", 0, payload["summary"]), sentence(seen), 1, "python")
    assert told.count("does not build") == 1
    assert told.endswith("Not yet: the code does not build, see src/a.py line 1: bad")
