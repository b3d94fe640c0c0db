"""Every list, answer and line says the same of how far an exercise is."""

import re
from dataclasses import replace

import pytest
from tutor_kit import solve, stub_file, tutor

from tutor_lsp.cli.screen import watch_view
from tutor_lsp.tutor.ide.diagnostics import diagnostics
from tutor_lsp.tutor.ide.lenses import lenses
from tutor_lsp.tutor.learner.standings import standing_info

pytestmark = pytest.mark.first(3)

SLIP = ("return hours * 60 + minutes", " return hours * 60 + minutes")
WORSE = ("return hours * 60 + minutes", "return 71111")
OLD = "3 of 4 before this edit"


@pytest.fixture
async def t(tmp_path):
    async with tutor(tmp_path / "home") as found:
        yield found


async def three_of_four(t):
    """An exercise with three of four units solved and checked; the open exercise."""
    ready = await t.start(language="python")
    solve(ready)
    path = stub_file(ready)
    path.write_text(path.read_text().replace("def bus_note", "def bus_note_"))
    await t.do("check")
    return t.app.exercises.opened_of(path)


def in_watch(view):
    """What `watch` says of the units, without the word that names them."""
    counted = watch_view.frame(view, [], "").head[1][2].strip()
    return counted.removeprefix("units: ").removesuffix(" units")


async def what_is_said(t, opened):
    """The progress in every place that tells it."""
    status = await t.do("status")
    (row,) = await t.do("sessions")
    one_line = status["say"]["oneLine"]
    view = opened.view()
    going_on = (await t.do("choices"))[0]
    return {
        "status": status["session"]["standing"]["words"],
        "list": row["standing"]["words"],
        "pushed": standing_info(view.standing).words,
        "message": one_line.partition(": ")[2].partition(".")[0].removesuffix(" units pass"),
        "watch": in_watch(view),
    }, (row, status, going_on)


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (("", ""), "3 of 4"),
        (SLIP, OLD),
        (WORSE, OLD),
        (("def ends_at", "x = 1\n\n\ndef ends_at"), OLD),
    ],
)
async def test_all_places_tell_the_same_of_a_text(t, edit, words):
    opened = await three_of_four(t)
    path = opened.root / opened.exercise.units[0].file
    path.write_text(path.read_text().replace(*edit, 1))
    opened.parses()
    told, (row, status, going_on) = await what_is_said(t, opened)
    assert set(told.values()) == {words}, told
    passing = 0 if words == OLD else 3
    assert row["unitsPassing"] == status["session"]["standing"]["unitsPassing"] == passing
    assert sum(unit["state"] == "passing" for unit in status["units"]) == passing
    assert sum(unit["passed"] for unit in status["units"]) == 3
    assert ("before" in going_on["detail"]) is (words == OLD)


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_an_old_failure_beside_a_build_error_is_marked_everywhere(t):
    ready = await t.start(language="python")
    solve(ready)
    path = stub_file(ready)
    path.write_text(path.read_text().replace(*WORSE))
    await t.do("check")
    path.write_text(path.read_text().replace("return 71111", "return 71111 ("))
    assert (await t.do("check"))["outcome"] == "build_error"
    view = t.app.exercises.opened_of(path).view()
    file = view.units[0].unit.file
    failures = [d.message for d in diagnostics(view)[file] if d.code == "test-failed"]
    assert "71111" in failures[0]
    assert all("before this edit" in message for message in failures)
    assert lenses(view, file)[0][1].title == "ex-1 ✗ not yet · 0 of 3 before this edit"


async def passed(t, hints):
    ready = await t.start(language="python")
    for _ in range(hints):
        await t.do("hint")
    solve(ready)
    assert (await t.do("attempt"))["review"]["verdict"] == "PASS"
    return ready


@pytest.mark.first(1)
@pytest.mark.parametrize(("hints", "words"), [(0, "passed"), (3, "passed with help")])
async def test_a_pass_is_a_pass_in_every_list(t, hints, words):
    ready = await passed(t, hints)
    nodes = (await t.do("curriculum", language="python"))["nodes"]
    (node,) = [node for node in nodes if node["id"] == ready["node"]]
    assert node["standing"] == words
    (listed,) = await t.do("choices", list="sessions")
    assert listed["detail"].split(" · ")[1] == words
    assert node["passed"]
    page = (t.home / "report.html") if (await t.do("report")) else None
    assert len(re.findall(rf"<td [^>]*>{words}\b", page.read_text())) == 2, (
        "in topics and exercises"
    )


async def test_continue_offers_no_finished_exercise(t):
    first = await t.start(language="python")
    await passed_here(t, first)
    assert not [row for row in await t.do("choices") if row["kind"] == "session"]
    second = await t.start(language="rust")
    await t.do("resume", session=first["sessionId"])
    (offered,) = [row for row in await t.do("choices") if row["kind"] == "session"]
    assert offered["argument"] == {"session": second["sessionId"]}
    assert (await t.do("resume"))["sessionId"] == second["sessionId"]


async def passed_here(t, ready):
    opened = t.app.exercises.opened_of(stub_file(ready))
    await t.app.exercises.change_session(opened, lambda session: replace(session, passed=True))
