#ifndef ANSWERS_H
#define ANSWERS_H

int morning(void);
int midnight(void);

#endif
