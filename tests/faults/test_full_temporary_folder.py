"""What is said where nothing can be written to a temporary folder."""

import errno
import logging
import os
import shutil
import tempfile

import pytest

from tutor_lsp.core.ports import RunLimits
from tutor_lsp.languages.c.toolchain import CToolchain
from tutor_lsp.process.contain import Contain
from tutor_lsp.process.scratch import NoTemporaryFolder, scratch_folder, sweep
from tutor_lsp.tutor.services.failures import as_tutor_error

NOWHERE = "The run failed: No temporary folder can be written to"
WHAT_TO_DO = "Free some space there, or name another folder in TMPDIR, then try again."
FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/tmp/x")
SOURCES = {
    "src/one.h": "int one(void);\n",
    "src/one.c": '#include "one.h"\nint one(void)\n{\n    return 1;\n}\n',
    "tests/test_one.c": """#include "test.h"
#include "one.h"

void test_fine(void)
{
    TEST_ASSERT_EQ(1, one());
}

int main(void)
{
    RUN_TEST(test_fine);
    TEST_SUMMARY();
}
""",
}


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    folders = [str(tmp_path / "one"), str(tmp_path / "two")]
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: folders)
    return folders


async def test_one_sentence_says_what_to_do(nowhere, caplog):
    with pytest.raises(NoTemporaryFolder) as raised:
        async with scratch_folder("run"):
            pass
    error = as_tutor_error(raised.value, "The run")
    assert (error.kind, str(error)) == (
        "SYSTEM",
        f"{NOWHERE} ({nowhere[0]}, {nowhere[1]}). {WHAT_TO_DO}",
    )
    assert not caplog.records
    assert sweep() == 0


@pytest.mark.parametrize("wrapped", [FULL, ExceptionGroup("two", [ExceptionGroup("", [FULL])])])
def test_a_full_disk_is_said_in_words(wrapped, caplog):
    error = as_tutor_error(wrapped, "The run")
    assert error.kind == "SYSTEM"
    assert "No space left on device (/tmp/x). Free some space and try again." in str(error)
    assert not caplog.records


def test_a_defect_of_ours_is_logged_with_its_place(caplog):
    with caplog.at_level(logging.ERROR):
        assert as_tutor_error(ValueError("odd"), "The run").kind == "INTERNAL"
    assert caplog.records[0].exc_info


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here")
async def test_a_c_run_without_room_is_not_taken_for_a_removed_program(tmp_path, monkeypatch):
    toolchain = CToolchain(contain=Contain(enabled=False))
    for path, text in toolchain.complete(SOURCES).items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)

    def full(*_args, **_options):
        raise FULL

    monkeypatch.setattr("tutor_lsp.languages.c.run.nameless_file", full)
    with pytest.raises((OSError, ExceptionGroup)) as raised:
        await toolchain.run(tmp_path, limits=RunLimits(total_s=60, test_s=10))
    assert "Free some space" in str(as_tutor_error(raised.value, "The run"))
