"""Runs in other surroundings: another folder, another time, memory that nobody wrote."""

from dataclasses import replace

import c_kit
import pytest
from c_kit import needs_cc
from toolchain_kit import LIMITS, TOOLS, make, python_exercise

from tutor_lsp.languages.c import compiler
from tutor_lsp.languages.c.compiler import FILL, FindCompiler
from tutor_lsp.languages.common.proof.dialect import ELSEWHERE, OWN_CLOCK
from tutor_lsp.languages.toolchains import toolchains

AWAY = replace(LIMITS, around=tuple(ELSEWHERE.items()))
NOW = replace(LIMITS, around=(*ELSEWHERE.items(), *OWN_CLOCK.items()))


async def states(tool, folder):
    """How each test ends in the usual surroundings, in others, and there without another time."""
    found = []
    for limits in (LIMITS, AWAY, NOW):
        report = await tool.run(folder, limits=limits)
        assert not report.build_errors, report.build_errors
        found.append({test.name: test.outcome.value for test in report.tests})
    return found


def same(names):
    return dict.fromkeys(names, "passed")


PYTHON = """
import datetime, logging, os, time
from datetime import date, datetime as moment

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NEW = os.stat(__file__).st_mtime

def test_own_files(): assert open("src/exercise/words.py").read() == "WORDS = 3\\n"
def test_own_names(): assert {"src", "tests"} <= set(os.listdir())
def test_elapsed(): assert time.monotonic() - time.monotonic() <= 0 < time.perf_counter()
def test_fixed(): assert datetime.datetime(2024, 2, 29, 1).strftime("%d") == "29"
def test_kinds():
    now = moment.now(datetime.timezone.utc)
    assert type(now) is datetime.datetime and isinstance(now, date)
    assert repr(now).startswith("datetime.datetime(") and now.tzinfo is not None
    assert type(date.today()) is date and time.localtime(0).tm_year in (1969, 1970)
def test_own_class():
    class Day(date): pass
    assert type(Day.today()) is Day
def test_agree():
    assert abs(moment.now().timestamp() - time.time()) < 60
    assert time.time_ns() // 10**9 - time.time() < 60
    assert time.gmtime().tm_yday == moment.utcnow().timetuple().tm_yday
    assert time.strftime("%Y") == str(date.today().year)
def test_attributes():
    class InUtc(logging.Formatter):
        converter = time.gmtime
    class Timer:
        clock, precise, zone, form = time.time, time.time_ns, time.localtime, time.strftime
        spelt, said, read = time.asctime, time.ctime, time.clock_gettime
    record, timer = logging.makeLogRecord({"created": 0}), Timer()
    assert InUtc("%(asctime)s").format(record).startswith("1970-01-01 00:00:00")
    assert timer.precise() // 10**9 - timer.clock() < 60 and timer.zone(0).tm_yday
    assert timer.form("%Y") == timer.spelt()[-4:] == timer.said()[-4:]
    assert abs(timer.read(time.CLOCK_REALTIME) - timer.clock()) < 60
    assert repr(time.time.__name__) == "'time'"

def test_own_clock(monkeypatch):
    monkeypatch.setattr(time, "time", lambda: 86400.0)
    assert date.today().year == 1970 < moment.now().year

def test_folder(): assert os.getcwd() == HERE
def test_time(): assert time.time() - NEW < 3600
def test_now(): assert moment.now() - moment.fromtimestamp(NEW) < datetime.timedelta(1)
def test_utcnow(): assert moment.utcnow().year - time.gmtime(NEW).tm_year < 2
def test_today(): assert date.today() - date.fromtimestamp(NEW) < datetime.timedelta(2)
def test_localtime(): assert time.localtime().tm_year - time.localtime(NEW).tm_year < 2
"""
PYTHON_DEPENDS = ["folder", "time", "now", "utcnow", "today", "localtime"]


@pytest.mark.parametrize("contained", [False, True], ids=["free", "contained"])
async def test_python(tmp_path, contained):
    tool = toolchains()["python"] if contained else TOOLS["python"]
    folder = python_exercise(tmp_path, "WORDS = 3\n", PYTHON)
    usual, away, now = await states(tool, folder)
    assert usual == same(usual)
    assert now == {**usual, "test_folder": "failed"}
    assert [name for name in usual if away[name] != "passed"] == [
        f"test_{name}" for name in PYTHON_DEPENDS
    ]


RUST = """
use std::time::{Duration, Instant, SystemTime};

#[test]
fn test_own_files() {
    assert_eq!(std::fs::read_to_string("src/lib.rs").unwrap(), "pub const WORDS: i32 = 3;\\n");
}
#[test]
fn test_elapsed() { assert!(Instant::now().elapsed() < Duration::from_secs(60)); }
#[test]
fn test_started() {
    let wrote = std::process::Command::new("sh").args(["-c", "echo hi > out.txt"]).status();
    assert!(wrote.unwrap().success());
    assert_eq!(std::fs::read_to_string("out.txt").unwrap(), "hi\\n");
}
#[test]
fn test_folder() {
    assert_eq!(std::env::current_dir().unwrap().to_str(), Some(env!("CARGO_MANIFEST_DIR")));
}
#[test]
fn test_time() {
    let made = std::fs::metadata("tests/words.rs").unwrap().modified().unwrap();
    let age = SystemTime::now().duration_since(made).unwrap_or_default();
    assert!(age < Duration::from_secs(3600), "{age:?} {}", exercise::WORDS);
}
"""


