"""Two small functions in each language, whose tests let a wrong version pass."""

from dataclasses import dataclass

from proof_kit import TOOLCHAINS

from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.model import Candidate
from tutor_lsp.authoring.proof import LIMITS
from tutor_lsp.authoring.proof.mutants.trying import Trying
from tutor_lsp.authoring.proof.trial import trial_of
from tutor_lsp.languages.common.proof.bench import Bench
from tutor_lsp.languages.registry import dialect


@dataclass(frozen=True)
class Small:
    """Two functions: the tests of the first let a wrong version pass, the second is a constant."""

    language: str
    files: dict[str, str]
    accepts: dict[str, str]


PYTHON = Small(
    "python",
    {
        "src/exercise/__init__.py": "",
        "src/exercise/trip.py": '''def fare(age: int, zones: int) -> int:
    """ex-1 - First principle: limits"""
    total = 0
    while zones > 0:
        total += 2
        zones -= 1
    if age < 6:
        return 0
    return total


def greeting(name: str) -> str:
    """ex-2 - First principle: texts"""
    return "Hello " + name.strip()
''',
        "tests/test_trip.py": """from exercise.trip import fare, greeting


def test_fare_a() -> None:
    assert fare(30, 2) == 4
    assert fare(2, 3) == 0


def test_fare_b() -> None:
    age = 40
    assert fare(age, 1) == 2


def test_greeting_a() -> None:
    assert greeting("Ada") == "Hello Ada"
    assert greeting(" Ada") == "Hello Ada"
""",
    },
    {
        "ex-1": "def accepts(age: int, zones: int) -> bool:\n    return age >= 0 and zones < 9\n",
        "ex-2": "def accepts(name: str) -> bool:\n    return True\n",
    },
)
RUST = Small(
    "rust",
    {
        "src/lib.rs": """/// ex-1 - First principle: limits
pub fn fare(age: u32, zones: u32) -> u32 {
    let mut left = zones;
    let mut total = 0;
    while left > 0 {
        total += 2;
        left -= 1;
    }
    if age < 6 {
        return 0;
    }
    total
}

/// ex-2 - First principle: texts
pub fn greeting(name: &str) -> String {
    format!("Hello {}", name.trim())
}
""",
        "tests/trip.rs": """use exercise::{fare, greeting};

#[test]
fn test_fare_a() {
    assert_eq!(fare(30, 2), 4);
    assert_eq!(fare(2, 3), 0);
}

#[test]
fn test_fare_b() {
    let age = 40;
    assert_eq!(fare(age, 1), 2);
}

#[test]
fn test_greeting_a() {
    assert_eq!(greeting("Ada"), String::from("Hello Ada"));
    assert_eq!(greeting(" Ada"), "Hello Ada");
}
""",
    },
    {
        "ex-1": "pub fn accepts(_age: u32, zones: u32) -> bool {\n    zones < 9\n}\n",
        "ex-2": "pub fn accepts(_name: &str) -> bool {\n    true\n}\n",
    },
)
C = Small(
    "c",
    {
        "src/trip.h": "int fare(int age, int zones);\nint twice(int number);\n",
        "src/trip.c": """#include "trip.h"

/**
 * ex-1 - First principle: limits
 */
int fare(int age, int zones)
{
    int total = 0;
    while (zones > 0) {
        total += 2;
        zones--;
    }
    if (age < 6) {
        return 0;
    }
    return total;
}

/**
 * ex-2 - First principle: numbers
 */
int twice(int number)
{
    return number * 2;
}
""",
        "tests/test_trip.c": """#include "test.h"
#include "trip.h"

void test_fare_a(void)
{
    TEST_ASSERT_EQ(4, fare(30, 2));
    TEST_ASSERT_EQ(0, fare(2, 3));
}

void test_fare_b(void)
{
    int age = 40;
    TEST_ASSERT_EQ(2, fare(age, 1));
}

void test_twice_a(void)
{
    TEST_ASSERT_EQ(4, twice(2));
}

int main(void)
{
    RUN_TEST(test_fare_a);
    RUN_TEST(test_fare_b);
    RUN_TEST(test_twice_a);
    TEST_SUMMARY();
}
""",
    },
    {
        "ex-1": '#include "trip.h"\n_Bool accepts(int age, int zones);\n'
        "_Bool accepts(int age, int zones)\n{\n    return age >= 0 && zones < 9;\n}\n",
        "ex-2": "_Bool accepts(int number);\n_Bool accepts(int number)\n{\n"
        "    return number < 99;\n}\n",
    },
)
EACH = [PYTHON, RUST, C]


def trial(small):
    toolchain = TOOLCHAINS[small.language]
    files = toolchain.complete(small.files)
    src = {path: text for path, text in files.items() if path.startswith("src/")}
    units = build_index(files, None, toolchain).units
    assert [unit.id for unit in units] == ["ex-1", "ex-2"]
    made = Candidate(small.language, small.files, files, src, units, small.accepts)
    return trial_of(made, toolchain, dialect(small.language))


async def tried(small, folder, *, values_only=False):
    made = trial(small)
    await made.toolchain.probe()
    bench = Bench(made.toolchain, folder, LIMITS)
    solved = made.candidate.files
    given = (made, solved, small.accepts, made.dialect.mutations)
    return await Trying(*given, values_only=values_only).run(bench)
