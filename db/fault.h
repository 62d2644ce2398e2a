/*
 * Private to db/: the fault points of every script (common/fault.h). They follow from the script:
 *
 *     finish.0           the transaction has begun; the first statement comes next
 *     finish.1 ...       the first statement is done; the second comes next
 *     finish.commit      every statement is done; COMMIT comes next
 *     finish.committed   the server has committed, and this process does not know it yet
 *
 * A script that only reads has no commit. A run of several scripts passes the last two points of
 * each that did something.
 */
#ifndef DB_FAULT_H
#define DB_FAULT_H

#include "common/fault.h"
#include "db/driver.h"

#ifdef DRAY_FAULTS

/* Is any point of these scripts armed? A driver then stops between their statements. */
bool db_fault_armed(const struct driver_call calls[], size_t count);

/* Not OK: the status with which statement number `number` (from 0) is to end. */
enum status db_fault_statement(struct connection *connection, const struct driver_call *call,
			       unsigned number, struct error *error) MUST_CHECK;

/* Not OK: the status with which COMMIT is to end. */
enum status db_fault_commit(struct connection *connection, const struct driver_call calls[],
			    size_t count, struct error *error) MUST_CHECK;

/* UNCERTAIN: the answer to COMMIT is lost. */
enum status db_fault_committed(struct connection *connection, const struct driver_call calls[],
			       size_t count, struct error *error) MUST_CHECK;

/* Calls with every point of every script of db/sql. FATAL when a script is malformed. */
enum status db_fault_each(enum db_dialect dialect, void (*each)(const char *point, void *context),
			  void *context, struct error *error) MUST_CHECK;

/* The status of the call that follows a point; STATUS_OK where there are no faults. */
#define FAULT_STATUS(point)       (point)
#define FAULT_ARMED(calls, count) db_fault_armed((calls), (count))

#else

#define FAULT_STATUS(point)       STATUS_OK
#define FAULT_ARMED(calls, count) false

#endif
#endif