@pytest.mark.cargo
@pytest.mark.parametrize("contained", [False, True], ids=["free", "contained"])
@pytest.mark.sample("contained")
async def test_rust(tmp_path, contained):
    tool = toolchains()["rust"] if contained else TOOLS["rust"]
    texts = {"src/lib.rs": "pub const WORDS: i32 = 3;\n", "tests/words.rs": RUST}
    usual, away, now = await states(tool, make(tmp_path, "rust", texts))
    assert usual == same(usual)
    assert now == {**usual, "test_folder": "failed"}
    assert sorted(name for name in away if away[name] != "passed") == ["test_folder", "test_time"]


C = """
#include "test.h"
#include "words.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t made(void)
{
    struct stat status;
    return stat("src/words.c", &status) == 0 ? status.st_mtime : 0;
}

void test_own_files(void) { TEST_ASSERT(access("src/words.c", R_OK) == 0); }
void test_elapsed(void)
{
    struct timespec since = {0}, now = {0};
    clock_gettime(CLOCK_MONOTONIC, &since);
    clock_gettime(CLOCK_MONOTONIC, &now);
    TEST_ASSERT(now.tv_sec - since.tv_sec < 60);
}

void test_waiting(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
    struct timespec until = {0};
    sem_t sem;
    sem_init(&sem, 0, 0);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec = (until.tv_nsec + 20000000) % 1000000000;
    until.tv_sec += until.tv_nsec < 20000000;
    pthread_mutex_lock(&mutex);
    TEST_ASSERT_EQ(ETIMEDOUT, pthread_cond_timedwait(&cond, &mutex, &until));
    TEST_ASSERT_EQ(ETIMEDOUT, pthread_mutex_timedlock(&mutex, &until));
    TEST_ASSERT_EQ(-1, sem_timedwait(&sem, &until));
    TEST_ASSERT_EQ(0, clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL));
}

void test_started(void)
{
    FILE *wrote;
    TEST_ASSERT_EQ(0, system("echo hi > out.txt"));
    wrote = fopen("out.txt", "r");
    TEST_ASSERT(wrote != NULL);
    fclose(wrote);
}

void test_folder(void)
{
    char here[4096] = "";
    TEST_ASSERT(getcwd(here, sizeof here) && !strstr(here, "elsewhere"));
}
void test_time(void) { TEST_ASSERT(time(NULL) - made() < 3600); }
void test_clock(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    TEST_ASSERT(now.tv_sec - made() < 3600);
}
void test_day(void)
{
    struct timeval now = {0};
    gettimeofday(&now, NULL);
    TEST_ASSERT(now.tv_sec - made() < 3600);
}
void test_unset(void) { TEST_ASSERT(words() != -16843010); }
"""


@needs_cc
@pytest.mark.parametrize("contained", [False, True], ids=["free", "contained"])
@pytest.mark.sample("contained")
async def test_c(tmp_path, contained):
    tool = toolchains()["c"] if contained else TOOLS["c"]
    unset = "int words(void)\n{\n    int count;\n    return count;\n}\n"
    texts = {"src/words.c": unset, "tests/test_words.c": C}
    usual, away, now = await states(tool, c_kit.make(tmp_path, texts))
    assert usual == same(usual)
    assert now == {**usual, "test_folder": "failed", "test_unset": "failed"}
    assert sorted(name for name in away if away[name] != "passed") == [
        "test_clock", "test_day", "test_folder", "test_time", "test_unset",
    ]  # fmt: skip


@needs_cc
@pytest.mark.parametrize("language", ["c", pytest.param("rust", marks=pytest.mark.cargo)])
async def test_where_the_library_cannot_be_made_a_run_is_where_it_is(
    tmp_path, monkeypatch, language
):
    async def nothing():
        return None

    monkeypatch.setattr("tutor_lsp.languages.common.proof.elsewhere._compiled", nothing)
    texts = {
        "c": {
            "src/words.c": "int words(void)\n{\n    return 3;\n}\n",
            "tests/test_words.c": '#include <unistd.h>\n#include "words.h"\n#include "test.h"\n'
            "void test_words(void) { TEST_ASSERT_EQ(3, words()); }\n",
        },
        "rust": {
            "src/lib.rs": "pub fn words() -> i32 { 3 }\n",
            "tests/words.rs": "#[test]\nfn test_words() { assert_eq!(exercise::words(), 3); }\n",
        },
    }[language]
    made = c_kit.make(tmp_path, texts) if language == "c" else make(tmp_path, language, texts)
    _, away, _ = await states(TOOLS[language], made)
    assert away == {"test_words": "passed"}


@needs_cc
async def test_a_compiler_that_cannot_fill_variables_is_taken_as_it_is(monkeypatch):
    knows = compiler._Trial.knows

    async def knows_not(self, *flags):
        return FILL not in flags and await knows(self, *flags)

    monkeypatch.setattr(compiler._Trial, "knows", knows_not)
    found = FindCompiler()
    assert await found.filling() == await found.get()
    monkeypatch.undo()
    found = FindCompiler()
    assert set((await found.filling()).extra) - {FILL} == set((await found.get()).extra)
