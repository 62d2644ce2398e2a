/* What the log says of a worker's runs. Lines that nobody would see are not even made up. */
#ifndef REPORT_H
#define REPORT_H

struct slot;

void report_started(const struct slot *slot);

/* The outcome stands in the database: finished, failed or released. */
void report_ended(const struct slot *slot);

/* The claim had been taken from us: the outcome was dropped by the database. */
void report_lost(const struct slot *slot);

#endif
