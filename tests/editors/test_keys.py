"""Keys of Neovim, against a small server: mapped in exercises, never over what is mapped."""

import pytest


def test_plug_maps(exercise):
    exercise.lua('vim.keymap.set("n", "<F5>", "<Plug>(tutor-lsp-check)")')
    exercise.vim.input("<F5>")
    exercise.wait_for_note("Not yet: 0 of 2 tests pass.")


ALL = set("chnltao?sedrfumw")
KEYED = """
vim.g.maplocalleader = ","
require("tutor_lsp").setup({ %s })
"""


@pytest.mark.parametrize(
    ("keys", "prefix"), [("", ",t"), ("keys = true", ",t"), ("keys = '<F9>'", "<F9>")]
)
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


def mapped(editor):
    """What the tutor has mapped in the current buffer."""
    return editor.lua("""
        local ours = vim.iter(vim.api.nvim_buf_get_keymap(0, "n")):filter(function(each)
          return vim.startswith(each.desc or "", "Tutor: ")
        end)
        return ours:map(function(each) return each.lhs end):totable()""")


def started(open_editor, fake_server, init):
    """An editor with that in its init.lua and an exercise in front."""
    editor = open_editor(fake_server, init=init)
    editor.run("TutorLsp start python")
    editor.wait_for_stub()
    editor.wait_for_server()
    editor.wait_for_lens("ex-1 todo")
    return editor


def test_no_key_is_mapped_where_that_is_declined(open_editor, fake_server):
    editor = started(open_editor, fake_server, KEYED % "keys = false")
    assert mapped(editor) == []
    editor.run("TutorLsp hint")
    editor.wait_for_float("Hint 1")
    assert editor.footer() == " ^Ww enter · q close "


@pytest.mark.parametrize(
    ("own", "left"),
    [(",tc", True), (",t", False), (",tcc", True)],
    ids=["same", "begins", "longer"],
)
def test_what_is_mapped_already_stays(open_editor, fake_server, own, left):
    init = KEYED % "" + f'vim.keymap.set("n", "{own}", function() _G.mine = true end)'
    editor = started(open_editor, fake_server, init)
    assert ",tc" not in mapped(editor)
    assert (",th" in mapped(editor)) is left
    editor.vim.input(own)
    editor.wait("_G.mine")
    editor.run("TutorLsp hint")
    editor.wait_for_float("Hint 1")
    assert (",t: h next hint" in editor.footer()) is left


TRIGGER = """
vim.g.mapleader, vim.g.maplocalleader = " ", " "
vim.api.nvim_create_autocmd("FileType", {
  callback = function(event)
    vim.keymap.set("n", "<Space>", function()
      -- As which-key does: read on, with the trigger out of the way.
      vim.keymap.del("n", "<Space>", { buffer = event.buf })
      vim.api.nvim_feedkeys(" " .. vim.fn.getcharstr() .. vim.fn.getcharstr(), "m", false)
    end, { buffer = event.buf, nowait = true, desc = "which-key-trigger" })
  end,
})
"""


@pytest.mark.parametrize("keys", ["", "require('tutor_lsp').setup({ keys = true })"])
@pytest.mark.parametrize(
    "leader", [TRIGGER, "vim.g.maplocalleader = ' '\nvim.cmd.nmap('<Space> <Nop>')"]
)
def test_a_map_of_the_leader_alone_takes_no_key(open_editor, fake_server, keys, leader):
    own = 'vim.keymap.set("n", "<LocalLeader>tcc", function() end)'
    editor = started(open_editor, fake_server, f"{leader}\n{own}\n{keys}")
    if leader is TRIGGER:
        assert editor.vim.funcs.maparg(" ", "n", False, True)["desc"] == "which-key-trigger"
    assert {lhs[-1] for lhs in mapped(editor)} == ALL - {"c"}
    editor.vim.input(" th")
    editor.wait_for_float("Hint 1")


@pytest.mark.parametrize(
    ("prefix", "own"),
    [("<M-t>", "<m-t>c"), ("<C-h>", "<c-H>c"), ("<lt>", "<lt>c"), ("ä", "äc"), ("<F9>", "<f9>cc")],
)
def test_what_is_mapped_is_found_under_any_prefix(open_editor, fake_server, prefix, own):
    init = KEYED % f"keys = '{prefix}'" + f"vim.keymap.set('n', '{own}', 'ia')"
    assert len(mapped(started(open_editor, fake_server, init))) == len(ALL) - 1
