"""A session in another language: nothing that the tutor says stays English."""

import pytest
from editor import editor, line_of
from made_up import LOCALE, content_of, english, translation, wide
from placeholders import with_body
from solutions import solve_unit

from tutor_lsp.library.loader import BUNDLED, Library

pytestmark = pytest.mark.first(3)

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


@pytest.mark.long("plays a whole session; test_report.py and what a plugin is sent stand for it")
async def test_a_session_speaks_the_learner_s_language(tmp_path):
    said = {}

    def hear(where, *values):
        for value in values:
            for key, text in texts_of(value):
                said.setdefault((where, key, text))

    async with editor(
        tmp_path / "home",
        profile="visual-studio-code@v1.65",
        environment={"TEXTDOMAINDIR": str(translation(tmp_path))},
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


async def test_a_plugin_s_own_texts_come_first_and_only_where_there_is_a_translation(tmp_path):
    folder = {"TEXTDOMAINDIR": str(translation(tmp_path)), "LANGUAGE": LOCALE}
    heard = {}
    for name, options, environment in (
        ("translated", {"texts": True}, folder),
        ("not asked for", {}, folder),
        ("English", {"texts": True}, {"LANGUAGE": "en"}),
    ):
        async with editor(tmp_path / name, options=options, environment=environment) as ed:
            await ed.command("tutor.status")
            heard[name] = ed.notified["tutor/texts"]
    assert (heard["not asked for"], heard["English"]) == ([], [])
    (sent,) = heard["translated"]
    assert sent["language"] == LOCALE
    said = sent["texts"].values()  # the client of these tests drops keys that are no names
    assert wide("Keep trying") in said
    assert wide("No exercise is open") not in said, "that is the server's own"
