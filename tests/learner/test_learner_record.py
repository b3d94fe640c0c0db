"""The learner's record in real sessions: cards, claims, misconceptions, own topics."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.learner.spacing import read_time, text_of
from tutor_lsp.core.session import Citation, NodeRecord, OwnTopic, Place, Review, TagRecord
from tutor_lsp.tutor.learner.mastery import keep_hint_tags, keep_review

NODE = "python-functions"


def later(me, days):
    """Move the learner's clock."""
    moment = datetime.now(UTC) + timedelta(days=days)
    me.app.services.now = lambda: text_of(moment)


async def record(me, node=NODE):
    return await me.app.services.db(lambda tx: tx.node(node.partition("-")[0], node))


async def in_curriculum(me, node):
    found = await me.do("curriculum")
    return next(each for each in found["nodes"] if each["id"] == node)


async def test_a_pass_makes_a_card_and_the_node_comes_up_when_it_is_due(me):
    passed = await me.pass_exercise(node=NODE)
    card = (await record(me)).card
    assert card.reviews == 1
    assert read_time(card.due) > read_time(card.last_review)
    assert (await in_curriculum(me, NODE))["due"] is False
    assert NODE not in [each["node"] for each in passed["next"]]
    await me.do("end")

    later(me, 30)
    assert (await in_curriculum(me, NODE))["due"] is True
    recommended = (await me.do("curriculum", language="python"))["recommended"]["python"]
    assert recommended[0]["node"] == NODE
    assert recommended[0]["reason"].startswith("Due for review")

    await me.start(node="python-strings")
    unfinished = (await me.do("curriculum", language="python"))["recommended"]["python"]
    assert NODE not in [each["node"] for each in unfinished]
    ended = await me.do("end")
    assert ended["recommendations"][0]["node"] == NODE


async def test_at_most_one_due_node_is_offered_at_a_time(me):
    first = await me.start(node=NODE)
    second = await me.start(node="python-strings")
    for session in (first, second):
        await me.solve(session)
        await me.do("attempt", session=session["sessionId"])
    later(me, 40)
    recommended = (await me.do("curriculum", language="python"))["recommended"]["python"]
    assert [each["reason"].startswith("Due") for each in recommended] == [True, False, False]


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_clock_that_goes_back_breaks_nothing(me):
    later(me, 3650)
    await me.pass_exercise(node=NODE)
    later(me, -400)
    assert (await in_curriculum(me, NODE))["due"] is False
    await me.start(node="python-strings")
    ended = await me.do("end")
    assert ended["recommendations"]
    card = (await record(me)).card
    assert read_time(card.last_review) <= datetime.now(UTC)
    sessions = await me.do("sessions")
    assert len(sessions) == 2
    assert (await me.do("report"))["path"]


async def test_a_challenge_passed_unaided_at_once_claims_what_it_builds_on(me):
    result = await me.pass_exercise(node="python-lists", challenge=True)
    assert set(result["claimed"]) == {"python-functions", "python-strings"}
    assert "counts as known" in result["note"]
    assert (await in_curriculum(me, "python-strings"))["claimed"] is True
    assert "built on" in (await me.do("end"))["summary"]


@pytest.mark.first(1)
@pytest.mark.parametrize("help_first", ["hint", "failing attempt"])
async def test_a_challenge_with_help_or_at_a_later_attempt_claims_nothing(me, help_first):
    session = await me.start(node="python-strings", challenge=True)
    await me.do("hint" if help_first == "hint" else "attempt")
    await me.solve(session)
    result = await me.do("attempt")
    assert result["report"]["outcome"] == "passed"
    assert result["claimed"] == []
    assert (await in_curriculum(me, NODE))["claimed"] is False


