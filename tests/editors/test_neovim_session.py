"""Whole sessions with the real server in a real Neovim."""

import os
import signal
import time
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[2]
SOLUTION = REPO / "tutor_lsp/library/python/python-functions-movie-night/solution"
ERROR, INFORMATION, HINT = 1, 3, 4
BROKEN = ["test_to_minutes_adds_hours_and_minutes", "test_to_minutes_counts_full_hours"]
DEF = "def to_minutes(hours: int, minutes: int) -> int:"
STUBS = ["to_minutes", "ends_at", "catches_bus", "plan"]
RUN_S = 30


NOTE_WORDS = r"""
_G.worded, _G.lost = {}, {}
local client = require("tutor_lsp.client")
local execute = client.execute
local function holds(shown, text)
  return shown:find(vim.trim(text), 1, true) ~= nil
end
local function is_shown(say)
  for _, note in ipairs(_G.notes) do
    if holds(note.text, say.oneLine) then return true end
  end
  local body = say.markdown:gsub("^# [^\n]*", "", 1)
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
    if holds(table.concat(lines, "\n"), body) then return true end
  end
  return false
end
client.execute = function(command, argument, callback)
  execute(command, argument, function(err, result)
    callback(err, result)
    local elsewhere = { "tutor.start", "tutor.open", "tutor.resume" }
    if result and result.say and not vim.list_contains(elsewhere, command) then
      _G.worded[command] = true
      if not is_shown(result.say) then table.insert(_G.lost, { command, result.say }) end
    end
  end)
end
"""


def assert_worded(editor, *verbs):
    """The results of these commands were shown, and nothing that the server said was lost."""
    assert editor.lua("return _G.lost") == []
    worded = editor.lua("return vim.tbl_keys(_G.worded)")
    assert {f"tutor.{verb}" for verb in verbs} <= set(worded)


@pytest.fixture
def started(real):
    """The first recommended Python exercise, opened by the plugin."""
    real.lua(NOTE_WORDS)
    real.run("TutorLsp start python")
    wait_for_exercise(real)
    return real


def wait_for_exercise(editor, file="/movie.py"):
    editor.wait(
        "vim.endswith(vim.api.nvim_buf_get_name(0), ...) and #vim.diagnostic.get(0) > 0",
        file,
        seconds=RUN_S,
    )
    editor.wait_for_server()


def put(editor, stub, body):
    """Write the body of a stub."""
    editor.run(f'%s/raise NotImplementedError("{stub}")/{body}/')


def wait_for_marks(editor, expected):
    """Until the diagnostics are these, as (marked text, code)."""
    editor.wait(
        """(function(expected)
            local found = {}
            for _, item in ipairs(vim.diagnostic.get(0)) do
              local line = vim.api.nvim_buf_get_lines(0, item.lnum, item.lnum + 1, false)[1] or ""
              found[#found + 1] = { line:sub(item.col + 1, item.end_col), item.code }
            end
            return vim.deep_equal(found, expected)
        end)(...)""",
        [list(pair) for pair in expected],
        seconds=RUN_S,
    )


def open_file(editor, path):
    editor.lua("vim.cmd.edit(vim.fn.fnameescape(...))", str(path))


def hover(editor, line):
    return editor.lua(
        """
        local client = vim.lsp.get_clients({ name = "tutor_lsp" })[1]
        local params = {
          textDocument = vim.lsp.util.make_text_document_params(0),
          position = { line = ... - 1, character = 6 },
        }
        local answers = vim.lsp.buf_request_sync(0, "textDocument/hover", params, 20000)
        return answers[client.id].result.contents.value""",
        line,
    )


