"""A reference that is copied line by line is held back, however plainly its lines are marked.

Each form is tried with units of the bundled library; with TUTOR_HINTS=all with all of them.
"""

import html
import os
import textwrap

import hints
import pytest
from open_kit import LIBRARY

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies

ALL = os.environ.get("TUTOR_HINTS") == "all"
FORMS = {
    "plain": lambda lines, _: ("Do this:\n" + "\n".join(lines), None),
    "bullets": lambda lines, _: ("Do this:\n" + "\n".join(f"* {x}" for x in lines), None),
    "dashes": lambda lines, _: ("Do this:\n" + "\n".join(f"- {x}" for x in lines), None),
    "bold": lambda lines, _: ("\n".join(f"**{x.strip()}**" for x in lines), None),
    "html": lambda lines, _: (f"<pre><code>{html.escape(chr(10).join(lines))}</code></pre>", None),
    "quoted fence": lambda lines, _: ("\n".join(f"> {x}" for x in ["```", *lines, "```"]), None),
    "numbered fence": lambda lines, _: ("\n".join(["```", *numbered(lines), "```"]), None),
    "numbers in code": lambda lines, _: ("Do this.", "\n".join(numbered(lines))),
    "comments in code": lambda lines, mark: ("So:", "\n".join(f"{mark} {x}" for x in lines)),
    "break tags": lambda lines, _: ("So:<br>" + "<br>\n".join(lines), None),
    "numbered list": lambda lines, _: (
        "\n".join(f"{n}) {x}" for n, x in enumerate(lines, 1)),
        None,
    ),
    "pre in code": lambda lines, _: ("Do this.", "\n".join(["<pre>", *lines, "</pre>"])),
}
UNITS = {
    "python": [
        "python-functions-movie-night ex-4",
        "python-comprehensions-seats-together ex-5",
        "python-loops-bike-tour ex-3",
    ],
    "rust": ["rust-control-flow-progress-line ex-2", "rust-enums-match-music-player ex-3"],
    "c": [
        "c-arrays-high-scores ex-2",
        "c-pointers-robot-orders ex-2",
        "c-functions-kitchen-timer ex-4",
    ],
}
LANGUAGES = ["python", pytest.param("rust", marks=pytest.mark.cargo), "c"]


def numbered(lines):
    return [f"{at}: {line}" for at, line in enumerate(lines, 1)]


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("copies")
    return hints.Desk(folder, ShadowCopies(folder / "home"))


def units(desk, language):
    """Units, each with the lines of its reference."""
    for entry in LIBRARY.entries(language):
        if not ALL and not any(on.split()[0] == entry.folder for on in UNITS[language]):
            continue
        opened = desk.exercise({"folder": entry.folder, "language": language})
        for unit in opened.exercise.units:
            on = f"{entry.folder} {unit.id}"
            if ALL or on in UNITS[language]:
                hint = {"on": on, "folder": entry.folder, "unit": unit.id, "language": language}
                yield hint, reference(opened, unit)


def reference(opened, unit):
    solution = opened.vault.solution[unit.file]
    if unit.kind is not UnitKind.BODY:
        lines = solution.partition("\n\n")[2].split("\n")
        return [line for line in lines if line.strip()]
    site = next(s for s in opened.functions(solution) if s.name == unit.stub)
    body = solution[site.body_start : site.body_end].strip("{} \n")
    start = solution.index(body, site.body_start)
    line = solution.rfind("\n", 0, start) + 1
    lines = textwrap.dedent(" " * (start - line) + body).split("\n")
    return [line for line in lines if line.strip()]


def is_one_step(desk, hint, lines):
    """Whether a reference adds one line, which the last hint may say."""
    opened = desk.exercise(hint)
    unit = opened.exercise.unit(hint["unit"])
    given = opened.exercise.starter[unit.file].split("\n") if unit.kind.given_broken else ()
    return len([line for line in lines if line not in given]) < 2


@pytest.mark.first(3)
@pytest.mark.parametrize("level", [2, 3])
@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_plain_copy_of_a_reference_is_held_back(desk, language, level):
    mark = "#" if language == "python" else "//"
    shown = [
        f"{hint['on']}: {name}"
        for hint, lines in units(desk, language)
        if level == 2 or not is_one_step(desk, hint, lines)
        for name, form in FORMS.items()
        for text, code in [form(lines, mark)]
        if await desk.check({**hint, "text": text, "code": code}, level) is None
    ]
    assert not shown


@pytest.mark.first(1)
@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_last_hint_may_say_one_line_and_what_the_learner_has(desk, language):
    for hint, lines in units(desk, language):
        if desk.exercise(hint).exercise.unit(hint["unit"]).kind is UnitKind.PREDICT:
            continue  # of what a program gives no hint may say anything
        mine = {"mine": "\n".join(lines)}
        said = [{"text": f"Do this:\n{line}"} for line in lines]
        said.append({"text": "\n".join(["You wrote:", *lines]), **mine})
        held = [each["text"] for each in said if await desk.check({**hint, **each}, 3) is not None]
        assert not held, hint["on"]
