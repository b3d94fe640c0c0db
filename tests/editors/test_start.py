"""Starting an exercise against a small server: arguments, pickers, completion."""

import pytest

PLACEHOLDER = '    raise NotImplementedError("shout")'


def test_start_opens_lesson_beside_stub_in_the_empty_tab(exercise):
    assert exercise.files_of_tab() == ["words.py", "LESSON.md"]
    assert exercise.vim.funcs.tabpagenr("$") == 1
    assert exercise.lines()[exercise.vim.current.window.cursor[0] - 1] == PLACEHOLDER
    assert exercise.arguments("tutor.start") == [{"node": "python"}]


def test_start_keeps_what_the_learner_has_open(fake):
    fake.vim.current.buffer[:] = ["my notes"]
    fake.run("TutorLsp start python")
    fake.wait_for_stub()
    assert fake.vim.funcs.tabpagenr("$") == 2
    fake.run("tabfirst")
    assert fake.lines() == ["my notes"]


@pytest.mark.parametrize(
    ("words", "argument"),
    [
        ("python python-strings", {"language": "python", "node": "python-strings"}),
        ("rust-ownership", {"node": "rust-ownership"}),
        ("python fresh depth=D2", {"node": "python", "fresh": True, "depth": "D2"}),
        (
            "rust backend=codex challenge",
            {"node": "rust", "backend": "codex", "challenge": True},
        ),
        ("toy", {"node": "toy"}),
        ("toy topic=rings", {"language": "toy", "topic": "rings"}),
        ("python topic=ring buffers, fast", {"language": "python", "topic": "ring buffers, fast"}),
    ],
)
def test_start_arguments(fake, words, argument):
    fake.run(f"TutorLsp start {words}")
    fake.wait_for_stub()
    assert fake.arguments("tutor.start") == [argument]


def test_first_list_is_the_server_s(fake):
    fake.run("TutorLsp start")
    fake.wait("#_G.asked == 1")
    assert fake.asked[0] == {
        "prompt": "Tutor: ",
        "labels": [
            "Recommended: Strings · 10 min · due for review",
            "More: Browse all topics",
            "More: Your own topic",
        ],
    }


def test_first_list_continues_the_last_session(exercise):
    exercise.run("tabnew | tabonly")
    exercise.answer("Continue")
    exercise.run("TutorLsp start")
    exercise.wait_for_stub()
    assert exercise.asked[0]["labels"][0] == "Continue: Words · 0 of 2"
    assert exercise.arguments("tutor.resume") == [{"session": "s-1"}]
    assert exercise.files_of_tab() == ["words.py", "LESSON.md"]


def test_preferred_language_is_told(open_editor, fake_server):
    editor = open_editor(fake_server, init='require("tutor_lsp").setup({ language = "rust" })')
    editor.run("TutorLsp start")
    assert editor.wait_for_arguments("tutor.choices") == [{"list": "start", "language": "rust"}]


def test_lists_lead_to_lists(fake):
    fake.answer("Browse", "python", "Classes")
    fake.run("TutorLsp start")
    fake.wait("#_G.asked == 3")
    assert [asked["prompt"] for asked in fake.asked] == ["Tutor: ", "Languages: ", "python: "]
    assert fake.asked[2]["labels"] == [
        "First steps: ○○○ Functions · 12 min",
        "First steps: ●○○ Strings · 10 min · due for review",
        "Objects: ○○○ Classes · builds on Functions",
    ]
    fake.wait_for_stub()
    assert fake.arguments("tutor.start") == [{"language": "python", "node": "python-classes"}]


def test_topics_of_a_language(fake):
    fake.answer("Ownership")
    fake.run("TutorLsp curriculum rust")
    fake.wait_for_stub()
    assert fake.arguments("tutor.start") == [{"language": "rust", "node": "rust-ownership"}]


@pytest.mark.parametrize("typed", ["  ring buffers ", "  "])
def test_own_topic_asks_for_it(fake, typed):
    fake.answer("Your own", "rust")
    fake.type_in(typed)
    fake.run("TutorLsp start")
    fake.wait("#_G.asked == 3")
    assert fake.asked[2]["prompt"] == "Which? "
    if typed.strip():
        fake.wait_for_stub()
        assert fake.arguments("tutor.start") == [{"language": "rust", "topic": "ring buffers"}]
    else:
        assert fake.arguments("tutor.start") == []


def test_dismissed_list_starts_nothing(fake):
    fake.run("TutorLsp start")
    fake.wait("#_G.asked == 1")
    fake.run("TutorLsp cancel")
    fake.wait_for_note("Nothing is running")
    assert fake.arguments("tutor.start") == []


