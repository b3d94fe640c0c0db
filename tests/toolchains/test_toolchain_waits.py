"""A test that waits is told from one that computes for ever, whatever else the machine does."""

import sys

import pytest
from c_kit import needs_cc
from toolchain_kit import TOOLS, make, outcomes

from tutor_lsp.core.exercise.report import TestOutcome
from tutor_lsp.core.ports import RunLimits

STUBS = ["rest", "spin", "flood"]
PYTHON = {
    "src/exercise/ends.py": "import time\n\ndef rest():\n    time.sleep(60)\n\n"
    "def spin():\n    while True: pass\n\n"
    "def flood():\n    while True: print('x' * 1000)\n",
    "tests/test_ends.py": "from exercise.ends import flood, rest, spin\n"
    + "".join(f"def test_{name}(): assert {name}() == 1\n" for name in STUBS),
}
RUST = {
    "src/lib.rs": "use std::{thread, time::Duration};\n"
    "pub fn rest() -> i32 { thread::sleep(Duration::from_secs(60)); 1 }\n"
    "pub fn spin() -> i32 { let mut n = 0u64; loop { n = std::hint::black_box(n + 1); } }\n"
    'pub fn flood() -> i32 { loop { println!("{}", "x".repeat(1000)); } }\n',
    "tests/ends.rs": "use exercise::*;\n"
    + "".join(f"#[test]\nfn test_{name}() {{ assert_eq!({name}(), 1); }}\n" for name in STUBS),
}
C = {
    "src/ends.h": "#ifndef ENDS_H\n#define ENDS_H\n"
    + "".join(f"int {name}(void);\n" for name in STUBS)
    + "#endif\n",
    "src/ends.c": '#include <stdio.h>\n#include <unistd.h>\n#include "ends.h"\n'
    "int rest(void) { sleep(60); return 1; }\n"
    "int spin(void) { for (volatile unsigned n = 0;; n++) { } }\n"
    'int flood(void) { for (;;) printf("%01000d\\n", 1); }\n',
    "tests/test_ends.c": '#include "ends.h"\n#include "test.h"\n'
    + "".join(f"void test_{name}(void) {{ TEST_ASSERT_EQ(1, {name}()); }}\n" for name in STUBS)
    + "int main(void) {\n"
    + "".join(f"    RUN_TEST(test_{name});\n" for name in STUBS)
    + "    return TEST_SUMMARY();\n}\n",
}


@pytest.mark.first(1)
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows what a process does")
@pytest.mark.parametrize(
    ("language", "files"),
    [
        ("python", PYTHON),
        pytest.param("rust", RUST, marks=pytest.mark.cargo),
        pytest.param("c", C, marks=needs_cc),
    ],
)
async def test_one_that_waits_is_told_from_one_that_is_busy(tmp_path, language, files):
    workspace = make(tmp_path, language, files)
    _, tests = await outcomes(language, workspace, limits=RunLimits(total_s=60, test_s=1))
    assert {test.outcome for test in tests.values()} == {TestOutcome.TIMEOUT}
    said = {
        name: TOOLS[language].explain(tests[f"test_{name}"], files, STUBS).message for name in STUBS
    }
    assert said["rest"] == (
        "`rest()` did not finish within 1 s, and was not busy: look at what it waits for"
    )
    for name in ("spin", "flood"):
        assert (
            said[name] == f"`{name}()` did not finish within 1 s: look for a loop that never ends"
        )
