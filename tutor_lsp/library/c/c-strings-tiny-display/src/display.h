#ifndef DISPLAY_H
#define DISPLAY_H

#include <stdbool.h>
#include <stddef.h>

/* A line of the display: 16 bytes of text and the zero that ends it. */
#define LINE_SIZE 17

void clear_line(char *line);
bool is_inside(char byte);

bool fits(const char *text, size_t size);
bool copy_text(char *dest, size_t size, const char *text);
bool append_text(char *dest, size_t size, const char *text);
size_t whole_length(const char *text, size_t limit);
bool show_reading(char *dest, size_t size, const char *label, const char *value);

#endif
