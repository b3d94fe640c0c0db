"""What stands around a stub: lenses above it, signs beside it, what fails beneath it."""

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


def fail(editor, row, body=None):
    """As if the server had published one failure and one note; `body` is where the stub's lies."""
    editor.lua(
        """
        local client = vim.lsp.get_clients({ name = "tutor_lsp" })[1]
        local where = { lnum = select(2, ...), col = 4, source = "tutor" }
        where.user_data = { lsp = { data = select(3, ...) } }
        vim.diagnostic.set(vim.lsp.diagnostic.get_namespace(client.id), 0, {
          vim.tbl_extend("error", where, { severity = 1, message = ... }),
          vim.tbl_extend("error", where, { severity = 3, message = "to do" }),
        })""",
        SENTENCE,
        row,
        {"body": dict(zip(("line", "endLine"), body, strict=True))} if body else {},
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


def test_what_fails_stands_beneath_the_body_and_what_is_typed_above_it(exercise):
    fail(exercise, 0, body=(8, 8))
    ((row, lines, above),) = beneath(exercise)
    assert (row, above) == (8, True)
    assert lines[0].startswith("    ↳ `to_minutes")
    exercise.vim.current.window.cursor = (8, 0)
    exercise.run("normal! oreturn text")
    ((row, _, above),) = beneath(exercise)
    assert (row, above) == (9, True)


def test_what_fails_in_the_last_body_of_a_file(exercise):
    last = len(exercise.lines())
    fail(exercise, 11, body=(last, last))
    assert [(row, above) for row, _, above in beneath(exercise)] == [(last - 1, False)]


def test_what_fails_in_a_file_that_is_not_open_disturbs_nothing(exercise):
    loaded, said = exercise.lua(
        """
        local client = vim.lsp.get_clients({ name = "tutor_lsp" })[1]
        local buffer = vim.fn.bufadd(vim.fn.tempname())
        local where = { lnum = 3, col = 0, severity = 1, message = "it fails" }
        local ok, said = pcall(vim.diagnostic.show,
          vim.lsp.diagnostic.get_namespace(client.id), buffer, { where })
        return { vim.api.nvim_buf_is_loaded(buffer), ok and "" or said }"""
    )
    assert (loaded, said) == (False, "")


def test_body_whose_stored_end_lies_past_the_file(exercise):
    """The server's answer is of a text that had more lines."""
    last = len(exercise.lines())
    exercise.vim.current.window.cursor = (8, 0)
    fail(exercise, 0, body=(8, last + 100))
    assert [(row, above) for row, _, above in beneath(exercise)] == [(last - 1, False)]


@pytest.mark.parametrize(
    ("scrolloff", "cursor", "top", "then"),
    [
        (0, 20, 15, 15),
        (0, 35, 33, 33),
        (0, 31, 25, 30),
        (3, 31, 25, 25),
        (3, 33, 25, 30),
    ],
    ids=["end too far off", "end in view", "end comes", "end kept off", "end comes with lines"],
)
def test_a_stub_taller_than_its_window_is_not_moved_in_vain(exercise, scrolloff, cursor, top, then):
    exercise.run("only | new | wincmd p | resize 10")
    exercise.run(f"set scrolloff={scrolloff}")
    exercise.vim.current.buffer[1:1] = ["    a = 1"] * 30
    exercise.lua("vim.fn.winrestview({ lnum = ..., topline = select(2, ...) })", cursor, top)
    for _ in range(2):
        fail(exercise, 0, body=(2, 38))
        assert exercise.lua("return { vim.fn.line('w0'), vim.fn.line('.') }") == [then, cursor]


def test_a_stub_that_fits_comes_into_view(exercise):
    exercise.run("only | new | wincmd p | resize 12")
    exercise.lua("vim.fn.winrestview({ lnum = 7, topline = 5 })")
    fail(exercise, 0, body=(2, 8))
    assert exercise.lua("return vim.fn.line('w0')") == 1


def test_why_nothing_was_run_stands_at_the_code_too(exercise):
    exercise.lua("""
        local client = vim.lsp.get_clients({ name = "tutor_lsp" })[1]
        vim.diagnostic.set(vim.lsp.diagnostic.get_namespace(client.id), 0, {
          { lnum = 0, col = 4, severity = 2, source = "tutor", message = "cargo was not found." },
        })""")
    assert beneath(exercise) == [[0, ["↳ cargo was not found."], False]]


def test_blanks_in_a_value_stay_as_they_are(exercise):
    """What a test says of a value is read to the letter, wrapped or not."""
    said = "`shout('a  b')` gave 'A B', expected 'A  B' and " + "nothing else " * 8 + "'x   y'"
    exercise.lua(
        """
        local client = vim.lsp.get_clients({ name = "tutor_lsp" })[1]
        vim.diagnostic.set(vim.lsp.diagnostic.get_namespace(client.id), 0, {
          { lnum = 0, col = 4, severity = 1, source = "tutor", message = ... },
        })""",
        said,
    )
    ((_, lines, _),) = beneath(exercise)
    assert len(lines) > 1
    assert " ".join(line[2:] for line in lines) == said


def test_a_long_sentence_leaves_room_for_code(exercise):
    exercise.lua("""
        local client = vim.lsp.get_clients({ name = "tutor_lsp" })[1]
        vim.diagnostic.set(vim.lsp.diagnostic.get_namespace(client.id), 0, {
          { lnum = 0, col = 4, severity = 1, source = "tutor", message = ("word "):rep(200) },
        })""")
    ((_, lines, _),) = beneath(exercise)
    assert len(lines) == 4
    assert lines[-1].endswith(" …")


@pytest.mark.parametrize(
    "config",
    [
        "{ virtual_lines = { current_line = true } }",
        "{ virtual_text = true }",
        "{ virtual_text = { current_line = true } }",
        "{ virtual_lines = true }",
    ],
)
@pytest.mark.parametrize("later", [False, True])
def test_what_fails_stands_there_once(open_editor, fake_server, config, later):
    init = f"vim.diagnostic.config({config})"
    editor = open_editor(fake_server, init="" if later else init)
    editor.run("TutorLsp start python")
    editor.wait_for_stub()
    editor.wait_for_server()
    fail(editor, 0, body=(8, 8))
    editor.vim.current.window.cursor = (1, 0)
    if later:
        editor.lua(init)
    editor.lua("vim.api.nvim_exec_autocmds('CursorMoved', {})")
    shown = editor.lua("""
        local count = 0
        for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, -1, 0, -1, { details = true })) do
          local chunks = mark[4].virt_text or {}
          for _, line in ipairs(mark[4].virt_lines or {}) do vim.list_extend(chunks, line) end
          local said = vim.iter(chunks):fold("", function(all, chunk) return all .. chunk[1] end)
          count = count + (said:find("to_minutes(2, 46)", 1, true) and 1 or 0)
        end
        return count""")
    own_lines = editor.lua("return vim.diagnostic.handlers.virtual_lines ~= nil")
    # Neovim 0.10 has no virtual lines of its own: a plugin that brings them shows what fails.
    assert shown == (0 if config == "{ virtual_lines = true }" and not own_lines else 1)


def test_section_of_the_unit_is_marked_in_the_lesson(exercise):
    def marked():
        return exercise.lua("""
            local buffer = vim.fn.bufnr("LESSON.md")
            local place = vim.api.nvim_get_namespaces()["tutor_lsp.lesson"]
            return vim.tbl_map(function(mark)
              return { mark[2] + 1, mark[4].virt_text[1][1] }
            end, vim.api.nvim_buf_get_extmarks(buffer, place, 0, -1, { details = true }))""")

    assert marked() == [[5, " ◀ shout"]]
    exercise.run("%s/raise NotImplementedError.*shout.*/return text.upper()/ | write")
    exercise.wait('require("tutor_lsp").statusline():find("1 of 2", 1, true) ~= nil')
    assert marked() == [[9, " ◀ naïve"]]


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
    exercise.lua(
        "require('tutor_lsp.handlers').handlers()['tutor/testsRan'](nil, "
        "{ sessionId = 's-1', report = {} })"
    )
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


def test_lenses_show_states_and_follow_a_save(exercise):
    exercise.wait_for_lens("ex-1 todo")
    exercise.solve()
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
    exercise.solve()
    exercise.run("write")
    exercise.wait('require("tutor_lsp").statusline() == "tutor: 2 of 2 units pass"')
    assert [text for _, text, _ in signs(exercise)] == ["✓", "✓"]


def test_signs_can_be_turned_off(open_editor, fake_server):
    editor = open_editor(fake_server, init='require("tutor_lsp").setup({ signs = false })')
    editor.run("TutorLsp start python")
    editor.wait_for_stub()
    editor.wait_for_server()
    assert signs(editor) == []


def test_lens_can_be_run(exercise):
    exercise.wait_for_lens("ex-1 todo")
    exercise.vim.current.window.cursor = (1, 0)
    exercise.lua("vim.lsp.codelens.run()")
    exercise.wait_for_file("/test_words.py")
