"""One failure, one sentence: what the tests of it explain.

`«` in a test's text marks the place that failed (the call for an exception, else the assertion).
"""

from toolchain_kit import TOOLS

from tutor_lsp.core.exercise.report import Location, RawTest, TestOutcome

STUBS = ["count", "count_all", "parse", "is_even", "push", "say"]


PYTHON_SOURCE = (
    'def count(text):\n    raise NotImplementedError("count")\n\n'
    "def count_all(texts):\n    return [count(text) for text in texts]\n"
)


RUST_SOURCE = (
    'pub fn count(text: &str) -> usize {\n    todo!("count")\n}\n\n'
    "pub fn count_all(texts: &[&str]) -> usize {\n    count(texts[0])\n}\n"
)


def check_explain(language, body, message, *, test="test_count_works", expected=..., **raw):
    """Explain a failing test with that body; `raw` are fields of RawTest."""
    indented = "\n".join(f"    {line}" for line in body.split("\n"))
    if language == "python":
        file, text = "tests/test_words.py", f"def {test}():\n{indented}\n"
        source = {"src/exercise/words.py": PYTHON_SOURCE}
    else:
        file, text = "tests/words.rs", f"#[test]\nfn {test}() {{\n{indented}\n}}\n"
        source = {"src/lib.rs": RUST_SOURCE}
    location = None
    for number, line in enumerate(text.split("\n"), 1):
        if "«" in line:
            location = Location(file, number, line.index("«") + 1)
    fields = {"outcome": TestOutcome.FAILED, "location": location, **raw}
    files = {**source, file: text.replace("«", "")}
    failure = TOOLS[language].explain(RawTest(test, **fields), files, STUBS)
    assert failure.message == message
    if expected is not ...:
        assert (failure.expected, failure.actual) == expected
