"""A stub that never comes back: its first test gets the whole limit, the others a short one.

The stubs sleep while they hang, to leave the machine to other tests.
"""

import pytest
from c_kit import needs_cc
from toolchain_kit import make, outcomes

from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.languages.common.running import Patience
from tutor_lsp.process.run import processors

LIMITS = RunLimits(total_s=60, test_s=3, again_s=0.4)
HANGING = ["test_spin_a", "test_spin_b", "test_spin_c", "test_spin_d", "test_spin_e"]
TARGETS = {**dict.fromkeys(HANGING, "spin"), "test_walk": "walk"}
PYTHON = {
    "src/exercise/loops.py": "import time\n\ndef spin(n):\n"
    "    while n != 7: time.sleep(0.01)\n    return 7\n\n"
    "def walk():\n    return 1\n",
    "tests/test_loops.py": "from exercise.loops import spin, walk\n"
    + "".join(f"def {name}(): assert spin({i}) == 7\n" for i, name in enumerate(HANGING[:4]))
    + "def test_spin_e(): assert spin(7) == 7\n"
    "def test_walk(): assert walk() == 1\n",
}
RUST = {
    "src/lib.rs": "fn nap() { std::thread::sleep(std::time::Duration::from_millis(10)) }\n"
    "pub fn spin(n: i32) -> i32 { while n != 7 { nap() } 7 }\npub fn walk() -> i32 { 1 }\n",
    "tests/loops.rs": "use exercise::*;\n"
    + "".join(f"#[test]\nfn {t}() {{ assert_eq!(spin({i}), 7); }}\n"
              for i, t in enumerate(HANGING[:4]))
    + "#[test]\nfn test_spin_e() { assert_eq!(spin(7), 7); }\n"
    "#[test]\nfn test_walk() { assert_eq!(walk(), 1); }\n",
}  # fmt: skip
C = {
    "src/loops.h": "#ifndef LOOPS_H\n#define LOOPS_H\n"
    "int spin(int n);\nint walk(void);\n#endif\n",
    "src/loops.c": '#include <unistd.h>\n#include "loops.h"\n'
    "int spin(int n) { while (n != 7) sleep(1); return 7; }\n"
    "int walk(void) { return 1; }\n",
    "tests/test_loops.c": '#include "loops.h"\n#include "test.h"\n'
    + "".join(f"void {t}(void) {{ TEST_ASSERT_EQ(7, spin({i})); }}\n"
              for i, t in enumerate(HANGING[:4]))
    + "void test_spin_e(void) { TEST_ASSERT_EQ(7, spin(7)); }\n"
    "void test_walk(void) { TEST_ASSERT_EQ(1, walk()); }\n"
    "int main(void) {\n"
    + "".join(f"    RUN_TEST({t});\n" for t in [*HANGING, "test_walk"])
    + "    return TEST_SUMMARY();\n}\n",
}  # fmt: skip


@pytest.mark.long("waits for a limit")
@pytest.mark.parametrize(
    ("language", "files"),
    [
        ("python", PYTHON),
        pytest.param("rust", RUST, marks=pytest.mark.cargo),
        pytest.param("c", C, marks=needs_cc),
    ],
)
async def test_further_tests_of_a_stub_that_hung_get_a_short_limit(tmp_path, language, files):
    workspace = make(tmp_path, language, files)
    report, tests = await outcomes(language, workspace, limits=LIMITS, targets=TARGETS)
    assert report.outcome is RunOutcome.FAILED
    hung = [tests[name] for name in HANGING[:4]]
    assert {test.outcome for test in hung} == {TestOutcome.TIMEOUT}
    # what runs at the same time as the first has the whole limit, as many as there are processors
    whole = [test for test in hung if test.error == "did not finish within 3 s"]
    short = [test for test in hung if test.error == "did not finish within 0.4 s"]
    assert hung[0] in whole
    assert len(short) >= 1
    assert len(whole) + len(short) == 4
    # each is run all the same, in its own time: a machine under load may need more than that
    last = tests["test_spin_e"]
    assert last.outcome is TestOutcome.PASSED or last.error == "did not finish within 0.4 s"
    assert tests["test_walk"].outcome is TestOutcome.PASSED


def test_only_tests_of_the_stub_that_hung_lose_time():
    patience = Patience(LIMITS, TARGETS)
    assert {patience.limit_s(test) for test in [*TARGETS, "other"]} == {3}
    patience.hung("test_spin_b")
    assert {patience.limit_s(test) for test in HANGING} == {0.4}
    assert {patience.limit_s(test) for test in ("test_walk", "other")} == {3}
    hasty = Patience(RunLimits(test_s=0.1), TARGETS)
    hasty.hung("test_spin_a")
    assert hasty.limit_s("test_spin_b") == 0.1


@pytest.mark.skipif(processors() < 2, reason="there is one processor")
@pytest.mark.long("waits for a limit")
async def test_the_other_tests_of_a_python_stub_that_hung_run_at_the_same_time(tmp_path):
    says_when = "def spin(n):\n    print(time.monotonic(), flush=True)\n"
    source = PYTHON["src/exercise/loops.py"].replace("def spin(n):\n", says_when)
    workspace = make(tmp_path, "python", {**PYTHON, "src/exercise/loops.py": source})
    limits = RunLimits(total_s=60, test_s=2, again_s=2)
    _, tests = await outcomes("python", workspace, limits=limits, targets=TARGETS)
    assert [tests[name].outcome for name in HANGING[:4]] == [TestOutcome.TIMEOUT] * 4
    assert tests["test_spin_e"].outcome is TestOutcome.PASSED
    assert tests["test_walk"].outcome is TestOutcome.PASSED
    begun = sorted(float(tests[name].output) for name in HANGING[1:4])
    assert begun[1] - begun[0] < limits.again_s


@pytest.mark.long("waits for a limit")
async def test_without_targets_every_test_has_the_whole_limit(tmp_path):
    workspace = make(tmp_path, "python", PYTHON)
    limits = RunLimits(total_s=60, test_s=1.5, again_s=0.5)
    _, tests = await outcomes("python", workspace, limits=limits, tests=HANGING[:2])
    errors = {tests[name].error for name in HANGING[:2]}
    assert errors == {"did not finish within 1.5 s"}
