"""The sub-commands on an open exercise, against a small server: what is asked, what is shown."""


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


def test_code_of_a_hint_is_a_code_block(exercise):
    exercise.run("TutorLsp hint ex-1")
    exercise.wait_for_float("Hint 1")
    exercise.run("TutorLsp hint ex-1")
    assert exercise.wait_for_float("Hint 2")["text"] == (
        'Hint number 2\n\n```python\nshout("a")\n```'
    )
    assert exercise.arguments("tutor.hint")[1]["unit"] == "ex-1"


def test_float_can_be_entered_and_closed(exercise):
    exercise.run("TutorLsp hint")
    exercise.wait_for_float("Hint 1")
    exercise.lua('require("tutor_lsp").focus()')
    assert exercise.lines() == ["Hint number 1"]
    exercise.vim.feedkeys("q", "x")
    assert exercise.float() is None
    assert exercise.file().endswith("words.py")


def test_hint_stays_while_the_learner_works(exercise):
    exercise.run("TutorLsp hint")
    exercise.wait_for_float("Hint 1")
    exercise.run("normal! jjA # done")
    exercise.run("TutorLsp check")
    exercise.wait_for_note("Not yet")
    assert exercise.float()["text"] == "Hint number 1"


def test_show_split_opens_coach_file(open_editor, fake_server):
    editor = open_editor(fake_server, init='require("tutor_lsp").setup({ show = "split" })')
    editor.run("TutorLsp start python")
    editor.wait_for_stub()
    editor.wait_for_server()
    editor.run("TutorLsp hint")
    editor.wait("#vim.api.nvim_tabpage_list_wins(0) == 3")
    assert sorted(editor.files_of_tab()) == ["LESSON.md", "coach.md", "words.py"]
    assert editor.file().endswith("words.py")


def solve(editor):
    editor.run("%s/raise NotImplementedError.*/return text.upper()/")


def test_check_saves_and_says_one_sentence(exercise):
    exercise.run("TutorLsp check")
    exercise.wait_for_note("Not yet: 0 of 2 tests pass. `shout` is not written")
    solve(exercise)
    exercise.run("TutorLsp check")
    exercise.wait_for_note("All 2 tests pass.")
    assert not exercise.lua("return vim.bo.modified")


def test_saving_clears_diagnostics_and_updates_the_statusline(exercise):
    assert [line for line, *_ in exercise.diagnostics()] == [1, 12]
    solve(exercise)
    exercise.run("write")
    exercise.wait("#vim.diagnostic.get(0) == 0")
    exercise.wait('require("tutor_lsp").statusline() == "tutor 2/2"')


def test_diagnostic_stands_on_a_name_that_is_not_ascii(exercise):
    (second,) = [d for d in exercise.lua("return vim.diagnostic.get(0)") if d["lnum"] == 11]
    line = exercise.lines()[11].encode()
    assert line[second["col"] : second["end_col"]].decode() == "naïve"


def test_attempt_shows_review_mastery_and_what_is_next(exercise):
    solve(exercise)
    exercise.run("TutorLsp attempt")
    shown = exercise.wait_for_float("Passed · 95 of 100")
    assert shown["text"].split("\n") == [
        "Both functions do it.",
        "",
        "Try next: Say why in a comment.",
        "",
        "To think about: What of an empty text?",
        "",
        "Mastery of python-functions: 0 → 1 of 3",
        "",
        "Next:",
        "- Strings (follows on)",
        "",
        "`:TutorLsp next` starts the first.",
    ]


def test_attempt_that_does_not_pass_never_says_fail(exercise):
    exercise.run("TutorLsp attempt")
    shown = exercise.wait_for_float("Not yet · 50 of 100")
    assert "FAIL" not in shown["text"]
    assert "TutorLsp next" not in shown["text"]


def test_review_shows_the_last_one(exercise):
    exercise.run("TutorLsp review")
    exercise.wait_for_float("Not yet")


def test_next_tells_of_the_end_and_opens_the_next(exercise):
    exercise.run("TutorLsp next")
    exercise.wait_for_note("Words: passed.")
    assert len(exercise.arguments("tutor.next")) == 1


def test_ask_sends_the_question(exercise):
    exercise.run("TutorLsp ask why does this return None?")
    assert "why does this return None?" in exercise.wait_for_float("Hint 1")["text"]


def test_ask_without_words_asks_for_them(exercise):
    exercise.type_in("why?")
    exercise.run("TutorLsp ask")
    assert "You asked: why?" in exercise.wait_for_float("Hint 1")["text"]


def test_reveal_asks_before_it_shows(exercise):
    exercise.answer("Show the solution")
    exercise.run("TutorLsp reveal ex-1")
    assert "def shout(text): ..." in exercise.wait_for_float("Solution · ex-1")["text"]
    assert exercise.asked[0]["labels"] == ["Keep trying", "Show the solution"]
    assert [a.get("confirm") for a in exercise.arguments("tutor.reveal")] == [None, True]


def test_reveal_with_bang_is_confirmed(exercise):
    exercise.run("TutorLsp! reveal ex-1")
    exercise.wait_for_float("Solution · ex-1")
    assert exercise.asked == []


