"""What the plugins for Neovim and Emacs say themselves is in the catalogue, all of it."""

import importlib.util
import sys
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from tutor_lsp.core.text.translation import EDITOR, LOCALES

SCRIPTS = Path(__file__).parents[2] / "scripts"
NAMES = {
    "Tutor", "Lesson", "Code", "Comment", "tutor-lsp: Neovim", "pipx install %s",
    " *tutor-lsp stderr*",
}  # fmt: skip
"""Names and commands, which are the same in every language."""
BEFORE_ANY_SERVER = {"options.lua"}
"""What is said while a start-up file is read stays English."""


@pytest.fixture(scope="module")
def editor_texts():
    spec = importlib.util.spec_from_file_location("editor_texts", SCRIPTS / "editor_texts.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_no_text_of_a_plugin_escapes(editor_texts):
    bare = [
        f"{path.name}:{text.line}: {text.text}"
        for path in editor_texts.sources()
        if path.name not in BEFORE_ANY_SERVER
        for text in editor_texts.texts(path)
        if not text.translated and text.text not in NAMES
    ]
    assert bare == []


def test_every_text_is_in_the_catalogue_with_its_context(editor_texts):
    with (LOCALES / "tutor_lsp.pot").open("rb") as file:
        known = {message.id for message in read_po(file) if message.context == EDITOR}
    said = {
        text.text
        for path in editor_texts.sources()
        for text in editor_texts.texts(path)
        if text.translated
    }
    assert known == said
    assert len(known) > 100


LUA = {
    'view.info("There is nothing here.")': ("There is nothing here.", False),
    'vim.ui.select({ "Keep", "Keep trying" }, {})': ("Keep", False),
    "vim.ui.input({ prompt = 'Your question: ' })": ("Your question: ", False),
    'x = t("Nothing " .. "was run.", { a = 1 })': ("Nothing was run.", True),
    "x = marked('next \\'hint\\'')": ("next 'hint'", True),
    "x = t([[\nIt is so.]])": ("It is so.", True),
}
LISP = {
    '(message "There is nothing here")': ("There is nothing here", False),
    '(user-error "Nothing\\n was chosen")': ("Nothing\n was chosen", False),
    '(defun f (a) "About it." (list :label "Reset" a))': ("Reset", False),
    '(interactive (list (read-string "Your question: ")))': ("Your question: ", False),
    '(list (tutor-lsp-t "Go to {place}" :place (f "x")))': ("Go to {place}", True),
    '(f `(,(tutor-lsp-marked "ask") ?\\" ?\\( b))': ("ask", True),
}


@pytest.mark.parametrize("source", LUA)
def test_a_text_in_lua_is_found(editor_texts, source):
    found = [(text.text, text.translated) for text in editor_texts.lua(source)]
    assert found[0] == LUA[source]


@pytest.mark.parametrize("source", LISP)
def test_a_text_in_emacs_lisp_is_found(editor_texts, source):
    ((text, translated),) = [(each.text, each.translated) for each in editor_texts.lisp(source)]
    assert (text, translated) == LISP[source]


@pytest.mark.parametrize(
    "source",
    [
        '-- "Not this" t("nor this")',
        '--[[ t("One comment") ]]',
        'vim.cmd("botright copen now")',
        'require("tutor_lsp.words")',
        'x = { list = "topics" }',
    ],
)
def test_what_is_not_shown_in_lua_is_left_out(editor_texts, source):
    assert list(editor_texts.lua(source)) == []


@pytest.mark.parametrize(
    "source",
    [
        ';; "Not this" (tutor-lsp-t "nor this")',
        '(defun f () "What it does, in a sentence." nil)',
        '(cl-defmethod f ((a b)) "What it does with it." nil)',
        '(defclass a () () :documentation "What it is for.")',
        '(declare-function some-name "file name")',
    ],
)
def test_what_is_not_shown_in_emacs_lisp_is_left_out(editor_texts, source):
    assert list(editor_texts.lisp(source)) == []
