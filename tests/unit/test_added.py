"""A package of somebody else that is broken takes nothing of ours with it."""

from importlib.metadata import EntryPoint

from tutor_lsp.core.settings import Installed, Settings, resolve
from tutor_lsp.languages import added


def test_what_cannot_be_loaded_is_told_and_left_out(monkeypatch):
    values = ["json:JSONDecoder", "json:nothing", "no_such_package:Language", "json:JSONEncoder"]
    points = [EntryPoint(f"entry-{value}", value, "group") for value in values]
    monkeypatch.setattr(added, "entry_points", lambda group: points)
    found, problems, ours = added.load("group", lambda kind: kind, lambda kind: kind.__module__)
    assert not ours
    assert {name: kind.__name__ for name, kind in found.items()} == {
        "json.decoder": "JSONDecoder",
        "json.encoder": "JSONEncoder",
    }
    assert [problem.partition(" (")[0] for problem in problems] == [
        "The package json:nothing cannot be used",
        "The package no_such_package:Language cannot be used",
    ]
    assert all(problem.endswith("repair or remove it.") for problem in problems)
    told = resolve(Settings(), {}, {}, {}, Installed(problems=problems))[1]
    assert told == list(problems)


def test_a_name_that_two_packages_add_is_that_of_the_first(monkeypatch):
    points = [EntryPoint("a", "json:JSONEncoder", "group"), EntryPoint("b", "json:load", "group")]
    monkeypatch.setattr(added, "entry_points", lambda group: points)
    found, problems, _ = added.load("group", lambda kind: kind, lambda _: "same")
    assert found["same"].__name__ == "JSONEncoder"
    assert problems == ("json:load adds “same” once more: remove one of the packages.",)
