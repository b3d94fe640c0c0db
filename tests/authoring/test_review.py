"""Short reviews: a unit cut out, fresh values, answers by execution, the whole proof."""

import pytest

from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.refresher.make import ReviewRequest, make_review
from tutor_lsp.authoring.refresher.pieces import kept_tests, lesson_of, starter_and_reference
from tutor_lsp.authoring.refresher.values import (
    answered,
    code_only,
    fresh_values,
    literals_of,
    with_values,
)
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Exercise, Proof, UnitKind
from tutor_lsp.core.exercise.mistakes import Mistake
from tutor_lsp.core.exercise.report import Location, RawTest, TestOutcome
from tutor_lsp.core.session import Vault
from tutor_lsp.languages.registry import dialect
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.library.loader import BUNDLED, Library
from tutor_lsp.stages.backends.library import planned_units

LIBRARY = Library([BUNDLED])
TOOLCHAINS = toolchains()


class Quiet:
    def report(self, percent, message):
        assert 0 <= percent <= 100


def request(entry, *units, seed=1, library=LIBRARY):
    bundled = library.load(entry)
    index = build_index(bundled.files, planned_units(entry), TOOLCHAINS[entry.language])
    exercise = Exercise(
        entry.id, entry.node, entry.title, entry.language, entry.depth, entry.description,
        index.units, tuple(bundled.files), {}, Proof(ok=True),
    )  # fmt: skip
    known = {unit.id: (Mistake("Nothing", "You give nothing.", "…"),) for unit in index.units}
    vault = Vault(
        bundled.solution, bundled.hints, bundled.files, programs=bundled.programs, mistakes=known
    )
    names = units or [unit.id for unit in index.units]
    return ReviewRequest(exercise, vault, bundled.files, list(names), seed)


@pytest.mark.long("proves an exercise")
@pytest.mark.parametrize(
    ("exercise", "unit"),
    [
        ("python-movie-night", "ex-2"),
        pytest.param("rust-gift-card", "ex-3", marks=pytest.mark.cargo),
        pytest.param("rust-gift-card", "ex-6", marks=pytest.mark.cargo),
    ],
)
async def test_a_unit_becomes_an_exercise_of_its_own_that_holds(exercise, unit):
    entry = LIBRARY.by_id(exercise)
    wanted = request(entry, unit)
    made = await make_review(wanted, TOOLCHAINS[entry.language], Quiet())
    assert made.exercise.proof.ok
    assert made.exercise.proof.tests == len(wanted.exercise.unit(unit).tests)
    (only,) = made.exercise.units
    assert (only.id, only.stub) == ("ex-1", wanted.exercise.unit(unit).stub)
    assert made.exercise.minutes == 5
    assert made.vault.hints == {"ex-1": wanted.vault.hints[unit]}
    assert made.vault.mistakes == {"ex-1": wanted.vault.mistakes[unit]}
    (path,) = [path for path in made.files if path in wanted.files and path.startswith("tests/")]
    literals = literals_of(
        made.files[path], dialect(entry.language).grammar,
        TOOLCHAINS[entry.language].tests(made.files[path]),
    )  # fmt: skip
    assert any(token.text not in wanted.files[path] for token in literals)


@pytest.mark.long("makes an exercise for a case beside those that stand for it here")
async def test_what_gives_no_review_says_why():
    entry = LIBRARY.by_id("python-robot-vacuum")
    with pytest.raises(TutorError) as caught:
        await make_review(request(entry, "ex-2"), TOOLCHAINS["python"], Quiet())
    assert caught.value.kind == "NO_REVIEW"
    assert "follow" in caught.value.message


@pytest.mark.sample("c-high-scores", "python-movie-night", "rust-split-the-bill")
@pytest.mark.parametrize("entry", LIBRARY.entries(), ids=lambda entry: entry.id)
def test_the_ends_of_every_exercise_can_be_cut_out(entry):
    wanted, toolchain = request(entry), TOOLCHAINS[entry.language]
    units = wanted.exercise.units
    bodies = [unit for unit in units if unit.kind is UnitKind.BODY]
    others = {unit.kind: unit for unit in units if unit.kind is not UnitKind.BODY}
    for unit in (*dict.fromkeys((*bodies[:1], *bodies[-1:])), *others.values()):
        both = starter_and_reference(wanted.files, wanted.vault.solution, units, unit, toolchain)
        assert both is not None
        src, reference = both
        lesson = lesson_of(wanted.files["LESSON.md"], unit, "Review", wanted.files)
        tests = {
            path: kept_tests(text, unit.tests, toolchain)
            for path, text in wanted.files.items()
            if path.startswith("tests/") and not unit.asks_for_tests
        }
        named = next(each for each in planned_units(entry) if each["unit_id"] == unit.id)
        plan = {**named, "unit_id": "ex-1"}
        index = build_index(
            toolchain.complete({**src, **tests, "LESSON.md": lesson}), [plan], toolchain
        )
        assert [found.message for found in index.findings] == []
        assert [(each.stub, each.tests) for each in index.units] == [(unit.stub, unit.tests)]
        assert reference[unit.file] != src[unit.file]


