#include <string.h>

#include "ring.h"
#include "test.h"

/* A ring with these bytes waiting, the oldest in place `start`, and # in the free places. */
static struct ring ring_of(const char *bytes, size_t start)
{
    struct ring ring = {.start = start, .count = strlen(bytes)};
    memset(ring.bytes, '#', sizeof ring.bytes);
    for (size_t i = 0; i < ring.count; i++) {
        ring.bytes[(start + i) % RING_CAPACITY] = bytes[i];
    }
    return ring;
}

void test_ring_is_full_when_every_place_is_taken(void)
{
    struct ring full = ring_of("abcdefgh", 0);
    struct ring almost = ring_of("abcdefg", 0);
    TEST_ASSERT_EQ(true, ring_is_full(&full));
    TEST_ASSERT_EQ(false, ring_is_full(&almost));
}

void test_ring_is_full_wherever_it_starts(void)
{
    struct ring full = ring_of("abcdefgh", 5);
    struct ring some = ring_of("abc", 5);
    TEST_ASSERT_EQ(true, ring_is_full(&full));
    TEST_ASSERT_EQ(false, ring_is_full(&some));
}

void test_ring_slot_counts_from_the_start(void)
{
    struct ring ring = ring_of("abc", 2);
    TEST_ASSERT_EQ(2, ring_slot(&ring, 0));
    TEST_ASSERT_EQ(4, ring_slot(&ring, 2));
    TEST_ASSERT_EQ(7, ring_slot(&ring, 5));
}

void test_ring_slot_goes_on_at_the_front(void)
{
    struct ring ring = ring_of("abcd", 6);
    TEST_ASSERT_EQ(7, ring_slot(&ring, 1));
    TEST_ASSERT_EQ(0, ring_slot(&ring, 2));
    TEST_ASSERT_EQ(2, ring_slot(&ring, 4));
    TEST_ASSERT_EQ(6, ring_slot(&ring, RING_CAPACITY));
}

void test_ring_put_stores_behind_the_others(void)
{
    struct ring ring = ring_of("ab", 1);
    TEST_ASSERT_EQ(RING_OK, ring_put(&ring, 'c'));
    TEST_ASSERT_EQ('c', ring.bytes[3]);
    TEST_ASSERT_EQ(3, ring.count);
    TEST_ASSERT_EQ(1, ring.start);
}

void test_ring_put_goes_on_at_the_front(void)
{
    struct ring ring = ring_of("ab", 6);
    TEST_ASSERT_EQ(RING_OK, ring_put(&ring, 'c'));
    TEST_ASSERT_EQ('c', ring.bytes[0]);
    TEST_ASSERT_EQ(3, ring.count);
    TEST_ASSERT_EQ(6, ring.start);
}

void test_ring_put_fills_the_last_place(void)
{
    struct ring ring = ring_of("abcdefg", 4);
    TEST_ASSERT_EQ(RING_OK, ring_put(&ring, 'h'));
    TEST_ASSERT_EQ('h', ring.bytes[3]);
    TEST_ASSERT_EQ(8, ring.count);
}

void test_ring_put_refuses_when_full(void)
{
    struct ring ring = ring_of("abcdefgh", 4);
    TEST_ASSERT_EQ(RING_ERR_FULL, ring_put(&ring, 'i'));
    TEST_ASSERT_EQ('a', ring.bytes[4]);
    TEST_ASSERT_EQ(8, ring.count);
}

void test_ring_take_gives_the_oldest_byte(void)
{
    struct ring ring = ring_of("ab", 2);
    char byte = '?';
    TEST_ASSERT_EQ(RING_OK, ring_take(&ring, &byte));
    TEST_ASSERT_EQ('a', byte);
    TEST_ASSERT_EQ(1, ring.count);
    TEST_ASSERT_EQ(3, ring.start);
}

