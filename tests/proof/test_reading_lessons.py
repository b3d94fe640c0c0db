"""What is read from a lesson: blocks of code, what follows them, and what they lack."""

import re

import pytest
from proof_kit import trial

from tutor_lsp.authoring.proof import lesson
from tutor_lsp.authoring.proof.reading import blocks
from tutor_lsp.languages.registry import dialect, languages
from tutor_lsp.library import markdown


def blocks_of(text, language="rust"):
    return blocks.blocks_of(text, languages()[language].lines)


def block(text):
    found = re.match(r"```(\w+)", text)
    return blocks_of(text, found[1])[0]


def test_a_block_and_what_follows_it():
    text = "# A\n\n## B\n\n```python\nprint(1)\n```\n\n```text\n1\n```\n\nand\n\n```\nx\n```\n"
    first, second, third = blocks_of(text)
    assert (first.language, first.code, first.line, first.heading) == ("python", "print(1)", 5, "B")
    assert (first.output, second.output, third.output) == ("1", None, None)
    assert not first.wrong


@pytest.mark.parametrize(
    ("fence", "code", "after", "codes"),
    [
        ("rust,compile_fail", "let x;", "", set()),
        ("rust", "x = 1; // ❌", "", set()),
        ("rust", "x = 1; // does not compile", "", set()),
        ("rust", "x = 1;", "```text\nerror[E0384]: cannot\n```", {"E0384"}),
        ("python", 'int("x")', "```\nValueError: x\n```", {"ValueError"}),
        ("python", 'int("x")  # raises ValueError', "", {"ValueError"}),
    ],
)  # fmt: skip
def test_code_that_is_marked_as_wrong(fence, code, after, codes):
    found = block(f"```{fence}\n{code}\n```\n{after}\n")
    assert found.wrong
    assert found.codes == codes
    assert found.output is None


@pytest.mark.parametrize(
    "code",
    ["try:\n    f()\nexcept ValueError:  # ValueError\n    pass", "f()  # may raise", "x = 1"],
)
def test_code_that_is_not(code):
    assert not block(f"```python\n{code}\n```\n").wrong


def test_prose_between_keeps_an_error_from_marking_what_is_above():
    assert not block("```rust\nfn main() {}\n```\n\nElse:\n\n```text\nerror[E0384]: x\n```\n").wrong


@pytest.mark.parametrize(
    "between",
    ["It prints:", "Every price is\nrounded.", "A line a day.\n\nThe sum last:"],
)
def test_an_output_below_two_lines_of_text(between):
    text = f"```python\nprint(1)\n```\n\n{between}\n\n```text\n2\n```\n\nIt prints `3`.\n"
    found = block(text)
    assert (found.output, found.said) == ("2", ("3",))


@pytest.mark.parametrize(
    ("between", "output"),
    [
        ("One.\n\nTwo.\n\nThree.", "2"),
        ("## Next", "2"),
        ("Without the last line:", "2"),
        ("Once more:", "IndexError: x"),
    ],
)
def test_a_block_below_a_text_that_is_no_output(between, output):
    assert not block(f"```python\nprint(1)\n```\n\n{between}\n\n```text\n{output}\n```\n").output


def test_lines_that_say_what_they_print():
    code = 'println!("{}", f(1)); // prints 1\nlet a = 2; // prints 9\nprintln!("2")  // => `2`\n'
    assert block(f"```rust\n{code}```\n").lines == ("1", "2")
    assert blocks.missing_line(["1", "3"], "0\n1\n2\n3\n") is None
    assert blocks.missing_line(["2", "1"], "1\n2\n") == "1"


@pytest.mark.parametrize(
    ("claimed", "printed", "fits"),
    [("1\n2", "1 \n2\n\n", True), ("1", "2", False), ("1\n…\n9", "1\n2\n3\n9\n", True),
     ("1\n...\n9", "1\n2\n", False), ("1\n...", "1\n2\n3", True), ("…\n9", "9", True)],
)  # fmt: skip
def test_outputs_may_be_shortened(claimed, printed, fits):
    assert blocks.fits(claimed, printed) is fits


