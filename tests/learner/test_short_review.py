"""A topic that is due: one unit of the passed exercise, other values, proven by running it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.learner.spacing import text_of
from tutor_lsp.tutor.commands.parse_arguments import parse_arguments
from tutor_lsp.tutor.interface.arguments import StartArguments
from tutor_lsp.tutor.starting import refresher
from tutor_lsp.tutor.starting.resolve_start import decide

NODE = "c-functions"


def later(me, days):
    moment = datetime.now(UTC) + timedelta(days=days)
    me.app.services.now = lambda: text_of(moment)


async def due(me):
    """The topic passed and due."""
    first = await me.pass_exercise(node=NODE)
    await me.do("end")
    later(me, 30)
    return first["session"]


def read_tests(session):
    files = [file for file in session["files"] if file.startswith("tests/test_")]
    return "\n".join(Path(session["workspace"], file).read_text() for file in files)


async def test_starting_a_due_topic_reviews_one_unit_with_fresh_values(me):
    before = await due(me)
    session = await me.start(node=NODE)
    assert session["title"] == "Review: Kitchen timer"
    assert session["proof"]["ok"]
    (unit,) = session["units"]
    assert unit["state"] == "todo"
    tests = read_tests(session)
    assert len(unit["tests"]) == tests.count("void test_")
    assert read_tests(before) not in tests
    assert all(line in read_tests(before) for line in tests.split("\n")) is False
    assert unit["stub"] in Path(session["lesson"]).read_text()

    hint = await me.do("hint")
    assert hint["text"]
    await me.solve(session)
    result = await me.do("attempt")
    assert result["report"]["outcome"] == "passed"
    assert (result["mastery"]["before"], result["mastery"]["after"]) == (1, 1)
    assert result["note"] is None
    card = (await me.app.services.db(lambda tx: tx.node("c", NODE))).card
    assert card.reviews == 2
    assert card.due > me.app.services.now()
    await me.do("end")


async def planned(me, **arguments):
    """What a start comes to, without making it."""
    return await decide(
        me.app.exercises,
        parse_arguments("tutor.start", StartArguments, [arguments]),
    )


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_next_and_a_bare_start_come_to_the_review_that_is_due(me):
    await due(me)
    for arguments in ({"language": "c"}, {"node": NODE}, {"node": NODE, "backend": "library"}):
        plan = await planned(me, **arguments)
        assert plan.title == "Review: Kitchen timer"
        assert plan.review.number == 1


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_asking_for_more_than_the_topic_gives_the_whole_exercise(me):
    await due(me)
    for wish in ({"challenge": True}, {"depth": "D1"}, {"fresh": True}):
        assert (await planned(me, node=NODE, **wish)).review is None
    code = await planned(me, language="c", errorCode="-Wreturn-type")
    assert (code.node.id, code.review) == (NODE, None)


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_where_no_review_can_be_made_the_exercise_itself_comes(me, monkeypatch):
    before = await due(me)

    async def none(*_, **__):
        raise TutorError("NO_REVIEW", "nothing fits")

    monkeypatch.setattr("tutor_lsp.tutor.starting.refresher.make_review", none)
    session = await me.start(node=NODE)
    assert session["title"] == before["title"]
    kept = await me.app.exercises.find_session(session["sessionId"])
    assert kept.review_of == ""


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_topic_given_up_after_an_attempt_is_due_again_soon(me):
    await due(me)
    await me.start(node=NODE, challenge=True)
    await me.do("attempt")
    await me.do("end")
    card = (await me.app.services.db(lambda tx: tx.node("c", NODE))).card
    assert card.reviews == 2
    wait = datetime.fromisoformat(card.due) - datetime.fromisoformat(me.app.services.now())
    assert wait < timedelta(days=4)


def test_hard_units_come_first_and_each_review_begins_with_another():
    class Of:
        def __init__(self, **fields):
            self.__dict__.update(fields)

    units = [Of(id=f"ex-{n}") for n in (1, 2, 3)]
    progress = {"ex-3": Of(failing_texts=("a", "b"), revealed=False)}
    session = Of(progress=progress, hints=[Of(unit="ex-2")])

    def order(number):
        return refresher.DueReview(session, Of(id="x", units=units), None, number).units()

    assert order(1) == ["ex-3", "ex-2", "ex-1"]
    assert order(2) == ["ex-2", "ex-1", "ex-3"]
    assert order(4) == order(1)
