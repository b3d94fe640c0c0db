"""Beside other language servers, in Rust, and with both ends of a set-up, in a real Neovim."""

import json
import os
import shutil
from pathlib import Path

import pytest

RUN_S = 60
LIBRARY = Path(__file__).resolve().parents[2] / "tutor_lsp" / "library"
ONE = pytest.mark.parametrize("nvim", ["nvim-0.11"], indirect=True)

OTHER = """
vim.api.nvim_create_autocmd("FileType", {{
  pattern = "{filetype}",
  callback = function(event)
    local root = vim.fs.root(event.buf, {{ "Cargo.toml", "pyproject.toml", ".tutor" }})
    local config = {{ name = "{name}", cmd = {{ {command} }}, root_dir = root }}
    vim.lsp.start(config, {{ bufnr = event.buf }})
  end,
}})
"""


def other(name, filetype, *command):
    words = ", ".join(f'"{word}"' for word in command)
    return OTHER.format(name=name, filetype=filetype, command=words)


def rust():
    """Environment in which cargo works although HOME is another."""
    if shutil.which("cargo") is None:
        pytest.skip("cargo is not installed")
    home = Path(os.environ.get("HOME", "/"))
    return [
        f"PATH={os.environ['PATH']}",
        f"RUSTUP_HOME={os.environ.get('RUSTUP_HOME', home / '.rustup')}",
        f"CARGO_HOME={os.environ.get('CARGO_HOME', home / '.cargo')}",
    ]


@pytest.fixture
def rust_server(real_server):
    return ["env", *rust(), *real_server]


def attached(editor, *names):
    editor.wait(
        """(function(names)
            for _, name in ipairs(names) do
              if #vim.lsp.get_clients({ name = name, bufnr = 0 }) == 0 then return false end
            end
            return true
        end)(...)""",
        list(names),
        seconds=RUN_S,
    )


def starts(editor, words, ending):
    editor.run(f"TutorLsp start {words}")
    editor.wait_for_file(ending, RUN_S)
    editor.wait("#vim.diagnostic.get(0) > 0", seconds=RUN_S)


def breaks(editor, line, source):
    """Add a line that the neighbour finds fault with; its source holds that text."""
    editor.vim.current.buffer.append(line)
    editor.run("write")
    editor.wait(
        "(function(source) return vim.iter(vim.diagnostic.get(0)):any(function(item)"
        " return (item.source or ''):find(source, 1, true) ~= nil end) end)(...)",
        source,
        seconds=RUN_S,
    )


def mends(editor):
    """Take it back: a neighbour that has looked at the given stubs finds no fault with them."""
    editor.run("undo | write")
    warnings = "{ severity = { min = vim.diagnostic.severity.WARN } }"
    editor.wait(f"#vim.diagnostic.get(0, {warnings}) == 0", seconds=RUN_S)


def definition(editor, needle, within=""):
    """What the tutor answers for the place of `needle`: (file, text of the line), in order."""
    return editor.lua(
        """
        local needle, within = ...
        for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
          local at = line:find(within, 1, true) and line:find(needle, 1, true)
          if at then
            vim.api.nvim_win_set_cursor(0, { number, at - 1 })
            break
          end
        end
        local client = vim.lsp.get_clients({ name = "tutor_lsp" })[1]
        local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
        local answer = vim.lsp.buf_request_sync(0, "textDocument/definition", params, 20000)
        local found = {}
        for _, place in ipairs(answer[client.id].result) do
          local path = vim.uri_to_fname(place.uri)
          local line = vim.fn.readfile(path)[place.range.start.line + 1]
          found[#found + 1] = { vim.fs.basename(path), line }
        end
        return found""",
        needle,
        within,
    )


def test_a_session_in_rust(open_editor, rust_server, nvim):
    editor = open_editor(rust_server)
    starts(editor, "rust rust-functions", ".rs")
    assert editor.diagnostics()[0][2] == "todo"
    exercise = next(
        folder for folder in (LIBRARY / "rust").glob("rust-functions-*") if folder.is_dir()
    )
    stub = Path(editor.file())
    solution = exercise / "solution" / stub.relative_to(stub.parents[1])
    editor.vim.current.buffer[:] = solution.read_text().splitlines()
    editor.run("write")
    editor.wait("#vim.diagnostic.get(0) == 0", seconds=RUN_S)
    editor.run("TutorLsp attempt")
    assert (
        "Mastery of “Functions and expressions”: 0 → 1 of 3"
        in editor.wait_for_float("Passed", RUN_S)["text"]
    )