def test_completion(fake):
    fake.wait_for_completion("TutorLsp start python python-s", "python-strings")

    def complete(line):
        return fake.vim.funcs.getcompletion(line, "cmdline")

    assert complete("TutorLsp re") == [
        "report", "reset", "restore", "resume", "reveal", "review",
    ]  # fmt: skip
    assert complete("TutorLsp start ") == ["python", "rust"]
    assert complete("TutorLsp start python python-s") == ["python-strings"]
    assert complete("TutorLsp start rust r") == ["rust-ownership"]
    assert complete("TutorLsp start python depth=") == ["depth=D1", "depth=D2", "depth=D3"]
    assert complete("TutorLsp start python backend=c") == ["backend=codex", "backend=claude"]
    assert complete("TutorLsp curriculum r") == ["rust"]
    assert complete("TutorLsp open ") == ["lesson", "stub", "test", "coach"]
    assert complete("TutorLsp check ") == []


def test_completion_of_units_and_sessions(exercise):
    assert exercise.wait_for_completion("TutorLsp resume ", "s-1") == ["s-1"]
    assert exercise.vim.funcs.getcompletion("TutorLsp hint ", "cmdline") == ["ex-1", "ex-2"]


def test_unknown_sub_command_names_those_there_are(fake):
    fake.run("TutorLsp nonsense")
    (note,) = fake.notes
    assert "There is no `:TutorLsp nonsense`" in note
    assert "attempt, cancel, check" in note


def test_refused_start_shows_the_server_s_words(fake):
    fake.run("TutorLsp start python unknown")
    fake.wait_for_note("There is no topic `unknown`.")


def test_start_from_a_window_that_is_no_file(fake):
    fake.run("help help")
    fake.run("TutorLsp start python")
    fake.wait_for_stub()
    assert fake.vim.funcs.tabpagenr("$") == 2


def test_start_again_goes_to_the_tab_that_shows_it(exercise):
    exercise.run("tabnew")
    exercise.run("TutorLsp start python")
    exercise.wait_for_stub()
    assert exercise.vim.funcs.tabpagenr("$") == 2
    assert exercise.files_of_tab() == ["words.py", "LESSON.md"]


@pytest.mark.parametrize(("typed", "text"), [("wasps", "wasps"), ("  ", None), (None, None)])
def test_server_s_question_is_put_to_the_learner(fake, typed, text):
    if typed is not None:
        fake.type_in(typed)
    fake.run("TutorLsp start python python-plan")
    fake.wait_for_stub()
    assert fake.asked == [{"prompt": "What should be different? ", "labels": []}]
    assert fake.arguments("asked") == [{"text": text}]


def test_after_a_long_wait_nothing_jumps_into_the_way(fake):
    fake.run("TutorLsp start python python-slow")
    fake.wait('require("tutor_lsp.state").progress ~= nil')
    fake.lua('require("tutor_lsp.state").started_at = vim.uv.hrtime() - 6e9')
    fake.lua("""
        local client = vim.lsp.get_clients({ name = "tutor_lsp" })[1]
        require("tutor_lsp.handlers").session_ready({
          sessionId = "s", title = "Words", workspace = "/nowhere", lesson = "/nowhere", units = {},
          say = { oneLine = "Ready: Words." },
        })""")
    fake.wait_for_note("Ready: Words. `:TutorLsp open` shows it.")
    assert fake.file() == ""


def test_progress_is_echoed_and_in_the_statusline(fake):
    fake.run("TutorLsp start python python-slow")
    fake.wait('require("tutor_lsp").statusline() == "Setting up Words: starter 2/8 (25%)"')
    echoed = fake.lua("""
        local seen = {}
        local echo = vim.api.nvim_echo
        vim.api.nvim_echo = function(chunks, ...) seen[#seen + 1] = chunks[1][1] end
        vim.cmd("TutorLsp cancel")
        vim.wait(20000, function() return #seen > 0 end, 10)
        vim.api.nvim_echo = echo
        return seen""")
    assert echoed == ["Setting up Words: stopped"]
    assert fake.lua('return require("tutor_lsp").statusline()') == ""


def test_progress_is_left_to_a_plugin_that_shows_it(open_editor, fake_server):
    editor = open_editor(
        fake_server,
        init='vim.api.nvim_create_autocmd("LspProgress", { command = "let g:seen = 1" })',
    )
    editor.lua("vim.api.nvim_echo = function() _G.echoed = true end")
    editor.run("TutorLsp start python")
    editor.wait_for_stub()
    assert editor.vim.vars["seen"] == 1
    assert editor.lua("return _G.echoed") is None


def test_cancel_in_mid_set_up(fake):
    fake.run("TutorLsp start python python-slow")
    fake.wait('require("tutor_lsp.state").progress ~= nil')
    fake.run("TutorLsp cancel")
    fake.wait_for_note("Stopped. Nothing was changed.")
    assert fake.file() == ""


def test_failed_set_up_says_why(fake):
    fake.run("TutorLsp start python python-broken")
    fake.wait_for_note("The starter was refused.")
    assert fake.file() == ""
