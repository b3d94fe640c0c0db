"""Practise this error: from a code to an exercise, offline."""

from types import SimpleNamespace

import pytest
from handlers import answered
from lsprotocol import types as lsp

from tutor_lsp.core.errors import TutorError
from tutor_lsp.lsp.capabilities import ClientFlags
from tutor_lsp.lsp.features import code_action
from tutor_lsp.tutor.application.deferred_app import DeferredApp
from tutor_lsp.tutor.application.look_ahead import PracticeSearch
from tutor_lsp.tutor.starting.practise import Practices, likely_languages


@pytest.mark.parametrize(
    ("code", "arguments", "node"),
    [
        ("E0382", {}, "rust-ownership"),
        ("error[E0502]", {}, "rust-borrowing"),
        ("NameError", {"language": "python"}, "python-functions"),
        ("-Wsign-compare", {}, "c-arrays"),
        ("E0408", {}, "rust-control-flow"),  # no topic names it, but it is about a `match`
    ],
)
async def test_a_code_opens_an_exercise_on_it(me, code, arguments, node):
    begun = await me.do("start", errorCode=code, **arguments)
    assert begun["node"] == node
    assert (await me.ready(begun))["node"] == node


async def test_a_code_of_a_topic_without_exercise_names_the_nearest(me):
    with pytest.raises(TutorError) as caught:
        await me.do("start", errorCode="E0373", backend="library")
    assert caught.value.kind == "NO_EXERCISE"
    assert caught.value.details["nearest"] in caught.value.message


async def test_an_unknown_code_names_what_is_at_hand(me):
    with pytest.raises(TutorError) as caught:
        await me.do("start", errorCode="E9999")
    assert (caught.value.kind, caught.value.details["nearest"]) == ("NO_EXERCISE", "rust-functions")
    assert "rust-functions" in caught.value.message


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_an_exercise_that_is_passed_comes_after_one_that_is_not(me):
    code = {"errorCode": "maybe-uninitialized", "language": "c"}
    first = await me.pass_exercise(**code)
    assert first["session"]["node"] == "c-structs"
    assert (await me.do("start", **code))["node"] == "c-control-flow"


async def test_the_same_code_again_opens_what_was_begun_on_it(me):
    first = await me.start(errorCode="NameError", language="python")
    for left in (False, True):
        if left:
            await me.do("end")
        again = await me.start(errorCode="NameError", language="python")
        assert again["sessionId"] == first["sessionId"]
    other = await me.start(errorCode="NameError", language="python", fresh=True, backend="library")
    assert other["workspace"] != first["workspace"]
    assert len(await me.do("sessions")) == 2


def test_a_code_says_which_languages_it_may_belong_to():
    taught = ["python", "rust", "c"]
    assert likely_languages("E0499", taught) == ["rust"]
    assert likely_languages("-Wformat", taught) == ["c"]
    assert likely_languages("E722", taught) == taught


def test_only_bundled_practice_in_the_language_of_the_file_is_offered(tmp_path):
    practices = Practices()
    assert practices.find(["E0382"], tmp_path / "main.rs").node == "rust-ownership"
    assert practices.find(["E0382"], tmp_path / "main.py") is None
    assert practices.find(["E0373", "E0499"], tmp_path / "a.rs").node == "rust-borrowing"
    assert practices.find(["E0382"], tmp_path / "notes.txt") is None


class _Context:
    """Of the server what a code action needs."""

    def __init__(self):
        self.practices = PracticeSearch(_NeverOpened(None))
        self.client = SimpleNamespace(flags=ClientFlags(action_literals=True))

    def view_of(self, uri):
        yield from ()


class _NeverOpened(DeferredApp):
    async def get(self):
        raise AssertionError("the learner's record was opened")


def _diagnostic(code, source):
    place = lsp.Range(lsp.Position(3, 0), lsp.Position(3, 4))
    return lsp.Diagnostic(place, "no", code=code, source=source)


async def _offered(tmp_path, *diagnostics):
    uri = (tmp_path / "src" / "main.rs").as_uri()
    place = lsp.Range(lsp.Position(3, 0), lsp.Position(3, 0))
    context = lsp.CodeActionContext(list(diagnostics))
    params = lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), place, context)
    return await answered(code_action.code_action(_Context(), params))


async def test_an_error_in_any_project_offers_practice(tmp_path):
    (action,) = await _offered(tmp_path, _diagnostic("E0502", "rustc"))
    assert action.title == "Practise this error: Borrowing (E0502)"
    assert action.command.command == "tutor.start"
    assert action.command.arguments == [{"errorCode": "E0502", "language": "rust"}]


async def test_what_nobody_practises_offers_nothing(tmp_path):
    assert await _offered(tmp_path, _diagnostic("E9999", "rustc"), _diagnostic(None, "x")) == []
    assert await _offered(tmp_path, _diagnostic("E0502", "tutor")) == []
