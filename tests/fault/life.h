/*
 * A whole deployment that meets a fault in one of its processes: jobs of every way (ready, due
 * later, of a recurring task, one that is still running at the shutdown) must all finish, once,
 * however often the supervisor has to be started again. One deployment's database serves all cells
 * of a program.
 */
#ifndef FAULT_LIFE_H
#define FAULT_LIFE_H

#include "tests/support/sites/deployment.h"

extern struct deployment *life;

/* For main: which database. Exits with 77 when it is not wanted. */
const char *life_choose(int argc, char **argv);

/* For cmocka: the group's database, and what a failed cell has left. */
int life_open(void **state);
int life_close(void **state);
int life_clean(void **state);

/* Empties the tables, arms the faults, and enqueues the first jobs. */
void life_begin(const char *arm);

/* From now on claims get the numbers that ended ones have had, beside those that live. */
void life_reuse_numbers(void);

/* Until the condition holds: starts a supervisor when there is none, and reuses claim numbers. */
void life_until(bool (*condition)(void), const char *what);

/* Conditions: the jobs enqueued so far have finished; the slow job has begun; a fault was met. */
bool life_all_finished(void);
bool life_slow_has_begun(void);
bool life_has_met_fault(void);

/* The job that runs for a minute, unless it has been begun before. */
void life_enqueue_slow(void);
void life_cancel_slow(void);

/* TERM, and waits for the end of the supervisor if it is there. */
void life_stop(void);

/* Nothing runs any more: every job and occurrence has ended once, and nothing is claimed. */
void life_judge(void);

#endif