def test_status(exercise):
    exercise.run("TutorLsp status")
    text = exercise.wait_for_float("tutor-lsp 0.1.0")["text"]
    assert "▶ ○ ex-1 · shout · to do" in text
    assert "Loops: starter 2/8 (25%)" in text
    assert "Maps: The model is away." in text
    assert "it holds" not in text
    assert "Exercises come from: library (no model is set up)" in text


def test_sessions_can_be_resumed(exercise):
    exercise.answer("Words")
    exercise.run("TutorLsp sessions")
    assert exercise.wait_for_arguments("tutor.resume") == [{"session": "s-1"}]
    assert exercise.asked[0]["labels"] == [
        "Old · rust · ended · its folder is gone",
        "Words · python · in use · proven",
    ]


def test_sessions_when_there_is_none(fake):
    fake.run("TutorLsp sessions")
    fake.wait_for_note("There is no session yet.")


def test_end_shows_summary_and_recommendations(exercise):
    exercise.run("TutorLsp end")
    text = exercise.wait_for_float("Well done for today")["text"]
    assert "Two functions written." in text
    assert "- Strings (next)" in text


def test_report_is_opened(exercise):
    exercise.run("TutorLsp report")
    exercise.wait("#_G.opened == 1")
    assert exercise.lua("return _G.opened[1]").endswith("report.html")


def test_doctor_says_how_to_mend(exercise):
    exercise.run("TutorLsp doctor")
    text = exercise.wait_for_float("What works here")["text"]
    assert text == (
        "✓ python 3.11\n✗ cargo not found\n  Install Rust.\n\nThe setting `colour` is not known."
    )


def test_reset_and_restore_name_the_files(exercise):
    exercise.run("TutorLsp reset ex-1")
    exercise.wait_for_note("Put back to the stubs: src/exercise/words.py.")
    exercise.run("TutorLsp reset ex-1 undo")
    exercise.wait_for_note("Brought back what you wrote: src/exercise/words.py.")
    asked = exercise.arguments("tutor.reset")[-1]
    assert (asked["unit"], asked["undo"]) == ("ex-1", True)
    exercise.run("TutorLsp restore")
    exercise.wait_for_note("Put back as it was given: tests/test_words.py.")


def test_claim(exercise):
    exercise.run("TutorLsp claim python-functions")
    exercise.wait_for_note("Functions: known")
    exercise.run("TutorLsp claim python-functions no")
    exercise.wait_for_note("Functions: not marked as known")
    exercise.answer("python", "Classes")
    exercise.run("TutorLsp claim")
    exercise.wait_for_note("Functions: known")
    assert exercise.wait_for_arguments("tutor.claim", 3)[-1] == {
        "node": "python-classes",
        "known": True,
    }


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
    exercise.wait_for_note("No failures are known")
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


def test_compare_opens_a_diff(exercise):
    exercise.run("TutorLsp compare ex-1")
    exercise.wait("vim.fn.tabpagenr('$') == 2")
    assert exercise.files_of_tab() == ["words.py", "LESSON.md"]
    assert exercise.lua("return vim.wo.diff and vim.bo.modifiable")


def test_compare_with_the_same_text_says_so(exercise):
    exercise.run("TutorLsp compare ex-2")
    exercise.wait_for_note("`ex-2` is the same as the reference.")
    assert exercise.vim.funcs.tabpagenr("$") == 1


def test_lenses_show_states_and_follow_a_save(exercise):
    exercise.wait_for_lens("ex-1 todo")
    solve(exercise)
    exercise.run("write")
    exercise.wait_for_lens("ex-1 passing")


def signs(editor):
    return editor.lua("""
        local found = {}
        for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(
          0, vim.api.nvim_get_namespaces()["tutor_lsp.signs"], 0, -1, { details = true })) do
          found[#found + 1] = { mark[2] + 1, vim.trim(mark[4].sign_text), mark[4].sign_hl_group }
        end
        return found""")


def test_signs_show_states_and_follow_edits(exercise):
    assert signs(exercise) == [[1, "○", "TutorLspTodo"], [12, "○", "TutorLspTodo"]]
    exercise.vim.current.buffer[:0] = ["# a thought"]
    assert [line for line, *_ in signs(exercise)] == [2, 13]
    solve(exercise)
    exercise.run("write")
    exercise.wait('require("tutor_lsp").statusline() == "tutor 2/2"')
    assert [text for _, text, _ in signs(exercise)] == ["✓", "✓"]


def test_signs_can_be_turned_off(open_editor, fake_server):
    editor = open_editor(fake_server, init='require("tutor_lsp").setup({ signs = false })')
    editor.run("TutorLsp start python")
    editor.wait_for_stub()
    editor.wait_for_server()
    assert signs(editor) == []


def test_lens_can_be_run(exercise):
    exercise.wait_for_lens("ex-1 todo")
    exercise.lua("vim.lsp.codelens.run()")
    exercise.wait_for_file("/test_words.py")


def test_plug_maps(exercise):
    exercise.lua('vim.keymap.set("n", "<F5>", "<Plug>(tutor-lsp-check)")')
    exercise.vim.input("<F5>")
    exercise.wait_for_note("Not yet: 0 of 2 tests pass.")
