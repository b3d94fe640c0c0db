"""What holds of units that ask for more than a body: their files and their comments. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from tutor_lsp.authoring.predict.checks import check_starter
from tutor_lsp.core.exercise.declared import declaration, leading_comment
from tutor_lsp.core.exercise.exercise import Unit, UnitKind
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.stub_comment import parse_stub_comment
from tutor_lsp.core.language.language import Language
from tutor_lsp.core.text.positions import split_lines
from tutor_lsp.languages.common.syntax import parse


def check_kinds(
    units: Sequence[Unit],
    files: Mapping[str, str],
    tests: Mapping[str, str],
    language: Language[Any],
) -> Iterator[ProofFinding]:
    """What does not hold. `tests` has the file of each test."""
    for unit in units:
        if unit.kind is UnitKind.BODY:
            continue
        if unit.kind not in language.kinds or language.lines.declares is None:
            said = f"{language.name} has no units of the kind {unit.kind}."
            yield ProofFinding("units", said, unit.file, unit.line, unit.id)
            continue
        yield from _own_tests(unit, tests)
        if unit.kind is UnitKind.PREDICT:
            yield from check_starter(unit, files.get(unit.file, ""), language.id)
        elif unit.asks_for_tests:  # what it is about is given
            yield from _nothing_below(unit, files.get(unit.file, ""), language)
        else:
            yield from _referred(unit, files, language)
        yield from _comment(unit, files.get(unit.file, ""), language)


def _nothing_below(unit: Unit, text: str, language: Language[Any]) -> Iterator[ProofFinding]:
    rows = split_lines(text)
    _, last, _ = leading_comment(rows, language.lines)
    if any(row.strip() for row in rows[last:]):
        said = f"{unit.file} has more than the comment of {unit.id}, which asks for all of it."
        yield ProofFinding("units", said, unit.file, last + 1, unit.id)


def _own_tests(unit: Unit, tests: Mapping[str, str]) -> Iterator[ProofFinding]:
    asks = f"{unit.id} asks to {unit.kind} `{unit.stub}`"
    for test in unit.tests:
        if tests.get(test) != unit.test_file:
            said = f"{asks}, so its tests stand in one file, {unit.test_file}; `{test}` does not."
            yield ProofFinding("units", said, tests.get(test), None, unit.id)
    for test, file in tests.items():
        if file == unit.test_file and test not in unit.tests:
            said = f"{asks}, so {file} is for its tests alone; `{test}` needs another file."
            yield ProofFinding("units", said, file, None, unit.id)


def _referred(
    unit: Unit, files: Mapping[str, str], language: Language[Any]
) -> Iterator[ProofFinding]:
    """Other files that refer to what does not exist yet: they would not build without it."""
    header = f'"{PurePosixPath(unit.file).name}"'
    for file, text in files.items():
        if file in (unit.file, unit.test_file) or not file.startswith(("src/", "tests/")):
            continue
        if not file.endswith(language.suffixes) or not {unit.stub, header[1:-1]} & _words(text):
            continue
        for token in parse(text, language.dialect().grammar).tokens:
            named = token.kind != "literal" and token.text == unit.stub
            if named or (token.kind == "literal" and token.text == header):
                said = (
                    f"{file} refers to `{token.text}`, which {unit.id} asks to {unit.kind}: only "
                    f"{unit.file} and {unit.test_file} may, since nothing else would build before."
                )
                yield ProofFinding("units", said, file, token.line, unit.id)
                break


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[\w.]+", text))


def _comment(unit: Unit, text: str, language: Language[Any]) -> Iterator[ProofFinding]:
    rows = split_lines(text)
    first, last, said = leading_comment(rows, language.lines)
    comment = parse_stub_comment(said or "")
    if comment is None or comment.unit_id != unit.id:
        begin = f"{unit.file} does not begin with the comment of {unit.id}"
        marks = " or ".join(f"`{m}`" for m in (*language.lines.comment, *language.lines.block[:1]))
        yield ProofFinding("units", f"{begin}, in the marks {marks}.", unit.file, 1, unit.id)
        return
    if f"{unit.stub}" not in comment.contract:
        begin = f"The comment of {unit.id} does not say what `{unit.stub}` is"
        told = f"{begin}: above its other lines it needs the contract, with a use and its result."
        yield ProofFinding("units", told, unit.file, first, unit.id)
    rest = (said or "").rstrip().split("\n")[comment.end_line :]
    if "start" not in comment.places or comment.places["start"][1] != comment.end_line or rest:
        told = f"The comment of {unit.id} does not end with its line `Start here:`."
        yield ProofFinding("units", told, unit.file, last, unit.id)
    if unit.kind.given_broken:
        if not any(row.strip() for row in rows[last:]):
            told = f"There is no program below the comment of {unit.id} that could be mended."
            yield ProofFinding("units", told, unit.file, last, unit.id)
        return
    found = declaration(rows, unit.stub, language.lines, after=last)
    if found is not None and unit.kind is not UnitKind.PREDICT:
        told = f"`{unit.stub}` is declared already, though {unit.id} asks for that."
        yield ProofFinding("units", told, unit.file, found[0], unit.id)
