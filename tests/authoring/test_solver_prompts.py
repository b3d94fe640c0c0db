"""What somebody is shown who is to solve an exercise: what its learner sees, and nothing else."""

from dataclasses import fields

from tutor_lsp.authoring.solving import StageSolver
from tutor_lsp.core.exercise.report import RawReport, RawTest, RunOutcome, TestOutcome
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.stages.conversation import Conversation

FILES = {
    "LESSON.md": "# Bees\n",
    "src/bees.c": '#include "bees.h"\n#include "stub.h"\n\nint bees(void)\n{\n    return 0;\n}\n',
    "src/bees.h": "int bees(void);\n",
    "tests/test_bees.c": '#include "bees.h"\n#include "test.h"\n\nTEST_ASSERT_EQ(2, bees());\n',
}


def solver(asked):
    async def ask(request, *_about):
        asked.append(request)
        return {"files": [], "accepts": None}

    toolchain = toolchains()["c"]
    given = {
        "conversation": Conversation("c", topic="bees"),
        "files": toolchain.complete(FILES),
        "toolchain": toolchain,
        "ask": ask,
        "limit_s": 9.0,
        "starter": "",
        "answered": lambda _about: None,
    }
    names = [field.name for field in fields(StageSolver) if field.name in given]
    return StageSolver(**{name: given[name] for name in names})


async def test_the_tests_are_shown_without_what_runs_them():
    asked = []
    report = RawReport(RunOutcome.FAILED, (RawTest("test_bees", TestOutcome.FAILED),))
    await solver(asked).informed(report)
    (request,) = asked
    paths = {file["file_path"] for file in request.packet["files"]}
    assert paths == {"LESSON.md", "src/bees.c", "src/bees.h", "src/stub.h", "tests/test_bees.c"}
    text = request.prompt.text
    assert "TEST_ASSERT_EQ(2, bees());" in text
    assert "#define TEST_ASSERT_EQ" not in text
    assert len(text.encode()) < 6000
