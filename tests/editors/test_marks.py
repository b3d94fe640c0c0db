"""What stands beside and beneath a stub: lenses above it, what fails beneath it."""

from pathlib import Path

import pytest

SENTENCE = "`to_minutes(2, 46)` gave [92, 92, 92, 92, 92, 92], expected [166, 166, 166, 166]"


def beneath(editor, namespace="tutor_lsp.failures"):
    """Row and lines of the virtual lines in a namespace, and whether they stand above the row."""
    return editor.lua(
        """
        local found = {}
        local place = vim.api.nvim_get_namespaces()[...]
        for _, mark in ipairs(
          place and vim.api.nvim_buf_get_extmarks(0, place, 0, -1, { details = true }) or {}
        ) do
          local lines = {}
          for _, chunks in ipairs(mark[4].virt_lines or {}) do
            lines[#lines + 1] = vim.iter(chunks):fold("", function(all, chunk)
              return all .. chunk[1]
            end)
          end
          found[#found + 1] = { mark[2], lines, mark[4].virt_lines_above or false }
        end
        return found""",
        namespace,
    )


def fail(editor, row):
    """As if the server had published one failure and one note."""
    editor.lua(
        """
        local client = vim.lsp.get_clients({ name = "tutor_lsp" })[1]
        local where = { lnum = select(2, ...), col = 4, source = "tutor" }
        vim.diagnostic.set(vim.lsp.diagnostic.get_namespace(client.id), 0, {
          vim.tbl_extend("error", where, { severity = 1, message = ... }),
          vim.tbl_extend("error", where, { severity = 3, message = "to do" }),
        })""",
        SENTENCE,
        row,
    )


def test_what_fails_is_readable_beside_the_lesson(exercise):
    width = exercise.vim.current.window.width
    fail(exercise, 11)
    ((row, lines, above),) = beneath(exercise)
    assert (row, above) == (11, False)
    assert len(lines) > 1
    assert max(map(len, lines)) < width
    assert " ".join(line.strip("↳ ") for line in lines) == SENTENCE

    exercise.run("only | setlocal nonumber")
    exercise.wait("vim.fn.winwidth(0) > 100")
    exercise.lua("vim.api.nvim_exec_autocmds('WinResized', {})")
    ((_, lines, _),) = beneath(exercise)
    assert lines == [f"↳ {SENTENCE}"]

    exercise.lua("vim.diagnostic.hide()")
    assert beneath(exercise) == []
    exercise.lua("vim.diagnostic.show()")
    assert len(beneath(exercise)) == 1
    exercise.lua("vim.diagnostic.reset()")
    assert beneath(exercise) == []


@pytest.mark.parametrize(
    "init",
    [
        'require("tutor_lsp").setup({ virtual_text = false })',
        "vim.diagnostic.config({ virtual_lines = true })",
    ],
)
def test_own_choice_of_the_learner_stays(open_editor, fake_server, init):
    editor = open_editor(fake_server, init=init)
    editor.run("TutorLsp start python")
    editor.wait_for_stub()
    editor.wait_for_server()
    fail(editor, 11)
    assert beneath(editor) == []


def test_other_diagnostics_stay_as_they_were(exercise):
    fail(exercise, 11)
    exercise.lua("""
        vim.diagnostic.set(vim.api.nvim_create_namespace("other"), 0, {
          { lnum = 0, col = 0, message = "another server's", severity = 1 },
        })""")
    assert [row for row, *_ in beneath(exercise)] == [11]


def test_lenses_stand_above_their_line(exercise):
    if exercise.lua('return require("tutor_lsp.compat").lenses_need_events()') is False:
        pytest.skip("Neovim 0.12 draws them so itself")
    exercise.wait_for_lens("ex-1 todo")
    names = exercise.lua("return vim.tbl_keys(vim.api.nvim_get_namespaces())")
    (name,) = [name for name in names if "lsp" in name and "codelens:" in name]
    assert beneath(exercise, name) == [[0, ["ex-1 todo"], True], [11, ["ex-2 todo"], True]]


def test_lenses_are_asked_for_after_a_run_that_changes_no_state(exercise):
    exercise.wait_for_lens("ex-1 todo")
    path = Path(exercise.file())
    path.write_text(path.read_text().replace('Error("shout")', "Error"))
    exercise.lua("require('tutor_lsp.handlers').tests_ran({ sessionId = 's-1', report = {} })")
    exercise.wait_for_lens("ex-1 passing")


def test_lenses_asked_for_while_an_answer_is_on_its_way_are_asked_for_again(exercise):
    if exercise.lua('return require("tutor_lsp.compat").lenses_need_events()') is False:
        pytest.skip("Neovim 0.12 asks by itself")
    exercise.wait_for_lens("ex-1 todo")
    before = len(exercise.arguments("codeLens"))
    exercise.lua(
        "for _ = 1, 3 do require('tutor_lsp.compat').refresh_lenses(0 + ...) end",
        exercise.vim.current.buffer.number,
    )
    assert len(exercise.wait_for_arguments("codeLens", before + 2)) == before + 2
