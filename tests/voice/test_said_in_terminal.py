"""Nothing that the server says of a result is lost on its way through the terminal's layout."""

import io
import re
from collections import Counter

import pytest
from said_samples import SAMPLES

from tutor_lsp.cli.screen import render
from tutor_lsp.cli.screen.out import Out
from tutor_lsp.cli.work.perform import RENDER
from tutor_lsp.library.markdown import as_text
from tutor_lsp.tutor.voice.say import spoken
from tutor_lsp.tutor.voice.voice import Voice

NOT_SHOWN = {"start", "next"}
"""The terminal waits, and shows the exercise that is ready instead, as `resume` does."""


def printed(name):
    """What a verb prints of a sample, without colours."""
    command, result = SAMPLES[name]
    stream = io.StringIO()
    show = RENDER.get(command.removeprefix("tutor."), render.say)
    show(Out(stream), None if result is None else spoken(Voice(), command, result))
    return stream.getvalue()


def words(text):
    return Counter(re.findall(r"\w+|[✓✗○…!]", text))


@pytest.mark.parametrize("name", sorted(SAMPLES.keys() - NOT_SHOWN - {"open", "no review"}))
def test_all_that_is_said_is_printed(name):
    command, result = SAMPLES[name]
    title, _, body = spoken(Voice(), command, result)["say"]["markdown"].partition("\n\n")
    shown = printed(name)
    assert words(as_text(body)) - words(shown) == Counter()
    assert title.removeprefix("# ").lower() in shown.lower()
    assert not re.search(r"^(?:#|```)|\*\*", shown, re.MULTILINE), "no mark of Markdown is left"


def test_a_place_and_what_is_not_there_are_printed():
    assert printed("open") == "src/movie.py:14\n"
    assert printed("no review").startswith("There is no review yet")
