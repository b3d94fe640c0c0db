#include "display.h"
#include "test.h"

void test_fits_needs_a_byte_for_the_zero(void)
{
    TEST_ASSERT_EQ(true, fits("abc", 4));
    TEST_ASSERT_EQ(false, fits("abc", 3));
}

void test_fits_an_empty_text_needs_one_byte(void)
{
    TEST_ASSERT_EQ(true, fits("", 1));
    TEST_ASSERT_EQ(false, fits("", 0));
}

void test_fits_counts_bytes(void)
{
    TEST_ASSERT_EQ(true, fits("21 °C", 7));
    TEST_ASSERT_EQ(false, fits("21 °C", 6));
}

void test_copy_text_copies_a_text_that_fits(void)
{
    char dest[8] = "#######";
    TEST_ASSERT_EQ(true, copy_text(dest, sizeof dest, "Oslo"));
    TEST_ASSERT_STR_EQ("Oslo", dest);
    TEST_ASSERT_EQ(true, copy_text(dest, sizeof dest, "Bilbao!"));
    TEST_ASSERT_STR_EQ("Bilbao!", dest);
}

void test_copy_text_cuts_a_text_that_does_not(void)
{
    char dest[8] = "#######";
    TEST_ASSERT_EQ(false, copy_text(dest, sizeof dest, "Helsinki"));
    TEST_ASSERT_STR_EQ("Helsink", dest);
}

void test_copy_text_stays_within_its_size(void)
{
    char dest[8] = "#######";
    TEST_ASSERT_EQ(false, copy_text(dest, 4, "Helsinki"));
    TEST_ASSERT_STR_EQ("Hel", dest);
    TEST_ASSERT_EQ('#', dest[4]);
    TEST_ASSERT_EQ('#', dest[6]);
}

void test_copy_text_of_size_one_leaves_an_empty_text(void)
{
    char dest[2] = "#";
    TEST_ASSERT_EQ(false, copy_text(dest, 1, "Oslo"));
    TEST_ASSERT_STR_EQ("", dest);
    TEST_ASSERT_EQ(true, copy_text(dest, 1, ""));
}

void test_append_text_goes_on_at_the_end(void)
{
    char line[LINE_SIZE] = "wind";
    TEST_ASSERT_EQ(true, append_text(line, sizeof line, "mill"));
    TEST_ASSERT_STR_EQ("windmill", line);
}

void test_append_text_cuts_what_does_not_fit(void)
{
    char line[8] = "wind";
    TEST_ASSERT_EQ(false, append_text(line, sizeof line, "mill"));
    TEST_ASSERT_STR_EQ("windmil", line);
}

void test_append_text_fills_the_last_byte(void)
{
    char line[8] = "12345";
    TEST_ASSERT_EQ(true, append_text(line, sizeof line, "67"));
    TEST_ASSERT_STR_EQ("1234567", line);
    TEST_ASSERT_EQ(false, append_text(line, sizeof line, "8"));
    TEST_ASSERT_STR_EQ("1234567", line);
}

void test_append_text_of_nothing_is_complete(void)
{
    char line[5] = "wind";
    TEST_ASSERT_EQ(true, append_text(line, sizeof line, ""));
    TEST_ASSERT_STR_EQ("wind", line);
}

void test_whole_length_of_a_short_text_is_its_length(void)
{
    TEST_ASSERT_EQ(4, whole_length("Oslo", 10));
    TEST_ASSERT_EQ(6, whole_length("Malmö", 6));
}

void test_whole_length_cuts_plain_letters_anywhere(void)
{
    TEST_ASSERT_EQ(3, whole_length("Oslo", 3));
    TEST_ASSERT_EQ(1, whole_length("Oslo", 1));
    TEST_ASSERT_EQ(0, whole_length("Oslo", 0));
    TEST_ASSERT_EQ(8, whole_length("Reykjavik", 8));
}

void test_whole_length_keeps_characters_whole(void)
{
    TEST_ASSERT_EQ(4, whole_length("Malmö", 5));
    TEST_ASSERT_EQ(1, whole_length("Tønder", 2));
    TEST_ASSERT_EQ(3, whole_length("Tønder", 3));
}

void test_whole_length_leaves_out_a_long_character(void)
{
    TEST_ASSERT_EQ(2, whole_length("5 €", 4));
    TEST_ASSERT_EQ(2, whole_length("5 €", 3));
    TEST_ASSERT_EQ(0, whole_length("€", 2));
}

void test_show_reading_puts_label_before_value(void)
{
    char line[LINE_SIZE];
    clear_line(line);
    TEST_ASSERT_EQ(true, show_reading(line, sizeof line, "Oslo", "21 °C"));
    TEST_ASSERT_STR_EQ("Oslo: 21 °C", line);
}

void test_show_reading_uses_every_byte(void)
{
    char line[LINE_SIZE];
    clear_line(line);
    TEST_ASSERT_EQ(true, show_reading(line, sizeof line, "Weather", "drizzle"));
    TEST_ASSERT_STR_EQ("Weather: drizzle", line);
    TEST_ASSERT_EQ(false, show_reading(line, sizeof line, "Weather", "drizzles"));
    TEST_ASSERT_STR_EQ("Weather: drizzle", line);
}

void test_show_reading_cuts_between_characters(void)
{
    char line[LINE_SIZE];
    clear_line(line);
    TEST_ASSERT_EQ(false, show_reading(line, sizeof line, "Weather", "wind SÖ"));
    TEST_ASSERT_STR_EQ("Weather: wind S", line);
    TEST_ASSERT_EQ(false, show_reading(line, 10, "Oslo", "5 €"));
    TEST_ASSERT_STR_EQ("Oslo: 5 ", line);
}

void test_show_reading_writes_over_an_old_line(void)
{
    char line[LINE_SIZE] = "Weather: drizzle";
    TEST_ASSERT_EQ(true, show_reading(line, sizeof line, "Oslo", "4"));
    TEST_ASSERT_STR_EQ("Oslo: 4", line);
}

int main(void)
{
    RUN_TEST(test_fits_needs_a_byte_for_the_zero);
    RUN_TEST(test_fits_an_empty_text_needs_one_byte);
    RUN_TEST(test_fits_counts_bytes);
    RUN_TEST(test_copy_text_copies_a_text_that_fits);
    RUN_TEST(test_copy_text_cuts_a_text_that_does_not);
    RUN_TEST(test_copy_text_stays_within_its_size);
    RUN_TEST(test_copy_text_of_size_one_leaves_an_empty_text);
    RUN_TEST(test_append_text_goes_on_at_the_end);
    RUN_TEST(test_append_text_cuts_what_does_not_fit);
    RUN_TEST(test_append_text_fills_the_last_byte);
    RUN_TEST(test_append_text_of_nothing_is_complete);
    RUN_TEST(test_whole_length_of_a_short_text_is_its_length);
    RUN_TEST(test_whole_length_cuts_plain_letters_anywhere);
    RUN_TEST(test_whole_length_keeps_characters_whole);
    RUN_TEST(test_whole_length_leaves_out_a_long_character);
    RUN_TEST(test_show_reading_puts_label_before_value);
    RUN_TEST(test_show_reading_uses_every_byte);
    RUN_TEST(test_show_reading_cuts_between_characters);
    RUN_TEST(test_show_reading_writes_over_an_old_line);
    TEST_SUMMARY();
}
