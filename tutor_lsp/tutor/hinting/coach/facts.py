"""The facts that hints and reviews are checked against, from the learner's texts and a run."""

import re
from collections.abc import Iterator, Mapping

from tutor_lsp.core.exercise.report import TestReport
from tutor_lsp.core.text.quotes import own_lines
from tutor_lsp.languages.common.syntax import parse
from tutor_lsp.languages.common.treesitter import Source, walk
from tutor_lsp.languages.registry import dialect
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.hinting.coach.truth import Facts


def facts_of(opened: OpenExercise, report: TestReport, texts: Mapping[str, str]) -> Facts:
    """The facts of one attempt. Parses: blocks for some milliseconds."""
    own = {file: texts[file] for file in opened.stub_files() if file in texts}
    return Facts(
        language=opened.exercise.language,
        report=report,
        seen=" ".join(" ".join(part.split()) for part in _seen(opened, report, own)),
        own="\n".join(_code(opened, text) for text in own.values()),
        tests=frozenset(test for unit in opened.exercise.units for test in unit.tests),
        nodes=_nodes(opened, own),
        recursive=_recursive(opened, own),
        by_test=_by_test(opened, report),
        nothing=dialect(opened.exercise.language).grammar.words.nothing,
        run=frozenset(
            value for test in report.tests for value in (test.expected, test.actual) if value
        ),
    )


def _seen(opened: OpenExercise, report: TestReport, own: Mapping[str, str]) -> Iterator[str]:
    yield from own.values()
    yield from opened.vault.originals.values()
    for unit in opened.exercise.units:
        yield f"{unit.stub} {unit.file} {unit.first_principle} {unit.lesson_heading}"
    for error in report.build_errors:
        yield f"{error.file} {error.line} {error.code or ''} {error.message}"
    for test in report.tests:
        told = (test.message, test.expected, test.actual, test.output)
        yield " ".join([test.name, *(each for each in told if each)])
    yield f"{len(report.tests)}"


def _code(opened: OpenExercise, text: str) -> str:
    """A text without comments and texts of several lines, which are the exercise's words."""
    tokens = parse(text, dialect(opened.exercise.language).grammar).tokens
    return " ".join(token.text for token in tokens if "\n" not in token.text)


def _by_test(opened: OpenExercise, report: TestReport) -> dict[str, str]:
    found = {}
    for file, text in opened.vault.originals.items():
        if file.startswith("tests/"):
            rows = text.split("\n")
            for site in opened.toolchain.tests(text):
                found[site.name] = "\n".join(rows[site.line - 1 : site.end_line])
    for test in report.tests:
        told = (test.message, test.expected, test.actual, test.output)
        if test.name in found:
            found[test.name] = "\n".join([found[test.name], *(each for each in told if each)])
    return found


def _nodes(opened: OpenExercise, own: Mapping[str, str]) -> frozenset[str]:
    """The kinds of nodes that begin on lines that the learner wrote."""
    given = list(opened.exercise.starter.values())
    found: set[str] = set()
    for text in own.values():
        lines = own_lines(text, given)
        source = Source(opened.exercise.language, text)
        found |= {node.type for node in walk(source.root) if source.line(node) in lines}
    return frozenset(found)


def _recursive(opened: OpenExercise, own: Mapping[str, str]) -> bool:
    for text in own.values():
        for site in opened.toolchain.functions(text):
            body = text[site.body_start : site.body_end]
            if re.search(rf"\b{re.escape(site.name)}\s*\(", body):
                return True
    return False
