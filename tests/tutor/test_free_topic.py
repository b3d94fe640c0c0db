"""A topic in one's own words is looked for where the learner is, then in the other languages."""

import pytest

from tutor_lsp.tutor.interface.arguments import StartArguments
from tutor_lsp.tutor.starting import start
from tutor_lsp.tutor.starting.free_topic import fitting_node
from tutor_lsp.tutor.starting.resolve_start import StartPlan, decide

CASES = {
    "here first": ("strings", "python", False, "python-strings"),
    "elsewhere": ("lifetimes", "python", False, "rust-lifetimes"),
    "only where it was asked for": ("lifetimes", "python", True, None),
    "nowhere": ("quantum gravity", "python", False, None),
}


@pytest.mark.parametrize(("topic", "language", "only_there", "node"), CASES.values(), ids=CASES)
async def test_a_topic_of_another_language_is_found(t, topic, language, only_there, node):
    found = await fitting_node(t.app.services, topic, language, only_there)
    assert (found and found.id) == node


async def test_a_start_on_a_topic_opens_it_in_its_language(t):
    await t.start(language="python")
    ready = await t.start(topic="lifetimes")
    assert ready["language"] == "rust"


async def test_a_topic_that_nothing_fits_is_refused_without_naming_a_language(t):
    error = await t.refused("start", topic="quantum gravity")
    assert error.message.startswith("No topic fits “quantum gravity”")
    everywhere = ("python-strings", "rust-traits", "c-arrays")
    assert all(f"({node})" in error.message for node in everywhere)
    of_rust = await t.refused("start", topic="quantum gravity", language="rust")
    assert [f"({node})" in of_rust.message for node in everywhere] == [False, True, False]


async def test_an_id_that_is_nearly_one_is_guessed(t):
    error = await t.refused("start", node="python-list")
    assert error.message.startswith("There is no topic python-list. Did you mean python-lists? ")
    assert error.details == {"nearest": "python-lists"}
    none = await t.refused("start", node="quantum")
    assert none.message.startswith("There is no topic quantum. tutor.curriculum lists")


def planned(services, **given):
    return StartPlan("python", "D1", services.backends.library, **given)


async def test_a_model_is_told_that_is_known_what_the_learner_has_done(t):
    services = t.app.services
    node = services.curriculum.node("python-sorting")
    titles = [services.curriculum.node(each).title for each in node.prerequisites]
    plan = planned(services, node=node)
    brief, near = await start._briefs(services, plan)
    assert (brief.prerequisites, near) == ((), None)
    assert (await start._learner(services, plan)).unknown == tuple(titles)
    await t.do("claim", node=node.prerequisites[0], known=True)
    brief, _ = await start._briefs(services, plan)
    assert brief.prerequisites == (titles[0],)
    assert (await start._learner(services, plan)).unknown == tuple(titles[1:])


async def test_a_free_topic_is_told_with_the_node_that_it_is_near(t):
    services = t.app.services
    brief, near = await start._briefs(services, planned(services, topic="sort with a key"))
    node = services.curriculum.node("python-sorting")
    assert (brief, near.keywords, near.tags) == (None, node.keywords, node.tags)
    assert await start._briefs(services, planned(services, topic="quantum")) == (None, None)


@pytest.mark.parametrize(
    ("sentence", "node"),
    [
        ("I want to learn how to loop over a dictionary", "python-dicts"),
        ("Show me how to read a file line by line and count its words", "python-files"),
        ("write a function that gives up early when there is nothing to do", "python-functions"),
        ("a bank account with deposits and withdrawals", None),
    ],
)
async def test_a_sentence_is_told_with_the_node_that_it_names(t, sentence, node):
    plan = planned(t.app.services, topic=sentence)
    _, near = await start._briefs(t.app.services, plan)
    named = t.app.services.curriculum.node(node) if node else None
    assert (near and near.tags) == (named and named.tags)


SENTENCES = {
    "find the phone numbers in long letters by a regular expression": "python-regex",
    "how tests with pytest work for the little library of my chess club": "python-testing",
    "knitting patterns as sequences that never end, by a generator": "python-generators",
    "a shop that sells honey on the internet": None,
}


@pytest.mark.parametrize(("topic", "node"), SENTENCES.items())
async def test_a_whole_sentence_is_near_the_node_that_it_is_clearly_about(t, topic, node):
    services = t.app.services
    _, near = await start._briefs(services, planned(services, topic=topic))
    found = services.curriculum.node(node) if node else None
    assert (near and near.tags) == (found and found.tags)


async def test_the_error_that_a_start_is_about_reaches_the_model(t):
    plan = await decide(t.app.exercises, StartArguments(error_code="E0382"))
    assert plan.error_code == "E0382"
    assert (await start._learner(t.app.services, plan)).error_code == "E0382"