def test_from_start_to_the_next_exercise(started):
    assert started.files_of_tab() == ["movie.py", "LESSON.md"]
    wait_for_marks(started, [(stub, "todo") for stub in STUBS])
    assert [item[1] for item in started.diagnostics()] == [INFORMATION, HINT, HINT, HINT]
    line = started.vim.current.window.cursor[0]
    assert 'raise NotImplementedError("to_minutes")' in started.lines()[line - 1]
    assert "ex-1" in hover(started, started.lines().index(DEF) + 1)

    started.answer("Hint for to_minutes")
    started.lua("vim.lsp.buf.code_action()")
    shown = started.wait_for_float("Hint 1 · ex-1")
    coach = Path(started.file()).parents[2] / ".tutor" / "coach.md"
    assert shown["text"].splitlines()[0] in coach.read_text()

    put(started, "to_minutes", "return hours + minutes")
    started.run("write")
    wait_for_marks(
        started, [("to_minutes", "test-failed"), *((stub, "todo") for stub in STUBS[1:])]
    )
    (_, severity, _, message) = started.diagnostics()[0]
    assert severity == ERROR
    assert "gave" in message
    assert "expected" in message
    started.wait('require("tutor_lsp.state").current_report() ~= nil')
    started.run("TutorLsp failures")
    found = started.lua("return vim.tbl_map(function(i) return i.text end, vim.fn.getqflist())")
    assert [text.split(":")[0] for text in found] == BROKEN
    started.run("cclose")

    started.run("%s/return hours + minutes/return hours * 60 + minutes/")
    started.run("write")
    wait_for_marks(started, [(stub, "todo") for stub in STUBS[1:]])
    started.wait('require("tutor_lsp").statusline() == "tutor: 1 of 4 units pass ▶ ends_at"')

    stub = Path(started.file())
    started.vim.current.buffer[:] = (SOLUTION / "src/exercise/movie.py").read_text().splitlines()
    started.run("TutorLsp attempt")
    review = started.wait_for_float("Passed", seconds=RUN_S)
    assert "Mastery of “Functions and return values”: 0 → 1 of 3" in review["text"]
    assert ":TutorLsp next starts the first of them." in review["text"]
    assert stub.read_text() == (SOLUTION / "src/exercise/movie.py").read_text()
    wait_for_marks(started, [])

    started.run("TutorLsp next")
    started.wait_for_note("“Movie night”: 4 of 4 units pass", seconds=RUN_S)
    started.wait("vim.fn.tabpagenr('$') == 2", seconds=RUN_S)
    started.wait("#vim.diagnostic.get(0) > 0", seconds=RUN_S)
    assert started.files_of_tab()[1] == "LESSON.md"
    assert Path(started.file()).name != "movie.py"
    assert_worded(started, "hint", "attempt", "next")


def lenses_of(editor, stub):
    """Titles of the code lenses on a stub."""
    return editor.lua(
        """
        local which = vim.fn.has("nvim-0.12") == 1 and { bufnr = 0 } or 0
        local found = {}
        for _, each in ipairs(vim.lsp.codelens.get(which)) do
          local lens = each.lens or each
          local row = lens.range.start.line
          if vim.api.nvim_buf_get_lines(0, row, row + 1, false)[1]:find("def " .. ..., 1, true) then
            found[#found + 1] = lens.command.title
          end
        end
        return found""",
        stub,
    )


def wait_for(holds):
    deadline = time.monotonic() + RUN_S
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_what_passed_and_is_broken_again_offers_a_hint(started):
    started.vim.current.buffer[:] = (SOLUTION / "src/exercise/movie.py").read_text().splitlines()
    started.run("TutorLsp attempt")
    started.wait_for_float("Passed", seconds=RUN_S)
    wait_for_marks(started, [])
    wait_for(lambda: any("passes" in title for title in lenses_of(started, "plan")))
    assert "Hint" not in lenses_of(started, "plan")
    line = next(number for number, each in enumerate(started.lines()) if "def plan" in each)
    started.vim.current.buffer.append("    return 'nothing'", line + 1)
    started.run("write")
    started.wait("#vim.diagnostic.get(0) > 0", seconds=RUN_S)
    wait_for(lambda: "Hint" in lenses_of(started, "plan"))


def test_build_error_stands_at_its_place_on_a_line_that_is_not_ascii(started):
    put(started, "to_minutes", "return 'nä𝄞' )")
    started.run("write")
    wait_for_marks(started, [*((stub, "todo") for stub in STUBS[1:]), (")", "build-error")])


