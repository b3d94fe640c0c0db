#include <string.h>

#include "test.h"
#include "words.h"

static void check_count(const char *text)
{
    TEST_ASSERT_EQ(2, count(text));
}

void test_fine(void)
{
    char text[] = "ab";
    shout(text);
    TEST_ASSERT_EQ("Ab", text);
    TEST_ASSERT_EQ(3, size());
    TEST_ASSERT_EQ(0.3, 0.1 + 0.2);
    TEST_ASSERT_EQ(NULL, label(1));
    TEST_ASSERT_EQ('a', "a"[0]);
    TEST_ASSERT(count("abc") == 3);
}

void test_count_words(void)
{
    TEST_ASSERT_EQ(2, count("a  b"));
}

void test_count_in_a_variable(void)
{
    const char *given = "ä b";
    int found = count(given);
    TEST_ASSERT_EQ(2, found);
}

void test_count_the_other_way_round(void)
{
    TEST_ASSERT_EQ(count("a b"), 2);
}

void test_count_through_a_helper(void)
{
    check_count("a b c");
}

void test_count_in_a_condition(void)
{
    TEST_ASSERT(count("a b") < 2);
}

void test_later(void)
{
    TEST_ASSERT_EQ(1, later("a"));
}

void test_uses_later(void)
{
    TEST_ASSERT_EQ(1, uses_later("a"));
}

void test_label_text(void)
{
    TEST_ASSERT_EQ("many", label(2));
}

void test_label_null(void)
{
    TEST_ASSERT_STR_EQ("one", label(1));
}

void test_letter(void)
{
    TEST_ASSERT_EQ('b', letter("abc", 2));
}

void test_is_long(void)
{
    TEST_ASSERT(!is_long("abc"));
}

void test_is_long_as_a_value(void)
{
    TEST_ASSERT_EQ(true, is_long("bcd"));
}

void test_size(void)
{
    TEST_ASSERT_EQ(-1, size());
}

void test_share(void)
{
    TEST_ASSERT_EQ(0.25, share(1, 3));
}

void test_find(void)
{
    const char *text = "bcad";
    TEST_ASSERT(find(text, 'x') != NULL);
}

void test_find_address(void)
{
    unsigned char bytes[4] = {0};
    TEST_ASSERT_EQ(bytes + 1, (unsigned char *)find((char *)bytes, 'a'));
}

void test_shout(void)
{
    char text[8] = "ab";
    shout(text);
    TEST_ASSERT_STR_EQ("AB", text);
}

void test_hang(void)
{
    TEST_ASSERT_EQ(1, hang());
}

void test_leave(void)
{
    TEST_ASSERT_EQ(1, leave());
}

void test_give_up(void)
{
    TEST_ASSERT_EQ(1, give_up());
}

void test_insist(void)
{
    TEST_ASSERT_EQ(1, insist(1));
}

void test_follow(void)
{
    TEST_ASSERT_EQ(1, follow(NULL));
}

void test_past_the_end(void)
{
    TEST_ASSERT_EQ(1, past_the_end(4));
}

void test_freed(void)
{
    TEST_ASSERT_EQ(1, freed());
}

void test_twice(void)
{
    TEST_ASSERT_EQ(1, twice());
}

void test_stray(void)
{
    TEST_ASSERT_EQ(1, stray());
}

void test_index_of(void)
{
    TEST_ASSERT_EQ(1, index_of(3));
}

void test_add(void)
{
    TEST_ASSERT_EQ(1, add(2147483647, 1));
}

void test_part(void)
{
    TEST_ASSERT_EQ(1, part(3, 0));
}

void test_deep(void)
{
    TEST_ASSERT_EQ(1, deep(0));
}

void test_literal(void)
{
    TEST_ASSERT_EQ(1, literal());
}

void test_forge(void)
{
    TEST_ASSERT_EQ(1, forge("test_forge"));
}

void test_gone(void)
{
    TEST_ASSERT_EQ(3, *gone());
}
