/* What the log says of a worker's runs. Lines that nobody would see are not even made up. */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>

struct job;
struct slot;

void report_started(const struct slot *slot);

/* dray_job_log. Any thread. */
void report_said(const struct job *job, const char *text);

/* A run is told to stop; `signalled`: its processes are. */
void report_stopping(const struct slot *slot, const char *reason, bool signalled);

/* A run is killed: its worker must leave, or it did not stop when it was told. */
void report_killed(const struct slot *slot);

/* The outcome stands in the database: finished, failed or released. */
void report_ended(const struct slot *slot);

/* The claim had been taken from us, and why: the outcome was dropped by the database. */
void report_lost(const struct slot *slot, const char *why);

/* The same seen while the run goes on: whatever it ends with will be dropped. */
void report_gone(const struct slot *slot, const char *why);

#endif
