#include "test.h"
#include "words.h"

int twice(void)
{
    return 1;
}

void test_gone(void)
{
    TEST_ASSERT_EQ(1, gone(twice()));
}

int main(void)
{
    RUN_TEST(test_gone);
    TEST_SUMMARY();
}
