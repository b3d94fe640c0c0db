"""What is said of compilers' messages: known, short, and nothing that the code forbids."""

import re

import pytest
from open_kit import LIBRARY, TOOLCHAINS, open_exercise

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.exercise.report import BuildError, RunOutcome, TestReport
from tutor_lsp.stages import explained
from tutor_lsp.stages.plain_hint import plain_hint
from tutor_lsp.stages.tutoring import TutoringContext, coach_request


@pytest.mark.parametrize("language", list(TOOLCHAINS))
def test_meanings_are_short_and_plain(language):
    kinds = ("error", "run", "warning")
    entries = [entry for kind in kinds for entry in explained._entries(language, kind)]
    assert len(entries) >= 25
    for entry in entries:
        assert len(entry.meaning.means.split()) <= 20, entry
        assert len(entry.meaning.mend.split()) <= 25, entry
        assert "```" not in entry.meaning.means + entry.meaning.mend


COMMON = (
    "E0004 E0023 E0026 E0027 E0040 E0046 E0053 E0061 E0063 E0106 E0107 E0277 E0282 E0283 E0308 "
    "E0369 E0373 E0381 E0382 E0384 E0412 E0423 E0425 E0432 E0433 E0499 E0502 E0505 E0506 E0507 "
    "E0515 E0594 E0596 E0597 E0599 E0614 E0616 E0716"
)


def test_the_common_codes_of_rust_are_explained():
    assert set(COMMON.split()) <= explained.codes("rust")


@pytest.mark.parametrize(
    ("language", "message", "said"),
    [
        ("python", "invalid syntax", "cannot read"),
        ("python", "expected ':'", "colon"),
        ("python", "'(' was never closed", "never closed"),
        ("python", "(unicode error) 'utf-8' codec can't decode byte 0xe9", "saved as UTF-8"),
        ("rust", "stream did not contain valid UTF-8", "saved as UTF-8"),
        ("python", "unterminated string literal (detected at line 3)", "quotation mark"),
        ("c", "expected `;` before `}` token", "semicolon"),
        ("c", "`x` undeclared (first use in this function)", "not declared"),
        ("c", "use of undeclared identifier `x`", "not declared"),
        ("c", "implicit declaration of function `f`", "does not know yet"),
        ("c", "call to undeclared function `f`", "does not know yet"),
        ("c", "initialization of `int` from `char *` makes integer from pointer", "address"),
        ("rust", "this file contains an unclosed delimiter", "never closed"),
        ("rust", "something nobody has ever said", None),
    ],
)
def test_messages_of_several_compilers_are_known(language, message, said):
    found = explained.of_build_error(language, None, message)
    assert (found is None) == (said is None)
    assert found is None or said in found.means


@pytest.mark.parametrize(("level", "advised"), [(2, False), (3, True)])
def test_advice_of_a_compiler_is_left_out_where_it_does_not_fit_rather_than_cut(level, advised):
    said = "binary operation `==` cannot be applied to type `&Light`"
    advice = "consider annotating `Light` with `#[derive(PartialEq)]`"
    tutoring = {
        "hint_level": level,
        "unit": {"unit_id": "ex-1", "stub": "Light", "test_names": ["test_a"], "kind": "repair"},
        "files": [{"file_path": "src/light.rs", "content": ""}],
        "run": {
            "passed": [],
            "failures": [],
            "build_errors": [f"src/light.rs:25:12: E0369: {said}; {advice}"],
        },
    }
    text = plain_hint(tutoring, ["A", "B", "C"], "rust")["text"].replace("`", "")
    assert "cannot be applied to type &Light" in text
    assert ("consider annotating" in text) == advised
    assert "…" not in text


def mend(opened, unit, code, source):
    """The second hint's advice on an error of that code on a line of the unit's."""
    texts = dict(opened.exercise.starter)
    texts[unit.file] = source
    error = BuildError(unit.file, 1, 1, 1, 2, *code)
    report = TestReport("r", RunOutcome.BUILD_ERROR, build_errors=(error,))
    site = opened.starter_site(unit)
    contract = f"{site.comment or ''}\n{site.signature}".strip()
    given = (opened.exercise, opened.vault, texts, report)
    context = TutoringContext(*given, contracts={unit.id: contract})
    packet = coach_request(context, unit.id, 2).packet
    return plain_hint(packet["tutoring"], ("", "", ""), opened.exercise.language)["text"]


RETURNED = re.compile(r"->.*(&|<')")
NO_COPY = {
    ("rust-borrowing-quiz-scoreboard", "leader"),
    ("rust-lifetimes-log-detective", "parse"),
    ("rust-ownership-undo-history", "open"),
    ("rust-ownership-undo-history", "edit"),
    ("rust-ownership-undo-history", "versions"),
    ("rust-slices-strings-chat-bot", "recent"),
}
"""Units whose contract or tests forbid a copy, by reading them."""


def test_no_advice_that_a_signature_a_contract_or_a_test_forbids(tmp_path):
    seen = set()
    for entry in LIBRARY.entries("rust"):
        opened = open_exercise(tmp_path / entry.folder, "rust", entry.folder)
        for unit in opened.exercise.units:
            site = opened.starter_site(unit)
            if unit.kind is not UnitKind.BODY or site is None:
                continue
            moved = mend(opened, unit, ("E0382", "use of moved value: `text`"), "x")
            returned = mend(opened, unit, ("E0515", "cannot return reference"), "x")
            out = mend(opened, unit, ("E0507", "cannot move out of `*x`"), "x")
            is_borrowed = bool(RETURNED.search(" ".join(site.signature.split())))
            assert ("value itself" in returned) != is_borrowed, (entry.folder, unit.stub)
            assert "Lend it there" in moved
            if "clone it" not in moved:
                seen.add((entry.folder, unit.stub))
                assert "clone" not in out
            if is_borrowed:
                assert "clone" not in out
    assert seen == NO_COPY


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("    return *at;", "Is the address itself meant"),
        ("    next = *at;", "Is the address itself meant"),
        ("    next = 3;", "is taken with `&`"),
    ],
)
def test_what_is_said_of_a_number_for_an_address_fits_the_line(tmp_path, source, says):
    opened = open_exercise(tmp_path / "one", "c", "c-pointers-robot-orders")
    unit = next(each for each in opened.exercise.units if each.stub == "skip_blanks")
    said = "returning `char` from a function with return type `const char *` makes pointer from int"
    text = mend(opened, unit, ("int-conversion", f"{said}eger without a cast"), source)
    assert says in text
    assert ("is taken with `&`" in text) == (says == "is taken with `&`")
