"""Loading, options, health and help."""

from pathlib import Path

import pytest


def plugin_folder():
    return Path(__file__).resolve().parents[2] / "editors" / "neovim"


def test_nothing_is_loaded_before_first_use(fake):
    loaded = fake.lua(
        "return vim.tbl_filter(function(name)"
        ' return vim.startswith(name, "tutor_lsp") or name == "vim.lsp" end,'
        " vim.tbl_keys(package.loaded))"
    )
    assert loaded == []
    assert fake.vim.command_output("messages") == ""


def test_plugin_file_loads_within_a_millisecond(fake):
    best = fake.lua(
        """
        local file = vim.api.nvim_get_runtime_file("plugin/tutor_lsp.lua", false)[1]
        local chunk, best = assert(loadfile(file)), math.huge
        for _ = 1, 20 do
          vim.g.loaded_tutor_lsp = nil
          local before = vim.uv.hrtime()
          chunk()
          best = math.min(best, vim.uv.hrtime() - before)
        end
        return best / 1e6"""
    )
    assert best < 1


def test_wrong_options_are_named_and_the_others_kept(open_editor, fake_server):
    editor = open_editor(
        fake_server,
        init='require("tutor_lsp").setup({ show = "popup", colour = 1, lesson = false })',
    )
    assert editor.notes == [
        "tutor-lsp: unknown option `colour`; there are: attach, cmd, codelens, keys, language,"
        " lesson, progress, settings, show, signs, virtual_text",
        "tutor-lsp: option `show` must be 'float' or 'split'",
    ]
    editor.run("TutorLsp start python")
    editor.wait_for_stub()
    assert editor.files_of_tab() == ["words.py"]


def test_cmd_can_be_named(open_editor, fake_server):
    words = ", ".join(f'"{word}"' for word in fake_server)
    editor = open_editor(None, init=f'require("tutor_lsp").setup({{ cmd = {{ {words} }} }})')
    editor.run("TutorLsp status")
    editor.wait('#vim.lsp.get_clients({ name = "tutor_lsp" }) == 1')


def test_settings_reach_the_server(open_editor, fake_server):
    editor = open_editor(
        fake_server,
        init='require("tutor_lsp").setup({ settings = { runOnSave = false } })',
    )
    editor.run("TutorLsp sessions")
    editor.wait_for_note("There is nothing here yet.")
    assert editor.arguments("initialize") == [
        {
            "ui": "client",
            "ask": True,
            "reports": True,
            "texts": True,
            "commandForm": ":TutorLsp %s",
        }
    ]
    assert editor.wait_for_arguments("configuration") == [{"runOnSave": False}]


def test_configuration_of_neovim_itself_counts(open_editor, fake_server):
    mine = "{ settings = { tutor = { runOnSave = false } } }"
    editor = open_editor(
        fake_server, init=f'if vim.lsp.config then vim.lsp.config("tutor_lsp", {mine}) end'
    )
    if not editor.vim.funcs.has("nvim-0.11"):
        pytest.skip("vim.lsp.config is there from Neovim 0.11 on")
    editor.run("TutorLsp sessions")
    editor.wait_for_note("There is nothing here yet.")
    assert editor.wait_for_arguments("configuration") == [{"runOnSave": False}]


def test_checkhealth_names_server_and_tools(fake):
    fake.run("checkhealth tutor_lsp")
    fake.wait('vim.bo.filetype == "checkhealth"')
    text = "\n".join(fake.lines())
    assert "tutor-lsp" in text
    assert "python 3.11" in text
    assert "Install Rust." in text
    (warning,) = (line for line in fake.lines() if "WARNING" in line)
    assert warning.endswith("WARNING cargo: not found")
    assert "cc: not found (optional): Install C." in text


def test_checkhealth_without_server(open_editor):
    editor = open_editor(None)
    editor.run("checkhealth tutor_lsp")
    editor.wait('vim.bo.filetype == "checkhealth"')
    assert f"pipx install {plugin_folder().parents[1]}" in "\n".join(editor.lines())


def test_help_is_there_and_its_tags_are_current(fake, tmp_path):
    fake.run("help tutor-lsp")
    assert fake.file().endswith("doc/tutor-lsp.txt")
    doc = plugin_folder() / "doc"
    (tmp_path / "doc").mkdir()
    (tmp_path / "doc" / "tutor-lsp.txt").write_text((doc / "tutor-lsp.txt").read_text())
    fake.run(f"helptags {tmp_path}/doc")
    assert (tmp_path / "doc" / "tags").read_text() == (doc / "tags").read_text()


def test_help_names_every_sub_command_option_and_map(fake):
    text = (plugin_folder() / "doc" / "tutor-lsp.txt").read_text()
    for verb in fake.lua('return require("tutor_lsp.verbs").names()'):
        assert f"*:TutorLsp-{verb}*" in text
        assert fake.vim.funcs.maparg(f"<Plug>(tutor-lsp-{verb})", "n"), verb
    for option in (
        "cmd",
        "attach",
        "language",
        "show",
        "lesson",
        "progress",
        "codelens",
        "settings",
        "signs",
    ):
        assert f"*tutor-lsp-opt-{option}*" in text
    assert "<Plug>(tutor-lsp-focus)" in text
