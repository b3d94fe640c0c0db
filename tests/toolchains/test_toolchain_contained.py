"""Tests that do harm, where bubblewrap works: held in, ended, and nothing of the learner's lost."""

import shutil
import socket

import pytest
from processes import gone
from toolchain_kit import make

from tutor_lsp.core.exercise.report import Location, TestOutcome
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.process.contain import Contain

pytestmark = pytest.mark.first(3)

LIMITS = RunLimits(total_s=60, test_s=3)
PASSED, TIMEOUT = TestOutcome.PASSED, TestOutcome.TIMEOUT
HARM = {"test_deletes": PASSED, "test_network": PASSED, "test_fills": PASSED, "test_forks": TIMEOUT}

PYTHON = {
    "src/exercise/one.py": "ONE = 1\n",
    "tests/test_one.py": """import os, shutil, socket, time
from exercise.one import ONE

def test_fine():
    assert ONE == 1
    assert not os.path.exists("mark")

def test_deletes():
    open("mark", "w").close()
    shutil.rmtree("src")
    os.remove("tests/test_one.py")

def test_network():
    try:
        socket.create_connection(("127.0.0.1", PORT), 2)
    except OSError:
        return
    assert False

def test_fills():
    size = 0
    try:
        with open("large", "wb") as file:
            while size < 300:
                size += file.write(bytes(1 << 20)) >> 20
    except OSError:
        pass
    os.remove("large")
    assert 1 < size < 100

def test_forks():
    while True:
        if os.fork() == 0:
            os.setsid()
            time.sleep(60)
        time.sleep(0.01)
""",
}
RUST = {
    "src/lib.rs": "pub const ONE: i32 = 1;\n",
    "tests/one.rs": """use exercise::ONE;
use std::{fs, io::Write, net::TcpStream, process::Command, thread::sleep, time::Duration};

#[test]
fn test_fine() {
    assert_eq!(ONE, 1);
    assert!(!fs::exists("mark").unwrap());
}

#[test]
fn test_deletes() {
    fs::write("mark", "").unwrap();
    fs::remove_dir_all("src").unwrap();
    fs::remove_file("tests/one.rs").unwrap();
}

#[test]
fn test_network() {
    assert!(TcpStream::connect("127.0.0.1:PORT").is_err());
}

#[test]
fn test_fills() {
    let mut file = fs::File::create("large").unwrap();
    let part = vec![0u8; 1 << 20];
    let size = (0..300).take_while(|_| file.write_all(&part).is_ok()).count();
    assert!(1 < size && size < 100);
}

#[test]
fn test_forks() {
    loop {
        Command::new("sleep").arg("60").spawn().unwrap();
        sleep(Duration::from_millis(10));
    }
}
""",
}
C = {
    "src/one.h": "#ifndef ONE_H\n#define ONE_H\nint one(void);\n#endif\n",
    "src/one.c": '#include "one.h"\nint one(void)\n{\n    return 1;\n}\n',
    "tests/test_one.c": """#define _DEFAULT_SOURCE
#include "test.h"
#include "one.h"
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void test_fine(void)
{
    TEST_ASSERT_EQ(1, one());
    TEST_ASSERT(access("mark", F_OK) != 0);
}

void test_deletes(void)
{
    FILE *mark = fopen("mark", "w");
    TEST_ASSERT(mark != NULL);
    fclose(mark);
    TEST_ASSERT(remove("src/one.c") == 0);
    TEST_ASSERT(remove("tests/test_one.c") == 0);
}

void test_network(void)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int out = socket(AF_INET, SOCK_STREAM, 0);
    TEST_ASSERT(connect(out, (struct sockaddr *)&to, sizeof to) != 0);
}

void test_fills(void)
{
    char *part = calloc(1, 1 << 20);
    FILE *file = fopen("large", "w");
    int size = 0;
    while (size < 300 && fwrite(part, 1, 1 << 20, file) == 1 << 20)
        size++;
    TEST_ASSERT(size > 1);
    TEST_ASSERT(size < 100);
}

void test_forks(void)
{
    for (;;) {
        if (fork() == 0) {
            setsid();
            sleep(60);
        }
        usleep(10000);
    }
}

int main(void)
{
    RUN_TEST(test_fine);
    RUN_TEST(test_deletes);
    RUN_TEST(test_network);
    RUN_TEST(test_fills);
    RUN_TEST(test_forks);
    TEST_SUMMARY();
}
""",
}
EXERCISES = [
    pytest.param("python", PYTHON, id="python"),
    pytest.param("rust", RUST, id="rust", marks=pytest.mark.cargo),
    pytest.param(
        "c", C, id="c",
        marks=pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here"),
    ),
]  # fmt: skip


