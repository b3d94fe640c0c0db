"""Hints and reviews in their file: where the review of an attempt is."""

import pytest

from tutor_lsp.tutor.exercise.folder import coach_file
from tutor_lsp.tutor.exercise.folder.coach_file import NAME, line_of_review

FIRST = "## Review of attempt 1: not yet"
FILE = f"# Hints and reviews\n\n## Review of attempt 12: passed\n\nYes.\n\n{FIRST}\n"


@pytest.fixture
def root(tmp_path):
    (tmp_path / NAME).parent.mkdir()
    (tmp_path / NAME).write_text(FILE)
    return tmp_path


@pytest.mark.parametrize(("number", "line"), [(12, 3), (1, 7), (2, 1)])
def test_a_review_is_found_by_its_attempt(root, number, line):
    assert line_of_review(root, number) == line


def test_there_may_be_no_such_file(tmp_path):
    assert line_of_review(tmp_path, 1) == 1


def test_it_is_found_in_other_words(root, monkeypatch):
    told = {FIRST: "## Kritik zu Versuch 1: noch nicht"}
    (root / NAME).write_text(FILE.replace(FIRST, told[FIRST]))
    assert line_of_review(root, 1) == 1
    monkeypatch.setattr(coach_file, "t", lambda text: told.get(text, text))
    assert line_of_review(root, 1) == 7