async def test_tags_of_reviews_and_hints_are_counted_with_their_place(me):
    session = await me.start(node=NODE)
    tag = me.app.services.curriculum.node(NODE).tags[0]
    await me.do("attempt")
    kept = await me.app.exercises.find_session(session["sessionId"])
    cited = Citation(tag, Place("src/exercise/tickets.py", 9, 9, "return 1"), "test_y")
    review = Review("FAIL", 30, "Not yet.", tags=(tag,), cited=(cited,))
    at = me.app.services.now()

    def work(tx):
        keep_review(tx, me.app.services.curriculum, kept, kept.attempts[-1], review, at)
        cited = {"file": "src/exercise/tickets.py", "line": 3, "test": "test_x"}
        again = keep_hint_tags(
            tx, me.app.services.curriculum, kept, [tag, "no-such-tag"], cited, at
        )
        other = me.app.services.curriculum.node(NODE).tags[1]
        return again, keep_hint_tags(tx, me.app.services.curriculum, kept, [other], cited, at)

    again, other = await me.app.services.db(work)
    assert again == ()
    assert len(other) == 1
    assert {name: each.count for name, each in (await record(me)).tags.items()} == {
        tag: 1,
        other[0]: 1,
    }
    events = await me.app.services.db(lambda tx: tx.events(kind="misconception"))
    assert [event["data"]["source"] for event in events] == ["review", "coach"]
    assert (events[0]["data"]["line"], events[0]["data"]["test"]) == (9, "test_y")
    assert events[1]["data"]["line"] == 3


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_tag_of_a_hint_and_then_of_reviews_is_one_sighting_and_then_more(me):
    session = await me.start(node=NODE)
    tag = me.app.services.curriculum.node(NODE).tags[0]
    await me.do("attempt")
    kept = await me.app.exercises.find_session(session["sessionId"])
    place = {"file": "src/exercise/movie.py", "line": 3, "test": "test_x"}
    cited = Citation(tag, Place("src/exercise/movie.py", 9, 9, "return 1"), "test_y")
    review = Review("FAIL", 30, "Not yet.", tags=(tag,), cited=(cited,))
    at = me.app.services.now()
    counts = []

    def work(tx):
        keep_hint_tags(tx, me.app.services.curriculum, kept, [tag], place, at)
        for _ in range(2):
            counts.append(tx.node("python", NODE).tags[tag].count)
            keep_review(tx, me.app.services.curriculum, kept, kept.attempts[-1], review, at)
        counts.append(tx.node("python", NODE).tags[tag].count)

    await me.app.services.db(work)
    assert counts == [1, 1, 2]


async def test_an_open_misconception_brings_the_passed_node_up_first(me):
    tag = me.app.services.curriculum.node(NODE).tags[0]
    await me.app.services.db(
        lambda tx: tx.put_node(NodeRecord(NODE, "python", tags={tag: TagRecord(count=2)}))
    )
    result = await me.pass_exercise(node=NODE)
    assert result["next"][0]["node"] == NODE
    assert "a short section covers it" in result["next"][0]["reason"]


async def test_own_topics_are_kept_per_language_and_listed_like_nodes(me):
    own = OwnTopic("Parsing chess moves", "Chess moves", "D2")
    await me.app.services.db(lambda tx: tx.put_node(NodeRecord("topic-chess", "python", own=own)))
    listed = await in_curriculum(me, "topic-chess")
    assert (listed["own"], listed["language"], listed["openable"]) == (True, "python", False)
    tracks = (await me.do("curriculum", language="python"))["tracks"]
    assert tracks[-1]["nodes"] == ["topic-chess"]
    assert all(
        "topic-chess" not in each["nodes"]
        for each in (await me.do("curriculum", language="rust"))["tracks"]
    )
    assert (await me.do("claim", node="topic-chess", known=True))["claimed"] is True
    assert (await in_curriculum(me, "topic-chess"))["claimed"] is True
    with pytest.raises(TutorError) as caught:
        await me.do("start", node="topic-chess", backend="library")
    assert "Parsing chess moves" in caught.value.message


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_short_review_leaves_mastery_alone(me):
    session = await me.start(node=NODE)
    await me.do("attempt")
    kept = replace(await me.app.exercises.find_session(session["sessionId"]), review_of="another")
    at = me.app.services.now()
    review = Review("PASS", 100, "Well done.")

    def work(tx):
        keep_review(tx, me.app.services.curriculum, kept, kept.attempts[-1], review, at)
        return tx.node("python", NODE)

    after = await me.app.services.db(work)
    assert after.mastery == 0
    assert after.passed_depths == ()
    assert after.card is not None