ALL = ["bubblewrap", "namespaces", "landlock", "limits"]


@pytest.fixture(params=ALL[:2])
async def level(request):
    contain = Contain(level=request.param)
    found = await contain.get()
    if found.level != request.param:
        pytest.skip(f"not here: {found.why}")
    return contain


@pytest.mark.parametrize(("language", "files"), EXERCISES)
async def test_harm_is_held_in(language, files, level, tmp_path, no_process_left):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = str(listening.getsockname()[1])
        folder = tmp_path / "with space" / "ünïcode"
        made = {path: text.replace("PORT", port) for path, text in files.items()}
        make(folder, language, made)
        report = await toolchains(contain=level)[language].run(folder, limits=LIMITS)
    ended = {test.name: test.outcome for test in report.tests}
    assert ended == {"test_fine": PASSED, **HARM}, report
    for path, text in made.items():
        assert (folder / path).read_text("utf-8") == text
    assert not (folder / "mark").exists()
    assert not (folder / "large").exists()
    await gone(no_process_left)


@pytest.mark.parametrize(("language", "files"), EXERCISES)
async def test_what_tests_write_can_be_kept_for_the_next_run(language, files, level, tmp_path):
    make(tmp_path, language, {path: text.replace("PORT", "1") for path, text in files.items()})
    tool = toolchains(contain=level)[language]
    limits = RunLimits(total_s=60, test_s=10, keeps_files=True)
    first = await tool.run(tmp_path, tests=["test_deletes"], limits=limits)
    assert [test.name for test in first.tests if test.outcome is PASSED] == ["test_deletes"]
    assert (tmp_path / "mark").exists()
    again = await tool.run(tmp_path, tests=["test_fine"], limits=limits)
    ended = {test.name: test.outcome for test in again.tests}
    assert ended["test_fine"] is TestOutcome.FAILED, again


OVERFLOW = {
    "src/one.h": "#ifndef ONE_H\n#define ONE_H\nint at(const int *of, int n);\n#endif\n",
    "src/one.c": '#include "one.h"\nint at(const int *of, int n)\n{\n    return of[n];\n}\n',
    "tests/test_one.c": """#include "test.h"
#include "one.h"

void test_past_the_end(void)
{
    int two[2] = {1, 2};
    TEST_ASSERT_EQ(0, at(two, 2));
}

int main(void)
{
    RUN_TEST(test_past_the_end);
    TEST_SUMMARY();
}
""",
}


@pytest.mark.first(1)
@pytest.mark.parametrize("name", ALL)
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here")
async def test_the_place_of_a_crash_is_told_at_every_level(name, tmp_path):
    contain = Contain(level=name)
    found = await contain.get()
    if found.level != name:
        pytest.skip(f"not here: {found.why}")
    make(tmp_path, "c", OVERFLOW)
    report = await toolchains(contain=contain)["c"].run(tmp_path, limits=LIMITS)
    [test] = report.tests
    assert test.raised_at == Location("src/one.c", 4), report


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(("language", "files"), EXERCISES)
async def test_builds_and_runs_work_at_every_level(language, files, name, tmp_path):
    contain = Contain(level=name, home=tmp_path)
    found = await contain.get()
    if found.level != name:
        pytest.skip(f"not here: {found.why}")
    folder = tmp_path / "exercise"
    make(folder, language, {path: text.replace("PORT", "1") for path, text in files.items()})
    tool = toolchains(contain=contain)[language]
    for _ in range(2):  # built, then not built again
        report = await tool.run(folder, tests=["test_fine", "test_network"], limits=LIMITS)
        ended = {t.name: t.outcome for t in report.tests if t.outcome is not TestOutcome.NOT_RUN}
        assert ended == {"test_fine": PASSED, "test_network": PASSED}, report
    names = [path for path in files if path.startswith("src/")]
    assert isinstance(await tool.lint(folder, names, 60), tuple)