def test_a_fence_in_the_middle_of_a_line():
    assert blocks.fences_in_lines("Text.\nText. ```c\nint x;\n```\n") == [2]
    assert blocks.fences_in_lines("Text " * 200 + "```c\nint x;\n```\n") == [1]
    assert (
        blocks.fences_in_lines("a ```b``` c\n- a\n\n  ```c\n  a ```\n  ```\n> ```\n> ```\n") == []
    )


def test_a_fence_of_four_marks_holds_one_of_three():
    text = "# A\n\n## B\n\n````text\n```python\nprint(1)\n```\n## No heading\n````\n"
    found = blocks_of(text)
    assert [(b.language, b.line, b.heading) for b in found] == [("text", 5, "B")]
    assert [mark.text for mark in markdown.headings(text)] == ["A", "B"]
    assert lesson.words(text) == 4


def test_titles_lengths_and_fences():
    good = "# A\n\nwords\n\n## B\n\nmore\n"
    assert lesson.check_form(good, "D1") == []
    long = good.replace("more", "word " * 251)
    assert "251 words" in lesson.check_form(long, None)[0].message
    whole = good.replace("words", "word " * 1196)
    assert "1200 at D1" in lesson.check_form(whole, "D1")[0].message
    assert lesson.check_form(whole, "D2") == []
    assert lesson.check_form(good[2:], None)[0].line == 1
    assert lesson.words("a b\n```\nc d\n```\ne\n") == 3


@pytest.mark.parametrize(
    ("language", "code", "kind"),
    [
        ("python", "x = 1\nprint(x)", "program"),
        ("python", ">>> 1 + 1\n2", "program"),
        ("python", "print(x)", "excerpt"),
        ("python", "name = input()", "excerpt"),
        ("python", "def f(:", "broken"),
        ("rust", "fn main() {}", "program"),
        ("rust", "fn f() {}\nstruct A;", "part"),
        ("rust", "let x = f();\nx += 1;", "excerpt"),
        ("rust", "struct A;", "excerpt"),
        ("rust", "fn f( {", "broken"),
        ("c", "int main(void) { return 0; }", "program"),
        ("c", "#include <stdio.h>\nint f(void) { return 0; }", "part"),
        ("c", "int x = f();\nx++;", "excerpt"),
        ("c", "int f(void) { return (1; }", "broken"),
    ],
)
def test_what_a_block_is(language, code, kind):
    assert dialect(language).complete_block(code) == kind


@pytest.mark.parametrize(
    ("language", "code", "said", "wanted"),
    [
        (
            "python",
            ">>> note(5)",
            "NameError: name 'note' is not defined",
            "`from exercise.weather import note`",
        ),
        (
            "python",
            "import weather",
            "ModuleNotFoundError: No module named 'weather'",
            "`exercise.weather`",
        ),
        ("python", "x", "NameError: name 'x' is not defined", ""),
        ("rust", "use crate::note;", "E0432: unresolved import `crate::note`", "`exercise::note`"),
        ("rust", "use super::note;", "E0433: too many leading `super`", "`exercise::note`"),
        ("rust", "fn f() { crate::g() }", "E0308: mismatched types", ""),
        ("c", "int a = FREEZING;", "`FREEZING` undeclared", '`#include "weather.h"`'),
        ("c", '#include "weather.h"', "`FREEZING` undeclared", ""),
        ("c", "int a = OTHER;", "`OTHER` undeclared", ""),
    ],
)
def test_code_of_a_lesson_is_told_what_of_the_exercise_it_lacks(language, code, said, wanted):
    found = dialect(language).lacks(code, said, trial(language).candidate.files)
    assert found.endswith(f"{wanted}.") if wanted else found == ""
