#ifndef WORDS_H
#define WORDS_H

int länge(const char *text);
int gone(int number);
int twice(void);

#endif
