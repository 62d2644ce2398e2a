#ifndef UUID_H
#define UUID_H

#include <stdint.h>

#define UUID_TEXT_SIZE 37

/*
 * UUID version 7 (RFC 9562, 5.7): 48 bits of unix milliseconds from `instant` (microseconds), then
 * a 12-bit sub-millisecond fraction (method 3 of 6.2) and 62 random bits, so that IDs made one
 * after the other sort. Thread safe; random bits come from getrandom(2) in bulk, refreshed after
 * fork.
 */
void uuid_v7(int64_t instant, char text[UUID_TEXT_SIZE]);

/* Writes that many random bytes as lower-case hex into text (2 * bytes + 1 characters). */
void random_hex(unsigned bytes, char *text);

/* Uniform in [0, bound). */
uint64_t random_below(uint64_t bound);

#endif
