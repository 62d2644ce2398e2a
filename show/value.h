/* Values of the objects that show/ makes. */
#ifndef SHOW_VALUE_H
#define SHOW_VALUE_H

#include <jansson.h>
#include <stdint.h>

/* Bytes that are not UTF-8 are replaced by U+FFFD. */
json_t *value_text(const char *text);     /* NULL = null */
json_t *value_time(int64_t instant);      /* ISO 8601 text in UTC; 0 = null */
json_t *value_span(int64_t microseconds); /* seconds */
json_t *value_json(const char *json);     /* parsed; NULL = null; invalid = a string */
json_t *value_id(int64_t id);             /* 0 = null */

#endif
