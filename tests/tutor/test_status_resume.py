"""`tutor.status` says what waits: an exercise to continue, topics to review."""

import shutil

from tutor_lsp.core.session import MemoryCard, NodeRecord


async def test_nothing_waits_for_a_beginner(t):
    status = await t.do("status")
    assert (status["resume"], status["due"], status["dueWords"]) == (None, 0, "")


async def test_the_exercise_in_use_comes_first_then_any_other_that_is_there(t):
    first = await t.start(node="python-strings")
    ready = await t.start(node="python-functions")
    row = (await t.do("status"))["resume"]
    assert row["label"] == f"Continue: {ready['title']}, 0 of {len(ready['units'])}"
    assert (row["command"], row["argument"]) == ("tutor.resume", {"session": ready["sessionId"]})
    assert (await t.do("status", session=ready["sessionId"]))["resume"] == row
    await t.do("end")
    assert (await t.do("status", session=ready["sessionId"]))["resume"] is None
    row = (await t.do("status"))["resume"]
    assert row["argument"] == {"session": first["sessionId"]}
    shutil.rmtree(first["workspace"])
    assert (await t.do("status"))["resume"] is None


async def test_topics_that_are_due_are_counted_in_all_languages(t):
    past, future = "2001-01-01T00:00:00+00:00", "2999-01-01T00:00:00+00:00"
    for node, language, due in (("a", "c", past), ("b", "rust", past), ("d", "c", future)):
        record = NodeRecord(node, language, card=MemoryCard(1.0, 5.0, due, past))
        await t.app.services.db(lambda tx, record=record: tx.put_node(record))
    status = await t.do("status")
    assert (status["due"], status["dueWords"]) == (2, "2 topics are due for review")
