"""Exercises under proof: the good one of each language, changed where a test wants it."""

import shutil

import authoring_kit
import corpus
import pytest

from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.model import Candidate
from tutor_lsp.authoring.own.new_exercise import template
from tutor_lsp.authoring.proof.trial import trial_of
from tutor_lsp.core.exercise.report import RawReport, RawTest, RunOutcome, TestOutcome
from tutor_lsp.languages.registry import dialect
from tutor_lsp.languages.toolchains import toolchains

TOOLCHAINS = toolchains()
PLACES = {
    "python": {"S": "src/exercise/weather.py", "T": "tests/test_weather.py"},
    "rust": {"S": "src/lib.rs", "T": "tests/weather.rs"},
    "c": {"S": "src/weather.c", "T": "tests/test_weather.c"},
}
"""Where starter and tests of the good exercise are; L is its lesson, * is all of it."""
PASSED, FAILED = TestOutcome.PASSED, TestOutcome.FAILED
QuickPython = authoring_kit.QuickPython
"""Really runs Python tests, in this process."""


def put(key, old, new):
    """An edit: replace `old`, which must be there."""

    def edit(made, language):
        paths = list(made) if key == "*" else [(PLACES[language] | {"L": "LESSON.md"})[key]]
        assert any(old in made[path] for path in paths), f"{old!r} is not in {paths}"
        for path in paths:
            made[path] = made[path].replace(old, new)

    return edit


def add(key, text):
    """An edit: put text at the end."""

    def edit(made, language):
        made[PLACES[language][key]] += text

    return edit


def begin(key, text):
    """An edit: put text at the top."""

    def edit(made, language):
        made[PLACES[language][key]] = text + made[PLACES[language][key]]

    return edit


def files(language="python", *edits):
    """The texts of the good exercise after these edits."""
    made = template(language, corpus.NAME, {})
    for edit in edits:
        edit(made, language)
    return made


def candidate(language="python", *edits, solved=True):
    made = files(language, *edits)
    authored = {p: t for p, t in made.items() if p == "LESSON.md" or p[:4] in ("src/", "test")}
    toolchain = TOOLCHAINS[language]
    complete = toolchain.complete(authored)
    solution = {
        path.removeprefix("solution/"): text
        for path, text in made.items()
        if path.startswith("solution/") and solved
    }
    units = build_index(complete, None, toolchain).units
    return Candidate(language, authored, complete, solution, units)


def trial(language="python", *edits):
    return trial_of(candidate(language, *edits), TOOLCHAINS[language], dialect(language))


def names(made):
    return list(made.tests)


def report(made, outcome=PASSED, **others):
    """A run in which every test of a trial ended like this, but for `others`, by name."""
    tests = [
        other if isinstance(other := others.get(name, outcome), RawTest) else RawTest(name, other)
        for name in made.tests
    ]
    green = all(test.outcome is PASSED for test in tests)
    return RawReport(RunOutcome.PASSED if green else RunOutcome.FAILED, tuple(tests))


def said(findings):
    return [(finding.step, finding.unit) for finding in findings]


def needing(items, language=lambda item: item.language, name=lambda item: item.id):
    """Parameters that are skipped where their language cannot be run."""
    marks = {"rust": pytest.mark.cargo}
    if shutil.which("cc") is None:
        marks["c"] = pytest.mark.skip(reason="there is no C compiler")
    return [
        pytest.param(item, id=name(item), marks=marks.get(language(item), ())) for item in items
    ]
