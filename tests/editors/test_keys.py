"""Keys of Neovim, against a small server: mapped only where that is asked for."""

import pytest


def test_plug_maps(exercise):
    exercise.lua('vim.keymap.set("n", "<F5>", "<Plug>(tutor-lsp-check)")')
    exercise.vim.input("<F5>")
    exercise.wait_for_note("Not yet: 0 of 2 tests pass.")


KEYED = """
vim.g.maplocalleader = ","
require("tutor_lsp").setup({ keys = %s })
"""


@pytest.mark.parametrize(("keys", "prefix"), [("true", ",t"), ("'<F9>'", "<F9>")])
def test_keys_are_mapped_in_exercises_only(open_editor, fake_server, keys, prefix):
    editor = open_editor(fake_server, init=KEYED % keys)
    assert editor.vim.funcs.maparg(f"{prefix}c", "n") == ""
    editor.run("TutorLsp start python")
    editor.wait_for_stub()
    editor.wait_for_server()
    editor.wait("vim.fn.maparg(..., 'n', false, true).buffer == 1", f"{prefix}c")
    editor.vim.input(f"{prefix}c")
    editor.wait_for_note("Not yet: 0 of 2 tests pass.")
    editor.vim.input(f"{prefix}h")
    editor.wait_for_float("Hint 1")
    assert f" {prefix}: h next hint · w enter · q close " == editor.footer()
    editor.vim.input(f"{prefix}h")
    editor.wait_for_float("Hint 2")
    editor.vim.input(f"{prefix}h")
    editor.wait_for_float("Hint 3")
    assert editor.footer().startswith(f" {prefix}: s solution · ? ask · e easier")
    editor.vim.input(f"{prefix}l")
    editor.wait_for_file("/LESSON.md")


def test_no_key_is_mapped_unless_that_is_asked_for(exercise):
    exercise.wait_for_lens("ex-1 todo")
    mapped = exercise.lua("return vim.api.nvim_buf_get_keymap(0, 'n')")
    assert [each for each in mapped if "Tutor" in each.get("desc", "")] == []
