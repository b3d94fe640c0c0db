"""Sentences for tests that crash: which call it was, and whether the test itself fell over."""

import pytest
from c_kit import TOOL, files_of, make, needs_cc, run

pytestmark = needs_cc
SOURCE = """#include "ends.h"
#include <stdlib.h>
#include <string.h>

void put(char *text)
{
    memcpy(text, "abcd", 4);
}

int twice(int number)
{
    return number * 2;
}

int nth(const int *numbers, int place)
{
    return numbers[place];
}

char *made(void)
{
    char *text = malloc(4);
    memcpy(text, "abcd", 4);
    return text;
}
"""
HEADER = """#ifndef ENDS_H
#define ENDS_H
void put(char *text);
int twice(int number);
int nth(const int *numbers, int place);
char *made(void);
#endif
"""
TESTS = """#include "test.h"
#include "ends.h"

void test_put_ends_its_text(void)
{
    char other[4];
    char text[4];
    put(other);
    put(text);
    TEST_ASSERT_STR_EQ("abcd", text);
}

void test_made_ends_its_text(void)
{
    TEST_ASSERT_STR_EQ("abcd", made());
}

void test_twice_of_large_numbers(void)
{
    TEST_ASSERT_EQ(6, twice(3));
    TEST_ASSERT(twice(2000000000) > 0);
    TEST_ASSERT_EQ(8, twice(4));
}

void test_nth_stays_inside(void)
{
    int numbers[3] = {1, 2, 3};
    TEST_ASSERT_EQ(1, nth(numbers, 0));
    TEST_ASSERT_EQ(0, nth(numbers, 3));
}

int main(void)
{
    RUN_TEST(test_put_ends_its_text);
    RUN_TEST(test_made_ends_its_text);
    RUN_TEST(test_twice_of_large_numbers);
    RUN_TEST(test_nth_stays_inside);
    TEST_SUMMARY();
}
"""


async def test_the_call_that_crashed_and_the_test_that_did(tmp_path):
    if not (await TOOL.probe())[-1].found:
        pytest.skip("this compiler has no sanitizers")
    files = {"src/ends.c": SOURCE, "src/ends.h": HEADER, "tests/test_ends.c": TESTS}
    folder = make(tmp_path / "with space", files)
    _, tests = await run(folder)
    texts = files_of(folder)
    stubs = ["put", "twice", "nth", "made"]
    said = {name: TOOL.explain(test, texts, stubs).message for name, test in tests.items()}
    assert said["test_put_ends_its_text"].startswith(
        "What `put(text)` left made the test crash: it read past the end of a local array"
    )
    assert said["test_put_ends_its_text"].endswith("Does its text end with a zero?")
    assert said["test_made_ends_its_text"].startswith("What `made()` left made the test crash:")
    assert said["test_twice_of_large_numbers"].startswith("`twice(2000000000)` crashed:")
    assert said["test_nth_stays_inside"].startswith("`nth(numbers, 3)` crashed: it read past")
    assert tests["test_twice_of_large_numbers"].output == ""
