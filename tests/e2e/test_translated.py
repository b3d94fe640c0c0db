"""A session in another language: nothing that the tutor says stays English."""

import re

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from editor import editor, line_of
from placeholders import with_body
from solutions import solve_unit

from tutor_lsp.languages.registry import languages
from tutor_lsp.library.loader import BUNDLED, Library, load_curriculum
from tutor_lsp.tutor.voice.voice import LOCALES

pytestmark = pytest.mark.first(3)

LOCALE = "de"
KEPT = re.compile(
    r"{\w*}|`[^`]*`|\btutor\.\w+(?: with {{?.*?}}?)?|tutor-lsp restore --record"
    r"|[\w.]*/[\w./]+|LESSON\.md"
)
"""What is the same in every language: places, code, commands and paths."""


def other(text):
    """A text in a language whose letters are not ASCII's."""
    parts = KEPT.split(text)
    kept = KEPT.findall(text)
    wide = [re.sub("[A-Za-z]", lambda c: chr(ord(c[0]) + 0xFEE0), part) for part in parts]
    return "".join(a + b for a, b in zip(wide, [*kept, ""], strict=True))


@pytest.fixture
def translated(tmp_path):
    """A folder with the other language's one file."""
    with (LOCALES / "tutor_lsp.pot").open("rb") as file:
        catalogue = read_po(file, locale=LOCALE)
    for message in catalogue:
        if message.id:
            pair = isinstance(message.id, tuple)
            message.string = tuple(map(other, message.id)) if pair else other(message.id)
    catalogue.header_comment = ""
    catalogue.fuzzy = False
    folder = tmp_path / "locale" / LOCALE / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "tutor_lsp.mo").open("wb") as file:
        write_mo(file, catalogue)
    return folder.parents[1]


def english(text, content):
    """The English words of a text that are neither code nor what the exercise says."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    for known in sorted(content, key=len, reverse=True):
        text = text.replace(known, "")
    text = KEPT.sub("", text)
    return re.findall(r"[A-Za-z]{3,}.*", text)


DATA = frozenset(
    [
        "actual",
        "argument",
        "backend",
        "command",
        "createdAt",
        "depth",
        "exerciseId",
        "expected",
        "file",
        "files",
        "filesHash",
        "folder",
        "home",
        "id",
        "jobId",
        "kind",
        "language",
        "layout",
        "lesson",
        "name",
        "node",
        "oneLine",
        "outcome",
        "output",
        "progress",
        "quote",
        "runId",
        "session",
        "sessionId",
        "severity",
        "source",
        "state",
        "stub",
        "tag",
        "tags",
        "target",
        "tests",
        "textHash",
        "unit",
        "updatedAt",
        "verdict",
        "version",
        "workspace",
    ]
)
"""Keys of what is data; `oneLine` is cut anywhere, and whole beside it."""


def texts_of(value, keys=()):
    """All texts below a JSON value that are for people."""
    if isinstance(value, str):
        yield ".".join(keys), value
    elif isinstance(value, dict):
        for key, item in value.items():
            if key not in DATA:
                yield from texts_of(item, (*keys, key))
    elif isinstance(value, list):
        for item in value:
            yield from texts_of(item, keys)


def content_of(exercise):
    """What the exercise says, and the curriculum."""
    known = load_curriculum()
    for node in known.nodes:
        yield from (node.title, node.id)
    yield from (track.title for track in known.tracks)
    yield from (entry.title for entry in Library([BUNDLED]).entries())
    for unit in exercise.entry.units:
        yield from (unit.stub, unit.first_principle, unit.lesson_heading, unit.id, *unit.tests)
        for text in exercise.hints[unit.id]:
            yield from re.split(r"(?<=[.!?:]) ", " ".join(text.split()))
    yield exercise.entry.folder
    yield from (
        "library",
        "python",
        "rust",
        *(language.name for language in languages().values() if len(language.name) > 1),
        "tutor-lsp",
        "NO_MODEL",
        "position, question, session, unit, uri",
        "uni ",
    )


async def test_a_session_speaks_the_learner_s_language(tmp_path, translated):
    said = {}

    def hear(where, *values):
        for value in values:
            for key, text in texts_of(value):
                said.setdefault((where, key, text))

    async with editor(
        tmp_path / "home",
        profile="visual-studio-code@v1.65",
        environment={"TEXTDOMAINDIR": str(translated)},
        locale=LOCALE,
    ) as ed:
        hear("nothing open", (await ed.refused("tutor.check"))["message"])
        ready = await ed.start(language="python")
        hear("ready", ready)
        library = Library([BUNDLED])
        entry = next(e for e in library.entries("python") if e.node == ready["node"])
        exercise = library.load(entry)
        first = ready["units"][0]
        path = tmp_path / "home" / "exercises" / ready["workspace"] / first["file"]
        uri = ed.open(path)
        await ed.until(lambda: ed.diagnostics(uri, "todo"), "no todo on the stubs")
        hear("todo", *[d.message for d in ed.diagnostics(uri)])
        wrong = with_body(ed.texts[uri], first["stub"], "return -1")
        ed.save(uri, wrong)
        await ed.until(lambda: ed.diagnostics(uri, "test-failed"), "no failure after the save")
        hear("failed", *[d.message for d in ed.diagnostics(uri)])
        for d in ed.diagnostics(uri):
            hear("related", *[r.message for r in d.related_information or ()])
        stub_line = line_of(ed.texts[uri], f"def {first['stub']}(")
        cue = line_of(ed.texts[uri], "Start here:")
        hear("check", await ed.command("tutor.check"))
        hear("action", *[a.title for a in await ed.actions(uri, cue)])
        hear("hint", await ed.command("tutor.hint"))
        hear("hover", await ed.hover(uri, stub_line, 5), await ed.hover(uri, cue, 5))
        hear("action", *[a.title for a in await ed.actions(uri, cue)])
        hear("action", *[a.title for a in await ed.actions(uri, stub_line)])
        hear("lens", *[lens.command.title for lens in await ed.lenses(uri)])
        hear("attempt", await ed.command("tutor.attempt"))
        hear("status", await ed.command("tutor.status"))
        hear("sessions", await ed.command("tutor.sessions"))
        for rows in ("start", "sessions", "units", "topics"):
            hear("choices", await ed.command("tutor.choices", {"list": rows}))
        hear("unknown", (await ed.refused("tutor.start", {"node": "x"}))["message"])
        hear("argument", (await ed.refused("tutor.hint", {"uni": 1}))["message"])
        hear("reveal", (await ed.refused("tutor.reveal"))["message"])
        hear("question", await ed.command("tutor.hint", {"question": "why?"}))
        for unit in ready["units"]:
            ed.change(uri, solve_unit(exercise, ed.texts[uri], unit))
        ed.save(uri)
        await ed.until(lambda: not ed.diagnostics(uri), "diagnostics stay on a solved exercise")
        hear("passed", await ed.command("tutor.attempt"))
        hear("solved hint", (await ed.refused("tutor.hint"))["message"])
        hear("lens", *[lens.command.title for lens in await ed.lenses(uri)])
        hear("end", await ed.command("tutor.end"))
        hear("notified", *[item for items in ed.notified.values() for item in items])
        hear("message", *[message.message for message in ed.client.messages])
    content = [*content_of(exercise), str(tmp_path), ready["sessionId"][:8]]
    left = {
        (where, key, text): found for where, key, text in said if (found := english(text, content))
    }
    assert len(said) > 100
    assert not left
