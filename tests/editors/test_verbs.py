"""The sub-commands on an open exercise, against a small server: what is asked, what is shown."""

import pytest


def test_hint_saves_and_tells_where_the_cursor_is(exercise):
    exercise.vim.current.window.cursor = (12, 0)
    exercise.vim.current.buffer.append("# a thought")
    exercise.run("TutorLsp hint")
    shown = exercise.wait_for_float("Hint 1 · ex-1")
    assert shown["text"] == "Hint number 1"
    assert not exercise.lua("return vim.bo.modified")
    (argument,) = exercise.arguments("tutor.hint")
    assert argument["position"]["line"] == 11
    assert argument["uri"].endswith("words.py")


SAID = {
    "check": "Not yet: 0 of 2 tests pass. `shout` is not written.",
    "attempt": "Mastery: 0 → 1 of 3.\n\nYou took the last hint.",
    "hint ex-1": "Hint number 1",
    "ask why?": "You asked: why?",
    "review": "What of an empty text?",
    "reveal! ex-1": "def shout(text): ...",
    "compare ex-1": "One way among many.",
    "compare ex-2": "Both are the same.",
    "reset ex-1": "Put back: src/exercise/words.py.",
    "reset undo": "Brought back: src/exercise/words.py.",
    "restore": "Put back as given: tests/test_words.py.",
    "status": "- ○ ex-1 `shout` to do\n\ntutor-lsp 0.1.0",
    "doctor": "- ✗ cargo\n\nInstall Rust.",
    "claim python-strings": "python-strings: True.",
    "claim python-strings no": "python-strings: False.",
    "report": "Your progress: ",
    "cancel": "Nothing is running.",
    "next": "Words: passed.",
    "end": "Two functions written.\n\nNext: …",
}
ONE = pytest.mark.parametrize("nvim", ["nvim-0.11"], indirect=True)


@ONE
@pytest.mark.parametrize("words", SAID)
def test_every_result_is_shown_in_the_server_s_words(exercise, words):
    verb, bang, argument = words.partition("! ") if "!" in words else (words, "", "")
    exercise.run(f"TutorLsp{bang.strip()} {verb} {argument}")
    exercise.wait(
        """(function(said)
          local function holds(text) return text:find(said, 1, true) ~= nil end
          return vim.iter(_G.notes):any(function(note) return holds(note.text) end)
            or vim.iter(vim.api.nvim_tabpage_list_wins(0)):any(function(window)
              local buffer = vim.api.nvim_win_get_buf(window)
              return holds(table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\\n"))
            end)
        end)(...)""",
        SAID[words],
    )


def test_check_saves_and_says_one_sentence(exercise):
    exercise.run("TutorLsp check")
    exercise.wait_for_note("Not yet: 0 of 2 tests pass.")
    exercise.solve()
    exercise.run("TutorLsp check")
    exercise.wait_for_note("Both tests pass.")
    assert not exercise.lua("return vim.bo.modified")


def test_saving_clears_diagnostics_and_updates_the_statusline(exercise):
    assert [line for line, *_ in exercise.diagnostics()] == [1, 12]
    exercise.solve()
    exercise.run("write")
    exercise.wait("#vim.diagnostic.get(0) == 0")
    exercise.wait('require("tutor_lsp").statusline() == "tutor: 2 of 2 units pass"')


def test_diagnostic_stands_on_a_name_that_is_not_ascii(exercise):
    (second,) = [d for d in exercise.lua("return vim.diagnostic.get(0)") if d["lnum"] == 11]
    line = exercise.lines()[11].encode()
    assert line[second["col"] : second["end_col"]].decode() == "naïve"


def test_ask_without_words_asks_for_them(exercise):
    exercise.type_in("why?")
    exercise.run("TutorLsp ask")
    assert "You asked: why?" in exercise.wait_for_float("Hint 1")["text"]


def test_reveal_asks_before_it_shows(exercise):
    exercise.answer("Show the solution")
    exercise.run("TutorLsp reveal ex-1")
    assert "def shout(text): ..." in exercise.wait_for_float("Solution of ex-1")["text"]
    assert exercise.asked[0]["labels"] == ["Keep trying", "Show the solution"]
    assert [a.get("confirm") for a in exercise.arguments("tutor.reveal")] == [None, True]


