/* What the log says about a worker's runs. Lines that would not be written are not even built. */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stdint.h>

struct claim_unknown;
struct job;
struct run;

/* Jobs of classes that the worker does not know were put back. */
void report_unknown(const struct claim_unknown *unknown);

void report_started(const struct run *run);

/* dray_job_log. Any thread. */
void report_said(const struct job *job, const char *text);

/* A run is asked to stop; `signalled`: its processes get a signal. */
void report_stopping(const struct run *run, const char *reason, bool signalled);

/* A run is killed: its worker must leave, or it did not stop when it was asked to. Once a run. */
void report_killed(struct run *run);

/* It was killed and is still there. Once a run. */
void report_unkillable(struct run *run);

/* It takes much longer than its class's runs usually do. */
void report_slow(const struct run *run, int64_t usual, int64_t now);

/* Its function does not hear that it is to stop. Once a run. */
void report_deaf(struct run *run);

/* The outcome is in the database: finished, failed or released. */
void report_ended(const struct run *run);

/* The claim had been taken from us (`why`): the database refused the outcome. */
void report_refused(const struct run *run, const char *why);

/* The same, noticed while the run still goes on: its outcome will be refused. */
void report_gone(const struct run *run, const char *why);

#endif
