"""Tests that a learner writes in Rust."""

import pytest
from asked_kit import NOT_YET, asking, check_state, shown
from kinds_kit import FINE

FILE = "tests/span.rs"
NONE = f"no tests are found in {FILE} yet"
USE = "use exercise::span::span;\n\n"
GIVEN = "refuses the program that is given, in your"
TEST = "#[test]\nfn {}() {{{}\n}}\n"


def one(name, body, mark=""):
    """A test function; `mark` is put into its first line."""
    return TEST.format(name, f"{mark}\n    {body}")


RIGHT = USE + one(
    "test_span", "assert_eq!(span(&[3, 9, 1]), 8);\n    assert_eq!(span(&[-3, -9]), 6);\n"
    "    assert_eq!(span(&[]), 0);", " // <-"
)  # fmt: skip
STATES = {
    "right": (RIGHT, "passing", ""),
    "catches two": (
        USE + one("test_order", "assert_eq!(span(&[3, 9, 1]), 8);", " // <-"), "failing",
        "accepts the right programs, catches 2 of 3: nothing notices what `span(&[])` gives",
    ),
    "always fails": (
        USE + one("test_never", "assert_eq!(span(&[3, 9, 1]), 7); // <-"), "failing",
        f"{GIVEN} `test_never`: `span(&[3, 9, 1])` gave 8, expected 7",
    ),
    "syntax error": (
        "#[test]\nfn test_x( { // <-\n}\n", "failing", f"line 10 of {FILE} does not build: ",
    ),
    "nothing": ("", "todo", NOT_YET),
    "blank": ("\n   \n\n", "todo", NOT_YET),
    "unrelated": ("const LIMIT: i32 = 3;\n", "failing", NONE),
    "no test function": (USE + "fn check() {\n    assert_eq!(span(&[]), 0);\n}\n", "failing", NONE),
    "always passes": (
        one("test_all_is_well", "assert!(true);", " // <-"), "failing",
        "accepts the right programs, catches 0 of 3: nothing notices what `span(&[3, 9, 1])` gives",
    ),
    "catches one": (
        USE + one("test_nothing", "assert_eq!(span(&[]), 0);", " // <-"), "failing",
        "accepts the right programs, catches 1 of 3: nothing notices what `span(&[3, 9, 1])` gives",
    ),
    "too strict": (
        one("test_code", 'assert!(!include_str!("../src/span.rs").contains("for one")); // <-'),
        "failing",
        "refuses a right program: your `test_code` asks for more than the contract says",
    ),
    "wrong import": ("use exercise::spam::span; // <-\n", "failing", f"line 9 of {FILE} does not"),
    "wrong name": (
        "use exercise::span::spam; // <-\n\n" + one("test_x", "assert_eq!(spam(&[]), 0);"),
        "failing", f"line 9 of {FILE} does not build: unresolved import `exercise::span::spam`",
    ),
    "a wrong type": (
        USE + one("test_x", 'assert_eq!(span("a"), 0); // <-'), "failing",
        f"line 13 of {FILE} does not build: mismatched types",
    ),
    "a loop that never ends": (
        one("test_loop", "loop {}", " // <-"), "failing", f"{GIVEN} `test_loop`: ",
    ),
    "ends the process": (
        one("test_exit", "std::process::exit(3);", " // <-"), "failing", f"{GIVEN} `test_exit`",
    ),
    "a crash": (
        one("test_abort", "std::process::abort();", " // <-"), "failing", f"{GIVEN} `test_abort`",
    ),
    "panics": (
        one("test_panic", 'panic!("no"); // <-'), "failing", f"{GIVEN} `test_panic`",
    ),
    "a name of another unit": (
        one("test_note_warns_of_frost", "assert!(false); // <-"), "failing",
        f"{GIVEN} `test_note_warns_of_frost`",
    ),
    "other names": (
        USE + "mod tests {\n    use super::*;\n\n    #[test]\n    fn order() {\n"
        "        assert_eq!(span(&[3, 9, 1]), 8);\n        assert_eq!(span(&[]), 0);\n    }\n}\n",
        "passing", "",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def it(tmp_path_factory):
    return asking(tmp_path_factory.mktemp("asking"), "rust")


@pytest.mark.first(1)
@pytest.mark.parametrize("name", STATES)
def test_each_state_has_its_mark_and_takes_nothing_from_others(it, root, name):
    check_state(it, root, STATES[name])


@pytest.mark.long("builds every program again; Python's stands for it in the fast run")
def test_without_its_comment_it_passes_all_the_same(it, root):
    seen = shown(it, root, RIGHT)
    assert (seen.state, seen.others) == ("passing", FINE)


@pytest.mark.long("builds again; Python's stands for it in the fast run")
def test_a_file_that_is_gone_is_said_to_be(it, tmp_path):
    seen = shown(it, tmp_path, None)
    assert (seen.state, seen.others) == ("failing", FINE)
    assert seen.said == f"{FILE} is gone; tutor.reset or tutor.restore puts it back"
