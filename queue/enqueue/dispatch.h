#ifndef DISPATCH_H
#define DISPATCH_H

#include "queue/look/job.h"

/*
 * Moves up to batch_size due jobs from scheduled to ready, or to blocked when no slot of their key
 * is free (or deletes them then, if their class says so), earliest first; *moved is how many rows
 * were examined, so that a full batch means there may be more.
 */
enum status dispatch(struct db *db, int batch_size, int64_t *moved, struct error *error) MUST_CHECK;

#endif
