"""What rustc says of a declaration and its uses, in a learner's words."""

import re

from tutor_lsp.core.exercise.report import BuildError, Failure
from tutor_lsp.core.ports import Files
from tutor_lsp.core.text.translation import marked, t
from tutor_lsp.languages.common.broken import Phrase

UNFIT = (
    Phrase(
        re.compile(r"takes 0 lifetime arguments"),
        marked("`{stub}` is declared without a lifetime, and its use has one: `{use}`"),
    ),
    Phrase(
        re.compile(r"takes 0 generic arguments"),
        marked("`{stub}` is declared without a type parameter, and its use has one: `{use}`"),
    ),
    Phrase(
        re.compile(r"missing generics for \w+ `(?P<name>\w+)"),
        marked("`{name}` is declared with a type parameter, and its use has none: `{use}`"),
    ),
    Phrase(
        re.compile(r"type annotations needed"),
        marked("`{use}` leaves a type open: has `{stub}` a type parameter too many?"),
    ),
    Phrase(
        re.compile(r"`(?P<name>\w+)` does not live long enough(?!.*'static)"),
        marked("what comes of `{use}` is used after `{name}` is gone, so it may not be tied to it"),
    ),
    Phrase(
        re.compile(r"`(?:.*::)?(?P<name>\w+)` takes ownership of .* moves `(?P<value>\w+)`"),
        marked(
            "`{name}` uses `{value}` up, and the tests go on with it: `&self` or `&mut self` lends"
        ),
    ),
    Phrase(
        re.compile(r"no [a-z]+ named `(?P<name>\w+)`.* associated function, not a method"),
        marked("`{name}` has no `self`, and the tests call it on a value"),
    ),
    Phrase(
        re.compile(r"`(?P<name>\w+)` exists for \w+ `(?P<type>.+?)`, but its trait bounds"),
        marked("`{name}` asks for more than `{type}` can do: does it need that bound?"),
    ),
    Phrase(
        re.compile(r"no [a-z]+ named `(?P<name>\w+)`.*\bfield, not a method"),
        marked("`{name}` is a field, and the tests call it: it has to be a method"),
    ),
    Phrase(
        re.compile(r"attempted to take value of method `(?P<name>\w+)`"),
        marked("`{name}` is a method, and the tests read it: it has to be a field"),
    ),
    Phrase(
        re.compile(r"not all trait items implemented, missing: (?P<names>`[^:]+`)"),
        marked(
            "`{stub}` asks every type for {names}, which one of the tests does not have: "
            "give it a body there"
        ),
    ),
    Phrase(
        re.compile(r"(?:method|associated function) `(?P<name>\w+)` has "),
        marked("`{stub}` declares `{name}` in another way than its use: `{use}`"),
        codes=("E0046", "E0049", "E0050", "E0053", "E0185", "E0186", "E0195"),
    ),
    Phrase(
        re.compile(r"expected trait, found [a-z ]+ `(?P<name>\w+)`"),
        marked("`{name}` has to be a trait: `{use}`"),
    ),
    Phrase(
        re.compile(r"expected (?P<wanted>[a-z, ]+), found (?P<found>[a-z ]+) `(?P<name>\w+)`"),
        marked("`{name}` is declared as {found}, and used as {wanted}: `{use}`"),
        codes=("E0423", "E0532", "E0573", "E0574"),
    ),
    Phrase(
        re.compile(r"`(?P<type>[^`]+)` doesn't implement `(?:std::fmt::)?Debug`"),
        marked("`{type}` cannot be shown where a test fails: derive `Debug` for it"),
    ),
    Phrase(
        re.compile(r"binary operation `[!=]=` cannot be applied to type `(?P<type>[^`]+)`"),
        marked("the tests compare `{type}`, which cannot be: derive `PartialEq` for it"),
    ),
    Phrase(
        re.compile(r"the trait bound `(?P<type>[^`]+): (?P<bound>[^`]+)` is not satisfied"),
        marked("`{type}` does not implement `{bound}`, which its use wants: `{use}`"),
    ),
    Phrase(
        re.compile(
            r"^can't compare .* trait `(?P<bound>\w+)` is not implemented for `(?P<type>\w+)`"
        ),
        marked("`{type}` does not implement `{bound}`, which its use wants: `{use}`"),
    ),
)
"""About the tests."""

OWN = (
    Phrase(
        re.compile(r"`self` is a `&` reference"),
        marked("`&self` lends for reading alone: what changes it takes `&mut self`"),
    ),
    Phrase(
        re.compile(r"implicit elided lifetime not allowed here"),
        marked("the type is declared with a lifetime, which is missing here"),
    ),
)
"""About the learner's own file."""

_COMPARES = re.compile(r"\s*assert_(?:eq|ne)!\((?P<both>.*)\);")
_OPEN = re.compile(r"{(integer|float)}")
_TYPES = re.compile(r"expected `(?P<left>[^`]+)`, found `(?P<right>[^`]+)`")


def compared_types(error: BuildError, files: Files) -> Failure | None:
    """The sentence for a comparison of two types. There the compiler expects on the right what it
    has read on the left, which reads as if the tests were wrong. None for anything else."""
    rows = files.get(error.file, "").split("\n")
    row = rows[error.line - 1] if 0 < error.line <= len(rows) else ""
    compares, types = _COMPARES.fullmatch(row), _TYPES.search(error.message)
    if error.code != "E0308" or compares is None or types is None or error.file[:4] == "src/":
        return None
    left = row[compares.start("both") : error.column - 1].rstrip()
    if not left.endswith(","):
        return None
    said, theirs = (_OPEN.sub(r"\1", types[side]) for side in ("left", "right"))
    return Failure(
        t(f"`{left[:-1]}` is of type `{said}`, and the tests compare it with `{theirs}`"),
        theirs,
        said,
    )