TESTS = """from exercise.shop import Item, price, total

import pytest


def helper(n: int) -> Item:
    return Item(n)


def test_price_of_one() -> None:
    assert price("apple", 7) == 12


@pytest.mark.parametrize("n", [1])
def test_total_of_items(n: int) -> None:
    assert total([helper(n)]) == 5
"""


def test_other_tests_go_with_what_only_they_used():
    assert kept_tests(TESTS, ["test_price_of_one"], TOOLCHAINS["python"]) == (
        "from exercise.shop import price\n\n\n"
        'def test_price_of_one() -> None:\n    assert price("apple", 7) == 12\n'
    )
    kept = kept_tests(TESTS, ["test_total_of_items"], TOOLCHAINS["python"])
    assert "Item, total" in kept
    assert "@pytest.mark" in kept
    assert "price" not in kept


@pytest.mark.parametrize(
    ("language", "given", "kept"),
    [
        (
            "python",
            "from exercise.shop import (\n    A,\n    price,\n    total,\n)",
            "import price",
        ),
        ("python", "from exercise.shop import A, price", "import price"),
        ("rust", "use exercise::{\n    A, price,\n};", "use exercise::price;"),
        ("rust", "use exercise::{A, B, price};", "use exercise::price;"),
    ],
)
def test_imports_shrink_to_what_is_used(language, given, kept):
    test = {
        "python": "def test_price() -> None:\n    assert price() == 1\n",
        "rust": "#[test]\nfn test_price() {\n    assert_eq!(price(), 1);\n}\n",
    }[language]
    text = kept_tests(f"{given}\n\n\n{test}", ["test_price"], TOOLCHAINS[language])
    assert text.split("\n")[0].endswith(kept)
    assert text.endswith(f"\n\n\n{test}")


def test_an_index_is_no_value_and_comments_are_not_known():
    text = "def test_a():\n    assert rows[7] == find([7, 9])[9]\n"
    grammar = dialect("python").grammar
    assert [token.text for token in literals_of(text, grammar)] == ["7", "9"]
    source = '"""Ann has 12."""\nBOB = "Bob"  # 13\n'
    assert code_only(source, grammar).split() == ["BOB", "=", '"Bob"']


def test_words_and_numbers_change_and_what_the_program_knows_stays():
    grammar, toolchain = dialect("python").grammar, TOOLCHAINS["python"]
    sites = toolchain.tests(TESTS)
    tokens = literals_of(TESTS, grammar, sites)
    fresh = fresh_values([token.text for token in tokens], ["LIMIT = 12  # apple pie"], 3)
    assert "apple" not in fresh.words
    assert fresh.numbers["12"] == "12"
    assert fresh_values(["0", "1", "2"], [], 3).numbers == {"0": "0", "1": "1", "2": "2"}
    assert fresh.numbers["7"] not in ("7", "12")
    changed = with_values(TESTS, tokens, fresh)
    assert f'price("apple", {fresh.numbers["7"]}) == 12' in changed
    again = fresh_values([token.text for token in tokens], ["LIMIT = 12  # apple pie"], 3)
    assert fresh == again


@pytest.mark.parametrize("seed", range(20))
def test_order_length_case_and_escapes_are_kept(seed):
    texts = ['"Ann\\nbob %d {name} Ann"', "3", "50", "400", '"ABC"']
    fresh = fresh_values(texts, [], seed)
    new = fresh.literal(texts[0])
    first, rest = new.split("\\n")
    assert first[1].isupper()
    assert rest.endswith(f'{{name}} {first[1:]}"')
    assert "%d" in rest
    assert len(new) == len(texts[0])
    numbers = [int(fresh.literal(text)) for text in texts[1:4]]
    assert numbers == sorted(set(numbers))
    assert fresh.literal('"ABC"') == '"ABC"'


def _failed(name, line, left, right):
    place = Location("tests/test_shop.py", line)
    return RawTest(name, TestOutcome.FAILED, place, left=left, right=right)


def test_the_answer_of_the_reference_is_put_in_place():
    grammar, toolchain = dialect("python").grammar, TOOLCHAINS["python"]
    raw = _failed("test_price_of_one", 11, "[1, 'x']", "12")
    assert "price(\"apple\", 7) == [1, 'x']" in answered(TESTS, raw, grammar, toolchain)
    strange = _failed("test_price_of_one", 11, "<object at 0x7>", "12")
    assert answered(TESTS, strange, grammar, toolchain) is None
    silent = _failed("test_price_of_one", 11, None, None)
    assert answered(TESTS, silent, grammar, toolchain) is None


RUST = """use exercise::price;

#[test]
fn test_price_is_told() {
    assert_eq!(price("a"), Some("x".to_string()));
}
"""


@pytest.mark.parametrize(
    ("said", "now"),
    [
        ('Some("y")', 'Some("y".to_string())'),
        ("None", None),
        ('Err("y")', None),
        ('Some("y", 3)', None),
    ],
)
def test_rust_answers_replace_literals_only(said, now):
    grammar, toolchain = dialect("rust").grammar, TOOLCHAINS["rust"]
    raw = _failed("test_price_is_told", 5, said, 'Some("x")')
    found = answered(RUST, raw, grammar, toolchain)
    assert found == (RUST.replace('Some("x".to_string())', now) if now else None)
