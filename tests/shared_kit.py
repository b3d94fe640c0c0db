"""New exercises whose file of declarations is that of three units: `ex-4` and `ex-5`, which
`new-exercise` writes, and `ex-6`."""

from dataclasses import dataclass

from tutor_lsp.authoring.own.new_exercise import new_exercise
from tutor_lsp.core.exercise.exercise import UnitKind

THIRD = "ex-6"

_TOML = """
[[units]]
id = "{unit}"
kind = "declare"
stub = "{stub}"
file = "{file}"
first_principle = "{principle}"
lesson_heading = "{heading}"
tests = [{tests}]
"""
_COMMENT = """{contract}

{unit} - First principle: {principle}
Read: LESSON.md, "{heading}"
Test: {test}
Start here: {start}"""
_SECTION = """
## {heading}

{example}

`{stub}` is yours from the first line on.

[{stub}]({file})
"""
_HINTS = """## L1

Read the first lines of the tests: which name do they use that is not there yet, and with what?
It has to exist first, whatever it does.

## L2

The section of the lesson has something of the same kind, about parcels. Which of its names stand
for what is given here, and which for what comes back?

## L3

Write the head first, with the name that the tests use, and let it give back what the comment says;
then read what its tests expect.
"""


@dataclass(frozen=True)
class More:
    """One more unit in the file: what its comment says, its reference, its tests."""

    stub: str
    contract: str
    principle: str
    heading: str
    start: str
    example: str
    code: str
    test_file: str
    tests: str
    names: tuple[str, str]


MORE = {
    "python": More(
        "summary",
        '`summary([Reading(3, "hall"), Reading(21, "kitchen")])` is "2, at most 21 C in the\n'
        'kitchen".',
        "a function uses another one",
        "What is written already is used",
        "which of the functions above tells the place?",
        """```python
def line(town: str, grams: int) -> str:
    return town + ", " + str(grams)


print(line("Ghent", 250))
```

```text
Ghent, 250
```""",
        """def summary(readings: list[Reading]) -> str:
    top = hottest(readings)
    return f"{len(readings)}, at most {top.celsius} C in the {top.place}"
""",
        "tests/test_summary.py",
        """from exercise.reading import Reading, summary


def test_summary_counts_readings() -> None:
    assert summary([Reading(3, "hall")]) == "1, at most 3 C in the hall"


def test_summary_names_the_hottest() -> None:
    readings = [Reading(3, "hall"), Reading(21, "kitchen")]
    assert summary(readings) == "2, at most 21 C in the kitchen"
""",
        ("test_summary_counts_readings", "test_summary_names_the_hottest"),
    ),
    "rust": More(
        "is_warmer",
        "`is_warmer(&hall, &garden)` tells whether the first one has more degrees.",
        "a function borrows what it looks at",
        "A value can be looked at without being taken",
        "what does `&` say about who has the values afterwards?",
        """```rust
pub struct Parcel {
    pub grams: u32,
}

fn is_heavy(parcel: &Parcel) -> bool {
    parcel.grams > 2000
}

fn main() {
    println!("{}", is_heavy(&Parcel { grams: 250 }));
}
```

```text
false
```""",
        """pub fn is_warmer(one: &Reading, other: &Reading) -> bool {
    one.celsius > other.celsius
}
""",
        "tests/warmer.rs",
        """use exercise::reading::{is_warmer, Reading};

fn at(celsius: i32) -> Reading {
    Reading { celsius, place: String::from("hall") }
}

#[test]
fn test_is_warmer_compares_degrees() {
    assert!(is_warmer(&at(21), &at(3)));
    assert!(!is_warmer(&at(3), &at(21)));
}

#[test]
fn test_is_warmer_is_false_for_equals() {
    assert!(!is_warmer(&at(3), &at(3)));
    assert!(is_warmer(&at(4), &at(3)));
}
""",
        ("test_is_warmer_compares_degrees", "test_is_warmer_is_false_for_equals"),
    ),
    "c": More(
        "frosts",
        "`frosts(readings, 3)` is in how many of three readings there is frost.",
        "a function uses another one",
        "What is written already is used",
        "what tells whether there is frost in one of them?",
        """```c
#include <stdio.h>

static inline int is_light(int grams)
{
    return grams < 100;
}

int main(void)
{
    printf("%d\\n", is_light(250) + is_light(20));
    return 0;
}
```

```text
1
```""",
        """static inline int frosts(const struct reading *readings, int count)
{
    int found = 0;
    for (int at = 0; at < count; at++)
        found += has_frost(readings[at]);
    return found;
}
""",
        "tests/test_frosts.c",
        """#include "reading.h"
#include "test.h"

void test_frosts_counts_those_below_zero(void)
{
    struct reading readings[] = {{-3, "garden"}, {21, "hall"}, {-8, "roof"}};
    TEST_ASSERT_EQ(2, frosts(readings, 3));
}

void test_frosts_of_none_is_zero(void)
{
    struct reading readings[] = {{-3, "garden"}};
    TEST_ASSERT_EQ(0, frosts(readings, 0));
    TEST_ASSERT_EQ(1, frosts(readings, 1));
}

int main(void)
{
    RUN_TEST(test_frosts_counts_those_below_zero);
    RUN_TEST(test_frosts_of_none_is_zero);
    TEST_SUMMARY();
}
""",
        ("test_frosts_counts_those_below_zero", "test_frosts_of_none_is_zero"),
    ),
}
FILE = {"python": "src/exercise/reading.py", "rust": "src/reading.rs", "c": "src/reading.h"}


def _marked(said, language):
    rows = said.split("\n")
    if language == "c":
        return "\n".join(("/*", *(f" * {row}".rstrip() for row in rows), " */", ""))
    mark = {"python": "#", "rust": "//"}[language]
    return "\n".join((*(f"{mark} {row}".rstrip() for row in rows), ""))


def comment(language):
    """The comment of the third unit, with its marks."""
    more = MORE[language]
    about = {**vars(more), "unit": THIRD, "test": more.names[0]}
    return _marked(_COMMENT.format(**about), language)


def shared_folder(folder, language):
    """A new exercise's folder whose declarations stand in one file."""
    made, file = folder / f"{language}-weather-notes", FILE[language]
    new_exercise(made, language, kinds=[UnitKind.DECLARE, UnitKind.DECLARE])

    def change(name, text, *, before=None):
        path = made / name
        old = path.read_text()
        if before is not None:
            first, mark, last = old.rpartition(before)
            path.write_text(f"{first}{text}{mark}{last}")
        else:
            path.write_text(f"{old.rstrip()}\n\n\n{text}")

    more = MORE[language]
    about = {**vars(more), "unit": THIRD, "file": file}
    about["tests"] = ", ".join(f'"{name}"' for name in more.names)
    said = comment(language)
    change("exercise.toml", _TOML.format(**about))
    change("LESSON.md", _SECTION.format(**about), before="\n## ")
    change(file, said)
    change(f"solution/{file}", f"{said}\n{more.code}")
    (made / more.test_file).write_text(more.tests)
    (made / f"hints/{THIRD}.md").write_text(_HINTS)
    return made
