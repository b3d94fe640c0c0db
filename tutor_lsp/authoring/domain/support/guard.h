/* Copied into a hidden copy of an exercise, where it stands around its stubs. */
#ifndef TUTOR_GUARD_H_
#define TUTOR_GUARD_H_

_Bool tutor_ask_(const char *unit);
void tutor_answer_(const char *unit, _Bool taken);
void tutor_leave_(void);
void tutor_look_(const char *unit, void (*const cases[])(void), int count);

#endif