def test_reveal_with_bang_is_confirmed(exercise):
    exercise.run("TutorLsp! reveal ex-1")
    exercise.wait_for_float("Solution of ex-1")
    assert exercise.asked == []


def test_sessions_can_be_resumed(exercise):
    exercise.answer("Words")
    exercise.run("TutorLsp sessions")
    assert exercise.wait_for_arguments("tutor.resume") == [{"session": "s-1"}]
    assert exercise.asked[0] == {
        "prompt": "Sessions: ",
        "labels": ["Old · its folder is gone", "Words · in use"],
    }


@ONE
def test_what_the_doctor_offers_is_done_by_its_number(exercise):
    def press(number):
        exercise.run("TutorLsp doctor")
        exercise.wait('vim.bo.filetype == "markdown"')
        assert exercise.footer() == " 1-5 mend it · q close "
        exercise.vim.input(str(number))

    press(1)
    exercise.wait("vim.deep_equal(_G.opened, { 'https://rustup.rs' })")
    press(2)
    exercise.wait("vim.bo.buftype == 'terminal'")
    exercise.wait(
        "vim.iter(vim.api.nvim_buf_get_lines(0, 0, -1, false))"
        ":any(function(line) return line:find('codex login', 1, true) end)"
    )
    exercise.run("stopinsert | bwipeout!")
    press(3)
    exercise.wait_for_file("/config.toml")
    press(4)
    (asked,) = exercise.wait_for_arguments("tutor.restore")
    assert asked["record"] is True
    press(5)
    exercise.wait_for_file("/words.py")


def test_list_that_is_empty(fake):
    fake.run("TutorLsp sessions")
    fake.wait_for_note("There is nothing here yet.")


def test_report_is_opened(exercise):
    exercise.run("TutorLsp report")
    exercise.wait("#_G.opened == 1")
    assert exercise.lua("return _G.opened[1]").endswith("report.html")


@pytest.mark.parametrize(
    ("words", "argument"),
    [
        ("reset ex-1 undo", {"unit": "ex-1", "undo": True}),
        ("restore record", {"record": True}),
        ("restore 2026-11-22", {"record": "2026-11-22"}),
        ("restore record dismiss", {"record": True, "dismiss": True}),
    ],
)
@ONE
def test_what_is_put_back(exercise, words, argument):
    exercise.run(f"TutorLsp {words}")
    (asked,) = exercise.wait_for_arguments(f"tutor.{words.split()[0]}")
    del asked["uri"]
    assert asked == argument


def test_claim(exercise):
    exercise.answer("python", "Classes")
    exercise.run("TutorLsp claim")
    exercise.wait_for_note("python-classes: True.")
    assert exercise.arguments("tutor.claim")[0]["known"] is True


def test_open_goes_to_test_and_lesson(exercise):
    exercise.run("TutorLsp open test")
    exercise.wait_for_file("/test_words.py")
    exercise.run("TutorLsp open lesson ex-1")
    exercise.wait_for_file("/LESSON.md")
    assert exercise.vim.current.window.cursor[0] == 5
    assert exercise.vim.funcs.winnr("$") == 2


def test_open_without_target_shows_the_exercise_again(exercise):
    exercise.run("tabnew | tabonly")
    exercise.run("TutorLsp open")
    exercise.wait_for_stub()
    assert exercise.files_of_tab() == ["words.py", "LESSON.md"]


def test_failures_fill_the_quickfix_list(exercise):
    exercise.run("TutorLsp failures")
    exercise.wait_for_note("There are no known failures")
    exercise.run("write")
    exercise.wait('require("tutor_lsp.state").current_report() ~= nil')
    exercise.run("TutorLsp hint")
    exercise.wait_for_float("Hint 1")
    exercise.run("TutorLsp failures")
    found = exercise.lua("return vim.fn.getqflist()")
    assert [item["text"] for item in found] == [
        "test_shout: `shout` is not written",
        "test_naïve: `naïve` is not written",
    ]
    assert exercise.lines()[0].startswith("test_words.py|1 error| test_shout")
    assert exercise.float() is None
    assert not exercise.lua("return vim.wo.wrap")


