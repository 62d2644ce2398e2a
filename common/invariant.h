/*
 * What holds of our own memory, whatever tables, files, other processes and people do.
 *
 * Where it does not hold the program is wrong, and what it would do next may be wrong, too. So the
 * process logs one line and aborts, in every build: a supervisor starts another, and the jobs that
 * it held are given back. What comes from outside is no invariant: it is checked, and refused with
 * an error.
 */
#ifndef INVARIANT_H
#define INVARIANT_H

#define INVARIANT(holds) ((holds) ? (void)0 : invariant_broken(#holds, __func__))

/* Logs invariant.broken, and aborts. */
void invariant_broken(const char *text, const char *function) __attribute__((noreturn, cold));

#endif
