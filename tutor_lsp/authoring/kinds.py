"""What holds of units that ask for more than a body: their files and their comments. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from tutor_lsp.authoring.predict.checks import check_starter
from tutor_lsp.core.exercise.declared import declaration, file_site, leading_comment
from tutor_lsp.core.exercise.exercise import Unit, UnitKind, sharing
from tutor_lsp.core.exercise.parts import parts
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
            yield from _referred(unit, units, files, language)
        shared = sharing(units, unit)
        if shared:
            yield from _order(unit, shared, files.get(unit.file, ""), language)
        yield from _comment(unit, files.get(unit.file, ""), language, shared=bool(shared))


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


def _order(
    unit: Unit, shared: Sequence[Unit], text: str, language: Language[Any]
) -> Iterator[ProofFinding]:
    """Comments of a file that several units share which are not in the order of the units."""
    there = [each for each in parts(text, language.lines) if each in {u.id for u in shared}]
    wanted = [each.id for each in shared if each.id in there]
    if there != wanted and unit is shared[0]:
        said = f"The comments in {unit.file} come in another order than {', '.join(wanted)}."
        yield ProofFinding("units", said, unit.file, 1, unit.id)


def _referred(
    unit: Unit, units: Sequence[Unit], files: Mapping[str, str], language: Language[Any]
) -> Iterator[ProofFinding]:
    """Other files that refer to what does not exist yet: they would not build without it. The tests
    of later units in its file may."""
    header = f'"{PurePosixPath(unit.file).name}"'
    shared = sharing(units, unit)
    including = {each.test_file for each in shared}
    later = {each.test_file for each in shared[shared.index(unit) :]} if shared else set()
    for file, text in files.items():
        if file in (unit.file, unit.test_file, *later) or not file.startswith(("src/", "tests/")):
            continue
        if not file.endswith(language.suffixes) or not {unit.stub, header[1:-1]} & _words(text):
            continue
        for token in parse(text, language.dialect().grammar).tokens:
            named = token.kind != "literal" and token.text == unit.stub
            included = token.kind == "literal" and token.text == header
            if named or (included and file not in including):
                said = (
                    f"{file} refers to `{token.text}`, which {unit.id} asks to {unit.kind}: only "
                    f"{unit.file} and {unit.test_file} may, since nothing else would build before."
                )
                yield ProofFinding("units", said, file, token.line, unit.id)
                break


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[\w.]+", text))


def _comment(
    unit: Unit, text: str, language: Language[Any], *, shared: bool
) -> Iterator[ProofFinding]:
    rows = split_lines(text)
    first, last, said = leading_comment(rows, language.lines)
    begin = f"{unit.file} does not begin with the comment of {unit.id}"
    if shared:
        site = file_site(unit.stub, text, language.lines, shared=unit.id)
        begin = f"{unit.file} does not have the comment of {unit.id}, which it shares with others"
        if site is not None:
            first, last, said = site.comment_line, site.comment_end_line, site.comment
    comment = parse_stub_comment(said or "")
    if comment is None or comment.unit_id != unit.id:
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
    found = declaration(rows, unit.stub, language.lines, after=0 if shared else last)
    if found is not None and unit.kind is not UnitKind.PREDICT:
        told = f"`{unit.stub}` is declared already, though {unit.id} asks for that."
        yield ProofFinding("units", told, unit.file, found[0], unit.id)
