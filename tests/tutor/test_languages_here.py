"""Languages whose tools are missing on this machine: offered last, and said once."""

import pytest

from tutor_lsp.core.ports import ToolStatus
from tutor_lsp.tutor.advice import look_for_tools

REMEDY = "Install Rust from https://rustup.rs, then start the server again."


@pytest.fixture
def missing(monkeypatch):
    """Takes the tools of a language away."""

    def take(t, language):
        async def probe():
            return [
                ToolStatus(name, found=False, works=False, remedy=REMEDY)
                for name in ("cargo", "rustc")
            ]

        monkeypatch.setattr(t.app.toolchains[language], "probe", probe)

    return take


async def test_languages_that_are_ready_come_first(t, missing):
    usual = t.app.taught
    missing(t, usual[0])
    # A list does not wait for the processes that tell it.
    await look_for_tools(t.app)
    found = await t.do("curriculum")
    assert found["languages"] == [*usual[1:], usual[0]]
    assert list(found["recommended"]) == found["languages"]
    assert (await t.do("curriculum", language=usual[0]))["languages"] == usual[:1]
    for language in usual:
        missing(t, language)
    assert (await t.do("curriculum"))["languages"] == usual


async def test_one_message_says_what_is_missing(t, missing):
    missing(t, "python")
    await t.start(language="python")
    told = [text for text in t.desk.said if "cannot run yet" in text]
    assert told == [f"The tests of this exercise cannot run yet: cargo, rustc. {REMEDY}"]
