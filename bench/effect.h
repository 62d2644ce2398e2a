/*
 * What a job does in the proofs (chaos, soak): it writes a line when it begins and one when it ends
 * to the file named by the environment's EFFECTS, which is not part of the database. All lines have
 * the same width, so that a file's size shows how much has been done.
 */
#ifndef EFFECT_H
#define EFFECT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define EFFECT_BEGIN  'B'
#define EFFECT_END    'E'
#define EFFECT_WIDTH  73
/* kind, job, its claim, worker's process, microseconds since 1970 by the kernel's clock, newline */
#define EFFECT_FORMAT "%c %19lld %19lld %10d %19lld\n"

/* False when it cannot be written. */
bool effect_write(char kind, int64_t job, int64_t claim, pid_t worker);

/* Sleeps. */
void effect_work(int64_t milliseconds);

#endif
