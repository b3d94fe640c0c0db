"""A topic in one's own words is looked for where the learner is, then in the other languages."""

import pytest

from tutor_lsp.tutor.starting.free_topic import fitting_node

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