def test_another_neovim_goes_on_where_the_first_stopped(started, open_editor, real_server):
    put(started, "to_minutes", "return hours * 60 + minutes")
    started.run("TutorLsp check")
    started.wait_for_note("Not yet: 3 of 11 tests pass.", seconds=RUN_S)
    started.close()
    editor = open_editor(real_server)
    editor.answer("Continue: Movie night")
    editor.run("TutorLsp start")
    wait_for_exercise(editor)
    wait_for_marks(editor, [(stub, "todo") for stub in STUBS[1:]])
    line = editor.lines()[editor.vim.current.window.cursor[0] - 1]
    assert 'raise NotImplementedError("ends_at")' in line


def test_two_neovims_on_one_exercise(started, open_editor, real_server):
    other = open_editor(real_server)
    open_file(other, started.file())
    wait_for_exercise(other)
    put(started, "to_minutes", "return hours * 60 + minutes")
    started.run("write")
    wait_for_marks(other, [(stub, "todo") for stub in STUBS[1:]])
    other.wait('require("tutor_lsp").statusline() == "tutor: 1 of 4 units pass ▶ ends_at"')
    assert other.lines() == started.lines()
    put(other, "ends_at", "return 0")
    other.run("TutorLsp check")
    started.run("TutorLsp check")
    other.wait_for_note("Not yet: ", seconds=RUN_S)
    started.wait_for_note("Not yet: ", seconds=RUN_S)
    wait_for_marks(started, [("ends_at", "test-failed"), *((s, "todo") for s in STUBS[2:])])
    assert started.lines() == other.lines()


def test_server_is_started_again_after_it_was_killed(started):
    os.kill(started.server_pid(), signal.SIGKILL)
    started.wait_for_note("The tutor's server stopped (signal 9)")
    put(started, "to_minutes", "return hours * 60 + minutes")
    started.run("TutorLsp check")
    started.wait_for_note("Not yet: 3 of 11 tests pass.", seconds=RUN_S)
    wait_for_marks(started, [(stub, "todo") for stub in STUBS[1:]])


def test_the_other_sub_commands(started):
    before = started.lines()
    put(started, "to_minutes", "return 1")
    started.run("TutorLsp reset ex-1")
    started.wait_for_note("Put back as given: src/exercise/movie.py.")
    started.wait("vim.deep_equal(vim.api.nvim_buf_get_lines(0, 0, -1, false), ...)", before)

    started.answer("Show the solution")
    started.run("TutorLsp reveal ex-1")
    assert "hours * 60 + minutes" in started.wait_for_float("Solution of ex-1")["text"]

    started.run("TutorLsp report")
    started.wait("#_G.opened == 1")
    assert Path(started.lua("return _G.opened[1]")).is_file()
    assert started.files_of_tab() == ["movie.py", "LESSON.md"]

    started.run("TutorLsp doctor")
    assert "pytest" in started.wait_for_float("What works here", seconds=RUN_S)["text"]
    started.run("TutorLsp status")
    assert "- ○ ex-1 `to_minutes`" in started.wait_for_float("Movie night")["text"]
    started.run("TutorLsp check")
    started.wait_for_note("Not yet: 0 of 11 tests pass.", seconds=RUN_S)
    started.run("TutorLsp restore")
    started.wait_for_note("Everything is as it was given")
    started.run("TutorLsp claim python-strings")
    started.wait_for_note("is marked as known.")
    started.run("TutorLsp cancel")
    started.wait_for_note("Nothing is running here.")

    started.run("TutorLsp open test")
    started.wait_for_file("/test_movie.py")
    assert "test_to_minutes" in started.lines()[started.vim.current.window.cursor[0] - 1]
    started.run("TutorLsp open stub ex-3")
    started.wait_for_file("/movie.py")
    here = started.lines()[started.vim.current.window.cursor[0] - 1]
    assert here == '    raise NotImplementedError("catches_bus")'

    started.run("TutorLsp end")
    shown = started.wait_for_float("The session has ended")
    assert "“Movie night”: 0 of 4 units pass" in shown["text"]
    verbs = "reset reveal report doctor status check restore claim cancel end"
    assert_worded(started, *verbs.split())


def test_topics(real):
    topic = "python-functions"
    assert topic in real.wait_for_completion("TutorLsp start python python-fu", topic)
    real.run("TutorLsp start python no-such-topic")
    real.wait_for_note("There is no topic no-such-topic")
