/* FNV-1a: short texts and numbers to 64 bits, the same on every machine and in every version. */
#ifndef HASH_H
#define HASH_H

#include <stdint.h>

#define HASH_START UINT64_C(14695981039346656037)

static inline uint64_t hash_number(uint64_t hash, uint64_t number)
{
	return (hash ^ number) * UINT64_C(1099511628211);
}

static inline uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; *text != '\0'; text++)
		hash = hash_number(hash, (unsigned char)*text);
	return hash;
}

#endif
