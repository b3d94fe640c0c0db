/* Copied into a hidden copy of an exercise: assertions for hundreds of cases, which only have to end
 * one as those of test.h do. What is put on the stack for each takes a compiler that watches the
 * stack most of its time. */
#ifndef DOMAIN_CASES_H
#define DOMAIN_CASES_H

static struct tutor_value_ domain_expected_, domain_actual_;

#define DOMAIN_KIND_(kind, type)                                                             \
    static inline void domain_##kind##_(struct tutor_value_ *place, type value)              \
    {                                                                                        \
        *place = tutor_##kind##_(value);                                                     \
    }

DOMAIN_KIND_(bool, _Bool)
DOMAIN_KIND_(char, char)
DOMAIN_KIND_(int, intmax_t)
DOMAIN_KIND_(uint, uintmax_t)
DOMAIN_KIND_(float, float)
DOMAIN_KIND_(real, long double)
DOMAIN_KIND_(text, const char *)
DOMAIN_KIND_(pointer, const void *)

static inline void domain_compare_(void)
{
    if (!tutor_equal_(&domain_expected_, &domain_actual_))
        _exit(1);
}

#define DOMAIN_PUT_(place, value)                                                               \
    _Generic((value), _Bool: domain_bool_, char: domain_char_, signed char: domain_int_,        \
             short: domain_int_, int: domain_int_, long: domain_int_, long long: domain_int_,   \
             unsigned char: domain_uint_, unsigned short: domain_uint_, unsigned: domain_uint_, \
             unsigned long: domain_uint_, unsigned long long: domain_uint_,                     \
             float: domain_float_, double: domain_real_, long double: domain_real_,             \
             char *: domain_text_, const char *: domain_text_,                                  \
             default: domain_pointer_)(place, value)

#undef TEST_ASSERT_EQ
#define TEST_ASSERT_EQ(expected, actual)              \
    do {                                              \
        DOMAIN_PUT_(&domain_expected_, expected);     \
        DOMAIN_PUT_(&domain_actual_, actual);         \
        domain_compare_();                            \
    } while (0)

#undef TEST_ASSERT_STR_EQ
#define TEST_ASSERT_STR_EQ(expected, actual)          \
    do {                                              \
        domain_text_(&domain_expected_, expected);    \
        domain_text_(&domain_actual_, actual);        \
        domain_compare_();                            \
    } while (0)

#endif
