"""A package of somebody else that is broken takes nothing of ours with it."""

import sys
from importlib.metadata import EntryPoint
from types import SimpleNamespace

from tutor_lsp.core.mend import Mend, mends_of
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


def test_a_package_that_cannot_be_used_can_be_removed_by_one_line(monkeypatch):
    def load():
        raise ImportError("gone")

    package = SimpleNamespace(name="tutor-klingon")
    points = [SimpleNamespace(value="klingon:LANGUAGE", dist=package, load=load)]
    monkeypatch.setattr(added, "entry_points", lambda group: points)
    (problem,) = added.load("group", lambda kind: kind, str)[1]
    assert problem.startswith("The package tutor-klingon cannot be used (ImportError: gone)")
    line = f"{sys.executable} -m pip uninstall tutor-klingon"
    assert mends_of(problem) == (Mend("line", line=line),)
    monkeypatch.setattr(added.importlib.util, "find_spec", lambda name: None)
    assert mends_of(added.load("group", lambda kind: kind, str)[1][0]) == ()