@ONE
def test_beside_rust_analyzer(open_editor, rust_server, get):
    analyzer = ["env", *rust(), str(get("rust-analyzer"))]
    setup = 'require("tutor_lsp").setup({ settings = { buildErrors = "never" } })'
    editor = open_editor(rust_server, init=setup + other("rust-analyzer", "rust", *analyzer))
    starts(editor, "rust rust-functions", ".rs")
    attached(editor, "tutor_lsp", "rust-analyzer")
    breaks(editor, "fn broken( {", "rust")
    mine = [code for _, _, code, _ in editor.diagnostics()]
    assert "build-error" not in mine
    mends(editor)


@ONE
def test_beside_pyright(open_editor, real_server, get):
    pyright = str(get("pyright"))
    editor = open_editor(
        real_server,
        init=other("pyright", "python", "env", f"PATH={os.environ['PATH']}", pyright, "--stdio"),
    )
    starts(editor, "python", ".py")
    attached(editor, "tutor_lsp", "pyright")
    breaks(editor, "undefined_name", "Pyright")
    mends(editor)
    editor.run("TutorLsp hint ex-1")
    editor.wait_for_float("Hint 1")
    editor.run("normal! G")
    assert definition(editor, "test_", within="Test:")[0][0].startswith("test_")


def test_set_up_of_a_model_is_told_and_cancelled(open_editor, real_server, tmp_path):
    scaffold = json.loads((Path(__file__).with_name("scaffold.json")).read_text())
    script = tmp_path / "script.jsonl"
    waits = {"stage": "starter-expand", "text": "{}", "delay_s": 120}
    lines = [{"stage": "scaffold", "payload": scaffold}, waits]
    script.write_text("".join(json.dumps(line) + "\n" for line in lines))
    editor = open_editor(["env", f"TUTOR_LSP_SCRIPT={script}", *real_server])
    starts(editor, "python", "/movie.py")
    before = editor.lua('return require("tutor_lsp.state").session.sessionId')
    editor.lua("""
        _G.echoed = {}
        local echo = vim.api.nvim_echo
        vim.api.nvim_echo = function(chunks, ...) table.insert(_G.echoed, chunks[1][1]) end""")
    editor.answer("Make it")
    editor.run("TutorLsp start python backend=scripted topic=bees")
    editor.wait(
        '(require("tutor_lsp").statusline():find("starter", 1, true)) ~= nil', seconds=RUN_S
    )
    (plan,) = editor.asked
    assert "count_bees: len of a list" in plan["prompt"]
    editor.run("TutorLsp cancel")
    editor.wait_for_note("was cancelled", seconds=RUN_S)
    editor.wait('require("tutor_lsp.state").progress == nil')
    echoed = editor.lua("return _G.echoed")
    for said in ("Tutor: bees", "plan", "starter", "canceled"):
        assert any(said in line for line in echoed), (said, echoed)
    assert len(list((editor.home / "exercises").iterdir())) == 1
    editor.run("TutorLsp status")
    assert "Movie night" in editor.wait_for_float("Movie night")["text"]
    assert editor.lua('return require("tutor_lsp.state").session.sessionId') == before


def test_from_comment_lesson_and_test_to_each_other(real):
    starts(real, "python", "/movie.py")
    ((file, heading),) = definition(real, "LESSON.md")
    assert file == "LESSON.md"
    assert heading.startswith("## ")
    ((file, test),) = definition(real, "test_to_minutes")
    assert file == "test_movie.py"
    assert test.startswith("def test_to_minutes")
    real.run("wincmd l")
    real.wait_for_file("/LESSON.md")
    real.wait_for_server()
    stub = ["movie.py", "def to_minutes(hours: int, minutes: int) -> int:"]
    assert definition(real, heading) == [stub]
    assert definition(real, "](src/exercise", within="[to_minutes]")[0] == stub


def test_a_reset_leaves_no_file_modified(real):
    starts(real, "python", "/movie.py")
    given = real.lines()
    real.run('%s/raise NotImplementedError("to_minutes")/return 1/ | write')
    real.run("TutorLsp reset ex-1")
    back = "vim.deep_equal(vim.api.nvim_buf_get_lines(0, 0, -1, false), ...)"
    real.wait(f"{back} and not vim.bo.modified", given, seconds=RUN_S)
    assert Path(real.file()).read_text().splitlines() == given
