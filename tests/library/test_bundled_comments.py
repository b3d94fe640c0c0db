"""Stub comments of the bundled exercises: in the one form, and short enough for the code below."""

from dataclasses import replace

import pytest

from tutor_lsp.core.exercise.declared import file_site
from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.exercise.stub_comment import WIDTH, parse_stub_comment
from tutor_lsp.languages.registry import languages
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.library.loader import BUNDLED, Library

LIBRARY = Library([BUNDLED])
ENTRIES = LIBRARY.entries()
TOOLCHAINS = toolchains()
VIEW = 10
"""Rows of the stub's window beside the lesson in a terminal of 80 by 24."""
MOST = 14
"""Rows of the longest stub: what it promises needs them."""


def stubs(entry):
    """Each stub's site with its comment and its file's text, in starter and solution."""
    bundled = LIBRARY.load(entry)
    whole = {}
    for unit in entry.units:
        if unit.kind != UnitKind.BODY:
            whole.setdefault(unit.file, []).append(unit)
    lines = languages()[entry.language].lines
    for files in ({**bundled.src, **bundled.tests}, bundled.solution):
        for file, text in files.items():
            sites = TOOLCHAINS[entry.language].functions(text)
            if file in whole:
                shared = len(whole[file]) > 1
                found = (
                    file_site(unit.stub, text, lines, shared=unit.id if shared else "")
                    for unit in whole[file]
                )
                # what is given is read below it
                sites = [replace(site, end=site.body_start) for site in found]
            for site in sites:
                comment = parse_stub_comment(site.comment) if site.comment else None
                if comment is not None:
                    yield site, comment, text


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_comments_are_in_the_form_and_name_the_first_test(entry):
    units = {unit.id: unit for unit in entry.units}
    found = list(stubs(entry))
    assert len(found) == 2 * len(units)
    for site, comment, _ in found:
        unit = units[comment.unit_id]
        written = list(comment.written().values())
        lines = [" ".join(line.split()) for line in (site.comment or "").split("\n")]
        shown = " ".join(lines[comment.line - 1 : comment.end_line])
        assert shown == " ".join(written)
        assert shown.isascii()
        assert comment.tests == unit.tests[:1]
        assert comment.end_line - comment.line <= len(written)  # at most one line goes on


@pytest.mark.parametrize("language", sorted({entry.language for entry in ENTRIES}))
def test_code_stays_in_view_below_its_signature(language):
    rows = []
    for entry in LIBRARY.entries(language):
        for site, _, text in list(stubs(entry))[: len(entry.units)]:
            lines = text.split("\n")
            first, last = (text.count("\n", 0, at) for at in (site.start, site.end - 1))
            if site.end == len(text):  # what a unit gives below its comment has its own length
                last = site.comment_end_line - 1
            rows.append(sum(max(1, -(-len(line) // WIDTH)) for line in lines[first : last + 1]))
    assert max(rows) <= MOST
    assert sum(each <= VIEW for each in rows) >= 0.85 * len(rows)
