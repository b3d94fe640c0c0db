"""Real runs of cargo on small exercises; as few builds as possible."""

import os

import pytest
from toolchain_kit import LIMITS, TOOLS, check_cancelling, check_missing_tool, make, outcomes

from tutor_lsp.core.exercise.report import Location, RunOutcome, TestOutcome
from tutor_lsp.core.ports import RunLimits

pytestmark = [pytest.mark.cargo, pytest.mark.xdist_group("cargo")]

SOURCE = """\
//! Ways in which a test can end.

pub mod words;

pub fn fine() -> i32 {
    println!("printed");
    1
}

pub fn stub(text: &str) -> i32 {
    let _ = text;
    todo!("stub")
}

pub fn hang() -> i32 {
    println!("before");
    loop {
        std::thread::yield_now();
    }
}

pub fn leave() -> i32 {
    std::process::exit(0)
}

pub fn kill() -> i32 {
    let own = std::process::id().to_string();
    let _ = std::process::Command::new("kill").args(["-9", &own]).status();
    hang()
}

pub fn deep(number: u64) -> u64 {
    if number == u64::MAX { 0 } else { 1 + deep(number + 1) }
}

pub fn flood() -> i32 {
    print!("{}", "y".repeat(100_000_000));
    1
}

pub fn forge(name: &str) -> i32 {
    println!("test {name} ... ok\\n\\ntest result: ok. 1 passed; 0 failed; 0 ignored;");
    0
}

pub fn daemon() -> i32 {
    let child = std::process::Command::new("sleep").arg("60").spawn();
    i32::from(child.is_ok())
}
"""
TESTS = """\
use exercise::*;

#[test]
fn test_fine() { assert_eq!(fine(), 1); }
#[test]
fn test_stub() { assert_eq!(stub("a"), 1); }
#[test]
fn test_hang() { assert_eq!(hang(), 1); }
#[test]
fn test_leave() { assert_eq!(leave(), 1); }
#[test]
fn test_kill() { assert_eq!(kill(), 1); }
#[test]
fn test_deep() { assert_eq!(deep(0), 1); }
#[test]
fn test_flood() { assert_eq!(flood(), 2); }
#[test]
fn test_forge() { assert_eq!(forge("test_forge"), 1); }
#[test]
fn test_daemon() { assert_eq!(daemon(), 1); }
#[test]
fn test_later() { let ä = words::länge("ä b"); assert_eq!(ä, 2, "of {ä}"); }
"""
WORDS = (
    'pub fn länge(text: &str) -> usize {\r\n    let ß = text; println!("lang"); ß.len()\r\n}\r\n'
)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    """One exercise that is built once; tests that change it put it back."""
    folder = tmp_path_factory.mktemp("with space") / "ünïcode"
    files = {"src/lib.rs": SOURCE, "src/words.rs": WORDS, "tests/all.rs": TESTS}
    return make(folder, "rust", files)


@pytest.mark.long("waits for a limit")
async def test_no_way_of_ending_a_test_takes_the_others_along(workspace):
    report, tests = await outcomes("rust", workspace)
    assert {name: test.outcome.value for name, test in tests.items()} == {
        "test_fine": "passed",
        "test_stub": "failed",
        "test_hang": "timeout",
        "test_leave": "errored",
        "test_kill": "errored",
        "test_deep": "errored",
        "test_flood": "failed",
        "test_forge": "failed",
        "test_daemon": "passed",
        "test_later": "failed",
    }
    assert list(tests)[:3] == ["test_fine", "test_stub", "test_hang"]
    assert report.outcome is RunOutcome.FAILED
    assert (report.warnings, report.build_errors) == (0, ())
    assert tests["test_fine"].output == "printed\n"
    assert tests["test_stub"].not_implemented
    assert tests["test_stub"].raised_at == Location("src/lib.rs", 12, 5)
    assert tests["test_hang"].output == "before\n"
    assert tests["test_leave"].error == "the run ended inside this test: exit code 0"
    assert tests["test_kill"].error.endswith("killed by SIGKILL (signal 9)")
    assert tests["test_deep"].error == "ran out of stack"
    assert "more was printed" in tests["test_flood"].output
    assert len(tests["test_flood"].output) < LIMITS.output_bytes + 20_000
    assert (tests["test_flood"].left, tests["test_flood"].right) == ("1", "2")
    later = tests["test_later"]
    assert (later.left, later.right, later.error, later.output) == ("4", "2", "of 4", "lang\n")
    assert later.location == Location("tests/all.rs", 22, 48)


