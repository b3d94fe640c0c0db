#include "words.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stub.h"

int count(const char *text)
{
    printf("counting ä\n");
    return (int)strlen(text);
}

int later(const char *text)
{
    (void)text;
    NOT_IMPLEMENTED("later");
}

int uses_later(const char *text)
{
    return later(text) + 1;
}

const char *label(int number)
{
    return number > 1 ? "many\n\"words\"" : NULL;
}

char letter(const char *text, int at)
{
    return text[at];
}

bool is_long(const char *text)
{
    return text[0] == 'a';
}

unsigned long size(void)
{
    return 3;
}

double share(int part, int whole)
{
    return (double)part / whole;
}

const char *find(const char *text, char wanted)
{
    return wanted == 'a' ? text + 2 : NULL;
}

void shout(char *text)
{
    text[0] = (char)toupper((unsigned char)text[0]);
}

int hang(void)
{
    printf("before");
    for (;;) {
    }
}

int leave(void)
{
    exit(0);
}

int give_up(void)
{
    abort();
}

int insist(int number)
{
    assert(number > 3);
    return number;
}

int follow(const int *place)
{
    return *place;
}

int past_the_end(int at)
{
    int *numbers = malloc(4 * sizeof *numbers);
    numbers[at] = 1;
    free(numbers);
    return 0;
}

int freed(void)
{
    char *text = malloc(8);
    strcpy(text, "a");
    free(text);
    return text[0];
}

int twice(void)
{
    char *text = malloc(8);
    free(text);
    free(text);
    return 0;
}

int stray(void)
{
    int numbers[3] = {0};
    free(numbers + 1);
    return 0;
}

int index_of(int at)
{
    int numbers[3] = {1, 2, 3};
    return numbers[at];
}

int add(int a, int b)
{
    return a + b;
}

int part(int a, int b)
{
    return a / b;
}

int deep(int number)
{
    volatile char room[1000];
    room[0] = (char)number;
    return deep(number + 1) + room[0];
}

int literal(void)
{
    char *text = "abc";
    text[0] = 'x';
    return 0;
}

int forge(const char *name)
{
    printf("ok 1 - %s\n", name);
    return 0;
}

int *gone(void)
{
    int number = 3;
    int *place = &number;
    return place;
}