void test_ring_take_starts_again_at_the_front(void)
{
    struct ring ring = ring_of("ab", 7);
    char byte = '?';
    TEST_ASSERT_EQ(RING_OK, ring_take(&ring, &byte));
    TEST_ASSERT_EQ('a', byte);
    TEST_ASSERT_EQ(0, ring.start);
    TEST_ASSERT_EQ(RING_OK, ring_take(&ring, &byte));
    TEST_ASSERT_EQ('b', byte);
}

void test_ring_take_refuses_when_empty(void)
{
    struct ring ring = ring_of("", 4);
    char byte = '?';
    TEST_ASSERT_EQ(RING_ERR_EMPTY, ring_take(&ring, &byte));
    TEST_ASSERT_EQ('?', byte);
    TEST_ASSERT_EQ(0, ring.count);
    TEST_ASSERT_EQ(4, ring.start);
}

void test_ring_take_line_gives_the_text_before_the_newline(void)
{
    struct ring ring = ring_of("hi\n\nyo", 0);
    char line[RING_CAPACITY] = "???????";
    TEST_ASSERT_EQ(RING_OK, ring_take_line(&ring, line, sizeof line));
    TEST_ASSERT_EQ("hi", line);
    TEST_ASSERT_EQ(3, ring.count);
    TEST_ASSERT_EQ(RING_OK, ring_take_line(&ring, line, sizeof line));
    TEST_ASSERT_EQ("", line);
    TEST_ASSERT_EQ(2, ring.count);
}

void test_ring_take_line_reads_across_the_end(void)
{
    struct ring ring = ring_of("north\nup", 5);
    char line[RING_CAPACITY] = "???????";
    TEST_ASSERT_EQ(RING_OK, ring_take_line(&ring, line, sizeof line));
    TEST_ASSERT_EQ("north", line);
    TEST_ASSERT_EQ(3, ring.start);
}

void test_ring_take_line_waits_for_the_newline(void)
{
    struct ring half = ring_of("half", 6);
    struct ring full = ring_of("abcdefgh", 6);
    char line[RING_CAPACITY + 2] = "?????????";
    TEST_ASSERT_EQ(RING_ERR_NO_LINE, ring_take_line(&half, line, sizeof line));
    TEST_ASSERT_EQ(4, half.count);
    TEST_ASSERT_EQ(RING_ERR_NO_LINE, ring_take_line(&full, line, sizeof line));
    TEST_ASSERT_EQ("?????????", line);
}

void test_ring_take_line_refuses_what_has_no_room(void)
{
    struct ring ring = ring_of("abc\n", 6);
    char line[4] = "???";
    TEST_ASSERT_EQ(RING_ERR_TOO_LONG, ring_take_line(&ring, line, 3));
    TEST_ASSERT_EQ(4, ring.count);
    TEST_ASSERT_EQ("???", line);
    TEST_ASSERT_EQ(RING_OK, ring_take_line(&ring, line, 4));
    TEST_ASSERT_EQ("abc", line);
}

int main(void)
{
    RUN_TEST(test_ring_is_full_when_every_place_is_taken);
    RUN_TEST(test_ring_is_full_wherever_it_starts);
    RUN_TEST(test_ring_slot_counts_from_the_start);
    RUN_TEST(test_ring_slot_goes_on_at_the_front);
    RUN_TEST(test_ring_put_stores_behind_the_others);
    RUN_TEST(test_ring_put_goes_on_at_the_front);
    RUN_TEST(test_ring_put_fills_the_last_place);
    RUN_TEST(test_ring_put_refuses_when_full);
    RUN_TEST(test_ring_take_gives_the_oldest_byte);
    RUN_TEST(test_ring_take_starts_again_at_the_front);
    RUN_TEST(test_ring_take_refuses_when_empty);
    RUN_TEST(test_ring_take_line_gives_the_text_before_the_newline);
    RUN_TEST(test_ring_take_line_reads_across_the_end);
    RUN_TEST(test_ring_take_line_waits_for_the_newline);
    RUN_TEST(test_ring_take_line_refuses_what_has_no_room);
    TEST_SUMMARY();
}
