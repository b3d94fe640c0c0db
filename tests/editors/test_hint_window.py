"""The window of a hint: where it stands, when it makes way, and what else shows the words."""


def test_words_that_are_cut_are_shown_whole(fake):
    fake.lua("""require("tutor_lsp.view").tell({
      title = "Long", oneLine = "It begins …", markdown = "# Long\\n\\nIt begins and ends." })""")
    assert fake.float() == {"title": " Long ", "text": "It begins and ends."}


def test_float_can_be_entered_and_closed(exercise):
    exercise.run("TutorLsp hint")
    exercise.wait_for_float("Hint 1")
    exercise.lua('require("tutor_lsp").focus()')
    assert exercise.lines() == ["Hint number 1"]
    exercise.vim.feedkeys("q", "x")
    assert exercise.float() is None
    assert exercise.file().endswith("words.py")


def test_hint_leaves_the_stub_free_and_makes_way_for_what_is_typed(exercise):
    exercise.run("TutorLsp hint")
    exercise.wait_for_float("Hint 1")
    exercise.run("TutorLsp check")
    exercise.wait_for_note("Not yet")
    assert exercise.float()["text"] == "Hint number 1"
    assert " q close " in exercise.footer()
    left, width = exercise.lua("""
        for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
          local config = vim.api.nvim_win_get_config(window)
          if config.relative ~= "" then return { config.col, vim.api.nvim_win_get_width(0) } end
        end""")
    assert left > width
    exercise.run("normal! jjA # done")
    assert exercise.float() is None
    exercise.lua('require("tutor_lsp").focus()')
    assert exercise.float()["text"] == "Hint number 1"


def test_hint_without_a_lesson_beside_it_stays_away_from_the_cursor(open_editor, fake_server):
    editor = open_editor(fake_server, init='require("tutor_lsp").setup({ lesson = false })')
    editor.run("TutorLsp start python")
    editor.wait_for_stub()
    editor.run("redraw")
    for line, upper in ((1, False), (20, True)):
        editor.vim.current.window.cursor = (line, 0)
        editor.run("set lines=24 | redraw")
        editor.run("TutorLsp hint")
        editor.wait_for_float("Hint")
        row = editor.lua("""
            return vim.iter(vim.api.nvim_tabpage_list_wins(0)):map(function(window)
              local config = vim.api.nvim_win_get_config(window)
              return config.relative ~= "" and config.row or nil
            end):totable()[1]""")
        assert (row < 12) is upper
        editor.lua('require("tutor_lsp.view").close()')


def test_show_split_opens_coach_file(open_editor, fake_server):
    editor = open_editor(fake_server, init='require("tutor_lsp").setup({ show = "split" })')
    editor.run("TutorLsp start python")
    editor.wait_for_stub()
    editor.wait_for_server()
    editor.run("TutorLsp hint")
    editor.wait("#vim.api.nvim_tabpage_list_wins(0) == 3")
    assert sorted(editor.files_of_tab()) == ["LESSON.md", "coach.md", "words.py"]
    assert editor.file().endswith("words.py")
    editor.run("TutorLsp attempt")
    editor.wait_for_note("You took the last hint.")


def test_a_closer_hint_takes_the_place_of_the_one_that_is_looked_at(exercise):
    exercise.run("TutorLsp hint ex-2")
    exercise.wait_for_float("Hint 1 · ex-2")
    exercise.run("TutorLsp cancel")
    exercise.wait("""vim.iter(vim.api.nvim_list_bufs()):any(function(buffer)
      return vim.api.nvim_buf_get_lines(buffer, 0, 1, false)[1] == "A closer look."
    end)""")
    assert exercise.float()["text"] == "A closer look."


def test_a_closer_hint_opens_nothing_once_the_first_one_was_closed(exercise):
    exercise.run("TutorLsp hint ex-2")
    exercise.wait_for_float("Hint 1 · ex-2")
    exercise.run("normal! A # on")
    assert exercise.float() is None
    exercise.run("silent! noautocmd write | TutorLsp cancel")
    exercise.wait_for_note("There is a closer hint now, in .tutor/coach.md.")
    assert exercise.float() is None
    exercise.lua('require("tutor_lsp").focus()')
    assert exercise.float()["text"] == "A closer look."


GROWS = """require("tutor_lsp.view").early({
  title = "Answer", oneLine = "Answer: %s", markdown = "# Answer\\n\\n%s" })"""


def test_an_answer_grows_in_its_float_and_does_not_come_back_once_that_is_closed(fake):
    for text in ("One …", "One. Two …"):
        fake.lua(GROWS.replace("%s", text))
        assert fake.float() == {"title": " Answer ", "text": text}
    fake.lua('require("tutor_lsp.view").close()')
    fake.lua(GROWS.replace("%s", "One. Two. Three …"))
    assert fake.float() is None
    fake.lua('require("tutor_lsp.view").asked()')
    fake.lua(GROWS.replace("%s", "Four …"))
    assert fake.float()["text"] == "Four …", "the next question's"


def test_who_reads_an_answer_in_its_float_stays_there_while_it_grows(fake):
    fake.lua(GROWS.replace("%s", "One …"))
    code = fake.lua("return vim.api.nvim_get_current_win()")
    fake.lua('require("tutor_lsp.view").focus()')
    fake.vim.current.window.cursor = (1, 2)
    for text in ("One. Two …", "One. Two. Three …"):
        fake.lua(GROWS.replace("%s", text))
        assert fake.lines() == [text]
        assert tuple(fake.vim.current.window.cursor) == (1, 2)
    fake.lua("""require("tutor_lsp.view").hint({
      title = "Answer", oneLine = "Answer: whole", markdown = "# Answer\\n\\nIt is whole." })""")
    assert fake.lines() == ["It is whole."]
    assert tuple(fake.vim.current.window.cursor) == (1, 2)
    fake.lua('require("tutor_lsp.view").focus()')
    assert fake.lua("return vim.api.nvim_get_current_win()") == code
