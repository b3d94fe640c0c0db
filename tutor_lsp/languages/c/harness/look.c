/* Linked with tests that run once more to tell their calls; see languages/c/look. */
#include <stdio.h>
#include <string.h>
#include <time.h>

void look_begun_(const char *place);
void look_ended_(const char *place);
void look_end_(void);
void look_done_(const char **place);
void look_int_(const char *name, long long value);
void look_uint_(const char *name, unsigned long long value);
void look_truth_(const char *name, _Bool value);
void look_char_(const char *name, char value);
void look_real_(const char *name, double value);
void look_text_(const char *name, const char *value);
void look_other_(const char *name, ...);

static long told;

static int tells(void)
{
    return told <= MOST;
}

void look_begun_(const char *place)
{
    told++;
    if (tells())
        fprintf(stderr, "BEGUN%sSEP%ld", place, (long)(clock() * 1000.0 / CLOCKS_PER_SEC));
}

void look_ended_(const char *place)
{
    if (tells())
        fprintf(stderr, "ENDED%s", place);
}

void look_end_(void)
{
    if (tells())
        fputs("END\n", stderr);
}

void look_done_(const char **place)
{
    look_ended_(*place);
    look_end_();
}

static int named(const char *name)
{
    if (tells())
        fprintf(stderr, *name ? "SEP%sSEP" : "SEP%s", name);
    return tells();
}

void look_int_(const char *name, long long value)
{
    if (named(name))
        fprintf(stderr, "%lld", value);
}

void look_uint_(const char *name, unsigned long long value)
{
    if (named(name))
        fprintf(stderr, "%llu", value);
}

void look_truth_(const char *name, _Bool value)
{
    if (named(name))
        fputs(value ? "true" : "false", stderr);
}

static void put_letter(unsigned char letter)
{
    static const char plain[] = "\n\t\r\\\"", names[] = "ntr\\\"";
    const char *found = letter ? strchr(plain, letter) : NULL;
    if (found)
        fprintf(stderr, "\\%c", names[found - plain]);
    else if (letter < ' ')
        fprintf(stderr, "\\x%02x", letter);
    else
        fputc(letter, stderr);
}

void look_char_(const char *name, char value)
{
    if (!named(name))
        return;
    fputc('\'', stderr);
    put_letter((unsigned char)value);
    fputc('\'', stderr);
}

void look_real_(const char *name, double value)
{
    if (named(name))
        fprintf(stderr, "%.12g", value);
}

void look_text_(const char *name, const char *value)
{
    if (!named(name))
        return;
    if (!value) {
        fputs("NULL", stderr);
        return;
    }
    fputc('"', stderr);
    for (size_t at = 0; value[at] && at < LIMIT; at++)
        put_letter((unsigned char)value[at]);
    fputc('"', stderr);
}

void look_other_(const char *name, ...)
{
    named(name);
}
