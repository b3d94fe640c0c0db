"""What goes wrong, and files that are opened without a command."""

import os
import signal
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[2]


def test_missing_executable_is_no_error_of_an_opened_file(open_editor, tmp_path):
    file = tmp_path / "exercise" / "src" / "words.py"
    file.parent.mkdir(parents=True)
    (tmp_path / "exercise" / ".tutor").mkdir()
    file.write_text("x = 1\n")
    editor = open_editor(None, argv=[str(file)])
    editor.wait_for_note("`tutor-lsp` is not an executable")
    editor.run(f"edit {file}")
    editor.run(f"split {file.with_name('more.py')}")
    assert len(editor.notes) == 1
    assert "Error" not in editor.vim.command_output("messages")


def test_missing_executable_says_how_to_get_it(open_editor):
    editor = open_editor(None)
    editor.run("TutorLsp start python")
    (note,) = editor.notes
    assert "`tutor-lsp` is not an executable" in note
    assert f"`pipx install {REPO}`" in note
    assert ":checkhealth tutor_lsp" in note


def test_missing_executable_is_said_once_for_opened_files(open_editor, tmp_path):
    root = tmp_path / "exercise"
    (root / ".tutor").mkdir(parents=True)
    for name in ("a.py", "b.py"):
        (root / name).write_text("")
    editor = open_editor(None)
    editor.run(f"edit {root}/a.py")
    editor.run(f"edit {root}/b.py")
    assert len(editor.notes) == 1
    assert editor.vim.command_output("messages") == ""


def test_server_that_cannot_run_is_said(open_editor):
    editor = open_editor(["sh", "-c", "exit 3"])
    editor.run("TutorLsp status")
    editor.wait_for_note("The tutor's server stopped (exit code 3)")


def test_killed_server_is_said_and_started_again(exercise):
    first = exercise.server_pid()
    os.kill(first, signal.SIGKILL)
    exercise.wait_for_note("The tutor's server stopped (signal 9)")
    exercise.run("TutorLsp status")
    exercise.wait_for_float("Words")
    assert exercise.server_pid() != first
    exercise.wait_for_server()
    exercise.run("%s/raise NotImplementedError.*/return text.upper()/ | write")
    exercise.wait("#vim.diagnostic.get(0) == 0")


def kill_server(editor):
    os.kill(editor.server_pid(), signal.SIGKILL)
    editor.wait_for_note("The tutor's server stopped (signal 9)")


def test_new_server_sees_edits_though_one_was_made_while_none_ran(exercise):
    kill_server(exercise)
    exercise.vim.current.buffer.append("# while no server runs")
    exercise.run("TutorLsp check")
    exercise.wait_for_note("Not yet")
    exercise.wait_for_server()
    for number in range(3):
        exercise.vim.current.buffer.append(f"# edit {number}")
        exercise.run("TutorLsp attempt")
        exercise.wait_for_arguments("tutor.attempt", number + 1)
        text = "".join(f"{line}\n" for line in exercise.lines())
        assert exercise.arguments("text")[-1] == text
    Path(exercise.file()).write_text("# from elsewhere\n")
    exercise.run("edit!")
    exercise.run("TutorLsp check")
    exercise.wait_for_arguments("tutor.check", 2)
    assert exercise.arguments("text")[-1] == "# from elsewhere\n"


def test_file_can_be_closed_and_opened_after_a_crash(exercise):
    kill_server(exercise)
    exercise.vim.current.buffer.append("# while no server runs")
    exercise.run("TutorLsp check")
    exercise.wait_for_note("Not yet")
    exercise.wait_for_server()
    exercise.run("let stub = expand('%:p') | bdelete | execute 'edit' fnameescape(stub)")
    exercise.wait_for_server()
    exercise.vim.current.buffer.append("# once more")
    exercise.run("TutorLsp attempt")
    exercise.wait_for_arguments("tutor.attempt")
    assert exercise.arguments("text")[-1].endswith("# once more\n")


def test_save_after_a_crash_starts_the_server_again(exercise):
    kill_server(exercise)
    exercise.run("%s/raise NotImplementedError.*/return text.upper()/ | write")
    exercise.wait_for_server()
    exercise.wait("#vim.diagnostic.get(0) == 0")
    assert len(exercise.wait_for_arguments("didSave")) == 1


def test_save_after_the_server_was_stopped_says_so_once(exercise):
    exercise.lua("vim.lsp.stop_client(vim.lsp.get_clients())")
    exercise.wait("#vim.lsp.get_clients() == 0")
    exercise.wait("vim.fn.exists('#tutor_lsp.keep_saves.' .. vim.fn.bufnr()) == 1")
    exercise.run("write")
    exercise.run("write")
    assert [note for note in exercise.notes if "server was stopped" in note] == [
        "Saved. The tutor's server was stopped: `:TutorLsp check` starts it again."
    ]


def test_killed_server_leaves_no_progress_behind(fake):
    fake.run("TutorLsp start python python-slow")
    fake.wait('require("tutor_lsp.state").progress ~= nil')
    os.kill(fake.server_pid(), signal.SIGKILL)
    fake.wait('require("tutor_lsp.state").progress == nil')


def test_file_that_cannot_be_saved_stops_the_attempt(exercise):
    exercise.vim.current.buffer.append("# more")
    exercise.run("setlocal readonly")
    exercise.run("TutorLsp attempt")
    exercise.wait_for_note("words.py could not be saved: E45: 'readonly' option is set")
    assert "\n" not in exercise.notes[-1]
    assert exercise.arguments("tutor.attempt") == []


