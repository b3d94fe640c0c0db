"""What is checked of every state of answers, in all languages."""

import asyncio
import re

from kinds_kit import DECLARED, FINE, TOOLS, course, judged, put, run

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.exercise.units import state_of


def predict_course(folder, language):
    """The new exercise of a language with a unit that asks what a program gives."""
    return course(folder, language, UnitKind.PREDICT)


def answered(made, *pairs):
    """The learner's file, in which these pieces are replaced."""
    text = made.files[made.unit.file]
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


def report_of(made, root, text, files=()):
    """The judged report with this text in the unit's file, and where stubs are."""
    texts = made.texts(text) | dict(files)
    texts = {name: given for name, given in texts.items() if given is not None}
    put(root, texts)
    raw = asyncio.run(run(TOOLS[made.exercise.language], root, made.exercise))
    report, stubs = judged(made, texts, raw)
    return raw, report, stubs


def told(shown, values):
    """The values that are in something, not as a part of a longer number."""
    text = repr(shown)
    return [each for each in values if re.search(rf"(?<![\d.]){re.escape(each)}(?![\d.])", text)]


def check_answers(made, root, text, expected, values):
    """The mark is right, on the right line, no other unit loses its result, and nothing that a run
    says has one of the `values`, unless the learner has written it.

    `expected` are the state, what the first sentence of a failing test begins with, and the line.
    """
    raw, report, stubs = report_of(made, root, text)
    states = {unit.id: state_of(unit, report.tests, stubs) for unit in made.exercise.units}
    mine = [test for test in report.tests if test.unit == DECLARED and test.outcome != "passed"]
    said = mine[0].message if mine else ""
    state, begins, line = expected
    assert (states.pop(DECLARED).value, stubs.site(DECLARED).line) == (state, line), said
    assert tuple(each.value for each in states.values()) == FINE
    assert said.startswith(begins), said
    assert bool(said) == (state != "passing")
    assert told((raw, report), [value for value in values if value not in text]) == []
    for test in mine:
        assert (test.expected, test.actual, test.output) == (None, None, "")
