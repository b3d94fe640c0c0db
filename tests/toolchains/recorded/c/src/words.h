#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stddef.h>

int count(const char *text);
int later(const char *text);
int uses_later(const char *text);
const char *label(int number);
char letter(const char *text, int at);
bool is_long(const char *text);
unsigned long size(void);
double share(int part, int whole);
const char *find(const char *text, char wanted);
void shout(char *text);
int hang(void);
int leave(void);
int give_up(void);
int insist(int number);
int follow(const int *place);
int past_the_end(int at);
int freed(void);
int twice(void);
int stray(void);
int index_of(int at);
int add(int a, int b);
int part(int a, int b);
int deep(int number);
int literal(void);
int forge(const char *name);
int *gone(void);

#endif
