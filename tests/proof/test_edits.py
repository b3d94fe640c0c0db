"""The single changes of a function that code makes, in each language."""

import pytest
from proof_kit import TOOLCHAINS

from tutor_lsp.authoring.proof.mutants.edits import edits
from tutor_lsp.languages.common.proof.splice import put_back, site_of
from tutor_lsp.languages.registry import dialect

PYTHON = '''def price(items: list[float], cut: int) -> int:
    """The sum without what is cut off, in cents."""
    total = 0
    for item in items:
        if item > 0 and item not in (1.5,):
            total += round(item * 100 - cut)
        else:
            continue
    return max(total // 2, cut)
'''
RUST = """pub fn name(text: &str, most: usize) -> &str {
    if text.len() > most {
        return &text[..most];
    }
    text.trim()
}
"""
C = """int blanks(const char *at)
{
    int count = 0;
    while (*at == ' ' || count > 9) {
        count += 1;
        at++;
    }
    return count;
}
"""
TEXTS = {"python": ("price", PYTHON), "rust": ("name", RUST), "c": ("blanks", C)}
WANTED = [
    ("python", "comparison", "if item >= 0 and"),
    ("python", "comparison", "item in (1.5,)"),
    ("python", "boundary", "if item > 1 and"),
    ("python", "constant", "total = 1"),
    ("python", "operator", "if item > 0 or item"),
    ("python", "operator", "total -= round"),
    ("python", "rounding", "total += (item * 100 - cut)"),
    ("python", "rounding", "total += (round(item * 100) - cut)"),
    ("python", "sibling", "total += int(item * 100 - cut)"),
    ("python", "sibling", "return min(total // 2, cut)"),
    ("python", "dropped", "            pass\n        else"),
    ("python", "condition", "if not (item > 0"),
    ("python", "condition", "if False:"),
    ("python", "return", "continue\n        break"),
    ("rust", "comparison", "text.len() >= most"),
    ("rust", "sibling", "text.trim_end()"),
    ("rust", "sibling", "return text[..most].trim();"),
    ("rust", "operator", "&text[..=most]"),
    ("rust", "dropped", "most {\n        \n    }"),
    ("c", "comparison", "(*at != ' ' ||"),
    ("c", "operator", "*at == ' ' && count"),
    ("c", "sibling", "(*at == ' ' || *at == '\\t') ||"),
    ("c", "boundary", "count > 10"),
    ("c", "return", "at++;;\n        break;"),
]


@pytest.mark.parametrize(("language", "kind", "made"), WANTED)
def test_a_change_is_made(language, kind, made):
    name, text = TEXTS[language]
    known = dialect(language)
    site = site_of(TOOLCHAINS[language], text, name)
    found = edits(text, site, known.grammar.name, known.mutations.operators)
    texts = [edit.applied(text) for edit in found if edit.operator == kind]
    assert any(made in each for each in texts), texts


def test_arguments_that_are_symmetric_stay_and_what_is_never_used_is_not_rewritten():
    for language, (name, text) in TEXTS.items():
        known = dialect(language)
        site = site_of(TOOLCHAINS[language], text, name)
        for edit in edits(text, site, known.grammar.name, known.mutations.operators):
            assert "max(cut, total" not in edit.applied(text)
            assert "++at" not in edit.applied(text)
            assert edit.says != "without `total = 0`"  # nothing works without


TWO_OF_ONE_NAME = {
    "rust": """impl Shape for Block {
    fn draw(&self) -> String {
        "#".repeat(self.width)
    }
}

impl Shape for Line {
    /// Returns a dash for each column.
    ///
    /// ex-1 - First principle: an impl writes the methods of a trait
    fn draw(&self) -> String {
        todo!("draw")
    }
}
""",
    "python": '''class Block:
    def draw(self) -> str:
        return "#" * self.width


class Line:
    def draw(self) -> str:
        """Return a dash for each column.
        ex-1 - First principle: a class writes the methods of a protocol
        """
        raise NotImplementedError("draw")
''',
}


@pytest.mark.parametrize(("language", "text"), TWO_OF_ONE_NAME.items())
def test_of_two_methods_of_one_name_the_one_with_the_stub_comment_is_the_stub(language, text):
    reader = TOOLCHAINS[language]
    stub = site_of(reader, text, "draw")
    assert "ex-1" in (stub.comment or "")
    written = text.replace('todo!("draw")', '"-".into()').replace("raise", "return")
    assert "ex-1" in (site_of(reader, written, "draw", stub).comment or "")
    assert put_back(reader, written, text, "draw") == text
