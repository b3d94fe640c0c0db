"""No client names a language: what there is, the server says."""

import re
from pathlib import Path

from tutor_lsp.languages.registry import languages

ROOT = Path(__file__).parents[2] / "editors"
SUFFIXES = {".lua", ".vim", ".el", ".ts", ".js", ".mjs"}
RUNS_THE_SERVER = "the Python that runs the tutor"
A_KEY = "a key to press"
TOLD_APART = {
    "emacs/tutor-lsp-client.el": "Eglot is told of major modes before it starts a server",
    "emacs/tutor-lsp-keys.el": A_KEY,
    "emacs/tutor-lsp-menu.el": A_KEY,
    "emacs/tutor-lsp-text.el": A_KEY,
    "emacs/tutor-lsp.el": "an example of a setting",
    "neovim/lua/tutor_lsp/keys.lua": A_KEY,
    "neovim/lua/tutor_lsp/options.lua": "an example of a setting",
    "vscode/src/code/doubles.ts": "how other extensions call their diagnostics",
}
"""Files that name a language, or something of its name, and why they may."""
ABOUT_THE_SERVER = ("vscode/src/setUp/", "vscode/src/words/", "vscode/scripts/")
"""Where Python is what runs the server, which the extension installs."""


def sources():
    kept = (path for path in ROOT.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    for path in sorted(kept):
        file = path.relative_to(ROOT).as_posix()
        if not {"node_modules", "test", "e2e", "dist", "out", "build"} & set(path.parts):
            yield file, path.read_text("utf-8")


def named(text):
    """Languages that a text names in its strings, and in what Emacs calls its modes."""
    ids = "|".join(re.escape(each) for each in languages())
    names = "|".join(re.escape(each.name) for each in languages().values())
    exact = re.compile(rf"([\"'`])({ids}|{names})\1")
    inside = re.compile(
        rf"\"[^\"\n]*\b({'|'.join(each for each in languages() if len(each) > 1)})\b"
    )
    modes = re.compile(rf"\b({ids})(?:-ts)?-mode\b")
    return {m[m.lastindex] for form in (exact, inside, modes) for m in form.finditer(text)}


def test_no_client_names_a_language():
    found = {file: names for file, text in sources() if (names := named(text))}
    assert len(list(sources())) > 50
    left = {file: names for file, names in found.items() if file not in TOLD_APART}
    assert {f: n for f, n in left.items() if not f.startswith(ABOUT_THE_SERVER)} == {}
    assert TOLD_APART.keys() - found.keys() == set()


def test_what_names_one_would_be_found():
    assert named('languages = { "python", "rust" },') == {"python", "rust"}
    assert named("if (id === 'c') {") == {"c"}
    assert named("(rust-ts-mode)") == {"rust"}
    assert named("a rusty trust in c and pythons") == set()
