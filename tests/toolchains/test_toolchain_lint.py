"""Linters: what they say of a learner's lines, and nothing of the references that we ship."""

import shutil

import pytest

from tutor_lsp.languages.python import lint
from tutor_lsp.languages.rust import lint as rust_lint
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.library.loader import BUNDLED, Library

TOOLCHAINS = toolchains()
LIBRARY = Library([BUNDLED])
BAD = {
    "python": (
        {"src/exercise/a.py": "def f(x):\n    if x == None:\n        return True\n    return x\n"},
        ("src/exercise/a.py", 2, "E711", 0),
    ),
    "rust": (
        {
            "src/lib.rs": "pub fn f(s: &str) -> bool {\n    s.len() == 0\n}\n",
            "Cargo.toml": '[package]\nname = "exercise"\nversion = "0.1.0"\nedition = "2021"\n',
        },
        ("src/lib.rs", 2, "clippy::len_zero", 1),
    ),
    "c": (
        {"src/a.c": "int f(int n)\n{\n    for (int n = 0; n < 3; n++) { }\n    return n;\n}\n"},
        ("src/a.c", 3, "-Wshadow", 0),
    ),
}
LANGUAGES = [
    pytest.param(language, marks=pytest.mark.cargo if language == "rust" else ())
    for language in BAD
]


def placed(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return [name for name in files if name.startswith("src/")]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_remark_has_place_rule_and_reason(tmp_path, language):
    files, expected = BAD[language]
    names = placed(tmp_path, files)
    found = await TOOLCHAINS[language].lint(tmp_path, names, 60)
    assert [(each.file, each.line, each.rule, each.rank) for each in found] == [expected]
    assert all(each.message for each in found)
    if language == "rust":
        assert found[0].message.endswith("`s.is_empty()`")
    assert await TOOLCHAINS[language].lint(tmp_path, ["src/other"], 60) == ()


CLEAR = "pub fn f(n: u32) -> u32 {\n    let mut left = n;\n    while left > 1 {\n"
NEVER = (
    f"{CLEAR}        left -= 1;\n        return left;\n    }}\n    let (unused, a) = (1, (2));\n"
    "    a\n}\n"
)


@pytest.mark.cargo
@pytest.mark.parametrize("clippy", [True, False])
async def test_what_rust_is_sure_of_comes_first_and_style_last(tmp_path, monkeypatch, clippy):
    names = placed(tmp_path, {**BAD["rust"][0], "src/lib.rs": NEVER})
    if not clippy:
        monkeypatch.setattr(rust_lint, "LINTERS", ("no-such-linter", "check"))
    found = await TOOLCHAINS["rust"].lint(tmp_path, names, 60)
    ranks = {each.rule: each.rank for each in found}
    assert ranks.pop("unused_variables") == 0
    assert ranks.pop("clippy::never_loop", clippy) == (0 if clippy else False)
    assert ranks.pop("unused_parens", 1) == 1


async def test_references_of_the_library_are_clean(tmp_path):
    for entry in LIBRARY.entries("python"):
        names = placed(tmp_path / entry.id, LIBRARY.load(entry).solution)
        assert await TOOLCHAINS["python"].lint(tmp_path / entry.id, names, 60) == ()
    for entry in LIBRARY.entries("c"):
        bundled = LIBRARY.load(entry)
        files = TOOLCHAINS["c"].complete(bundled.files)
        placed(tmp_path / entry.id, files)
        names = placed(tmp_path / entry.id, bundled.solution)
        assert await TOOLCHAINS["c"].lint(tmp_path / entry.id, names, 60) == ()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_linter_that_is_missing_or_slow_says_nothing(tmp_path, monkeypatch, language):
    names = placed(tmp_path, BAD[language][0])
    assert await TOOLCHAINS[language].lint(tmp_path, names, 0.001) == ()
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CARGO_HOME", raising=False)
    monkeypatch.setattr(lint.sys, "executable", str(tmp_path / "python"))
    assert shutil.which("ruff") is None
    assert await toolchains()[language].lint(tmp_path, names, 60) == ()
