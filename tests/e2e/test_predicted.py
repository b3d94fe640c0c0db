"""The value that a unit asks for is in nothing that anybody gets before it is met."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from editor import editor

from tutor_lsp.authoring.own.new_exercise import new_exercise
from tutor_lsp.core.exercise.exercise import UnitKind

FILE, UNIT = "src/exercise/answers.py", "ex-4"
RIGHT = ("37686", "#-#.")
"""What the program gives; neither stands in it, nor in its tests."""
SMALL, LARGE = "[20, 31, 4]", "[20000, 31000, 400]"


def library(folder):
    """A library with an exercise whose values are not to be mistaken."""
    made = folder / "python-weather-notes"
    new_exercise(made, "python", kinds=[UnitKind.PREDICT])
    changes = {
        "src/exercise/gauge.py": [("FULL = 40", "FULL = 40000"), ("LOST = 5", "LOST = 1357")],
        FILE: [(SMALL, LARGE)],
        f"solution/{FILE}": [(SMALL, LARGE), ("34", RIGHT[0])],
        "tests/test_answers.py": [(SMALL, LARGE)],
    }
    for name, pairs in changes.items():
        path = made / name
        text = path.read_text()
        for old, new in pairs:
            assert old in text
            text = text.replace(old, new)
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


def telling(texts):
    return sorted({f"{where}: {each}" for where, text in texts for each in RIGHT if each in text})


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


async def look_everywhere(ed, uri):
    """Ask for all that an editor asks for about a file."""
    for line in range(len(ed.texts[uri].split("\n"))):
        await ed.hover(uri, line, 1)
        await ed.actions(uri, line)
    await ed.lenses(uri)


@pytest.mark.long("asks for everything, in an editor and in a terminal")
async def test_no_message_file_or_output_has_a_value_before_it_is_met(tmp_path):
    home, shelf = tmp_path / "home", library(tmp_path / "library")
    options = {"libraries": [str(shelf)], "debounceMs": 0}
    async with editor(home, options=options) as ed:
        messages = heard(ed)
        ready = await ed.start(language="python", node="python-weather", trust=True)
        root = Path(ready["workspace"])
        uri = ed.open(root / FILE)
        given = ed.texts[uri]

        def answers(water, signs):
            text = given.replace("WATER = ...", f"WATER = {water}")
            return text.replace("SIGNS = ...", f"SIGNS = {signs}")

        tries = [
            answers("...", "..."),
            answers("35", "..."),
            answers("[1, 2", '"ab"'),
            answers("gauge.level([20000, 31000, 400])", '"##"'),
            "print(__import__('exercise.gauge'))\n" + answers("36", '"-.-"'),
            answers("37", '"-.-"'),
            answers("38", "None"),
        ]
        for number, text in enumerate(tries):
            ed.save(uri, text)
            await ed.command("tutor.status")
            await look_everywhere(ed, uri)
            report = await ed.command("tutor.check")
            states = {test["outcome"] for test in report["tests"] if test["unit"] == UNIT}
            assert states <= {"todo", "failed", "errored"}, (number, states)
            await look_everywhere(ed, uri)
            hint = await ed.command("tutor.hint", {"unit": UNIT})
        assert "line by line:" in hint["text"]
        attempted = await ed.command("tutor.attempt")
        assert attempted["report"]["outcome"] == "failed"
        for name in ("tutor.review", "tutor.report", "tutor.sessions", "tutor.choices"):
            await ed.command(name)
        await ed.command("tutor.ask", {"unit": UNIT, "question": "What does it give?"})
        await ed.refused("tutor.compare", {"unit": UNIT})
        await ed.command("tutor.reset", {"unit": UNIT})
        await ed.command("tutor.reset", {"undo": True})
        said = [
            (" ".join(verb), terminal(home, root, *verb))
            for verb in (
                ("check",), ("hint", "--unit", UNIT), ("status",), ("attempt",), ("review",),
                ("sessions",), ("report",), ("export", str(tmp_path / "record.json")),
            )
        ]  # fmt: skip
        assert telling([("a message", text) for text in messages]) == []
        assert telling(said) == []
        assert telling(texts_below(root)) == []
        assert {where for where, text in rows_of(home) if telling([("", text)])} <= {"exercises"}
        others = [(name, text) for name, text in texts_below(home) if ".db" not in name]
        assert telling(others) == []
        assert any("is not `38`" in text for _, text in said), said
        assert len(messages) > 100
        ed.save(uri, answers(RIGHT[0], repr(RIGHT[1])))
        report = await ed.command("tutor.check")
        states = {test["outcome"] for test in report["tests"] if test["unit"] == UNIT}
        assert states == {"passed"}
