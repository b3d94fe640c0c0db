"""The plugin in another language, with the real server: nothing that it says stays English."""

import sys

import pytest
from made_up import LOCALE, content_of, english, translation, wide

from tutor_lsp.library.loader import BUNDLED, Library

ONE = pytest.mark.parametrize("nvim", ["nvim-0.11"], indirect=True)
DESCRIPTIONS = """
return vim.iter(vim.api.nvim_buf_get_keymap(0, "n")):map(function(map)
  return vim.startswith(map.desc or "", "Tutor: ") and map.desc:sub(8) or nil
end):totable()
"""


@pytest.fixture
def content():
    """What is no text of the tutor: the exercise, names, ids."""
    library = Library([BUNDLED])
    entry = next(each for each in library.entries("python") if each.node == "python-functions")
    return [*content_of(library.load(entry)), "movie.py"]


@ONE
def test_lists_notes_hints_and_keys_speak_the_learner_s_language(open_editor, tmp_path, content):
    server = ["env", f"LANGUAGE={LOCALE}", f"TEXTDOMAINDIR={translation(tmp_path)}"]
    editor = open_editor([*server, sys.executable, "-m", "tutor_lsp"])
    editor.run("TutorLsp sessions")
    editor.wait_for_note(wide("There is nothing here yet. `:TutorLsp start` begins an exercise."))
    editor.run("TutorLsp start python")
    editor.wait_for_file("/movie.py")
    editor.wait_for_server()
    described = editor.lua(DESCRIPTIONS)
    assert len(described) == 16
    assert [each for each in described if english(each)] == []

    for verb in ("output", "failures", "practise", "easier", "review", "sing"):
        said = len(editor.notes)
        editor.run(f"TutorLsp {verb}")
        editor.wait("#_G.notes > ...", said)
    names = ", ".join(editor.lua('return require("tutor_lsp.verbs").names()'))
    assert [note for note in editor.notes if english(note, [*content, names])] == []

    editor.run("TutorLsp hint")
    editor.wait_for_float(wide("Hint"))
    assert english(editor.footer(), content) == []
    assert wide("next hint") in editor.footer()
    editor.run("TutorLsp ask")
    editor.run("TutorLsp start")
    editor.run("TutorLsp curriculum")
    editor.run("TutorLsp reveal")
    editor.wait("#_G.asked == 4")
    question, start, topics, reveal = sorted(
        editor.asked, key=lambda asked: [bool(asked["labels"]), len(asked["labels"]) == 2]
    )
    assert question == {"prompt": wide("Your question: "), "labels": []}
    assert reveal["labels"] == [wide("Keep trying"), wide("Show the solution")]
    assert topics["prompt"].strip() != "Topics:"
    for asked in (start, topics, reveal):
        assert asked["prompt"] == "Tutor: " or english(asked["prompt"], content) == []
        assert [label for label in asked["labels"] if english(label, content)] == []


@ONE
def test_the_check_of_health_speaks_it_too(open_editor, tmp_path):
    server = ["env", f"LANGUAGE={LOCALE}", f"TEXTDOMAINDIR={translation(tmp_path)}"]
    editor = open_editor([*server, sys.executable, "-m", "tutor_lsp"])
    editor.run("TutorLsp status")
    editor.wait_for_float("")
    editor.run("checkhealth tutor_lsp")
    text = "\n".join(editor.lines())
    assert wide("running") in text
    assert wide("tools") in text
    assert "not running" not in text


def test_places_are_filled_in_every_language(open_editor):
    editor = open_editor()
    said = editor.lua(
        """local words = require("tutor_lsp.words")
        local before = words.t("{file} could not be saved: {why}", { file = "%1", why = "w" })
        words.learn({ ["{file} could not be saved: {why}"] = "{why}: {file}!" })
        return { before, words.t("{file} could not be saved: {why}", { file = "%1", why = "w" }),
                 words.t("unknown") }"""
    )
    assert said == ["%1 could not be saved: w", "w: %1!", "unknown"]