def test_file_that_is_not_written_stops_the_attempt(exercise):
    exercise.run("autocmd BufWriteCmd <buffer> let g:declined = 1")
    exercise.vim.current.buffer.append("# more")
    exercise.run("TutorLsp attempt")
    exercise.wait_for_note("words.py could not be saved: it was not written")


def test_refusal_is_told_in_the_server_s_words(fake):
    fake.run("TutorLsp start python unknown")
    fake.wait_for_note("There is no topic `unknown`. :TutorLsp curriculum lists them all.")
    assert fake.lua('return require("tutor_lsp.state").started_at == nil')


def test_modified_files_elsewhere_are_left_alone(exercise, tmp_path):
    other = tmp_path / "other.py"
    exercise.run(f"tabedit {other}")
    exercise.vim.current.buffer[:] = ["x = 1"]
    exercise.run("TutorLsp check")
    exercise.wait_for_note("Not yet")
    assert not other.exists()


def test_end_of_neovim_says_nothing(exercise):
    exercise.run("TutorLsp status")
    exercise.wait_for_float("Words")
    assert exercise.close() == []


@pytest.fixture
def workspace(exercise):
    """The folder of an exercise that exists."""
    return exercise.home / "exercises" / "python-functions-words"


def test_opened_exercise_file_attaches(open_editor, fake_server, workspace):
    editor = open_editor(fake_server)
    editor.run(f"edit {str(workspace / 'src/exercise/words.py').replace(' ', chr(92) + ' ')}")
    editor.wait("#vim.diagnostic.get(0) == 2")
    assert editor.lua('return #vim.lsp.get_clients({ name = "tutor_lsp" })') == 1


def test_file_named_on_the_command_line_attaches(open_editor, fake_server, workspace):
    editor = open_editor(fake_server, argv=[str(workspace / "src/exercise/words.py")])
    editor.wait("#vim.diagnostic.get(0) == 2")


@pytest.mark.parametrize("how", ["edit", "argument"])
def test_save_before_the_server_is_ready_is_told_to_it(
    open_editor, fake_server, workspace, tmp_path, how
):
    ready, path = tmp_path / "ready", workspace / "src/exercise/words.py"
    slow = ["sh", "-c", f'until [ -e {ready} ]; do sleep 0.02; done; exec "$@"', "sh", *fake_server]
    editor = open_editor(slow, argv=[str(path)] if how == "argument" else [])
    if how == "edit":
        editor.run(f"edit {str(path).replace(' ', chr(92) + ' ')}")
    editor.wait("#vim.lsp.get_clients({ _uninitialized = true }) == 1")
    editor.run('%s/raise NotImplementedError("shout")/return text.upper()/ | write')
    assert editor.arguments("didSave") == []
    ready.touch()
    editor.wait("#vim.diagnostic.get(0) == 1")
    assert editor.wait_for_arguments("didSave") == [{"name": "words.py"}]
    editor.run("write")
    assert len(editor.wait_for_arguments("didSave", 2)) == 2


def test_other_files_do_not_start_the_server(open_editor, fake_server, tmp_path):
    (tmp_path / "plain.py").write_text("x = 1\n")
    editor = open_editor(fake_server)
    editor.run(f"edit {tmp_path}/plain.py")
    assert editor.lua('return package.loaded["tutor_lsp"] == nil')
    assert editor.lua("return #vim.lsp.get_clients()") == 0


def test_other_files_are_not_attached_to_a_running_server(exercise, tmp_path):
    (tmp_path / "plain.py").write_text("x = 1\n")
    exercise.run(f"tabedit {tmp_path}/plain.py")
    exercise.run("TutorLsp status")
    exercise.wait_for_float("Words")
    assert exercise.lua("return #vim.lsp.get_clients({ bufnr = 0 })") == 0


def test_files_of_a_language_that_was_added_are_served(open_editor, fake_server, workspace):
    (workspace / "src/tea.toy").write_text("fun cups(guests)\n")
    editor = open_editor(fake_server)
    editor.run(f"edit {str(workspace / 'src/tea.toy').replace(' ', chr(92) + ' ')}")
    assert editor.lua("return vim.bo.filetype") == ""
    editor.wait_for_server()
    editor.run(f"tabedit {str(workspace / 'src/exercise/words.py').replace(' ', chr(92) + ' ')}")
    editor.wait_for_server()
    assert editor.lua("return #vim.lsp.get_clients()") == 1


def test_one_server_for_two_exercises(exercise, workspace):
    second = workspace.parent / "second"
    (second / ".tutor").mkdir(parents=True)
    (second / "words.py").write_text("def shout(text): ...\n")
    exercise.run(f"tabedit {str(second / 'words.py').replace(' ', chr(92) + ' ')}")
    exercise.wait_for_server()
    assert exercise.lua("return #vim.lsp.get_clients()") == 1


def test_attach_can_be_turned_off(open_editor, fake_server, workspace):
    editor = open_editor(fake_server, init='require("tutor_lsp").setup({ attach = false })')
    editor.run(f"edit {str(workspace / 'src/exercise/words.py').replace(' ', chr(92) + ' ')}")
    assert editor.lua("return #vim.lsp.get_clients({ _uninitialized = true })") == 0
    editor.run("TutorLsp status")
    editor.wait("#vim.diagnostic.get(0) == 2")
