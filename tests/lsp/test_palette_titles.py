"""`commandForm` with the titles of a palette."""

from typing import Any

from tutor_lsp.lsp.capabilities import client_flags
from tutor_lsp.tutor.voice.voice import Voice

SAID = "There is no review yet: tutor.attempt brings one, tutor.doctor looks after the tools."


def _voice(form: Any) -> Voice:
    return client_flags({"initializationOptions": {"commandForm": form}}).voice


def test_commands_have_the_titles_of_the_palette_else_our_own() -> None:
    form = {"template": '"Tutor: %s"', "titles": {"attempt": "Attempt", "doctor": None}}
    said = 'There is no review yet: "Tutor: Attempt" brings one, "Tutor: Check the tools" looks'
    assert _voice(form).commands.named(SAID).startswith(said)


def test_a_form_that_is_none_leaves_commands_as_they_are() -> None:
    for form in ({}, {"template": "Tutor"}, {"template": 1}, {"titles": {"attempt": "x"}}, 3, None):
        assert _voice(form).commands.named(SAID) == SAID