def test_practise_this_error_starts_from_another_server_s_diagnostic(fake):
    fake.lua("""
        vim.bo.filetype = "rust"
        vim.diagnostic.set(vim.api.nvim_create_namespace("other"), 0, {
          { lnum = 0, col = 0, message = "moved", code = "E0382", source = "rustc" },
        })""")
    fake.run("TutorLsp practise")
    fake.wait_for_stub()
    assert fake.arguments("tutor.start") == [{"language": "rust", "errorCode": "E0382"}]


def test_code_action_shows_its_hint(exercise):
    exercise.answer("Hint for shout")
    exercise.lua("vim.lsp.buf.code_action()")
    exercise.wait_for_float("Hint 1 · ex-1")
    assert exercise.arguments("tutor.hint") == [{"unit": "ex-1"}]


def test_code_action_asks_the_question(exercise):
    exercise.answer("Ask about shout")
    exercise.type_in("why?")
    exercise.lua("vim.lsp.buf.code_action()")
    assert "You asked: why?" in exercise.wait_for_float("Hint 1")["text"]
    assert exercise.arguments("tutor.hint") == [{"unit": "ex-1", "question": "why?"}]


def test_what_is_known_at_once_is_shown_before_a_model_has_answered(exercise):
    exercise.run("TutorLsp hint ex-2")
    assert exercise.wait_for_float("Hint 1 · ex-2")["text"].startswith("At once.")


def test_compare_is_about_the_unit_under_the_cursor(exercise):
    exercise.vim.current.window.cursor = (12, 0)
    exercise.run("TutorLsp compare")
    (argument,) = exercise.wait_for_arguments("tutor.compare")
    assert argument["position"]["line"] == 11


def test_open_shows_the_exercise_last_opened_from_the_files_of_another(exercise):
    other = exercise.home / "exercises" / "another"
    (other / ".tutor").mkdir(parents=True)
    (other / "other.py").write_text("def other(): ...\n")
    exercise.lua(
        """
        local state = require("tutor_lsp.state")
        state.learned("s-2", ..., { { id = "ex-1", file = "other.py", line = 1, focus = true } })
        """,
        str(other),
    )
    exercise.run(f"tabedit {str(other / 'other.py').replace(' ', chr(92) + ' ')}")
    exercise.wait_for_server()
    exercise.run("TutorLsp open")
    exercise.wait_for_stub()
    assert exercise.files_of_tab() == ["words.py", "LESSON.md"]


def test_output_of_the_last_run_is_shown_whole(exercise):
    exercise.run("TutorLsp output")
    exercise.wait_for_note("Nothing was run yet.")
    exercise.run("write")
    exercise.wait('require("tutor_lsp.state").current_report() ~= nil')
    exercise.run("TutorLsp output")
    shown = exercise.wait_for_float("Run")["text"]
    assert "Not yet: 0 of 2 tests pass." in shown
    assert "## test_shout (tests/test_words.py:1)" in shown
    assert "I printed this" in shown


def test_an_easier_exercise_is_the_one_that_the_server_offers(exercise):
    exercise.vim.current.window.cursor = (20, 0)
    exercise.run("TutorLsp easier")
    exercise.wait_for_note("An easier exercise is offered after the last")
    exercise.vim.current.window.cursor = (9, 0)
    exercise.run("TutorLsp easier")
    exercise.wait_for_arguments("tutor.start", 2)
    assert exercise.arguments("tutor.start")[-1] == {"language": "python", "node": "python-easier"}


def test_compare_opens_a_diff(exercise):
    exercise.run("TutorLsp compare ex-1")
    exercise.wait("vim.fn.tabpagenr('$') == 2")
    assert exercise.files_of_tab() == ["words.py", "LESSON.md"]
    assert exercise.lua("return vim.wo.diff and vim.bo.modifiable")


def test_compare_with_the_same_text_says_so(exercise):
    exercise.run("TutorLsp compare ex-2")
    exercise.wait_for_note("Both are the same.")
    assert exercise.vim.funcs.tabpagenr("$") == 1
