"""The value that a unit asks for is in nothing that anybody gets before it is met."""

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from editor import editor

from tutor_lsp.authoring.own.new_exercise import new_exercise
from tutor_lsp.core.exercise.exercise import UnitKind

WATER = "37686"
"""What the program gives once `BARREL` has changed it; it stands neither there nor in its tests."""
ROW, SEAL = "#-#.#--.", "98348"
BARREL = {
    "20, 31, 4": "20000, 31000, 400",
    "20, 31 and 4": "20000, 31000 and 400",
    "20, 0, 31, 4": "20, 0, 31, 4, 50, 0, 0, 7",
    "2, 0, 5": "2000, 0, 5",
    "2, 0 and 5": "2000, 0 and 5",
}
LOST = {"FULL = 40": "FULL = 40000", "LOST = 5": "LOST = 1357"}


@dataclass(frozen=True)
class Language:
    """An exercise's files about a program, what is to be changed in them, how both of its answers
    are written, and wrong ones."""

    answers: str
    gauge: str
    tests: str
    changes: Mapping
    open: tuple
    written: str
    right: tuple
    tries: tuple

    def text(self, given, water, other, above=""):
        """The learner's file with these answers; None leaves one open."""
        for old, new in zip(self.open, (water, other), strict=True):
            assert old in given
            given = given if new is None else given.replace(old, self.written.format(new))
        return above + given


LANGUAGES = {
    "python": Language(
        "src/exercise/answers.py", "src/exercise/gauge.py", "tests/test_answers.py", LOST,
        ("WATER = ...", "SIGNS = ..."), "{}", (f"WATER = {WATER}", f'SIGNS = "{ROW}"'),
        (
            (None, None), ("WATER = 35", None), ("WATER = [1, 2", 'SIGNS = "ab"'),
            ("WATER = gauge.level([20000, 31000, 400])", 'SIGNS = "##"'),
            ("WATER = 36", 'SIGNS = "-.-"', "print(__import__('exercise.gauge'))\n"),
            ("WATER = 37", 'SIGNS = "-.-"'), ("WATER = 38", "SIGNS = None"),
        ),
    ),
    "rust": Language(
        "src/answers.rs", "src/gauge.rs", "tests/answers.rs",
        {"FULL: u32 = 40": "FULL: u32 = 40000", "LOST: u32 = 5": "LOST: u32 = 1357"},
        ('todo!("water")', 'todo!("signs")'), "{}", (WATER, f'"{ROW}"'),
        (
            (None, None), ("35", None), ("(1, 2", '"ab"'),
            ("crate::gauge::level(&[20000, 31000, 400])", '"##"'),
            ('{ println!("{}", crate::gauge::level(&[20000, 31000, 400])); 36 }', '"-.-"'),
            ("37", '"-.-"'), ("38", '""'),
        ),
    ),
    "c": Language(
        "src/answers.c", "src/gauge.c", "tests/test_answers.c",
        {"FULL 40": "FULL 40000", "LOST 5": "LOST 1357"},
        ('NOT_IMPLEMENTED("water");', 'NOT_IMPLEMENTED("seal");'), "return {};",
        (WATER, SEAL),
        (
            (None, None), ("35", None), ("(1, 2", "3"),
            ("level((int[]){20000, 31000, 400}, 3)", "4"),
            ("36; puts(__FILE__)", "5"), ("37", "5"), ("38", "0"),
        ),
    ),
}  # fmt: skip


def library(folder, language, kinds):
    """A library with an exercise whose values are not to be mistaken."""
    it, made = LANGUAGES[language], folder / f"{language}-weather-notes"
    new_exercise(made, language, kinds=kinds)
    changes = {
        it.gauge: it.changes, it.answers: BARREL, it.tests: BARREL,
        f"solution/{it.answers}": {**BARREL, "34": WATER, "446": SEAL, '"#-#."': f'"{ROW}"'},
    }  # fmt: skip
    for name, pairs in changes.items():
        path = made / name
        text = path.read_text()
        for old, new in pairs.items():
            text = text.replace(old, new)
        assert text != path.read_text()
        path.write_text(text)
    return folder


def heard(ed):
    """All that the client receives from now on, as it comes."""
    messages: list[str] = []
    understand = ed.client.protocol.structure_message

    def noted(data):
        messages.append(json.dumps(data, default=str, ensure_ascii=False))
        return understand(data)

    ed.client.protocol.structure_message = noted
    return messages


