/* Copied into a hidden copy of an exercise, where it stands around its stubs. */
#ifndef DOMAIN_GUARD_H_
#define DOMAIN_GUARD_H_

_Bool domain_ask_(const char *unit);
void domain_answer_(const char *unit, _Bool taken);
void domain_leave_(void);
void domain_look_(const char *unit, void (*const cases[])(void), int count);

#endif