async def test_only_the_named_tests_run_but_all_are_listed(workspace):
    report, tests = await outcomes("rust", workspace, tests=["test_fine"])
    assert report.outcome is RunOutcome.PASSED
    ran = [name for name, test in tests.items() if test.outcome is not TestOutcome.NOT_RUN]
    assert (ran, len(tests)) == (["test_fine"], 10)
    report, _ = await outcomes("rust", workspace, tests=["test_nothing"])
    assert report.outcome is RunOutcome.NOT_RUN


@pytest.mark.long("waits for a limit")
async def test_the_limit_of_the_whole_run_ends_it(workspace):
    limits = RunLimits(total_s=4, test_s=60)
    report, tests = await outcomes("rust", workspace, tests=["test_hang"], limits=limits)
    assert report.duration_ms < 30_000
    assert tests["test_hang"].outcome is TestOutcome.TIMEOUT


async def test_cancelling_leaves_no_process(workspace, no_process_left):
    limits = RunLimits(test_s=60)
    running = TOOLS["rust"].run(workspace, tests=["test_hang"], limits=limits)
    await check_cancelling(running, "test_hang", no_process_left)


async def test_a_restored_file_that_is_older_than_the_build_is_built_again(workspace):
    words = workspace / "src" / "words.rs"
    before = words.stat()
    words.write_bytes(WORDS.replace("ß.len()", "let unused = 1; ß.len() - 2").encode())
    os.utime(words, ns=(before.st_atime_ns, before.st_mtime_ns - 3600 * 10**9))
    report, tests = await outcomes("rust", workspace, tests=["test_later"])
    words.write_bytes(WORDS.encode())
    assert report.outcome is RunOutcome.PASSED, tests["test_later"]
    assert report.warnings == 1


async def test_build_errors_have_their_span(workspace):
    words = workspace / "src" / "words.rs"
    broken = 'pub fn länge(text: &str) -> usize {\n    let ß = "ß"; let n: usize = text; n\n}\n'
    words.write_text(broken)
    report, tests = await outcomes("rust", workspace)
    words.write_bytes(WORDS.encode())
    assert (report.outcome, tests, report.warnings) == (RunOutcome.BUILD_ERROR, {}, 0)
    (error,) = report.build_errors
    assert (error.file, error.line, error.column, error.end_column) == ("src/words.rs", 2, 33, 37)
    assert error.code == "E0308"
    assert "src/words.rs, line 2" in report.reason


async def test_a_manifest_that_is_wrong_or_missing_is_a_build_error(workspace):
    manifest = workspace / "Cargo.toml"
    good = manifest.read_text()
    try:
        manifest.write_text(good + "[[[\n")
        report, _ = await outcomes("rust", workspace)
        assert report.outcome is RunOutcome.BUILD_ERROR
        assert report.build_errors[0].file == "Cargo.toml"
        manifest.unlink()
        report, _ = await outcomes("rust", workspace)
        assert report.build_errors[0].message == "Cargo.toml is missing"
    finally:
        manifest.write_text(good)


async def test_no_tests_are_not_run(tmp_path):
    workspace = make(tmp_path, "rust", {"src/lib.rs": "pub fn a() {}\n"})
    report, tests = await outcomes("rust", workspace)
    assert (report.outcome, tests) == (RunOutcome.NOT_RUN, {})
    assert "no tests" in report.reason


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (None, "cargo was not found"),
        ("echo \"error: toolchain 'stable' is not installed\" >&2; exit 1", "not installed"),
    ],
)
async def test_a_missing_or_broken_cargo_names_the_remedy(tmp_path, monkeypatch, script, said):
    cargo, _ = await check_missing_tool(
        monkeypatch, tmp_path, "rust", "cargo", script, said, "rustup.rs"
    )
    assert (cargo.found, cargo.works) == (script is not None, False)


async def test_the_probe_names_both_tools():
    cargo, rustc = await TOOLS["rust"].probe()
    assert cargo.works
    assert rustc.works
    assert rustc.version[0].isdigit()


async def test_a_workspace_that_is_gone_is_not_run(tmp_path):
    report, tests = await outcomes("rust", tmp_path / "gone")
    assert (report.outcome, tests) == (RunOutcome.NOT_RUN, {})
    assert "is gone" in report.reason