def texts_below(folder):
    """The files below a folder, whatever is in them."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            yield path.relative_to(folder).as_posix(), path.read_bytes().decode("utf-8", "replace")


def rows_of(home):
    """What the record has, but for the files that an exercise came with."""
    (store,) = home.glob("*.db")
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        for (name,) in names.fetchall():
            for row in connection.execute(f"SELECT * FROM {name}"):  # noqa: S608 - of its own
                yield name, repr(row)


ID = re.compile(r"\b(?=[\da-f-]*[a-f])[\da-f]{8}(?:[\da-f]{8,}|(?:-[\da-f]{4}){3}-[\da-f]{12})\b")
"""What is made up to tell things apart, in hexadecimal digits."""


def telling(texts, values):
    """Where which of the values is, not as a part of a longer number or of an id."""
    forms = {each: re.compile(rf"(?<![\d.]){re.escape(each)}(?!\d)") for each in values}
    texts = [(where, ID.sub("id", text)) for where, text in texts]
    return sorted(
        f"{where}: {each}"
        for where, text in texts
        for each, form in forms.items()
        if form.search(text)
    )


def terminal(home, root, *arguments):
    """What a command in a terminal says, to people and as JSON."""
    told = ""
    for form in ((), ("--json",)):
        ended = subprocess.run(
            [sys.executable, "-m", "tutor_lsp", *arguments, *form],
            env={**os.environ, "TUTOR_LSP_HOME": str(home)}, cwd=root, text=True,
            capture_output=True, timeout=60, check=False,
        )  # fmt: skip
        told += ended.stdout + ended.stderr
        assert "Traceback" not in told, told
    return told


def without_vaults(record):
    """An exported record but for the exercises' own files, without which nobody could go on."""
    whole = json.loads(record.read_text())
    for exercise in whole["exercises"].values():
        assert exercise.pop("vault")
    return json.dumps(whole, ensure_ascii=False)


async def look_everywhere(ed, uri):
    """Ask for all that an editor asks for about a file."""
    for line in range(len(ed.texts[uri].split("\n"))):
        await ed.hover(uri, line, 1)
        await ed.actions(uri, line)
    await ed.lenses(uri)


KINDS = [kind for kind in UnitKind if kind is not UnitKind.BODY]
CASES = [
    pytest.param("python", [UnitKind.PREDICT], id="python"),
    pytest.param("python", KINDS, id="python, all kinds"),
    pytest.param("rust", KINDS, id="rust, all kinds", marks=pytest.mark.cargo),
    pytest.param("c", KINDS, id="c, all kinds"),
]


@pytest.mark.long("asks for everything, in an editor and in a terminal")
@pytest.mark.parametrize(("language", "kinds"), CASES)
async def test_no_message_file_or_output_has_a_value_before_it_is_met(tmp_path, language, kinds):
    it, home = LANGUAGES[language], tmp_path / "home"
    shelf = library(tmp_path / "library", language, kinds)
    solution = shelf / f"{language}-weather-notes" / "solution"
    values = (WATER, it.right[1].split()[-1].strip('"'))
    options = {"libraries": [str(shelf)], "debounceMs": 0}
    async with editor(home, options=options) as ed:
        messages = heard(ed)
        ready = await ed.start(language=language, node=f"{language}-weather", trust=True)
        root = Path(ready["workspace"])
        uri = ed.open(root / it.answers)
        given = ed.texts[uri]
        unit = next(u["id"] for u in ready["units"] if u["file"] == it.answers)
        others = sorted({u["file"] for u in ready["units"]} - {it.answers})
        for number, answers in enumerate(it.tries):
            ed.save(uri, it.text(given, *answers))
            await ed.command("tutor.status")
            await look_everywhere(ed, uri)
            report = await ed.command("tutor.check")
            states = {test["outcome"] for test in report["tests"] if test["unit"] == unit}
            assert states <= {"todo", "failed", "errored"}, (number, states)
            await look_everywhere(ed, uri)
            hint = await ed.command("tutor.hint", {"unit": unit})
            if number % 2 and len(others) > 1:  # what else there is comes along
                file = others.pop()
                other = ed.open(root / file)
                ed.save(other, (solution / file).read_text())
                await look_everywhere(ed, other)
        assert "line by line:" in hint["text"]
        attempted = await ed.command("tutor.attempt")
        assert attempted["report"]["outcome"] == "failed"
        for name in ("tutor.review", "tutor.report", "tutor.sessions", "tutor.choices"):
            await ed.command(name)
        await ed.command("tutor.ask", {"unit": unit, "question": "What does it give?"})
        await ed.refused("tutor.compare", {"unit": unit})
        await ed.command("tutor.reset", {"unit": unit})
        await ed.command("tutor.reset", {"undo": True})
        record = tmp_path / "record.json"
        said = [
            (" ".join(verb), terminal(home, root, *verb))
            for verb in (
                ("check",), ("hint", "--unit", unit), ("status",), ("attempt",), ("review",),
                ("sessions",), ("report",), ("export", str(record)),
            )
        ]  # fmt: skip
        assert telling([("a message", text) for text in messages], values) == []
        assert telling(said, values) == []
        assert telling(texts_below(root), values) == []
        rows = {where for where, text in rows_of(home) if telling([("", text)], values)}
        assert rows <= {"exercises"}
        kept = [(name, text) for name, text in texts_below(home) if ".db" not in name]
        assert telling(kept, values) == []
        assert telling([("the record", without_vaults(record))], values) == []
        assert any("is not `38`" in text for _, text in said), said
        assert len(messages) > 100
        ed.save(uri, it.text(given, *it.right))
        report = await ed.command("tutor.check")
        states = {test["outcome"] for test in report["tests"] if test["unit"] == unit}
        assert states == {"passed"}
